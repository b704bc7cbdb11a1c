// Scales and axes of charts, and what is near a point of them.
import { svg } from '../dom.js';

/** @typedef {import('./measured.js').Set_} Set_ */

export const ACCENT = 'var(--accent)',
  INK = 'var(--ink)',
  SOFT = 'var(--soft)',
  BEFORE = 'var(--before)',
  COOL = 'var(--cool)',
  VARIANT = 'var(--variant)';

/**
 * Returns the round numbers of a scale from 0 to `top`.
 * @param {number} top
 * @param {number} most how many of them there may be
 */
export function ticks(top, most) {
  const round = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200],
    every = round.find(each => top / each < most) || 500;
  return [...Array(Math.floor(top / every) + 1).keys()].map(i => Number((i * every).toFixed(1)));
}
/**
 * Returns an empty chart with a scale from 0; the caller draws the x axis.
 * @param {Set_} set
 * @param {object} size
 * @param {number} size.width
 * @param {number} size.height
 * @param {number} [size.right] space for names at the lines
 * @param {number} [size.below] space for names below the chart
 * @param {boolean} [size.plain] true: with few numbers, and no word at the peak
 */
export function frame(set, { width, height, right = 0, below = 38, plain = false }) {
  const rows = set.rows.filter(row => !/^1[135]_/.test(row.step)),
    top = Math.max(set.peak, ...rows.map(row => row.tflops)) * 1.06,
    left = 34,
    bottom = height - below,
    y = (/** @type {number} */ value) => bottom - (value / top) * (bottom - 22);
  const across = (/** @type {number} */ at) => ({ x1: left, x2: width - right, y1: at, y2: at });
  const box = svg('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  for (const v of ticks(top, plain ? 4 : 8))
    box.append(
      svg('line', { ...across(y(v)), class: 'grid' }),
      svg('text', { x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, String(v)),
    );
  box.append(svg('text', { x: 0, y: 10 }, 'TFLOP/s'));
  if (set.peak) {
    const at = y(set.peak),
      place = right
        ? { x: width - right + 6, y: at + 4, 'text-anchor': null }
        : { x: width, y: at - 5, 'text-anchor': 'end' };
    box.append(svg('line', { ...across(at), stroke: SOFT, 'stroke-dasharray': '2 4' }));
    if (!plain)
      box.append(svg('text', place, `${right ? '' : 'FP32 '}peak ${set.peak.toFixed(1)}`));
  }
  return { box, left, bottom, y };
}
/**
 * Returns a scale of N by powers of 2, with its numbers drawn.
 * @param {number[]} sizes
 * @param {{from: number, to: number, y: number, box: Element}} where
 */
export function overN(sizes, { from, to, y, box }) {
  const low = Math.log2(Math.min(...sizes)),
    high = Math.log2(Math.max(...sizes));
  const x = (/** @type {number} */ n) =>
    from + ((Math.log2(n) - low) / (high - low || 1)) * (to - from);
  for (let n = 2 ** Math.ceil(low); n <= 2 ** high; n *= to - from < 330 ? 4 : 2)
    box.append(svg('text', { x: x(n), y, 'text-anchor': 'middle' }, String(n)));
  return x;
}
/**
 * Breaks a label after blanks and hyphens into lines of at most `most` letters.
 * @param {string} label
 * @param {number} most
 */
export function broken(label, most) {
  const lines = [''];
  for (const part of label.match(/[^\s-]+[\s-]?/g) || [])
    if ((lines[lines.length - 1] + part).trim().length <= most) lines[lines.length - 1] += part;
    else lines.push(part);
  return lines.map(line => line.trim()).filter(Boolean);
}
/** @typedef {{n: number, x: number, y: number}} Point */
/**
 * Returns the index of the item with the least value.
 * @param {number[]} values
 */
export const least = values => values.indexOf(Math.min(...values));
/**
 * Returns the index of the line nearest above or below a point, and the N of its point that is
 * nearest. Lines go through the points whose N is a multiple of 128.
 * @param {Point[][]} lines each by N
 * @param {number} x
 * @param {number} y
 */
export function nearest(lines, x, y) {
  const heightAt = (/** @type {Point[]} */ points) => {
    if (!points.length) return Infinity;
    const even = points.filter(point => point.n % 128 === 0);
    const all = even.length ? even : points,
      after = all.findIndex(point => point.x >= x),
      b = all[after < 0 ? all.length - 1 : after],
      a = all[after - 1] || b,
      outside = after < 1 ? Math.abs(x - b.x) : 0;
    const on = a === b || after < 0 ? b.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
    return Math.hypot(on - y, outside);
  };
  const line = least(lines.map(heightAt)),
    near = lines[line] || [];
  const far = near.map(point => Math.hypot(point.x - x, (point.y - y) / 4));
  return { line, n: near[least(far)]?.n ?? 0 };
}
/** @typedef {{x: number, y: number}} Spot */
/**
 * Returns points along a curve, at most 6 units apart.
 * @param {Spot[]} points
 */
export const along = points =>
  points.flatMap((b, i) => {
    const a = points[i - 1] ?? b,
      parts = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / 6);
    return [...Array(parts).keys()].map(k => ({
      x: a.x + ((b.x - a.x) * k) / parts,
      y: a.y + ((b.y - a.y) * k) / parts,
    }));
  });
/**
 * Returns heights that are at least `gap` apart, in the order of the given ones and near them.
 * @param {number[]} heights
 * @param {number} gap
 */
export function apart(heights, gap) {
  const order = [...heights.keys()].sort((a, b) => heights[a] - heights[b]);
  /** @type {{of: number[], from: number}[]} items that stand `gap` apart, the first at `from` */
  const groups = [];
  for (const i of order) {
    let last = { of: [i], from: heights[i] };
    for (let above; (above = groups[groups.length - 1]); groups.pop()) {
      if (above.from + gap * above.of.length <= last.from) break;
      const of = [...above.of, ...last.of],
        sum = of.reduce((all, item, k) => all + heights[item] - k * gap, 0);
      last = { of, from: sum / of.length };
    }
    groups.push(last);
  }
  const found = [...heights];
  for (const { of, from } of groups) of.forEach((item, k) => (found[item] = from + k * gap));
  return found;
}
/** @typedef {{taken: Spot[], to: number, bottom: number}} Space taken: by curves and texts */
/**
 * Returns the place beside a point at which a text covers the least.
 * @param {Space} space
 * @param {{x: number, y: number, width: number}} text the point, and the width of its text
 * @param {number[][]} [first] what is tried before other places: the part of the text that is left
 *   of its `side`, and how far that is from the point
 */
export function freeSpot({ taken, to, bottom }, { x, y, width }, first = []) {
  const others = [-10, 18, -26, 34, -42, -58].flatMap(dy => [[1, -10, dy], [0, 10, dy]]),
    spots = [...first, ...others]
      .map(([part, dx, dy]) => ({ part, side: x + dx, x: x + dx - part * width, y: y + dy }))
      .filter(spot => spot.x > 30 && spot.x + width < to && spot.y > 30 && spot.y < bottom);
  const covered = spots.map(
    spot =>
      taken.filter(
        point =>
          point.x > spot.x - 4 &&
          point.x < spot.x + width + 4 &&
          point.y > spot.y - 16 &&
          point.y < spot.y + 7,
      ).length,
  );
  return spots[least(covered)];
}
/**
 * Returns the N at which at least half of the lines were measured, in order; all N if none is.
 * @param {number[]} sizes those of all lines
 * @param {number} lines how many there are
 */
export function sharedSizes(sizes, lines) {
  const all = [...new Set(sizes)].sort((a, b) => a - b),
    shared = all.filter(n => 2 * sizes.filter(other => other === n).length >= lines);
  return shared.length ? shared : all;
}
/**
 * Returns lines in order of their values, the greatest first, those without a value last.
 * @template {{value: number|undefined}} Line
 * @param {Line[]} lines
 */
export const ranked = lines => [...lines].sort((a, b) => (b.value ?? -1) - (a.value ?? -1));
