// Tests the coloured editor of a box, for tests/web/boxes.js. Without the editor a text area takes
// its place (edits.js).
'use strict';
const fs = require('fs');

const area = `document.querySelector('.try textarea')`, mirror = `document.querySelector('.try .CodeMirror')`, linted = `Number(document.querySelector('.try').dataset.linted || 0)`;
// Before the first store.
const atStore = act => `(it => { const line = it.getValue().split('\\n').findIndex(text => text.includes('STS')); ${act} })(${mirror}.CodeMirror)`;

async function editor(browser, { site, open, tell, until, press }) {
  if (!fs.existsSync(`${site}/editor.js`)) return console.log('ok - the coloured editor # SKIP CodeMirror is not installed (tools/setup.sh site)');
  const say = async (name, good) => tell(name, good ? await browser.errors() : [await browser.run(`document.querySelector('.try').innerText.slice(0, 600)`)]);
  const begin = async () => {
    await open('02_shared_tiling.html');
    await browser.run('localStorage.clear()');
    await open('02_shared_tiling.html');
    await browser.run(press('.try', 'Edit the machine code'));
    // What stands before the main loop is folded: show all.
    const there = await browser.run(until(`${mirror}?.querySelector('.fold')`, 20));
    await browser.run(`${mirror}.querySelectorAll('.fold').forEach(fold => fold.click())`);
    return there;
  };
  await say('machine code in colour, the control column apart, addresses beside numbers', await begin() && await browser.run(`${mirror}.querySelector('.CodeMirror-code .cm-meta').textContent === '--:-:-:-:8' && ${mirror}.querySelector('.CodeMirror-code .cm-keyword').textContent === 'LDC'
    && [...${mirror}.querySelectorAll('.CodeMirror-linenumber')].some(one => one.textContent === '4 0x0000')`));
  if (browser.send) {
    await browser.run(atStore(`it.replaceRange('\\n', { line, ch: 0 }); it.setCursor(line, 0); it.focus();`));
    await browser.send('Input.insertText', { text: '--:-:-:-:4  FAD' });
    await say('opcodes are completed, with what they take', await browser.run(until(`/^FADD  Rd, A, Cb.*pipe FMA, 4 cycles$/.test(document.querySelector('.CodeMirror-hints li')?.textContent)`, 5)));
    await begin();
  }

  // Where the cursor is lights its line of kernel.cu, also below an instruction more.
  const lit = `document.querySelector('.changes .lit')?.textContent`;
  await browser.run(until(`document.querySelector('.changes a[role=button]')`, 20));
  await browser.run(atStore(`it.replaceRange('--:-:-:-:4  NOP ;\\n', { line: line - 3, ch: 0 }); it.setCursor(line + 1, 3);`));
  await say('the cursor lights its line of kernel.cu', await browser.run(`${lit}?.includes('As[tile_row][tile_col] = ') && ${mirror}.querySelectorAll('.lit').length > 0
    && [...document.querySelectorAll('.try .help a')].some(link => '#' + document.querySelector('.changes .lit').id === link.hash)`));
  await begin();

  // An instruction more: what was behind it moves down.
  const lines = await browser.run(`${area}.value.split('\\n').length`);
  await browser.run(atStore(`it.replaceRange('--:-:-:-:4  NOP ;\\n', { line, ch: 0 });`));
  await browser.run(`(() => { document.querySelector('.try select').value = '64'; ${press('.try', 'Run')}; })()`);
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  await say('a kernel with an instruction more runs', await browser.run(`${area}.value.split('\\n').length`) === lines + 1 && /^The result is right/.test(await browser.run(`document.querySelector('.try .state').textContent`)));

  const before = await browser.run(linted);
  await browser.run(`(() => { ${area}.value = ${area}.value.replace('FFMA', 'FFNA'); ${area}.oninput(); })()`);
  await browser.run(until(`${linted} > ${before} && document.querySelector('.try .lint .card a.show')`, 20));
  await say('a slip marks its line', /FFNA/.test(await browser.run(`${mirror}.CodeMirror.getLine(${area}.value.split('\\n').findIndex((text, line) => ${mirror}.CodeMirror.lineInfo(line).wrapClass === 'noted'))`)));
  await browser.run(`document.querySelector('.try .lint .card a.show').click()`);
  await say('and a link leads there', await browser.run(until(`/FFNA/.test(${mirror}.CodeMirror.getSelection())`, 5)));
  await browser.run('localStorage.clear()');
}
module.exports = { editor };
