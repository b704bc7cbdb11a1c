// The animations of steps 01, 06 and 07: which memory one load or store of a warp touches, for each
// variant of the lesson. Step 01 shows sectors, the others banks.
import { banksParts, sectorsParts, stacked, unknownParts } from '../draw.js';
import { costOf, explained, requestOf } from '../explain.js';
import { decoded } from '../programs.js';
import { begin, linesOf } from './trace.js';

/**
 * Returns the first `most` executed instructions whose text matches `wanted`, in code order.
 * @param {any} it
 * @param {RegExp} wanted
 * @param {number} most
 */
export const memoryOf = async (it, wanted, most) =>
  (await linesOf(it)).filter(({ text }) => wanted.test(text)).slice(0, most);
/**
 * Returns the first request of an instruction.
 * @param {any} it the kernel, by begin()
 * @param {string} address the instruction's, in hexadecimal
 */
export const requestAt = async (it, address) =>
  requestOf(
    decoded(
      (await it.run(['--picture', address, '--picture-file', 'p.csv'], {}, ['p.csv'])).files[
        'p.csv'
      ],
    ),
  );

/**
 * Returns the instruction with the costliest request among the first `most` that match `wanted`.
 * @param {[string, string]} kernel
 * @param {number} N
 * @param {RegExp} wanted
 * @param {any} owner
 * @param {number} [most]
 */
export async function costliest(kernel, N, wanted, owner, most = 2) {
  const it = await begin(kernel, N, owner),
    found = await memoryOf(it, wanted, most);
  const all = await Promise.all(
    found.map(async (/** @type {any} */ one) => ({
      ...one,
      request: await requestAt(it, one.address),
    })),
  );
  return all.reduce(
    (best, one) => (!best || costOf(one.request) > costOf(best.request) ? one : best),
    null,
  );
}

/**
 * @type {Record<string, {N: number, wanted: RegExp, heading: string, key: string, most: number}>}
 */
const LESSONS = {
  '01_naive': {
    N: 64,
    wanted: /^LDG/,
    most: 2,
    heading: 'The same load, by two ways to number the threads',
    key:
      'Dots are the 32 lanes of a warp; a cell is a sector, 32 bytes, the least that can be ' +
      'fetched. The load with the most sectors of each kernel, N\u00a0=\u00a064.',
  },
  '06_conflict_free_transpose': {
    N: 128,
    wanted: /^STS(?!\.128)/,
    most: 1,
    heading: 'A is stored transposed: which lanes meet in a bank?',
    key:
      'A column is a bank, a row is a cycle; in a cell the lane that is served. The first ' +
      'store of A of a warp.',
  },
  '07_z_order': {
    N: 128,
    wanted: /^LDS\.128/,
    most: 2,
    heading: 'The same addresses in four orders of the lanes',
    key:
      'A column is a bank, a row is a cycle; in a cell the lanes that are served. The ' +
      'costlier one of the two kinds of load, of A and of B.',
  },
};

/** Returns the last row of 32 sectors that a request touches, from 0. @param {any} request */
const lastLine = request =>
  Math.floor(Math.max(...request.lanes.map((/** @type {any} */ lane) => lane.last)) / 32);
/**
 * Returns the events of a request: one per four lanes (sectors) or per wavefront (banks).
 * @param {any} asked
 * @param {number} which the variant's index
 */
function eventsOf({ variant, request, text }, which) {
  const global = request.kind === 'global';
  return [...Array(global ? 8 : costOf(request)).keys()].map(i => ({
    which,
    variant,
    shown: global ? 4 * (i + 1) : i + 1,
    text,
    cycle: which * 8 + i,
    warp: 0,
  }));
}
/**
 * Draws one variant's request up to the event that is shown.
 * @param {any} asked
 * @param {number} place before (-1), at (0) or after (1) the variant of the event
 * @param {number} shown lanes or wavefronts that the event shows
 * @param {{least: number, rows: number, unit: string, holds: boolean}} common
 */
function rowOf({ variant, request }, place, shown, { least, rows, unit, holds }) {
  const global = request.kind === 'global',
    cost = costOf(request),
    gone = place < 0 ? Infinity : place > 0 ? 0 : shown;
  const done = gone >= (global ? 32 : cost);
  const banks = () => (place > 0 && holds ? unknownParts() : banksParts(request, cost, gone));
  return {
    title: variant,
    verdict: done ? `${cost} ${unit}${cost === 1 ? '' : 's'}` : '',
    best: done && cost === least,
    picture: global
      ? sectorsParts(request, Math.min(32, gone), 'cool', rows)
      : banks(),
  };
}

/**
 * @param {[string, string]} kernel
 * @param {any} owner
 * @param {string[]} variants
 */
export async function requests([step], owner, variants) {
  const lesson = LESSONS[step];
  const asked = await Promise.all(
    variants.map(async variant => ({
      variant,
      ...(await costliest([step, variant], lesson.N, lesson.wanted, owner, lesson.most)),
    })),
  );
  const global = asked[0].request.kind === 'global';
  const common = {
    least: Math.min(...asked.map(({ request }) => costOf(request))),
    unit: global ? 'sector' : 'cycle',
    rows: 1 + Math.max(...asked.map(({ request }) => lastLine(request))),
  };
  const events = asked.flatMap(eventsOf);
  const said =
    `${lesson.heading}: ` +
    asked.map(({ variant, request }) => `${variant} ${costOf(request)} ${common.unit}s`).join(', ');
  /**
   * @param {number} now
   * @param {boolean} [holds] true if the reader has not bet yet
   */
  function draw(now, holds = false) {
    const at = events[now];
    return stacked(
      asked.map((one, i) => rowOf(one, Math.sign(i - at.which), at.shown, { ...common, holds })),
      said,
    );
  }
  return {
    heading: lesson.heading,
    events,
    draw,
    key: lesson.key,
    slow: global ? 90 : 450,
    // Banks: before the bet, only the first variant is shown.
    ...(global ? {} : { held: costOf(asked[0].request) - 1 }),
    said: (/** @type {any} */ event) => {
      const words = explained(asked[event.which].request, /^ST/.test(event.text));
      return `${event.variant}, ${event.text.replace(/ ;$/, '')}: ${words.join(' ')}`;
    },
  };
}
