// Small multiples: each step over N beside the one before it and cuBLAS, and below it its variants.
// They have one scale, and all show the N that the reader chooses in one of them.
import { el, svg } from '../dom.js';
import { linkOf, named, sizeOf } from './chosen.js';
import { ratios } from './bars.js';
import { beside, halo, lineOf, linesOf, valuesAt } from './curves.js';
import { gained } from './messages.js';
import { readable } from './readout.js';
import { frame, nearest, overN, ranked } from './scales.js';

/** @typedef {import('./measured.js').Set_} Set_ */
/** @typedef {import('./curves.js').Line} Line */

/**
 * Shows the values of a small chart's lines at an N, at a line through the chart.
 * @param {Element} cursor
 * @param {Line[]} lines
 * @param {{n: number, x: number, y: (value: number) => number}} where
 * @param {import('./scales.js').Space} space
 */
function mark(cursor, lines, { n, x, y }, space) {
  const labels = ranked(valuesAt(lines, n, undefined)).flatMap(({ line, value }) =>
    value ? [{ line, value }] : [],
  );
  cursor.replaceChildren(
    svg('path', { d: `M${x} 22V${space.bottom}` }),
    halo({ x, y: 16, 'text-anchor': 'middle' }, String(n)),
    ...labels.flatMap(({ line: { colour }, value }) => [
      svg('circle', { cx: x, cy: y(value), r: 5, stroke: colour }),
      ...beside(value.toFixed(1), space, { x, y: y(value), colour }),
    ]),
  );
  const said = labels.map(({ line, value }) => `${named(line.step)} ${value.toFixed(1)}`);
  return `N = ${n}: ${said.join(', ')}`;
}
/**
 * @param {Set_} set
 * @param {Line[]} lines
 * @param {number} width
 * @param {(n: number, on: boolean) => void} tell called with the N that the reader chooses; `on` is
 *   false when the reader leaves the chart
 */
function smallCurves(set, lines, width, tell) {
  const { box, left, bottom, y } = frame(set, { width, height: 176, below: 24, plain: true });
  const all = lines.flatMap(line => line.rows.map(row => row.n)),
    own = lines[lines.length - 1],
    sizes = own.rows.map(row => row.n);
  const x = overN(all, { from: left + 8, to: width - 8, y: bottom + 16, box });
  const drawn = lines.map(line => lineOf(line, x, y, true)),
    cursor = svg('g', { class: 'cursor' });
  box.append(
    svg('text', { x: left - 6, y: bottom + 16, 'text-anchor': 'end' }, 'N'),
    ...drawn.map(one => one.group),
    cursor,
  );
  const shows = (/** @type {number} */ n, on = true) => {
    const taken = drawn.flatMap(one => one.taken),
      said = mark(cursor, lines, { n, x: x(n), y }, { taken, to: width, bottom });
    if (!on) cursor.replaceChildren();
    return said;
  };
  const reading = {
    label: `${named(own.step)} over N`,
    stops: sizes.length,
    rest: sizes.indexOf(sizeOf(own.rows)),
    find: (/** @type {number} */ px, /** @type {number} */ py) => {
      const stop = sizes.indexOf(nearest([drawn[drawn.length - 1].points], px, py).n);
      return { stop, line: stop };
    },
    show: (/** @type {import('./readout.js').At} */ { stop, line }) => {
      tell(sizes[stop], line !== null);
      return shows(sizes[stop], line !== null);
    },
  };
  return { part: readable(box, reading), shows };
}
/**
 * Draws all steps.
 * @param {Set_} set
 * @param {string[]} rungs
 * @param {{wide: number, n: number}} size n: that of the variants
 */
export function small(set, rungs, { wide, n }) {
  const columns = wide > 700 ? 3 : wide > 460 ? 2 : 1,
    width = (wide - (columns - 1) * 28) / columns;
  /** @type {((n: number, on: boolean) => void)[]} */
  const others = [];
  const tell = (/** @type {number} */ chosen, /** @type {boolean} */ on) =>
    others.forEach(shows => shows(chosen, on));
  return rungs.map((step, i) => {
    const lines = linesOf(set, [
      ...(i ? [{ step: rungs[i - 1], kind: 'before' }] : []),
      { step: 'cublas', kind: 'cublas' },
      { step, kind: 'accent' },
    ]);
    const { part, shows } = smallCurves(set, lines, width, tell);
    others.push(shows);
    const textContent = gained(set, step, rungs[i - 1], n);
    const name = el('a', {
      href: linkOf(step)?.getAttribute('href') || `${step}.html`,
      textContent: named(step),
    });
    return el(
      'div',
      {},
      el('p', { className: 'name' }, name, el('small', { textContent })),
      part,
      ratios(
        set.rows.filter(row => row.step === step && row.n === n),
        width,
      ),
    );
  });
}
