// Tests what clumsy and hostile readers do, for tests/web/boxes.js: pasting invisible characters,
// following links of any kind, going back during a run, using two tabs or no storage. The server
// stops, or has a newer site.
'use strict';
const fs = require('fs');
const http = require('http');
const zlib = require('zlib');

const area = `document.querySelector('.try textarea')`,
  state = `document.querySelector('.try .state').textContent`,
  linted = `Number(document.querySelector('.try').dataset.linted || 0)`;
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

// Serves a folder over HTTP. `change` has new contents for some of its files, by name.
function serve(site, change) {
  const server = http.createServer(({ url }, answer) => {
    const name = decodeURIComponent(url.slice(1).replace(/[?#].*/, '')) || 'index.html',
      path = `${site}/${name}`;
    if (!(name in change) && !fs.existsSync(path)) return answer.writeHead(404).end();
    answer.writeHead(200, {
      'Content-Type': TYPES[name.split('.').pop()] || 'text/plain',
      'Cache-Control': 'no-store',
    });
    answer.end(change[name] ?? fs.readFileSync(path));
  });
  return new Promise(done =>
    server.listen(0, '127.0.0.1', () =>
      done({
        port: server.address().port,
        stop: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}

async function hostile(browser, { site, open, sayer, until, press }) {
  const say = sayer(
    browser,
    "document.body.innerText.slice(0, 300) + ' ... ' + " +
      "(document.querySelector('.try')?.innerText || '').slice(0, 500)",
  );
  const begin = async page => {
    await open(page);
    await browser.run('localStorage.clear()');
    await open(page);
  };
  const edit = async () => {
    await browser.run(press('.try', 'Edit the machine code'));
    return browser.run(until(`${area}?.value`, 20));
  };
  // Changes the text in the editor by the statement `change`. Returns what the page says about it.
  const put = async change => {
    const before = await browser.run(linted);
    await browser.run(`(() => { const text = ${area}; ${change}; text.oninput(); })()`);
    await browser.run(until(`${linted} > ${before}`, 30));
    return browser.run(
      "document.querySelector('.try .lint').dataset.found + document.querySelector('.try " +
        ".lint').textContent",
    );
  };

  // Pasted text has all kinds of blanks, characters without width, other line ends, or a line that
  // is far too long.
  await begin('01_naive.html');
  await edit();
  const given = (await browser.run(`${area}.value`)).replace('FFMA R', 'FFMA  R'),
    changed = text => put(`text.value = ${JSON.stringify(text)}`),
    plain = await changed(given);
  const odd = [
    given.replace('FFMA  R', 'FFMA\u00a0 R'),
    `\ufeff${given}`,
    given.replace('FFMA  R', 'FF\u200bMA \u202e R\0'),
    given.replace(/\n/g, '\r\n'),
    given.replace(/ +/g, '\t'),
  ];
  const said = [];
  for (const text of odd) said.push(await changed(text));
  await say(
    'blanks of every kind, marks that nobody sees, CRLF and tabs: the same kernel',
    said.every(line => line === plain && /^0/.test(line)),
  );
  await changed(`${given}${'x'.repeat(100000)}`);
  await say(
    'a line of 100,000 letters is refused in a short one',
    await browser.run(
      "document.querySelector('.try .lint').textContent.length < 2000 && " +
        "document.querySelector('.try .lint .card')?.dataset.kind === 'syntax'",
    ),
  );

  // Links with a kernel. If a text is too long for a link, the page says so. HTML, other alphabets
  // and marks of direction stay text. A link that was cut brings no kernel.
  await browser.run(
    `(() => { let seed = 1; ${area}.value = Array.from({ length: 400000 }, () => ` +
      "String.fromCharCode(33 + (seed = seed * 48271 % 2147483647) % 90)).join(''); " +
      `${press('.try', 'Link to this kernel')}; })()`,
  );
  await say(
    'what is too long for a link is told',
    (await browser.run(until(`/too long for a link/.test(${state})`, 20))) &&
      !(await browser.run('location.hash')),
  );
  const packed = text => zlib.deflateRawSync(Buffer.from(text)).toString('base64url'),
    visit = async hash => {
      await browser.open('about:blank');
      await open(`01_naive.html${hash}`);
    };
  const strange =
    '</textarea><script>document.title = 1</script><img src=x onerror="document.title = 1">😀 ' +
    'שלום \u202eabc\r\n${document.title = 1}';
  await browser.run('localStorage.clear()');
  await visit(`#kernel=coalesced.${packed(strange)}`);
  await browser.run(until(`${area}?.value`, 10));
  await say(
    'a link with HTML, emoji and marks: text',
    (await browser.run(`${area}.value`)) === strange.replace('\u202e', '').replace('\r', '') &&
      (await browser.run(`document.title !== '1' && !document.querySelector('.try img')`)),
  );
  const whole = packed(given);
  for (const hash of [
    whole.slice(0, whole.length >> 1),
    whole.slice(0, -1),
    whole.slice(1),
    'A'.repeat(400000),
  ]) {
    await browser.run('localStorage.clear()');
    await visit(`#kernel=coalesced.${hash}`);
    await say(
      `a link that was cut or is too long (${hash.length})`,
      (await browser.run(until(`/holds no kernel/.test(${state})`, 10))) &&
        (await browser.run(`${area} === null`)),
    );
  }

  // The reader leaves during a run and comes back: the page finishes the run, or can repeat it.
  await begin('01_naive.html');
  await browser.run(
    `(() => { document.querySelector('.try select').value = '512'; ${press('.try', 'Run')}; })()`,
  );
  await browser.open(`file://${site}/contents.html`);
  await browser.run('setTimeout(() => history.back(), 50) && null');
  await new Promise(done => setTimeout(done, 1000));
  await browser.run(until(`document.querySelector('.try')?.dataset.ready`, 20));
  await browser.run(
    `(() => { document.querySelector('.try select').value = '64'; ${press('.try', 'Run')}; })()`,
  );
  await say(
    'left in the middle of a run and come back: it runs',
    await browser.run(until(`document.querySelector('.try').dataset.done === 'right'`, 30)),
  );

  // The next tests need Chromium: tabs, scripts that run before the page's own, no network.
  if (!browser.send) return;
  await begin('01_naive.html');
  const other = await browser.send('Target.createTarget', { url: `file://${site}/01_naive.html` });
  const { sessionId } = await browser.send('Target.attachToTarget', {
    targetId: other.targetId,
    flatten: true,
  });
  const there = async expression =>
    (
      await browser.send(
        'Runtime.evaluate',
        { expression, awaitPromise: true, returnByValue: true },
        sessionId,
      )
    ).result.value;
  const ready = () => there(until(`document.querySelector('.try')?.dataset.ready`, 20));
  // The wait is repeated, because it fails if the page replaces the tab's empty document meanwhile.
  // Each tab is brought to the front in turn, because timers of tabs in the background are slow.
  await ready().catch(ready);
  await there(press('.try', 'Edit the machine code'));
  await there(until(`${area}?.value`, 20));
  await browser.send('Page.bringToFront');
  await edit();
  await put(`text.value = text.value.replace('FFMA R', 'FFMA  R')`);
  await browser.send('Page.bringToFront', {}, sessionId);
  const followed = await there(until(`${area}?.value.includes('FFMA  R')`, 10));
  await there(
    `(() => { const text = ${area}; text.value = text.value.replace('FFMA  R', 'FFMA   ` +
      "R').replace('EXIT', 'EXIT '); text.oninput(); })()",
  );
  await browser.send('Page.bringToFront');
  await say(
    'two tabs: each goes on from what was written in the other',
    followed &&
      (await browser.run(
        until(`/EXIT  [^]*FFMA   R/.test(${area}?.value) && /another tab/.test(${state})`, 10),
      )),
  );
  await browser.send('Target.closeTarget', { targetId: other.targetId });

  // Without storage, an edit is kept as long as the page is open.
  const { identifier } = await browser.send('Page.addScriptToEvaluateOnNewDocument', {
    source:
      "Object.defineProperty(window, 'localStorage', { get() { throw new " +
      "DOMException('no', 'SecurityError'); } });",
  });
  await open('01_naive.html');
  await edit();
  await put(`text.value = text.value.replace('FFMA R', 'FFMA  R')`);
  await browser.run(
    `(() => { document.querySelector('.try select').value = '64'; ${press('.try', 'Run')}; })()`,
  );
  await say(
    'without storage it is edited and run',
    await browser.run(until(`document.querySelector('.try').dataset.done === 'right'`, 30)),
  );
  await open('exercise-09c.html');
  await browser.run(press('.exercise', 'Check'));
  await say(
    'and checked',
    await browser.run(
      until(`document.querySelector('.exercise input[aria-describedby=missing]:focus')`, 20),
    ),
  );
  await browser.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });

  // A newer page on the server is shown at once. After the server has stopped, the page comes from
  // the newest stored site, and still runs and steps its kernel.
  const change = {},
    server = await serve(site, change),
    address = `http://127.0.0.1:${server.port}`;
  await browser.open(`${address}/index.html`);
  const kept = await browser.run(until(`navigator.serviceWorker.controller`, 30));
  change['02_shared_tiling.html'] = fs
    .readFileSync(`${site}/02_shared_tiling.html`, 'utf8')
    .replace('<h1', '<h1 data-newer');
  await browser.open(`${address}/02_shared_tiling.html`);
  await say(
    'with a network the newest page is shown',
    kept && (await browser.run(`document.querySelector('[data-newer]') !== null`)),
  );
  change['sw.js'] = fs.readFileSync(`${site}/sw.js`, 'utf8').replace(/VERSION = "/, '$&newer');
  await browser.run(`navigator.serviceWorker.getRegistration().then(one => one.update())`);
  const renewed = await browser.run(
    until(
      `(await caches.keys()).join().startsWith('newer') && (await caches.keys()).length === 1`,
      30,
    ),
  );
  server.stop();
  await browser.open(`${address}/02_shared_tiling.html`);
  await browser.run(until(`document.querySelector('.try')?.dataset.ready`, 20));
  await browser.run(
    `(() => { document.querySelector('.try select').value = '64'; ${press('.try', 'Run')}; ` +
      `${press('.try', 'Step')}; })()`,
  );
  await say(
    'without it the newest that was kept, whole: it runs, and is stepped',
    renewed &&
      (await browser.run(
        until(
          "document.querySelector('.try').dataset.done === 'right' && " +
            "document.querySelector('.stepper')?.dataset.steps",
          30,
        ),
      )) &&
      (await browser.run(`document.querySelector('[data-newer]') !== null`)),
  );
}
module.exports = { hostile };
