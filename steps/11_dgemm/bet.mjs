// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'A thread of `hand` has 12 × 8 sums of doubles. How many of 100 instructions are ' +
    'DFMAs, and not loads, copies or addresses?',
  bets: [50, 67, 84],
  of: 'hand',
  words: 'DFMAs in 100 instructions',
  above: 'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum',
  below: 'smsp__inst_executed.sum',
  times: 100 / 32,
};
