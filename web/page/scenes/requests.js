// The animations of steps 01, 06 and 07: which memory one load or store of a warp touches, for each
// variant of the lesson. Step 01 shows lines and banks of the L1, the others the banks of
// shared memory.
import { banksParts, linesParts, stacked, unknownParts } from '../draw.js';
import { costOf, cyclesOf, explained, explainedCycles, requestOf } from '../explain.js';
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
  const it = await begin(kernel, N, owner, 1), // every block has the same requests
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
    N: 256,
    wanted: /^LDG/,
    most: 2,
    heading: 'The lanes of a warp lie down a column of C, or along a row',
    key:
      'Dots are the 32 lanes of a warp. A row is a line of the L1, 128 bytes; a column is one of ' +
      'its 32 banks. Above they load from A, below from B, N\u00a0=\u00a0256. At 4096 the words ' +
      'lie in the same banks.',
  },
  '06_conflict_free_transpose': {
    N: 128,
    wanted: /^STS(?!\.128)/,
    most: 1,
    heading: 'A warp stores a part of A: which lanes meet in a bank?',
    key:
      'A column is a bank, a row is a cycle; a number is the lane that is served. Shown is a ' +
      'warp’s first store of A, N\u00a0=\u00a0128.',
  },
  '07_z_order': {
    N: 128,
    wanted: /^LDS\.128/,
    most: 2,
    heading: 'One load of a warp, by four arrangements of its lanes',
    key:
      'A column is a bank, a row is a cycle; a number is a lane that is served. Shown is the ' +
      'slower one of the loads of A and B, N\u00a0=\u00a0128.',
  },
};

const isGlobal = (/** @type {any} */ request) => request.kind === 'global';
/** The cycles that a request takes. @param {any} request */
const cyclesFor = request => (isGlobal(request) ? cyclesOf(request) : costOf(request));
/**
 * Returns the events of a request: one per lane (global) or per wavefront (shared).
 * @param {any} asked
 * @param {number} which the variant's index
 */
function eventsOf({ variant, request, text }, which) {
  return [...Array(isGlobal(request) ? 32 : costOf(request)).keys()].map(i => ({
    which,
    variant,
    shown: i + 1,
    text,
    cycle: which * 32 + i,
    warp: 0,
  }));
}
/**
 * Draws one variant's request up to the event that is shown.
 * @param {any} asked
 * @param {number} place before (-1), at (0) or behind (1) the variant of the event
 * @param {number} shown lanes (global) or wavefronts (shared) up to the event
 * @param {{least: number, holds: boolean}} common
 */
function rowOf({ variant, request }, place, shown, { least, holds }) {
  const global = isGlobal(request),
    cost = cyclesFor(request),
    gone = place < 0 ? Infinity : place > 0 ? 0 : shown;
  const done = gone >= (global ? 32 : cost),
    lanes = request.lanes.filter((/** @type {any} */ one) => one.lane < gone),
    so = global && gone ? cyclesOf({ ...request, lanes }) : cost;
  const banks = () => (place > 0 && holds ? unknownParts() : banksParts(request, cost, gone));
  return {
    title: variant,
    verdict: done || (global && gone) ? `${so} cycle${so === 1 ? '' : 's'}` : '',
    best: done && cost === least,
    picture: global ? linesParts(request, gone) : banks(),
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
  const global = isGlobal(asked[0].request),
    least = Math.min(...asked.map(({ request }) => cyclesFor(request)));
  const events = asked.flatMap(eventsOf);
  const said =
    `${lesson.heading}: ` +
    asked.map(({ variant, request }) => `${variant} ${cyclesFor(request)} cycles`).join(', ');
  /**
   * @param {number} now
   * @param {boolean} [holds] true if the reader has not bet yet
   */
  function draw(now, holds = false) {
    const at = events[now];
    return stacked(
      asked.map((one, i) => rowOf(one, Math.sign(i - at.which), at.shown, { least, holds })),
      said,
    );
  }
  return {
    heading: lesson.heading,
    events,
    draw,
    key: lesson.key,
    slow: global ? 60 : 450,
    // Banks: before the bet, only the first variant is shown.
    ...(global ? {} : { held: costOf(asked[0].request) - 1 }),
    said: (/** @type {any} */ event) => {
      const { request } = asked[event.which],
        words = global
          ? explainedCycles({
              ...request,
              lanes: request.lanes.filter((/** @type {any} */ { lane }) => lane < event.shown),
            })
          : explained(request, /^ST/.test(event.text)).join(' '),
        [name] = event.text.split(' ');
      return `${event.variant}: ${words} (${name})`;
    },
  };
}
