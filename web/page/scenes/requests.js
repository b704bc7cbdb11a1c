// Requests of a lesson's variants below each other: the memory that one load or store of a warp
// touches (01: sectors; 06, 07: banks).
import { banksParts, sectorsParts, stacked } from '../draw.js';
import { costOf, explained, requestOf } from '../explain.js';
import { decoded } from '../programs.js';
import { begin, linesOf } from './trace.js';

/**
 * Returns the executed memory instructions in code order: address, text.
 * @param {any} it
 * @param {RegExp} wanted
 * @param {number} most
 */
export const memoryOf = async (it, wanted, most) => (await linesOf(it)).filter(({ text }) => wanted.test(text)).slice(0, most);
/**
 * Returns the first request of an instruction.
 * @param {any} it
 * @param {string} address
 */
export const requestAt = async (it, address) => requestOf(decoded((await it.run(['--picture', address, '--picture-file', 'p.csv'], {}, ['p.csv'])).files['p.csv']));

/**
 * Returns the costliest request among a kernel's first memory instructions.
 * @param {[string, string]} kernel
 * @param {number} N
 * @param {RegExp} wanted
 * @param {any} owner
 * @param {number} [most]
 */
export async function costliest(kernel, N, wanted, owner, most = 2) {
  const it = await begin(kernel, N, owner), found = await memoryOf(it, wanted, most);
  const all = await Promise.all(found.map(async (/** @type {any} */ one) => ({ ...one, request: await requestAt(it, one.address) })));
  return all.reduce((best, one) => (!best || costOf(one.request) > costOf(best.request) ? one : best), null);
}

/** @type {Record<string, {N: number, wanted: RegExp, heading: string, key: string, most: number}>} */
const LESSONS = {
  '01_naive': { N: 64, wanted: /^LDG/, most: 2, heading: 'The same load, by two ways to number the threads', key: 'Dots are the 32 lanes of a warp; a cell is a sector, 32 bytes, the least that can be fetched. The load with the most sectors of each kernel, N = 64.' },
  '06_conflict_free_transpose': { N: 128, wanted: /^STS(?!\.128)/, most: 1, heading: 'A is stored transposed: which lanes meet in a bank?', key: 'A column is a bank, a row is a cycle; in a cell the lane that is served. The first store of A of a warp.' },
  '07_z_order': { N: 128, wanted: /^LDS\.128/, most: 2, heading: 'The same addresses in four orders of the lanes', key: 'A column is a bank, a row is a cycle; in a cell the lanes that are served. The costlier one of the two kinds of load, of A and of B.' },
};

/**
 * @param {[string, string]} kernel
 * @param {any} owner
 * @param {string[]} variants
 */
export async function requests([step], owner, variants) {
  const lesson = LESSONS[step], asked = await Promise.all(variants.map(async variant => ({ variant, ...await costliest([step, variant], lesson.N, lesson.wanted, owner, lesson.most) })));
  const global = asked[0].request.kind === 'global', least = Math.min(...asked.map(({ request }) => costOf(request))), unit = global ? 'sector' : 'cycle';
  const events = asked.flatMap(({ variant, request, text }, which) => (global ? [...Array(8).keys()].map(i => ({ which, variant, shown: 4 * (i + 1), text, cycle: which * 8 + i, warp: 0 })) : [...Array(costOf(request)).keys()].map(i => ({ which, variant, shown: i + 1, text, cycle: which * 8 + i, warp: 0 }))));
  /** @param {number} now */
  function draw(now) {
    const at = events[now];
    return stacked(asked.map(({ variant, request }, i) => {
      const cost = costOf(request), done = i < at.which || (i === at.which && at.shown >= (global ? 32 : cost)), shown = i < at.which ? Infinity : i > at.which ? 0 : at.shown, rows = 1 + Math.max(...asked.map(one => Math.floor(Math.max(...one.request.lanes.map((/** @type {any} */ lane) => lane.last)) / 32)));
      return { title: variant, verdict: done ? `${cost} ${unit}${cost === 1 ? '' : 's'}` : '', best: done && cost === least, picture: global ? sectorsParts(request, Math.min(32, shown), cost === least ? 'cool' : 'w2', rows) : banksParts(request, cost, shown) };
    }), `${lesson.heading}: ${asked.map(({ variant, request }) => `${variant} ${costOf(request)} ${unit}s`).join(', ')}`);
  }
  return { heading: lesson.heading, events, draw, key: lesson.key, slow: global ? 90 : 450,
    said: (/** @type {any} */ event) => { const { request } = asked[event.which], store = /^ST/.test(event.text); return `${event.variant}, ${event.text.replace(/ ;$/, '')}: ${explained(request, store).join(' ')}`; } };
}
