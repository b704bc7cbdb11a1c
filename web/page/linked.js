// What a box shows when it opens: the kernel of a link, or the edit of an earlier visit.
import { MOST_PACKED, unpackText, visible } from './text.js';

/**
 * Returns the kernel in an address: its variant and its packed text, or null. `bad` is true if it
 * has one that cannot be read.
 * @param {string} hash
 */
export function linkedIn(hash) {
  const [, variant, data] =
    (hash.length < MOST_PACKED + 100 && /^#kernel=([\w-]+)\.([\w-]+)$/.exec(hash)) || [];
  return { variant, data, bad: !variant && hash.startsWith('#kernel=') };
}

/**
 * Takes the kernel of the page's address into the box that has it. Returns the kernel; null if the
 * address has none for this box. Throws if it cannot be read.
 * @param {import('./box.js').Box} box
 */
async function linkedKernel(box) {
  const { variant, data, bad } = linkedIn(location.hash),
    given = box.kernels.find(kernel => kernel.variant === variant);
  if (given) {
    given.text = visible((await unpackText(data)).replace(/\r\n?/g, '\n'));
    return given;
  }
  const boxes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.try')),
    known = [...boxes].some(one => (one.dataset.of || '').split(' ').includes(variant || ''));
  // The first box of a page speaks for a link that no box has.
  if ((bad || (variant && !known)) && box.box.id === 'try') throw RangeError('of no box');
  return null;
}

/** @param {import('./box.js').Box} box */
export async function greet(box) {
  let greeting = 'Your edit of an earlier visit is here; Undo all takes it back.',
    edited = box.kernels.find(kernel => kernel.edited),
    linked = false;
  try {
    const given = await linkedKernel(box);
    if (given) {
      [edited, greeting, linked] = [
        given,
        'This kernel came with the link, from whoever made it. Undo all takes it away.',
        true,
      ];
    }
  } catch {
    box.say('The link holds no kernel that can be read.', true);
    linked = true;
  }
  if (linked) box.box.scrollIntoView({ block: 'start' });
  if (!edited) return;
  box.which.value = edited.variant;
  await box.pane.open(edited);
  box.say(greeting);
  if (linked) box.box.scrollIntoView({ block: 'start' });
}
