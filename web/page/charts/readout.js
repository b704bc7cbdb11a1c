// The read-out of a drawing: a pointer, a finger or the arrow keys choose one of its stops (an N or
// a bar) and, if it has lines, a line. For a screen reader it is a slider, whose value is said when
// a key changes it; a pointer changes it silently.
import { el } from '../dom.js';

/**
 * @typedef {{stop: number, line: number|null}} At indices of a stop and of the line in front; null:
 *   none is. Where stops are bars, `line` is the bar in front.
 */
/**
 * @typedef {object} Reading
 * @property {string} label what the drawing shows
 * @property {number} stops how many there are
 * @property {number} rest the stop at first
 * @property {(x: number, y: number, now: At) => At} find what a point of the drawing is nearest to
 * @property {(now: At, step: number) => number|null} [other] the line above (-1) or below (1)
 * @property {(now: At) => string} show shows a place, and returns it in words
 * @property {(now: At) => void} [pin] takes a place as what others are compared with, or no longer
 */

/**
 * @param {string} key
 * @param {At} now
 * @param {Reading} reading
 * @returns {At|null} null for a key without a meaning
 */
export function moved(key, now, { stops, other }) {
  const across = { ArrowRight: 1, ArrowLeft: -1, Home: -stops, End: stops }[key],
    down = { ArrowDown: 1, ArrowUp: -1 }[key],
    step = across ?? (other ? undefined : down && -down);
  if (step) {
    const stop = Math.max(0, Math.min(stops - 1, now.stop + step));
    return { stop, line: other ? now.line : stop };
  }
  if (key === 'Escape') return { ...now, line: null };
  return down && other ? { ...now, line: other(now, down) } : null;
}
/**
 * Returns a drawing with its read-out.
 * @param {SVGSVGElement} drawing
 * @param {Reading} reading
 */
export function readable(drawing, reading) {
  /** @type {At} */
  let at = { stop: reading.rest, line: null };
  const slider = el('div', { className: 'reads', tabIndex: 0 }),
    box = el('div', { className: 'read' }, drawing, slider);
  const set = (/** @type {Record<string, string|number>} */ values) => {
    for (const [name, value] of Object.entries(values)) slider.setAttribute(name, String(value));
  };
  const go = (/** @type {At} */ next) => {
    at = next;
    box.classList.toggle('picked', at.line !== null);
    set({ 'aria-valuenow': at.stop, 'aria-valuetext': reading.show(at) });
  };
  const pin = () => {
    reading.pin?.(at);
    go(at);
  };
  const point = (/** @type {PointerEvent} */ event) => {
    const { left, top, width } = drawing.getBoundingClientRect(),
      scale = drawing.viewBox.baseVal.width / width;
    go(reading.find((event.clientX - left) * scale, (event.clientY - top) * scale, at));
  };
  set({ role: 'slider', 'aria-label': reading.label });
  set({ 'aria-valuemin': 0, 'aria-valuemax': reading.stops - 1 });
  go(at);
  box.addEventListener('pointermove', point);
  box.addEventListener('pointerdown', point);
  box.addEventListener('pointerleave', (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== 'touch') go({ ...at, line: null });
  });
  box.addEventListener('click', (/** @type {Event} */ event) => {
    if (!(/** @type {Element} */ (event.target).closest('a'))) pin();
  });
  slider.addEventListener('blur', () => go({ ...at, line: null }));
  slider.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(event.key, at, reading);
    if (next) go(next);
    else if (event.key === 'Enter' || event.key === ' ') pin();
    else return;
    event.preventDefault();
  });
  return box;
}
