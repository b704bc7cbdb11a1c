// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP_FFMAS, LOOP_BANK_CYCLES } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'The main loop loses 8 cycles at the register banks per 512 FFMAs back and forth, row by row ' +
    '64. And the swirl?',
  bets: [32, 64, 144],
  of: 'swirl',
  words: 'cycles lost at register banks per 512 FFMAs of the main loop',
  above: LOOP_BANK_CYCLES,
  below: LOOP_FFMAS,
  times: 512,
  loop: true,
};

export const why =
  'By the rule of two banks four FFMAs of a k find neither x nor y kept. 28 find only y, and ' +
  "half of these read x and their sum from one bank: (4 + 14) × 8 = {} for eight k's. Row by " +
  'row it is {rows}, back and forth {back_and_forth}.';
export const means = {
  32: 'It would be 32 if only those lost a cycle that find neither kept, four per k.',
  64: '{rows} is what the plain order, row by row, loses.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  rows: '| row by row | # | 16 |',
  back_and_forth: '| back and forth | # | 8 |',
  swirl: '| the swirl | # | 0 |',
};
