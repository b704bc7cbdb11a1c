// Starts the boxes, sliders and moving pictures of a page, which run the course's programs. The
// page of an exercise has another script (exercise_page.js).
import { el } from './dom.js';
import { expectEngine } from './arrive.js';
import { openBox } from './box.js';
import { greet } from './linked.js';
import { openSlider } from './slider.js';
import { openMotion } from './scenes/player.js';
import { openHero } from './hero.js';

expectEngine();
if (typeof Engine !== 'undefined') {
  /**
   * Returns the page's elements of a kind.
   * @param {string} kind a CSS selector
   * @returns {HTMLElement[]}
   */
  const all = kind =>
    [...document.querySelectorAll(kind)].map(one => /** @type {HTMLElement} */ (one));
  if (all('.try').length)
    document
      .querySelector('.skip')
      ?.after(
        el('a', { className: 'skip', href: '#try', textContent: 'To the kernel that runs here' }),
      );
  const boxes = all('.try').map(box => openBox(box));
  for (const box of boxes) if (box) greet(box);
  all('.hero-machine').forEach(box => openHero(box));
  all('.slider').forEach(openSlider);
  all('.motion').forEach(openMotion);
}
