// The nine steps of the first page, each with a small drawing, a bar of its speed on the H200, and
// its speed-up.
import { el, svg } from '../dom.js';
import { progress } from '../keep.js';
import { icon } from './icons.js';
import { dataset } from './measured.js';

/**
 * @typedef {object} Rung a step and the reader's progress
 * @property {boolean} done true if the reader has completed it
 * @property {boolean} here true if it is the reader's next step
 * @property {number|null} value TFLOP/s
 * @property {string} gain the speed-up over the step before; '' for the first step
 * @property {number} most TFLOP/s of the fastest step
 */

/** Returns the speed-up over the step before; for the first step its speed. @param {Rung} rung */
function gainOf({ value, gain }) {
  if (!value) return '';
  return gain ? `× ${gain}` : `${value.toFixed(1)} TFLOP/s`;
}
/**
 * @param {HTMLAnchorElement} link
 * @param {number} number
 * @param {Rung} rung
 */
function fill(link, number, rung) {
  const { done, here, value, most } = rung;
  link.className = `rung ${done ? 'done' : here ? 'here' : ''}`;
  const bar = value
    ? [svg('rect', { width: (100 * value) / most, height: 8, class: done ? 'good' : 'cool' })]
    : [];
  link.replaceChildren(
    icon(number),
    el(
      'span',
      { className: 'name' },
      el('b', { textContent: String(number) }),
      ` ${link.dataset.name || ''}`,
    ),
    el('span', { className: 'gain', textContent: gainOf(rung) }),
    svg(
      'svg',
      {
        viewBox: '0 0 100 8',
        preserveAspectRatio: 'none',
        class: 'rung-bar',
        'aria-hidden': 'true',
      },
      svg('rect', { width: 100, height: 8, class: 'idle' }),
      ...bar,
    ),
  );
}

/** @param {HTMLElement} place */
export function ladder(place) {
  const set = DATA.map(dataset).find(one => /H200/.test(one.said)) || dataset(DATA[0]);
  const links = /** @type {HTMLAnchorElement[]} */ ([...place.querySelectorAll('a')]);
  const steps = links.map(link => (link.getAttribute('href') || '').replace('.html', ''));
  const rows = steps.map(step =>
    set.rows.find(row => row.step === step && row.last === '1' && row.n === 4096),
  );
  const values = rows.map(row => row?.tflops ?? null),
    most = Math.max(...values.map(value => value ?? 0));
  const show = () => {
    const state = progress(),
      next = steps.findIndex(step => state[step] !== 'done');
    links.forEach((link, i) => {
      const done = state[steps[i]] === 'done';
      fill(link, i + 1, {
        done,
        here: i === next,
        value: values[i],
        gain: rows[i]?.gain || '',
        most,
      });
    });
  };
  const textContent = 'Each speed-up over the step before, measured on an H200 at N = 4096.';
  place.after(el('p', { className: 'soft', textContent }));
  addEventListener('progress', show);
  show();
}
