// Sentences about a warp's next instruction. Pure functions.
import { doesHere, opcodeOf } from '../opcodes.js';
import { tokens } from '../tokens.js';

/** @typedef {import('./state.js').Board} Board */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Warp} Warp */

/** @param {number} count @param {string} what */
const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * Returns the scoreboards for which a line waits, the scoreboards that it sets, and its stall
 * count.
 * @param {string} text
 */
export function controlOf(text) {
  const [mask = '--', read = '-', write = '-', , stall = '0'] = text
    .trim()
    .split(/\s+/)[0]
    .split(':');
  const waits = [0, 1, 2, 3, 4, 5].filter(i => (parseInt(mask, 16) >> i) & 1).map(i => i + 1);
  return { waits, sets: [read, write].filter(one => one !== '-'), stall: parseInt(stall, 16) || 0 };
}

/**
 * Returns a control column in words: "waits for scoreboard 2; the warp can issue again 4 cycles
 * after it".
 * @param {string} text
 */
export function controlSaid(text) {
  const { waits, stall } = controlOf(text),
    [, read = '-', write = '-', other] = text.split(':');
  return [
    waits.length && `waits for scoreboard${waits.length > 1 ? 's' : ''} ${waits.join(', ')}`,
    read !== '-' && `scoreboard ${read} counts until its operands are read`,
    write !== '-' && `scoreboard ${write} counts until its result is there`,
    other === 'Y' && 'another warp may go first',
    `the warp can issue again ${counted(stall, 'cycle')} after it`,
  ]
    .filter(Boolean)
    .join('; ');
}

const WRITES_NOTHING =
  /^(ST|RED|BRA|EXIT|BAR|NOP|DEPBAR|LDGSTS|LDGDEPBAR|MEMBAR|BSYNC|WARPSYNC|RET)/;
/**
 * Returns how many of an instruction's first operands it writes.
 * @param {string} opcode
 * @param {string[]} operands
 */
function written(opcode, operands) {
  if (WRITES_NOTHING.test(opcode)) return 0;
  if (/SETP|PLOP3/.test(opcode)) return 2;
  if (/^!?U?P[0-6T]$/.test(operands[0] || '')) return 2;
  let count = 1; // after the result, IADD3 and LEA may have predicates for carries
  while (/^(U?IADD3|U?LEA|VOTE)/.test(opcode) && /^U?P[0-6T]$/.test(operands[count] || '')) count++;
  return count;
}
/**
 * Returns how many registers in a row stand in a place of an instruction.
 * @param {string} opcode
 * @param {string} operand the whole operand, such as desc[UR8][R24.64]
 * @param {string} near the register with what stands around it, such as desc[UR8] or R24.64
 * @param {boolean} writes
 */
function widthOf(opcode, operand, near, writes) {
  const data = /^U?(LD|ST)/.test(opcode) && !operand.includes('[');
  if (data) return /\.128/.test(opcode) ? 4 : /\.64/.test(opcode) ? 2 : 1;
  if (/^D(FMA|ADD|MUL)/.test(opcode) || /^desc|\.64$/.test(near)) return 2;
  return writes && (/\.WIDE/.test(opcode) || /^CS2R(?!\.32)/.test(opcode)) ? 2 : 1;
}

/**
 * @typedef {{from: number, to: number, writes: boolean, names: string[]}} Operand a register or
 *   predicate in a line: its place, and the registers that it stands for; R4.64 is R4 and R5
 */
/**
 * Returns the registers and predicates that an instruction reads and writes, without RZ and PT.
 * @param {string} text
 * @returns {Operand[]}
 */
export function operandsOf(text) {
  const opcode = opcodeOf(text) || '',
    start = text.indexOf(opcode) + opcode.length,
    operands = text.slice(start).split(',');
  const writes = written(
    opcode,
    operands.map(one => one.trim()),
  );
  return tokens(text)
    .filter(({ kind }) => kind === 'register' || kind === 'predicate')
    .flatMap(({ from, to }) => {
      const [, kind, number] = /(U?[RP])(\d+)$/.exec(text.slice(from, to)) || [];
      if (!kind) return [];
      const at = text.slice(start, from).split(',').length - 1,
        own = from >= start && at < writes,
        operand = `${operands[at]}`.trim(),
        near = text.slice(from - 5, to + 3).trim(),
        wide = kind.endsWith('R') && from >= start ? widthOf(opcode, operand, near, own) : 1;
      const names = Array.from({ length: wide }, (_, i) => `${kind}${Number(number) + i}`);
      return [{ from, to, writes: own, names }];
    });
}

/**
 * Returns a sentence about the lanes that execute an instruction; '' if all do.
 * @param {string} text
 */
function guardOf(text) {
  const [, not, name] = /@(!?)(U?P\d)\s/.exec(text) || [];
  return name ? ` Only in lanes where ${name} is ${not ? '0' : '1'}.` : '';
}
/**
 * Returns sentences about the next instruction: what it does, in which lanes, what it waits for.
 * The instruction's opcode belongs in front of them.
 * @param {string} text the instruction
 * @param {Board[]} boards
 */
export function sentenceOf(text, boards) {
  const { waits, stall } = controlOf(text),
    pending = boards
      .filter(({ number }) => waits.includes(number))
      .flatMap(({ cells }) => cells.map(cell => cell.replace('&', '')));
  const named = pending.slice(0, 4).join(', ') + (pending.length > 4 ? ' …' : '');
  const wait = pending.length
    ? ` First it waits until ${named} ${pending.length > 1 ? 'are' : 'is'} there.`
    : waits.length
      ? ` It would wait for scoreboard ${waits.join(' and ')}, but nothing is pending there.`
      : '';
  return (
    ` ${doesHere(text) || 'is not explained here'}.${guardOf(text)}${wait} ` +
    `The warp can issue again ${counted(stall, 'cycle')} after it.`
  );
}

/**
 * Says how many instructions warps ran: "warps 1 to 7: 75 instructions each, warp 8: 12
 * instructions".
 * @param {Warp[]} warps
 */
function together(warps) {
  /** @type {{from: number, to: number, ran: number}[]} */
  const parts = [];
  for (const { number, ran } of warps) {
    const last = parts[parts.length - 1];
    if (last && last.ran === ran && Number(number) === last.to + 1) last.to++;
    else parts.push({ from: Number(number), to: Number(number), ran });
  }
  return parts
    .map(({ from, to, ran }) =>
      from === to
        ? `warp ${from}: ${counted(ran, 'instruction')}`
        : `warps ${from} to ${to}: ${counted(ran, 'instruction')} each`,
    )
    .join(', ');
}
/**
 * Says where the warp stands, and what other warps did in the meantime.
 * @param {State} state
 */
export function placeOf({ warp, warps, next }) {
  const others = warps.filter(one => one !== warp && one.ran),
    where = next?.source ? ` (${next.source.replace(/(.*):/, '$1, line ')})` : '',
    stands = next ? ` and stands before 0x${next.address}${where}` : ' and has ended';
  return (
    `Warp ${warp.number} has done ${counted(warp.done, 'instruction')}${stands}.` +
    (others.length ? ` Meanwhile other warps ran: ${together(others)}.` : '')
  );
}
/**
 * Returns a line per scoreboard about what is unfinished.
 * @param {Board[]} boards
 * @param {string} text the next instruction, or ''
 */
export function unfinished(boards, text) {
  const { waits } = controlOf(text);
  return boards.map(({ number, by, cells }) => {
    const due = cells.filter(one => one[0] !== '&').join(', '),
      read = cells.flatMap(one => (one[0] === '&' ? [one.slice(1)] : [])).join(', '),
      said = [due && `on the way: ${due}`, read && `still to be read: ${read}`].filter(Boolean);
    const waiting = waits.includes(number) ? '; the next instruction waits for it' : '';
    return `scoreboard ${number}, set at 0x${by}: ${said.join('; ')}${waiting}`;
  });
}
