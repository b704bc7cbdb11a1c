// Tests the coloured editor (CodeMirror) of a box, for tests/web/boxes.js. A site without it has a
// text area instead, which edits.js tests.
'use strict';
const fs = require('fs');

const area = `document.querySelector('.try textarea')`,
  mirror = `document.querySelector('.try .cm-editor')`,
  view = `Editor.viewOf(${mirror})`,
  linted = `Number(document.querySelector('.try').dataset.linted || 0)`;
// Inserts a text at the beginning of the line `above` lines above the first store (STS). Then puts
// the cursor at a column, `below` lines below the first line of the inserted text.
const atStore = (text, above, below, column) => `(it => { const { doc } = it.state,
  line = doc.toString().split('\\n').findIndex(one => one.includes('STS')) + 1 - ${above},
    from = doc.line(line).from;
  it.dispatch({ changes: { from, insert: ${JSON.stringify(text)} } });
  it.dispatch({ selection: { anchor: it.state.doc.line(line + ${below}).from + ${column} },
    scrollIntoView: true }); it.focus(); })(${view})`;

async function editor(browser, { site, open, sayer, until, press }) {
  if (!fs.existsSync(`${site}/editor.js`))
    return console.log(
      'ok - the coloured editor # SKIP build/codemirror was not there (tools/setup.sh site)',
    );
  const say = sayer(browser, `document.querySelector('.try').innerText.slice(0, 600)`);
  const begin = async () => {
    await open('02_shared_tiling.html');
    await browser.run('localStorage.clear()');
    await open('02_shared_tiling.html');
    await browser.run(press('.try', 'Edit the machine code'));
    // Unfolds the code before the main loop.
    const there = await browser.run(until(`${mirror}?.querySelector('.fold')`, 20));
    await browser.run(`${mirror}.querySelectorAll('.fold').forEach(fold => fold.click())`);
    return there;
  };
  await say(
    'machine code in colour, the control column apart, addresses beside numbers if wide',
    (await begin()) &&
      (await browser.run(`(() => { ${view}.scrollDOM.scrollTop = 0; return true; })()`)) &&
      (await browser.run(
        until(
          `${mirror}.querySelector('.sass-control')?.textContent === '--:-:-:-:8' &&
            ${mirror}.querySelector('.sass-opcode')?.textContent === 'LDC'
    && [...${mirror}.querySelectorAll('.cm-lineNumbers .cm-gutterElement')].some(one =>
      one.textContent === '4' + (innerWidth > 768 ? ' 0x0000' : ''))`,
          5,
        ),
      )),
  );
  if (browser.send) {
    await browser.run(atStore('\n', 0, 0, 0));
    // A reader types when the editor has scrolled to the line, which takes it two frames.
    await browser.run(
      'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    await browser.send('Input.insertText', { text: '--:-:-:-:4  FAD' });
    await say(
      'opcodes are completed, with what they take',
      await browser.run(
        until(
          '/^FADDoperands: destination, source, source · pipe FMA, 4 ' +
            "cycles$/.test(document.querySelector('.cm-tooltip-autocomplete li')?.textContent)",
          5,
        ),
      ),
    );
    await begin();
  }

  // The cursor's instruction highlights its line of kernel.cu, also below an added instruction.
  const lit = `document.querySelector('.changes .lit')?.textContent`;
  await browser.run(until(`document.querySelector('.changes a[role=button]')`, 20));
  await browser.run(atStore('--:-:-:-:4  NOP ;\n', 3, 4, 3));
  await say(
    'the cursor lights its line of kernel.cu',
    await browser.run(`${lit}?.includes('As[tile_row][tile_col] = ') &&
      ${mirror}.querySelectorAll('.linked').length > 0
    && [...document.querySelectorAll('.try .help a')].some(link =>
      '#' + document.querySelector('.changes .lit').id === link.hash)`),
  );
  await begin();

  // A kernel with an added instruction has one line more, and runs.
  const lines = await browser.run(`${area}.value.split('\\n').length`);
  await browser.run(atStore('--:-:-:-:4  NOP ;\n', 0, 0, 0));
  await browser.run(
    `(() => { document.querySelector('.try select').value = '64'; ${press('.try', 'Run')}; })()`,
  );
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  await say(
    'a kernel with an instruction more runs',
    (await browser.run(`${area}.value.split('\\n').length`)) === lines + 1 &&
      /^The result is right/.test(
        await browser.run(`document.querySelector('.try .state').textContent`),
      ),
  );

  const before = await browser.run(linted);
  await browser.run(
    `(() => { ${area}.value = ${area}.value.replace('FFMA', 'FFNA'); ${area}.oninput(); })()`,
  );
  await browser.run(
    until(`${linted} > ${before} && document.querySelector('.try .lint .card a.show')`, 20),
  );
  await say(
    'a slip marks its line',
    await browser.run(
      until(
        `(at => { ${view}.dispatch({ selection: { anchor: at }, scrollIntoView: true }); return ` +
          `/FFNA/.test(${mirror}.querySelector('.cm-line.noted')?.textContent); ` +
          `})(${area}.value.indexOf('FFNA'))`,
        5,
      ),
    ),
  );
  await browser.run(`document.querySelector('.try .lint .card a.show').click()`);
  await say(
    'and a link leads there',
    await browser.run(
      until(
        '/FFNA/.test((it => it.state.sliceDoc(it.state.selection.main.from, ' +
          `it.state.selection.main.to))(${view}))`,
        5,
      ),
    ),
  );
  await say(
    'the change is counted and marked in the margin, and taken back by its button',
    await browser.run(
      until(
        "document.querySelector('.changed b')?.textContent === 'Changed: 2 lines' && " +
          `[...${mirror}.querySelectorAll('.edit')].some(one => one.title.includes('FFMA'))`,
        5,
      ),
    ),
  );
  await browser.run(`document.querySelector('.changed button[data-tip*=FFMA]').click()`);
  await say(
    'only the other change is left',
    await browser.run(
      until(
        "document.querySelector('.changed b')?.textContent === 'Changed: 1 line' && " +
          `!${area}.value.includes('FFNA')`,
        5,
      ),
    ),
  );
  if (browser.send) {
    await browser.run(atStore('\n', 0, 0, 0));
    // A reader types when the editor has scrolled to the line, which takes it two frames.
    await browser.run(
      'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    await browser.send('Input.insertText', { text: '--:-:-:-:5  BRA `(.L' });
    await say(
      'labels are completed',
      await browser.run(
        until(
          "/^\\.L_x_\\d+a label/.test(document.querySelector('.cm-tooltip-autocomplete li')" +
            '?.textContent)',
          5,
        ),
      ),
    );
  }
  await browser.run('localStorage.clear()');
}
module.exports = { editor };
