// Starts everything that pages do beyond showing text. build.sh makes one classic script of this
// module and its imports, so pages work from file://. Without scripts, pages lack only this.
import { late } from '../dom.js';
import { filterExercises } from './exercises.js';
import { unfold } from './fold.js';
import { notes } from './notes.js';
import { place, showExercises } from './place.js';
import { loadBook, loadIndex, openSearch } from './search.js';
import { scrolls, watch } from './scrolls.js';
import { otherTheme, showTheme } from './theme.js';
import { firstTap, hideTip, showTip } from './tips.js';
import { markVariants } from './variants.js';

const $ = (/** @type {string} */ selector) => [
  .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector)),
];
showTheme();
scrolls();
/** Loads the measurements and charts.js, which draws the page's charts when they are near. */
const charts = async () => {
  await late('measured');
  await late('charts');
  return window.Charts;
};
// On a server: stores the whole site for use without a network, after everything else.
if (/^http/.test(location.protocol))
  addEventListener('load', () =>
    setTimeout(
      () =>
        navigator.serviceWorker?.register('sw.js').catch(() => {
          /* the site needs the network then */
        }),
      3000,
    ),
  );

// Adds the chapters to the booklet: the pages of the book (book.js) that are not only for the
// search. Then the booklet's list of chapters links to the chapters instead of to their pages.
async function showBooklet() {
  const main = $('main')[0];
  main.append(
    ...[...(await loadBook()).querySelectorAll('section:not([hidden])')].map(chapter =>
      chapter.cloneNode(true),
    ),
  );
  for (const link of $('.chapters a'))
    link.setAttribute('href', `#${(link.getAttribute('href') || '').replace('.html', '')}`);
  charts();
  watch();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function listen() {
  for (const event of ['pointerover', 'focusin']) document.addEventListener(event, showTip);
  document.addEventListener('click', firstTap);
  document.getElementById('search')?.addEventListener('click', openSearch);
  document.getElementById('theme')?.addEventListener('click', otherTheme);
  showTheme(); // now the button is there
  addEventListener('keydown', event => {
    if (event.key === 'Escape') hideTip();
    const at = /** @type {HTMLElement} */ (document.activeElement);
    if (
      event.key === '/' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) &&
      !at.isContentEditable &&
      !$('dialog').length
    ) {
      event.preventDefault();
      openSearch();
    }
  });
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) {
      width = innerWidth;
      unfold();
      watch();
      window.Charts?.redraw();
    }
  });
  addEventListener('dragover', event => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const file = event.dataTransfer?.files[0];
    if (file) charts().then(loaded => loaded.readFile(file));
  });
  // For printing, unfolds tables and opens everything that is folded.
  addEventListener('beforeprint', () => {
    unfold();
    window.Charts?.drawAll();
    for (const fold of /** @type {HTMLDetailsElement[]} */ ($('.page details:not([open])'))) {
      fold.open = true;
      fold.dataset.folded = '';
    }
  });
  addEventListener('afterprint', () => {
    for (const fold of /** @type {HTMLDetailsElement[]} */ ($('[data-folded]'))) {
      fold.open = false;
      delete fold.dataset.folded;
    }
  });
}

// A link to a folded part, or into one, opens it.
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  let fold = target?.closest('details');
  for (; fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  if (target?.matches('details')) target.scrollIntoView();
}
// Moves the folded panel with the whole kernel below the page's first listing; to the page's end if
// it has none.
function panels() {
  const loop = $('main > pre.c')[0],
    panel = $('.page > .changes')[0];
  if (loop && panel) loop.after(panel);
  else if (panel) $('main > .pager')[0]?.before(panel);
}

addEventListener('DOMContentLoaded', () => {
  place();
  listen();
  panels();
  filterExercises();
  notes();
  markVariants();
  openTarget();
  addEventListener('hashchange', openTarget);
  if ($('.booklet').length) window.unpacked = showBooklet();
  else if ($('.chart').length) charts();
});
// For the tests.
window.Course = { loadIndex, charts, showExercises };
