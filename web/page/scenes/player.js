// Animations: frames from the engine's own trace, with a play button and a slider. One is made when
// it comes into view. If the reader prefers less motion, it shows its last frame.
import { button, el, still } from '../dom.js';
import { findAll, kernels } from '../programs.js';
import { tiles } from './tiles.js';
import { buffers } from './buffers.js';
import { pieces } from './pieces.js';
import { requests } from './requests.js';
import { lanes } from './lanes.js';
import { outer } from './outer.js';
import { words } from './words.js';
import { ffma } from './ffma.js';

/** @type {Record<string, (kernel: [string, string], owner: any, variants: string[]) => Promise<any>>} */
const SCENES = { '01_naive': requests, '02_shared_tiling': tiles, '03_outer_product': outer, '04_warp_tiling': lanes, '05_float4': words, '06_conflict_free_transpose': requests, '07_z_order': requests, '08_double_buffer': buffers, '09_reuse_sass': ffma, '10_block_order': pieces };
/** @type {Record<string, string>} */
const HEADINGS = { '02_shared_tiling': 'Two tiles walk along K', '08_double_buffer': 'The next tile arrives while this one is computed', '10_block_order': 'The work cut into equal pieces' };

/** @param {HTMLElement} box */
export function openMotion(box) {
  const [step, variant] = (box.dataset.kernel || '').split('/'), order = (kernels()[`about/${step}`] || '').split('\n').map(line => line.split('\t')[0]);
  const paths = findAll(new RegExp(`^cubin/sm_90/${step}/`)), variants = paths.map(path => path.split('/')[3].replace('.cubin', '')).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  if (!variants.includes(variant) || !SCENES[step]) return;
  const state = el('p', { role: 'status', className: 'soft' }), heading = el('h4', { textContent: HEADINGS[step] || '' }), place = el('div', { className: 'scrolls', tabIndex: 0, role: 'region', ariaLabel: 'the drawing' }), told = el('p', { className: 'said' }), range = el('input', { type: 'range', min: 0, max: 0, value: 0, ariaLabel: 'the event shown', disabled: true });
  let ready = /** @type {Promise<void>|null} */ (null), timer = /** @type {any} */ (0);
  /** @type {any} */
  let scene = null;
  const show = () => {
    const event = scene.events[range.value];
    place.replaceChildren(scene.draw(Number(range.value)));
    told.textContent = scene.said(event);
    range.setAttribute('aria-valuetext', told.textContent);
    Object.assign(box.dataset, { event: range.value, of: scene.events.length, row: JSON.stringify(event) });
  };
  const pause = () => { clearInterval(timer); timer = 0; play.textContent = 'Play'; };
  const load = () => (ready ||= (async () => {
    state.textContent = 'The simulator runs it …';
    try {
      scene = await SCENES[step]([step, variant], box, variants);
      heading.textContent = scene.heading || HEADINGS[step];
      Object.assign(range, { max: scene.events.length - 1, value: still() ? scene.events.length - 1 : 0, disabled: false });
      state.replaceChildren(scene.key);
      range.value = String(scene.events.length - 1); // without motion the last frame
      show();
    } catch (error) { state.textContent = `It cannot be played: ${String(/** @type {Error} */ (error).message || error).split('\n')[0]}.`; ready = null; }
  })());
  const play = button('Play', async () => {
    await load();
    if (!scene) return;
    if (timer) return pause();
    if (Number(range.value) === scene.events.length - 1) { range.value = 0; show(); }
    play.textContent = 'Pause';
    timer = setInterval(() => { range.value = Number(range.value) + 1; show(); if (Number(range.value) === scene.events.length - 1) pause(); }, scene.slow || Math.max(20, Math.min(150, 12000 / scene.events.length)));
  }, 'primary');
  range.oninput = () => { pause(); show(); };
  if (still()) play.hidden = true; // the slider sets the frame
  box.replaceChildren(el('figure', { className: 'figure' }, heading, place, el('p', { className: 'row' }, play, range), told, el('figcaption', {}, state)));
  // Made when it is in view and the page is idle.
  const seen = new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) { seen.disconnect(); setTimeout(load, 700); } });
  seen.observe(box);
}
