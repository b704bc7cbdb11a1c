// The stepper's controls: buttons with a picture, a name and a key.
import { el, svg } from '../dom.js';

/**
 * @typedef {[name: string, key: string, tip: string, picture: string, act: () => void]} Control the
 *   picture is the path of an SVG of 16 x 16
 */

/**
 * Returns a button. Its key is shown behind its name (boxes.css), and is no part of the name.
 * @param {Control} control
 */
const controlButton = ([name, key, tip, picture, act]) =>
  el(
    'button',
    {
      type: 'button', onclick: act, className: name === 'Step' ? 'primary' : '',
      data: { key, tip },
      ariaKeyShortcuts: key,
    },
    svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: picture })),
    name,
  );

/**
 * Returns controls, and makes their keys work while the focus is in `box`.
 * @param {HTMLElement} box
 * @param {string} label
 * @param {Control[]} controls
 */
export function transport(box, label, controls) {
  box.addEventListener('keydown', event => {
    const typing = /** @type {Element} */ (event.target).matches('input, textarea, select'),
      control = controls.find(([, key]) => key === event.key);
    if (!control || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    control[4]();
  });
  return el('div', { className: 'row transport', role: 'group', ariaLabel: label },
    ...controls.map(controlButton),
  );
}
