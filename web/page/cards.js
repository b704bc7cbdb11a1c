// Draws reports as cards: what happened, where (each place with its source line), why, and what to
// do. Boxes, editors, steppers and exercises show their reports with this.
import { button, coded, el, details } from './dom.js';
import { clean, number } from './text.js';
import { doing, placesOf, ranked, sourceOf, titleOf } from './report.js';

/**
 * @typedef {{label: string, line: number, edits: import('./edits.js').Edit[], act: () => void}}
 *   Undo act() undoes the edits
 */
/**
 * @typedef {object} Around what a card needs from the box, stepper or exercise that shows it
 * @property {(places: Place[]) => void} [show] marks the places in the editor and scrolls to the
 *   first
 * @property {(place: Place) => string|null} [sourceText] returns the text of a place's source line
 * @property {Undo[]} [undo] the reader's edits
 * @property {boolean} [folded] true if cause and remedy are hidden, because they give the answer
 *   away
 * @property {string} [where] words for the run, e.g. "in the run at N = 64"
 */

/**
 * Returns the cells of a row: where, and the code.
 * @param {string} at
 * @param {string} code
 */
const cells = (at, code) => [
  el('span', { className: 'at', textContent: at }),
  el('code', { textContent: code }),
];
/**
 * Returns a row for one place of a report: source line, instruction, and what the warp did there.
 * @param {Place} place
 * @param {Place[]} above the places of earlier rows: a source line stands in the first of its rows
 * @param {Around} around
 */
function placeRow(place, above, { sourceText, show }) {
  const source = sourceOf(place),
    text = clean(sourceText?.(place) || place.source?.text || '').trim(),
    who = doing(place),
    // Without a source line, the instruction was written in machine code. Prefers its text there,
    // in which registers may have names, to the decoded instruction.
    code = (!source && text) || place.instruction;
  return el(
    'li',
    {},
    ...(source && !above.some(one => sourceOf(one) === source) ? cells(source, text) : []),
    ...(place.instruction ? cells(`0x${Number(place.address).toString(16)}`, code || '') : []),
    ...(show ? [showLink([place], show)] : []),
    ...(who ? [el('mark', { textContent: who })] : []),
  );
}

/**
 * Returns a line of machine code without its control fields, such as `--:-:-:Y:4`.
 * @param {string} line
 */
const bare = line => line.replace(/^\s*\S+:\S+:\S+:\S+:\S+\s+/, '');
/**
 * Returns an edit's first line before and after, with the control fields only if nothing else
 * differs.
 * @param {{before: string[], after: string[]}} edit
 */
export function codesOf({ before, after }) {
  const codes = [before, after].map(lines => (lines.find(one => one.trim()) || '').trim()),
    [was, is] = codes.map(bare);
  return was === is ? codes : [was, is];
}

/**
 * Returns a row for the edit that caused a report: its line number, the new and the old code.
 * @param {{line: number, before: string[], after: string[]}} edit
 * @param {Place|undefined} at the report's place there
 * @param {Around} around
 */
function editRow({ line, before, after }, at, { show }) {
  const [was, is] = codesOf({ before, after });
  return el(
    'li',
    { className: 'edited' },
    el('span', { className: 'at', textContent: `line ${line}` }),
    is ? el('code', { textContent: is }) : el('code', {}, el('del', { textContent: was })),
    ...(show ? [showLink([/** @type {Place} */ ({ line })], show)] : []),
    ...(is && was
      ? [el('span', { className: 'soft was' }, 'was ', el('code', { textContent: was }))]
      : []),
    el('mark', { textContent: is ? (was ? 'your edit' : 'you put it in') : 'you took it out' }),
    ...(at && doing(at) ? [el('mark', { textContent: doing(at) })] : []),
  );
}
/**
 * Returns a text as a sentence: with a capital letter, a full stop, and a code element for each
 * part in backquotes.
 * @param {string} said
 * @returns {(Node|string)[]}
 */
function sentence(said) {
  const text = clean(said)
      .trim()
      .replace(/^[a-z]/, letter => letter.toUpperCase()),
    whole = /[.?!:…]$/.test(text) ? text : `${text}.`;
  return coded(whole);
}
/**
 * Returns a message, shortened if it has more than 700 characters.
 * @param {string} said
 */
const short = said => {
  const text = clean(said);
  return text.length > 700 ? `${text.slice(0, 600)} …` : text;
};
/**
 * Returns a line of code with a caret below a column. Cuts a long line to the part near the caret.
 * @param {string} text
 * @param {number} column from 1; 0: not known
 */
function slip(text, column) {
  const MOST = 120,
    from = column > MOST - 20 ? column - MOST / 2 : 0,
    before = from ? '…' : '',
    part = before + text.slice(from, from + MOST) + (text.length > from + MOST ? '…' : ''),
    blanks = Math.max(0, column - 1 - from + before.length);
  return el('pre', {
    className: 'slip',
    textContent: column ? `${part}\n${' '.repeat(blanks)}^` : part,
  });
}

/**
 * Returns a paragraph with a head in bold.
 * @param {string} head
 * @param {string} said
 */
const headed = (head, said) => el('p', {}, el('b', { textContent: head }), ...sentence(said));

/**
 * Returns the part of a card that says what to do: buttons that undo the reader's edits, then the
 * remedy.
 * @param {string|null} remedy
 * @param {Undo[]} undo
 */
function fix(remedy, undo) {
  const many = undo.flatMap(({ edits }) => edits).length > 1 ? 's' : '',
    own = undo.length ? [el('b', { textContent: `Your edit${many}: ` })] : [];
  return el(
    'div',
    { className: 'fix' },
    ...own,
    ...undo.map(({ label, act }) => button(label, act)),
    ...(remedy ? [headed(own.length ? 'Or: ' : 'What to do: ', remedy)] : []),
  );
}

/**
 * Returns the line with an error of the assembler, a caret below the error, and the line's number.
 * @param {Report} record
 */
function errorParts({ text, line, column }) {
  const at = `line ${line}${column ? `, column ${column}` : ''}`;
  return [
    ...(text ? [slip(text, column || 0)] : []),
    ...(line ? [el('p', { className: 'at', textContent: at })] : []),
  ];
}
/**
 * Returns a sentence with the expected and the actual amount, unless the message has it.
 * @param {Report} record
 */
function measure({ expected, actual, message }) {
  if (!expected || !actual) return [];
  const needed = number(Number(expected.value));
  if (message.includes(needed) || message.includes(String(expected.value))) return [];
  const said = `It needs ${needed} ${expected.unit}; here are ${number(Number(actual.value))}.`;
  return [el('p', { className: 'measure', textContent: said })];
}
/**
 * Returns a link that marks the places of a report in the editor.
 * @param {Place[]} lines the places
 * @param {(places: Place[]) => void} show
 */
function showLink(lines, show) {
  const onclick = (/** @type {Event} */ event) => {
    event.preventDefault();
    show(lines);
  };
  return el('a', { href: '#try', className: 'show', textContent: 'Show the line', onclick });
}
const MOST_RESTS = 9; // most other reports that a card lists
/**
 * Returns the end of a card: how often the finding occurred, and other reports with its cause.
 * @param {Report} record
 * @param {Report[]} rest the other reports
 * @param {string} where words for the run
 */
function tailOf(record, rest, where) {
  const more = Math.max(rest.length, record.merged || 0);
  const what =
    record.kind === 'mismatch'
      ? 'of the wrong elements'
      : `report${more === 1 ? '' : 's'} with this cause`;
  const { repeats = 1 } = record;
  const often = repeats > 1 ? `It happened ${number(repeats)} times` : '';
  const others = more ? `${number(more)} more ${what}` : '';
  const said = [[often, others].filter(Boolean).join('; '), where]
    .filter(Boolean)
    .join(' ')
    .replace(/^[a-z]/, letter => letter.toUpperCase());
  if (rest.length) {
    const lines = rest
      .slice(0, MOST_RESTS)
      .map(one => el('li', { textContent: `${titleOf(one)}: ${clean(one.message)}` }));
    if (rest.length > MOST_RESTS)
      lines.push(el('li', { textContent: `and ${number(rest.length - MOST_RESTS)} more` }));
    return [
      details(
        said ? `${said}.` : 'Others with this cause',
        el('ul', { className: 'rest' }, ...lines),
      ),
    ];
  }
  return said ? [el('p', { className: 'tail', textContent: `${said}.` })] : [];
}
/**
 * Returns the edits that may have caused a report. For an assembler's error these are the edits of
 * its line, if there are any.
 * @param {Report} record
 * @param {Around} around
 */
function editsBehind(record, { undo = [] }) {
  const own = undo.filter(one => one.line === record.line);
  return record.type === 'error' && own.length ? own : undo;
}

/**
 * Returns what a report is about: the edit that caused it, or else its kind and place. The linter
 * and a run may both report it.
 * @param {Report} record
 */
export const cardOf = ({ kind, place, edit }) =>
  edit ? `edit ${edit.line}` : `${kind} ${place?.address}`;

/**
 * Returns the card of one report.
 * @param {Report} record
 * @param {Report[]} rest other reports with its cause
 * @param {Around} around
 */
function card(record, rest, around) {
  const isError = record.type === 'error';
  const places = placesOf(record).filter(place => place !== record.at),
    rows = [
      ...(record.edit ? [editRow(record.edit, record.at, around)] : []),
      ...places.map((place, i) => placeRow(place, places.slice(0, i), around)),
    ];
  const undo = editsBehind(record, around);
  const why = [
    ...(record.cause ? [headed('Why: ', record.cause.text)] : []),
    ...(record.remedy || undo.length ? [fix(record.remedy || null, undo)] : []),
  ];
  return el(
    'article',
    {
      className: `card ${record.severity || 'error'}`,
      data: { kind: record.kind, of: cardOf(record) },
    },
    el('h4', { textContent: titleOf(record) }),
    el('p', { className: 'what' }, ...sentence(short(record.message))),
    ...(isError ? errorParts(record) : []),
    ...measure(record),
    ...(rows.length ? [el('ul', { className: 'places-of' }, ...rows)] : []),
    ...(around.folded && !isError && why.length
      ? [details('What to do (gives the answer away)', ...why)]
      : why),
    ...(around.show && isError && record.line
      ? [el('p', {}, showLink([/** @type {Place} */ ({ line: record.line })], around.show))]
      : []),
    ...tailOf(record, rest, around.where || ''),
  );
}

/**
 * Returns the cards of records, in the order of ranked(). Cards after the third are in a fold. Only
 * the first card offers to undo edits.
 * @param {Report[]} records
 * @param {Around} [around]
 * @returns {HTMLElement[]}
 */
export function cards(records, around = {}) {
  const all = ranked(records).map(({ record, rest }, i) =>
    card(record, rest, i ? { ...around, undo: [] } : around),
  );
  return all.length > 3
    ? [...all.slice(0, 3), details(`${all.length - 3} more kinds of report`, ...all.slice(3))]
    : all;
}
