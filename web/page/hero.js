// The first screen: 32 lanes above the banks of the cache, two kernels that do the same work, and
// the cycles of their loads. The page has the two requests (web/site/posters.js), so that the
// drawing begins at once; the engine runs both kernels here for the times and the counts.
import { button, el, onTurned, still, svg } from './dom.js';
import { measuredOn } from './columns.js';
import { keeper } from './keep.js';
import { asJson, decoded, packed, programsOf, records, rows } from './programs.js';
import { countsOf } from './results.js';
import { counted } from './text.js';
import { cyclesOf } from './explain.js';
import { cell, dashes, drawing, label, linesParts } from './draw.js';

const STEP = '01_naive',
  N = '64';
const SIDES = [
  { variant: 'uncoalesced', name: 'slow', who: '32 floats below each other' },
  { variant: 'coalesced', name: 'fast', who: '32 floats side by side' },
];

/**
 * Runs one kernel. Returns its count of instructions and its predicted time.
 * @param {string} variant
 * @param {object} owner
 */
async function measured(variant, owner) {
  const path = `cubin/sm_90/${STEP}/${variant}.cubin`,
    programs = programsOf({ step: STEP, variant, path }, { [path]: packed(path) }, N, owner);
  const [counters, timed] = await Promise.all([
    programs.ladder(['--check', 'off', '--counters', 'c.csv'], ['c.csv']),
    programs.simrun(['--time', ...asJson('simrun', 'r.json')], ['r.json']),
  ]);
  const counts = countsOf(rows(decoded(counters.files['c.csv'])));
  const all = /** @type {any[]} */ (records(decoded(timed.files['r.json']))),
    said = all.find(one => one.type === 'prediction');
  if (!said) throw Error('the simulator predicted none');
  return {
    instructions: counts.get('smsp__inst_executed.sum') ?? null,
    seconds: said.milliseconds / 1e3,
  };
}

/** @typedef {Awaited<ReturnType<typeof measured>>} Measured */
/** @typedef {import('./explain.js').Request} Request */
/**
 * @typedef {object} Scene one frame of the animation
 * @property {number[]} shown for each kernel, the number of lanes whose load is drawn
 * @property {number} side the kernel whose request is drawn: an index of SIDES
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
const TOGETHER = ' that execute one instruction together',
  ROW = 5, // height of a row of the cache
  BELOW = 24 + 50 + 32 * ROW; // y below the rows

/**
 * The machine: lanes, the banks of the cache, and a bar of cycles per kernel.
 * @param {Request[]} requests
 * @param {Scene} scene
 * @param {number} width a narrow drawing's, so that its letters do not grow
 */
function machine(requests, { shown, side }, width) {
  const narrow = width < 560,
    W = narrow ? Math.max(344, width) : 640,
    { parts } = linesParts(requests[side], shown[side], W / 32, 32, ROW);
  const drawn = [
    label(0, 14, `a warp: 32 threads${narrow ? '' : TOGETHER}; each is a lane`, 'strong'),
    svg('g', { transform: 'translate(0 24)' }, ...parts),
    label(0, BELOW + 12, `a column: a bank${narrow ? '' : ', one float per cycle'}`, 'axis'),
    label(W, BELOW + 12, 'a row: 32 neighbouring floats', 'axis', 'end'),
  ];
  SIDES.forEach((_, i) => drawn.push(...bar(i, cyclesFor(requests[i], shown[i]), W, shown[0] > 1)));
  const [slow, fast] = requests.map(request => counted(cyclesOf(request), 'cycle')),
    said =
      shown[1] === 32
        ? `one load of a warp takes ${slow} in the slow kernel and ${fast} in the fast one`
        : 'the 32 lanes of a warp above the 32 banks of the cache';
  return drawing(W, BELOW + 120, said, ...drawn);
}
/**
 * Returns a kernel's name, its number of cycles, and a cell per cycle.
 * @param {number} i the kernel's index in SIDES
 * @param {number} cycles
 * @param {number} W width of 32 cells
 * @param {boolean} said false: the number is left out, since it would seem to be the answer
 */
function bar(i, cycles, W, said) {
  const { name, who } = SIDES[i],
    y = BELOW + 45 + 52 * i,
    size = W / 32;
  return [
    label(0, y, name, 'strong'),
    label(38, y, who),
    label(W, y + 1, cycles && said ? counted(cycles, 'cycle') : '', 'big', 'end'),
    dashes([y + 15], size, 14),
    ...Array.from({ length: cycles }, (_, at) =>
      cell(at * size + 1, y + 8, size - 2, 14, i ? 'lane' : 'accent'),
    ),
  ];
}
const wait = (/** @type {number} */ milliseconds) =>
  new Promise(done => setTimeout(done, milliseconds));
/** The scene after the first lane's load. It shows the notation, but not yet the answer. */
const START = { shown: [1, 0], side: 0 };
const ENDED = { shown: [32, 32], side: 1 };
/**
 * Yields the scenes in order, and how many milliseconds each stays.
 * @returns {Generator<{scene: Scene, stays: number}>}
 */
function* scenes() {
  for (let side = 0; side < 2; side++)
    for (let lane = 1; lane <= 32; lane++)
      yield {
        scene: { shown: side ? [32, lane] : [lane, 0], side },
        stays: lane === 32 ? 900 : side ? 25 : lane < 5 ? 350 : 55,
      };
}
/**
 * Says what a scene shows.
 * @param {Scene} scene
 */
function narrated({ shown, side }) {
  const lane = shown[side] - 1;
  if (side)
    return lane < 31
      ? `Lane ${lane} asks bank ${lane}, which is free: still one cycle.`
      : '32 lanes, 32 banks: one cycle for all.';
  return lane === 0
    ? 'Lane 0 asks bank 0 for its float: one cycle.'
    : lane < 31
      ? `Lane ${lane} wants another float of bank 0, and waits: cycle ${lane + 1}.`
      : 'All 32 floats lie in bank 0.';
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
    this.drawn = START;
    this.play = button('Just play it', () => this.run());
    this.choose = el(
      'span',
      { className: 'choose', role: 'group', ariaLabel: 'which kernel is drawn' },
      ...SIDES.map(({ name }, i) => button(name, () => this.draw({ ...ENDED, side: i }))),
    );
    this.choose.hidden = true;
    this.bets = [4, 8, 32].map(value => button(String(value), () => this.bet(value), 'choice'));
    const bet = el(
      'div',
      { className: 'bet', role: 'group', ariaLabel: 'your bet' },
      ...this.bets,
      this.play,
      this.choose,
    );
    this.press();
    // The page itself contains the question, and the facts from which it can be answered
    // (web/site/hero.html).
    const asked = box.querySelector('.asked') || '';
    box.replaceChildren(el('div', { className: 'ask' }, asked, this.said), bet, this.picture);
    this.draw(START);
    onTurned(() => this.draw(this.drawn));
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
   * @param {Scene} scene
   */
  draw(scene) {
    this.drawn = scene;
    this.picture.replaceChildren(machine(this.requests, scene, this.picture.clientWidth || 640));
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
    this.choose.hidden = !this.told;
  }
  /**
   * Stores the bet and starts the animation.
   * @param {number} value
   */
  bet(value) {
    this.kept.set(String(value));
    this.run();
  }
  /**
   * Says something in place of the question.
   * @param {string} kicker
   * @param {string} textContent in large letters
   * @param {...(Node|string)} more
   */
  say(kicker, textContent, ...more) {
    this.said.replaceChildren(
      el('span', { className: 'kicker', textContent: kicker }),
      el('b', { textContent }),
      ...more,
    );
  }
  /** Runs both kernels and plays the animation, up to the result of the bet. */
  async run() {
    const mine = ++this.playing;
    this.play.textContent = 'Play again';
    this.box.classList.add('played');
    this.told = false;
    delete this.box.dataset.done;
    this.press();
    const loading = this.load().catch(error => error);
    const facts = this.box.querySelector('.asked p:last-child')?.textContent || '';
    // A screen reader reads the result, not each frame.
    this.said.setAttribute('aria-busy', 'true');
    for (const { scene, stays } of still() ? [] : scenes()) {
      if (mine !== this.playing) return;
      this.draw(scene);
      this.say(`The ${SIDES[scene.side].name} kernel`, narrated(scene), facts);
      await wait(stays);
    }
    if (mine !== this.playing) return;
    this.told = true;
    this.press();
    this.draw(ENDED);
    this.verdict('The simulator runs both kernels …');
    const data = await loading;
    if (mine !== this.playing) return;
    this.said.setAttribute('aria-busy', 'false');
    if (Array.isArray(data)) this.verdict(...this.costs(data));
    else this.verdict(`The times are missing: ${String(data.message || data)}`);
  }
  /**
   * Says how the bet ended and why, and what else there is to say.
   * @param {...(Node|string)} more
   */
  verdict(...more) {
    const bet = this.kept.get(),
      [slow, fast] = this.requests.map(cyclesOf),
      won = Number(bet) === slow;
    this.say(
      bet === null ? 'The answer' : won ? 'You won the bet' : `You bet ${bet}`,
      `${counted(slow, 'cycle')} against ${fast} for this load`,
      "64 is a multiple of 32, so a column's 32 floats lie in one bank, a row's in 32 banks. ",
      ...more,
    );
  }
  /**
   * Says what the load is worth in the whole kernel: all other work is the same in both.
   * @param {Measured[]} data
   * @returns {(Node|string)[]}
   */
  costs([slow, fast]) {
    const ratio = slow.seconds / fast.seconds;
    Object.assign(this.box.dataset, {
      done: 'yes',
      cycles: this.requests.map(cyclesOf).join(' '),
      times: String(ratio),
      instructions: `${slow.instructions} ${fast.instructions}`,
    });
    const [a, b] = SIDES.map(({ variant }) => Number(measuredOn(STEP, variant, 4096)));
    return [
      'The rest of the work is the same. So at N\u00a0=\u00a04096 the whole kernel, measured, is ' +
        `${(b / a).toFixed(1)} times as slow, not ${cyclesOf(this.requests[0])} times. `,
      el('a', { className: 'button primary', href: '01_naive.html' }, 'Step 1 says why'),
    ];
  }
}

/**
 * The drawing that the page has before any script runs (web/site/posters.js).
 * @param {number[][]} addresses of the lanes, per side
 * @param {boolean} narrow
 */
export const opening = (addresses, narrow) =>
  machine(addresses.map(requestOf), START, narrow ? 344 : 640);

/** @param {HTMLElement} box */
export const openHero = box => new Hero(box);
