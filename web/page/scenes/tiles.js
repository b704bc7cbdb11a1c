// The animation of step 02: tiles of A and B move along K.
import { svg } from '../dom.js';
import { narrow } from '../draw.js';
import { addresses, begin, indices, inOrder, issues, LANES } from './trace.js';

const GAP = 16,
  ROWS = 4; // rows drawn per warp: its own, and those of three warps on the other schedulers
/** Returns the pixels per element: fewer on a telephone, where letters keep their size. */
const one = () => (narrow() ? 1.8 : 3);

/** The legend, in the empty corner above A and left of B. */
const LEGEND = [
  ['A load', 'on its way from global memory'],
  ['A store', 'in shared memory'],
  ['A read', 'used; may be overwritten'],
  ['C', 'share of the sums that is done'],
];

/**
 * Returns the loads, stores and barriers of a warp as events. A load has the row and column that
 * its first lane reads.
 * @param {any} traced
 * @param {{base: number[], isA: number, N: number}} matrices `base`: the addresses of the matrix
 *   of even loads and of that of odd loads; `isA`: which of these is A
 */
function eventsOf({ warp, issued, loads }, { base, isA, N }) {
  /** @type {Record<string, any>} the load that filled each register */
  const by = {};
  let load = 0,
    barriers = 0;
  return issued.flatMap((/** @type {any} */ span) => {
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
  });
}
/**
 * Returns what the tiles hold after the events `past`, and how many rounds each warp has summed.
 * @param {any[]} past
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
 * Draws the block's rows of A on the left, its columns of B above, both along K, and its tile of C.
 * @param {any[]} events
 * @param {number} now
 * @param {number} N
 */
function drawTiles(events, now, N) {
  const ONE = one(),
    SIDE = LANES * ONE,
    LONG = N * ONE,
    all = LONG + GAP + SIDE;
  /** @type {Record<string, number[]>} */
  const origin = { A: [0, LONG + GAP], B: [LONG + GAP, 0], C: [LONG + GAP, LONG + GAP] };
  const frame = (
    /** @type {string} */ name,
    /** @type {number} */ width,
    /** @type {number} */ height,
  ) => [
    svg('rect', { x: origin[name][0], y: origin[name][1], width, height, class: 'frame' }),
    svg('text', { x: origin[name][0] + 4, y: origin[name][1] - 4 }, name),
  ];
  const { stripes, sums } = stateAfter(events.slice(0, now + 1)),
    rounds = 1 + Math.max(...events.map(event => event.round));
  const stripe = (/** @type {any} */ { matrix, row, column, what }) =>
    svg('rect', {
      x: origin[matrix][0] + column * ONE,
      y: origin[matrix][1] + row * ONE,
      width: SIDE,
      height: ROWS * ONE - 1,
      class: `${matrix} ${what}`,
    });
  const sum = (/** @type {[number, number]} */ [warp, done]) =>
    svg('rect', {
      x: origin.C[0],
      y: origin.C[1] + warp * ONE,
      width: (SIDE * done) / rounds,
      height: ROWS * ONE - 1,
      class: 'C',
    });
  const said = `the tiles of A and B, and the sums of C, at cycle ${events[now].cycle}`;
  return svg(
    'svg',
    { viewBox: `-2 -20 ${all + 4} ${all + 22}`, role: 'img', 'aria-label': said },
    ...frame('A', LONG, SIDE),
    ...frame('B', SIDE, LONG),
    ...frame('C', SIDE, SIDE),
    ...stripes.map(stripe),
    ...sums.map(sum),
    ...LEGEND.flatMap(([kind, words], i) => [
      svg('rect', { x: 0, y: 30 + 26 * i, width: 30, height: 9, class: kind }),
      svg('text', { x: 40, y: 39 + 26 * i }, words),
    ]),
  );
}

/**
 * @param {[string, string]} kernel
 * @param {any} owner
 */
export async function tiles(kernel, owner) {
  const it = await begin(kernel, 128, owner),
    { N } = it;
  const loadsOf = (/** @type {any} */ one) =>
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
    heading: 'Two tiles walk along K, and each of their floats serves 32 threads',
    events: inOrder(events),
    // The frame at rest: both tiles of the third round are whole, and two rounds are summed.
    rest: events.findIndex(({ what, round }) => what === 'read' && round === 2) - 1,
    draw,
    key:
      "A stripe is four rows of a tile: one is copied by a warp of the block's first scheduler, " +
      `the others by its neighbours; N\u00a0=\u00a0${N}. Blue: A; orange: B; green: C.`,
    said: (/** @type {any} */ { cycle, warp, what, matrix, row, column, round }) =>
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
