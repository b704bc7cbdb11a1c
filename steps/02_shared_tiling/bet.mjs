// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { SHARED_LOADS, WARPS_K } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'Four FFMAs of a warp read eight values from shared memory. How many wavefronts does ' +
    'that take in `tile32`?',
  bets: [2, 6, 8],
  hint:
    'A wavefront is one pass through the 32 banks of shared memory: one cycle of the SM, ' +
    'in which it could also start four FFMAs.',
  of: 'tile32',
  words: 'wavefronts for four FFMAs',
  above: SHARED_LOADS,
  below: WARPS_K,
  times: 4,
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  tile32: '4 + 2 = #, so an FMA takes 1.5',
};
