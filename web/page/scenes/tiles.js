// The animation of step 02: tiles of A and B move along K.
import { svg } from '../dom.js';
import { cell, drawing, label, narrow } from '../draw.js';
import { mark } from '../pointing.js';
import { addresses, begin, indices, inOrder, issues, LANES } from './trace.js';

const ROWS = 4; // rows drawn per warp: its own, and those of three warps on the other schedulers
const WARPS = LANES / ROWS;
// In units of the drawing: the side of a tile in shared memory, where the second tile begins, and
// the height of ROWS rows.
const SIDE = 148,
  FAR = SIDE + 14,
  GROUP = SIDE / WARPS;

/** @typedef {import('./trace.js').Issued & {loads: number[]}} Traced */
/** @typedef {{matrix: string, row: number, column: number, round: number}} Load */
/**
 * @typedef {Partial<Load> & {round: number, cycle: number, warp: number, text: string,
 *   what: 'load'|'store'|'wait'|'read'}} Event
 */
/** The legend, in the empty corner above A and left of B. */
const LEGEND = [
  ['idle', 'not loaded yet'],
  ['A load', 'on its way to shared memory'],
  ['A store', 'in shared memory'],
  ['A read', 'used'],
  ['C', 'share of the sums that is done'],
  ['sheet cross', 'a float, and its 32 sums'],
];

/**
 * Returns the loads, stores and barriers of a warp as events. A load has the row and column that
 * its first lane reads.
 * @param {Traced} traced
 * @param {{base: number[], isA: number, N: number}} matrices `base`: the addresses of the matrix
 *   of even loads and of that of odd loads; `isA`: which of these is A
 * @returns {Event[]}
 */
function eventsOf({ warp, issued, loads }, { base, isA, N }) {
  /** @type {Record<string, Load>} the load that filled each register */
  const by = {};
  let load = 0,
    barriers = 0;
  const of = (/** @type {Span} */ span) => {
    const event = { cycle: span.ts, warp, text: span.args.instruction };
    const [, register] = /(R\d+), desc|, (R\d+)$/.exec(event.text)?.filter(Boolean) || [];
    if (span.name === 'LDG') {
      const at = (loads[load] - base[load % 2]) / 4;
      by[register] = {
        matrix: load % 2 === isA ? 'A' : 'B',
        row: Math.floor(at / N),
        column: at % N,
        round: load >> 1,
      };
      load++;
      return [{ ...event, what: 'load', ...by[register] }];
    }
    if (span.name === 'STS') return [{ ...event, what: 'store', ...by[register] }];
    if (span.name === 'BAR')
      return [{ ...event, what: barriers % 2 ? 'read' : 'wait', round: barriers++ >> 1 }];
    return [];
  };
  return issued.flatMap(span => /** @type {Event[]} */ (of(span)));
}
/**
 * Returns what the tiles hold after the events `past`, and how many rounds each warp has summed.
 * @param {Event[]} past
 */
function stateAfter(past) {
  const stripes = new Map(),
    sums = new Map();
  for (const event of past) {
    if (event.what === 'load' || event.what === 'store')
      stripes.set(`${event.matrix} ${event.row} ${event.column}`, event);
    if (event.what !== 'read') continue;
    sums.set(event.warp, event.round + 1);
    for (const [key, one] of stripes)
      if (one.warp === event.warp && one.round === event.round)
        stripes.set(key, { ...one, what: 'read' });
  }
  return { stripes: [...stripes.values()], sums: [...sums] };
}
/**
 * Returns how many warps copy, wait at a barrier, and compute.
 * @param {Event[]} past
 */
function workOf(past) {
  const last = new Map(past.map(event => [event.warp, event])),
    all = [...last.values()];
  // A barrier lets warps go on when all have come to it.
  const open = (/** @type {Event} */ { what, round }) =>
    all.length === WARPS &&
    all.every(
      one => one.round > round || (one.round === round && ['read', what].includes(one.what)),
    );
  return all.map(one =>
    one.what !== 'wait' && one.what !== 'read'
      ? 'copies'
      : !open(one)
        ? 'waits'
        : one.what === 'wait'
          ? 'computes'
          : 'copies',
  );
}
/**
 * Draws the matrices in global memory: the block's rows of A on the left, its columns of B above,
 * both along K, and its tile of C. A frame is around the tiles of the round.
 * @param {Event[]} past
 * @param {number} N
 * @param {number} one pixels per element
 */
function globalParts(past, N, one) {
  const side = LANES * one,
    far = N * one + 14,
    { stripes } = stateAfter(past),
    now = Math.max(...past.map(event => event.round)),
    used = now * side;
  const at = (
    /** @type {string} */ matrix,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) =>
    matrix === 'A' ? [column * one, far + row * one] : [far + column * one, row * one];
  return [
    label(0, 14, 'The tiles in global memory', 'strong'),
    ...LEGEND.flatMap(([kind, words], i) => [
      svg('rect', { x: 1, y: 34 + 24 * i, width: 26, height: 10, class: kind }),
      label(38, 44 + 24 * i, words),
    ]),
    label(0, far - 6, 'A'),
    label(far - 14, 12, 'B'),
    svg('path', {
      class: 'idle',
      d: `M${used} ${far}H${N * one}v${side}H${used}zM${far} ${used}V${N * one}h${side}V${used}z`,
    }),
    ...stripes.map(({ matrix, row, column, what }) => {
      const [x, y] = at(matrix, row, column);
      return svg('rect', { x, y, width: side, height: ROWS * one - 1, class: `${matrix} ${what}` });
    }),
    svg('rect', { x: far, y: far, width: side, height: side, class: 'frame' }),
    label(far + side / 2, far + side / 2 + 5, 'C', 'strong', 'middle'),
    ...[...Array(N / LANES).keys()].flatMap(tile =>
      ['A', 'B'].map(matrix => {
        const along = tile * LANES,
          [x, y] = matrix === 'A' ? at('A', 0, along) : at('B', along, 0);
        return mark(
          svg('rect', {
            x,
            y,
            width: side,
            height: side,
            class: tile === now ? 'clear now' : 'clear frame',
          }),
          `t${tile}`,
          `Round ${tile + 1}: both tiles have k from ${along} to ${along + LANES - 1}.`,
        );
      }),
    ),
  ];
}
/** Draws a float of each tile, and the row or the column of C whose threads read it. */
function servedParts() {
  const one = SIDE / LANES,
    [row, column, last, long] = [FAR + 9 * one, FAR + 21 * one, SIDE - one, SIDE - 2];
  const d =
    `M${SIDE} ${row + 2}h14m0-2h${long}v5h-${long}z` +
    `M${column + 2} ${SIDE}v14m-2 0v${long}h5v-${long}z`;
  return [
    svg('path', { class: 'cross', d }),
    cell(last, row, one, one, 'sheet cross'),
    cell(column, last, one, one, 'sheet cross'),
  ];
}
const from = (/** @type {number} */ i) => `${ROWS * i} to ${ROWS * i + ROWS - 1}`;
/**
 * Draws the sums of four rows and four columns, as a vessel that fills.
 * @param {number} i
 * @param {number} j
 * @param {number} share of the rounds that is done
 */
function sumsOf(i, j, share) {
  const [x, y, size] = [FAR + j * GROUP, FAR + i * GROUP, GROUP - 2],
    height = size * share;
  return mark(
    svg(
      'g',
      {},
      cell(x, y, size, size, 'idle'),
      svg('rect', { x, y: y + size - height, width: size, height, class: 'C' }),
    ),
    `r${i} c${j}`,
    `The threads of C's rows ${from(i)}, columns ${from(j)}, read those rows of A's tile and ` +
      "those columns of B's.",
  );
}
/**
 * Draws the two tiles in shared memory, enlarged, the sums of C, and the warps.
 * @param {Event[]} past
 * @param {number} rounds
 */
function sharedParts(past, rounds) {
  const { stripes, sums } = stateAfter(past),
    done = new Map(sums),
    work = workOf(past),
    each = [...Array(WARPS).keys()];
  const latest = new Map();
  for (const one of stripes) {
    const key = `${one.matrix} ${(one.row % LANES) / ROWS}`;
    if (!(latest.get(key)?.round > one.round)) latest.set(key, one);
  }
  const stripe = (/** @type {string} */ matrix, /** @type {number} */ i) => {
    const kind = latest.get(`${matrix} ${i}`),
      [x, y] = matrix === 'A' ? [0, FAR] : [FAR, 0];
    return svg('rect', {
      x,
      y: y + i * GROUP,
      width: SIDE,
      height: GROUP - 2,
      class: kind ? `${matrix} ${kind.what}` : 'idle',
    });
  };
  const overlay = (/** @type {number} */ i) => [
    mark(
      svg('rect', { x: 0, y: FAR + i * GROUP, width: SIDE, height: GROUP - 2, class: 'clear' }),
      `r${i}`,
      `Rows ${from(i)} of A's tile: 32 threads of C read each float, those of its row.`,
    ),
    mark(
      svg('rect', { x: FAR + i * GROUP, y: 0, width: GROUP - 2, height: SIDE, class: 'clear' }),
      `c${i}`,
      `Columns ${from(i)} of B's tile: 32 threads of C read each float, those of its column.`,
    ),
  ];
  const many = (/** @type {string} */ what) => work.filter(one => one === what).length;
  return [
    label(0, 0, 'In shared memory', 'strong'),
    label(0, FAR - 6, 'As'),
    label(FAR - 20, 12, 'Bs'),
    ...['copies', 'waits', 'computes'].flatMap((what, i) => [
      label(0, 36 + 27 * i, `${many(what)}`, 'big'),
      label(20, 36 + 27 * i, ['of 8 warps copy', 'wait at a barrier', 'compute'][i]),
    ]),
    ...each.flatMap(i => [stripe('A', i), stripe('B', i), ...overlay(i)]),
    ...each.flatMap(i => each.map(j => sumsOf(i, j, (done.get(ROWS * i) || 0) / rounds))),
    ...servedParts(),
  ];
}
/**
 * @param {Event[]} events
 * @param {number} now
 * @param {number} N
 */
function drawTiles(events, now, N) {
  const past = events.slice(0, now + 1),
    small = narrow(),
    one = small ? 1.9 : 2,
    high = (N + LANES) * one + 14,
    rounds = 1 + Math.max(...events.map(event => event.round));
  return drawing(
    small ? 330 : 682,
    small ? high + 352 : high + 2,
    `the tiles of A and B, and the sums of C, at cycle ${events[now].cycle}`,
    ...globalParts(past, N, one),
    svg(
      'g',
      { transform: small ? `translate(1 ${high + 34})` : 'translate(370 14)' },
      ...sharedParts(past, rounds),
    ),
  );
}

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 */
export async function tiles(kernel, owner) {
  const it = await begin(kernel, 128, owner),
    { N } = it;
  const loadsOf = (/** @type {import('./trace.js').Issued} */ one) =>
    addresses(
      it,
      one,
      indices(one.issued, ['LDG']).map(at => ({ at, last: true })),
    );
  const each = await Promise.all(
    (await issues(it)).map(async one => ({ ...one, loads: await loadsOf(one) })),
  );
  // A round loads a tile of each matrix in turn. From round to round, addresses in A advance by
  // a row of a tile (128 bytes), those in B by many rows of B. Block 0 loads from both base
  // addresses.
  const base = [0, 1].map(part =>
    Math.min(...each.flatMap(({ loads }) => loads.filter((_address, i) => i % 2 === part))),
  );
  const isA = each[0].loads[2] - each[0].loads[0] === 4 * LANES ? 0 : 1;
  const events = each.flatMap(one => eventsOf(one, { base, isA, N }));
  const draw = (/** @type {number} */ now) => drawTiles(events, now, N);
  return {
    heading: 'Two tiles walk along k, and each of their floats serves 32 threads',
    events: inOrder(events),
    // The frame at rest: both tiles of the third round are whole, and two rounds are summed.
    rest: events.findIndex(({ what, round }) => what === 'read' && round === 2) - 1,
    draw,
    hint: 'Point at elements of C, or at a tile.',
    key:
      'A stripe is four rows of a tile, one warp each. The picture follows the first of these ' +
      `warps, so it counts 8 of the block's 32. N\u00a0=\u00a0${N}. ` +
      'Blue: A; orange: B; green: C.',
    said: (/** @type {Event & Load} */ { cycle, warp, what, matrix, row, column, round }) =>
      `cycle ${cycle}, warp ${warp}: ${
        {
          load: `loads ${matrix}[${row}][${column} to ${column + LANES - 1}]`,
          store: `stores it to the tile of ${matrix}, in shared memory`,
          wait: `waits at the barrier until both tiles are whole`,
          read:
            `has read the tiles of round ${round + 1}, and waits at the barrier before they are ` +
            `overwritten`,
        }[what]
      }`,
  };
}
