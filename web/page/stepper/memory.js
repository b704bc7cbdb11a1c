// Shows the last request to memory, and shared memory.
import { details, el } from '../dom.js';
import { explained, requestOf } from '../explain.js';
import { figure, requestPicture } from '../draw.js';
import { bit, patternOf } from './pattern.js';
import { grid } from './registers.js';

/** @typedef {import('./state.js').State} State */

const MOST_ROWS = 32; // most rows of shared memory that are shown

/**
 * Returns the last request to memory, drawn and explained.
 * @param {State} state
 */
export function requestShown({ request, last }) {
  if (!request) return [];
  const asked = requestOf(request),
    heading =
      asked.kind === 'shared'
        ? 'The last request to shared memory: one row per wavefront, one column per bank'
        : 'The last request to device memory: lanes (dots) and the 32-byte sectors that they touch';
  const words = explained(asked, /\bST[SG]/.test(last?.text || '')).map(line =>
    el('span', { textContent: `${line} ` }),
  );
  return [figure(heading, requestPicture(asked), ...words)];
}

/** A fold with the rows of shared memory. */
export class Shared {
  constructor() {
    this.said = el('p', { className: 'soft' });
    this.table = el('div');
    this.box = details('Shared memory, one column per bank', this.said, this.table);
  }
  /**
   * Shows the rows that changed or that the last request touched.
   * @param {State} state
   */
  show({ shared, request }) {
    const touched = new Set(
      /^lane,address,phase/.test(request)
        ? requestOf(request).lanes.map(({ address }) => Math.floor(address / 128))
        : [],
    );
    const rows = shared.filter(row => row.changed || touched.has(row.address / 128));
    const shown = (rows.length ? rows : shared.slice(0, 8)).slice(0, MOST_ROWS).map(row => ({
      name: `0x${row.address.toString(16)}`,
      changed: row.changed,
      words: patternOf(row.words, '').written.map((word, bank) =>
        bit(row.unwritten, bank) ? '·' : word,
      ),
    }));
    this.box.hidden = !shown.length;
    this.said.textContent =
      (rows.length ? 'The rows that changed or were just read.' : 'Its first rows.') +
      (shown.some(({ words }) => words.includes('·'))
        ? ' A dot is a word that nothing has written.'
        : '');
    this.table.replaceChildren(grid('shared memory', 'address, bank', shown));
  }
}
