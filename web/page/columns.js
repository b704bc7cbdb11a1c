// Makes the columns of a box's comparison: one per kernel of a run, and some of earlier runs.
import { counted } from './text.js';

/** @typedef {import('./compare.js').Column} Column */
/** @typedef {import('./running.js').Planned} Planned */

/**
 * Returns the TFLOP/s of a variant as measured on the H200; null if it was not measured.
 * @param {string} step
 * @param {string} variant
 * @param {number} N
 */
export const measuredOn = (step, variant, N) =>
  Number(KERNELS[`speeds/${step}/${variant}/${N}`]) || null;
/**
 * Returns a column for each kernel of a run, with the results still missing. A baseline has those
 * of an earlier run, if one had this size.
 * @param {Planned[]} planned
 * @param {Column[]} before the earlier runs' columns
 * @returns {Column[]}
 */
export const columnsOf = (planned, before) =>
  planned.map(({ kernel, text, size, wider, base }) => ({
    base,
    variant: kernel.variant,
    edited: kernel.edited,
    earlier: false,
    text,
    size,
    wider,
    colour: kernel.place,
    idea: wider ? `${counted(wider, 'column')} wider` : kernel.edited ? '' : kernel.idea,
    here: null,
    milliseconds: null,
    there: kernel.onH200(size),
    elsewhere: kernel.onH200('256').size > 0,
    measured: kernel.edited ? null : measuredOn(kernel.step, kernel.variant, 4096 + wider),
    verdict: '',
    ...(base ? resultOf(before, kernel.variant, size) : {}),
  }));
/**
 * Returns the whole result of a kernel as compiled, if a column has it.
 * @param {Column[]} columns
 * @param {string} variant
 * @param {string} size
 */
function resultOf(columns, variant, size) {
  const had = columns.find(
    one =>
      one.variant === variant &&
      one.text === null &&
      one.size === size &&
      one.here &&
      one.milliseconds !== null,
  );
  return had && { here: had.here, milliseconds: had.milliseconds };
}

const MOST_EARLIER = 2;
/**
 * Returns the old columns that stay beside a new run's: each kernel's latest result with another
 * text or size, but at most two columns.
 * @param {Column[]} shown all columns so far
 * @param {Column[]} columns the new run's
 * @returns {Column[]}
 */
export function earlierOnes(shown, columns) {
  const before = shown.filter(one => {
    const now = columns.filter(column => !column.wider && column.variant === one.variant);
    return (
      one.here &&
      !one.wider &&
      now.length &&
      now.every(column => column.text !== one.text || column.size !== one.size)
    );
  });
  return before
    .filter((one, i) => !before.slice(i + 1).some(later => later.variant === one.variant))
    .slice(-MOST_EARLIER)
    .map(one => ({ ...one, earlier: true }));
}
