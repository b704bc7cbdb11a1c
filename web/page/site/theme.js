// Light and dark mode: the system's mode until the reader chooses one.
import { read, write } from '../keep.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const modes = () => (system.matches ? ['dark', 'light'] : ['light', 'dark']);
/** Shows the mode; the button, if it is there, names it. */
export function showTheme() {
  const [own] = modes(),
    chosen = read('theme')?.value,
    button = document.getElementById('theme'),
    title = `Colours: ${chosen || `the system's, ${own}`}`;
  document.documentElement.dataset.theme = String(chosen || own);
  if (button)
    Object.assign(button, {
      title,
      ariaLabel: title,
      textContent: chosen ? (chosen === 'dark' ? '●' : '○') : '◐',
    });
}
/** Goes from the system's mode to the other one, then to the first as a choice, then back. */
export function otherTheme() {
  const [own, other] = modes(),
    chosen = read('theme')?.value;
  write('theme', chosen === own ? null : { value: chosen ? own : other });
  showTheme();
}
system.addEventListener('change', showTheme);
