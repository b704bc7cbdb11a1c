// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'In step 09 nine of ten instructions do the arithmetic. How many of 100 instructions ' +
    'of `promoted` are MMAs, and not loads, splits or additions?',
  bets: [13, 50, 90],
  hint:
    'Counted in a whole run at N = 128. In the loop 48 of 241 are; a run has a beginning ' +
    'and an end, too.',
  of: 'promoted',
  words: 'MMAs in 100 instructions',
  above: 'sm__inst_executed_pipe_tensor.sum',
  below: 'smsp__inst_executed.sum',
  times: 100,
};
