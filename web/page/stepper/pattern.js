// Describes the values of a register over the 32 lanes of a warp. Pure functions.

export const LANES = 32;
/** The forms in which the reader can see numbers. */
export const FORMS = ['automatically', 'hexadecimal', 'whole numbers', 'floats'];

/**
 * Returns the float with the bits of a word.
 * @param {string} word in hexadecimal
 */
const floatOf = word =>
  new Float32Array(new Uint32Array([parseInt(word, 16)]).buffer)[0];
/**
 * Functions that write a word, given in hexadecimal, in one of FORMS.
 * @type {Record<string, (word: string) => string>}
 */
const WRITTEN = {
  hexadecimal: word => `0x${word}`,
  'whole numbers': word => String(parseInt(word, 16) | 0),
  floats: word => String(Number(floatOf(word).toPrecision(5))),
};
/**
 * Returns the form for words that the reader chose. "Automatically" means floats for words that
 * are floats of ordinary size or 0, and hexadecimal digits for other words. As floats, addresses
 * and counts would be far smaller.
 * @param {string} form
 * @param {string[]} words in hexadecimal
 */
function formOf(form, words) {
  if (WRITTEN[form]) return form;
  const sizes = words.filter(word => word !== '0').map(word => Math.abs(floatOf(word)));
  return sizes.length && sizes.every(size => size > 1e-6 && size < 1e6) ? 'floats' : 'hexadecimal';
}

/**
 * Returns a lane's bit of a mask.
 * @param {number} mask
 * @param {number} lane
 */
export const bit = (mask, lane) => (mask >>> lane) & 1;

/**
 * Returns lanes in words: "lanes 0 to 15", "lanes 3, 5 and 9", "8 lanes".
 * @param {number} mask
 */
export function lanesIn(mask) {
  const lanes = [...Array(LANES).keys()].filter(lane => bit(mask, lane)),
    [first, last] = [lanes[0], lanes[lanes.length - 1]];
  if (lanes.length === LANES) return 'all lanes';
  if (lanes.length === 1) return `lane ${first}`;
  if (lanes.length > 2 && last - first === lanes.length - 1) return `lanes ${first} to ${last}`;
  return lanes.length > 4
    ? `${lanes.length} lanes`
    : `lanes ${lanes.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * Returns values as a sum over parts of the lane's number, such as "lane × 4 + 0x400" or
 * "lane mod 8 × 16 + ⌊lane / 8⌋ × 512". Returns '' if more than two parts are necessary.
 * @param {number[]} values
 */
function sumOf(values) {
  const [base] = values,
    weights = [1, 2, 4, 8, 16].map(lane => (values[lane] - base) | 0);
  const fits = values.every(
    (value, lane) =>
      ((base + weights.reduce((sum, one, k) => sum + one * bit(lane, k), 0) - value) | 0) === 0,
  );
  /** @type {{from: number, to: number, weight: number}[]} bits of the lane's number */
  const parts = [];
  weights.forEach((weight, k) => {
    const last = parts[parts.length - 1];
    if (last && last.to === k - 1 && weight === last.weight * 2 ** (k - last.from)) last.to = k;
    else if (weight) parts.push({ from: k, to: k, weight });
  });
  if (!fits || parts.length > 2 || parts.some(({ weight }) => weight < 0)) return '';
  const said = parts.map(({ from, to, weight }) => {
    const shifted = from ? `⌊lane / ${2 ** from}⌋` : 'lane',
      part = to < 4 ? `${shifted} mod ${2 ** (to - from + 1)}` : shifted;
    return weight === 1 ? part : `${part} × ${weight}`;
  });
  return [...said, ...(base ? [`0x${base.toString(16)}`] : [])].join(' + ');
}

/**
 * Describes 32 words: in words (`said`), each as it is written, and each lane's shade from 0 to 1,
 * the rank of its value.
 * @param {string[]} words in hexadecimal
 * @param {string} wanted one of FORMS
 */
export function patternOf(words, wanted) {
  const form = formOf(wanted, words),
    float = form === 'floats',
    write = WRITTEN[form],
    written = words.map(write),
    values = words.map(word => (float ? floatOf(word) : parseInt(word, 16))),
    ranks = [...new Set(values)].sort((a, b) => a - b),
    rank = new Map(ranks.map((value, i) => [value, i / Math.max(1, ranks.length - 1)])),
    shade = values.map(value => rank.get(value) ?? 0);
  if (words.every(word => word === words[0]))
    return { equal: true, shade, written, said: written[0] };
  const sum = float ? '' : sumOf(values),
    count = new Set(words).size,
    least = words[values.indexOf(ranks[0])],
    most = words[values.indexOf(ranks[ranks.length - 1])],
    range = count === 2 ? `${write(least)} or ${write(most)}` : `${write(least)} to ${write(most)}`;
  const kinds = count === LANES ? 'different in each lane' : `${count} different values`;
  return { equal: false, shade, written, said: sum || `${kinds}: ${range}` };
}
