// A block's warps, an instruction at a time (simrun --step), loaded by try.js when it is first asked for. What it shows is what the program
// tells; a position is what ran so far, so every command does that again and goes on from there.
'use strict';

window.Stepper = ({ el, button, choice, requestPicture, clean }) => {
  const LANES = 32, bit = (mask, lane) => mask >>> lane & 1;
  const lanes = each => [...Array(LANES).keys()].map(each);
  const written = { hex: word => word.padStart(8, '0'), int: word => String(parseInt(word, 16) | 0),
    float: word => String(Number(new Float32Array(new Uint32Array([parseInt(word, 16)]).buffer)[0].toPrecision(5))) };

  // What `csv` tells, by kind: rows of words.
  function read(said) {
    const rows = { code: [], ran: [], warp: [], register: [], predicate: [], scoreboard: [], shared: [], report: [], at: [] }, text = clean(said);
    for (const line of text.split('\n')) {
      const kind = line.slice(0, line.indexOf(','));
      if (kind in rows) rows[kind].push(line.slice(kind.length + 1).split(','));
    }
    return { ...rows, request: (/^lane,.*\n(\d.*\n)*/m.exec(text) || [''])[0] };
  }

  // The grid: a row a thing, a column a lane; one cell where all lanes have the same.
  function grid(label, first, things) {
    const alike = words => words.every(word => word === words[0]);
    return el('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: label }, el('table', { className: 'lanes' },
      el('tr', {}, el('th', { textContent: first }), ...lanes(lane => el('th', { textContent: lane }))),
      ...things.map(({ name, note, words, changed }) => el('tr', { title: note || '', className: note ? 'away' : '' }, el('th', { textContent: name }),
        ...(alike(words) && [0, -1].includes(changed | 0) ? [el('td', { colSpan: LANES, className: changed ? 'new' : '', textContent: `${words[0]} in all` })]
          : words.map((word, lane) => el('td', { className: bit(changed, lane) ? 'new' : '', textContent: word })))))));
  }

  // "warps 1 to 7: 75 instructions each, warp 8: 12", of warps in their order.
  function together(warps) {
    const parts = [];
    for (const [number, , , , , , ran] of warps) {
      const last = parts[parts.length - 1];
      if (last && last.ran === ran && Number(number) === last.to + 1) last.to++;
      else parts.push({ from: Number(number), to: Number(number), ran });
    }
    return parts.map(({ from, to, ran }) => (from === to ? `warp ${from} ${ran} instructions` : `warps ${from} to ${to} ${ran} each`)).join(', ');
  }

  // run(COMMANDS): what simrun says to them; step: the kernel's. Gives the element, and what to do when the kernel is another.
  return function open(step, name, run) {
    const place = el('p', { role: 'status' }), code = el('pre', { className: 'listing code-steps', tabIndex: 0, ariaLabel: 'instructions' }), shown = el('div');
    const [form, formLabel] = choice('as', ['hex', 'int', 'float'], 'hex'), [which, whichLabel] = choice('registers', ['of this step', 'all'], 'of this step');
    const warp = el('select', { ariaLabel: 'warp' });
    let log = [], state = null, busy = false;

    // The lines of kernel.cu that the instructions come from (lines.js).
    let lines = [];
    const showLine = line => window.Lines && Lines.show(line);
    const view = { box: code, lines: () => lines, light: line => code.querySelectorAll('a').forEach((one, i) => one.classList.toggle('lit', Boolean(line) && lines[i] === line)),
      go: line => { code.querySelectorAll('a')[lines.indexOf(line)]?.focus(); } };
    function listing() {
      const [now] = state.warp.filter(row => row[0] === state.at[0][0]), last = state.at[0][1];
      lines = window.Lines ? state.code.map(([, place]) => Lines.lineOf(step, place)) : [];
      code.replaceChildren(...state.code.flatMap(([address, place, ...text], i) => [el('a', { href: '#try', className: address === now[2] && now[1] !== 'ended' ? 'next' : address === last ? 'last' : '',
        title: `run to it${place ? `; ${place}` : ''}`, textContent: `${address.padStart(4, '0')}  ${text.join(',')}`, onclick: event => { event.preventDefault(); act(`to 0x${address}`); },
        onfocus: () => showLine(lines[i]), onpointerenter: () => showLine(lines[i]) }), '\n']));
      const next = code.querySelector('.next');
      if (next) code.scrollTop = next.offsetTop - code.clientHeight / 3;
      if (window.Lines) Lines.view(view);
      showLine(lines[state.code.findIndex(([address]) => address === now[2])] || 0);
      return now;
    }
    // Registers that the last instruction and the next one name, and those that are new.
    function ofThisStep(now) {
      const texts = state.code.filter(([address]) => address === now[2] || address === state.at[0][1]).map(row => row.slice(2).join(','));
      const named = new Set();
      for (const [, kind, number, wide] of texts.join(' ').matchAll(/\b(U?R)(\d+)(\.64)?/g)) [0, wide ? 1 : 0].forEach(more => named.add(`${kind}${Number(number) + more}`));
      return row => named.has(row[0]) || row[2] !== '0';
    }
    function memory() {
      const touched = new Set(state.request.split('\n').slice(1).map(row => Math.floor(Number(row.split(',')[1]) / 128)));
      const rows = state.shared.filter(row => row[1] !== '0' || (/^lane,address,phase/.test(state.request) && touched.has(parseInt(row[0], 16) / 128)));
      const all = rows.length ? rows : state.shared.slice(0, 8);
      if (!all.length) return [];
      return [el('h4', { textContent: `Shared memory, ${rows.length ? 'the rows that were touched' : 'its first rows'}: a column a bank` }),
        grid('shared memory', 'bank', all.slice(0, 32).map(([address, changed, unwritten, ...words]) => ({ name: `0x${address}`, changed: parseInt(changed, 16), words: words.map((word, lane) => (bit(parseInt(unwritten, 16), lane) ? '·' : written[form.value](word))) })))];
    }
    function draw() {
      const now = listing(), [, from, text] = state.code.find(([address]) => address === now[2]) || [, '', '--:-:-:-:0'], control = text.trim().split(' ')[0], all = which.value === 'all', wanted = ofThisStep(now), others = state.warp.filter(row => row[0] !== now[0] && row[6] !== '0');
      if (warp.length !== state.warp.length) warp.replaceChildren(...state.warp.map(([value]) => el('option', { value, textContent: value })));
      warp.value = now[0];
      place.textContent = `Warp ${now[0]}: ${now[3]} instructions done in ${now[4]} cycles of issue, ${now[1] === 'ended' ? 'it has ended' : `${now[1]} at 0x${now[2]}${from ? ` (${from.replace(/(.*):/, '$1, line ')})` : ''}, which stalls it for ${parseInt(control.slice(-1), 16)}`}, lanes ${now[5].padStart(8, '0')}.`
        + `${others.length ? ` Meanwhile others ran: ${together(others)}.` : ''}`;
      const boards = state.scoreboard.filter(row => row[2]);
      shown.replaceChildren(...state.report.map(row => el('p', { className: 'bad', textContent: row.join(',') })),
        ...(state.request ? [el('h4', { textContent: /phase/.test(state.request) ? 'What the last instruction asked: a row a wavefront, a column a bank' : 'What the last instruction asked: lanes over 32-byte sectors' }), el('div', { className: 'table' }, requestPicture(state.request))] : []),
        el('h4', { textContent: 'Registers: a column a lane' }),
        grid('registers', 'lane', [...state.register.filter(row => (all ? !/^UR/.test(row[0]) || row.slice(3).some(word => word !== 'ffffffff') : wanted(row))).map(([name, note, changed, ...words]) => ({ name, note, changed: parseInt(changed, 16), words: words.map(written[form.value]) })),
          ...state.predicate.filter(([, mask, before]) => mask !== before || (all && mask !== '0')).map(([name, mask, before]) => ({ name, changed: parseInt(mask, 16) ^ parseInt(before, 16), words: lanes(lane => String(bit(parseInt(mask, 16), lane))) }))]),
        el('p', { textContent: boards.length ? '' : 'No scoreboard is set.' }), el('ul', {}, ...boards.map(([number, by, cells]) => el('li', { textContent: `scoreboard ${number}, set at 0x${by}: ${cells.split(' ').map(cell => (cell[0] === '&' ? `${cell.slice(1)} may not have been read` : `${cell} on its way`)).join(', ')}${parseInt(control, 16) >> number - 1 & 1 ? '; the next instruction waits for it' : ''}` }))),
        ...memory());
    }
    // One at a time; what is told of is in the log.
    async function act(command) {
      if (busy) return;
      busy = true;
      const told = await run([...log.map(([one, count]) => `replay ${one}:${count}`), ...(state ? [`warp ${warp.value}`] : []), ...(command ? [command] : []), 'csv', 'code', ''].join('\n'));
      busy = false;
      const next = read(told.out);
      if (told.status || !next.at.length) return void (place.textContent = `It cannot be stepped: ${clean(told.err).replace(/^\w+: /, '').split('\n')[0]}`);
      [state, log] = [next, next.ran];
      draw();
      box.dataset.steps = String(Number(box.dataset.steps || 0) + 1);
    }
    form.onchange = which.onchange = () => state && draw();
    warp.onchange = () => act('');
    const box = el('div', { className: 'stepper' }, el('h4', { textContent: name }),
      el('p', {}, el('label', {}, 'warp ', warp), ' ', button('Step', () => act('step')), ' ', button('10', () => act('step 10')), ' ', button('Back', () => act('back')), ' ', button('The others', () => act('others')), ' ',
        button('From the start', () => again()), ' ', formLabel, ' ', whichLabel), place, code, shown);
    const again = (...commands) => { [log, state] = [[], null]; return act(commands.join('\n')); };
    return { box, again };
  };
};
