// Step 09: two register banks and the reuse cache. Shows FFMAs of the main loop, as compiled and by
// hand, operand by operand.
import { cell, drawing, label } from '../draw.js';
import { mainLoop } from '../text.js';
import { packed } from '../programs.js';

/** @typedef {{text: string, operands: {name: string, bank: number, kept: boolean}[], cycles: number, reads: number}} Read */

/**
 * Returns the register reads of each FFMA. There are two banks, for even and odd registers, with
 * one read per bank and cycle. A register in the reuse cache (.reuse) costs no read, and a bank may
 * be one read behind. The rule is that of sasskit/isa/banks.c.
 * @param {string[]} lines
 * @returns {Read[]}
 */
export function readsOf(lines) {
  /** @type {string[][]} what each slot keeps, by bank */
  const places = [
      ['', ''],
      ['', ''],
      ['', ''],
    ],
    found = [],
    behind = [0, 0];
  for (const line of lines) {
    const match = /FFMA R\d+, -?(R\d+)(\.reuse)?, -?(R\d+)(\.reuse)?, -?(R\d+)(\.reuse)?/.exec(line);
    if (!match) continue;
    const reads = [0, 0],
      operands = [0, 1, 2].map(slot => {
        const name = match[1 + 2 * slot],
          bank = Number(name.slice(1)) & 1,
          kept = places[slot][bank] === name;
        if (!kept) reads[bank]++;
        places[slot][bank] = match[2 + 2 * slot] ? name : '';
        return { name, bank, kept };
      });
    for (const bank of [0, 1]) behind[bank] += reads[bank];
    const cycles = Math.max(1, ...behind.map(left => left - 1));
    for (const bank of [0, 1]) behind[bank] = Math.max(0, behind[bank] - cycles);
    found.push({ text: line.trim(), operands, cycles, reads: Math.max(...reads) });
  }
  return found;
}

const SHOWN = 12;
const SKIPPED = 24; // FFMAs until the cache holds what it does in the loop
const BOTTOM = 44 + SHOWN * 24;
/**
 * The reads of a variant's main loop, and a stretch of it whose cost is nearest to the loop's mean.
 * @param {string} step
 * @param {string} variant
 * @param {any} owner
 */
async function sideOf(step, variant, owner) {
  const path = `cubin/sm_90/${step}/${variant}.cubin`;
  const run = await Engine.run(['sass', 'dis', path], { [path]: packed(path) }, { owner });
  if (run.status) throw Error(run.err);
  const loop = mainLoop(run.out);
  const reads = readsOf(run.out.split('\n').slice(loop ? loop.first : 0, loop ? loop.last : undefined));
  const mean = reads.reduce((sum, one) => sum + one.cycles, 0) / reads.length;
  const off = (/** @type {number} */ at) =>
    Math.abs(reads.slice(at, at + SHOWN).reduce((sum, one) => sum + one.cycles, 0) - mean * SHOWN);
  let from = SKIPPED;
  for (let at = SKIPPED; at + SHOWN < reads.length; at++) if (off(at) < off(from)) from = at;
  return { variant, mean, shown: reads.slice(from, from + SHOWN) };
}
/**
 * A row: the three operands of an FFMA and its cycles; cells alone while it is not there yet.
 * @param {Read} one
 * @param {number} x
 * @param {number} y
 * @param {boolean} there
 */
function rowParts({ operands, cycles, reads }, x, y, there) {
  const cells = operands.map((operand, j) =>
    cell(x + 66 * j, y, 60, 19, !there ? 'idle' : operand.kept ? 'kept' : operand.bank ? 'w2' : 'w1'),
  );
  if (!there) return cells;
  const names = operands.map(({ name, kept }, j) =>
    label(x + 30 + 66 * j, y + 14, name, kept ? 'num' : 'num on', 'middle'),
  );
  const said = `${cycles} cycle${cycles === 1 ? (reads > 1 ? ' *' : '') : 's'}`;
  return [
    ...cells.flatMap((each, j) => [each, names[j]]),
    label(x + 206, y + 14, said, `strong ${cycles > 1 ? 'bad' : 'good'}`),
  ];
}
/**
 * @param {{variant: string, mean: number, shown: Read[]}} side
 * @param {number} x
 * @param {number} now
 */
function sideParts({ variant, shown, mean }, x, now) {
  const past = shown.slice(0, now + 1),
    cycles = past.reduce((sum, one) => sum + one.cycles, 0);
  return [
    label(x, 14, variant === 'compiled' ? 'compiled: as ptxas leaves it' : 'written by hand', 'strong'),
    ...['a', 'b', 'sum'].map((name, i) => label(x + 30 + 66 * i, 36, name, '', 'middle')),
    ...shown.flatMap((one, i) => rowParts(one, x, 44 + i * 24, i <= now)),
    label(x, BOTTOM + 18, `${past.length} FFMA: ${cycles} cycle${cycles === 1 ? '' : 's'}`, 'strong num'),
    label(x, BOTTOM + 36, `the whole loop: ${mean.toFixed(2)} cycles per FFMA`),
  ];
}
/** @param {number} y */
const legend = y => [
  cell(0, y, 12, 12, 'w1'),
  label(18, y + 10, 'even bank'),
  cell(100, y, 12, 12, 'w2'),
  label(118, y + 10, 'odd bank'),
  cell(196, y, 12, 12, 'kept'),
  label(214, y + 10, 'kept by the reuse cache: no read'),
];

/**
 * @param {[string, string]} kernel
 * @param {any} owner
 */
export async function ffma([step], owner) {
  const sides = await Promise.all(['compiled', 'hand_16x8_row'].map(variant => sideOf(step, variant, owner)));
  const events = [...Array(SHOWN).keys()].map(i => ({
    at: i,
    cycle: i,
    warp: 0,
    text: sides.map(side => side.shown[i].text.replace(/^\S+:\S+:\S+\s+/, '').replace(/ ;$/, '')).join('; '),
  }));
  const said = sides.map(({ variant, mean }) => `${variant}: ${mean.toFixed(2)} cycles per FFMA`).join(', ');
  /** @param {number} now */
  const draw = now =>
    drawing(
      640,
      BOTTOM + 68,
      said,
      ...sides.flatMap((side, i) => sideParts(side, i * 350, now)),
      ...legend(BOTTOM + 50),
    );
  return {
    heading: 'Two register banks: which FFMAs cost a cycle more?',
    events,
    draw,
    slow: 500,
    key: 'Each bank gives one register per cycle. A star: a bank is one read behind, which costs nothing yet. Twelve neighbouring FFMA of each main loop, chosen where they cost what the whole loop costs on the average.',
    said: (/** @type {any} */ event) => `FFMA ${event.at + 1}: ${event.text}`,
  };
}
