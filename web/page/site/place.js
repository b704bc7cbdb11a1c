// The sidebar: completed lessons, the heading in view, the menu on narrow screens. Also the marks
// of what the reader has done, in the list of exercises and in a lesson's list of things to do.
import { el } from '../dom.js';
import { progress, reach, read, write } from '../keep.js';

const $ = (/** @type {string} */ selector, root = /** @type {ParentNode} */ (document)) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector)),
];
const pageOf = (/** @type {string} */ href) => href.replace(/\.html.*$/, '');

/** @type {Record<string, string>} */
const TITLES = {
  bet: 'half done: the bet was lost; an exercise of this lesson, solved, completes it',
  done: 'done',
};
/** Marks begun and completed lessons in all lists, and shows how many steps are done. */
function showProgress() {
  const done = progress(),
    all = $('.steps a');
  for (const link of $('[data-lesson]')) {
    const state = done[pageOf(link.dataset.lesson || '')];
    for (const one of ['begun', 'done']) link.classList.toggle(one, state === one);
    link.classList.toggle('half', state === 'bet'); // `bet` is the class of a bet's panel
    if (TITLES[state]) link.title = TITLES[state];
  }
  const main = all.filter(link => /^0[1-9]_/.test(link.dataset.lesson || '')),
    finished = main.filter(link => link.classList.contains('done')).length;
  for (const place of $('[data-steps-done]'))
    place.textContent = finished ? `${finished} of ${main.length} steps done` : '';
  for (const place of $('.progress-bar i'))
    place.style.width = `${(100 * finished) / Math.max(1, main.length)}%`;
  const first = main.find(link => !link.classList.contains('done'));
  for (const link of $('.rung'))
    link.classList.toggle('here', link.dataset.lesson === first?.dataset.lesson);
  for (const place of $('a[data-continue]'))
    if (finished && first)
      Object.assign(place, {
        href: /** @type {HTMLAnchorElement} */ (first).href,
        textContent: `Go on with step ${Number((first.dataset.lesson || '').slice(0, 2))}`,
      });
}

/** Marks the exercises that were begun or solved in this browser, and counts the solved ones. */
export function showExercises() {
  for (const place of $('[data-exercise]')) {
    const kept = read(`exercise ${place.dataset.exercise}`);
    if (!kept) continue;
    place.textContent = kept.solved ? 'solved' : 'begun';
    place.closest('li')?.classList.toggle('solved', Boolean(kept.solved));
  }
  for (const group of $('.tasks section')) {
    const [all, solved] = ['li', 'li.solved'].map(which => $(which, group).length);
    $('h2 small', group)[0].textContent = `${solved} of ${all}`;
    group.classList.toggle('solved', solved === all);
  }
  for (const place of $('[data-progress]'))
    place.textContent =
      `Solved in this browser: ${$('.tasks li.solved').length} of ${place.dataset.progress}.`;
}

/** Marks the done items and the next item of the list that leads through a lesson (`.way`). */
function showWay() {
  const list = document.querySelector('.way');
  if (!list) return;
  const here = document.querySelector('.steps a[aria-current]'),
    step = pageOf(/** @type {HTMLElement|null} */ (here)?.dataset.lesson || ''),
    items = $('[data-way]', list);
  const looked = read(`looked ${step}`);
  const done = items.map(({ dataset }) =>
    Boolean(
      dataset.folder
        ? read(`exercise ${dataset.folder}`)?.solved
        : read(`guess ${step}`) || (dataset.way === 'look' && looked),
    ),
  );
  const next = done.indexOf(false);
  items.forEach((item, i) => {
    item.classList.toggle('done', done[i]);
    item.classList.toggle('next', i === next);
  });
}

/** Remembers that the reader has scrolled to the lesson's box. */
function markLooked() {
  const box = document.querySelector('.way ~ .try, .way ~ * .try'),
    here = document.querySelector('.steps a[aria-current]'),
    step = pageOf(/** @type {HTMLElement|null} */ (here)?.dataset.lesson || '');
  if (!box) return;
  const seen = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    seen.disconnect();
    write(`looked ${step}`, 1);
    showWay();
  });
  seen.observe(box);
}

/** Lists the page's headings below its entry in the sidebar and marks the one in view. */
function contents() {
  const list = document.querySelector('.on-page ul'),
    heads = $('main h2[id]').filter(head => !head.closest('details'));
  if (!list || heads.length < 2) return;
  list.replaceChildren(
    ...heads.map(head =>
      el('li', {}, el('a', { href: `#${head.id}`, textContent: head.textContent })),
    ),
  );
  const links = $('a', list);
  const mark = () => {
    const at = heads.filter(head => head.getBoundingClientRect().top < 140).length - 1;
    links.forEach((link, i) => {
      if (i === Math.max(0, at)) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  let waiting = false;
  addEventListener(
    'scroll',
    () => {
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(() => {
          waiting = false;
          mark();
        });
      }
    },
    { passive: true },
  );
  requestAnimationFrame(mark); // not before the first frame, because mark() lays the page out
}

export function place() {
  showProgress();
  showExercises();
  contents();
  showWay();
  markLooked();
  for (const event of ['progress', 'answered']) addEventListener(event, showWay);
  addEventListener('progress', showProgress);
  addEventListener('storage', ({ key }) => {
    if (key === 'progress') showProgress();
  });
  const here = document.querySelector('.steps a[aria-current]'),
    end = document.querySelector('body.lesson .pager');
  requestAnimationFrame(() => here?.scrollIntoView({ block: 'nearest' }));
  if (here && end) {
    const page = pageOf(/** @type {HTMLElement} */ (here).dataset.lesson || '');
    reach(page, 'begun');
    // A lesson without a box is completed when its end is in view and the page has been open for
    // 20 s; one with a box, by a bet that is won (box.js). A solved exercise also completes its
    // lesson (exercise.js).
    const opened = Date.now(),
      seen = new IntersectionObserver(([{ isIntersecting }]) => {
        if (isIntersecting && Date.now() - opened > 20000) reach(page, 'done');
      });
    if (!document.querySelector('.try')) seen.observe(end);
  }
  menu();
}

/** The menu of narrow screens: while the sidebar covers the page, the text cannot be reached. */
function menu() {
  const [button] = $('#menu'),
    [side] = $('.side'),
    isOpen = () => document.body.classList.contains('menu-open');
  const show = (/** @type {boolean} */ open) => {
    document.body.classList.toggle('menu-open', open);
    button.setAttribute('aria-expanded', String(open));
    for (const part of $('.page > :not(.side)')) part.inert = open;
    const to = open ? ($('a[aria-current]', side)[0] ?? $('a', side)[0]) : button;
    to?.focus({ preventScroll: !open });
  };
  if (!button || !side) return;
  button.addEventListener('click', () => show(!isOpen()));
  side.addEventListener('click', ({ target }) => {
    const link = /** @type {Element} */ (target).closest('a[href^="#"]');
    if (link && isOpen()) show(false);
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isOpen()) show(false);
  });
  matchMedia('(min-width: 64.01rem)').addEventListener('change', () => isOpen() && show(false));
}
