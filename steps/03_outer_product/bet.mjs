// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { SHARED_LOADS, WARPS_K } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'For each k a warp does 64 FFMAs, which take 16 cycles of an SM. How many cycles do ' +
    'the 16 loads of `outer` take?',
  bets: [16, 40, 64],
  hint: 'Shared memory serves one wavefront per cycle.',
  of: 'outer',
  words: 'wavefronts of loads for each k',
  above: SHARED_LOADS,
  below: WARPS_K,
  times: 1,
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  outer: '8 * 1 + 8 * 4 = #',
};
