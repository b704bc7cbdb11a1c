// Search in the sections of all pages: words match by their stems; an unknown word is replaced by
// the most similar one. Pure functions: tests/page runs them without a browser.
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
    .replace(/([^su])s$/, '$1');
  if (at.length > 5) at = at.replace(/(ing|ed|ly)$/, '').replace(/([bdfgmnprt])\1$/, '$1');
  return at.length > 4 ? at.replace(/e$/, '') : at;
}
export const WORD = /([\p{L}\p{N}_.]*[\p{L}\p{N}_])/u;
/** @param {string} text */
export const wordsOf = text => text.toLowerCase().match(new RegExp(WORD, 'gu')) || [];

/**
 * @typedef {{address: string, page: string, heading: string, text: string, title: string[], stems:
 *   string[]}} Section
 */
/** @param {[string, string, string, string][]} sections address, page, heading, text */
export function indexOf(sections) {
  /** @type {Map<string, Set<number>>} */
  const places = new Map();
  const all = sections.map(([address, page, heading, text], i) => {
    const title = wordsOf(heading).map(stem),
      stems = wordsOf(`${page} ${heading} ${text}`).map(stem);
    for (const one of stems) {
      if (!places.has(one)) places.set(one, new Set());
      /** @type {Set<number>} */
      (places.get(one)).add(i);
    }
    return { address, page, heading, text, title, stems };
  });
  return { all, places };
}

/**
 * Returns the stems that match a word of a query: itself, those that begin with it, else the
 * nearest.
 * @param {string} word
 * @param {Map<string, Set<number>>} places
 */
export function meant(word, places) {
  const one = stem(word);
  const begun = [...places.keys()].filter(
    key =>
      key === one ||
      (one.length > 2 && key.startsWith(one)) ||
      (word.length > 2 && key.startsWith(word.toLowerCase())),
  );
  if (begun.length) return begun;
  const far = one.length < 4 ? 0 : one.length < 8 ? 1 : 2;
  return far
    ? [...places.keys()].filter(
        key => Math.abs(key.length - one.length) <= far && distance(key, one) <= far,
      )
    : [];
}

/** Lessons and the vocabulary before other pages, exercises and evidence behind. */
const WEIGHTS = /** @type {[RegExp, number][]} */ ([
  [/^\d\d_\w+\.html/, 4],
  [/^vocabulary\.html#/, 4],
  [/^(notes|exercise)-|-evidence\.html/, -3],
]);
/** @param {string} address */
const weightOf = address => WEIGHTS.find(([pages]) => pages.test(address))?.[1] ?? 0;

/**
 * Returns the sections for a query, the best first, with the stems that matched.
 * @param {ReturnType<typeof indexOf>} index
 * @param {string} query
 */
export function find(index, query) {
  const words = wordsOf(query);
  if (!words.length) return [];
  const wanted = words.map(word => new Set(meant(word, index.places))),
    matched = new Set(wanted.flatMap(set => [...set])),
    exact = words.map(stem);
  /** @type {Map<number, number>} */
  const hits = new Map();
  wanted.forEach(set => {
    const seen = new Set();
    for (const key of set) for (const i of index.places.get(key) || []) seen.add(i);
    for (const i of seen) hits.set(i, (hits.get(i) || 0) + 1);
  });
  const most = Math.max(0, ...hits.values()),
    found = [];
  for (const [i, count] of hits) {
    if (count < most) continue; // the section must have every word, or as many as any section has
    const section = index.all[i],
      page = wordsOf(section.page).map(stem);
    const inTitle = wanted.filter(set => section.title.some(one => set.has(one))).length,
      inPage = wanted.filter(set => page.some(one => set.has(one))).length;
    const phrase = (/** @type {string[]} */ list) =>
      list.some((_, at) => exact.every((one, j) => list[at + j] === one));
    const often = wanted.reduce(
      (sum, set) => sum + Math.min(4, section.stems.filter(one => set.has(one)).length),
      0,
    );
    const score =
      8 * inTitle +
      3 * inPage +
      often +
      (exact.length > 1 && phrase(section.title) ? 10 : 0) +
      (exact.length > 1 && phrase(section.stems) ? 5 : 0) +
      weightOf(section.address) +
      (inTitle === wanted.length && section.title.length === wanted.length ? 4 : 0);
    const at =
      [...section.text.matchAll(new RegExp(WORD, 'gu'))].find(([word]) => matched.has(stem(word)))
        ?.index ?? 0;
    found.push({ ...section, matched, score, at: Math.max(0, at - 50) });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 20);
}
