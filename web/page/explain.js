// Explains in words why a request to shared memory takes so many wavefronts. Follows the rules by
// which sasskit/sim/counts/banks.c counts them; tests/page compares both. Pure functions.

/**
 * @typedef {{lane: number, address: number, phase: number, first: number, last: number}} Served one
 *   lane of a request: `phase` is its wavefront, from 0; it touches the banks (shared) or sectors
 *   (global) `first` to `last`
 */
/**
 * @typedef {{kind: 'shared'|'global', lanes: Served[], width: number}} Request `width` is in bytes
 *   per lane
 */

/**
 * Returns a request from the CSV of `simrun --picture`.
 * @param {string} csv
 * @returns {Request}
 */
export function requestOf(csv) {
  const lines = csv.trim().split('\n'),
    kind = lines[0].startsWith('lane,address,phase') ? 'shared' : 'global';
  const lanes = lines
    .slice(1)
    .map(line => line.split(',').map(Number))
    .map(([lane, address, third, first, last]) => ({
      lane,
      address,
      phase: kind === 'shared' ? third : 0,
      first,
      last,
      bytes: third,
    }));
  const width = !lanes.length
    ? 0
    : kind === 'shared'
      ? 4 * (((lanes[0].last - lanes[0].first + 32) % 32) + 1)
      : lanes[0].bytes;
  return { kind, lanes, width };
}

/**
 * Returns a request's number of wavefronts (shared) or sectors (global).
 * @param {Request} request
 */
export const costOf = ({ kind, lanes }) =>
  kind === 'shared'
    ? 1 + Math.max(-1, ...lanes.map(lane => lane.phase))
    : new Set(
        lanes.flatMap(({ first, last }) => [...Array(last - first + 1).keys()].map(i => first + i)),
      ).size;

/**
 * Returns the bank that has to deliver the most different words: their number (`passes`), the bank,
 * and one lane for each word.
 * @param {Served[]} lanes
 * @param {number} width
 */
function crowded(lanes, width) {
  /** @type {Map<number, Map<number, number[]>>} */
  const banks = new Map();
  for (const { lane, address } of lanes) {
    const word = Math.floor(address / Math.max(4, width)),
      bank = Math.floor(address / 4) % 32;
    if (!banks.has(bank)) banks.set(bank, new Map());
    const words = /** @type {Map<number, number[]>} */ (banks.get(bank));
    words.set(word, [...(words.get(word) || []), lane]);
  }
  let most = { passes: 0, bank: 0, lanes: /** @type {number[]} */ ([]) };
  for (const [bank, words] of banks)
    if (words.size > most.passes)
      most = { passes: words.size, bank, lanes: [...words.values()].map(list => list[0]) };
  return most;
}
/**
 * Returns the cycles that the L1 takes for a request to global memory, of one word per lane. Each
 * bank delivers one word per cycle, and four lines of 128 bytes are served per cycle. The slower of
 * both counts.
 * @param {Request} request
 */
export const cyclesOf = ({ lanes, width }) =>
  Math.max(
    crowded(lanes, width).passes,
    Math.ceil(new Set(lanes.map(({ address }) => Math.floor(address / 128))).size / 4),
  );
/**
 * Returns in a sentence how long the L1 takes for a request to global memory.
 * @param {Request} request
 */
export function explainedCycles(request) {
  const { lanes, width } = request,
    { passes, bank } = crowded(lanes, width),
    lines = new Set(lanes.map(({ address }) => Math.floor(address / 128))).size,
    cycles = cyclesOf(request);
  const of = (/** @type {number} */ count, /** @type {string} */ noun) =>
      `${count} ${noun}${count === 1 ? '' : 's'}`,
    words = new Set(lanes.map(({ address }) => address)).size;
  const lookUp = lines > 4 ? ', of which the L1 looks up four per cycle' : '',
    given =
      passes > 1 ? `Bank ${bank} gives ${passes} words, one per cycle` : 'No bank gives two words';
  return (
    `${of(lanes.length, 'lane')} read${lanes.length === 1 ? 's' : ''} ${of(words, 'word')} in ` +
    `${of(lines, 'line')}${lookUp}. ${given}: ${of(cycles, 'cycle')}.`
  );
}
/**
 * Returns true if each lane i reads the same address as lane i ^ partner, where both are active.
 * @param {Served[]} lanes
 * @param {number} partner
 */
const paired = (lanes, partner) =>
  lanes.every(({ lane, address }) => {
    const other = lanes.find(one => one.lane === (lane ^ partner));
    return !other || other.address === address;
  });
/**
 * Returns lanes in words: "0, 1, 2 and 5 more".
 * @param {number[]} lanes
 */
const named = lanes =>
  lanes.length > 4
    ? `${lanes.slice(0, 3).join(', ')} and ${lanes.length - 3} more`
    : lanes.join(lanes.length === 2 ? ' and ' : ', ');

/**
 * Returns the groups of lanes that the memory serves one after the other. `why` says why two groups
 * are served as one.
 * @param {Request} request
 * @param {boolean} store
 */
export function groupsOf({ lanes, width }, store) {
  if (width <= 4) return [{ from: 0, to: 31, passes: crowded(lanes, width), why: '' }];
  const group = width === 8 ? 16 : 8,
    found = [];
  for (let first = 0; first < 32; first += 2 * group) {
    const both = lanes.filter(({ lane }) => lane >= first && lane < first + 2 * group),
      partner = store ? 0 : paired(both, 1) ? 1 : paired(both, 2) ? 2 : 0;
    const step = partner ? 2 * group : group;
    for (let part = first; part < first + 2 * group; part += step) {
      const own = both.filter(({ lane }) => lane >= part && lane < part + step);
      if (own.length)
        found.push({
          from: part,
          to: part + step - 1,
          passes: crowded(own, width),
          why: partner ? `each lane i reads the same ${width} bytes as lane i ^ ${partner}` : '',
        });
    }
  }
  return found;
}

/**
 * Returns a sentence about one group of lanes.
 * @param {ReturnType<typeof groupsOf>[0]} group
 * @param {boolean} store
 */
const inGroup = ({ from, to, passes, why }, store) =>
  `Lanes ${from} to ${to}: ` +
  `${
    why
      ? `${why}, so they go together`
      : store
        ? 'one group'
        : `they are not paired, so these ${to - from + 1} go alone`
  }${
    passes.passes > 1
      ? `; bank ${passes.bank} has to ${store ? 'take' : 'give'} ${passes.passes} words (lanes ` +
        `${named(passes.lanes)}), so it takes ${passes.passes} wavefronts`
      : ', in one wavefront'
  }.`;

/**
 * Returns sentences: the rule by which requests are split, and its result for this request.
 * @param {Request} request
 * @param {boolean} [store]
 * @returns {string[]}
 */
export function explained(request, store = false) {
  if (request.kind === 'global') {
    const cost = costOf(request),
      asked = request.lanes.length * request.width,
      fetched = 32 * cost,
      words = new Set(request.lanes.map(lane => lane.address)).size;
    if (words === 1) return ['All lanes ask for the same address: one sector serves them all.'];
    return [
      `The lanes ask for ${asked} bytes and touch ${cost} sectors of 32 bytes, ${fetched} bytes.`,
      asked < fetched && words > 1
        ? `${Math.round(100 * (1 - Math.min(1, (words * request.width) / fetched)))} % of what ` +
          'is fetched is not asked for.'
        : 'All of it is used.',
    ];
  }
  const groups = groupsOf(request, store),
    cost = groups.reduce((sum, { passes }) => sum + passes.passes, 0),
    bits = 8 * request.width;
  const said = [];
  if (cost !== costOf(request)) return [`It takes ${costOf(request)} wavefronts.`];
  if (request.width <= 4) {
    const { passes, bank, lanes } = groups[0].passes;
    return [
      passes <= 1
        ? 'The whole warp is served at once: no bank has to ' +
          (store
            ? 'take two words.'
            : 'give two different words. Lanes that want the same word share it.')
        : `Bank ${bank} has to ${store ? 'take' : 'give'} ${passes} different words, ` +
          `${store ? 'from' : 'to'} lanes ${named(lanes)}. It ` +
          `${store ? 'takes' : 'gives'} one per wavefront, so the request takes ${passes}.`,
    ];
  }
  said.push(
    store
      ? `A ${bits}-bit store is served by ` +
          `${request.width === 8 ? 'half-warps' : 'quarter-warps'}, one after the other.`
      : `A ${bits}-bit load is served ${
          request.width === 8
            ? 'whole. The two half-warps'
            : 'half by half (16 lanes). The two quarters of a half'
        } share a wavefront only if every lane reads the same as its neighbour: ` +
          'lane i ^ 1 for all of them, or lane i ^ 2 for all.',
  );
  for (const group of groups.slice(0, 2)) said.push(inGroup(group, store));
  if (groups.length > 2)
    said.push(
      `The other ${groups.length - 2} part${groups.length === 3 ? '' : 's'} likewise: ${cost} ` +
        'wavefronts in all.',
    );
  return said;
}
