// Tests the animations of the pages; tests/web/boxes.js calls motion().
'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');

// Returns functions that ask the native simulator about a launch. issued() returns the instructions
// that warps issue up to a cycle; asked() returns lane 0's address at each command `csv` of the
// stepper.
function native([step, variant], launch) {
  const work = fs.mkdtempSync('/tmp/web-boxes-'),
    path = `build/cubin/sm_90/${step}/${variant}.cubin`,
    rows = (...words) =>
      execFileSync('build/simrun', [path, ...launch, ...words], {
        encoding: 'utf8',
        maxBuffer: 1e9,
      });
  return {
    issued() {
      rows('--time', '--timeline', `${work}/t.json`, '--cycles', '0,30000');
      return JSON.parse(fs.readFileSync(`${work}/t.json`, 'utf8'))
        .traceEvents.filter(span => span.pid === 0 && span.cat === 'issue')
        .sort((a, b) => a.ts - b.ts);
    },
    asked(commands) {
      fs.writeFileSync(`${work}/c`, `${commands.join('\n')}\n`);
      return [...rows('--step', `${work}/c`).matchAll(/^lane,.*\n0,(\d+)/gm)].map(found =>
        Number(found[1]),
      );
    },
    end: () => fs.rmSync(work, { recursive: true }),
  };
}

async function motion(browser, { open, tell, until }) {
  const box = `document.querySelector('.motion')`,
    range = `${box}.querySelector('input')`;
  // Plays a page's animation to its last frame. Returns the data of its frames, and the functions
  // of native() for its launch.
  async function played(page, kernel, N, blocks) {
    await open(page);
    await browser.run(`${box}.querySelector('button').click()`);
    const began = await browser.run(until(`Number(${box}.dataset.event) > 1`, 30));
    await browser.run(
      `(() => { const slider = ${range}; slider.value = slider.max - 3; slider.oninput(); ` +
        `${box}.querySelector('button').click(); })()`,
    );
    const ended = await browser.run(
      until(
        `${box}.dataset.event === ${range}.max && ${box}.querySelector('button').textContent ` +
          "=== 'Play'",
        10,
      ),
    );
    // A reader points at a part with the arrow keys: it lights up, and a sentence says what it is.
    const pointed = await browser.run(
      `(() => { const place = ${box}.querySelector('.scrolls'), said = ${box}.querySelector(` +
        "'.said'), before = said.textContent, press = key => place.dispatchEvent(new " +
        "KeyboardEvent('keydown', { key })); press('ArrowRight'); const lit = place" +
        ".querySelector('.lit[data-says]'), told = said.textContent; press('Escape'); return " +
        "[told === lit?.dataset.says, !place.querySelector('.lit'), said.textContent === " +
        'before]; })()',
    );
    tell(
      `${page}: what the reader points at lights up`,
      pointed.every(Boolean) ? [] : [pointed.join(', ')],
    );
    tell(
      `${page}: the drawing moves, and stops at the last frame`,
      began && ended && (await browser.run(`${box}.querySelectorAll('svg rect').length > 4`))
        ? await browser.errors()
        : [await browser.run(`${box}.innerText`)],
    );
    const shown = await browser.run(
      `(() => { const slider = ${range}; return [...Array(Number(slider.max) + 1).keys()].map(i ` +
        `=> { slider.value = i; slider.oninput(); return JSON.parse(${box}.dataset.row); }); })()`,
    );
    const launch = (
      await browser.run(
        `Engine.run(['launch', ${kernel.map(name => JSON.stringify(name))}, '${N}'], ` +
          '{}).then(run => run.out)',
      )
    )
      .trim()
      .split(' ');
    if (blocks) launch[launch.indexOf('--grid') + 1] = `${blocks}`;
    return { shown, there: native(kernel, launch) };
  }
  const line = (cycle, warp, text) => `${cycle} ${warp} ${text}`;

  // Before the animation is made, the slider is at the still frame's place, and moving it works.
  await open('02_shared_tiling.html');
  await browser.run(until(range, 10));
  const before = await browser.run(
    `(() => { const slider = ${range}, found = [slider.disabled, Boolean(${box}.dataset.event), ` +
      'slider.value > 100 && slider.value < slider.max]; slider.value = 7; slider.oninput(); ' +
      "return found.join(' '); })()",
  );
  const moved = await browser.run(until(`${box}.dataset.event === '7'`, 30));
  tell(
    'the slider of an animation works at once',
    moved && before === 'false false true' ? await browser.errors() : [`${before}, ${moved}`],
  );

  // The animation of tiles has the events of the native simulator's timeline, and its loads have
  // the addresses that the native stepper prints.
  const { shown, there } = await played(
      '02_shared_tiling.html',
      ['02_shared_tiling', 'tile32'],
      128,
    ),
    issued = there.issued();
  const wanted = issued
    .filter(span => /^(LDG|STS|BAR)$/.test(span.name))
    .map(span => line(span.ts, span.tid, span.args.instruction));
  const here = new Set(shown.map(row => line(row.cycle, row.warp, row.text))),
    wrong = wanted.filter(row => !here.has(row));
  if (shown.length !== wanted.length) wrong.push(`${shown.length} frames, wanted ${wanted.length}`);
  const own = issued.filter(span => span.tid === 12),
    at = own.flatMap((span, i) => (span.name === 'LDG' ? [i + 1] : []));
  const asked = there.asked([
    'warp 12',
    ...at.flatMap((to, i) => [`step ${to - (at[i - 1] || 0)}`, 'csv']),
  ]);
  const loads = shown.filter(row => row.warp === 12 && row.what === 'load'),
    byte = ({ row, column }) => 4 * (128 * row + column);
  for (const i of loads.keys())
    if (byte(loads[i]) - byte(loads[i % 2]) !== asked[i] - asked[i % 2])
      wrong.push(`${JSON.stringify(loads[i])}: asked at ${asked[i]}`);
  if (
    loads.length !== 8 ||
    asked.length !== 8 ||
    loads.some((load, i) => load.matrix !== 'AB'[i % 2])
  )
    wrong.push(JSON.stringify(loads));
  tell("the tiles' frames are what the native simulator does", [
    ...wrong,
    ...(await browser.errors()),
  ]);
  there.end();

  // The animation of buffers: a tile is read where it was written; no buffer is written before all
  // warps have read it; all reads of a buffer begin at one address. Only the very first read may
  // have another address, since it may read the other matrix.
  for (const [page, kernel, N, buffers] of [
    ['08_double_buffer.html', ['08_double_buffer', 'both'], 128, 2],
    ['08_double_buffer-cp_async.html', ['08_double_buffer', 'wide'], 256, 4],
  ]) {
    const { shown, there } = await played(page, kernel, N),
      issued = there.issued(),
      lines = new Set(issued.map(span => line(span.ts, span.tid, span.args.instruction)));
    const wrong = shown
      .filter(
        row =>
          !lines.has(line(row.cycle, row.warp, row.text)) || row.buffer !== row.round % buffers,
      )
      .map(row => JSON.stringify(row));
    const reads = shown.filter(row => row.what === 'read' && row.warp === 4),
      own = issued.filter(span => span.tid === 4),
      at = reads.map(read => 1 + own.findIndex(span => span.ts === read.cycle));
    const asked = there.asked([
      'warp 4',
      ...at.flatMap((to, i) => [`step ${to - (at[i - 1] || 0)}`, 'csv']),
    ]);
    if (
      reads.length < 2 * buffers ||
      asked.some((address, i) => i > buffers && address !== asked[i - buffers]) ||
      new Set(asked.slice(1)).size !== buffers
    )
      wrong.push(`read at ${asked}`);
    for (const { round, cycle } of shown.filter(
      row => row.what === 'write' && row.round >= buffers,
    )) {
      const done = shown.filter(row => row.what === 'done' && row.round === round - buffers);
      if (done.length !== 2 || done.some(row => row.cycle >= cycle))
        wrong.push(
          `tile ${round} is written at ${cycle}; the one before was read until ` +
            `${done.map(row => row.cycle)}`,
        );
    }
    tell(`${buffers} buffers: written and read as the native simulator does`, [
      ...wrong,
      ...(await browser.errors()),
    ]);
    there.end();
  }

  // The animation of stream-K: each step of each tile occurs once. The blocks' shares are
  // contiguous and equal, except the last block's, which is shorter. A block's copies have the
  // addresses that the native stepper prints.
  const parts = await played('10_block_order.html', ['10_block_order', 'stream_16x8'], 512, 5),
    steps = parts.shown.map(row => 64 * row.tile + row.step),
    amiss = [];
  if ([...steps].sort((a, b) => a - b).some((step, i) => step !== i) || steps.length !== 512)
    amiss.push(`${steps.length} steps`);
  const piece = block =>
      parts.shown.filter(row => row.block === block).map(row => 64 * row.tile + row.step),
    ends = [0, 1, 2, 3, 4].map(block => [Math.min(...piece(block)), piece(block).length]);
  if (JSON.stringify(ends) !== '[[0,103],[103,103],[206,103],[309,103],[412,100]]')
    amiss.push(JSON.stringify(ends));
  const third = parts.shown.filter(row => row.block === 3),
    copied = parts.there.asked([
      'block 3',
      ...third.slice(0, 12).flatMap(() => [`to 0x${third[0].at}`, 'step', 'csv']),
    ]);
  copied.forEach((address, i) => {
    if (
      address - copied[0] !==
      4 * (512 * (third[i].row - third[0].row) + 8 * (third[i].step - third[0].step))
    )
      amiss.push(`${JSON.stringify(third[i])}: copied from ${address}`);
  });
  tell(
    'pieces: each step of each tile once, in equal parts, where the native stepper has them',
    copied.length === 12 ? [...amiss, ...(await browser.errors())] : [`${copied.length} copies`],
  );
  parts.there.end();
}
module.exports = { motion };
