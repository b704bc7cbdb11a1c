// A fold with one part per variant, of which one is visible; a part is made when first chosen.
import { button, details, el } from './dom.js';

/**
 * @param {string} summary
 * @param {string[]} names the variants, in the order of their buttons
 */
export function openTabs(summary, names) {
  const bar = el('div', { className: 'row tabs', role: 'group', ariaLabel: summary, hidden: names.length < 2 }),
    body = el('div'),
    fold = details(summary, bar, body);
  /** @typedef {{part: HTMLElement, make: ((part: HTMLElement) => any)|null, chip: HTMLElement}} Part */
  /** @type {Map<string, Part>} */
  const parts = new Map();
  fold.hidden = true;
  /**
   * Shows a part; gives what making it gives.
   * @param {string} name
   */
  function choose(name) {
    const chosen = parts.get(name);
    if (!chosen) return undefined;
    for (const { part, chip } of parts.values()) {
      part.hidden = part !== chosen.part;
      chip.setAttribute('aria-pressed', String(part === chosen.part));
    }
    const { make } = chosen;
    chosen.make = null;
    return make?.(chosen.part);
  }
  return {
    fold,
    /**
     * Adds a variant's part. The last one of `names` is made at once, others when they are chosen.
     * @param {string} name
     * @param {(part: HTMLElement) => any} make fills the part
     */
    add(name, make) {
      const part = el('div', { hidden: true }),
        chip = button(name, () => choose(name));
      parts.set(name, { part, make, chip });
      bar.replaceChildren(...names.map(one => parts.get(one)?.chip).filter(one => one !== undefined));
      body.append(part);
      fold.hidden = false;
      return name === names[names.length - 1] ? choose(name) : undefined;
    },
  };
}
