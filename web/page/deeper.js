// Shows the details below a run's comparison: where the time goes, and a listing of the
// instructions. A click on a memory instruction draws its first request.
import { el, scrolled } from './dom.js';
import { clean, number } from './text.js';
import { asJson, decoded, isOff, reason, records } from './programs.js';
import { listingOf, predictedOf, predictedTime } from './results.js';
import { explained, requestOf } from './explain.js';
import { figure, requestPicture } from './draw.js';
import { inspect } from './inspecting.js';
import { openTabs } from './tabs.js';

/** @typedef {import('./running.js').At} At */
/** @typedef {ReturnType<typeof import('./programs.js').programsOf>} Programs */
/**
 * @typedef {object} Owner what the details call in their box
 * @property {(at: At) => Programs} programs returns the functions that run a kernel
 * @property {(at: At) => string[]} limited returns options that limit an edited kernel's
 *   instructions
 * @property {(at: At, warp: number, cycle: number) => void} stepTo opens the stepper there
 * @property {() => void} draw draws the comparison again
 */

/**
 * Returns the table of a kernel's instructions, in a box that scrolls. A memory instruction is a
 * link that draws its first request.
 * @param {string} name the kernel's
 * @param {ReturnType<typeof listingOf>} listing
 * @param {(event: Event, address: string, opcode: string) => void} picture
 */
function eachTable(name, { heads, rows }, picture) {
  const cells = ['instruction', 'address', ...heads].map(textContent =>
      el('th', { scope: 'col', textContent }),
    ),
    lines = rows.flatMap(({ source, address, instruction, opcode, values }) => [
      ...(source ? [el('tr', {}, el('td', { colSpan: cells.length, textContent: source }))] : []),
      el(
        'tr',
        {},
        el(
          'th',
          { scope: 'row' },
          opcode
            ? el('a', {
                href: '#',
                textContent: instruction,
                ariaLabel: `${instruction}: draw its first request`,
                onclick: (/** @type {Event} */ event) => picture(event, address, opcode),
              })
            : instruction,
        ),
        ...[`0x${address}`, ...values.map(value => (value === null ? '' : number(value)))].map(
          textContent => el('td', { textContent }),
        ),
      ),
    ]);
  const box = scrolled(
    `instructions of ${name}`,
    el('table', { className: 'each' }, el('thead', {}, el('tr', {}, ...cells)),
      el('tbody', {}, ...lines)),
  );
  box.classList.add('listing');
  return box;
}

export class Deeper {
  /**
   * @param {HTMLElement} place
   * @param {import('./tabs.js').Tab[]} variants in the order of their tabs
   * @param {Owner} box
   */
  constructor(place, variants, box) {
    this.place = place;
    this.box = box;
    this.times = openTabs('Where the time goes: up to 4,000 cycles of a scheduler', variants);
    this.listings = openTabs(
      'Each instruction and its counts; choose a memory instruction to see its first request',
      variants,
    );
    place.append(this.times.fold, this.listings.fold);
  }

  /**
   * Predicts a kernel's time, puts it into the kernel's column, and adds a tab with the timeline.
   * @param {At} at
   */
  async time(at) {
    const run = await this.box
      .programs(at)
      .simrun(
        [
          ...'--time --stalls --timeline t.json --cycles 2000,4000'.split(' '),
          ...asJson('simrun', 'r.json'),
        ],
        ['t.json', 'r.json'],
      );
    if (run.status)
      return void this.place.append(
        el('p', {
          className: 'soft',
          textContent: `${at.name}: No time is predicted. ${clean(run.err)}`,
        }),
      );
    const all = records(decoded(run.files['r.json']));
    at.column.milliseconds = predictedTime(all);
    for (const [name, value] of predictedOf(all, run.out)) at.column.here?.set(name, value);
    if (this.place.isConnected) this.box.draw();
    const trace = run.files['t.json'],
      stalls = clean(run.out).split('\n').slice(1).join('\n');
    if (!trace) return;
    this.times.add(at.name, part => {
      const { fold } = this.times,
        draw = () => this.timeline(at, part, decoded(trace), stalls);
      if (fold.open) draw();
      else fold.addEventListener('toggle', draw, { once: true });
    });
  }
  /**
   * Draws a timeline, and the same as a table, when its fold is first opened.
   * @param {At} at
   * @param {HTMLElement} part
   * @param {string} trace
   * @param {string} stalls
   */
  async timeline(at, part, trace, stalls) {
    try {
      const { timelinePicture } = await inspect(),
        go = (/** @type {number} */ warp, /** @type {number} */ cycle) =>
          this.box.stepTo(at, warp, cycle);
      part.append(timelinePicture(trace, stalls, go));
    } catch (failed) {
      part.append(el('p', { className: 'bad', textContent: `No timeline: ${reason(failed)}` }));
    }
  }

  /**
   * Adds a tab with a kernel's instructions.
   * @param {At} at
   */
  listing(at) {
    return this.listings.add(at.name, part => this.fill(at, part));
  }
  /**
   * Fills a tab with a kernel's instructions and their counts, and scrolls to the main loop.
   * @param {At} at
   * @param {HTMLElement} part
   */
  async fill(at, part) {
    const run = await this.box
        .programs(at)
        .simrun([...this.box.limited(at), '--per-line', ...asJson('simrun', 'r.json')], ['r.json']),
      drawing = el('div');
    if (isOff(run) || !part.isConnected) return;
    const picture = (
      /** @type {Event} */ event,
      /** @type {string} */ address,
      /** @type {string} */ opcode,
    ) => {
      event.preventDefault();
      this.request(at, drawing, address, opcode);
    };
    const all = listingOf(records(decoded(run.files['r.json'])));
    const table = eachTable(at.name, all, picture),
      { fold } = this.listings,
      toLoop = () => {
        const rows = table.querySelectorAll('th'),
          [head, row] = [0, all.heads.length + 2 + all.loop].map(i =>
            rows[i].getBoundingClientRect(),
          );
        if (all.loop > 0) table.scrollTop += row.top - head.bottom;
      };
    part.append(drawing, table);
    if (fold.open) toLoop();
    else fold.addEventListener('toggle', toLoop, { once: true });
  }
  /**
   * Draws and explains an instruction's first request.
   * @param {At} at
   * @param {HTMLElement} drawing the element that gets the drawing
   * @param {string} address in hexadecimal
   * @param {string} opcode
   */
  async request(at, drawing, address, opcode) {
    const drawn = await this.box
        .programs(at)
        .simrun(['--picture', address, '--picture-file', 'p.csv'], ['p.csv']),
      csv = drawn.files['p.csv'];
    if (!csv) return void drawing.replaceChildren(el('p', { textContent: drawn.err }));
    const request = requestOf(decoded(csv));
    drawing.replaceChildren(
      figure(
        `${opcode} at 0x${address}: the first request of a warp`,
        requestPicture(request),
        ...explained(request, /^ST/.test(opcode)).map(line =>
          el('span', { textContent: `${line} ` }),
        ),
      ),
    );
    drawing.scrollIntoView({ block: 'nearest' });
  }
}
