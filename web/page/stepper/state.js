// What the stepper knows about its block, and how it asks for it: by commands to `simrun --step`.
// simrun keeps no state between runs, so each command first replays all instructions so far.
import { clean, loopsOf } from '../text.js';
import { reason } from '../programs.js';

/**
 * @typedef {{address: string, source: string, text: string}} Instruction `source` is such as
 *   "kernel.cu:41", or ''; `text` begins with the control column
 * @typedef {{number: string, how: string, place: string, done: number, ran: number}} Warp `how` is
 *   ready, waits or ended; `place` is the address of its next instruction; `ran` is the number of
 *   instructions that the last command executed
 * @typedef {{name: string, note: string, changed: number, words: string[]}} Register `changed` is a
 *   mask of lanes; `words` are the lanes' values in hexadecimal
 * @typedef {{name: string, mask: number, before: number}} Predicate
 * @typedef {{number: number, by: string, cells: string[]}} Board a scoreboard that counts
 *   something: the address of the instruction that set it, and the registers that it guards; &R4 is
 *   still to be read
 * @typedef {{address: number, changed: number, unwritten: number, words: string[]}} SharedRow
 * @typedef {{code: Instruction[], warp: Warp, warps: Warp[], next: Instruction|null,
 *   last: Instruction|undefined, ran: string[][], registers: Register[], predicates: Predicate[],
 *   boards: Board[], shared: SharedRow[], request: string}} State `warp` is the stepped warp;
 *   `next` is null if it has ended; `ran` is what ran so far: [warp, number of instructions], in
 *   order; `request` is the last request to memory as CSV, or ''
 */

const hex = (/** @type {string} */ digits) => parseInt(digits, 16);
/**
 * Returns the state in the output of the commands `csv` and `code`; null if it has none.
 * @param {string} output
 * @returns {State|null}
 */
function readState(output) {
  /** @type {Record<string, string[][]>} */
  const rows = {},
    text = clean(output);
  for (const line of text.split('\n')) {
    const [kind, ...cells] = line.split(',');
    (rows[kind] ||= []).push(cells);
  }
  const of = (/** @type {string} */ kind) => rows[kind] || [];
  if (!of('at').length) return null;
  const [number, lastAddress] = of('at')[0];
  const warps = of('warp').map(([one, how, place, done, , , ran]) => ({
    number: one, how, place,
    done: Number(done), ran: Number(ran),
  }));
  const code = of('code').map(([address, source, ...parts]) => ({
    address, source,
    text: parts.join(','),
  }));
  const warp = /** @type {Warp} */ (warps.find(one => one.number === number));
  return {
    code, warp, warps,
    next: (warp.how !== 'ended' && code.find(({ address }) => address === warp.place)) || null,
    last: code.find(({ address }) => address === lastAddress),
    ran: of('ran'),
    registers: of('register').map(([name, note, changed, ...words]) => ({
      name, note, words,
      changed: hex(changed),
    })),
    predicates: of('predicate').map(([name, mask, before]) => ({
      name,
      mask: hex(mask),
      before: hex(before),
    })),
    boards: of('scoreboard')
      .filter(([, , cells]) => cells)
      .map(([one, by, cells]) => ({ number: Number(one), by, cells: cells.split(' ') })),
    shared: of('shared').map(([address, changed, unwritten, ...words]) => ({
      address: hex(address), changed: hex(changed),
      unwritten: hex(unwritten), words,
    })),
    request: (/^lane,.*\n(\d.*\n)*/m.exec(text) || [''])[0],
  };
}

/**
 * Turns a jump's address into a label that loopsOf() reads: x16 for 0x10.
 * @param {string} text
 */
const jumping = text =>
  text.replace(/(BRA.*)0x([0-9a-f]+)/, (_all, start, at) => `${start}x${hex(at)}`);
/**
 * Returns the loops that have arithmetic, those with the most of it first: the first and the last
 * index of each.
 * @param {Instruction[]} code
 */
export const loopsIn = code =>
  loopsOf(code.map(({ address, text }) => `x${hex(address)}: ${jumping(text)} ;`).join('\n'));

/**
 * Says why a command `to ADDRESS` did not bring the warp to that address: it ended, loops or waits
 * for ever. Returns '' if the warp arrived, and for other commands.
 * @param {string} command
 * @param {State} after
 * @param {State} before
 */
function missedBy(command, { warp }, before) {
  const [, target] = /^to 0x([0-9a-f]+)$/.exec(command) || [],
    { number, how, place } = warp;
  if (!target || (place === target && how !== 'ended')) return '';
  /** @type {Record<string, string>} */
  const ends = { ended: 'it ends first', ready: `it loops at 0x${place}` };
  const end = ends[how] || `it waits at 0x${place} for ever`,
    stood = before.warps.find(one => one.number === number)?.place;
  return stood === target
    ? `Warp ${number} stands at 0x${target} and never comes back to it: ${end}. ` +
        'It stays where it is.'
    : `From 0x${stood} on warp ${number} never comes to 0x${target}: ${end}. ` +
        `It stays at 0x${stood}.`;
}

export class Session {
  /** @param {(commands: string) => Promise<Run>} run runs the stepper's commands */
  constructor(run) {
    this.run = run;
    /** @type {State|null} after the last command */
    this.state = null;
    this.busy = false;
  }
  /**
   * Runs a command after a replay of what ran before. Returns the run and why the warp is not where
   * the command should have brought it, or ''. Returns null while an earlier command runs.
   * @param {string} command several are separated by line feeds; '' only looks
   * @param {string} [warp] the warp to step
   * @returns {Promise<{run: Run, missed: string}|null>}
   */
  async act(command, warp) {
    if (this.busy) return null;
    this.busy = true;
    const before = this.state,
      replay = before ? before.ran.map(([one, count]) => `replay ${one}:${count}`) : [],
      looking = before ? [`warp ${warp ?? before.warp.number}`] : [],
      commands = [...replay, ...looking, ...(command ? [command] : []), 'csv', 'code', ''];
    const run = await this.run(commands.join('\n'));
    this.busy = false;
    const next = readState(run.out);
    if (run.status || !next) return { run, missed: `It cannot be stepped: ${reason(run)}` };
    const missed = before ? missedBy(command, next, before) : '';
    if (!missed) this.state = next;
    return { run, missed };
  }
}
