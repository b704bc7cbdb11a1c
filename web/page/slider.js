// Sliders: each sets one parameter of a lesson's kernel, and draws a warp's requests to shared
// memory for its value.
import { ANSWERED, isOpen } from './bet.js';
import { choice, el, later } from './dom.js';
import { find } from './programs.js';
import { explained, requestOf } from './explain.js';
import { banksPicture, figure } from './draw.js';

const lanes = (/** @type {(lane: number) => number} */ each) => [...Array(32).keys()].map(each);
const ORDERS = ['off', 'z_lanes', 'patches', 'z_order'];
/**
 * @typedef {{label: string, values: number[], at: number, each?: string, times?: number, orders?:
 *   string[], requests: (value: number, order: string) => [string, string, number, number[]][]}}
 *   Slider `at` is the index of the first value; `each` and `times` are words and a factor for the
 *   sum of all wavefronts; `orders` are further choices. A request has a label, `load` or `store`,
 *   its bytes per lane, and each lane's address
 */
/** @type {Record<string, Slider>} */
const SLIDERS = {
  lanes: {
    label: 'rows of lanes',
    values: [1, 2, 4, 8, 16, 32],
    at: 2,
    each: '8 such loads of A and 8 of B: sum',
    times: 8,
    requests: r => [
      ['a load of A', 'load', 4, lanes(l => 72 * Math.floor((l * r) / 32) * 4)],
      ['a load of B', 'load', 4, lanes(l => 8 * (l % (32 / r)) * 4)],
    ],
  },
  padding: {
    label: 'floats of padding',
    values: [...Array(17).keys()],
    at: 0,
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
    label: 'bytes per lane',
    values: [4, 8, 16],
    at: 2,
    orders: ORDERS,
    requests: (width, order) => {
      const z = order === 'z_lanes' || order === 'z_order',
        stride = order.startsWith('patches') || order === 'z_order' ? 4 : 8;
      const down = (/** @type {number} */ l) =>
          z ? 2 * Math.floor(l / 16) + (l % 2) : Math.floor(l / 8),
        across = (/** @type {number} */ l) => (z ? Math.floor((l % 16) / 2) : l % 8);
      return [
        ['a load of A', 'load', width, lanes(l => 4 * stride * down(l))],
        ['a load of B', 'load', width, lanes(l => 4 * stride * across(l))],
      ];
    },
  },
};

/**
 * Opens a slider. Hides it until the reader has bet, because it shows the lesson's answer.
 * @param {HTMLElement} box
 */
export function openSlider(box) {
  const kind = SLIDERS[box.dataset.kind || ''],
    number = /** @type {HTMLElement|null} */ (document.querySelector('.try'))?.dataset.step,
    [, , step] = (find(new RegExp(`^cubin/sm_90/${number}_`)) || '').split('/');
  if (!kind) return;
  box.hidden = isOpen(step || '');
  if (box.hidden) addEventListener(ANSWERED, () => openSlider(box), { once: true });
  else fill(box, kind);
}
/**
 * Fills the box with a slider.
 * @param {HTMLElement} box
 * @param {Slider} kind
 */
function fill(box, kind) {
  const range = el('input', {
      type: 'range',
      min: 0,
      max: kind.values.length - 1,
      value: kind.at,
      ariaLabel: kind.label,
    }),
    shown = el('output'),
    out = el('div', { role: 'status' });
  const [order, orderLabel] = choice('lanes', kind.orders || [''], 'off');
  const draw = later(20, async () => {
    const value = kind.values[range.value];
    shown.textContent = ` ${value}`;
    const drawn = await Promise.all(
      kind.requests(value, order.value).map(async ([label, what, width, addresses]) => ({
        label,
        what,
        run: await Engine.run(['banks', what, width, ...addresses].map(String), {}),
      })),
    );
    const counts = drawn.map(({ run }) => Number(run.err.split(' ')[0])),
      most = Math.max(...counts);
    out.replaceChildren(
      ...drawn.map(({ label, what, run }, i) => {
        const request = requestOf(run.out);
        return figure(
          `${label}: ${counts[i]} wavefront${counts[i] === 1 ? '' : 's'}`,
          banksPicture(request, most),
          ...explained(request, what === 'store').map(line =>
            el('span', { textContent: `${line} ` }),
          ),
        );
      }),
      ...(kind.times
        ? [
            el('p', {
              className: 'headline',
              textContent: `${kind.each} ${kind.times * counts.reduce((a, b) => a + b)}`,
            }),
          ]
        : []),
    );
    box.dataset.wavefronts = counts.join(' ');
  });
  range.oninput = order.oninput = draw;
  box.replaceChildren(
    el(
      'p',
      { className: 'row' },
      el('label', {}, `${kind.label} `, range),
      shown,
      ...(kind.orders ? [orderLabel] : []),
    ),
    out,
  );
  draw();
}
