// Runs axe-core (a checker of accessibility) on pages with all their parts open, for
// tests/web/boxes.js. Findings that axe-core calls minor are no failures.
'use strict';
const fs = require('fs');

async function axe(browser, { open, tell, until, press }) {
  if (!fs.existsSync('build/axe/axe.min.js'))
    return console.log(
      'ok - accessibility by axe-core # SKIP build/axe is not there (python3 tools/toolkit.py axe)',
    );
  const source = fs.readFileSync('build/axe/axe.min.js', 'utf8');
  const look = async () => {
    await browser.send('Runtime.evaluate', { expression: source });
    return browser.run(
      "axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) " +
        "=> violations.filter(({ impact }) => impact !== 'minor').map(({ id, help, nodes }) => " +
        "[id, help, nodes.length, nodes[0].html.slice(0, 150)].join(': ')))",
    );
  };
  for (const page of [
    'index.html',
    '02_shared_tiling.html',
    'exercises.html',
    'exercise-09c.html',
  ]) {
    await open(page);
    if (page === '02_shared_tiling.html') {
      // opens the editor, the stepper and the results of a run
      await browser.run(press('.try', 'Edit the machine code'));
      await browser.run(press('.try', 'Step'));
      await browser.run(press('.try', 'Run'));
      await browser.run(
        until(
          "document.querySelector('.try').dataset.done && " +
            "document.querySelector('.stepper')?.dataset.steps && " +
            "document.querySelector('.changes a[role=button]')",
        ),
      );
    }
    // Opens every folded part, and brings each part into view once.
    await browser.run(
      "(async () => { for (const part of document.querySelectorAll('details, .table, main > " +
        "pre')) { part.open = true; part.scrollIntoView(); await new " +
        'Promise(requestAnimationFrame); } await new Promise(go => setTimeout(go, 300)); })()',
    );
    for (const theme of ['light', 'dark']) {
      await browser.run(`document.documentElement.dataset.theme = '${theme}'`);
      tell(`${page}, ${theme}: nothing by axe-core`, await look());
    }
  }
  // A screen reader announces each result once, and the choices of a bet with their question.
  await open('01_naive.html');
  await browser.run('localStorage.clear()');
  await open('01_naive.html');
  await browser.run(
    `(() => { window.announced = []; for (const live of document.querySelectorAll(` +
      `'.try [role=status]')) new MutationObserver(() => { if (live.textContent) ` +
      `announced.push(live.textContent); }).observe(live, { childList: true, subtree: true, ` +
      `characterData: true }); ${press('.try', 'Run')}; })()`,
  );
  const named = await browser.run(
    `document.querySelector('.choices').getAttribute('aria-label').endsWith('?')`,
  );
  await browser.run(until("document.querySelector('.try').dataset.done"));
  const announced = await browser.run('announced');
  tell(
    'what a run says is said once',
    named && announced.length > 2 && new Set(announced).size === announced.length
      ? await browser.errors()
      : [String(named), ...announced],
  );
  await open('index.html');
  await browser.run(`document.body.insertAdjacentHTML('beforeend', '<input>')`);
  tell(
    'axe-core sees a field without a name',
    (await look()).some(line => line.startsWith('label'))
      ? await browser.errors()
      : ['it does not'],
  );
}
module.exports = { axe };
