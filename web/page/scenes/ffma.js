// The animation of step 09: two register banks and the reuse cache, in a compiled and in a
// hand-written kernel. Each FFMA of the main loop is a cell, which is marked if it loses a cycle;
// eight of them are drawn with their operands.
import { svg } from '../dom.js';
import { betLink, cell, drawing, label, narrow } from '../draw.js';
import { mark } from '../pointing.js';
import { counted } from '../text.js';
import { begin, linesOf } from './trace.js';

/**
 * @typedef {{text: string, lost: number, operands: {name: string, bank: number, kept: boolean}[]}}
 *   Read an FFMA; lost: cycles; kept: true if the reuse cache has the operand
 */
/**
 * @typedef {{variant: string, all: Read[], shown: Read[], from: number, besides: number}} Side
 *   all: the FFMAs of the loop; shown: those drawn with their operands, from all[from] on;
 *   besides: cycles that the loop's other instructions lost
 */

/**
 * Returns each FFMA with its operands. There are two banks, for even and odd registers. An operand
 * with .reuse stays in the reuse cache until the next operand with its slot and bank. If that is
 * the same register, it comes from the cache instead of the bank.
 * @param {{text: string, lost: number}[]} lines
 * @returns {Read[]}
 */
export function readsOf(lines) {
  /** @type {string[][]} the register that each operand slot of the cache has, by bank */
  const places = [
      ['', ''],
      ['', ''],
      ['', ''],
    ],
    found = [];
  for (const { text, lost } of lines) {
    const match = /FFMA R\d+, -?(R\d+)(\.reuse)?, -?(R\d+)(\.reuse)?, -?(R\d+)(\.reuse)?/.exec(
      text,
    );
    if (!match) continue;
    const operands = [0, 1, 2].map(slot => {
      const name = match[1 + 2 * slot],
        bank = Number(name.slice(1)) & 1,
        kept = places[slot][bank] === name;
      places[slot][bank] = match[2 + 2 * slot] ? name : '';
      return { name, bank, kept };
    });
    found.push({ text, operands, lost });
  }
  return found;
}

const SHOWN = 8; // FFMAs drawn with their operands
const ACROSS = 32; // cells of the loop in a row
const CELL = 9.5;
const FRAME = 'frame now'; // a class
/**
 * Returns the FFMAs of a variant's main loop with the cycles that each lost in the simulator, and
 * the SHOWN neighbours that lost most.
 * @param {string} step
 * @param {string} variant
 * @param {object} owner
 * @returns {Promise<Side>}
 */
async function sideOf(step, variant, owner) {
  const lines = await linesOf(await begin([step, variant], 256, owner));
  const isFfma = (/** @type {{text: string}} */ one) => one.text.startsWith('FFMA ');
  const most = Math.max(...lines.filter(isFfma).map(one => one.count));
  const loop = lines.filter(one => one.count === most);
  const all = readsOf(loop.filter(isFfma));
  const besides = lossOf(loop.filter(one => !isFfma(one)));
  const lostFrom = (/** @type {number} */ at) => lossOf(all.slice(at, at + SHOWN));
  let from = 0;
  for (let at = 0; at + SHOWN <= all.length; at++) if (lostFrom(at) > lostFrom(from)) from = at;
  return { variant, all, from, shown: all.slice(from, from + SHOWN), besides };
}
const lossOf = (/** @type {{lost: number}[]} */ reads) =>
  reads.reduce((sum, one) => sum + one.lost, 0);
/**
 * Draws the loop: a cell per FFMA, in the order of the code. Cells of one colour are one path.
 * Those whose operands are drawn have a frame.
 * @param {Side} side
 * @param {number} now
 */
function mapParts({ all, from }, now) {
  /** @type {Record<string, string>} */
  const paths = { idle: '', accent: '', [FRAME]: '' };
  all.forEach(({ lost }, i) => {
    const place = `M${(i % ACROSS) * CELL} ${28 + Math.floor(i / ACROSS) * CELL}`;
    paths[lost ? 'accent' : 'idle'] += `${place}h8v8h-8z`;
    if (i >= from && i <= from + now)
      paths[FRAME] +=
        `${place}m-1-1h${CELL}` +
        `${i === from + now ? 'v' : 'm0 '}${CELL}h-${CELL}${i === from ? `v-${CELL}` : ''}`;
  });
  return Object.entries(paths).map(([kind, d]) => svg('path', { d, class: kind }));
}
/**
 * Says where an operand comes from, and what that costs.
 * @param {Read} read
 * @param {{name: string, bank: number, kept: boolean}} operand
 */
function operandSaid({ text, operands, lost }, { name, bank, kept }) {
  const both = operands.filter(one => !one.kept && one.bank === bank).length,
    which = bank ? 'odd' : 'even';
  return (
    `${text.replace(/ ;$/, '')}: ` +
    (kept
      ? `the reuse cache still has ${name}, so no bank has to give it.`
      : both > 1
        ? `the ${which} bank has to give ${both} registers, one per cycle.`
        : `only ${name} comes from the ${which} bank${lost ? '' : ', so nothing waits'}.`)
  );
}
/**
 * Draws a row: the three operands of an FFMA and its cycles; empty cells if `there` is false.
 * @param {Read} one
 * @param {number} y
 * @param {boolean} there
 * @param {string} side the variant
 */
function rowParts(one, y, there, side) {
  const { operands, lost } = one;
  const cells = operands.map((operand, j) => {
    const { name, kept, bank } = operand;
    if (!there) return cell(72 * j, y, 66, 19, 'idle');
    return mark(
      cell(72 * j, y, 66, 19, kept ? 'kept' : bank ? 'w2' : 'w1'),
      `${side}${j}${name}${kept ? '' : ` ${side}${y}b${bank}`}`,
      operandSaid(one, operand),
    );
  });
  if (!there) return cells;
  const names = operands.map(({ name, kept }, j) =>
    label(33 + 72 * j, y + 14, name, kept ? '' : 'on', 'middle'),
  );
  const said = `${1 + lost} cycle${lost ? 's' : ''}`;
  return [
    ...cells.flatMap((each, j) => [each, names[j]]),
    label(224, y + 14, said, `strong ${lost ? 'bad' : 'good'}`),
  ];
}
/**
 * Returns the y at which the rows of operands begin.
 * @param {Side} side
 */
const rowsFrom = ({ all }) => 28 + Math.ceil(all.length / ACROSS) * CELL + 34;
/**
 * @param {Side} side
 * @param {number} now
 * @param {boolean} open true while the reader has not bet on this side
 */
function sideParts(side, now, open) {
  const { variant, shown, all, besides } = side,
    top = rowsFrom(side),
    lost = lossOf(all) + besides,
    said = open ? '' : `${lost} cycles lost per ${all.length} FFMAs`;
  const middle = 28 + (Math.ceil(all.length / ACROSS) * CELL) / 2;
  const question = !open
    ? []
    : [
        cell(30, middle - 30, ACROSS * CELL - 60, 58, 'sheet'),
        label(
          (ACROSS * CELL) / 2,
          middle - 6,
          'How many cycles are lost here?',
          'strong',
          'middle',
        ),
        betLink((ACROSS * CELL) / 2, middle + 14),
      ];
  return [
    label(0, 14, variant === 'compiled' ? 'by the compiler' : 'by hand', 'strong'),
    label(ACROSS * CELL, 14, said, `strong ${lost < 20 ? 'good' : 'bad'}`, 'end'),
    ...(open
      ? mapParts({ ...side, all: all.map(one => ({ ...one, lost: 0 })) }, -1)
      : mapParts(side, now)),
    ...question,
    ...['a', 'b', 'sum'].map((name, i) => label(33 + 72 * i, top - 8, name, '', 'middle')),
    ...shown.flatMap((one, i) => rowParts(one, top + i * 23, i <= now && !open, variant)),
  ];
}
/** @type {[string, string, number][]} the last is x; what is beyond a telephone goes below */
const LEGEND = [
  ['w1', 'even bank', 0],
  ['w2', 'odd bank', 88],
  ['kept', 'kept in the reuse cache', 170],
  ['accent', 'loses a cycle', 346],
  [FRAME, 'drawn below, with its operands', 450],
];

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 */
export async function ffma([step], owner) {
  const sides = await Promise.all(
    ['compiled', 'hand_16x8_row'].map(variant => sideOf(step, variant, owner)),
  );
  const events = [...Array(SHOWN).keys()].map(i => ({
    at: i,
    cycle: i,
    warp: 0,
    text: sides.map(side => `${side.variant}: ${side.shown[i].text}`).join('; '),
  }));
  const said = sides
    .map(
      ({ variant, all, besides }) =>
        `${variant}: ${counted(lossOf(all) + besides, 'cycle')} lost per ${all.length} FFMAs`,
    )
    .join(', ');
  const high = Math.max(...sides.map(rowsFrom)) + SHOWN * 23;
  const [{ all, besides }] = sides;
  const total = besides
    ? ` ${besides} of the ${lossOf(all) + besides} cycles are lost by other instructions of the ` +
      "compiler's loop."
    : '';
  /**
   * @param {number} now
   * @param {boolean} [open]
   */
  const draw = (now, open = false) => {
    const place = (/** @type {number} */ i) =>
      narrow() ? `translate(0 ${i * (high + 20)})` : `translate(${i * 346} 0)`;
    const bottom = narrow() ? 2 * high + 40 : high + 16;
    return drawing(
      narrow() ? 334 : 650,
      bottom + (narrow() ? 40 : 16),
      said,
      ...sides.map((side, i) =>
        svg('g', { transform: place(i) }, ...sideParts(side, now, open && i > 0)),
      ),
      ...LEGEND.flatMap(([kind, words, at]) => {
        const [x, y] = narrow() && at > 334 ? [at - 346, bottom + 24] : [at, bottom];
        return [cell(x, y, 12, 12, kind), label(x + 17, y + 10, words)];
      }),
    );
  };
  return {
    heading: 'Two register banks: which FFMAs of the main loop lose a cycle, by count?',
    events,
    draw,
    slow: 600,
    hint: 'Point at an operand.',
    held: SHOWN - 1,
    key:
      'Each cell is an FFMA of one pass through the main loop. A marked one loses a cycle, by ' +
      'count: one bank has to give two registers.' +
      `${total} Below are the eight FFMAs in a row that lost most, operand by operand.`,
    said: (/** @type {typeof events[0]} */ event) =>
      `FFMA ${event.at + 1} of the eight below. ${event.text}`,
  };
}
