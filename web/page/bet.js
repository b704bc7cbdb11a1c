// The bet of a lesson's box: a question, answers to choose from, and the result. The page hides the
// lesson's answer until the reader has bet, or asks to see it without a bet.
import { button, coded, el, late } from './dom.js';
import { keeper, read, write } from './keep.js';
import { ASKED } from './asked.js';
import { readNumber } from './reading.js';
import { judged, rounded } from './results.js';
import { number } from './text.js';

/** @typedef {import('./results.js').Question} Question */

/** Returns the parts of the page that have the lesson's answer (web/site/filter.lua). */
const answers = () => [
  .../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('details.answer')),
];

/** The name of the event that tells the page's modules that answers may be shown. */
export const ANSWERED = 'answered';
/**
 * Returns a lesson's question.
 * @param {string} step
 */
const askedOf = step => ASKED[step.slice(0, 2)];
/**
 * Returns the store of the reader's bet.
 * @param {string} step
 * @returns {ReturnType<typeof keeper<number>>}
 */
const keptOf = step => keeper(`guess ${step}`, askedOf(step)?.asks || '');
/**
 * Returns true while the reader has neither bet nor seen the lesson's answer.
 * @param {string} step
 */
export const isOpen = step =>
  Boolean(askedOf(step)) && typeof keptOf(step).get() !== 'number' && !read(`seen ${step}`);

export class Bet {
  /**
   * @param {string} step
   * @param {Question} asked
   * @param {() => void} placed called when the reader has bet
   */
  constructor(step, asked, placed) {
    this.step = step;
    this.asked = asked;
    this.placed = placed;
    this.kept = keptOf(step);
    this.said = el('p', { className: 'bet-said', role: 'status' });
    this.paid = el('div', { className: 'paid' });
    this.more = el('p');
    this.choices = el('div', {
      className: 'row choices',
      role: 'group',
      ariaLabel: `your bet: ${asked.asks.replace(/`/g, '')}`,
    });
    this.box = el(
      'div',
      { className: 'bet', tabIndex: -1 },
      el('p', { className: 'asks' }, ...coded(asked.asks)),
      ...(asked.hint ? [el('p', { className: 'soft', textContent: asked.hint })] : []),
      this.choices,
      this.said,
      this.paid,
      this.more,
    );
    this.own = el('input', {
      className: 'guess',
      inputMode: 'decimal',
      size: 6,
      autocomplete: 'off',
      ariaLabel: 'or another number',
    });
    this.own.onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
      if (key === 'Enter') this.write();
    };
    for (const fold of answers())
      fold.querySelector('summary')?.addEventListener('click', event => {
        if (!this.open) return;
        event.preventDefault(); // see() opens the fold
        this.see();
      });
    this.render();
  }

  /**
   * The bet; null: the reader has not bet.
   * @returns {number|null}
   */
  get value() {
    const value = this.kept.get();
    return typeof value === 'number' ? value : null;
  }
  /** True until the reader has bet or has seen the answer. */
  get open() {
    return isOpen(this.step);
  }
  /** Draws the choices while the bet is open. Later draws the bet, and shows the answers. */
  render() {
    const { bets } = this.asked;
    if (this.open)
      this.choices.replaceChildren(
        ...bets.map(value => button(number(value), () => this.place(value), 'choice')),
        el('label', {}, 'or ', this.own),
        button('Bet', () => this.write()),
      );
    else if (this.value !== null)
      this.choices.replaceChildren(el('span', { textContent: `Your bet: ${number(this.value)}` }));
    else
      this.choices.replaceChildren(
        el('span', {
          className: 'soft',
          textContent: 'You did not bet: a run of the kernels as compiled has the answer.',
        }),
      );
    if (this.open) return;
    for (const fold of answers()) fold.open = true;
    dispatchEvent(new Event(ANSWERED));
  }
  /** Places the number that the reader wrote. */
  write() {
    const value = readNumber(this.own.value);
    if (value !== null && value >= 0) return this.place(value);
    this.said.textContent = 'Write one number, such as 12.5, or choose one.';
    this.own.focus();
  }
  /**
   * Stores a bet, and tells the box.
   * @param {number} value
   */
  place(value) {
    this.kept.set(value);
    this.render();
    this.placed();
  }
  /** Shows the answer to a reader who does not want to bet. */
  see() {
    if (!this.open) return;
    write(`seen ${this.step}`, 1);
    this.said.textContent = '';
    this.render();
  }
  /**
   * Shows how the bet compares with the result, and why it is that number.
   * @param {number|null} value the answer; null: not known
   * @param {(variant: string) => import('./results.js').Counts|null|undefined} countsOf returns a
   *   variant's counts; '': those of the run that the question is about
   */
  settle(value, countsOf) {
    const { value: bet, asked } = this;
    if (value === null) return;
    const shown = number(rounded(value)),
      state = bet === null ? '' : judged(bet, value, asked.bets);
    this.choices.replaceChildren();
    this.said.className = `bet-said ${state}`;
    this.box.classList.toggle('is-won', state === 'right');
    const said =
      bet === null
        ? `It is ${shown}.`
        : state === 'right'
          ? `You bet on ${number(bet)}, and won${shown === number(bet) ? '' : `: it is ${shown}`}.`
          : `You bet on ${number(bet)}. It is ${shown}${state === 'near' ? ': near' : ''}.`;
    // Screen readers announce every text that is written, so an equal text is not written again.
    if (this.said.textContent !== said) this.said.textContent = said;
    const head = answers()[0]?.previousElementSibling;
    const next = document.querySelector('.way .next a')?.cloneNode(true);
    if (head?.id && !this.more.hasChildNodes())
      this.more.append(
        'More: ',
        el('a', { href: `#${head.id}`, textContent: head.textContent }),
        ...(next ? ['. ', next, ' completes the lesson.'] : []),
      );
    const pay = () => {
      const [scale, ...texts] = window.Payoff(this.step, asked, {
        value,
        bet,
        lost: state !== 'right',
        countsOf,
      });
      // An equal scale is not replaced, so that its marks move once.
      const had = this.paid.firstChild;
      if (!had?.isEqualNode(scale)) this.paid.prepend(scale);
      while (this.paid.childNodes.length > 1) this.paid.lastChild?.remove();
      this.paid.append(...texts);
    };
    late('payoff').then(pay, () => {}); // without it the verdict and the link remain
  }
}
