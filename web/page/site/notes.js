// Notes: the meaning of a word of the vocabulary beside its first use, if the window is wide enough
// (style.css). The word's bubble (tips.js) has the same text.
import { el } from '../dom.js';
import { meaningOf } from './tips.js';

const MOST = 190, // letters; a longer meaning gets no note
  FAR = 140; // pixels; a note that would stand farther below its word is hidden

/** Puts the notes of a lesson into its margin. */
export function notes() {
  const main = document.querySelector('.lesson main, .evidence main');
  if (!main || typeof TERMS === 'undefined') return;
  const known = new Set();
  /** @type {{term: HTMLElement, note: HTMLElement}[]} */
  const found = [];
  for (const term of /** @type {NodeListOf<HTMLElement>} */ (
    main.querySelectorAll('main > p .term, main > ul .term, main > ol .term')
  )) {
    const said = meaningOf(term, TERMS),
      [name, ...rest] = said.split(': '),
      meaning = rest.join(': ');
    if (!said || known.has(meaning) || meaning.length > MOST) continue;
    known.add(meaning);
    found.push({
      term,
      note: el(
        'aside',
        { className: 'note' },
        el('b', { textContent: `${name.replace(/^[a-z]/, letter => letter.toUpperCase())}. ` }),
        meaning,
      ),
    });
  }
  main.append(...found.map(({ note }) => note));
  const settle = () => {
    if (!found.length || !found[0].note.offsetParent) return;
    const top = main.getBoundingClientRect().top,
      placed = found.map(({ term, note }) => ({
        note,
        wanted: term.getBoundingClientRect().top - top - 2,
        y: 0,
        height: note.offsetHeight,
      }));
    // What is wider than the text stands in the way of notes beside the text.
    const { left } = found[0].note.getBoundingClientRect(),
      walls = [...main.querySelectorAll('main > :not(.note, .answer, .table), .answer > *, table')]
        .map(part => part.getBoundingClientRect())
        .filter(wall => wall.right > left);
    let free = 0;
    for (const one of placed) {
      one.y = Math.max(one.wanted, free);
      for (const wall of walls)
        if (wall.top - top - 12 < one.y + one.height && one.y < wall.bottom - top)
          one.y = wall.bottom - top + 18;
      const fits = one.y - one.wanted <= FAR;
      one.note.style.visibility = fits ? '' : 'hidden';
      if (!fits) continue;
      one.note.style.top = `${one.y}px`;
      free = one.y + one.height + 18;
    }
  };
  new ResizeObserver(settle).observe(main); // calls settle() now, and when the size changes
}
