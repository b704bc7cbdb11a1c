// Draws a scheduler's issue slots from the model's trace, one row per warp. A span is a warp's
// issue or wait. Ctrl + wheel, + and - zoom; dragging and buttons move; an overview shows the
// position. The pointer or the arrow keys choose a span and show its details. If the span is a
// wait, an arrow comes from the issue that ended it.
import { button, details, el, onTurned, scrolled, svg } from './dom.js';
import { narrow } from './draw.js';
import * as text from './text.js';

/**
 * @typedef {{name: string, cat: string, ph: string, pid: number, tid: number, ts: number, dur:
 *   number, args: {instruction: string, address: string}, kind: number}} Span an event of the
 *   trace: `pid` is the scheduler, `tid` the warp; `ts` and `dur` are its first cycle and its
 *   length in cycles; `kind` is its index in KINDS
 */

/**
 * Kinds of spans. `words` are for the legend; a kind of issues has the pattern of its `opcodes`; a
 * kind of waits has its stall `reasons` under the trace's names, in words, and what a warp `does`,
 * if that is not `words`. The first kind that fits counts.
 * @type {{words: string, css: string, opcodes?: RegExp, reasons?: Record<string, string>, does?:
 *   string}[]}
 */
const KINDS = [
  { words: 'FFMA', css: 'k-fma', opcodes: /^([DF]FMA|HFMA2|HGMMA|[DH]MMA)/ },
  { words: 'shared memory', css: 'k-shared', opcodes: /^(LDS|STS|LDSM|ATOMS|SHFL)/ },
  {
    words: 'device memory',
    css: 'k-device',
    opcodes: /^(LDG|STG|LDGSTS|LD|ST|TLD|RED|ATOM|LDGDEPBAR)\b/,
  },
  {
    words: 'branch, barrier',
    css: 'k-branch',
    opcodes: /^(BAR|BRA|EXIT|DEPBAR|NOP|WARPSYNC|BSSY|BSYNC)/,
  },
  { words: 'other arithmetic', css: 'k-other', opcodes: /./ },
  {
    words: 'waits for a barrier',
    css: 'k-wait-barrier',
    reasons: { barrier: 'Other warps had not yet reached the barrier' },
  },
  {
    words: 'waits for device memory',
    css: 'k-wait-device',
    reasons: { long_scoreboard: 'Data of device memory had not arrived' },
  },
  {
    words: 'waits for shared memory',
    css: 'k-wait-shared',
    reasons: {
      short_scoreboard: 'Data of shared memory, a shuffle or a special register had not arrived',
    },
  },
  {
    words: 'waits for a busy pipe',
    css: 'k-wait-pipe',
    reasons: { math_pipe_throttle: 'The pipe of the next instruction was busy' },
  },
  {
    words: 'waits for a full queue',
    css: 'k-wait-queue',
    reasons: {
      mio_throttle: 'The queue to shared memory was full',
      lg_throttle: 'The queue had no place for another access through L1',
      tex_throttle: 'The queue had no place for another texture access',
    },
  },
  {
    words: 'ready, another warp was chosen',
    css: 'k-ready',
    reasons: { not_selected: 'The warp was ready, but another warp was chosen' },
    does: 'is ready, but another warp was chosen',
  },
  {
    words: 'waits for a result',
    css: 'k-wait-other',
    reasons: { wait: 'The stall count of the instruction before was not over' },
  },
  {
    words: 'waits for its next instruction',
    css: 'k-wait-other k-ready',
    reasons: { no_instruction: 'The next instruction was not yet fetched' },
  },
  {
    words: 'waits for a branch',
    css: 'k-wait-other k-wait-pipe',
    reasons: { branch_resolving: 'The target of the branch before was not yet known' },
  },
  {
    words: 'waits for the register file',
    css: 'k-wait-other k-wait-queue',
    reasons: {
      dispatch_stall: 'The register file did not yet deliver, or the FMA pipe was not free',
    },
  },
  { words: 'waits for something else', css: 'k-wait-other', reasons: {} },
];

/**
 * Returns the index of a span's kind.
 * @param {{name: string, cat: string}} span
 */
export function kindOf({ name, cat }) {
  const found = KINDS.findIndex(({ opcodes, reasons }) =>
    cat === 'issue' ? opcodes?.test(name) : reasons && name in reasons,
  );
  return found < 0 ? KINDS.length - 1 : found;
}

/**
 * Returns the tables of `simrun --stalls` with the legend's words in place of the profiler's names,
 * which are added in the first table.
 * @param {string} printed
 */
export function stallsSaid(printed) {
  const [before, tables = ''] = printed.split(/^(?=warp state)/m);
  const said = tables.replace(/^(address.{21}| .{27}|)(?!\S*:)(.{20})/gm, (_, at, cell) => {
    const name = cell.trim(),
      words = KINDS.find(({ reasons = {} }) => name in reasons)?.words || name;
    return at
      ? at + words.padEnd(31)
      : (words === name ? name : `${words} (${name})`).padEnd(48);
  });
  return before + said;
}

/**
 * Returns the opcodes of the first kind in some spans, the most frequent first.
 * @param {Span[]} spans
 * @returns {[string, number][]} opcodes with their numbers of issues
 */
function multipliers(spans) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind, name } of spans) {
    const [opcode] = name.split('.');
    if (kind === 0) counts.set(opcode, (counts.get(opcode) || 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Returns true if the reader points with a finger. */
const coarse = () => matchMedia('(pointer: coarse)').matches;

/**
 * Returns the spans of scheduler 0.
 * @param {string} trace JSON of `simrun --timeline`
 * @returns {Span[]}
 */
export const spansOf = trace =>
  JSON.parse(trace).traceEvents.filter(
    (/** @type {Span} */ event) => event.ph === 'X' && event.pid === 0,
  );

/**
 * Returns the registers in an instruction's text: those that its first operand covers (`first`),
 * and those of all operands (`all`).
 * @param {string} text
 */
const registersOf = text => {
  const found = [...text.replace(/desc\[[^\]]*\]/g, '').matchAll(/\bR(\d+)(?:\.64)?/g)].map(match =>
      Number(match[1]),
    ),
    wide = /\.128/.test(text) ? 4 : /\.64\b/.test(text) ? 2 : 1;
  return {
    first: [...Array(wide).keys()].map(i => (found[0] ?? -9) + i),
    all: found,
  };
};

/**
 * Returns the issue that a wait waited for: the load of an awaited register, the last warp at the
 * barrier, the warp that was selected instead, or the instruction before, whose stall count it is.
 * Returns null if the trace does not show it, as for a queue or a pipe.
 * @param {Span[]} spans
 * @param {Span} wait
 */
export function enderOf(spans, wait) {
  const end = wait.ts + wait.dur,
    issued = spans.filter(span => span.cat === 'issue' && span.ts < end),
    mine = issued.filter(span => span.tid === wait.tid);
  const latest = (/** @type {Span[]} */ list) =>
    list.reduce(
      (best, span) => (!best || span.ts > best.ts ? span : best),
      /** @type {Span|null} */ (null),
    );
  if (/^barrier/.test(wait.name))
    return latest(
      issued.filter(
        span => span.name.startsWith('BAR') && span.tid !== wait.tid && span.ts >= wait.ts,
      ),
    );
  if (/^not_selected/.test(wait.name)) return latest(issued.filter(span => span.tid !== wait.tid));
  if (/^(wait|branch_)/.test(wait.name)) return latest(mine);
  const wanted = registersOf(wait.args.instruction);
  const loads = /^long_/.test(wait.name)
    ? /^(LDG|LD\b|TLD|ATOM)/
    : /^short_/.test(wait.name)
      ? /^(LDS|SHFL|MUFU|S2R|ATOMS)/
      : null;
  return latest(
    mine.filter(
      span =>
        loads?.test(span.name) &&
        registersOf(span.args.instruction).first.some(register => wanted.all.includes(register)),
    ),
  );
}

/**
 * Returns a span in words.
 * @param {Span} span
 */
export function said({ tid, ts, dur, name, kind, args }) {
  const { words, reasons } = KINDS[kind],
    place = `Warp ${tid}, cycle ${ts}`;
  if (!reasons) return `${place}: ${args.instruction}${kind ? ` (${words})` : ''}.`;
  const why = reasons[name] || `The warp waited (${name})`;
  return `${place}. ${why}: ${text.counted(dur, 'cycle')}, before ${args.instruction}.`;
}

/** @param {number} share */
const percent = share => (share < 0.005 ? '< 1 %' : `${Math.round(100 * share)} %`);

/**
 * Returns the kinds of the spans in some cycles with their shares of the warps' time, the greatest
 * first.
 * @param {Span[]} spans
 * @param {number} from
 * @param {number} to
 */
export function sharesOf(spans, from, to) {
  /** @type {Map<number, number>} */
  const cycles = new Map();
  let all = 0;
  for (const { kind, ts, dur } of spans) {
    const seen = Math.min(to, ts + dur) - Math.max(from, ts);
    if (seen <= 0) continue;
    cycles.set(kind, (cycles.get(kind) || 0) + seen);
    all += seen;
  }
  return [...cycles]
    .map(([kind, sum]) => ({ kind, share: sum / all }))
    .sort((a, b) => b.share - a.share);
}
/**
 * Returns what a timeline shows, in a sentence: the used issue slots, and the longest waits.
 * @param {Span[]} spans
 * @param {number} first
 * @param {number} last
 */
export function claimOf(spans, first, last) {
  const issued = spans.filter(span => span.cat === 'issue'),
    most = sharesOf(spans, first, last).find(({ kind }) => KINDS[kind].reasons),
    [opcode, times] = multipliers(issued)[0] || ['FFMA', 0],
    count = text.number;
  const slots =
    `Of ${count(last - first)} cycles, ${count(issued.length)} issue an instruction, ` +
    `${count(times)} of them a${opcode.startsWith('D') ? '' : 'n'} ${opcode}`;
  if (!most) return `${slots}.`;
  const { does, words } = KINDS[most.kind];
  return `${slots}; ${percent(most.share)} of its time, a warp ${does || words}.`;
}
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
    ? { width: 340, left: 52, high: Math.max(28, high), slots: 70, cycles: 60, ticks: 5 }
    : { width: 760, left: 60, high: Math.max(20, high), slots: 140, cycles: 160, ticks: 9 };
};

/**
 * Returns the start of the `wide` cycles in which the most instructions are issued.
 * @param {Span[]} spans
 * @param {number} wide
 * @param {number} last the end of the last span
 */
function busiest(spans, wide, last) {
  let best = { at: Math.min(...spans.map(span => span.ts)), count: -1 };
  for (const { ts } of spans) {
    if (ts + wide > last) continue;
    const count = spans.filter(
      span => span.cat === 'issue' && span.ts >= ts && span.ts < ts + wide,
    ).length;
    if (count > best.count) best = { at: ts, count };
  }
  return best.at;
}

class Timeline {
  /**
   * @param {Span[]} spans
   * @param {(warp: number, cycle: number) => void} go opens the stepper at a span
   */
  constructor(spans, go) {
    this.spans = spans;
    this.go = go;
    this.warps = [...new Set(spans.map(span => span.tid))].sort((a, b) => a - b);
    const issued = spans.filter(span => span.cat === 'issue'); // waits may begin or end outside
    this.first = Math.min(...issued.map(span => span.ts));
    this.last = Math.max(...issued.map(span => span.ts + span.dur));
    this.size = sizes(this.warps.length);
    this.from = busiest(spans, this.size.cycles, this.last);
    this.to = Math.min(this.last, this.from + this.size.cycles);
    /** @type {Span|null} */
    this.chosen = null;
    this.dragging = false;
    this.grabbed = 0; // the cycle at which a drag began
    this.place = scrolled('the timeline: arrows choose a span, + and − zoom, Enter steps to it');
    this.place.classList.add('timeline-box');
    this.told = el('p', {
      className: 'told',
      role: 'status',
      textContent: coarse()
        ? 'Tap a span.'
        : 'Point at a span, or choose one with the arrow keys.',
    });
    this.legend = el('ul', { className: 'legend' });
    this.listen();
    this.draw();
    onTurned(() => {
      this.size = sizes(this.warps.length);
      this.show((this.from + this.to) / 2, this.size.cycles);
    });
  }

  // --- the visible cycles
  get wide() {
    return this.to - this.from;
  }
  /**
   * Shows `cycles` cycles around the cycle `middle`.
   * @param {number} middle
   * @param {number} cycles
   */
  show(middle, cycles) {
    const wide = Math.round(Math.max(10, Math.min(this.last - this.first, cycles)));
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
    const wide = Math.max(10, Math.min(this.last - this.first, this.wide * factor));
    this.show(at + wide * (0.5 - (at - this.from) / this.wide), wide);
  }
  /**
   * Moves the view by a share of its width.
   * @param {number} share
   */
  move(share) {
    this.show((this.from + this.to) / 2 + share * this.wide, this.wide);
  }
  all() {
    this.show((this.first + this.last) / 2, this.last - this.first);
  }
  /**
   * Returns the x coordinate of a cycle.
   * @param {number} cycle
   */
  x(cycle) {
    const { left, width } = this.size;
    return left + ((cycle - this.from) * (width - left)) / this.wide;
  }
  /**
   * Returns the y coordinate of a span.
   * @param {Span} span
   */
  row(span) {
    return this.size.high * this.warps.indexOf(span.tid);
  }
  /**
   * Returns the cycle under the pointer.
   * @param {MouseEvent} event
   */
  cycleAt(event) {
    const box = /** @type {SVGElement} */ (
      this.place.querySelector('.timeline')
    ).getBoundingClientRect();
    const { left, width } = this.size;
    return (
      this.from +
      ((((event.clientX - box.left) / box.width) * width - left) / (width - left)) * this.wide
    );
  }

  // --- drawing
  draw() {
    const { warps, from, to } = this;
    const { left, width, high } = this.size;
    const below = high * warps.length;
    const shown = this.spans.filter(span => span.ts < to && span.ts + span.dur > from);
    const picture = svg(
      'svg',
      {
        viewBox: `0 0 ${width} ${below + 34}`,
        role: 'img',
        class: 'timeline',
        'aria-label': `${warps.length} warps, cycles ${from} to ${to}`,
      },
      ...warps.map((warp, i) =>
        svg(
          'text',
          { x: left - 6, y: high * (i + 0.5) + 3, 'text-anchor': 'end' },
          `warp ${warp}`,
        ),
      ),
      ...this.ticks(below),
      svg('text', { x: width, y: below + 30, 'text-anchor': 'end' }, 'cycles of the SM'),
      ...shown.map(span => this.bar(span)),
      ...this.arrow(),
    );
    this.place.replaceChildren(picture, this.overview());
    this.legend.replaceChildren(...this.keys(shown));
  }
  /**
   * Returns the axis.
   * @param {number} below height of all rows
   */
  ticks(below) {
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    const step = steps.find(each => this.wide / each <= this.size.ticks) || 2000;
    const ticks = [];
    for (
      let cycle = Math.ceil(this.from / step) * step;
      cycle <= this.to - step / 4;
      cycle += step
    ) {
      const x = this.x(cycle);
      const line = svg('line', { x1: x, x2: x, y1: 0, y2: below + 3 });
      ticks.push(
        svg(
          'g',
          {},
          line,
          svg('text', { x, y: below + 15, 'text-anchor': 'middle' }, String(cycle)),
        ),
      );
    }
    return ticks;
  }
  /**
   * Returns the rectangle of a span.
   * @param {Span} span
   */
  bar(span) {
    const begin = this.x(Math.max(this.from, span.ts));
    const end = this.x(Math.min(this.to, span.ts + span.dur));
    const box = svg(
      'rect',
      {
        x: begin,
        y: this.row(span),
        height: this.size.high - 2,
        width: Math.max(0.5, end - begin - (this.wide < 200 ? 1 : 0)),
        class: `${KINDS[span.kind].css}${span === this.chosen ? ' chosen' : ''}`,
      },
      svg('title', {}, said(span)),
    );
    box.addEventListener('click', () => {
      this.go(span.tid, span.ts);
      this.choose(span);
    });
    box.addEventListener('pointerenter', () => {
      if (this.chosen !== span && !this.dragging) this.choose(span);
    });
    return box;
  }
  /** Returns an arrow to the end of the chosen wait, from the issue that it waited for. */
  arrow() {
    const wait = this.chosen && this.chosen.cat === 'stall' ? this.chosen : null;
    const end = wait && enderOf(this.spans, wait);
    if (!wait || !end || end.ts < this.from) return [];
    const middle = this.size.high / 2 - 1;
    const [x1, y1] = [this.x(Math.min(this.to, end.ts + end.dur / 2)), this.row(end) + middle];
    const [x2, y2] = [this.x(Math.min(this.to, wait.ts + wait.dur)), this.row(wait) + middle];
    const bend = `${(x1 + x2) / 2},${(y1 + y2) / 2 - (y1 === y2 ? 16 : 0)}`;
    return [
      svg('path', { d: `M${x1},${y1} Q${bend} ${x2},${y2}`, class: 'arrow' }),
      svg('circle', { cx: x1, cy: y1, r: 4, class: 'arrow-end' }),
    ];
  }
  /** Returns a picture of the used issue slots over all cycles, with the cycles in view marked. */
  overview() {
    const { first, last } = this;
    const { left, width, slots: count } = this.size;
    const scale = (width - left) / (last - first || 1);
    const slots = Array(count).fill(0);
    for (const span of this.spans) {
      if (span.cat === 'issue')
        slots[Math.min(count - 1, Math.floor((count * (span.ts - first)) / (last - first || 1)))]++;
    }
    const most = Math.max(...slots);
    const wide = (width - left) / count;
    const bars = slots.map((issued, i) =>
      svg('rect', {
        x: left + i * wide,
        width: wide,
        y: 22 - (20 * issued) / most,
        height: (20 * issued) / most,
        class: 'idle',
      }),
    );
    const seen = {
      x: left + (this.from - first) * scale,
      width: Math.max(3, this.wide * scale),
      y: 1,
      height: 23,
      class: 'window',
    };
    const view = svg(
      'svg',
      { viewBox: `0 0 ${width} 26`, class: 'overview', 'aria-hidden': 'true' },
      svg('text', { x: left - 6, y: 16, 'text-anchor': 'end' }, 'all'),
      ...bars,
      svg('rect', seen),
    );
    const move = (/** @type {PointerEvent} */ event) => {
      const box = view.getBoundingClientRect();
      this.show(
        first + (((event.clientX - box.left) / box.width) * width - left) / scale,
        this.wide,
      );
    };
    view.addEventListener('pointerdown', move);
    view.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (event.buttons) move(event);
    });
    return view;
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
    const inside = (/** @type {Event} */ event) =>
      /** @type {Element} */ (event.target).closest('.timeline') !== null;
    const wheel = (/** @type {WheelEvent} */ event) => {
      // The wheel alone scrolls the page.
      if (!inside(event) || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.cycleAt(event));
    };
    this.place.addEventListener('wheel', wheel, { passive: false });
    this.place.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      if (inside(event)) this.grabbed = this.cycleAt(event);
    });
    this.place.addEventListener('pointermove', (/** @type {PointerEvent} */ event) =>
      this.drag(event, inside(event)),
    );
    this.place.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (this.key(event.key)) event.preventDefault();
    });
  }
  /**
   * Moves the view with the pointer while a button is pressed.
   * @param {PointerEvent} event
   * @param {boolean} inside true over the timeline
   */
  drag(event, inside) {
    if (!event.buttons || !inside) {
      this.dragging = false;
      return;
    }
    const moved = this.grabbed - this.cycleAt(event);
    if (Math.abs(moved) < this.wide / 100) return;
    this.dragging = true;
    this.move(moved / this.wide);
  }
  /**
   * Does what a key stands for. Returns false if it stands for nothing.
   * @param {string} key
   */
  key(key) {
    const across = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const down = { ArrowDown: 1, ArrowUp: -1 }[key];
    const scale = { '+': 0.5, '=': 0.5, '-': 2, '−': 2 }[key];
    if (key === 'Enter' && this.chosen) this.go(this.chosen.tid, this.chosen.ts);
    else if (scale) this.zoom(scale, this.chosen ? this.chosen.ts : undefined);
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
    return this.spans.filter(span => span.tid === warp).sort((a, b) => a.ts - b.ts);
  }
  /**
   * Chooses another span of the warp.
   * @param {number} step 1: the next; -1: the one before
   */
  next(step) {
    const line = this.line(this.chosen ? this.chosen.tid : this.warps[0]);
    const at = this.chosen ? line.indexOf(this.chosen) : -1;
    this.reveal(line[Math.max(0, Math.min(line.length - 1, at + step))]);
  }
  /**
   * Chooses the nearest span of another warp.
   * @param {number} step 1: the row below; -1: above
   */
  nextWarp(step) {
    const { warps } = this;
    const now = this.chosen ? this.chosen.ts : this.from;
    const warp =
      warps[
        (warps.indexOf(this.chosen ? this.chosen.tid : warps[0]) + step + warps.length) %
          warps.length
      ];
    const nearer = (/** @type {Span} */ a, /** @type {Span} */ b) =>
      Math.abs(b.ts - now) < Math.abs(a.ts - now) ? b : a;
    this.reveal(this.line(warp).reduce(nearer));
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
    const named = (
      /** @type {string} */ text,
      /** @type {string} */ name,
      /** @type {() => void} */ act,
    ) => Object.assign(button(text, act), { ariaLabel: name, title: name });
    return [
      named('+', 'fewer cycles', () => this.zoom(0.5)),
      named('−', 'more cycles', () => this.zoom(2)),
      named('←', 'earlier', () => this.move(-0.5)),
      named('→', 'later', () => this.move(0.5)),
      named('All', 'all cycles', () => this.all()),
    ];
  }
  /**
   * The keys of the legend: kinds in view, with their shares.
   * @param {Span[]} shown
   */
  keys(shown) {
    const key = (/** @type {number} */ kind) =>
      svg(
        'svg',
        { viewBox: '0 0 26 10', class: 'timeline-key', 'aria-hidden': 'true' },
        svg('rect', { x: 1, y: 1, width: 24, height: 8, class: KINDS[kind].css }),
      );
    const fused = multipliers(shown).map(([opcode]) => opcode);
    const words = (/** @type {number} */ kind) =>
      kind ? KINDS[kind].words : fused.join(', ');
    return [
      el('li', { textContent: `In view, cycles ${this.from} to ${this.to}:` }),
      ...sharesOf(shown, this.from, this.to).map(({ kind, share }) =>
        el('li', {}, key(kind), `${words(kind)} `, el('b', { textContent: percent(share) })),
      ),
    ];
  }
}

/**
 * Returns the timeline of a trace, with its buttons, its legend and a table.
 * @param {string} trace JSON of `simrun --timeline`
 * @param {string} stalls what `simrun --stalls` prints
 * @param {(warp: number, cycle: number) => void} go called when a span is clicked, or when Enter is
 *   pressed on it
 */
export function timelinePicture(trace, stalls, go) {
  const spans = spansOf(trace).map(span => ({
    ...span,
    kind: kindOf(span),
  }));
  if (!spans.length) return el('p', { textContent: 'No cycles to show.' });
  const timeline = new Timeline(spans, go);
  const how = el('span', {
    className: 'soft',
    textContent: coarse() || narrow()
      ? '+ and − zoom, ← and → move, a tap on an instruction steps to it.'
      : 'Ctrl + wheel zooms, dragging moves, a click on an instruction steps to it.',
  });
  return el(
    'div',
    {},
    el('p', { className: 'claim', textContent: claimOf(spans, timeline.first, timeline.last) }),
    el('p', { className: 'row' }, ...timeline.buttons(), how),
    timeline.place,
    timeline.told,
    timeline.legend,
    details(
      'The same as a table: what each line waits for',
      el('pre', { className: 'listing', tabIndex: 0, textContent: stallsSaid(stalls) }),
    ),
  );
}
