// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { MEMORY_WAITS } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'At N = 128, by the model, the warps of `fragments`, with one buffer for the tiles, wait ' +
    '1.3 warp-cycles per issue for global memory. With two buffers, in `both`?',
  bets: [0, 0.06, 0.6],
  hint: 'The same waits as in the first table: 0.94 in step 07 at N = 4096, measured.',
  of: 'both',
  words: 'warp-cycles per issue of waits for global memory',
  above: MEMORY_WAITS,
  times: 1,
};

export const why =
  'The next tile is on its way while the warps compute this one: 512 FFMAs for each of a ' +
  "scheduler's two warps take longer than the load. What is left, {} instead of {fragments}, is " +
  'mostly the wait for the first tile, before which there is nothing to compute.';
export const means = {
  0: 'It would be 0 if the first tile were there at once.',
  0.6:
    'It would be about 0.6 if half of each fetch were hidden. All but the first are hidden ' +
    'nearly whole.',
};
