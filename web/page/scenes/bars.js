import { svg } from '../dom.js';
import { narrow } from '../draw.js';
import { mark } from '../pointing.js';

/**
 * @typedef {{row: number, from: number, to: number, kind: string, text: string, of: string,
 *   says: string}} Bar `of` and `says` are those of mark()
 */
/**
 * Draws a chart of horizontal bars.
 * @param {string[]} rows their names
 * @param {number} wide the chart's width in units
 * @param {[number, string][]} ticks the vertical lines: unit, name
 * @param {Bar[]} shown
 * @param {string} label
 */
export function bars(rows, wide, ticks, shown, label) {
  const LEFT = 64,
    WIDTH = narrow() ? 340 : 640,
    HIGH = narrow() ? 26 : 34,
    x = (/** @type {number} */ at) => LEFT + (at * (WIDTH - LEFT)) / wide;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH + 2} ${HIGH * rows.length + 18}`,
      role: 'img',
      class: 'bars',
      'aria-label': label,
    },
    ...rows.map((name, row) => svg('text', { x: 0, y: HIGH * row + HIGH / 2 + 4 }, name)),
    ...ticks.map(([at]) => svg('line', { x1: x(at), x2: x(at), y1: 0, y2: HIGH * rows.length })),
    ...ticks.map(([at, name]) => svg('text', { x: x(at) + 3, y: HIGH * rows.length + 14 }, name)),
    ...shown.flatMap(({ row, from, to, kind, text, of, says }) => [
      mark(
        svg('rect', {
          x: x(from),
          y: HIGH * row + 2,
          width: Math.max(1, x(to) - x(from)),
          height: HIGH - 5,
          class: kind,
        }),
        of,
        says,
      ),
      ...(x(to) - x(from) > 9 * text.length
        ? [
            svg(
              'text',
              {
                x: (x(from) + x(to)) / 2,
                y: HIGH * row + HIGH / 2 + 4,
                'text-anchor': 'middle',
                class: kind === 'load' ? '' : 'on',
              },
              text,
            ),
          ]
        : []),
    ]),
  );
}
