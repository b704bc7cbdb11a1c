// Shows the variants of a lesson side by side. Each has a card with the lesson's figure, a bar with
// the reader's bet on it, its time, and its speed relative to the first variant. Below are all
// counters. A dash stands for an unknown figure.
import { coded, details, el, scrolled, swatch } from './dom.js';
import { number, time, times } from './text.js';
import { SHOWN, agreement, answer, rounded } from './results.js';

/** @typedef {import('./results.js').Counts} Counts */
/** @typedef {import('./results.js').Question} Question */
/**
 * @typedef {object} Column one kernel at one size
 * @property {string} variant
 * @property {boolean} edited
 * @property {boolean} earlier true for the result of an earlier run, kept beside the newest
 * @property {string|null} text the edited text; null: as compiled
 * @property {string} size N
 * @property {string} idea the variant in a few words
 * @property {Counts|null} here what the simulator counted; null: not yet
 * @property {Counts} there what Nsight Compute counted on an H200; empty if nothing
 * @property {number|null} milliseconds the predicted time
 * @property {number|null} measured TFLOP/s on the H200 at N = 4096 + wider
 * @property {number} wider number of columns beyond the size that the reader chose
 * @property {number} colour the variant's index in the lesson, from 0, which chooses its mark
 * @property {''|'right'|'reported'|'ended'} verdict
 */

/**
 * Returns each column's speed relative to the first column, which has the lesson's first kernel. A
 * speed is null if a time is missing or there is only one column.
 * @param {(number|null)[]} milliseconds
 * @returns {(number|null)[]}
 */
export function speedups(milliseconds) {
  const [first, ...others] = milliseconds;
  return milliseconds.map(one => (first && one && others.length ? first / one : null));
}
/** Returns a column's name: the variant, and what sets the run apart. @param {Column} column */
const nameOf = ({ variant, edited, earlier, size, wider }) =>
  `${variant}${edited ? ', edited' : ''}` +
  (earlier ? `, before (N = ${size})` : wider ? `, N = ${size}` : '');
/**
 * Returns a bar with a mark at the reader's bet. All cards have the same axis.
 * @param {number|null} value
 * @param {number} most the axis's end
 * @param {number|null} bet
 */
function barOf(value, most, bet) {
  const share = (/** @type {number|null} */ of) =>
    of === null || !most ? 0 : Math.max(1, (100 * of) / most);
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
 * Returns a variant's figure for the lesson's question, with the reader's bet if that is about this
 * variant.
 * @param {Column} column
 * @param {Question} asked
 * @param {number} most the axis's end
 * @param {number|null} bet
 */
function askedParts(column, asked, most, bet) {
  const value = column.here ? answer(asked, column.here) : null,
    meant = bet !== null && isAsked(column, asked),
    { besides } = asked,
    second = besides && column.here ? answer({ ...asked, ...besides }, column.here) : null;
  return [
    el('strong', {
      textContent: value === null && !column.verdict ? '…' : number(rounded(value)),
    }),
    el('span', {
      className: 'unit',
      textContent: asked.words + (second ? `; ${besides?.words}: ${number(rounded(second))}` : ''),
    }),
    barOf(value, most, meant ? bet : null),
  ];
}
/**
 * Returns true for the column that the question is about.
 * @param {Column} column
 * @param {Question} asked
 */
export const isAsked = ({ variant, wider, edited, earlier }, asked) =>
  variant === asked.of && wider === (asked.wider || 0) && !edited && !earlier;
/**
 * Returns the card of a column.
 * @param {Column} column
 * @param {Question|undefined} asked
 * @param {{most: number, bet: number|null, speedup: number|null, first: string, best: boolean}}
 *   facts the end of the bars' axis, the bet, the speed relative to the column named `first`, and
 *   whether this column is the fastest
 */
function variantCard(column, asked, { most, bet, speedup, first, best }) {
  // A right result has no words here: the box's status line says that the results are right.
  const verdict = { '': '', right: '', reported: 'see the report', ended: 'no result' }[
    column.verdict
  ];
  return el(
    'div',
    {
      className:
        `variant${best ? ' best' : ''}` +
        `${column.edited ? ' edited' : ''}${column.earlier ? ' earlier' : ''}`,
      data: { variant: column.variant },
    },
    el('b', {}, swatch(column.colour), nameOf(column)),
    el('span', { className: 'idea' }, ...coded(column.idea)),
    ...(asked ? askedParts(column, asked, most, bet) : []),
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
                ? [
                    ' · ',
                    el('em', {
                      className: speedup < 1 ? 'slower' : '',
                      textContent: `${times(speedup)} × ${first}`,
                    }),
                  ]
                : []),
            ),
          ]
        : []),
      ...(column.measured
        ? [
            el('dt', { textContent: `H200, N = ${4096 + column.wider}` }),
            el('dd', { textContent: `${column.measured.toFixed(1)} TFLOP/s` }),
          ]
        : []),
    ),
    ...(verdict
      ? [el('span', { className: `verdict ${column.verdict}`, textContent: verdict })]
      : []),
  );
}

/**
 * Returns the table of counters, with a column per variant. Rows whose values differ are marked.
 * @param {Column[]} columns
 * @param {Question|undefined} asked
 */
function countersTable(columns, asked) {
  const counted = columns.filter(column => column.here),
    there = counted.filter(column => column.there.size);
  /**
   * Returns a row.
   * @param {string} label
   * @param {(counts: Counts) => number|null} of returns the row's value
   * @param {string} [name] the counter's name, shown as a tooltip
   */
  const line = (label, of, name) => {
    const own = counted.map(column => of(/** @type {Counts} */ (column.here))),
      differs = new Set(own).size > 1;
    return el(
      'tr',
      { className: differs ? 'differs' : '' },
      el('th', { scope: 'row', textContent: label, ...(name ? { data: { tip: name } } : {}) }),
      ...own.map(value => el('td', { textContent: number(value) })),
      ...there.map(column =>
        el('td', { className: 'there', textContent: number(of(column.there)) }),
      ),
    );
  };
  const get = (/** @type {string} */ key) => (/** @type {Counts} */ counts) =>
    counts.get(key) ?? null;
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
        ...counted.map(column => el('th', { scope: 'col' }, swatch(column.colour), nameOf(column))),
        ...there.map(column =>
          el('th', { scope: 'col', className: 'there', textContent: `${column.variant}, H200` }),
        ),
      ),
    ),
    el(
      'tbody',
      {},
      ...(asked ? [line(asked.words, counts => answer(asked, counts))] : []),
      ...SHOWN.filter(([key]) => counted.some(({ here }) => here && here.get(key))).map(
        ([key, label]) => line(label, get(key), key),
      ),
    ),
  );
  return table;
}

/**
 * Returns the index of the largest value (`winner`), the index of the value that it is compared
 * with (`loser`), and their ratio. The loser is the first value or, if that is the winner, the
 * smallest.
 * @param {number[]} values
 */
function lead(values) {
  const winner = values.indexOf(Math.max(...values)),
    loser = winner ? 0 : values.indexOf(Math.min(...values));
  return { winner, loser, ratio: values[winner] / values[loser] };
}
/**
 * Returns the headline of a run. `said` names the column that the model predicts to be the fastest,
 * and `more` adds what was measured on the H200. If another column was the fastest there, `said`
 * names both and `winner` is -1. Both texts are '' if there is one column only, a kernel failed, a
 * time is missing, or the winner is less than 1.5 % faster.
 * @param {Column[]} columns
 * @param {(number|null)[]} fast the speeds relative to the first column
 * @param {string} same a sentence about what the columns have in common, or ''
 */
export function headlineOf(columns, fast, same) {
  const none = { said: '', more: '', winner: -1 },
    failed = columns.some(
      ({ verdict, earlier }) => !earlier && (verdict === 'reported' || verdict === 'ended'),
    );
  if (columns.length < 2 || failed || !fast.every(one => one)) return none;
  const here = lead(/** @type {number[]} */ (fast)),
    [won, lost] = [columns[here.winner], columns[here.loser]];
  if (here.ratio < 1.015) return none;
  const measured = columns.every(column => column.measured && !column.earlier)
      ? lead(columns.map(column => Number(column.measured)))
      : null,
    there =
      measured && measured.ratio >= 1.015
        ? ` Measured on one at N\u00a0=\u00a04096, ${columns[measured.winner].variant} is ` +
          `${times(measured.ratio)} times as fast as ${columns[measured.loser].variant}.`
        : '';
  const best = measured ? columns[measured.winner] : won,
    other = best !== won && Number(best.measured) / Number(won.measured) >= 1.015;
  return {
    said:
      `${nameOf(won)} is ${times(here.ratio)} times as fast as ${nameOf(lost)}` +
      (other
        ? ` at N\u00a0=\u00a0${won.size}; ` +
          `at N\u00a0=\u00a04096, measured, ${nameOf(best)} is ahead.`
        : '.'),
    more: `Predicted by the model of an H200 at N\u00a0=\u00a0${won.size}.${there}${same}`,
    winner: other ? -1 : here.winner,
  };
}

/** Returns a count in words: 54,400 or 3.0 million. @param {number} count */
const about = count => (count < 1e6 ? number(count) : `${(count / 1e6).toFixed(1)} million`);
/**
 * Returns the end of a sentence that says how many counters agree with those of an H200.
 * @param {Column[]} columns
 */
function agreeing(columns) {
  const both = columns.flatMap(({ here, there }) => (here ? [agreement(here, there)] : []));
  const compared = both.reduce((sum, one) => sum + one.compared, 0),
    differ = both.reduce((sum, one) => sum + one.differ, 0);
  return compared ? `; ${compared - differ} of ${compared} as counted on an H200` : '';
}
/**
 * Fills `board` with the headline, the cards and the table of counters.
 * @param {HTMLElement} board
 * @param {Column[]} columns
 * @param {Question|undefined} asked
 * @param {number|null} bet
 */
export function drawComparison(board, columns, asked, bet) {
  const values = columns.map(column => (column.here ? answer(asked, column.here) : null)),
    largest = Math.max(0, ...values.map(value => value ?? 0)),
    most = bet !== null && bet > largest && bet < 3 * largest ? bet : largest,
    plain = columns.filter(column => !column.wider),
    fast = speedups(plain.map(column => column.milliseconds)),
    ready = columns.every(column => column.here);
  const open = board.querySelector('details')?.open || columns.length === 1;
  const table = countersTable(columns, asked);
  table.dataset.counters = JSON.stringify(
    Object.fromEntries(
      plain
        .filter(column => column.here && !column.earlier)
        .map(column => [column.variant, Object.fromEntries(/** @type {Counts} */ (column.here))]),
    ),
  );
  const instructions = plain.map(column => column.here?.get('smsp__inst_executed.sum') ?? null),
    equal = plain.length > 1 && instructions.every(one => one !== null && one === instructions[0]);
  const same = equal ? ` All execute the same ${about(Number(instructions[0]))} instructions.` : '',
    timed = plain.filter(column => !column.earlier || column.milliseconds !== null),
    ahead = headlineOf(timed, speedups(timed.map(column => column.milliseconds)), same);
  const cardOf = (/** @type {Column} */ column) => {
    const at = plain.indexOf(column),
      first = at > 0 && nameOf(plain[0]).length < 24 ? nameOf(plain[0]) : '';
    return variantCard(column, asked, {
      most,
      bet,
      speedup: at < 0 ? null : fast[at],
      first,
      best: column === timed[ahead.winner],
    });
  };
  board.replaceChildren(
    ...(ahead.said && ready
      ? [
          el('p', { className: 'headline', textContent: ahead.said }),
          el('p', { className: 'soft', textContent: ahead.more }),
        ]
      : []),
    el('div', { className: 'compare' }, ...columns.map(cardOf)),
    Object.assign(details(`All counters${agreeing(columns)}`, scrolled('counters', table)), {
      open,
    }),
  );
}
