// What the spans of a scheduler's trace say: what ended a wait, shares of kinds, the claim, where a
// timeline opens, and the columns of one that shows many cycles.
import * as text from '../text.js';
import { KINDS } from './kinds.js';

/**
 * @typedef {{name: string, cat: string, ph: string, pid: number, tid: number, ts: number, dur:
 *   number, args: {instruction: string, address: string}, kind: number}} Span an event of the
 *   trace: `pid` is the scheduler, `tid` the warp; `ts` and `dur` are its first cycle and its
 *   length in cycles; `kind` is its index in KINDS
 */

/**
 * Returns the opcodes of the first kind in some spans, the most frequent first.
 * @param {Span[]} spans
 * @returns {[string, number][]} opcodes with their numbers of issues
 */
export function multipliers(spans) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind, name } of spans) {
    const [opcode] = name.split('.');
    if (kind === 0) counts.set(opcode, (counts.get(opcode) || 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

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
  const found = [...text.replace(/desc\[[^\]]*\]/g, '').matchAll(/\bR(\d+)/g)],
    all = found.map(match => Number(match[1])),
    wide = /\.128/.test(text) ? 4 : /\.64\b/.test(text) ? 2 : 1;
  return { first: [...Array(wide).keys()].map(i => (all[0] ?? -9) + i), all };
};

/**
 * Returns the issue that a wait waited for: the load of an awaited register, the last warp at the
 * barrier, the warp that was selected instead, or the instruction before, whose stall count it is.
 * Returns null if the trace does not show it, as for a queue or a pipe.
 * @param {Span[]} spans in order of time
 * @param {Span} wait
 */
export function enderOf(spans, { ts, dur, tid, name, args }) {
  const issued = spans.filter(span => span.cat === 'issue' && span.ts < ts + dur),
    mine = issued.filter(span => span.tid === tid),
    others = issued.filter(span => span.tid !== tid),
    latest = (/** @type {Span[]} */ list) => list[list.length - 1] ?? null;
  if (/^barrier/.test(name))
    return latest(others.filter(span => span.name.startsWith('BAR') && span.ts >= ts));
  if (/^not_selected/.test(name)) return latest(others);
  if (/^(wait|branch_)/.test(name)) return latest(mine);
  const { all } = registersOf(args.instruction);
  const loads = /^long_/.test(name)
    ? /^(LDG|LD\b|TLD|ATOM)/
    : /^short_/.test(name)
      ? /^(LDS|SHFL|MUFU|S2R|ATOMS)/
      : null;
  return latest(
    mine.filter(
      span =>
        loads?.test(span.name) &&
        registersOf(span.args.instruction).first.some(register => all.includes(register)),
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
export const percent = share => (share < 0.005 ? '< 1 %' : `${Math.round(100 * share)} %`);

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
 * Returns what a timeline shows first: `cycles` cycles or more, and in them a typical wait of the
 * kind that the claim names, with the issue that it waited for: half of such waiting is in waits at
 * most as long. The window is, of those that begin or end with such a wait, one with most issues.
 * @param {Span[]} spans
 * @param {number} first
 * @param {number} last
 * @param {number} cycles
 */
export function openingOf(spans, first, last, cycles) {
  const most = sharesOf(spans, first, last).find(({ kind }) => KINDS[kind].reasons),
    waits = spans
      .filter(span => span.kind === most?.kind && span.ts >= first && span.ts + span.dur <= last)
      .sort((a, b) => a.dur - b.dur);
  let half = waits.reduce((sum, { dur }) => sum + dur, 0) / 2;
  const typical = waits.find(({ dur }) => (half -= dur) <= 0),
    issued = spans.filter(({ cat }) => cat === 'issue'),
    best = { from: first, to: Math.min(last, first + cycles), wait: typical, count: -1 };
  for (const wait of waits.filter(({ dur }) => dur === typical?.dur)) {
    const begin = Math.min(wait.ts, enderOf(spans, wait)?.ts ?? last),
      end = wait.ts + wait.dur,
      wide = Math.min(last - first, Math.max(cycles, Math.ceil(1.5 * (end - begin)))),
      edge = wide >> 4;
    for (const at of [end + edge - wide, begin - edge]) {
      const from = Math.max(first, Math.min(last - wide, at)),
        count = issued.filter(({ ts }) => ts >= from && ts < from + wide).length;
      if (count > best.count) Object.assign(best, { from, to: from + wide, wait, count });
    }
  }
  return best;
}

/**
 * Returns what stands in a span's bar: a wait's kind, or an opcode with the width of its access.
 * @param {{cat: string, name: string, kind: number}} span
 */
export const labelOf = ({ cat, name, kind }) =>
  cat === 'issue' ? name.replace(/^(\w+)(?:.*?(\.\d+)\b)?.*/, '$1$2') : KINDS[kind].words;

/**
 * @typedef {{from: number, to: number, span?: Span, shares: {kind: number, share: number}[]}} Piece
 *   a part of a warp's time: a span, or a column that sums up short ones
 */

/**
 * Divides a warp's time: a span of at least `long` cycles is a piece, and shorter ones between such
 * are summed up in columns of about `step` cycles.
 * @param {Span[]} line the warp's spans, in order of time
 * @param {number} step
 * @param {number} long
 */
export function piecesOf(line, step, long) {
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {Span[]} */
  let short = [];
  let end = 0;
  const sumUp = () => {
    const begin = short[0]?.ts,
      count = short.length && Math.max(1, Math.round((end - begin) / step));
    for (let i = 0; i < count; i++) {
      const [from, to] = [i, i + 1].map(at => begin + ((end - begin) * at) / count);
      pieces.push({ from, to, shares: sharesOf(short, from, to) });
    }
    short = [];
  };
  for (const span of line) {
    if (span.dur >= long || span.ts > end) sumUp();
    end = span.ts + span.dur;
    if (span.dur >= long) pieces.push({ from: span.ts, to: end, span, shares: [] });
    else short.push(span);
  }
  sumUp();
  return pieces;
}
