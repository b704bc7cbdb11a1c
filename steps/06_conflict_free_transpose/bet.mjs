// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { WARPS_K, SHARED } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'Shared memory takes 172 wavefronts per tile of a warp in `conflicts`, loads and ' +
    'stores together. Without the conflicts of the stores, in `mapped`: how many?',
  bets: [86, 140, 168],
  of: 'mapped',
  words: 'wavefronts per tile of a warp',
  above: SHARED,
  below: WARPS_K,
  times: 8,
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  conflicts: 'of a tile take # wavefronts (below)',
  mapped: '64 of a tile\'s # wavefronts',
};
