// Connects machine code with the page's kernel.cu: pointing at an instruction highlights its source
// line, and the reverse. Line 41 of kernel.cu has the id k41 (web/site/diff.awk).
import { el } from './dom.js';

/**
 * A view of machine code, such as an editor or a stepper. It ends when its `box` leaves the page.
 * @typedef {object} View
 * @property {HTMLElement} box
 * @property {() => number[]} lines the line of kernel.cu of each line of machine code
 * @property {(line: number) => void} light highlights the instructions of a line of kernel.cu
 * @property {(line: number) => void} go scrolls to them
 */
/** The page's panel with kernel.cu; null if it has none, and in unit tests. */
const pane = /** @type {HTMLDetailsElement|null} */ (
  typeof document === 'undefined' ? null : document.querySelector('.changes')
);
/** @type {Set<View>} */
const views = new Set();
/**
 * Returns the element of a line of kernel.cu, or null.
 * @param {number} line
 */
const row = line => pane && document.getElementById(`k${line}`);
/**
 * Opens the folded part of kernel.cu that hides a line.
 * @param {HTMLElement} line
 */
function unfold(line) {
  const folded = line.closest('details:not(.changes)');
  if (folded) /** @type {HTMLDetailsElement} */ (folded).open = true;
}
/**
 * Returns the number in a place such as `kernel.cu:41`; 0 if the page shows another step or file.
 * @param {string} step
 * @param {string} place
 */
export const lineOf = (step, place) => {
  const [file, line] = place.split(':');
  return pane && pane.dataset.step === step && pane.dataset.file === file ? Number(line) : 0;
};

/** @type {HTMLElement|null} the highlighted line of kernel.cu */
let lit = null;
/**
 * Highlights a line of kernel.cu, and its instructions in each view. Line 0: highlights nothing.
 * @param {number} line
 */
export function show(line) {
  if (lit) lit.classList.remove('lit');
  lit = line ? row(line) : null;
  for (const view of views)
    if (view.box.isConnected) view.light(line);
    else views.delete(view);
  if (!lit) return;
  lit.classList.add('lit');
  // Scrolls only the panel, not the page.
  unfold(lit);
  const code = /** @type {HTMLElement} */ (lit.closest('.code'));
  const [at, frame] = [lit.getBoundingClientRect(), code.getBoundingClientRect()];
  if (at.top < frame.top || at.bottom > frame.bottom)
    code.scrollTop += at.top - frame.top - frame.height / 3;
}
/**
 * Moves the reader from machine code to a line of kernel.cu.
 * @param {number} line
 */
function visit(line) {
  if (pane) pane.open = true;
  show(line);
  lit?.focus();
  lit?.scrollIntoView({ block: 'nearest' });
}

// Lines of kernel.cu that have machine code are buttons. The tab key stops at one of them, and
// arrow keys move to the others. Enter or a click goes to the line's instructions.
const active = () =>
  /** @type {HTMLElement[]} */ ([...(pane?.querySelectorAll('a[role=button]') || [])]);
/**
 * Makes `at` the button at which the tab key stops.
 * @param {HTMLElement} at
 */
function stop(at) {
  for (const one of active()) one.tabIndex = one === at ? 0 : -1;
}
// Makes buttons of the lines that have machine code.
function activate() {
  const lines = new Set([...views].flatMap(view => view.lines()));
  for (const line of lines) Object.assign(row(line) || {}, { role: 'button', tabIndex: -1 });
  if (active().length && !active().some(one => one.tabIndex === 0)) stop(active()[0]);
}
if (pane) {
  const numberOf = (/** @type {HTMLElement} */ line) => Number(line.id.slice(1)),
    chosen = (/** @type {Event} */ { target }) =>
      /** @type {HTMLElement|null} */ (
        /** @type {HTMLElement} */ (target).closest('a[role=button]')
      );
  const go = (/** @type {number} */ line) => {
    show(line);
    [...views].pop()?.go(line);
  };
  pane.addEventListener('focusin', event => {
    const line = chosen(event);
    if (!line) return;
    stop(line);
    show(numberOf(line));
  });
  pane.addEventListener('click', event => {
    const line = chosen(event);
    if (line && !String(getSelection())) go(numberOf(line));
  });
  pane.addEventListener('keydown', event => {
    const here = chosen(event),
      step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0,
      all = active();
    if (!here || (!step && event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    if (!step) return void go(numberOf(here));
    const next = all[all.indexOf(here) + step];
    if (next) unfold(next);
    next?.focus();
  });
}

/**
 * A placeholder for the panel, while that is beside machine code.
 * @type {Comment|null}
 */
let home = null;
// Windows at least this wide, in pixels, show machine code and its source side by side.
const SPLIT = 1600;
/** Moves the panel back to its own place; its former container may then be removed. */
export function away() {
  if (pane) home?.replaceWith(pane);
  home = null;
}
/**
 * Moves the panel into an empty element beside machine code, if the window is wide enough and the
 * panel shows the step's source.
 * @param {HTMLElement} slot
 * @param {string} step
 */
export function beside(slot, step) {
  if (!pane || innerWidth < SPLIT || pane.dataset.step !== step) return;
  away();
  pane.before((home = document.createComment('the kernel')));
  slot.append(pane);
  pane.open = true;
}

/**
 * Registers a view of machine code.
 * @param {View} one
 */
export function view(one) {
  views.delete(one);
  views.add(one);
  if (pane) activate();
}
/**
 * Returns a link to a place's line and the line's text; without a panel, only the place in words.
 * @param {string} step
 * @param {string} place such as `kernel.cu:41`
 */
export function described(step, place) {
  const line = lineOf(step, place),
    text = row(line)?.textContent,
    [file, number] = place.split(':');
  if (text === undefined || text === null) return number ? [`line ${number} of ${file}`] : [];
  return [
    el('a', {
      href: `#k${line}`,
      textContent: `line ${line}`,
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        visit(line);
      },
    }),
    `: ${text.trim()}`,
  ];
}
