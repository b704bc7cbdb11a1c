// Lets a reader point at the parts of a drawing: what belongs to a part lights up, and a sentence
// says what it is. Drawings mark their parts, and the page gives each drawing one pointing().

/**
 * Marks a part of a drawing.
 * @param {SVGElement} part
 * @param {string} of the things that the part belongs to, as words
 * @param {string} [says] the sentence for a reader who points at it
 */
export function mark(part, of, says) {
  part.setAttribute('data-of', of);
  if (says) part.setAttribute('data-says', says);
  return part;
}
/**
 * Lets a reader point at the parts of the drawing in `place` with a mouse, a finger or the arrow
 * keys.
 * @param {HTMLElement} place
 * @param {HTMLElement} told has the sentence while the reader points
 * @returns {(said: string) => void} to call when the drawing was replaced; `said` is the text of
 *   `told` unless the reader still points
 */
export function pointing(place, told) {
  let at = '', // the sentence of the part that the reader points at
    before = /** @type {(Node|string)[]} */ ([]); // what the sentence replaces
  const all = (/** @type {string} */ kind) =>
    /** @type {SVGElement[]} */ ([...place.querySelectorAll(`[data-${kind}]`)]);
  const thingsOf = (/** @type {SVGElement|undefined} */ part) => part?.dataset.of?.split(' ') || [];
  function light() {
    const things = thingsOf(all('says').find(({ dataset }) => dataset.says === at));
    place.classList.toggle('pointed', things.length > 0);
    for (const part of all('of'))
      part.classList.toggle(
        'lit',
        thingsOf(part).some(thing => things.includes(thing)),
      );
    return things.length > 0;
  }
  function point(/** @type {string} */ to) {
    if (to === at) return;
    if (!at) before = [...told.childNodes];
    at = to;
    told.ariaLive = at ? 'polite' : 'off';
    told.replaceChildren(...(at ? [at] : before));
    light();
  }
  place.onpointerdown = place.onpointermove = ({ clientX, clientY }) =>
    point(
      document
        .elementFromPoint(clientX, clientY)
        ?.closest('[data-says]')
        ?.getAttribute('data-says') || '',
    );
  place.onpointerleave = ({ pointerType }) => {
    if (pointerType === 'mouse') point('');
  };
  place.onkeydown = event => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Escape: 0 }[event.key],
      parts = all('says').map(({ dataset }) => String(dataset.says));
    if (step === undefined || !parts.length) return;
    event.preventDefault();
    const now = parts.indexOf(at);
    point(step ? parts.at((now < 0 && step < 0 ? -1 : now + step) % parts.length) || '' : '');
  };
  return said => {
    before = [said];
    if (light()) return;
    at = '';
    told.textContent = said;
  };
}
