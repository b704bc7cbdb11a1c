// Step 08: buffers that are written while others are read.
import { bars } from './bars.js';
import { addresses, begin, indices, inOrder, issues } from './trace.js';

// --- buffers: which one a warp writes and which one it reads -------------------------------------
export async function buffers(kernel, owner) {
  const it = await begin(kernel, kernel[1] === 'wide' ? 256 : 128, owner), each = await issues(it);
  // known: buffer by address; ofTile: buffer by tile.
  const known = new Map(), ofTile = new Map();
  const traced = each.map(async one => ({ ...one, wanted: indices(one.issued, ['STS', 'LDGSTS', 'LDS']), at: await addresses(it, one, indices(one.issued, ['STS', 'LDGSTS', 'LDS']).map(at => ({ at }))) }));
  const events = (await Promise.all(traced)).flatMap(({ warp, issued, wanted, at }) => {
    // ends: what follows a tile's copies; latest: the tile in each buffer; found: events by kind.
    const ends = issued.some(span => span.name === 'LDGDEPBAR') ? 'LDGDEPBAR' : 'BAR', latest = [], found = new Map();
    let tile = 0, buffer = -1;
    issued.forEach((span, i) => {
      if (span.name === ends && buffer >= 0) { tile++; buffer = -1; }
      const address = at[wanted.indexOf(i)];
      if (address === undefined) return;
      let key = '';
      if (span.name === 'LDS') { // of the buffer that begins at it or before it
        const read = known.get(Math.max(...[...known.keys()].filter(one => one <= address)));
        if (latest[read] === undefined) return;
        key = `read ${latest[read]} ${read}`;
      } else {
        if (buffer < 0) ofTile.set(tile, buffer = known.get(address) ?? ofTile.get(tile) ?? 1 + Math.max(-1, ...known.values()));
        known.set(address, buffer);
        latest[buffer] = tile;
        key = `write ${tile} ${buffer}`;
      }
      found.set(key, { first: found.get(key)?.first || span, last: span });
    });
    return [...found].flatMap(([key, { first, last }]) => {
      // The trace may end before the kernel does.
      const ended = issued[issued.length - 1].name === 'EXIT' || last !== issued.filter(span => span.name === 'LDS').pop();
      const [what, round, buffer] = key.split(' ').map((word, i) => (i ? Number(word) : word)), event = { warp, round, buffer };
      return [{ ...event, what, cycle: first.ts, text: first.args.instruction }, ...(what === 'read' && ended ? [{ ...event, what: 'done', cycle: last.ts, text: last.args.instruction }] : [])];
    });
  });
  inOrder(events);
  // Shows a tile from its first copy to its first read, and to its last read.
  const end = events[events.length - 1].cycle, rows = [...new Set(known.values())].sort().map(buffer => `buffer ${buffer}`), tick = 10 ** Math.floor(Math.log10(end));
  const of = (what, round) => events.filter(event => event.what === what && event.round === round).map(event => event.cycle);
  const spans = events.filter((event, i) => event.what !== 'done' && events.findIndex(one => one.what === event.what && one.round === event.round) === i)
    .map(({ what, round, buffer, cycle }) => ({ row: buffer, text: `${round}`, kind: what === 'write' ? 'B load' : 'A', from: cycle, to: what === 'write' ? Math.min(end, ...of('read', round)) : Math.max(...of('done', round)) }));
  function draw(now) {
    const { cycle } = events[now], shown = spans.filter(span => span.from <= cycle).map(span => (span.to > cycle ? { ...span, to: cycle } : { ...span, kind: span.kind.replace(/^A$/, 'A read') }));
    return bars(rows, end, [...Array(Math.floor(end / tick) + 1).keys()].map(i => [i * tick, i ? `${i * tick}` : 'cycle 0']), shown, `the buffers at cycle ${cycle}`);
  }
  return { events, draw, key: `Tiles by their numbers, N = ${it.N}, two of the block's eight warps. Outlined: it is being written, or on its way; full: it is being read; pale: it has been read.`,
    said: ({ cycle, warp, what, round, buffer }) => `cycle ${cycle}, warp ${warp}: ${{ write: `begins to write tile ${round} to buffer ${buffer}`, read: `begins to read tile ${round} in buffer ${buffer}`, done: `has read tile ${round}: buffer ${buffer} may be written` }[what]}` };
}
