// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { SHARED_CYCLES, WARPS_K } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'Per tile a warp of step 04 keeps the issue slots busy for 192 cycles, shared memory for ' +
    '212: shared memory decides. In `both`, with float4, how many cycles decide?',
  bets: [146, 174, 212],
  of: 'both',
  words: 'cycles of shared memory per tile and warp',
  above: SHARED_CYCLES,
  below: WARPS_K,
  times: 8,
  reasons: ['both'],
};

export const why =
  'Loads take {LDS/1} wavefronts, stores {STS/1}, and each of two requests to global memory a ' +
  'cycle: {}. The slots need only 146. By them float4 would be 1.32 times as fast, but shared ' +
  'memory decides: 1.22 times.';
export const means = {
  146: 'It would be 146 if the issue slots decided: 583 instructions, four per cycle.',
  212:
    '212 is what step 04 takes. The loads of A take 32 wavefronts fewer here, and there are six ' +
    'requests fewer.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  both: '16 * 2 + 16 * 8 + 14 = #',
};
