// Curves over N: a line per step, names at their ends, and the values at one N below.
import { el, svg } from '../dom.js';
import { lastOf, linkOf, named, numberOf, sizeOf, timesAsFast } from './chosen.js';
import { leadOf } from './messages.js';
import { readable } from './readout.js';
import { ACCENT, along, apart, BEFORE, COOL, INK, SOFT } from './scales.js';
import { frame, freeSpot, least, nearest, overN, ranked, sharedSizes } from './scales.js';

/** @typedef {import('./measured.js').Row} Row */
/** @typedef {import('./measured.js').Set_} Set_ */
/** @typedef {import('./readout.js').At} At */
/**
 * @typedef {object} Line
 * @property {string} step
 * @property {string} kind accent, before, cublas, or '': one of many
 * @property {Row[]} rows by N
 * @property {string} colour
 */

/**
 * Returns a text that can be read on lines.
 * @param {Record<string, string|number>} where
 * @param {string} said
 */
export const halo = (where, said) => svg('text', { class: 'strong halo', ...where }, said);
/**
 * Returns a text beside a point, and a line to it unless it is near. Adds it to what is taken.
 * @param {string} said
 * @param {import('./scales.js').Space} space
 * @param {{x: number, y: number, colour: string, class?: string}} where
 * @param {number[][]} [first] places that are tried first, as in freeSpot()
 */
export function beside(said, space, { x, y, colour, ...more }, first) {
  const width = 6.4 * said.length,
    spot = freeSpot(space, { x, y, width }, first);
  if (!spot) return []; // no room on a narrow screen
  const { side, part } = spot,
    anchor = ['start', 'middle', 'end'][2 * part],
    where = { x: side, y: spot.y, 'text-anchor': anchor, style: `fill: ${colour}` },
    text = halo({ ...where, ...more }, said);
  for (let at = 0; at <= width; at++) space.taken.push({ x: spot.x + at, y: spot.y - 5 });
  if (Math.abs(spot.y - 5 - y) < (side > x + 10 ? 6 : 20)) return [text];
  const d = `M${x + 6 - 12 * part} ${y}L${side - 3} ${spot.y - 5}`;
  return [svg('path', { class: 'leader', d }), text];
}
/**
 * Returns those of the lines that were measured, with their rows and colours.
 * @param {Set_} set
 * @param {{step: string, kind: string}[]} given
 * @returns {Line[]}
 */
export function linesOf(set, given) {
  return given
    .map((line, i) => {
      const shade = `color-mix(in oklab, ${COOL} ${45 + (55 * i) / given.length}%, var(--panel))`,
        colour = { accent: ACCENT, cublas: INK, before: BEFORE }[line.kind] || shade;
      return { ...line, rows: lastOf(set, line.step), colour };
    })
    .filter(line => line.rows.length);
}
/**
 * Returns a line's marker. Each kind of line has a shape, so that kinds differ not only in colour.
 * @param {Line} line
 * @param {number} x
 * @param {number} y
 * @param {boolean} hollow
 */
function marker({ kind, colour }, x, y, hollow) {
  const paint = {
    class: hollow ? 'hollow' : null,
    fill: hollow ? 'var(--panel)' : colour,
    stroke: colour,
    'stroke-width': 1.5,
  };
  if (kind === 'before') return svg('rect', { x: x - 3, y: y - 3, width: 6, height: 6, ...paint });
  if (kind === 'cublas') return svg('path', { d: `M${x},${y - 4}l4,4l-4,4l-4,-4z`, ...paint });
  return svg('circle', { cx: x, cy: y, r: 3.3, ...paint });
}
/**
 * Draws a line through multiples of 128, and its points.
 * @param {Line} line
 * @param {(n: number) => number} x
 * @param {(value: number) => number} y
 * @param {boolean} [plain] true: without the points
 */
export function lineOf(line, x, y, plain = false) {
  const points = line.rows.map(({ n, tflops }) => ({ n, x: x(n), y: y(tflops) })),
    even = points.filter(({ n }) => n % 128 === 0);
  const group = svg(
    'g',
    { class: plain ? null : 'line' },
    svg('polyline', {
      points: even.map(point => `${point.x},${point.y}`).join(' '),
      fill: 'none',
      stroke: line.colour,
      'stroke-width': line.kind === 'accent' ? 3 : 1.8,
      'stroke-dasharray': line.kind === 'cublas' ? '6 4' : null,
    }),
    ...(plain
      ? []
      : points.map(point => marker(line, point.x, point.y, point.n % 128 !== 0))),
  );
  const taken = [...(plain ? [] : line.kind ? points : even), ...along(even)];
  return { group, points, taken, end: even[even.length - 1] || points[points.length - 1] };
}
/** @typedef {{i: number, line: Line, value: number|undefined, ratio: string}} Value of a line */
/**
 * Returns the values of lines at an N, in the order of the lines.
 * @param {Line[]} lines
 * @param {number} n
 * @param {Line|undefined} base what they are compared with
 * @returns {Value[]}
 */
export function valuesAt(lines, n, base) {
  const rowOf = (/** @type {Line|undefined} */ line) => line?.rows.find(row => row.n === n),
    other = rowOf(base);
  return lines.map((line, i) => {
    const row = rowOf(line),
      ratio = row && other && line !== base ? timesAsFast(row, other).toFixed(2) : '';
    return { i, line, value: row?.tflops, ratio };
  });
}
/**
 * Writes the values at an N as a list.
 * @param {HTMLElement} place
 * @param {number} n
 * @param {Value[]} values
 * @param {{base: string, front: number|null, many: boolean}} how
 */
function list(place, n, values, { base, front, many }) {
  const key = (/** @type {Line} */ line) =>
    svg(
      'svg',
      { viewBox: '0 0 24 10', 'aria-hidden': 'true' },
      svg('path', {
        d: 'M0 5h24',
        stroke: line.colour,
        'stroke-width': 2,
        'stroke-dasharray': line.kind === 'cublas' ? '5 4' : null,
      }),
      marker(line, 12, 5, false),
    );
  place.replaceChildren(
    el(
      'p',
      {},
      el('b', { textContent: `N = ${n}` }),
      `: TFLOP/s${base && `, and times ${base}`}. Choose a line to compare with it.` +
        (many ? ' Hollow points: of that line, of the best one and of the one pointed at.' : ''),
    ),
    el(
      'ol',
      {},
      ...values.map(({ i, line, value, ratio }) =>
        el(
          'li',
          { className: i === front ? 'on' : '' },
          key(line),
          el('span', { textContent: named(line.step) }),
          el('b', { textContent: value?.toFixed(1) ?? '–' }),
          el('span', { textContent: ratio && `× ${ratio}` }),
        ),
      ),
    ),
  );
}
/**
 * Returns the names at the lines' ends, which lead to the lessons.
 * @param {Line[]} lines
 * @param {import('./scales.js').Spot[]} ends
 * @param {number} x the edge of the chart, or a name is beside an end that is far from it
 * @param {boolean} short
 * @param {import('./scales.js').Space} space
 */
function names(lines, ends, x, short, space) {
  const from = (/** @type {import('./scales.js').Spot} */ end) =>
    x - end.x > 60 ? end.x + 16 : x;
  return lines.map(({ step, kind }, i) => {
    const end = ends[i],
      same = ends.filter(other => from(other) === from(end)),
      height = apart(same.map(other => other.y), 16)[same.indexOf(end)],
      link = linkOf(step),
      name = short && link ? String(numberOf(step)) : named(step),
      strong = kind === 'accent' || kind === 'cublas' ? 'strong' : '',
      spots = [[0, from(end) - end.x, height - end.y + 4]],
      parts = beside(name, space, { ...end, colour: '', class: `${strong} halo` }, spots),
      text = parts.pop() || '',
      href = link?.getAttribute('href');
    return [...parts, href ? svg('a', { href, tabindex: -1 }, text) : text];
  });
}
/**
 * Marks where a step passes cuBLAS, and where its lead is the greatest.
 * @param {Set_} set
 * @param {string} step
 * @param {(n: number) => number} x
 * @param {(value: number) => number} y
 * @param {import('./scales.js').Space} space
 */
function marks(set, step, x, y, space) {
  const { from, most } = leadOf(set, step);
  if (!from) return [];
  const ring = (/** @type {Row} */ { n, tflops }) =>
    svg('circle', { cx: x(n), cy: y(tflops), r: 7, class: 'mark' });
  const name = (/** @type {Row} */ { n, tflops }, /** @type {string} */ said) =>
    beside(said, space, { x: x(n), y: y(tflops), colour: SOFT, class: 'halo' }, [
      [0.5, 0, -12],
      [0.5, 0, 16],
    ]);
  return [
    ...name(from.row, 'passes cuBLAS'),
    ring(from.row),
    ...(most.row.n > 2 * from.row.n && x(16) - x(8) > 80
      ? [...name(most.row, `best lead × ${most.ratio.toFixed(2)}`), ring(most.row)]
      : []),
  ];
}
/**
 * Draws lines and the names at their ends, and an empty cursor.
 * @param {Set_} set
 * @param {Line[]} lines
 * @param {number} width
 * @param {string} top the step whose passing of cuBLAS is marked; '': none
 */
function plotOf(set, lines, width, top) {
  const short = width < 560,
    right = short ? 64 : 168,
    edge = width - right,
    { box, left, bottom, y } = frame(set, { width, height: 340, right });
  const sizes = lines.flatMap(line => line.rows.map(row => row.n)),
    x = overN(sizes, { from: left + 12, to: edge - 20, y: bottom + 16, box }),
    drawn = lines.map(line => lineOf(line, x, y));
  const cursor = svg('g', { class: 'cursor' }),
    taken = drawn.flatMap(one => one.taken),
    space = { taken, to: edge + 12, bottom },
    rest = x(sizeOf(lines.flatMap(line => line.rows)));
  taken.push(...along([{ x: rest, y: 22 }, { x: rest, y: bottom }])); // the cursor's
  if (set.peak) for (let at = left; at < edge + 20; at += 6) taken.push({ x: at, y: y(set.peak) });
  const ends = drawn.map(one => one.end);
  names(lines, ends, edge + 6, short, { ...space, to: width }).forEach((parts, i) =>
    drawn[i].group.append(...parts),
  );
  box.append(
    svg('text', { x: left, y: bottom + 32 }, 'N; hollow: no multiple of 128'),
    ...drawn.map(one => one.group),
    ...(top ? marks(set, top, x, y, space) : []),
    cursor,
  );
  /** @type {(n: number, values: Value[], front: Value|undefined) => void} */
  const cursorAt = (n, values, front) => {
    const circles = values.flatMap(({ line, value }) =>
      value ? svg('circle', { cx: x(n), cy: y(value), r: 6, stroke: line.colour }) : [],
    );
    const text = front?.value && front.value.toFixed(1) + (front.ratio && ` · × ${front.ratio}`);
    const at = { x: x(n), y: y(front?.value ?? 0), colour: INK },
      said = text ? beside(text, { ...space, taken: [...taken] }, at) : [];
    cursor.replaceChildren(
      svg('path', { d: `M${x(n)} 22V${bottom}` }),
      halo({ x: x(n), y: 16, 'text-anchor': 'middle' }, String(n)),
      ...circles,
      ...said,
    );
    drawn.forEach(({ group }, i) => group.classList.toggle('on', i === front?.i));
  };
  return { box, drawn, edge, sizes, cursorAt };
}
/**
 * Draws a chart over N: lines through multiples of 128, hollow points for other sizes. A click on a
 * line compares the others with it.
 * @param {Set_} set
 * @param {{step: string, kind: string}[]} given
 * @param {number} width
 * @param {string} [top] the step whose passing of cuBLAS is marked
 */
export function curves(set, given, width, top = '') {
  const lines = linesOf(set, given),
    { box, drawn, edge, sizes, cursorAt } = plotOf(set, lines, width, top),
    stops = sharedSizes(sizes, lines.length),
    stopOf = (/** @type {number} */ n) => least(stops.map(stop => Math.abs(Math.log(stop / n)))),
    rest = stopOf(sizeOf(lines.flatMap(line => line.rows))),
    order = ranked(valuesAt(lines, stops[rest], undefined)).map(one => one.i),
    below = el('div', { className: 'values' }),
    many = lines.length > 4; // all their hollow points would hide each other
  box.classList.toggle('many', many);
  let base = lines.find(line => line.kind === 'cublas');
  const best = lines.map(({ step, rows }) => {
    const most = Math.max(...rows.map(row => row.tflops));
    return `${named(step)} up to ${most.toFixed(1)}`;
  });
  /** @type {import('./readout.js').Reading} */
  const reading = {
    label: `TFLOP/s over N: ${best.join(', ')}`,
    stops: stops.length,
    rest,
    find(x, y, now) {
      const name = drawn.findIndex(({ group }) => group.querySelector('text:hover'));
      if (name >= 0) return { ...now, line: name };
      if (x > edge) return now;
      const near = nearest(drawn.map(one => one.points), x, y);
      return { line: near.line, stop: stopOf(near.n) };
    },
    other({ line }, step) {
      const at = line === null ? (step > 0 ? -1 : 0) : order.indexOf(line);
      return order[(at + step + order.length) % order.length];
    },
    show({ stop, line }) {
      const n = stops[stop],
        all = valuesAt(lines, n, base),
        values = order.map(i => all[i]), // one order at each N, so no line of the list moves
        front = values.find(one => one.i === line),
        other = base ? named(base.step) : '';
      cursorAt(n, values, front);
      drawn.forEach(({ group }, i) =>
        group.classList.toggle('kept', lines[i] === base || lines[i].kind === 'accent'),
      );
      list(below, n, values, { base: other, front: line, many });
      const { line: said, value, ratio } = front || values[0];
      return (
        `N = ${n}: ${named(said.step)} ${value ? `${value.toFixed(1)} TFLOP/s` : 'not measured'}` +
        (ratio && `, ${ratio} times ${other}`)
      );
    },
    pin({ line }) {
      if (line !== null) base = base === lines[line] ? undefined : lines[line];
    },
  };
  return el('div', {}, readable(box, reading), below);
}
