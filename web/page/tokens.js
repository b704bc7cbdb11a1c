// Splits a line of machine code into parts with different colours. Pure functions: each line is
// read by itself.

/** @type {[RegExp, string][]} patterns of parts that may be anywhere in a line, and their kinds */
const PARTS = [
  [/\/\/.*/y, 'comment'],
  [/@!?U?P\w+/y, 'predicate'],
  [/\.reuse\b/y, 'reuse'],
  [/`\([^)]*\)|\.L_\w+/y, 'label'],
  [/c\[\w+\](\[[^\]]*\])?/y, 'constant'],
  [/!?U?P[0-6T]\b/y, 'predicate'],
  [/U?R(\d+|Z)\b/y, 'register'],
  [/[-+]?(0x[0-9a-f]+|\d+(\.\d+)?)\b/iy, 'number'],
  [/[\w.]+/y, ''],
];
/**
 * Patterns of parts up to the opcode, and their kinds. true: the opcode may follow the part.
 * @type {[RegExp, string, boolean][]}
 */
const HEAD = [
  [/(--|[0-9a-f]{2}):[-\d]:[-\d]:[-Y]:[-?0-9a-f]/iy, 'control', true],
  [/[.\w$]+:/y, 'label', true],
  [/\.[a-z]+/y, 'directive', false],
  [/@!?U?P\w+/y, 'predicate', true],
  [/[A-Z][\w.]*/y, 'opcode', false],
];

/**
 * Returns the coloured parts of a line.
 * @param {string} line
 * @returns {{from: number, to: number, kind: string}[]}
 */
export function tokens(line) {
  const found = [];
  let at = 0,
    opcode = true;
  const match = (/** @type {RegExp} */ pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(line);
  };
  while (at < line.length) {
    const head = opcode ? HEAD.find(([pattern]) => match(pattern)) : undefined,
      [pattern, kind] = head || PARTS.find(([one]) => match(one)) || [/[^]/y, ''];
    if (head && !head[2]) opcode = false;
    const from = at;
    at += /** @type {RegExpExecArray} */ (match(pattern))[0].length;
    if (kind) found.push({ from, to: at, kind });
  }
  return found;
}
