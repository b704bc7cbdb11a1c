// Filters for the list of exercises.
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

/** Puts a row of filters above the exercises. */
export function filterExercises() {
  const list = document.querySelector('[data-progress] ~ .tasks');
  if (!list) return;
  const items = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('li'))];
  const show = () => {
    for (const item of items)
      item.hidden =
        (level.value !== 'any' && item.dataset.level !== level.value) ||
        (isOn(here) && !/run|predict/.test(item.dataset.does || '')) ||
        (isOn(open) && item.classList.contains('solved'));
    for (const group of list.querySelectorAll('section'))
      group.hidden = !group.querySelector('li:not([hidden])');
    const shown = items.filter(item => !item.hidden).length;
    said.textContent = shown === items.length ? `all ${shown}` : `${shown} of ${items.length}`;
  };
  const isOn = (/** @type {HTMLElement} */ one) => one.getAttribute('aria-pressed') === 'true';
  const [level, levelLabel] = choice('level', ['any', 'easy', 'medium', 'hard'], 'any');
  const here = toggle('Whole in the page', show);
  const open = toggle('Not solved yet', show);
  const said = el('span', { className: 'soft', role: 'status' });
  level.onchange = show;
  const row = el('p', { className: 'row' }, levelLabel, here, open, said);
  row.setAttribute('role', 'group');
  row.setAttribute('aria-label', 'which exercises are listed');
  list.before(row);
  show();
}
