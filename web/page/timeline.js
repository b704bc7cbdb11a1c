// The timeline of a scheduler's issue slots, from the model's trace, one row per warp. A span is a
// warp's issue or wait; short ones are summed up in columns if many cycles are in view. If the
// chosen span is a wait, an arrow comes from the issue that ended it.
import { details, el } from './dom.js';
import { narrow } from './draw.js';
import { kindOf, stallsSaid } from './timeline/kinds.js';
import { claimOf, spansOf } from './timeline/spans.js';
import { Timeline } from './timeline/view.js';

/**
 * Returns the timeline of a trace, with its buttons, its legend and a table.
 * @param {string} trace JSON of `simrun --timeline`
 * @param {string} stalls what `simrun --stalls` prints
 * @param {(warp: number, cycle: number) => void} go called when a span is clicked, or when Enter is
 *   pressed on it
 */
export function timelinePicture(trace, stalls, go) {
  const spans = spansOf(trace).map(span => ({ ...span, kind: kindOf(span) }));
  if (!spans.length) return el('p', { textContent: 'No cycles to show.' });
  const timeline = new Timeline(spans, go);
  const how = el('span', {
    className: 'soft',
    textContent:
      narrow() || matchMedia('(pointer: coarse)').matches
        ? '+ and − zoom, ← and → move, a tap on an instruction steps to it.'
        : 'Point at a span, or click to step to it. Ctrl + wheel zooms, dragging moves.',
  });
  return el(
    'div',
    {},
    el('p', { className: 'claim', textContent: claimOf(spans, timeline.first, timeline.last) }),
    el('p', { className: 'row' }, ...timeline.buttons(), how),
    timeline.place,
    timeline.told,
    timeline.legend,
    details(
      'The same as a table: what each line waits for',
      el('pre', { className: 'listing', tabIndex: 0, textContent: stallsSaid(stalls) }),
    ),
  );
}
