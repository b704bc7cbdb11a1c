// Explains machine instructions in one sentence each, for the editor and the stepper. Operands and
// latencies come from the table OPCODES (sasskit/isa/opcodes.def), if it is loaded.

/** @type {Record<string, string>} */
const DOES = {
  FFMA: 'multiplies two floats and adds a third, with one rounding',
  DFMA: 'multiplies two doubles and adds a third, with one rounding',
  FADD: 'adds two floats',
  FMUL: 'multiplies two floats',
  DADD: 'adds two doubles',
  DMUL: 'multiplies two doubles',
  HFMA2: 'multiplies and adds two pairs of half floats',
  HMMA: 'multiplies two small matrices on the tensor cores',
  HGMMA: 'starts a matrix multiplication of four warps on the tensor cores',
  IMAD: 'multiplies two integers and adds a third',
  IADD3: 'adds three integers',
  LEA: 'shifts and adds: computes an address',
  SHF: 'shifts a pair of registers',
  LOP3: 'combines three registers bit by bit',
  IABS: 'takes the absolute value',
  IMNMX: 'takes the smaller or larger integer',
  ISETP: 'compares integers and sets a predicate',
  FSETP: 'compares floats and sets a predicate',
  SEL: 'chooses one of two registers',
  FSEL: 'chooses one of two floats',
  PLOP3: 'combines predicates',
  MOV: 'copies a register or a constant',
  CS2R: 'reads a special register or sets a pair to zero',
  S2R: 'reads a special register, such as the thread number',
  S2UR: 'reads a special register into a uniform one',
  R2UR: 'copies a register into a uniform one',
  LDG: 'loads from device memory; the value comes hundreds of cycles later',
  STG: 'stores to device memory',
  LDS: 'loads from shared memory; the value comes about 30 cycles later',
  STS: 'stores to shared memory',
  LDC: 'loads from constant memory: a kernel argument',
  LDCU: 'loads a kernel argument into a uniform register',
  ULDC: 'loads a kernel argument into a uniform register',
  LDSM: 'loads small matrices from shared memory for the tensor cores',
  STSM: 'stores small matrices to shared memory',
  LDGSTS: 'copies from device memory straight to shared memory, past the registers',
  LDGDEPBAR: 'closes a group of copies, so that it can be waited for',
  DEPBAR: 'waits until old copies are there',
  RED: 'adds to device memory',
  ATOMG: 'changes device memory and gives the old value',
  ATOMS: 'changes shared memory and gives the old value',
  BAR: 'waits until all threads of the block have come here',
  WARPSYNC: 'waits until the named lanes have come here',
  BRA: 'jumps to another instruction',
  EXIT: 'ends the thread',
  BSSY: 'remembers the address where lanes that go different ways meet again',
  BSYNC: 'waits until the lanes that went another way are here',
  NOP: 'does nothing',
  SHFL: 'passes registers between lanes',
  VOTE: 'tells all lanes which lanes hold a predicate',
  MEMBAR: 'orders accesses to memory',
  ERRBAR: 'reports pending memory errors',
  CCTL: 'controls a cache',
  RET: 'returns',
  CALL: 'calls a function',
  MUFU: 'computes an approximation: 1/x, a root, 2^x',
  I2F: 'converts an integer to a float',
  F2I: 'converts a float to an integer',
  I2FP: 'converts an integer to a float',
  F2F: 'converts between float formats',
  F2FP: 'packs two floats into half floats',
  PRMT: 'picks bytes of two registers',
  POPC: 'counts bits',
  FLO: 'finds the highest bit',
  UMOV: 'sets a uniform register',
  UIADD3: 'adds integers, once for the whole warp',
  UIMAD: 'multiplies and adds integers, once for the warp',
  ULEA: 'computes an address, once for the warp',
  USHF: 'shifts, once for the warp',
  ULOP3: 'combines bits, once for the warp',
  UISETP: 'compares integers, once for the warp',
  USEL: 'chooses, once for the warp',
};

/**
 * Returns the opcode of a line of machine code, with its modifiers, such as LDS.128.
 * @param {string} line
 */
export const opcodeOf = line =>
  (/^(?:\s*\S+:\S+:\S+:\S+:\S+)?\s*(?:@\S+\s+)?([A-Z][\w.]*)/.exec(line) || [])[1];
/**
 * Returns the row of OPCODES for an opcode, if necessary without its last modifiers; '' if none.
 * @param {string} name
 */
const rowOf = name => {
  for (let at = name; at; at = at.slice(0, Math.max(0, at.lastIndexOf('.'))))
    if (typeof OPCODES !== 'undefined' && OPCODES[at]) return OPCODES[at];
  return '';
};

/**
 * Returns a sentence about an opcode; '' if it is unknown.
 * @param {string|undefined} opcode
 */
export function does(opcode) {
  if (!opcode) return '';
  const name = opcode.split('.')[0],
    what =
      DOES[name] ||
      (/^U[A-Z]/.test(name) && DOES[name.slice(1)]
        ? `${DOES[name.slice(1)]}, once for the whole warp`
        : '');
  const wide =
    /^(LD|ST)/.test(name) && /\.128/.test(opcode)
      ? ', 16 bytes per lane'
      : /^(LD|ST)/.test(name) && /\.64/.test(opcode)
        ? ', 8 bytes per lane'
        : '';
  return what ? `${what}${wide}` : '';
}
/**
 * Returns a sentence about one instruction: what its opcode does with these operands.
 * @param {string} line
 */
export function doesHere(line) {
  const opcode = opcodeOf(line) || '',
    operands = line.slice(line.indexOf(opcode) + opcode.length);
  if (/^IMAD\.MOV/.test(opcode)) return 'copies a register or a constant, on the FMA pipe';
  if (/^HFMA2/.test(opcode) && /-RZ, RZ,/.test(operands))
    return 'writes a constant into a register: 0 times 0, plus the constant';
  if (/^CS2R/.test(opcode) && /\bSRZ\b/.test(operands))
    return `sets ${/\.32/.test(opcode) ? 'a register' : 'two registers'} to zero`;
  const what = does(opcode),
    carries = /^(IADD3|LEA\.HI)\.X\b/.test(opcode);
  return what && carries ? `${what}, and the carry of an earlier addition` : what;
}
/**
 * Returns an opcode's help line: name, meaning, operands, time; '' if the opcode is unknown.
 * @param {string|undefined} opcode
 */
export function helpOf(opcode = '') {
  const said = [does(opcode), rowOf(opcode)].filter(Boolean).join(' · ');
  return said && `${opcode}: ${said}`;
}
