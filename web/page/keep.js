// Keeps what a reader wrote or completed for the next visit, in the browser's local storage. If the
// browser forbids that, nothing is kept.

/**
 * @typedef {{of?: string, value?: string|number|null, solved?: boolean, checked?: boolean,
 *   opened?: number, prediction?: string, source?: string}} Kept
 *   what is stored: a value and its version (keeper), or what a reader wrote for an exercise
 */
/**
 * Returns the value stored under a name; null if there is none.
 * @param {string} name
 * @returns {Kept|null}
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
 * @param {unknown} value null: removes what is stored
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
 * @template {string|number} [T=string]
 * @param {string} name
 * @param {string} of the version
 */
export const keeper = (name, of) => ({
  /** @param {(value: T|null) => void} act */
  changed(act) {
    addEventListener('storage', ({ key, storageArea }) => {
      if (key === name && storageArea === localStorage) act(this.get());
    });
  },
  get() {
    const kept = read(name);
    return kept && kept.of === of ? /** @type {T} */ (kept.value) : null;
  },
  /** @param {T|null} value */
  set(value) {
    write(name, value === null ? null : { of, value });
  },
});

// The reader's progress by page name. A lesson is 'begun' once its page was opened, and 'bet' once
// its bet was lost. It is 'done' once the bet was won or an exercise about it was solved; a page
// without a bet, once its kernels ran without a fault or, without kernels, its end was reached.
const PROGRESS = 'progress';
/** @typedef {'begun'|'bet'|'done'} State */
/**
 * Returns the progress by page name.
 * @returns {Record<string, State>}
 */
export const progress = () =>
  /** @type {Record<string, State>} */ (/** @type {unknown} */ (read(PROGRESS) || {}));
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
