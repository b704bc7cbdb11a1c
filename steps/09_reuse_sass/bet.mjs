// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP_FFMAS, LOOP_BANK_CYCLES } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'The main loop of `compiled`, the compiler’s kernel, loses 99 cycles at the register banks ' +
    'per 1024 FFMAs of a warp. How many does that of `hand_16x8_row` lose?',
  bets: [8, 40, 80],
  of: 'hand_16x8_row',
  words: 'cycles lost at register banks per 1024 FFMAs of the main loop',
  above: LOOP_BANK_CYCLES,
  below: LOOP_FFMAS,
  times: 1024,
  loop: true,
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  compiled: 'by count | | # | 8 |',
  hand_16x8_row: 'by count | | 99 | # |',
};
