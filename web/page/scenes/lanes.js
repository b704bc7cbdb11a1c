// The animation of step 04: the arrangement of a warp's lanes, and the number of different values
// that they read for one k.
import { cell, dot, drawing, label, narrow, variantLabel } from '../draw.js';
import { svg } from '../dom.js';
import { mark } from '../pointing.js';
import { begin } from './trace.js';
import { memoryOf, requestAt } from './requests.js';

/** @typedef {import('../explain.js').Request} Request */
/**
 * @typedef {{variant: string, rows: number, columns: number, at: {lane: number, row: number,
 *   column: number}[]}} Layout how many values of A (rows) and B (columns) the lanes of a variant
 *   read, and the row and column of each lane
 */
/** @typedef {ReturnType<typeof eventsOf>[0]} Event */
/** Returns sizes: a cell, the gap after it, a dot's radius, x of the lanes, the drawing's width. */
const sizes = () =>
  narrow()
    ? { size: 8, gap: 1, radius: 3.6, left: 36, width: 330 }
    : { size: 18, gap: 1, radius: 6.5, left: 52, width: 664 };
/**
 * Draws the lanes of a layout, the values of A at their left, and those of B above. Values that
 * were read so far are coloured.
 * @param {Layout} layout
 * @param {Event & {past: boolean, current: boolean, done: boolean}} at the event; `current`: it
 *   belongs to this layout; `past`: to a later layout
 * @param {number} top y
 */
function lanesParts({ variant, rows, columns, at: places }, at, top) {
  const row = at.past ? rows : at.current ? at.row : -1,
    column = at.past ? columns : at.current ? at.column : -1;
  const { size, gap, radius, left } = sizes(),
    one = size + gap,
    down = one + 1,
    /** @type {SVGElement[]} */
    parts = [label(0, top - 10, 'B'), label(0, top + size / 2 + 5, 'A')];
  const kind = (
    /** @type {boolean} */ read,
    /** @type {boolean} */ now,
    /** @type {string} */ colour,
  ) => (!read ? 'idle' : at.current && now ? 'ink' : colour);
  const serves = (/** @type {number} */ lanes) =>
    `is read once for ${lanes === 1 ? 'one lane' : `${lanes} lanes, which share it`}.`;
  for (let r = 0; r < rows; r++)
    parts.push(
      mark(
        cell(
          left - size - 10,
          top + r * down,
          size,
          size,
          kind(r <= row, r === at.row && at.column < 0, 'w1'),
        ),
        `${variant}a${r}`,
        `${variant}: value ${r + 1} of A ${serves(columns)}`,
      ),
    );
  for (let c = 0; c < columns; c++)
    parts.push(
      mark(
        cell(left + c * one, top - size - 6, size, size, kind(c <= column, c === at.column, 'w2')),
        `${variant}b${c}`,
        `${variant}: value ${c + 1} of B ${serves(rows)}`,
      ),
    );
  for (const place of places) {
    const served =
        at.current && (at.column < 0 ? place.row === at.row : place.column === at.column),
      fed = at.done || (place.row <= row && place.column <= column);
    parts.push(
      mark(
        dot(
          left + place.column * one + size / 2,
          top + place.row * down + size / 2,
          radius,
          served ? 'accent' : fed ? 'variant-mark' : 'idle',
        ),
        `${variant}a${place.row} ${variant}b${place.column} lane${place.lane}`,
        `Lane ${place.lane} of ${variant} reads value ${place.row + 1} of A with its row, and ` +
          `value ${place.column + 1} of B with its column.`,
      ),
    );
  }
  return parts;
}

/**
 * Returns how often the address changes from lane to lane.
 * @param {Request} request
 */
const changes = request =>
  request.lanes.filter(
    (lane, i) =>
      i && lane.address !== request.lanes[i - 1].address,
  ).length;
/**
 * Returns the different addresses, sorted.
 * @param {Request} request
 */
const distinct = request =>
  [...new Set(request.lanes.map(lane => lane.address))].sort((x, y) => x - y);
/**
 * Returns a variant's layout.
 * @param {string} step
 * @param {string} variant
 * @param {object} owner
 */
async function layoutOf(step, variant, owner) {
  const it = await begin([step, variant], 64, owner);
  const found = await memoryOf(it, /^LDS/, 2);
  const [one, two] = await Promise.all(
    found.map(each => requestAt(it, each.address)),
  );
  // The address in B changes from lane to lane; that in A is equal along a row of lanes.
  const [a, b] = changes(one) < changes(two) ? [one, two] : [two, one];
  const rows = distinct(a),
    columns = distinct(b);
  const at = a.lanes.map((lane, i) => ({
    lane: lane.lane,
    row: rows.indexOf(lane.address),
    column: columns.indexOf(b.lanes[i].address),
  }));
  return { variant, rows: rows.length, columns: columns.length, at };
}
/**
 * Returns an event for each value that is read: first those of A, then those of B.
 * @param {Layout} layout
 * @param {number} which the layout's index
 */
function eventsOf({ variant, rows, columns }, which) {
  const cycle = 100 * which;
  return [
    ...[...Array(rows).keys()].map(i => ({
      which,
      variant,
      row: i,
      column: -1,
      cycle: cycle + i,
      warp: 0,
    })),
    ...[...Array(columns).keys()].map(i => ({
      which,
      variant,
      row: rows - 1,
      column: i,
      cycle: cycle + rows + i,
      warp: 0,
    })),
  ];
}

/**
 * Returns the places of layouts: each beside the one before it, if there is room.
 * @param {Layout[]} asked
 */
function placed(asked) {
  const { size, left, width } = sizes();
  let x = 0,
    y = 0,
    high = 0; // of the row of layouts
  const places = asked.map(({ rows, columns }) => {
    const wide = Math.max(left + columns * (size + 1), narrow() ? width : 230);
    if (x + wide > width) [x, y, high] = [0, y + high, 0];
    const place = { x, y, wide };
    x += wide + 52;
    high = Math.max(high, 72 + rows * (size + 2));
    return place;
  });
  return { places, width, height: y + high - 16 };
}

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 * @param {string[]} variants
 */
export async function lanes([step], owner, variants) {
  const asked = await Promise.all(variants.map(variant => layoutOf(step, variant, owner)));
  const events = asked.flatMap(eventsOf);
  /** @param {number} now */
  function draw(now) {
    const at = events[now],
      { places, width, height } = placed(asked),
      /** @type {SVGElement[]} */
      parts = [];
    asked.forEach((one, i) => {
      const { variant, rows, columns } = one,
        { x, y, wide } = places[i],
        done = i < at.which || (i === at.which && at.column === columns - 1);
      const said = done ? `${rows} + ${columns} = ${rows + columns} values` : '';
      parts.push(
        svg(
          'g',
          { transform: `translate(${x} ${y})` },
          ...variantLabel(14, variant, i),
          label(wide, 14, said, 'strong', 'end'),
          ...lanesParts(one, { ...at, past: i < at.which, current: i === at.which, done }, 46),
        ),
      );
    });
    return drawing(
      width,
      height,
      asked.map(one => `${one.variant}: ${one.rows + one.columns} values`).join(', '),
      ...parts,
    );
  }
  return {
    heading: 'How many different values do 32 lanes read, in three arrangements?',
    events,
    draw,
    hint: 'Point at a lane, or at a value.',
    slow: 110,
    key:
      'Dots are the lanes of a warp, as they stand over the elements of C. A value of A, at ' +
      'the left, goes to all lanes of its row; one of B, above, to all of its column. Shown is ' +
      'one of each lane’s eight rows and columns, for one k. In all there are eight times as ' +
      'many values: 8 × 18 = 144 with lanes 2 × 16, and 8 × 12 = 96 with 4 × 8.',
    said: (/** @type {Event} */ event) => {
      const { rows, columns } = asked[event.which];
      return event.column < 0
        ? `${event.variant}: value ${event.row + 1} of A serves ${columns} lanes at once`
        : `${event.variant}: value ${event.column + 1} of B serves ${rows} ` +
            `lane${rows === 1 ? '' : 's'} at once`;
    },
  };
}
