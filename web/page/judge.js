// Judges exercises that need no compiler, as exercises/judge.c does: runs the reader's kernel and
// compares it, and the predictions, with the exercise's rules (rules.js).
import { asJson, decoded, isOff, records, rows } from './programs.js';
import { counted, said, wrongNumber } from './feedback.js';
import { clean, visible } from './text.js';
import { predicted } from './reading.js';
import { difference, figuresOf, numbers, settingsOf, wishesOf } from './rules.js';
import { reportsOf } from './report.js';

/** @typedef {import('./feedback.js').Line} Line */
/** @typedef {Run & {records: Row[], reports: Report[]}} Finished */

/**
 * @typedef {{wishes: string, key: () => Promise<string>, id: string, told?: boolean}} Task
 *   one exercise; told: true if the verdict may tell what was expected and what was found
 */

/** Judges what the reader wrote for one exercise. */
class Judge {
  /**
   * @param {Task} task
   * @param {string} prediction
   * @param {HTMLElement} owner of the runs
   */
  constructor(task, prediction, owner) {
    this.task = task;
    this.prediction = prediction;
    this.owner = owner;
    this.wishes = wishesOf(task.wishes);
    this.made = `cubin/sm_90/${task.id}/mine.cubin`;
    /** @type {Record<string, Uint8Array>} */
    this.cubins = {};
  }
  /**
   * Returns the rules of a kind.
   * @param {string} kind
   */
  of(kind) {
    return this.wishes.filter(row => row[0] === kind);
  }
  /**
   * Returns the names of the predictions that are missing.
   * @param {boolean} hasKernel false: values of macros are predicted, too
   */
  missing(hasKernel) {
    const asked = this.wishes
      .filter(([kind]) => ['count', 'say', 'faster'].includes(kind))
      .map(row => row[1]);
    if (!hasKernel) asked.push(...settingsOf(this.task.wishes).map(({ name }) => name));
    return asked.filter(name => !predicted(name, this.prediction));
  }
  /**
   * Runs a program and reads its records. Throws the run if it was ended or could not begin.
   * @param {string[]} words the program and its arguments
   * @param {Record<string, string|Uint8Array>} files
   * @param {string[]} [wanted]
   * @returns {Promise<Finished>}
   */
  async start(words, files, wanted = []) {
    const run = await Engine.run([...words, ...asJson(words[0], 'r.json')], files, {
      wanted: [...wanted, 'r.json'],
      owner: this.owner,
    });
    if (isOff(run)) throw run;
    const all = records(decoded(run.files['r.json']));
    return { ...run, records: all, reports: reportsOf(all) };
  }
  /**
   * Assembles code into a cubin, and keeps that in `cubins`.
   * @param {string} code
   * @param {string} name of the cubin
   */
  async assemble(code, name) {
    const flags = this.of('flags').flatMap(row => row[1].split(' '));
    const run = await this.start(
      ['sass', 'asm', 'kernel.sass', ...flags, '-o', name],
      { 'kernel.sass': code },
      [name],
    );
    if (run.files[name]) this.cubins[name] = run.files[name];
    return run;
  }

  // --- the kernel
  /**
   * Judges a kernel. Returns a line for each rule that the kernel keeps, and in `wrong` a line for
   * the first rule that it breaks (null: none).
   * @param {string} source
   * @returns {Promise<{lines: Line[], wrong: Line|null}>}
   */
  async kernel(source) {
    /** @type {Line[]} */
    const lines = [];
    const run = await this.assemble(visible(source), this.made);
    if (run.status) {
      const line = run.reports.find(record => record.line)?.line;
      const words = `It does not assemble${line ? `: line ${line}` : ''}.`;
      return { lines, wrong: failed(words, run, { type: 'error', kind: 'syntax' }) };
    }
    for (const { name, rules } of settingsOf(this.task.wishes)) {
      const [, value] = RegExp(`\\.let ${name} = (\\d+)\\s*(//|$)`, 'm').exec(source) || [],
        broken = value && rules.find(({ holds }) => !holds(() => Number(value)));
      if (broken) return { lines, wrong: { right: false, words: `${broken.words}.` } };
    }
    for (const [, options] of this.of('check')) {
      const check = await this.start(
        `ladder --step ${this.task.id} --backend sim --check only ${options}`.split(' '),
        this.cubins,
      );
      const words = `The result is wrong, or the simulator found a mistake (${options}).`;
      if (check.status) return { lines, wrong: { right: false, words, reports: check.reports } };
      lines.push({ right: true, words: `results at ${options}` });
    }
    for (const [, options, called = 'number %i of the output'] of this.of('same')) {
      const wrong = await this.sameAsKey(options, called);
      if (wrong) return { lines, wrong };
      lines.push({ right: true, words: 'the result' });
    }
    for (const [, wanted, count, words] of this.of('code')) {
      const found = (await this.start(['sass', 'dis', this.made], this.cubins)).out
        .split('\n')
        .filter(line => line.includes(wanted)).length;
      const said = this.task.told
        ? `${words}: the code has "${wanted}" ${found} time${found === 1 ? '' : 's'}, ` +
          `expected ${count}.`
        : `${words}.`;
      if (found !== Number(count)) return { lines, wrong: { right: false, words: said } };
    }
    return { lines, wrong: null };
  }
  /**
   * Compares the output with that of the key's kernel. Returns what is wrong, or null.
   * @param {string} options of simrun
   * @param {string} called names of the output's numbers, as for difference()
   * @returns {Promise<Line|null>}
   */
  async sameAsKey(options, called) {
    await this.assemble(await this.task.key(), 'key.cubin');
    const to = options.replace('OUT', 'out');
    const run = (/** @type {string} */ name) =>
      this.start(`simrun ${name} ${to}`.split(' '), this.cubins, ['out']);
    const [mine, key] = await Promise.all([run(this.made), run('key.cubin')]);
    if (mine.status)
      return failed('the simulator finds a mistake.', mine, { type: 'report', kind: 'failed' });
    const [found, wanted] = [mine, key].map(one => numbers(one.files.out, options));
    if (found.every((value, i) => Object.is(value, wanted[i]))) return null;
    return {
      right: false,
      words: `Another result than expected: ${difference(found, wanted, called)}.`,
    };
  }

  /**
   * Judges predicted values of macros. They stand for a kernel in CUDA, which the page cannot
   * compile. The line of a wrong value names the first rule that the value breaks.
   * @returns {Line[]}
   */
  settings() {
    const value = (/** @type {string} */ name) => Number(predicted(name, this.prediction));
    return settingsOf(this.task.wishes).map(({ name, rules }) => {
      const broken = rules.find(({ holds }) => !holds(value));
      const given = predicted(name, this.prediction);
      const words = broken
        ? `${name} = ${given}: ${wrongNumber(given, broken.words)}`
        : `${name} = ${given}`;
      return { right: !broken, words, field: name };
    });
  }

  // --- the predictions
  /**
   * Returns what the reader predicted for a rule.
   * @param {import('./rules.js').Wish} wish
   */
  given([, name]) {
    const guess = predicted(name, this.prediction);
    return { guess, nears: this.of('near'), told: this.task.told };
  }
  /**
   * Judges the predictions. Those about a kernel are compared with figures of its inner loop (after
   * a row `lint`) or of a run (after a row `simrun`).
   * @param {boolean} hasKernel
   */
  async predictions(hasKernel) {
    /** @type {Line[]} */
    const lines = [];
    /** @type {Record<string, number>|null} */
    let figures = null;
    for (const wish of this.wishes) {
      const [kind] = wish;
      if (hasKernel && kind === 'lint')
        figures = figuresOf((await this.start(['sass', 'lint', this.made], this.cubins)).records);
      if (hasKernel && kind === 'simrun') figures = await this.counters(wish[1]);
      if (kind === 'say') lines.push(said(wish, this.given(wish)));
      if (kind === 'count') lines.push(...counted(wish, this.given(wish), figures));
    }
    return lines;
  }
  /**
   * Runs the kernel and returns its counters by name.
   * @param {string} options of simrun
   */
  async counters(options) {
    const run = await this.start(
      `simrun ${this.made} ${options} --counters c.csv`.split(' '),
      this.cubins,
      ['c.csv'],
    );
    return Object.fromEntries(
      rows(decoded(run.files['c.csv'])).map(([counter, count]) => [counter, Number(count)]),
    );
  }
}
/**
 * Returns a line for a run that failed, with its reports. If there are none, its output is one.
 * @param {string} words
 * @param {Finished} run
 * @param {Pick<Report, 'type'|'kind'>} record its type and kind
 * @returns {Line}
 */
const failed = (words, run, record) => ({
  right: false,
  words,
  reports: run.reports.length
    ? run.reports
    : [{ severity: 'error', message: clean(run.err).trim(), ...record }],
});

/**
 * Returns the lines of a verdict. Without a source only the predictions are judged. Throws a run if
 * it was ended or could not begin.
 * @param {Task} task
 * @param {string} prediction
 * @param {string|undefined} source
 * @param {HTMLElement} owner of the runs
 * @returns {Promise<Line[]>}
 */
export async function judge(task, prediction, source, owner) {
  const it = new Judge(task, prediction, owner);
  const hasKernel = source !== undefined;
  /** @type {Line[]} */
  const missing = it.missing(hasKernel).map(field => ({
    right: false,
    empty: true,
    words: 'Predict first: a wrong one costs nothing, and teaches most.',
    field,
  }));
  // A kernel is judged even if predictions are missing, but without its counts.
  const { lines, wrong } =
    source === undefined ? { lines: [], wrong: null } : await it.kernel(source);
  if (missing.length) return [...missing, ...(wrong ? [wrong] : lines)];
  if (wrong) return [wrong, ...it.of('say').map(wish => said(wish, it.given(wish)))];
  return [...(hasKernel ? lines : it.settings()), ...(await it.predictions(hasKernel))];
}
