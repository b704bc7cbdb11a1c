// Puts each variant's mark, as in the lesson's pictures and box, before its name in the lesson's
// tables, and lets a bubble say what the name means.
import { swatch } from '../dom.js';

export function markVariants() {
  const here = /** @type {HTMLElement|null} */ (document.querySelector('.steps a[aria-current]')),
    step = (here?.dataset.lesson || '').replace('.html', '/');
  if (!step || typeof MEANINGS === 'undefined') return;
  const names = Object.keys(MEANINGS).filter(name => name.startsWith(step));
  if (names.length < 2) return;
  for (const cell of document.querySelectorAll('main .table :is(th, td)')) {
    // A cell has the name alone, or the name and a comma: "coalesced, N = 4096".
    const name = step + (cell.textContent || '').trim().split(',')[0];
    if (!names.includes(name)) continue;
    cell.prepend(swatch(names.indexOf(name)));
    cell.setAttribute('title', MEANINGS[name]);
  }
}
