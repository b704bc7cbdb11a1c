// A scheduler's issue slots from the model's trace, one row per warp. Wheel and + - zoom, drag and
// arrows move, an overview shows the position. A span that is pointed at or selected shows its
// details; an arrow leads to the end of a wait.
import { button, el, scrolled, svg } from './dom.js';

/** @typedef {{name: string, cat: string, ph: string, pid: number, tid: number, ts: number, dur: number, args: {instruction: string, address: string}, kind: number}} Span */

/** @type {[string, string, RegExp][]} kinds of span: words, class, names */
const KINDS = [['FFMA', 'k-fma', /^(FFMA|DFMA|HFMA2|HGMMA|HMMA)/], ['shared memory', 'k-shared', /^(LDS|STS|LDSM|ATOMS|SHFL)/], ['device memory', 'k-device', /^(LDG|STG|LDGSTS|LD|ST|TLD|RED|ATOM|LDGDEPBAR)\b/],
  ['branch, barrier', 'k-branch', /^(BAR|BRA|EXIT|DEPBAR|NOP|WARPSYNC|BSSY|BSYNC)/], ['other arithmetic', 'k-other', /^[A-Z]/], ['waits for a barrier', 'k-wait-barrier', /^barrier/], ['waits for device memory', 'k-wait-device', /^long_/],
  ['waits for shared memory', 'k-wait-shared', /^short_/], ['waits for a full queue', 'k-wait-queue', /_throttle/], ['ready, another warp was chosen', 'k-ready', /^not_selected/], ['waits for a result', 'k-wait-other', /./]];

/**
 * @param {string} trace
 * @returns {Span[]}
 */
export const spansOf = trace => JSON.parse(trace).traceEvents.filter((/** @type {Span} */ event) => event.ph === 'X' && event.pid === 0);

/**
 * Registers that an instruction's text names, the first one apart.
 * @param {string} text
 */
const registersOf = text => {
  const found = [...text.replace(/desc\[[^\]]*\]/g, '').matchAll(/\bR(\d+)(?:\.64)?/g)].map(match => Number(match[1])), wide = /\.128/.test(text) ? 4 : /\.64\b/.test(text) ? 2 : 1;
  return { first: [...Array(wide).keys()].map(i => (found[0] ?? -9) + i), rest: found.slice(/^(ST|RED|BAR)/.test(text) ? 0 : 1), all: found };
};

/**
 * Returns the span that ended a wait: the load that wrote a register, the last warp at the barrier,
 * or the warp that was selected.
 * @param {Span[]} spans
 * @param {Span} wait
 */
export function enderOf(spans, wait) {
  const end = wait.ts + wait.dur, issued = spans.filter(span => span.cat === 'issue' && span.ts < end), mine = issued.filter(span => span.tid === wait.tid);
  const latest = (/** @type {Span[]} */ list) => list.reduce((best, span) => (!best || span.ts > best.ts ? span : best), /** @type {Span|null} */ (null));
  if (/^barrier/.test(wait.name)) return latest(issued.filter(span => span.name.startsWith('BAR') && span.tid !== wait.tid && span.ts >= wait.ts));
  if (/^not_selected/.test(wait.name)) return latest(issued.filter(span => span.tid !== wait.tid));
  const wanted = registersOf(wait.args.instruction);
  const loads = /^long_/.test(wait.name) ? /^(LDG|LD\b|TLD|ATOM)/ : /^short_/.test(wait.name) ? /^(LDS|SHFL|MUFU|S2R|ATOMS)/ : /./;
  return latest(mine.filter(span => loads.test(span.name) && !/^(ST|BAR|BRA)/.test(span.name) && registersOf(span.args.instruction).first.some(register => wanted.all.includes(register)))) || latest(mine);
}

/** @param {Span} span */
const said = span => `warp ${span.tid}, cycle ${span.ts}: ${span.cat === 'stall' ? `${span.name}, ${span.dur} cycles, before ` : ''}${span.args.instruction}`;

const LEFT = 60, WIDTH = 760, HIGH = 20;
/**
 * @param {string} trace
 * @param {(warp: number, cycle: number) => void} go called when an instruction is clicked, or Enter
 * is pressed on it
 */
export function timelinePicture(trace, go) {
  const spans = spansOf(trace).map(span => ({ ...span, kind: KINDS.findIndex(([, , names]) => names.test(span.name)) }));
  if (!spans.length) return el('p', { textContent: 'No cycles to show.' });
  const warps = [...new Set(spans.map(span => span.tid))].sort((a, b) => a - b), below = HIGH * warps.length;
  const first = Math.min(...spans.map(span => span.ts)), last = Math.max(...spans.map(span => span.ts + span.dur));
  const place = scrolled('the timeline: arrows choose a span, + and − zoom, Enter steps to it'), told = el('p', { className: 'told', role: 'status', textContent: 'Point at a span, or choose one with the arrow keys.' });
  place.classList.add('timeline-box');
  // At first the 160 cycles in which most is issued.
  const busiest = spans.reduce((best, { ts }) => { const count = ts + 160 > last ? -1 : spans.filter(span => span.cat === 'issue' && span.ts >= ts && span.ts < ts + 160).length; return count > best.count ? { at: ts, count } : best; }, { at: first, count: -1 }).at;
  let [from, to] = [busiest, Math.min(last, busiest + 160)];
  /** @type {Span|null} */
  let chosen = null;
  const row = (/** @type {Span} */ span) => HIGH * warps.indexOf(span.tid);
  const x = (/** @type {number} */ cycle) => LEFT + (cycle - from) * (WIDTH - LEFT) / (to - from);

  function arrow() {
    const end = chosen && chosen.cat === 'stall' ? enderOf(spans, chosen) : null;
    if (!chosen || !end || end.ts < from) return [];
    const [x1, y1, x2, y2] = [x(Math.min(to, end.ts + end.dur / 2)), row(end) + 9, x(Math.min(to, chosen.ts + chosen.dur)), row(chosen) + 9], bend = y1 === y2 ? -16 : 0;
    return [svg('path', { d: `M${x1},${y1} Q${(x1 + x2) / 2},${(y1 + y2) / 2 + bend} ${x2},${y2}`, class: 'arrow' }), svg('circle', { cx: x1, cy: y1, r: 4, class: 'arrow-end' })];
  }
  function choose(/** @type {Span|null} */ span) {
    chosen = span;
    if (span) {
      const end = span.cat === 'stall' ? enderOf(spans, span) : null;
      told.textContent = `${KINDS[span.kind][0]}. ${said(span)}${end ? `; it ends with ${end.tid === span.tid ? '' : `warp ${end.tid}'s `}${end.args.instruction} of cycle ${end.ts}` : ''}.`;
    }
    draw();
  }
  function draw() {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(each => (to - from) / each <= 9) || 2000, ticks = [];
    for (let cycle = Math.ceil(from / step) * step; cycle <= to - step / 4; cycle += step) ticks.push(cycle);
    const shown = spans.filter(span => span.ts < to && span.ts + span.dur > from);
    place.replaceChildren(svg('svg', { viewBox: `0 0 ${WIDTH} ${below + 34}`, role: 'img', class: 'timeline', 'aria-label': `${warps.length} warps, cycles ${from} to ${to}` },
      ...warps.map((warp, i) => svg('text', { x: LEFT - 6, y: HIGH * i + 13, 'text-anchor': 'end' }, `warp ${warp}`)),
      ...ticks.map(cycle => svg('g', {}, svg('line', { x1: x(cycle), x2: x(cycle), y1: 0, y2: below + 3 }), svg('text', { x: x(cycle), y: below + 15, 'text-anchor': 'middle' }, String(cycle)))),
      svg('text', { x: WIDTH, y: below + 30, 'text-anchor': 'end' }, 'cycles of the SM'),
      ...shown.map(span => {
        const begin = Math.max(from, span.ts), box = svg('rect', { x: x(begin), y: row(span), height: HIGH - 2, width: Math.max(0.5, x(Math.min(to, span.ts + span.dur)) - x(begin) - (to - from < 200 ? 1 : 0)), class: `${KINDS[span.kind][1]}${span === chosen ? ' chosen' : ''}` }, svg('title', {}, said(span)));
        box.addEventListener('click', () => { chosen = span; go(span.tid, span.ts); choose(span); });
        box.addEventListener('pointerenter', () => { if (chosen !== span && !dragging) choose(span); });
        return box;
      }), ...arrow()), overview());
  }
  function overview() {
    const X = (/** @type {number} */ cycle) => LEFT + (cycle - first) * (WIDTH - LEFT) / (last - first || 1), parts = [];
    const slots = Array(140).fill(0); // share of issue slots that were used, left to right
    for (const span of spans) if (span.cat === 'issue') slots[Math.min(139, Math.floor(140 * (span.ts - first) / (last - first || 1)))]++;
    const most = Math.max(...slots);
    slots.forEach((count, i) => parts.push(svg('rect', { x: LEFT + i * (WIDTH - LEFT) / 140, width: (WIDTH - LEFT) / 140, y: 22 - 20 * count / most, height: 20 * count / most, class: 'idle' })));
    const view = svg('svg', { viewBox: `0 0 ${WIDTH} 26`, class: 'overview', 'aria-hidden': 'true' }, svg('text', { x: LEFT - 6, y: 16, 'text-anchor': 'end' }, 'all'), ...parts, svg('rect', { x: X(from), width: Math.max(3, X(to) - X(from)), y: 1, height: 23, class: 'window' }));
    const move = (/** @type {PointerEvent} */ event) => { const box = view.getBoundingClientRect(), at = (event.clientX - box.left) / box.width * WIDTH; show(first + (at - LEFT) / (WIDTH - LEFT) * (last - first), to - from); };
    view.addEventListener('pointerdown', move);
    view.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => { if (event.buttons) move(event); });
    return view;
  }
  const show = (/** @type {number} */ middle, /** @type {number} */ cycles) => {
    const wide = Math.round(Math.max(10, Math.min(last - first, cycles)));
    from = Math.round(Math.max(first, Math.min(last - wide, middle - wide / 2)));
    to = from + wide;
    draw();
  };
  const zoom = (/** @type {number} */ factor, at = (from + to) / 2) => { const wide = Math.max(10, Math.min(last - first, (to - from) * factor)), share = (at - from) / (to - from); show(at + wide * (0.5 - share), wide); };
  let dragging = false, start = 0;
  const cycleAt = (/** @type {MouseEvent} */ event) => { const box = /** @type {SVGElement} */ (place.querySelector('.timeline')).getBoundingClientRect(); return from + ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT) * (to - from); };
  place.addEventListener('wheel', (/** @type {WheelEvent} */ event) => { if (!event.target || !(/** @type {Element} */ (event.target)).closest('.timeline')) return; event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(event)); }, { passive: false });
  place.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => { if ((/** @type {Element} */ (event.target)).closest('.timeline')) start = cycleAt(event); });
  place.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    if (!event.buttons || !(/** @type {Element} */ (event.target)).closest('.timeline')) { dragging = false; return; }
    const moved = start - cycleAt(event);
    if (Math.abs(moved) < (to - from) / 100) return;
    dragging = true;
    show((from + to) / 2 + moved, to - from);
  });
  place.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key], down = { ArrowDown: 1, ArrowUp: -1 }[event.key], scale = { '+': 0.5, '=': 0.5, '-': 2, '−': 2 }[event.key];
    if (event.key === 'Enter' && chosen) go(chosen.tid, chosen.ts);
    else if (scale) zoom(scale, chosen ? chosen.ts : undefined);
    else if (event.key === 'Home' || event.key === 'End') show(event.key === 'Home' ? first : last, to - from);
    else if (across || down) {
      const warp = chosen ? chosen.tid : warps[0], at = chosen ? chosen.ts : from, line = spans.filter(span => span.tid === (down ? warps[(warps.indexOf(warp) + down + warps.length) % warps.length] : warp)).sort((a, b) => a.ts - b.ts);
      const next = down ? line.reduce((best, span) => (Math.abs(span.ts - at) < Math.abs(best.ts - at) ? span : best), line[0]) : line[Math.max(0, Math.min(line.length - 1, (chosen ? line.indexOf(chosen) : -1) + /** @type {number} */ (across)))];
      if (next.ts < from || next.ts > to) show(next.ts, to - from);
      choose(next);
    } else return;
    event.preventDefault();
  });
  draw();
  const named = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => void} */ act) => Object.assign(button(text, act), { ariaLabel: name, title: name });
  return el('div', {}, el('p', { className: 'row' }, named('+', 'fewer cycles', () => zoom(0.5)), named('−', 'more cycles', () => zoom(2)), named('←', 'earlier', () => show((from + to) / 2 - (to - from) / 2, to - from)), named('→', 'later', () => show((from + to) / 2 + (to - from) / 2, to - from)), named('All', 'all cycles', () => show((first + last) / 2, last - first)),
    el('span', { className: 'soft', textContent: 'Wheel zooms, dragging moves, a click on an instruction steps to it.' })), place, told,
  el('ul', { className: 'legend' }, ...[...new Set(spans.map(span => span.kind))].sort((a, b) => a - b).map(kind => el('li', {}, svg('svg', { viewBox: '0 0 26 10', class: 'timeline-key', 'aria-hidden': 'true' }, svg('rect', { width: 26, height: 10, class: KINDS[kind][1] })), KINDS[kind][0]))));
}
