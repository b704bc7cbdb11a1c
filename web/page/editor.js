// Puts CodeMirror 6 over a text area with machine code. web/site/build.sh bundles this file with
// CodeMirror, if that is installed, and puts the table OPCODES (sasskit/isa/opcodes.def) in front.
// The page loads the bundle at the first edit, and still reads and writes the text area.
import {
  basicSetup,
  codeFolding,
  Decoration,
  EditorSelection,
  EditorState,
  EditorView,
  foldedRanges,
  foldEffect,
  gutter,
  GutterMarker,
  hoverTooltip,
  lineNumbers,
  StateEffect,
  StateField,
  unfoldEffect,
  ViewPlugin,
} from 'codemirror';
import { el } from './dom.js';
import { helpOf, opcodeOf } from './opcodes.js';
import { isInstruction } from './text.js';
import { between } from './diff.js';
import { tokens } from './tokens.js';
import { controlSaid } from './stepper/words.js';

/** @typedef {import('codemirror').State} State */
/** @typedef {import('codemirror').Doc} Doc */
/** @typedef {import('codemirror').Update} Update */
/** @typedef {import('codemirror').EffectKind} EffectKind */
/** @typedef {import('codemirror').Field<import('codemirror').Marks>} Field marked lines */
/** @typedef {[line: number, mark: import('codemirror').Mark]} LineMark `line` is from 0 */

// --- colours
const COLOURS = Object.fromEntries(
  'comment predicate reuse label constant register number control directive opcode'
    .split(' ')
    .map(kind => [kind, Decoration.mark({ class: `sass-${kind}` })]),
);
const MOST_COLOURED = 2000; // characters; the rest of a longer line stays uncoloured
/**
 * Returns the colours of the visible lines.
 * @param {EditorView} view
 */
function coloured(view) {
  const marks = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      for (const token of tokens(line.text.slice(0, MOST_COLOURED)))
        marks.push(COLOURS[token.kind].range(line.from + token.from, line.from + token.to));
      at = line.to + 1;
    }
  }
  return Decoration.set(marks);
}
const colours = ViewPlugin.fromClass(
  class {
    /** @param {EditorView} view */
    constructor(view) {
      this.decorations = coloured(view);
    }
    /** @param {Update} update */
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = coloured(update.view);
    }
  },
  { decorations: plugin => plugin.decorations },
);

// --- marks of lines, which move with the text

/** Returns a new kind of mark: a field with its marked lines, and an effect that replaces them. */
function marks() {
  const set = StateEffect.define(),
    field = StateField.define({
      create: () => Decoration.none,
      update: (value, change) =>
        change.effects.reduce(
          (now, effect) => (effect.is(set) ? effect.value : now),
          value.map(change.changes),
        ),
      provide: it => EditorView.decorations.from(it),
    });
  return { set, field };
}
const LIT = marks(), // highlighted lines
  TINTS = marks(), // colours by source line
  NOTES = marks(), // lines with reports
  EDITS = marks(); // lines that the reader changed
const lineMark = (/** @type {string} */ name, title = '') =>
  Decoration.line({ class: name, ...(title ? { attributes: { title }, words: title } : {}) });
class Marker extends GutterMarker {
  /**
   * @param {string} kind its class
   * @param {string} sign
   * @param {string} words
   */
  constructor(kind, sign, words) {
    super();
    this.kind = kind;
    this.sign = sign;
    this.words = words;
  }
  /** @param {Marker} other */
  eq(other) {
    return other.words === this.words && other.kind === this.kind;
  }
  toDOM() {
    const { kind, sign, words } = this;
    return el('span', { className: kind, textContent: sign, title: words });
  }
}
/**
 * Returns a margin with a sign at each line that has a mark of one kind.
 * @param {string} name the margin's class
 * @param {{field: Field}} marked
 * @param {string} sign
 */
const margin = (name, marked, sign) =>
  gutter({
    class: name,
    lineMarkerChange: update =>
      update.startState.field(marked.field) !== update.state.field(marked.field),
    lineMarker(view, line) {
      /** @type {Marker|null} */
      let found = null;
      view.state.field(marked.field).between(line.from, line.from, (_from, _to, mark) => {
        const { words, kind = 'bad' } = mark.spec;
        if (words) found = new Marker(kind, sign, words);
      });
      return found;
    },
  });

// The address of each line's instruction, for the line numbers; -1: the line has no instruction.
// Empty if the text has .for, .if or .macro, since a line may then make several instructions.
const addresses = StateField.define({
  create: state => addressesOf(state.doc),
  update: (value, change) => (change.docChanged ? addressesOf(change.newDoc) : value),
});
/** @param {Doc} doc */
function addressesOf(doc) {
  const lines = doc.toString().split('\n');
  let next = 0;
  return lines.some((line) => /^\s*\.(for|if|macro)/.test(line))
    ? []
    : lines.map((line) => (isInstruction(line) ? 16 * next++ : -1));
}
const numbers = lineNumbers({
  formatNumber(number, state) {
    // No room for addresses. (Firefox refuses matchMedia() in a page that is being left.)
    if (innerWidth <= 768) return String(number);
    const known = state.field(addresses, false) || [],
      at = known[number - 1] ?? -1;
    const address =
      at >= 0 ? `0x${at.toString(16).padStart(4, '0')}` : known.length ? '\u00a0'.repeat(6) : '';
    return `${number} ${address}`; // each address is padded to one width
  },
});

// --- folds, which hide the code outside the main loop or far from a report's places
const folding = codeFolding({
  preparePlaceholder: (state, { from, to }) =>
    `${state.doc.lineAt(to).number - state.doc.lineAt(from).number + 1} lines are folded: ` +
    'show them',
  placeholderDOM: (_view, onclick, words) =>
    el('button', { type: 'button', className: 'fold', textContent: words, onclick }),
});
/**
 * Returns effects that unfold the text between two positions.
 * @param {State} state
 * @param {number} [from]
 * @param {number} [to]
 */
function unfolded(state, from = 0, to = state.doc.length) {
  /** @type {import('codemirror').Effect[]} */
  const effects = [];
  foldedRanges(state).between(from, to, (start, end) => {
    effects.push(unfoldEffect.of({ from: start, to: end }));
  });
  return effects;
}

// --- help
/**
 * Offers what can follow while an opcode or a jump's label is being typed; otherwise returns null.
 * Besides the opcodes there are those of the text with their modifiers.
 * @param {{state: State, pos: number}} context
 */
function completions(context) {
  const { doc } = context.state,
    line = doc.lineAt(context.pos),
    before = line.text.slice(0, context.pos - line.from),
    label = /\.[\w.]*$/.exec(before),
    word = /[A-Z][\w.]*$/.exec(before);
  const letters = (/** @type {string} */ of) => [...new Set(of)].sort().join();
  /** @type {(index: number, options: {label: string, detail: string}[]) => object} */
  const result = (index, options) => {
    const typed = before.slice(index),
      fits = (/** @type {string} */ label) =>
        label.startsWith(typed) || letters(label) === letters(typed);
    // the editor's own filter finds FMAA in HFMA2.MMA, and not in FFMA
    return {
      from: line.from + index,
      filter: false,
      options: options.filter(({ label }) => fits(label)),
    };
  };
  if (label && /\bBRA\b.*[(\s]$/.test(before.slice(0, label.index)))
    return result(
      label.index,
      [...doc.toString().matchAll(/^\s*(\.L_\w+):/gm)].map(([, name]) => ({
        label: name,
        detail: 'a label of this kernel',
      })),
    );
  if (!word || opcodeOf(before) !== word[0]) return null;
  const here = new Set([...doc.iterLines()].map(one => opcodeOf(one) || '')),
    known = Object.entries(OPCODES).map(([label, detail]) => ({ label, detail })),
    more = [...here].filter(one => one.includes('.') && one !== word[0] && !(one in OPCODES));
  return result(word.index, [
    ...known,
    ...more.map(label => ({ label, detail: 'as elsewhere in this kernel' })),
  ]);
}
/** Shows the meaning of the opcode or the control column under the pointer. */
const hover = hoverTooltip((view, at) => {
  const line = view.state.doc.lineAt(at),
    word = tokens(line.text).find(
      ({ from, to, kind }) =>
        /opcode|control/.test(kind) && line.from + from <= at && at <= line.from + to,
    );
  if (!word) return null;
  const name = line.text.slice(word.from, word.to),
    said = word.kind === 'control' ? controlSaid(name) : helpOf(name);
  return said
    ? {
        pos: line.from + word.from,
        end: line.from + word.to,
        above: true,
        create: () => ({ dom: el('div', { className: 'opcode-help', textContent: said }) }),
      }
    : null;
});

/**
 * Puts the editor over a text area of the page. Returns the functions to use it with.
 * @param {HTMLTextAreaElement} area
 * @param {(line: number) => void} [moved] called with the cursor's line, from 0
 */
function addEditor(area, moved) {
  const written = /** @type {() => void} */ (area.oninput),
    help = el('p', { className: 'help' });
  let at = -1;
  const listener = EditorView.updateListener.of(update => {
    if (update.docChanged) {
      area.value = update.state.doc.toString();
      written();
    }
    if (!update.docChanged && !update.selectionSet) return;
    const line = update.state.doc.lineAt(update.state.selection.main.head);
    help.textContent = helpOf(opcodeOf(line.text));
    if (line.number - 1 !== at) moved?.((at = line.number - 1));
  });
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      extensions: [
        addresses,
        margin('notes', NOTES, '!'),
        numbers,
        margin('edits', EDITS, ''),
        folding,
        basicSetup,
        EditorView.lineWrapping,
        colours,
        LIT.field,
        TINTS.field,
        NOTES.field,
        EDITS.field,
        hover,
        listener,
        EditorState.languageData.of(() => [
          { autocomplete: completions, commentTokens: { line: '//' } },
        ]),
        // tabindex: it is a Tab stop anyway, but accessibility checkers look for the attribute
        EditorView.contentAttributes.of({
          'aria-label': area.ariaLabel || 'machine code',
          tabindex: '0',
        }),
      ],
    }),
  });
  area.before(view.dom);
  area.hidden = true;
  view.dom.after(help);
  area.oninput = () => {
    const change = between(view.state.doc.toString(), area.value);
    if (change) view.dispatch({ changes: change });
    else written();
  };
  const mine = area.value.indexOf('// ---- your line'); // an exercise marks where to write
  if (mine >= 0) {
    const start = area.value.indexOf('\n', mine) + 1;
    view.dispatch({ selection: { anchor: start } });
    if (view.state.doc.lines > 40) putOnTop(view, start);
  }
  return handle(view);
}
/**
 * Returns the position where a line (from 0) starts.
 * @param {EditorView} view
 * @param {number} line
 */
const startOf = (view, line) => view.state.doc.line(line + 1).from;
/**
 * Replaces all marks of one kind.
 * @param {EditorView} view
 * @param {{set: EffectKind}} kind
 * @param {LineMark[]} lines
 */
function putMarks(view, kind, lines) {
  const there = lines
    .filter(([line]) => line >= 0 && line < view.state.doc.lines)
    .sort((a, b) => a[0] - b[0]);
  view.dispatch({
    effects: kind.set.of(
      Decoration.set(there.map(([line, mark]) => mark.range(startOf(view, line)))),
    ),
  });
}
/**
 * Selects a part of the text, unfolds it and scrolls to it.
 * @param {EditorView} view
 * @param {number} from
 * @param {number} to
 */
function select(view, from, to) {
  const scroll = EditorView.scrollIntoView(EditorSelection.range(from, to), { y: 'center' });
  view.dispatch({
    selection: EditorSelection.single(from, to),
    effects: [...unfolded(view.state, from, to), scroll],
  });
  view.focus();
}
/**
 * Returns effects that fold the lines outside some ranges. Up to 12 such lines in a row stay open.
 * @param {EditorView} view
 * @param {number[][]} kept the ranges, [first, last] each, in order
 */
function foldExcept(view, kept) {
  const { doc } = view.state,
    starts = [0, ...kept.map(([, last]) => last + 1)],
    ends = [...kept.map(([first]) => first - 1), doc.lines - 1];
  const folds = starts
    .map((from, i) => [from, ends[i]])
    .filter(([from, to]) => to - from >= 12)
    .map(([from, to]) => foldEffect.of({ from: startOf(view, from), to: doc.line(to + 1).to }));
  return [...unfolded(view.state), ...folds];
}
/**
 * Folds the code before and after the main loop.
 * @param {EditorView} view
 * @param {number} first
 * @param {number} last
 */
function foldAround(view, first, last) {
  view.dispatch({
    selection: { anchor: startOf(view, first) },
    effects: foldExcept(view, [[first, last]]),
  });
}
/**
 * Shows lines with some neighbours on each side, as many lines as fit beside a card, and folds the
 * rest. Scrolls to the first in the list.
 * @param {EditorView} view
 * @param {number[]} lines
 */
function gather(view, lines) {
  /** @type {number[][]} */
  const kept = [],
    beside = Math.max(...lines) - Math.min(...lines) < 24 ? 13 : 6;
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = kept[kept.length - 1],
      [from, to] = [Math.max(0, line - beside), Math.min(view.state.doc.lines - 1, line + beside)];
    if (last && from <= last[1] + 1) last[1] = to;
    else kept.push([from, to]);
  }
  const first = startOf(view, Math.max(0, lines[0] - 3));
  view.dispatch({ effects: foldExcept(view, kept) });
  putOnTop(view, first);
}
/**
 * Scrolls the editor so that a position is near its top. EditorView.scrollIntoView would also
 * scroll the page.
 * @param {EditorView} view
 * @param {number} at
 */
function putOnTop(view, at) {
  view.requestMeasure({
    read: () => view.lineBlockAt(at).top,
    write: (top) => {
      view.scrollDOM.scrollTop = Math.max(0, top - 8);
    },
  });
}
/**
 * Returns the functions by which the page uses an editor; lines count from 0.
 * @param {EditorView} view
 */
function handle(view) {
  return {
    focus: () => view.focus(),
    reveal: () => view.dom.scrollIntoView({ block: 'nearest' }),
    destroy: () => view.destroy(),
    connected: () => view.dom.isConnected,
    mark: (/** @type {number} */ from, /** @type {number} */ to) => select(view, from, to),
    /**
     * Moves the cursor to a line, and scrolls the line near the top.
     * @param {number} line
     */
    scrollTo(line) {
      const anchor = startOf(view, line);
      view.dispatch({ selection: { anchor } });
      putOnTop(view, anchor);
    },
    fold: (/** @type {number} */ first, /** @type {number} */ last) =>
      foldAround(view, first, last),
    gather: (/** @type {number[]} */ lines) => gather(view, lines),
    unfold: () => view.dispatch({ effects: unfolded(view.state) }),
    /**
     * Highlights lines, and no others.
     * @param {number[]} lines
     * @param {string} [name] the class: `linked` marks only their margin
     */
    light: (lines, name = 'lit') =>
      putMarks(view, LIT, lines.map(line => [line, lineMark(name)])),
    /**
     * Colours each line by its line of kernel.cu.
     * @param {number[]} sources the line of kernel.cu for each line of the text; 0: none
     */
    tint: sources =>
      putMarks(
        view,
        TINTS,
        sources.map((source, line) => [source ? line : -1, lineMark(`tint${source % 6}`)]),
      ),
    /**
     * Marks the edits of the text in the margin.
     * @param {{line: number, before: string[], after: string[]}[]} edits
     */
    changed: edits =>
      putMarks(
        view,
        EDITS,
        edits.flatMap(({ line, before, after }) =>
          Array.from({ length: Math.max(1, after.length) }, (_, i) => {
            const kind = after.length ? 'edit' : 'edit gone',
              words = i < before.length ? `was: ${before[i]}` : 'is new';
            return /** @type {LineMark} */ ([line + i, Decoration.line({ kind, words })]);
          }),
        ),
      ),
    /**
     * Marks lines with reports: [line, text].
     * @param {[number, string][]} lines
     */
    note: lines =>
      putMarks(
        view,
        NOTES,
        [...new Map(lines)].map(([line, words]) => [line, lineMark('noted', words)]),
      ),
  };
}
window.Editor = {
  dress: addEditor,
  viewOf: (/** @type {HTMLElement} */ dom) => EditorView.findFromDOM(dom),
};
