// A fold with a tab per variant. A tab's content, its part, is made when the tab is first chosen.
import { button, details, el, swatch } from './dom.js';

/**
 * @typedef {{name: string, colour: number, idea: string}} Tab a variant; its index in the lesson
 */
/**
 * Returns a fold with tabs, and the function that adds a tab's part.
 * @param {string} summary the fold's title
 * @param {Tab[]} tabs in the order of their buttons
 */
export function openTabs(summary, tabs) {
  const names = tabs.map(({ name }) => name),
    bar = el('div', {
      className: 'row tabs',
      role: 'group',
      ariaLabel: summary,
      hidden: names.length < 2,
    }),
    body = el('div'),
    fold = details(summary, bar, body);
  /** @typedef {(part: HTMLElement) => unknown} Make fills a part */
  /** @type {Map<string, {part: HTMLElement, make: Make|null, chip: HTMLElement}>} */
  const parts = new Map();
  fold.hidden = true;
  /**
   * Shows a part. The first time, calls the function that fills it, and returns its result.
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
     * Adds a variant's part. The last tab's part is made at once, others when they are chosen.
     * @param {string} name
     * @param {Make} make
     */
    add(name, make) {
      const part = el('div', { hidden: true }),
        chip = button('', () => choose(name)),
        tab = tabs.find(one => one.name === name);
      chip.title = tab?.idea || '';
      chip.append(...(tab ? [swatch(tab.colour)] : []), name);
      parts.set(name, { part, make, chip });
      bar.replaceChildren(
        ...names.flatMap(one => parts.get(one)?.chip ?? []),
      );
      body.append(part);
      fold.hidden = false;
      return name === names[names.length - 1] ? choose(name) : undefined;
    },
  };
}
