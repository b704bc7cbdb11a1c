// The animation of step 01: which lines and banks of the L1 one load of a warp touches, for each
// variant of the lesson.
import { linesParts, stacked } from '../draw.js';
import { costOf, cyclesOf, explainedCycles, requestOf } from '../explain.js';
import { decoded } from '../programs.js';
import { counted } from '../text.js';
import { begin, linesOf } from './trace.js';

/** @typedef {import('../explain.js').Request} Request */
/**
 * Returns the first `most` executed instructions whose text matches `wanted`, in code order.
 * @param {import('./trace.js').Prepared} it
 * @param {RegExp} wanted
 * @param {number} most
 */
export const memoryOf = async (it, wanted, most) =>
  (await linesOf(it)).filter(({ text }) => wanted.test(text)).slice(0, most);
/**
 * Returns the first request of an instruction.
 * @param {import('./trace.js').Prepared} it the kernel, by begin()
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
 * @param {object} owner
 * @param {number} [most]
 */
export async function costliest(kernel, N, wanted, owner, most = 2) {
  const it = await begin(kernel, N, owner, 1), // every block has the same requests
    found = await memoryOf(it, wanted, most);
  const all = await Promise.all(
    found.map(async one => ({
      ...one,
      request: await requestAt(it, one.address),
    })),
  );
  return all.reduce((best, one) => (costOf(one.request) > costOf(best.request) ? one : best));
}

/**
 * Returns a request of the lanes below `count`.
 * @param {Request} request
 * @param {number} count
 * @returns {Request}
 */
const before = (request, count) => ({
  ...request,
  lanes: request.lanes.filter(({ lane }) => lane < count),
});
/**
 * Draws one variant's request up to the event that is shown.
 * @param {{variant: string, matrix: string, request: Request}} asked matrix: what it loads from
 * @param {number} lanes number of lanes up to the event
 * @param {number} least the cycles of the fastest variant
 */
function rowOf({ variant, matrix, request }, lanes, least) {
  const cycles = cyclesOf(before(request, lanes));
  return {
    title: variant,
    verdict: lanes ? `${cycles} cycle${cycles === 1 ? '' : 's'}` : '',
    best: lanes === 32 && cycles === least,
    picture: linesParts(request, lanes, undefined, 1, 7, matrix),
  };
}

/**
 * Returns the events of a picture that draws one request after another, a part in each event.
 * @param {{variant: string, text: string}[]} asked
 * @param {(which: number) => number} partsOf returns how many parts a request has, at most 32
 */
export const turnsOf = (asked, partsOf) =>
  asked.flatMap(({ variant, text }, which) =>
    [...Array(partsOf(which)).keys()].map(i => ({
      which,
      variant,
      shown: i + 1,
      text,
      cycle: which * 32 + i,
      warp: 0,
    })),
  );

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 * @param {string[]} variants
 */
export async function requests([step], owner, variants) {
  const heading = 'One load of a warp: down a column of A, or along a row of B';
  const asked = await Promise.all(
    variants.map(async variant => ({
      variant,
      matrix: variant === 'uncoalesced' ? 'A' : 'B',
      ...(await costliest([step, variant], 64, /^LDG/, owner)),
    })),
  );
  const all = asked.map(({ request }) => cyclesOf(request)),
    costs = variants.map((variant, i) => `${variant} ${counted(all[i], 'cycle')}`),
    said = `${heading}: ${costs.join(', ')}`;
  const events = turnsOf(asked, () => 32);
  function draw(/** @type {number} */ now) {
    const { which, shown } = events[now];
    return stacked(
      asked.map((one, i) =>
        rowOf(one, i < which ? 32 : i > which ? 0 : shown, Math.min(...all)),
      ),
      said,
    );
  }
  return {
    heading,
    events,
    draw,
    key:
      'Dots are the 32 threads of a warp, its lanes. A column is a bank, a part of the cache: it ' +
      'gives one word per cycle. The slow kernel loads from A (blue), the fast one from B ' +
      '(orange), N\u00a0=\u00a064.',
    hint: 'Point at a lane to see its word.',
    slow: 60,
    said: (/** @type {typeof events[0]} */ { which, variant, text, shown }) =>
      `${variant}: ${explainedCycles(before(asked[which].request, shown))} (${text.split(' ')[0]})`,
  };
}
