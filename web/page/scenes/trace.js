// What the animations ask the engine: when warps issue instructions (simrun --timeline), and which
// addresses these have (the stepper, simrun --step).
import { asJson, decoded, ofType, packed, records } from '../programs.js';
import { spansOf } from '../timeline/spans.js';

export const LANES = 32;

/** @typedef {Awaited<ReturnType<typeof begin>>} Prepared a kernel that can be run and stepped */
/** @typedef {{warp: number, issued: Span[]}} Issued what a warp issues, in order */
/** @typedef {{registers: string[][], offset: number}} Address an address operand */
/** @typedef {string[][]} Stop where a warp stands: the rows that the stepper prints */
/**
 * Prepares a variant's kernel at N x N x N, with a grid of `blocks` blocks if that is given.
 * In the result, run(OPTIONS, FILES, WANTED) runs simrun, and steps(COMMANDS) runs its stepper.
 * @param {[string, string]} kernel
 * @param {number} N
 * @param {object} owner
 * @param {number} [blocks]
 */
export async function begin([step, variant], N, owner, blocks) {
  const path = `cubin/sm_90/${step}/${variant}.cubin`;
  const engine = async (
    /** @type {string[]} */ words,
    /** @type {Files} */ files = {},
    /** @type {string[]} */ wanted = [],
  ) => {
    const done = await Engine.run(words, files, { wanted, owner });
    if (done.status) throw Error(done.err);
    return done;
  };
  const launch = (await engine(['launch', step, variant, `${N}`])).out.trim().split(' ');
  if (blocks) launch[launch.indexOf('--grid') + 1] = `${blocks}`;
  const run = (
    /** @type {string[]} */ words,
    /** @type {Files} */ files = {},
    /** @type {string[]} */ wanted = [],
  ) =>
    engine(['simrun', path, ...launch, ...words], { ...files, [path]: packed(path) }, wanted);
  return {
    N,
    run,
    steps: async (/** @type {string[]} */ commands) =>
      (await run(['--step', 'commands'], { commands: `${commands.join('\n')}\n` })).out,
  };
}
/**
 * Returns the executed instructions of a launch in code order, without guards (@P0). count: how
 * often warps executed it; lost: cycles that a warp lost there at register banks, on average.
 * @param {Prepared} kernel
 * @returns {Promise<{address: string, text: string, count: number, lost: number}[]>}
 */
export async function linesOf({ run }) {
  const all = records(
    decoded(
      (await run(['--per-line', ...asJson('simrun', 'r.json')], {}, ['r.json'])).files['r.json'],
    ),
  );
  return ofType(all, 'line')
    .filter(({ warps }) => warps > 0)
    .map(({ place, warps, bank_cycles_lost: lost }) => ({
      address: place.address.toString(16),
      text: place.instruction.replace(/^@\S+ /, ''),
      count: warps,
      lost: Math.round((lost ?? 0) / warps),
    }));
}
/**
 * Returns the warps of the first scheduler, each with the instructions that it issues in the first
 * 30,000 cycles.
 * @param {Prepared} kernel
 * @returns {Promise<Issued[]>}
 */
export async function issues({ run }) {
  const spans = spansOf(
    new TextDecoder().decode(
      (await run(['--time', '--timeline', 't.json', '--cycles', '0,30000'], {}, ['t.json'])).files[
        't.json'
      ],
    ),
  ).filter(span => span.cat === 'issue');
  return [...new Set(spans.map(span => span.tid))].map(warp => ({
    warp,
    issued: spans.filter(span => span.tid === warp).sort((a, b) => a.ts - b.ts),
  }));
}
/**
 * Returns an address operand of an instruction, e.g. [R4.U32+UR16+0x80]: the last one, in device
 * memory, if `last` is true; otherwise the first one, in shared memory. Each entry of `registers`
 * has the name of a 32-bit register, or the two names of a 64-bit register.
 * @param {string} text
 * @param {boolean} [last]
 * @returns {Address}
 */
export function place(text, last) {
  const operands = [...text.matchAll(/(desc)?\[([^\]]*)\]/g)].filter(found => !found[1]),
    terms = (operands.at(last ? -1 : 0)?.[2] || '').split('+');
  const registers = terms.flatMap(term => {
    const [, kind, number, wide] = /^(U?R)(\d+)(\.64)?/.exec(term) || [];
    return !kind
      ? []
      : wide || (last && kind === 'UR')
        ? [[kind + number, kind + (Number(number) + 1)]]
        : [[kind + number]];
  });
  return {
    registers,
    offset: terms.reduce((sum, term) => sum + (/^[-0]/.test(term) ? parseInt(term, 16) : 0), 0),
  };
}
/**
 * Returns the stepper's command that prints where a warp stands (a stop): a row for the warp, and
 * rows for the registers of `places`.
 * @param {...Address} places
 */
export const ask = (...places) =>
  `csv ${[...new Set(places.flatMap(({ registers }) => registers.flat()))].join(',') || 'R0'}`;
/**
 * Returns the stops in the stepper's output. Each is a list of rows of words, the warp's first.
 * @param {string} said
 * @returns {Stop[]}
 */
export const stopsOf = said =>
  said
    .split(/^(?=warp,)/m)
    .filter(part => part.startsWith('warp,'))
    .map(part =>
      part
        .trim()
        .split('\n')
        .map(row => row.split(',')),
    );
/** Returns the address of the instruction that a stop's warp executes next. */
export const nextOf = (/** @type {Stop} */ stop) => stop[0][3];
/** Returns the number of instructions that a stop's warp has executed. */
export const doneOf = (/** @type {Stop} */ stop) => Number(stop[0][4]);
/**
 * Returns the first lane's value of an address operand (by place()) at a stop.
 * @param {Stop} stop
 * @param {Address} address
 */
export const readAt = (stop, { registers, offset }) =>
  offset +
  registers.reduce(
    (sum, parts) =>
      sum +
      parts.reduce(
        (value, name, i) =>
          value +
          parseInt(stop.find(row => row[0] === 'register' && row[1] === name)?.[4] || '', 16) *
            2 ** (32 * i),
        0,
      ),
    0,
  );
/**
 * Returns the first lane's address in each of the instructions `wanted`: `at` is the index in
 * `issued`, in ascending order; `last` is that of place().
 * @param {Prepared} kernel
 * @param {Issued} warp
 * @param {{at: number, last?: boolean}[]} wanted
 */
export async function addresses({ steps }, { warp, issued }, wanted) {
  const asked = wanted.map(({ at, last }) => place(issued[at].args.instruction, last));
  const stops = stopsOf(
    await steps([
      `warp ${warp}`,
      ...wanted.flatMap(({ at }, i) => [`step ${at - (i ? wanted[i - 1].at : 0)}`, ask(asked[i])]),
    ]),
  );
  if (stops.some((stop, i) => nextOf(stop) !== issued[wanted[i].at].args.address))
    throw Error('the trace and the stepper disagree');
  return stops.map((stop, i) => readAt(stop, asked[i]));
}
/**
 * Returns the indices of the instructions with these opcodes.
 * @param {Span[]} issued
 * @param {string[]} names
 */
export const indices = (issued, names) =>
  issued.map((_span, i) => i).filter(i => names.includes(issued[i].name.split('.')[0]));
/**
 * Returns events by cycle.
 * @template {{cycle: number, warp: number}} T
 * @param {T[]} events
 */
export const inOrder = events => events.sort((a, b) => a.cycle - b.cycle || a.warp - b.warp);
