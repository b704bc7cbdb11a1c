// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { REQUESTS, SHARED_LOADS, WARPS_K } from '../../web/page/results.js';

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
  words: 'wavefronts for four FFMAs, a cycle each',
  above: SHARED_LOADS,
  below: WARPS_K,
  times: 4,
  reasons: ['tile32'],
  besides: { words: 'cycles of global requests', above: REQUESTS, below: WARPS_K, adds: true },
};

export const why =
  'Each of the four values of B is a load of its own: the lanes ask for 32 neighbouring words, ' +
  'one per bank. Four neighbours of A come in one 128-bit load, which takes two: {LDS/8} = {}. ' +
  'In each of these cycles an SM could start four FFMAs.';
export const means = {
  2:
    'It would be 2 if one wavefront brought all four values of A, and one those of B. But a ' +
    'wavefront brings at most one word of each bank, and those of B are 128 words.',
  8: 'It would be 8 if each of the eight values took a load of its own.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  tile32: '4 + 2 = #, so an FFMA takes 1.5',
};
