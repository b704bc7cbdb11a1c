// The rules of an exercise: rows of its file `wishes` with fields separated by `|`, the rule's kind
// first. Here is what rules compare: values of macros, figures of a loop, outputs. Pure functions.

import { ofType } from './programs.js';

/** @typedef {string[]} Wish the fields of a rule: its kind first */

/**
 * Returns the rules of a file.
 * @param {string} text
 * @returns {Wish[]}
 */
export const wishesOf = text =>
  text
    .split('\n')
    .filter(line => line && !/^ *#/.test(line))
    .map(line => line.split('|'));

/** @type {Record<string, (a: number, b: number) => boolean>} */
const COMPARED = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};
/**
 * Returns the macros (.let) that the reader sets, with the rules for their values. The rules
 * are rows such as `holds|PAD % 2 != 0 && PAD < 9|words`. Rows with conditions of another form are
 * left out here; `make exercise` checks them.
 * @param {string} wishes
 */
export function settingsOf(wishes) {
  /** @typedef {{words: string, holds: (value: (name: string) => number) => boolean}} Rule */
  /** @type {Map<string, Rule[]>} */
  const found = new Map();
  for (const row of wishes.split('\n').filter(line => line.startsWith('holds|'))) {
    const [, condition, words] = row.split('|');
    const parts = condition
      .split(' && ')
      .map(part => /^(\d+ % )?([A-Z_]+)(?: % (\d+))? ([=!<>]=?) (\d+)$/.exec(part));
    if (!parts.every(part => part && part[4] in COMPARED)) continue;
    for (const part of parts) {
      const [, of, name, divisor, compare, bound] = /** @type {RegExpExecArray} */ (part);
      const holds = (/** @type {(name: string) => number} */ value) => {
        const is = of ? parseInt(of) % value(name) : value(name);
        return COMPARED[compare](divisor ? is % Number(divisor) : is, Number(bound));
      };
      found.set(name, [...(found.get(name) || []), { words, holds }]);
    }
  }
  return [...found].map(([name, rules]) => ({ name, rules }));
}

/**
 * Returns the numbers of an output file, as int32 if the options declare that, else as float32.
 * @param {Uint8Array} bytes
 * @param {string} options of simrun
 */
export const numbers = (bytes, options) => [
  ...(/i32\S*=out:/.test(options)
    ? new Int32Array(bytes.slice().buffer)
    : new Float32Array(bytes.slice().buffer)),
];
/**
 * Returns a text about the first number that differs from the key's.
 * @param {number[]} mine
 * @param {number[]} key
 * @param {string} names "a;b" if numbers are named a and b in turn; %i in a name is replaced by the
 *   index among the numbers of that name
 */
export function difference(mine, key, names) {
  const first = mine.findIndex((value, i) => !Object.is(value, key[i])),
    name = names.split(';');
  return (
    `${name[first % name.length].replace(/%i/g, String(Math.floor(first / name.length)))} ` +
    `is ${mine[first]}, expected ${key[first]} ` +
    `(${mine.filter((value, i) => !Object.is(value, key[i])).length} of ${mine.length} ` +
    'numbers differ)'
  );
}
/**
 * Returns the figures of the loop in which FFMA and DFMA have the largest share, from the records
 * of `sass lint`; null if there is no loop.
 * @param {Row[]} records
 * @returns {Record<string, number>|null}
 */
export function figuresOf(records) {
  const loops = ofType(records, 'loop').map(({ instructions, ffma, dfma, bank_conflicts }) => ({
    instructions,
    arithmetic: (ffma || 0) + (dfma || 0),
    conflicts: bank_conflicts,
  }));
  return loops.reduce(
    (best, one) =>
      !best || one.arithmetic / one.instructions > best.arithmetic / best.instructions ? one : best,
    /** @type {Record<string, number>|null} */ (null),
  );
}
/**
 * Returns the value of an expression such as `arithmetic / instructions`. A division by 0 gives 0.
 * @param {string} expression numbers and names of figures, separated by `/`
 * @param {Record<string, number>} figures
 */
export const valueOf = (expression, figures) =>
  expression
    .split('/')
    .map(part => part.trim())
    .map(part => (part in figures ? figures[part] : Number(part)))
    .reduce((a, b) => (b === 0 ? 0 : a / b));
