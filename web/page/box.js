// A box of a lesson: its kernels side by side, to run, break, step through and link to. The parts
// are modules of their own; this one connects them.
import { button, choice, el, intoView } from './dom.js';
import { unpackText, visible, MOST_PACKED } from './text.js';
import { reach } from './keep.js';
import {
  asJson,
  decoded,
  find,
  isOff,
  kernels,
  programsOf,
  reason,
  records,
  rows,
} from './programs.js';
import { ASKED, figuresOf } from './asked.js';
import { addFigures, answer, countsOf, launchOf } from './results.js';
import { ANSWERED, Bet } from './bet.js';
import { endlessFirst, inWords, reportsOf, sourceOf, withOrigins } from './report.js';
import { cards } from './cards.js';
import { Kernel } from './kernel.js';
import { EditorPane } from './editing.js';
import { drawComparison, isAsked } from './compare.js';
import { Deeper } from './deeper.js';
import { spansOf } from './timeline.js';
import { openStepper } from './stepper.js';
import * as Lines from './lines.js';

const ENDLESS_AFTER = 8; // seconds after which a run is searched for an endless loop

/**
 * @typedef {{kernel: Kernel, name: string, files: Record<string, any>, size: string, column:
 *   import('./compare.js').Column}} At
 */
/**
 * @typedef {{kernel: Kernel, text: string|null, size: string, wider: number}} Planned a kernel that
 *   a run starts
 */

/**
 * Returns a variant's TFLOP/s as measured on the H200, or null.
 * @param {string} step
 * @param {string} variant
 * @param {number} N
 */
function measuredOn(step, variant, N) {
  const csv =
    typeof DATA === 'undefined'
      ? ''
      : (DATA.find(set => /H200/.test(set.origin)) || { csv: '' }).csv;
  const line = csv
    .split('\n')
    .map(one => one.replace(/"/g, '').split(','))
    .find(row => row[0] === step && row[1] === variant && row[2] === String(N));
  return line ? Number(line[3]) : null;
}
/**
 * Returns the text of a line of the page's kernel.cu, if it is that step's kernel.
 * @param {string} step
 */
const sourceText = step => (/** @type {any} */ place) => {
  const pane = /** @type {HTMLElement|null} */ (document.querySelector('.changes')),
    [file, line] = sourceOf(place).split(':');
  return pane && pane.dataset.step === step && pane.dataset.file === file
    ? (document.getElementById(`k${line}`)?.textContent ?? null)
    : null;
};

/**
 * Returns a limit of instructions per warp for an edited kernel: several times what any kernel of
 * the course executes.
 * @param {At} at
 */
const limited = at => (at.kernel.edited ? ['--limit', String(600 * Number(at.size) + 20000)] : []);

class Box {
  /**
   * @param {HTMLElement} box
   * @param {Kernel[]} kernels
   */
  constructor(box, kernels) {
    this.box = box;
    this.kernels = kernels;
    this.step = kernels[0].step;
    this.asked = ASKED[box.dataset.step || ''];
    /** @type {import('./compare.js').Column[]} */
    this.columns = [];
    /** @type {any} */
    this.running = null;
    /** @type {ReturnType<typeof openStepper>|null} */
    this.stepping = null;
    this.state = el('p', { className: 'state', role: 'status' });
    this.stop = button('Stop', () => {
      Engine.stop(this.box);
      Engine.stop(this.edits);
    });
    this.stop.hidden = true;
    this.start = button('Run', () => this.run(), 'primary');
    this.reports = el('div', { className: 'reports' });
    this.board = el('div', { className: 'board' });
    this.out = el('div');
    this.steps = el('div');
    this.edits = el('div', { className: 'editor' });
    this.pane = new EditorPane(this.edits, {
      sass: (words, files, wanted) => this.sass(words, files, wanted),
      code: kernel => this.codeOf(kernel),
      changed: (kernel, text) => this.change(kernel, text),
      say: (what, bad) => this.say(what, bad),
      run: () => this.run(),
      linted: () => {
        box.dataset.linted = String(Number(box.dataset.linted || 0) + 1);
      },
    });
    const [size, sizeLabel] = choice(
      'N',
      [...new Set([64, 128, 256, 512, Number(box.dataset.size)])].sort((a, b) => a - b),
      box.dataset.size || 256,
    );
    const [which, whichLabel] = choice(
      'kernel',
      [
        ...(kernels.length > 1 ? [`all ${kernels.length}`] : []),
        ...kernels.map(kernel => kernel.variant),
      ],
      kernels.length > 1 ? `all ${kernels.length}` : kernels[0].variant,
    );
    Object.assign(this, { size, which });
    this.size = size;
    this.which = which;
    this.bet = this.asked ? new Bet(this.step, this.asked, () => this.placed()) : null;
    this.lay(sizeLabel, whichLabel);
    which.onchange = () => {
      if (this.pane.kernel) this.edit();
      if (this.stepping) this.walk();
    };
    for (const kernel of kernels) this.follow(kernel);
    addEventListener(ANSWERED, () => this.label());
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
            ? `Run the ${kernels.length} kernels of step ${step}`
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
        button('Step', () => this.walk()),
      ),
      el('div', { className: 'row going' }, this.state, this.stop),
      this.reports,
      this.board,
      this.edits,
      this.steps,
      this.out,
    );
    this.label();
  }
  /** Makes Run the main button, unless the reader is asked to bet. */
  label() {
    const asked = this.bet?.open;
    this.start.textContent = asked ? 'Run without a bet' : 'Run';
    this.start.classList.toggle('primary', !asked);
  }
  /** Called when the reader has bet: runs what the bet is about. */
  placed() {
    const { asked } = this;
    if (asked && !this.chosen.some(({ variant }) => variant === asked.of))
      this.which.value = this.which.options[0].value;
    this.size.value = this.box.dataset.size || '256';
    this.label();
    this.run();
    if (this.start.isConnected) this.start.focus({ preventScroll: true });
  }

  get chosen() {
    return this.kernels.filter(
      kernel => this.which.value.startsWith('all ') || this.which.value === kernel.variant,
    );
  }
  /** The kernel to edit and step: the chosen one; if all are chosen, an edited one or the last. */
  get one() {
    return this.chosen.find(kernel => kernel.edited) || this.chosen[this.chosen.length - 1];
  }

  /**
   * @param {string} what
   * @param {boolean} [bad]
   */
  say(what, bad) {
    this.state.textContent = what;
    this.state.className = bad ? 'state bad' : 'state';
  }
  /**
   * @param {string[]} words
   * @param {Record<string, any>} files
   * @param {string[]} [wanted]
   */
  sass(words, files, wanted) {
    return Engine.run(['sass', ...words], files, { wanted, owner: this.edits });
  }
  /** @param {At} at */
  programs({ kernel, files, size }) {
    return programsOf(kernel, files, size, this.box);
  }
  /**
   * Returns the source line of each instruction of a kernel as compiled.
   * @param {Kernel} kernel
   */
  async codeOf(kernel) {
    const run = await programsOf(
      kernel,
      { [kernel.path]: kernel.original, commands: 'code\n' },
      this.size.value,
      this.box,
    ).simrun(['--step', 'commands']);
    return run.status
      ? null
      : run.out
          .split('\n')
          .filter(row => row.startsWith('code,'))
          .map(row => row.split(',')[2]);
  }

  /**
   * @param {Kernel} kernel
   * @param {string|null} to
   */
  change(kernel, to) {
    kernel.change(to);
    // Removes the kernel of a link from the address, because it is no longer the one in the box.
    if (location.hash.startsWith('#kernel='))
      history.replaceState(null, '', location.href.split('#')[0]);
    if (this.out.hasChildNodes() || this.reports.hasChildNodes())
      this.say(
        to === null
          ? 'As compiled again: Run shows what it does.'
          : 'Edited: Run shows what it does now.',
      );
    this.reports.replaceChildren();
    for (const part of [this.out, this.board]) part.classList.add('old');
    delete this.box.dataset.done;
    if (this.stepping) this.stepping.again();
  }
  /**
   * Adopts the text that another tab writes.
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
    await this.pane.open(this.one);
    this.pane.bring();
  }

  // --- a run: counters first, then times, then the check
  /**
   * Returns true while this run is the latest and nothing was edited since.
   * @param {any} mine
   */
  current(mine) {
    return (
      !mine.off &&
      mine.runs.every((/** @type {Planned} */ { kernel, text }) => kernel.text === text)
    );
  }
  /** Returns the kernels that a run would start now. @returns {Planned[]} */
  planned() {
    const size = this.size.value,
      { of, wider } = this.asked || {};
    return this.chosen.flatMap(kernel => {
      const one = { kernel, text: kernel.text, size, wider: 0 };
      return wider && kernel.variant === of && !kernel.edited
        ? [one, { ...one, size: String(Number(size) + wider), wider }]
        : [one];
    });
  }
  run() {
    this.bet?.see();
    this.label();
    const mine = {
        runs: this.planned(),
        size: this.size.value,
        which: this.which.value,
        off: false,
      },
      before = this.running;
    if (before && this.current(before) && before.size === mine.size && before.which === mine.which)
      return;
    if (before) {
      before.off = true;
      Engine.stop(this.box);
    }
    this.running = mine;
    this.stop.hidden = false;
    this.all(mine).then(verdict => {
      if (this.current(mine)) this.box.dataset.done = verdict;
      // The lesson is done when the reader has bet, or has run a box that asks nothing.
      if (verdict === 'right' && this.current(mine) && (!this.bet || this.bet.value !== null))
        reach(this.step, 'done');
      if (this.running !== mine) return;
      this.running = null;
      this.stop.hidden = true;
    });
  }
  draw() {
    const { asked, bet, columns } = this,
      meant = asked && columns.find(column => isAsked(column, asked)),
      whole = Number(this.box.dataset.size) + (asked?.wider || 0);
    if (asked && meant?.here && Number(meant.size) === whole)
      bet?.settle(answer(asked, meant.here));
    drawComparison(this.board, columns, asked, bet?.value ?? null);
  }

  /**
   * Shows the reports of a run or a check as cards, marks their lines, and scrolls to them.
   * @param {At} at
   * @param {any[]} reported
   * @param {string} where
   */
  async report(at, reported, where) {
    const { kernel } = at;
    if (kernel.edited && !this.pane.isOf(kernel)) await this.pane.open(kernel);
    const undo = this.pane.undoes(kernel);
    const found = this.pane.blamed(inWords(withOrigins(reported, kernel.moved)), undo);
    const show = async (/** @type {any[]} */ places) => {
      await this.pane.open(kernel);
      this.pane.show(places);
    };
    this.reports.replaceChildren(
      ...cards(found, { show, sourceText: sourceText(this.step), undo, where }),
    );
    if (this.pane.isOf(kernel)) this.pane.note(found);
    if (this.reports.firstElementChild) intoView(this.reports.firstElementChild);
  }

  /**
   * Returns a column for each kernel of a run. Beside them the table keeps at most two earlier runs
   * of these kernels with another text or size.
   * @param {any} mine
   * @returns {import('./compare.js').Column[]}
   */
  newColumns(mine) {
    /** @type {import('./compare.js').Column[]} */
    const columns = mine.runs.map((/** @type {Planned} */ { kernel, size, wider }) => ({
      variant: kernel.variant,
      edited: kernel.edited,
      earlier: false,
      text: kernel.text,
      size,
      wider,
      colour: kernel.place,
      idea: wider ? `${wider === 1 ? 'one column' : `${wider} columns`} wider` : kernel.idea,
      here: null,
      there: kernel.onH200(size),
      milliseconds: null,
      measured: kernel.edited ? null : measuredOn(kernel.step, kernel.variant, 4096 + wider),
      verdict: '',
    }));
    const changed = (/** @type {import('./compare.js').Column} */ one) =>
      columns.some(
        column =>
          !column.wider &&
          column.variant === one.variant &&
          (column.text !== one.text || column.size !== one.size),
      );
    // Keeps only the newest of a kernel's earlier runs.
    const before = this.columns.filter(one => one.here && !one.wider && changed(one)),
      earlier = before
        .filter((one, i) => !before.slice(i + 1).some(later => later.variant === one.variant))
        .slice(-2);
    this.columns = [...earlier.map(one => ({ ...one, earlier: true })), ...columns];
    return columns;
  }
  /**
   * Assembles one kernel if it was edited. If that fails, shows a report and returns null.
   * @param {Planned} planned
   * @param {any} mine
   * @param {import('./compare.js').Column} column
   * @returns {Promise<At|null>}
   */
  async prepare({ kernel, size, wider }, mine, column) {
    const {
      files,
      slip,
      records: slips,
    } = await kernel.assembled((words, given, wanted) => this.sass(words, given, wanted));
    if (kernel.edited && !slip) {
      await kernel.disassembled((words, given, wanted) => this.sass(words, given, wanted));
      kernel.places ||= await this.codeOf(kernel);
    }
    const at = {
      kernel,
      name: wider ? `${kernel.variant}, N = ${size}` : kernel.variant,
      files: kernel.lined(files),
      size,
      column,
    };
    if (!slip) return at;
    if (this.current(mine)) {
      const [wrong] = slips.filter(({ type }) => type === 'error'),
        at = wrong?.line ? `: line ${wrong.line}` : '';
      this.say(
        slip.startsWith('It does not assemble') ? `It does not assemble${at}.` : slip,
        true,
      );
      if (slips.length) await this.pane.refused(kernel, wrong);
    }
    return null;
  }
  /**
   * Runs kernels and shows their counters, then their times, then the check. Returns the verdict.
   * @param {any} mine
   */
  async all(mine) {
    const shown = el('div'),
      columns = this.newColumns(mine);
    const deeper = new Deeper(
      shown,
      columns.map(({ variant, size, wider, colour }) => ({
        name: wider ? `${variant}, N = ${size}` : variant,
        colour,
      })),
      {
        programs: at => this.programs(at),
        limited,
        stepTo: (at, warp, cycle) => this.stepTo(at, warp, cycle),
        draw: () => this.draw(),
      },
    );
    /** @type {(what: string, bad?: boolean) => void} */
    const tell = (what, bad) => {
      if (this.current(mine)) this.say(what, bad);
    };
    this.out.replaceChildren(shown);
    this.reports.replaceChildren();
    for (const part of [this.out, this.board]) part.classList.remove('old');
    tell('running …');
    /** @type {At[]} */
    const ready = [];
    // Runs the last variant first, because it is the lesson's main one.
    for (const planned of [...mine.runs].reverse()) {
      const at = await this.prepare(planned, mine, columns[mine.runs.indexOf(planned)]);
      if (!at) return 'refused';
      const ended = await this.count(at, shown, mine);
      if (ended) tell(ended, true);
      if (ended || !shown.isConnected) return 'ended';
      ready.unshift(at);
    }
    const verdict = await this.timesAndChecks(ready, deeper, mine, tell);
    if (verdict === 'right')
      tell('The result is right, on this problem and on the small ones of the check.');
    if (shown.isConnected) {
      this.draw();
      await Promise.all(ready.filter(at => !at.column.wider).map(at => deeper.listing(at)));
    }
    return verdict;
  }
  /**
   * Predicts times of unedited kernels, and of edited ones that pass the check. Returns the
   * verdict.
   * @param {At[]} ready
   * @param {Deeper} deeper
   * @param {any} mine
   * @param {(what: string, bad?: boolean) => void} tell
   */
  async timesAndChecks(ready, deeper, mine, tell) {
    const timing = ready.filter(at => !at.kernel.edited).map(at => deeper.time(at));
    let verdict = 'right';
    for (const at of ready.filter(one => !one.column.wider)) {
      const found = await this.check(at, mine, tell);
      if (found !== 'right') verdict = verdict === 'right' || found === 'ended' ? found : verdict;
      if (this.current(mine)) this.draw();
    }
    const passed = ready.filter(at => at.kernel.edited && at.column.verdict === 'right');
    await Promise.all([...timing, ...passed.map(at => deeper.time(at))]);
    return verdict;
  }

  /**
   * Counts one kernel into its column. Returns why there are no counts, or ''.
   * @param {At} at
   * @param {HTMLElement} shown
   * @param {any} mine
   */
  async count(at, shown, mine) {
    const programs = this.programs(at),
      watch = at.kernel.edited
        ? setTimeout(() => {
            if (this.current(mine))
              this.say('running … it takes long: a loop without an end is looked for.');
          }, 1000 * ENDLESS_AFTER)
        : 0;
    let run = null;
    // The limit ends an endless loop after tens of thousands of instructions, not after a minute.
    if (at.kernel.edited) {
      run = await programs.simrun(
        [...limited(at), '--reports', '40', '--counters', 'c.csv', ...asJson('simrun', 'r.json')],
        ['c.csv', 'r.json'],
      );
    } else
      run = await programs.ladder(
        ['--check', 'off', '--counters', 'c.csv', ...asJson('ladder', 'r.json')],
        ['c.csv', 'r.json'],
      );
    clearTimeout(watch);
    if (isOff(run)) return `The run has no result: ${reason(run)}.`;
    // An endless loop explains the other findings.
    const csv = run.files['c.csv'],
      found = endlessFirst(reportsOf(records(decoded(run.files['r.json']))));
    if (found.length && this.current(mine)) {
      at.column.verdict = 'reported';
      await this.report(at, found, `in the run at N = ${at.size}`);
    } else if (run.status && !csv) return `The run has no result: ${reason(run)}.`;
    if (!shown.isConnected) return '';
    if (csv) at.column.here = countsOf(rows(decoded(csv)));
    this.draw();
    await this.addAsked(at);
    await this.addCostliest(at);
    return '';
  }
  /**
   * @param {At} at
   * @param {any} mine
   * @param {(what: string, bad?: boolean) => void} tell
   */
  async check(at, mine, tell) {
    const had = at.column.verdict === 'reported';
    // The check would only report consequences of the same cause.
    if (had) return (tell('The run ended with a report.', true), 'reported');
    if (at.kernel.edited && (await this.foundEndless(at, mine))) {
      tell('A loop never ends.', true);
      return (at.column.verdict = 'reported');
    }
    const run = await this.programs(at).ladder(
      ['--check', 'only', ...asJson('ladder', 'r.json')],
      ['r.json'],
    );
    const ended = isOff(run);
    at.column.verdict = ended ? 'ended' : run.status ? 'reported' : 'right';
    if (ended) tell(`The check has no result: ${reason(run)}.`, true);
    else if (run.status) {
      tell('The check failed.', true);
      if (this.current(mine))
        await this.report(
          at,
          reportsOf(records(decoded(run.files['r.json']))),
          `in the check, ${at.kernel.variant}`,
        );
    }
    return at.column.verdict;
  }
  /**
   * Adds figures of the launch to the counters.
   * @param {At} at
   */
  async addAsked({ kernel, size, column }) {
    if (!this.asked || !column.here) return;
    const { out } = await Engine.run(
        ['launch', kernel.step, kernel.variant, size],
        {},
        { owner: this.box },
      ),
      launch = launchOf(out, Number(size));
    addFigures(column.here, launch);
    addFigures(column.there, launch);
    this.draw();
  }
  /**
   * Adds the figures of the instructions that the lesson asks about to the counters.
   * @param {At} at
   */
  async addCostliest(at) {
    const { asked } = this,
      { here } = at.column;
    if (!asked || !here) return;
    const simrun = (/** @type {string[]} */ words, /** @type {string[]} */ wanted) =>
      this.programs(at).simrun([...limited(at), ...words], wanted);
    for (const [name, value] of await figuresOf(asked, simrun)) here.set(name, value);
    this.draw();
  }
  /**
   * Reports an endless loop at sizes that are no multiple of the tile, and returns true if there is
   * one. The check has such sizes but no limit of instructions, so it would not end.
   * @param {At} at
   * @param {any} mine
   */
  async foundEndless(at, mine) {
    for (const size of ['65', '30', '129']) {
      const run = await programsOf(at.kernel, at.files, size, this.box).simrun(
        [...limited({ ...at, size }), ...asJson('simrun', 'r.json')],
        ['r.json'],
      );
      const found = endlessFirst(reportsOf(records(decoded(run.files['r.json']))));
      if (!this.current(mine)) return false;
      if (found[0]?.kind !== 'endless') continue;
      await this.report(at, found, `at N = ${size}`);
      return true;
    }
    return false;
  }
  // --- steps
  /**
   * Steps a warp to the instruction that it issues at a cycle of the timeline. The stepper knows no
   * cycles, so the warp's instructions since its block began are counted.
   * @param {At} at
   * @param {number} warp
   * @param {number} cycle
   */
  async stepTo(at, warp, cycle) {
    const programs = this.programs(at),
      run = await programs.simrun(
        ['--time', '--timeline', 't.json', '--cycles', `0,${cycle}`],
        ['t.json'],
      );
    if (run.status) return void this.say(`It cannot be stepped: ${reason(run)}`, true);
    const warps = await programs.warps(),
      issued = spansOf(decoded(run.files['t.json'])).filter(
        span => span.tid === warp && span.cat === 'issue' && span.ts < cycle,
      );
    const done =
      issued.length - Math.max(0, issued.map(span => span.args.address).lastIndexOf('0'));
    [this.which.value, this.size.value] = [at.kernel.variant, at.size];
    await this.walk([`warp ${warp % warps}`, ...(done ? [`step ${done}`] : [])]);
  }
  /** @param {string[]} [first] commands to begin with */
  async walk(first = []) {
    const kernel = this.one,
      size = this.size.value;
    this.stepping = openStepper({
      step: this.step,
      name: `${kernel.variant}, block 0, N = ${size}`,
      run: async commands => {
        const { files, slip } = await kernel.assembled((words, given, wanted) =>
          this.sass(words, given, wanted),
        );
        return slip
          ? { status: 1, out: '', err: slip, files: {} }
          : programsOf(kernel, { ...files, commands }, size, this.box).simrun(
              ['--step', 'commands', ...asJson('simrun', 'r.json')],
              ['r.json'],
            );
      },
    });
    Lines.away();
    this.steps.replaceChildren(this.stepping.box);
    Lines.beside(
      /** @type {HTMLElement} */ (this.stepping.box.querySelector('.source-slot')),
      this.step,
    );
    await (first.length ? this.stepping.again(...first) : this.stepping.open());
    intoView(this.steps);
    this.stepping.box.focus({ preventScroll: true });
  }

  // --- state of an earlier visit or a link
  async greet() {
    let greeting = 'Your edit of an earlier visit is here; Undo all takes it back.',
      edited = this.kernels.find(kernel => kernel.edited),
      linked = false;
    const [, variant, data] =
        (location.hash.length < MOST_PACKED + 100 &&
          /^#kernel=([\w-]+)\.([\w-]+)$/.exec(location.hash)) ||
        [],
      given = this.kernels.find(kernel => kernel.variant === variant);
    try {
      if (given) {
        given.text = visible((await unpackText(data)).replace(/\r\n?/g, '\n'));
        [edited, greeting, linked] = [
          given,
          'This kernel came with the link, from whoever made it. Undo all takes it away.',
          true,
        ];
      } else if (
        location.hash.startsWith('#kernel=') &&
        this.box.id === 'try' &&
        ![.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.try'))].some(one =>
          (one.dataset.of || '').split(' ').includes(variant),
        )
      )
        throw RangeError('of no box');
    } catch {
      this.say('The link holds no kernel that can be read.', true);
      linked = true;
    }
    if (linked) this.box.scrollIntoView({ block: 'start' });
    if (!edited) return;
    this.which.value = edited.variant;
    await this.pane.open(edited);
    this.say(greeting);
    if (linked) this.box.scrollIntoView({ block: 'start' });
  }
}

/** @param {HTMLElement} box */
export function openBox(box) {
  const known = (
    kernels()[
      Object.keys(kernels()).find(name => name.startsWith(`about/${box.dataset.step}`)) || ''
    ] || ''
  )
    .split('\n')
    .map(line => line.split('\t')[0])
    .filter(Boolean);
  const wanted = (box.dataset.variant || '').split(','),
    pathOf = (/** @type {string} */ variant) =>
      find(new RegExp(`^cubin/sm_90/${box.dataset.step}[^/]*/${variant}\\.cubin$`));
  // A box that names one variant has all variants of the lesson, the named one last.
  const all =
      wanted.length > 1 ? wanted : [...known.filter(variant => variant !== wanted[0]), wanted[0]],
    paths = all.map(pathOf).filter(Boolean);
  if (!wanted.every(pathOf)) return void (box.dataset.ready = 'absent');
  const opened = new Box(
    box,
    paths.map(path => new Kernel(/** @type {string} */ (path))),
  );
  Object.assign(box.dataset, {
    ready: 'yes',
    folder: opened.step,
    of: opened.kernels.map(kernel => kernel.variant).join(' '),
  });
  return opened;
}
