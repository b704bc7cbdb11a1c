// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP_FFMAS, LOOP_BANK_CYCLES } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'By count the main loop of `compiled`, the compiler’s kernel, loses 99 cycles at the ' +
    'register banks per 1024 FFMAs of a warp. How many does that of `hand_16x8_row` lose?',
  bets: [0, 8, 64],
  hint: "Its 1024 FFMAs are eight k's, each in an order such as question 3 asks for.",
  of: 'hand_16x8_row',
  words: 'cycles lost at register banks per 1024 FFMAs of the main loop',
  above: LOOP_BANK_CYCLES,
  below: LOOP_FFMAS,
  times: 1024,
  loop: true,
};

export const why =
  "Of a k's 128 FFMAs only the first finds no operand kept, since its a and b are new. From " +
  'there on two rows are walked together, back and forth, and one operand always stays. {FFMAs ' +
  "of the main loop} FFMAs are eight k's: {} cycles, {compiled} in `compiled`.";
export const means = {
  0: 'It would be 0 if the first FFMA of a k found an operand kept, too.',
  64:
    "It would be 64 if each of a k's eight pairs of rows began anew. But where a pair ends, b " +
    'stays.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  compiled: 'by count | | # | 8 |',
  hand_16x8_row: 'by count | | 99 | # |',
};
