// Reads texts of kernels, writes numbers for people, and packs kernels into links. Pure functions:
// tests/page runs them without a browser.

const NONE = '–';
/**
 * Returns a number with its digits in groups of three: 54,400. Avoids Intl, which takes longer to
 * load than a kernel takes to run.
 * @param {string} text
 */
const grouped = text => text.replace(/^-?\d+/, whole => whole.replace(/\d(?=(\d{3})+$)/g, '$&,'));

/**
 * Returns a number for people. A whole number is written in full, any other with three significant
 * digits or, from 1000 on, rounded to a whole one. Null and NaN become a dash.
 * @param {number|null|undefined} value
 */
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (Number.isInteger(value)) return grouped(String(value));
  if (Math.abs(value) >= 1000) return grouped(String(Math.round(value)));
  return String(Number(value.toPrecision(3)));
}

/**
 * Returns "1 cycle" or "2,000 cycles".
 * @param {number} count
 * @param {string} what
 */
export const counted = (count, what) => `${number(count)} ${what}${count === 1 ? '' : 's'}`;

/**
 * Returns a time with three significant digits: equal texts have equal ratios.
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
  return `${Number(value.toPrecision(3))} ${unit}`;
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
 * Returns a text without invisible characters, which a paste or a link may contain. Special blanks
 * become spaces. Characters without width, or that change the direction of writing, are removed.
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
 * Returns the line (from 0) of the instruction at an address, 16 bytes per instruction. Returns -1
 * if there is none, or if a line may make several instructions (.for, .if, .macro).
 * @param {string} text
 * @param {number} address
 */
export function lineAt(text, address) {
  if (/^\s*\.(for|if|macro)/m.test(text)) return -1;
  let left = address / 16;
  return text.split('\n').findIndex(line => isInstruction(line) && left-- === 0);
}

/**
 * Returns the first letter outside ASCII, comments aside, and its line (from 0); null if there is
 * none. Such a letter may look like the R of a register but not be one.
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
 * Returns the edit distance of two words: the least number of insertions, deletions, replacements
 * and swaps of neighbours.
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
 * Returns the loops that have arithmetic, those with the most of it first: the first and the last
 * line (from 0) of each. Leaves out a loop around another one with at least 1/8 of its arithmetic.
 * @param {string} text
 */
export function loopsOf(text) {
  const lines = text.split('\n');
  /** @type {Record<string, number>} */
  const labels = {};
  /** @type {{first: number, last: number, work: number}[]} */
  const loops = [];
  lines.forEach((line, i) => {
    const label = /^\s*(\.L_\w+|\w+):/.exec(line),
      jump = /\bBRA\b[^;]*?(\.L_\w+|\b[a-z_]\w*)\)?\s*;/.exec(line);
    if (label) labels[label[1]] = i;
    if (!jump || !(jump[1] in labels)) return;
    const first = labels[jump[1]],
      inside = lines.slice(first, i + 1),
      work = inside.filter(one => /\b(FFMA|DFMA|HGMMA|HMMA)\b/.test(one)).length;
    if (work) loops.push({ first, last: i, work });
  });
  /** @type {(a: typeof loops[0], b: typeof loops[0]) => boolean} */
  const holds = (a, b) => a !== b && a.first <= b.first && b.last <= a.last && 8 * b.work >= a.work;
  return loops
    .filter(one => !loops.some(other => holds(one, other)))
    .sort((a, b) => b.work - a.work);
}

// A page's address may contain a kernel: `#kernel=VARIANT.TEXT`, with TEXT packed. Such links may
// come from strangers, so the text only goes into the editor. These are the most characters that it
// may have, unpacked and packed.
export const MOST_TEXT = 1 << 20,
  MOST_PACKED = 300000;
/**
 * Returns bytes in base64, with the characters that addresses allow.
 * @param {Uint8Array} bytes
 */
const coded = bytes =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
/**
 * Returns what a variant's name means.
 * @param {string} idea its description
 */
export const meaningOf = idea => idea.split(/[:;]/)[0];

/**
 * Returns a text packed for an address.
 * @param {string} text
 */
export async function packText(text) {
  return coded(
    new Uint8Array(
      await new Response(
        new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')),
      ).arrayBuffer(),
    ),
  );
}
/**
 * Unpacks a text of packText(). Throws if the text is damaged or too long.
 * @param {string} data
 */
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
