// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { SHARED_LOADS, WARPS_K } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'The four loads of a k take 20 wavefronts in `off`. By the usual rule no order of the ' +
    'lanes needs fewer than 16. How many does `z_order` need?',
  bets: [8, 12, 16],
  of: 'z_order',
  words: 'wavefronts for the loads of a k',
  above: SHARED_LOADS,
  below: WARPS_K,
  times: 1,
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  off: 'N = 512 | # | 12 | 12 | 8 |',
  z_lanes: 'N = 512 | 20 | # | 12 | 8 |',
  patches: 'N = 512 | 20 | 12 | # | 8 |',
  z_order: 'N = 512 | 20 | 12 | 12 | # |',
};
