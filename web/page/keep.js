// Stores what a reader wrote or completed in the browser for the next visit, as far as the browser
// allows it.

/**
 * @param {string} name
 * @returns {any}
 */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) || 'null');
  } catch {
    return null;
  }
}
/**
 * @param {string} name
 * @param {any} value null forgets it
 */
export function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    /* storage is full or forbidden: the value is lost with the page */
  }
}

/**
 * Stores a text under a name, together with its subject (`of`). get() returns null if nothing is
 * stored or the subject is another one. changed(ACT) calls ACT when another tab writes the text.
 * @param {string} name
 * @param {string} of
 */
export const keeper = (name, of) => ({
  /** @param {(value: any) => void} act */
  changed(act) {
    addEventListener('storage', ({ key, storageArea }) => {
      if (key === name && storageArea === localStorage) act(this.get());
    });
  },
  get() {
    const kept = read(name);
    return kept && kept.of === of ? kept.value : null;
  },
  /** @param {any} value */
  set(value) {
    write(name, value === null ? null : { of, value });
  },
});

// Progress: the lessons whose end was reached or whose kernel was run, by page name.
const PROGRESS = 'progress';
/** @returns {Record<string, 'begun'|'done'>} */
export const progress = () => read(PROGRESS) || {};
/**
 * @param {string} page
 * @param {'begun'|'done'} state
 */
export function reach(page, state) {
  const all = progress();
  if (all[page] === 'done' || all[page] === state) return;
  write(PROGRESS, { ...all, [page]: state });
  dispatchEvent(new Event('progress'));
}
