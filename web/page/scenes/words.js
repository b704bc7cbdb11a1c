// The animation of step 05: one instruction loads four words. It shows a warp's issue slots for the
// first two k of a tile, with loads of 32 and of 128 bits, and above them the words that they load.
import { cell, drawing, label, narrow, variantLabel } from '../draw.js';
import { svg } from '../dom.js';
import { mark } from '../pointing.js';
import { counted } from '../text.js';
import { begin, issues } from './trace.js';

/** @typedef {Awaited<ReturnType<typeof slotsOf>>} Side a variant and its issue slots */
/** @typedef {Side['slots'][0]} Slot */
/** Returns the slots per row of the drawing. */
const across = () => (narrow() ? 24 : 48);
const SIZE = 13.5;
const WIDTH = 48 * SIZE;
const FFMAS = 128; // of two k
const bitsOf = (/** @type {string} */ variant) => (variant === 'both' ? '128-bit' : '32-bit');

/**
 * Returns a variant's issue slots, from its first shared load until FFMAS FFMAs are issued.
 * @param {string} step
 * @param {string} variant
 * @param {object} owner
 */
async function slotsOf(step, variant, owner) {
  const [{ issued }] = await issues(await begin([step, variant], 128, owner));
  const slots = [],
    /** @type {Map<number, number>} the word that each register has */
    holds = new Map();
  let ffma = 0,
    count = 0;
  for (const span of issued.slice(
    issued.findIndex(one => one.name.startsWith('LDS')),
  )) {
    if (ffma === FFMAS) break;
    const { name } = span,
      text = span.args.instruction,
      load = name.startsWith('LDS'),
      [first, ...read] = [...text.matchAll(/\bR(\d+)/g)].map(found => Number(found[1])),
      words = !load ? 0 : text.includes('.128') ? 4 : 1;
    for (let i = 0; i < words; i++) holds.set(first + i, count + i);
    slots.push({
      name,
      text: text.replace(/ ;$/, ''),
      load,
      ffma: name === 'FFMA',
      words,
      from: count, // the first word that a load brings
      uses: load
        ? [...Array(words).keys()].map(i => count + i)
        : name === 'FFMA'
          ? read.slice(0, 2).flatMap(register => holds.get(register) ?? [])
          : [],
    });
    count += words;
    if (name === 'FFMA') ffma++;
  }
  const used = new Set(slots.flatMap(({ ffma, uses }) => (ffma ? uses : [])));
  return { variant, slots, used };
}
/**
 * Returns the class of a slot.
 * @param {Slot} slot
 * @param {Set<number>} used the words that an FFMA of the picture uses
 */
const kindOf = ({ ffma, uses }, used) =>
  ffma ? 'w1' : !uses.length ? 'w3' : uses.some(word => used.has(word)) ? 'w2' : 'w2 read';
/**
 * Draws the words that a variant's loads bring, those of a load side by side, with lines to the
 * load that is issued now.
 * @param {Side} asked
 * @param {number} now
 * @param {number} y
 * @param {(slot: number) => number[]} at the place of a slot
 */
function wordParts({ variant, slots, used }, now, y, at) {
  const [size, gap] = narrow() ? [4.4, 1.8] : [9, 3.2],
    /** @type {SVGElement[]} */
    parts = [];
  let x = 0;
  slots.forEach(({ words, from, text }, i) => {
    for (let word = from; word < from + words; word++) {
      const served = slots.filter(slot => slot.ffma && slot.uses.includes(word)).length;
      if (i === now) {
        const [toX, toY] = at(i);
        parts.push(
          svg('path', { class: 'wire w2', d: `M${x + size / 2} ${y + 14}L${toX} ${toY}` }),
        );
      }
      parts.push(
        mark(
          cell(x, y, size - 0.8, 14, i > now ? 'idle' : used.has(word) ? 'w2' : 'w2 read'),
          `${variant}${word}`,
          `${variant}: word ${word - from + 1} of ${words} of ${text}. ${served} of these FFMAs ` +
            'use it.',
        ),
      );
      x += size;
    }
    x += words && gap;
  });
  return parts;
}
/**
 * Draws a variant's slots. Those up to `now` are coloured, and their loads, words and FFMAs are
 * counted.
 * @param {Side & {place: number}} asked
 * @param {number} now
 * @param {number} y
 */
function rowParts(asked, now, y) {
  const { variant, slots, used, place } = asked,
    past = slots.slice(0, now + 1),
    ended = now >= slots.length - 1,
    wide = variant === 'both';
  const count = (/** @type {'load'|'ffma'} */ what) => past.filter(slot => slot[what]).length,
    later = (/** @type {Slot} */ slot) => slot.load && kindOf(slot, used) === 'w2 read',
    said =
      counted(count('load'), 'load') +
      (ended
        ? ` (${past.filter(later).length} for a later k): ${slots.length} slots`
        : `, ${counted(count('ffma'), 'FFMA')}`);
  const [x, down, end] = narrow() ? [0, 32, 'start'] : [WIDTH, 14, 'end'];
  const at = (/** @type {number} */ i) => [
    (i % across()) * SIZE,
    y + down + 46 + Math.floor(i / across()) * 17,
  ];
  const told = (/** @type {Slot} */ { load, ffma, text, words, uses }) =>
    load
      ? `${variant}: ${text}: one issue slot for ${words} word${words > 1 ? 's' : ''}.`
      : `${variant}: ${text}` +
        `${ffma && uses.length ? ': it reads the lit words, as the other lit FFMAs do' : ''}.`;
  return [
    ...wordParts(asked, now, y + down + 12, i => [at(i)[0] + SIZE / 2 - 1, at(i)[1]]),
    ...variantLabel(
      y + 14,
      `${bitsOf(variant)} loads from shared memory`,
      place,
    ),
    label(x, y + down, said, `strong${ended && wide ? ' good' : ''}`, end),
    ...slots.map((slot, i) =>
      mark(
        cell(at(i)[0], at(i)[1], SIZE - 2, 14, i <= now ? kindOf(slot, used) : 'idle'),
        slot.uses.map(word => `${variant}${word}`).join(' ') ||
          `${variant} slot ${i}`,
        told(slot),
      ),
    ),
  ];
}
/** @param {number} y */
const legend = y => [
  cell(0, y - 8, 12, 12, 'w2'),
  label(18, y + 2, 'load, and its words'),
  cell(150, y - 8, 12, 12, 'w2 read'),
  label(168, y + 2, 'for a later k'),
  cell(260, y - 8, 12, 12, 'w1'),
  label(278, y + 2, 'FFMA'),
];

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 * @param {string[]} variants
 */
export async function words([step], owner, variants) {
  const [thin, wide] = [variants.find(one => one === 'global') || variants[0], 'both'];
  const asked = (await Promise.all([thin, wide].map(variant => slotsOf(step, variant, owner)))).map(
    one => ({
      ...one,
      place: variants.indexOf(one.variant),
    }),
  );
  const most = Math.max(...asked.map(({ slots }) => slots.length));
  const textAt = (/** @type {number} */ i) =>
    asked
      .filter(({ slots }) => slots[i])
      .map(({ variant, slots }) => `${slots[i].name}, with ${bitsOf(variant)} loads`)
      .join('; ');
  const events = [...Array(most).keys()].map(i => ({
    slot: i,
    cycle: i,
    warp: 0,
    text: textAt(i),
  }));
  /** @param {number} now */
  function draw(now) {
    const parts = [];
    let y = 0;
    for (const one of asked) {
      parts.push(...rowParts(one, now, y));
      y += (narrow() ? 78 : 60) + 17 * Math.ceil(one.slots.length / across()) + 22;
    }
    const counts = asked.map(({ variant, slots }) => `${variant} ${slots.length}`).join(', '),
      said = `issue slots: ${counts}`;
    return drawing(narrow() ? WIDTH / 2 : WIDTH, y + 10, said, ...parts, ...legend(y));
  }
  return {
    heading: 'One load brings four words and takes one issue slot',
    events,
    draw,
    slow: 60,
    hint: 'Point at a load, a word or an FFMA.',
    key:
      'Above are the words that loads bring, those of one load side by side. Below, a cell is an ' +
      'instruction of a warp, in order, until 128 FFMAs have started: two k, N\u00a0=\u00a0128. ' +
      'Two k need 32 words; the faint loads are for a later k, as the compiler loads ahead.',
    said: (/** @type {typeof events[0]} */ event) => `slot ${event.slot + 1}: ${event.text}`,
  };
}
