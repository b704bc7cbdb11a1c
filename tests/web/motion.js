// The drawing that moves: motion(...) of tests/web/boxes.js.
'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');

async function motion(browser, { open, tell, until }) {
  const box = `document.querySelector('.motion')`, range = `${box}.querySelector('input')`, rows = async (path, ...words) => execFileSync('build/simrun', [path, ...words], { encoding: 'utf8', maxBuffer: 1e8 });
  await open('02_shared_tiling.html');
  await browser.run(`${box}.querySelector('button').click()`);
  const began = await browser.run(until(`Number(${box}.dataset.event) > 1`, 20));
  await browser.run(`(() => { const slider = ${range}; slider.value = slider.max - 3; slider.oninput(); ${box}.querySelector('button').click(); })()`);
  const ended = await browser.run(until(`${box}.dataset.event === ${range}.max && ${box}.querySelector('button').textContent === 'Play'`, 10));
  tell('the tiles move, and stop at the last frame', began && ended ? await browser.errors() : [await browser.run(`${box}.innerText`)]);

  // Each frame's cycle, warp and instruction are those of the native simulator's timeline, and its loads' places those of its stepper.
  const shown = await browser.run(`(() => { const slider = ${range}; return [...Array(Number(slider.max) + 1).keys()].map(i => { slider.value = i; slider.oninput(); return JSON.parse(${box}.dataset.row); }); })()`);
  const launch = (await browser.run(`Engine.run(['launch', '02_shared_tiling', 'tile32', '128'], {}).then(run => run.out)`)).trim().split(' ');
  const work = fs.mkdtempSync('/tmp/web-boxes-'), path = 'build/cubin/sm_90/02_shared_tiling/tile32.cubin';
  await rows(path, ...launch, '--time', '--timeline', `${work}/t.json`, '--cycles', '0,100000');
  const issued = JSON.parse(fs.readFileSync(`${work}/t.json`, 'utf8')).traceEvents.filter(span => span.pid === 0 && span.cat === 'issue');
  const line = (cycle, warp, text) => `${cycle} ${warp} ${text}`, there = issued.filter(span => /^(LDG|STS|BAR)$/.test(span.name)).map(span => line(span.ts, span.tid, span.args.instruction));
  const here = new Set(shown.map(row => line(row.cycle, row.warp, row.text))), wrong = there.filter(row => !here.has(row));
  if (shown.length !== there.length) wrong.push(`${shown.length} frames, wanted ${there.length}`);
  const own = issued.filter(span => span.tid === 12).sort((a, b) => a.ts - b.ts), at = own.flatMap((span, i) => (span.name === 'LDG' ? [i + 1] : []));
  fs.writeFileSync(`${work}/c`, `warp 12\n${at.map((to, i) => `step ${to - (at[i - 1] || 0)}\ncsv\n`).join('')}`);
  const asked = [...(await rows(path, ...launch, '--step', `${work}/c`)).matchAll(/^lane,.*\n0,(\d+)/gm)].map(found => Number(found[1]));
  const loads = shown.filter(row => row.warp === 12 && row.what === 'load'), byte = ({ row, column }) => 4 * (128 * row + column);
  for (const i of loads.keys()) if (byte(loads[i]) - byte(loads[i % 2]) !== asked[i] - asked[i % 2]) wrong.push(`${JSON.stringify(loads[i])}: asked at ${asked[i]}`);
  if (loads.length !== 8 || asked.length !== 8 || loads.some((load, i) => load.matrix !== 'AB'[i % 2])) wrong.push(JSON.stringify(loads));
  tell('its frames are what the native simulator does', [...wrong, ...await browser.errors()]);
  fs.rmSync(work, { recursive: true });
}
module.exports = { motion };
