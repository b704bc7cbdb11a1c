// The animation of step 08: tiles are written to some buffers of shared memory while others are
// read. Each tile has a number, its place along K.
import { bars } from './bars.js';
import { addresses, begin, indices, inOrder, issues } from './trace.js';

/** @typedef {import('./bars.js').Bar} Bar */
/** @typedef {import('./trace.js').Issued & {wanted: number[], at: number[]}} Traced */
/**
 * @typedef {{warp: number, round: number, buffer: number, what: string, cycle: number,
 *   text: string}} Event
 */
/** @typedef {{what: string, round: number, buffer: number, first: Span, last: Span}} Access */
/**
 * Numbers the buffers of shared memory in the order in which they are found. All warps use one
 * object, because they share the buffers.
 */
class Buffers {
  constructor() {
    /** @type {Map<number, number>} the buffer of each address that was written */
    this.known = new Map();
    /** @type {Map<number, number>} the buffer of each tile */
    this.ofTile = new Map();
  }
  /**
   * Returns the buffer of the nearest known address not above this one.
   * @param {number} address
   */
  read(address) {
    return this.known.get(Math.max(...[...this.known.keys()].filter(one => one <= address)));
  }
  /**
   * Returns the buffer of a tile that a warp begins to write at an address; a new one if neither
   * the address nor the tile is known.
   * @param {number} tile
   * @param {number} address
   */
  begun(tile, address) {
    const buffer =
      this.known.get(address) ?? this.ofTile.get(tile) ?? 1 + Math.max(-1, ...this.known.values());
    this.ofTile.set(tile, buffer);
    return buffer;
  }
}
/**
 * Returns a warp's accesses to each tile: the first and the last of each kind (fetch into
 * registers, write, read).
 * @param {Traced} traced
 * @param {Buffers} buffers
 */
function accessesOf({ issued, wanted, at }, buffers) {
  const ends = issued.some(span => span.name === 'LDGDEPBAR')
    ? 'LDGDEPBAR'
    : 'BAR';
  /** @type {number[]} the last tile that was written to each buffer */
  const latest = [];
  /** @type {Map<string, Access>} */
  const found = new Map();
  let tile = 0,
    buffer = -1;
  const add = (
    /** @type {Span} */ span,
    /** @type {string} */ what,
    /** @type {number} */ round,
    /** @type {number} */ where,
  ) => {
    const key = `${what} ${round} ${where}`;
    found.set(key, {
      what,
      round,
      buffer: where,
      first: found.get(key)?.first || span,
      last: span,
    });
  };
  issued.forEach((span, i) => {
    if (span.name === ends && buffer >= 0) {
      tile++;
      buffer = -1;
    }
    if (span.name === 'LDG') add(span, 'fetch', tile, 0);
    const address = at[wanted.indexOf(i)];
    if (address === undefined) return;
    if (span.name === 'LDS') {
      const read = buffers.read(address);
      if (read !== undefined && latest[read] !== undefined) add(span, 'read', latest[read], read);
      return;
    }
    if (buffer < 0) buffer = buffers.begun(tile, address);
    buffers.known.set(address, buffer);
    latest[buffer] = tile;
    add(span, 'write', tile, buffer);
  });
  return [...found.values()];
}
/**
 * Returns a warp's events: the first access of each kind to each tile, and `done`, its last read.
 * @param {Traced} traced
 * @param {Buffers} buffers
 */
function eventsOf(traced, buffers) {
  const { warp, issued } = traced,
    reads = issued.filter(span => span.name === 'LDS');
  return accessesOf(traced, buffers).flatMap(({ what, round, buffer, first, last }) => {
    // If the trace ends before the kernel does, the tile of its last read has no `done`: it may be
    // read again.
    const ended = issued[issued.length - 1].name === 'EXIT' || last !== reads[reads.length - 1];
    const begin = { warp, round, buffer, what, cycle: first.ts, text: first.args.instruction };
    const done = { warp, round, buffer, what: 'done', cycle: last.ts, text: last.args.instruction };
    return what === 'read' && ended ? [begin, done] : [begin];
  });
}
/**
 * Returns the bars of each tile. In the row of registers: from its first load to its first store.
 * In the row of its buffer: from its first store to its first read, and from its first read to its
 * last.
 * @param {Event[]} events
 * @param {number} end cycles
 * @param {number} registers index of the row of registers
 * @param {boolean} fetches true if tiles pass through registers on their way to shared memory
 */
function barsOf(events, end, registers, fetches) {
  const of = (/** @type {string} */ what, /** @type {number} */ round) =>
    events.filter(event => event.what === what && event.round === round).map(event => event.cycle);
  const isFirst = (/** @type {Event} */ event, /** @type {number} */ i) =>
    events.findIndex(one => one.what === event.what && one.round === event.round) === i;
  return events
    .filter((event, i) => event.what !== 'done' && isFirst(event, i))
    .map(({ what, round, buffer, cycle }) => ({
      of: `t${round}`,
      row: what === 'fetch' ? registers : buffer,
      text: `${round}`,
      kind: what === 'read' ? 'w1' : what === 'write' && fetches ? 'w2' : 'load',
      from: cycle,
      to:
        what === 'read'
          ? Math.max(...of('done', round))
          : Math.min(end, ...of(what === 'fetch' ? 'write' : 'read', round)),
    }));
}

/**
 * Returns the events in order. A fetch gets the buffer that its tile will have. Fetches whose tile
 * is never stored are left out: they load nothing, or C.
 * @param {Event[]} found
 * @param {number} count of buffers
 */
function placed(found, count) {
  const stored = new Set(found.map(({ what, round }) => what === 'write' && round));
  return inOrder(
    found
      .filter(({ what, round }) => what !== 'fetch' || stored.has(round))
      .map(one => (one.what === 'fetch' ? { ...one, buffer: one.round % count } : one)),
  );
}
/**
 * Returns an event in words.
 * @param {Event} event
 */
function said({ cycle, warp, what, round, buffer }) {
  /** @type {Record<string, string>} */
  const words = {
    fetch: `asks for tile ${round}, which goes to registers`,
    write: `begins to write tile ${round} to buffer ${buffer}`,
    read: `begins to read tile ${round} in buffer ${buffer}`,
    done: `has read tile ${round}: buffer ${buffer} may be written`,
  };
  return `cycle ${cycle}, warp ${warp}: ${words[what]}`;
}
/**
 * Says where a tile is, and what its buffer had to wait for.
 * @param {Omit<Bar, 'says'>[]} spans
 * @param {Omit<Bar, 'says'>} one
 * @param {number} count of buffers
 */
function tileSaid(spans, { text, from, to, kind, row }, count) {
  const tile = Number(text),
    last = spans.find(one => one.kind === 'w1' && one.text === `${tile - count}`),
    meets = (/** @type {typeof spans[0]} */ one) => Math.min(to, one.to) - Math.max(from, one.from),
    /** The other tile that is read, or on its way, for most of this time. */
    [other] = spans
      .filter(one => (one.kind === 'w1') !== (kind === 'w1') && one.text !== text && meets(one) > 0)
      .sort((one, two) => meets(two) - meets(one)),
    during = other
      ? `, while tile ${other.text} is ${kind === 'w1' ? 'on its way' : 'read'}`
      : '',
    span = `from cycle ${from} to ${to}`;
  if (kind === 'w1') return `Tile ${tile} is read in buffer ${row} ${span}${during}.`;
  if (row === count) return `Tile ${tile} is on its way to registers ${span}${during}.`;
  return (
    `Tile ${tile} is on its way to buffer ${row} ${span}${during}` +
    (last ? `; tile ${last.text} was read there until cycle ${last.to}.` : '.')
  );
}

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 */
export async function buffers(kernel, owner) {
  const it = await begin(kernel, kernel[1] === 'wide' ? 256 : 128, owner),
    all = new Buffers();
  const traced = (await issues(it)).map(async one => {
    const wanted = indices(one.issued, ['STS', 'LDGSTS', 'LDS']);
    return {
      ...one,
      wanted,
      at: await addresses(
        it,
        one,
        wanted.map(at => ({ at })),
      ),
    };
  });
  const found = (await Promise.all(traced)).flatMap(one => eventsOf(one, all)),
    count = 1 + Math.max(...all.known.values()),
    events = placed(found, count);
  const end = events[events.length - 1].cycle,
    tick = 10 ** Math.floor(Math.log10(end)),
    fetches = events.some(({ what }) => what === 'fetch'),
    spans = barsOf(events, end, count, fetches);
  const rows = [
    ...[...Array(count).keys()].map(buffer => `buffer ${buffer}`),
    ...(fetches ? ['registers'] : []),
  ];
  /** @type {[number, string][]} */
  const ticks = [...Array(Math.floor(end / tick) + 1).keys()].map(i => [
    i * tick,
    i ? `${i * tick}` : 'cycle 0',
  ]);
  /** @param {number} now */
  function draw(now) {
    const { cycle } = events[now];
    const grown = (/** @type {typeof spans[0]} */ span) => ({
      ...span,
      to: Math.min(cycle, span.to),
      says: tileSaid(spans, span, count),
    });
    return bars(
      rows,
      end,
      ticks,
      spans.filter(span => span.from <= cycle).map(grown),
      `the buffers at cycle ${cycle}`,
    );
  }
  return {
    heading: 'The next tile arrives while this one is computed',
    events,
    draw,
    hint: 'Point at a tile.',
    key:
      `A bar is a tile, with its number; N\u00a0=\u00a0${it.N}, two of a block's eight warps. ` +
      (fetches
        ? 'Dashed: it is on its way from global memory to registers; pink: it is stored to ' +
          'its buffer, and the warps wait for each other; violet: it is read.'
        : 'Dashed: it is on its way to its buffer; violet: it is read.'),
    said,
  };
}
