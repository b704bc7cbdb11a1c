// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { BUSY_SMS } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'A tile of C has 64 × 64 elements, and a block computes one. At N = 256, how many of ' +
    'the 132 SMs get a block?',
  bets: [16, 64, 132],
  of: '64x64',
  words: 'of 132 SMs have a block',
  above: BUSY_SMS,
  times: 1,
};

export const why =
  'C has 4 × 4 = {} tiles of 64 × 64 at N = 256, and one block on one SM computes each; the ' +
  'other SMs idle. `stream_16x8` cuts the work, not C, and starts {stream_16x8} blocks.';
export const means = {
  64: 'It would be 64 at N = 512, with 8 × 8 tiles.',
  132: 'It would be 132 if there were more tiles than SMs, or if SMs shared a tile.',
};
