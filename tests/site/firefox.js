// Drives headless Firefox over Marionette, its remote control: messages "LENGTH:JSON" over TCP.
'use strict';
const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync, readFileSync } = require('node:fs');
const { connect } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const pause = ms => new Promise(done => setTimeout(done, ms));

// Returns the port that Firefox chose and wrote into its profile.
async function portOf(profile) {
  for (let tries = 0; tries < 300; tries++, await pause(100))
    try {
      return +readFileSync(join(profile, 'MarionetteActivePort'), 'utf8');
    } catch {
      /* Try again. */
    }
  throw Error('firefox opened no port in 30 s');
}

async function start(program = process.env.FIREFOX || 'firefox-esr') {
  const profile = mkdtempSync(join(tmpdir(), 'site-'));
  require('node:fs').writeFileSync(
    join(profile, 'user.js'),
    'user_pref("marionette.port", 0);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n',
  );
  const child = spawn(
    program,
    [
      '--headless',
      '--marionette',
      '--remote-allow-system-access',
      '--no-remote',
      '--profile',
      profile,
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: profile } },
  );
  process.on('exit', () => child.kill('SIGKILL'));
  const socket = connect(await portOf(profile), '127.0.0.1');
  const waiting = new Map();
  let count = 0,
    rest = Buffer.alloc(0);
  socket.on('data', data => {
    rest = Buffer.concat([rest, data]);
    for (let colon; (colon = rest.indexOf(':')) > 0;) {
      const end = colon + 1 + Number(rest.subarray(0, colon));
      if (rest.length < end) break;
      const message = JSON.parse(rest.subarray(colon + 1, end));
      rest = rest.subarray(end);
      if (!Array.isArray(message)) continue; // Marionette's greeting
      const [, id, error, result] = message;
      const answer = waiting.get(id);
      if (error) answer?.[1](Error(error.message));
      else answer?.[0](result);
    }
  });
  const ask = (method, params = {}) =>
    new Promise((done, failed) => {
      waiting.set(++count, [done, failed]);
      const text = Buffer.from(JSON.stringify([0, count, method, params]));
      socket.write(text.length + ':');
      socket.write(text);
    });
  await ask('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  await ask('WebDriver:SetTimeouts', { script: 120000 });
  const run = async expression =>
    (await ask('WebDriver:ExecuteScript', { script: `return (${expression})`, args: [] })).value;
  return {
    open: url => ask('WebDriver:Navigate', { url }),
    run,
    async errors() {
      // Returns the errors on the console since the last call, from pages that are files.
      await ask('Marionette:SetContext', { value: 'chrome' });
      const said = await run(`(() => {
                const said = Services.console.getMessageArray().filter(m =>
                  m instanceof Ci.nsIScriptError && !(m.flags & 1) &&
                    m.sourceName.startsWith('file:'));
                Services.console.reset();
                return said.map(m => m.errorMessage + ' ' + m.sourceName + ':' + m.lineNumber);
                })()`);
      await ask('Marionette:SetContext', { value: 'content' });
      return said;
    },
    stop() {
      child.kill('SIGKILL');
      return new Promise(done =>
        child.on('exit', () => {
          socket.destroy();
          rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
          done();
        }),
      );
    },
  };
}
module.exports = { start };
