// The sets of measurements, which of them the reader chose, and what charts ask of a set.
import { dataset } from './measured.js';

/** @typedef {import('./measured.js').Row} Row */
/** @typedef {import('./measured.js').Set_} Set_ */

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
/** Returns all sets; the reader's own one is the last. */
export function all() {
  if (sets) return sets;
  sets = DATA.map(dataset).filter(set => set.rows.length);
  chosen = Math.max(
    0,
    sets.findIndex(set => set.own),
  );
  const own = stored();
  if (own) sets.push({ ...dataset({ csv: own }), name: 'yours' });
  return sets;
}
/** Returns the index of the set that charts show. */
export const shown = () => chosen;
/** @param {number} index */
export function choose(index) {
  chosen = index;
}
/**
 * Takes a results.csv of the reader's, and stores it. Returns false if it has nothing to show.
 * @param {string} csv
 */
export function take(csv) {
  const own = dataset({ csv });
  if (!own.rows.length) return false;
  own.name = `yours: ${own.name}`;
  sets = [...all().filter(set => !set.name.startsWith('yours')), own];
  chosen = sets.length - 1;
  try {
    localStorage.setItem('own', csv);
  } catch {
    /* storage is full or forbidden: the data are lost with the page */
  }
  return true;
}

/**
 * Returns a step's link in the sidebar, if it is a lesson.
 * @param {string} step
 */
export const linkOf = step =>
  document.querySelector(`.side [data-lesson="${CSS.escape(step)}.html"]`);
/** @param {string} step */
export const numberOf = step => Number(step.slice(0, 2));
/**
 * Returns a step's number and its name in the sidebar, e.g. "7 z-order".
 * @param {string} step
 */
export function named(step) {
  const link = linkOf(step);
  if (link?.textContent) return `${numberOf(step)} ${link.textContent}`;
  return step === 'cublas' ? 'cuBLAS' : step.replaceAll('_', ' ').replace(/^0/, '');
}
/** @param {Row} row */
export const meantBy = ({ step, variant }) => MEANINGS[`${step}/${variant}`] || '';
/**
 * Returns the rows of a step's last variant, by size: the variant that is last in the course's
 * results or, if the set lacks that variant, the one measured last.
 * @param {Set_} set
 * @param {string} step
 */
export function lastOf(set, step) {
  const rows = set.rows.filter(row => row.step === step),
    known = all()[0].rows.find(row => row.step === step && row.last === '1');
  const variant =
    known && rows.some(row => row.variant === known.variant)
      ? known.variant
      : rows[rows.length - 1]?.variant;
  return rows.filter(row => row.variant === variant).sort((a, b) => a.n - b.n);
}
/**
 * @param {Set_} set
 * @param {string} step
 * @param {number} n
 */
export const rowAt = (set, step, n) => lastOf(set, step).find(row => row.n === n);
/**
 * Returns how many times as fast as another row a row is. If the data have the ratio of one run,
 * over cuBLAS or over the step before, it is that ratio.
 * @param {Row} row
 * @param {Row} base
 */
export function timesAsFast(row, base) {
  if (base.step === 'cublas' && Number(row.vs_cublas) > 0) return Number(row.vs_cublas);
  if (Number(row.gain) > 0 && base.last === '1' && numberOf(row.step) === numberOf(base.step) + 1)
    return Number(row.gain);
  return row.tflops / base.tflops;
}
/**
 * Returns the N of a chart: 4096 if it was measured, else the largest.
 * @param {Row[]} rows
 */
export function sizeOf(rows) {
  const sizes = rows.map(row => row.n);
  return sizes.includes(4096) ? 4096 : Math.max(...sizes);
}
