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
/** Returns the names under which something is stored. */
export function names() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
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
