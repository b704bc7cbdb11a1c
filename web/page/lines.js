// Connects machine code with the page's kernel.cu: pointing at an instruction highlights its source
// line, and the reverse. Line 41 of kernel.cu has the id k41 (web/site/diff.awk). A view is an
// editor or a stepper, which shows machine code; each view registers with view().
import { el } from './dom.js';

/** @type {any} the page's panel with kernel.cu; null if it has none, and in unit tests */
const pane = typeof document === 'undefined' ? null : document.querySelector('.changes');
const views = new Set();
/**
 * Returns the element of a line of kernel.cu, or null.
 * @returns {any}
 */
const row = line => pane && document.getElementById(`k${line}`);
// Returns the number in a place such as `kernel.cu:41`; 0 if the page shows another step or file.
export const lineOf = (step, place) => {
  const [file, line] = place.split(':');
  return pane && pane.dataset.step === step && pane.dataset.file === file ? Number(line) : 0;
};

/** @type {any} the highlighted line of kernel.cu */
let lit = null;
// Highlights a line of kernel.cu, and its instructions in each view. Line 0: highlights nothing.
export function show(line) {
  if (lit) lit.classList.remove('lit');
  lit = line ? row(line) : null;
  for (const view of views)
    if (view.box.isConnected) view.light(line);
    else views.delete(view);
  if (!lit) return;
  lit.classList.add('lit');
  // Scrolls only the panel, not the page.
  const folded = lit.closest('details:not(.changes)'),
    code = lit.closest('.code');
  if (folded) folded.open = true;
  const [at, frame] = [lit.getBoundingClientRect(), code.getBoundingClientRect()];
  if (at.top < frame.top || at.bottom > frame.bottom)
    code.scrollTop += at.top - frame.top - frame.height / 3;
}
// Moves the reader from machine code to a line of kernel.cu.
function visit(line) {
  pane.open = true;
  show(line);
  row(line).focus();
  row(line).scrollIntoView({ block: 'nearest' });
}

// Lines of kernel.cu that have machine code are buttons. The tab key stops at one of them, and
// arrow keys move to the others. Enter or a click goes to the line's instructions.
const active = () => [...pane.querySelectorAll('a[role=button]')];
// Makes `at` the button at which the tab key stops.
function stop(at) {
  for (const one of active()) one.tabIndex = one === at ? 0 : -1;
}
// Makes buttons of the lines that have machine code.
function activate() {
  const lines = new Set([...views].flatMap(view => view.lines()));
  for (const line of lines)
    if (row(line)) Object.assign(row(line), { role: 'button', tabIndex: -1 });
  if (active().length && !active().some(one => one.tabIndex === 0)) stop(active()[0]);
}
if (pane) {
  const numberOf = element => Number(element.id.slice(1)),
    chosen = event => event.target.closest('a[role=button]');
  const go = line => {
    show(line);
    [...views].pop()?.go(line);
  };
  pane.addEventListener('focusin', event => {
    if (chosen(event)) {
      stop(chosen(event));
      show(numberOf(chosen(event)));
    }
  });
  pane.addEventListener('click', event => {
    if (chosen(event) && !String(getSelection())) go(numberOf(chosen(event)));
  });
  pane.addEventListener('keydown', event => {
    const here = chosen(event),
      step = { ArrowDown: 1, ArrowUp: -1 }[event.key],
      all = here ? active() : [];
    if (!here || (!step && event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    if (!step) return void go(numberOf(here));
    const next = all[all.indexOf(here) + step];
    if (next?.closest('details:not(.changes)')) next.closest('details').open = true;
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
  home?.replaceWith(pane);
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

// Registers a view of machine code. The view ends when its element `box` is removed from the page.
// Its lines() returns the line of kernel.cu for each line of machine code. Its light(LINE)
// highlights the instructions of a line of kernel.cu, and its go(LINE) scrolls to them.
export function view(one) {
  views.delete(one);
  views.add(one);
  if (pane) activate();
}
// Returns a link to a place's line and the line's text; without a panel, only the place in words.
export function described(step, place) {
  const line = lineOf(step, place),
    [file, number] = place.split(':');
  if (!row(line)) return number ? [`line ${number} of ${file}`] : [];
  return [
    el('a', {
      href: `#k${line}`,
      textContent: `line ${line}`,
      onclick: event => {
        event.preventDefault();
        visit(line);
      },
    }),
    `: ${row(line).textContent.trim()}`,
  ];
}
