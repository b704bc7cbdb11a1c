// Steps through a block's warps, one instruction at a time, as a debugger does. This module
// connects the stepper's parts (stepper/).
import { el } from './dom.js';
import { opcodeOf } from './opcodes.js';
import { Code } from './stepper/code.js';
import { requestShown, Shared } from './stepper/memory.js';
import { Registers } from './stepper/registers.js';
import { loopsIn, Session } from './stepper/state.js';
import { transport } from './stepper/transport.js';
import { placeOf, sentenceOf } from './stepper/words.js';

const MOST_STEPS = 1000000; // instructions of a warp that "End" runs at most
const PICTURES = {
  start: 'M3 3h2v10H3zM13 3v10L6 8z',
  back: 'M9 3v10L3 8zM10 7h4v2h-4z',
  step: 'M7 3v10l6-5zM2 7h4v2H2z',
  ten: 'M2 3v10l6-5zM8 3v10l6-5z',
  loop: 'M8 3a5 5 0 1 0 5 5h-2a3 3 0 1 1-3-3v2l4-3-4-3z',
  end: 'M3 3v10l7-5zM11 3h2v10h-2z',
  others: 'M2 2v5l4-2.5zM2 9v5l4-2.5zM8 3.5h6v2H8zM8 10.5h6v2H8z',
  next: 'M7 2h2v7h3l-4 5-4-5h3z',
};

/**
 * @typedef {{step: string, name: string, where: string, run: (commands: string) => Promise<Run>,
 *   cardsOf: (run: Run) => HTMLElement[], Lines: typeof import('./lines.js')}} Kernel what the
 *   stepper uses of its page: `run` runs its commands, `cardsOf` makes cards of a run's reports
 */

class Stepper {
  /** @param {Kernel} kernel */
  constructor({ step, name, where, run, cardsOf, Lines }) {
    this.session = new Session(run);
    /** @type {{first: number, last: number}|undefined} the main loop, once a warp came to it */
    this.loop = undefined;
    this.cardsOf = cardsOf;
    this.place = el('p', { role: 'status', className: 'soft place' });
    this.sentence = el('p', { className: 'sentence' });
    this.code = new Code(step, Lines, command => this.act(command));
    this.registers = new Registers();
    this.shared = new Shared();
    this.found = el('div');
    this.shown = el('div');
    /** @type {HTMLSelectElement} */
    this.warp = el('select', { ariaLabel: 'step warp' });
    this.warp.onchange = () => this.act('', this.warp.value);
    this.box = el('div', { className: 'stepper', tabIndex: -1 });
    this.box.append(
      el('div', { className: 'row head' },
        el('h4', {}, 'Step through ', el('code', { textContent: name }), where),
        this.choice(),
      ),
      this.controls(),
      this.sentence,
      this.place,
      this.found,
      el('div', { className: 'beside' },
        el('div', { className: 'panes' }, this.code.box, this.registers.box),
        el('div', { className: 'source-slot' }),
      ),
      this.shown,
      this.shared.box,
    );
  }
  /** Returns the controls. */
  controls() {
    const act = (/** @type {string} */ command) => () => this.act(command);
    return transport(
      this.box,
      'steps of the warp',
      [
        ['Step', 's', 'Runs the next instruction.', PICTURES.step, act('step')],
        ['Back', 'b', 'Undoes the last instruction.', PICTURES.back, () => this.back()],
        ['10 steps', 't', 'Runs ten instructions.', PICTURES.ten, act('step 10')],
        ['Loop', 'l', 'Runs until the main loop begins again.', PICTURES.loop, () => this.toLoop()],
        ['End', 'e', 'Runs until the warp ends.', PICTURES.end, act(`step ${MOST_STEPS}`)],
        ['Restart', 'r', 'Goes back to the kernel’s start.', PICTURES.start, () => this.again()],
        [
          'Other warps', 'o',
          'Runs the block’s other warps until each one waits or ends.',
          PICTURES.others,
          act('others'),
        ],
      ],
    );
  }

  /** Returns what chooses the warp. */
  choice() {
    const picked = transport(this.box, 'warp', [
      ['Next warp', 'w', 'Shows the block’s next warp.', PICTURES.next, () => this.nextWarp()],
    ]);
    picked.prepend(el('label', {}, 'warp ', this.warp));
    return picked;
  }

  /**
   * Runs a command, and shows where it led.
   * @param {string} command
   * @param {string} [warp] the warp to step
   */
  async act(command, warp) {
    const done = await this.session.act(command, warp);
    if (done) this.led(done);
  }
  /**
   * Shows where a command led.
   * @param {{run: Run, missed: string}} done
   */
  led(done) {
    this.box.dataset.steps = String(Number(this.box.dataset.steps || 0) + 1);
    if (done.missed) {
      this.place.textContent = done.missed;
      return;
    }
    this.found.replaceChildren(...this.cardsOf(done.run));
    this.draw();
  }
  /**
   * Begins at the kernel's start and runs the commands.
   * @param {...string} commands
   */
  again(...commands) {
    this.session.state = null;
    this.loop = undefined;
    return this.act(commands.join('\n'));
  }
  /** Opens at the main loop. If the warp never comes to one, opens at the kernel's start. */
  async open() {
    const start = await this.session.act(''),
      came = start && (await this.toLoop(true));
    if (start && !came) this.led(start);
  }
  /**
   * Runs to the start of the main loop: the loop with the most arithmetic to which the warp comes.
   * Returns false if it comes to none.
   * @param {boolean} [silent] true: then shows nothing
   */
  async toLoop(silent) {
    const code = this.session.state?.code || [];
    let done = null;
    for (const loop of this.loop ? [this.loop] : loopsIn(code)) {
      done = await this.session.act(`to 0x${code[loop.first].address}`);
      if (!done) return false;
      if (done.missed) continue;
      this.loop = loop;
      this.led(done);
      return true;
    }
    if (done && !silent) this.led(done);
    return false;
  }
  back() {
    if (this.session.state?.warp.done) this.act('back');
  }
  nextWarp() {
    const { state } = this.session;
    if (state) this.act('', String((Number(state.warp.number) + 1) % state.warps.length));
  }

  draw() {
    const { state } = this.session;
    if (!state) return;
    const { next, boards, warps } = state;
    if (this.warp.length !== warps.length)
      this.warp.replaceChildren(
        ...warps.map(({ number }) => el('option', { value: number, textContent: number })),
      );
    this.warp.value = state.warp.number;
    this.place.textContent = placeOf(state);
    this.sentence.replaceChildren(
      ...(next
        ? [
            'Next: ',
            el('code', { textContent: opcodeOf(next.text) }),
            sentenceOf(next.text, boards),
          ]
        : ['The warp has ended.']),
    );
    this.code.show(state, this.loop || loopsIn(state.code)[0]);
    this.registers.show(state);
    this.shared.show(state);
    this.shown.replaceChildren(...requestShown(state));
  }
}

/** @param {Kernel} kernel */
export const openStepper = kernel => new Stepper(kernel);
