// Reads the measurements in the site's measured.js, or in a results.csv of the reader's, as rows.

/**
 * @typedef {{step: string, variant: string, n: number, tflops: number, last?: string, device?:
 *   string, driver?: string, time?: string, commit?: string, pct_peak?: string, vs_cublas?:
 *   string, gain?: string}} Row
 */
/**
 * @typedef {{own: boolean, name: string, said: string, rows: Row[], peak: number, commits: string}}
 *   Set_
 */

/**
 * Returns false for a row that charts do not show: they show bursts of square sizes on one GPU with
 * alpha 1, beta 0 and uniform inputs, unless the check failed.
 * @param {Record<string, any>} row
 */
const isShown = row =>
  row.step &&
  +row.tflops > 0 &&
  +row.n > 0 &&
  (row.m === undefined ||
    (['m', 'k', 'lda', 'ldb', 'ldc'].every(name => +row[name] === +row.n) &&
      row.mode === 'burst' &&
      row.backend === 'gpu' &&
      +row.alpha === 1 &&
      +row.beta === 0 &&
      !row.check?.startsWith('f') &&
      (row.inputs || 'uniform') === 'uniform' &&
      +(row.gpus || 1) === 1 &&
      row.variant !== 'default'));
/**
 * Returns the rows of a results CSV that charts show. Of each kernel and size, the last row.
 * @param {string} csv
 * @returns {Row[]}
 */
function rowsOf(csv) {
  const [names, ...lines] = csv
      .trim()
      .split(/\r?\n/)
      .map(line => line.replaceAll('"', '').split(',')),
    rows = new Map();
  for (const cells of lines) {
    const row = Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
    if (isShown(row))
      rows.set([row.step, row.variant, row.n].join(), { ...row, n: +row.n, tflops: +row.tflops });
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
