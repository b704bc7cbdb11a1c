// Searches the sections of all pages. A word of a query matches words with an equal stem and words
// that begin with it. If there are none, it matches words whose beginning differs by a slip, such
// as a wrong letter. The functions are pure, so tests/page runs them without a browser.
import { distance } from '../text.js';

/**
 * Returns a word without English endings: conflicts, conflicting and conflicted are equal.
 * @param {string} word
 */
export function stem(word) {
  const lower = word.toLowerCase();
  if (lower.length < 4 || /\d/.test(lower)) return lower;
  let at = lower
    .replace(/'s$/, '')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/ies$/, 'y')
    .replace(/([^su])s$/, '$1')
    .replace(/(.{5})ment$/, '$1');
  if (at.length > 5) at = at.replace(/(ing|ed|ly)$/, '').replace(/([bdfgmnprt])\1$/, '$1');
  return at.length > 4 ? at.replace(/e$/, '') : at;
}
export const WORD = /([\p{L}\p{N}_.]*[\p{L}\p{N}_])/u;
/** @param {string} text */
export const wordsOf = text => text.toLowerCase().match(new RegExp(WORD, 'gu')) || [];

/**
 * @typedef {{address: string, page: string, heading: string, text: string, title: string[], stems:
 *   string[], counts: Map<string, number>}} Section
 */
/**
 * Returns an index of sections: `places` has the sections of each stem.
 * @param {[string, string, string, string][]} sections address, page, heading, text
 */
export function indexOf(sections) {
  /** @type {Map<string, Set<number>>} */
  const places = new Map();
  /** @type {Map<string, string>} the stem of each word as it is written */
  const written = new Map();
  const known = (/** @type {string} */ text) =>
    wordsOf(text).map(word => {
      if (!written.has(word)) written.set(word, stem(word));
      return /** @type {string} */ (written.get(word));
    });
  const all = sections.map(([address, page, heading, text], i) => {
    const stems = known(`${page} ${heading} ${text}`);
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const one of stems) {
      counts.set(one, (counts.get(one) || 0) + 1);
      if (!places.has(one)) places.set(one, new Set());
      /** @type {Set<number>} */
      (places.get(one)).add(i);
    }
    return { address, page, heading, text, title: known(heading), stems, counts };
  });
  return { all, places, written };
}

const WHOLE = 1, // share of the score: the stems are equal
  BEGUN = 0.6, // the word begins with that of the query
  SLIP = 0.5; // the words are equal but for slips
/**
 * Returns the fewest slips (text.js, distance()) between `word` and a beginning of `longer`; if
 * there are more than `most`, any number above `most`.
 * @param {string} word
 * @param {string} longer
 * @param {number} most
 */
function slipsTo(word, longer, most) {
  let least = most + 1;
  for (let end = word.length - most; end <= word.length + most && end <= longer.length; end++)
    least = Math.min(least, distance(word, longer.slice(0, end)));
  return least;
}

/**
 * Returns the stems that a word of a query matches, each with its share of the score. They are its
 * own stem and the stems of words that begin with it. If there are none, they are the stems of
 * words whose beginning differs by one slip; for a long word, also by two.
 * @param {string} word
 * @param {Map<string, string>} written words and their stems
 * @returns {Map<string, number>}
 */
export function meant(word, written) {
  const typed = word.toLowerCase(),
    one = stem(word);
  /** @type {Map<string, number>} */
  const found = new Map();
  const put = (/** @type {string} */ key, /** @type {number} */ part) =>
    found.set(key, Math.max(part, found.get(key) || 0));
  for (const [other, key] of written)
    if (key === one) put(key, WHOLE);
    else if (typed.length > 1 && other.startsWith(typed)) put(key, BEGUN);
  const most = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2;
  for (let slips = 1; slips <= most && !found.size; slips++)
    for (const [other, key] of written)
      if (other[0] === typed[0] || other[1] === typed[0])
        if (slipsTo(typed, other, slips) <= slips)
          put(key, distance(typed, other) <= slips ? SLIP : SLIP / 2);
  return found;
}

const LESSON = /^\d\d_\w+\.html/; // without its evidence
/** Points by page: words of the vocabulary, then lessons; notes, exercises, evidence come last. */
const WEIGHTS = /** @type {[RegExp, number][]} */ ([
  [/^vocabulary\.html#word-/, 8],
  [/^vocabulary\.html#/, 4],
  [LESSON, 4],
  [/^(notes|exercise)-|-evidence\.html/, -3],
]);
/** @param {string} address */
const weightOf = address => WEIGHTS.find(([pages]) => pages.test(address))?.[1] ?? 0;

/**
 * Returns how well a section answers a query: words in its heading count most, then in the page's
 * title, then in the text.
 * @param {Section} section
 * @param {Map<string, number>[]} wanted meant() of each word of the query
 * @param {string[]} exact the stems of the query's words
 */
function scoreOf(section, wanted, exact) {
  const best = (/** @type {string[]} */ list) =>
    wanted.map(stems => Math.max(0, ...list.map(one => stems.get(one) || 0)));
  const sum = (/** @type {number[]} */ parts) => parts.reduce((all, part) => all + part, 0);
  const phrase = (/** @type {string[]} */ list) =>
    list.some((_, at) => exact.every((one, j) => list[at + j] === one));
  const inTitle = best(section.title),
    often = wanted.map(stems =>
      Math.min(
        4,
        sum([...stems].map(([one, part]) => part * (section.counts.get(one) || 0))),
      ),
    );
  return (
    8 * sum(inTitle) +
    3 * sum(best(wordsOf(section.page).map(stem))) +
    sum(often) +
    (exact.length > 1 && phrase(section.title) ? 10 : 0) +
    (exact.length > 1 && phrase(section.stems) ? 5 : 0) +
    weightOf(section.address) +
    (inTitle.every(part => part === WHOLE) && section.title.length === wanted.length ? 4 : 0) +
    (exact.every(one => section.counts.has(one)) ? 20 : 0)
  );
}
const EXCERPT = 170; // letters
/**
 * Returns the part of a text that is shown: from the beginning of the sentence with its first
 * matching word, or from a word before that if the sentence is long. An ellipsis marks each cut.
 * @param {string} text
 * @param {Set<string>} matched
 */
export function excerptOf(text, matched) {
  const whole = text.trim(),
    words = [...whole.matchAll(new RegExp(WORD, 'gu'))],
    at = words.find(([word]) => matched.has(stem(word)))?.index ?? 0;
  const sentence = (/^.*[.?!] (?=.)/.exec(whole.slice(0, at))?.[0] ?? '').length;
  const start =
    at - sentence > 90 ? (words.find(({ index = 0 }) => index > at - 60)?.index ?? at) : sentence;
  const cut = whole.slice(start, start + EXCERPT),
    isCut = start + EXCERPT < whole.length;
  return (
    (start > sentence ? '… ' : '') + (isCut ? `${cut.replace(/\s+\S*$/, '')} …` : cut)
  );
}

/**
 * Returns a query with each unknown word replaced by the most frequent of the nearest known ones;
 * null if all words are known or nothing is near.
 * @param {ReturnType<typeof indexOf>} index
 * @param {string} query
 */
export function suggested({ written, places }, query) {
  let changed = false;
  const words = wordsOf(query).map(word => {
    if (word.length < 4 || [...written.keys()].some(other => other.startsWith(word))) return word;
    if (places.has(stem(word))) return word;
    let best = word,
      least = 0.4 * word.length + 0.5;
    for (const [other, key] of written) {
      const begins = other[0] === word[0] || other[1] === word[0] || other[0] === word[1];
      if (!begins || Math.abs(word.length - other.length) > least) continue;
      if (!/^[a-z]+$/.test(other)) continue;
      const far = distance(word, other) - Math.min(0.4, (places.get(key)?.size || 0) / 500);
      if (far < least) [best, least] = [other, far];
    }
    changed ||= best !== word;
    return best;
  });
  return changed ? words.join(' ') : null;
}

// Groups of hits, in the order in which they are listed: name, addresses, most hits shown.
const GROUPS = /** @type {[string, RegExp, number][]} */ ([
  ['Lessons', /^\d\d_/, 7],
  ['Exercises', /^exercise/, 4],
  ['Words', /^vocabulary/, 4],
  ['Reference', /./, 5],
]);
/**
 * Returns the best sections for a query, in groups: the best one alone, in a group without a name;
 * then lessons, exercises, words, and all other pages. Evidence is behind lessons; if the best
 * section defines a word, the first lesson that has it leads. Each hit has the stems that
 * matched, and the numbers of the query's words that it has (`has`) and of all (`of`).
 * @param {ReturnType<typeof indexOf>} index
 * @param {string} query
 * @param {(address: string) => boolean} [isKept] it comes last
 */
export function grouped(index, query, isKept) {
  const [best, ...others] = find(index, query, isKept);
  if (!best) return [];
  const lessons = others.filter(({ address }) => LESSON.test(address) && address > '01'),
    first = index.all.find(({ address }) => lessons.some(hit => hit.address === address));
  const rank = (/** @type {Section} */ { address }) =>
    !LESSON.test(address) ? 2 : +!(/^voc/.test(best.address) && address === first?.address);
  const groups = GROUPS.map(([name, , most], i) => {
    const hits = others.filter(
      ({ address }) => GROUPS.findIndex(([, pages]) => pages.test(address)) === i,
    );
    return { name, hits: hits.slice(0, most).sort((a, b) => rank(a) - rank(b)) };
  });
  return [{ name: '', hits: [best] }, ...groups.filter(({ hits }) => hits.length)];
}

/** Words that say nothing about an answer. */
const IDLE = /^(an?|the|are|can|do|does|how|i|in|is|my|of|on|to|what|why|you)$/;
/**
 * Returns the sections for a query, the best first.
 * @param {ReturnType<typeof indexOf>} index
 * @param {string} query
 * @param {(address: string) => boolean} isKept
 */
export function find(index, query, isKept = () => false) {
  const all = wordsOf(query.replace(/\b(install\w*|setup)\b/gi, 'set up')),
    telling = all.filter(word => !IDLE.test(word)),
    words = telling[0] ? telling : all;
  if (!words.length) return [];
  const wanted = words.map(word => meant(word, index.written)),
    matched = new Set(wanted.flatMap(stems => [...stems.keys()])),
    exact = words.map(stem);
  /** @type {Map<number, number>} */
  const hits = new Map();
  for (const stems of wanted) {
    const seen = new Set();
    for (const key of stems.keys()) for (const i of index.places.get(key) || []) seen.add(i);
    for (const i of seen) hits.set(i, (hits.get(i) || 0) + 1);
  }
  const most = Math.max(0, ...hits.values()),
    found = [];
  for (const [i, count] of hits) {
    if (count < most) continue; // a section must match as many words as the best one does
    const section = index.all[i],
      score = scoreOf(section, wanted, exact) - (isKept(section.address) ? 99 : 0);
    found.push({ ...section, matched, score });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .map(hit => ({ ...hit, has: most, of: wanted.length }));
}
