// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { SHARED_LOADS, WARPS_K } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'The four loads of a k take 20 wavefronts in `off`, step 06. How many do they take in ' +
    "`z_order`, with patches and z's?",
  bets: [8, 12, 16],
  of: 'z_order',
  words: 'wavefronts for the loads of a k',
  above: SHARED_LOADS,
  below: WARPS_K,
  times: 1,
  reasons: ['off', 'z_order'],
};

export const why =
  "In z's each lane has one neighbour that reads the same bytes of A, and one that reads the " +
  'same of B. So each load is served by halves of the warp, a wavefront each: {LDS/8} = {}. In ' +
  '`off` a load of B goes by quarters, and in each two lanes meet in a bank: {LDS/8 off} = ' +
  '{off}.';
export const means = {
  12: "{patches} is what patches need without z's, and z's without patches.",
  16: 'It would be 16 if each load went by quarters of the warp, as most texts have it.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  off: 'N = 512 | # | 12 | 12 | 8 |',
  z_lanes: 'N = 512 | 20 | # | 12 | 8 |',
  patches: 'N = 512 | 20 | 12 | # | 8 |',
  z_order: 'N = 512 | 20 | 12 | 12 | # |',
};
