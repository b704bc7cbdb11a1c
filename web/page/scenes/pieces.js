// Step 10: blocks that share the tiles of C along K (stream-K).
import { bars } from './bars.js';
import { ask, begin, doneOf, inOrder, linesOf, nextOf, place, readAt, stopsOf } from './trace.js';

// --- pieces: blocks that share the tiles of C along K (stream-K) ---------------------------------
export async function pieces(kernel, owner) {
  const BLOCKS = 5, DEEP = 8, it = await begin(kernel, 512, owner, BLOCKS), { N } = it, deep = N / DEEP;
  // The loop's first copies of A and of B in each step along K, and how often all warps execute
  // them.
  const copies = (await linesOf(it)).filter(({ text }) => /^LDGSTS/.test(text));
  const inLoop = copies.filter(({ count }) => count === Math.max(...copies.map(copy => copy.count))), a = inLoop[0], [first, second] = [a, inLoop.find(({ text }) => text.includes('.128'))].map((/** @type {any} */ { text }) => place(text, true));
  // Steps of all blocks (each of eight warps copies), and of one block; the last one has fewer.
  const all = a.count / 8, share = Math.ceil(all / BLOCKS);
  const stops = (await Promise.all([...Array(BLOCKS).keys()].map(async block => stopsOf(await it.steps([`block ${block}`, ...Array(Math.min(share, all - block * share)).fill([`to 0x${a.address}`, ask(first, second)]).flat()])).map(stop => {
    if (nextOf(stop) !== a.address) throw Error('the block ended before its share');
    return { block, at: a.address, cycle: doneOf(stop), a: readAt(stop, first) / 4, b: readAt(stop, second) / 4 };
  })))).flat();
  // The loop copies a fixed distance ahead, so the first copy of all belongs to the first row,
  // column and step.
  const [least, origin] = ['a', 'b'].map(name => Math.min(...stops.map(stop => stop[name])));
  const events = stops.map(stop => ({ ...stop, row: Math.floor((stop.a - least) / N), column: (stop.b - origin) % N, step: (stop.a - least) % N / DEEP }));
  // Blocks compute the end of their share first, so tiles are listed in reverse order.
  const tiles = [...new Set([...Array(BLOCKS).keys()].flatMap(block => [...new Set(events.filter(event => event.block === block).map(({ row, column }) => `${row} ${column}`))].reverse()))];
  events.forEach(event => { event.tile = tiles.indexOf(`${event.row} ${event.column}`); event.warp = event.block; });
  inOrder(events);
  function draw(now) {
    const shown = new Map();
    for (const { block, tile, step } of events.slice(0, now + 1)) shown.set(`${block} ${tile}`, { row: block, kind: tile % 2 ? 'B' : 'A', text: `${tile}`, from: shown.get(`${block} ${tile}`)?.from ?? tile * deep + step, to: tile * deep + step + 1 });
    return bars([...Array(BLOCKS).keys()].map(block => `block ${block}`), tiles.length * deep, tiles.map((_tile, i) => [i * deep, `tile ${i}`]), [...shown.values()], `what each block has computed, after ${events[now].cycle} instructions`);
  }
  return { events, draw, key: `${tiles.length} tiles of C, end to end along K, cut into ${BLOCKS} equal pieces for ${BLOCKS} blocks, N = ${N}: ${share} steps each, where whole tiles would take two rounds of ${deep}. A block computes the end of its piece first, for which the next block waits.`,
    said: ({ cycle, block, tile, row, column, step }) => `after ${cycle} instructions of a warp, block ${block}: step ${step + 1} of ${deep} along K of tile ${tile}, C[${row}][${column}]` };
}
