// Draws charts of measurements in the page: earlier steps in grey, the current step in the accent
// colour, names at the lines, the message as the title. The reader chooses whose measurements the
// charts show. Pages that have a chart load this script.
import { bars } from './charts/bars.js';
import { all, choose, shown, take } from './charts/chosen.js';
import { lastOf, named, numberOf, rowAt, sizeOf } from './charts/chosen.js';
import { curves } from './charts/curves.js';
import { fillLadder } from './charts/ladder.js';
import { ofCurves, ofLadder, ofStep } from './charts/messages.js';
import { small } from './charts/small.js';
import { el } from './dom.js';

/** @typedef {import('./charts/measured.js').Row} Row */
/** @typedef {import('./charts/measured.js').Set_} Set_ */
/**
 * @typedef {object} Drawn
 * @property {string} said the chart's message
 * @property {string} [key]
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
  const first = before && rowAt(set, before, n);
  const lines = [
    ...(before ? [{ step: before, kind: 'before' }] : []),
    ...cublas,
    { step: here, kind: 'accent' },
  ];
  const list = own
    .filter(row => row.n === n)
    .map(row => ({ label: row.variant, row, kind: row.variant === last ? 'accent' : 'variant' }));
  const earlier = first
    ? [{ label: `${numberOf(first.step)} ${first.variant}`, row: first, kind: 'before' }]
    : [];
  return {
    said: ofStep(set, here, before, n),
    rows: [...own, ...(before ? lastOf(set, before) : [])],
    parts: [curves(set, lines, half), bars(set, [...earlier, ...list], n, half)],
  };
}
/**
 * Draws all steps as small charts with one scale, and below each its variants.
 * @param {Given} given
 * @returns {Drawn}
 */
function stepsChart({ set, rungs, wide }) {
  const rows = set.rows.filter(row => rungs.includes(row.step)),
    n = sizeOf(rows),
    at = rungs.flatMap(step => rowAt(set, step, n)?.tflops ?? []),
    won = at.filter((value, i) => value > at[i - 1]).length;
  return {
    said: `${won} of ${at.length - 1} steps are faster than the step before (N = ${n})`,
    key: 'Each step in colour, the step before it in grey, cuBLAS dashed. ',
    rows,
    parts: small(set, rungs, { wide, n }),
  };
}
/**
 * Draws the nine steps at one size.
 * @param {Given} given
 * @returns {Drawn}
 */
function ladderChart({ set, rungs, wide }) {
  const n = sizeOf(set.rows.filter(row => rungs.includes(row.step))),
    rows = rungs.flatMap(name => rowAt(set, name, n) ?? []);
  const list = rows.map((row, i) => ({
    label: wide > 640 ? named(row.step) : String(numberOf(row.step)),
    row,
    kind: i === rows.length - 1 ? 'accent' : 'cool',
  }));
  return { said: ofLadder(set, rungs, n), rows, parts: [bars(set, list, n, wide)] };
}
/**
 * Draws the nine steps over N.
 * @param {Given} given
 * @returns {Drawn}
 */
function curvesChart({ set, rungs, cublas, wide }) {
  const top = rungs[rungs.length - 1],
    lines = rungs.map(step => ({ step, kind: step === top ? 'accent' : '' }));
  return {
    said: ofCurves(set, top),
    rows: rungs.flatMap(name => lastOf(set, name)),
    parts: [curves(set, [...lines, ...cublas], wide, top)],
  };
}

/**
 * Returns a chart's figures as a folded table.
 * @param {Row[]} rows
 * @param {Set_} set
 */
function figures(rows, set) {
  const line = (/** @type {'th'|'td'} */ tag, /** @type {(string|number)[]} */ cells) =>
    el('tr', {}, ...cells.map(cell => el(tag, { textContent: String(cell) })));
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
        line('th', ['step', 'variant', 'N', 'TFLOP/s']),
        ...rows.map(({ step, variant, n, tflops }) =>
          line('td', [named(step), variant, n, tflops.toFixed(2)]),
        ),
      ),
    ),
  );
}
/**
 * Returns buttons that choose whose measurements are shown.
 * @param {HTMLElement} figure
 */
function chooser(figure) {
  const onchange = (/** @type {Event} */ event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.files) readFile(target.files[0], figure);
    target.value = ''; // so the same file can be chosen again
  };
  const buttons = all().map((other, i) => {
    const onclick = () => {
      choose(i);
      drawAll();
      /** @type {HTMLElement} */ (figure.querySelector('[aria-pressed=true]')).focus();
    };
    const made = el('button', { type: 'button', textContent: other.name, onclick });
    made.setAttribute('aria-pressed', String(i === shown()));
    return made;
  });
  return el(
    'div',
    { className: 'choose', role: 'group', ariaLabel: 'Measured on' },
    ...buttons,
    el(
      'label',
      { className: 'pick' },
      'your results.csv …',
      el('input', { type: 'file', accept: '.csv', onchange }),
    ),
  );
}

/** @param {HTMLElement} figure */
function draw(figure) {
  const set = all()[shown()];
  if (!set) return;
  const { kind, step = '' } = figure.dataset,
    ladder = /** @type {HTMLElement|null} */ (figure.querySelector('.ladder')), // the first page's
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
  /** @type {Drawn} */
  const { said, key = '', rows, parts } =
    kind === 'step'
      ? stepChart(given, step)
      : ladder
        ? { said: fillLadder(set, given.rungs, ladder), rows: [], parts: [ladder] }
        : (kind === 'ladder' ? ladderChart : kind === 'steps' ? stepsChart : curvesChart)(given);
  figure.replaceChildren(
    el(
      'figcaption',
      {},
      said.replaceAll(' = ', '\u00a0=\u00a0'),
      el('small', { textContent: key + set.said }),
    ),
    el('div', { className: 'parts' }, ...parts),
    chooser(figure),
    ...(rows.length ? [figures(rows, set)] : []),
  );
}
const charts = () => [
  .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.chart')),
];
const drawAll = () => charts().forEach(draw);
const redraw = () =>
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
/**
 * Says beside the button that chooses a file why the file is not shown; at the top of a page
 * without charts.
 * @param {string} said
 * @param {HTMLElement|undefined} figure the chart whose button was used; undefined: the file was
 *   dropped
 */
function refuse(said, figure = charts()[0]) {
  const alert = el('p', { className: 'refused', role: 'alert' }),
    chooser = figure?.querySelector('.choose');
  document.querySelector('.refused')?.remove();
  if (chooser) chooser.after(alert);
  else document.querySelector('main')?.prepend(alert);
  alert.textContent = said;
  alert.scrollIntoView({ block: 'nearest' });
}
/**
 * @param {string} csv
 * @param {string} name
 * @param {HTMLElement} [figure]
 */
function readOwn(csv, name, figure) {
  if (take(csv)) drawAll();
  else
    refuse(
      `${name}: it has no times of square sizes in bursts. Choose a results.csv that ` +
        'build/ladder --csv or run_all.sh wrote.',
      figure,
    );
}
/**
 * @param {File|undefined|null} file
 * @param {HTMLElement} [figure]
 */
function readFile(file, figure) {
  if (!file) return;
  if (file.size < 2e7) file.text().then(text => readOwn(text, file.name, figure));
  else
    refuse(
      `${file.name} has ${Math.round(file.size / 1e6)} MB; a results.csv has less than 20.`,
      figure,
    );
}

window.Charts = { drawAll, redraw, readOwn, readFile };
charts().forEach(chart => near.observe(chart));
