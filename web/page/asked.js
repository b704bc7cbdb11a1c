// The question on which readers bet in each lesson's box, from the lesson's bet.mjs. Also computes
// the figures that some questions need besides a run's counters.
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
import { asJson, decoded, isOff, records } from './programs.js';
import { CHEAPER, costliestOf, DEARER, loadsOf, loopOf, REQUEST_CYCLES } from './results.js';
import { cyclesOf, requestOf } from './explain.js';

/**
 * The question of each lesson, by the lesson's number.
 * @type {Record<string, Question>}
 */
export const ASKED = {
  '01': bet01.default,
  '02': bet02.default,
  '03': bet03.default,
  '04': bet04.default,
  '05': bet05.default,
  '06': bet06.default,
  '07': bet07.default,
  '08': bet08.default,
  '09': bet09.default,
  10: bet10.default,
  11: bet11.default,
  12: bet12.default,
  13: bet13.default,
};

/** What each lesson's bet.mjs has, by the lesson's number less 1. */
export const BETS = [
  bet01,
  bet02,
  bet03,
  bet04,
  bet05,
  bet06,
  bet07,
  bet08,
  bet09,
  bet10,
  bet11,
  bet12,
  bet13,
];

/** @typedef {import('./results.js').Question} Question */
/**
 * Returns the figures of single instructions that a question needs, as [name, value]. Runs only one
 * block, since every block has the same loop and the same requests.
 * @param {Question} asked
 * @param {(words: string[], wanted: string[]) => Promise<Run>} simrun runs simrun with the options
 *   `words`; the result has the files `wanted`
 * @returns {Promise<[string, number][]>}
 */
export async function figuresOf(asked, simrun) {
  const requests = asked.above === REQUEST_CYCLES;
  const loop = asked.loop || asked.reasons;
  if (!asked.costliest && !loop && !requests) return [];
  const one = async (/** @type {string[]} */ words, /** @type {string} */ file) => {
    const run = await simrun(['--grid', '1', ...words], [file]);
    return isOff(run) ? '' : decoded(run.files[file]);
  };
  const lines = records(await one(['--per-line', ...asJson('simrun', 'r.json')], 'r.json'));
  if (!requests) return [...costliestOf(asked, lines), ...(loop ? loopOf(lines) : [])];
  const pictures = await Promise.all(
    loadsOf(lines).map(address => one(['--picture', address, '--picture-file', 'p.csv'], 'p.csv')),
  );
  if (!pictures.length || pictures.includes('')) return [];
  const cycles = pictures.map(csv => cyclesOf(requestOf(csv)));
  return [
    [REQUEST_CYCLES, cycles[0] + cycles[1]],
    [DEARER, Math.max(...cycles)],
    [CHEAPER, Math.min(...cycles)],
  ];
}
