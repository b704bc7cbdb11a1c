// A report as a card: what happened, where (each place with its line), why, what to do. Box, check,
// stepper and exercise share it.
import { el, details } from './dom.js';
import { clean, number } from './text.js';
import { doing, placesOf, ranked, sourceOf, titleOf } from './report.js';

/**
 * @typedef {object} Around what a card can use of the place where it is shown
 * @property {(places: any[]) => void} [show] marks the places in the editor and scrolls to the
 * first
 * @property {(place: any) => string|null} [sourceText] the text of a place's source line
 * @property {{label: string, line: number, act: () => void}[]} [undo] edits that can be taken back
 * @property {string} [where] which kernel and size it was
 */

/**
 * @param {any} place
 * @param {Around} around
 */
function placeRow(place, around) {
  const source = sourceOf(place), text = (around.sourceText && around.sourceText(place)) || (place.source && place.source.text) || '', who = doing(place);
  return el('li', {}, ...(source ? [el('span', { className: 'at', textContent: source }), el('code', { textContent: clean(text).trim() })] : []),
    ...(place.instruction ? [el('span', { className: 'at', textContent: `0x${Number(place.address).toString(16)}` }), el('code', { textContent: place.instruction })] : []), ...(who ? [el('mark', { textContent: who })] : []));
}

/**
 * Returns a sentence with its `code` as code, a capital letter first and a full stop at the end.
 * @param {string} said
 * @returns {(Node|string)[]}
 */
function sentence(said) {
  const text = clean(said).trim().replace(/^[a-z]/, letter => letter.toUpperCase()), whole = /[.?!:…]$/.test(text) ? text : `${text}.`;
  return whole.split('`').map((part, i) => (i % 2 ? el('code', { textContent: part }) : part));
}
/** A message without what makes it longer than a screen. @param {string} said */
const short = said => { const text = clean(said); return text.length > 700 ? `${text.slice(0, 600)} …` : text; };
/**
 * Returns a line with a caret; of a long line the part around the caret.
 * @param {string} text
 * @param {number} column from 1; 0: not known
 */
function slip(text, column) {
  const MOST = 120, from = column > MOST - 20 ? column - MOST / 2 : 0, part = `${from ? '…' : ''}${text.slice(from, from + MOST)}${text.length > from + MOST ? '…' : ''}`;
  return el('pre', { className: 'slip', textContent: `${part}${column ? `\n${' '.repeat(Math.max(0, column - 1 - from + (from ? 1 : 0)))}^` : ''}` });
}

/**
 * What to do: the reader's own edits first, since one of them is the cause; then the remedy.
 * @param {string|null} remedy
 * @param {{label: string, act: () => void}[]} undo
 */
function fix(remedy, undo) {
  const buttons = undo.map(({ label, act }) => el('button', { type: 'button', textContent: label, onclick: act }));
  const own = buttons.length ? [el('b', { textContent: `Your edit${buttons.length > 1 ? 's' : ''}: ` }), ...buttons] : [];
  return el('div', { className: 'fix' }, ...own, ...(remedy ? [el('p', {}, el('b', { textContent: own.length ? 'Or: ' : 'What to do: ' }), ...sentence(remedy))] : []));
}

/**
 * @param {any} record
 * @param {any[]} rest
 * @param {Around} around
 */
function card(record, rest, around) {
  const places = placesOf(record), more = Math.max(rest.length, record.merged || 0);
  const parts = [el('h4', { textContent: titleOf(record) }), el('p', { className: 'what' }, ...sentence(short(record.message)))];
  if (record.type === 'error' && record.text) parts.push(slip(record.text, record.column || 0));
  if (record.expected && record.actual && !record.message.includes(String(record.expected.value))) parts.push(el('p', { className: 'measure', textContent: `It needs ${number(Number(record.expected.value))} ${record.expected.unit}; here are ${number(Number(record.actual.value))}.` }));
  if (record.type === 'error' && record.line) parts.push(el('p', { className: 'at', textContent: `line ${record.line}${record.column ? `, column ${record.column}` : ''}` }));
  if (places.length) parts.push(el('ul', { className: 'places-of' }, ...places.map(place => placeRow(place, around))));
  if (record.cause) parts.push(el('p', { className: 'cause' }, el('b', { textContent: 'Why: ' }), ...sentence(record.cause.text)));
  // For an error the edit of its line, for other findings all edits.
  const all = around.undo || [], own = all.filter(one => one.line === record.line), undo = record.type === 'error' && own.length ? own : all;
  if (record.remedy || undo.length) parts.push(fix(record.remedy, undo));
  const lines = record.type === 'error' && record.line ? [{ line: record.line }] : places;
  if (around.show && lines.length) { const { show } = around; parts.push(el('p', {}, el('a', { href: '#try', className: 'show', textContent: lines.length > 1 ? 'Show these lines' : 'Show the line', onclick: (/** @type {Event} */ event) => { event.preventDefault(); show(lines); } }))); }
  const often = record.repeats > 1 ? `It happened ${number(record.repeats)} times` : '', wrong = record.kind === 'mismatch', others = more ? `${number(more)} more ${wrong ? 'wrong element' : 'report'}${more === 1 ? '' : 's'}${wrong ? '' : ' with this cause'}` : '';
  const tail = `${[often, others].filter(Boolean).join('; ')}${around.where ? `${often || others ? ' ' : ''}${around.where}` : ''}.`.replace(/^\.$/, '').replace(/^i/, 'I');
  if (rest.length) parts.push(details(tail || 'Others with this cause', el('ul', { className: 'rest' }, ...rest.map(one => el('li', { textContent: `${titleOf(one)}: ${clean(one.message)}` })))));
  else if (tail) parts.push(el('p', { className: 'tail', textContent: tail }));
  return el('article', { className: `card ${record.severity || 'error'}`, data: { kind: record.kind } }, ...parts);
}

/**
 * Returns cards for the records, the most likely cause first; more than three are folded.
 * @param {any[]} records
 * @param {Around} [around]
 * @returns {HTMLElement[]}
 */
export function cards(records, around = {}) {
  const all = ranked(records).map(({ record, rest }, i) => card(record, rest, i ? { ...around, undo: [] } : around));
  return all.length > 3 ? [...all.slice(0, 3), details(`${all.length - 3} more kinds of report`, ...all.slice(3))] : all;
}
