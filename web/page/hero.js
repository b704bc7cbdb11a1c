// The first screen: 32 lanes above a strip of memory, two kernels that do the same work, two times.
// The engine runs both kernels here to compute all figures.
import { button, el, still } from './dom.js';
import { number, time, times } from './text.js';
import { keeper } from './keep.js';
import { asJson, decoded, packed, programsOf, records, rows } from './programs.js';
import { countsOf, predictedTime } from './results.js';
import { costOf } from './explain.js';
import { cell, dot, drawing, label } from './draw.js';
import { costliest } from './scenes/requests.js';

const STEP = '01_naive', N = '64', LINES = 16, ACROSS = 32;
const SIDES = [{ variant: 'uncoalesced', name: 'slow', who: 'each lane in a row of its own', kind: 'w2' }, { variant: 'coalesced', name: 'fast', who: 'the lanes side by side in one row', kind: 'cool' }];

/**
 * Runs one kernel: its time, its instructions, and its costliest load.
 * @param {string} variant
 * @param {any} owner
 */
async function measured(variant, owner) {
  const path = `cubin/sm_90/${STEP}/${variant}.cubin`, programs = programsOf({ step: STEP, variant, path }, { [path]: packed(path) }, N, owner);
  const [counted, timed, load] = await Promise.all([programs.ladder(['--check', 'off', '--counters', 'c.csv'], ['c.csv']), programs.simrun(['--time', ...asJson('simrun', 'r.json')], ['r.json']), costliest([STEP, variant], Number(N), /^LDG/, owner)]);
  const counts = countsOf(rows(decoded(counted.files['c.csv'])));
  return { variant, counts, instructions: counts.get('smsp__inst_executed.sum') ?? null, milliseconds: predictedTime(records(decoded(timed.files['r.json']))), request: load.request };
}

/** @param {HTMLElement} box */
export function openHero(box) {
  const picture = el('div', { className: 'machine scrolls', tabIndex: 0, role: 'region', ariaLabel: 'the drawing' }), said = el('p', { className: 'hero-said', role: 'status' }), bet = el('div', { className: 'bet', role: 'group', ariaLabel: 'your bet' });
  const kept = keeper('bet', '01');
  /** @type {Promise<any[]>|null} */
  let ready = null;
  let playing = 0;
  const load = () => (ready ||= Promise.all(SIDES.map(({ variant }) => measured(variant, box))).catch(error => { ready = null; throw error; }));

  /**
   * @param {any[]|null} data
   * @param {number[]} shown lanes that have asked, per side
   * @param {number} side whose request is drawn
   * @param {number[]} grown share of each bar
   */
  function draw(data, shown, side, grown) {
    const narrow = picture.clientWidth > 0 && picture.clientWidth < 560, W = narrow ? 352 : 640, ONE = W / 32, BAR = narrow ? 200 : 400;
    const parts = [label(0, 14, narrow ? '32 lanes: the threads of a warp' : '32 lanes: the threads of a warp, which load together', 'strong')], { kind } = SIDES[side], lanes = shown[side], touched = new Set(), request = data && data[side].request;
    for (let lane = 0; lane < 32; lane++) parts.push(dot(ONE * (lane + 0.5), 34, narrow ? 4.4 : 7, lane < lanes ? kind : 'idle'));
    if (request) for (const { lane, first, last } of request.lanes) if (lane < lanes) for (let sector = first; sector <= last; sector++) touched.add(sector);
    parts.push(label(0, 72, narrow ? 'memory: a cell is a sector of 32 bytes' : 'memory: a cell is a sector, 32 bytes, the least that can be fetched', 'strong'));
    for (let at = 0; at < LINES * ACROSS; at++) parts.push(cell(at % ACROSS * ONE + 0.5, 82 + 11 * Math.floor(at / ACROSS), ONE - (narrow ? 1.5 : 2), 8, touched.has(at) ? kind : 'idle'));
    parts.push(label(W, 72, lanes ? `${touched.size} sector${touched.size === 1 ? '' : 's'}` : '', 'strong num', 'end'));
    const most = data ? Math.max(...data.map(one => one.milliseconds)) : 1;
    SIDES.forEach(({ name, who, kind: colour }, i) => {
      const y = 284 + 48 * i, known = data && grown[i] > 0, length = known ? BAR * data[i].milliseconds / most * grown[i] : 0;
      parts.push(label(0, y + 4, name, 'strong'), label(42, y + 4, who), cell(0, y + 12, BAR, 14, 'idle'), ...(known ? [cell(0, y + 12, Math.max(4, length), 14, colour)] : []));
      parts.push(label(BAR + 12, y + 24, known && grown[i] === 1 ? `${time(data[i].milliseconds)}, ${costOf(data[i].request)} sectors` : '', 'num strong'));
    });
    picture.replaceChildren(drawing(W, 366, data && grown[1] === 1 ? `one load of a warp touches ${costOf(data[0].request)} sectors in the slow kernel and ${costOf(data[1].request)} in the fast one` : 'the 32 lanes of a warp above a strip of memory', ...parts));
  }
  const wait = (/** @type {number} */ milliseconds) => new Promise(done => setTimeout(done, milliseconds));
  /** @param {any[]} data */
  function verdict(data) {
    const [slow, fast] = data, ratio = slow.milliseconds / fast.milliseconds, value = kept.get(), cost = costOf(slow.request);
    const equal = slow.instructions === fast.instructions ? `, with the same ${number(slow.instructions)} instructions` : `: ${number(slow.instructions)} instructions against ${number(fast.instructions)}`;
    said.replaceChildren(el('b', { textContent: `${Math.round(ratio) >= 2 ? Math.round(ratio) : times(ratio)} times as fast${equal}.` }), value === null ? '' : Number(value) === cost ? ` ${value}: you won the bet.` : ` You bet on ${value}; the slow kernel touches ${cost}.`);
    Object.assign(box.dataset, { done: 'yes', sectors: data.map(one => costOf(one.request)).join(' '), ratio: String(ratio), instructions: data.map(one => one.instructions).join(' ') });
  }
  async function run() {
    const mine = ++playing;
    play.textContent = 'Play again';
    said.textContent = 'The simulator runs both kernels …';
    let data;
    try { data = await load(); } catch (error) { said.textContent = `It cannot run here: ${String(/** @type {any} */ (error).message || error)}`; return; }
    if (mine !== playing) return;
    said.textContent = '';
    if (!still()) {
      for (let side = 0; side < 2; side++) {
        for (let lane = 1; lane <= 32; lane++) {
          if (mine !== playing) return;
          draw(data, side ? [32, lane] : [lane, 0], side, side ? [1, 0] : [0, 0]);
          await wait(side ? 14 : 45);
        }
        for (let share = 0.1; share < 1.05; share += 0.1) { if (mine !== playing) return; draw(data, side ? [32, 32] : [32, 0], side, side ? [1, Math.min(1, share)] : [Math.min(1, share), 0]); await wait(28); }
        await wait(side ? 0 : 600);
      }
    }
    draw(data, [32, 32], 1, [1, 1]);
    verdict(data);
    choose.hidden = false;
  }
  const play = button('Play', run, 'primary');
  const choose = el('span', { className: 'choose', role: 'group', ariaLabel: 'which kernel is drawn' }, ...SIDES.map(({ name }, i) => button(name, async () => { const data = await load(); playing++; draw(data, [32, 32], i, [1, 1]); })));
  choose.hidden = true;
  const buttons = [4, 8, 32].map(value => button(String(value), () => { kept.set(String(value)); for (const one of buttons) one.setAttribute('aria-pressed', String(one.textContent === String(value))); run(); }));
  for (const one of buttons) one.setAttribute('aria-pressed', String(one.textContent === kept.get()));
  bet.append(el('span', { textContent: 'Both add up the same products. How many sectors does the slow kernel touch with one load?' }), ...buttons);
  box.replaceChildren(picture, bet, el('p', { className: 'row' }, play, choose), said);
  draw(null, [0, 0], 0, [0, 0]);
  const seen = new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) { seen.disconnect(); setTimeout(() => load().catch(() => {}), 600); } });
  seen.observe(box);
}
