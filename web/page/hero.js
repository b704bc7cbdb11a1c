// Draws the first screen of the site: 32 lanes above a strip of memory, and the times of two
// kernels that do the same work. The page runs both kernels to compute all figures.
import { button, el, onTurned, still, svg } from './dom.js';
import { number, time, times } from './text.js';
import { keeper } from './keep.js';
import { asJson, decoded, packed, programsOf, records, rows } from './programs.js';
import { countsOf, predictedTime } from './results.js';
import { costOf } from './explain.js';
import { cell, dot, drawing, label, wire } from './draw.js';
import { costliest } from './scenes/requests.js';

const STEP = '01_naive',
  N = '64',
  LINES = 16, // rows of sectors
  TOP = 78, // y of the memory's first row
  ACROSS = 32; // sectors per row
const SIDES = [
  { variant: 'uncoalesced', name: 'slow', who: 'each lane in a row of its own' },
  { variant: 'coalesced', name: 'fast', who: 'the lanes side by side in one row' },
];

/**
 * Runs one kernel. Returns its counters, its predicted time and its costliest load.
 * @param {string} variant
 * @param {any} owner
 */
async function measured(variant, owner) {
  const path = `cubin/sm_90/${STEP}/${variant}.cubin`,
    programs = programsOf({ step: STEP, variant, path }, { [path]: packed(path) }, N, owner);
  const [counted, timed, load] = await Promise.all([
    programs.ladder(['--check', 'off', '--counters', 'c.csv'], ['c.csv']),
    programs.simrun(['--time', ...asJson('simrun', 'r.json')], ['r.json']),
    costliest([STEP, variant], Number(N), /^LDG/, owner),
  ]);
  const counts = countsOf(rows(decoded(counted.files['c.csv'])));
  return {
    variant,
    counts,
    instructions: counts.get('smsp__inst_executed.sum') ?? null,
    milliseconds: predictedTime(records(decoded(timed.files['r.json']))),
    request: load.request,
  };
}

/** @typedef {Awaited<ReturnType<typeof measured>>} Measured */
/**
 * @typedef {object} Scene one frame of the animation
 * @property {number[]} shown for each kernel, the number of lanes whose load is drawn
 * @property {number} side the kernel whose request is drawn: an index of SIDES
 * @property {number[]} grown for each kernel, the part of its bar that is drawn, 0 to 1
 */

/**
 * Draws a scene: the lanes, the memory, and a bar per kernel for its time.
 * @param {Measured[]|null} data the results of both kernels, as far as known
 * @param {Scene} scene
 * @param {boolean} narrow
 */
function machine(data, { shown, side, grown }, narrow) {
  const W = narrow ? 352 : 640;
  const ONE = W / ACROSS;
  const kind = 'cool';
  const lanes = shown[side];
  const asked = (data ? data[side].request.lanes : []).filter(({ lane }) => lane < lanes);
  const touched = new Set(asked.flatMap(({ first, last }) => [first, last]));
  const one = asked.length === 1 && touched.size === 1;
  const more = narrow ? '' : ', which load together';
  const parts = [
    label(0, 14, `32 lanes: the threads of a warp${more}`, 'strong'),
    label(
      0,
      TOP + 196,
      narrow ? 'memory, in sectors' : 'memory: a cell is a sector, 32 bytes',
      'strong',
    ),
    label(
      W,
      TOP + 197,
      one
        ? `lane 0 wants 4 bytes${narrow ? '' : ', and gets 32'}`
        : asked.length
          ? `${touched.size} sectors`
          : '',
      one ? '' : 'big',
      'end',
    ),
  ];
  const at = (/** @type {number} */ sector) => [
    (sector % ACROSS) * ONE,
    TOP + 11 * Math.floor(sector / ACROSS),
  ];
  const wide = ONE - (narrow ? 1.5 : 2);
  // One path draws all cells; its line has round joins, which round their corners. The touched
  // cells are drawn on top.
  const outline = [...Array(LINES * ACROSS).keys()].map(sector => {
    const [x, y] = at(sector);
    return `M${x + 1.5} ${y + 1}h${wide - 2}v6h${2 - wide}z`;
  });
  parts.push(svg('path', { class: 'cells', d: outline.join('') }));
  for (const sector of touched) {
    const [x, y] = at(sector);
    parts.push(cell(x + 0.5, y, wide, 8, kind));
  }
  for (const { lane, first } of asked) {
    const [x, y] = at(first);
    parts.push(wire(ONE * (lane + 0.5), 38, x + ONE / 2, y, kind));
  }
  for (let lane = 0; lane < 32; lane++)
    parts.push(dot(ONE * (lane + 0.5), 34, narrow ? 4.4 : 7, lane < asked.length ? kind : 'idle'));
  SIDES.forEach((_, i) => parts.push(...timeBar(data, i, grown[i], narrow ? 200 : 400)));
  const ended = data && grown[1] === 1;
  const said = ended
    ? `one load of a warp touches ${costOf(data[0].request)} sectors in the slow kernel and ` +
      `${costOf(data[1].request)} in the fast one`
    : 'the 32 lanes of a warp above a strip of memory';
  return drawing(W, TOP + 308, said, ...parts);
}
/**
 * Returns a kernel's name and the bar of its time.
 * @param {Measured[]|null} data
 * @param {number} i the kernel's index in SIDES
 * @param {number} grown the part of the bar that is drawn, 0 to 1
 * @param {number} most length of the longest bar, in units of the drawing
 */
function timeBar(data, i, grown, most) {
  const { name, who } = SIDES[i];
  const y = TOP + 228 + 44 * i;
  const parts = [
    label(0, y + 4, name, 'strong'),
    label(42, y + 4, who),
    cell(0, y + 12, most, 14, 'idle'),
  ];
  if (!data || !grown) return parts;
  const length =
    (most * Number(data[i].milliseconds) * grown) /
    Math.max(...data.map(one => Number(one.milliseconds)));
  const said =
    grown === 1 ? `${time(data[i].milliseconds)}, ${costOf(data[i].request)} sectors` : '';
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
/**
 * Yields the scenes in order, and how many milliseconds each stays.
 * @returns {Generator<{scene: Scene, stays: number}>}
 */
function* scenes() {
  for (let side = 0; side < 2; side++) {
    for (let lane = 1; lane <= 32; lane++)
      yield {
        scene: { shown: side ? [32, lane] : [lane, 0], side, grown: side ? [1, 0] : [0, 0] },
        stays: side ? 14 : 45,
      };
    for (let tenth = 1; tenth <= 10; tenth++) {
      const stays = tenth < 10 ? 28 : side ? 0 : 600;
      yield {
        scene: {
          shown: side ? [32, 32] : [32, 0],
          side,
          grown: side ? [1, tenth / 10] : [tenth / 10, 0],
        },
        stays,
      };
    }
  }
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
    this.draw(this.first(), START);
    onTurned(() => this.draw(...this.drawn));
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      seen.disconnect();
      setTimeout(() => this.ahead(), 600);
    });
    seen.observe(box);
  }
  /** Returns what the page contains of the slow kernel: its first lane's load. @returns {any} */
  first() {
    try {
      return [JSON.parse(this.box.dataset.first || '')];
    } catch {
      return null;
    }
  }
  /** Runs both kernels before the reader starts them, and draws the first lane's load. */
  async ahead() {
    try {
      const data = await this.load();
      if (!this.playing) this.draw(data, START);
    } catch {
      // run() reports the failure.
    }
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
    const { clientWidth } = this.picture;
    this.picture.replaceChildren(machine(data, scene, clientWidth > 0 && clientWidth < 560));
  }
  /** Marks the button of the reader's bet. */
  press() {
    for (const one of this.bets)
      one.setAttribute('aria-pressed', String(one.textContent === this.kept.get()));
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
    this.draw(data, { shown: [32, 32], side, grown: [1, 1] });
  }
  /** Runs both kernels and plays the animation, up to the result of the bet. */
  async run() {
    const mine = ++this.playing;
    this.play.textContent = 'Play again';
    this.said.textContent = 'The simulator runs both kernels …';
    /** @type {Measured[]} */
    let data;
    try {
      data = await this.load();
    } catch (error) {
      this.said.textContent =
        'It cannot run here: ' + `${String(/** @type {any} */ (error).message || error)}`;
      return;
    }
    if (mine === this.playing) this.said.textContent = '';
    for (const { scene, stays } of still() ? [] : scenes()) {
      if (mine !== this.playing) return;
      this.draw(data, scene);
      await wait(stays);
    }
    if (mine !== this.playing) return;
    this.draw(data, { shown: [32, 32], side: 1, grown: [1, 1] });
    this.verdict(data);
    this.choose.hidden = false;
  }
  /** Says how much faster the fast kernel is, and if the bet was won. @param {Measured[]} data */
  verdict(data) {
    const [slow, fast] = data;
    const ratio = Number(slow.milliseconds) / Number(fast.milliseconds);
    const bet = this.kept.get();
    const cost = costOf(slow.request);
    const equal =
      slow.instructions === fast.instructions
        ? `, with the same ${number(slow.instructions)} instructions`
        : `: ${number(slow.instructions)} instructions against ${number(fast.instructions)}`;
    const won =
      bet === null
        ? ''
        : Number(bet) === cost
          ? ` ${bet}: you won the bet.`
          : ` You bet on ${bet}; the slow kernel touches ${cost}.`;
    this.said.replaceChildren(
      el('b', {
        textContent:
          `${Math.round(ratio) >= 2 ? Math.round(ratio) : times(ratio)} times as ` +
          `fast${equal}.`,
      }),
      won,
      ' ',
      el('a', { href: '01_naive.html', textContent: 'Why? Step 1 shows it.', className: 'why' }),
    );
    Object.assign(this.box.dataset, {
      done: 'yes',
      sectors: data.map(one => costOf(one.request)).join(' '),
      ratio: String(ratio),
      instructions: data.map(one => one.instructions).join(' '),
    });
  }
}

/**
 * Returns the drawing that the page shows before any script runs (web/site/posters.js).
 * @param {any} first the slow kernel's first load
 * @param {boolean} narrow
 */
export const opening = (first, narrow) => machine([first], START, narrow);

/** @param {HTMLElement} box */
export const openHero = box => new Hero(box);
