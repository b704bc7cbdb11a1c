// Draws the parts of a timeline: axis, spans, columns, the arrow, the overview, the legend.
import { el, svg } from '../dom.js';
import { KINDS } from './kinds.js';
import { enderOf, labelOf, multipliers, percent, said, sharesOf } from './spans.js';

/**
 * @typedef {import('./spans.js').Span} Span
 * @typedef {import('./view.js').Timeline} Timeline
 */

/**
 * Returns the axis.
 * @param {Timeline} view
 * @param {number} below height of all rows
 */
export function ticks(view, below) {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    step = steps.find(each => view.wide / each <= view.size.ticks) || 2000,
    drawn = [];
  for (let cycle = Math.ceil(view.from / step) * step; cycle <= view.to - step / 4; cycle += step) {
    const x = view.x(cycle),
      end = x > view.size.width - 16 ? 'end' : 'middle';
    drawn.push(
      svg('line', { x1: x, x2: x, y1: 0, y2: below + 3 }),
      svg('text', { x, y: below + 15, 'text-anchor': end }, String(cycle)),
    );
  }
  return drawn;
}

/**
 * Returns a rectangle in a warp's row.
 * @param {Timeline} view
 * @param {number} warp
 * @param {{from: number, to: number}} cycles
 * @param {string} kind its class
 * @param {string} [title]
 */
function box(view, warp, { from, to }, kind, title) {
  const x = view.x(from),
    wide = view.x(to) - x,
    height = view.size.high - 2,
    width = Math.max(0.5, wide - (title && wide >= 4 ? 1 : 0));
  const drawn = svg('rect', { x, y: view.row(warp), width, height, class: kind });
  if (title) drawn.append(svg('title', {}, title));
  return drawn;
}

/**
 * Returns the rectangle of a span, with its label if that has space.
 * @param {Timeline} view
 * @param {Span} span
 */
export function bar(view, span) {
  const { ts, dur, tid } = span,
    issue = span.cat === 'issue',
    [x, end] = [view.x(ts), view.x(ts + dur)],
    css = KINDS[span.kind].css + (span === view.chosen ? ' chosen' : ''),
    drawn = box(view, tid, { from: ts, to: ts + dur }, css, said(span));
  drawn.onclick = () => {
    view.go(tid, ts);
    view.choose(span);
  };
  drawn.onpointerenter = () => {
    if (view.chosen !== span && !view.dragging) view.choose(span);
  };
  const label = labelOf(span),
    fits = [label, label.split(/[.,]/)[0]].find(
      ({ length }) => length * (issue ? 8.4 : 6.6) + 1 <= end - x,
    ),
    y = view.row(tid) + view.size.high / 2 + 3,
    at = { x: (x + end - 1) / 2, y, 'text-anchor': 'middle' };
  return fits ? [drawn, svg('text', { ...at, class: issue ? 'on' : 'ink' }, fits)] : [drawn];
}

/**
 * Returns the columns of a warp: behind, the longest waits; before them, as high as its share, each
 * kind of issues; and what the pointer meets.
 * @param {Timeline} view
 * @param {number} warp
 * @param {import('./spans.js').Piece[]} pieces
 */
export function columns(view, warp, pieces) {
  /** @type {{from: number, to: number, css: string}[]} */
  const behind = [];
  const front = pieces.flatMap(piece => {
    const { from, to, shares } = piece,
      wait = shares.find(({ kind }) => KINDS[kind].reasons),
      css = wait ? KINDS[wait.kind].css : 'column',
      last = behind[behind.length - 1];
    if (last?.css === css && last.to === from) last.to = to;
    else behind.push({ from, to, css });
    let y = view.row(warp) + view.size.high - 2;
    const stack = shares
      .filter(({ kind }) => !KINDS[kind].reasons)
      .sort((a, b) => a.kind - b.kind)
      .map(({ kind, share }) => {
        const issued = box(view, warp, piece, KINDS[kind].css),
          height = share * (view.size.high - 2);
        issued.setAttribute('height', String(height));
        issued.setAttribute('y', String((y -= height)));
        return issued;
      });
    const words = shares.map(({ kind, share }) => `${KINDS[kind].words} ${percent(share)}`),
      told = `Warp ${warp}, cycles ${Math.round(from)} to ${Math.round(to)}: ${words.join(', ')}.`,
      met = box(view, warp, piece, 'column', told);
    met.onclick = () => view.show((from + to) / 2, view.size.cycles);
    met.onpointerenter = () => (view.told.textContent = told);
    return [...stack, met];
  });
  return [...behind.map(run => box(view, warp, run, run.css)), ...front];
}

/**
 * Returns an arrow to the end of the chosen wait, from the issue that it waited for.
 * @param {Timeline} view
 */
export function arrow(view) {
  const wait = view.chosen?.cat === 'stall' ? view.chosen : null,
    end = wait && enderOf(view.spans, wait);
  if (!wait || !end || end.ts < view.from) return [];
  const down = view.size.high / 5, // above the bars' words
    [x1, y1] = [view.x(end.ts + end.dur / 2), view.row(end.tid) + down],
    [x2, y2] = [view.x(wait.ts + wait.dur), view.row(wait.tid) + down],
    bend = `${(x1 + x2) / 2},${(y1 + y2) / 2 - (y1 === y2 ? 2 * down : 0)}`;
  return [
    svg('path', { d: `M${x1},${y1} Q${bend} ${x2},${y2}`, class: 'arrow' }),
    svg('circle', { cx: x1, cy: y1, r: 4, class: 'arrow-end' }),
  ];
}

/**
 * Returns a picture of the used issue slots over all cycles, with the cycles in view marked.
 * @param {Timeline} view
 */
export function overview(view) {
  const { first, last, from, wide } = view,
    { left, width, slots: count } = view.size,
    scale = (width - left) / (last - first),
    slots = Array(count).fill(0);
  for (const { cat, ts } of view.spans)
    if (cat === 'issue') slots[Math.floor((count * (ts - first)) / (last - first))]++;
  const most = Math.max(...slots),
    step = (width - left) / count;
  const bars = slots.map((issued, i) => {
    const height = (20 * issued) / most;
    return svg('rect', { x: left + i * step, width: step, y: 22 - height, height, class: 'idle' });
  });
  const x = left + (from - first) * scale,
    seen = { x, width: Math.max(3, wide * scale), y: 1, height: 23, class: 'window' };
  const all = svg(
    'svg',
    { viewBox: `0 0 ${width} 26`, class: 'overview', 'aria-hidden': 'true' },
    svg('text', { x: left - 6, y: 16, 'text-anchor': 'end' }, 'all'),
    ...bars,
    svg('rect', seen),
  );
  all.onpointerdown = all.onpointermove = event => {
    if (!event.buttons) return;
    const box = all.getBoundingClientRect(),
      at = ((event.clientX - box.left) / box.width) * width;
    view.show(first + (at - left) / scale, wide);
  };
  return all;
}

/**
 * The keys of the legend: kinds in view, with their shares.
 * @param {Timeline} view
 * @param {Span[]} shown
 * @param {number} step cycles of a column; 0: each span is drawn
 */
export function keys(view, shown, step) {
  const key = (/** @type {number} */ kind) =>
    svg(
      'svg',
      { viewBox: '0 0 26 10', class: 'timeline-key', 'aria-hidden': 'true' },
      svg('rect', { x: 1, y: 1, width: 24, height: 8, class: KINDS[kind].css }),
    );
  const fused = multipliers(shown).map(([opcode]) => opcode);
  const words = (/** @type {number} */ kind) => (kind ? KINDS[kind].words : fused.join(', '));
  const sums =
    `Short spans are summed up in columns of about ${Math.round(step)} cycles: the height is the ` +
    'share that issues an instruction, the background is the longest wait.';
  return [
    ...(step ? [el('li', { textContent: sums })] : []),
    el('li', { textContent: `In view, cycles ${view.from} to ${view.to}:` }),
    ...sharesOf(shown, view.from, view.to).map(({ kind, share }) =>
      el('li', {}, key(kind), `${words(kind)} `, el('b', { textContent: percent(share) })),
    ),
  ];
}
