// Measures the browser edition in headless Chromium. Run `make site` first.
//
//     node tests/web/measure.js [SITE] [ROUNDS]
//
// Prints sizes, the time to the first result in a browser without a cache, the time from an edit to
// its result, and warp instructions per second. Times and rates are the best and the median of
// ROUNDS; the machine's load is printed beside them. web/README.md has the targets.
'use strict';
const fs = require('fs');
const os = require('os');
const { execFileSync } = require('child_process');
const { resolve } = require('path');
const zlib = require('zlib');
const { deadLinks } = require('../site/links.js');
const chromium = require('../site/chromium.js');

const site = resolve(process.argv[2] || 'build/site'),
  rounds = Number(process.argv[3] || 5);
const show = (what, figures, unit, better = Math.min) => {
  const sorted = [...figures].sort((a, b) => a - b),
    digits = unit === 'ms' ? 0 : 1;
  console.log(
    `${what}: ${better(...figures).toFixed(digits)} ${unit}, median ` +
      `${sorted[Math.floor(sorted.length / 2)].toFixed(digits)}`,
  );
};

function sizes() {
  const packed = name =>
    zlib.brotliCompressSync(fs.readFileSync(`build/wasm/${name}.wasm`)).length / 1000;
  for (const name of ['simulator', 'ffma', 'fused', 'sass'].filter(name =>
    fs.existsSync(`build/wasm/${name}.wasm`),
  ))
    console.log(
      `${name}.wasm: ${packed(name).toFixed(1)} KB in ` +
        `brotli${name === 'sass' ? ', loaded when something is edited' : ''}`,
    );
  console.log(
    `site: ${execFileSync('du', ['-sk', '--apparent-size', site]).toString().split('\t')[0]} ` +
      `KB; links that lead nowhere: ${deadLinks(site).length}`,
  );
}

const until = expression =>
  `(async () => { while (!(${expression})) await new Promise(go => setTimeout(go, 1)); return ` +
  'performance.now(); })()';
const press = label =>
  "[...document.querySelectorAll('.try button')].find(button => " +
  `button.textContent.startsWith('${label}')).click()`;

// A script that the page runs before its own: it presses Run at N = 64 as soon as there is a box,
// and records when the counters and the verdict appear. It runs in the page, because an answer to
// this program takes longer than some of the measured times.
const FIRST = `window.seen = {};
  new MutationObserver(() => {
    const box = document.querySelector('.try'),
      at = (what, is) => { if (is && !seen[what]) seen[what] = performance.now(); return is; };
    if (!seen.pressed && at('pressed', box && box.dataset.ready))
      { box.querySelector('select').value = '64'; ${press('Run')}; }
    at('counters', document.querySelector('table.counters'));
    at('verdict', box && box.dataset.done);
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

// Slows a browser to a quarter of its speed: stops all its processes for 15 ms of each 20. The
// browser's own setCPUThrottlingRate would slow only the page's thread, not its Workers.
const slow = pid =>
  new (require('worker_threads').Worker)(
    `
  const { workerData } = require('worker_threads'),
    nobody = new Int32Array(new SharedArrayBuffer(4));
  const turn = (signal, ms) =>
    { process.kill(-workerData, signal); Atomics.wait(nobody, 0, 0, ms); };
  try { for (;;) { turn('SIGCONT', 5); turn('SIGSTOP', 15); } } catch {
    /* the browser has ended */ }`,
    { eval: true, workerData: pid },
  );

// Returns the ms from opening lesson 01 in a new browser to the box's counters and verdict.
async function first(slowed) {
  const browser = await chromium.start();
  const slower = slowed && slow(browser.pid);
  await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: FIRST });
  await browser.open(`file://${site}/01_naive.html`);
  const seen = await browser.run(
    '(async () => { while (!seen.verdict) await new Promise(go => setTimeout(go, 50)); return ' +
      'seen; })()',
  );
  await browser.stop();
  if (slower) await slower.terminate();
  return seen;
}

// A script for the page: measures the ms for assembling and running a small kernel, 25
// times after 5 that do not count.
const EDIT = `(async () => {
  const text =
    '.kernel small\\n--:-:-:-:4  MOV R2, 0x7 ;\\n--:-:-:-:5  IADD3 R2, R2, 0x1, RZ ;\\n' +
    '--:-:-:-:5  EXIT ;\\n', times = [];
  for (let i = 0; i < 30; i++) {
    const start = performance.now();
    const made = await Engine.run(['sass', 'asm', 'k.sass', '-o', 'k.cubin'], { 'k.sass': text },
      { wanted: ['k.cubin'] });
    const run = await Engine.run(['simrun', 'k.cubin', '--entry', 'small', '--grid', '1',
      '--block', '32'], made.files);
    if (made.status || run.status) throw Error(made.err + run.err);
    times.push(performance.now() - start);
  }
  return times.slice(5); })()`;

// A script for the page: measures the rate of `workers` simultaneous runs of step 07 at N = 512, in
// million warp instructions per second.
const SPEED = workers => `(async () => {
  const path = 'cubin/sm_90/07_z_order/z_order.cubin',
    kernel = { [path]: await Engine.unpack(KERNELS[path]) };
  const words = ['ladder', '--backend', 'sim', '--step', '07', '--variant', 'z_order', '--size',
    '512', '--check', 'off', '--counters', 'c.csv'];
  const one = async () =>
    Number(/smsp__inst_executed.sum,(\\d+)/.exec(new TextDecoder().decode((await Engine.run(words,
      kernel, { wanted: ['c.csv'] })).files['c.csv']))[1]);
  const all = () => Promise.all(Array.from({ length: ${workers} }, one));
  await all(); // gives the browser time to optimise the modules
  const start = performance.now(), counts = await all();
  return counts.reduce((a, b) => a + b) / (performance.now() - start) / 1000; })()`;

// Prints the rates of the native simulator with one thread, including its start and its reading of
// files. They show the machine's present speed.
function native() {
  const folder = fs.mkdtempSync(`${os.tmpdir()}/measure-`),
    csv = `${folder}/c.csv`,
    found = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    execFileSync(
      'build/ladder',
      [
        '--backend',
        'sim',
        '--step',
        '07',
        '--variant',
        'z_order',
        '--size',
        '512',
        '--check',
        'off',
        '--counters',
        csv,
      ],
      { stdio: 'ignore', env: { ...process.env, OMP_NUM_THREADS: '1' } },
    );
    const ended = performance.now();
    found.push(
      Number(/smsp__inst_executed.sum,(\d+)/.exec(fs.readFileSync(csv, 'utf8'))[1]) /
        (ended - start) /
        1000,
    );
    fs.rmSync(csv);
  }
  fs.rmdirSync(folder);
  show('native, one thread', found, 'million warp instructions a second', Math.max);
}

async function speeds(relaxed) {
  const browser = await chromium.start(),
    times = [];
  if (!relaxed)
    await browser.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `
    window.Blob = class extends Blob {
      constructor(parts, options) {
        super(parts.map(part => part.replace(/,"fused":"[^"]*"/, '')), options); } };`,
    });
  await browser.open(`file://${site}/07_z_order.html`);
  await browser.run(until(`document.querySelector('.try').dataset.ready === 'yes'`));
  if (relaxed) for (let i = 0; i < rounds; i++) times.push(...(await browser.run(EDIT)));
  if (relaxed) show('an edit of a small kernel to its result', times, 'ms');
  for (const workers of [1, 4]) {
    const found = [];
    for (let i = 0; i < rounds; i++) found.push(await browser.run(SPEED(workers)));
    show(
      `${workers === 1 ? 'one Worker' : 'four Workers'}, ` +
        `${relaxed ? 'relaxed' : 'no relaxed'} SIMD`,
      found,
      'million warp instructions a second',
      Math.max,
    );
  }
  await browser.stop();
}

async function main() {
  const load = () =>
    console.log(
      `load: ${os
        .loadavg()
        .map(one => one.toFixed(1))
        .join(' ')} on ${os.cpus().length} processors (${os.cpus()[0].model})`,
    );
  load();
  sizes();
  for (const slowed of [false, true]) {
    const found = [];
    for (let i = 0; i < rounds; i++) found.push(await first(slowed));
    show(
      `first counters${slowed ? ', the browser stopped three quarters of the time' : ''}`,
      found.map(({ counters }) => counters),
      'ms',
    );
    show(
      '  pressed as soon as there was a box',
      found.map(({ pressed }) => pressed),
      'ms',
    );
    show(
      '  and the verdict',
      found.map(({ verdict }) => verdict),
      'ms',
    );
  }
  native();
  await speeds(true);
  await speeds(false);
  load();
}
main().catch(error => {
  console.error(error.message);
  process.exit(1);
});
