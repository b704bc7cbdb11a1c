// Bars: kernels at one N, and a step's variants as fractions of the fastest.
import { el, svg } from '../dom.js';
import { meantBy, named, numberOf, rowAt, timesAsFast } from './chosen.js';
import { readable } from './readout.js';
import { ACCENT, BEFORE, broken, COOL, frame, INK, VARIANT } from './scales.js';

/** @typedef {import('./measured.js').Row} Row */
/** @typedef {import('./measured.js').Set_} Set_ */
/** @typedef {import('./readout.js').At} At */
/** @typedef {{label: string, row: Row, kind: string}} Bar kind: accent, before, variant or cool */

/**
 * Draws the speed of cuBLAS as a line across a chart's bars.
 * @param {Element} box
 * @param {number} tflops
 * @param {{left: number, width: number, at: number, high: number[]}} where high: y of each bar
 *   whose figure the line's label could cover
 */
function cublasLine(box, tflops, { left, width, at, high }) {
  const line = { x1: left, x2: width, y1: at, y2: at, stroke: INK, 'stroke-dasharray': '6 4' },
    y = Math.min(at, ...high.map(top => (top < at + 18 ? Math.min(at, top) - 15 : at))) - 5;
  box.append(
    svg('line', line),
    svg('text', { x: left + 6, y, class: 'strong' }, `cuBLAS ${tflops.toFixed(1)}`),
  );
}
/**
 * Draws one bar, its figure and its name.
 * @param {Bar} bar
 * @param {{x: number, each: number, y: number, line: number, bottom: number}} where line: y of
 *   cuBLAS; a figure that it would cross stands above it
 */
function barOf({ label, row, kind }, { x, each, y, line, bottom }) {
  const middle = x + each / 2,
    figure = (line < y && line > y - 18 ? line : y) - 5,
    lines = broken(label, each / 6.6),
    wide = each >= 44 && lines.every(line => line.length <= each / 6),
    fits = wide || label.length < 3;
  const name = fits
    ? svg(
        'text',
        { y: bottom + 3, 'text-anchor': 'middle' },
        ...lines.map(line => svg('tspan', { x: middle, dy: 14 }, line)),
      )
    : svg(
        'text',
        { transform: `translate(${middle + 4} ${bottom + 14}) rotate(-24)`, 'text-anchor': 'end' },
        label,
      );
  const fill = { accent: ACCENT, before: BEFORE, variant: VARIANT }[kind] || COOL;
  return svg(
    'g',
    { class: 'line' },
    svg('rect', { x: x + each * 0.1, width: each * 0.8, y, height: bottom - y, fill, rx: 3 }),
    svg(
      'text',
      { x: middle, y: figure, 'text-anchor': 'middle', class: 'strong' },
      row.tflops.toFixed(1),
    ),
    name,
  );
}
/**
 * Draws kernels at one N. A click on a bar compares the others with it.
 * @param {Set_} set
 * @param {Bar[]} list
 * @param {number} n
 * @param {number} width
 */
export function bars(set, list, n, width) {
  const below = list.every(({ label }) => label.length < 3) ? 24 : 54,
    { box, left, bottom, y } = frame(set, { width, height: 242 + below, below }),
    each = (width - left) / list.length,
    cublas = rowAt(set, 'cublas', n),
    line = y(cublas?.tflops ?? 0);
  const groups = list.map((bar, i) =>
    barOf(bar, { x: left + each * i, each, y: y(bar.row.tflops), line, bottom }),
  );
  box.append(...groups);
  // The label of cuBLAS's line is less than 90 units wide. It stands above the figures of those
  // bars below it that reach the line.
  if (cublas)
    cublasLine(box, cublas.tflops, {
      left,
      width,
      at: line,
      high: list.slice(0, Math.ceil(90 / each)).map(({ row }) => y(row.tflops)),
    });

  const values = el('p', { className: 'values' }),
    figures = list.map(({ label, row }) => `${label} ${row.tflops.toFixed(1)}`);
  /** @type {number|undefined} */
  let pinned;
  const show = (/** @type {At} */ { stop, line }) => {
    const { row } = list[stop],
      meant = meantBy(row),
      base = pinned ?? (list[stop - 1]?.row.step !== row.step ? stop - 1 : 0),
      other = base === stop ? undefined : list[base]?.row;
    groups.forEach((group, i) => group.classList.toggle('on', i === line));
    const times = (/** @type {Row|undefined} */ one, /** @type {string} */ name) =>
      one ? `, ${timesAsFast(row, one).toFixed(2)} times ${name}` : '';
    const name = other?.step === row.step ? other.variant : `step ${numberOf(other?.step || '')}`;
    values.replaceChildren(
      el('b', { textContent: `${named(row.step)}, ${row.variant}` }),
      `${meant && ` (${meant})`}: ${row.tflops.toFixed(1)} TFLOP/s` +
        `${times(cublas, 'cuBLAS')}${times(other, name)}`,
    );
    return values.textContent || '';
  };
  const bar = (/** @type {number} */ x) =>
    Math.max(0, Math.min(list.length - 1, Math.floor((x - left) / each)));
  const reading = {
    label: `TFLOP/s at N = ${n}: ${figures.join(', ')}`,
    stops: list.length,
    rest: list.length - 1,
    find: (/** @type {number} */ x) => ({ stop: bar(x), line: bar(x) }),
    show,
    pin: (/** @type {At} */ { stop }) => {
      pinned = pinned === stop ? undefined : stop;
    },
  };
  return el('div', {}, readable(box, reading), values);
}
/**
 * Draws a step's variants at one size, as fractions of the fastest one's speed.
 * @param {Row[]} rows
 * @param {number} width
 */
export function ratios(rows, width) {
  const most = Math.max(...rows.map(row => row.tflops)),
    box = svg('svg', {
      viewBox: `0 0 ${width} ${48 * rows.length}`,
      role: 'img',
      'aria-label': rows.map(row => `${row.variant} ${row.tflops.toFixed(1)}`).join(', '),
    });
  rows.forEach((row, i) => {
    const bar = { x: 0, y: 48 * i + 17, height: 8, rx: 3 },
      fast = row.tflops === most,
      style = { y: 48 * i + 12, class: fast ? 'strong' : null },
      share = fast ? ' TFLOP/s' : `, × ${(row.tflops / most).toFixed(2)}`;
    box.append(
      svg('text', { x: 0, ...style }, row.variant),
      svg('text', { x: width, 'text-anchor': 'end', ...style }, row.tflops.toFixed(1) + share),
      svg('rect', { ...bar, width, fill: 'var(--idle)' }),
      svg('rect', { ...bar, width: (width * row.tflops) / most, fill: fast ? VARIANT : BEFORE }),
      svg('text', { x: 0, y: 48 * i + 37, class: 'small' }, meantBy(row)),
    );
  });
  return box;
}
