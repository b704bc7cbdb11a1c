// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'In step 04 a warp executes 768 instructions per tile, 512 of them FFMAs. How many in ' +
    '`both`, with float4?',
  bets: [583, 640, 704],
  hint: 'Counted in one pass of the main loop.',
  of: 'both',
  words: 'instructions per tile and warp',
  above: LOOP,
  times: 1,
  loop: true,
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  both: '512 + 32 + 39 = #',
};
