// Step 05: one instruction, four words. Shows a warp's issue slots for the first k of one tile,
// with loads of 32 and of 128 bits.
import { cell, drawing, label } from '../draw.js';
import { begin, issues } from './trace.js';

/**
 * @param {[string, string]} kernel
 * @param {any} owner
 * @param {string[]} variants
 */
export async function words([step], owner, variants) {
  const [narrow, wide] = [variants.find(one => one === 'global') || variants[0], 'both'];
  const asked = await Promise.all([narrow, wide].map(async variant => {
    const it = await begin([step, variant], 128, owner), [{ issued }] = await issues(it), from = issued.findIndex((/** @type {any} */ span) => span.name.startsWith('LDS'));
    // Shows the time from the first shared load until 128 FFMA are issued: two k.
    const slots = [];
    for (let i = from, ffma = 0; i < issued.length && ffma < 128; i++) { const { name } = issued[i]; slots.push({ name, text: issued[i].args.instruction, load: name.startsWith('LDS'), ffma: name === 'FFMA', words: !name.startsWith('LDS') ? 0 : /\.128/.test(issued[i].args.instruction) ? 4 : 1 }); if (name === 'FFMA') ffma++; }
    return { variant, slots };
  }));
  const most = Math.max(...asked.map(({ slots }) => slots.length)), events = [...Array(most).keys()].map(i => ({ slot: i, cycle: i, warp: 0, text: asked.filter(({ slots }) => slots[i]).map(({ variant, slots }) => `${variant}: ${slots[i].text}`).join('; ') })), ACROSS = 48, SIZE = 13;
  /** @param {number} now */
  function draw(now) {
    const parts = [];
    let y = 0;
    for (const { variant, slots } of asked) {
      const past = slots.slice(0, now + 1), loads = past.filter(slot => slot.load).length, got = past.reduce((sum, slot) => sum + slot.words, 0), ffma = past.filter(slot => slot.ffma).length, ended = now >= slots.length - 1;
      parts.push(label(0, y + 14, variant === 'both' ? 'both: 128-bit loads' : `${variant}: 32-bit loads from shared memory`, 'strong'), label(640, y + 14, `${loads} loads, ${got} words, ${ffma} FFMA${ended ? `: ${slots.length} slots` : ''}`, `strong num${ended && variant === 'both' ? ' good' : ''}`, 'end'));
      slots.forEach((slot, i) => { const shown = i <= now; parts.push(cell(i % ACROSS * SIZE, y + 24 + Math.floor(i / ACROSS) * 17, SIZE - 2, 14, !shown ? 'idle' : slot.load ? 'accent' : slot.ffma ? 'cool' : 'w3', slot.text)); });
      y += 24 + 17 * Math.ceil(slots.length / ACROSS) + 22;
    }
    parts.push(cell(0, y - 8, 12, 12, 'accent'), label(18, y + 2, 'load from shared memory'), cell(214, y - 8, 12, 12, 'cool'), label(232, y + 2, 'FFMA'), cell(294, y - 8, 12, 12, 'w3'), label(312, y + 2, 'anything else'));
    return drawing(640, y + 10, `issue slots: ${asked.map(({ variant, slots }) => `${variant} ${slots.length}`).join(', ')}`, ...parts);
  }
  return { heading: 'One instruction, four words', events, draw, slow: 60, key: 'A cell is an issue slot of a warp, in the order of its trace: from the first shared load until 128 FFMA are issued, N = 128.', said: (/** @type {any} */ event) => `slot ${event.slot + 1}: ${event.text}` };
}
