// Steps through a block's warps, one instruction at a time (simrun --step). A position is the list
// of commands so far; each new command runs all of them again.
import { button, choice, el, scrolled } from './dom.js';
import { clean } from './text.js';
import { explained, requestOf } from './explain.js';
import { figure, requestPicture } from './draw.js';
import { does, opcodeOf } from './opcodes.js';
import { cards } from './cards.js';
import { reportsOf } from './report.js';
import { decoded, reason, records } from './programs.js';
import * as Lines from './lines.js';

const LANES = 32, NAMES = ['as', 'registers'];
/**
 * @param {number} mask
 * @param {number} lane
 */
const bit = (mask, lane) => mask >>> lane & 1;
const lanes = (/** @type {(lane: number) => any} */ each) => [...Array(LANES).keys()].map(each);
/** @type {Record<string, (word: string) => string>} */
const WRITTEN = { hex: word => word.padStart(8, '0'), int: word => String(parseInt(word, 16) | 0), float: word => String(Number(new Float32Array(new Uint32Array([parseInt(word, 16)]).buffer)[0].toPrecision(5))) };

/**
 * What the command `csv` prints, by kind: rows of words.
 * @param {string} said
 */
function readState(said) {
  /** @type {Record<string, string[][]>} */
  const rows = { code: [], ran: [], warp: [], register: [], predicate: [], scoreboard: [], shared: [], at: [] }, text = clean(said);
  for (const line of text.split('\n')) {
    const kind = line.slice(0, line.indexOf(','));
    if (kind in rows) rows[kind].push(line.slice(kind.length + 1).split(','));
  }
  return { .../** @type {any} */ (rows), request: (/^lane,.*\n(\d.*\n)*/m.exec(text) || [''])[0] };
}

/**
 * A row per thing, a column per lane; one cell where all lanes have the same.
 * @param {string} label
 * @param {string} first
 * @param {{name: string, note?: string, words: string[], changed: number}[]} things
 */
function grid(label, first, things) {
  const alike = (/** @type {string[]} */ words) => words.every(word => word === words[0]);
  return scrolled(label, el('table', { className: 'lanes' }, el('tr', {}, el('th', { textContent: first }), ...lanes(lane => el('th', { textContent: lane }))),
    ...things.map(({ name, note, words, changed }) => el('tr', { className: note ? 'away' : '' }, el('th', { scope: 'row', textContent: name, ...(note ? { data: { tip: note } } : {}) }),
      ...(alike(words) && [0, -1].includes(changed | 0) ? [el('td', { colSpan: LANES, className: changed ? 'new' : '', textContent: `${words[0]} in all` })]
        : words.map((word, lane) => el('td', { className: bit(changed, lane) ? 'new' : '', textContent: word })))))));
}

/**
 * "warps 1 to 7 75 each, warp 8 12", of warps in their order.
 * @param {string[][]} warps
 */
function together(warps) {
  /** @type {{from: number, to: number, ran: string}[]} */
  const parts = [];
  for (const [number, , , , , , ran] of warps) {
    const last = parts[parts.length - 1];
    if (last && last.ran === ran && Number(number) === last.to + 1) last.to++;
    else parts.push({ from: Number(number), to: Number(number), ran });
  }
  return parts.map(({ from, to, ran }) => (from === to ? `warp ${from} ${ran} instructions` : `warps ${from} to ${to} ${ran} each`)).join(', ');
}

/**
 * The control column of a line of code: wait mask, write and read scoreboard, yield, stall.
 * @param {string} text
 */
export function controlOf(text) {
  const [mask = '--', read = '-', write = '-', , stall = '0'] = text.trim().split(/\s+/)[0].split(':');
  const waits = [0, 1, 2, 3, 4, 5].filter(i => parseInt(mask, 16) >> i & 1).map(i => i + 1);
  return { waits, sets: [read, write].filter(one => one !== '-'), stall: parseInt(stall, 16) || 0 };
}

/**
 * What an instruction does and what it waits for, in a sentence.
 * @param {string} text
 * @param {string[][]} boards scoreboards: number, by, cells
 */
function sentenceOf(text, boards) {
  const opcode = opcodeOf(text), what = does(opcode), { waits, stall } = controlOf(text);
  const pending = waits.map(number => boards.find(row => row[0] === String(number) && row[2])).filter(Boolean).map(row => /** @type {string[]} */ (row)[2].replace(/&/g, '').split(' ')).flat();
  const wait = pending.length ? ` First it waits until ${pending.slice(0, 4).join(', ')}${pending.length > 4 ? ' …' : ''} ${pending.length > 1 ? 'are' : 'is'} there.` : waits.length ? ` It waits for scoreboard ${waits.join(' and ')}, which nothing holds up now.` : '';
  return `${opcode || 'It'} ${what || 'is next'}.${wait} After it the warp pauses ${stall} cycle${stall === 1 ? '' : 's'}.`;
}

/**
 * @param {{step: string, name: string, run: (commands: string) => Promise<Run>}} kernel
 * @returns {{box: HTMLElement, again: (...commands: string[]) => Promise<void>}}
 */
export function openStepper({ step, name, run }) {
  const place = el('p', { role: 'status', className: 'place' }), sentence = el('p', { className: 'sentence' }), code = el('pre', { className: 'listing code-steps', tabIndex: 0, ariaLabel: 'instructions' }), shown = el('div');
  const [form, formLabel] = choice(NAMES[0], ['hex', 'int', 'float'], 'hex'), [which, whichLabel] = choice(NAMES[1], ['of this step', 'all'], 'of this step');
  const warp = el('select', { ariaLabel: 'warp' });
  /** @type {string[][]} */
  let log = [];
  /** @type {any} */
  let state = null;
  /** @type {any[]} reports up to here */
  let found = [];
  let busy = false;
  /** @type {number[]} lines of kernel.cu that the instructions come from */
  let lines = [];
  const view = { box: code, lines: () => lines, light: (/** @type {number} */ line) => code.querySelectorAll('a').forEach((/** @type {Element} */ one, /** @type {number} */ i) => one.classList.toggle('lit', Boolean(line) && lines[i] === line)),
    go: (/** @type {number} */ line) => { code.querySelectorAll('a')[lines.indexOf(line)]?.focus(); } };

  function listing() {
    const [now] = state.warp.filter((/** @type {string[]} */ row) => row[0] === state.at[0][0]), last = state.at[0][1];
    lines = state.code.map((/** @type {string[]} */ [, place]) => Lines.lineOf(step, place));
    code.replaceChildren(...state.code.flatMap((/** @type {string[]} */ [address, , ...text], /** @type {number} */ i) => [el('a', { href: '#try', className: address === now[2] && now[1] !== 'ended' ? 'next' : address === last ? 'last' : '',
      textContent: `${address.padStart(4, '0')}  ${text.join(',')}`, onclick: (/** @type {Event} */ event) => { event.preventDefault(); act(`to 0x${address}`); }, onfocus: () => Lines.show(lines[i]), onpointerenter: () => Lines.show(lines[i]) }), '\n']));
    const next = code.querySelector('.next');
    if (next) code.scrollTop = next.offsetTop - code.clientHeight / 3;
    Lines.view(view);
    Lines.show(lines[state.code.findIndex((/** @type {string[]} */ [address]) => address === now[2])] || 0);
    return now;
  }
  // Returns the registers to show: those of the last and the next instruction, then others that
  // changed, at most eight.
  function ofThisStep(/** @type {string[]} */ now) {
    const texts = state.code.filter((/** @type {string[]} */ [address]) => address === now[2] || address === state.at[0][1]).map((/** @type {string[]} */ row) => row.slice(2).join(','));
    const named = new Set();
    for (const [, kind, number, wide] of texts.join(' ').matchAll(/\b(U?R)(\d+)(\.64)?/g)) [0, wide ? 1 : 0].forEach(more => named.add(`${kind}${Number(number) + more}`));
    const own = state.register.filter((/** @type {string[]} */ row) => named.has(row[0])), fresh = state.register.filter((/** @type {string[]} */ row) => !named.has(row[0]) && row[2] !== '0');
    return { own, fresh: fresh.slice(0, 8), left: Math.max(0, fresh.length - 8) };
  }
  function memory() {
    const touched = new Set(state.request.split('\n').slice(1).map((/** @type {string} */ row) => Math.floor(Number(row.split(',')[1]) / 128)));
    const rows = state.shared.filter((/** @type {string[]} */ row) => row[1] !== '0' || (/^lane,address,phase/.test(state.request) && touched.has(parseInt(row[0], 16) / 128)));
    const all = rows.length ? rows : state.shared.slice(0, 8);
    if (!all.length) return [];
    return [el('h4', { textContent: `Shared memory, ${rows.length ? 'the rows that were touched' : 'its first rows'}: one column per bank` }),
      grid('shared memory', 'bank', all.slice(0, 32).map((/** @type {string[]} */ [address, changed, unwritten, ...words]) => ({ name: `0x${address}`, changed: parseInt(changed, 16), words: words.map((word, lane) => (bit(parseInt(unwritten, 16), lane) ? '·' : WRITTEN[form.value](word))) })))];
  }
  /** @param {string[]} row */
  const register = ([name, note, changed, ...words]) => ({ name, note, changed: parseInt(changed, 16), words: words.map(WRITTEN[form.value]) });
  function request() {
    if (!state.request) return [];
    const asked = requestOf(state.request), last = state.code.find((/** @type {string[]} */ row) => row[0] === state.at[0][1]), store = /\bST[SG]/.test(last ? last.slice(2).join(',') : '');
    return [figure(asked.kind === 'shared' ? 'The last request: one row per wavefront, one column per bank' : 'The last request: lanes over 32-byte sectors', requestPicture(asked), ...explained(asked, store).map(line => el('span', { textContent: `${line} ` })))];
  }
  function draw() {
    const now = listing(), line = state.code.find((/** @type {string[]} */ [address]) => address === now[2]) || [, '', ''], text = line.slice(2).join(','), all = which.value === 'all', { own, fresh, left } = ofThisStep(now);
    const others = state.warp.filter((/** @type {string[]} */ row) => row[0] !== now[0] && row[6] !== '0'), boards = state.scoreboard.filter((/** @type {string[]} */ row) => row[2]);
    if (warp.length !== state.warp.length) warp.replaceChildren(...state.warp.map((/** @type {string[]} */ [value]) => el('option', { value, textContent: value })));
    warp.value = now[0];
    place.textContent = `Warp ${now[0]} has done ${now[3]} instruction${now[3] === '1' ? '' : 's'}${now[1] === 'ended' ? ' and has ended' : ` and stands at 0x${now[2]}${line[1] ? ` (${line[1].replace(/(.*):/, '$1, line ')})` : ''}`}.${others.length ? ` Meanwhile others ran: ${together(others)}.` : ''}`;
    sentence.textContent = now[1] === 'ended' ? '' : sentenceOf(text, boards);
    const shownRegisters = all ? state.register.filter((/** @type {string[]} */ row) => !/^UR/.test(row[0]) || row.slice(3).some(word => word !== 'ffffffff')) : [...own, ...fresh];
    const predicates = state.predicate.filter((/** @type {string[]} */ [, mask, before]) => mask !== before || (all && mask !== '0')).map((/** @type {string[]} */ [name, mask, before]) => ({ name, changed: parseInt(mask, 16) ^ parseInt(before, 16), words: lanes(lane => String(bit(parseInt(mask, 16), lane))) }));
    shown.replaceChildren(...cards(found), ...request(),
      el('h4', { textContent: 'Registers: one column per lane, those of this instruction first' }), grid('registers', 'lane', [...shownRegisters.map(register), ...predicates]),
      ...(left && !all ? [el('p', { className: 'soft', textContent: `${left} more registers changed: choose "all" to see them.` })] : []),
      el('p', { textContent: boards.length ? 'On their way:' : 'No scoreboard is set: nothing is on its way.' }), el('ul', {}, ...boards.map((/** @type {string[]} */ [number, by, cells]) => el('li', { textContent: `scoreboard ${number}, set at 0x${by}: ${cells.split(' ').map(one => (one[0] === '&' ? `${one.slice(1)} may not have been read` : `${one} on its way`)).join(', ')}${controlOf(text).waits.includes(Number(number)) ? '; the next instruction waits for it' : ''}` }))),
      ...memory());
  }
  /**
   * One command at a time.
   * @param {string} command
   */
  async function act(command) {
    if (busy) return;
    busy = true;
    const told = await run([...log.map(([one, count]) => `replay ${one}:${count}`), ...(state ? [`warp ${warp.value}`] : []), ...(command ? [command] : []), 'csv', 'code', ''].join('\n'));
    busy = false;
    const next = readState(told.out);
    if (told.status || !next.at.length) return void (place.textContent = `It cannot be stepped: ${reason(told)}`);
    [state, log, found] = [next, next.ran, reportsOf(records(decoded(told.files['r.json'])))];
    draw();
    box.dataset.steps = String(Number(box.dataset.steps || 0) + 1);
  }
  form.onchange = which.onchange = () => state && draw();
  warp.onchange = () => act('');
  const again = (/** @type {string[]} */ ...commands) => { [log, state] = [[], null]; return act(commands.join('\n')); };
  const box = el('div', { className: 'stepper' }, el('h4', { textContent: name }), el('p', { className: 'row' }, el('label', {}, 'warp ', warp), button('Step', () => act('step')), button('10', () => act('step 10')), button('Back', () => act('back')), button('The others', () => act('others')), button('From the start', () => again()), formLabel, whichLabel), place, sentence, el('div', { className: 'beside' }, code, el('div', { className: 'source-slot' })), shown);
  return { box, again };
}
