// What a settled bet shows: the answer beside the reader's bet on one scale, the reason, and what
// the bet would have meant. web/site/build.sh bundles this file; bet.js loads it after the bet.
import { coded, el } from './dom.js';
import { number } from './text.js';
import { rounded } from './results.js';
import { filled, textsOf } from './reasons.js';

/**
 * Returns the scale: the offered answers as ticks, the answer as a filled mark, the bet as a
 * hollow one. A bet far beyond the others stands at the end.
 * @param {import('./results.js').Question} asked
 * @param {number} value
 * @param {number|null} bet
 */
function scaleOf({ bets }, value, bet) {
  const all = [...bets, value],
    far = bet !== null && bet > 3 * Math.max(...all),
    shown = bet === null || far ? all : [...all, bet],
    [low, high] = [Math.min(...shown), Math.max(...shown)],
    from = low > high / 2 ? low - (high - low) / 3 : Math.min(0, low),
    at = (/** @type {number} */ one) => Math.min(100, (100 * (one - from)) / (high - from || 1)),
    close = (/** @type {number} */ a, /** @type {number|null} */ b) =>
      b !== null && Math.abs(at(a) - at(b)) < 7,
    right = bet !== null && close(bet, value) && rounded(value) === bet;
  /** @type {(kind: string, one: number, said: string) => HTMLElement} */
  const mark = (className, one, textContent) =>
    el('span', { className, style: `left: ${at(one)}%`, textContent });
  return el(
    'div',
    { className: 'scale', ariaHidden: 'true' },
    ...bets
      .filter(one => !close(one, value))
      .map(one => mark(close(one, bet) ? 'tick bare' : 'tick', one, number(one))),
    ...(bet === null
      ? []
      : [mark('wager', bet, right ? 'your bet' : `your bet: ${number(bet)}${far ? ' →' : ''}`)]),
    mark('truth', value, number(rounded(value))),
  );
}

/**
 * Returns what is shown below the verdict. The reason is left out while one of its figures is
 * missing.
 * @param {string} step
 * @param {import('./results.js').Question} asked
 * @param {{value: number, bet: number|null, lost: boolean, countsOf: (variant: string) =>
 *   import('./results.js').Counts|null|undefined}} facts
 */
function payoff(step, asked, { value, bet, lost, countsOf }) {
  const { why, means } = textsOf(step),
    meant = lost && bet !== null ? means[bet] : '';
  return [
    el(
      'div',
      { className: 'payoff' },
      el(
        'p',
        {},
        el('strong', { textContent: number(rounded(value)) }),
        el('span', { textContent: ` ${asked.words}` }),
      ),
      scaleOf(asked, value, bet),
    ),
    ...[meant, why]
      .map(text => text && filled(text, asked, countsOf))
      .filter(Boolean)
      .map(text => el('p', {}, ...coded(String(text)))),
  ];
}
window.Payoff = payoff;
