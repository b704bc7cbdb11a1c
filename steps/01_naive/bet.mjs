// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { REQUEST_CYCLES } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'In `uncoalesced` the two requests for a k take 32 + 1 = 33 cycles at N = 64, as at 4096. ' +
    'How many at N = 65, with matrices one column wider?',
  bets: [9, 17, 34],
  of: 'uncoalesced',
  words: 'cycles of the two requests for each k',
  above: REQUEST_CYCLES,
  times: 1,
  wider: 1,
};

export const why =
  'Rows 65 floats apart put the 32 words of A into 32 banks, so no two meet. But they lie in 32 ' +
  'lines of the L1, which looks up four per cycle: {cycles of the dearer of the two} cycles. The ' +
  'one word of B takes {cycles of the cheaper}, so it is {} in all. At N = 64 all 32 words lie ' +
  'in one bank: {uncoalesced}.';
export const means = {
  17: 'It would be 17 if the 32 words lay in two banks, 16 in each, as at N = 80.',
  34:
    'It would be 34 if another column only meant more work. A warp still asks for 32 words: only ' +
    'their banks change.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  uncoalesced: 'a multiple of 32 | 32 | # | 0.50',
  'uncoalesced, wider': 'at four per cycle | 8 | # | 1.6',
  coalesced: '`coalesced`, N = 4096 | one word for all lanes | 1 | # | 6.4',
};
