// CodeMirror over a box's text of machine code, where the site was built with it (build.sh puts it before this, and OPCODES, of
// sasskit/isa/opcodes.def); loaded by try.js when something is first edited. The text area stays what the box reads and writes.
'use strict';

window.Editor = (() => {
  // From where it stands: a pattern that may begin later would look through all of a long line, at each of its words.
  const PARTS = [[/^\/\/.*/, 'comment'], [/^@!?U?P\w+/, 'atom'], [/^\.reuse\b/, 'qualifier'], [/^(`\([^)]*\)|\.L_\w+)/, 'def'], [/^c\[\w+\](\[[^\]]*\])?/, 'property'],
    [/^!?U?P[0-6T]\b/, 'atom'], [/^U?R(\d+|Z)\b/, 'variable-2'], [/^[-+]?(0x[0-9a-f]+|\d+(\.\d+)?)\b/i, 'number']];
  CodeMirror.defineMode('sass', () => ({
    startState: () => ({ opcode: true }), // comes next
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

  const opcodeOf = line => (/^(?:\s*\S+:\S+:\S+:\S+:\S+)?\s*(?:@\S+\s+)?([A-Z][\w.]*)/.exec(line) || [])[1];
  const rowOf = opcode => { // the longest name of the table that it begins with: FSETP.GT is FSETP
    for (let name = opcode || ''; name; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) if (name in OPCODES) return `${name} ${OPCODES[name]}`;
    return '';
  };
  function hints(editor) {
    const { line, ch } = editor.getCursor(), before = editor.getLine(line).slice(0, ch), word = /[A-Z][\w.]*$/.exec(before);
    if (!word || opcodeOf(before) !== word[0]) return null;
    return { from: CodeMirror.Pos(line, word.index), to: CodeMirror.Pos(line, ch), list: Object.keys(OPCODES).filter(name => name.startsWith(word[0])).map(text => ({ text, displayText: `${text}  ${OPCODES[text]}` })) };
  }

  // Over a text area that is in the page. Gives what the box can do with it besides.
  function dress(area, moved) {
    const written = area.oninput, help = document.createElement('p'), lit = [];
    help.className = 'help';
    let addresses = [], at = -1;
    const editor = CodeMirror.fromTextArea(area, { mode: 'sass', lineNumbers: true, inputStyle: 'contenteditable', screenReaderLabel: area.ariaLabel, gutters: ['CodeMirror-linenumbers', 'notes'],
      lineNumberFormatter: line => `${line} ${addresses[line - 1] === undefined ? (addresses.length ? '\u00a0'.repeat(6) : '') : `0x${addresses[line - 1].toString(16).padStart(4, '0')}`}`, // of one width
      extraKeys: { Tab: false, 'Shift-Tab': false, 'Ctrl-Space': it => it.showHint({ hint: hints, completeSingle: false }) } });
    editor.getWrapperElement().after(help);
    // Lines are not drawn anew while CodeMirror has not yet read what was typed into them: it would be lost.
    const settled = act => { if (editor.display.input.readDOMTimeout) setTimeout(settled, 50, act); else act(); };
    // An instruction takes 16 bytes; where loops and macros make more of a line, no address is told.
    const number = () => {
      let at = 0;
      addresses = /^\s*\.(for|if|macro)/m.test(area.value) ? [] : area.value.split('\n').map(line => (/^\s*(@|[^./\s]).*;/.test(line) ? 16 * at++ : undefined));
      editor.setOption('lineNumberFormatter', editor.getOption('lineNumberFormatter').bind(null));
    };
    let timer;
    editor.on('change', (it, { origin }) => {
      area.value = editor.getValue();
      clearTimeout(timer);
      timer = setTimeout(settled, 150, number);
      written();
      if (origin === '+input') setTimeout(() => hints(editor) && editor.showHint({ hint: hints, completeSingle: false }));
    });
    editor.on('cursorActivity', () => {
      const { line } = editor.getCursor();
      help.textContent = rowOf(opcodeOf(editor.getLine(line)));
      if (line !== at) moved?.(at = line);
    });
    area.oninput = () => (area.value === editor.getValue() ? written() : editor.setValue(area.value));
    number();
    const mine = area.value.indexOf('// ---- your line'); // of an exercise
    if (mine >= 0) { editor.setCursor(editor.posFromIndex(area.value.indexOf('\n', mine) + 1)); editor.scrollIntoView(null, 120); }
    return {
      focus: () => editor.focus(),
      mark(from, to) {
        editor.setSelection(editor.posFromIndex(from), editor.posFromIndex(to));
        editor.scrollIntoView({ from: editor.posFromIndex(from), to: editor.posFromIndex(to) }, 80);
        editor.focus();
      },
      light: lines => settled(() => editor.operation(() => {
        lit.splice(0).forEach(handle => editor.removeLineClass(handle, 'background', 'lit'));
        lit.push(...lines.filter(line => line < editor.lineCount()).map(line => editor.addLineClass(line, 'background', 'lit')));
      })),
      // Lines of which something was said: [line, words].
      note: lines => settled(() => editor.operation(() => {
        editor.clearGutter('notes');
        editor.eachLine(line => { editor.removeLineClass(line, 'wrap', 'noted'); });
        for (const [line, words] of lines) {
          if (line < 0 || line >= editor.lineCount()) continue;
          editor.addLineClass(line, 'wrap', 'noted');
          editor.setGutterMarker(line, 'notes', Object.assign(document.createElement('span'), { className: 'bad', textContent: '!', title: words }));
        }
      })),
    };
  }
  return { dress };
})();
