// Bubbles with meanings and sources, on hover, focus or touch. The text comes from data-tip, from
// the title or, for a word of the vocabulary (.term), from TERMS.
import { el } from '../dom.js';

/** @type {HTMLElement|null} */
let tip = null;
let byTouch = false; // whether the last pointer was a finger
let tapped = /** @type {Element|null} */ (null); // the word that was tapped last
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
    term = [
      said,
      said.replace(/s$/, ''),
      said.toLowerCase(),
      said.toLowerCase().replace(/s$/, ''),
    ].find(one => Object.hasOwn(terms, one));
  return term ? `${term}: ${terms[term]}` : '';
}

/** Keeps the first tap on a word from following its link: that tap shows the bubble. */
export function firstTap(/** @type {MouseEvent} */ event) {
  const word = /** @type {Element} */ (event.target).closest('.term');
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
  hideTip();
  if (!target?.closest('main, .side') || target.closest('svg')) return;
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
    below = box.bottom + made.offsetHeight + 12 < innerHeight;
  const left = Math.max(8, Math.min(box.left, innerWidth - made.offsetWidth - 24));
  made.style.left = `${left + scrollX}px`;
  made.style.top = `${(below ? box.bottom + 6 : box.top - made.offsetHeight - 6) + scrollY}px`;
}
