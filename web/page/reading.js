// Reads what a reader wrote: numbers, predictions, and the fields of a prediction file. Pure
// functions. exercises/predict.c reads numbers by the same grammar.

const BEFORE = /^(\s|about|around|roughly|approximately|approx\.?|circa|ca\.?|[~≈=])+/,
  OPERATORS = ['+-', '*/', '^'],
  SCALES = /** @type {Record<string, number>} */ (
    { k: 1e3, thousand: 1e3, kib: 1024, m: 1e6, million: 1e6 }
  );
/** @type {Record<string, (a: number, b: number) => number>} */
const COMPUTED = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
};
/**
 * Returns the value of an expression, and removes its tokens. Level 0 has + and -, level 1 * and /,
 * level 2 ^, level 3 numbers, signs and parentheses.
 * @param {string[]} tokens
 * @returns {number} NaN if the tokens are no expression
 */
function evaluate(tokens, level = 0) {
  if (level < 3) {
    let value = evaluate(tokens, level + 1);
    while (tokens.length && OPERATORS[level].includes(tokens[0]))
      value = COMPUTED[/** @type {string} */ (tokens.shift())](value, evaluate(tokens, level + 1));
    return value;
  }
  const token = tokens.shift() || 'none';
  if (/[-+]/.test(token)) return Number(`${token}1`) * evaluate(tokens, 2);
  if (token !== '(') return Number(token);
  const value = evaluate(tokens);
  return tokens.shift() === ')' ? value : NaN;
}

/**
 * Returns the number that a reader wrote: "about 32", "1,024", "1024/8", "4 + 1", "32 sectors",
 * "1.5e3", "50 %"; null if it is none, as "0,5" or "30 to 40".
 * @param {string} written
 * @returns {number|null}
 */
export function readNumber(written) {
  const text = written
      .toLowerCase()
      .replace(BEFORE, '')
      .replace(/(^|[^\d.,])([1-9]\d{0,2}(?:[,_]\d{3})+)(?![\d,])/g, (_, before, digits) =>
        before + digits.replace(/[,_]/g, ''),
      )
      .replace(/([\d)]\s*)[x×·](?=\s*[\d(.])/g, '$1*'),
    token = /\s*((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+*/^()])/y,
    tokens = [];
  let end = 0;
  for (let found; (found = token.exec(text)); end = token.lastIndex) tokens.push(found[1]);
  const unit = /^\s*(?:%|([a-zµ]+)\D*)?[.!]?\s*$/.exec(text.slice(end)),
    value = evaluate(tokens) * (SCALES[unit?.[1] || ''] ?? 1);
  return unit && !tokens.length && Number.isFinite(value) ? value : null;
}

/**
 * Returns true if a differs from b by at most 0.5 % of b, or by at most `slack`.
 * @param {number} a
 * @param {number} b
 * @param {number} [slack] in the unit of a
 */
export const near = (a, b, slack = 0) => Math.abs(a - b) <= Math.max(0.005 * Math.abs(b), slack);
/**
 * Returns the text after `name =` in a prediction; '' if there is none or only question marks.
 * @param {string} name
 * @param {string} prediction the text of a prediction file
 */
export const written = (name, prediction) =>
  ((new RegExp(`^ *${name} *= *(.*)$`, 'm').exec(prediction) || [])[1] || '')
    .replace(/#.*/, '')
    .trim()
    .replace(/^\?+$/, '');
/**
 * Returns one prediction as text to be compared: a plain number (`1024` for "1,024"), or else the
 * text without blanks.
 * @param {string} name
 * @param {string} prediction the text of a prediction file
 */
export function predicted(name, prediction) {
  const text = written(name, prediction),
    value = readNumber(text);
  return value === null ? text.replace(/\s/g, '') : String(value);
}

/**
 * Returns the pointer parameter, as `A` or `out`, from which the address of an instruction in
 * global memory comes; '' if that is not known.
 * @param {string} text machine code
 * @param {number} at the instruction's line, from 0
 */
export function pointerAt(text, at) {
  const lines = text.split('\n').map(line => line.replace(/\/\/.*/, '')),
    pointers = [...text.matchAll(/\bptr (\w+)/g)].map(([, name]) => name),
    [, address] = /desc\[.*?\]\]?\[([\w[\]]+)\.64/.exec(lines[at] || '') || [],
    wanted = new Set([address]);
  for (const line of address ? lines.slice(0, at).reverse() : []) {
    const [, opcode, to, from] = /^\s*(?:@\S+ )?([A-Z]\S*) ([\w[\]]+), (.*)/.exec(line) || [];
    if (!opcode || !wanted.has(to)) continue;
    const [, name] = /\bc\[([a-z]\w*)\]/.exec(from) || [];
    if (pointers.includes(name)) return name.length > 1 ? name : name.toUpperCase();
    for (const [register] of from.matchAll(/[a-z]\w*(\[\d+\])?/g)) wanted.add(register);
  }
  return '';
}

// Words that are units, and how they are written behind a field.
const UNITS =
  'sectors wavefronts cycles loads waits bytes floats barriers tiles conflicts instructions ' +
  'registers blocks groups parts microseconds milliseconds multiply-adds times rounds rows words ' +
  'lanes bits';
/** @type {Record<string, string>} */
const WRITTEN = { percent: '%', gb: 'GB' };
/**
 * Returns the unit of a question's answer: the first unit among its first three words, or else the
 * word behind "in"; '' if it names none.
 * @param {string} label
 */
function unitOf(label) {
  if (/yes or no/.test(label)) return 'yes or no';
  const words = label.toLowerCase().match(/[a-z-]+/g) || [],
    unit = (/** @type {string} */ word) =>
      WRITTEN[word] ?? (UNITS.split(' ').includes(word) ? word : '');
  return [...words.slice(0, 3), words[words.indexOf('in') + 1]].map(unit).find(Boolean) || '';
}

/** @typedef {{name: string, label: string, unit: string}} Field a field; `label`: its question */
/**
 * Returns the fields of a prediction file.
 * @param {string} text
 * @returns {Field[]}
 */
export function fieldsOf(text) {
  /** @type {Field[]} */
  const fields = [];
  let words = '',
    before = '';
  for (const line of text.split('\n')) {
    const comment = /^\s*#\s?(.*)$/.exec(line),
      field = /^\s*([\w.]+)\s*=/.exec(line);
    if (comment) words += (words ? ' ' : '') + comment[1];
    else if (field) {
      const label = (words || before).trim();
      fields.push({ name: field[1], label, unit: unitOf(label) });
      if (words) before = words;
      words = '';
    }
  }
  return apart(fields);
}
/**
 * Gives different labels to fields that share a question. If the question lists its parts ("Loads:
 * with one row, and with yours."), each field gets its part. Otherwise each gets its name in front.
 * @param {Field[]} fields
 */
function apart(fields) {
  return fields.map(field => {
    const same = fields.filter(one => one.label === field.label),
      [head, rest = ''] = field.label.split(/: (.*)/s),
      parts = rest.replace(/\.$/, '').split(/, and |, | and /);
    if (same.length < 2) return field;
    const label =
      parts.length === same.length
        ? `${head}: ${parts[same.indexOf(field)]}`
        : `${field.name}: ${field.label}`;
    return { ...field, label };
  });
}
