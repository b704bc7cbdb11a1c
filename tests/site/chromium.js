// Drives headless Chromium over its debugging pipe, without a library.
'use strict';
const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { join } = require('node:path');

// Starts a browser with one page. In the result, send(METHOD, PARAMETERS) calls a method of the
// DevTools protocol, on(EVENT, FUNCTION) subscribes to an event, and stop() ends the browser.
async function start(program = process.env.CHROMIUM || 'chromium') {
  const profile = mkdtempSync(join(require('node:os').tmpdir(), 'site-'));
  const child = spawn(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  );
  // Kills the whole process group, because a process that remains would write into the profile
  // while it is removed.
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* it has ended */
    }
  };
  process.on('exit', end);
  const waiting = new Map(),
    heard = new Map();
  let count = 0,
    rest = '',
    session;
  child.stdio[4].on('data', data => {
    const parts = (rest + data).split('\0');
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part),
        answer = waiting.get(message.id);
      waiting.delete(message.id);
      if (answer)
        message.error ? answer[1](Error(message.error.message)) : answer[0](message.result);
      else heard.get(message.method)?.(message.params);
    }
  });
  const ask = (method, params = {}, sessionId = session) =>
    new Promise((done, failed) => {
      waiting.set(++count, [done, failed]);
      child.stdio[3].write(JSON.stringify({ id: count, method, params, sessionId }) + '\0');
    });
  child.on('error', error => {
    for (const [, failed] of waiting.values()) failed(error);
  });
  const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
  session = (await ask('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Log']) await ask(domain + '.enable');
  return {
    pid: child.pid, // the process group has the same number
    send: ask,
    on: (event, call) => heard.set(event, call),
    async open(url) {
      const loaded = new Promise(done => heard.set('Page.loadEventFired', done));
      await ask('Page.navigate', { url });
      await loaded;
    },
    async run(expression) {
      // Returns the value of an expression in the page.
      const { result, exceptionDetails } = await ask('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails)
        throw Error(exceptionDetails.exception?.description || exceptionDetails.text);
      return result.value;
    },
    screen: (width, height) =>
      ask('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      }),
    scheme: value =>
      ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] }),
    stop() {
      const removed = new Promise(done =>
        child.on('exit', () => {
          process.off('exit', end);
          rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
          done();
        }),
      );
      end();
      return removed;
    },
  };
}
module.exports = { start };
