// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'In step 04 a warp executes 768 instructions per tile, 512 of them FFMAs. How many in ' +
    '`both`, with float4?',
  bets: [583, 674, 704],
  hint: 'Counted in one pass of the main loop.',
  of: 'both',
  words: 'instructions per tile and warp',
  above: LOOP,
  times: 1,
  loop: true,
};

export const why =
  '{FFMAs of the main loop} of the {} are FFMAs, as before. A load brings four floats, so ' +
  '{shared loads of the main loop} loads from shared memory do the work of 128. {other ' +
  'instructions of the main loop} others are left of 128, since the fetch of a tile has wide ' +
  'loads, too.';
export const means = {
  674: '{shared} is what `shared` takes, whose loads from shared memory alone are wide.',
  704:
    'It would be 704 with 64 loads of two floats from shared memory, and all else as in step 04.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  both: '512 + 32 + 39 = #',
};
