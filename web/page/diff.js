// Differences of two texts by lines, and the origins of an edited kernel's lines. Pure functions.

// Returns the lines of two texts as [' ', '-' or '+', line]: equal lines at the beginning and the
// end, and between them as few differing lines as possible.
export function compared(before, after) {
  const a = before.split('\n'),
    b = after.split('\n'),
    head = [],
    tail = [],
    middle = [];
  const same = at => a.length && b.length && a.at(at) === b.at(at);
  while (same(0)) head.push([' ', a.shift(), b.shift()]);
  while (same(-1)) tail.unshift([' ', a.pop(), b.pop()]);
  // common[i * width + j]: length of the longest common subsequence of a from line i on and b from
  // line j on.
  const width = b.length + 1,
    common = new Uint16Array(a.length * b.length > 4e6 ? 0 : (a.length + 1) * width);
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
  return [...head, ...middle, ...tail];
}

/** An instruction without its control fields and comment. @param {string} line */
const codeOf = line =>
  line
    .replace(/^\s*\S+:\S+:\S+:\S+:\S+\s+/, '')
    .replace(/\/\/.*/, '')
    .trim();

// Returns the origin of each line of an edited text: one of `places`, which has the source line of
// each original instruction. A moved instruction keeps its origin, a line that replaces another one
// takes over its origin, and an added line has none.
export function followed(lines, places) {
  const found = [],
    removed = [],
    added = [];
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
 * Returns the edits of a text, in order: the old lines (`before`), the new lines (`after`), and the
 * line number (from 0) in the new text where the edit begins.
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
 * Returns a text without one of its edits.
 * @param {string} text
 * @param {{line: number, before: string[], after: string[]}} edit
 */
export function takenBack(text, { line, before, after }) {
  const lines = text.split('\n');
  lines.splice(line, after.length, ...before);
  return lines.join('\n');
}
/**
 * Returns the change that turns `before` into `after`: from, to, new text; null if equal.
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
