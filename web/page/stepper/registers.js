// Shows registers and predicates: a strip of 32 cells for the lanes, and their values in words.
import { choice, details, el, scrolled, svg } from '../dom.js';
import { cell } from '../draw.js';
import { bit, FORMS, LANES, lanesIn, patternOf } from './pattern.js';
import { operandsOf, unfinished } from './words.js';
import { counted } from '../text.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Register} Register */
/**
 * @typedef {{name: string, role: string, note: string, said: string, equal: boolean, empty:
 *   boolean, shade: number[], changed: number, words: string[]}} Row a register or predicate, ready
 *   to be shown: `role` is reads, writes, both or ''; `empty` is true if it has no value yet or, as
 *   a predicate, is 0 in all lanes; `words` are written for people
 */

const UNSET = 'ffffffff'; // shown by simrun in lanes that have not written
const MOST_FRESH = 8; // most changed registers whose lanes differ, besides the next instruction's
const CELL = 8; // width of a lane's cell

/**
 * Draws 32 lanes. A darker cell has a larger value. A line below marks the lanes that changed.
 * @param {Row} row
 */
function strip({ shade, changed, words }) {
  const marks = shade.map((value, lane) => {
    const one = cell(lane * CELL + 0.5, 0, CELL - 1, 12, 'lane', `lane ${lane}: ${words[lane]}`);
    one.setAttribute('fill-opacity', (0.16 + 0.84 * value).toFixed(2));
    return one;
  });
  for (let lane = 0; lane < LANES; lane++)
    if (bit(changed, lane)) marks.push(cell(lane * CELL, 14, CELL, 2, 'accent'));
  return svg(
    'svg',
    { class: 'draw strip', viewBox: `0 0 ${LANES * CELL} 16`, 'aria-hidden': 'true' },
    ...marks,
  );
}
/**
 * Returns an entry of a list: name, strip, words; of a register with one value only name and value.
 * @param {Row} row
 */
const entry = row =>
  el('li', { className: `${row.note === 'on its way' ? 'away' : ''}${row.equal ? ' one' : ''}` },
    el('b', { className: row.role, textContent: row.name }),
    ...(row.equal ? [] : [strip(row)]),
    el('span', {
      textContent: /^on|^set/.test(row.note) ? `${row.note}: ${row.said}` : row.said,
    }),
  );
/**
 * Returns a table with a column per lane.
 * @param {string} label
 * @param {string} first the heading of the first column
 * @param {{name: string, words: string[], changed: number}[]} rows
 */
export const grid = (label, first, rows) =>
  scrolled(
    label,
    el('table', { className: 'lanes' },
      el('tr', {},
        el('th', { textContent: first }),
        ...Array.from({ length: LANES }, (_, lane) => el('th', { textContent: lane })),
      ),
      ...rows.map(({ name, words, changed }) =>
        el('tr', {},
          el('th', { scope: 'row', textContent: name }),
          ...words.map((word, lane) =>
            el('td', { className: bit(changed, lane) ? 'new' : '', textContent: word }),
          ),
        ),
      ),
    ),
  );

/**
 * Returns the list of what is unfinished.
 * @param {State} state
 */
function unfinishedShown({ boards, next }) {
  const lines = unfinished(boards, next?.text || '');
  return lines.length
    ? [
        el('h4', { textContent: 'What the scoreboards still count' }),
        el('ul', { className: 'boards' }, ...lines.map(textContent => el('li', { textContent }))),
      ]
    : [el('p', { className: 'soft', textContent: 'Every scoreboard is at 0.' })];
}

export class Registers {
  constructor() {
    const [form, label] = choice('show numbers', FORMS, FORMS[0]);
    this.form = form;
    this.lists = el('div');
    this.boards = el('div');
    this.numbers = el('div');
    this.all = el('div');
    /** @type {State|null} */
    this.state = null;
    form.onchange = () => this.state && this.show(this.state);
    this.box = el('div', { className: 'regs' },
      this.lists,
      this.boards,
      details('The values in each lane', el('p', { className: 'row' }, label), this.numbers),
      details('All registers with values', this.all),
    );
  }
  /**
   * Returns a register ready to be shown.
   * @param {Register} register
   * @param {string} role
   * @returns {Row}
   */
  row({ name, note, changed, words }, role) {
    const empty = note === 'not written' && words.every(word => word === UNSET),
      pattern = patternOf(words, this.form.value);
    return {
      ...pattern,
      name,
      role,
      note,
      changed,
      empty,
      said: empty ? 'not written yet' : pattern.said,
      words: empty ? words.map(() => '–') : pattern.written,
    };
  }
  /**
   * Shows what the next instruction uses, and what the last command changed.
   * @param {State} state
   */
  show(state) {
    this.state = state;
    const operands = state.next ? operandsOf(state.next.text) : [],
      named = (/** @type {boolean} */ writes) =>
        new Set(operands.filter(one => one.writes === writes).flatMap(({ names }) => names)),
      [writes, reads] = [named(true), named(false)];
    const roleOf = (/** @type {string} */ name) =>
      [reads.has(name) ? 'reads' : '', writes.has(name) ? 'writes' : ''].join(' ').trim();
    const rows = [
      ...state.registers.map(one => this.row(one, roleOf(one.name))),
      ...state.predicates.map(one => predicateRow(one, roleOf(one.name))),
    ];
    const ofNext = rows.filter(({ role }) => role),
      changed = rows.filter(({ role, changed: lanes }) => !role && lanes),
      known = rows.filter(({ empty }) => !empty);
    ofNext.sort((a, b) => Number(b.role.startsWith('r')) - Number(a.role.startsWith('r')));
    const differ = changed.filter(({ equal }) => !equal),
      fresh = [...differ.slice(0, MOST_FRESH), ...changed.filter(({ equal }) => equal)],
      { ran } = state.warp;
    const legend = ['reads', 'writes']
      .filter(role => ofNext.some(one => one.role.includes(role)))
      .flatMap((role, i) => [
        i ? ' and ' : ' ',
        el('span', { className: role, textContent: role }),
      ]);
    this.lists.replaceChildren(
      ...listed(['The next instruction', ...legend], ofNext),
      ...listed(
        [
          'Changed by the last command' +
            (ran > 1 ? `, ${ran} instructions: ${counted(changed.length, 'register')}` : '') +
            (fresh.length < changed.length ? `, of which ${fresh.length} are here` : ''),
        ],
        fresh,
      ),
    );
    this.numbers.replaceChildren(grid('registers', 'lane', [...ofNext, ...fresh]));
    this.boards.replaceChildren(...unfinishedShown(state));
    this.all.replaceChildren(...listed([], known));
  }
}
/**
 * Returns a heading and a list of registers, those with one value behind the others; nothing if
 * there are none.
 * @param {(Node|string)[]} heading
 * @param {Row[]} rows
 */
function listed(heading, rows) {
  const alike = rows.filter(({ equal }) => equal);
  return rows.length
    ? [
        ...(heading.length ? [el('h4', {}, ...heading)] : []),
        el('ul', {},
          ...rows.filter(({ equal }) => !equal).map(entry),
          ...(alike.length
            ? [el('li', { className: 'one' }, el('span', {}, 'Alike in all lanes:'))]
            : []),
          ...alike.map(entry),
        ),
      ]
    : [];
}
/**
 * Returns a predicate ready to be shown.
 * @param {import('./state.js').Predicate} predicate
 * @param {string} role
 * @returns {Row}
 */
function predicateRow({ name, mask, before }, role) {
  const shade = Array.from({ length: LANES }, (_, lane) => bit(mask, lane)),
    equal = shade.every(one => one === shade[0]);
  return {
    name,
    role,
    note: '',
    equal,
    shade,
    empty: !mask,
    changed: mask ^ before,
    words: shade.map(String),
    said: equal ? String(shade[0]) : `1 in ${lanesIn(mask)}`,
  };
}
