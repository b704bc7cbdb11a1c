// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { MEMORY_WAITS } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'At N = 256, by the model, the warps of `fragments`, with one buffer for the tiles, wait ' +
    '1.2 warp-cycles per issue for global memory. With two buffers, in `both`?',
  bets: [0.03, 0.3, 0.6],
  hint: 'The same waits as in the first table: 0.94 in step 07 at N = 4096, measured.',
  of: 'both',
  words: 'warp-cycles per issue of waits for global memory',
  above: MEMORY_WAITS,
  times: 1,
};
