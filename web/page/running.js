// One run of a box: counters first, then times, then the check of each kernel.
import { el, intoView } from './dom.js';
import { asJson, decoded, isOff, ofType, programsOf, reason, records, rows } from './programs.js';
import { addFigures, countsOf, launchOf, MEMORY_WAITS } from './results.js';
import { figuresOf } from './asked.js';
import { endlessFirst, reportsOf } from './report.js';
import { Deeper } from './deeper.js';
import { columnsOf } from './columns.js';
import { isAsked } from './compare.js';
import { showReports } from './reporting.js';
import { stepTo } from './walking.js';
import { compared, edits } from './diff.js';
import { ranSaid } from './edits.js';
import { spared } from './spared.js';

const CUT_OFF = /^(endless|trap|unknown|stack)$/; // reports that end a run
const ENDLESS_AFTER = 8; // seconds; then the box says that the loop may have no end

/**
 * @typedef {{kernel: import('./kernel.js').Kernel, name: string, files: Files, size:
 *   string, column: import('./compare.js').Column}} At a kernel that is ready to run, its size, and
 *   the column for its results
 */
/**
 * @typedef {{kernel: import('./kernel.js').Kernel, text: string|null, size: string, wider: number,
 *   base: boolean}} Planned a kernel that a run starts; `wider` is the number of columns beyond the
 *   chosen size; `base`: it is as compiled, for comparison with the edited one
 */

/**
 * Returns simrun's options that limit the instructions per warp of an edited kernel. The limit is
 * many times what any kernel of the course executes. Lesson 13's compute elements that are not
 * finite once more: with a barrier removed, some 1,100 instructions per row and column.
 * @param {At} at
 */
const limited = at => (at.kernel.edited ? ['--limit', String(4000 * Number(at.size))] : []);

/**
 * Returns the name of a column's tab.
 * @param {import('./compare.js').Column} column
 */
const tabOf = ({ variant, size, wider, base }) =>
  variant + (wider ? `, N = ${size}` : base ? ', as compiled' : '');

/** A run of a box's kernels. It shows its progress and its results in the box. */
export class Running {
  /**
   * @param {import('./box.js').Box} box
   * @param {Planned[]} runs
   */
  constructor(box, runs) {
    this.box = box;
    this.runs = runs;
    this.size = box.size.value;
    this.which = box.which.value;
    this.off = false; // true if a later run has replaced this one
    this.columns = columnsOf(runs, box.columns);
    // The kernel that the question is about runs first, then the last one, the lesson's main one.
    const { asked } = box;
    // Baselines run behind all others, if no earlier run has their results.
    this.order = [...runs.keys()]
      .filter(i => !runs[i].base)
      .reverse()
      .sort((a, b) => this.isMeant(b, asked) - this.isMeant(a, asked));
    this.done = 0; // number of the engine's runs that have ended, of `expected`
    this.bases = [...runs.keys()].filter(i => runs[i].base && !this.columns[i].here);
    this.stopped = false; // true if the reader has stopped it, even between the engine's runs
    this.began = performance.now();
    this.each = 0; // time of one of these, in 10 s
    this.expected =
      3 * this.order.length - runs.filter(({ wider }) => wider).length + 2 * this.bases.length;
  }
  /**
   * Returns 1 if the question is about a run, otherwise 0.
   * @param {number} at the run's index
   * @param {import('./results.js').Question|undefined} asked
   */
  isMeant(at, asked) {
    return Number(Boolean(asked && isAsked(this.columns[at], asked)));
  }
  /** Shows in the box that one more of the engine's runs has ended. */
  advance() {
    this.done++;
    this.showLeft();
    const hidden = this.done >= this.expected;
    if (this.current) Object.assign(this.box.bar, { max: this.expected, value: this.done, hidden });
  }
  /**
   * Shows about how long this run still takes.
   * @param {number} [times] how many times its time so far each of the engine's runs takes
   */
  showLeft(times = 1) {
    if (this.done < 2) this.each = ((performance.now() - this.began) / 10000) * times;
    const left = Math.round(this.each * (this.expected - this.done));
    if (this.current) this.box.left.textContent = left > 0 ? `about ${left}0 seconds more` : '';
  }
  /** True while this run is the latest and nothing was edited since. */
  get current() {
    return !this.off && this.runs.every(({ kernel, text }) => kernel.text === text);
  }
  /**
   * Shows a message in the box, if this run is current.
   * @param {string} what
   * @param {boolean} [bad] true if it reports a failure
   */
  tell(what, bad) {
    if (this.current) this.box.say(what, bad);
  }
  /**
   * Assembles one kernel if it was edited. If that fails, shows the errors and returns null.
   * @param {Planned} planned
   * @param {import('./compare.js').Column} column
   * @returns {Promise<At|null>}
   */
  async prepare({ kernel, size }, column) {
    const { sass } = this.box,
      { files, slip, records: slips } = await kernel.assembled(sass);
    if (kernel.edited && !slip) {
      await kernel.disassembled(sass);
      kernel.places ||= await this.box.codeOf(kernel);
    }
    if (!slip) return { kernel, name: tabOf(column), files: kernel.lined(files), size, column };
    if (this.current) {
      const [wrong] = ofType(slips, 'error'),
        at = wrong?.line ? `: line ${wrong.line}` : '';
      this.box.say(
        slip.startsWith('It does not assemble') ? `It does not assemble${at}.` : slip,
        true,
      );
      if (slips.length) await this.box.pane.refused(kernel, wrong);
    }
    return null;
  }
  /** Counts, times and checks the kernels, and shows the results. Returns the verdict. */
  async all() {
    const shown = el('div'),
      { columns } = this;
    const deeper = new Deeper(
      shown,
      columns.map(column => ({ ...column, name: tabOf(column) })),
      {
        programs: at => this.box.programs(at),
        limited,
        stepTo: (at, warp, cycle) => stepTo(this.box, at, warp, cycle),
        draw: () => this.box.draw(),
      },
    );
    this.box.out.replaceChildren(shown);
    this.box.reports.replaceChildren();
    for (const part of [this.box.out, this.box.board]) part.classList.remove('old');
    const { length } = this.order;
    this.tell(`Running ${length > 1 ? `${length} kernels` : 'the kernel'} on a simulated H200.`);
    Object.assign(this.box.bar, { max: this.expected, value: 0, hidden: false });
    this.box.draw();
    /** @type {At[]} */
    const ready = [];
    const start = async (/** @type {number} */ place) => {
      const at = await this.prepare(this.runs[place], columns[place]);
      if (!at) return 'refused';
      const ended = (await this.count(at, shown)) || (this.stopped ? 'The run was stopped.' : '');
      this.advance();
      if (ended) this.tell(ended, true);
      if (ended || !shown.isConnected) return 'ended';
      ready[place] = at;
      return '';
    };
    const [first, ...rest] = this.order;
    let ended = await start(first);
    if (!ended && this.isMeant(first, this.box.asked) && this.box.asked?.above === MEMORY_WAITS)
      await deeper.time(ready[first]);
    if (this.runs.some(({ kernel }) => kernel.edited))
      for (const place of rest) ended ||= await start(place);
    else if (!ended) ended = (await Promise.all(rest.map(start))).find(Boolean) || '';
    if (ended) {
      for (const column of columns) if (!column.base) column.verdict ||= 'ended';
      this.box.columns = this.box.columns.filter(({ base, here }) => !base || here);
      this.box.draw();
      return ended;
    }
    const verdict = await this.timesAndChecks(ready, deeper);
    if (verdict === 'right')
      this.tell(
        `The result${length > 1 ? 's are' : ' is'} right: checked at N = ${this.size} and on ` +
          'small matrices of other shapes.',
      );
    if (shown.isConnected) {
      this.box.draw();
      for (const place of this.bases) {
        if (!(await start(place))) await deeper.time(ready[place]);
        this.advance();
      }
      await Promise.all(ready.filter(at => !at.column.wider).map(at => deeper.listing(at)));
    }
    return verdict;
  }
  /**
   * Checks the kernels. Predicts the times of those that were not edited or that pass. Returns the
   * verdict.
   * @param {At[]} ready
   * @param {Deeper} deeper
   */
  async timesAndChecks(ready, deeper) {
    const time = async (/** @type {At} */ at) => {
        if (at.column.milliseconds === null) await deeper.time(at);
        this.advance();
      },
      timing = ready.filter(at => !at.kernel.edited).map(time);
    let verdict = 'right';
    for (const at of ready.filter(one => !one.column.wider)) {
      const found = await this.check(at);
      this.advance();
      if (found !== 'right') verdict = verdict === 'right' || found === 'ended' ? found : verdict;
      if (this.current) this.box.draw();
    }
    const passed = ready.filter(at => at.kernel.edited && at.column.verdict === 'right');
    for (const at of passed)
      at.column.spared = await spared(at, this.box.sass, this.box.programs(at).warps);
    await Promise.all([...timing, ...passed.map(time)]);
    // A reader at the editor sees what the edit changed, too.
    const { board } = this.box;
    if (passed.length && this.current && board.getBoundingClientRect().top < 60) intoView(board);
    return verdict;
  }

  /**
   * Runs one kernel and puts its counters into its column. Returns why there are none, or ''.
   * @param {At} at
   * @param {HTMLElement} shown
   */
  async count(at, shown) {
    const programs = this.box.programs(at),
      watch = at.kernel.edited
        ? setTimeout(
            () => this.tell('running … it takes long: a loop without an end is looked for.'),
            1000 * ENDLESS_AFTER,
          )
        : 0;
    const words = '--counters c.csv --json=r.json'.split(' '),
      wanted = ['c.csv', 'r.json'],
      times = (Number(at.size) / 128) ** 3; // the work grows with N cubed
    if (times > 4 && !this.each && !at.kernel.edited) {
      await programsOf(at.kernel, at.files, '128', this.box.box).ladder(['--check', 'off']);
      this.showLeft(times);
      if (this.stopped) return '';
    }
    // The limit ends an endless loop early, long before the engine would end the run.
    const run = at.kernel.edited
      ? await programs.simrun([...limited(at), '--reports=40', '--per-line', ...words], wanted)
      : await programs.ladder(['--check', 'off', ...words], wanted);
    clearTimeout(watch);
    if (isOff(run)) return `The run has no result: ${reason(run)}.`;
    // An endless loop explains all other reports.
    const csv = run.files['c.csv'],
      all = records(decoded(run.files['r.json'])),
      found = endlessFirst(reportsOf(all)),
      { given = '', text } = at.kernel;
    if (text !== null)
      at.column.ran = ranSaid(edits(compared(given, text)), text, ofType(all, 'line'), at.size);
    if (found.length && this.current) {
      at.column.verdict = 'reported';
      await showReports(this.box, at, found, `in the run at N = ${at.size}`);
    } else if (run.status && !csv) return `The run has no result: ${reason(run)}.`;
    if (!shown.isConnected) return '';
    // The counters of a run that was cut off say only when that was.
    if (csv && !found.some(({ kind }) => CUT_OFF.test(kind)))
      at.column.here = countsOf(rows(decoded(csv)));
    this.box.draw();
    await this.addAsked(at);
    await this.addCostliest(at);
    return '';
  }
  /**
   * Checks one kernel. Returns the verdict.
   * @param {At} at
   */
  async check(at) {
    // After a report, the check would only report consequences of the same cause.
    if (at.column.verdict === 'reported')
      return (this.tell('The run ended with a report.', true), 'reported');
    if (at.kernel.edited && (await this.foundEndless(at))) {
      this.tell('A loop never ends.', true);
      return (at.column.verdict = 'reported');
    }
    const run = await this.box.programs(at).ladder(
      ['--check', 'only', ...asJson('ladder', 'r.json')],
      ['r.json'],
    );
    const ended = isOff(run);
    at.column.verdict = ended ? 'ended' : run.status ? 'reported' : 'right';
    if (ended) this.tell(`The check has no result: ${reason(run)}.`, true);
    else if (run.status) {
      this.tell('The check failed.', true);
      if (this.current)
        await showReports(
          this.box,
          at,
          reportsOf(records(decoded(run.files['r.json']))),
          `in the check, ${at.kernel.variant}`,
        );
    }
    return at.column.verdict;
  }
  /**
   * Adds figures of the launch to the counters, if the lesson has a question.
   * @param {At} at
   */
  async addAsked(at) {
    const { size, column } = at;
    if (!this.box.asked || !column.here) return;
    const launch = launchOf(await this.box.programs(at).launch(), Number(size));
    addFigures(column.here, launch);
    addFigures(column.there, launch);
    this.box.draw();
  }
  /**
   * Adds the figures of single instructions that the lesson's question needs to the counters.
   * @param {At} at
   */
  async addCostliest(at) {
    const { asked } = this.box,
      { here } = at.column;
    if (!asked || !here) return;
    // The reason needs the loops of some variants only.
    const { reasons } = asked,
      { variant } = at.column;
    if (reasons && !reasons.includes(variant) && !asked.loop) return;
    const simrun = (/** @type {string[]} */ words, /** @type {string[]} */ wanted) =>
      this.box.programs(at).simrun([...limited(at), ...words], wanted);
    for (const [name, value] of await figuresOf(asked, simrun)) here.set(name, value);
    this.box.draw();
  }
  /**
   * Runs an edited kernel at sizes that are no multiples of its tile. If it loops for ever at one
   * of them, shows the report and returns true. The check has such sizes, too, but no limit of
   * instructions, so it would not end.
   * @param {At} at
   */
  async foundEndless(at) {
    for (const size of ['65', '30', '129']) {
      const run = await programsOf(at.kernel, at.files, size, this.box.box).simrun(
        [...limited({ ...at, size }), ...asJson('simrun', 'r.json')],
        ['r.json'],
      );
      const found = endlessFirst(reportsOf(records(decoded(run.files['r.json']))));
      if (!this.current) return false;
      if (found[0]?.kind !== 'endless') continue;
      await showReports(this.box, at, found, `at N = ${size}`);
      return true;
    }
    return false;
  }
}
