// Tiles that walk along K, loaded by try.js when it is first played: each load, store and barrier of the first scheduler's warps, at the cycle
// that the timeline has for it and at the addresses that the stepper has for it.
'use strict';

window.Motion = ({ el, svg, spansOf, file }) => {
  const LANES = 32, N = 128;

  // Events in the order of their cycles: {cycle, warp, what, matrix, row, column, round}; a load has the place of its first lane.
  async function read([, , folder, name], owner) {
    const step = folder, variant = name.replace('.cubin', ''), path = `cubin/sm_90/${folder}/${name}`;
    const run = async (words, files, wanted) => {
      const done = await Engine.run(words, files, { wanted, owner });
      if (done.status) throw Error(done.err);
      return done;
    };
    const launch = (await run(['launch', step, variant, `${N}`], {})).out.trim().split(' '), simrun = (files, ...words) => run(['simrun', path, ...launch, ...words], { ...files, [path]: file(path) }, ['t.json']);
    const spans = spansOf(new TextDecoder().decode((await simrun({}, '--time', '--timeline', 't.json', '--cycles', '0,100000')).files['t.json']));
    const each = await Promise.all([...new Set(spans.map(span => span.tid))].map(async warp => {
      const issued = spans.filter(span => span.tid === warp && span.cat === 'issue').sort((a, b) => a.ts - b.ts);
      const loads = issued.map((span, i) => i).filter(i => issued[i].name === 'LDG');
      // Where each load goes is what the stepper says after it.
      const { out } = await simrun({ commands: [`warp ${warp}`, ...loads.flatMap((at, i) => [`step ${at - (i ? loads[i - 1] : -1)}`, 'csv']), ''].join('\n') }, '--step', 'commands');
      const stops = [...out.matchAll(/^at,(\d+),(\w+)$[^]*?^lane,.*\n((?:\d.*\n)*)/gm)].map(([, by, at, rows]) => ({ by: Number(by), at, addresses: rows.trim().split('\n').map(row => Number(row.split(',')[1])) }));
      if (stops.length !== loads.length || stops.some(({ by, at }, i) => by !== warp || at !== issued[loads[i]].args.address)) throw Error('the trace and the stepper disagree');
      return { warp, issued, stops };
    }));
    // A round has a load of each matrix. A's goes on by a tile's row, B's by rows of B; block 0 begins both.
    const first = part => Math.min(...each.flatMap(({ stops }) => stops.filter((stop, i) => i % 2 === part).flatMap(stop => stop.addresses)));
    const base = [first(0), first(1)], isA = each[0].stops[2].addresses[0] - each[0].stops[0].addresses[0] === 4 * LANES ? 0 : 1;
    const events = each.flatMap(({ warp, issued, stops }) => {
      const by = {}; // register: the load that fills it
      let load = 0, barriers = 0;
      return issued.flatMap(span => {
        const event = { cycle: span.ts, warp, text: span.args.instruction }, [, register] = /(R\d+), desc|, (R\d+)$/.exec(event.text)?.filter(Boolean) || [];
        if (span.name === 'LDG') {
          const place = (stops[load].addresses[0] - base[load % 2]) / 4;
          by[register] = { matrix: load % 2 === isA ? 'A' : 'B', row: Math.floor(place / N), column: place % N, round: load >> 1 };
          load++;
          return [{ ...event, what: 'load', ...by[register] }];
        }
        if (span.name === 'STS') return [{ ...event, what: 'store', ...by[register] }];
        if (span.name === 'BAR') return [{ ...event, what: barriers % 2 ? 'read' : 'wait', round: barriers++ >> 1 }];
        return [];
      });
    });
    return events.sort((a, b) => a.cycle - b.cycle || a.warp - b.warp);
  }

  // K along the sides, 3 units an element; the block's rows of A, its columns of B and its tile of C.
  const ONE = 3, SIDE = LANES * ONE, LONG = N * ONE, GAP = 16;
  function draw(events, now) {
    const stripes = new Map(), sums = new Map();
    for (const event of events.slice(0, now + 1)) {
      if (event.what === 'load' || event.what === 'store') stripes.set(`${event.matrix} ${event.row} ${event.column}`, event);
      if (event.what !== 'read') continue;
      sums.set(event.warp, event.round + 1);
      for (const [key, one] of stripes) if (one.warp === event.warp && one.round === event.round) stripes.set(key, { ...one, what: 'read' });
    }
    const origin = { A: [0, LONG + GAP], B: [LONG + GAP, 0], C: [LONG + GAP, LONG + GAP] }, rounds = 1 + Math.max(...events.map(event => event.round));
    const frame = (name, width, height) => [svg('rect', { x: origin[name][0], y: origin[name][1], width, height, class: 'frame' }), svg('text', { x: origin[name][0] + 4, y: origin[name][1] - 4 }, name)];
    return svg('svg', { viewBox: `-2 -14 ${LONG + GAP + SIDE + 4} ${LONG + GAP + SIDE + 16}`, role: 'img', 'aria-label': `the tiles of A and B, and the sums of C, at cycle ${events[now].cycle}` },
      ...frame('A', LONG, SIDE), ...frame('B', SIDE, LONG), ...frame('C', SIDE, SIDE),
      ...[...stripes.values()].map(({ matrix, row, column, what }) => svg('rect', { x: origin[matrix][0] + column * ONE, y: origin[matrix][1] + row * ONE, width: SIDE, height: 2 * ONE, class: `${matrix} ${what}` })),
      ...[...sums].map(([warp, done]) => svg('rect', { x: origin.C[0], y: origin.C[1] + warp * ONE, width: SIDE * done / rounds, height: 2 * ONE, class: 'C' })));
  }
  const said = ({ cycle, warp, what, matrix, row, column, round }) => `cycle ${cycle}, warp ${warp}: ${{ load: `loads ${matrix}[${row}][${column} to ${column + LANES - 1}]`, store: `stores it to the tile of ${matrix}, in shared memory`,
    wait: `waits at the barrier until both tiles are whole`, read: `has read the tiles of round ${round + 1}, and waits at the barrier before they are overwritten` }[what]}`;

  return async function open(path, box, play) {
    const events = await read(path.split('/'), box), still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const range = el('input', { type: 'range', min: 0, max: events.length - 1, value: 0, ariaLabel: 'the event shown' }), place = el('div'), words = el('p');
    let timer = 0;
    const show = () => {
      const event = events[range.value];
      place.replaceChildren(draw(events, Number(range.value)));
      words.textContent = said(event);
      range.setAttribute('aria-valuetext', words.textContent);
      Object.assign(box.dataset, { event: range.value, of: events.length, row: JSON.stringify(event) });
    };
    const pause = () => { clearInterval(timer); timer = 0; play.textContent = 'Play'; };
    play.onclick = () => {
      if (timer) return pause();
      if (Number(range.value) === events.length - 1) range.value = 0;
      play.textContent = 'Pause';
      timer = setInterval(() => { range.value = Number(range.value) + 1; show(); if (Number(range.value) === events.length - 1) pause(); }, 60);
    };
    range.oninput = () => { pause(); show(); };
    box.append(' ', range, words, place, el('p', { className: 'key' }, `The eight warps of the block's first scheduler, every fourth row of its tiles, N = ${N}. Outlined: on its way; full: in shared memory; pale: its warp is done with that round. In C: rounds summed.`));
    show();
    if (still) play.hidden = true; // the slider moves it
    else play.onclick();
  };
};
