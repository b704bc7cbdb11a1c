// The boxes of a page that run the course's programs: kernels to run, look into and break, exercises, sliders. What they say comes
// from the programs (runner.js); here it is only laid out.
'use strict';

(() => {
  const unpacked = {};
  const has = name => typeof KERNELS !== 'undefined' && name in KERNELS;
  const file = name => (unpacked[name] = unpacked[name] || Engine.unpack(KERNELS[name]));
  const text = async name => new TextDecoder().decode(await file(name));
  const find = pattern => (typeof KERNELS === 'undefined' ? undefined : Object.keys(KERNELS).find(name => pattern.test(name)));
  const number = value => String(Math.round(1000 * value) / 1000).replace(/\d(?=(\d{3})+(\.|$))/g, '$&,'); // Intl takes longer to load than a kernel to run
  // Acts when nothing new has come for so long, one after the other.
  const later = (wait, act) => { let timer, last = Promise.resolve(); return () => { clearTimeout(timer); timer = setTimeout(() => { last = last.then(act); }, wait); }; };
  // What a reader wrote, kept in the browser for the next visit, as far as the browser lets us: get() gives null where nothing is, or where it was
  // written about something else (`of`); set(null) forgets it.
  // changed(ACT): called when another tab writes it, so that none of them writes an older text over it.
  const keeper = (name, of) => ({
    changed(act) { addEventListener('storage', ({ key, storageArea }) => { if (key === name && storageArea === localStorage) act(this.get()); }); },
    get() { try { const kept = JSON.parse(localStorage.getItem(name)); return kept && kept.of === of ? kept.value : null; } catch { return null; } },
    set(value) { try { if (value === null) localStorage.removeItem(name); else localStorage.setItem(name, JSON.stringify({ of, value })); } catch { /* it holds for this page */ } },
  });
  // A kernel in the address of a page: `#kernel=VARIANT.TEXT`, packed. What comes by a link is a stranger's: text for the editor, and not without bounds.
  const MOST_TEXT = 1 << 20, MOST_PACKED = 300000;
  const coded = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const packText = async text => coded(new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer()));
  async function unpackText(data) {
    const bytes = Uint8Array.from(atob(data.replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt(0)), parts = [];
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let size = 0, part; !(part = await reader.read()).done; parts.push(part.value)) if ((size += part.value.length) > MOST_TEXT) throw RangeError('too long');
    return new Blob(parts).text();
  }
  // What a paste or a link may bring along and nobody sees: other blanks become one, what has no width or turns the reading direction goes.
  const visible = text => text.replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ').replace(/[\0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
  // What programs say, with a link at each place of a kernel: go(PLACE) is called with `edited.sass:22` or `0x530`.
  const PLACE = /(edited\.sass:\d+|(?<=` at )0x[0-9a-f]+|(?<=\+|, )0x[0-9a-f]+(?=:))/;
  const linked = (said, go) => said.split(PLACE).map((part, i) => (i % 2 === 0 ? part
    : el('a', { href: '#try', textContent: part, onclick: event => { event.preventDefault(); go(part); } })));
  // The line of a text that a place is: instructions take 16 bytes each; names, directives and comments none. -1 where loops and macros make more of it.
  function lineOf(text, place) {
    const lines = text.split('\n');
    let left = parseInt(place, 16) / 16;
    if (place.includes(':')) return Number(place.split(':')[1]) - 1;
    return /^\s*\.(for|if|macro)/m.test(text) ? -1 : lines.findIndex(line => /^\s*(@|[^./\s]).*;/.test(line) && left-- === 0);
  }
  // A script that comes when it is first asked for; one that did not come is asked for again.
  const scripts = {};
  const late = name => scripts[name] = scripts[name] || new Promise((done, failed) => document.head.append(el('script', { src: `${name}.js`, onload: done, onerror: () => { delete scripts[name]; failed(); } })));

  // What was said of lines of a text: [line, words].
  const noted = (text, said) => said.split('\n').filter(line => PLACE.test(line) && !/ loop 0x/.test(line)).map(line => [lineOf(text, PLACE.exec(line)[0]), line]);
  const hasEditor = 'editor' in document.currentScript.dataset, coloured = new Map(); // the editors over text areas (editor.js), where the site has them
  async function dress(area, moved) { // moved(LINE): the cursor is there now
    area.onkeyup = area.onclick = () => moved?.(area.value.slice(0, area.selectionStart).split('\n').length - 1);
    if (!hasEditor) return;
    document.querySelector('link[href="editor.css"]') || document.head.append(el('link', { rel: 'stylesheet', href: 'editor.css' }));
    try { await late('editor'); } catch { return; } // it can be written without
    if (area.isConnected && !coloured.has(area)) coloured.set(area, Editor.dress(area, moved));
  }
  function mark(area, from, to) { // shows it, six lines from the top
    if (coloured.has(area)) coloured.get(area).mark(from, to);
    area.focus({ preventScroll: true });
    area.setSelectionRange(from, to);
    area.scrollTop = parseFloat(getComputedStyle(area).lineHeight) * (area.value.slice(0, from).split('\n').length - 6);
    area.scrollIntoView({ block: 'nearest' });
  }
  const rows = csv => csv.trim().split('\n').slice(1).map(line => line.split(','));
  // A run that was ended or could not begin (runner.js), and why in a line.
  const isOff = run => run.status >= 124;
  const reason = run => clean(run.err || String(run)).replace(/^\w+: /, '').split('\n')[0];
  // A program without the paths of the machine that compiled the kernels.
  const clean = said => said.replace(/[^\s()]*\/(?=steps\/|exercises\/)/g, '');

  function el(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }
  const button = (label, act) => el('button', { type: 'button', textContent: label, onclick: act });
  const choice = (label, values, chosen) => {
    const select = el('select', { ariaLabel: label }, ...values.map(value => el('option', { value, textContent: value, selected: String(value) === String(chosen) })));
    return [select, el('label', {}, `${label} `, select)];
  };
  const details = (summary, ...children) => el('details', {}, el('summary', { textContent: summary }), ...children);
  function svg(tag, attributes, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // One request: a column a bank (or a sector), a row a wavefront; in the cells the lanes that are served there.
  function requestPicture(csv) {
    const shared = csv.startsWith('lane,address,phase'), cells = {}, size = 22;
    for (const [lane, , phase, first, last] of rows(csv).map(row => row.map(Number))) {
      for (let column = first; column <= last; column++) {
        const key = `${shared ? phase : Math.floor(column / 32)},${shared ? column : column % 32}`;
        (cells[key] = cells[key] || new Set()).add(lane);
      }
    }
    const height = 1 + Math.max(...Object.keys(cells).map(key => Number(key.split(',')[0])));
    const label = list => (list.length > 2 ? `${list[0]}+${list.length - 1}` : list.join(' '));
    // Banks are all drawn; of sectors those that are asked for, so that a small request can be read on a small screen.
    const across = shared ? 32 : Math.min(32, Math.max(8, 1 + Math.max(...Object.keys(cells).map(key => Number(key.split(',')[1])))));
    return svg('svg', { viewBox: `0 0 ${across * size} ${(height + 1) * size}`, style: `min-width: ${across}rem; max-width: ${1.6 * across}rem`, role: 'img', class: 'request',
      'aria-label': `${shared ? `${height} wavefronts over 32 banks` : 'lanes over 32-byte sectors'}` },
    ...[...Array(across).keys()].map(column => svg('text', { x: (column + 0.5) * size, y: 0.7 * size, class: 'axis' }, String(column))),
    ...Object.entries(cells).map(([key, lanes]) => {
      const [row, column] = key.split(',').map(Number), list = [...lanes];
      return svg('g', {}, svg('rect', { x: column * size, y: (row + 1) * size, width: size - 1, height: size - 1, fill: `hsl(${list[0] * 11} 60% 75%)` }),
        svg('text', { x: (column + 0.5) * size, y: (row + 1.65) * size }, label(list)), svg('title', {}, `lanes ${list.join(', ')}`));
    }));
  }

  // Issue slots of the first scheduler, from the model's trace: a row a warp, zoomed and moved by buttons. go(WARP, CYCLE) is called by a click.
  const KINDS = [['FFMA', '#c8102e', /^(FFMA|DFMA|HFMA2|HGMMA|HMMA)/], ['shared memory', '#1f5fb4', /^(LDS|STS|LDSM|ATOMS|SHFL)/], ['device memory', '#0a9396', /^(LDG|STG|LDGSTS|LD|ST|TLD|RED|ATOM|LDGDEPBAR)\b/],
    ['branch, barrier', '#777777', /^(BAR|BRA|EXIT|DEPBAR|NOP|WARPSYNC|BSSY|BSYNC)/], ['other arithmetic', '#f08a80', /^[A-Z]/], ['waits: barrier', '#e9c46a', /^barrier/], ['waits: device memory', '#d9c6ee', /^long_/],
    ['waits: shared memory', '#c3d9f2', /^short_/], ['waits: full queue', '#9fb8d8', /_throttle/], ['ready, not selected', '#f4efe0', /^not_selected/], ['waits: other', '#dadada', /./]];
  const spansOf = trace => JSON.parse(trace).traceEvents.filter(event => event.ph === 'X' && event.pid === 0);
  function timelinePicture(trace, go) {
    const spans = spansOf(trace).map(span => ({ ...span, kind: KINDS.findIndex(([, , names]) => names.test(span.name)) }));
    if (!spans.length) return el('p', { textContent: 'no cycles to show' });
    const warps = [...new Set(spans.map(span => span.tid))].sort((a, b) => a - b), width = 700, left = 56, high = 20, below = high * warps.length;
    const first = Math.min(...spans.map(span => span.ts)), last = Math.max(...spans.map(span => span.ts + span.dur)), place = el('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: 'the timeline' });
    let [from, to] = [first, last];
    function draw() {
      const x = cycle => left + (cycle - from) * (width - left) / (to - from), step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(each => (to - from) / each <= 9) || 2000, ticks = [];
      for (let cycle = Math.ceil(from / step) * step; cycle <= to - step / 4; cycle += step) ticks.push(cycle);
      place.replaceChildren(svg('svg', { viewBox: `0 0 ${width} ${below + 16}`, role: 'img', class: 'timeline', 'aria-label': `${warps.length} warps, cycles ${from} to ${to}` },
        ...warps.map((warp, row) => svg('text', { x: left - 6, y: high * row + 13, 'text-anchor': 'end' }, `warp ${warp}`)),
        ...ticks.map(cycle => svg('g', {}, svg('line', { x1: x(cycle), x2: x(cycle), y1: 0, y2: below + 3 }), svg('text', { x: x(cycle), y: below + 13 }, String(cycle)))),
        ...spans.filter(span => span.ts < to && span.ts + span.dur > from).map(span => {
          const begin = Math.max(from, span.ts), box = svg('rect', { x: x(begin), y: high * warps.indexOf(span.tid), height: 18, width: Math.max(0.5, x(Math.min(to, span.ts + span.dur)) - x(begin)), fill: KINDS[span.kind][1] },
            svg('title', {}, `warp ${span.tid}, cycle ${span.ts}: ${span.cat === 'stall' ? `${span.name}, ${span.dur} cycles, before ` : ''}${span.args.instruction}`));
          box.addEventListener('click', () => go(span.tid, span.ts));
          return box;
        })));
    }
    const show = (middle, cycles) => {
      const wide = Math.round(Math.max(10, Math.min(last - first, cycles)));
      from = Math.round(Math.max(first, Math.min(last - wide, middle - wide / 2)));
      to = from + wide;
      draw();
    };
    const move = (label, name, act) => Object.assign(button(label, () => act((from + to) / 2, to - from)), { ariaLabel: name });
    draw();
    return el('div', {}, el('p', {}, move('+', 'fewer cycles', (middle, wide) => show(middle, wide / 2)), ' ', move('−', 'more cycles', (middle, wide) => show(middle, 2 * wide)), ' ',
      move('←', 'earlier', (middle, wide) => show(middle - wide / 2, wide)), ' ', move('→', 'later', (middle, wide) => show(middle + wide / 2, wide)), ' A click on an instruction steps to it.'), place,
    el('ul', { className: 'legend' }, ...[...new Set(spans.map(span => span.kind))].sort((a, b) => a - b).map(kind => el('li', {}, svg('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true' }, svg('rect', { width: 26, height: 10, fill: KINDS[kind][1] })), KINDS[kind][0]))));
  }

  // --- a kernel of a lesson --------------------------------------------------------------------------------------------------------
  const SHOWN = [['smsp__inst_executed.sum', 'warp instructions'], ['smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', 'FFMA of threads'], ['smsp__sass_thread_inst_executed_op_dfma_pred_on.sum', 'DFMA of threads'],
    ['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 'global load requests'], ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'sectors they take'],
    ['smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', 'shared wavefronts, loads'],
    ['smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum', 'shared wavefronts, stores'],
    ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum', 'bank conflicts, loads'], ['sim__barriers.sum', 'barriers'],
    ['sim__register_bank_cycles_lost.sum', 'cycles lost at register banks']];
  const MEMORY = /^ *([0-9a-f]+) +[0-9](?!.*@!PT).*\b(LDS|STS|LDG|STG|LDGSTS|ATOMS|ATOMG|RED|LDSM|STSM)\b/;

  // What a box asks before it runs: words, and the counters that answer, the first over the second, times a number.
  const FFMA = 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum';
  const SECTORS = ['sectors per load request', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 1];
  const WAVEFRONTS = ['wavefronts of shared loads per FFMA of a warp', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', FFMA, 32];
  const BANKS = ['cycles lost at register banks per FFMA', 'sim__register_bank_cycles_lost.sum', FFMA, 32];
  const ASKED = { '01': SECTORS, '02': WAVEFRONTS, '03': WAVEFRONTS, '04': WAVEFRONTS, '05': WAVEFRONTS, '06': WAVEFRONTS, '07': WAVEFRONTS, '08': WAVEFRONTS, '09': BANKS, 10: SECTORS, 12: BANKS };

  async function tryBox(box) {
    const kernels = box.dataset.variant.split(',').map(variant => ({ variant, path: find(new RegExp(`^cubin/sm_90/${box.dataset.step}[^/]*/${variant}\\.cubin$`)) }));
    if (!kernels.every(kernel => kernel.path)) return void (box.dataset.ready = 'absent');
    for (const kernel of kernels) { // text: what was edited, null where nothing was; made: the kernel that it is
      const { path } = kernel, original = { packed: KERNELS[path] }, kept = keeper(`edit ${path}`, KERNELS[path].slice(-32)); // of this cubin, not of a newer one
      Object.assign(kernel, { original, kept, text: kept.get(), made: null });
    }
    const step = kernels[0].path.split('/')[2], asked = ASKED[box.dataset.step], last = kernels[kernels.length - 1];
    const [size, sizeLabel] = choice('N', [...new Set([64, 128, 256, 512, Number(box.dataset.size)])].sort((a, b) => a - b), box.dataset.size);
    const [which, whichLabel] = choice('kernel', [...kernels.map(kernel => kernel.variant), 'both'], 'both' in box.dataset ? 'both' : last.variant);
    const chosen = () => kernels.filter(kernel => which.value === 'both' || which.value === kernel.variant);
    const state = el('p', { className: 'state', role: 'status' }), board = el('div', { className: 'board' }), out = el('div'), editor = el('div'), steps = el('div');
    const say = (what, bad) => { state.replaceChildren(...linked(what, show)); state.className = bad ? 'state bad' : 'state'; };
    const ladder = ({ kernel, files, size }, more, wanted) => Engine.run(['ladder', '--backend', 'sim', '--step', step, '--variant', kernel.variant, '--size', size, ...more], files, { wanted, owner: box });
    const simrun = async ({ kernel, files, size }, more, wanted) => {
      const launch = await Engine.run(['launch', step, kernel.variant, size], {}, { owner: box });
      return Engine.run(['simrun', kernel.path, ...launch.out.trim().split(' '), ...more], files, { wanted, owner: box });
    };
    const sass = (words, files, wanted) => Engine.run(['sass', ...words], files, { wanted, owner: editor });

    // The kernel as it is edited, assembled when it is asked for, once.
    const assembled = kernel => kernel.made = kernel.made || (async ({ path, original, text }) => {
      if (text === null) return { files: { [path]: original }, slip: '' };
      const run = await sass(['asm', 'edited.sass', '--into', path, '-o', 'made.cubin'], { 'edited.sass': text, [path]: original }, ['made.cubin']);
      if (isOff(run)) kernel.made = null; // the text is not to blame: next time it is tried again
      return { files: { [path]: run.files['made.cubin'] }, said: run.err, slip: run.status && `It ${isOff(run) ? 'could not be assembled' : 'does not assemble'}: ${reason(run)}` };
    })(kernel);
    function change(kernel, to) {
      Object.assign(kernel, { text: to, made: null });
      kernel.kept.set(to);
      if (location.hash.startsWith('#kernel=')) history.replaceState(null, '', location.href.split('#')[0]); // it is no longer that one
      if (out.hasChildNodes()) say('Edited: Run shows what it does now.');
      out.classList.add('old');
      delete box.dataset.done;
      if (stepping) stepping.again();
    }

    // The prediction, kept; and what was counted, a column a run, the newest first, the last four.
    const guessed = keeper(`guess ${step}`, asked && asked[0]), columns = [];
    const guess = el('input', { className: 'guess', inputMode: 'decimal', size: 6, autocomplete: 'off', value: guessed.get() || '', oninput: () => guessed.set(guess.value.trim() || null) });
    const answer = counts => asked && Number(counts.get(asked[2])) ? number(asked[3] * counts.get(asked[1]) / counts.get(asked[2])) : '';
    function draw() {
      const head = ['counter', ...columns.flatMap(({ title, lesson }, i) => [title, ...(i === 0 && lesson.size ? ['H200'] : [])])];
      const line = (label, of, title = '') => el('tr', { title }, el('th', { textContent: label }), ...columns.flatMap(({ here, lesson }, i) => [here, ...(i === 0 && lesson.size ? [lesson] : [])]).map(counts => el('td', { textContent: of(counts) })));
      const table = el('table', { className: 'counters' }, el('tr', {}, ...head.map(textContent => el('th', { textContent }))), ...(asked ? [line(asked[0], answer)] : []),
        ...SHOWN.filter(([key]) => columns.some(({ here }) => Number(here.get(key))) || !/_op_[df]fma/.test(key)).map(([key, label]) => line(label, counts => (counts.has(key) ? number(counts.get(key)) : ''), key)));
      table.dataset.counters = JSON.stringify([...columns[0].here]);
      const told = guess.value.trim() && asked ? `You predicted ${guess.value.trim()} ${asked[0]}; ${columns.slice(0, chosen().length).map(({ title, here }) => `${title}: ${answer(here)}`).join('; ')}.` : '';
      board.replaceChildren(el('div', { className: 'table' }, table), ...(told ? [el('p', { textContent: told })] : []));
    }
    async function counters(at, shown) {
      const run = await ladder(at, ['--check', 'off', '--counters', 'c.csv'], ['c.csv']);
      const csv = run.files['c.csv'], { variant, text } = at.kernel;
      if (run.err && !isOff(run)) shown.append(el('pre', { className: 'bad' }, ...linked(clean(run.err), show)));
      const area = editor.dataset.of === at.kernel.path ? editor.querySelector('textarea') : null;
      if (coloured.has(area)) coloured.get(area).note(noted(area.value, clean(run.err)));
      if (!csv || isOff(run)) return { ...run, status: run.status || 1 };
      const here = new Map(rows(new TextDecoder().decode(csv)).map(row => row.slice(-2)));
      const lesson = new Map(text === null ? rows(KERNELS[`counters/${step}.csv`]).filter(row => row[0] === variant && row[1] === at.size).map(row => row.slice(-2)) : []); // not every N was counted there
      if (!shown.isConnected) return run;
      columns.unshift({ title: `${variant}${text === null ? '' : ', edited'}, N = ${at.size}`, here, lesson });
      columns.splice(4);
      draw();
      return run;
    }
    function listing(at, run) {
      const drawing = el('div');
      const picture = async address => {
        const drawn = await simrun(at, ['--picture', address, '--picture-file', 'p.csv'], ['p.csv']);
        drawing.replaceChildren(drawn.files['p.csv'] ? requestPicture(new TextDecoder().decode(drawn.files['p.csv'])) : el('p', { textContent: drawn.err }));
      };
      const lines = clean(run.out).split('\n').flatMap(line => [MEMORY.test(line) ? el('a', { href: '#', textContent: line,
        onclick: event => { event.preventDefault(); picture(MEMORY.exec(line)[1]); } }) : line, '\n']);
      return details('Each instruction: click on a memory instruction to see its first request', drawing, el('pre', { className: 'listing', tabIndex: 0 }, ...lines));
    }
    // To the stepper, to what a warp of the timeline issues at a cycle: as many instructions on as it has issued since it began.
    async function stepTo(at, warp, cycle) {
      const run = await simrun(at, ['--time', '--timeline', 't.json', '--cycles', `0,${cycle}`], ['t.json']);
      if (run.status) return void say(`It cannot be stepped: ${reason(run)}`, true);
      const launch = await Engine.run(['launch', step, at.kernel.variant, at.size], {}, { owner: box }), warps = Number(/--block (\d+)/.exec(launch.out)[1]) / 32;
      const issued = spansOf(new TextDecoder().decode(run.files['t.json'])).filter(span => span.tid === warp && span.cat === 'issue' && span.ts < cycle);
      const done = issued.length - Math.max(0, issued.map(span => span.args.address).lastIndexOf('0'));
      [which.value, size.value] = [at.kernel.variant, at.size];
      await walk([`warp ${warp % warps}`, ...(done ? [`step ${done}`] : [])]);
      steps.scrollIntoView({ block: 'nearest' });
    }
    function model(run, at) {
      const [line, ...rest] = clean(run.out).split('\n');
      const told = [el('p', { textContent: run.status ? `No time is predicted. ${run.err}` : `The model: ${line.replace('an h200', 'an H200')}` })];
      if (run.files['t.json']) told.push(details('Where the time goes: stalls, and 4,000 cycles of a scheduler', timelinePicture(new TextDecoder().decode(run.files['t.json']), (warp, cycle) => stepTo(at, warp, cycle)), el('pre', { className: 'listing', tabIndex: 0, textContent: rest.join('\n') })));
      return told;
    }
    // Of a run whose place another took, or whose kernel was edited, nothing is said any more.
    const current = mine => !mine.off && mine.kernels.every((kernel, i) => kernel.text === mine.texts[i]);
    async function all(mine) { // what a run says and shows; gives the verdict
      const shown = el('div'), tell = (...what) => { if (current(mine)) say(...what); }, ready = [];
      out.replaceChildren(shown);
      out.classList.remove('old');
      say('running …');
      for (const kernel of mine.kernels) { // the counters are the first thing to see
        const { files, slip } = await assembled(kernel), at = { kernel, files, size: mine.size };
        if (slip) return tell(slip, true), 'refused';
        const counted = await counters(at, shown);
        if (isOff(counted)) return tell(`The run has no result: ${reason(counted)}.`, true), 'ended';
        ready.push([at, counted.status === 0]);
      }
      let verdict = 'right';
      for (const [at, clear] of ready) {
        const [checking, listed, timed] = [ladder(at, ['--check', 'only']), simrun(at, ['--per-line']), simrun(at, ['--time', '--stalls', '--timeline', 't.json', '--cycles', '2000,4000'], ['t.json'])];
        const check = await checking, right = clear && check.status === 0;
        if (!right) verdict = 'reported';
        if (isOff(check)) tell(`The check has no result: ${reason(check)}.`, true);
        else if (verdict === 'right') tell('The result is right, on this problem and on the small ones of the check.');
        else if (!right) tell(clear ? `The check failed. ${clean(check.err).replace(/^ladder: .*/, '').split('\n')[0]}` : 'The run ended with a report.', true);
        if (ready.length > 1) shown.append(el('h4', { textContent: at.kernel.variant }));
        if (clear && !right && !isOff(check)) shown.append(el('pre', { className: 'bad' }, ...linked(clean(check.err.trim().includes('\n') ? check.err : check.out.replace(/^simulator .*\n/, '')).split('\n').slice(0, 8).join('\n'), show)));
        if (!isOff(await listed)) shown.append(listing(at, await listed));
        if (clear) shown.append(...model(await timed, at));
      }
      return verdict;
    }
    for (const kernel of kernels) {
      kernel.kept.changed(text => {
        if (text === kernel.text) return;
        change(kernel, text);
        if (editor.dataset.of !== kernel.path) return;
        delete editor.dataset.of;
        edit().then(() => say('Edited in another tab: this is its text.'));
      });
    }
    let running = null; // one at a time: of these kernels, at this size
    function run() {
      const mine = { kernels: chosen(), size: size.value, off: false };
      mine.texts = mine.kernels.map(kernel => kernel.text);
      if (running && current(running) && running.size === mine.size && running.kernels.join() === mine.kernels.join() && running.which === which.value) return;
      if (running) { running.off = true; Engine.stop(box); }
      running = Object.assign(mine, { which: which.value });
      all(mine).then(verdict => {
        if (current(mine)) box.dataset.done = verdict;
        if (running === mine) running = null;
      });
    }
    async function edit() {
      const kernel = chosen().pop(), { path, original } = kernel;
      if (editor.dataset.of === path) return void (coloured.get(editor.querySelector('textarea')) || editor.querySelector('textarea')).focus();
      const area = el('textarea', { className: 'code', spellcheck: false, ariaLabel: 'machine code' }), lint = el('pre', { className: 'listing', role: 'status' }), source = el('p', { className: 'help' });
      const given = kernel.text === null ? await sass(['dis', path], { [path]: original }) : { out: kernel.text };
      if (given.status) return void say(`Nothing can be edited now: ${reason(given)}.`, true);
      if (editor.dataset.of === path) return;
      if (kernel.text === null) kernel.given = clean(given.out);
      else sass(['dis', path], { [path]: original }).then(run => { if (!run.status) kernel.given = clean(run.out); });
      area.value = clean(given.out);
      const changed = el('pre', { className: 'listing', tabIndex: 0 }), difference = details('What is changed', changed);
      difference.hidden = true;
      const look = later(150, async () => {
        const { files, slip, said } = await assembled(kernel);
        const told = slip ? said : clean((await sass(['lint', path], files)).out);
        lint.replaceChildren(...linked(told, show));
        if (coloured.has(area)) coloured.get(area).note(noted(area.value, told));
        const lines = window.Lines && kernel.given !== undefined && kernel.text !== null ? Lines.compared(kernel.given, kernel.text).filter(([sign]) => sign !== ' ') : [];
        changed.replaceChildren(...lines.map(([sign, line]) => el('span', { className: sign === '+' ? 'good' : 'bad', textContent: `${sign} ${line}\n` })));
        changed.parentNode.hidden = !lines.length;
        box.dataset.linted = String(Number(box.dataset.linted || 0) + 1);
      });
      const assemble = () => { change(kernel, visible(area.value)); look(); };
      area.oninput = assemble;
      // The quick way to break a kernel: a barrier less or, where there is none, an FFMA that does not wait for what it reads.
      const barrier = /BAR\.SYNC[^;]*;/, waiting = /^[0-9a-f]{2}(?=:.*FFMA)/m, [at, put, label] = barrier.test(area.value) ? [barrier, 'NOP ;', 'Take a barrier out'] : [waiting, '--', 'Take a wait out'];
      const broken = button(label, () => {
        const place = area.value.search(at);
        area.value = area.value.replace(at, put);
        area.oninput();
        mark(area, place, place + put.length);
        broken.disabled = !at.test(area.value);
      });
      broken.disabled = !at.test(area.value);
      editor.dataset.of = path;
      editor.replaceChildren(el('p', {}, broken, ' ', button('Undo all', () => { change(kernel, null); delete editor.dataset.of; edit(); }), ' ', button('Link to it', () => link(kernel, area.value))), area, source, lint, difference);
      if (kernel.text !== null) look();
      try { await late('lines'); } catch { return void await dress(area); } // it can be written without
      await dress(area, beside(kernel, area, source));
    }
    // The editor's instructions and the lines of kernel.cu light each other. Gives what to do when the cursor is at a line of the text.
    function beside(kernel, area, source) {
      let text = null, places = [];
      const now = () => { // places of the lines as they stand
        if (text !== area.value && kernel.given !== undefined && kernel.places) [text, places] = [area.value, Lines.followed(Lines.compared(kernel.given, area.value), kernel.places)];
        return places.map(place => Lines.lineOf(step, place));
      };
      const first = line => area.value.split('\n').slice(0, now().indexOf(line)).join('\n').length + 1;
      const view = { box: area, lines: now, light: line => coloured.get(area)?.light(now().map((one, i) => (line && one === line ? i : -1)).filter(i => i >= 0)),
        go: line => { if (now().includes(line)) mark(area, first(line), first(line) + area.value.slice(first(line)).search(/\n|$/)); } };
      simrun({ kernel, files: { [kernel.path]: kernel.original, commands: 'code\n' }, size: size.value }, ['--step', 'commands']).then(run => {
        kernel.places = run.status ? null : run.out.split('\n').filter(row => row.startsWith('code,')).map(row => row.split(',')[2]);
        Lines.view(view);
      });
      return at => {
        Lines.show(now()[at] || 0);
        source.replaceChildren(...Lines.described(step, places[at] || '', el));
      };
    }
    async function show(place) { // in the editor, of the kernel that ran last
      await edit();
      const area = editor.querySelector('textarea'), at = area ? lineOf(area.value, place) : -1;
      if (at < 0) return;
      const from = area.value.split('\n').slice(0, at).join('\n').length + (at ? 1 : 0);
      mark(area, from, from + area.value.slice(from).search(/\n|$/));
    }
    async function link(kernel, text) {
      const packed = text.length > MOST_TEXT ? '' : await packText(text);
      if (!packed || packed.length > MOST_PACKED) return void say('It is too long for a link: shorten it, or send it as a file.', true);
      history.replaceState(null, '', `#kernel=${kernel.variant}.${packed}`);
      say('The address of this page now has the kernel in it: copy it to show it to somebody.');
    }
    let stepping = null;
    async function walk(first = []) {
      const kernel = chosen().pop();
      try { await late('stepper'); } catch { return void say('It could not be loaded (stepper.js); is the network there? Then try again.', true); }
      await late('lines').catch(() => null); // it can be stepped without
      const open = Stepper({ el, button, choice, requestPicture, clean });
      stepping = open(step, `${kernel.variant}, block 0, N = ${size.value}`, async commands => {
        const { files, slip } = await assembled(kernel);
        return slip ? { status: 1, out: '', err: slip } : simrun({ kernel, files: { ...files, commands }, size: size.value }, ['--step', 'commands']);
      });
      steps.replaceChildren(stepping.box);
      await stepping.again(...first);
    }
    which.onchange = () => { if (editor.dataset.of) edit(); if (stepping) walk(); };
    box.replaceChildren(el('h3', { textContent: `Try it: ${step}, ${kernels.map(kernel => kernel.variant).join(' or ')}` }),
      ...(asked ? [el('p', {}, el('label', {}, `Predict first: how many ${asked[0]}? `, guess))] : []),
      el('p', {}, sizeLabel, ' ', ...(kernels.length > 1 ? [whichLabel, ' '] : []), button('Run', run), ' ', button('Stop', () => { Engine.stop(box); Engine.stop(editor); }), ' ', button('Edit the machine code', edit), ' ', button('Step', () => walk())), state, editor, steps, board, out);
    let greeting = 'Your edit of an earlier visit is here; Undo all takes it back.', edited = kernels.find(kernel => kernel.text !== null);
    const [, variant, data] = location.hash.length < MOST_PACKED + 100 && /^#kernel=([\w-]+)\.([\w-]+)$/.exec(location.hash) || [], given = kernels.find(kernel => kernel.variant === variant);
    try {
      if (given) [given.text, edited, greeting] = [visible((await unpackText(data)).replace(/\r\n?/g, '\n')), given, 'This kernel came with the link, from whoever made it. Undo all takes it away.'];
      else if (location.hash.startsWith('#kernel=') && box.id === 'try' && ![...document.querySelectorAll('.try')].some(one => one.dataset.variant.split(',').includes(variant))) throw RangeError('of no box');
    } catch { say('The link holds no kernel that can be read.', true); }
    if (edited) {
      which.value = edited.variant;
      edit().then(() => say(greeting));
    }
    addEventListener('hashchange', () => { if (location.hash.startsWith('#kernel=')) location.reload(); });
    box.dataset.ready = 'yes';
  }

  // --- exercises: tools/exercise.sh's rules for those that need no compiler ------------------------------------------------------------
  const near = (a, b, slack = 0) => Math.abs(a - b) <= Math.max(0.005 * Math.abs(b), slack);
  const predicted = (name, prediction) => ((new RegExp(`^ *${name} *= *(.*)$`, 'm').exec(prediction) || [])[1] || '').replace(/#.*/, '').replace(/[\s,]/g, '').replace(/^([0-9.]+)[a-zA-Z%]*$/, '$1').replace(/^\?*$/, '');
  const numbers = (bytes, options) => [...(/i32\S*=out:/.test(options) ? new Int32Array(bytes.slice().buffer) : new Float32Array(bytes.slice().buffer))];
  function difference(mine, key, names) { // the first number that is another, by its name (a;b: they take turns; %i: the turn)
    const first = mine.findIndex((value, i) => !Object.is(value, key[i])), name = names.split(';');
    return `${name[first % name.length].replace(/%i/g, Math.floor(first / name.length))} is ${mine[first]}, wanted is ${key[first]} (${mine.filter((value, i) => !Object.is(value, key[i])).length} of ${mine.length} numbers differ)`;
  }
  function loopFigures(said) { // of the loop with the largest share of FFMA or DFMA
    let kept = {}, best = 0;
    for (const line of said.split('\n').filter(line => / loop 0x/.test(line))) {
      const count = pattern => [...line.matchAll(pattern)].reduce((sum, found) => sum + Number(found[1]), 0);
      const figures = { instructions: count(/(\d+) instructions/g), arithmetic: count(/(\d+) (?:FFMA|DFMA)(?=,)/g), conflicts: count(/(\d+) bank-conflict/g) };
      if (figures.arithmetic / figures.instructions > best) [best, kept] = [figures.arithmetic / figures.instructions, figures];
    }
    return kept;
  }
  const valueOf = (expression, figures) => expression.split('/').map(part => part.trim()).map(part => (part in figures ? figures[part] : Number(part))).reduce((a, b) => (b === 0 ? 0 : a / b));

  // Gives the verdict's lines, [right, words]. Without a source only what was predicted is looked at. A run that was ended is thrown.
  async function judge(folder, prediction, source, owner) {
    const start = async (words, files, wanted) => {
      const run = await Engine.run(words, files, { wanted, owner });
      if (isOff(run)) throw run;
      return run;
    };
    const wishes = (await text(`${folder}wishes`)).split('\n').filter(line => line && !/^ *#/.test(line)).map(line => line.split('|'));
    const names = wishes.filter(([kind]) => kind === 'count' || kind === 'say' || kind === 'faster').map(row => row[1]), lines = [];
    const empty = names.filter(name => !predicted(name, prediction));
    if (empty.length) return [[false, `Predict first: ${empty.join(', ')}. A wrong one costs nothing, and teaches most.`]];
    const of = kind => wishes.filter(row => row[0] === kind), flags = of('flags').flatMap(row => row[1].split(' '));
    const id = folder.split('/')[1], made = `cubin/sm_90/${id}/mine.cubin`, cubins = {};
    const assemble = async (code, name) => {
      const run = await start(['sass', 'asm', 'kernel.sass', ...flags, '-o', name], { 'kernel.sass': code }, [name]);
      if (run.files[name]) cubins[name] = run.files[name];
      return run;
    };
    if (source !== undefined) {
      const run = await assemble(visible(source), made);
      if (run.status) return [[false, `it does not assemble: ${run.err}`]];
      for (const [, options] of of('check')) {
        const check = await start(['ladder', '--step', id, '--backend', 'sim', '--check', 'only', ...options.split(' ')], cubins);
        if (check.status) return [[false, `the result is wrong, or the simulator found a mistake (${options}): ${clean(check.err).split('\n')[0]}`]];
        lines.push([true, `results at ${options}`]);
      }
      for (const [, options, names = 'number %i of the output'] of of('same')) {
        await assemble(await text(`${folder}key.sass`), 'key.cubin');
        const [mine, key] = await Promise.all([made, 'key.cubin'].map(name => start(['simrun', name, ...options.replace('OUT', 'out').split(' ')], cubins, ['out'])));
        if (mine.status) return [[false, `the run ended with a report: ${clean(mine.err).split('\n')[0]}`]];
        const [found, wanted] = [mine, key].map(run => numbers(run.files.out, options));
        if (found.some((value, i) => !Object.is(value, wanted[i]))) return [[false, `another result than wanted: ${difference(found, wanted, names)}`]];
        lines.push([true, 'the result']);
      }
      for (const [, wanted, times, words] of of('code')) {
        if ((await start(['sass', 'dis', made], cubins)).out.split('\n').filter(line => line.includes(wanted)).length !== Number(times)) return [[false, words]];
      }
    }
    let figures = null; // what `count` asks: of the inner loop, or of a run of simrun
    for (const [kind, name, value, expression, words] of wishes) {
      if (source !== undefined && kind === 'lint') figures = loopFigures((await start(['sass', 'lint', made], cubins)).out);
      if (source !== undefined && kind === 'simrun') {
        const run = await start(['simrun', made, ...name.split(' '), '--counters', 'c.csv'], cubins, ['c.csv']);
        figures = Object.fromEntries(rows(new TextDecoder().decode(run.files['c.csv'] || new Uint8Array(0))).map(([counter, count]) => [counter, Number(count)]));
      }
      const guess = kind === 'say' || kind === 'count' ? predicted(name, prediction) : '';
      if (kind === 'say') {
        const right = guess.toLowerCase() === value.toLowerCase() || near(Number(guess), Number(value));
        lines.push([right, right ? `${expression}: ${value}` : `${expression}: '${guess}' is not it`]);
      }
      if (kind !== 'count') continue;
      const [values, slack = '0'] = value.split('~'), wanted = values.split(' or ').map(Number);
      const found = figures ? valueOf(expression, figures) : wanted.find(one => near(Number(guess), one)) || wanted[0], is = wanted.find(one => near(found, one));
      const told = near(Number(guess), is, Number(slack));
      if (is === undefined) lines.push([false, `${words}: your kernel has ${found}, wanted is ${values} (you predicted ${guess})`]);
      else lines.push([told, `${words}: ${told ? `${is}, ${near(Number(guess), is) ? 'as you predicted' : `and ${guess}, as you predicted, is near enough`}` : `your prediction, ${guess}, is not right${figures ? `; your kernel is, ${found}` : ''}. Which part of the sum was different?`}`]);
    }
    return lines;
  }

  async function exerciseBox(box) {
    const wishes = find(new RegExp(`^exercises/${box.dataset.ex}_[^/]*/wishes$`));
    if (!wishes) return void (box.dataset.ready = 'absent');
    const folder = wishes.replace('wishes', ''), key = `exercise ${folder}`, given = { prediction: await text(`${folder}prediction`) };
    if (has(`${folder}kernel.sass`)) given.source = await text(`${folder}kernel.sass`);
    let kept = given;
    try { kept = { ...given, ...JSON.parse(localStorage.getItem(key)) }; } catch { /* nothing was kept */ }
    const area = (label, value) => el('textarea', { className: 'code', spellcheck: false, ariaLabel: label, value });
    const prediction = area('prediction', kept.prediction), source = given.source === undefined ? null : area('kernel.sass', kept.source);
    const list = el('ul', { className: 'verdict' }), keep = solved => { // once solved stays so, in the list of exercises
      kept = { prediction: prediction.value, ...(source && { source: source.value }), solved: solved || kept.solved };
      try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* it holds for this page */ }
    };
    const fit = () => { prediction.style.height = `max(${prediction.scrollHeight + 2}px, 4rem)`; }; // on a narrow screen lines take two
    prediction.rows = given.prediction.split('\n').length + 1;
    let checking = null; // what is checked just now
    const tell = (...items) => list.replaceChildren(...items.map(([right, words]) => el('li', { className: right ? 'good' : 'bad', textContent: `${right ? 'right' : 'not yet'}: ${words}` })));
    const check = async () => {
      if (checking) return;
      const mine = checking = {};
      list.replaceChildren(el('li', { textContent: 'checking …' }));
      delete box.dataset.verdict;
      const lines = await judge(folder, prediction.value, source ? source.value : undefined, box).catch(run => [[false, `nothing was found out: ${reason(run)}`]]);
      if (checking !== mine) return; // it was edited meanwhile
      checking = null;
      const solved = lines.every(([right]) => right);
      tell(...lines);
      if (solved && !source) list.append(el('li', { textContent: `The predictions are right. The code needs nvcc: make exercise EX=${box.dataset.ex}` }));
      keep(solved);
      box.dataset.verdict = solved ? 'solved' : 'not yet';
    };
    // A verdict is of what was checked, not of what was written since.
    const edited = () => {
      if (checking || box.dataset.verdict) list.replaceChildren(el('li', { textContent: 'edited: Check looks at it as it is now' }));
      if (checking) Engine.stop(box);
      checking = null;
      delete box.dataset.verdict;
      keep(false);
    };
    const again = () => { prediction.value = given.prediction; if (source) source.value = given.source; edited(); list.replaceChildren(); };
    prediction.oninput = () => { edited(); fit(); };
    if (source) [source.oninput, source.onfocus] = [edited, () => dress(source)];
    addEventListener('storage', event => { // another tab's
      if (event.key !== key || !event.newValue) return;
      kept = { ...given, ...JSON.parse(event.newValue) };
      if (prediction.value === kept.prediction && (!source || source.value === kept.source)) return;
      prediction.value = kept.prediction;
      if (source && source.value !== kept.source) { source.value = kept.source; source.oninput(); }
      edited();
    });
    box.replaceChildren(...(source ? [el('p', { textContent: 'kernel.sass' }), source] : []), el('p', { textContent: 'prediction' }), prediction, el('p', {}, button('Check', check), ' ', button('Start over', again), ' ', button('Stop', () => Engine.stop(box))), el('div', { role: 'status' }, list));
    fit();
    if (source) source.scrollTop = parseFloat(getComputedStyle(source).lineHeight) * (source.value.slice(0, source.value.indexOf('// ---- your line')).split('\n').length - 6); // where there is to write
    if (kept.solved) list.append(el('li', { className: 'good', textContent: 'solved' }));
    box.dataset.ready = 'yes';
  }

  // --- sliders: addresses of a warp's requests, as the lesson's kernel makes them, and their wavefronts -------------------------------
  const lanes = each => [...Array(32).keys()].map(lane => each(lane));
  const ORDERS = ['off', 'z_lanes', 'patches', 'z_order'];
  const SLIDERS = {
    lanes: { label: 'rows of lanes', values: [1, 2, 4, 8, 16, 32], at: 2, each: '8 such loads of A and 8 of B: sum', times: 8, requests: r => [['a load of A', 'load', 4, lanes(l => 72 * Math.floor(l * r / 32) * 4)], ['a load of B', 'load', 4, lanes(l => 8 * (l % (32 / r)) * 4)]] },
    padding: { label: 'floats of padding', values: [...Array(17).keys()], at: 0, requests: p => [['a store of A, transposed', 'store', 4, lanes(l => 4 * (4 * (l % 2) * (128 + p) + Math.floor(l / 2)))]] },
    xor: { label: 'rows k 4 to 7 keep column c at place c XOR', values: [...Array(32).keys()], at: 0, requests: m => [['a store of A, transposed', 'store', 4, lanes(l => 4 * (4 * (l % 2) * 128 + (Math.floor(l / 2) ^ (l % 2 ? m : 0))))]] },
    width: { label: 'bytes per lane', values: [4, 8, 16], at: 2, orders: ORDERS, requests: (width, order) => {
      const z = order === 'z_lanes' || order === 'z_order', stride = order.startsWith('patches') || order === 'z_order' ? 4 : 8;
      const down = l => (z ? 2 * Math.floor(l / 16) + l % 2 : Math.floor(l / 8)), across = l => (z ? Math.floor(l % 16 / 2) : l % 8);
      return [['a load of A', 'load', width, lanes(l => 4 * stride * down(l))], ['a load of B', 'load', width, lanes(l => 4 * stride * across(l))]];
    } },
  };
  function sliderBox(box) {
    const kind = SLIDERS[box.dataset.kind];
    if (!kind) return;
    const range = el('input', { type: 'range', min: 0, max: kind.values.length - 1, value: kind.at, ariaLabel: kind.label }), shown = el('output'), out = el('div', { role: 'status' });
    const [order, orderLabel] = choice('lanes', kind.orders || [''], 'off');
    const draw = later(20, async () => {
      const value = kind.values[range.value];
      shown.textContent = ` ${value}`;
      const drawn = await Promise.all(kind.requests(value, order.value).map(async ([label, what, width, addresses]) => ({ label, run: await Engine.run(['banks', what, width, ...addresses].map(String), {}) })));
      const counts = drawn.map(({ run }) => Number(run.err.split(' ')[0]));
      out.replaceChildren(...drawn.flatMap(({ label, run }, i) => [el('p', { textContent: `${label}: ${counts[i]} wavefront${counts[i] === 1 ? '' : 's'}` }), requestPicture(run.out)]),
        ...(kind.times ? [el('p', { textContent: `${kind.each} ${kind.times * counts.reduce((a, b) => a + b)}` })] : []));
      box.dataset.wavefronts = counts.join(' ');
    });
    range.oninput = order.oninput = draw;
    box.replaceChildren(el('p', {}, el('label', {}, `${kind.label} `, range), shown, ' ', ...(kind.orders ? [orderLabel] : [])), out);
    draw();
  }

  // --- a drawing that moves (motion.js), played when it is asked for -----------------------------------------------------------------
  function motionBox(box) {
    const path = find(new RegExp(`^cubin/sm_90/${box.dataset.kernel}\\.cubin$`)), state = el('p', { role: 'status' });
    if (!path) return;
    const play = button('Play', async () => {
      play.disabled = true;
      state.textContent = 'The simulator runs it …';
      try {
        await late('motion');
        await Motion({ el, svg, spansOf, file: name => ({ packed: KERNELS[name] }) })(path, box, play);
        state.remove();
      } catch (error) { state.textContent = `It cannot be played${error ? `: ${reason(error.message)}` : ' (motion.js could not be loaded); is the network there? Then try again'}.`; }
      play.disabled = false;
    });
    box.replaceChildren(play, state);
  }

  // At the end of the page, so what is above is there.
  if (typeof Engine === 'undefined') return;
  if (document.querySelector('.try')) document.querySelector('.skip').after(el('a', { className: 'skip', href: '#try', textContent: 'To the kernel that runs here' }));
  document.querySelectorAll('.try').forEach(tryBox);
  document.querySelectorAll('.exercise').forEach(exerciseBox);
  document.querySelectorAll('.slider').forEach(sliderBox);
  document.querySelectorAll('.motion').forEach(motionBox);
})();
