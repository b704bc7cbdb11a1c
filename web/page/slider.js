// Sliders: each sets a parameter of a lesson's kernel, and the picture of a warp's requests and its
// one number follow. What a lesson's bet asks is drawn after the bet.
import { ANSWERED, isOpen } from './bet.js';
import { choice, el, later } from './dom.js';
import { find } from './programs.js';
import { counted } from './text.js';
import { cyclesOf, explained, explainedCycles, requestOf } from './explain.js';
import { banksPicture, cell, drawing, figure, label, linesParts, narrow } from './draw.js';

const lanes = (/** @type {(lane: number) => number} */ each) => [...Array(32).keys()].map(each);
/** Lesson 07's orders: the row and the column of a lane. */
const ORDERS = ['row by row', 'z alone', 'patches alone', 'both'];
const down = (/** @type {number} */ l, /** @type {boolean} */ z) =>
    z ? 2 * Math.floor(l / 16) + (l % 2) : Math.floor(l / 8),
  across = (/** @type {number} */ l, /** @type {boolean} */ z) =>
    z ? Math.floor((l % 16) / 2) : l % 8;
const inZ = (/** @type {any} */ order) => order === 'z alone' || order === 'both';
/**
 * @typedef {[string, string, number, number[]]} Asked name, load or store, bytes, addresses
 */
/**
 * @typedef {object} Slider
 * @property {string} label
 * @property {(number|string)[]} values
 * @property {number} at the index of the first value
 * @property {boolean} [global] the requests go to the L1, not to shared memory
 * @property {string} [option] the name of a choice beside the slider
 * @property {string[]} [options] its values; the last one is chosen
 * @property {(value: any, option: string) => Asked[]} requests
 * @property {(counts: number[], value: any, option: string) => string} says the number
 * @property {(lane: number, value: any) => [number, number]} [map] a lane's row and column
 * @property {(value: any) => boolean} [held] the lesson asks for this value's number
 */
/** @type {Record<string, Slider>} */
const SLIDERS = {
  stride: {
    label: 'words from one lane to the next',
    values: [...Array(34).keys()],
    at: 1,
    global: true,
    requests: s => [['a load', 'load', 4, lanes(l => 4 * s * l)]],
    says: ([cycles]) => counted(cycles, 'cycle'),
  },
  lanes: {
    label: 'rows of lanes',
    values: [1, 2, 4, 8, 16, 32],
    at: 2,
    requests: r => [
      ['a load of A', 'load', 4, lanes(l => 72 * Math.floor((l * r) / 32) * 4)],
      ['a load of B', 'load', 4, lanes(l => 8 * (l % (32 / r)) * 4)],
    ],
    says: (counts, r) =>
      `${8 * r + 256 / r} different values per k, ` +
      `${8 * counts.reduce((a, b) => a + b)} wavefronts. (2×: two lanes share the word.)`,
    map: (l, r) => [Math.floor((l * r) / 32), l % (32 / r)],
  },
  padding: {
    label: 'floats of padding',
    values: [...Array(17).keys()],
    at: 0,
    says: ([count]) => `${count} wavefront${count === 1 ? '' : 's'}`,
    requests: p => [
      [
        'a store of A, transposed',
        'store',
        4,
        lanes(l => 4 * (4 * (l % 2) * (128 + p) + Math.floor(l / 2))),
      ],
    ],
  },
  xor: {
    label: 'rows k 4 to 7 keep column c at place c XOR',
    values: [...Array(32).keys()],
    at: 0,
    says: ([count]) => `${count} wavefront${count === 1 ? '' : 's'}`,
    requests: m => [
      [
        'a store of A, transposed',
        'store',
        4,
        lanes(l => 4 * (4 * (l % 2) * 128 + (Math.floor(l / 2) ^ (l % 2 ? m : 0)))),
      ],
    ],
  },
  width: {
    label: 'order of the lanes',
    values: ORDERS,
    at: 0,
    option: 'bytes per lane',
    options: ['4', '8', '16'],
    requests: (order, width) => {
      const stride = order === 'patches alone' || order === 'both' ? 4 : 8,
        z = inZ(order);
      return [
        ['a load of A', 'load', Number(width), lanes(l => 4 * stride * down(l, z))],
        ['a load of B', 'load', Number(width), lanes(l => 4 * stride * across(l, z))],
      ];
    },
    says: ([a, b], _order, width) => `${(32 / Number(width)) * (a + b)} wavefronts per k`,
    map: (l, order) => [down(l, inZ(order)), across(l, inZ(order))],
    held: order => order !== ORDERS[0],
  },
};

/**
 * Draws where a warp's lanes stand.
 * @param {(lane: number) => [number, number]} place
 */
function mapPicture(place) {
  const all = lanes(l => l).map(lane => place(lane)),
    rows = 1 + Math.max(...all.map(([row]) => row)),
    size = narrow() ? 10 : 22,
    high = rows > 8 ? 9 : 20;
  const parts = all.flatMap(([row, column], lane) => [
    cell(column * size, row * high, size - 2, high - 2, 'lane'),
    ...(size > 20 && high > 18
      ? [label((column + 0.5) * size - 1, row * high + 13, `${lane}`, 'on', 'middle')]
      : []),
  ]);
  return drawing(32 * size, rows * high, 'where the lanes stand', ...parts);
}

/** @param {HTMLElement} box */
export function openSlider(box) {
  const kind = SLIDERS[box.dataset.kind || ''],
    number = /** @type {HTMLElement|null} */ (document.querySelector('.try'))?.dataset.step,
    [, , step] = (find(new RegExp(`^cubin/sm_90/${number}_`)) || '').split('/');
  if (kind) fill(box, kind, step || '');
}
/**
 * Returns a request and its cost, counted by the engine or, in the L1, by the lesson's rule.
 * @param {Slider} kind
 * @param {Asked} asked
 */
async function served({ global }, [name, what, width, addresses]) {
  if (global) {
    const request = /** @type {import('./explain.js').Request} */ ({
        kind: 'global',
        width,
        lanes: addresses.map((address, lane) => ({ lane, address, phase: 0, first: 0, last: 0 })),
      }),
      { width: w, height, parts } = linesParts(request, 32, narrow() ? 10 : 20);
    const count = cyclesOf(request),
      picture = drawing(w, height, `32 lanes: ${counted(count, 'cycle')}`, ...parts);
    return { name, count, unit: 'cycle', picture, said: [explainedCycles(request)] };
  }
  const run = await Engine.run(['banks', what, width, ...addresses].map(String), {}),
    request = requestOf(run.out);
  return {
    name,
    count: Number(run.err.split(' ')[0]),
    unit: 'wavefront',
    picture: banksPicture(request),
    said: explained(request, what === 'store'),
  };
}
/**
 * Fills the box with a slider.
 * @param {HTMLElement} box
 * @param {Slider} kind
 * @param {string} step
 */
function fill(box, kind, step) {
  const range = el('input', {
      type: 'range',
      min: 0,
      max: kind.values.length - 1,
      value: kind.at,
      ariaLabel: kind.label,
    }),
    shown = el('output'),
    headline = el('p', { className: 'headline', role: 'status' }),
    out = el('div');
  const { options = [''] } = kind,
    [option, optionLabel] = choice(kind.option || '', options, options[options.length - 1]);
  const draw = later(10, async () => {
    const value = kind.values[Number(range.value)],
      held = Boolean(kind.held?.(value) && isOpen(step));
    shown.textContent = ` ${value}`;
    range.setAttribute('aria-valuetext', `${value}`);
    const drawn = held
      ? []
      : await Promise.all(kind.requests(value, option.value).map(asked => served(kind, asked)));
    const counts = drawn.map(({ count }) => count);
    headline.textContent = held
      ? 'How many wavefronts? Bet below: then they are drawn.'
      : kind.says(counts, value, option.value);
    const { map } = kind;
    out.replaceChildren(
      ...(map ? [figure('', mapPicture(lane => map(lane, value)))] : []),
      ...drawn.map(({ name, count, unit, picture, said }) =>
        figure(
          drawn.length > 1 ? `${name}: ${count} ${unit}${count === 1 ? '' : 's'}` : '',
          picture,
          ...(kind.held && isOpen(step) ? [] : said).map(line =>
            el('span', { textContent: `${line} ` }),
          ),
        ),
      ),
    );
    box.dataset.wavefronts = counts.join(' ');
  });
  range.oninput = option.oninput = draw;
  addEventListener(ANSWERED, draw);
  box.replaceChildren(
    el(
      'p',
      { className: 'row' },
      el('label', {}, `${kind.label} `, range),
      shown,
      ...(kind.options ? [optionLabel] : []),
    ),
    headline,
    out,
  );
  draw();
}
