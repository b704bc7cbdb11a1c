// The animation of step 03: each value in a register is used eight times. It shows a thread's loads
// and FFMAs of one k in issue order.
import { svg } from '../dom.js';
import { cell, drawing, label, narrow } from '../draw.js';
import { mark } from '../pointing.js';
import { begin, issues } from './trace.js';

/** @typedef {{name: string, offset: number, base: string, at: number}} Value */
/** @typedef {Value & {key: string}} Loaded key: its register and version */
/** @typedef {{a: Loaded[], b: Loaded[], group: {x: string, y: string, span: Span}[]}} Product */
/** @typedef {ReturnType<typeof eventsOf>[0]} Event */

/**
 * Returns the first k whose 64 products are complete: `a` and `b`, its loaded values by address,
 * and `group`, its FFMAs in issue order.
 * @param {Span[]} issued
 * @returns {Product}
 */
function firstProduct(issued) {
  /** @type {Map<string, number>} */
  const version = new Map();
  /** @type {Map<string, Value>} */
  const values = new Map();
  /** @type {{x: string, y: string, span: Span}[]} */
  const products = [];
  for (const span of issued) {
    const text = span.args.instruction,
      load = /^LDS(\.\d+)? R(\d+), \[([^\]]*)\]/.exec(text),
      product = /^FFMA R(\d+), R(\d+)(?:\.reuse)?, R(\d+)(?:\.reuse)?, R(\d+)/.exec(text);
    if (load)
      for (let i = 0; i < (load[1] === '.128' ? 4 : load[1] === '.64' ? 2 : 1); i++) {
        const register = `R${Number(load[2]) + i}`,
          next = (version.get(register) || 0) + 1,
          [base] = load[3].split('+');
        version.set(register, next);
        values.set(`${register}v${next}`, {
          name: register,
          offset: (parseInt((/0x[0-9a-f]+$/.exec(load[3]) || ['0'])[0], 16) || 0) + 4 * i,
          base,
          at: span.ts,
        });
      }
    if (product) {
      const [x, y] = [product[2], product[3]].map(
        register => `R${register}v${version.get(`R${register}`) || 0}`,
      );
      if (values.has(x) && values.has(y)) products.push({ x, y, span });
    }
  }
  // Groups the products by k: values that are multiplied with each other belong to the same k.
  /** @type {Map<string, string>} */
  const parent = new Map();
  const root = (/** @type {string} */ one) => {
    let at = one;
    while (parent.has(at) && parent.get(at) !== at) at = /** @type {string} */ (parent.get(at));
    return at;
  };
  for (const { x, y } of products) parent.set(root(x), root(y));
  /** @type {Map<string, typeof products>} */
  const groups = new Map();
  for (const one of products) {
    const key = root(one.x);
    groups.set(key, [...(groups.get(key) || []), one]);
  }
  for (const group of groups.values()) {
    const names = [...new Set(group.flatMap(({ x, y }) => [x, y]))];
    if (group.length !== 64 || names.length !== 16) continue;
    const first = names[0],
      other = new Set(group.flatMap(({ x, y }) => (x === first ? [y] : y === first ? [x] : []))),
      sides = [names.filter(name => !other.has(name)), names.filter(name => other.has(name))];
    const ordered = sides.map(side =>
      side
        .map(name => ({ key: name, .../** @type {Value} */ (values.get(name)) }))
        .sort((a, b) => a.offset - b.offset),
    );
    // The values of B are a row of Bs, 4 bytes apart; those of A are a column of As, rows apart.
    const [a, b] =
      ordered[0][1].offset - ordered[0][0].offset === 4 ? [ordered[1], ordered[0]] : ordered;
    return { a, b, group };
  }
  throw Error('the trace holds no complete k');
}

/**
 * Returns the loads and FFMAs of one k as events, in issue order.
 * @param {Product} product
 * @param {number} warp
 */
function eventsOf({ a, b, group }, warp) {
  const indexOf = (/** @type {Loaded[]} */ list, /** @type {string[]} */ ...[x, y]) =>
    list.findIndex(one => one.key === x || one.key === y);
  const loads = (/** @type {string} */ side, /** @type {Loaded[]} */ list) =>
    list.map((one, i) => ({
      what: 'load',
      side,
      i,
      j: 0,
      cycle: one.at,
      warp,
      text: `LDS ${one.name}`,
    }));
  const products = group.map(({ x, y, span }) => ({
    what: 'ffma',
    side: '',
    i: indexOf(a, x, y),
    j: indexOf(b, x, y),
    cycle: span.ts,
    warp,
    text: span.args.instruction,
  }));
  return [...loads('a', a), ...loads('b', b), ...products].sort(
    (one, two) => one.cycle - two.cycle,
  );
}
/** Returns the sizes of the grid: x of the values of A, x of the first sum, a column's width. */
const sizes = () => (narrow() ? [0, 42, 36] : [0, 62, 54]);
/**
 * Draws the values of A and B and the 64 sums, and marks those of the event `at`: the two values
 * of an FFMA reach across the grid to their sum.
 * @param {Event[]} past
 * @param {Event} at
 */
function gridParts(past, at) {
  const isFfma = at.what === 'ffma',
    [first, left, wide] = sizes(),
    parts = [];
  const has = (/** @type {string} */ side, /** @type {number} */ i) =>
    past.some(event => event.what === 'load' && event.side === side && event.i === i);
  const focus = (/** @type {string} */ side, /** @type {number} */ i) =>
    isFfma ? (side === 'a' ? at.i : at.j) === i : at.side === side && at.i === i;
  const value = (
    /** @type {string} */ side,
    /** @type {number} */ i,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ kind,
  ) => [
    mark(
      cell(x, y, wide - 4, 22, has(side, i) ? `${kind}${focus(side, i) ? ' now' : ''}` : 'idle'),
      `${side}${i}`,
      `${side}${i} is loaded into a register once, and eight FMAs use it: a whole ` +
        `${side === 'a' ? 'row' : 'column'} of sums.`,
    ),
    label(x + wide / 2 - 2, y + 15, `${side}${i}`, has(side, i) ? 'on' : '', 'middle'),
  ];
  const sum = (/** @type {number} */ i, /** @type {number} */ j) => {
    if (isFfma && at.i === i && at.j === j) return 'C now';
    return past.some(event => event.what === 'ffma' && event.i === i && event.j === j)
      ? 'C'
      : 'idle';
  };
  for (let i = 0; i < 8; i++) {
    parts.push(
      ...value('a', i, first, 34 + i * 26, 'A'),
      ...value('b', i, left + i * wide, 0, 'B'),
    );
    for (let j = 0; j < 8; j++)
      parts.push(
        mark(
          cell(left + j * wide, 34 + i * 26, wide - 4, 22, sum(i, j)),
          `a${i} b${j}`,
          `C[${i}][${j}] += a${i} · b${j}: its row shares a${i}, its column b${j}.`,
        ),
      );
  }
  if (isFfma) {
    const [x, y] = [left + (at.j + 0.5) * wide - 2, 45 + at.i * 26];
    parts.push(svg('path', { class: 'cross', d: `M${first + wide} ${y}H${x}M${x} 24V${y}` }));
  }
  return parts;
}
/**
 * @param {Event[]} events
 * @param {number} now
 */
function drawProduct(events, now) {
  const past = events.slice(0, now + 1),
    done = past.filter(event => event.what === 'ffma').length,
    loads = past.length - done;
  const [x, y] = narrow() ? [0, 276] : [524, 60],
    down = narrow() ? 0 : 58,
    across = narrow() ? 112 : 0,
    counts = [
      [`${loads}`, loads === 1 ? 'load' : 'loads'],
      [`${done}`, 'FMAs'],
      [loads ? (done / loads).toFixed(1) : '–', 'FMAs per load'],
    ];
  return drawing(
    narrow() ? 330 : 610,
    narrow() ? 304 : 243,
    `the outer product of one k: ${done} of 64 FMAs after ${loads} loads`,
    svg('g', { transform: 'translate(1.5 1.5)' }, ...gridParts(past, events[now])),
    ...counts.flatMap(([number, unit], i) => [
      label(x + i * across, y + i * down, number, 'big'),
      label(x + i * across, y + i * down + 18, unit),
    ]),
  );
}

/**
 * @param {[string, string]} kernel
 * @param {object} owner
 */
export async function outer(kernel, owner) {
  const [{ issued, warp }] = await issues(await begin(kernel, 128, owner));
  const events = eventsOf(firstProduct(issued), warp);
  const draw = (/** @type {number} */ now) => drawProduct(events, now);
  return {
    heading: 'A thread loads 16 values, and uses each eight times',
    events,
    draw,
    slow: 90,
    key:
      'A thread computes its 8 × 8 elements of C for one k: values of A at the left, of B ' +
      `above, in the order of the machine code (${kernel[1]}, warp ${warp}, N = 128). One ` +
      'element per thread: 2 loads, 1 FMA.',
    hint: 'Point at an element of C, or at a value.',
    said: (/** @type {Event} */ { cycle, what, text, i, j, side }) =>
      `cycle ${cycle}: ` +
      (what === 'load' ? `${side}${i} is loaded` : `C[${i}][${j}] += a${i} · b${j}`) +
      ` (${text.replace(/ ;$/, '')})`,
  };
}
