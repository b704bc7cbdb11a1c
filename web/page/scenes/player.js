// Animations: frames from the engine's own trace, with a play button and a slider. An animation is
// made when it comes into view; until then the page has a still frame (web/site/posters.js).
import { button, el, onTurned, still } from '../dom.js';
import { ANSWERED, isOpen } from '../bet.js';
import { narrow } from '../draw.js';
import { pointing } from '../pointing.js';
import { findAll, ideasOf } from '../programs.js';
import { costliest, requests } from './requests.js';

/**
 * @typedef {object} Scene
 * @property {string} heading
 * @property {object[]} events
 * @property {(now: number, holds: boolean) => Element} draw draws an event
 * @property {{said(event: object): string}['said']} said returns an event in words
 * @property {string} key
 * @property {string} [hint]
 * @property {number} [slow] milliseconds per event
 * @property {number} [held] the last event before the reader has bet
 * @property {number} [rest] the event that is shown until the reader plays
 */
/**
 * Returns the steps that have an animation, each with the function that makes it.
 * @returns {Record<string, (kernel: [string, string], owner: object, variants: string[]) =>
 *   Promise<Scene>>}
 */
export const scenes = () => ({
  '01_naive': requests,
  ...window.Motions,
});

class Motion {
  /**
   * @param {HTMLElement} box
   * @param {[string, string]} kernel
   * @param {string[]} variants
   */
  constructor(box, kernel, variants) {
    this.box = box;
    this.kernel = kernel;
    this.variants = variants;
    this.state = el('p', { role: 'status', className: 'soft' });
    this.heading = el('p', { className: 'title' });
    this.place = el('div', {
      className: 'scrolls',
      tabIndex: 0,
      role: 'region',
      ariaLabel: 'the drawing',
    });
    this.told = el('span', { className: 'said' });
    this.light = pointing(this.place, this.told);
    const figure = /** @type {HTMLElement|null} */ (box.querySelector('.figure'));
    this.range = el('input', {
      type: 'range',
      min: 0,
      max: figure?.dataset.last || 1, // until the scene is made, its still frame is shown
      value: figure?.dataset.at || 1,
      ariaLabel: 'the event shown',
    });
    this.button = button(
      'Play',
      () => {
        this.asked = true;
        this.play();
      },
      'primary',
    );
    this.button.hidden = still(); // a reader who wants no motion has only the slider
    this.range.oninput = () => this.go(Number(this.range.value));
    /** @type {Promise<void>|null} */
    this.ready = null;
    /** @type {Scene|null} */
    this.scene = null;
    this.asked = false; // true once the reader has pressed the button or moved the slider
    this.played = false; // true once it has played, or the reader has moved the slider
    this.timer = 0;
    const row = el('p', { className: 'row' }, this.button, this.range, this.told);
    const heading = box.querySelector('.title'),
      poster = box.querySelector(narrow() ? '.narrow svg' : '.wide svg');
    if (heading && poster) {
      this.heading.textContent = heading.textContent;
      this.place.append(poster);
      this.state.textContent = box.querySelector('figcaption')?.textContent || '';
    }
    box.replaceChildren(
      el(
        'figure',
        { className: 'figure' },
        this.heading,
        box.querySelector('.paper') || '', // the whole picture, which is printed if there is a bet
        this.place,
        row,
        el('figcaption', {}, this.state),
      ),
    );
    this.listen();
    this.loadWhenSeen();
  }
  /** Draws again when the screen turns, when the reader has bet, and before the page is printed. */
  listen() {
    onTurned(() => {
      if (this.scene) this.show(this.at);
    });
    for (const event of [ANSWERED, 'beforeprint'])
      addEventListener(event, () => {
        if (!this.scene) return;
        this.range.max = String(this.last);
        if (event !== ANSWERED) this.pause(); // paper shows the end
        if (!this.timer) this.show(this.rest);
      });
  }
  /** Makes the animation 0.7 s after it first comes into view. */
  loadWhenSeen() {
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      seen.disconnect();
      setTimeout(() => this.load(), 700);
    });
    seen.observe(this.box);
  }
  /** True while the animation hides the lesson's answer, because the reader has not bet yet. */
  get holds() {
    return isOpen(this.kernel[0]) && this.scene?.held !== undefined;
  }
  get last() {
    const { held = 0, events } = this.scene || {};
    return this.holds ? held : (events?.length || 0) - 1;
  }
  /** The event that is shown until the reader plays: the last one, or one that shows more. */
  get rest() {
    return this.holds ? this.last : (this.scene?.rest ?? this.last);
  }
  get at() {
    return Number(this.range.value);
  }
  /**
   * Shows an event.
   * @param {number} at
   */
  show(at) {
    const { scene, range } = this;
    if (!scene) return;
    const event = scene.events[at];
    range.value = String(at);
    this.place.ariaLabel = scene.heading;
    this.place.replaceChildren(scene.draw(at, this.holds));
    const said = this.holds ? '' : scene.said(event);
    range.setAttribute('aria-valuetext', said);
    this.light(said);
    Object.assign(this.box.dataset, {
      event: range.value,
      of: scene.events.length,
      row: JSON.stringify(event),
    });
  }
  /**
   * Shows the event that the reader chose.
   * @param {number} at
   */
  go(at) {
    this.pause();
    this.asked = this.played = true;
    if (this.scene) return this.show(at);
    this.told.textContent = 'The simulator runs it …';
    this.load();
  }
  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.button.textContent = 'Play';
  }
  load() {
    this.ready ||= this.make();
    return this.ready;
  }
  async make() {
    try {
      this.scene = await scenes()[this.kernel[0]](this.kernel, this.box, this.variants);
      this.heading.textContent = this.scene.heading;
      const at = this.played ? Math.min(this.at, this.last) : this.rest;
      this.range.max = String(this.last);
      this.state.replaceChildren(
        `${this.scene.key} `,
        el('span', { className: 'hint', textContent: this.scene.hint || '' }),
      );
      this.show(at);
      if (!this.asked && !still()) this.play(); // once, because the reader has just come to it
    } catch (error) {
      this.told.textContent =
        'It cannot be played: ' +
        `${String(/** @type {Error} */ (error).message || error).split('\n')[0]}.`;
      this.ready = null;
    }
  }
  async play() {
    if (!this.scene) this.told.textContent = 'The simulator runs it …';
    await this.load();
    if (!this.scene) return;
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.at === this.last || !this.played) this.show(0);
    this.played = true;
    this.button.textContent = 'Pause';
    this.timer = setInterval(
      () => this.step(),
      this.scene.slow || Math.max(20, Math.min(150, 12000 / this.scene.events.length)),
    );
  }
  step() {
    this.show(this.at + 1);
    if (this.at < this.last) return;
    this.pause();
    if (!this.asked) this.show(this.rest);
  }
}

export { costliest };
/**
 * Returns the variants of a step in the lesson's order.
 * @param {string} step
 */
export function variantsOf(step) {
  const order = Object.keys(ideasOf(step));
  return findAll(new RegExp(`^cubin/sm_90/${step}/`))
    .map(path => path.split('/')[3].replace('.cubin', ''))
    .sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** @param {HTMLElement} box */
export function openMotion(box) {
  const [step, variant] = (box.dataset.kernel || '').split('/'),
    variants = variantsOf(step);
  if (variants.includes(variant) && scenes()[step]) new Motion(box, [step, variant], variants);
}
