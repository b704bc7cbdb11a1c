// The animations of steps 04, 06 and 07: the banks that one request of a warp needs, for each
// variant of the lesson. Step 06 has wires from the lanes to the banks where they meet; 04 and 07
// have the lanes where they stand over C, on a path in their order.
import { banksParts, dot, label, narrow, stacked, unknownParts, wire } from '../draw.js';
import { svg } from '../dom.js';
import { costOf, explained } from '../explain.js';
import { mark } from '../pointing.js';
import { ideasOf } from '../programs.js';
import { counted, meaningOf } from '../text.js';
import { begin } from './trace.js';
import { memoryOf, requestAt, turnsOf } from './requests.js';

/** @typedef {import('../explain.js').Request} Request */
/**
 * @typedef {{variant: string, text: string, request: Request, map: number[][]|null}} Asked
 *   map: the column and the row of each lane
 */
/**
 * @type {Record<string, {wanted: RegExp, most: number, heading: string, key: string,
 *   bet: string, order?: string[]}>} bet: what the reader bets on; order: of the variants, if it is
 *   not that of the lesson
 */
const LESSONS = {
  '04_warp_tiling': {
    wanted: /^LDS /,
    most: 2,
    heading: 'One load of B: which lanes want different words of one bank?',
    key:
      'Dots are the 32 lanes of a warp as they stand over C, on a path from lane 0 to lane 31. A ' +
      'column is a bank, a row is a cycle; a cell names the lane that it serves (2×: ' +
      'two lanes share the word). lanes_2x16 is step 03, N\u00a0=\u00a0128.',
    bet: 'How many wavefronts does this load need?',
    order: ['lanes_2x16', 'lanes_4x8', 'lanes_1x32'],
  },
  '06_conflict_free_transpose': {
    wanted: /^STS(?!\.128)/,
    most: 1,
    heading: 'A warp stores a part of A: which lanes meet in a bank?',
    key:
      'In “conflicts”, step 05’s way, k 4 lies 4 × 128 floats after k 0: in the same ' +
      'bank. Dots are the 32 lanes of a warp at its first store of A, N\u00a0=\u00a0128. A ' +
      'column is a bank, a row is a cycle; a number is the lane that is served.',
    bet: 'How many of the 172 wavefronts per tile remain?',
  },
  '07_z_order': {
    wanted: /^LDS\.128/,
    most: 2,
    heading: 'One load of a warp, by four arrangements of its lanes',
    key:
      'Dots are the lanes as they stand over C, on a path from lane 0 to lane 31. A column is a ' +
      'bank, a row is a cycle (its colour returns after four); a cell names the lanes that it ' +
      'serves, or how many (2×). Shown is a load of B, N\u00a0=\u00a0128: a load of A takes ' +
      'equally long in all four.',
    bet: 'How many wavefronts do the loads of a k need?',
  },
};

const BESIDE = 222; // width of the map left of the banks, in a wide window
/**
 * Returns the different addresses, sorted.
 * @param {Request} request
 */
const addressesOf = ({ lanes }) =>
  [...new Set(lanes.map(({ address }) => address))].sort((x, y) => x - y);
/**
 * Returns a variant's request, that of B if there are loads of A and of B. Then it has the lanes'
 * map, too: the places of a lane's addresses among all.
 * @param {string} step
 * @param {string} variant
 * @param {object} owner
 * @returns {Promise<Asked>}
 */
async function askedOf(step, variant, owner) {
  const { wanted, most } = LESSONS[step],
    it = await begin([step, variant], 128, owner),
    found = await memoryOf(it, wanted, most),
    /** @type {Request[]} */
    all = await Promise.all(found.map(({ address }) => requestAt(it, address)));
  // A warp reads fewer different values of A than of B.
  const [a, b] = [...all].sort((x, y) => addressesOf(x).length - addressesOf(y).length),
    [rows, columns] = [a, b || a].map(addressesOf);
  return {
    variant,
    text: found[0].text,
    request: b || a,
    map:
      b &&
      a.lanes.map(({ address }, i) => [
        columns.indexOf(b.lanes[i].address),
        rows.indexOf(address),
      ]),
  };
}
/**
 * Draws a variant's lanes and banks; lanes that were served have their wavefront's colour.
 * @param {Asked} asked
 * @param {number} gone number of wavefronts served
 * @param {string} meaning of the variant's name
 * @param {string|null} bet shown in place of banks that would tell the answer to an open bet
 */
function pictureOf({ variant: scope, request, map }, gone, meaning, bet) {
  const [bank, most, across, down, top] = narrow() ? [8, 14, 312, 14, 18] : [20, 25, 200, 16, 38],
    size = Math.min(most, across / (1 + Math.max(...(map || []).map(([column]) => column)))),
    high = map ? top + down * (1 + Math.max(...map.map(([, row]) => row))) : 0,
    banks =
      bet === null
        ? banksParts(request, costOf(request), gone, scope)
        : unknownParts(bank, narrow() ? 52 : Math.max(high, 52), bet),
    at = (/** @type {number} */ lane) =>
      map
        ? [(map[lane][0] + 0.5) * size, top + (map[lane][1] + 0.5) * down]
        : [62 + (lane + 0.5) * bank, 8];
  const served = request.lanes.filter(({ phase }) => phase < gone),
    wires = map
      ? []
      : served.map(({ lane, first, phase }) =>
          mark(
            wire(at(lane)[0], 12, 62 + (first + 0.5) * bank, 47, `w${(phase % 4) + 1}`),
            `l${lane}`,
          ),
        ),
    path = `M${request.lanes.map(({ lane }) => at(lane)).join('L')}`;
  const dots = request.lanes.map(({ lane, phase, first, last }) =>
    mark(
      dot(
        at(lane)[0],
        at(lane)[1],
        map ? Math.min(5.5, 0.45 * size) : 0.35 * bank,
        phase < gone ? `w${(phase % 4) + 1}` : 'idle',
      ),
      `l${lane}`,
      phase < gone
        ? `Lane ${lane} of ${scope}: ` +
            (last > first ? `banks ${first} to ${last}` : `bank ${first}`) +
            `, in cycle ${phase + 1}.`
        : '',
    ),
  );
  // The map stands at the left of the banks, on a telephone above them.
  const [x, y] = !map ? [0, 50] : narrow() ? [0, high + 8] : [BESIDE, 0];
  if (!map && bet !== null) return banks;
  return {
    width: banks.width + x,
    height: Math.max(banks.height + y, high),
    parts: [
      ...(map
        ? [label(0, top - 6, meaning, 'axis'), svg('path', { class: 'stroke', d: path })]
        : []),
      ...wires,
      ...dots,
      svg('g', { transform: `translate(${x} ${y})` }, ...banks.parts),
    ],
  };
}

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 * @param {string[]} variants
 */
export async function orders([step], owner, variants) {
  const { heading, key, bet, order = variants } = LESSONS[step],
    asked = await Promise.all(order.map(variant => askedOf(step, variant, owner))),
    costs = asked.map(({ request }) => costOf(request));
  const events = turnsOf(asked, which => costs[which]);
  /**
   * @param {number} now
   * @param {boolean} [holds] true if the reader has not bet yet
   */
  function draw(now, holds = false) {
    const { which, shown } = events[now];
    const rows = asked.map((one, i) => {
      const gone = i < which ? Infinity : i > which ? 0 : shown,
        done = gone >= costs[i],
        hides = holds && !asked[i + 1],
        meaning = meaningOf(ideasOf(step)[one.variant]);
      return {
        sign: variants.indexOf(one.variant),
        title: one.map ? one.variant : `${one.variant}: ${meaning}`,
        verdict: done ? counted(costs[i], 'cycle') : '',
        best: !holds && done && costs[i] === Math.min(...costs),
        beside: one.map && !narrow() ? BESIDE - 14 : 0,
        picture: pictureOf(one, gone, meaning, hides ? bet : null),
      };
    });
    const said = asked
      .map(({ variant }, i) => `${variant} ${counted(costs[i], 'cycle')}`)
      .join(', ');
    return stacked(rows, holds ? heading : `${heading}: ${said}`);
  }
  return {
    heading,
    events,
    draw,
    key,
    slow: 450,
    held: events.length - 1 - costs[costs.length - 1], // the bet is on the last variant
    hint: 'Point at a lane, or at a cell.',
    said: (/** @type {typeof events[0]} */ { which, variant, text }) =>
      // The lesson has the rule; of the parts of a load, one is enough.
      `${variant}: ${explained(asked[which].request, /^ST/.test(text)).slice(0, 2).pop()} ` +
      `(${text.split(' ')[0]})`,
  };
}
