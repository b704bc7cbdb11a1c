// The first screen: 32 lanes above the banks of the cache, two kernels that do the same work, two
// times. The page has the two requests (web/site/posters.js), so that the drawing begins at once;
// the engine runs both kernels here for the times and the counts.
import { button, el, onTurned, still, svg } from './dom.js';
import { number, time, times } from './text.js';
import { keeper } from './keep.js';
import { asJson, decoded, packed, programsOf, records, rows } from './programs.js';
import { countsOf, predictedTime } from './results.js';
import { cyclesOf } from './explain.js';
import { cell, drawing, label, linesParts } from './draw.js';

const STEP = '01_naive',
  N = '64';
const SIDES = [
  { variant: 'uncoalesced', name: 'slow', who: 'the lanes down a column' },
  { variant: 'coalesced', name: 'fast', who: 'the lanes along a row' },
];

/**
 * Runs one kernel. Returns its count of instructions and its predicted time.
 * @param {string} variant
 * @param {any} owner
 */
async function measured(variant, owner) {
  const path = `cubin/sm_90/${STEP}/${variant}.cubin`,
    programs = programsOf({ step: STEP, variant, path }, { [path]: packed(path) }, N, owner);
  const [counted, timed] = await Promise.all([
    programs.ladder(['--check', 'off', '--counters', 'c.csv'], ['c.csv']),
    programs.simrun(['--time', ...asJson('simrun', 'r.json')], ['r.json']),
  ]);
  const counts = countsOf(rows(decoded(counted.files['c.csv'])));
  return {
    instructions: counts.get('smsp__inst_executed.sum') ?? null,
    milliseconds: predictedTime(records(decoded(timed.files['r.json']))),
  };
}

/** @typedef {Awaited<ReturnType<typeof measured>>} Measured */
/** @typedef {import('./explain.js').Request} Request */
/**
 * @typedef {object} Scene one frame of the animation
 * @property {number[]} shown for each kernel, the number of lanes whose load is drawn
 * @property {number} side the kernel whose request is drawn: an index of SIDES
 * @property {number[]} grown for each kernel, the part of its bar that is drawn, 0 to 1
 */

/**
 * Returns a request from the addresses of its lanes.
 * @param {number[]} addresses
 * @returns {Request}
 */
const requestOf = addresses => ({
  kind: 'global',
  width: 4,
  lanes: addresses.map((address, lane) => ({ lane, address, phase: 0, first: 0, last: 0 })),
});
/**
 * Returns the cycles that the first lanes of a request take.
 * @param {Request} request
 * @param {number} lanes
 */
const cyclesFor = (request, lanes) =>
  lanes ? cyclesOf({ ...request, lanes: request.lanes.slice(0, lanes) }) : 0;
const inCycles = (/** @type {number} */ count) => `${count} cycle${count === 1 ? '' : 's'}`;
const BELOW = 298; // y of the bars

/**
 * The machine: lanes, the banks of the cache, and a bar of time per kernel.
 * @param {Request[]} requests
 * @param {Measured[]|null} data
 * @param {Scene} scene
 * @param {boolean} narrow
 */
function machine(requests, data, { shown, side, grown }, narrow) {
  const W = narrow ? 352 : 640,
    request = requests[side],
    { parts } = linesParts(request, shown[side], W / 32, 32),
    cycles = cyclesFor(request, shown[side]);
  const drawn = [
    label(0, 14, `32 lanes of a warp${narrow ? '' : ', which load together'}`, 'strong'),
    label(W, 15, cycles ? inCycles(cycles) : '', 'big', 'end'),
    inGroup(parts),
    label(0, BELOW + 10, narrow ? 'a column: a bank' : 'a column: a bank of the cache', 'axis'),
    label(W, BELOW + 10, 'a row: a line of 128 bytes', 'axis', 'end'),
  ];
  SIDES.forEach((_, i) => drawn.push(...timeBar(data, i, grown[i], narrow ? 200 : 400)));
  const said =
    shown[1] === 32
      ? `one load of a warp takes ${inCycles(cyclesOf(requests[0]))} in the slow kernel and ` +
        `${inCycles(cyclesOf(requests[1]))} in the fast one`
      : 'the 32 lanes of a warp above the 32 banks of the cache';
  return drawing(W, BELOW + 122, said, ...drawn);
}
const inGroup = (/** @type {Node[]} */ parts) =>
  svg('g', { transform: 'translate(0 24)' }, ...parts);
/**
 * Returns a kernel's name and the bar of its time.
 * @param {Measured[]|null} data
 * @param {number} i the kernel's index in SIDES
 * @param {number} grown the part of the bar that is drawn, 0 to 1
 * @param {number} most length of the longest bar, in units of the drawing
 */
function timeBar(data, i, grown, most) {
  const { name, who } = SIDES[i];
  const y = BELOW + 42 + 44 * i;
  const parts = [
    label(0, y + 4, name, 'strong'),
    label(42, y + 4, who),
    cell(0, y + 12, most, 14, 'idle'),
  ];
  if (!data || !grown) return parts;
  const length =
    (most * Number(data[i].milliseconds) * grown) /
    Math.max(...data.map(one => Number(one.milliseconds)));
  const said = grown === 1 ? time(data[i].milliseconds) : '';
  return [
    ...parts,
    cell(0, y + 12, Math.max(4, length), 14, i ? 'variant-mark' : 'before'),
    label(most + 12, y + 24, said, 'strong'),
  ];
}
const wait = (/** @type {number} */ milliseconds) =>
  new Promise(done => setTimeout(done, milliseconds));
/** The scene after the first lane's load. It shows the notation, but not yet the answer. */
const START = { shown: [1, 0], side: 0, grown: [0, 0] };
const ENDED = { shown: [32, 32], side: 1, grown: [1, 1] };
/**
 * Yields the scenes in order, and how many milliseconds each stays.
 * @returns {Generator<{scene: Scene, stays: number}>}
 */
function* scenes() {
  for (let side = 0; side < 2; side++)
    for (let lane = 1; lane <= 32; lane++)
      yield {
        scene: { shown: side ? [32, lane] : [lane, 0], side, grown: [0, 0] },
        stays: lane === 32 ? 900 : side ? 25 : lane < 5 ? 350 : 55,
      };
}
/** The bars of the times as they grow. @returns {Generator<{scene: Scene, stays: number}>} */
function* bars() {
  for (let tenth = 1; tenth <= 10; tenth++)
    yield { scene: { ...ENDED, grown: [tenth / 10, tenth / 10] }, stays: 40 };
}
/**
 * Says what a scene shows.
 * @param {Scene} scene
 */
function narrated({ shown, side }) {
  const lane = shown[side] - 1;
  if (side)
    return lane < 31
      ? `Fast: lane ${lane} asks bank ${lane}, which is free: still one cycle.`
      : 'Fast: 32 lanes, 32 banks: one cycle for all.';
  return lane === 0
    ? 'Slow: lane 0 asks bank 0 for its word: one cycle.'
    : lane < 31
      ? `Slow: lane ${lane} wants another word of bank 0, and waits: cycle ${lane + 1}.`
      : 'Slow: all 32 words lie in bank 0.';
}

class Hero {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.picture = el('div', {
      className: 'machine scrolls',
      tabIndex: 0,
      role: 'region',
      ariaLabel: 'the drawing',
    });
    this.said = el('p', { className: 'hero-said', role: 'status' });
    this.kept = keeper('bet', '01');
    /** @type {Promise<Measured[]>|null} */
    this.ready = null;
    this.playing = 0;
    this.told = false; // the bet's answer is shown
    this.requests = JSON.parse(box.dataset.requests || '[[],[]]').map(requestOf);
    /** @type {[Measured[]|null, Scene]} */
    this.drawn = [null, START];
    this.play = button('Just play it', () => this.run());
    this.choose = el(
      'span',
      { className: 'choose', role: 'group', ariaLabel: 'which kernel is drawn' },
      ...SIDES.map(({ name }, i) => button(name, () => this.look(i))),
    );
    this.choose.hidden = true;
    this.bets = [4, 8, 32].map(value => button(String(value), () => this.bet(value), 'choice'));
    // The page itself contains the question, and the facts from which it can be answered
    // (web/site/hero.html).
    const text = (/** @type {string} */ part) => box.querySelector(part)?.textContent || '';
    const question = el('span', { textContent: text('.bet > span') });
    this.said.textContent = text('.hero-said');
    const bet = el(
      'div',
      { className: 'bet', role: 'group', ariaLabel: 'your bet' },
      question,
      ...this.bets,
      el('span', { className: 'soft', textContent: 'or' }),
      this.play,
      this.choose,
    );
    this.press();
    box.replaceChildren(
      el('p', { className: 'kicker', textContent: 'Begin with a bet' }),
      bet,
      this.said,
      this.picture,
    );
    this.draw(null, START);
    onTurned(() => this.draw(...this.drawn));
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      seen.disconnect();
      setTimeout(() => this.ahead(), 600);
    });
    seen.observe(box);
  }
  /** Runs both kernels before the reader starts them. */
  async ahead() {
    await this.load().catch(() => {}); // run() reports the failure
  }
  /** Runs both kernels once. After a failure the next call tries again. */
  load() {
    this.ready ||= Promise.all(SIDES.map(({ variant }) => measured(variant, this.box))).catch(
      error => {
        this.ready = null;
        throw error;
      },
    );
    return this.ready;
  }
  /**
   * Draws a scene.
   * @param {Measured[]|null} data
   * @param {Scene} scene
   */
  draw(data, scene) {
    this.drawn = [data, scene];
    const { clientWidth } = this.picture,
      narrow = clientWidth > 0 && clientWidth < 560;
    this.picture.replaceChildren(machine(this.requests, data, scene, narrow));
  }
  /** Marks the reader's bet and, once they have played, the right and the wrong one. */
  press() {
    const bet = this.kept.get(),
      right = String(cyclesOf(this.requests[0]));
    for (const one of this.bets) {
      const chosen = one.textContent === bet,
        won = one.textContent === right;
      one.setAttribute('aria-pressed', String(chosen));
      one.classList.toggle('won', this.told && won);
      one.classList.toggle('lost', this.told && chosen && !won);
    }
  }
  /** Stores the bet and starts the animation. @param {number} value */
  bet(value) {
    this.kept.set(String(value));
    this.press();
    this.run();
  }
  /** Draws the whole request of one kernel. @param {number} side its index in SIDES */
  async look(side) {
    const data = await this.load();
    this.playing++;
    this.draw(data, { ...ENDED, side });
  }
  /** Runs both kernels and plays the animation, up to the result of the bet. */
  async run() {
    const mine = ++this.playing;
    this.play.textContent = 'Play again';
    this.told = false;
    this.press();
    const loading = this.load().catch(error => error);
    for (const { scene, stays } of still() ? [] : scenes()) {
      if (mine !== this.playing) return;
      this.draw(null, scene);
      this.said.textContent = narrated(scene);
      await wait(stays);
    }
    if (mine !== this.playing) return;
    this.told = true;
    this.press();
    this.draw(null, { ...ENDED, grown: [0, 0] });
    this.verdict(null);
    const data = await loading;
    if (data instanceof Error || !Array.isArray(data)) {
      this.said.append(` The times are missing: ${String(data.message || data)}`);
      return;
    }
    for (const { scene, stays } of still() ? [] : bars()) {
      if (mine !== this.playing) return;
      this.draw(data, scene);
      await wait(stays);
    }
    if (mine !== this.playing) return;
    this.draw(data, ENDED);
    this.verdict(data);
    this.choose.hidden = false;
  }
  /**
   * Says how the bet ended and why; with the times, also what it costs.
   * @param {Measured[]|null} data
   */
  verdict(data) {
    const bet = this.kept.get(),
      cost = cyclesOf(this.requests[0]),
      won = Number(bet) === cost;
    const head =
      bet === null ? inCycles(cost) : won ? `${cost}: you won the bet` : `${cost}, not ${bet}`;
    this.said.replaceChildren(
      el('b', { textContent: `${head}.` }),
      'Bank 0 holds all 32 words, and gives one per cycle. Along a row each bank gives one. ',
      ...(data ? this.costs(data) : ['The simulator runs both kernels …']),
    );
  }
  /** @param {Measured[]} data */
  costs([slow, fast]) {
    const ratio = Number(slow.milliseconds) / Number(fast.milliseconds),
      large = this.box.dataset.ratio,
      same = slow.instructions === fast.instructions;
    Object.assign(this.box.dataset, {
      done: 'yes',
      cycles: this.requests.map(cyclesOf).join(' '),
      times: String(ratio),
      instructions: `${slow.instructions} ${fast.instructions}`,
    });
    return [
      `So the fast kernel, with ${same ? `the same ${number(slow.instructions)}` : 'its'} ` +
        `instructions, is ${Math.round(ratio) >= 2 ? Math.round(ratio) : times(ratio)} times as ` +
        `fast at N\u00a0=\u00a0${N}${large ? `; at 4096, measured, ${large} times` : ''}. `,
      el('a', { href: '01_naive.html', textContent: 'Why? Step 1 shows it.', className: 'why' }),
    ];
  }
}

/**
 * The drawing that the page has before any script runs (web/site/posters.js).
 * @param {number[][]} addresses of the lanes, per side
 * @param {boolean} narrow
 */
export const opening = (addresses, narrow) =>
  machine(addresses.map(requestOf), null, START, narrow);

/** @param {HTMLElement} box */
export const openHero = box => new Hero(box);
