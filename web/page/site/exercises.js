// The list of exercises: which of them are shown.
import { button, choice, el } from '../dom.js';

/** @param {string} label */
function toggle(label, /** @type {() => void} */ changed) {
  const made = button(label, () => {
    made.setAttribute('aria-pressed', String(made.getAttribute('aria-pressed') !== 'true'));
    changed();
  });
  made.setAttribute('aria-pressed', 'false');
  return made;
}

/** Puts a row of filters above the table of exercises. */
export function filterExercises() {
  const table = document.querySelector('td [data-exercise]')?.closest('table');
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  /** @param {HTMLTableRowElement} row @param {number} at */
  const text = (row, at) => row.cells[at].textContent?.trim() || '';
  const show = () => {
    for (const row of rows)
      row.hidden =
        (level.value !== 'any' && text(row, 2) !== level.value) ||
        (isOn(here) && text(row, 3) !== 'runs here') ||
        (isOn(open) && text(row, 4) === 'solved');
    const shown = rows.filter(row => !row.hidden).length;
    said.textContent = shown === rows.length ? `all ${shown}` : `${shown} of ${rows.length}`;
  };
  const isOn = (/** @type {HTMLElement} */ one) => one.getAttribute('aria-pressed') === 'true';
  const [level, levelLabel] = choice('level', ['any', 'easy', 'medium', 'hard'], 'any');
  const here = toggle('Run in the page', show);
  const open = toggle('Not solved yet', show);
  const said = el('span', { className: 'soft', role: 'status' });
  level.onchange = show;
  const row = el('p', { className: 'row' }, levelLabel, here, open, said);
  row.setAttribute('role', 'group');
  row.setAttribute('aria-label', 'which exercises are listed');
  table.closest('.table')?.before(row);
  table.closest('.table')?.classList.add('exercises');
  show();
}
