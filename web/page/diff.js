// Compares two texts line by line, and finds the source line of each line of an edited kernel. Pure
// functions.

/**
 * Returns the lines of two texts as [sign, line], with the signs of a diff: ' ' for a line of both,
 * '-' for one of `before` only, '+' for one of `after` only. Marks as few lines as possible. But
 * if the differing parts have more than 6 million pairs of lines, it marks all of their lines.
 * @param {string} before
 * @param {string} after
 */
export function compared(before, after) {
  const a = before.split('\n'),
    b = after.split('\n'),
    head = [],
    tail = [],
    middle = [];
  const same = (/** @type {number} */ at) => a.length && b.length && a.at(at) === b.at(at);
  while (same(0)) head.push([' ', a.shift(), b.shift()]);
  while (same(-1)) tail.unshift([' ', a.pop(), b.pop()]);
  // common[i * width + j] is the length of the longest common subsequence of the lines of a from i
  // on and the lines of b from j on.
  const width = b.length + 1,
    common = new Uint16Array(a.length * b.length > 6e6 ? 0 : (a.length + 1) * width);
  if (common.length)
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        common[i * width + j] =
          a[i] === b[j]
            ? common[(i + 1) * width + j + 1] + 1
            : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j] && common.length) {
      middle.push([' ', a[i++]]);
      j++;
    } else if (
      i < a.length &&
      (j === b.length || !common.length || common[(i + 1) * width + j] >= common[i * width + j + 1])
    )
      middle.push(['-', a[i++]]);
    else middle.push(['+', b[j++]]);
  }
  return /** @type {[string, string][]} */ ([...head, ...middle, ...tail]);
}

/**
 * Returns a line's instruction without control fields and comment.
 * @param {string} line
 */
const codeOf = line =>
  line
    .replace(/^\s*\S+:\S+:\S+:\S+:\S+\s+/, '')
    .replace(/\/\/.*/, '')
    .trim();

/**
 * Returns for each line of an edited text its source line, such as "kernel.cu:41", or ''. A moved
 * instruction keeps its source line. A line that replaces another one inherits that line's source
 * line. An added line has none.
 * @param {[string, string][]} lines the result of compared()
 * @param {string[]} places the source line of each original instruction
 */
export function followed(lines, places) {
  /** @typedef {{code: string, block: number}} Changed */
  const found = /** @type {string[]} */ ([]),
    removed = /** @type {(Changed & {place: string})[]} */ ([]),
    added = /** @type {(Changed & {at: number, done: boolean})[]} */ ([]);
  let at = 0,
    block = 0;
  for (const [sign, line] of lines) {
    const code = codeOf(line);
    if (sign === '+') added.push({ code, block, at: found.push('') - 1, done: false });
    else {
      const place = /^\s*(@|[^./\s]).*;/.test(line) ? places[at++] || '' : '';
      if (sign === '-') removed.push({ code, block, place });
      else {
        found.push(place);
        block++;
      }
    }
  }
  // Pairs each added line with a removed one, by these rules in turn: the same code in the same
  // block of changes, the same code elsewhere, other code in the same block.
  /** @type {((added: Changed, removed: Changed) => boolean)[]} */
  const steps = [
    (a, r) => a.block === r.block && a.code === r.code,
    (a, r) => a.code === r.code,
    (a, r) => a.block === r.block,
  ];
  for (const fits of steps)
    for (const one of added.filter(other => !other.done)) {
      const from = removed.findIndex(other => fits(one, other));
      if (from < 0) continue;
      found[one.at] = removed.splice(from, 1)[0].place;
      one.done = true;
    }
  return found;
}

/**
 * Returns the edits of a text in order. Each has its old lines (`before`), its new lines (`after`),
 * and the line (from 0) of the new text where it begins.
 * @param {[string, string][]} lines the result of compared()
 * @returns {{line: number, before: string[], after: string[]}[]}
 */
export function edits(lines) {
  const found = [];
  let at = 0,
    open = null;
  for (const [sign, text] of lines) {
    if (sign === ' ') open = null;
    else {
      if (!open)
        found.push(
          (open = {
            line: at,
            before: /** @type {string[]} */ ([]),
            after: /** @type {string[]} */ ([]),
          }),
        );
      (sign === '-' ? open.before : open.after).push(text);
    }
    if (sign !== '-') at++;
  }
  return found;
}
/**
 * Returns a text with one of its edits undone.
 * @param {string} text
 * @param {{line: number, before: string[], after: string[]}} edit
 */
export function takenBack(text, { line, before, after }) {
  const lines = text.split('\n');
  lines.splice(line, after.length, ...before);
  return lines.join('\n');
}
/**
 * Returns the replacement that turns `before` into `after`: the text `insert` for the characters
 * `from` to `to`. Returns null if the texts are equal.
 * @param {string} before
 * @param {string} after
 */
export function between(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0,
    behind = 0;
  while (from < most && before[from] === after[from]) from++;
  while (
    behind < most - from &&
    before[before.length - 1 - behind] === after[after.length - 1 - behind]
  )
    behind++;
  return { from, to: before.length - behind, insert: after.slice(from, after.length - behind) };
}
