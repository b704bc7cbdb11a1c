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

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  rows: '| row by row | # | 16 |',
  back_and_forth: '| back and forth | # | 8 |',
  swirl: '| the swirl | # | 0 |',
};
