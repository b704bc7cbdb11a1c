// Draws memory requests in the notation of the course: lanes are dots, sectors are cells, banks are
// columns, a wavefront is a row. Stills, sliders, animations and the stepper use these functions.
// The fonts and colours are those of the page (style.css, `.draw`).
import { el, svg } from './dom.js';
import { costOf } from './explain.js';
import { mark, pointing } from './pointing.js';

/** @typedef {import('./explain.js').Request} Request */

/**
 * Returns a picture with these parts. It scales with the page between limits: a wide one ends at
 * the right edge of its place, a high one at that of the text, a small one keeps its letters small.
 * @param {number} width in the units of the parts
 * @param {number} height in the units of the parts
 * @param {string} label the picture in words, for screen readers
 * @param {...Node} parts
 */
export const drawing = (width, height, label, ...parts) =>
  svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'draw',
      preserveAspectRatio: 'xMinYMin meet',
      role: 'img',
      'aria-label': label,
      style:
        `min-width: ${Math.round(0.92 * width)}px; max-width: ` +
        (width < 600 ? `${Math.round(width * 1.35)}px` : height > 0.8 * width ? 'var(--text)' : ''),
    },
    ...parts,
  );
/**
 * Returns a text.
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} [kind] its classes: strong, num, on, axis
 * @param {string} [anchor] the part of the text at x: start, middle, end
 */
export const label = (x, y, text, kind = '', anchor = 'start') =>
  svg(
    'text',
    { x, y, class: kind || null, 'text-anchor': anchor === 'start' ? null : anchor },
    text,
  );
/**
 * Returns a cell, a rectangle. `kind` is its class: idle, A, B, C, lane, w1 to w4, wait
 * (style.css).
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} kind
 * @param {string} [title] a tooltip
 */
export const cell = (x, y, width, height, kind, title) =>
  svg(
    'rect',
    { x, y, width, height, rx: Math.min(3, height / 4), class: kind },
    ...(title ? [svg('title', {}, title)] : []),
  );
/**
 * Returns idle cells as one path, which a browser draws faster than hundreds of rectangles.
 * @param {[number, number][]} places the upper left corner of each cell
 * @param {number} width
 * @param {number} height
 */
function idleCells(places, width, height) {
  // The path's line is 3 wide and has round joins (style.css), which rounds the cells' corners.
  const shape = `h${width - 3}v${height - 3}h${3 - width}z`;
  return svg('path', {
    class: 'idle cells',
    d: places.map(([x, y]) => `M${x + 1.5} ${y + 1.5}${shape}`).join(''),
  });
}
/** The shapes of the variants' marks, equal to those of `.swatch` (style.css). */
const MARKS = [
  'h12v12h-12z',
  'm6 0a6 6 0 0 1 0 12a6 6 0 0 1 0-12z',
  'm6 0l6 12h-12z',
  'm6 0l6 6l-6 6l-6-6z',
  'm0 4h12v4h-12z',
  'h12l-6 12z',
  'm4 0h4v12h-4z',
];
/**
 * Returns a variant's mark, and its name to the right of it.
 * @param {number} y
 * @param {string} text
 * @param {number} place the variant's index in its lesson, from 0
 */
export const variantLabel = (y, text, place) => [
  svg('path', {
    class: 'variant-mark',
    d: `M0 0${MARKS[place % 7]}`,
    transform: `translate(0 ${y - 9})scale(.7)`, // smaller than a lane
  }),
  label(14, y, text, 'strong'),
];
/**
 * Returns a dot, which stands for a lane.
 * @param {number} x
 * @param {number} y
 * @param {number} r radius
 * @param {string} kind
 */
export const dot = (x, y, r, kind) => svg('circle', { cx: x, cy: y, r, class: kind });
/**
 * Returns the class, and so the colour, of the n-th wavefront (from 0).
 * @param {number} n
 */
const wave = n => `w${(n % 4) + 1}`;

/**
 * Returns a figure: title, drawing, caption.
 * @param {string} heading the title
 * @param {Element} drawn
 * @param {...(string|Node)} caption
 */
export function figure(heading, drawn, ...caption) {
  const place = el(
      'div',
      {
        className: 'scrolls',
        tabIndex: 0,
        role: 'region',
        ariaLabel: heading || drawn.getAttribute('aria-label') || 'drawing',
      },
      drawn,
    ),
    said = el('figcaption', {}, ...caption);
  pointing(place, said);
  return el(
    'figure',
    { className: 'figure' },
    ...(heading ? [el('p', { className: 'title', textContent: heading })] : []),
    place,
    ...(caption.length ? [said] : []),
  );
}

/** Returns true in a window as narrow as a telephone. Pictures then have narrower cells. */
export const narrow = () => typeof innerWidth !== 'undefined' && innerWidth < 560;

const LEFT = 62; // x of the first bank, right of the rows' labels
/** Returns the width of a bank or a lane. On a telephone all 32 fit the screen. */
const unit = () => (narrow() ? 8 : 20);
/**
 * Returns the corners of a row's 32 cells.
 * @param {(at: number) => [number, number]} of
 */
const inRow = of => Array.from({ length: 32 }, (_, at) => of(at));
/**
 * Returns a cell's label: its lane, or its number of lanes ("8×").
 * @param {number[]} lanes
 */
const lanesOf = lanes => (lanes.length === 1 ? String(lanes[0]) : `${lanes.length}×`);

/** @typedef {{width: number, height: number, parts: Node[]}} Parts a picture's parts and size */
/**
 * Stacks pictures of a lesson's variants, each below the variant's name and its verdict.
 * @param {{title: string, verdict: string, best?: boolean, picture: Parts, beside?: number, sign?:
 *   number}[]} rows
 *   beside: the width left of the picture's banks, if it has room there for the name; sign: the
 *   variant's index in the lesson, if it is not the row's
 * @param {string} said the pictures in words, for screen readers
 */
export function stacked(rows, said) {
  let y = 0;
  const width = Math.max(...rows.map(({ picture }) => picture.width));
  /** @type {SVGElement[]} */
  const parts = [];
  rows.forEach(({ title, verdict, best, picture, beside, sign }, i) => {
    const [above, below] = beside ? [0, 12] : [22, 18];
    parts.push(
      ...variantLabel(y + 14, title, sign ?? i),
      label(beside || width, y + 14, verdict, best ? 'strong good' : 'strong', 'end'),
      svg('g', { transform: `translate(0 ${y + above})` }, ...picture.parts),
    );
    y += above + picture.height + below;
  });
  return drawing(width, y - 8, said, ...parts);
}

/**
 * Says which lanes a bank serves in a cycle, and which others it serves in other cycles.
 * @param {Request} request
 * @param {number} phase
 * @param {number[]} lanes
 * @param {number[]} banks
 */
function servedIn({ lanes: all }, phase, lanes, banks) {
  const others = all.filter(one => one.phase !== phase && banks.includes(one.first)),
    many = (/** @type {string} */ what, /** @type {number[]} */ list) =>
      `${what}${list.length > 1 ? 's' : ''} ${list.join(', ')}`;
  return (
    `Cycle ${phase + 1}: ${many('bank', banks)} for ${many('lane', lanes)}. ` +
    (others.length
      ? `The ${many('lane', others.map(({ lane }) => lane))} need other words of it.`
      : 'No other lane needs another word there.')
  );
}
/**
 * Draws banks and wavefronts: one column per bank, one row per wavefront. A cell names the lane
 * that is served ("8×": eight lanes that read the same word).
 * @param {Request} request
 * @param {number} [rows] least number of rows, so that pictures side by side have equal heights
 * @param {number} [shown] number of wavefronts served so far; the others stay idle
 * @param {string} [scope] the names of the banks begin with it (pointing.js)
 */
export function banksParts(request, rows = costOf(request), shown = Infinity, scope = '') {
  const BANK = unit(),
    fits = (/** @type {string} */ text, /** @type {number} */ width) =>
      7 * text.replaceAll(', ', ',').length < width;
  /** @type {Map<string, number[]>} */
  const cells = new Map();
  for (const { lane, phase, first, last } of request.lanes) {
    const key = [phase, first, ((last - first + 32) % 32) + 1].join();
    cells.set(key, [...(cells.get(key) || []), lane]);
  }
  const cost = costOf(request),
    parts = [];
  for (let bank = 0; bank < 32; bank += BANK < 20 ? 8 : 4)
    parts.push(label(LEFT + (bank + 0.5) * BANK, 11, String(bank), 'axis', 'middle'));
  parts.push(label(0, 11, 'bank', 'axis'));
  for (let row = 0; row < Math.max(rows, cost); row++) {
    const y = 18 + 22 * row;
    if (row >= cost) continue;
    parts.push(label(0, y + 13, `cycle ${row + 1}`));
    parts.push(idleCells(inRow(bank => [LEFT + bank * BANK, y]), BANK - (BANK < 20 ? 1 : 2), 18));
  }
  for (const [key, lanes] of cells) {
    const [phase, first, wide] = key.split(',').map(Number),
      x = LEFT + first * BANK,
      y = 18 + 22 * phase;
    if (phase >= shown) continue;
    const all = lanes.join(', '),
      said =
        wide > 1 && BANK >= 20 && lanes.length <= 4 && fits(all, wide * BANK)
          ? all
          : lanesOf(lanes);
    const banks = [...Array(wide).keys()].map(i => (first + i) % 32);
    parts.push(
      mark(
        svg(
          'g',
          {},
          cell(x, y, wide * BANK - 2, 18, wave(phase)),
          ...(fits(said, wide * BANK + 4) && (wide > 1 || BANK >= 20)
            ? [label(x + (wide * BANK) / 2 - 1, y + 13, said, `on long${said.length}`, 'middle')]
            : []),
        ),
        [...banks.map(bank => `${scope}b${bank}`), ...lanes.map(lane => `l${lane}`)].join(' '),
        servedIn(request, phase, lanes, banks),
      ),
    );
  }
  return { width: LEFT + 32 * BANK, height: 18 + 22 * Math.max(rows, cost), parts };
}
/**
 * Returns a line that leads to the bet, for a pointer: to a screen reader drawings are images.
 * @param {number} x
 * @param {number} y
 */
export const betLink = (x, y) =>
  Object.assign(label(x, y, 'Bet below: then all is drawn.', 'bets', 'middle'), {
    onclick: () => location.assign('#try'),
  });
/**
 * Returns the placeholder for a picture of banks that would tell the answer to an open bet.
 * @param {number} bank width of a bank
 * @param {number} height
 * @param {string} bet what the reader bets on
 */
export function unknownParts(bank, height, bet) {
  const width = LEFT + 32 * bank,
    middle = height / 2;
  return {
    width,
    height,
    parts: [
      cell(1, 1, width - 4, height - 2, 'wait sheet'),
      label(width / 2, middle - 5, bet, 'strong', 'middle'),
      betLink(width / 2, middle + 15),
    ],
  };
}
/**
 * Draws a request to shared memory.
 * @param {Request} request
 * @param {number} [rows] least number of rows
 */
export function banksPicture(request, rows) {
  const { width, height, parts } = banksParts(request, rows),
    cost = costOf(request);
  return Object.assign(
    drawing(width, height, `${cost} wavefront${cost === 1 ? '' : 's'} over 32 banks`, ...parts),
  );
}

/**
 * Returns the line from a lane down to its sector or bank.
 * @param {number} x
 * @param {number} y
 * @param {number} toX
 * @param {number} toY
 * @param {string} kind
 */
export const wire = (x, y, toX, toY, kind) =>
  svg('path', {
    d: `M${x} ${y}C${x} ${y + 26} ${toX} ${y + 12} ${toX} ${Math.max(y + 34, toY)}`,
    class: `wire ${kind}`,
  });
const TOP = 50; // y of the first row of sectors, below the lanes
/**
 * Returns rows of 32 idle cells, each row a dashed line.
 * @param {number[]} middles y of each row's middle
 * @param {number} size distance of the cells
 * @param {number} high
 */
export const dashes = (middles, size, high) =>
  svg('path', {
    class: 'dashes',
    d: middles.map(y => `M1 ${y}h${32 * size - 2}`).join(''),
    'stroke-width': high,
    'stroke-dasharray': `${size - 2} 2`,
  });
/**
 * Draws lanes and sectors: 32 dots, the sectors in rows of 32 (at most 16 rows), and a line from
 * each dot to its sector.
 * @param {Request} request
 * @param {number} [shown] number of lanes whose sectors are marked
 * @param {number} [least] least number of rows of sectors
 */
function sectorsParts(request, shown = 32, least = 1) {
  const last = Math.max(0, ...request.lanes.map(lane => lane.last)),
    size = unit() < 20 ? 10 : 20,
    gap = size < 20 ? 1 : 2,
    lines = Math.max(least, Math.ceil((last + 1) / 32)),
    parts = [];
  const touched = new Map();
  for (const { lane, first, last: end } of request.lanes)
    if (lane < shown)
      for (let sector = first; sector <= end; sector++)
        touched.set(sector, [...(touched.get(sector) || []), lane]);
  const idle = /** @type {[number, number][]} */ ([]);
  for (let sector = 0; sector < 32 * Math.min(lines, 16); sector++) {
    const lanes = touched.get(sector),
      [x, y] = [gap / 2 + (sector % 32) * size, TOP + 14 * Math.floor(sector / 32)];
    if (lanes) parts.push(cell(x, y, size - gap, 11, 'lane', `lanes ${lanes.join(', ')}`));
    else idle.push([x, y]);
  }
  parts.unshift(idleCells(idle, size - gap, 11));
  const asked = request.lanes.filter(({ lane }) => lane < shown);
  for (const { lane, first } of asked)
    if (first < 32 * Math.min(lines, 16))
      parts.push(
        wire(
          size * (lane + 0.5),
          14,
          size * ((first % 32) + 0.5),
          TOP + 14 * Math.floor(first / 32),
          'lane',
        ),
      );
  for (let lane = 0; lane < 32; lane++)
    parts.push(
      dot(
        size * (lane + 0.5),
        10,
        size * 0.35 + 0.5,
        asked.some(one => one.lane === lane) ? 'lane' : 'idle',
      ),
    );
  return { width: 32 * size, height: TOP + 14 * Math.min(lines, 16), parts };
}
/**
 * Draws lanes, banks and lines: 32 dots, a line from each to its word; a row is a line of 128 bytes
 * that a lane asks for, a column a bank.
 * @param {Request} request
 * @param {number} [shown] number of lanes whose words are marked
 * @param {number} [size] of a column
 * @param {number} [least] least number of rows
 * @param {number} [low] height of a row, if there are many
 * @param {string} [kind] class of the words: their matrix
 */
export function linesParts(
  { lanes },
  shown = 32,
  size = unit() < 20 ? 10 : 20,
  least = 1,
  low = 7,
  kind = 'lane',
) {
  const lineOf = (/** @type {number} */ address) => Math.floor(address / 128),
    lines = [...new Set(lanes.map(({ address }) => lineOf(address)))].sort((a, b) => a - b),
    rows = Math.max(least, lines.length),
    high = rows > 8 ? low : 12,
    place = (/** @type {number} */ address) => [
      size * (Math.floor(address / 4) % 32),
      TOP + high * lines.indexOf(lineOf(address)),
    ];
  const middles = Array.from({ length: rows }, (_, row) => TOP + high * row + (high - 1) / 2);
  const asked = lanes.filter(({ lane }) => lane < shown),
    /** @type {SVGElement[]} */
    parts = [dashes(middles, size, high - 1)];
  for (const { lane, address } of asked) {
    const [x, y] = place(address),
      bank = Math.round(x / size),
      others = asked.filter(
        one => Math.floor(one.address / 4) % 32 === bank && one.address !== address,
      ).length;
    const part = (/** @type {SVGElement} */ drawn) =>
      mark(
        drawn,
        `l${lane}`,
        `Lane ${lane}: bank ${bank} of line ${1 + lines.indexOf(lineOf(address))}. ` +
          `${others || 'No'} other lane${others === 1 ? ' wants' : 's want'} another word of ` +
          'this bank.',
      );
    parts.push(
      mark(wire(size * (lane + 0.5), 14, x + size / 2, y, 'lane'), `l${lane}`),
      part(cell(x + 1, y, size - 2, high - 1, kind)),
      part(dot(size * (lane + 0.5), 10, size * 0.35, 'lane')),
    );
  }
  for (let lane = asked.length; lane < 32; lane++)
    parts.push(dot(size * (lane + 0.5), 10, size * 0.35, 'idle'));
  return { width: 32 * size, height: TOP + high * rows, parts };
}
/**
 * Draws a request to global memory.
 * @param {Request} request
 */
function sectorsPicture(request) {
  const { width, height, parts } = sectorsParts(request);
  return drawing(width, height, `32 lanes touch ${costOf(request)} sectors`, ...parts);
}

/**
 * Draws a request to shared or to global memory.
 * @param {Request} request
 */
export const requestPicture = request =>
  request.kind === 'shared' ? banksPicture(request) : sectorsPicture(request);
