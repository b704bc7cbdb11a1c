// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { WARPS_K, SHARED } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'The loads and stores of a warp take 172 wavefronts per tile in `conflicts`, step 05. How ' +
    'many do they take in `mapped`, without the conflicts of the stores?',
  bets: [86, 140, 168],
  of: 'mapped',
  words: 'wavefronts per tile of a warp',
  above: SHARED,
  below: WARPS_K,
  times: 8,
  reasons: ['conflicts', 'mapped'],
};

export const why =
  'Per tile a warp executes four stores of A and one of B: {STS/1 conflicts} wavefronts in ' +
  '`conflicts`, {STS/1} in `mapped`. The loads stay as they were: {LDS/1} + {STS/1} = {}. ' +
  'That is two percent less, too little for the model of time to show.';
export const means = {
  86:
    'It would be 86 if conflicts doubled the wavefronts of every access. Only four stores had ' +
    'one that the mapping removes.',
  140:
    "It would be 140 if a warp stored for each of the eight k's, 8 × 4 wavefronts fewer. It " +
    'stores once per tile.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  conflicts: 'of a tile take # wavefronts (table',
  mapped: 'all loads and stores to #',
};
