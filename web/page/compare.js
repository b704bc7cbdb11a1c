// The variants of a lesson side by side: a card per variant with the lesson's figure, a bar with
// the reader's bet on it, its time, and its speed relative to the first; below, all counters.
// Unknown figures are dashes.
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
 * Returns each column's speed relative to the first, the kernel that a lesson begins with; null if
 * a time is missing or there is only one.
 * @param {(number|null)[]} milliseconds
 * @returns {(number|null)[]}
 */
export function speedups(milliseconds) {
  const [first, ...others] = milliseconds;
  return milliseconds.map(one => (first && one && others.length ? first / one : null));
}
/**
 * Returns numbers with as many decimals as the one that needs most, at most three.
 * @param {(number|null)[]} values
 */
export function alike(values) {
  const decimals = Math.min(3, Math.max(0, ...values.map(value => (number(value).split('.')[1] || '').length)));
  return values.map(value =>
    value === null || Math.abs(value) >= 1000 || !decimals ? number(value) : value.toFixed(decimals),
  );
}

/** @param {Column} column */
const nameOf = ({ variant, edited, earlier, size }) =>
  `${variant}${edited ? ', edited' : ''}${earlier ? `, before (N = ${size})` : ''}`;
/**
 * A bar on an axis that is the same on all cards, with a mark at the reader's bet.
 * @param {number|null} value
 * @param {number} most the axis's end
 * @param {number|null} bet
 */
function barOf(value, most, bet) {
  const share = (/** @type {number|null} */ of) => (of === null || !most ? 0 : Math.max(1, (100 * of) / most));
  return el(
    'div',
    { className: 'track' },
    el('div', { className: 'bar', style: `width: ${share(value)}%` }),
    ...(bet !== null && bet >= 0 && bet <= most
      ? [el('i', { style: `left: ${(100 * bet) / most}%`, title: `your bet: ${number(bet)}` })]
      : []),
  );
}
/**
 * @param {Column} column
 * @param {Question|undefined} asked
 * @param {{figure: string, most: number, bet: number|null, speedup: number|null, first: string, best: boolean}} facts
 */
function variantCard(column, asked, { figure, most, bet, speedup, first, best }) {
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
          el('strong', { textContent: column.here ? figure : '…' }),
          el('span', { className: 'unit', textContent: asked.words }),
          barOf(value, most, bet),
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
              ...(speedup && first && Math.abs(speedup - 1) > 0.015
                ? [' · ', el('em', { className: speedup < 1 ? 'slower' : '', textContent: `${times(speedup)} × ${first}` })]
                : []),
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
  const sorted = values.sort((a, b) => Number(a.value) - Number(b.value)),
    ends = values.length > 3 ? [sorted[0], sorted[sorted.length - 1]] : sorted;
  const [least, most] = [Number(sorted[0].value), Number(sorted[sorted.length - 1].value)],
    off = bet > most ? ', too many for all of them' : bet < least ? ', too few for all of them' : '';
  return `Your bet was ${number(bet)}${off}; counted ${ends.map(one => `${number(one.value)} (${one.variant})`).join(values.length > 3 ? ' to ' : ', ')}.`;
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
      loser = winner ? 0 : values.indexOf(Math.min(...values)),
      ratio = values[winner] / values[loser];
    const ahead = Number(fast[winner]) / Number(fast[loser]),
      other = fast.indexOf(Math.max(...fast.map(one => one ?? 0))),
      N = columns[0].size;
    const here =
      ahead > 1.015
        ? ` Here, at N\u00a0=\u00a0${N}: ${times(ahead)} times by the model${same}.`
        : other !== winner && fast[other] && fast[winner]
          ? ` Here, at N\u00a0=\u00a0${N}, the model has ${columns[other].variant} ahead.`
          : '';
    return ratio < 1.015
      ? none
      : {
          said: `On an H200, at N\u00a0=\u00a04096, ${columns[winner].variant} is ${times(ratio)} times as fast as ${columns[loser].variant}.${here}`,
          winner,
        };
  }
  const most = Math.max(...fast.map(one => one ?? 0)),
    least = Math.min(...fast.map(one => one ?? Infinity)),
    winner = fast.indexOf(most),
    loser = winner ? 0 : fast.indexOf(least),
    best = most / Number(fast[loser]);
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
    largest = Math.max(0, ...values.map(value => value ?? 0)),
    most = bet !== null && bet > largest && bet < 3 * largest ? bet : largest,
    figures = alike(values),
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
      ...columns.map((column, i) =>
        variantCard(column, asked, {
          figure: figures[i],
          most,
          bet: ready ? bet : null,
          speedup: fast[i],
          first: i && nameOf(columns[0]).length < 24 ? nameOf(columns[0]) : '',
          best: i === ahead.winner,
        }),
      ),
    ),
    Object.assign(details('All counters', scrolled('counters', table)), { open }),
  );
}
