// Makes the columns of a box's comparison: one per kernel of a run, and some of earlier runs.
/** @typedef {import('./compare.js').Column} Column */
/** @typedef {import('./running.js').Planned} Planned */

/**
 * Returns the TFLOP/s of a variant as measured on the H200; null if it was not measured.
 * @param {string} step
 * @param {string} variant
 * @param {number} N
 */
function measuredOn(step, variant, N) {
  const csv =
    typeof DATA === 'undefined'
      ? ''
      : (DATA.find(set => /H200/.test(set.origin)) || { csv: '' }).csv;
  const line = csv
    .split('\n')
    .map(one => one.replace(/"/g, '').split(','))
    .find(row => row[0] === step && row[1] === variant && row[2] === String(N));
  return line ? Number(line[3]) : null;
}
/**
 * Returns a column for each kernel of a run, with the results still missing.
 * @param {Planned[]} planned
 * @returns {Column[]}
 */
export const columnsOf = planned =>
  planned.map(({ kernel, text, size, wider }) => ({
    variant: kernel.variant,
    edited: kernel.edited,
    earlier: false,
    text,
    size,
    wider,
    colour: kernel.place,
    idea: wider ? `${wider === 1 ? 'one column' : `${wider} columns`} wider` : kernel.idea,
    here: null,
    there: kernel.onH200(size),
    elsewhere: kernel.onH200('256').size > 0,
    milliseconds: null,
    measured: kernel.edited ? null : measuredOn(kernel.step, kernel.variant, 4096 + wider),
    verdict: '',
  }));

const MOST_EARLIER = 2;
/**
 * Returns the old columns that stay beside a new run's: each kernel's latest result with another
 * text or size, but at most two columns.
 * @param {Column[]} shown all columns so far
 * @param {Column[]} columns the new run's
 * @returns {Column[]}
 */
export function earlierOnes(shown, columns) {
  const before = shown.filter(
    one =>
      one.here &&
      !one.wider &&
      columns.some(
        column =>
          !column.wider &&
          column.variant === one.variant &&
          (column.text !== one.text || column.size !== one.size),
      ),
  );
  return before
    .filter((one, i) => !before.slice(i + 1).some(later => later.variant === one.variant))
    .slice(-MOST_EARLIER)
    .map(one => ({ ...one, earlier: true }));
}
