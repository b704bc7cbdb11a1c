// CodeMirror over a text area of machine code, if the site was built with it: build.sh puts it in
// front, with OPCODES from sasskit/isa/opcodes.def. Loaded at the first edit. The text area remains
// the one that is read and written.
import { helpOf, does, opcodeOf } from './opcodes.js';
import { isInstruction } from './text.js';

// Patterns are anchored: others would search the rest of a long line at each word.
/** @type {[RegExp, string][]} */
const PARTS = [[/^\/\/.*/, 'comment'], [/^@!?U?P\w+/, 'atom'], [/^\.reuse\b/, 'qualifier'], [/^(`\([^)]*\)|\.L_\w+)/, 'def'], [/^c\[\w+\](\[[^\]]*\])?/, 'property'],
  [/^!?U?P[0-6T]\b/, 'atom'], [/^U?R(\d+|Z)\b/, 'variable-2'], [/^[-+]?(0x[0-9a-f]+|\d+(\.\d+)?)\b/i, 'number']];
CodeMirror.defineMode('sass', () => ({
  startState: () => ({ opcode: true }), // comes next
  /**
   * @param {any} stream
   * @param {{opcode: boolean}} state
   */
  token(stream, state) {
    if (stream.sol()) state.opcode = true;
    if (stream.eatSpace()) return null;
    if (state.opcode && stream.match(/^(--|[0-9a-f]{2}):[-\d]:[-\d]:[-Y]:[-?0-9a-f]/i)) return 'meta';
    if (state.opcode && stream.match(/^[.\w$]+:/)) return 'def';
    if (state.opcode && stream.match(/^\.[a-z]+/)) { state.opcode = false; return 'builtin'; }
    for (const [pattern, name] of PARTS) if (stream.match(pattern)) return name;
    if (state.opcode && stream.match(/^[A-Z][\w.]*/)) { state.opcode = false; return 'keyword'; }
    if (!stream.match(/^[\w.]+/)) stream.next();
    return null;
  },
  lineComment: '//',
}));

/** @param {any} editor */
function hints(editor) {
  const { line, ch } = editor.getCursor(), before = editor.getLine(line).slice(0, ch), word = /[A-Z][\w.]*$/.exec(before);
  if (!word || opcodeOf(before) !== word[0]) return null;
  return { from: CodeMirror.Pos(line, word.index), to: CodeMirror.Pos(line, ch), list: Object.keys(OPCODES).filter(name => name.startsWith(word[0])).map(text => ({ text, displayText: `${text}  ${OPCODES[text]}` })) };
}

/**
 * Dresses a text area that is in the page.
 * @param {HTMLTextAreaElement} area
 * @param {(line: number) => void} [moved] called with the cursor's line
 */
function dress(area, moved) {
  const written = /** @type {() => void} */ (area.oninput), help = document.createElement('p');
  /** @type {any[]} */
  const lit = [], folds = [], tints = [];
  help.className = 'help';
  /** @type {(number|undefined)[]} */
  let addresses = [];
  let at = -1;
  const editor = CodeMirror.fromTextArea(area, { mode: 'sass', lineNumbers: true, inputStyle: 'contenteditable', screenReaderLabel: area.ariaLabel, gutters: ['CodeMirror-linenumbers', 'notes'],
    // Line numbers and addresses have a fixed width.
    lineNumberFormatter: (/** @type {number} */ line) => `${line} ${addresses[line - 1] === undefined ? (addresses.length ? '\u00a0'.repeat(6) : '') : `0x${/** @type {number} */ (addresses[line - 1]).toString(16).padStart(4, '0')}`}`,
    extraKeys: { Tab: false, 'Shift-Tab': false, 'Ctrl-Space': (/** @type {any} */ it) => it.showHint({ hint: hints, completeSingle: false }) } });
  const wrapper = editor.getWrapperElement();
  wrapper.after(help);
  /**
   * Delays redrawing of lines until CodeMirror has read what was typed into them, which would be
   * lost otherwise.
   * @param {() => void} act
   */
  const settled = act => { if (editor.display.input.readDOMTimeout) setTimeout(settled, 50, act); else act(); };
  // An instruction takes 16 bytes; where loops and macros make more of a line, no address is shown.
  const number = () => {
    let next = 0;
    addresses = /^\s*\.(for|if|macro)/m.test(area.value) ? [] : area.value.split('\n').map(line => (isInstruction(line) ? 16 * next++ : undefined));
    editor.setOption('lineNumberFormatter', editor.getOption('lineNumberFormatter').bind(null));
  };
  /** @type {any} */
  let timer;
  editor.on('change', (/** @type {any} */ _editor, /** @type {{origin: string}} */ { origin }) => {
    area.value = editor.getValue();
    clearTimeout(timer);
    timer = setTimeout(settled, 150, number);
    written();
    if (origin === '+input') setTimeout(() => hints(editor) && editor.showHint({ hint: hints, completeSingle: false }));
  });
  editor.on('cursorActivity', () => {
    const { line } = editor.getCursor();
    help.textContent = helpOf(opcodeOf(editor.getLine(line)));
    if (line !== at) moved?.(at = line);
  });
  // An opcode that is pointed at says what it does.
  wrapper.addEventListener('pointerover', (/** @type {PointerEvent} */ { target }) => {
    const word = /** @type {HTMLElement} */ (target).closest?.('.cm-keyword');
    if (word && !(/** @type {HTMLElement} */ (word)).title) /** @type {HTMLElement} */ (word).title = helpOf(word.textContent || '') || does(word.textContent || '');
  });
  area.oninput = () => (area.value === editor.getValue() ? written() : editor.setValue(area.value));
  number();
  const mine = area.value.indexOf('// ---- your line'); // of an exercise
  if (mine >= 0) { editor.setCursor(editor.posFromIndex(area.value.indexOf('\n', mine) + 1)); editor.scrollIntoView(null, 120); }
  const unfold = () => folds.splice(0).forEach(fold => fold.clear());
  return {
    focus: () => editor.focus(),
    reveal: () => wrapper.scrollIntoView({ block: 'nearest' }),
    /**
     * @param {number} from
     * @param {number} to
     */
    mark(from, to) {
      const [start, end] = [editor.posFromIndex(from), editor.posFromIndex(to)];
      for (const fold of folds.filter(one => { const range = one.find(); return range && range.from.line <= end.line && range.to.line >= start.line; })) fold.clear();
      editor.setSelection(start, end);
      editor.scrollIntoView({ from: start, to: end }, 80);
      editor.focus();
    },
    /**
     * Puts a line near the top.
     * @param {number} line
     */
    scrollTo(line) { editor.setCursor(line, 0, { scroll: false }); editor.scrollTo(null, Math.max(0, editor.heightAtLine(line, 'local') - 40)); },
    /**
     * Folds what stands before and behind the main loop.
     * @param {number} first
     * @param {number} last
     */
    fold(first, last) {
      unfold();
      const parts = [[0, first - 1, 'before the main loop'], [last + 1, editor.lineCount() - 1, 'behind the main loop']];
      for (const [from, to, where] of /** @type {[number, number, string][]} */ (parts)) {
        if (to - from < 12) continue;
        const widget = Object.assign(document.createElement('button'), { type: 'button', className: 'fold', textContent: `${to - from + 1} lines ${where}: show them` });
        const fold = editor.markText({ line: from, ch: 0 }, { line: to }, { replacedWith: widget, clearOnEnter: true });
        widget.onclick = () => fold.clear();
        folds.push(fold);
      }
    },
    unfold,
    /** @param {number[]} lines */
    light: lines => settled(() => editor.operation(() => {
      lit.splice(0).forEach(handle => editor.removeLineClass(handle, 'background', 'lit'));
      lit.push(...lines.filter(line => line >= 0 && line < editor.lineCount()).map(line => editor.addLineClass(line, 'background', 'lit')));
    })),
    /**
     * Colours each line by the line of kernel.cu that it comes from (0: none).
     * @param {number[]} sources
     */
    tint: sources => settled(() => editor.operation(() => {
      tints.splice(0).forEach(([handle, name]) => editor.removeLineClass(handle, 'wrap', name));
      sources.forEach((source, line) => { if (source && line < editor.lineCount()) { const name = `tint${source % 6}`; tints.push([editor.addLineClass(line, 'wrap', name), name]); } });
    })),
    /**
     * Marks lines of which something was reported: [line, words].
     * @param {[number, string][]} lines
     */
    note: lines => settled(() => editor.operation(() => {
      editor.clearGutter('notes');
      editor.eachLine((/** @type {any} */ line) => { editor.removeLineClass(line, 'wrap', 'noted'); });
      for (const [line, words] of lines) {
        if (line < 0 || line >= editor.lineCount()) continue;
        editor.addLineClass(line, 'wrap', 'noted');
        editor.setGutterMarker(line, 'notes', Object.assign(document.createElement('span'), { className: 'bad', textContent: '!', title: words }));
      }
    })),
  };
}
window.Editor = { dress };
