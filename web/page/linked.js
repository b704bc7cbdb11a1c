// Opens a box with the kernel of a link, or with the reader's edit of an earlier visit.
import { MOST_PACKED, unpackText, visible } from './text.js';

/**
 * Returns the kernel in an address: its variant and its packed text, undefined if there is none.
 * `bad` is true if the address has a kernel in a wrong form.
 * @param {string} hash the address from `#` on
 */
export function linkedIn(hash) {
  const [, variant, data] =
    (hash.length < MOST_PACKED + 100 && /^#kernel=([\w-]+)\.([\w-]+)$/.exec(hash)) || [];
  return { variant, data, bad: !variant && hash.startsWith('#kernel=') };
}

/**
 * Gives the text in the page's address to this box's kernel of that variant. Returns the kernel, or
 * null if the address has no kernel for this box. Throws if the text cannot be read.
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
  // If the link's kernel is in no box, the page's first box reports that.
  if ((bad || (variant && !known)) && box.box.id === 'try') throw RangeError('of no box');
  return null;
}

/**
 * Opens the editor on a kernel from the link or on an earlier edit, if any, and tells the reader.
 * @param {import('./box.js').Box} box
 */
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
