// Makes elements with scroll bars of their own accessible by keyboard and by name. An element is
// checked whenever its size changes, because it may scroll after the window was rotated or zoomed.
// It is also checked when a folded part or a part outside the window is shown.
import { fold } from './fold.js';

const SCROLLS =
  'main pre, main .table, main .picture, main .formula, .changes .code, .still .scrolls';
const $ = (/** @type {string} */ selector, root = /** @type {ParentNode} */ (document)) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector)),
];
/**
 * Returns a name for a part that scrolls, unlike those of all others: what it is, its number, and
 * the heading above it.
 * @param {HTMLElement} part
 */
function nameOf(part) {
  const kind = part.matches('pre') ? 'pre' : `.${part.classList[0]}`,
    isAbove = (/** @type {Element} */ head) => head.compareDocumentPosition(part) & 4,
    heading = $('main :is(h1, h2, h3)').filter(isAbove).at(-1)?.textContent;
  const words = kind === 'pre' ? 'listing' : kind.slice(1);
  return `${words} ${$(`main ${kind}`).indexOf(part) + 1}: ${heading}`;
}
const sized = new ResizeObserver(seen => {
  for (const { target } of seen) {
    const part = /** @type {any} */ (target);
    if (part.matches('.table')) fold(part);
    else if (part.matches('main > pre, .answer > pre, .code'))
      part.classList.toggle('more', part.scrollWidth > part.clientWidth + 1);
    if (
      part.checkVisibility?.({ contentVisibilityAuto: true }) !== false &&
      (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight)
    ) {
      part.tabIndex = 0;
      if (part.hasAttribute('aria-label')) continue;
      part.setAttribute('role', 'region');
      part.setAttribute('aria-label', nameOf(part));
    } else if (part.matches('.scrolls')) part.removeAttribute('tabindex');
  }
});
/** @param {HTMLElement[]} [parts] */
export const watch = (parts = $(SCROLLS)) =>
  parts.forEach(part => {
    sized.unobserve(part); // otherwise Chromium does not report a part that it observes already
    sized.observe(part);
  });
export function scrolls() {
  addEventListener('load', () => watch());
  for (const shown of ['toggle', 'contentvisibilityautostatechange'])
    document.addEventListener(
      shown,
      ({ target }) => {
        const at = /** @type {HTMLElement} */ (target);
        watch([at, ...$(SCROLLS, at)].filter(part => part.matches?.(SCROLLS)));
      },
      true,
    );
}
