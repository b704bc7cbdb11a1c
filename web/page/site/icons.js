// Small drawings of what the nine steps are about, in the notation of draw.js. They show no
// measurements.
import { svg } from '../dom.js';

const rect = (
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ w,
  /** @type {number} */ h,
  /** @type {string} */ kind,
) => svg('rect', { x, y, width: w, height: h, rx: Math.min(2, h / 4), class: kind });
const dot = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ kind, r = 3) =>
  svg('circle', { cx: x, cy: y, r, class: kind });
const each = (/** @type {number} */ n, /** @type {(i: number) => Node|Node[]} */ make) =>
  [...Array(n).keys()].flatMap(make);

/** @type {Record<number, () => Node[]>} */
const DRAWN = {
  1: () => [
    ...each(8, i => dot(12 + i * 12, 10, 'cool')),
    ...each(8, i => [
      ...each(4, r => rect(7 + i * 12, 24 + r * 9, 10, 6, r === 1 ? 'cool' : 'idle')),
    ]),
  ],
  2: () => [
    ...each(4, r =>
      each(6, c =>
        rect(8 + c * 15, 6 + r * 13, 13, 11, r > 0 && r < 3 && c > 1 && c < 4 ? 'cool' : 'idle'),
      ),
    ),
  ],
  3: () => [
    ...each(4, i => [
      rect(18, 18 + i * 11, 10, 9, i === 1 ? 'accent' : 'w1'),
      rect(34 + i * 14, 4, 12, 9, i === 2 ? 'accent' : 'w2'),
    ]),
    ...each(4, r =>
      each(4, c =>
        rect(
          34 + c * 14,
          18 + r * 11,
          12,
          9,
          r === 1 && c === 2 ? 'accent' : r === 1 || c === 2 ? 'accent-soft' : 'idle',
        ),
      ),
    ),
  ],
  4: () => [...each(4, r => each(8, c => dot(16 + c * 10.5, 14 + r * 11, 'cool')))],
  5: () => [
    rect(8, 25, 18, 12, 'accent'),
    ...each(4, i => rect(44 + i * 15, 25, 13, 12, 'cool')),
    svg('path', { d: 'M29,31h10m-4,-4l4,4l-4,4', class: 'stroke' }),
  ],
  6: () => [
    ...each(8, c =>
      each(4, r =>
        rect(
          8 + c * 12,
          6 + r * 13,
          10,
          11,
          (r === 0 && c < 4) || (r === 0 && c > 3) ? 'cool' : 'idle',
        ),
      ),
    ),
    ...each(4, c => rect(8 + (c + 4) * 12, 6, 10, 11, 'w2')),
  ],
  7: () => [
    svg('path', {
      d: 'M14,12h18l-18,14h18l14,-14h18l-18,14h18M14,36h18l-18,14h18l14,-14h18l-18,14h18',
      class: 'stroke',
    }),
    ...each(4, r => each(4, c => dot([14, 32, 46, 64][c], [12, 26, 36, 50][r], 'cool'))),
  ],
  8: () => [
    ...each(4, i => rect(6 + i * 24, 10, 22, 14, 'cool')),
    ...each(3, i => rect(30 + i * 24, 34, 22, 14, 'accent')),
    rect(6, 34, 22, 14, 'wait'),
  ],
  9: () => [
    rect(8, 10, 26, 13, 'kept'),
    rect(38, 10, 26, 13, 'w2'),
    rect(68, 10, 26, 13, 'w1'),
    rect(8, 32, 26, 13, 'kept'),
    rect(38, 32, 26, 13, 'w1'),
    rect(68, 32, 26, 13, 'w2'),
  ],
};
/** @param {number} step */
export const icon = step =>
  svg(
    'svg',
    { viewBox: '0 0 104 60', class: 'draw icon', 'aria-hidden': 'true' },
    ...(DRAWN[step] || (() => []))(),
  );
