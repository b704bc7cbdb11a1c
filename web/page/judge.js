// Judges exercises that need no compiler, as exercises/judge.c does. The rules of an exercise are
// the rows of its file `wishes`: fields separated by `|`, the first of which is the rule's kind.
import { asJson, decoded, isOff, records, rows } from './programs.js';
import { clean, visible } from './text.js';
import { readNumber } from './results.js';
import { reportsOf } from './report.js';

/**
 * Returns true if a differs from b by at most 0.5 % of b, or by at most `slack`.
 * @param {number} a
 * @param {number} b
 * @param {number} [slack] in the unit of a
 */
export const near = (a, b, slack = 0) => Math.abs(a - b) <= Math.max(0.005 * Math.abs(b), slack);
/**
 * Returns the text after `name =` in a prediction; '' if there is none or only question marks.
 * @param {string} name
 * @param {string} prediction the text of a prediction file
 */
export const written = (name, prediction) =>
  ((new RegExp(`^ *${name} *= *(.*)$`, 'm').exec(prediction) || [])[1] || '')
    .replace(/#.*/, '')
    .trim()
    .replace(/^\?+$/, '');
/**
 * Returns one prediction as text to be compared: a plain number (`1024` for "1,024"), or else the
 * text without blanks and commas.
 * @param {string} name
 * @param {string} prediction the text of a prediction file
 */
export function predicted(name, prediction) {
  const text = written(name, prediction),
    value = readNumber(text);
  return value === null ? text.replace(/[\s,]/g, '') : String(value);
}

/**
 * Returns the fields of a prediction file: name, question (`label`), unit.
 * @param {string} text
 * @returns {{name: string, label: string, unit: string}[]}
 */
export function fieldsOf(text) {
  const fields = [];
  let words = '',
    before = '';
  for (const line of text.split('\n')) {
    const comment = /^\s*#\s?(.*)$/.exec(line),
      field = /^\s*([\w.]+)\s*=/.exec(line);
    if (comment) words += (words ? ' ' : '') + comment[1];
    else if (field) {
      const label = (words || before).trim(),
        unit = (
          RegExp(
            '(?:^(?:\\w+ )?|in )(sectors|wavefronts|cycles|loads|waits|bytes|floats|GB|barriers|' +
              'percent|conflicts|instructions|registers|blocks|FFMAs?|microseconds|milliseconds|' +
              'TFLOP/s|times|rounds|rows|words|lanes|SMs|tiles|joules|watts|bits)\\b',
            'i',
          ).exec(label)?.[1] ?? ''
        )
          .toLowerCase()
          .replace('percent', '%')
          .replace('tflop/s', 'TFLOP/s')
          .replace('gb', 'GB')
          .replace(/ffmas?/, 'FFMAs')
          .replace(/^sms$/, 'SMs');
      fields.push({ name: field[1], label, unit: /yes or no/.test(label) ? 'yes or no' : unit });
      if (words) before = words;
      words = '';
    }
  }
  return apart(fields);
}
/**
 * Gives different labels to fields that share a question. If the question lists its parts ("Loads:
 * with one row, and with yours."), each field gets its part. Otherwise each gets its name in front.
 * @param {{name: string, label: string, unit: string}[]} fields
 */
function apart(fields) {
  return fields.map(field => {
    const same = fields.filter(one => one.label === field.label),
      [head, rest = ''] = field.label.split(/: (.*)/s),
      parts = rest.replace(/\.$/, '').split(/, and |, | and /);
    if (same.length < 2) return field;
    const label =
      parts.length === same.length
        ? `${head}: ${parts[same.indexOf(field)]}`
        : `${field.name}: ${field.label}`;
    return { ...field, label };
  });
}

/**
 * Returns the numbers of an output file, as int32 if the options declare that, else as float32.
 * @param {Uint8Array} bytes
 * @param {string} options of simrun
 */
const numbers = (bytes, options) => [
  ...(/i32\S*=out:/.test(options)
    ? new Int32Array(bytes.slice().buffer)
    : new Float32Array(bytes.slice().buffer)),
];
/**
 * Returns a text about the first number that differs from the key's.
 * @param {number[]} mine
 * @param {number[]} key
 * @param {string} names "a;b" if numbers are named a and b in turn; %i in a name is replaced by the
 *   index among the numbers of that name
 */
export function difference(mine, key, names) {
  const first = mine.findIndex((value, i) => !Object.is(value, key[i])),
    name = names.split(';');
  return (
    `${name[first % name.length].replace(/%i/g, String(Math.floor(first / name.length)))} ` +
    `is ${mine[first]}, expected ${key[first]} ` +
    `(${mine.filter((value, i) => !Object.is(value, key[i])).length} of ${mine.length} ` +
    'numbers differ)'
  );
}
/**
 * Returns the figures of the loop in which FFMA and DFMA have the largest share, from the records
 * of `sass lint`; null if there is no loop.
 * @param {any[]} records
 * @returns {Record<string, number>|null}
 */
function figuresOf(records) {
  const loops = records
    .filter(one => one.type === 'loop')
    .map(({ instructions, ffma, dfma, bank_conflicts }) => ({
      instructions,
      arithmetic: (ffma || 0) + (dfma || 0),
      conflicts: bank_conflicts,
    }));
  return loops.reduce(
    (best, one) =>
      !best || one.arithmetic / one.instructions > best.arithmetic / best.instructions ? one : best,
    /** @type {any} */ (null),
  );
}
/**
 * Returns the value of an expression such as `arithmetic / instructions`. A division by 0 gives 0.
 * @param {string} expression numbers and names of figures, separated by `/`
 * @param {Record<string, number>} figures
 */
export const valueOf = (expression, figures) =>
  expression
    .split('/')
    .map(part => part.trim())
    .map(part => (part in figures ? figures[part] : Number(part)))
    .reduce((a, b) => (b === 0 ? 0 : a / b));

/**
 * Returns what is wrong with an answer that should be a number.
 * @param {string} guess
 * @param {string} wrong the result if the guess is a number
 */
export const wrongNumber = (guess, wrong) =>
  Number.isNaN(Number(guess)) ? 'write a number' : wrong;

/** @type {Record<string, (a: number, b: number) => boolean>} */
const COMPARED = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};
/**
 * Returns the macros of kernel.cu that the reader sets, with the rules for their values. The rules
 * are rows such as `holds|PAD % 2 != 0 && PAD < 9|words`. Rows with conditions of another form are
 * left out here; `make exercise` checks them.
 * @param {string} wishes
 */
export function settingsOf(wishes) {
  /** @typedef {{words: string, holds: (value: (name: string) => number) => boolean}} Rule */
  /** @type {Map<string, Rule[]>} */
  const found = new Map();
  for (const row of wishes.split('\n').filter(line => line.startsWith('holds|'))) {
    const [, condition, words] = row.split('|');
    const parts = condition
      .split(' && ')
      .map(part => /^([A-Z_]+)(?: % (\d+))? ([=!<>]=?) (\d+)$/.exec(part));
    if (!parts.every(part => part && part[3] in COMPARED)) continue;
    for (const part of parts) {
      const [, name, divisor, compare, bound] = /** @type {RegExpExecArray} */ (part);
      const holds = (/** @type {(name: string) => number} */ value) =>
        COMPARED[compare](divisor ? value(name) % Number(divisor) : value(name), Number(bound));
      found.set(name, [...(found.get(name) || []), { words, holds }]);
    }
  }
  return [...found].map(([name, rules]) => ({ name, rules }));
}

/**
 * @typedef {{right: boolean, words: string, reports?: any[], field?: string, empty?: boolean}} Line
 *   a line of a verdict; field: the prediction that it judges; empty: true if that is missing
 */

/**
 * @typedef {{wishes: string, key: () => Promise<string>, id: string, told?: boolean}} Task
 *   one exercise; told: true if the verdict may tell what was expected and what was found
 */

/** Judges what the reader wrote for one exercise. */
class Judge {
  /**
   * @param {Task} task
   * @param {string} prediction
   * @param {any} owner
   */
  constructor(task, prediction, owner) {
    this.task = task;
    this.prediction = prediction;
    this.owner = owner;
    this.wishes = task.wishes
      .split('\n')
      .filter(line => line && !/^ *#/.test(line))
      .map(line => line.split('|'));
    this.made = `cubin/sm_90/${task.id}/mine.cubin`;
    /** @type {Record<string, Uint8Array>} */
    this.cubins = {};
  }
  /** Returns the rules of a kind. @param {string} kind */
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
   * @param {Record<string, any>} files
   * @param {string[]} [wanted]
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
      const { line } = run.reports.find(record => record.line) || { line: null };
      const words = `It does not assemble${line ? `: line ${line}` : ''}.`;
      return { lines, wrong: failed(words, run, { type: 'error', kind: 'syntax', line: null }) };
    }
    for (const [, options] of this.of('check')) {
      const check = await this.start(
        [
          'ladder',
          '--step',
          this.task.id,
          '--backend',
          'sim',
          '--check',
          'only',
          ...options.split(' '),
        ],
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
    const run = (/** @type {string} */ name) =>
      this.start(['simrun', name, ...options.replace('OUT', 'out').split(' ')], this.cubins, [
        'out',
      ]);
    const [mine, key] = await Promise.all([run(this.made), run('key.cubin')]);
    if (mine.status)
      return failed('The run ended with a report.', mine, {
        type: 'report',
        kind: 'failed',
        caused_by: null,
      });
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
      if (kind === 'say') lines.push(this.said(wish));
      if (kind === 'count') lines.push(...this.counted(wish, figures));
    }
    return lines;
  }
  /** Runs the kernel and returns its counters by name. @param {string} options of simrun */
  async counters(options) {
    const run = await this.start(
      ['simrun', this.made, ...options.split(' '), '--counters', 'c.csv'],
      this.cubins,
      ['c.csv'],
    );
    return Object.fromEntries(
      rows(decoded(run.files['c.csv'])).map(([counter, count]) => [counter, Number(count)]),
    );
  }
  /**
   * Returns ": " and what a wrong guess leaves out, if a row `near` explains this guess; else ''.
   * @param {string} name
   * @param {string} guess
   */
  leftOut(name, guess) {
    const row = this.of('near').find(
      ([, of, value]) =>
        of === name &&
        (value.toLowerCase() === guess.toLowerCase() || near(Number(guess), Number(value))),
    );
    return row ? `: ${row[3]}` : '';
  }
  /**
   * Compares a prediction with the word or number of a row `say`.
   * @param {string[]} wish the row
   * @returns {Line}
   */
  said([, name, value, words]) {
    const guess = predicted(name, this.prediction);
    const right = guess.toLowerCase() === value.toLowerCase() || near(Number(guess), Number(value));
    const wrong = `${guess} is not right${this.leftOut(name, guess)}`,
      said = Number.isNaN(Number(value)) ? wrong : wrongNumber(guess, wrong);
    return { right, words: `${words}: ${right ? value : said}`, field: name };
  }
  /**
   * Judges a row `count`: the kernel's count has to be a wanted one, and the prediction near it.
   * @param {string[]} wish the row
   * @param {Record<string, number>|null} figures null: there is no kernel, only the prediction
   * @returns {Line[]}
   */
  counted([, name, value, expression, words], figures) {
    const guess = predicted(name, this.prediction);
    const [values, slack = '0'] = value.split('~');
    const wanted = values.split(' or ').map(Number);
    const found = figures
      ? valueOf(expression, figures)
      : (wanted.find(one => near(Number(guess), one)) ?? wanted[0]);
    const is = wanted.find(one => near(found, one));
    if (is === undefined) {
      const same = near(Number(guess), found),
        fewer = wanted.every(one => one < found);
      const possible = fewer ? `fewer than ${found} are possible` : 'the task asks for more';
      return [
        {
          right: same,
          words: same
            ? `${words}: ${found}, as you predicted`
            : `${words}: you predicted ${guess}; your kernel has ${found}`,
          field: name,
        },
        {
          right: false,
          words: `your kernel: ${this.task.told ? `the task asks for ${values}` : possible}`,
        },
      ];
    }
    if (!near(Number(guess), is, Number(slack))) {
      const shown = figures && this.task.told ? `; your kernel has ${found}` : '',
        wrong = `${guess} is not right${shown}${this.leftOut(name, guess)}.`;
      return [{ right: false, words: `${words}: ${wrongNumber(guess, wrong)}`, field: name }];
    }
    const how = near(Number(guess), is)
      ? 'as you predicted'
      : `and ${guess}, as you predicted, is near enough`;
    return [{ right: true, words: `${words}: ${is}, ${how}`, field: name }];
  }
}
/**
 * Returns a line for a run that failed, with its reports. If there are none, its output is one.
 * @param {string} words
 * @param {any} run
 * @param {any} record the fields of that report
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
 * @param {any} owner
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
  if (wrong) return [wrong];
  return [...(hasKernel ? lines : it.settings()), ...(await it.predictions(hasKernel))];
}
