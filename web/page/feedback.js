// The words of a verdict: which predictions are right, and how far off the others are. A wrong one
// is told its direction and the size of its error, but not the right number, unless the page may
// tell that. Pure functions.
import { number } from './text.js';
import { near } from './reading.js';
import { valueOf } from './rules.js';

/**
 * @typedef {{right: boolean, words: string, reports?: Report[], field?: string,
 *   empty?: boolean}} Line a line of a verdict
 *   field: the prediction that it judges; empty: true if that is missing
 */

/**
 * @typedef {{guess: string, nears: import('./rules.js').Wish[], told?: boolean}} Given
 *   a prediction; the rules `near`, which explain likely mistakes; told: true if the verdict may
 *   tell what was expected and what was found
 */

/**
 * Returns what is wrong with an answer that should be a number.
 * @param {string} guess
 * @param {string} wrong the result if the guess is a number
 */
export function wrongNumber(guess, wrong) {
  if (!Number.isNaN(Number(guess))) return wrong;
  return /^\d+,\d+$/.test(guess)
    ? `write ${guess.replace(',', '.')}, with a point`
    : 'write one number, such as 12.5 or 1/8';
}
/**
 * Returns what is wrong with an answer that should be another word.
 * @param {string} guess
 * @param {string} value
 */
const wrongWord = (guess, value) =>
  /^(yes|no)$/.test(value) && !/^(yes|no)$/i.test(guess)
    ? 'write yes or no'
    : Number.isNaN(Number(guess))
      ? `${guess} is not right`
      : 'write a word, not a number';

/** @type {Record<string, number[]>} units, and factors that lead to them from others */
const UNITS = { percent: [100], GB: [1e-3, 1e-6, 1e-9], milliseconds: [1e3, 1e-3] };

/**
 * Returns the direction of a wrong number and the size of its error, not the right number. A number
 * in another unit is told the unit.
 * @param {number} guess
 * @param {number} right
 * @param {string} [words] what the number is
 */
export function offBy(guess, right, words = '') {
  for (const [unit, factors] of Object.entries(UNITS))
    if (words.includes(unit) && factors.some(factor => near(guess * factor, right)))
      return `right in another unit: write it in ${unit}`;
  const digits = String(guess).replace(/^[0.]+|\./g, '').length;
  if (right % 1 && Number(right.toPrecision(digits || 1)) === guess)
    return 'rounded too far: write more digits';
  const ratio = Math.max(guess / right, right / guess),
    way = guess < right ? 'low' : 'high';
  if (!Number.isFinite(ratio) || ratio < 0) return `too ${way}`;
  if (ratio <= 1.25) return `a little too ${way}`;
  if (ratio < 2) return `too ${way}, by a factor of less than 2`;
  return `too ${way}, by a factor of ${ratio < 10 ? 2 : 10} or more`;
}

/**
 * Returns what a wrong guess leaves out, as a sentence, if a rule explains this guess; else ''.
 * @param {string} name
 * @param {Given} given
 */
function leftOut(name, { guess, nears }) {
  const row = nears.find(
    ([, of, value]) =>
      of === name &&
      (value.toLowerCase() === guess.toLowerCase() || near(Number(guess), Number(value))),
  );
  return row ? `. ${row[3][0].toUpperCase()}${row[3].slice(1)}.` : '';
}
/**
 * Compares a prediction with the word or number of a rule `say`.
 * @param {import('./rules.js').Wish} wish
 * @param {Given} given
 * @returns {Line}
 */
export function said([, name, value, words], given) {
  const { guess } = given,
    right = guess.toLowerCase() === value.toLowerCase() || near(Number(guess), Number(value)),
    isWord = Number.isNaN(Number(value)),
    off = isWord
      ? wrongWord(guess, value)
      : wrongNumber(guess, `${guess} is ${offBy(Number(guess), Number(value), words)}`),
    found = right ? value : off + leftOut(name, given);
  return { right, words: `${words}: ${found}`, field: name };
}
/**
 * Judges a rule `count`: the kernel's count has to be a wanted one, and the prediction near it.
 * @param {import('./rules.js').Wish} wish
 * @param {Given} given
 * @param {Record<string, number>|null} figures null: there is no kernel, only the prediction
 * @returns {Line[]}
 */
export function counted([, name, value, expression, words], given, figures) {
  const { guess, told } = given,
    [values, slack = '0'] = value.split('~'),
    wanted = values.split(' or ').map(Number),
    found = figures
      ? valueOf(expression, figures)
      : (wanted.find(one => near(Number(guess), one)) ?? wanted[0]),
    is = wanted.find(one => near(found, one));
  if (is === undefined) {
    const right = near(Number(guess), found),
      fewer = wanted.every(one => one < found),
      possible = fewer ? 'fewer are possible' : 'the task asks for more',
      off = `${guess} is ${offBy(Number(guess), found, words)}`,
      verdict = right ? `${number(found)}, as you predicted` : wrongNumber(guess, off);
    return [
      { right, words: `${words}: ${verdict}`, field: name },
      { right: false, words: `your kernel: ${told ? `the task asks for ${values}` : possible}` },
    ];
  }
  if (!near(Number(guess), is, Number(slack))) {
    const shown = figures && told ? `; your kernel has ${number(found)}` : '',
      wrong = `${guess} is ${offBy(Number(guess), is, words)}${shown}${leftOut(name, given)}`;
    return [{ right: false, words: `${words}: ${wrongNumber(guess, wrong)}`, field: name }];
  }
  const how = near(Number(guess), is)
    ? 'as you predicted'
    : `and ${guess}, as you predicted, is near enough`;
  return [{ right: true, words: `${words}: ${number(is)}, ${how}`, field: name }];
}
