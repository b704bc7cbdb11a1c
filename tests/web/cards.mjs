// node tests/web/cards.mjs [STEP...]: compares the figures in each lesson's text with those that
// the lesson's box shows on its cards. It runs the browser edition's programs as the box does.
// steps/*/bet.mjs has the texts that are compared (inText). Prints TAP.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { ASKED, figuresOf } from '../../web/page/asked.js';
import * as results from '../../web/page/results.js';
import { number } from '../../web/page/text.js';

const { run } = createRequire(import.meta.url)('./programs.js');
const decoded = bytes => (bytes ? new TextDecoder().decode(bytes) : '');
const plain = text => text.replace(/[\s*]+/g, ' ');

// Returns the figure on a variant's card, as the box computes it.
async function figureOf(asked, step, variant, size) {
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
  return results.rounded(results.answer(asked, counts));
}

const chosen = process.argv.slice(2);
for (const step of fs.readdirSync('steps').filter(name => fs.existsSync(`steps/${name}/bet.mjs`))) {
  if (chosen.length && !chosen.some(one => step.startsWith(one))) continue;
  const asked = ASKED[step.slice(0, 2)],
    lesson = fs.readFileSync(`steps/${step}/README.md`, 'utf8'),
    { inText = {} } = await import(`../../steps/${step}/bet.mjs`);
  const size = (/<!-- try: \S+ \S+ (\d+) -->/.exec(lesson) || ['', '256'])[1],
    wrong = [];
  const wider = asked.wider ? `${asked.of}, wider` : asked.of,
    answer = await figureOf(asked, step, asked.of, `${Number(size) + (asked.wider || 0)}`);
  if (!asked.bets.some(bet => Math.abs(bet - answer) <= 0.1 * answer))
    wrong.push(`the answer is ${answer}, the bets are ${asked.bets.join(', ')}`);
  for (const [name, words] of Object.entries(inText)) {
    const value =
      name === wider ? answer : await figureOf(asked, step, name.replace(', wider', ''), size);
    if (!plain(lesson).includes(plain(words.replace('#', number(value)))))
      wrong.push(`${name}: the card has ${number(value)}, README.md not: ${words}`);
  }
  console.log(`${wrong.length ? 'not ok' : 'ok'} - ${step}: the text has the figures of the cards`);
  for (const line of wrong) console.log(`# ${line}`);
}
