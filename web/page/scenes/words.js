// The animation of step 05: one instruction loads four words. It shows a warp's issue slots for the
// first two k of a tile, with loads of 32 and of 128 bits.
import { cell, drawing, label, narrow, variantLabel } from '../draw.js';
import { svg } from '../dom.js';
import { begin, issues } from './trace.js';

/** Returns the slots per row of the drawing. */
const across = () => (narrow() ? 24 : 48);
const SIZE = 13;
const FFMAS = 128; // of two k

/**
 * Returns a variant's issue slots, from its first shared load until FFMAS FFMAs are issued.
 * @param {string} step
 * @param {string} variant
 * @param {any} owner
 */
async function slotsOf(step, variant, owner) {
  const [{ issued }] = await issues(await begin([step, variant], 128, owner));
  const slots = [];
  let ffma = 0;
  for (const span of issued.slice(
    issued.findIndex((/** @type {any} */ one) => one.name.startsWith('LDS')),
  )) {
    if (ffma === FFMAS) break;
    const { name } = span,
      text = span.args.instruction,
      load = name.startsWith('LDS');
    slots.push({
      name,
      text,
      load,
      ffma: name === 'FFMA',
      words: !load ? 0 : text.includes('.128') ? 4 : 1,
    });
    if (name === 'FFMA') ffma++;
  }
  return { variant, slots };
}
/**
 * Draws a variant's slots. Those up to `now` are coloured, and their loads, words and FFMAs are
 * counted.
 * @param {{variant: string, place: number, slots: any[]}} asked
 * @param {number} now
 * @param {number} y
 */
function rowParts({ variant, slots, place }, now, y) {
  const past = slots.slice(0, now + 1),
    ended = now >= slots.length - 1,
    wide = variant === 'both';
  const count = (/** @type {string} */ what) =>
    past.reduce((sum, slot) => sum + Number(slot[what]), 0);
  const said =
    `${count('load')} loads, ${count('words')} words, ${count('ffma')} ` +
    `FFMA${ended ? `: ${slots.length} slots` : ''}`;
  const kindOf = (/** @type {any} */ slot) => (slot.load ? 'accent' : slot.ffma ? 'w1' : 'w3');
  const [x, down, end] = narrow() ? [0, 32, 'start'] : [640, 14, 'end'];
  return [
    ...variantLabel(
      y + 14,
      wide ? 'both: 128-bit loads' : `${variant}: 32-bit loads from shared memory`,
      place,
    ),
    label(x, y + down, said, `strong${ended && wide ? ' good' : ''}`, end),
    ...slots.map((slot, i) =>
      cell(
        (i % across()) * SIZE,
        y + down + 10 + Math.floor(i / across()) * 17,
        SIZE - 2,
        14,
        i <= now ? kindOf(slot) : 'idle',
        slot.text,
      ),
    ),
  ];
}
/** @param {number} y */
const legend = y => [
  cell(0, y - 8, 12, 12, 'accent'),
  label(18, y + 2, narrow() ? 'shared load' : 'load from shared memory'),
  ...[
    cell(0, -8, 12, 12, 'w1'),
    label(18, 2, 'FFMA'),
    cell(80, -8, 12, 12, 'w3'),
    label(98, 2, 'anything else'),
  ].map(one => svg('g', { transform: `translate(${narrow() ? 110 : 214} ${y})` }, one)),
];

/**
 * @param {[string, string]} kernel
 * @param {any} owner
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
      .map(({ variant, slots }) => `${variant}: ${slots[i].text}`)
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
      y += (narrow() ? 42 : 24) + 17 * Math.ceil(one.slots.length / across()) + 22;
    }
    const counts = asked.map(({ variant, slots }) => `${variant} ${slots.length}`).join(', '),
      said = `issue slots: ${counts}`;
    return drawing(narrow() ? 24 * SIZE : 640, y + 10, said, ...parts, ...legend(y));
  }
  return {
    heading: 'One load brings four words and takes one issue slot',
    events,
    draw,
    slow: 60,
    key:
      'A cell is an instruction of a warp, in order, from the first load until 128 FFMAs have ' +
      'started, as many as two k have, N\u00a0=\u00a0128.',
    said: (/** @type {any} */ event) => `slot ${event.slot + 1}: ${event.text}`,
  };
}
