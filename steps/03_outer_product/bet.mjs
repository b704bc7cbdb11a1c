// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { LOOP_FFMAS, LOOP_LOAD_WAVEFRONTS } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'For each k a warp does 64 FFMAs, which take 16 cycles of an SM. How many cycles do ' +
    'the 16 loads of `outer` take?',
  bets: [16, 40, 64],
  hint: 'Shared memory serves one wavefront per cycle.',
  of: 'outer',
  words: 'wavefronts of loads for 64 FFMAs',
  above: LOOP_LOAD_WAVEFRONTS,
  below: LOOP_FFMAS,
  times: 64,
  loop: true,
  small:
    'With so small an N outer keeps few of the 132 SMs busy: its blocks compute 16 times as many ' +
    'elements as those of step 02.',
};

export const why =
  'The two words of a load of A lie in two banks: one wavefront. The 16 words of a load of B lie ' +
  'eight floats apart, four in each of four banks: four wavefronts. {LDS/8} = {}, where the ' +
  'FFMAs need 16 cycles.';
export const means = {
  16: 'It would be 16 if each load took one wavefront. Those of A do.',
  64: 'It would be 64 if the loads of A took four wavefronts, too.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  outer: '8 * 1 + 8 * 4 = #',
};
