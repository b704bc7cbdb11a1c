// The columns of a box's table: one per kernel of a run, beside earlier runs of these kernels.
/** @typedef {import('./compare.js').Column} Column */
/** @typedef {import('./running.js').Planned} Planned */

/**
 * Returns a variant's TFLOP/s as measured on the H200, or null.
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
 * Returns a column without results for each kernel of a run.
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
    milliseconds: null,
    measured: kernel.edited ? null : measuredOn(kernel.step, kernel.variant, 4096 + wider),
    verdict: '',
  }));

const MOST_EARLIER = 2;
/**
 * Returns the columns that stay beside those of a new run: the latest result of each of its kernels
 * with another text or size, at most two.
 * @param {Column[]} shown
 * @param {Column[]} columns of the new run
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
