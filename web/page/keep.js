// Keeps what a reader wrote or completed for the next visit, in the browser's local storage. If the
// browser forbids that, nothing is kept.

/**
 * Returns the value stored under a name; null if there is none.
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
 * Stores a value under a name.
 * @param {string} name
 * @param {any} value null: removes what is stored
 */
export function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    /* storage is full or forbidden: the value is lost when the page is closed */
  }
}

/**
 * Returns functions that keep a value under a name. The value belongs to one version of a thing,
 * such as a compiled kernel: get() returns null if the stored value belongs to another version.
 * changed(act) calls `act` with the value when another tab stores it.
 * @param {string} name
 * @param {string} of the version
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

// The reader's progress by page name. A lesson is 'begun' once its page was opened, and 'bet' once
// its bet was lost. It is 'done' once the bet was won or an exercise about it was solved; a page
// without a bet, once its kernels ran without a fault or, without kernels, its end was reached.
const PROGRESS = 'progress';
/** @typedef {'begun'|'bet'|'done'} State */
/** Returns the progress by page name. @returns {Record<string, State>} */
export const progress = () => read(PROGRESS) || {};
const STATES = ['begun', 'bet', 'done'];
/**
 * Stores a page's progress, unless the page is further already.
 * @param {string} page
 * @param {State} state
 */
export function reach(page, state) {
  const all = progress();
  if (STATES.indexOf(all[page]) >= STATES.indexOf(state)) return;
  write(PROGRESS, { ...all, [page]: state });
  dispatchEvent(new Event('progress'));
}
