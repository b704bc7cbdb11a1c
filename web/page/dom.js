// Makes elements of HTML and SVG, each in one expression; scrolls, and loads scripts late.

/**
 * Returns a new element of HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [properties] properties of the element; `data` is its dataset
 * @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, properties = {}, ...children) {
  const { data, ...own } = properties,
    made = Object.assign(document.createElement(tag), own);
  if (data) Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

/**
 * Returns a new element of SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string|number|null>} [attributes] null leaves the attribute out
 * @param {...(Node|string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * Returns the mark that stands before a variant's name.
 * @param {number} place the variant's index in its lesson, from 0
 */
export const swatch = place => el('i', { className: `swatch v${(place % 7) + 1}` });

/**
 * Returns a text as nodes, with a code element for each part in backquotes. The backquote of a
 * label, `(LOOP), opens and ends no such part.
 * @param {string} said
 * @returns {(Node|string)[]}
 */
export const coded = said =>
  said
    .split(/`((?:[^`]|`\()+?)`(?!\()/)
    .map((part, i) => (i % 2 ? el('code', { textContent: part }) : part));

/**
 * @param {string} label
 * @param {() => void} act
 * @param {string} [className]
 */
export const button = (label, act, className = '') =>
  el('button', { type: 'button', textContent: label, onclick: act, className });

/**
 * Returns a drop-down list, and a label that contains it.
 * @param {string} label
 * @param {(string|number|string[])[]} values a value, or a value and its words
 * @param {string|number} chosen
 * @returns {[HTMLSelectElement, HTMLLabelElement]}
 */
export function choice(label, values, chosen) {
  const select = el(
    'select',
    { ariaLabel: label },
    ...values.map(one => {
      const [value, said] = [one].flat();
      const selected = String(value) === String(chosen);
      return el('option', { value, textContent: said ?? value, selected });
    }),
  );
  return [select, el('label', {}, `${label} `, select)];
}

/**
 * @param {string} summary
 * @param {...(Node|string)} children
 */
export const details = (summary, ...children) =>
  el('details', {}, el('summary', { textContent: summary }), ...children);

/**
 * Returns a box in which a wide table scrolls, by keyboard too.
 * @param {string} label
 * @param {...Node} children
 */
export const scrolled = (label, ...children) =>
  el('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: label }, ...children);

/** Returns true if the reader prefers less motion. Animations then show only their last frame. */
export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Scrolls an element to the top of the window, unless it begins near the top or is wholly visible.
 * @param {Element} element
 */
export function intoView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 60 || (top > 160 && bottom > innerHeight))
    element.scrollIntoView({ block: 'start', behavior: still() ? 'auto' : 'smooth' });
}

/**
 * Returns a function that calls `act`, but only `wait` milliseconds after the last of several
 * calls. Calls of `act` never overlap.
 * @param {number} wait
 * @param {() => unknown} act
 */
export function later(wait, act) {
  let timer = 0;
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(act).catch(reportError);
    }, wait);
  };
}

/** @type {Record<string, Promise<unknown>>} */
const scripts = {};
/**
 * Loads NAME.js once; after a failure the next call tries again.
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export const late = name =>
  (scripts[name] ||= new Promise((done, failed) =>
    document.head.append(
      el('script', {
        src: `${name}.js`,
        onload: done,
        onerror: () => {
          delete scripts[name];
          failed();
        },
      }),
    ),
  ));

/**
 * Calls `act` when the window becomes narrower or wider than 560 pixels (narrow() in draw.js).
 * @param {() => void} act
 */
export const onTurned = act => matchMedia('(max-width: 559px)').addEventListener('change', act);
