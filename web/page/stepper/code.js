// The listing of the stepper: the instructions, with an arrow at the next one. A click runs there.
import { details, el } from '../dom.js';
import { opcodeOf } from '../opcodes.js';
import { operandsOf } from './words.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Instruction} Instruction */

const LEGEND =
  'A line has the instruction’s address, its control column and the instruction. The control ' +
  'column has five fields: the scoreboards that the instruction waits for (one bit each), the ' +
  'scoreboard that counts its reads, the scoreboard that counts its result, Y if another warp ' +
  'may go first, and the number of cycles until the warp can issue again. Numbers are ' +
  'hexadecimal. The arrow marks the next instruction and the dot the last one. The grey bar in ' +
  'the margin is the main loop; a coloured bar marks the instructions of one source line.';

/**
 * Returns an instruction as nodes, with its opcode in colour and, if it is the next one, what it
 * reads and writes.
 * @param {Instruction} instruction
 * @param {boolean} next
 */
function parts({ address, text: given }, next) {
  const text = given.replace(/ {2,}/, '  '),
    opcode = opcodeOf(text) || '',
    from = text.indexOf(opcode, text.search(/\s/)),
    marks = next ? operandsOf(text) : [];
  const coloured = [
    { from: 0, to: (/^\S+ /.exec(text) || [''])[0].length, kind: 'control' },
    { from, to: from + opcode.length, kind: 'sass-opcode' },
    ...marks.map(one => ({ ...one, kind: one.writes ? 'writes' : 'reads' })),
  ].sort((a, b) => a.from - b.from);
  /** @type {(Node|string)[]} */
  const nodes = [
    el('span', { className: 'control', textContent: `${address.padStart(4, '0')}  ` }),
  ];
  let at = 0;
  for (const one of coloured) {
    if (one.from < at) continue;
    nodes.push(text.slice(at, one.from));
    nodes.push(el('span', { className: one.kind, textContent: text.slice(one.from, one.to) }));
    at = one.to;
  }
  return [...nodes, text.slice(at)];
}

export class Code {
  /**
   * @param {string} step
   * @param {typeof import('../lines.js')} Lines
   * @param {(command: string) => void} act
   */
  constructor(step, Lines, act) {
    this.step = step;
    this.Lines = Lines;
    this.act = act;
    /** @type {Instruction[]} the instructions that are listed */
    this.code = [];
    /** @type {HTMLAnchorElement[]} their elements */
    this.links = [];
    /** @type {number[]} the line of kernel.cu of each instruction; 0: none */
    this.lines = [];
    this.listing = el('pre', {
      className: 'listing code-steps', tabIndex: 0, role: 'group',
      ariaLabel: 'instructions: a click runs the warp to one',
    });
    this.box = el('div', {},
      this.listing,
      details('How to read a line', el('p', { className: 'soft', textContent: LEGEND })),
    );
    this.view = {
      box: this.listing,
      lines: () => this.lines,
      light: (/** @type {number} */ line) => this.light(line),
      go: (/** @type {number} */ line) => this.links[this.lines.indexOf(line)]?.focus(),
    };
  }
  /**
   * Highlights the instructions of a line of kernel.cu.
   * @param {number} line
   */
  light(line) {
    this.links.forEach((one, i) =>
      one.classList.toggle('lit', Boolean(line) && this.lines[i] === line),
    );
  }
  /**
   * Lists the instructions, unless they are listed already.
   * @param {Instruction[]} code
   */
  list(code) {
    const same = (/** @type {Instruction[]} */ list) => list.map(({ text }) => text).join('\n');
    if (this.links.length && same(code) === same(this.code)) return;
    this.code = code;
    this.lines = code.map(({ source }) => this.Lines.lineOf(this.step, source));
    this.links = code.map((one, i) => {
      const show = () => this.Lines.show(this.lines[i]);
      return el(
        'a',
        {
          href: '#try',
          onclick: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.act(`to 0x${one.address}`);
          },
          onfocus: show,
          onpointerenter: show,
        },
        ...parts(one, false),
      );
    });
    this.listing.replaceChildren(el('div', {}, ...this.links));
  }
  /**
   * Lists the instructions, and marks the last one, the next one and the main loop.
   * @param {State} state
   * @param {{first: number, last: number}|undefined} loop
   */
  show({ code, next, last }, loop) {
    this.list(code);
    code.forEach((one, i) => {
      const link = this.links[i],
        was = link.classList.contains('next'),
        is = one === next;
      link.classList.toggle('next', is);
      link.classList.toggle('loop', Boolean(loop && i >= loop.first && i <= loop.last));
      link.classList.toggle('last', one === last && !is);
      if (is) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
      if (was || is) link.replaceChildren(...parts(one, is));
    });
    const at = code.findIndex(one => one === (next || last)),
      top = this.links[at]?.offsetTop ?? 0,
      { scrollTop, clientHeight } = this.listing;
    if (at >= 0 && (top < scrollTop + 30 || top > scrollTop + clientHeight - 60))
      this.listing.scrollTop = top - clientHeight / 3;
    this.Lines.view(this.view);
    this.Lines.show(this.lines[at] || 0);
  }
}
