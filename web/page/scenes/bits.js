// The moving picture of lesson 13: one addition in a tensor core, which cuts, and by FADD, which
// rounds. It follows the rules of the simulator (sasskit/docs/simulator.md), not a trace.
import { svg } from '../dom.js';
import { cell, drawing, label, narrow } from '../draw.js';
import { mark } from '../pointing.js';

const BITS = 24; // of a float
const KEPT = 26; // the sum's first bit, and 25 below it
const MOST = 24; // places by which the addend is moved
const FREE = 24; // bits below the sum's last one in the integers that are added

/** The mantissas, as integers of 24 bits: 100 pi e, and 3.1406 x 2.7168, of 11 bits each. */
const SUM = BigInt(Math.round(Math.PI * Math.E * 100 * 2 ** 14)),
  ADDEND = BigInt(0x648 * 0x56f) << 2n;
/**
 * Adds the addend, moved by some places. Returns the cut and the rounded sum, and how far they are
 * from the exact one, in places of the last bit.
 * @param {number} moved
 */
export function added(moved) {
  const sum = SUM << BigInt(FREE),
    addend = (ADDEND << BigInt(FREE)) >> BigInt(moved),
    exact = sum + addend,
    drop = BigInt(FREE - (KEPT - BITS)),
    seen = sum + ((addend >> drop) << drop);
  const unit = 1n << BigInt(FREE),
    cut = seen / unit,
    low = exact % unit,
    up = 2n * low > unit || (2n * low === unit && (exact / unit) % 2n),
    rounded = exact / unit + (up ? 1n : 0n);
  const off = (/** @type {bigint} */ one) => Number(one * unit - exact) / Number(unit);
  return { cut, rounded, lost: off(cut), error: off(rounded) };
}
const digits = (/** @type {bigint} */ one) => one.toString(2).padStart(BITS, '0').split('');

/** Returns x of the first bit, a bit's width and a row's height. */
const sizes = () => (narrow() ? [0, 6.8, 46] : [64, 12, 34]);
/**
 * Draws a number's bits.
 * @param {number} at the row
 * @param {string} name
 * @param {string[]} bits
 * @param {number} from the place of the first bit
 * @param {(i: number) => string} kindOf the class of a bit
 */
function rowParts(at, name, bits, from, kindOf) {
  const [left, size, high] = sizes(),
    small = narrow(),
    y = at * high + (small ? 18 : 0);
  const parts = bits.flatMap((bit, i) => {
    const kind = kindOf(i),
      place = from + i,
      x = left + place * size;
    const drawn = mark(
      cell(x, y, size - 1, 21, kind),
      `p${place}`,
      place < KEPT
        ? `The lit bits have one weight: ${place} places below the sum's first.`
        : `This bit of the addend lies ${place} places below the sum's first: it is cut off.`,
    );
    const ink = kind === 'accent-soft' ? 'num' : 'num on';
    return small ? [drawn] : [drawn, label(x + size / 2 - 0.5, y + 15, bit, ink, 'middle')];
  });
  return [label(0, at * high + (small ? 12 : 15), name, 'strong'), ...parts];
}
/** @param {number} off error in places of the last bit */
const said = off =>
  off === 0
    ? 'exact'
    : `${Math.abs(off).toFixed(2)} of the last bit too ${off < 0 ? 'small' : 'large'}`;
/** @param {number} moved */
function drawSum(moved) {
  const [left, size, high] = sizes(),
    small = narrow(),
    { cut, rounded, lost, error } = added(moved),
    right = digits(rounded),
    line = left + KEPT * size;
  const results = [
    { name: 'MMA', bits: digits(cut), off: lost },
    { name: 'FADD', bits: right, off: error },
  ];
  return drawing(
    small ? 330 : 650,
    4 * high + 4,
    `the sum and an addend ${moved} places below it: MMA ${said(lost)}, FADD ${said(error)}`,
    ...rowParts(0, 'sum', digits(SUM), 0, () => 'w1'),
    ...rowParts(1, 'addend', digits(ADDEND), moved, i =>
      i + moved < KEPT ? 'w2' : 'accent-soft',
    ),
    svg('path', { class: 'cross', d: `M${line - 1} 0V${2 * high - 4}` }),
    ...results.flatMap(({ name, bits, off }, i) => [
      ...rowParts(2 + i, name, bits, 0, at => (bits[at] === right[at] ? 'good' : 'accent')),
      label(
        small ? 330 : line,
        (2 + i) * high + (small ? 12 : 15),
        said(off),
        off < -0.5 ? 'strong bad' : 'strong',
        small ? 'end' : 'start',
      ),
    ]),
  );
}
/** The moving picture: one event for each distance of the addend. */
export async function bits() {
  const events = [...Array(MOST - 1).keys()].map(i => ({ moved: i + 2, cycle: i }));
  return {
    heading: 'A tensor core cuts, FADD rounds',
    events,
    draw: (/** @type {number} */ now) => drawSum(events[now].moved),
    rest: 9,
    slow: 700,
    hint: 'Move the addend, or point at a bit.',
    key:
      'Both are 24 bits. The larger the sum, the farther to the right the addend is added. The ' +
      'tensor core does not see what lies right of the line, and cuts its result to 24 bits; ' +
      'FADD rounds the exact sum.',
    said: (/** @type {typeof events[0]} */ { moved }) => {
      const beyond = Math.max(0, moved + BITS - KEPT);
      return (
        `The addend is added ${moved} places below the sum's first bit; ` +
        `${beyond || 'no'} of its 24 bits ${beyond === 1 ? 'lies' : 'lie'} right of the line.`
      );
    },
  };
}
