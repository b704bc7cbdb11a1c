// The variants of a lesson side by side: a card per variant with the lesson's figure, a bar, its
// time, and its speed relative to the slowest; below, all counters. Unknown figures are dashes.
import { details, el, scrolled } from './dom.js';
import { number, time, times } from './text.js';
import { SHOWN, agreement, answer, judged } from './results.js';

/** @typedef {import('./results.js').Counts} Counts */
/** @typedef {import('./results.js').Question} Question */
/**
 * @typedef {object} Column one kernel at one size
 * @property {string} variant
 * @property {boolean} edited
 * @property {boolean} earlier an earlier run, kept beside the newest
 * @property {string|null} text the edited text
 * @property {string} size
 * @property {string} idea the variant in a few words
 * @property {Counts|null} here
 * @property {Counts} there what Nsight Compute counted on an H200; empty where it did not
 * @property {number|null} milliseconds predicted
 * @property {number|null} measured TFLOP/s on the H200 at N = 4096
 * @property {''|'right'|'reported'|'ended'} verdict
 */

/**
 * Returns each column's speed relative to the slowest; null if a time is missing or there is only
 * one.
 * @param {(number|null)[]} milliseconds
 * @returns {(number|null)[]}
 */
export function speedups(milliseconds) {
  const known = milliseconds.filter(one => one !== null);
  if (known.length < 2) return milliseconds.map(() => null);
  const slowest = Math.max(.../** @type {number[]} */ (known));
  return milliseconds.map(one => (one ? slowest / one : null));
}

/** @param {Column} column */
const nameOf = ({ variant, edited, earlier, size }) =>
  `${variant}${edited ? ', edited' : ''}${earlier ? `, before (N = ${size})` : ''}`;
/**
 * @param {Column} column
 * @param {Question|undefined} asked
 * @param {number} most
 * @param {number|null} speedup
 * @param {boolean} best
 */
function variantCard(column, asked, most, speedup, best) {
  const value = column.here ? answer(asked, column.here) : null;
  const { compared, differ } = column.here ? agreement(column.here, column.there) : { compared: 0, differ: 0 };
  const verdict = { '': '', right: 'result right', reported: 'see the report', ended: 'no result' }[column.verdict];
  return el(
    'div',
    {
      className: `variant${best ? ' best' : ''}${column.edited ? ' edited' : ''}${column.earlier ? ' earlier' : ''}`,
      data: { variant: column.variant },
    },
    el('b', { textContent: nameOf(column) }),
    el('span', { className: 'idea', textContent: column.idea }),
    ...(asked
      ? [
          el('strong', { textContent: column.here ? number(value) : '…' }),
          el('span', { className: 'unit', textContent: asked.words }),
          el('div', {
            className: 'bar',
            style: `width: ${value === null || !most ? 0 : Math.max(1, (100 * value) / most)}%`,
          }),
        ]
      : []),
    el(
      'dl',
      {},
      ...(column.milliseconds !== null
        ? [
            el('dt', { textContent: `N = ${column.size}, predicted` }),
            el(
              'dd',
              {},
              time(column.milliseconds),
              ...(speedup && speedup > 1.015 ? [' · ', el('em', { textContent: `${times(speedup)} × as fast` })] : []),
            ),
          ]
        : []),
      ...(column.measured
        ? [
            el('dt', { textContent: 'H200, N = 4096' }),
            el('dd', { textContent: `${column.measured.toFixed(1)} TFLOP/s` }),
          ]
        : []),
      ...(compared
        ? [
            el('dt', { textContent: 'counted on an H200' }),
            el('dd', { textContent: differ ? `${differ} of ${compared} counters differ` : 'the same' }),
          ]
        : []),
    ),
    ...(verdict ? [el('span', { className: `verdict ${column.verdict}`, textContent: verdict })] : []),
  );
}

/**
 * Returns the rows of the table of counters, with a column per variant and differing rows marked.
 * @param {Column[]} columns
 * @param {Question|undefined} asked
 */
function countersTable(columns, asked) {
  const counted = columns.filter(column => column.here),
    there = counted.filter(column => column.there.size);
  /**
   * @param {string} label
   * @param {(counts: Counts) => number|null} of
   * @param {string} [name]
   */
  const line = (label, of, name) => {
    const own = counted.map(column => of(/** @type {Counts} */ (column.here))),
      differs = new Set(own).size > 1;
    return el(
      'tr',
      { className: differs ? 'differs' : '' },
      el('th', { scope: 'row', textContent: label, ...(name ? { data: { tip: name } } : {}) }),
      ...own.map(value => el('td', { textContent: number(value) })),
      ...there.map(column => el('td', { className: 'there', textContent: number(of(column.there)) })),
    );
  };
  const get = (/** @type {string} */ key) => (/** @type {Counts} */ counts) => counts.get(key) ?? null;
  const table = el(
    'table',
    { className: 'counters' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { textContent: 'counter' }),
        ...counted.map(column => el('th', { scope: 'col', textContent: nameOf(column) })),
        ...there.map(column => el('th', { scope: 'col', className: 'there', textContent: `${column.variant}, H200` })),
      ),
    ),
    el(
      'tbody',
      {},
      ...(asked ? [line(asked.words, counts => answer(asked, counts))] : []),
      ...SHOWN.filter(([key]) => counted.some(({ here }) => here && here.get(key))).map(([key, label]) =>
        line(label, get(key), key),
      ),
    ),
  );
  return table;
}

/**
 * Returns a sentence about the result of a bet.
 * @param {number} bet
 * @param {Question} asked
 * @param {Column[]} columns
 */
function betSentence(bet, asked, columns) {
  const values = columns
    .map(column => ({ variant: column.variant, value: column.here ? answer(asked, column.here) : null }))
    .filter(one => one.value !== null);
  const best = values.map(one => ({ ...one, state: judged(bet, /** @type {number} */ (one.value)) })),
    hit = best.find(one => one.state === 'right') || best.find(one => one.state === 'near');
  if (!values.length) return '';
  if (hit)
    return `Your bet, ${number(bet)}: ${hit.state === 'right' ? 'right' : 'near'} for ${hit.variant} (${number(hit.value)}).`;
  return `Your bet was ${number(bet)}; counted ${values.map(one => `${number(one.value)} (${one.variant})`).join(', ')}.`;
}

/**
 * Returns a sentence that names the fastest column: by times measured on the H200 if all columns
 * have one, otherwise by the model's.
 * @param {Column[]} columns
 * @param {(number|null)[]} fast
 * @param {string} same what the columns have in common
 */
export function headlineOf(columns, fast, same) {
  const measured = columns.map(column => column.measured),
    none = { said: '', winner: -1 };
  if (columns.filter(column => !column.earlier).length < 2 && columns.length < 2) return none;
  if (measured.every(one => one) && !columns.some(column => column.earlier)) {
    const values = /** @type {number[]} */ (measured),
      winner = values.indexOf(Math.max(...values)),
      loser = values.indexOf(Math.min(...values)),
      ratio = values[winner] / values[loser];
    const ahead = /** @type {number} */ (fast[winner]),
      other = fast.indexOf(Math.max(...fast.map(one => one ?? 0))),
      N = columns[0].size;
    const here =
      fast[loser] === 1 && ahead > 1.015
        ? ` Here, at N = ${N}: ${times(ahead)} times by the model${same}.`
        : other !== winner && fast[other] && fast[winner]
          ? ` Here, at N = ${N}, the model has ${columns[other].variant} ahead.`
          : '';
    return ratio < 1.015
      ? none
      : {
          said: `On an H200, at N = 4096, ${columns[winner].variant} is ${times(ratio)} times as fast as ${columns[loser].variant}.${here}`,
          winner,
        };
  }
  const best = Math.max(...fast.map(one => one ?? 0)),
    winner = fast.indexOf(best),
    loser = fast.indexOf(1);
  return best > 1.015 && winner >= 0 && loser >= 0
    ? {
        said: `${nameOf(columns[winner])} is ${times(best)} times as fast as ${nameOf(columns[loser])}, by the model${same}.`,
        winner,
      }
    : none;
}

/**
 * Fills `board`.
 * @param {HTMLElement} board
 * @param {Column[]} columns
 * @param {Question|undefined} asked
 * @param {number|null} bet
 */
export function drawComparison(board, columns, asked, bet) {
  const values = columns.map(column => (column.here ? answer(asked, column.here) : null)),
    most = Math.max(0, ...values.map(value => value ?? 0)),
    fast = speedups(columns.map(column => column.milliseconds));
  const said = bet !== null && asked ? betSentence(bet, asked, columns) : '',
    ready = columns.every(column => column.here);
  const open = board.querySelector('details')?.open || columns.length === 1;
  const table = countersTable(columns, asked);
  table.dataset.counters = JSON.stringify(
    Object.fromEntries(
      columns
        .filter(column => column.here && !column.earlier)
        .map(column => [column.variant, Object.fromEntries(/** @type {Counts} */ (column.here))]),
    ),
  );
  const instructions = columns.map(column => column.here?.get('smsp__inst_executed.sum') ?? null),
    equal = columns.length > 1 && instructions.every(one => one !== null && one === instructions[0]);
  const same = equal ? `, with the same ${number(instructions[0])} instructions` : '',
    ahead = headlineOf(columns, fast, same);
  board.replaceChildren(
    ...(ahead.said && ready ? [el('p', { className: 'headline', textContent: ahead.said })] : []),
    ...(said && ready ? [el('p', { className: 'bet-said', textContent: said })] : []),
    el(
      'div',
      { className: 'compare' },
      ...columns.map((column, i) => variantCard(column, asked, most, fast[i], i === ahead.winner)),
    ),
    Object.assign(details('All counters', scrolled('counters', table)), { open }),
  );
}
