// The search dialog. The text of all pages is in the packed book, which the first search loads.
import { button, el, late } from '../dom.js';
import { read } from '../keep.js';
import { WORD, excerptOf, grouped, indexOf, stem, suggested, wordsOf } from './find.js';

const unpack = (/** @type {string} */ text) =>
  new Response(
    new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))])
      .stream()
      .pipeThrough(new DecompressionStream('gzip')),
  );
/** @type {Promise<Document>|null} */
let book = null;
export const loadBook = () =>
  (book ||= late('book')
    .then(() => unpack(BOOK).text())
    .then(html => new DOMParser().parseFromString(html, 'text/html'))
    .catch(error => {
      book = null;
      throw error;
    }));

/** The sections with a lesson's answer, which is folded until the reader has bet. */
const answers = new Set();
/**
 * True if the reader may not see a section's text yet.
 * @param {string} address
 */
const isKept = address =>
  answers.has(address) &&
  typeof read(`guess ${address.slice(0, 2)}`)?.value !== 'number' &&
  !read(`seen ${address.slice(0, 2)}`);

/**
 * Returns every section of every page: address, page, heading, text. Listings, drawings and long
 * tables are left out. Each row of the vocabulary's tables is a section of its own.
 * @param {Document} from
 * @returns {[string, string, string, string][]}
 */
function sectionsOf(from) {
  /** @type {[string, string, string, string][]} */
  const found = [];
  const left = (/** @type {Node} */ node) => {
    const one = /** @type {Element} */ (node);
    return (
      one.matches?.('pre, svg, .motion, .absent, .from, summary') ||
      (one.matches?.('table:not(:has(tr[id]))') && (one.textContent || '').length > 1500) ||
      one.matches?.('tr[id] *') ||
      (one.matches?.('td') && /^[\d\s.,×%–-]*$/.test(one.textContent || ''))
    );
  };
  for (const chapter of from.querySelectorAll('section')) {
    const { page } = chapter.dataset,
      address = `${chapter.id}.html`;
    if (!page) continue; // a part of a chapter
    found.push([address, page, page, '']);
    const walker = from.createTreeWalker(chapter, NodeFilter.SHOW_ALL, node =>
      left(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    for (let node; (node = /** @type {any} */ (walker.nextNode()));) {
      if (node.nodeName === 'TR' && node.id)
        found.push([
          `${address}#${node.id.slice(chapter.id.length + 1)}`,
          page,
          node.cells[0].textContent.trim(),
          node.cells[1].textContent.replace(/\s+/g, ' '),
        ]);
      else if (/^H[2-6]$/.test(node.nodeName))
        found.push([
          `${address}#${node.id.slice(chapter.id.length + 1)}`,
          page,
          node.textContent,
          '',
        ]);
      else if (!node.parentElement.closest('h1, h2, h3, h4')) {
        const last = found[found.length - 1];
        const ends = /^(?:(LI|T[DHR]|SMALL)|P|DIV|FIG.*|BR)$/.exec(node.nodeName),
          blank = ends ? (ends[1] ? ' · ' : ' ') : '';
        last[3] += (node.data ?? node.alt ?? blank).replace(/\s+/g, ' ');
        if (node.parentElement.closest('.answer')) answers.add(last[0]);
      }
    }
  }
  for (const one of found)
    one[3] = one[3].replace(/([.:;?!]?)(?:\s*·)+\s*/g, (_, end, at) =>
      end ? `${end} ` : at ? ' · ' : '',
    );
  return found;
}
/** @type {Promise<ReturnType<typeof indexOf>>|null} */
let index = null;
export const loadIndex = () =>
  (index ||= loadBook()
    .then(sectionsOf)
    .then(indexOf)
    .catch(error => {
      index = null;
      throw error;
    }));

/**
 * Returns a text with marks on the words whose stems the search matched.
 * @param {string} text
 * @param {Set<string>} matched
 */
const marked = (text, matched) =>
  text
    .split(WORD)
    .map((part, i) =>
      i % 2 && matched.has(stem(part)) ? el('mark', { textContent: part }) : part,
    );

const LOST = 'The words of the pages could not be loaded (book.js): is the network there?';

/**
 * Returns the row of one hit: its page and heading, and the sentence with the first word found; a
 * definition from its start.
 * @param {ReturnType<typeof grouped>[number]['hits'][number]} hit
 * @param {() => void} close
 */
function rowOf({ address, page, heading, text, matched }, close) {
  const defines = address.startsWith('vocabulary'),
    isWhole = heading === page || defines,
    excerpt = excerptOf(text, defines ? new Set() : matched),
    name = isWhole ? heading : `${page} › ${heading}`,
    kept = "The answer to the lesson's bet.";
  return el(
    'li',
    {},
    el(
      'a',
      { href: address, onclick: close },
      ...marked(name, matched),
      el('small', {}, ...(isKept(address) ? [kept] : marked(excerpt, matched))),
    ),
  );
}

/** The last query, also for the next page of this visit. */
const LAST = 'last search';
function last(/** @type {string} */ text = '') {
  try {
    if (text) sessionStorage.setItem(LAST, text);
    return sessionStorage.getItem(LAST) || '';
  } catch {
    return text; // the browser forbids storage
  }
}

/**
 * Fills the list with the hits for the field's text, by groups, below a suggestion if there is one.
 * @param {HTMLElement} list
 * @param {HTMLInputElement} field
 * @param {() => void} close
 */
async function show(list, field, close) {
  const text = field.value,
    say = (/** @type {(Node|string)[]} */ ...parts) => el('li', { className: 'soft' }, ...parts);
  last(text);
  if (!wordsOf(text).length) return list.replaceChildren();
  let index;
  try {
    index = await loadIndex();
  } catch {
    return list.replaceChildren(say(LOST));
  }
  if (field.value !== text) return; // a later call shows what is written now
  const groups = grouped(index, text, isKept),
    other = suggested(index, text),
    best = groups[0]?.hits[0];
  const ask = () => {
    field.value = other || '';
    field.focus();
    show(list, field, close);
  };
  list.replaceChildren(
    ...(other
      ? [say(best ? '' : 'Nothing has these words. ', 'Did you mean ', button(other, ask), '?')]
      : best
        ? []
        : [say('Nothing has these words.')]),
    ...(best && best.has < best.of && !other
      ? [say(`No section has all of these words; these have ${best.has} of ${best.of}.`)]
      : []),
    ...groups.flatMap(({ name, hits }) => [
      ...(name ? [el('li', { className: 'group', textContent: name })] : []),
      ...hits.map(hit => rowOf(hit, close)),
    ]),
  );
}

export function openSearch() {
  const list = el('ol'),
    field = el('input', {
      type: 'search',
      placeholder: 'Search lessons, pages and exercises',
      ariaLabel: 'Search',
      value: last(),
    });
  const dialog = el('dialog', { ariaLabel: 'Search', onclose: () => dialog.remove() }, field, list),
    close = () => dialog.close();
  field.addEventListener('input', () => show(list, field, close));
  dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key],
      stops = [field, ...list.querySelectorAll('a')];
    if (step) {
      event.preventDefault();
      const at = stops.findIndex(one => one === document.activeElement);
      stops[(at + step + stops.length) % stops.length].focus();
    }
    if (event.key === 'Enter' && document.activeElement === field)
      (stops[1] || list.querySelector('button'))?.click();
    // Escape closes at once; some browsers would only empty the field.
    if (event.key === 'Escape') {
      event.preventDefault();
      dialog.close();
    }
  });
  // A click outside closes the dialog.
  dialog.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  field.select();
  show(list, field, close);
}
