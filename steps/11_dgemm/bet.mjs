// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP_BANK_CYCLES } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'The 1024 DFMAs of a tile take two cycles of the register banks each. In `all`, as compiled, ' +
    'they lose 255 more. How many in `reuse`, where neighbours share an operand?',
  bets: [0, 44, 214],
  of: 'reuse',
  words: 'cycles lost at register banks per tile of a warp',
  above: LOOP_BANK_CYCLES,
  times: 1,
  loop: true,
};

export const why =
  'A DFMA that finds an operand kept reads two pairs of registers, in two cycles; one that finds ' +
  'none reads three. In the new order few find none: {} cycles are lost instead of {all}.';
export const means = {
  0: 'It would be 0 if every DFMA found an operand kept.',
  214: 'That is what the other instructions cost in both kernels: they read registers, too.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  all: '# bank-conflict cycles',
  reuse: '# bank-conflict cycles',
};
