// What the lesson's box asks, and what the lesson's text answers (tests/web/cards.mjs).
import { MEMORY_WAITS } from '../../web/page/results.js';

/** @type {import('../../web/page/results.js').Question} */
export default {
  asks:
    'At N = 128 a block computes 16 tiles. With one buffer for tiles, in `fragments`, its warps ' +
    'wait for device memory 30 % of their time. And with two, in `both`?',
  bets: [0, 2, 15],
  hint: 'Predicted by the model. Which of the 16 fetches has nothing to hide behind?',
  of: 'both',
  words: '% of the time: waits for device memory',
  above: MEMORY_WAITS,
  times: 1,
};

export const why =
  'With one buffer warps wait for each of the 16 tiles, {fragments} % of their time. With two ' +
  'they wait for the first only, before which there is nothing to compute: about a sixteenth ' +
  'of that, {} %. Each other tile is on its way while they compute the one before: 512 FFMAs ' +
  "for each of a scheduler's two warps (an SM has one block here) take longer than the load.";
export const means = {
  0: 'It would be 0 if the first tile were there at once.',
  15:
    'It would be about 15 if half of each fetch were hidden. All but the first are hidden ' +
    'nearly whole.',
};

/** Where README.md has the figures: by variant, the text with # in place of the figure. */
export const inText = {
  fragments: 'all 16 tiles, # %',
  both: 'about a sixteenth of that, # %',
};
