// kernel.cu beside machine code: pointing at an instruction highlights the line from which it was
// compiled, and the reverse. Each line of a page's kernel.cu has an id, k41 (web/site/diff.awk);
// views of machine code register with view().
import { el } from './dom.js';

/** @type {any} the panel of the page's kernel, or null */
// Unit tests have no page.
const pane = typeof document === 'undefined' ? null : document.querySelector('.changes');
const views = new Set();
/** @returns {any} */
const row = line => pane && document.getElementById(`k${line}`);
// Returns the line of a place, `kernel.cu:41`, in the page's kernel; 0 if the page shows another
// file.
export const lineOf = (step, place) => {
  const [file, line] = place.split(':');
  return pane && pane.dataset.step === step && pane.dataset.file === file ? Number(line) : 0;
};

/** @type {any} */
let lit = null;
export function show(line) {
  // Highlights a line of kernel.cu, and its instructions in each view; 0: none.
  if (lit) lit.classList.remove('lit');
  lit = line ? row(line) : null;
  for (const view of views)
    if (view.box.isConnected) view.light(line);
    else views.delete(view);
  if (!lit) return;
  lit.classList.add('lit');
  // Only the panel is scrolled, not the page.
  const folded = lit.closest('details:not(.changes)'),
    code = lit.closest('.code');
  if (folded) folded.open = true;
  const [at, frame] = [lit.getBoundingClientRect(), code.getBoundingClientRect()];
  if (at.top < frame.top || at.bottom > frame.bottom)
    code.scrollTop += at.top - frame.top - frame.height / 3;
}
function visit(line) {
  // Goes from machine code to a line of kernel.cu.
  pane.open = true;
  show(line);
  row(line).focus();
  row(line).scrollIntoView({ block: 'nearest' });
}

// Lines with machine code are buttons. Tab stops at one of them, arrows move to the others, Enter
// and a click go to the instructions.
const active = () => [...pane.querySelectorAll('a[role=button]')];
function stop(at) {
  for (const one of active()) one.tabIndex = one === at ? 0 : -1;
}
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

/** Marks the panel's own place while the panel is beside machine code. @type {Comment|null} */
let home = null;
// The least width, in pixels, of windows that show machine code and its source side by side.
const SPLIT = 1600;
/** Moves the panel back to its own place; its former container may then be removed. */
export function away() {
  home?.replaceWith(pane);
  home = null;
}
/**
 * Moves a step's source beside machine code, into an empty element, if there is room.
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

// A view ends when its element `box` is removed from the page. lines() returns numbers of lines,
// light(LINE) highlights a line's instructions, and go(LINE) scrolls to them.
export function view(one) {
  views.delete(one);
  views.add(one);
  if (pane) activate();
}
// Returns a link into kernel.cu with the line's text, or the place's name.
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
