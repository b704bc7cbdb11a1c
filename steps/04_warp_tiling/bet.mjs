// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { PER_REQUEST, REQUESTS_OF_IT } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'With lanes 2 × 16 a load of B takes 4 wavefronts. In a line of 32 lanes, 1 × 32, ' +
    'neighbours read neighbouring columns. How many wavefronts then?',
  bets: [1, 4, 8],
  of: 'lanes_1x32',
  words: 'wavefronts for a load of B',
  above: PER_REQUEST,
  below: REQUESTS_OF_IT,
  times: 1,
  costliest: { instructions: /^(@\S+ )?LDS/, figure: 'wavefronts' },
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  lanes_1x32: '8 + 8 * # = 72',
  lanes_2x16: '8 + 8 * # = 40',
  lanes_4x8: '8 + 8 * # = 24',
};
