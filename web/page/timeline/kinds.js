// The kinds of a timeline's spans: issues by their opcodes, waits by their stall reasons.

/**
 * Kinds of spans. `words` are for the legend; a kind of issues has the pattern of its `opcodes`; a
 * kind of waits has its stall `reasons` under the trace's names, in words, and what a warp `does`,
 * if that is not `words`. The first kind that fits counts.
 * @type {{words: string, css: string, opcodes?: RegExp, reasons?: Record<string, string>, does?:
 *   string}[]}
 */
export const KINDS = [
  { words: 'FFMA', css: 'k-fma', opcodes: /^([DF]FMA|HFMA2|HGMMA|[DH]MMA)/ },
  { words: 'shared memory', css: 'k-shared', opcodes: /^(LDS|STS|LDSM|ATOMS|SHFL)/ },
  {
    words: 'device memory',
    css: 'k-device',
    opcodes: /^(LDG|STG|LDGSTS|LD|ST|TLD|RED|ATOM|LDGDEPBAR)\b/,
  },
  {
    words: 'branch, barrier',
    css: 'k-branch',
    opcodes: /^(BAR|BRA|EXIT|DEPBAR|NOP|WARPSYNC|BSSY|BSYNC)/,
  },
  { words: 'other arithmetic', css: 'k-other', opcodes: /./ },
  {
    words: 'waits for a barrier',
    css: 'k-wait-barrier',
    reasons: { barrier: 'Other warps had not yet reached the barrier' },
  },
  {
    words: 'waits for device memory',
    css: 'k-wait-device',
    reasons: { long_scoreboard: 'Data of device memory had not arrived' },
  },
  {
    words: 'waits for shared memory',
    css: 'k-wait-shared',
    reasons: {
      short_scoreboard: 'Data of shared memory, a shuffle or a special register had not arrived',
    },
  },
  {
    words: 'waits for a busy pipe',
    css: 'k-wait-pipe',
    reasons: { math_pipe_throttle: 'The pipe of the next instruction was busy' },
  },
  {
    words: 'waits for a full queue',
    css: 'k-wait-queue',
    reasons: {
      mio_throttle: 'The queue to shared memory was full',
      lg_throttle: 'The queue had no place for another access through L1',
      tex_throttle: 'The queue had no place for another texture access',
    },
  },
  {
    words: 'ready, another warp was chosen',
    css: 'k-ready',
    reasons: { not_selected: 'The warp was ready, but another warp was chosen' },
    does: 'is ready, but another warp was chosen',
  },
  {
    words: 'waits for a result',
    css: 'k-wait-other',
    reasons: { wait: 'The stall count of the instruction before was not over' },
  },
  {
    words: 'waits for its next instruction',
    css: 'k-wait-other k-ready',
    reasons: { no_instruction: 'The next instruction was not yet fetched' },
  },
  {
    words: 'waits for a branch',
    css: 'k-wait-other k-wait-pipe',
    reasons: { branch_resolving: 'The target of the branch before was not yet known' },
  },
  {
    words: 'waits for the register file',
    css: 'k-wait-other k-wait-queue',
    reasons: {
      dispatch_stall: 'The register file did not yet deliver, or the FMA pipe was not free',
    },
  },
  { words: 'waits for something else', css: 'k-wait-other', reasons: {} },
];

/**
 * Returns the index of a span's kind.
 * @param {{name: string, cat: string}} span
 */
export function kindOf({ name, cat }) {
  const found = KINDS.findIndex(({ opcodes, reasons }) =>
    cat === 'issue' ? opcodes?.test(name) : reasons && name in reasons,
  );
  return found < 0 ? KINDS.length - 1 : found;
}

/**
 * Returns the tables of `simrun --stalls` with the legend's words in place of the profiler's names,
 * which are added in the first table.
 * @param {string} printed
 */
export function stallsSaid(printed) {
  const [before, tables = ''] = printed.split(/^(?=warp state)/m);
  const said = tables.replace(/^(address.{21}| .{27}|)(?!\S*:)(.{20})/gm, (_, at, cell) => {
    const name = cell.trim(),
      words = KINDS.find(({ reasons = {} }) => name in reasons)?.words || name;
    return at
      ? at + words.padEnd(31)
      : (words === name ? name : `${words} (${name})`).padEnd(48);
  });
  return before + said;
}
