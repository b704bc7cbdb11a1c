// Tests the messages of a box with an edited kernel, and of an exercise, when something goes wrong,
// for tests/web/boxes.js.
'use strict';
const fs = require('fs');
const zlib = require('zlib');

const box = `document.querySelector('.try')`,
  area = `document.querySelector('.try textarea')`,
  state = `document.querySelector('.try .state').textContent`;
const done = `${box}.dataset.done`;
const put = (from, to) =>
  `${area}.value = ${area}.value.replace(${JSON.stringify(from)}, ${JSON.stringify(to)}); ` +
  `${area}.oninput();`;

async function edits(browser, { site, open, sayer, until, press }) {
  const say = sayer(browser, `document.querySelector('.try, .exercise').innerText.slice(0, 300)`);
  const lesson = async () => {
    await open('01_naive.html');
    await browser.run('localStorage.clear()');
    await open('01_naive.html');
    await browser.run(`(() => { document.querySelector('.try select').value = '64'; })()`);
  };
  const editor = async () => {
    await browser.run(press('.try', 'Edit the machine code'));
    return browser.run(until(`${area} && ${area}.value.includes('FFMA')`));
  };
  const ended = () => browser.run(until(done));

  // The assembler's script is missing at the first edit, and is there at the second.
  await lesson();
  const away = async (act, script = 'sass') => {
    fs.renameSync(`${site}/${script}.js`, `${site}/${script}.away`);
    const good = await act();
    fs.renameSync(`${site}/${script}.away`, `${site}/${script}.js`);
    await browser.errors(); // discards the browser's message about the missing file
    return good;
  };
  await say(
    'no assembler: the box says so',
    await away(async () => {
      await browser.run(press('.try', 'Edit the machine code'));
      return browser.run(until(`${state}.includes('sass.js')`, 10));
    }),
  );
  await say(
    'and edits when it is there again: the kernel that the bet is about, as a line says',
    (await editor()) && (await browser.run(until(`${state}.includes('This is uncoalesced')`, 5))),
  );
  await say(
    'no stepper: the box says so',
    await away(async () => {
      await browser.run(press('.try', 'Step'));
      return browser.run(until(`${state}.includes('inspect.js')`, 10));
    }, 'inspect'),
  );

  // A verdict is about the kernel that is in the editor.
  await browser.run(`(() => { ${press('.try', 'Run')}; })()`);
  await ended();
  const right = await browser.run(state);
  await browser.run(
    `(() => { ${put('FFMA R24, R24, R7, R20', 'FFMA R24, R24, R7, R7')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await say(
    'pressed at once, Run takes the edit',
    /^(The result is|.* results are) right/.test(right) &&
      (await ended()) &&
      /^The check failed/.test(await browser.run(state)),
  );
  await browser.run(
    `(() => { ${put('FFMA R24, R24, R7, R7', 'FFMA R24, R24, R7, R20')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await browser.run(
    `(() => { ${put('FFMA R24, R24, R7, R20', 'FFMA R24, R24, R7, R7')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await say(
    'an edit during a run: Run begins anew',
    (await ended()) && /^The check failed/.test(await browser.run(state)),
  );
  await browser.run(
    `(() => { ${put('FFMA R24, R24, R7, R7', 'FFMA R24, R24, R7, R20')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await ended();
  await browser.run(`(() => { ${put('FFMA', 'FFNA')} })()`);
  await say('after an edit an old verdict does not stay', !/right/.test(await browser.run(state)));
  await browser.run(press('.try', 'Run'));
  await say(
    'what does not assemble is told',
    await browser.run(until(`${state}.startsWith('It does not assemble')`, 20)),
  );
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(`new Promise(go => setTimeout(go, 300))`);
  await say(
    'Edit pressed again keeps the edit',
    await browser.run(`${area}.value.includes('FFNA')`),
  );
  await open('01_naive.html');
  await say(
    'the edit is there after a reload',
    await browser.run(until(`${area} && ${area}.value.includes('FFNA')`, 10)),
  );
  await browser.run(press('.try', 'Undo all'));
  await browser.run(until(`${area} && !${area}.value.includes('FFNA')`, 20));
  await open('01_naive.html');
  await say(
    "undone, the next visit begins with the lesson's kernel",
    await browser.run(`${area} === null`),
  );

  // A scoreboard that another one covers: the card has lint's reason.
  await lesson();
  await editor();
  await browser.run(
    `(() => { ${put('--:-:3:-:4  LDG.E R22', '--:-:-:-:4  LDG.E R22')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await ended();
  await say(
    'a scoreboard that was not needed: the card says which one covers it',
    await browser.run(
      `/line 59 does no harm: scoreboard 3 of LDG.E R7,.* in line 60 covers R22/` +
        `.test(document.querySelector('.board').textContent)`,
    ),
  );

  // This edit is correct at N = 64. It is an endless loop if K is no multiple of 4, as in the small
  // problems of the check.
  await lesson();
  await editor();
  await browser.run(
    `(() => { Engine.seconds = 4; ${put('@P0 BRA `(.L_x_6)', 'BRA `(.L_x_6)')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await say(
    'a loop that ends only at multiples of 4: the small sizes name it, in seconds',
    (await ended()) &&
      (await browser.run(
        `document.querySelector('.try .reports .card')?.dataset.kind === 'endless'`,
      )),
  );

  // An error and a report link to their lines.
  const selected = `${area}.value.slice(${area}.selectionStart, ${area}.selectionEnd)`;
  await lesson();
  await editor();
  await browser.run(
    `(() => { ${put('FFMA R24, R24, R7, R20', 'FFNA R24, R24, R7, R20')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await browser.run(until(`document.querySelector('.try .lint .card a.show')`));
  await browser.run(`document.querySelector('.try .lint .card a.show').click()`);
  await say(
    'an error leads to its line',
    await browser.run(until(`/^[^\\n]*FFNA R24, R24, R7, R20 ;$/.test(${selected})`, 5)),
  );
  await browser.run(
    `(() => { ${put('FFNA R24, R24, R7, R20', 'FFMA R24, R24, R7, R5')} ` +
      `${press('.try', 'Run')}; })()`,
  );
  await browser.run(
    until(
      "document.querySelector('.try').dataset.done && document.querySelector('.try .reports " +
        ".card a.show')",
    ),
  );
  await browser.run(`document.querySelector('.try .reports .card a.show').click()`);
  await say(
    'so does a report',
    await browser.run(until(`/FFMA R24, R24, R7, R5 ;$/.test(${selected})`, 5)),
  );

  const difference =
    "[...document.querySelectorAll('.try summary')].find(summary => " +
    "summary.textContent === 'What is changed').parentNode.innerText";
  await browser.run(
    `(() => { ${put('.L_x_8:\n', '--:-:-:-:1  NOP ;\n.L_x_8:\n')} ` +
      "[...document.querySelectorAll('.try details')].forEach(one => { one.open = true; }); })()",
  );
  await say(
    'what is changed, by lines',
    await browser.run(
      until(
        '/What is changed\\s+- .*FFMA R24, R24, R7, R20 ;\\s+\\+ .*FFMA R24, R24, R7, R5 ' +
          `;\\s+\\+ --:-:-:-:1  NOP ;\\s*$/.test(${difference})`,
        20,
      ),
    ),
  );

  // A link (#kernel=) brings a kernel as text. A link with anything else, or too long, brings none.
  await browser.run(
    `(() => { ${area}.value = '<img src=x ` +
      `onerror="document.title=1"><script>document.title=1</script>'; ${area}.oninput(); ` +
      `${press('.try', 'Link to this kernel')}; })()`,
  );
  await browser.run(until(`location.hash.startsWith('#kernel=')`, 5));
  const address = await browser.run('location.hash');
  await browser.run('localStorage.clear()');
  const visit = async hash => {
    await browser.open('about:blank');
    await open(`01_naive.html${hash}`);
  };
  await visit(address);
  await say(
    'a link brings the kernel, as text',
    (await browser.run(until(`${area} && ${area}.value.startsWith('<img src=x')`, 10))) &&
      (await browser.run(`document.title !== '1' && !document.querySelector('.try img')`)),
  );
  const bomb = zlib.deflateRawSync(Buffer.alloc(1 << 28)).toString('base64url'),
    noise = Buffer.from([...Array(3000).keys()].map(i => (i * 37) % 251)).toString('base64url');
  for (const hash of [
    `#kernel=coalesced.${bomb.slice(0, 290000)}`,
    `#kernel=coalesced.${noise}`,
    '#kernel=coalesced.A',
    '#kernel=gone.A',
    '#kernel=%0',
  ])
    (await visit(hash),
      await say(
        `a link that holds none (${hash.length})`,
        (await browser.run(until(`/holds no kernel/.test(${state})`, 10))) &&
          (await browser.run(`${area} === null`)),
      ));

  // An exercise is checked without the assembler's script, then with it.
  await open('exercise-09c.html');
  await browser.run('localStorage.clear()');
  await open('exercise-09c.html');
  const verdict = `document.querySelector('.exercise .verdict')`,
    prediction = `document.querySelector('.exercise .field input')`;
  await browser.run(`${prediction}.value = '4'`);
  await say(
    'an exercise without its assembler says so',
    await away(async () => {
      await browser.run(press('.exercise', 'Check'));
      return browser.run(until(`${verdict}.innerText.includes('sass.js')`, 10));
    }),
  );
  await browser.run(press('.exercise', 'Check'));
  await say(
    'and is checked when it is there again',
    await browser.run(until(`${verdict}.innerText.includes('stall for longer')`, 30)),
  );
  await browser.run(`${prediction}.oninput()`);
  await say(
    'an edited exercise has no verdict',
    await browser.run(
      "!document.querySelector('.exercise').dataset.verdict && " +
        `!${verdict}.innerText.includes('stall')`,
    ),
  );
}
module.exports = { edits };
