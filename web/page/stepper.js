// Steps through a block's warps, one instruction at a time, by `simrun --step`. simrun keeps no
// state between runs: each command of the reader first replays all instructions so far.
import { button, choice, el, scrolled } from './dom.js';
import { clean, mainLoop } from './text.js';
import { explained, requestOf } from './explain.js';
import { figure, requestPicture } from './draw.js';
import { doesHere, opcodeOf } from './opcodes.js';
import { reason } from './programs.js';

const LANES = 32,
  NAMES = ['show numbers', 'show registers'];
const ALL = 'all of them';
/** The forms in which the reader can see numbers. */
const FORMS = ['as suits them', 'hexadecimal', 'whole numbers', 'floats'];
/**
 * Returns a lane's bit of a mask.
 * @param {number} mask
 * @param {number} lane
 */
const bit = (mask, lane) => (mask >>> lane) & 1;
const lanes = (/** @type {(lane: number) => any} */ each) => [...Array(LANES).keys()].map(each);
/**
 * Functions that write a word, given in hexadecimal, in one of FORMS.
 * @type {Record<string, (word: string) => string>}
 */
const WRITTEN = {
  hexadecimal: word => word.padStart(8, '0'),
  'whole numbers': word => String(parseInt(word, 16) | 0),
  floats: word =>
    String(
      Number(new Float32Array(new Uint32Array([parseInt(word, 16)]).buffer)[0].toPrecision(5)),
    ),
};

/**
 * Returns the rows that the commands `csv` and `code` print, by their first word, and the last
 * request to memory as CSV.
 * @param {string} said simrun's output
 */
function readState(said) {
  /** @type {Record<string, string[][]>} */
  const rows = {
      code: [],
      ran: [],
      warp: [],
      register: [],
      predicate: [],
      scoreboard: [],
      shared: [],
      at: [],
    },
    text = clean(said);
  for (const line of text.split('\n')) {
    const kind = line.slice(0, line.indexOf(','));
    if (kind in rows) rows[kind].push(line.slice(kind.length + 1).split(','));
  }
  return { .../** @type {any} */ (rows), request: (/^lane,.*\n(\d.*\n)*/m.exec(text) || [''])[0] };
}

/**
 * Returns a table with a row per register or address and a column per lane. A row with equal values
 * has one wide cell.
 * @param {string} label
 * @param {string} first the heading of the first column
 * @param {{name: string, note?: string, words: string[], changed: number}[]} things
 */
function grid(label, first, things) {
  const alike = (/** @type {string[]} */ words) => words.every(word => word === words[0]);
  return scrolled(
    label,
    el(
      'table',
      { className: 'lanes' },
      el(
        'tr',
        {},
        el('th', { textContent: first }),
        ...lanes(lane => el('th', { textContent: lane })),
      ),
      ...things.map(({ name, note, words, changed }) =>
        el(
          'tr',
          { className: note === 'on its way' ? 'away' : '' },
          el('th', { scope: 'row', textContent: name, ...(note ? { data: { tip: note } } : {}) }),
          ...(alike(words) && [0, -1].includes(changed | 0)
            ? [
                el('td', {
                  colSpan: LANES,
                  className: changed ? 'new' : '',
                  textContent: `${words[0]} in all lanes`,
                }),
              ]
            : words.map((word, lane) =>
                el('td', { className: bit(changed, lane) ? 'new' : '', textContent: word }),
              )),
        ),
      ),
    ),
  );
}

/**
 * Says how many instructions warps ran: "warps 1 to 7 75 instructions each, warp 8 12
 * instructions".
 * @param {string[][]} warps rows of the kind `warp`
 */
function together(warps) {
  /** @type {{from: number, to: number, ran: string}[]} */
  const parts = [];
  for (const [number, , , , , , ran] of warps) {
    const last = parts[parts.length - 1];
    if (last && last.ran === ran && Number(number) === last.to + 1) last.to++;
    else parts.push({ from: Number(number), to: Number(number), ran });
  }
  return parts
    .map(({ from, to, ran }) =>
      from === to
        ? `warp ${from} ${ran} instruction${ran === '1' ? '' : 's'}`
        : `warps ${from} to ${to} ${ran} instruction${ran === '1' ? '' : 's'} each`,
    )
    .join(', ');
}

/**
 * Returns the scoreboards for which a line waits, the scoreboards that it sets, and its stall
 * count.
 * @param {string} text
 */
export function controlOf(text) {
  const [mask = '--', read = '-', write = '-', , stall = '0'] = text
    .trim()
    .split(/\s+/)[0]
    .split(':');
  const waits = [0, 1, 2, 3, 4, 5].filter(i => (parseInt(mask, 16) >> i) & 1).map(i => i + 1);
  return { waits, sets: [read, write].filter(one => one !== '-'), stall: parseInt(stall, 16) || 0 };
}

/**
 * Returns a sentence about the lanes that execute an instruction; '' if all do.
 * @param {string} text
 */
function guardOf(text) {
  const [, not, name] = /@(!?)(U?P\d)\s/.exec(text) || [];
  return name ? ` Only in lanes where ${name} is ${not ? '0' : '1'}.` : '';
}

/**
 * Returns sentences about the next instruction: what it does, in which lanes, what it waits for.
 * @param {string} text the instruction
 * @param {string[][]} boards rows of scoreboards: number, address of the instruction that set it,
 *   registers that it still guards
 */
function sentenceOf(text, boards) {
  const opcode = opcodeOf(text),
    what = doesHere(text),
    { waits, stall } = controlOf(text);
  const pending = waits
    .map(number => boards.find(row => row[0] === String(number) && row[2]))
    .filter(Boolean)
    .map(row => /** @type {string[]} */ (row)[2].replace(/&/g, '').split(' '))
    .flat();
  const wait = pending.length
    ? ` First it waits until ${pending.slice(0, 4).join(', ')}` +
      `${pending.length > 4 ? ' …' : ''} ` +
      `${pending.length > 1 ? 'are' : 'is'} there.`
    : waits.length
      ? ` It would wait for scoreboard ${waits.join(' and ')}, but nothing is pending there.`
      : '';
  return (
    `Next: ${opcode || 'the instruction'} ${what || 'is not explained here'}.` +
    `${guardOf(text)}${wait} The warp can issue again ${stall} ` +
    `cycle${stall === 1 ? '' : 's'} after it.`
  );
}

/**
 * Says why a command `to ADDRESS` did not bring the warp to that address: it ended, loops or waits
 * for ever. Returns '' if the warp arrived, and for other commands.
 * @param {string} command
 * @param {any} state after the command
 * @param {any} before the state before the command
 */
function missedBy(command, state, before) {
  const [, target] = /^to 0x([0-9a-f]+)$/.exec(command) || [];
  const [warp, how, place] = state.warp.find(
    (/** @type {string[]} */ row) => row[0] === state.at[0][0],
  );
  if (!target || (place === target && how !== 'ended')) return '';
  /** @type {Record<string, string>} */
  const ends = { ended: 'it ends first', ready: `it loops at 0x${place}` };
  const end = ends[how] || `it waits at 0x${place} for ever`;
  const stood = before.warp.find((/** @type {string[]} */ row) => row[0] === warp)[2];
  return stood === target
    ? `Warp ${warp} stands at 0x${target} and never comes back to it: ${end}. It stays where it is.`
    : `From 0x${stood} on warp ${warp} never comes to 0x${target}: ${end}. It stays at 0x${stood}.`;
}

const UNSET = 'ffffffff'; // shown by simrun for a register that nothing has written
const MOST_FRESH = 8; // most changed registers shown besides those of the last and next instruction
const MOST_ROWS = 32; // most rows of shared memory that are shown
/**
 * Returns the instruction in a row of code. The row has been split at commas, also inside the
 * instruction: address, source line, parts of the instruction.
 * @param {string[]} row
 */
const textOf = row => row.slice(2).join(',');

/** Turns a jump's address into a label that mainLoop() reads: x16 for 0x10. @param {string} text */
const jumping = text =>
  text.replace(/(BRA.*)0x([0-9a-f]+)/, (_all, start, at) => `${start}x${parseInt(at, 16)}`);

/**
 * Returns the command that runs to the first instruction of the loop with the most arithmetic; ''
 * if there is no loop.
 * @param {string[][]} code rows of the kind `code`
 */
function loopOf(code) {
  const text = code.map(row => `x${parseInt(row[0], 16)}: ${jumping(textOf(row))} ;`);
  const loop = mainLoop(text.join('\n'));
  return loop ? `to 0x${code[loop.first][0]}` : '';
}

const LEGEND =
  'Each line: address; scoreboards to wait for (a bit each): scoreboard of its reads: scoreboard ' +
  'of its result: Y, another warp may go first: cycles until the warp issues again; instruction. ' +
  'Numbers are hexadecimal. A click runs the warp up to a line.';

/**
 * @typedef {{step: string, name: string, run: (commands: string) => Promise<Run>,
 *   cardsOf: (run: Run) => HTMLElement[], Lines: typeof import('./lines.js')}} Kernel what the
 *   stepper uses of its page: `run` runs its commands, `cardsOf` makes cards of a run's reports
 */

class Stepper {
  /** @param {Kernel} kernel */
  constructor({ step, name, run, cardsOf, Lines }) {
    this.step = step;
    this.run = run;
    this.cardsOf = cardsOf;
    this.Lines = Lines;
    this.place = el('p', { role: 'status', className: 'place' });
    this.sentence = el('p', { className: 'sentence' });
    this.code = el('pre', {
      className: 'listing code-steps',
      tabIndex: 0,
      role: 'group',
      ariaLabel: 'instructions: a click runs the warp to one',
    });
    this.shown = el('div');
    const [form, formLabel] = choice(NAMES[0], FORMS, FORMS[0]);
    const [which, whichLabel] = choice(NAMES[1], ['of this step', ALL], 'of this step');
    this.form = form;
    this.which = which;
    this.warp = el('select', { ariaLabel: 'step warp' });
    /** @type {string[][]} what ran so far: [warp, number of instructions], in order */
    this.log = [];
    /** @type {any} the result of readState() after the last command */
    this.state = null;
    /** @type {HTMLElement[]} cards of the reports on all that ran so far */
    this.found = [];
    this.busy = false;
    /** @type {number[]} the line of kernel.cu of each instruction; 0: none */
    this.lines = [];
    form.onchange = which.onchange = () => {
      if (this.state) this.draw();
    };
    this.warp.onchange = () => this.act('');
    this.view = {
      box: this.code,
      lines: () => this.lines,
      light: (/** @type {number} */ line) => this.light(line),
      go: (/** @type {number} */ line) => this.links()[this.lines.indexOf(line)]?.focus(),
    };
    const row = this.controls(formLabel, whichLabel);
    const slot = el('div', { className: 'source-slot' }),
      beside = el('div', { className: 'beside' }, this.code, slot);
    this.box = el(
      'div',
      { className: 'stepper', tabIndex: -1 },
      el('h4', { textContent: name }),
      row,
      this.place,
      this.sentence,
      el('p', { className: 'soft', textContent: LEGEND }),
      beside,
      this.shown,
    );
  }

  /** Returns the row of buttons. @param {...HTMLElement} labels how registers are shown */
  controls(...labels) {
    const buttons = [
      button('Step', () => this.act('step')),
      button('10 steps', () => this.act('step 10')),
      button('Undo', () => this.act('back')),
      button('Run the other warps', () => this.act('others')),
      button('From the start', () => this.again()),
      button('To the main loop', () => this.toLoop()),
    ];
    const warp = el('label', {}, 'step warp ', this.warp);
    return el('p', { className: 'row' }, warp, ...buttons, ...labels);
  }
  /** Returns the instructions in the listing. @returns {HTMLElement[]} */
  links() {
    return [...this.code.querySelectorAll('a')];
  }
  /** Highlights the instructions of a line of kernel.cu. @param {number} line */
  light(line) {
    this.links().forEach((one, i) =>
      one.classList.toggle('lit', Boolean(line) && this.lines[i] === line),
    );
  }

  // --- commands
  /**
   * Runs a command: replays what ran before, and continues from there. Does nothing while an
   * earlier command runs.
   * @param {string} command
   */
  async act(command) {
    if (this.busy) return;
    this.busy = true;
    const before = [
      ...this.log.map(([one, count]) => `replay ${one}:${count}`),
      ...(this.state ? [`warp ${this.warp.value}`] : []),
    ];
    const told = await this.run(
      [...before, ...(command ? [command] : []), 'csv', 'code', ''].join('\n'),
    );
    this.busy = false;
    const next = readState(told.out);
    if (told.status || !next.at.length) {
      this.place.textContent = `It cannot be stepped: ${reason(told)}`;
      return;
    }
    const missed = this.state && missedBy(command, next, this.state);
    this.box.dataset.steps = String(Number(this.box.dataset.steps || 0) + 1);
    if (missed) {
      this.place.textContent = missed;
      return;
    }
    this.state = next;
    this.log = next.ran;
    this.found = this.cardsOf(told);
    this.draw();
  }
  /** Begins at the kernel's start and runs the commands. @param {...string} commands */
  again(...commands) {
    this.log = [];
    this.state = null;
    return this.act(commands.join('\n'));
  }

  /** Opens at the main loop. If the warp never comes to one, opens at the kernel's start. */
  async open() {
    const state = readState((await this.run('csv\ncode\n')).out);
    const command = loopOf(state.code);
    if (!command || !state.at.length) return this.again();
    this.state = state;
    this.draw();
    await this.act(command);
    if (this.state === state) this.draw();
  }
  /** Runs to the first instruction of the loop with the most arithmetic. */
  toLoop() {
    const command = loopOf(this.state?.code || []);
    if (command) this.act(command);
  }

  // --- drawing
  draw() {
    const { state } = this;
    /** @type {string[]} the row of the warp that is stepped */
    const now = state.warp.find((/** @type {string[]} */ row) => row[0] === state.at[0][0]);
    const line = state.code.find((/** @type {string[]} */ [address]) => address === now[2]) || [
      '',
      '',
      '',
    ];
    const boards = state.scoreboard.filter((/** @type {string[]} */ row) => row[2]);
    this.listing(now);
    this.drawPlace(now, line[1]);
    this.sentence.textContent = now[1] === 'ended' ? '' : sentenceOf(textOf(line), boards);
    this.shown.replaceChildren(
      ...this.found,
      ...this.request(),
      ...this.registers(now),
      ...onTheirWay(boards, textOf(line)),
      ...this.memory(),
    );
  }
  /**
   * Lists the instructions, and marks the last one and the next one.
   * @param {string[]} now the row of the stepped warp
   */
  listing(now) {
    const last = this.state.at[0][1];
    this.lines = this.state.code.map((/** @type {string[]} */ [, place]) =>
      this.Lines.lineOf(this.step, place),
    );
    const rows = this.state.code.flatMap((/** @type {string[]} */ row, /** @type {number} */ i) => {
      const [address] = row;
      const mark =
        address === now[2] && now[1] !== 'ended' ? 'next' : address === last ? 'last' : '';
      const onclick = (/** @type {Event} */ event) => {
        event.preventDefault();
        this.act(`to 0x${address}`);
      };
      const show = () => this.Lines.show(this.lines[i]);
      const textContent = `${address.padStart(4, '0')}  ${textOf(row)}`;
      return [
        el('a', {
          href: '#try',
          className: mark,
          textContent,
          onclick,
          onfocus: show,
          onpointerenter: show,
        }),
        '\n',
      ];
    });
    this.code.replaceChildren(...rows);
    const next = this.code.querySelector('.next');
    if (next) this.code.scrollTop = next.offsetTop - this.code.clientHeight / 3;
    this.Lines.view(this.view);
    this.Lines.show(
      this.lines[
        this.state.code.findIndex((/** @type {string[]} */ [address]) => address === now[2])
      ] || 0,
    );
  }
  /**
   * Shows where the warp stands, and what other warps did in the meantime.
   * @param {string[]} now the row of the stepped warp
   * @param {string} source the next instruction's source line
   */
  drawPlace(now, source) {
    const { state, warp } = this;
    if (warp.length !== state.warp.length) {
      warp.replaceChildren(
        ...state.warp.map((/** @type {string[]} */ [value]) =>
          el('option', { value, textContent: value }),
        ),
      );
    }
    warp.value = now[0];
    const others = state.warp.filter(
      (/** @type {string[]} */ row) => row[0] !== now[0] && row[6] !== '0',
    );
    const where = source ? ` (${source.replace(/(.*):/, '$1, line ')})` : '';
    const stands = now[1] === 'ended' ? ' and has ended' : ` and stands before 0x${now[2]}${where}`;
    const meanwhile = others.length ? ` Meanwhile other warps ran: ${together(others)}.` : '';
    this.place.textContent =
      `Warp ${now[0]} has done ${now[3]} ` +
      `instruction${now[3] === '1' ? '' : 's'}${stands}.${meanwhile}`;
  }
  /** Returns the last request to memory, drawn and explained. */
  request() {
    const { state } = this;
    if (!state.request) return [];
    const asked = requestOf(state.request);
    const last = state.code.find((/** @type {string[]} */ row) => row[0] === state.at[0][1]);
    const heading =
      asked.kind === 'shared'
        ? 'The last request to shared memory: a row per wavefront, a column per bank'
        : 'The last request to device memory: lanes (dots) and the 32-byte sectors that they touch';
    const words = explained(asked, /\bST[SG]/.test(last ? textOf(last) : '')).map(line =>
      el('span', { textContent: `${line} ` }),
    );
    return [figure(heading, requestPicture(asked), ...words)];
  }
  /**
   * Returns the last and the next instruction.
   * @param {string[]} now
   * @returns {string[]}
   */
  textsOf(now) {
    const { state } = this;
    return state.code
      .filter(
        (/** @type {string[]} */ [address]) => address === now[2] || address === state.at[0][1],
      )
      .map(textOf);
  }
  /**
   * Returns rows of registers: those that the last and the next instruction name, then others whose
   * values changed. `left` is the number of changed registers that are left out.
   * @param {string[]} now
   */
  ofThisStep(now) {
    const { state } = this;
    const named = namedIn(this.textsOf(now));
    const own = state.register.filter((/** @type {string[]} */ row) => named.has(row[0]));
    const fresh = state.register.filter(
      (/** @type {string[]} */ row) => !named.has(row[0]) && row[2] !== '0',
    );
    return {
      rows: [...own, ...fresh.slice(0, MOST_FRESH)],
      left: Math.max(0, fresh.length - MOST_FRESH),
    };
  }
  /** Returns the table of registers and predicates. @param {string[]} now */
  registers(now) {
    const { state } = this;
    const all = this.which.value === ALL;
    const known = state.register.filter(
      (/** @type {string[]} */ row) =>
        !/^UR/.test(row[0]) || row.slice(3).some(word => word !== 'ffffffff'),
    );
    const { rows, left } = all ? { rows: known, left: 0 } : this.ofThisStep(now);
    const floats = namedIn(this.textsOf(now).filter(text => opcodeOf(text).startsWith('FFMA')));
    const shown = rows.map((/** @type {string[]} */ [name, note, changed, ...words]) => ({
      name,
      note,
      changed: parseInt(changed, 16),
      words:
        note === 'not written' && words.every(word => word === UNSET)
          ? words.map(() => 'not written yet,')
          : words.map(this.written(floats.has(name))),
    }));
    const predicates = state.predicate
      .filter(
        (/** @type {string[]} */ [, mask, before]) => mask !== before || (all && mask !== '0'),
      )
      .map((/** @type {string[]} */ [name, mask, before]) => ({
        name,
        changed: parseInt(mask, 16) ^ parseInt(before, 16),
        words: lanes(lane => String(bit(parseInt(mask, 16), lane))),
      }));
    const heading = el('h4', {
      textContent:
        'Registers, a column per lane: those of the last and the next instruction first' +
        (this.form.value === FORMS[0] ? '; in hexadecimal, those of FFMA as floats' : ''),
    });
    const more = left
      ? [
          el('p', {
            className: 'soft',
            textContent: `${left} more registers changed: choose “${ALL}” to see them.`,
          }),
        ]
      : [];
    return [heading, grid('registers', 'lane', [...shown, ...predicates]), ...more];
  }
  /**
   * Returns the function that writes a word in the form that the reader chose. "As suits them"
   * means floats for operands of FFMA, and hexadecimal digits for other words.
   * @param {boolean} [float] true for an operand of FFMA
   */
  written(float = false) {
    return WRITTEN[this.form.value] || WRITTEN[float ? 'floats' : 'hexadecimal'];
  }
  /** Returns the table of shared memory. */
  memory() {
    const { state } = this;
    const touched = new Set();
    if (/^lane,address,phase/.test(state.request)) {
      for (const row of state.request.trim().split('\n').slice(1))
        touched.add(Math.floor(Number(row.split(',')[1]) / 128));
    }
    const rows = state.shared.filter(
      (/** @type {string[]} */ row) => row[1] !== '0' || touched.has(parseInt(row[0], 16) / 128),
    );
    const all = rows.length ? rows : state.shared.slice(0, 8);
    if (!all.length) return [];
    const shown = all
      .slice(0, MOST_ROWS)
      .map((/** @type {string[]} */ [address, changed, unwritten, ...words]) => ({
        name: `0x${address}`,
        changed: parseInt(changed, 16),
        words: words.map((word, lane) =>
          bit(parseInt(unwritten, 16), lane) ? '·' : this.written()(word),
        ),
      }));
    const which = rows.length ? 'the rows that were touched' : 'its first rows';
    const unwritten = shown.some(({ words }) => words.includes('·'))
      ? '; a dot is a word that nothing has written'
      : '';
    return [
      el('h4', { textContent: `Shared memory, ${which}: a column per bank${unwritten}` }),
      grid('shared memory', 'address, bank', shown),
    ];
  }
}

/**
 * Returns the names of the registers in instructions; R4.64 stands for R4 and R5.
 * @param {string[]} texts
 * @returns {Set<string>}
 */
function namedIn(texts) {
  const named = new Set();
  for (const [, kind, number, wide] of texts.join(' ').matchAll(/\b(U?R)(\d+)(\.64)?/g)) {
    named.add(`${kind}${number}`);
    if (wide) named.add(`${kind}${Number(number) + 1}`);
  }
  return named;
}

/**
 * Returns a list of what is unfinished, with a line per scoreboard.
 * @param {string[][]} boards rows of scoreboards, as for sentenceOf()
 * @param {string} text the next instruction
 */
function onTheirWay(boards, text) {
  const { waits } = controlOf(text);
  const said = (/** @type {string} */ cells) =>
    cells
      .split(' ')
      .map(one =>
        one[0] === '&' ? `${one.slice(1)} is still to be read` : `${one} is on its way`,
      );
  const lines = boards.map(
    ([number, by, cells]) =>
      `scoreboard ${number}, set by the instruction at 0x${by}: ` +
      said(cells).join(', ') +
      (waits.includes(Number(number)) ? '; the next instruction waits for it' : ''),
  );
  const heading = boards.length
    ? 'Not finished, by the scoreboard that counts it:'
    : 'Nothing is unfinished: no scoreboard counts anything.';
  return [
    el('p', { textContent: heading }),
    ...(lines.length
      ? [el('ul', {}, ...lines.map(textContent => el('li', { textContent })))]
      : []),
  ];
}

/** @param {Kernel} kernel */
export const openStepper = kernel => new Stepper(kernel);
