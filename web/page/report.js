// Reports as data (docs/json.md): records of type `report` and `error`, ranked, and what is printed of them. Pure functions.

const TITLES = { race: 'Race in shared memory', 'global-race': 'Race in device memory', address: 'Access outside its memory', uninitialized: 'Use of a value that nothing has written',
  barrier: 'A barrier that not all threads reach', endless: 'A loop that never ends', trap: 'The kernel stopped itself', lane: 'A lane that is not there', hazard: 'A register is used too early',
  reuse: 'The reuse cache gives an old value', fence: 'A fence is missing', stack: 'The stack overflows', unknown: 'An instruction that the simulator cannot run', nan: 'NaN in the result',
  'unwritten-output': 'Parts of the result were never written', 'unused-shared': 'Shared memory that nothing uses', mismatch: 'A wrong result', 'bank-conflict': 'Register-bank conflict', 'idle-reuse': 'A reuse flag without use',
  syntax: 'It does not assemble', usage: 'The run was refused', refused: 'The launch was refused', file: 'A file cannot be read', failed: 'The program failed' };
/** @param {any} record */
export const titleOf = record => TITLES[/** @type {keyof typeof TITLES} */ (record.kind)] || String(record.kind || 'Report').replace(/-/g, ' ').replace(/^./, letter => letter.toUpperCase());

/**
 * The records to show, each with those that it explains: errors first, in the order of the program.
 * @param {any[]} records
 * @returns {{record: any, rest: any[]}[]}
 */
export function ranked(records) {
  const found = records.filter(record => record.type === 'report' || record.type === 'error'), weight = { error: 0, warning: 1, note: 2 };
  const heads = found.filter(record => record.type === 'error' || record.caused_by === null || record.caused_by === undefined);
  const order = heads.map((record, i) => ({ record, i, rest: found.filter(other => other !== record && other.type === 'report' && other.caused_by !== null && other.caused_by !== undefined && other.caused_by === record.id) }));
  return order.sort((a, b) => (weight[/** @type {'error'} */ (a.record.severity)] ?? 0) - (weight[/** @type {'error'} */ (b.record.severity)] ?? 0) || a.i - b.i).map(({ record, rest }) => ({ record, rest }));
}

/**
 * The places of a record, the cause's own last.
 * @param {any} record
 * @returns {any[]}
 */
export const placesOf = record => [record.place, record.other, record.cause && record.cause.place].filter((place, i, all) => place && all.findIndex(one => one && one.address === place.address && (one.action === place.action || !place.action)) === i);

/**
 * Who did it: "warp 3 writes", as far as it is known.
 * @param {any} place
 */
export function doing(place) {
  const who = place.warp === null || place.warp === undefined ? '' : `warp ${place.warp}${place.lane === null || place.lane === undefined ? '' : `, lane ${place.lane}`}`;
  return [who, place.action || ''].filter(Boolean).join(' ');
}

/**
 * "kernel.cu:31" from a place's source.
 * @param {any} place
 */
export const sourceOf = place => (place && place.source ? `${place.source.file.split('/').pop()}:${place.source.line}` : '');

/**
 * Line (from 0) of an edited text that a place means.
 * @param {any} place
 * @param {string} text
 * @param {(text: string, address: number) => number} lineAt
 */
export function lineOfPlace(place, text, lineAt) {
  if (place.sass && /edited\.sass$|kernel\.sass$/.test(place.sass.file || '')) return place.sass.line - 1;
  return lineAt(text, place.address);
}

/**
 * The reports and errors among a run's records.
 * @param {any[]} records
 * @returns {any[]}
 */
export const reportsOf = records => records.filter(record => record.type === 'report' || record.type === 'error');
