// Puts each variant's mark, as in the lesson's pictures and box, before its name in the lesson's
// tables.
import { swatch } from '../dom.js';

/**
 * Returns the variants of a step in the order of a CSV of measurements.
 * @param {string} csv
 * @param {string} step
 */
export const variantsIn = (csv, step) => [
  ...new Set(
    csv
      .split('\n')
      .map(line => line.replace(/"/g, '').split(','))
      .filter(([name]) => name === step)
      .map(([, variant]) => variant),
  ),
];

export function markVariants() {
  const here = /** @type {HTMLElement|null} */ (document.querySelector('.steps a[aria-current]')),
    step = (here?.dataset.lesson || '').replace('.html', '');
  if (!step || typeof DATA === 'undefined') return;
  const names = variantsIn(DATA.find(set => /H200/.test(set.origin))?.csv || '', step);
  if (names.length < 2) return;
  for (const cell of document.querySelectorAll('main .table :is(th, td)')) {
    // A cell has the name alone, or the name and a comma: "coalesced, N = 4096".
    const [name] = (cell.textContent || '').trim().split(',');
    if (names.includes(name)) cell.prepend(swatch(names.indexOf(name)));
  }
}
