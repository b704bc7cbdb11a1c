// Texts of kernels, numbers for people, links that contain a kernel. Pure functions: tests/page
// runs them without a browser.

const NONE = '–';
/**
 * Returns a number with its digits in groups of three: 54,400.
 * @param {string} text
 */
// Without Intl, which takes longer to load than a kernel to run.
const grouped = text => text.replace(/^-?\d+/, whole => whole.replace(/\d(?=(\d{3})+$)/g, '$&,'));

/**
 * Returns a count as a whole number, other values with three significant digits; for null and NaN
 * nothing.
 * @param {number|null|undefined} value
 */
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (Number.isInteger(value)) return grouped(String(value));
  if (Math.abs(value) >= 1000) return grouped(String(Math.round(value)));
  return String(Number(value.toPrecision(3)));
}

/**
 * Returns a time with two significant digits, the model's precision.
 * @param {number|null|undefined} milliseconds
 */
export function time(milliseconds) {
  if (milliseconds === null || milliseconds === undefined || !Number.isFinite(milliseconds))
    return NONE;
  const [value, unit] =
    milliseconds < 1
      ? [1000 * milliseconds, 'µs']
      : milliseconds < 1000
        ? [milliseconds, 'ms']
        : [milliseconds / 1000, 's'];
  return `${Number(value.toPrecision(2))} ${unit}`;
}

/**
 * Returns a ratio of speeds with the digits that a model with an error of 5 % justifies.
 * @param {number} ratio
 */
export const times = ratio =>
  ratio >= 10 ? String(Math.round(ratio)) : ratio < 2 ? ratio.toFixed(2) : ratio.toFixed(1);

/**
 * Returns a program's output without the folders of the machine that compiled the kernels.
 * @param {string} said
 */
export const clean = said => said.replace(/[^\s()"]*\/(?=steps\/|exercises\/)/g, '');

/**
 * Removes invisible characters that a paste or a link may contain: other blanks become spaces;
 * characters without width and those that change the direction are dropped.
 * @param {string} text
 */
export const visible = text =>
  text
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');

/**
 * Returns true if a line of machine code is an instruction.
 * @param {string} line
 */
export const isInstruction = line => /^\s*(@|[^./\s]).*;/.test(line);

/**
 * Returns the line (from 0) of the instruction at an address, 16 bytes per instruction; -1 if loops
 * or macros make several instructions of a line.
 * @param {string} text
 * @param {number} address
 */
export function lineAt(text, address) {
  if (/^\s*\.(for|if|macro)/m.test(text)) return -1;
  let left = address / 16;
  return text.split('\n').findIndex(line => isInstruction(line) && left-- === 0);
}

/**
 * Finds names of registers written with similar letters of other scripts: returns the first letter
 * of a text that is not ASCII, and its line.
 * @param {string} text
 */
export function foreignLetter(text) {
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const found = /[^\x00-\x7f]/.exec(lines[i].replace(/\/\/.*/, ''));
    if (found) return { line: i, letter: found[0] };
  }
  return null;
}

/**
 * Returns the edit distance of two words: insertions, deletions, replacements, swapped neighbours.
 * @param {string} a
 * @param {string} b
 */
export function distance(a, b) {
  /** @type {number[][]} */
  const rows = [[...Array(b.length + 1).keys()]];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      rows[i][j] = Math.min(
        rows[i - 1][j] + 1,
        rows[i][j - 1] + 1,
        rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

/**
 * Returns the first and last line (from 0) of the loop with the most arithmetic, or null.
 * @returns {{first: number, last: number}|null}
 * @param {string} text
 */
export function mainLoop(text) {
  const lines = text.split('\n');
  /** @type {Record<string, number>} */
  const labels = {};
  /** @type {{first: number, last: number}|null} */
  let best = null;
  let most = 0;
  lines.forEach((line, i) => {
    const label = /^\s*(\.L_\w+|\w+):/.exec(line),
      jump = /\bBRA\b[^;]*?(\.L_\w+|\b[a-z_]\w*)\)?\s*;/.exec(line);
    if (label) labels[label[1]] = i;
    if (!jump || !(jump[1] in labels)) return;
    const first = labels[jump[1]],
      inside = lines.slice(first, i + 1),
      work = inside.filter(one => /\b(FFMA|DFMA|HGMMA|HMMA)\b/.test(one)).length;
    if (work > most) [most, best] = [work, { first, last: i }];
  });
  return best;
}

// A kernel in a page's address: `#kernel=VARIANT.TEXT`, packed. Links may come from strangers: the
// text only goes into the editor, and its length is limited.
export const MOST_TEXT = 1 << 20,
  MOST_PACKED = 300000;
/** @param {Uint8Array} bytes */
const coded = bytes =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
/** @param {string} text */
export async function packText(text) {
  return coded(
    new Uint8Array(
      await new Response(
        new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')),
      ).arrayBuffer(),
    ),
  );
}
/** @param {string} data */
export async function unpackText(data) {
  const bytes = Uint8Array.from(atob(data.replace(/-/g, '+').replace(/_/g, '/')), letter =>
      letter.charCodeAt(0),
    ),
    parts = [];
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  for (let size = 0, part; !(part = await reader.read()).done; parts.push(part.value))
    if ((size += part.value.length) > MOST_TEXT) throw RangeError('too long');
  return new Blob(parts).text();
}
