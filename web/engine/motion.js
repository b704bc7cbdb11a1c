// Drawings that move, loaded by try.js when the first is played: tiles that walk along K, buffers that are written while others are read,
// blocks that share the tiles of C. When and what is the timeline's, where is the stepper's.
'use strict';

window.Motion = ({ el, svg, spansOf, file }) => {
  const LANES = 32;

  // The programs on one kernel at N x N x N, on a grid of its own if `blocks` says so. run(...WORDS) is simrun, steps(COMMANDS) its stepper.
  async function begin([step, variant], N, owner, blocks) {
    const path = `cubin/sm_90/${step}/${variant}.cubin`;
    const engine = async (words, files, wanted) => {
      const done = await Engine.run(words, files, { wanted, owner });
      if (done.status) throw Error(done.err);
      return done;
    };
    const launch = (await engine(['launch', step, variant, `${N}`], {})).out.trim().split(' ');
    if (blocks) launch[launch.indexOf('--grid') + 1] = `${blocks}`;
    const run = (words, files = {}, wanted = []) => engine(['simrun', path, ...launch, ...words], { ...files, [path]: file(path) }, wanted);
    return { N, run, steps: async commands => (await run(['--step', 'commands'], { commands: `${commands.join('\n')}\n` })).out };
  }
  // What the warps of the first scheduler issue: {warp, issued}.
  async function issues({ run }) {
    const spans = spansOf(new TextDecoder().decode((await run(['--time', '--timeline', 't.json', '--cycles', '0,30000'], {}, ['t.json'])).files['t.json'])).filter(span => span.cat === 'issue');
    return [...new Set(spans.map(span => span.tid))].map(warp => ({ warp, issued: spans.filter(span => span.tid === warp).sort((a, b) => a.ts - b.ts) }));
  }
  // An address of an instruction's text, [R4.U32+UR16+0x80]: the first is that of shared memory, the last that of device memory. As registers,
  // of 64 bits or 32, and a number.
  function place(text, last) {
    const terms = [...text.matchAll(/(desc)?\[([^\]]*)\]/g)].filter(found => !found[1]).map(found => found[2]).at(last ? -1 : 0).split('+');
    const registers = terms.flatMap(term => {
      const [, kind, number, wide] = /^(U?R)(\d+)(\.64)?/.exec(term) || [];
      return !kind ? [] : wide || (last && kind === 'UR') ? [[kind + number, kind + (Number(number) + 1)]] : [[kind + number]];
    });
    return { registers, offset: terms.reduce((sum, term) => sum + (/^[-0]/.test(term) ? parseInt(term, 16) : 0), 0) };
  }
  const ask = ({ registers }) => registers.flat().map(name => `registers ${name}`);
  // What the stepper says at a stop: of the first lane, the address; the next instruction; how many are done.
  const readAt = (said, { registers, offset }) => offset + registers.reduce((sum, parts) => sum + parts.reduce((value, name, i) =>
    value + parseInt([...said.matchAll(RegExp(`^  ${name} +(?:lane  0|all lanes)[ *](\\w+)`, 'gm'))].at(-1)[1], 16) * 2 ** (32 * i), 0), 0);
  const stopsOf = said => said.split(/^(?=warp \d+ of )/m).filter(part => part.startsWith('warp'));
  const nextOf = said => (/^(?:next|waits|ready) +0x0*(\w+)/m.exec(said) || [])[1];
  // The addresses of instructions of a warp, {at: how many it issues before, text, last}.
  async function addresses({ steps }, { warp, issued }, wanted) {
    const asked = wanted.map(({ at, last }) => place(issued[at].args.instruction, last));
    const stops = stopsOf(await steps([`warp ${warp}`, ...wanted.flatMap(({ at }, i) => [`step ${at - (i ? wanted[i - 1].at : 0)}`, ...ask(asked[i])])])).slice(1);
    if (stops.some((said, i) => nextOf(said) !== issued[wanted[i].at].args.address)) throw Error('the trace and the stepper disagree');
    return stops.map((said, i) => readAt(said, asked[i]));
  }
  const indices = (issued, names) => issued.map((span, i) => i).filter(i => names.includes(issued[i].name.split('.')[0]));
  const inOrder = events => events.sort((a, b) => a.cycle - b.cycle || a.warp - b.warp);

  // --- tiles: each load, store and barrier; a load has the place of its first lane --------------------------------------------------
  async function tiles(kernel, owner) {
    const it = await begin(kernel, 128, owner), { N } = it;
    const each = await Promise.all((await issues(it)).map(async one => ({ ...one, loads: await addresses(it, one, indices(one.issued, ['LDG']).map(at => ({ at, last: true }))) })));
    // A round has a load of each matrix. A's goes on by a tile's row, B's by rows of B; block 0 begins both.
    const base = [0, 1].map(part => Math.min(...each.flatMap(({ loads }) => loads.filter((address, i) => i % 2 === part)))), isA = each[0].loads[2] - each[0].loads[0] === 4 * LANES ? 0 : 1;
    const events = each.flatMap(({ warp, issued, loads }) => {
      const by = {}; // register: the load that fills it
      let load = 0, barriers = 0;
      return issued.flatMap(span => {
        const event = { cycle: span.ts, warp, text: span.args.instruction }, [, register] = /(R\d+), desc|, (R\d+)$/.exec(event.text)?.filter(Boolean) || [];
        if (span.name === 'LDG') {
          const at = (loads[load] - base[load % 2]) / 4;
          by[register] = { matrix: load % 2 === isA ? 'A' : 'B', row: Math.floor(at / N), column: at % N, round: load >> 1 };
          load++;
          return [{ ...event, what: 'load', ...by[register] }];
        }
        if (span.name === 'STS') return [{ ...event, what: 'store', ...by[register] }];
        if (span.name === 'BAR') return [{ ...event, what: barriers % 2 ? 'read' : 'wait', round: barriers++ >> 1 }];
        return [];
      });
    });
    // K along the sides, 3 units an element; the block's rows of A, its columns of B and its tile of C.
    const ONE = 3, SIDE = LANES * ONE, LONG = N * ONE, GAP = 16, origin = { A: [0, LONG + GAP], B: [LONG + GAP, 0], C: [LONG + GAP, LONG + GAP] };
    const frame = (name, width, height) => [svg('rect', { x: origin[name][0], y: origin[name][1], width, height, class: 'frame' }), svg('text', { x: origin[name][0] + 4, y: origin[name][1] - 4 }, name)];
    function draw(now) {
      const stripes = new Map(), sums = new Map();
      for (const event of events.slice(0, now + 1)) {
        if (event.what === 'load' || event.what === 'store') stripes.set(`${event.matrix} ${event.row} ${event.column}`, event);
        if (event.what !== 'read') continue;
        sums.set(event.warp, event.round + 1);
        for (const [key, one] of stripes) if (one.warp === event.warp && one.round === event.round) stripes.set(key, { ...one, what: 'read' });
      }
      const rounds = 1 + Math.max(...events.map(event => event.round));
      return svg('svg', { viewBox: `-2 -14 ${LONG + GAP + SIDE + 4} ${LONG + GAP + SIDE + 16}`, role: 'img', 'aria-label': `the tiles of A and B, and the sums of C, at cycle ${events[now].cycle}` },
        ...frame('A', LONG, SIDE), ...frame('B', SIDE, LONG), ...frame('C', SIDE, SIDE),
        ...[...stripes.values()].map(({ matrix, row, column, what }) => svg('rect', { x: origin[matrix][0] + column * ONE, y: origin[matrix][1] + row * ONE, width: SIDE, height: 2 * ONE, class: `${matrix} ${what}` })),
        ...[...sums].map(([warp, done]) => svg('rect', { x: origin.C[0], y: origin.C[1] + warp * ONE, width: SIDE * done / rounds, height: 2 * ONE, class: 'C' })));
    }
    return { events: inOrder(events), draw, key: `The eight warps of the block's first scheduler, every fourth row of its tiles, N = ${N}. Outlined: on its way; full: in shared memory; pale: its warp is done with that round. In C: rounds summed.`,
      said: ({ cycle, warp, what, matrix, row, column, round }) => `cycle ${cycle}, warp ${warp}: ${{ load: `loads ${matrix}[${row}][${column} to ${column + LANES - 1}]`, store: `stores it to the tile of ${matrix}, in shared memory`,
        wait: `waits at the barrier until both tiles are whole`, read: `has read the tiles of round ${round + 1}, and waits at the barrier before they are overwritten` }[what]}` };
  }

  // Bars in rows, {row, from, to, kind, text}, over `wide` units, with lines at `ticks`.
  function bars(rows, wide, ticks, shown, label) {
    const LEFT = 64, WIDTH = 640, HIGH = 26, x = at => LEFT + at * (WIDTH - LEFT) / wide;
    return svg('svg', { viewBox: `0 0 ${WIDTH + 2} ${HIGH * rows.length + 18}`, role: 'img', class: 'bars', 'aria-label': label },
      ...rows.map((name, row) => svg('text', { x: 0, y: HIGH * row + 17 }, name)), ...ticks.map(([at]) => svg('line', { x1: x(at), x2: x(at), y1: 0, y2: HIGH * rows.length })),
      ...ticks.map(([at, name]) => svg('text', { x: x(at) + 3, y: HIGH * rows.length + 14 }, name)),
      ...shown.flatMap(({ row, from, to, kind, text }) => [svg('rect', { x: x(from), y: HIGH * row + 2, width: Math.max(1, x(to) - x(from)), height: HIGH - 5, class: kind }),
        ...(x(to) - x(from) > 9 * text.length ? [svg('text', { x: (x(from) + x(to)) / 2, y: HIGH * row + 17, 'text-anchor': 'middle' }, text)] : [])]));
  }

  // --- buffers: which one a warp writes and which one it reads ---------------------------------------------------------------------
  async function buffers(kernel, owner) {
    const it = await begin(kernel, kernel[1] === 'wide' ? 256 : 128, owner), each = await issues(it);
    const known = new Map(), ofTile = new Map(); // the buffer of an address that was written, and of a tile
    const traced = each.map(async one => ({ ...one, wanted: indices(one.issued, ['STS', 'LDGSTS', 'LDS']), at: await addresses(it, one, indices(one.issued, ['STS', 'LDGSTS', 'LDS']).map(at => ({ at }))) }));
    const events = (await Promise.all(traced)).flatMap(({ warp, issued, wanted, at }) => {
      const ends = issued.some(span => span.name === 'LDGDEPBAR') ? 'LDGDEPBAR' : 'BAR', latest = [], found = new Map(); // what a tile's copies end with; the tile in each buffer; events by what they are
      let tile = 0, buffer = -1;
      issued.forEach((span, i) => {
        if (span.name === ends && buffer >= 0) { tile++; buffer = -1; }
        const address = at[wanted.indexOf(i)];
        if (address === undefined) return;
        let key = '';
        if (span.name === 'LDS') { // of the buffer that begins at it or before it
          const read = known.get(Math.max(...[...known.keys()].filter(one => one <= address)));
          if (latest[read] === undefined) return;
          key = `read ${latest[read]} ${read}`;
        } else {
          if (buffer < 0) ofTile.set(tile, buffer = known.get(address) ?? ofTile.get(tile) ?? 1 + Math.max(-1, ...known.values()));
          known.set(address, buffer);
          latest[buffer] = tile;
          key = `write ${tile} ${buffer}`;
        }
        found.set(key, { first: found.get(key)?.first || span, last: span });
      });
      return [...found].flatMap(([key, { first, last }]) => {
        const ended = issued.at(-1).name === 'EXIT' || last !== issued.findLast(span => span.name === 'LDS'); // the trace may not
        const [what, round, buffer] = key.split(' ').map((word, i) => (i ? Number(word) : word)), event = { warp, round, buffer };
        return [{ ...event, what, cycle: first.ts, text: first.args.instruction }, ...(what === 'read' && ended ? [{ ...event, what: 'done', cycle: last.ts, text: last.args.instruction }] : [])];
      });
    });
    inOrder(events);
    // What is shown: a tile from its first copy until it is first read, and until it was last read.
    const end = events.at(-1).cycle, rows = [...new Set(known.values())].sort().map(buffer => `buffer ${buffer}`), tick = 10 ** Math.floor(Math.log10(end));
    const of = (what, round) => events.filter(event => event.what === what && event.round === round).map(event => event.cycle);
    const spans = events.filter((event, i) => event.what !== 'done' && events.findIndex(one => one.what === event.what && one.round === event.round) === i)
      .map(({ what, round, buffer, cycle }) => ({ row: buffer, text: `${round}`, kind: what === 'write' ? 'B load' : 'A', from: cycle, to: what === 'write' ? Math.min(end, ...of('read', round)) : Math.max(...of('done', round)) }));
    function draw(now) {
      const { cycle } = events[now], shown = spans.filter(span => span.from <= cycle).map(span => (span.to > cycle ? { ...span, to: cycle } : { ...span, kind: span.kind.replace(/^A$/, 'A read') }));
      return bars(rows, end, [...Array(Math.floor(end / tick) + 1).keys()].map(i => [i * tick, i ? `${i * tick}` : 'cycle 0']), shown, `the buffers at cycle ${cycle}`);
    }
    return { events, draw, key: `Tiles by their numbers, N = ${it.N}, two of the block's eight warps. Outlined: it is being written, or on its way; full: it is being read; pale: it has been read.`,
      said: ({ cycle, warp, what, round, buffer }) => `cycle ${cycle}, warp ${warp}: ${{ write: `begins to write tile ${round} to buffer ${buffer}`, read: `begins to read tile ${round} in buffer ${buffer}`, done: `has read tile ${round}: buffer ${buffer} may be written` }[what]}` };
  }

  // --- pieces: blocks that share the tiles of C along K (stream-K) ------------------------------------------------------------------
  async function pieces(kernel, owner) {
    const BLOCKS = 5, DEEP = 8, it = await begin(kernel, 512, owner, BLOCKS), { N } = it, deep = N / DEEP;
    // The copy that the loop makes first in each step along K, of A, and the first of B; how often a warp makes it, all blocks together.
    const copies = (await it.run(['--per-line'])).out.split('\n').map(line => /^ *([0-9a-f]+) +(\d+) .* (LDGSTS\S* .*)/.exec(line)).filter(Boolean).map(([, at, count, text]) => ({ at, count: Number(count), text }));
    const inLoop = copies.filter(({ count }) => count === Math.max(...copies.map(copy => copy.count))), a = inLoop[0], [first, second] = [a, inLoop.find(({ text }) => text.includes('.128'))].map(({ text }) => place(text, true));
    const all = a.count / 8, share = Math.ceil(all / BLOCKS); // of eight warps; each block has as many steps, the last one fewer
    const stops = (await Promise.all([...Array(BLOCKS).keys()].map(async block => stopsOf(await it.steps([`block ${block}`, ...Array(Math.min(share, all - block * share)).fill([`to 0x${a.at}`, ...ask(first), ...ask(second)]).flat()])).slice(1).map(said => {
      if (nextOf(said) !== a.at) throw Error('the block ended before its share');
      return { block, at: a.at, cycle: Number(/: (\d+) instructions done/.exec(said)[1]), a: readAt(said, first) / 4, b: readAt(said, second) / 4 };
    })))).flat();
    // The loop copies ahead, by as much everywhere: what is copied first of all belongs to the first row, column and step.
    const [least, origin] = ['a', 'b'].map(name => Math.min(...stops.map(stop => stop[name])));
    const events = stops.map(stop => ({ ...stop, row: Math.floor((stop.a - least) / N), column: (stop.b - origin) % N, step: (stop.a - least) % N / DEEP }));
    // Blocks do the end of their share first, so the tiles' order is seen from its end.
    const tiles = [...new Set([...Array(BLOCKS).keys()].flatMap(block => [...new Set(events.filter(event => event.block === block).map(({ row, column }) => `${row} ${column}`))].reverse()))];
    events.forEach(event => { event.tile = tiles.indexOf(`${event.row} ${event.column}`); event.warp = event.block; });
    inOrder(events);
    function draw(now) {
      const shown = new Map();
      for (const { block, tile, step } of events.slice(0, now + 1)) shown.set(`${block} ${tile}`, { row: block, kind: tile % 2 ? 'B' : 'A', text: `${tile}`, from: shown.get(`${block} ${tile}`)?.from ?? tile * deep + step, to: tile * deep + step + 1 });
      return bars([...Array(BLOCKS).keys()].map(block => `block ${block}`), tiles.length * deep, tiles.map((tile, i) => [i * deep, `tile ${i}`]), [...shown.values()], `what each block has computed, after ${events[now].cycle} instructions`);
    }
    return { events, draw, key: `${tiles.length} tiles of C, end to end along K, cut into ${BLOCKS} equal pieces for ${BLOCKS} blocks, N = ${N}: ${share} steps each, where whole tiles would take two rounds of ${deep}. A block computes the end of its piece first, for which the next block waits.`,
      said: ({ cycle, block, tile, row, column, step }) => `after ${cycle} instructions of a warp, block ${block}: step ${step + 1} of ${deep} along K of tile ${tile}, C[${row}][${column}]` };
  }

  const KINDS = { '02_shared_tiling': tiles, '08_double_buffer': buffers, '10_block_order': pieces };
  return async function open(path, box, play) {
    const kernel = [path.split('/').at(-2), path.split('/').at(-1).replace('.cubin', '')], { events, draw, said, key } = await KINDS[kernel[0]](kernel, box), still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const range = el('input', { type: 'range', min: 0, max: events.length - 1, value: 0, ariaLabel: 'the event shown' }), shown = el('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: 'the drawing' }), words = el('p');
    let timer = 0;
    const show = () => {
      const event = events[range.value];
      shown.replaceChildren(draw(Number(range.value)));
      words.textContent = said(event);
      range.setAttribute('aria-valuetext', words.textContent);
      Object.assign(box.dataset, { event: range.value, of: events.length, row: JSON.stringify(event) });
    };
    const pause = () => { clearInterval(timer); timer = 0; play.textContent = 'Play'; };
    play.onclick = () => {
      if (timer) return pause();
      if (Number(range.value) === events.length - 1) range.value = 0;
      play.textContent = 'Pause';
      timer = setInterval(() => { range.value = Number(range.value) + 1; show(); if (Number(range.value) === events.length - 1) pause(); }, Math.max(20, Math.min(150, 12000 / events.length)));
    };
    range.oninput = () => { pause(); show(); };
    box.append(' ', range, words, shown, el('p', { className: 'key' }, key));
    show();
    if (still) play.hidden = true; // the slider moves it
    else play.onclick();
  };
};
