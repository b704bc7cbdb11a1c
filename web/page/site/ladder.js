// The nine steps of the first page, each with a small drawing, its time on the H200, and its
// speed-up, which appears when the step is done.
import { button, el, svg } from '../dom.js';
import { progress, read, write } from '../keep.js';
import { dataset } from './charts.js';
import { icon } from './icons.js';

/** @param {HTMLElement} place */
export function ladder(place) {
  const set = DATA.map(dataset).find(one => /H200/.test(one.said)) || dataset(DATA[0]), steps = [...place.querySelectorAll('a')].map(link => ({ link: /** @type {HTMLAnchorElement} */ (link), step: (link.getAttribute('href') || '').replace('.html', '') }));
  const values = steps.map(({ step }) => set.rows.find(row => row.step === step && row.last === '1' && row.n === 4096)?.tflops ?? null), most = Math.max(...values.map(value => value ?? 0));
  const show = () => {
    const done = progress(), all = Boolean(read('ladder shown'));
    steps.forEach(({ link, step }, i) => {
      const state = done[step], value = values[i], before = i ? values[i - 1] : null, shown = all || state === 'done', here = !shown && steps.findIndex(one => done[one.step] !== 'done') === i;
      link.className = `rung ${state === 'done' ? 'done' : here ? 'here' : ''}`;
      const name = link.dataset.name || '';
      link.replaceChildren(icon(i + 1), el('span', { className: 'name' }, el('b', { textContent: String(i + 1) }), ` ${name}`), el('span', { className: 'gain', textContent: before === null ? (shown && value ? `${value.toFixed(1)} TFLOP/s` : 'the start') : shown && value && before ? `× ${(value / before).toFixed(2)}` : '× ?' }),
        svg('svg', { viewBox: '0 0 100 8', preserveAspectRatio: 'none', class: 'rung-bar', 'aria-hidden': 'true' }, svg('rect', { width: 100, height: 8, class: 'idle' }), ...(shown && value ? [svg('rect', { width: 100 * value / most, height: 8, class: state === 'done' ? 'good' : 'cool' })] : [])));
    });
    toggle.textContent = all ? 'Hide the speed-ups of steps to come' : 'Show all speed-ups';
  };
  const toggle = button('', () => { write('ladder shown', read('ladder shown') ? null : 1); show(); });
  place.after(el('p', { className: 'row' }, toggle, el('span', { className: 'soft', textContent: `Each speed-up over the step before, measured on an H200 at N = 4096. It is filled in when the step is done.` })));
  addEventListener('progress', show);
  show();
}
