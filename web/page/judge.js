// Verdicts on exercises that need no compiler, by the rules of exercises/judge.c, which are rows of
// `wishes`.
import { asJson, decoded, isOff, records, rows } from './programs.js';
import { clean, visible } from './text.js';
import { readNumber } from './results.js';
import { reportsOf } from './report.js';

/**
 * @param {number} a
 * @param {number} b
 * @param {number} [slack]
 */
export const near = (a, b, slack = 0) => Math.abs(a - b) <= Math.max(0.005 * Math.abs(b), slack);
/**
 * Returns the text after `name =` in a prediction, or ''.
 * @param {string} name
 * @param {string} prediction
 */
export const written = (name, prediction) => ((new RegExp(`^ *${name} *= *(.*)$`, 'm').exec(prediction) || [])[1] || '').replace(/#.*/, '').trim().replace(/^\?+$/, '');
/**
 * Returns a prediction as the rules compare it: as a number if it is one.
 * @param {string} name
 * @param {string} prediction
 */
export function predicted(name, prediction) {
  const text = written(name, prediction), value = readNumber(text);
  return value === null ? text.replace(/[\s,]/g, '') : String(value);
}

/**
 * Returns the fields of a prediction file: name, question, unit.
 * @param {string} text
 * @returns {{name: string, label: string, unit: string}[]}
 */
export function fieldsOf(text) {
  const fields = [];
  let words = '', before = '';
  for (const line of text.split('\n')) {
    const comment = /^\s*#\s?(.*)$/.exec(line), field = /^\s*([\w.]+)\s*=/.exec(line);
    if (comment) words += (words ? ' ' : '') + comment[1];
    else if (field) {
      const label = (words || before).trim(), unit = (/\b(sectors|wavefronts|cycles|loads|waits|bytes|barriers|percent|conflicts|instructions|registers|blocks|FFMAs?|microseconds|milliseconds|TFLOP\/s|times|rounds|rows|words|lanes|SMs|tiles|joules|watts|bits)\b/i.exec(label) || [''])[0].toLowerCase().replace('percent', '%').replace('tflop/s', 'TFLOP/s').replace(/ffmas?/, 'FFMAs').replace(/^sms$/, 'SMs');
      fields.push({ name: field[1], label, unit: /yes or no/.test(label) ? 'yes or no' : unit });
      if (words) before = words;
      words = '';
    }
  }
  return fields;
}

/**
 * @param {Uint8Array} bytes
 * @param {string} options
 */
const numbers = (bytes, options) => [...(/i32\S*=out:/.test(options) ? new Int32Array(bytes.slice().buffer) : new Float32Array(bytes.slice().buffer))];
/**
 * Returns a text about the first number that differs. names: "a;b" for even and odd numbers; %i is
 * the index among those of its name.
 * @param {number[]} mine
 * @param {number[]} key
 * @param {string} names
 */
export function difference(mine, key, names) {
  const first = mine.findIndex((value, i) => !Object.is(value, key[i])), name = names.split(';');
  return `${name[first % name.length].replace(/%i/g, String(Math.floor(first / name.length)))} is ${mine[first]}, wanted is ${key[first]} (${mine.filter((value, i) => !Object.is(value, key[i])).length} of ${mine.length} numbers differ)`;
}
/**
 * Returns the figures of the loop with the largest share of arithmetic, from the records of `sass
 * lint`; null if there is none.
 * @param {any[]} records
 * @returns {Record<string, number>|null}
 */
function figuresOf(records) {
  const loops = records.filter(one => one.type === 'loop').map(({ instructions, ffma, dfma, bank_conflicts }) => ({ instructions, arithmetic: (ffma || 0) + (dfma || 0), conflicts: bank_conflicts }));
  return loops.reduce((best, one) => (!best || one.arithmetic / one.instructions > best.arithmetic / best.instructions ? one : best), /** @type {any} */ (null));
}
/**
 * @param {string} expression
 * @param {Record<string, number>} figures
 */
export const valueOf = (expression, figures) => expression.split('/').map(part => part.trim()).map(part => (part in figures ? figures[part] : Number(part))).reduce((a, b) => (b === 0 ? 0 : a / b));

/** @typedef {{right: boolean, words: string, reports?: any[], field?: string}} Line a line of a verdict */

/**
 * Returns the lines of a verdict. Without a source only the predictions are judged. Throws a run
 * that was ended.
 * @param {{wishes: string, key: () => Promise<string>, id: string}} task
 * @param {string} prediction
 * @param {string|undefined} source
 * @param {any} owner
 * @returns {Promise<Line[]>}
 */
export async function judge(task, prediction, source, owner) {
  const { id } = task, start = async (/** @type {string[]} */ words, /** @type {Record<string, any>} */ files, /** @type {string[]} */ wanted = []) => {
    const run = await Engine.run([...words, ...asJson(words[0], 'r.json')], files, { wanted: [...wanted, 'r.json'], owner });
    if (isOff(run)) throw run;
    const all = records(decoded(run.files['r.json']));
    return { ...run, records: all, reports: reportsOf(all) };
  };
  const wishes = task.wishes.split('\n').filter(line => line && !/^ *#/.test(line)).map(line => line.split('|'));
  const names = wishes.filter(([kind]) => kind === 'count' || kind === 'say' || kind === 'faster').map(row => row[1]), empty = names.filter(name => !predicted(name, prediction));
  /** @type {Line[]} */
  const lines = [];
  if (empty.length) return empty.map(name => ({ right: false, words: 'Predict first: a wrong one costs nothing, and teaches most.', field: name }));
  const of = (/** @type {string} */ kind) => wishes.filter(row => row[0] === kind), flags = of('flags').flatMap(row => row[1].split(' ')), made = `cubin/sm_90/${id}/mine.cubin`;
  /** @type {Record<string, Uint8Array>} */
  const cubins = {};
  const assemble = async (/** @type {string} */ code, /** @type {string} */ name) => {
    const run = await start(['sass', 'asm', 'kernel.sass', ...flags, '-o', name], { 'kernel.sass': code }, [name]);
    if (run.files[name]) cubins[name] = run.files[name];
    return run;
  };
  if (source !== undefined) {
    const run = await assemble(visible(source), made);
    if (run.status) return [{ right: false, words: 'It does not assemble.', reports: run.reports.length ? run.reports : [{ type: 'error', kind: 'syntax', severity: 'error', message: clean(run.err).trim(), line: null }] }];
    for (const [, options] of of('check')) {
      const check = await start(['ladder', '--step', id, '--backend', 'sim', '--check', 'only', ...options.split(' ')], cubins);
      if (check.status) return [{ right: false, words: `The result is wrong, or the simulator found a mistake (${options}).`, reports: check.reports }];
      lines.push({ right: true, words: `results at ${options}` });
    }
    for (const [, options, called = 'number %i of the output'] of of('same')) {
      await assemble(await task.key(), 'key.cubin');
      const [mine, key] = await Promise.all([made, 'key.cubin'].map(name => start(['simrun', name, ...options.replace('OUT', 'out').split(' ')], cubins, ['out'])));
      if (mine.status) return [{ right: false, words: 'The run ended with a report.', reports: mine.reports.length ? mine.reports : [{ type: 'report', kind: 'failed', severity: 'error', message: clean(mine.err).trim(), caused_by: null }] }];
      const [found, wanted] = [mine, key].map(one => numbers(one.files.out, options));
      if (found.some((value, i) => !Object.is(value, wanted[i]))) return [{ right: false, words: `Another result than wanted: ${difference(found, wanted, called)}.` }];
      lines.push({ right: true, words: 'the result' });
    }
    for (const [, wanted, count, words] of of('code')) {
      const found = (await start(['sass', 'dis', made], cubins)).out.split('\n').filter(line => line.includes(wanted)).length;
      if (found !== Number(count)) return [{ right: false, words: `${words}: the code has "${wanted}" ${found} time${found === 1 ? '' : 's'}, wanted is ${count}.` }];
    }
  }
  /** @type {Record<string, number>|null} figures for `count`, of the inner loop or of simrun */
  let figures = null;
  for (const [kind, name, value, expression, words] of wishes) {
    if (source !== undefined && kind === 'lint') { const run = await start(['sass', 'lint', made], cubins); figures = figuresOf(run.records); }
    if (source !== undefined && kind === 'simrun') {
      const run = await start(['simrun', made, ...name.split(' '), '--counters', 'c.csv'], cubins, ['c.csv']);
      figures = Object.fromEntries(rows(decoded(run.files['c.csv'])).map(([counter, count]) => [counter, Number(count)]));
    }
    const guess = kind === 'say' || kind === 'count' ? predicted(name, prediction) : '';
    if (kind === 'say') {
      const right = guess.toLowerCase() === value.toLowerCase() || near(Number(guess), Number(value));
      lines.push({ right, words: right ? `${expression}: ${value}` : `${expression}: ${guess} is not it`, field: name });
    }
    if (kind !== 'count') continue;
    const [values, slack = '0'] = value.split('~'), wanted = values.split(' or ').map(Number);
    const found = figures ? valueOf(expression, figures) : wanted.find(one => near(Number(guess), one)) ?? wanted[0], is = wanted.find(one => near(found, one)), told = is !== undefined && near(Number(guess), is, Number(slack));
    if (is === undefined) lines.push({ right: false, words: `${words}: your kernel has ${found}, wanted is ${values} (you predicted ${guess})`, field: name });
    else lines.push({ right: told, words: `${words}: ${told ? `${is}, ${near(Number(guess), is) ? 'as you predicted' : `and ${guess}, as you predicted, is near enough`}` : `${guess} is not it${figures ? `; your kernel has ${found}` : ''}.`}`, field: name });
  }
  return lines;
}
