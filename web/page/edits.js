// Says in a sentence what an edit of machine code changes, for reports on the edited kernel. The
// compiled kernels have no reports, so an edit is the cause of each report. Suggests first edits,
// and says how often an edited line ran. Pure functions.
import { isInstruction, number } from './text.js';

/**
 * @typedef {{line: number, before: string[], after: string[]}} Edit old lines, new lines, and the
 *   number of the first, from 1
 */
/**
 * @typedef {{kind: string, text: string, lost?: string[], undo?: boolean}} Said the kind of a
 *   change, and words about it; `lost`: which scoreboards and cycles went with an instruction;
 *   `undo`: true if there is nothing to do but to undo it
 */

/**
 * The kernel's arguments in constant memory from c[0x0][0x210] on (sm_90), one entry per 4-byte
 * word; `.`: no argument begins at this word.
 */
const ARGUMENTS = 'M N K alpha A . lda . B . ldb beta C . ldc'.split(' ');
/**
 * Returns the argument that an operand such as c[0x0][0x220] reads, or ''.
 * @param {string} text
 */
const argumentOf = text => {
  const [, at] = /^c\[0x0\]\[0x([0-9a-f]+)\]$/.exec(text) || [],
    name = at && ARGUMENTS[(parseInt(at, 16) - 0x210) / 4];
  return name && name !== '.' ? name : '';
};

/**
 * Returns the parts of a line: control fields, guard (the predicate), opcode, operands.
 * @param {string} line
 */
function partsOf(line) {
  const code = line.replace(/\/\/.*/, '').trim(),
    [, control = '', guard = '', opcode = '', operands = ''] =
      /^(\S+:\S+:\S+:\S+:\S+\s+)?(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);/.exec(code) || [];
  return {
    control: control.trim(),
    guard: guard.trim(),
    opcode,
    operands: operands.split(/,(?![^[]*\])/).map(one => one.trim()),
    code: code.slice(control.length),
  };
}
/** @typedef {ReturnType<typeof partsOf>} Parts */
/**
 * Returns the instruction without its control fields.
 * @param {Parts} parts
 */
const bare = ({ code }) => code.replace(/ ?;$|`/g, '');

/** Returns a distance in words: "16 bytes (4 floats)". */
const bytes = (/** @type {number} */ by) =>
  `${number(Math.abs(by))} byte${Math.abs(by) === 1 ? '' : 's'}` +
  (by % 4 ? '' : ` (${number(Math.abs(by) / 4)} float${by * by === 16 ? '' : 's'})`);
/**
 * Splits an address such as [R2+0x10]: `base` is "[R2", `at` is its constant in bytes. For another
 * operand `at` is NaN.
 * @param {string} operand
 */
const offsetOf = operand => {
  const [whole, base, sign, at] = /^(.*\[[^\]]*?)(?:\+?(-?)0x([0-9a-f]+))?\]$/.exec(operand) || [];
  return {
    base: whole ? base : operand,
    at: whole ? (sign ? -1 : 1) * parseInt(at || '0', 16) : NaN,
  };
};
/**
 * Returns the scoreboards (1 to 6) in a hexadecimal mask, a bit each.
 * @param {string} mask
 */
const boards = mask =>
  [1, 2, 3, 4, 5, 6].filter(one => (parseInt(mask, 16) || 0) & (1 << (one - 1)));

/**
 * What follows if an instruction is taken out, by its opcode. The first row that fits is used.
 * @type {{opcode: RegExp, kind: string, text: (was: Parts) => string}[]}
 */
const TAKEN = [
  { opcode: /^BAR/, kind: 'barrier', text: () => 'no warp waits there for the others any more' },
  {
    opcode: /^EXIT/,
    kind: 'exit',
    text: ({ guard }) =>
      guard
        ? 'the threads that left there go on'
        : 'nothing ends the kernel there, and it runs on into the code behind',
  },
  {
    opcode: /DEPBAR|^SYNCS|^WARPSYNC/,
    kind: 'wait',
    text: () => 'nothing waits there for what is on its way',
  },
  { opcode: /^BRA/, kind: 'jump', text: () => 'the code goes on there instead of jumping' },
  { opcode: /^(ST|RED)/, kind: 'removed', text: () => 'nothing is stored there' },
  {
    opcode: /./,
    kind: 'removed',
    text: ({ operands }) => `${operands[0] || 'its result'} keeps there what it had before`,
  },
];

/** @param {Parts} was */
const leaves = was => was.opcode === 'EXIT' && !was.guard;
/** @param {Parts} was */
const takenFrom = was =>
  /** @type {(typeof TAKEN)[0]} */ (TAKEN.find(one => one.opcode.test(was.opcode)));

/**
 * What follows if the guard of an instruction is changed: opcode, kind of change, end of the
 * sentence. The first row that fits is used.
 */
const GUARDED = /** @type {[RegExp, string, string][]} */ ([
  [/^BAR/, 'barrier', ': not every warp waits there for the others'],
  [/^EXIT/, 'guard', ': other threads than before leave the kernel there'],
  [/^BRA/, 'guard', ': the code goes another way'],
  [/^(ST|RED|ATOM)/, 'guard', ': other threads than before store there'],
  [/^LD/, 'guard', ': other threads than before load there'],
  [/./, 'guard', ''],
]);
/** @param {Parts} was @param {Parts} is @returns {Said} */
function guardChange(was, is) {
  const [b, a] = [is, was].map(one => (one.guard ? `under the condition ${one.guard}` : 'always'));
  const [, kind, so] = /** @type {[RegExp, string, string]} */ (
    GUARDED.find(([opcode]) => opcode.test(is.opcode))
  );
  return { kind, text: `it runs ${b}, and ran ${a}${so}` };
}

/**
 * Says which waits, scoreboards and cycles went with an instruction; '' for none.
 * @param {Parts} was
 * @param {Parts} [is] the instruction in its place
 */
function lostWith(was, is) {
  const [a, b] = [was, is].map(one => (one?.control || '--:-:-:-:0').split(':')),
    waits = boards(a[0]).filter(one => !boards(b[0]).includes(one)),
    sets = [a[1], a[2]].filter((one, i) => /\d/.test(one) && one !== b[i + 1]),
    cycles = parseInt(a[4], 16) - parseInt(b[4], 16);
  return [
    waits.length ? `the wait for scoreboard ${waits.join(' and ')}` : '',
    sets.length ? `what set scoreboard ${sets.join(' and ')}` : '',
    cycles > 0 ? `${cycles} cycle${cycles === 1 ? '' : 's'}` : '',
  ].map(said => said && `With it went ${said}.`);
}
/**
 * Says how control fields changed.
 * @param {Parts} was
 * @param {Parts} is
 * @returns {Said}
 */
function controlChange(was, is) {
  const [a, b] = [was, is].map(one => one.control.split(':'));
  const gone = boards(a[0]).filter(one => !boards(b[0]).includes(one));
  const cycles = (/** @type {string} */ stall) => parseInt(stall, 16);
  const of = (/** @type {string} */ text, undo = false) => ({ kind: 'control', text, undo });
  if (cycles(a[4]) !== cycles(b[4]))
    return of(
      `the next instruction comes after ${cycles(b[4])} ` +
        `cycle${cycles(b[4]) === 1 ? '' : 's'}, not after ${cycles(a[4])}`,
    );
  if (gone.length)
    return of(
      `it no longer waits for scoreboard ${gone.join(' and ')}: that wait stood here`,
      true,
    );
  if (a[1] !== b[1] || a[2] !== b[2])
    return of('it sets another scoreboard, or none: who waits for it waits for something else');
  return of('its control fields are others');
}
/**
 * The signs of ISETP's comparisons.
 * @type {Record<string, string>}
 */
const SIGNS = { LT: '<', LE: '<=', GT: '>', GE: '>=', EQ: '==', NE: '!=' };
/**
 * Says that operand `at` was `a` and is `b`.
 * @param {number} at
 * @param {string} a
 * @param {string} b
 */
function otherOperand(at, a, b) {
  const zero = /^-?U?RZ\b/.test(b);
  return at === 0 && /^U?R(\d+|Z)$/.test(b)
    ? `its result goes to \`${b}\`${zero ? ', which keeps nothing' : ''}, and went to \`${a}\``
    : `it has \`${b}\`${zero ? ', which is always 0,' : ''} where it had \`${a}\``;
}
/**
 * Says how one instruction changed.
 * @param {Parts} was
 * @param {Parts} is
 * @returns {Said}
 */
function changeOf(was, is) {
  if (was.code === is.code) return controlChange(was, is);
  if (is.opcode === 'NOP') {
    const { kind, text } = takenFrom(was),
      said = `with NOP in place of \`${bare(was)}\`, ${text(was)}`;
    return { kind, text: said, lost: lostWith(was, is), undo: leaves(was) };
  }
  if (is.opcode === 'EXIT' && was.opcode !== 'EXIT')
    return { kind: 'opcode', text: `with EXIT in place of \`${bare(was)}\`, threads end there` };
  const [a0, b0] = [was, is].map(({ opcode }) => opcode.split('.'));
  if (a0[0] === b0[0] && SIGNS[a0[1]] && SIGNS[b0[1]] && a0[1] !== b0[1])
    return {
      kind: 'opcode',
      text: `it compares by \`${SIGNS[b0[1]]}\` where it compared by \`${SIGNS[a0[1]]}\``,
    };
  if (was.opcode !== is.opcode || was.operands.length !== is.operands.length)
    return { kind: 'opcode', text: `it is \`${is.opcode}\`, and was \`${was.opcode}\`` };
  if (was.guard !== is.guard) return guardChange(was, is);
  const at = was.operands.findIndex((one, i) => one !== is.operands[i]);
  const [a, b] = [was.operands[at] || '', is.operands[at] || ''],
    [from, to] = [offsetOf(a), offsetOf(b)],
    by = to.at - from.at;
  if (argumentOf(a) && argumentOf(b))
    return { kind: 'argument', text: `it takes ${argumentOf(b)} where it took ${argumentOf(a)}` };
  if (by && from.base === to.base)
    return {
      kind: 'address',
      text: `its address is ${bytes(by)} ${by > 0 ? 'higher' : 'lower'} than it was`,
    };
  if (a.replace('.reuse', '') === b.replace('.reuse', ''))
    return {
      kind: 'reuse',
      text: /reuse/.test(b)
        ? `it keeps ${a} for later instructions`
        : `it no longer keeps ${b} for later instructions`,
    };
  if (/^BRA/.test(is.opcode)) {
    const [to, before] = [b, a].map(label => label.replace(/[`()]/g, ''));
    return { kind: 'jump', text: `it jumps to \`${to}\`, and jumped to \`${before}\`` };
  }
  return { kind: 'operand', text: otherOperand(at, a, b) };
}

/**
 * Returns what an edit does: the kind of change, and a sentence that begins with its line.
 * @param {Edit} edit
 * @returns {Said}
 */
export function effectOf({ line, before, after }) {
  const code = (/** @type {string[]} */ lines) => lines.map(partsOf).filter(one => one.opcode),
    [was, is] = [code(before), code(after)],
    where = `your edit of line ${line}`;
  if (was.length === 1 && is.length === 1) {
    const said = changeOf(was[0], is[0]);
    return { ...said, text: `${where}: ${said.text}.` };
  }
  if (!was.length && is.length === 1)
    return { kind: 'added', text: `${where}: \`${bare(is[0])}\` is new.` };
  // If several instructions are gone, the words are about the one whose row in TAKEN comes first.
  const gone = was.filter(({ code: old }) => !is.some(({ code: now }) => now === old)),
    [most] = TAKEN.flatMap(row => gone.filter(one => takenFrom(one) === row)),
    counts = `${was.length} instructions became ${is.length}`;
  if (is.length >= was.length || !most) return { kind: 'several', text: `${where}: ${counts}.` };
  const { kind, text } = takenFrom(most);
  return {
    kind,
    text:
      `${where}: ${was.length > 1 ? `${counts}; ` : ''}` +
      `without \`${bare(most)}\`, ${text(most)}.`,
    lost: was.length > 1 ? [] : lostWith(most),
    undo: leaves(most),
  };
}

/** Kinds of reports whose cause the program finds from the run alone. */
const SEEN = /^(endless|hazard|reuse|barrier|fence|uninitialized|trap|lane|stack)$/;
/**
 * Returns true if the cause that the program guessed fits the edit. The program does not know the
 * edit: it blames a missing barrier for any race, and a missing bound for any wrong address.
 * @param {Report} record
 * @param {Said} said the effect of the edit
 */
export function fits(record, { kind }) {
  const text = (record.cause && record.cause.text) || '';
  if (/race$/.test(record.kind))
    return kind === 'barrier'
      ? /barrier|__syncthreads|BAR\.SYNC/.test(text)
      : kind === 'wait' && /wait|cop(y|ies)/.test(text);
  if (record.kind === 'address') return /^(exit|guard|jump)$/.test(kind);
  // The program would advise a wait or a stall, which does not help if the edit changed a register
  // or the path through the code.
  if (/^(hazard|uninitialized)$/.test(record.kind) && /^(operand|jump|guard)$/.test(kind))
    return false;
  return SEEN.test(record.kind);
}

/**
 * First edits: a name, what is replaced, and by what. Of each row the first is suggested that the
 * kernel has. They lead to a race or hazard, a slower kernel, and a wrong result.
 * @type {[string, RegExp, string][][]}
 */
const WAYS = [
  [
    ['Remove a barrier', /BAR\.SYNC[^;]*;/, 'NOP ;'],
    ['Remove a wait', /^[0-9a-f]{2}(?=:.*FFMA)/m, '--'],
  ],
  [
    ['Remove the reuse flags', /(?<=FFMA.*)\.reuse/g, ''],
    ['Load a value twice', /^\S+ +LD[SG]\S* R(\d*[02468]), (?!.*\[R\1\b).*\n/m, '$&$&'],
  ],
  [
    ['Shift a load', /(?<=^\S+ +LDS.*)\+0x\w+(?=\] ;)/m, ''],
    ['Shift a load', /(?<=^\S+ +LDG.*)\+0x\w+(?=\] ;)/m, ''],
  ],
];
/**
 * Returns names of first edits, and functions that make them in a text, if possible in its loop.
 * @param {string} given the kernel as compiled
 */
export const firstEdits = given =>
  WAYS.flatMap(row => row.filter(([, of]) => given.search(of) >= 0).slice(0, 1)).map(
    ([label, of, to]) => ({
      label,
      act(/** @type {string} */ text, loop = { first: 0, last: 0 }) {
        const lines = text.split('\n'),
          own = lines.splice(loop.first, loop.last + 1 - loop.first).join('\n'),
          made = own.replace(of, to);
        lines.splice(loop.first, 0, made);
        return made === own ? text.replace(of, to) : lines.join('\n');
      },
    }),
  );

/**
 * Says how often the edited line ran, of several the one that ran most; '' if that is unknown.
 * @param {Edit[]} changed numbered from 0
 * @param {string} text the edited kernel
 * @param {LineRow[]} rows of `simrun --per-line`, which has none for what never ran
 * @param {string} size N
 */
export function ranSaid(changed, text, rows, size) {
  const lines = text.split('\n'),
    rowOf = (/** @type {number} */ at) => {
      const address = 16 * lines.slice(0, at).filter(isInstruction).length;
      return rows.find(({ place }) => place.address === address);
    },
    runs = (/** @type {number} */ at) => rowOf(at)?.warps || 0;
  const [at] = changed
    .flatMap(({ line, after }) => after.map((_, i) => line + i))
    .filter(one => isInstruction(lines[one]))
    .slice(0, 9)
    .sort((a, b) => runs(b) - runs(a));
  if (at === undefined || !rows.length || /^\s*\.(for|if|macro)/m.test(text)) return '';
  const name = `Line ${at + 1}, which you changed,`,
    { guard } = partsOf(lines[at]),
    [{ warps }] = rows,
    most = Math.max(...rows.map(row => row.warps));
  if (!runs(at)) {
    let above = at;
    while (above && !runs(above)) above--;
    return (
      `${name} never ran: at N = ${size} every warp left above it, in line ${above + 1}, ` +
      `\`${bare(partsOf(lines[above]))}\`.`
    );
  }
  return (
    `${name} ran ${runs(at) === warps ? 'once' : `${number(runs(at) / warps)} times`} per warp, ` +
    (runs(at) < most
      ? `outside the main loop, whose lines ran ${number(most / warps)} times`
      : 'in the main loop') +
    `${guard && !rowOf(at)?.threads ? `, but its condition ${guard} never held` : ''}.`
  );
}

/**
 * Returns the control fields of an edit that changed nothing else in its line, as they were and as
 * they are; null for another edit.
 * @param {Edit} edit
 */
export function controlsOf({ before, after }) {
  const [was, is] = [before, after].map(lines => partsOf(lines.join('')));
  return before.length === 1 && after.length === 1 && was.code === is.code
    ? [was.control, is.control]
    : null;
}
