// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { PER_REQUEST, REQUESTS_OF_IT } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'With lanes 2 × 16 a load of B takes 4 wavefronts. In a line of 32 lanes, 1 × 32, ' +
    'all read the same row of B. How many wavefronts then?',
  bets: [1, 4, 8],
  of: 'lanes_1x32',
  words: 'wavefronts for a load of B',
  above: PER_REQUEST,
  below: REQUESTS_OF_IT,
  times: 1,
  costliest: { instructions: /^(@\S+ )?LDS/, figure: 'wavefronts' },
};

export const why =
  'The words that neighbouring lanes read lie eight floats apart, in only four of the banks. 32 ' +
  'different words take {} wavefronts; the 16 of `lanes_2x16` take {lanes_2x16}, the 8 of ' +
  '`lanes_4x8` {lanes_4x8}.';
export const means = {
  1:
    'It would be 1 if neighbouring lanes read neighbouring words. They read the first words of ' +
    'tiles that are eight floats wide.',
  4: 'It would be 4 if the lanes still asked for 16 different words. Now they ask for 32.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  lanes_1x32: '8 + 8 * # = 72',
  lanes_2x16: '8 + 8 * # = 40',
  lanes_4x8: '8 + 8 * # = 24',
};
