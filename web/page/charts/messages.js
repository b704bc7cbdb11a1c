// The sentences above charts, made from the data.
import { lastOf, named, numberOf, rowAt, timesAsFast } from './chosen.js';

/** @typedef {import('./measured.js').Set_} Set_ */

/**
 * Returns ", 1.19 times cuBLAS", or '' if cuBLAS or the step was not measured.
 * @param {Set_} set
 * @param {string} step
 * @param {number} n
 */
function overCublas(set, step, n) {
  const row = rowAt(set, step, n),
    cublas = rowAt(set, 'cublas', n);
  if (row && cublas) return `${timesAsFast(row, cublas).toFixed(2)} times cuBLAS`;
  return Number(row?.vs_cublas) > 0 ? `${Number(row?.vs_cublas).toFixed(2)} times cuBLAS` : '';
}
/**
 * Returns the speed-up of a step over the one before, or over cuBLAS if there is none before.
 * @param {Set_} set
 * @param {string} step
 * @param {string|undefined} before
 * @param {number} n
 */
export function gained(set, step, before, n) {
  const row = rowAt(set, step, n),
    earlier = before && rowAt(set, before, n);
  if (!row || !earlier) return overCublas(set, step, n);
  return `${timesAsFast(row, earlier).toFixed(2)} times step ${numberOf(earlier.step)}`;
}
/**
 * @param {Set_} set
 * @param {string} step
 * @param {string|undefined} before
 * @param {number} n
 */
export function ofStep(set, step, before, n) {
  const value = rowAt(set, step, n)?.tflops;
  if (!value) return named(step);
  const ratios = [before ? gained(set, step, before, n) : '', overCublas(set, step, n)];
  return [
    `${named(step)}: ${value.toFixed(1)} TFLOP/s at N = ${n}`,
    ...new Set(ratios.filter(Boolean)),
  ].join(', ');
}
/**
 * @param {Set_} set
 * @param {string[]} rungs
 * @param {number} n
 */
export function ofLadder(set, rungs, n) {
  const values = rungs.flatMap(step => rowAt(set, step, n)?.tflops ?? []),
    over = overCublas(set, rungs[rungs.length - 1], n);
  if (!values.length) return 'TFLOP/s';
  return (
    `From ${values[0].toFixed(1)} to ${values[values.length - 1].toFixed(1)} TFLOP/s over ` +
    `${values.length} steps${over && `: ${over}`} (N = ${n})`
  );
}
/**
 * Compares a step with cuBLAS: over all sizes the row with the greatest lead (`most`); over the
 * multiples of 128 the row from which on it is faster, the last size (`to`), and at how many of all
 * (`of`) it is faster.
 * @param {Set_} set
 * @param {string} step
 */
export function leadOf(set, step) {
  const compared = lastOf(set, step).flatMap(row => {
    const cublas = rowAt(set, 'cublas', row.n);
    if (!cublas) return [];
    return [{ row, ratio: timesAsFast(row, cublas), ahead: row.tflops > cublas.tflops }];
  });
  const whole = compared.filter(({ row }) => row.n % 128 === 0),
    ahead = whole.map(one => one.ahead);
  return {
    from: whole[ahead.lastIndexOf(false) + 1],
    most: compared.reduce((a, b) => (b.ratio > a.ratio ? b : a), compared[0]),
    won: ahead.filter(Boolean).length,
    of: ahead.length,
    to: whole[ahead.length - 1]?.row.n,
  };
}
/**
 * @param {Set_} set
 * @param {string} top the last step
 */
export function ofCurves(set, top) {
  const { from, won, of, to } = leadOf(set, top);
  if (from) return `${named(top)} is faster than cuBLAS from N = ${from.row.n} to ${to}`;
  return won
    ? `${named(top)} is faster than cuBLAS at ${won} of ${of} sizes`
    : 'The fastest variant of each step over N';
}
