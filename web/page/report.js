// Ranks the reports of a run and rewords them for the page. Reports are JSON records of type
// `report` or `error` (sasskit/docs/json.md). Pure functions.

import { loopsOf, number } from './text.js';
import { effectOf, fits } from './edits.js';
import { ofType } from './programs.js';

/** @typedef {import('./edits.js').Edit & {said: import('./edits.js').Said}} Edited */

/**
 * True for an address that is no multiple of the access's width.
 * @param {Report} record
 */
const misaligned = record =>
  record.kind === 'address' && /not aligned|not a multiple of/.test(record.message || '');

/**
 * True for a kernel that runs on past its end.
 * @param {Report} record
 */
const runsOn = ({ cause }) => cause?.rule === 'missing-exit';

const capital = (/** @type {string} */ text) =>
  text.replace(/^[a-z]/, letter => letter.toUpperCase());

const TITLES = {
  race: 'Race in shared memory',
  'global-race': 'Race in device memory',
  address: 'Access outside its memory',
  uninitialized: 'Use of a value that nothing has written',
  barrier: 'A barrier that not all threads reach',
  endless: 'A loop that never ends',
  trap: 'The kernel stopped itself',
  lane: 'A lane that is not there',
  hazard: 'A register is used too early',
  reuse: 'A wrong reuse flag',
  fence: 'A fence is missing',
  stack: 'The stack overflows',
  unknown: 'An instruction that the simulator cannot run',
  nan: 'NaN in the result',
  'unwritten-output': 'Parts of the result were never written',
  'unused-shared': 'Shared memory that nothing uses',
  mismatch: 'A wrong result',
  'bank-conflict': 'Register-bank conflict',
  'idle-reuse': 'A reuse flag without use',
  syntax: 'It does not assemble',
  usage: 'The run was refused',
  refused: 'The launch was refused',
  file: 'A file cannot be read',
  failed: 'The program failed',
};
/** @param {Report} record */
export const titleOf = record =>
  (runsOn(record) && 'EXIT is missing') ||
  (misaligned(record) && 'An address that is not aligned') ||
  (record.kind === 'hazard' &&
    /writ(es|ten) /.test(record.message || '') &&
    'A register is overwritten too early') ||
  TITLES[/** @type {keyof typeof TITLES} */ (record.kind)] ||
  String(record.kind || 'Report')
    .replace(/-/g, ' ')
    .replace(/^./, letter => letter.toUpperCase());

/**
 * Returns the records to show: errors first, otherwise in the program's order. Each has in `rest`
 * the reports that it explains (their `caused_by` is its `id`).
 * @param {Report[]} records
 * @returns {{record: Report, rest: Report[]}[]}
 */
export function ranked(records) {
  const found = records.filter(record => record.type === 'report' || record.type === 'error'),
    weightOf = (/** @type {Report} */ { severity }) =>
      ({ error: 0, warning: 1, note: 2 })[/** @type {'error'} */ (severity)] ?? 0;
  return found
    .filter(({ type, caused_by: cause }) => type === 'error' || (cause ?? null) === null)
    .map(record => ({
      record,
      rest: found.filter(
        other =>
          other !== record && other.type === 'report' && (other.caused_by ?? NaN) === record.id,
      ),
    }))
    .sort((a, b) => weightOf(a.record) - weightOf(b.record));
}

/**
 * Returns the places of a record without repetitions, the cause's place last.
 * @param {Pick<Report, 'place'|'other'|'cause'>} record
 * @returns {Place[]}
 */
export const placesOf = record =>
  [record.place, record.other, record.cause?.place]
    .flatMap(place => place || [])
    .filter(
      (place, i, all) =>
        all.findIndex(
          one => one.address === place.address && (one.action === place.action || !place.action),
        ) === i,
    );

/**
 * Returns the warp, the lane and the action at a place, as far as known: "warp 3, lane 5 writes".
 * Without an action: "warp 3 is here".
 * @param {Place} place
 */
export function doing(place) {
  const who =
    place.warp === null || place.warp === undefined
      ? ''
      : `warp ${place.warp}` +
        (place.lane === null || place.lane === undefined ? '' : `, lane ${place.lane}`);
  return [who, place.action || (who && 'is here')].filter(Boolean).join(' ');
}

/**
 * Returns the source line of a place, for example "kernel.cu:31"; '' if the place has none.
 * @param {Place} place
 */
export const sourceOf = place =>
  place && place.source ? `${place.source.file.split('/').pop()}:${place.source.line}` : '';

/**
 * Returns the edit that caused a report, or null if that is unknown. The first of these counts: the
 * only edit; for a race, an edit of a barrier; an edit at one of the report's places; for a hazard,
 * an edit between them.
 * @param {Report} record
 * @param {Edited[]} edits
 * @param {(place: Place) => number} lineOf the line of a place, from 1
 */
function culpritOf(record, edits, lineOf) {
  const lines = placesOf(record).map(lineOf);
  if (edits.length < 2) return edits[0] || null;
  return (
    (/race$/.test(record.kind) && edits.find(({ said }) => said.kind === 'barrier')) ||
    edits.find(({ line }) => lines.includes(line)) ||
    (record.kind === 'hazard' &&
      edits.find(({ line }) => line > Math.min(...lines) && line < Math.max(...lines))) ||
    null
  );
}
/**
 * Returns that of an edit's reports which shows best what the edit led to: a race for a barrier,
 * the value that an instruction no longer writes, a hazard in the edited line; otherwise the first.
 * @param {Report[]} reports
 * @param {Edited} edit
 * @param {(place: Place) => number} lineOf
 */
function headOf(reports, { line, said, before }, lineOf) {
  const [, written = '-'] = /\s(U?[RP]\d+)\b/.exec(before.join()) || [];
  const all = ranked(reports.map(one => ({ ...one, caused_by: null }))).map(({ record }) => record),
    unset = all.find(({ kind, message }) => /^unin/.test(kind) && message.endsWith(` ${written}`)),
    here = all.find(({ kind, place }) => kind === 'hazard' && place && lineOf(place) === line),
    race = all.find(({ kind }) => /race$/.test(kind));
  return (
    all.find(runsOn) ||
    (said.kind === 'barrier' && race) ||
    (said.kind === 'removed' && unset) ||
    here ||
    all[0]
  );
}
/** Says what an edit led to, by kind of report, if the guessed cause does not fit the edit. */
const MET = /** @type {[RegExp, string][]} */ ([
  [/race$/, 'Now two warps use one word, with nothing that orders them.'],
  [/^hazard$/, 'Now an instruction uses or overwrites a register too early.'],
  [/^uninitialized$/, 'Now an instruction reads what nothing has written.'],
]);
/**
 * Returns the rule that a misaligned access breaks and what to do, or null for another report.
 * @param {Report} record
 */
function alignment(record) {
  const [, bytes] = /not a multiple of (\d+)/.exec(record.message || '') || [],
    [opcode] = /[A-Z][\w.]+/.exec(record.place?.instruction?.replace(/^@\S+/, '') || '') || [];
  if (!misaligned(record) || !bytes) return null;
  return {
    text: `${opcode ? `\`${opcode}\`` : 'This access'} needs a multiple of ${bytes} bytes.`,
    remedy:
      `make the address of every lane a multiple of ${bytes} bytes, ` +
      'or access its words one by one',
  };
}
/** What the causes of endless loops say of a compiler, and what is true of an edited branch. */
const UNCOMPILED = /** @type {[RegExp, string][]} */ ([
  [/its condition always holds, and the compiler left it out/, 'its jump back is always taken'],
  [/its condition always holds \(.*all code behind/, 'it jumps to itself'],
]);
/**
 * Returns why an edit led to a report: what the edit does, then the cause that simrun guessed if it
 * is `kept`.
 * @param {Report} record
 * @param {import('./edits.js').Said} said
 * @param {boolean} kept
 */
function whyOf({ kind, cause }, { text, lost }, kept) {
  const went = kind === 'hazard' && lost ? lost : [],
    guess = kept && cause?.rule !== 'missing-exit' ? capital(cause?.text || '') : '';
  return [
    text,
    ...went.slice(...(cause?.rule === 'short-stall' ? [2] : [0, 2])),
    ...(kept ? [] : MET.filter(([one]) => one.test(kind)).map(([, words]) => words)),
    UNCOMPILED.reduce((said, [was, is]) => said.replace(was, is), guess),
  ];
}
/**
 * Returns a report with an edit as its cause.
 * @param {Report} record
 * @param {Edited} edit
 * @param {(place: Place) => number} lineOf the line of a place, from 1
 */
function blamedOn(record, edit, lineOf) {
  const { said } = edit,
    at = placesOf(record).find(place => lineOf(place) === edit.line),
    itself = record.kind === 'address' && at,
    onward = said.undo && said.kind === 'exit', // it runs on into the code behind
    kept = !itself && !onward && fits(record, said),
    rule = onward ? null : alignment(record);
  const text = [...whyOf(record, said, kept && !rule), rule?.text].filter(Boolean).join(' ');
  const { rule: name, place } = record.cause || {};
  return {
    ...record,
    message: onward && !runsOn(record) ? `in the code behind, ${record.message}` : record.message,
    edit,
    at: edit.after.length ? at : undefined,
    cause: {
      kind: 'edit',
      rule: onward ? 'missing-exit' : name,
      text,
      place: (kept && place) || null,
    },
    remedy: said.undo ? null : rule ? rule.remedy : kept ? record.remedy : null,
    caused_by: null,
  };
}
/**
 * Returns the reports on an edited kernel, with the reader's edit as their cause. (Without edits
 * the course's kernels have no reports.) The cause that simrun guessed is added if it fits the
 * edit. Of the reports that one edit caused, the others become consequences of the main one.
 * @param {Report[]} found the reports
 * @param {{line: number, before: string[], after: string[]}[]} changed all edited lines, numbered
 * from 1; empty if they cannot be listed
 * @param {(place: Place) => number} lineOf the line of a place, from 1
 */
export function ofEdits(found, changed, lineOf) {
  const edits = changed.map(edit => ({ ...edit, said: effectOf(edit) }));
  // A report belongs to the edit of the report that explains it.
  const culprits = found.map(record => {
    const root = found.find(({ id }) => id === record.caused_by) || record;
    return record.type === 'report' && (edits.length === 1 || record.severity !== 'note')
      ? culpritOf(root, edits, lineOf)
      : null;
  });
  const heads = new Map(
    edits.map(edit => [
      edit,
      headOf(
        found.filter(({ severity }, i) => culprits[i] === edit && severity !== 'note'),
        edit,
        lineOf,
      ),
    ]),
  );
  const made = found.map((record, i) => {
    const edit = culprits[i],
      head = edit && heads.get(edit);
    if (!edit || !head) return record;
    return head.id === record.id
      ? blamedOn(record, edit, lineOf)
      : { ...record, caused_by: head.id };
  });
  // With more than three edits, all reports of one kind share a card.
  const firsts = edits.length > 3 ? made.filter(({ edit }) => edit) : [],
    under = new Map(
      firsts.map(one => [one.id, firsts.find(({ kind }) => kind === one.kind)?.id ?? null]),
    );
  return [...made.filter(({ edit }) => edit), ...made.filter(({ edit }) => !edit)].map(one => {
    const first = under.get(one.caused_by ?? one.id);
    return first === undefined || first === one.id ? one : { ...one, caused_by: first };
  });
}

/**
 * Returns the reports with the right source lines, if an edit moved instructions.
 * @param {Report[]} found
 * @param {string[]|null} origins the source line of each instruction; null: none was moved
 */
export function withOrigins(found, origins) {
  if (!origins) return found;
  const placed = (/** @type {Place|null|undefined} */ place) => {
    if (!place) return null;
    const [file, line] = (origins[place.address / 16] || '').split(':');
    return { ...place, source: line ? { file, line: Number(line), text: null } : null };
  };
  return found.map(record =>
    record.type === 'report'
      ? {
          ...record,
          place: placed(record.place),
          other: placed(record.other),
          cause: record.cause && { ...record.cause, place: placed(record.cause.place) },
        }
      : record,
  );
}

/** The names of the kernels' pointer arguments, by number from 0 (common/harness/launch_gemm.c). */
const ARGUMENTS = new Map([['4', 'A'], ['6', 'B'], ['9', 'C']]);
/**
 * Returns reports reworded for a page: arguments have names instead of numbers, and addresses of
 * shared memory say where it begins. Options of the command line and warps that have not begun are
 * left out.
 * @param {Report[]} found
 */
export function inWords(found) {
  const worded = (/** @type {string} */ text) =>
    text
      .replace(/\bargument (\d+)/g, (said, number) => ARGUMENTS.get(number) || said)
      .replace(/ \((--\w+|simrun: [^)]*)\)/g, '')
      .replace('simrun --shared BYTES, ', '')
      .replace(/, (?:warps? [\d to]+|\d+ warps) runs? at `[^`]*` at 0x0\b/, '')
      .replace(/: \d{10,} bytes (?:past|before) .*/, ': far away from every buffer')
      .replace(' (unknown mnemonic)', '')
      .replace(
        /(0x\w+) \(byte (-?\d+)\)/g,
        (_, at, byte) =>
          `${at} (byte ${byte} of the block's shared memory, ` +
          `which begins at 0x${(at - byte).toString(16)})`,
      )
      .replace(/(?<![\w.])(\d{5,}\b|\d{4}(?= bytes\b))/g, digits => number(Number(digits)))
      .replace(/\b1 cycles\b/g, '1 cycle');
  return found.map(record => ({
    ...reworded(record, worded),
    message: record.message && worded(record.message),
  }));
}
/**
 * Returns a report with other words in its cause and its remedy.
 * @param {Report} record
 * @param {(text: string) => string} worded
 */
const reworded = (record, worded) => ({
  ...record,
  remedy: record.remedy && worded(record.remedy),
  cause: record.cause && { ...record.cause, text: worded(record.cause.text) },
});

/**
 * Returns a report reworded for a kernel in machine code: BAR.SYNC instead of __syncthreads().
 * @param {Report} record
 */
export const inAssembly = record =>
  reworded(record, text =>
    text
      .replace(/__syncthreads\(\)/g, 'BAR.SYNC')
      .replace(/: a variable without an initial value, .*/, '')
      .replace('the variable (in machine code, the register)', 'the register')
      .replace(', or correct the index', ''),
  );

/**
 * Returns the lines (from 1) between which a barrier belongs: behind all accesses like the first of
 * a race, and before all like the second.
 * @param {string} code
 * @param {number} after
 * @param {number} before 0: the second access is in the loop's next round
 */
function aroundBarrier(code, after, before) {
  const kinds = code.split('\n').map(line => /\s(LD|ST)SM?\b/.exec(line)?.[1]),
    [from, to] = [kinds[after - 1], kinds[before - 1]];
  if (!from || (before && (from === to || !to || before < after))) return [after, before];
  const loop = loopsOf(code).find(({ first, last }) => first < after && after <= last),
    next = before && kinds.indexOf(to, after) + 1;
  return [kinds.lastIndexOf(from, next ? next - 2 : (loop?.last ?? after - 1)) + 1, next];
}
/**
 * Returns a report reworded for a reader who edits machine code: its cause and its remedy name
 * lines of the editor, and BAR.SYNC.
 * @param {Report} record
 * @param {(place: Place) => number} lineOf the line of a place, from 1; 0: unknown
 * @param {string} [code] the text in the editor
 */
export function inEditor(record, lineOf, code = '') {
  const places = placesOf(record),
    [file] = places.map(sourceOf).join().match(/[^,:]+/) || [];
  const said = reworded(record, text =>
    text
      .replace(
        /\b(?:on )?(?:instruction 0x([0-9a-f]+)|lines? (\d+)( to \d+)?)/g,
        (words, address, number, more) => {
          const place = address
              ? /** @type {Place} */ ({ address: parseInt(address, 16) })
              : places.find(({ source }) => !more && source?.line === Number(number)),
            line = place ? lineOf(place) : 0;
          if (line > 0) return `${words.startsWith('on ') ? 'in ' : ''}line ${line}`;
          return words + (number && file ? ` of ${file}` : '');
        },
      )
      .replace(/(\bput )__syncthreads\(\) after/g, '$1`BAR.SYNC.DEFER_BLOCKING 0x0 ;` behind'),
  );
  const { 1: after, 2: before } = /` behind line (\d+)(?: and before line (\d+))?/.exec(
      said.remedy || '',
    ) || [],
    [behind, next] = after ? aroundBarrier(code, +after, +(before || 0)) : [];
  const last = runsOn(record) && (record.cause?.place || record.place);
  const lined = (/** @type {string} */ text) =>
    text.replace(/` at 0x([0-9a-f]+)/g, (words, address) => {
      const line = lineOf(/** @type {Place} */ ({ address: parseInt(address, 16) }));
      return line > 0 ? `\` in line ${line}` : words;
    });
  const message = last
    ? `nothing ends the kernel: after line ${lineOf(last)} it runs on into the jump to itself ` +
      'behind the code'
    : record.message && lined(record.message);
  return reworded({ ...inAssembly(said), message }, text =>
    lined(text)
      .replace(RegExp(`\\b(behind|missing after) line ${after}\\b`), `$1 line ${behind}`)
      .replace(`and before line ${before}`, `and before line ${next}`),
  );
}

/**
 * Returns the line (from 0) of a place in an edited text; -1 if it is unknown.
 * @param {Place} place
 * @param {string} text
 * @param {(text: string, address: number) => number} lineAt as in text.js
 */
export function lineOfPlace(place, text, lineAt) {
  if (place.sass && /edited\.sass$|kernel\.sass$/.test(place.sass.file || ''))
    return place.sass.line - 1;
  return lineAt(text, place.address);
}

/**
 * Returns the wrong elements of a result (records of type `wrong`) as reports. The first is the
 * cause of the others, so that one card shows all.
 * @param {WrongRow[]} all
 * @returns {Report[]}
 */
function mismatches(all) {
  // of the problem whose wrong elements have the most in common
  const { m, n, k, pattern } = all.find(one => /;/.test(one.pattern || '')) || all[0],
    wrong = all.filter(one => one.m === m && one.n === n && one.k === k),
    isNan = (/** @type {number|string} */ one) => /nan/i.test(String(one)),
    value = (/** @type {number|string} */ one) =>
      Number.isFinite(Number(one)) ? number(Number(one)) : isNan(one) ? 'NaN' : 'infinite',
    said = (/** @type {WrongRow} */ { message, element, actual, expected, tolerance }) =>
      `C[${element.join('][')}] ` +
      (/never written/.test(message) ? 'was never written' : `is ${value(actual)}`) +
      `, expected is ${value(expected)}` +
      (Number.isFinite(Number(actual) - Number(expected)) && tolerance !== undefined
        ? `, off by ${value(Math.abs(Number(actual) - Number(expected)))} ` +
          `(tolerance ${value(tolerance)}${tolerance ? '' : ': exact sums'})`
        : '');
  const digits = (/** @type {string} */ one) => number(Number(one));
  const empty = wrong.every(({ actual }) => isNan(actual)) && !/never/.test(String(pattern))
    ? ['The check puts NaN between the rows and behind the ends of its matrices.']
    : [];
  return wrong.map((one, i) => ({
    type: 'report',
    id: `wrong ${i}`,
    kind: 'mismatch',
    severity: 'error',
    message: i
      ? said(one)
      : [
          ...(pattern ? [`${pattern}.`.replace(/\d{5,}/g, digits)] : []),
          `${said(one)}, of a product of ${m} x ${k} by ${k} x ${n}.`,
          ...empty,
        ].join(' '),
    place: null,
    other: null,
    cause: null,
    remedy: null,
    caused_by: i ? 'wrong 0' : null,
    repeats: 1,
    merged: i ? 0 : wrong.length - 1,
  }));
}

/**
 * Returns the reports and errors among a run's records. Wrong elements of the result are added if
 * no report is an error. The error `failed` (the program failed) is left out if there is a report.
 * @param {Row[]} records
 * @returns {Report[]}
 */
export function reportsOf(records) {
  const reports = ofType(records, 'report'),
    wrong = ofType(records, 'wrong');
  const faults = reports.some(record => record.severity === 'error'),
    all = [...reports, ...(wrong.length && !faults ? mismatches(wrong) : [])];
  return [
    ...all,
    ...ofType(records, 'error').filter(({ kind }) => !(all.length && kind === 'failed')),
  ];
}

/**
 * Returns the reports. If there is one of an endless loop, it comes first and becomes the cause of
 * all others.
 * @param {Report[]} found
 * @returns {Report[]}
 */
export function endlessFirst(found) {
  const loop = found.find(record => record.kind === 'endless');
  return loop
    ? [
        { ...loop, caused_by: null },
        ...found
          .filter(record => record !== loop)
          .map(record => ({ ...record, caused_by: loop.id })),
      ]
    : found;
}
