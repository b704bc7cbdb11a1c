// The boxes of the built site in headless browsers, as TAP: node tests/web/boxes.js SITE chromium|firefox|webkit...
'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');
const { resolve } = require('path');
const { axe } = require('./axe.js');
const { edits } = require('./edits.js');
const { editor } = require('./editor.js');
const { hostile } = require('./hostile.js');
const { steps } = require('./steps.js');
const { motion } = require('./motion.js');

const site = resolve(process.argv[2]);
let browserName = '';
const tell = (name, wrong) => {
  console.log(`${wrong.length ? 'not ok' : 'ok'} - ${browserName}: ${name}`);
  wrong.slice(0, 10).forEach(line => console.log(`# ${line}`));
};
// In the page: until an expression is true, or it has taken too long.
const until = (expression, seconds = 60) => `(async () => { for (let i = 0; i < ${seconds * 50}; i++) { if (${expression}) return true; await new Promise(go => setTimeout(go, 20)); } return false; })()`;
const press = (box, label) => `[...document.querySelectorAll('${box} button')].find(button => button.textContent === '${label}').click()`;

// Starts a browser; errors() gives what its console was told since the last time.
async function started() {
  const browser = await require(`../site/${browserName}.js`).start(), seen = [];
  if (browserName !== 'chromium') return browser;
  browser.on('Runtime.exceptionThrown', event => seen.push(event.exceptionDetails.exception?.description || event.exceptionDetails.text));
  browser.on('Runtime.consoleAPICalled', event => { if (event.type === 'error') seen.push(JSON.stringify(event.args)); });
  browser.on('Log.entryAdded', ({ entry }) => { if (entry.level === 'error') seen.push(`${entry.text} ${entry.url || ''}`); });
  return { ...browser, errors: async () => seen.splice(0) };
}

// What the native simulator counts, as rows of a counters.csv.
function nativeCounters(step, variant, size) {
  const folder = fs.mkdtempSync('/tmp/web-boxes-'), csv = `${folder}/c.csv`;
  execFileSync('build/ladder', ['--backend', 'sim', '--step', step, '--variant', variant, '--size', size, '--check', 'off', '--counters', csv], { stdio: 'ignore' });
  const rows = fs.readFileSync(csv, 'utf8').trim().split('\n').map(line => line.split(','));
  fs.rmSync(folder, { recursive: true });
  return rows;
}

// Exercises: the key passes, plausible wrong solutions do not.
async function exercises(browser, open) {
  const wrong = [];
  let count = 0;
  for (const folder of fs.readdirSync('exercises').filter(name => fs.existsSync(`exercises/${name}/wishes`))) {
    const base = (/^base\|(.*)$/m.exec(fs.readFileSync(`exercises/${folder}/wishes`, 'utf8')) || [, fs.readdirSync(`exercises/${folder}`).filter(name => /^kernel\./.test(name)).map(name => `exercises/${folder}/${name}`)[0]])[1];
    const named = (file, verdict) => (base.endsWith('.sass') && fs.existsSync(file) ? fs.readFileSync(file, 'utf8').match(/^=== \w+/gm).map(line => [line.slice(4), verdict]) : []);
    const solutions = [['key', 'solved'], ...named(`exercises/${folder}/other`, 'solved'), ...named(`exercises/${folder}/wrong`, 'not yet')];
    if (!fs.existsSync(`${site}/exercise-${folder.split('_')[0]}.html`)) { wrong.push(`no page of ${folder}`); continue; }
    await open(`exercise-${folder.split('_')[0]}.html`);
    for (const [which, expected] of solutions) {
      const work = fs.mkdtempSync('/tmp/web-boxes-');
      execFileSync('tools/exercise.sh', [folder, 'solution', which, work]);
      const put = name => (fs.existsSync(`${work}/${name}`) ? JSON.stringify(fs.readFileSync(`${work}/${name}`, 'utf8')) : 'null');
      await browser.run(`(() => { const set = (label, value) => { const area = document.querySelector('.exercise textarea[aria-label="' + label + '"]'); if (area && value !== null) area.value = value; };
        set('prediction', ${put('prediction')}); set('kernel.sass', ${put('kernel.sass')}); delete document.querySelector('.exercise').dataset.verdict; ${press('.exercise', 'Check')}; })()`);
      const ended = await browser.run(until(`document.querySelector('.exercise').dataset.verdict`));
      const verdict = await browser.run(`document.querySelector('.exercise').dataset.verdict`);
      if (!ended || verdict !== expected) wrong.push(`${folder}, ${which}: ${verdict}: ${await browser.run(`document.querySelector('.exercise .verdict').innerText`)}`);
      fs.rmSync(work, { recursive: true });
      count++;
    }
  }
  tell(`exercises: keys pass, wrong solutions do not (${count})`, [...wrong, ...await browser.errors()]);

  await open('exercise-09d.html'); // anew: what was written last is there
  const field = label => `document.querySelector('.exercise textarea[aria-label="${label}"]')`;
  await browser.run(`(() => { ${field('prediction')}.value = 'mine'; ${field('prediction')}.oninput(); })()`);
  await open('exercise-09d.html');
  tell('exercises: progress is kept', await browser.run(`${field('prediction')}.value`) === 'mine' ? [] : [await browser.run(`${field('prediction')}.value`)]);
}

// From the top of the page by Tab to the box's size and Run, and to a memory instruction of what came out.
async function byKeyboard(browser, open) {
  const press = async (key, code, text) => {
    for (const type of [text ? 'keyDown' : 'rawKeyDown', 'keyUp']) await browser.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: code, ...(text && type === 'keyDown' ? { text } : {}) });
  };
  const tabTo = async what => {
    for (let i = 0; i < 200; i++) {
      await press('Tab', 9);
      if (await browser.run(`(element => ${what})(document.activeElement)`)) return true;
    }
    return false;
  };
  for (const [label, to] of [['To the text', '#content'], ['To the kernel that runs here', '#try']]) {
    await open('01_naive.html');
    const there = await tabTo(`element.textContent === '${label}'`);
    await press('Enter', 13, '\r');
    await press('Tab', 9);
    tell(`the link "${label}" leads there`, there && await browser.run(`Boolean(document.activeElement.closest('${to}'))`) ? [] : [await browser.run('document.activeElement.outerHTML.slice(0, 200)')]);
  }
  await open('01_naive.html');
  const steps = [await tabTo(`element.matches('.try select')`)];
  await press('6', 54, '6');
  steps.push(await browser.run(`document.querySelector('.try select').value`) === '64', await tabTo(`element.textContent === 'Run'`));
  await press('Enter', 13, '\r');
  steps.push(await browser.run(until(`document.querySelector('.try').dataset.done`)), await tabTo(`element.matches('.try summary')`));
  await press('Enter', 13, '\r');
  steps.push(await tabTo(`element.matches('.try pre a')`));
  await press('Enter', 13, '\r');
  steps.push(await browser.run(until(`document.querySelector('.try svg.request')`)));
  tell('a box by keyboard alone', steps.every(Boolean) ? await browser.errors() : [`size, Run, result, listing, instruction, request: ${steps.join(' ')}`]);
}

// WebKit: counters from a cold open, an edit, an error that leads to its line, the stepper. (Its screen is not as narrow as asked.)
async function brief() {
  const browser = await started(), open = async page => { await browser.open(`file://${site}/${page}`); return browser.run(until(`document.querySelector('.try').dataset.ready`)); };
  await open('01_naive.html');
  await browser.run(press('.try', 'Run'));
  await browser.run(until(`document.querySelector('table.counters')`));
  const here = Object.fromEntries(JSON.parse(await browser.run(`document.querySelector('table.counters').dataset.counters`))), name = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum';
  const there = nativeCounters('01_naive', 'coalesced', '256').find(row => row[8] === name);
  tell('a cold open to counters, those of the native simulator', here[name] === there[9] ? [] : [`${here[name]}, wanted ${there[9]}`]);
  await editor(browser, { site, open, tell, until, press });
  await steps(browser, { site, open, tell, until, press });
  await hostile(browser, { site, open, tell, until, press });
  await browser.stop();
}

async function drive() {
  const browser = await started();
  if (browser.screen) await browser.screen(390, 844);
  const open = async page => {
    await browser.open(`file://${site}/${page}`);
    return browser.run(until(`[...document.querySelectorAll('.try, .exercise')].every(box => box.dataset.ready)`));
  };

  // Each box beside what Nsight Compute counted on an H200, those of the side lessons beside the native simulator.
  const exact = ['smsp__inst_executed.sum', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
    'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum'];
  const lessons = execFileSync('awk', ['-f', 'tools/rows.awk', 'docs/results/h200/counters.csv'], { encoding: 'utf8', maxBuffer: 1e7 }).split('\n').map(line => line.split(','));
  for (const page of fs.readdirSync(site).filter(name => /^(0[1-9]|1[0-3])_\w+\.html$/.test(name))) {
    await open(page);
    const [step, variant] = await browser.run(`(document.querySelector('.try[data-ready=yes] h3') || { textContent: ' : none, none' }).textContent.split(': ')[1].split(/, (?:.* or )?/)`);
    const wrong = [];
    if (step === 'none') wrong.push('no box');
    else {
      await browser.run(press('.try', 'Run'));
      if (!await browser.run(until(`document.querySelector('.try').dataset.done`))) wrong.push('it does not end');
      else if (await browser.run(`document.querySelector('.try').dataset.done`) !== 'right') wrong.push(await browser.run(`document.querySelector('.try').innerText`));
      const here = Object.fromEntries(JSON.parse(await browser.run(`document.querySelector('table.counters').dataset.counters`)));
      const size = await browser.run(`document.querySelector('.try select').value`);
      const counted = /^0/.test(step) ? lessons.filter(row => row[2] === 'gpu') : nativeCounters(step, variant, size);
      for (const name of exact) {
        const there = counted.find(row => row[3] === step && row[4] === variant && row[5] === size && row[8] === name);
        if (there && Number(there[9]) !== Number(here[name])) wrong.push(`${name}: ${here[name]}, wanted ${there[9]}`);
        if (!there && name === exact[0]) wrong.push(`no ${name} of ${step}/${variant} in the results`);
      }
      await browser.run(`(links => (links.find(link => /LDSM|LDS/.test(link.textContent)) || links.find(link => /LDG/.test(link.textContent))).click())([...document.querySelectorAll('.try pre a')])`);
      if (!await browser.run(until(`document.querySelector('.try svg.request rect')`))) wrong.push('no picture of a request');
      if (browser.screen && await browser.run('document.documentElement.scrollWidth > innerWidth')) wrong.push('too wide for a telephone');
      if (!await browser.run(`document.querySelector('.try svg.timeline rect') !== null || document.querySelector('.try').innerText.includes('No time is predicted')`)) wrong.push('no timeline');
    }
    tell(`${page}: the box gives its lesson's counters`, [...wrong, ...await browser.errors()]);
  }

  if (browser.send) await byKeyboard(browser, open);

  // Breaking things, and mending them.
  await open('02_shared_tiling.html');
  const linted = () => browser.run(`Number(document.querySelector('.try').dataset.linted || 0)`);
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(until(`document.querySelector('.try textarea')?.value.includes('BAR.SYNC')`));
  const before = await linted();
  await browser.run(press('.try', 'Take a barrier out'));
  await browser.run(until(`Number(document.querySelector('.try').dataset.linted || 0) > ${before}`));
  await browser.run(press('.try', 'Run'));
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  const said = await browser.run(`document.querySelector('.try').innerText`);
  tell('without a barrier there is a race', /race/.test(said) ? await browser.errors() : [said.slice(0, 600)]);
  await browser.run(`(() => { const area = document.querySelector('.try textarea'); area.value = area.value.replace('FFMA', 'FFNA'); area.oninput(); })()`);
  await browser.run(until(`document.querySelector('.try pre[role=status]').textContent.includes('FFNA')`, 10));
  tell('a slip gets its line as one types', /edited\.sass:\d+/.test(await browser.run(`document.querySelector('.try pre[role=status]').textContent`)) ? [] : [await browser.run(`document.querySelector('.try pre[role=status]').textContent`)]);

  await browser.run(press('.try', 'Run'));
  const refusal = await browser.run(`document.querySelector('.try .state').textContent`);
  tell('what does not assemble is not run', /^It does not assemble: edited\.sass:\d+/.test(refusal) ? [] : [refusal]);
  await browser.run(press('.try', 'Undo all'));
  await browser.run(until(`document.querySelector('.try textarea').value.includes('BAR.SYNC')`));
  const columns = () => browser.run(`document.querySelectorAll('table.counters tr:first-child th').length`), earlier = await columns();
  await browser.run(`(() => { document.querySelector('.try select').value = '64'; delete document.querySelector('.try').dataset.done; ${press('.try', 'Run')}; ${press('.try', 'Run')}; })()`);
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  tell('pressed twice, it runs once, and the earlier run is kept beside it', await columns() === earlier + 1 ? await browser.errors() : [`${earlier} columns, then ${await columns()}`]);

  // The first minute: the start page's box compares two kernels; then one is broken.
  await open('index.html');
  await browser.run(`(() => { const guess = document.querySelector('.try input'); guess.value = '32'; guess.oninput(); ${press('.try', 'Run')}; document.querySelector('.try').scrollIntoView(); })()`);
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  const board = await browser.run(`document.querySelector('.try .board').innerText.replace(/\\s+/g, ' ')`);
  tell('the start page: two kernels side by side, beside the prediction', /sectors per load request 2\.5 16\.5 /.test(board) && /You predicted 32 .*16\.5/.test(board) ? await browser.errors() : [board]);
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(until(`document.querySelector('.try textarea')`));
  await browser.run(`(() => { delete document.querySelector('.try').dataset.done; ${press('.try', 'Take a wait out')}; ${press('.try', 'Run')}; })()`);
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  const hazard = await browser.run(`document.querySelector('.try').innerText`);
  tell('and without a wait there is a hazard', /hazard/.test(hazard) ? await browser.errors() : [hazard.slice(0, 800)]);
  await browser.run(`localStorage.clear()`);

  // A run that never ends is ended, and the next one works.
  const endless = `.kernel endless\n--:-:-:-:5  BRA 0x0 ;\n`;
  const ended = await browser.run(`(async () => {
    const made = await Engine.run(['sass', 'asm', 'e.sass', '--no-lint', '-o', 'e.cubin'], { 'e.sass': ${JSON.stringify(endless)} }, { wanted: ['e.cubin'] });
    if (made.status) return made.err;
    const run = await Engine.run(['simrun', 'e.cubin', '--entry', 'endless', '--grid', '1', '--block', '32'], made.files, { seconds: 1 });
    const next = await Engine.run(['sass', 'dis', 'e.cubin'], made.files);
    return [run.status, run.err.trim().split('\\n').length, next.status].join(' '); })()`);
  tell('an endless loop is ended in one line, and the next run works', /^(1|124) [12] 0$/.test(ended) ? [] : [ended]);

  await open('01_naive.html');
  // So is one that wants more memory than there is, and one on a file that is none.
  const refused = await browser.run(`(async () => {
    const path = 'cubin/sm_90/01_naive/coalesced.cubin', kernel = await Engine.unpack(KERNELS[path]), said = [];
    const launch = more => ['simrun', 'k.cubin', '--entry', 'sgemm_naive', '--grid', '1', '--block', '32', ...more];
    for (const [words, bytes] of [[launch(['--arg', 'f32[3000000000]:zero']), kernel], [launch([...Array(9)].flatMap(() => ['--arg', 'f32[200000000]:zero'])), kernel],
      [['sass', 'dis', 'k.cubin'], kernel.subarray(0, 1000)], [['sass', 'asm', 'k.cubin', '-o', 'x'], new Uint8Array(3e6).map((_, i) => i % 60 ? 65 : 10)]]) {
      const run = await Engine.run(words, { 'k.cubin': bytes }), next = await Engine.run(['sass', 'dis', 'k.cubin'], { 'k.cubin': kernel });
      if (run.status === 0 || next.status !== 0 || run.err.trim().split('\\n').length > 3 || run.err.length > 400) said.push([words.join(' ').slice(0, 60), run.status, next.status, run.err.slice(0, 500)].join(': '));
    }
    return said; })()`);
  tell('too much memory, half a cubin, a file that is no text: a short message each, and the next run works', refused);

  await exercises(browser, open);
  await edits(browser, { site, open, tell, until, press });
  await hostile(browser, { site, open, tell, until, press });
  await editor(browser, { site, open, tell, until, press });
  await steps(browser, { site, open, tell, until, press });
  if (browser.send) await axe(browser, { open, tell, until, press });

  await motion(browser, { open, tell, until });

  // Sliders, against the lessons' own tables.
  for (const [page, kind, order, at, expected] of [['04_warp_tiling', 'lanes', '', 0, '1 8'], ['04_warp_tiling', 'lanes', '', 2, '1 2'], ['06_conflict_free_transpose', 'padding', '', 0, '2'],
    ['06_conflict_free_transpose', 'padding', '', 4, '1'], ['06_conflict_free_transpose', 'xor', '', 16, '1'], ['07_z_order', 'width', 'z_order', 2, '2 2']]) {
    await open(`${page}.html`);
    await browser.run(`(() => { const box = document.querySelector('.slider[data-kind=${kind}]'), range = box.querySelector('input');
      ${order ? `box.querySelector('select').value = '${order}';` : ''} range.value = ${at}; range.oninput(); })()`);
    const good = await browser.run(until(`document.querySelector('.slider[data-kind=${kind}]').dataset.wavefronts === '${expected}'`, 10));
    tell(`slider ${kind} ${order} at ${at}: ${expected} wavefronts`, good ? await browser.errors() : [await browser.run(`document.querySelector('.slider[data-kind=${kind}]').dataset.wavefronts`)]);
  }
  await browser.stop();
}

async function main() {
  for (browserName of process.argv.slice(3)) await (browserName === 'webkit' ? brief : drive)();
}
main().catch(error => { console.log(`not ok - ${browserName}: boxes\n# ${error.stack}`); process.exit(1); });
