// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { CYCLES, REQUEST_CYCLES, SM_WARPS_K } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'At N = 256, a multiple of 32 like 4096, the two requests of a k take 33 cycles in ' +
    '`uncoalesced`. Make the matrices one column wider: N = 257. How many cycles then?',
  bets: [9, 17, 34],
  of: 'uncoalesced',
  words: 'cycles of the two requests of a k',
  above: REQUEST_CYCLES,
  times: 1,
  wider: 1,
  besides: { words: 'waits included, predicted', above: CYCLES, below: SM_WARPS_K },
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  uncoalesced: 'a multiple of 32 | 32 | # | 0.50',
  'uncoalesced, wider': 'at four per cycle | 8 | # | 1.6',
  coalesced: '`coalesced`, N = 4096 | one word for all lanes | 1 | # | 6.4',
};
