// The search dialog. The text of all pages is in the packed book, which the first search loads.
import { el, late } from '../dom.js';
import { read } from '../keep.js';
import { WORD, find, indexOf, stem, wordsOf } from './find.js';

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
/** True if the reader may not see a section's text yet. @param {string} address */
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
      one.matches?.('tr[id] *')
    );
  };
  for (const chapter of from.querySelectorAll('section')) {
    const page = chapter.dataset.page || '',
      address = `${chapter.id}.html`;
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
        last[3] += (node.data ?? node.alt ?? '').replace(/\s+/g, ' ');
        if (node.parentElement.closest('.answer')) answers.add(last[0]);
      }
    }
  }
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

/** Returns the row of one hit: its heading, its page and the text around the first word found. */
const rowOf = (
  /** @type {ReturnType<typeof find>[number]} */ hit,
  /** @type {() => void} */ close,
) =>
  el(
    'li',
    {},
    el(
      'a',
      { href: hit.address, onclick: close },
      ...marked(hit.heading, hit.matched),
      el(
        'small',
        {},
        ...(isKept(hit.address)
          ? [`${hit.page} · the answer to the lesson's bet`]
          : [
              `${hit.page} · … `,
              ...marked(hit.text.slice(hit.at, hit.at + 150), hit.matched),
            ]),
      ),
    ),
  );

/** Fills the list with the hits for a text. */
async function show(
  /** @type {HTMLElement} */ list,
  /** @type {string} */ text,
  /** @type {() => void} */ close,
) {
  const words = wordsOf(text);
  let found = [];
  try {
    found = words.length ? find(await loadIndex(), text) : [];
  } catch {
    list.replaceChildren(el('li', { textContent: LOST }));
    return;
  }
  list.replaceChildren(...found.map(hit => rowOf(hit, close)));
  const [best] = found;
  if (best && best.has < best.of)
    list.prepend(
      el('li', {
        className: 'soft',
        textContent: `No section has all of these words; these have ${best.has} of ${best.of}.`,
      }),
    );
  if (words.length && !found.length)
    list.append(el('li', { textContent: 'Nothing has these words.' }));
}

export function openSearch() {
  const list = el('ol'),
    field = el('input', {
      type: 'search',
      placeholder: 'Search lessons, pages and exercises',
      ariaLabel: 'Search',
    });
  const dialog = el('dialog', { ariaLabel: 'Search', onclose: () => dialog.remove() }, field, list);
  field.addEventListener('input', () => show(list, field.value, () => dialog.close()));
  dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key],
      stops = [field, ...list.querySelectorAll('a')];
    if (step) {
      event.preventDefault();
      stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
    }
    if (event.key === 'Enter' && document.activeElement === field) stops[1]?.click();
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
}
