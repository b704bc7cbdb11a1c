// Computes the figures of a box from a run's counters, answers the lesson's question, and judges
// the reader's bet. Pure functions. A missing counter is null, not zero.
import { ofType } from './programs.js';
import { number } from './text.js';

/** @typedef {Map<string, number|null>} Counts */

/** The rows of a box's table of counters: name of the counter, words. */
export const SHOWN = [
  ['smsp__inst_executed.sum', 'warp instructions'],
  ['smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', 'FFMA of threads'],
  ['smsp__sass_thread_inst_executed_op_dfma_pred_on.sum', 'DFMA of threads'],
  ['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 'global load requests'],
  ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'sectors of global loads'],
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
 * @typedef {object} Question of a lesson's bet; its answer is times * above / below
 * @property {string} asks the question
 * @property {number[]} bets answers to choose from; another number may be written, too
 * @property {string} [hint] shown below the question
 * @property {string} of the variant that the question is about
 * @property {string} words the name of the figure, shown under each variant's value
 * @property {string} above the numerator: the name of a counter or of a figure (WARPS_K and below)
 * @property {string} [below] the denominator: another such name; if not given, the denominator is 1
 * @property {number} times the factor
 * @property {{instructions: RegExp, figure: 'sectors'|'wavefronts'}} [costliest] the question is
 *   about the instruction among these that takes the most sectors or wavefronts per request
 * @property {string} [small] why the lesson's variants are slow with a small N
 * @property {boolean} [loop] true if the question is about the main loop
 * @property {string[]} [reasons] the variants whose main loops the reason is about, if not all are
 * @property {{words: string, above: string, below: string, adds?: boolean}} [besides] a second
 *   figure in the same unit; `adds`: its bar continues that of the first
 * @property {number} [wider] the question is about a second run of the variant; its matrices have
 *   this many columns more than the chosen size
 */
export const FFMA = 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum',
  REQUESTS = 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum',
  SHARED_LOADS = 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
  SHARED_STORES = 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum',
  BANK_CYCLES = 'sim__register_bank_cycles_lost.sum';
const SMS = 132; // number of SMs of an H200
/**
 * Names of a run's figures that are no counters. They come from its launch (launchOf), its
 * costliest instruction (costliestOf), its main loop (loopOf), its two loads from global memory
 * (figuresOf in asked.js), and its predicted time (predictedOf). WARPS_K is the size K times the
 * number of warps.
 */
export const WARPS_K = 'k of all warps',
  BUSY_SMS = 'SMs with a block',
  SM_WARPS_K = 'k of the warps of the SM with the most blocks',
  SHARED = 'wavefronts of shared memory',
  SHARED_CYCLES = 'wavefronts of shared memory, and requests to global memory',
  PER_REQUEST = 'the costliest instruction',
  REQUESTS_OF_IT = 'its requests',
  LOOP_FFMAS = 'FFMAs of the main loop',
  LOOP_LOAD_WAVEFRONTS = 'their wavefronts',
  LOOP_BANK_CYCLES = 'cycles that the main loop loses at register banks',
  REQUEST_CYCLES = 'cycles of a load of A and one of B',
  DEARER = 'cycles of the dearer of the two',
  CHEAPER = 'cycles of the cheaper',
  CYCLES = 'predicted cycles',
  MEMORY_WAITS = 'predicted % of the time in which warps wait for device memory';

/**
 * Returns counters by name, from rows that end with a name and a value.
 * @param {string[][]} rows
 * @returns {Counts}
 */
export const countsOf = rows =>
  new Map(
    rows.map(row => [
      row[row.length - 2],
      row[row.length - 1] === '' ? null : Number(row[row.length - 1]),
    ]),
  );

/**
 * Returns the answer to a question; null if a counter for it is missing or its denominator is 0.
 * @param {Question|undefined} asked
 * @param {Counts} counts
 * @returns {number|null}
 */
export function answer(asked, counts) {
  if (!asked) return null;
  const above = counts.get(asked.above),
    below = asked.below ? counts.get(asked.below) : 1;
  if (above === undefined || above === null || !below) return null;
  return (asked.times * above) / below;
}

/**
 * Adds the figures of the launch to the counters, and the sums SHARED and SHARED_CYCLES.
 * @param {Counts} counts if empty, it stays empty
 * @param {[string, number][]} launch the result of launchOf()
 */
export function addFigures(counts, launch) {
  if (!counts.size) return;
  for (const [name, value] of launch) counts.set(name, value);
  const loads = counts.get(SHARED_LOADS),
    stores = counts.get(SHARED_STORES);
  if (typeof loads === 'number' && typeof stores === 'number') {
    counts.set(SHARED, loads + stores);
    counts.set(SHARED_CYCLES, loads + stores + Number(counts.get(REQUESTS)));
  }
}
/**
 * Returns the figures of a launch. Blocks at C's edge may have less to do: then, with more blocks
 * than SMs, SM_WARPS_K is 0 (unknown).
 * @param {string} launch the options of simrun that start it
 * @param {number} N
 * @returns {[string, number][]}
 */
export function launchOf(launch, N) {
  const [, across = '0', down = '0'] = /--grid (\d+),(\d+)/.exec(launch) || [],
    blocks = Number(across) * Number(down),
    warps = Number((/--block (\d+)/.exec(launch) || [0, 0])[1]) / 32;
  const known = blocks <= SMS || N % 32 === 0;
  return [
    [WARPS_K, blocks * warps * N],
    [BUSY_SMS, Math.min(SMS, blocks)],
    [SM_WARPS_K, known ? Math.ceil(blocks / SMS) * warps * N : 0],
  ];
}
/**
 * Returns the figures PER_REQUEST and REQUESTS_OF_IT of the instruction that a question is about,
 * from the records of `simrun --per-line`.
 * @param {Question} asked
 * @param {Row[]} records
 * @returns {[string, number][]} empty if no such instruction made a request
 */
export function costliestOf({ costliest }, records) {
  if (!costliest) return [];
  const { instructions, figure } = costliest;
  const found = ofType(records, 'line').filter(
    one =>
      one.requests && one[figure] !== null && instructions.test(one.place.instruction),
  );
  if (!found.length) return [];
  const per = (/** @type {LineRow} */ one) => Number(one[figure]) / Number(one.requests),
    most = found.reduce((best, one) => (per(one) > per(best) ? one : best));
  return [
    [PER_REQUEST, Number(most[figure])],
    [REQUESTS_OF_IT, Number(most.requests)],
  ];
}

/**
 * Returns the records of a kernel's main loop: the instructions that were executed most often.
 * @param {Row[]} records of `simrun --per-line`
 */
function mainLoop(records) {
  const lines = ofType(records, 'line'),
    most = Math.max(...lines.map(one => one.warps));
  return lines.filter(one => one.warps === most);
}
/**
 * Returns the figures of one iteration of the main loop by a warp. `LDS × 2` is the number of
 * shared loads that take two wavefronts. A DFMA takes two cycles of the register banks: these are
 * not lost.
 * @param {Row[]} records of `simrun --per-line`
 * @returns {[string, number][]}
 */
export function loopOf(records) {
  const lines = mainLoop(records),
    has = (/** @type {RegExp} */ opcode) =>
      lines.filter(one => opcode.test(one.place.instruction)).length,
    lost = lines.reduce((sum, one) => sum + (one.bank_cycles_lost || 0) / one.warps, 0);
  /** @type {Map<string, number>} */
  const accesses = new Map();
  let loadWavefronts = 0;
  for (const { place, wavefronts, requests } of lines) {
    const [, opcode] = /\b(LDS|STS)\b/.exec(place.instruction) || [],
      each = Number(wavefronts) / Number(requests),
      name = `${opcode} × ${each}`;
    if (opcode && requests) accesses.set(name, (accesses.get(name) || 0) + 1);
    if (opcode === 'LDS' && requests) loadWavefronts += each;
  }
  return [
    [LOOP_FFMAS, has(/\bFFMA\b/)],
    [LOOP_LOAD_WAVEFRONTS, loadWavefronts],
    [LOOP_BANK_CYCLES, lost - has(/\bDFMA\b/)],
    ...accesses,
  ];
}
/**
 * Returns the addresses of two loads from global memory in the main loop, one of A and one of B.
 * They are the loads with the most and with the fewest sectors per request.
 * @param {Row[]} records of `simrun --per-line`
 * @returns {string[]} hexadecimal addresses; empty if there are fewer than two loads
 */
export function loadsOf(records) {
  const perRequest = (/** @type {LineRow} */ one) => Number(one.sectors) / Number(one.requests),
    loads = mainLoop(records)
      .filter(one => one.requests && /^(@\S+ )?LDG/.test(one.place.instruction))
      .sort((a, b) => perRequest(b) - perRequest(a));
  return loads.length < 2
    ? []
    : [loads[0], loads[loads.length - 1]].map(one => one.place.address.toString(16));
}

/**
 * Returns an answer rounded for display: two significant digits below 10, otherwise a whole number.
 * If the whole number would be off by more than 2 %, returns three significant digits.
 * @param {number|null} value
 */
export function rounded(value) {
  if (value === null || Math.abs(value) < 10)
    return value === null ? null : Number(value.toPrecision(2));
  const whole = Math.round(value);
  return Math.abs(whole - value) <= 0.02 * Math.abs(value) ? whole : Number(value.toPrecision(3));
}

/**
 * Compares the table's counters of a run with those of an H200. Returns how many both have, and how
 * many of these differ by more than 0.5 %.
 * @param {Counts} here the run's
 * @param {Counts} there the H200's
 */
export function agreement(here, there) {
  const both = SHOWN.map(([key]) => [here.get(key), there.get(key)]).filter(
    ([a, b]) => typeof a === 'number' && typeof b === 'number',
  );
  return {
    compared: both.length,
    differ: both.filter(([a, b]) => Math.abs(Number(a) - Number(b)) > 0.005 * Math.abs(Number(b)))
      .length,
  };
}

/**
 * Returns how good a bet is: 'right' within 2 % of the answer, 'near' within 25 %, else 'off'. An
 * offered answer is 'right' if it is the closest of them, and never 'near'.
 * @param {number} bet
 * @param {number} value the answer
 * @param {number[]} [bets] the offered answers
 * @returns {'right'|'near'|'off'}
 */
export function judged(bet, value, bets = []) {
  const far = (/** @type {number} */ one) => Math.abs(one - value);
  if (far(bet) <= Math.max(0.02 * Math.abs(value), 1e-9)) return 'right';
  if (bets.includes(bet)) return far(bet) === Math.min(...bets.map(far)) ? 'right' : 'off';
  return far(bet) <= 0.25 * Math.abs(value) ? 'near' : 'off';
}

/**
 * Returns the milliseconds that the model predicts, from the records of `simrun --time`; null if
 * there are none.
 * @param {Row[]} records
 * @returns {number|null}
 */
export const predictedTime = records =>
  ofType(records, 'prediction')[0]?.milliseconds ?? null;

/**
 * Returns the figures of a prediction (`simrun --time --stalls`) about which lessons ask.
 * @param {Row[]} records
 * @param {string} table the printed stall reasons: name, % of the time, warp-cycles per issue
 * @returns {[string, number][]}
 */
export function predictedOf(records, table) {
  const cycles = ofType(records, 'prediction')[0]?.cycles,
    waits = /^long_scoreboard +([\d.]+)/m.exec(table);
  return [
    ...(cycles ? [/** @type {[string, number]} */ ([CYCLES, cycles])] : []),
    ...(waits ? [/** @type {[string, number]} */ ([MEMORY_WAITS, Number(waits[1])])] : []),
  ];
}

const ACCESS = /\b(LDS|STS|LDG|STG|LDGSTS|ATOMS|ATOMG|RED|LDSM|STSM)\b/;
/** The figures of an instruction: the head of their column, the value, null if there is none. */
const FIGURES = /** @type {[string, (one: LineRow) => number|null][]} */ ([
  ['runs', one => one.warps],
  ['threads per run', one => one.threads_per_instruction],
  ['runs that diverge', one => one.divergent || null],
  ['sectors per request', one => per(one.sectors, one.requests)],
  ['wavefronts per request', one => per(one.wavefronts, one.requests)],
  ['excess wavefronts per request', one => per(one.conflicts || null, one.requests)],
  ['bank cycles lost per run', one => per(one.bank_cycles_lost || null, one.warps)],
]);
/**
 * @param {number|null} value
 * @param {number|null} of
 */
const per = (value, of) => (value === null || !of ? null : value / of);
/**
 * Returns a kernel's instructions with their counts, without the figures that no instruction has.
 * `source` is the source line where another one begins, else ''. `opcode` is '' if the instruction
 * has no request that can be drawn. `loop` is the index of the main loop's first row;
 * without a loop, that of the first request.
 * @param {Row[]} all the records of `simrun --per-line`
 */
export function listingOf(all) {
  const lines = ofType(all, 'line'),
    figures = FIGURES.filter(([, of]) => lines.some(one => of(one) !== null));
  let before = '';
  const rows = lines.map(one => {
    const { place, warps } = one,
      at = place.source ? `${place.source.file.split('/').pop()}:${place.source.line}` : '',
      source = at === before ? '' : at,
      request = ACCESS.exec(place.instruction);
    before = at || before;
    return {
      source,
      address: place.address.toString(16),
      instruction: place.instruction,
      opcode: warps && request && !place.instruction.startsWith('@!PT') ? request[1] : '',
      values: figures.map(([, of]) => of(one)),
    };
  });
  const loop =
    lines.indexOf(mainLoop(all)[0]) || Math.max(0, lines.findIndex(one => one.requests));
  return { heads: figures.map(([head]) => head), rows, loop };
}

/**
 * Returns the two counters of the table that an edit changed most, in words such as "64 more cycles
 * lost at register banks".
 * @param {Counts} before
 * @param {Counts} after
 */
export function mostChanged(before, after) {
  const changes = SHOWN.flatMap(([key, words]) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (typeof was !== 'number' || typeof is !== 'number' || was === is) return [];
    const by = Math.abs(is - was),
      noun = by === 1 ? words.replace(/(branch)es|(?<!thread)s\b/, '$1') : words;
    return {
      share: by / Math.max(was, is),
      words: key.endsWith('.ratio')
        ? `${number(is)} ${words} instead of ${number(was)}`
        : `${number(by)} ${is > was ? 'more' : 'fewer'} ${noun}`,
    };
  });
  return changes
    .sort((a, b) => b.share - a.share)
    .slice(0, 2)
    .map(({ words }) => words);
}
