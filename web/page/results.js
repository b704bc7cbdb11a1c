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
 * @typedef {object} Question of a lesson's bet; its answer is times * above / below
 * @property {string} asks the question
 * @property {number[]} bets answers to choose from; another number may be written, too
 * @property {string} [hint]
 * @property {string} of the variant that the question is about
 * @property {string} words the name of the figure, shown under each variant's value
 * @property {string} above the numerator: a counter, or one of the figures WARPS_K, BUSY_SMS ...
 * @property {string} [below] the denominator, of the same kinds; 1 if not given
 * @property {number} times
 * @property {{instructions: RegExp, figure: 'sectors'|'wavefronts'}} [costliest] the question is
 *   about one of these instructions, the one with the most per request
 * @property {number} [wider] the question is about a second run of `of`, whose matrices have so
 *   many more columns
 */
const FFMA = 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum',
  SHARED_LOADS = 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
  SHARED_STORES = 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum',
  BANK_CYCLES = 'sim__register_bank_cycles_lost.sum';
const SMS = 132; // number of SMs of an H200
/**
 * Names of a run's figures that are not among its counters: of its launch, of its costliest
 * instruction and of its predicted time. WARPS_K is K times the number of warps.
 */
export const WARPS_K = 'k of all warps',
  BUSY_SMS = 'SMs with a block',
  SM_WARPS_K = 'k of the warps of the SM with the most blocks',
  SHARED = 'wavefronts of shared memory',
  PER_REQUEST = 'the costliest instruction',
  REQUESTS_OF_IT = 'its requests',
  CYCLES = 'predicted cycles',
  MEMORY_WAITS = 'predicted % of the time in which a warp waits for global memory';

/** The question of a lesson's box, by the lesson's number. @type {Record<string, Question>} */
export const ASKED = {
  '01': {
    asks:
      'At N = 256, a multiple of 32 like 4096, each k costs a warp of `uncoalesced` 33 ' +
      'cycles. Make the matrices one column wider: N = 257. How many cycles then?',
    bets: [10, 17, 34],
    of: 'uncoalesced',
    words: 'cycles per k of a warp',
    above: CYCLES,
    below: SM_WARPS_K,
    times: 1,
    wider: 1,
  },
  '02': {
    asks:
      'Four FFMAs of a warp read eight values from shared memory. How many wavefronts does ' +
      'that take in `tile32`?',
    bets: [2, 6, 8],
    hint:
      'A wavefront is one pass through the 32 banks of shared memory: one cycle of the SM, ' +
      'in which it could also start four FFMAs.',
    of: 'tile32',
    words: 'wavefronts for four FFMAs',
    above: SHARED_LOADS,
    below: WARPS_K,
    times: 4,
  },
  '03': {
    asks:
      'For each k a warp does 64 FFMAs, which take 16 cycles of an SM. How many cycles do ' +
      'the 16 loads of `outer` take?',
    bets: [16, 40, 64],
    hint: 'Shared memory serves one wavefront per cycle.',
    of: 'outer',
    words: 'wavefronts of loads for each k',
    above: SHARED_LOADS,
    below: WARPS_K,
    times: 1,
  },
  '04': {
    asks:
      'With lanes 2 × 16 a load of B takes 4 wavefronts. In a line of 32 lanes, 1 × 32, ' +
      'neighbours read neighbouring columns. How many wavefronts then?',
    bets: [1, 4, 8],
    of: 'lanes_1x32',
    words: 'wavefronts for a load of B',
    above: PER_REQUEST,
    below: REQUESTS_OF_IT,
    times: 1,
    costliest: { instructions: /^(@\S+ )?LDS/, figure: 'wavefronts' },
  },
  '05': {
    asks:
      'In step 04 a thread executes about 790 instructions for each tile, 512 of them ' +
      'FFMAs. How many in `both`, with float4?',
    bets: [600, 690, 750],
    hint: 'Counted in a whole run, with its beginning and its end.',
    of: 'both',
    words: 'instructions per tile and thread',
    above: 'smsp__inst_executed.sum',
    below: WARPS_K,
    times: 8,
  },
  '06': {
    asks:
      'Shared memory takes 172 wavefronts per tile of a warp in `conflicts`, loads and ' +
      'stores together. Without the conflicts of the stores, in `mapped`: how many?',
    bets: [86, 140, 168],
    of: 'mapped',
    words: 'wavefronts per tile of a warp',
    above: SHARED,
    below: WARPS_K,
    times: 8,
  },
  '07': {
    asks:
      'The four loads of a k take 20 wavefronts in `off`. By the usual rule no order of the ' +
      'lanes needs fewer than 16. How many does `z_order` need?',
    bets: [8, 12, 16],
    of: 'z_order',
    words: 'wavefronts for the loads of a k',
    above: SHARED_LOADS,
    below: WARPS_K,
    times: 1,
  },
  '08': {
    asks:
      'The warps of `fragments`, with one buffer for the tiles, wait for global memory 29 % ' +
      'of the time. With two buffers, in `both`?',
    bets: [1, 10, 20],
    hint: 'In per cent, by the model.',
    of: 'both',
    words: '% of the time a warp waits for global memory',
    above: MEMORY_WAITS,
    times: 1,
  },
  '09': {
    asks:
      'The kernel of the compiler, `compiled`, loses 103 cycles at the register banks per ' +
      '1024 FFMAs of a warp. How many does `hand_16x8_row` lose?',
    bets: [13, 40, 80],
    hint: 'Counted in a whole run at N = 256; the main loop alone, drawn above, loses 99.',
    of: 'hand_16x8_row',
    words: 'cycles lost at register banks per 1024 FFMAs',
    above: BANK_CYCLES,
    below: FFMA,
    times: 32 * 1024,
  },
  10: {
    asks:
      'A tile of C has 64 × 64 elements, and a block computes one. At N = 256, how many of ' +
      'the 132 SMs get work?',
    bets: [16, 64, 132],
    of: '64x64',
    words: 'of 132 SMs have work',
    above: BUSY_SMS,
    times: 1,
  },
  11: {
    asks:
      'A thread of `hand` has 12 × 8 sums of doubles. How many of 100 instructions are ' +
      'DFMAs, and not loads, copies or addresses?',
    bets: [50, 67, 84],
    of: 'hand',
    words: 'DFMAs in 100 instructions',
    above: 'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum',
    below: 'smsp__inst_executed.sum',
    times: 100 / 32,
  },
  12: {
    asks:
      'Back and forth loses 8 cycles at the register banks per 512 FFMAs, row by row 64. ' +
      'And the swirl?',
    bets: [8, 64, 144],
    of: 'swirl',
    words: 'cycles lost at register banks per 512 FFMAs',
    above: BANK_CYCLES,
    below: FFMA,
    times: 32 * 512,
  },
  13: {
    asks:
      'In step 09 nine of ten instructions do the arithmetic. How many of 100 instructions ' +
      'of `promoted` are MMAs, and not loads, splits or additions?',
    bets: [13, 50, 90],
    hint:
      'Counted in a whole run at N = 128. In the loop 48 of 241 are; a run has a beginning ' +
      'and an end, too.',
    of: 'promoted',
    words: 'MMAs in 100 instructions',
    above: 'sm__inst_executed_pipe_tensor.sum',
    below: 'smsp__inst_executed.sum',
    times: 100,
  },
};

/**
 * Returns counters by name from rows of [..., name, value].
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
 * Returns the answer to a question; null if one of its counters is missing.
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
 * Adds figures that follow from counters and launch.
 * @param {Counts} counts nothing is added if there are none
 * @param {[string, number][]} launch
 */
export function addFigures(counts, launch) {
  if (!counts.size) return;
  for (const [name, value] of launch) counts.set(name, value);
  const loads = counts.get(SHARED_LOADS),
    stores = counts.get(SHARED_STORES);
  if (typeof loads === 'number' && typeof stores === 'number') counts.set(SHARED, loads + stores);
}
/**
 * Returns the figures of a launch, from the options that start it.
 * @param {string} launch simrun's options
 * @param {number} N
 * @returns {[string, number][]}
 */
export function launchOf(launch, N) {
  const [, across = '0', down = '0'] = /--grid (\d+),(\d+)/.exec(launch) || [],
    blocks = Number(across) * Number(down),
    warps = Number((/--block (\d+)/.exec(launch) || [0, 0])[1]) / 32;
  return [
    [WARPS_K, blocks * warps * N],
    [BUSY_SMS, Math.min(SMS, blocks)],
    [SM_WARPS_K, Math.ceil(blocks / SMS) * warps * N],
  ];
}
/**
 * Returns the figures PER_REQUEST and REQUESTS_OF_IT of the instruction that a question is about,
 * from the records of `simrun --per-line`.
 * @param {Question} asked
 * @param {any[]} records
 * @returns {[string, number][]}
 */
export function costliestOf({ costliest }, records) {
  if (!costliest) return [];
  const { instructions, figure } = costliest;
  const found = records.filter(
    one => one.type === 'line' && one.requests && instructions.test(one.place.instruction),
  );
  if (!found.length) return [];
  const most = found.reduce((best, one) =>
    one[figure] / one.requests > best[figure] / best.requests ? one : best,
  );
  return [
    [PER_REQUEST, most[figure]],
    [REQUESTS_OF_IT, most.requests],
  ];
}

/**
 * Returns an answer rounded for display: two digits below 10; otherwise a whole number, or three
 * digits if the whole number would be off by more than 2 %.
 * @param {number|null} value
 */
export function rounded(value) {
  if (value === null || Math.abs(value) < 10)
    return value === null ? null : Number(value.toPrecision(2));
  const whole = Math.round(value);
  return Math.abs(whole - value) <= 0.02 * Math.abs(value) ? whole : Number(value.toPrecision(3));
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
    differ: both.filter(([a, b]) => Math.abs(Number(a) - Number(b)) > 0.005 * Math.abs(Number(b)))
      .length,
  };
}

// Matches a number (group 1), then factors and divisors (group 3), then a unit.
const WRITTEN =
  /^([-+]?[\d.]*\d(e[-+]?\d+)?)((\s*[*/]\s*[\d.]*\d(e[-+]?\d+)?)*)\s*(%|[a-zµ][a-zµ /()-]*)?\.?$/;

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
  const found = WRITTEN.exec(text);
  if (!found) return null;
  let value = Number(found[1]);
  for (const [, sign, factor] of found[3].matchAll(/([*/])\s*([\d.]*\d(e[-+]?\d+)?)/g))
    value = sign === '*' ? value * Number(factor) : value / Number(factor);
  return Number.isFinite(value) ? value : null;
}

/**
 * Returns a bet's quality: 'right' within 2 %, or if it is the closest of several answers to choose
 * from; 'near' within a quarter; else 'off'.
 * @param {number} bet
 * @param {number} value
 * @param {number[]} [bets]
 * @returns {'right'|'near'|'off'}
 */
export function judged(bet, value, bets = []) {
  const far = (/** @type {number} */ one) => Math.abs(one - value);
  if (far(bet) <= Math.max(0.02 * Math.abs(value), 1e-9)) return 'right';
  if (bets.includes(bet) && far(bet) === Math.min(...bets.map(far))) return 'right';
  return far(bet) <= 0.25 * Math.abs(value) ? 'near' : 'off';
}

/**
 * Returns the milliseconds that the model predicts, from the records of `simrun --time`; null if
 * there are none.
 * @param {any[]} records
 * @returns {number|null}
 */
export const predictedTime = records =>
  records.find(one => one.type === 'prediction')?.milliseconds ?? null;

/**
 * Returns the figures of a prediction that lessons ask about, from its records and its table of
 * warp states, whose lines have a state and its % of the time.
 * @param {any[]} records
 * @param {string} table
 * @returns {[string, number][]}
 */
export function predictedOf(records, table) {
  const cycles = records.find(one => one.type === 'prediction')?.cycles,
    waits = /^long_scoreboard +([\d.]+)/m.exec(table);
  return [
    ...(cycles ? [/** @type {[string, number]} */ ([CYCLES, cycles])] : []),
    ...(waits ? [/** @type {[string, number]} */ ([MEMORY_WAITS, Number(waits[1])])] : []),
  ];
}

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
      text:
        columns([
          'address',
          'runs',
          'threads',
          'diverged',
          'sectors',
          'wavefronts',
          'excess',
          'banks',
        ]) +
        '  instruction (threads: per run; sectors, wavefronts: per request; ' +
        'banks: cycles lost per run)',
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
      text: `${columns([
        address,
        String(warps),
        per(threads, 1),
        divergent ? String(divergent) : '',
        per(sectors, requests),
        per(wavefronts, requests),
        conflicts ? per(conflicts, requests) : '',
        lost ? per(lost, warps) : '',
      ])}  ${place.instruction}`,
      address,
      opcode: warps && request && !place.instruction.startsWith('@!PT') ? request[1] : '',
    });
  }
  return lines;
}
