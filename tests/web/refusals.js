// Tests that a page refuses the launches that the driver refuses, for tests/web/boxes.js.
'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');

const source = `extern "C" __global__ void plain(int *out) { out[0] = 1; }
extern "C" __global__ void __launch_bounds__(64) bounded(int *out) { out[0] = 1; }
extern "C" __global__ void __cluster_dims__(2, 1, 1) pairs(int *out) { out[0] = 1; }
extern "C" __global__ void many(int *out) {
    int s[96];
    for (int i = 0; i < 96; i++) s[i] = out[i];
    __syncthreads();
    for (int i = 0; i < 96; i++) out[i] = s[95 - i];
}
`;
// Kernel, launch, the driver's error code (0: the launch succeeds), and a pattern of the message.
const launches = [
  ['many', '--grid 1 --block 1024', 701, /registers.*1024 threads/],
  ['many', '--grid 1 --block 512', 0],
  ['plain', '--grid 1 --block 2048', 1, /2048/],
  ['bounded', '--grid 1 --block 65', 1, /launch_bounds/],
  ['bounded', '--grid 1 --block 64', 0],
  ['plain', '--grid 1 --block 32 --shared 300000', 1, /shared memory/],
  ['plain', '--grid 1,65536 --block 1', 1, /65535/],
  ['pairs', '--grid 3 --block 32', 912, /clusters/],
  ['pairs', '--grid 4 --block 32', 0],
];

async function refusals(browser, { open, tell, until, press }) {
  const work = fs.mkdtempSync('/tmp/web-refusals-');
  fs.writeFileSync(`${work}/k.cu`, source);
  execFileSync(
    process.env.NVCC || 'nvcc',
    ['-arch=sm_90', '-cubin', '-o', `${work}/k.cubin`, `${work}/k.cu`],
    { stdio: 'ignore' },
  );
  const cubin = fs.readFileSync(`${work}/k.cubin`).toString('base64');
  fs.rmSync(work, { recursive: true });
  await open('02_shared_tiling.html');
  const given = await browser.run(`(async () => {
    const bytes = Uint8Array.from(atob('${cubin}'), letter => letter.charCodeAt(0)), answers = [];
    for (const [kernel, launch] of ${JSON.stringify(launches)}) {
      const words = ['simrun', 'k.cubin', '--entry', kernel, ...launch.split(' '), '--arg',
        'i32[96]:zero', '--json=r.json'];
      const run = await Engine.run(words, { 'k.cubin': bytes }, { wanted: ['r.json'] });
      answers.push({ status: run.status, lines: new TextDecoder().decode(run.files['r.json']) });
    }
    return answers; })()`);
  const wrong = launches.flatMap(([kernel, launch, code, reason], i) => {
    const error = given[i].lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
      .find(({ type }) => type === 'error');
    const good = code
      ? given[i].status === 2 &&
        error?.kind === 'refused' &&
        error.code === code &&
        reason.test(error.message)
      : given[i].status === 0 && !error;
    return good ? [] : [`${kernel} ${launch}: status ${given[i].status}, ${JSON.stringify(error)}`];
  });
  tell(
    'the engine refuses what the driver refuses, with its error: registers, threads, shared ' +
      'memory, grid, clusters',
    wrong,
  );

  // An edit that needs more registers than the launch allows is refused before it runs.
  await browser.run('localStorage.clear()');
  await open('02_shared_tiling.html');
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(until(`document.querySelector('.try textarea')`));
  await browser.run(
    "(() => { const area = document.querySelector('.try textarea'); area.value = " +
      "area.value.replace(/^.*EXIT/m, '--:-:-:-:6  MOV R95, RZ ;\\n$&'); area.oninput(); " +
      `${press('.try', 'Run')}; })()`,
  );
  const good = await browser.run(
    until(
      "document.querySelector('.try .card')?.dataset.kind === 'syntax' && " +
        "/R95/.test(document.querySelector('.try .card').innerText)",
      20,
    ),
  );
  tell(
    'a register beyond those that the launch gives: a card names it',
    good
      ? await browser.errors()
      : [await browser.run(`document.querySelector('.try').innerText.slice(0, 600)`)],
  );
  await browser.run('localStorage.clear()');
}
module.exports = { refusals };
