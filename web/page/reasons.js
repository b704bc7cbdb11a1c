// The reasons for the answers to the lessons' questions. steps/*/bet.mjs has the texts, and figures
// of the run are filled in here. Pure functions.
import { BETS } from './asked.js';
import { answer, rounded } from './results.js';
import { number } from './text.js';

/** @typedef {import('./results.js').Counts} Counts */
/**
 * Returns the sum of the wavefronts of the main loop's shared loads (LDS) or stores (STS), written
 * as 4 × 1 + 1 × 2: four take one wavefront, one takes two. Null if there are none.
 * @param {Counts} counts
 * @param {string} opcode
 * @param {number} per how many units, such as k's, one iteration has
 */
const sumOf = (counts, opcode, per) =>
  [...counts]
    .filter(([name]) => name.startsWith(`${opcode} × `))
    .map(([name, count]) => `${Number(count) / per} × ${name.slice(opcode.length + 3)}`)
    .sort((a, b) => Number(a.split(' ')[2]) - Number(b.split(' ')[2]))
    .join(' + ') || null;

/**
 * Fills a text's places in braces: `{}` is the answer, `{off}` that of the variant `off`, `{LDS/8}`
 * or `{LDS/8 off}` a sum (sumOf), and else a figure of results.js. Returns null while a figure is
 * missing.
 * @param {string} text
 * @param {import('./results.js').Question} asked
 * @param {(variant: string) => Counts|null|undefined} countsOf returns a
 *   variant's counts; '': those of the run that the question is about
 */
export function filled(text, asked, countsOf) {
  let missing = false;
  const said = text.replace(/\{([^}]*)\}/g, (_, name) => {
    const [, opcode, per, of = ''] = /^(LDS|STS)\/(\d+) ?(.*)$/.exec(name) || [],
      figure = countsOf('')?.get(name),
      counts = countsOf(opcode ? of : figure === undefined ? name : ''),
      value = counts && opcode ? sumOf(counts, opcode, Number(per)) : null,
      found = counts && !opcode ? (figure ?? answer(asked, counts)) : null;
    missing ||= value === null && found === null;
    return value ?? number(rounded(found));
  });
  return missing ? null : said;
}

/**
 * Returns why a lesson's answer is what it is, and by bet what that would have meant.
 * @param {string} step
 * @returns {{why: string, means: Record<number, string>}}
 */
export const textsOf = step => BETS[Number(step.slice(0, 2)) - 1];
