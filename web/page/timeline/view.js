// A timeline in view: its cycles, the chosen span, and what wheel, drag, keys and buttons do.
import { button, el, onTurned, scrolled, svg } from '../dom.js';
import { narrow } from '../draw.js';
import { arrow, bar, columns, keys, overview, ticks } from './drawing.js';
import { enderOf, openingOf, piecesOf, said } from './spans.js';

/** @typedef {import('./spans.js').Span} Span */

const LEAST = 4; // cycles in view

/**
 * Returns the sizes of the picture: its width, the width of the warps' names (`left`), the height
 * of a row, the number of bars in the overview (`slots`), the number of cycles shown at first, and
 * the most ticks on the axis. On a telephone all fits the screen, and rows are high enough for a
 * finger. Few warps have higher rows.
 * @param {number} warps
 */
const sizes = warps => {
  const high = Math.min(40, Math.floor(160 / warps));
  return narrow()
    ? { width: 340, left: 52, high: Math.max(28, high), slots: 70, cycles: 60, ticks: 7 }
    : { width: 760, left: 60, high: Math.max(20, high), slots: 140, cycles: 160, ticks: 9 };
};

export class Timeline {
  /**
   * @param {Span[]} spans
   * @param {(warp: number, cycle: number) => void} go opens the stepper at a span
   */
  constructor(spans, go) {
    this.spans = spans.sort((a, b) => a.ts - b.ts);
    this.go = go;
    this.warps = [...new Set(spans.map(span => span.tid))].sort((a, b) => a - b);
    const issued = spans.filter(span => span.cat === 'issue'); // waits may begin or end outside
    this.first = Math.min(...issued.map(span => span.ts));
    this.last = Math.max(...issued.map(span => span.ts + span.dur));
    this.from = this.first;
    this.to = this.last;
    this.size = sizes(this.warps.length);
    /** @type {Span|undefined} */
    this.chosen = undefined;
    this.dragging = false;
    this.grabbed = 0; // the cycle at which a drag began
    this.place = scrolled('the timeline: arrows choose a span, + and − zoom, Enter steps to it');
    this.place.classList.add('timeline-box');
    this.told = el('p', { className: 'told', role: 'status' });
    this.legend = el('ul', { className: 'legend' });
    this.listen();
    this.open();
    onTurned(() => this.open());
  }

  // --- the visible cycles
  /** Shows what the claim names: a typical wait, chosen, and many issues. */
  open() {
    this.size = sizes(this.warps.length);
    const { from, to, wait } = openingOf(this.spans, this.first, this.last, this.size.cycles);
    Object.assign(this, { from, to });
    if (wait) this.choose(wait);
    else this.draw();
  }
  get wide() {
    return this.to - this.from;
  }
  /**
   * Shows `cycles` cycles around the cycle `middle`.
   * @param {number} middle
   * @param {number} cycles
   */
  show(middle, cycles) {
    const wide = Math.round(Math.max(LEAST, Math.min(this.last - this.first, cycles)));
    this.from = Math.round(Math.max(this.first, Math.min(this.last - wide, middle - wide / 2)));
    this.to = this.from + wide;
    this.draw();
  }
  /**
   * Zooms. The cycle `at` stays where it is on the screen.
   * @param {number} factor of the number of cycles in view: above 1 zooms out
   * @param {number} [at]
   */
  zoom(factor, at = (this.from + this.to) / 2) {
    const by = Math.max(factor, LEAST / this.wide);
    this.show(at + by * (this.from + this.wide / 2 - at), by * this.wide);
  }
  /**
   * Moves the view by a share of its width.
   * @param {number} share
   */
  move(share) {
    this.show((this.from + this.to) / 2 + share * this.wide, this.wide);
  }
  /**
   * Returns the x coordinate of a cycle, or of the nearest cycle in view.
   * @param {number} cycle
   */
  x(cycle) {
    const { left, width } = this.size;
    const seen = Math.max(this.from, Math.min(this.to, cycle));
    return left + ((seen - this.from) * (width - left)) / this.wide;
  }
  /**
   * Returns the y coordinate of a warp.
   * @param {number} warp
   */
  row(warp) {
    return this.size.high * this.warps.indexOf(warp);
  }
  /**
   * Returns the cycle under the pointer.
   * @param {MouseEvent} event
   */
  cycleAt(event) {
    const picture = /** @type {Element} */ (this.place.firstChild),
      box = picture.getBoundingClientRect(),
      { left, width } = this.size,
      x = ((event.clientX - box.left) / box.width) * width;
    return this.from + ((x - left) / (width - left)) * this.wide;
  }

  // --- drawing
  draw() {
    const { warps, from, to, chosen } = this,
      { left, width, high } = this.size,
      below = high * warps.length,
      unit = this.wide / (width - left), // in cycles
      step = unit > 0.5 ? 8 * unit : 0,
      inView = (/** @type {Span} */ { ts, dur }) => ts < to && ts + dur > from,
      shown = this.spans.filter(inView),
      end = { 'text-anchor': 'end' };
    const picture = svg(
      'svg',
      {
        viewBox: `0 0 ${width} ${below + 34}`,
        role: 'img',
        class: `timeline${step ? ' summed' : ''}`,
        'aria-label': `${warps.length} warps, cycles ${from} to ${to}`,
      },
      ...warps.map(warp =>
        svg('text', { x: left - 6, y: this.row(warp) + high / 2 + 3, ...end }, `warp ${warp}`),
      ),
      ...ticks(this, below),
      svg('text', { x: width, y: below + 30, ...end }, 'cycles of the SM'),
      ...this.rows(shown, step),
      ...(chosen && inView(chosen) ? bar(this, chosen) : []),
      ...arrow(this),
    );
    this.place.replaceChildren(picture, overview(this));
    this.legend.replaceChildren(...keys(this, shown, step));
  }
  /**
   * Returns what is in the rows, but for the chosen span: spans, or spans and columns.
   * @param {Span[]} shown
   * @param {number} step cycles of a column; 0: each span is drawn
   */
  rows(shown, step) {
    const bars = (/** @type {(Span|undefined)[]} */ spans) =>
      spans.flatMap(span => (span && span !== this.chosen ? bar(this, span) : []));
    if (!step) return bars(shown);
    return this.warps.flatMap(warp => {
      const pieces = piecesOf(this.line(warp), step, 3 * step).filter(
        ({ from, to }) => from < this.to && to > this.from,
      );
      return [
        ...columns(this, warp, pieces.filter(({ span }) => !span)),
        ...bars(pieces.map(({ span }) => span)),
      ];
    });
  }
  /**
   * Marks a span and shows its details.
   * @param {Span} span
   */
  choose(span) {
    this.chosen = span;
    const end = span.cat === 'stall' ? enderOf(this.spans, span) : null;
    const whose = end && end.tid !== span.tid ? `warp ${end.tid}'s ` : '';
    const how = end && end.ts < span.ts ? 'The warp waits for' : 'The wait ends with';
    const ended = end ? ` ${how} ${whose}${end.args.instruction} of cycle ${end.ts}.` : '';
    this.told.textContent = said(span) + ended;
    this.draw();
  }

  // --- wheel, drag and keys
  listen() {
    const { place } = this,
      inside = (/** @type {Event} */ { target }) =>
        /** @type {Element} */ (place.firstChild).contains(/** @type {Node} */ (target));
    const wheel = (/** @type {WheelEvent} */ event) => {
      // The wheel alone scrolls the page.
      if (!inside(event) || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.cycleAt(event));
    };
    place.addEventListener('wheel', wheel, { passive: false });
    place.onpointerdown = event => {
      if (inside(event)) this.grabbed = this.cycleAt(event);
    };
    place.onpointermove = event => this.drag(event, inside(event));
    place.onkeydown = event => {
      if (this.key(event.key)) event.preventDefault();
    };
  }
  /**
   * Moves the view with the pointer while a button is pressed.
   * @param {PointerEvent} event
   * @param {boolean} inside true over the timeline
   */
  drag(event, inside) {
    const moved = (this.grabbed - this.cycleAt(event)) / this.wide;
    if (!event.buttons || !inside) this.dragging = false;
    else if (Math.abs(moved) >= 0.01) {
      this.dragging = true;
      this.move(moved);
    }
  }
  /**
   * Does what a key stands for. Returns false if it stands for nothing.
   * @param {string} key
   */
  key(key) {
    const across = { ArrowRight: 1, ArrowLeft: -1 }[key],
      down = { ArrowDown: 1, ArrowUp: -1 }[key],
      scale = { '+': 0.5, '=': 0.5, '-': 2, '−': 2 }[key];
    if (key === 'Enter' && this.chosen) this.go(this.chosen.tid, this.chosen.ts);
    else if (scale) this.zoom(scale, this.chosen?.ts);
    else if (key === 'Home' || key === 'End')
      this.show(key === 'Home' ? this.first : this.last, this.wide);
    else if (across) this.next(across);
    else if (down) this.nextWarp(down);
    else return false;
    return true;
  }
  /**
   * Returns the spans of a warp, in order of time.
   * @param {number} warp
   */
  line(warp) {
    return this.spans.filter(span => span.tid === warp);
  }
  /**
   * Chooses another span of the warp.
   * @param {number} step 1: the next; -1: the one before
   */
  next(step) {
    const line = this.line(this.chosen?.tid ?? this.warps[0]),
      at = this.chosen ? line.indexOf(this.chosen) : -1;
    this.reveal(line[Math.max(0, Math.min(line.length - 1, at + step))]);
  }
  /**
   * Chooses the nearest span of another warp.
   * @param {number} step 1: the row below; -1: above
   */
  nextWarp(step) {
    const { warps, chosen } = this,
      now = chosen?.ts ?? this.from,
      at = warps.indexOf(chosen?.tid ?? warps[0]) + step,
      line = this.line(warps[(at + warps.length) % warps.length]);
    this.reveal(line.reduce((a, b) => (Math.abs(b.ts - now) < Math.abs(a.ts - now) ? b : a)));
  }
  /**
   * Chooses a span, and moves it into view.
   * @param {Span} span
   */
  reveal(span) {
    if (span.ts < this.from || span.ts > this.to) this.show(span.ts, this.wide);
    this.choose(span);
  }

  buttons() {
    /** @type {[string, string, () => void][]} */
    const all = [
      ['+', 'fewer cycles', () => this.zoom(0.5)],
      ['−', 'more cycles', () => this.zoom(2)],
      ['←', 'earlier', () => this.move(-0.5)],
      ['→', 'later', () => this.move(0.5)],
      ['All', 'all cycles', () => this.show(0, Infinity)],
    ];
    return all.map(([text, name, act]) =>
      Object.assign(button(text, act), { ariaLabel: name, title: name }),
    );
  }
}
