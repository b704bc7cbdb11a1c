// The animation of step 10: blocks that share the tiles of C along K (stream-K).
import { narrow } from '../draw.js';
import { bars } from './bars.js';
import { ask, begin, doneOf, inOrder, linesOf, nextOf, place, readAt, stopsOf } from './trace.js';

const BLOCKS = 5;
const DEEP = 8;
const blocks = [...Array(BLOCKS).keys()];

/**
 * Runs each block in the stepper, and stops it at its first copy in each step along K. Returns the
 * stops, with the indices in A and B from which the copies read, and `share`, the steps per block.
 * @param {import('./trace.js').Prepared} it
 */
async function stopsOfBlocks(it) {
  // The main loop's copies are those that are executed most often. Its first copy reads A, its
  // first 128-bit copy B.
  const copies = (await linesOf(it)).filter(({ text }) => /^LDGSTS/.test(text));
  const inLoop = copies.filter(
    ({ count }) => count === Math.max(...copies.map(copy => copy.count)),
  );
  const a = inLoop[0];
  const [first, second] = [a, inLoop.find(({ text }) => text.includes('.128'))].map(
    one => place(one?.text || '', true),
  );
  // `all`: steps of all blocks, as each of the eight warps copies once per step. `share`: steps of
  // each block but the last, which may have fewer.
  const all = a.count / 8,
    share = Math.ceil(all / BLOCKS);
  const stops = await Promise.all(
    blocks.map(async block => {
      const steps = Array(Math.min(share, all - block * share))
        .fill([`to 0x${a.address}`, ask(first, second)])
        .flat();
      return stopsOf(await it.steps([`block ${block}`, ...steps])).map(stop => {
        if (nextOf(stop) !== a.address) throw Error('the block ended before its share');
        return {
          block,
          at: a.address,
          cycle: doneOf(stop),
          a: readAt(stop, first) / 4,
          b: readAt(stop, second) / 4,
        };
      });
    }),
  );
  return { share, stops: stops.flat() };
}
/**
 * Returns the tiles, "row column", in the order in which the blocks' shares cover them. A block
 * computes the last tile of its share first, so each block's tiles are reversed.
 * @param {{block: number, row: number, column: number}[]} events
 */
function tilesOf(events) {
  const of = (/** @type {number} */ block) => [
    ...new Set(
      events.filter(event => event.block === block).map(({ row, column }) => `${row} ${column}`),
    ),
  ];
  return [...new Set(blocks.flatMap(block => of(block).reverse()))];
}

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 */
export async function pieces(kernel, owner) {
  const it = await begin(kernel, 512, owner, BLOCKS),
    { N } = it,
    deep = N / DEEP;
  const { share, stops } = await stopsOfBlocks(it);
  // The lowest addresses belong to row, column and step 0. (The loop copies ahead, but by an equal
  // distance everywhere.)
  const least = Math.min(...stops.map(stop => stop.a)),
    origin = Math.min(...stops.map(stop => stop.b));
  const placed = stops.map(stop => ({
    ...stop,
    row: Math.floor((stop.a - least) / N),
    column: (stop.b - origin) % N,
    step: ((stop.a - least) % N) / DEEP,
  }));
  const tiles = tilesOf(placed);
  const events = inOrder(
    placed.map(event => ({
      ...event,
      tile: tiles.indexOf(`${event.row} ${event.column}`),
      warp: event.block,
    })),
  );
  /** @param {number} now */
  function draw(now) {
    const shown = new Map();
    for (const { block, tile, step } of events.slice(0, now + 1)) {
      const key = `${block} ${tile}`,
        at = tile * deep + step;
      shown.set(key, {
        row: block,
        kind: tile % 2 ? 'w2' : 'w1',
        text: `${tile}`,
        from: shown.get(key)?.from ?? at,
        to: at + 1,
        of: `t${tile}`,
        says: `Block ${block} computes a part of tile ${tile}; the lit parts are added up.`,
      });
    }
    const said = `what each block has computed, after ${events[now].cycle} instructions`;
    return bars(
      blocks.map(block => `block ${block}`),
      tiles.length * deep,
      tiles.map((_tile, i) => [i * deep, narrow() ? `${i}` : `tile ${i}`]),
      [...shown.values()],
      said,
    );
  }
  return {
    heading: `${tiles.length} tiles, cut into ${BLOCKS} equal pieces`,
    events,
    draw,
    hint: 'Point at a piece.',
    key:
      `${tiles.length} tiles of C, end to end along K, cut into ${BLOCKS} equal pieces for ` +
      `${BLOCKS} blocks, N\u00a0=\u00a0${N}: ${share} steps each, where whole tiles would take ` +
      `two rounds of ${deep}. A block computes the end of its piece first, for which the next ` +
      'block waits.',
    said: (/** @type {typeof events[0]} */ { cycle, block, tile, row, column, step }) =>
      `after ${cycle} instructions of a warp, block ${block}: step ${step + 1} of ${deep} along ` +
      `K of tile ${tile}, C[${row}][${column}]`,
  };
}
