// node tests/web/cards.mjs [STEP...]: compares the figures in each lesson's text with those that
// the lesson's box shows, and fills the reasons for its answer with figures of the run. It runs the
// browser edition's programs as the box does. steps/*/bet.mjs has the texts. Prints TAP; with
// SHOW in the environment, the reasons, too.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { ASKED, figuresOf } from '../../web/page/asked.js';
import * as results from '../../web/page/results.js';
import { filled } from '../../web/page/reasons.js';
import { number } from '../../web/page/text.js';

const { run } = createRequire(import.meta.url)('./programs.js');
const decoded = bytes => (bytes ? new TextDecoder().decode(bytes) : '');
const plain = text => text.replace(/[\s*]+/g, ' ');

// Returns a variant's counters and figures, as the box computes them.
async function countsOf(asked, step, variant, size) {
  const path = `build/cubin/sm_90/${step}/${variant}.cubin`,
    launch = run(['launch', step, variant, size]).out.trim(),
    simrun = async words =>
      run(['simrun', path.replace('build/', ''), ...launch.split(' '), ...words], [path]);
  const words = ['--step', step, '--variant', variant, '--size', size, '--check', 'off'],
    counted = run(['ladder', '--backend', 'sim', ...words, '--counters', 'c.csv'], [path]),
    rows = decoded(counted.files['c.csv']).trim().split('\n').slice(1);
  const counts = results.countsOf(rows.map(row => row.split(',')));
  results.addFigures(counts, results.launchOf(launch, Number(size)));
  const figures = await figuresOf(asked, simrun);
  if ([results.CYCLES, results.MEMORY_WAITS].includes(asked.above)) {
    const { out, files } = await simrun(['--time', '--stalls', '--json=r.json']),
      records = decoded(files['r.json']).split('\n').filter(Boolean).map(JSON.parse);
    figures.push(...results.predictedOf(records, out));
  }
  for (const [name, value] of figures) counts.set(name, value);
  return counts;
}
// Returns what is wrong with a reason: figures that are missing, or a sum with a wrong result.
function wrongIn(said) {
  if (said === null) return ['a figure is missing'];
  return [...said.matchAll(/([\d(][\d ×*+()]*) = ([\d.]+)/g)]
    .filter(([, sum, result]) => eval(sum.replace(/×/g, '*')) !== Number(result))
    .map(([equation]) => `wrong: ${equation}`);
}

const chosen = process.argv.slice(2);
for (const step of fs.readdirSync('steps').filter(name => fs.existsSync(`steps/${name}/bet.mjs`))) {
  if (chosen.length && !chosen.some(one => step.startsWith(one))) continue;
  const asked = ASKED[step.slice(0, 2)],
    lesson = fs.readFileSync(`steps/${step}/README.md`, 'utf8'),
    { inText = {}, why, means } = await import(`../../steps/${step}/bet.mjs`);
  const size = (/<!-- try: \S+ \S+ (\d+) -->/.exec(lesson) || ['', '256'])[1],
    wrong = [];
  const kept = {},
    // Returns the counts of a variant; '': those of the run that the question is about.
    counts = async (name, wider = 0) =>
      (kept[name + wider] ||= await countsOf(asked, step, name, `${Number(size) + wider}`)),
    figure = async (...run) => results.rounded(results.answer(asked, await counts(...run)));
  const answer = await figure(asked.of, asked.wider);
  if (!asked.bets.some(bet => Math.abs(bet - answer) <= 0.1 * answer))
    wrong.push(`the answer is ${answer}, the bets are ${asked.bets.join(', ')}`);
  for (const [name, words] of Object.entries(inText)) {
    const value = await figure(name.replace(', wider', ''), / wider/.test(name) ? asked.wider : 0);
    if (!plain(lesson).includes(plain(words.replace('#', number(value)))))
      wrong.push(`${name}: the card has ${number(value)}, README.md not: ${words}`);
  }
  const texts = [why, ...Object.values(means)];
  for (const name of new Set(texts.join().match(/(?<=\{(\w+\/\d+ )?)\w+(?=\})/g)))
    if (fs.existsSync(`build/cubin/sm_90/${step}/${name}.cubin`)) await counts(name);
  const run = await counts(asked.of, asked.wider),
    reasons = texts.map(text => filled(text, asked, name => (name ? kept[`${name}0`] : run)));
  if (!why.includes('{}')) wrong.push('the reason does not have the answer');
  wrong.push(...reasons.flatMap(wrongIn));
  // What another bet would have meant begins with that bet, or is about the whole of it.
  Object.keys(means).forEach((bet, i) => {
    if (!asked.bets.includes(Number(bet)) || Number(bet) === answer) wrong.push(`no bet ${bet}`);
    const [first] = /(?<=^(It would be (about )?)?)[\d.]+/.exec(reasons[i + 1]) || [bet];
    if (first !== bet) wrong.push(`not about ${bet}: ${reasons[i + 1]}`);
  });
  if (process.env.SHOW) console.log(reasons.map(reason => `# ${reason}`).join('\n'));
  console.log(`${wrong.length ? 'not ok' : 'ok'} - ${step}: the text and reasons have its figures`);
  for (const line of wrong) console.log(`# ${line}`);
}
