// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'In step 09 nine of ten instructions do the arithmetic. How many of 100 instructions ' +
    'of `promoted` are MMAs, and not loads, splits or additions?',
  bets: [13, 50, 90],
  hint: 'Counted in a whole run at N = 128, which has a beginning and an end around its loop.',
  of: 'promoted',
  words: 'MMAs in 100 instructions',
  above: 'sm__inst_executed_pipe_tensor.sum',
  below: 'smsp__inst_executed.sum',
  times: 100,
};

export const why =
  'An MMA does 1,024 multiply-adds, an FFMA of a warp 32. So few are enough: {} of 100 ' +
  'instructions. The others load, split each number into two pieces, and add up the sums.';
export const means = {
  50: 'It would be 50 if each MMA needed only one other instruction.',
  90: 'It would be 90 if an MMA did no more than an FFMA does.',
};
