// Bubbles with meanings and sources, on hover, focus or touch. The text comes from data-tip, from
// the title or, for a word of the vocabulary (.term), from TERMS.
import { el } from '../dom.js';

/** @type {HTMLElement|null} */
let tip = null;
let byTouch = false; // whether the last pointer was a finger
let tapped = /** @type {Element|null} */ (null); // the word that was tapped last
let clicked = /** @type {Element|null} */ (null); // what was clicked last, until the pointer leaves
const ACTS = 'button, summary, a:not(.term)';
export function hideTip() {
  tip?.remove();
  tip = null;
}

/**
 * Returns the text of an element's bubble, or ''.
 * @param {HTMLElement} target
 * @param {Record<string, string>} terms
 */
export function meaningOf(target, terms) {
  if (target.dataset.tip) return target.dataset.tip;
  if (target.title) return target.title;
  if (!target.classList.contains('term')) return '';
  const said = (target.textContent || '').trim(),
    term = [said, said.toLowerCase()]
      .flatMap(one => [one, one.replace(/s$/, '')])
      .find(one => Object.hasOwn(terms, one));
  return term ? `${term}: ${terms[term]}` : '';
}

/** Hides a bubble on a click. Keeps the first tap on a word, which shows one, from its link. */
export function firstTap(/** @type {MouseEvent} */ event) {
  const target = /** @type {Element} */ (event.target),
    word = target.closest('.term');
  clicked = target.closest(ACTS);
  if (clicked) hideTip();
  // The keyboard's clicks have a detail of 0.
  if (word && word !== tapped && byTouch && event.detail) event.preventDefault();
  tapped = word;
}

/** @param {Event} event */
export function showTip(event) {
  const { pointerType } = /** @type {PointerEvent} */ (event);
  if (pointerType) byTouch = pointerType === 'touch';
  const target = /** @type {HTMLElement|null} */ (
    /** @type {Element} */ (event.target).closest?.('[title], [data-tip], .term')
  );
  const acts = target?.closest(ACTS);
  if (acts !== clicked) clicked = null;
  hideTip();
  if (!target?.closest('main, .side') || target.closest('svg')) return;
  // A bubble would cover what a click or a tap shows, such as the menu.
  const seen = event.type !== 'focusin' || target.matches(':focus-visible');
  if (acts && (clicked || (pointerType && byTouch) || !seen)) return;
  const said = meaningOf(target, typeof TERMS === 'undefined' ? {} : TERMS);
  if (!said) return;
  if (target.title) {
    target.removeAttribute('title');
    target.dataset.tip = said;
  }
  target.setAttribute('aria-description', said);
  tip = el('div', { id: 'tip', role: 'tooltip', textContent: said });
  if (byTouch && target.matches('.term'))
    tip.append(el('b', { textContent: 'Tap again for more.' }));
  document.body.append(/** @type {HTMLElement} */ (tip));
  const made = /** @type {HTMLElement} */ (tip),
    box = target.getBoundingClientRect(),
    high = made.offsetHeight + 12,
    // What a button changes lies below it.
    below = box.bottom + high < innerHeight && !(target.matches('button') && box.top > high);
  const left = Math.max(8, Math.min(box.left, innerWidth - made.offsetWidth - 24));
  made.style.left = `${left + scrollX}px`;
  made.style.top = `${(below ? box.bottom + 6 : box.top - made.offsetHeight - 6) + scrollY}px`;
}
