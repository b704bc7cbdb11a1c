// The box of a lesson: it runs the lesson's kernels side by side, and lets the reader edit them,
// step through them and link to them. This module connects the box's parts, which are modules, too.
import { button, choice, el } from './dom.js';
import { find, ideasOf, programsOf } from './programs.js';
import { ASKED } from './asked.js';
import { answer } from './results.js';
import { ANSWERED, Bet } from './bet.js';
import { Kernel } from './kernel.js';
import { EditorPane } from './editing.js';
import { onCtrlEnter } from './area.js';
import { drawComparison, isAsked } from './compare.js';
import { earlierOnes } from './columns.js';
import { meaningOf } from './text.js';
import { Running } from './running.js';
import { walk } from './walking.js';

export class Box {
  /**
   * @param {HTMLElement} box
   * @param {Kernel[]} kernels
   * @param {string[]} compared the variants that a run compares unless the reader chooses others
   */
  constructor(box, kernels, compared) {
    this.box = box;
    this.kernels = kernels;
    this.compared = compared;
    this.step = kernels[kernels.length - 1].step;
    this.asked = ASKED[box.dataset.step || ''];
    /** @type {import('./compare.js').Column[]} */
    this.columns = [];
    /** @type {Running|null} */
    this.running = null;
    /** @type {ReturnType<typeof import('./stepper.js').openStepper>|null} */
    this.stepping = null;
    this.state = el('p', { className: 'state', role: 'status' });
    this.stop = button('Stop', () => {
      if (this.running) this.running.stopped = true;
      Engine.stop(this.box);
      Engine.stop(this.edits);
    });
    this.stop.hidden = true;
    this.bar = el('progress', { ariaLabel: 'runs done', hidden: true });
    this.left = el('small', { className: 'soft' });
    this.start = button('Run', () => this.run(), 'primary');
    this.start.title = 'in the editor: Ctrl + Enter';
    this.reports = el('div', { className: 'reports' });
    this.board = el('div', { className: 'board' });
    this.out = el('div');
    this.steps = el('div');
    this.edits = el('div', { className: 'editor' });
    onCtrlEnter(this.edits, () => this.run());
    this.pane = new EditorPane(this.edits, this);
    const [size, sizeLabel] = choice(
      'N',
      [...new Set([64, 128, 256, 512, Number(box.dataset.size)])].sort((a, b) => a - b),
      box.dataset.size || 256,
    );
    const all = kernels.length > 1 ? `all ${kernels.length}` : '',
      these =
        compared.length < kernels.length ? `${compared.length} of ${kernels.length}` : all;
    const [which, whichLabel] = choice(
      'kernel',
      [
        ...new Set([these, all].filter(Boolean)),
        ...kernels.map(({ variant, idea }) => [variant, `${variant}: ${meaningOf(idea)}`]),
      ],
      these,
    );
    this.size = size;
    this.which = which;
    this.bet = this.asked ? new Bet(this.step, this.asked, () => this.placed()) : null;
    this.lay(sizeLabel, whichLabel);
    addEventListener('hashchange', () => {
      if (location.hash.startsWith('#kernel=')) location.reload();
    });
  }

  /**
   * @param {HTMLElement} sizeLabel
   * @param {HTMLElement} whichLabel
   */
  lay(sizeLabel, whichLabel) {
    const { box, bet, kernels } = this,
      step = Number(this.step.slice(0, 2));
    box.replaceChildren(
      el('h3', {
        textContent: bet
          ? 'Bet, then run'
          : kernels.length > 1
            ? `Run the kernels of step ${step}`
            : `Run the kernel ${kernels[0].variant} of step ${step}`,
      }),
      ...(bet ? [bet.box] : []),
      el(
        'p',
        { className: 'row controls' },
        this.start,
        sizeLabel,
        ...(kernels.length > 1 ? [whichLabel] : []),
        button('Edit the machine code', () => this.edit()),
        button('Step', () => walk(this)),
      ),
      el('div', { className: 'row going' }, this.state, this.bar, this.left, this.stop),
      this.reports,
      this.board,
      this.edits,
      this.steps,
      this.out,
    );
    this.which.onchange = () => {
      this.label();
      if (this.pane.kernel) this.edit();
      if (this.stepping) walk(this);
    };
    for (const kernel of kernels) this.follow(kernel);
    addEventListener(ANSWERED, () => this.label());
    this.label();
  }
  /** Makes Run the main button, unless the reader is asked to bet. */
  label() {
    const asked = this.bet?.open && !this.isAside;
    this.start.textContent = asked ? 'Run without a bet' : 'Run';
    this.start.classList.toggle('primary', !asked);
  }
  /** Called when the reader has bet: runs the question's kernel at the lesson's size. */
  placed() {
    const { asked } = this;
    if (asked && !this.chosen.some(({ variant }) => variant === asked.of))
      this.which.value = this.which.options[0].value;
    this.size.value = this.box.dataset.size || '256';
    this.label();
    this.run();
    this.bet?.box.focus({ preventScroll: true }); // the clicked button is gone
  }

  get chosen() {
    const { value } = this.which;
    return this.kernels.filter(
      ({ variant }) =>
        value === variant ||
        value.startsWith('all ') ||
        (value.includes(' of ') && this.compared.includes(variant)),
    );
  }
  /** The chosen kernel that Edit and Step open: an edited one, the question's one, or the last. */
  get one() {
    const { asked, chosen } = this;
    return (
      chosen.find(kernel => kernel.edited) ||
      chosen.find(({ variant }) => variant === asked?.of) ||
      chosen[chosen.length - 1]
    );
  }

  /**
   * Shows a message below the buttons.
   * @param {string} what
   * @param {boolean} [bad] true if it reports a failure
   */
  say(what, bad) {
    this.state.textContent = what;
    this.state.className = bad ? 'state bad' : 'state';
  }
  /**
   * Runs the program `sass`.
   * @param {string[]} words its arguments
   * @param {Files} files the files that it finds, by name
   * @param {string[]} [wanted] names of the files that the result shall have
   */
  sass = (words, files, wanted) =>
    Engine.run(['sass', ...words], files, { wanted, owner: this.edits });
  /** @param {import('./running.js').At} at */
  programs({ kernel, files, size }) {
    return programsOf(kernel, files, size, this.box);
  }
  /**
   * Runs a command of the stepper on a kernel as compiled.
   * @param {Kernel} kernel
   * @param {string} command
   */
  stepped(kernel, command) {
    return programsOf(
      kernel,
      { [kernel.path]: kernel.original, commands: `${command}\n` },
      this.size.value,
      this.box,
    ).simrun(['--step', 'commands']);
  }
  /**
   * Returns the index of the first of some addresses (hexadecimal) to which warp 0 comes; otherwise
   * 0.
   * @param {Kernel} kernel
   * @param {string[]} addresses
   */
  async reached(kernel, addresses) {
    for (const [i, address] of addresses.entries()) {
      const { out } = await this.stepped(kernel, `to 0x${address}`);
      if (RegExp(`^next +0x0*${address}\\b`, 'm').test(out)) return i;
    }
    return 0;
  }
  /**
   * Returns the source line of each instruction of a kernel as compiled, such as "kernel.cu:41";
   * null if the run failed.
   * @param {Kernel} kernel
   */
  async codeOf(kernel) {
    const run = await this.stepped(kernel, 'code');
    return run.status
      ? null
      : run.out
          .split('\n')
          .filter(row => row.startsWith('code,'))
          .map(row => row.split(',')[2]);
  }

  /**
   * Sets a kernel's text, and shows the results of earlier runs as old.
   * @param {Kernel} kernel
   * @param {string|null} to null: the kernel as compiled
   */
  change(kernel, to) {
    kernel.change(to);
    // The address may contain the kernel of a link. Removes it, as the box now has another text.
    if (location.hash.startsWith('#kernel='))
      history.replaceState(null, '', location.href.split('#')[0]);
    if (this.out.hasChildNodes() || this.reports.hasChildNodes())
      this.say(
        kernel.edited
          ? 'Edited: Run shows what it does now.'
          : 'As compiled again: Run shows what it does.',
      );
    this.reports.replaceChildren();
    for (const part of [this.out, this.board]) part.classList.add('old');
    delete this.box.dataset.done;
    this.label();
    if (this.stepping) this.stepping.again();
  }
  /**
   * Takes over each text that the reader writes in another tab.
   * @param {Kernel} kernel
   */
  follow(kernel) {
    kernel.kept.changed(text => {
      if (text === kernel.text) return;
      this.change(kernel, text);
      if (!this.pane.isOf(kernel)) return;
      this.pane.close();
      this.pane.open(kernel).then(() => this.say('Edited in another tab: this is its text.'));
    });
  }
  async edit() {
    const { one, chosen } = this;
    await this.pane.open(one);
    if (chosen.length > 1 && this.pane.isOf(one)) {
      this.which.value = one.variant;
      this.say(`This is ${one.variant}; the menu now has it, too.`);
    }
    this.label();
    this.pane.bring();
  }

  // --- runs
  /**
   * Returns the kernels that a run would start now. An edited kernel follows the same kernel as
   * compiled, the baseline. If the question is about wider matrices, its
   * kernel is listed a second time, with their size.
   * @returns {import('./running.js').Planned[]}
   */
  planned() {
    const size = this.size.value,
      { of, wider } = this.asked || {};
    const chosen = this.isAside ? this.chosen.filter(kernel => kernel.edited) : this.chosen;
    return chosen.flatMap(kernel => {
      const one = { kernel, text: kernel.text, size, wider: 0, base: false };
      if (kernel.edited) return [{ ...one, kernel: kernel.compiled, text: null, base: true }, one];
      return wider && kernel.variant === of && !kernel.edited
        ? [one, { ...one, size: String(Number(size) + wider), wider }]
        : [one];
    });
  }
  /** True if a run would try an edit only, and leave the bet open. */
  get isAside() {
    return Boolean(this.bet?.open) && this.chosen.some(kernel => kernel.edited);
  }
  run() {
    if (!this.isAside) this.bet?.see();
    this.label();
    const mine = new Running(this, this.planned()),
      before = this.running;
    if (before?.current && before.size === mine.size && before.which === mine.which) return;
    if (before) {
      before.off = true;
      Engine.stop(this.box);
    }
    this.running = mine;
    this.columns = [...earlierOnes(this.columns, mine.columns), ...mine.columns];
    this.stop.hidden = false;
    mine.all().then(verdict => {
      if (mine.current) this.box.dataset.done = verdict;
      if (this.running !== mine) return;
      this.running = null;
      this.stop.hidden = true;
      this.bar.hidden = true;
      this.left.textContent = '';
    });
  }
  draw() {
    const { asked, bet, columns } = this,
      meant = asked && columns.find(column => isAsked(column, asked)),
      whole = Number(this.box.dataset.size) + (asked?.wider || 0);
    if (asked && meant?.here && Number(meant.size) === whole) {
      const plain = columns.filter(({ wider, edited, earlier }) => !wider && !edited && !earlier);
      bet?.settle(answer(asked, meant.here), variant =>
        variant ? plain.find(column => column.variant === variant)?.here : meant.here,
      );
    }
    // An edit that is tried before the bet does not show the answer.
    drawComparison(this.board, columns, bet?.open ? undefined : asked);
  }
}

/** @param {HTMLElement} box */
export function openBox(box) {
  const step = find(RegExp(`^about/${box.dataset.step}`))?.slice(6),
    known = Object.keys(ideasOf(step || ''));
  const wanted = (box.dataset.variant || '').split(','),
    pathOf = (/** @type {string} */ name) => {
      const [variant, step = box.dataset.step] = name.split('/').reverse();
      return find(new RegExp(`^cubin/sm_90/${step}[^/]*/${variant}\\.cubin$`));
    };
  // A box that names one variant compares all variants of the lesson, the named one last. One that
  // names several compares these; 04/lanes_4x8 is a variant of another lesson.
  const [first, ...rest] = wanted,
    others = known.filter(variant => !wanted.includes(variant)),
    all = (rest.length ? [first, ...others, ...rest] : [...others, first]).filter(pathOf);
  if (!wanted.every(pathOf)) return void (box.dataset.ready = 'absent');
  const host = known.length ? box.dataset.step : undefined,
    own = all.map(name => new Kernel(/** @type {string} */ (pathOf(name)), host)),
    compared = rest.length ? wanted.map(name => name.replace(/^.*\//, '')) : all;
  const opened = new Box(box, own, compared);
  Object.assign(box.dataset, {
    ready: 'yes',
    of: own.map(({ variant }) => variant).join(' '),
    compared: own
      .filter(({ variant }) => compared.includes(variant))
      .map(({ step, variant }) => `${step}/${variant}`)
      .join(' '),
  });
  return opened;
}
