// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { BUSY_SMS } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'A tile of C has 64 × 64 elements, and a block computes one. At N = 256, how many of ' +
    'the 132 SMs get work?',
  bets: [16, 64, 132],
  of: '64x64',
  words: 'of 132 SMs have work',
  above: BUSY_SMS,
  times: 1,
};
