// The figures and questions of a box: pure functions of counters. A missing counter is null, not
// zero.

/** @typedef {Map<string, number|null>} Counts */

/** Rows shown in a box's table: counter, words. */
export const SHOWN = [
  ['smsp__inst_executed.sum', 'warp instructions'],
  ['smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', 'FFMA of threads'],
  ['smsp__sass_thread_inst_executed_op_dfma_pred_on.sum', 'DFMA of threads'],
  ['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 'global load requests'],
  ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'sectors that they take'],
  ['smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', 'wavefronts of shared loads'],
  ['smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum', 'wavefronts of shared stores'],
  ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum', 'bank conflicts of loads'],
  ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum', 'bank conflicts of stores'],
  ['l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum', 'sectors of local loads'],
  ['l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum', 'sectors of local stores'],
  ['smsp__sass_branch_targets_threads_divergent.sum', 'branches at which a warp diverges'],
  ['smsp__thread_inst_executed_per_inst_executed.ratio', 'threads per warp instruction'],
  ['sim__barriers.sum', 'barriers'],
  ['sim__register_bank_cycles_lost.sum', 'cycles lost at register banks'],
];

/**
 * @typedef {object} Question
 * @property {string} words
 * @property {string} [question] what the reader is asked behind "how many", if not the words
 * @property {string} unit
 * @property {string} above counter that is divided
 * @property {string} below counter that it is divided by
 * @property {number} times
 * @property {string} hint
 * @property {RegExp} [lines] instructions of which the costliest is asked for; `above` and `below`
 *   are its figures
 */
const FFMA = 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum';
/** @type {Question} */
const SECTORS = {
  words: 'sectors per load request',
  unit: 'sectors',
  above: 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
  below: 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum',
  times: 1,
  hint: 'A sector is 32 bytes, the least that can be fetched; a warp of 32 lanes asks for them with one load. The mean over all loads.',
};
/** @type {Question} */
const COSTLIEST = {
  words: 'sectors for its costliest load',
  question: 'sectors does the costliest load of the slower kernel take',
  unit: 'sectors',
  above: 'costliest load, sectors',
  below: 'costliest load, requests',
  times: 1,
  lines: /^(@\S+ )?LDG/,
  hint: 'A sector is 32 bytes, the least that can be fetched; a warp of 32 lanes asks for them with one load.',
};
/** @type {Question} */
const WAVEFRONTS = {
  words: 'wavefronts of shared loads per FFMA of a warp',
  unit: 'wavefronts',
  above: 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
  below: FFMA,
  times: 32,
  hint: 'A wavefront is one pass through the 32 banks of shared memory.',
};
/** @type {Question} */
const BANKS = {
  words: 'cycles lost at register banks per FFMA',
  unit: 'cycles',
  above: 'sim__register_bank_cycles_lost.sum',
  below: FFMA,
  times: 32,
  hint: 'Registers lie in two banks. An FFMA that needs more than a bank can give in a cycle loses one.',
};
/** The question of a lesson's box, by the lesson's number. @type {Record<string, Question>} */
export const ASKED = {
  '01': COSTLIEST,
  '02': WAVEFRONTS,
  '03': WAVEFRONTS,
  '04': WAVEFRONTS,
  '05': WAVEFRONTS,
  '06': WAVEFRONTS,
  '07': WAVEFRONTS,
  '08': WAVEFRONTS,
  '09': BANKS,
  10: SECTORS,
  12: BANKS,
};

/**
 * Returns counters by name from rows of [..., name, value].
 * @param {string[][]} rows
 * @returns {Counts}
 */
export const countsOf = rows =>
  new Map(rows.map(row => [row[row.length - 2], row[row.length - 1] === '' ? null : Number(row[row.length - 1])]));

/**
 * Returns the answer to a question; null if one of its counters is missing.
 * @param {Question|undefined} asked
 * @param {Counts} counts
 * @returns {number|null}
 */
export function answer(asked, counts) {
  if (!asked) return null;
  const above = counts.get(asked.above),
    below = counts.get(asked.below);
  if (above === undefined || above === null || !below) return null;
  return (asked.times * above) / below;
}

/**
 * Returns the figures of the costliest of some instructions as counters of a question, from the
 * records of `simrun --per-line`.
 * @param {Question} asked
 * @param {any[]} records
 * @returns {[string, number][]}
 */
export function costliestOf({ lines, above, below }, records) {
  const found = records.filter(one => one.type === 'line' && one.requests && lines?.test(one.place.instruction));
  if (!found.length) return [];
  const most = found.reduce((best, one) => (one.sectors / one.requests > best.sectors / best.requests ? one : best));
  return [
    [above, most.sectors],
    [below, most.requests],
  ];
}

/**
 * Compares the counters of a table here and on an H200: how many both have, and how many differ.
 * @param {Counts} here
 * @param {Counts} there
 */
export function agreement(here, there) {
  const both = SHOWN.map(([key]) => [here.get(key), there.get(key)]).filter(
    ([a, b]) => typeof a === 'number' && typeof b === 'number',
  );
  return {
    compared: both.length,
    differ: both.filter(([a, b]) => Math.abs(Number(a) - Number(b)) > 0.005 * Math.abs(Number(b))).length,
  };
}

/**
 * Returns the number that a reader wrote: "about 32", "1,024", "1024/8", "32 sectors", "1e3"; null
 * if it is none.
 * @param {string} written
 * @returns {number|null}
 */
export function readNumber(written) {
  const text = written
    .toLowerCase()
    .replace(/^\s*(about|around|roughly|circa|ca\.?|approx\.?|~|≈|=)\s*/, '')
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/[×x]\s*(?=\d)/g, '*')
    .trim();
  const found =
    /^([-+]?\d*\.?\d+(?:e[-+]?\d+)?)((?:\s*[*/]\s*\d*\.?\d+(?:e[-+]?\d+)?)*)\s*(%|[a-zµ][a-zµ /()-]*)?\.?$/.exec(text);
  if (!found) return null;
  let value = Number(found[1]);
  for (const [, sign, factor] of found[2].matchAll(/([*/])\s*(\d*\.?\d+(?:e[-+]?\d+)?)/g))
    value = sign === '*' ? value * Number(factor) : value / Number(factor);
  return Number.isFinite(value) ? value : null;
}

/**
 * Returns a bet's quality: 'right' within 2 %, 'near' within a quarter, else 'off'.
 * @param {number} bet
 * @param {number} value
 * @returns {'right'|'near'|'off'}
 */
export function judged(bet, value) {
  if (Math.abs(bet - value) <= Math.max(0.02 * Math.abs(value), 1e-9)) return 'right';
  return Math.abs(bet - value) <= 0.25 * Math.abs(value) ? 'near' : 'off';
}

/**
 * Returns the milliseconds that the model predicts, from the records of `simrun --time`; null if
 * there are none.
 * @param {any[]} records
 * @returns {number|null}
 */
export const predictedTime = records => records.find(one => one.type === 'prediction')?.milliseconds ?? null;

const REQUESTS = /\b(LDS|STS|LDG|STG|LDGSTS|ATOMS|ATOMG|RED|LDSM|STSM)\b/;
/**
 * Returns a listing of a kernel's instructions with their counts, from the records of `simrun
 * --per-line`, with a line of source above its instructions. `opcode` is '' unless the
 * instruction's request can be drawn.
 * @param {any[]} all
 * @returns {{text: string, address: string, opcode: string}[]}
 */
export function listingOf(all) {
  const per = (/** @type {number|null} */ value, /** @type {number|null} */ of) =>
      value === null || !of ? '' : String(Number((value / of).toPrecision(3))),
    columns = (/** @type {string[]} */ words) =>
      words.map((word, i) => word.padStart([7, 9, 9, 10, 9, 11, 8, 7][i])).join('');
  const lines = [
    {
      text: `${columns(['address', 'runs', 'threads', 'diverged', 'sectors', 'wavefronts', 'excess', 'banks'])}  instruction (threads: per run; sectors, wavefronts: per request; banks: cycles lost per run)`,
      address: '',
      opcode: '',
    },
  ];
  let before = '';
  for (const {
    place,
    warps,
    threads_per_instruction: threads,
    divergent,
    requests,
    sectors,
    wavefronts,
    conflicts,
    bank_cycles_lost: lost,
  } of all.filter(one => one.type === 'line')) {
    const source = place.source ? `${place.source.file.split('/').pop()}:${place.source.line}` : '',
      address = place.address.toString(16),
      request = REQUESTS.exec(place.instruction);
    if (source && source !== before) lines.push({ text: source, address: '', opcode: '' });
    before = source || before;
    lines.push({
      text: `${columns([address, String(warps), per(threads, 1), divergent ? String(divergent) : '', per(sectors, requests), per(wavefronts, requests), conflicts ? per(conflicts, requests) : '', lost ? per(lost, warps) : ''])}  ${place.instruction}`,
      address,
      opcode: warps && request && !place.instruction.startsWith('@!PT') ? request[1] : '',
    });
  }
  return lines;
}
