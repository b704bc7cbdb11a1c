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
export const showTheme = () => {
  document.documentElement.dataset.theme = read() || (system.matches ? 'dark' : 'light');
};
export function otherTheme() {
  try {
    localStorage.setItem(KEY, document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  } catch {
    /* storage is full or forbidden: the choice is lost with the page */
  }
  showTheme();
}
system.addEventListener('change', showTheme);
