// Draws charts of measurements in the page: earlier steps in grey, the current step in the accent
// colour, names at the lines, the message as the title. The reader chooses whose measurements the
// charts show.
import { el, svg } from '../dom.js';

/**
 * @typedef {{step: string, variant: string, n: number, tflops: number, last?: string, device?:
 *   string, driver?: string, time?: string, commit?: string, pct_peak?: string, vs_cublas?:
 *   string, gain?: string}} Row
 */
/**
 * @typedef {{own: boolean, name: string, said: string, rows: Row[], peak: number, commits: string}}
 *   Set_
 */

const ACCENT = 'var(--accent)',
  INK = 'var(--ink)',
  SOFT = 'var(--soft)',
  BEFORE = 'var(--before)',
  COOL = 'var(--cool)',
  VARIANT = 'var(--variant)';
/**
 * Returns the rows of a results CSV that charts show: bursts of square sizes on one GPU with alpha
 * 1, beta 0 and uniform inputs, unless the check failed. Of each kernel and size, the last row.
 * @param {string} csv
 * @returns {Row[]}
 */
function rowsOf(csv) {
  const lines = csv.trim().split(/\r?\n/),
    names = /** @type {string} */ (lines.shift()).replaceAll('"', '').split(','),
    rows = new Map();
  for (const line of lines) {
    const cells = line.split(','),
      row = Object.fromEntries(
        names.map((name, i) => [name, (cells[i] ?? '').replaceAll('"', '')]),
      ),
      n = +row.n,
      tflops = +row.tflops;
    if (!(tflops > 0) || !(n > 0) || !row.step) continue;
    if (
      row.m !== undefined &&
      (+row.m !== n ||
        +row.k !== n ||
        +row.lda !== n ||
        +row.ldb !== n ||
        +row.ldc !== n ||
        row.mode !== 'burst' ||
        row.backend !== 'gpu' ||
        +row.alpha !== 1 ||
        +row.beta !== 0 ||
        row.check?.startsWith('f') ||
        (row.inputs || 'uniform') !== 'uniform' ||
        +(row.gpus || 1) !== 1 ||
        row.variant === 'default')
    )
      continue;
    rows.set([row.step, row.variant, n].join(), { ...row, n, tflops });
  }
  return [...rows.values()];
}
/**
 * @param {{origin?: string, peak?: number, csv: string, own?: boolean, commits?: string}} given
 * @returns {Set_}
 */
export function dataset({ origin = '', peak = 0, csv, own = false, commits = '' }) {
  const rows = rowsOf(csv),
    first = rows.find(row => row.device),
    said =
      origin ||
      (first
        ? `${first.device}, driver ${first.driver}, ${(first.time || '').slice(0, 10)}, commit ` +
          `${first.commit}`
        : ''),
    top = rows.find(row => Number(row.pct_peak) > 0);
  return {
    own,
    commits,
    name:
      (own ? 'this run: ' : '') +
      said.split(',')[0].replace(/^NVIDIA ([A-Z]+\d+\b).*|^NVIDIA /, '$1'),
    said,
    rows,
    peak: peak || (top ? (100 * top.tflops) / Number(top.pct_peak) : 0),
  };
}

/** @type {Set_[]|null} */
let sets = null;
let chosen = 0;
const stored = () => {
  try {
    return localStorage.getItem('own');
  } catch {
    return null;
  }
};
function readSets() {
  sets = DATA.map(dataset).filter(set => set.rows.length);
  chosen = Math.max(
    0,
    sets.findIndex(set => set.own),
  );
  const own = stored();
  if (own) sets.push({ ...dataset({ csv: own }), name: 'yours' });
}
/**
 * @param {string} csv
 * @param {string} name
 */
export function readOwn(csv, name) {
  const own = dataset({ csv });
  if (!own.rows.length)
    return alert(
      `${name}: it has no times of square sizes in bursts. Choose a results.csv that ` +
        'build/ladder --csv or run_all.sh wrote.',
    );
  own.name = `yours: ${own.name}`;
  if (!sets) readSets();
  sets = [.../** @type {Set_[]} */ (sets).filter(set => !set.name.startsWith('yours')), own];
  chosen = sets.length - 1;
  try {
    localStorage.setItem('own', csv);
  } catch {
    /* storage is full or forbidden: the data are lost with the page */
  }
  drawAll();
}
/** @param {File|undefined|null} file */
export const readFile = file =>
  !file
    ? undefined
    : file.size > 2e7
      ? alert(`${file.name} has ${Math.round(file.size / 1e6)} MB; a results.csv has less than 20.`)
      : file.text().then(text => readOwn(text, file.name));

/**
 * Returns a step's number and its name in the sidebar, e.g. "7 z-order".
 * @param {string} step
 */
function named(step) {
  const link = document.querySelector(`.side [data-lesson="${CSS.escape(step)}.html"]`);
  if (link?.textContent) return `${Number(step.slice(0, 2))} ${link.textContent}`;
  return step === 'cublas' ? 'cuBLAS' : step.replaceAll('_', ' ').replace(/^0/, '');
}
/**
 * Returns the rows of a step's last variant, by size: the variant that is last in the course's
 * results or, if the set lacks that variant, the one measured last.
 * @param {Set_} set
 * @param {string} step
 */
function lastOf(set, step) {
  const rows = set.rows.filter(row => row.step === step),
    known = /** @type {Set_[]} */ (sets)[0].rows.find(row => row.step === step && row.last === '1');
  const variant =
    known && rows.some(row => row.variant === known.variant)
      ? known.variant
      : rows[rows.length - 1]?.variant;
  return rows.filter(row => row.variant === variant).sort((a, b) => a.n - b.n);
}

/**
 * Returns an empty chart with a scale from 0; the caller draws the x axis.
 * @param {number} width
 * @param {number} height
 * @param {Set_} set
 * @param {string} title
 * @param {number} right space for names at the lines
 * @param {number} every distance of the scale's lines; 0: it depends on the scale's top
 */
function frame(width, height, set, title, right = 0, every = 0) {
  const top =
      Math.max(
        set.peak,
        ...set.rows.filter(row => !/^1[135]_/.test(row.step)).map(row => row.tflops),
      ) * 1.06,
    left = 34,
    bottom = height - 38,
    y = (/** @type {number} */ value) => bottom - (value / top) * (bottom - 22);
  const box = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title });
  for (let v = 0; v <= top; v += every || (top > 30 ? 10 : top > 8 ? 2 : 1))
    box.append(
      svg('line', { x1: left, x2: width - right, y1: y(v), y2: y(v), class: 'grid' }),
      svg('text', { x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, String(v)),
    );
  box.append(svg('text', { x: 0, y: 10 }, 'TFLOP/s'));
  if (set.peak)
    box.append(
      svg('line', {
        x1: left,
        x2: width - right,
        y1: y(set.peak),
        y2: y(set.peak),
        stroke: SOFT,
        'stroke-dasharray': '2 4',
      }),
      svg(
        'text',
        {
          x: right ? width - right + 6 : width,
          y: right ? y(set.peak) + 4 : y(set.peak) - 5,
          'text-anchor': right ? null : 'end',
        },
        right ? `peak ${set.peak.toFixed(1)}` : `FP32 peak ${set.peak.toFixed(1)}`,
      ),
    );
  return { box, left, bottom, y };
}

/**
 * Returns a label on two lines, broken at its last blank. A step's number and a single word stay on
 * one line.
 * @param {string} label
 * @param {number} x of its middle
 */
function twoLines(label, x) {
  const at = label.lastIndexOf(' ');
  if (at < 3) return [label];
  return [label.slice(0, at), svg('tspan', { x, dy: 14 }, label.slice(at + 1))];
}
/**
 * Draws the speed of cuBLAS as a line across a chart's bars.
 * @param {Element} box
 * @param {number} tflops
 * @param {{left: number, width: number, at: number, high: number[]}} where high: y above each bar
 *   that the line's label could cover
 */
function cublasLine(box, tflops, { left, width, at, high }) {
  const line = { x1: left, x2: width, y1: at, y2: at, stroke: INK, 'stroke-dasharray': '6 4' },
    y = Math.min(at - 5, ...high.filter(top => top < at - 5));
  box.append(
    svg('line', line),
    svg('text', { x: left + 6, y, class: 'strong' }, `cuBLAS ${tflops.toFixed(1)}`),
  );
}
/**
 * @param {Set_} set
 * @param {{label: string, row: Row, kind: string}[]} list
 * @param {number} n
 * @param {number} width
 */
function bars(set, list, n, width) {
  const title =
      `TFLOP/s at N = ${n}: ` +
      `${list.map(item => `${item.label} ${item.row.tflops.toFixed(1)}`).join(', ')}`,
    { box, left, bottom, y } = frame(width, 280, set, title),
    each = (width - left) / list.length,
    crowded = list.some(({ label }, i) => i && 3.4 * (label + list[i - 1].label).length > each);
  const cublas = lastOf(set, 'cublas').find(row => row.n === n);
  list.forEach(({ label, row, kind }, i) => {
    const x = left + each * i,
      narrow = each < 64;
    box.append(
      svg(
        'rect',
        {
          x: x + each * 0.1,
          width: each * 0.8,
          y: y(row.tflops),
          height: bottom - y(row.tflops),
          fill: { accent: ACCENT, before: BEFORE, variant: VARIANT }[kind] || COOL,
          rx: 3,
        },
        svg('title', {}, `${named(row.step)}, ${row.variant}: ${row.tflops} TFLOP/s at N = ${n}`),
      ),
      svg(
        'text',
        { x: x + each / 2, y: y(row.tflops) - 5, 'text-anchor': 'middle', class: 'strong' },
        row.tflops.toFixed(1),
      ),
      svg(
        'text',
        narrow
          ? {
              transform: `translate(${x + each / 2 + 4} ${bottom + 14}) rotate(-24)`,
              'text-anchor': 'end',
            }
          : { x: x + each / 2, y: bottom + 17, 'text-anchor': 'middle' },
        ...(narrow || !crowded ? [label] : twoLines(label, x + each / 2)),
      ),
    );
  });
  if (cublas) {
    // The label of cuBLAS's line is less than 90 units wide. It stands above the figures of those
    // bars below it that reach the line.
    const high = list.slice(0, Math.ceil(90 / each)).map(({ row }) => y(row.tflops) - 20);
    cublasLine(box, cublas.tflops, { left, width, at: y(cublas.tflops), high });
  }
  return box;
}

/**
 * Moves labels down until they are `gap` apart and not above `top`. Returns the labels.
 * @template {{y: number}} Label
 * @param {Label[]} labels
 * @param {number} gap
 * @param {number} [top]
 */
export function apart(labels, gap, top = 12) {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  sorted.forEach((label, i) => {
    label.y = Math.max(label.y, i ? sorted[i - 1].y + gap : top);
  });
  return labels;
}
/**
 * Returns a line's marker. Each kind of line has a shape, so that kinds differ not only in colour.
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 * @param {boolean} hollow
 * @param {string} colour
 * @param {Node} title
 */
function marker(kind, x, y, hollow, colour, title) {
  const paint = { fill: hollow ? 'var(--panel)' : colour, stroke: colour, 'stroke-width': 1.5 };
  if (kind === 'before')
    return svg('rect', { x: x - 3, y: y - 3, width: 6, height: 6, ...paint }, title);
  if (kind === 'cublas')
    return svg('path', { d: `M${x},${y - 4}l4,4l-4,4l-4,-4z`, ...paint }, title);
  return svg('circle', { cx: x, cy: y, r: 3.3, ...paint }, title);
}
/**
 * Returns the colour of a line.
 * @param {string} kind
 * @param {number} share the shade of an unnamed kind, from 0 to 1
 */
function colourOf(kind, share) {
  const known = /** @type {Record<string, string>} */ ({
    accent: ACCENT,
    cublas: INK,
    before: BEFORE,
  })[kind];
  return known || `color-mix(in oklab, var(--cool) ${30 + 70 * share}%, var(--panel))`;
}
/**
 * Draws a step's line through multiples of 128, and its points.
 * @param {{kind: string, rows: Row[]}} line
 * @param {string} colour
 * @param {(n: number) => number} x
 * @param {(value: number) => number} y
 */
function lineParts({ kind, rows }, colour, x, y) {
  const even = rows.filter(row => row.n % 128 === 0);
  const line = svg('polyline', {
    points: even.map(row => `${x(row.n)},${y(row.tflops)}`).join(' '),
    fill: 'none',
    stroke: colour,
    'stroke-width': kind === 'accent' ? 3 : 1.8,
    'stroke-dasharray': kind === 'cublas' ? '6 4' : null,
  });
  const point = (/** @type {Row} */ row) => {
    const title = svg(
      'title',
      {},
      `${named(row.step)}, ${row.variant}: ${row.tflops} TFLOP/s at N = ${row.n}`,
    );
    return marker(kind, x(row.n), y(row.tflops), row.n % 128 !== 0, colour, title);
  };
  return { parts: [line, ...rows.map(point)], end: even[even.length - 1] || rows[rows.length - 1] };
}
/**
 * Draws a chart over N: lines through multiples of 128, hollow points for other sizes.
 * @param {Set_} set
 * @param {{step: string, kind: string}[]} lines
 * @param {number} width
 */
function curves(set, lines, width) {
  const shown = lines
    .map(line => ({ ...line, rows: lastOf(set, line.step) }))
    .filter(line => line.rows.length);
  const all = shown.flatMap(line => line.rows.map(row => row.n)),
    low = Math.log2(Math.min(...all)),
    high = Math.log2(Math.max(...all)),
    right = width < 560 ? 132 : 168;
  const said =
    'TFLOP/s over N: ' +
    shown
      .map(
        ({ step, rows }) =>
          `${named(step)} up to ${Math.max(...rows.map(row => row.tflops)).toFixed(1)}`,
      )
      .join(', ');
  const { box, left, bottom, y } = frame(width, 340, set, said, right);
  const x = (/** @type {number} */ n) =>
    left + 12 + ((Math.log2(n) - low) / (high - low || 1)) * (width - left - right - 24);
  for (let n = 2 ** Math.ceil(low); n <= 2 ** high; n *= width < 480 ? 4 : 2) {
    box.append(svg('text', { x: x(n), y: bottom + 16, 'text-anchor': 'middle' }, String(n)));
  }
  box.append(svg('text', { x: left, y: bottom + 32 }, 'N; hollow: no multiple of 128'));
  const ends = shown.map((line, i) => {
    const { parts, end } = lineParts(
      line,
      colourOf(line.kind, i / shown.length),
      x,
      y,
    );
    box.append(...parts);
    return {
      y: y(end.tflops) + 4,
      name: named(line.step),
      strong: line.kind === 'accent' || line.kind === 'cublas',
    };
  });
  if (set.peak) ends.push({ y: y(set.peak) + 4, name: '', strong: false });
  for (const end of apart(ends, 14)) {
    const most = right > 132 ? 25 : 18;
    const name = end.name.length > most ? `${end.name.slice(0, most - 1)}…` : end.name;
    if (name)
      box.append(
        svg('text', { x: width - right + 6, y: end.y, class: end.strong ? 'strong' : null }, name),
      );
  }
  return box;
}

/**
 * @param {Row[]} rows
 * @param {Set_} set
 */
function figures(rows, set) {
  return el(
    'details',
    {},
    el('summary', { textContent: 'The figures' }),
    ...(set.commits
      ? [el('p', { className: 'soft', textContent: `Measured at commits ${set.commits}.` })]
      : []),
    el(
      'div',
      { className: 'table' },
      el(
        'table',
        {},
        el(
          'tr',
          {},
          ...['step', 'variant', 'N', 'TFLOP/s'].map(name => el('th', { textContent: name })),
        ),
        ...rows.map(row =>
          el(
            'tr',
            {},
            ...[named(row.step), row.variant, row.n, row.tflops.toFixed(2)].map(cell =>
              el('td', { textContent: String(cell) }),
            ),
          ),
        ),
      ),
    ),
  );
}
/**
 * @param {Set_} set
 * @param {string} step
 * @param {number} n
 */
const valueAt = (set, step, n) => lastOf(set, step).find(row => row.n === n)?.tflops;
/**
 * Returns how many times as fast as cuBLAS a step's last variant is. If cuBLAS was timed in the
 * variant's run, this is that run's ratio.
 * @param {Set_} set
 * @param {string} step
 * @param {number} n
 */
function overCublas(set, step, n) {
  const row = lastOf(set, step).find(one => one.n === n),
    cublas = valueAt(set, 'cublas', n);
  return row && Number(row.vs_cublas) > 0
    ? Number(row.vs_cublas)
    : row && cublas
      ? row.tflops / cublas
      : null;
}
/**
 * Returns the message of a chart, made from its data.
 * @param {Set_} set
 * @param {string} kind
 * @param {string|undefined} here
 * @param {string|undefined} before
 * @param {number} n
 * @param {string[]} rungs
 */
function message(set, kind, here, before, n, rungs) {
  const over = (/** @type {string} */ step) => overCublas(set, step, n)?.toFixed(2) ?? '';
  if (kind === 'step') {
    const value = here && valueAt(set, here, n),
      earlier = before && valueAt(set, before, n);
    if (!here || !value) return '';
    const gain = lastOf(set, here).find(row => row.n === n)?.gain;
    return (
      `${named(here)}: ${value.toFixed(1)} TFLOP/s at N = ` +
      n +
      (earlier
        ? `, ${gain || (value / earlier).toFixed(2)} times step ${Number(before.slice(0, 2))}`
        : '') +
      (over(here) ? `, ${over(here)} times cuBLAS` : '')
    );
  }
  const values = rungs.map(step => valueAt(set, step, n)).filter(Boolean),
    first = values[0],
    last = values[values.length - 1];
  if (!first || !last) return 'TFLOP/s';
  const top = rungs[rungs.length - 1];
  if (kind === 'ladder')
    return (
      `From ${first.toFixed(1)} to ${last.toFixed(1)} TFLOP/s in ${values.length} steps` +
      `${over(top) ? `: ${over(top)} times cuBLAS` : ''} (N = ${n})`
    );
  const compared = lastOf(set, top)
    .filter(row => row.n % 128 === 0 && valueAt(set, 'cublas', row.n))
    .sort((a, b) => a.n - b.n);
  const ahead = compared.map(row => row.tflops > Number(valueAt(set, 'cublas', row.n)));
  const from = compared[ahead.lastIndexOf(false) + 1];
  if (from) return `${named(top)} is faster than cuBLAS from N = ${from.n} on`;
  const won = ahead.filter(Boolean).length;
  return won
    ? `${named(top)} is faster than cuBLAS at ${won} of ${compared.length} sizes`
    : 'The fastest variant of each step over N';
}

/** Returns the N of a chart: 4096 if it was measured, else the largest. @param {Row[]} rows */
function sizeOf(rows) {
  const sizes = [...new Set(rows.map(row => row.n))];
  return sizes.includes(4096) ? 4096 : Math.max(...sizes);
}
/**
 * @typedef {object} Drawn
 * @property {string} said the chart's message
 * @property {Row[]} rows its figures
 * @property {Node[]} parts
 */
/**
 * @typedef {object} Given
 * @property {Set_} set
 * @property {string[]} names of steps
 * @property {string[]} rungs the nine steps of the ladder
 * @property {{step: string, kind: string}[]} cublas the line of cuBLAS, if it was measured
 * @property {number} wide pixels
 * @property {number} half pixels of one of two charts side by side
 */

/**
 * Draws a step and the one before it over N, and the step's variants at one size.
 * @param {Given} given
 * @param {string} step
 * @returns {Drawn}
 */
function stepChart({ set, names, rungs, cublas, half }, step) {
  const here = names.find(name => name.startsWith(step));
  if (!here) return { said: `Step ${step} was not measured here.`, rows: [], parts: [] };
  const before = rungs.includes(here) ? rungs[rungs.indexOf(here) - 1] : undefined;
  const own = set.rows.filter(row => row.step === here),
    n = sizeOf(own),
    last = lastOf(set, here)[0]?.variant;
  const first = before && lastOf(set, before).find(row => row.n === n);
  const lines = [
    ...(before ? [{ step: before, kind: 'before' }] : []),
    ...cublas,
    { step: here, kind: 'accent' },
  ];
  const list = own
    .filter(row => row.n === n)
    .map(row => ({ label: row.variant, row, kind: row.variant === last ? 'accent' : 'variant' }));
  const earlier =
    before && first
      ? [{ label: `${Number(before.slice(0, 2))} ${first.variant}`, row: first, kind: 'before' }]
      : [];
  return {
    said: message(set, 'step', here, before, n, rungs) || named(here),
    rows: [...own, ...(before ? lastOf(set, before) : [])],
    parts: [curves(set, lines, half), bars(set, [...earlier, ...list], n, half)],
  };
}
/**
 * Draws a step, the one before it and cuBLAS over N, small.
 * @param {Set_} set
 * @param {string} step
 * @param {string|undefined} before
 * @param {number} width
 */
function smallCurves(set, step, before, width) {
  const lines = [
    { kind: 'before', rows: before ? lastOf(set, before) : [] },
    { kind: 'cublas', rows: lastOf(set, 'cublas') },
    { kind: 'accent', rows: lastOf(set, step) },
  ].filter(({ rows }) => rows.length);
  const all = lines.flatMap(({ rows }) => rows.map(row => Math.log2(row.n))),
    [low, high] = [Math.min(...all), Math.max(...all)];
  const { box, left, bottom, y } = frame(width, 190, set, `${named(step)} over N`, 0, 20);
  const x = (/** @type {number} */ n) =>
    left + 8 + ((Math.log2(n) - low) / (high - low || 1)) * (width - left - 16);
  for (let n = 2 ** Math.ceil(low); n <= 2 ** high; n *= 4)
    box.append(svg('text', { x: x(n), y: bottom + 16, 'text-anchor': 'middle' }, String(n)));
  for (const line of lines) box.append(...lineParts(line, colourOf(line.kind, 1), x, y).parts);
  return box;
}
/**
 * Draws a step's variants at one size, as fractions of the fastest one's speed.
 * @param {Row[]} rows
 * @param {number} width
 */
function ratios(rows, width) {
  const most = Math.max(...rows.map(row => row.tflops)),
    box = svg('svg', {
      viewBox: `0 0 ${width} ${34 * rows.length}`,
      role: 'img',
      'aria-label': rows.map(row => `${row.variant} ${row.tflops.toFixed(1)}`).join(', '),
    });
  rows.forEach((row, i) => {
    const bar = { x: 0, y: 34 * i + 17, height: 8, rx: 3 },
      fast = row.tflops === most;
    box.append(
      svg('text', { x: 0, y: 34 * i + 12, class: fast ? 'strong' : null }, row.variant),
      svg(
        'text',
        { x: width, y: 34 * i + 12, 'text-anchor': 'end', class: fast ? 'strong' : null },
        fast
          ? `${row.tflops.toFixed(1)} TFLOP/s`
          : `${row.tflops.toFixed(1)}, × ${(row.tflops / most).toFixed(2)}`,
      ),
      svg('rect', { ...bar, width, fill: 'var(--idle)' }),
      svg('rect', {
        ...bar,
        width: (width * row.tflops) / most,
        fill: fast ? VARIANT : BEFORE,
      }),
    );
  });
  return box;
}
/**
 * Draws all steps as small charts with one scale, and below each its variants.
 * @param {Given} given
 * @returns {Drawn}
 */
function stepsChart({ set, rungs, wide }) {
  const columns = wide > 700 ? 3 : wide > 460 ? 2 : 1,
    width = (wide - (columns - 1) * 28) / columns,
    n = sizeOf(set.rows.filter(row => rungs.includes(row.step)));
  const parts = rungs.map((step, i) =>
    el(
      'div',
      {},
      el('p', { textContent: message(set, 'step', step, rungs[i - 1], n, rungs) }),
      smallCurves(set, step, rungs[i - 1], width),
      ratios(
        set.rows.filter(row => row.step === step && row.n === n),
        width,
      ),
    ),
  );
  return {
    said: 'Each step in colour, the step before it in grey, cuBLAS dashed',
    rows: rungs.flatMap(step => set.rows.filter(row => row.step === step)),
    parts,
  };
}
/**
 * Draws the nine steps at one size.
 * @param {Given} given
 * @returns {Drawn}
 */
function ladderChart({ set, rungs, wide }) {
  const n = sizeOf(set.rows.filter(row => rungs.includes(row.step)));
  const rows = /** @type {Row[]} */ (
    rungs.map(name => lastOf(set, name).find(row => row.n === n)).filter(Boolean)
  );
  const list = rows.map((row, i) => ({
    label: wide > 800 ? named(row.step) : String(Number(row.step.slice(0, 2))),
    row,
    kind: i === rows.length - 1 ? 'accent' : 'cool',
  }));
  return {
    said: message(set, 'ladder', undefined, undefined, n, rungs),
    rows,
    parts: [bars(set, list, n, wide)],
  };
}
/**
 * Draws the nine steps over N.
 * @param {Given} given
 * @param {string} kind
 * @returns {Drawn}
 */
function curvesChart({ set, rungs, cublas, wide }, kind) {
  const lines = [
    ...rungs.map((step, i) => ({ step, kind: i === rungs.length - 1 ? 'accent' : '' })),
    ...cublas,
  ];
  return {
    said: message(set, kind, undefined, undefined, sizeOf(set.rows), rungs),
    rows: rungs.flatMap(name => lastOf(set, name)),
    parts: [curves(set, lines, wide)],
  };
}
/**
 * Returns buttons that choose whose measurements are shown.
 * @param {HTMLElement} figure
 * @param {Set_[]} all
 */
function chooser(figure, all) {
  const onchange = (/** @type {any} */ event) => readFile(event.target.files[0]);
  const pick = el(
    'label',
    { className: 'pick' },
    'your results.csv …',
    el('input', { type: 'file', accept: '.csv', onchange }),
  );
  const buttons = all.map((other, i) => {
    const onclick = () => {
      chosen = i;
      drawAll();
      /** @type {HTMLElement} */ (figure.querySelector('[aria-pressed=true]')).focus();
    };
    const made = el('button', { type: 'button', textContent: other.name, onclick });
    made.setAttribute('aria-pressed', String(i === chosen));
    return made;
  });
  return el(
    'div',
    { className: 'choose', role: 'group', ariaLabel: 'Measured on' },
    ...buttons,
    pick,
  );
}

/** @param {HTMLElement} figure */
function draw(figure) {
  if (!sets) readSets();
  const all = /** @type {Set_[]} */ (sets);
  if (!all.length) return;
  const set = all[chosen],
    { kind = '', step = '' } = figure.dataset,
    names = [...new Set(set.rows.map(row => row.step))].sort();
  // The widths are those of .parts in style.css.
  const style = getComputedStyle(figure),
    rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const wide = Math.max(
    260,
    (figure.clientWidth || 640) - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
  );
  const given = {
    set,
    names,
    wide,
    rungs: names.filter(name => /^0[1-9]_/.test(name)),
    cublas: names.includes('cublas') ? [{ step: 'cublas', kind: 'cublas' }] : [],
    half: wide < 46 * rem ? wide : wide / 2 - rem,
  };
  const { said, rows, parts } =
    kind === 'step'
      ? stepChart(given, step)
      : kind === 'ladder'
        ? ladderChart(given)
        : kind === 'steps'
          ? stepsChart(given)
        : curvesChart(given, kind);
  figure.replaceChildren(
    el(
      'figcaption',
      {},
      said.replaceAll(' = ', '\u00a0=\u00a0'),
      el('small', { textContent: set.said }),
    ),
    el('div', { className: 'parts' }, ...parts),
    chooser(figure, all),
    figures(rows, set),
  );
}
const charts = () => [
  .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.chart')),
];
export const drawAll = () => charts().forEach(draw);
export const redraw = () =>
  charts()
    .filter(chart => chart.querySelector('svg'))
    .forEach(draw);
// Draws a chart when it is less than a screen away.
const near = new IntersectionObserver(
  seen =>
    seen.forEach(({ isIntersecting, target }) => {
      if (isIntersecting) {
        near.unobserve(target);
        draw(/** @type {HTMLElement} */ (target));
      }
    }),
  { rootMargin: '100%' },
);
export const drawNear = () => charts().forEach(chart => near.observe(chart));
