// The ladder of the first page, nine columns that the page itself contains (web/site/build.sh).
// Shows the chosen measurements in them, and lets them grow when they first come into view.
import { rowAt, sizeOf, timesAsFast } from './chosen.js';
import { ofLadder } from './messages.js';

/**
 * Writes measurements into the ladder's columns and lines. Returns the ladder's message.
 * @param {import('./measured.js').Set_} set
 * @param {string[]} rungs the measured steps of the ladder
 * @param {HTMLElement} ladder
 */
export function fillLadder(set, rungs, ladder) {
  const n = sizeOf(set.rows.filter(row => rungs.includes(row.step))),
    links = [...ladder.querySelectorAll('a')],
    rows = links.map(({ dataset }) => rowAt(set, (dataset.lesson || '').slice(0, -5), n)),
    cublas = rowAt(set, 'cublas', n)?.tflops ?? 0,
    { peak } = set,
    top = Math.max(peak, ...rows.map(row => row?.tflops ?? 0));
  for (const [name, value] of Object.entries({ peak, cublas, top }))
    ladder.style.setProperty(`--${name}`, String(value));
  for (const mark of /** @type {NodeListOf<HTMLElement>} */ (ladder.querySelectorAll('.mark'))) {
    const value = mark.classList.contains('peak') ? peak : cublas;
    mark.hidden = !value;
    mark.lastElementChild?.replaceChildren(value.toFixed(1));
  }
  links.forEach((link, i) => {
    const [row, earlier] = [rows[i], rows[i - 1]],
      value = row?.tflops ?? 0,
      before = earlier?.tflops ?? 0,
      [speed, times] = link.querySelectorAll('.bar b, .gain');
    link.style.setProperty('--v', String(value));
    link.style.setProperty('--from', `${Math.min(100, (100 * before) / (value || 1))}%`);
    speed.textContent = value ? value.toFixed(1) : '–';
    times.textContent = row && earlier ? `× ${timesAsFast(row, earlier).toFixed(2)}` : '';
  });
  const said = ofLadder(set, rungs, n);
  if (ladder.classList.contains('grows')) return said;
  ladder.classList.add('grows', 'low');
  const seen = new IntersectionObserver(
    ([{ isIntersecting }]) => isIntersecting && ladder.classList.remove('low'),
    { threshold: 0.2 },
  );
  seen.observe(ladder);
  return said;
}
