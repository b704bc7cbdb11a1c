// The reasons for the answers to the lessons' questions. steps/*/bet.mjs has the texts, and figures
// of the run are filled in here. Pure functions.
import * as bet01 from '../../steps/01_naive/bet.mjs';
import * as bet02 from '../../steps/02_shared_tiling/bet.mjs';
import * as bet03 from '../../steps/03_outer_product/bet.mjs';
import * as bet04 from '../../steps/04_warp_tiling/bet.mjs';
import * as bet05 from '../../steps/05_float4/bet.mjs';
import * as bet06 from '../../steps/06_conflict_free_transpose/bet.mjs';
import * as bet07 from '../../steps/07_z_order/bet.mjs';
import * as bet08 from '../../steps/08_double_buffer/bet.mjs';
import * as bet09 from '../../steps/09_reuse_sass/bet.mjs';
import * as bet10 from '../../steps/10_block_order/bet.mjs';
import * as bet11 from '../../steps/11_dgemm/bet.mjs';
import * as bet12 from '../../steps/12_maxas/bet.mjs';
import * as bet13 from '../../steps/13_tensor_cores/bet.mjs';
import { answer, rounded } from './results.js';
import { number } from './text.js';

const BETS = [bet01, bet02, bet03, bet04, bet05, bet06, bet07, bet08, bet09, bet10, bet11, bet12,
  bet13];

/**
 * Returns the sum of the wavefronts of the main loop's shared loads (LDS) or stores (STS), written
 * as 4 × 1 + 1 × 2: four take one wavefront, one takes two. Null if there are none.
 * @param {import('./results.js').Counts} counts
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
 * @param {(variant: string) => import('./results.js').Counts|null|undefined} countsOf returns a
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
 * Returns the texts of a lesson's answer: why it is that number, and what another bet would have
 * meant.
 * @param {string} step
 * @returns {{why: string, means: Record<number, string>}}
 */
export const textsOf = step => BETS[Number(step.slice(0, 2)) - 1];
