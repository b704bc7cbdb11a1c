// Drives WebKitGTK's MiniBrowser over its WebDriver, without a library. Requires a display, or
// Xvfb, which makes one.
'use strict';
const { spawn } = require('node:child_process');
const http = require('node:http');
const { readdirSync } = require('node:fs');

const pause = ms => new Promise(done => setTimeout(done, ms));
const LIBRARIES = '/usr/lib';
// Returns the path of MiniBrowser, which is not on PATH; undefined if it is not installed.
function miniBrowser() {
  for (const machine of readdirSync(LIBRARIES).filter(name => /-linux-gnu/.test(name)))
    for (const part of readdirSync(`${LIBRARIES}/${machine}`).filter(name =>
      /^webkit(2)?gtk-\d/.test(name),
    ))
      if (readdirSync(`${LIBRARIES}/${machine}/${part}`).includes('MiniBrowser'))
        return `${LIBRARIES}/${machine}/${part}/MiniBrowser`;
}

async function start() {
  const children = [],
    begin = (program, words, options) => {
      const child = spawn(program, words, options);
      children.push(child);
      return child;
    };
  const end = () =>
    children
      .splice(0)
      .reverse()
      .forEach(child => {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          /* it has ended */
        }
      });
  process.on('exit', end);
  let display = process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? {} : null;
  if (!display) {
    // Xvfb chooses a free display and prints its number.
    const screen = begin('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    });
    display = await new Promise((done, failed) => {
      screen.stdio[3].once('data', data => done({ DISPLAY: `:${String(data).trim()}` }));
      screen.once('error', failed);
      screen.once('exit', () => failed(Error('Xvfb ended')));
    });
  }
  const port = 20000 + (process.pid % 20000);
  begin('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...display },
  });
  const ask = (method, path, body) =>
    new Promise((done, failed) => {
      const request = http.request(
        { host: '127.0.0.1', port, method, path, headers: { 'Content-Type': 'application/json' } },
        answer => {
          const parts = [];
          answer.on('data', part => parts.push(part));
          answer.on('end', () => {
            const { value } = JSON.parse(Buffer.concat(parts));
            if (answer.statusCode === 200) done(value);
            else failed(Error(value.message));
          });
        },
      );
      request.on('error', failed);
      request.end(body && JSON.stringify(body));
    });
  for (let tries = 0; tries < 100; tries++, await pause(100))
    if (await ask('GET', '/status').catch(() => false)) break;
  const { sessionId } = await ask('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
      },
    },
  });
  const told = (method, path, body) => ask(method, `/session/${sessionId}/${path}`, body);
  await told('POST', 'timeouts', { script: 120000 });
  const run = async expression => {
    const { value, wrong } = await told('POST', 'execute/async', {
      args: [],
      script:
        'const done = arguments[0]; Promise.resolve().then(() => ' +
        `(${expression})).then(value => done({value}), error => done({wrong: String(error)}))`,
    });
    if (wrong) throw Error(wrong);
    return value;
  };
  return {
    open: url => told('POST', 'url', { url }),
    run,
    errors: async () => [], // this driver does not report the console's errors
    screen: (width, height) => told('POST', 'window/rect', { width, height }),
    async stop() {
      await ask('DELETE', `/session/${sessionId}`).catch(() => null);
      end();
      process.off('exit', end);
    },
  };
}
module.exports = { start, miniBrowser };
