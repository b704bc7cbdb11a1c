// Light and dark mode: the system's mode until the reader chooses one.
const KEY = 'theme';
const read = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const system = matchMedia('(prefers-color-scheme: dark)');
const modes = () => (system.matches ? ['dark', 'light'] : ['light', 'dark']);
/** Shows the mode; the button, if it is there, names it. */
export function showTheme() {
  const chosen = read(),
    [own] = modes(),
    button = document.getElementById('theme'),
    title = `Colours: ${chosen || `the system's, ${own}`}`;
  document.documentElement.dataset.theme = chosen || own;
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
    chosen = read();
  try {
    if (chosen === own) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen ? own : other);
  } catch {
    /* storage is full or forbidden: the choice is lost with the page */
  }
  showTheme();
}
system.addEventListener('change', showTheme);
