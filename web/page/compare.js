// Compares the variants of a lesson. Each has a row with a bar of the lesson's figure, and a bar of
// its time with its speed relative to the first variant. Below are all counters. A dash stands for
// an unknown figure.
import { coded, details, el, scrolled, swatch } from './dom.js';
import { number, time, times } from './text.js';
import { SHOWN, agreement, answer, mostChanged, rounded } from './results.js';

/** @typedef {import('./results.js').Counts} Counts */
/** @typedef {import('./results.js').Question} Question */
/**
 * @typedef {object} Column one kernel at one size
 * @property {string} variant
 * @property {boolean} edited
 * @property {boolean} base true for the kernel as compiled, beside the edited one
 * @property {boolean} earlier true for the result of an earlier run, kept beside the newest
 * @property {string|null} text the edited text; null: as compiled
 * @property {string} size N
 * @property {string} idea the variant in a few words
 * @property {Counts|null} here what the simulator counted; null: not yet
 * @property {Counts} there what Nsight Compute counted on an H200; empty if nothing
 * @property {boolean} elsewhere true if `there` has counters at N = 256
 * @property {number|null} milliseconds the predicted time
 * @property {number|null} measured TFLOP/s on the H200 at N = 4096 + wider
 * @property {number} wider number of columns beyond the size that the reader chose
 * @property {number} colour the variant's index in the lesson, from 0, which chooses its mark
 * @property {''|'right'|'reported'|'ended'} verdict
 * @property {string} [ran] says how often the edited line ran
 * @property {string[]} [spared] says why what the edits took away was not needed
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
/**
 * Returns a column's name: the variant, and what sets the run apart.
 * @param {Column} column
 */
const nameOf = ({ variant, edited, base, earlier, size, wider }) =>
  `${variant}${edited ? ', edited' : base ? ', as compiled' : ''}` +
  (earlier ? `, before (N = ${size})` : wider ? `, N = ${size}` : '');
/**
 * Returns a bar with its value behind it. All bars of a kind have the same axis.
 * @param {{value: number|null, more?: number|null, most: number, said: string,}}
 *   facts `more` continues the bar; `most` is the axis's end
 * @param {...(Node|string)} words what is written below
 */
function barOf({ value, more = null, most, said }, ...words) {
  const share = (/** @type {number|null} */ of) =>
      of && most ? Math.max(0.5, (100 * of) / most) : 0,
    part = (/** @type {string} */ className, /** @type {number|null} */ of) =>
      el('span', { className, style: `width: ${share(of)}%` });
  return el('div', { className: 'measure' },
    el('div', { className: 'track' },
      part('bar', value),
      ...(more ? [part('bar beyond', more)] : []),
      el('strong', { textContent: said }),
    ),
    el('small', {}, ...words),
  );
}
/**
 * Returns a variant's figures for the lesson's question: the answer, and the second figure.
 * @param {Column} column
 * @param {Question} asked
 */
function askedOf({ here }, asked) {
  const { besides } = asked;
  return {
    value: here ? answer(asked, here) : null,
    second: besides && here ? answer({ ...asked, ...besides }, here) : null,
  };
}
/**
 * Returns a variant's bar for the lesson's question.
 * @param {Column} column
 * @param {Question} asked
 * @param {number} most the axis's end
 */
function askedPart(column, asked, most) {
  const { value, second } = askedOf(column, asked),
    adds = asked.besides?.adds && second ? second : null,
    shown = value === null && !column.verdict ? '…' : number(rounded(value)),
    said = adds ? `${shown} + ${number(rounded(adds))}` : shown;
  return barOf(
    { value, more: adds, most, said },
    el('span', { className: 'unit', textContent: asked.words }),
    ...(second ? [`${adds ? '+' : ''} ${asked.besides?.words}: ${number(rounded(second))}`] : []),
  );
}
/**
 * Returns true for the column that the question is about.
 * @param {Column} column
 * @param {Question} asked
 */
export const isAsked = ({ variant, wider, edited, base, earlier }, asked) =>
  variant === asked.of && wider === (asked.wider || 0) && !edited && !base && !earlier;
/**
 * Returns the row of a column: its name, the lesson's figure, and its time.
 * @param {Column} column
 * @param {Question|undefined} asked
 * @param {{most: number, longest: number, speedup: number|null, first: string, best: boolean}}
 *   facts the ends of the bars' axes, the speed relative to the column named `first`, and whether
 *   this column is the fastest
 */
function variantRow(column, asked, { most, longest, speedup, first, best }) {
  // A right result has no words here: the box's status line says that the results are right.
  // The report of an earlier run is shown no more.
  const reported = column.earlier ? 'had a report' : 'see the report',
    verdict = { '': '', right: '', reported, ended: 'no result' }[column.verdict],
    untimed = { '': '…', right: '', reported: 'none: it failed', ended: '' }[column.verdict],
    { milliseconds, measured } = column;
  return el(
    'div',
    {
      className:
        `variant${best ? ' best' : ''}` +
        `${column.edited ? ' edited' : ''}${column.earlier ? ' earlier' : ''}` +
        `${asked && isAsked(column, asked) ? ' meant' : ''}`,
      data: { variant: column.variant },
    },
    el('div', {},
      el('b', {}, swatch(column.colour), nameOf(column)),
      el('small', {}, ...coded(column.idea)),
      ...(verdict
        ? [el('span', { className: `verdict ${column.verdict}`, textContent: verdict })]
        : []),
    ),
    ...(asked ? [askedPart(column, asked, most)] : []),
    barOf(
      {
        value: milliseconds,
        most: longest,
        said: milliseconds === null ? untimed : time(milliseconds),
      },
      el('span', { className: 'unit', textContent: 'time, predicted' }),
      ...(speedup && first && Math.abs(speedup - 1) > 0.015
        ? [
            el('em', {
              className: speedup < 1 ? 'slower' : '',
              textContent: `${times(speedup)} × ${first}`,
            }),
          ]
        : []),
      ...(measured
        ? [el('small', {}, `H200, N = ${4096 + column.wider}: ${measured.toFixed(1)} TFLOP/s`)]
        : []),
    ),
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
    return el('tr', { className: differs ? 'differs' : '' },
      el('th', { scope: 'row', textContent: label, ...(name ? { data: { tip: name } } : {}) }),
      ...own.map(value => el('td', { textContent: number(value) })),
      ...there.map(column =>
        el('td', { className: 'there', textContent: number(of(column.there)) }),
      ),
    );
  };
  const get = (/** @type {string} */ key) => (/** @type {Counts} */ counts) =>
    counts.get(key) ?? null;
  return el('table', { className: 'counters' },
    el('thead', {},
      el('tr', {},
        el('th', { textContent: 'counter' }),
        ...counted.map(column =>
          el('th', { scope: 'col', title: column.idea }, swatch(column.colour), nameOf(column)),
        ),
        ...there.map(({ variant, size }) =>
          el('th', {
            scope: 'col', className: 'there', textContent: `${variant}, N = ${size}, H200`,
          }),
        ),
      ),
    ),
    el('tbody', {},
      ...(asked ? [line(asked.words, counts => answer(asked, counts))] : []),
      ...SHOWN.filter(([key]) => counted.some(({ here }) => here && here.get(key))).map(
        ([key, label]) => line(label, get(key), key),
      ),
    ),
  );
}

/**
 * Returns the index of the largest value (`winner`), the index of the value that it is compared
 * with (`loser`), and their ratio. The loser is the first value or, if that is hardly smaller, the
 * smallest.
 * @param {number[]} values
 */
function lead(values) {
  const winner = values.indexOf(Math.max(...values)),
    loser = values[winner] >= 1.015 * values[0] ? 0 : values.indexOf(Math.min(...values));
  return { winner, loser, ratio: values[winner] / values[loser] };
}
/**
 * Returns true for a kernel of the newest run that failed.
 * @param {Column} column
 */
const isFailed = ({ verdict, earlier }) => !earlier && !['', 'right'].includes(verdict);
/**
 * Returns the headline of a run. `said` names the column that the model predicts to be the fastest,
 * and `more` adds what was measured on the H200. If another column was the fastest there, `said`
 * names that one and `winner` is -1, as it is if all times are equal within 1.5 %. Both texts are
 * '' if there is one column only, a kernel failed, or a time is missing.
 * @param {Column[]} columns
 * @param {(number|null)[]} fast the speeds relative to the first column
 * @param {string} same a sentence about what the columns have in common, or ''
 */
export function headlineOf(columns, fast, same) {
  const none = { said: '', more: '', winner: -1 };
  if (columns.length < 2 || columns.some(isFailed) || !fast.every(one => one)) return none;
  const here = lead(/** @type {number[]} */ (fast)),
    [won, lost] = [columns[here.winner], columns[here.loser]];
  const measured = columns.every(column => column.measured && !column.earlier)
      ? lead(columns.map(column => Number(column.measured)))
      : null,
    there =
      measured && measured.ratio >= 1.015
        ? `Measured on an H200 at N\u00a0=\u00a04096, ${columns[measured.winner].variant} is ` +
          `${times(measured.ratio)} times as fast as ${columns[measured.loser].variant}.`
        : '';
  const best = measured ? columns[measured.winner] : won,
    other = there && best !== won && Number(best.measured) / Number(won.measured) >= 1.015;
  if (here.ratio < 1.015)
    return {
      said: `At N\u00a0=\u00a0${won.size} all take the same time, within 1.5 %.`,
      more: `Predicted by the model of an H200. ${there}${same}`,
      winner: -1,
    };
  const said = `${nameOf(won)} is ${times(here.ratio)} times as fast as ${nameOf(lost)} ` +
      `at N\u00a0=\u00a0${won.size}`,
    model = 'Predicted by the model of an H200';
  return other
    ? { said: there, more: `${model}: ${said}.${same}`, winner: -1 }
    : { said: `${said}.`, more: `${model}. ${there}${same}`, winner: here.winner };
}

/**
 * Returns what an edit changed, in sentences: that it failed; or the time, the counters that
 * changed most and the verdict, of a right one also how often its line ran, and why it did no harm
 * or what else would change something.
 * @param {Column} base the kernel as compiled
 * @param {Column} edited
 * @param {string} name the sentence's first word
 */
export function editSaid(base, edited, name) {
  const ratio = (edited.milliseconds || 0) / (base.milliseconds || 0),
    slow = times(ratio),
    changed = mostChanged(
      /** @type {Counts} */ (base.here),
      /** @type {Counts} */ (edited.here),
    );
  const speed =
    slow === '1.00'
      ? 'as fast as before'
      : ratio > 1
        ? `${slow} times as slow`
        : `${times(1 / ratio)} times as fast`;
  const { verdict } = edited;
  if (isFailed(edited))
    return [`${name}: it ${verdict === 'ended' ? 'has no result' : 'failed; see the report'}.`];
  const said = [
    ratio && Number.isFinite(ratio) ? speed : '',
    changed.join(' and ') || 'no counter changed',
    verdict && 'the result is right',
  ];
  const all = [`${name}: ${said.filter(Boolean).join('; ')}.`];
  if (!verdict) return all;
  if (edited.ran) all.push(edited.ran);
  if (edited.spared?.length) all.push(...edited.spared);
  else if (slow === '1.00' && !changed.length)
    all.push('To see a difference, add an instruction to the main loop, or let one wait longer.');
  return all;
}
/**
 * Returns the sentences about each edited kernel of the newest run.
 * @param {Column[]} columns
 */
function editsSaid(columns) {
  const now = columns.filter(({ earlier, here }) => here && !earlier),
    edited = now.filter(one => one.edited);
  return edited.flatMap(one => {
    const base = now.find(({ base, variant }) => base && variant === one.variant);
    return base ? [editSaid(base, one, edited.length > 1 ? nameOf(one) : 'Edited')] : [];
  });
}

/**
 * Returns a count in words: 54,400 or 3.0 million.
 * @param {number} count
 */
const about = count => (count < 1e6 ? number(count) : `${(count / 1e6).toFixed(1)} million`);
/**
 * Returns the end of the table's title: how many counters agree with those of an H200.
 * @param {Column[]} columns
 */
function agreeing(columns) {
  const both = columns.flatMap(({ here, there }) => (here ? [agreement(here, there)] : []));
  const compared = both.reduce((sum, one) => sum + one.compared, 0),
    differ = both.reduce((sum, one) => sum + one.differ, 0);
  return compared
    ? `; ${compared - differ} of ${compared} as counted on an H200`
    : columns.some(({ elsewhere }) => elsewhere)
      ? ' (choose N = 256 to compare with an H200)'
      : '';
}
/**
 * Returns the head of the rows.
 * @param {Question|undefined} asked
 */
const heads = asked =>
  el('div', { className: 'variant-head', ariaHidden: 'true' },
    ...['', ...(asked ? [asked.words] : []), 'time, predicted'].map(textContent =>
      el('span', { textContent }),
    ),
  );
/**
 * Fills `board` with the headline, a row per variant and the table of counters. Leaves out earlier
 * results beside an edit that failed.
 * @param {HTMLElement} board
 * @param {Column[]} given
 * @param {Question|undefined} asked
 */
export function drawComparison(board, given, asked) {
  const failed = given.some(one => one.edited && isFailed(one)),
    columns = given.filter(({ earlier }) => !failed || !earlier),
    values = columns.map(column => {
      const { value, second } = asked ? askedOf(column, asked) : { value: null, second: null };
      return (value || 0) + ((asked?.besides?.adds && second) || 0);
    }),
    most = Math.max(...values),
    longest = Math.max(...columns.map(({ milliseconds }) => milliseconds ?? 0)),
    now = columns.filter(({ earlier, wider }) => !earlier && !wider),
    plain = columns.filter(({ wider, size }) => !wider && size === now[0]?.size),
    fast = speedups(plain.map(column => column.milliseconds)),
    ready = columns.every(column => column.here),
    edited = now.some(one => one.edited);
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
  const all = columns.length > plain.length ? `At N\u00a0=\u00a0${plain[0].size} all` : 'All',
    same = equal ? ` ${all} execute the same ${about(Number(instructions[0]))} instructions.` : '',
    small = asked?.small ? ` ${asked.small}` : '',
    timed = plain.filter(column => !column.earlier || column.milliseconds !== null),
    ahead = headlineOf(timed, speedups(timed.map(column => column.milliseconds)), same + small);
  const counters = details(`All counters${agreeing(columns)}`, scrolled('counters', table));
  counters.open = open;
  const rowOf = (/** @type {Column} */ column) => {
    const at = plain.indexOf(column),
      first = at > 0 && nameOf(plain[0]).length < 24 ? nameOf(plain[0]) : '';
    return variantRow(column, asked, {
      most,
      longest,
      speedup: at < 0 ? null : fast[at],
      first,
      best: column === timed[ahead.winner],
    });
  };
  // What the edits changed comes first; who is ahead, if there are kernels besides.
  const said = [
    ...editsSaid(columns),
    ...(ahead.said && ready && !(edited && now.length < 3) ? [[ahead.said]] : []),
  ];
  board.replaceChildren(
    ...said.flatMap(([textContent, ...more]) => [
      el('p', { className: 'headline', textContent }),
      ...(more.length ? [el('p', {}, ...coded(more.join(' ')))] : []),
    ]),
    ...(said.length && ahead.said
      ? [el('p', { className: 'soft', textContent: ahead.more })]
      : []),
    el('div', { className: 'compare' }, heads(asked), ...columns.map(rowOf)),
    ...(columns.some(({ here }) => here) ? [counters] : []),
  );
}
