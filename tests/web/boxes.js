// Tests the boxes of the built site in headless browsers; prints TAP.
//
//     node tests/web/boxes.js SITE chromium|firefox|webkit...
'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');
const { resolve } = require('path');
const { axe } = require('./axe.js');
const { edits } = require('./edits.js');
const { editor } = require('./editor.js');
const { hostile } = require('./hostile.js');
const { refusals } = require('./refusals.js');
const { steps } = require('./steps.js');
const { motion } = require('./motion.js');

const site = resolve(process.argv[2]);
let browserName = '';
const TRY = `document.querySelector('.try')`;
const tell = (name, wrong) => {
  console.log(`${wrong.length ? 'not ok' : 'ok'} - ${browserName}: ${name}`);
  wrong.slice(0, 10).forEach(line => console.log(`# ${line}`));
};
// Returns a function that reports a test. A failed test prints the value of `shown`, an expression
// for the page. Errors on the console also make a test fail.
const sayer = (browser, shown) => async (name, good) =>
  tell(name, good ? await browser.errors() : [await browser.run(shown)]);
// Returns an expression for the page that waits until `expression` is true. Its value is false if
// that takes longer than `seconds`.
const until = (expression, seconds = 60) =>
  `(async () => { for (let i = 0; i < ${seconds * 50}; i++) { if (${expression}) return true; ` +
  'await new Promise(go => setTimeout(go, 20)); } return false; })()';
const press = (box, label) =>
  `[...document.querySelectorAll('${box} button')].find(button => button.textContent === ` +
  `'${label}' || '${label}' === 'Run' && button.textContent === 'Run without a bet').click()`;

const ran = browser => browser.run(until(`${TRY}.dataset.done`));

// Starts a browser. Its errors() returns the console's errors since the last call of errors().
async function started() {
  const browser = await require(`../site/${browserName}.js`).start(),
    seen = [];
  if (browserName !== 'chromium') return browser;
  browser.on('Runtime.exceptionThrown', event =>
    seen.push(event.exceptionDetails.exception?.description || event.exceptionDetails.text),
  );
  browser.on('Runtime.consoleAPICalled', event => {
    if (event.type === 'error') seen.push(JSON.stringify(event.args));
  });
  browser.on('Log.entryAdded', ({ entry }) => {
    if (entry.level === 'error') seen.push(`${entry.text} ${entry.url || ''}`);
  });
  return { ...browser, errors: async () => seen.splice(0) };
}

// Returns the native simulator's counters as rows of a counters.csv.
function nativeCounters(step, variant, size) {
  const folder = fs.mkdtempSync('/tmp/web-boxes-'),
    csv = `${folder}/c.csv`;
  const words = `--backend sim --step ${step} --variant ${variant} --size ${size} --check off`;
  execFileSync('build/ladder', [...words.split(' '), '--counters', csv], { stdio: 'ignore' });
  const rows = fs
    .readFileSync(csv, 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(','));
  fs.rmSync(folder, { recursive: true });
  return rows;
}

// Tests the exercises: the key passes, and plausible wrong solutions do not.
async function exercises(browser, open) {
  const wrong = [];
  let count = 0;
  for (const folder of fs
    .readdirSync('exercises')
    .filter(name => fs.existsSync(`exercises/${name}/wishes`))) {
    const base = (/^base\|(.*)$/m.exec(fs.readFileSync(`exercises/${folder}/wishes`, 'utf8')) || [
      ,
      fs
        .readdirSync(`exercises/${folder}`)
        .filter(name => /^kernel\./.test(name))
        .map(name => `exercises/${folder}/${name}`)[0],
    ])[1];
    const named = (file, verdict) =>
      base.endsWith('.sass') && fs.existsSync(file)
        ? fs
            .readFileSync(file, 'utf8')
            .match(/^=== \w+/gm)
            .map(line => [line.slice(4), verdict])
        : [];
    const solutions = [
      ['key', 'solved'],
      ...named(`exercises/${folder}/other`, 'solved'),
      ...named(`exercises/${folder}/wrong`, 'not yet'),
    ];
    if (!fs.existsSync(`${site}/exercise-${folder.split('_')[0]}.html`)) {
      wrong.push(`no page of ${folder}`);
      continue;
    }
    await open(`exercise-${folder.split('_')[0]}.html`);
    for (const [which, expected] of solutions) {
      const work = fs.mkdtempSync('/tmp/web-boxes-');
      execFileSync('build/exercise', [folder, 'solution', which, work]);
      // Each numeric macro of a CUDA kernel is a field that the page asks for.
      const macros = fs.existsSync(`${work}/kernel.cu`)
        ? fs.readFileSync(`${work}/kernel.cu`, 'utf8').match(/^#define [A-Z_]+ +\d+/gm) || []
        : [];
      if (macros.length)
        fs.appendFileSync(
          `${work}/prediction`,
          macros.map(line => line.replace(/#define (\w+) +/, '\n$1 = ')).join(''),
        );
      const put = name =>
        fs.existsSync(`${work}/${name}`)
          ? JSON.stringify(fs.readFileSync(`${work}/${name}`, 'utf8'))
          : 'null';
      await browser.run(`(() => { const area = document.querySelector('.exercise textarea'),
        source = ${put('kernel.sass')}, prediction = ${put('prediction')} || '';
        if (area && source !== null) area.value = source;
        for (const field of document.querySelectorAll('.exercise .field input'))
          field.value = ((new RegExp('^ *' + field.name + ' *= *(.*)$', 'm').exec(prediction) ||
            [])[1] || '').replace(/#.*/, '');
        delete document.querySelector('.exercise').dataset.verdict;
        ${press('.exercise', 'Check')}; })()`);
      const ended = await browser.run(until(`document.querySelector('.exercise').dataset.verdict`));
      const verdict = await browser.run(`document.querySelector('.exercise').dataset.verdict`);
      if (!ended || verdict !== expected)
        wrong.push(
          `${folder}, ${which}: ${verdict}: ` +
            `${await browser.run(`document.querySelector('.exercise .verdict').innerText`)}`,
        );
      fs.rmSync(work, { recursive: true });
      count++;
    }
  }
  tell(`exercises: keys pass, wrong solutions do not (${count})`, [
    ...wrong,
    ...(await browser.errors()),
  ]);

  await open('exercise-09d.html');
  const field = `document.querySelector('.exercise .field input')`;
  await browser.run(`(() => { ${field}.value = '17'; ${field}.oninput(); })()`);
  await open('exercise-09d.html');
  tell(
    'exercises: progress is kept',
    (await browser.run(`${field}.value`)) === '17' ? [] : [await browser.run(`${field}.value`)],
  );
  await browser.run('localStorage.clear()'); // its key was checked above
  await open('exercise-01d.html');
  await browser.run(until("document.querySelector('.exercise .cm-editor')"));
  await new Promise(go => setTimeout(go, 300)); // the editor scrolls after its first layout
  const down = await browser.run('scrollY');
  tell('an exercise opens at its title', down === 0 ? [] : [`${down} px below it`]);
  const drawn = await browser.run(
    "(async () => { for (const one of document.querySelectorAll('.exercise .field input')) " +
      "(one.value = '1', one.oninput()); await new Promise(go => setTimeout(go, 800)); " +
      "return document.querySelectorAll('.exercise .live svg').length; })()",
  );
  tell('an exercise draws no request before a check', drawn ? [`${drawn} drawings`] : []);
  // The page of every exercise has fields. If the key changes a kernel, the page also has that
  // kernel, or a note that the exercise needs a compiler.
  const silent = [];
  for (const page of fs.readdirSync(site).filter(name => /^exercise-/.test(name))) {
    await open(page);
    const folder = fs
        .readdirSync('exercises')
        .find(name => name.startsWith(`${page.replace(/^exercise-|\.html$/g, '')}_`)),
      written = /^--- kernel/m.test(fs.readFileSync(`exercises/${folder}/key.patch`, 'utf8'));
    if (
      !(await browser.run(
        `document.querySelector('.exercise .field input') !== null && (${!written} || ` +
          "document.querySelector('.exercise textarea') !== null || " +
          "/nvcc|C compiler/.test(document.querySelector('.exercise').innerText))",
      ))
    )
      silent.push(page);
  }
  tell('every exercise has fields, and a kernel or what it needs', silent);
  await open('exercise-09c.html');
  await browser.run(
    "(() => { document.querySelector('.exercise .field input').value = 'about 4 cycles'; " +
      `${press('.exercise', 'Check')}; })()`,
  );
  await browser.run(until(`document.querySelector('.exercise').dataset.verdict`));
  tell(
    'a number with its unit is read; what is wrong stands at its field or as a card',
    (await browser.run(
      "document.querySelector('.exercise .mark').textContent !== '' || " +
        "document.querySelector('.exercise .verdict').innerText.length > 20",
    ))
      ? await browser.errors()
      : [await browser.run(`document.querySelector('.exercise').innerText.slice(-300)`)],
  );
}

// Tests a box by keyboard alone: Tab leads from the top of the page to the box's size and Run, then
// to a memory instruction in the results.
async function byKeyboard(browser, open) {
  const press = async (key, code, text) => {
    for (const type of [text ? 'keyDown' : 'rawKeyDown', 'keyUp'])
      await browser.send('Input.dispatchKeyEvent', {
        type,
        key,
        code: key,
        windowsVirtualKeyCode: code,
        ...(text && type === 'keyDown' ? { text } : {}),
      });
  };
  const tabTo = async what => {
    for (let i = 0; i < 200; i++) {
      await press('Tab', 9);
      if (await browser.run(`(element => ${what})(document.activeElement)`)) return true;
    }
    return false;
  };
  for (const [label, to] of [
    ['To the text', '#content'],
    ['To the kernel that runs here', '#try'],
  ]) {
    await open('01_naive.html');
    const there = await tabTo(`element.textContent === '${label}'`);
    await press('Enter', 13, '\r');
    await press('Tab', 9);
    tell(
      `the link "${label}" leads there`,
      there && (await browser.run(`Boolean(document.activeElement.closest('${to}'))`))
        ? []
        : [await browser.run('document.activeElement.outerHTML.slice(0, 200)')],
    );
  }
  await browser.run(`localStorage.clear()`); // no bet yet
  await open('01_naive.html');
  const steps = [await tabTo(`element.matches('.try select')`)];
  await press('6', 54, '6');
  steps.push(
    (await browser.run(`document.querySelector('.try select').value`)) === '64',
    await tabTo(`element.textContent === 'Run without a bet'`),
  );
  await press('Enter', 13, '\r');
  steps.push(
    await ran(browser),
    await tabTo(`element.matches('.try summary') && /instruction/.test(element.textContent)`),
  );
  await press('Enter', 13, '\r');
  steps.push(await tabTo(`element.matches('.try .each a')`));
  await press('Enter', 13, '\r');
  steps.push(await browser.run(until(`document.querySelector('.try .figure svg.draw')`)));
  tell(
    'a box by keyboard alone',
    steps.every(Boolean)
      ? await browser.errors()
      : [`size, Run, result, listing, instruction, request: ${steps.join(' ')}`],
  );
}

// Tests bets: until the reader bets, a lesson's answer is folded. A settled bet is half a lesson.
async function bets(browser, open) {
  const wrong = [];
  for (const [label, wanted] of [
    ['Run without a bet', { folded: false, said: 'It is 8.' }],
    ['16', { folded: false, said: 'You bet on 16. It is 8.' }],
    ['8', { folded: false, said: 'You bet on 8, and won.' }],
  ]) {
    await browser.run(`localStorage.clear()`);
    await open('07_z_order.html');
    if (
      !(await browser.run(
        "document.querySelector('details.answer:not([open])') !== null && " +
          "!document.querySelector('.variant')",
      ))
    )
      wrong.push('the answer is in view before the bet');
    await browser.run(press('.try', label));
    await ran(browser);
    const found = await browser.run(
      "({ folded: document.querySelector('details.answer:not([open])') !== null, said: " +
        "document.querySelector('.bet-said').textContent })",
    );
    const paid = await browser.run(`document.querySelector('.paid').textContent`),
      mark = await browser.run(`document.querySelector('.steps .half')?.title`);
    if (!paid.includes('4 × 2 = 8') || (label === '16') !== /It would be 16/.test(paid))
      wrong.push(`${label}: ${paid}`);
    if (mark !== 'half done; still open: an exercise') wrong.push(`${label}: ${mark}`);
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      wrong.push(`${label}: ${JSON.stringify(found)}`);
  }
  await browser.run(`localStorage.clear()`);
  await open('07_z_order.html');
  await browser.run(`document.querySelector('details.answer summary').click()`);
  const looked = await browser.run(
    "[document.querySelector('details.answer').open, document.querySelector('.choice') === " +
      "null, [...document.querySelectorAll('.try button')].some(button => button.textContent " +
      "=== 'Run')].join()",
  );
  if (looked !== 'true,true,true')
    wrong.push(`looked at without a bet: open, no bet, Run: ${looked}`);
  await browser.run(`localStorage.clear()`);
  tell('a bet opens the answer, is settled by the run and explained; it is half of the lesson', [
    ...wrong,
    ...(await browser.errors()),
  ]);
}

// The few tests for WebKit: counters after a cold start, and those of editor.js, steps.js and
// hostile.js. WebKit's window cannot be made as narrow as the other tests require.
async function brief() {
  const browser = await started(),
    open = async page => {
      await browser.open(`file://${site}/${page}`);
      return browser.run(until(`${TRY}.dataset.ready`));
    };
  await open('01_naive.html');
  await browser.run(press('.try', 'Run'));
  await browser.run(until(`document.querySelector('table.counters')`));
  await browser.run(
    until(`JSON.parse(document.querySelector('table.counters').dataset.counters).coalesced`),
  );
  const here = JSON.parse(
      await browser.run(`document.querySelector('table.counters').dataset.counters`),
    ).coalesced,
    name = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum';
  const there = nativeCounters('01_naive', 'coalesced', '64').find(row => row[8] === name);
  tell(
    'a cold open to counters, those of the native simulator',
    here[name] === Number(there[9]) ? [] : [`${here[name]}, wanted ${there[9]}`],
  );
  await editor(browser, { site, open, sayer, until, press });
  await steps(browser, { site, open, sayer, until, press });
  await hostile(browser, { site, open, sayer, until, press });
  await browser.stop();
}

async function drive() {
  const browser = await started();
  if (browser.screen) await browser.screen(390, 844);
  const open = async page => {
    await browser.open(`file://${site}/${page}`);
    return browser.run(
      until(`[...document.querySelectorAll('.try, .exercise')].every(box => box.dataset.ready)`),
    );
  };

  // Compares each box's counters with Nsight Compute's on an H200. If these lack the variant at the
  // box's size, as in some side lessons, compares with the native simulator's.
  const exact = [
    'smsp__inst_executed.sum',
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
    'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
    'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum',
  ];
  const lessons = execFileSync('tools/rows.py', ['docs/results/h200/counters.csv'], {
    encoding: 'utf8',
    maxBuffer: 1e7,
  })
    .split('\n')
    .map(line => line.split(','));
  for (const page of fs
    .readdirSync(site)
    .filter(name => /^(0[1-9]|1[0-3])_\w+\.html$/.test(name))) {
    await open(page);
    const kernels = await browser.run(
      "document.querySelector('.try[data-ready=yes]')?.dataset.compared || ''",
    );
    const wrong = [],
      variants = kernels.replace(/\w+\//g, '').split(' ');
    if (!kernels) wrong.push('no box');
    else {
      await browser.run(press('.try', 'Run'));
      if (!(await browser.run(until(`${TRY}.dataset.done`, 120))))
        wrong.push('it does not end');
      else if ((await browser.run(`${TRY}.dataset.done`)) !== 'right')
        wrong.push(await browser.run(`${TRY}.innerText`));
      const all = JSON.parse(
          await browser.run(`document.querySelector('table.counters').dataset.counters`),
        ),
        size = await browser.run(`document.querySelector('.try select').value`);
      if (Object.keys(all).sort().join() !== [...variants].sort().join())
        wrong.push(`variants ${Object.keys(all)}, wanted ${variants}`);
      for (const kernel of kernels.split(' ')) {
        const [step, variant] = kernel.split('/');
        const counted = lessons.some(
          row => row[2] === 'gpu' && row[3] === step && row[4] === variant && row[5] === size,
        )
          ? lessons.filter(row => row[2] === 'gpu')
          : nativeCounters(step, variant, size);
        // In stream-K, blocks poll for each other, so only the arithmetic is equal in every run.
        for (const name of /^stream/.test(variant)
          ? exact.filter(one => /ffma/.test(one))
          : exact) {
          const there = counted.find(
            row => row[3] === step && row[4] === variant && row[5] === size && row[8] === name,
          );
          if (there && Number(there[9]) !== all[variant]?.[name])
            wrong.push(`${variant}, ${name}: ${all[variant]?.[name]}, wanted ${there[9]}`);
          if (!there && name === exact[0])
            wrong.push(`no ${name} of ${step}/${variant} in the results`);
        }
      }
      const shown = await browser.run(`${TRY}.innerText`);
      if (/undefined|NaN|\bnull\b/.test(shown))
        wrong.push(/.{0,60}(undefined|NaN|\bnull\b).{0,60}/.exec(shown)[0]);
      await browser.run(
        '(links => (links.find(link => /LDSM|LDS/.test(link.textContent)) || links.find(link => ' +
          "/LDG/.test(link.textContent))).click())([...document.querySelectorAll('.try .each a')])",
      );
      if (!(await browser.run(until(`document.querySelector('.try .figure svg.draw rect')`))))
        wrong.push('no picture of a request');
      if (
        browser.screen &&
        (await browser.run('document.documentElement.scrollWidth > innerWidth'))
      )
        wrong.push('too wide for a telephone');
      if (
        !(await browser.run(
          "document.querySelectorAll('.try details').forEach(one => { one.open = true; }), " +
            until(
              "document.querySelector('.try svg.timeline rect') || " +
                "document.querySelector('.try').innerText.includes('No time is predicted')",
            ),
        ))
      )
        wrong.push('no timeline');
    }
    tell(`${page}: the box gives its lesson's counters`, [...wrong, ...(await browser.errors())]);
  }

  if (browser.send) await byKeyboard(browser, open);

  // Breaks kernels in the editor and repairs them.
  await open('02_shared_tiling.html');
  const linted = () => browser.run(`Number(${TRY}.dataset.linted || 0)`);
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(until(`document.querySelector('.try textarea')?.value.includes('BAR.SYNC')`));
  const before = await linted(),
    barriers = await browser.run(
      `document.querySelector('.try textarea').value.match(/BAR.SYNC/g).length`,
    );
  await browser.run(press('.try', 'Remove a barrier'));
  await browser.run(
    until(`Number(${TRY}.dataset.linted || 0) > ${before}`),
  );
  await browser.run(press('.try', 'Run'));
  await ran(browser);
  const said = await browser.run(`${TRY}.innerText`);
  tell(
    'without a barrier there is a race, as a card',
    (await browser.run(`document.querySelector('.try .card')?.dataset.kind`)) === 'race'
      ? await browser.errors()
      : [said.slice(0, 600)],
  );
  const noted = await browser.run(
    "(() => { const area = document.querySelector('.try textarea'), lines = " +
      "area.value.split('\\n'); return (area.dataset.noted || '').split(' " +
      "').filter(Boolean).map(line => lines[line]); })()",
  );
  tell(
    'the check marks the lines that it is about',
    noted.length > 1 &&
      noted.every(line => /LDS|STS|STG/.test(line)) &&
      noted.some(line => /LDS/.test(line)) &&
      noted.some(line => /STS/.test(line))
      ? []
      : [JSON.stringify(noted)],
  );
  // On a telephone the editor is below the card, and renders lines only in view.
  await browser.run(`document.querySelector('.try .editor .cm-editor')?.scrollIntoView()`);
  tell(
    'the editor shows the edit to blame, and no longer says that nothing is wrong',
    (await browser.run(
      until(
        "!document.querySelector('.try .lint .fine') && (!document.querySelector('.cm-line') || " +
          "[...document.querySelectorAll('.cm-line')].some(one => /NOP ;/.test(one.textContent)))",
        5,
      ),
    ))
      ? []
      : [await browser.run(`document.querySelector('.try .editor').innerText`)],
  );
  await browser.run(`document.querySelector('.try .card .fix button').click()`);
  tell(
    'the card takes the edit back',
    (await browser.run(
      until(
        "(document.querySelector('.try textarea').value.match(/BAR.SYNC/g) || []).length === " +
          `${barriers}`,
        10,
      ),
    ))
      ? await browser.errors()
      : [await browser.run(`${TRY}.innerText.slice(0, 300)`)],
  );
  await browser.run(press('.try', 'Remove a barrier'));
  await browser.run(
    "(() => { const area = document.querySelector('.try textarea'); area.value = " +
      "area.value.replace('FFMA', 'FFNA'); area.oninput(); })()",
  );
  await browser.run(until(`document.querySelector('.try .lint').textContent.includes('FFNA')`, 10));
  tell(
    'a slip gets its line as one types',
    /FFNA/.test(
      await browser.run(
        "document.querySelector('.try textarea').value.split('\\n')[Number(/line " +
          "(\\d+)/.exec(document.querySelector('.try .lint .card .at')?.textContent || " +
          "'')?.[1]) - 1]",
      ),
    )
      ? []
      : [await browser.run(`document.querySelector('.try .lint').textContent`)],
  );

  await browser.run(press('.try', 'Run'));
  const refusal = await browser.run(`document.querySelector('.try .state').textContent`);
  tell(
    'what does not assemble is not run, and says what was meant',
    (await browser.run(
      until(
        "document.querySelector('.try .card')?.dataset.kind === 'syntax' && " +
          "/FFMA/.test(document.querySelector('.try .card .fix')?.textContent)",
        20,
      ),
    ))
      ? []
      : [refusal],
  );
  await browser.run(press('.try', 'Undo all'));
  await browser.run(until(`document.querySelector('.try textarea').value.includes('BAR.SYNC')`));
  const columns = () =>
    browser.run("[...document.querySelectorAll('.variant b')].map(one => one.innerText).join()");
  await browser.run(
    "(() => { document.querySelector('.try select').value = '128'; delete " +
      `${TRY}.dataset.done; ${press('.try', 'Run')}; ` +
      `${press('.try', 'Run')}; })()`,
  );
  await ran(browser);
  tell(
    'pressed twice, it runs once, and the earlier run is kept beside it',
    /^tile32.*, before \(N = \d+\),tile32$/.test(await columns())
      ? await browser.errors()
      : [await columns()],
  );
  // Beside an edit stands the kernel as compiled. This one changes only the register banks.
  await browser.run(
    "(() => { const area = document.querySelector('.try textarea'); area.value = " +
      "area.value.replace(/\\.reuse/g, ''); area.oninput(); delete " +
      `${TRY}.dataset.done; ${press('.try', 'Run')}; })()`,
  );
  await ran(browser);
  const difference = await browser.run(`document.querySelector('.try .headline')?.innerText`);
  tell(
    'beside an edited kernel stands the compiled one; a sentence says what changed',
    /^Edited: .*more cycles lost at register banks; the result is right\.$/.test(difference) &&
      (await columns()).endsWith('tile32, as compiled,tile32, edited')
      ? await browser.errors()
      : [difference, await columns()],
  );

  // The first screen runs both kernels, answers the bet, and takes every figure from the engine.
  await open('index.html');
  await browser.run(
    "[...document.querySelectorAll('.hero-machine .bet button')].find(button => " +
      "button.textContent === '4').click()",
  );
  const machine = `document.querySelector('.hero-machine')`,
    played = await browser.run(until(`${machine}.dataset.done`));
  const [slow, fast] = ['uncoalesced', 'coalesced'].map(
    variant =>
      nativeCounters('01_naive', variant, '64').find(
        row => row[8] === 'smsp__inst_executed.sum',
      )[9],
  );
  const facts = await browser.run(
    `({ cycles: ${machine}.dataset.cycles, instructions: ${machine}.dataset.instructions, ` +
      `ratio: Number(${machine}.dataset.times), marks: [...${machine}.querySelectorAll('.won, ` +
      ".lost')].map(one => one.className + one.textContent).join(), said: " +
      "document.querySelector('.hero-said').textContent, cells: " +
      `${machine}.querySelectorAll('svg rect.lane').length })`,
  );
  tell(
    'the first screen: 32 cycles against 1, the ratio of times, the same instructions, the bet',
    played &&
      facts.cycles === '32 1' &&
      facts.marks === 'choice lost4,choice won32' &&
      facts.said.startsWith('You bet 432 cycles against 1 for this load') &&
      facts.instructions === `${slow} ${fast}` &&
      facts.ratio > 3 &&
      /is 1\d\.\d times as slow, not 32 times\./.test(facts.said) &&
      facts.cells >= 4
      ? await browser.errors()
      : [JSON.stringify(facts)],
  );
  await bets(browser, open);
  await open('01_naive.html');
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(until(`document.querySelector('.try textarea')`));
  await browser.run(
    "(() => { document.querySelector('.try select').value = '128'; delete " +
      `${TRY}.dataset.done; ${press('.try', 'Remove a wait')}; ` +
      `${press('.try', 'Run')}; })()`,
  );
  await ran(browser);
  tell(
    'without a wait there is a hazard, as one card that has each line once',
    (await browser.run(
      "[...document.querySelectorAll('.try .card')].filter(card => card.dataset.kind === " +
        "'hazard').length === 1 && new Set([...document.querySelectorAll('.try .card .at')].map(" +
        "one => one.textContent)).size === document.querySelectorAll('.try .card .at').length",
    ))
      ? await browser.errors()
      : [(await browser.run(`${TRY}.innerText`)).slice(0, 800)],
  );
  // An endless loop is reported with its line within seconds.
  await browser.run(press('.try', 'Undo all'));
  await browser.run(until(`document.querySelector('.try textarea').value.includes('EXIT')`));
  await browser.run(
    "(() => { const area = document.querySelector('.try textarea'); area.value = " +
      "area.value.replace(/^.*FFMA/m, '.L_forever:\\n--:-:-:-:6  IADD3 R24, R24, 0x1, RZ " +
      ";\\n--:-:-:-:6  BRA `(.L_forever) ;\\n$&'); area.oninput(); delete " +
      `${TRY}.dataset.done; ${press('.try', 'Run')}; })()`,
  );
  await browser.run(until(`${TRY}.dataset.done`, 50));
  tell(
    'a loop without an end is named',
    (await browser.run(
      "[...document.querySelectorAll('.try .card')].some(card => card.dataset.kind === " +
        "'endless') && /BRA|IADD3/.test(document.querySelector('.try .card .places-of').innerText)",
    ))
      ? await browser.errors()
      : [(await browser.run(`${TRY}.innerText`)).slice(0, 500)],
  );
  await browser.run(`localStorage.clear()`);

  // A run that never ends is ended, and the next one works.
  const endless = `.kernel endless\n--:-:-:-:5  BRA 0x0 ;\n`;
  const ended = await browser.run(`(async () => {
    const made = await Engine.run(['sass', 'asm', 'e.sass', '--no-lint', '-o', 'e.cubin'],
      { 'e.sass': ${JSON.stringify(endless)} }, { wanted: ['e.cubin'] });
    if (made.status) return made.err;
    const run = await Engine.run(['simrun', 'e.cubin', '--entry', 'endless', '--grid', '1',
      '--block', '32'], made.files, { seconds: 1 });
    const next = await Engine.run(['sass', 'dis', 'e.cubin'], made.files);
    return [run.status, run.err.trim().split('\\n').length, next.status].join(' '); })()`);
  tell(
    'an endless loop is ended in a dozen lines at most, and the next run works',
    /^(1|124) ([1-9]|1[0-2]) 0$/.test(ended) ? [] : [ended],
  );

  await open('01_naive.html');
  // A run that needs more memory than there is, or has a damaged file, ends with a short message.
  const refused = await browser.run(`(async () => {
    const path = 'cubin/sm_90/01_naive/coalesced.cubin',
      kernel = await Engine.unpack(KERNELS[path]), said = [];
    const launch = more => ['simrun', 'k.cubin', '--entry', 'sgemm_naive', '--grid', '1',
      '--block', '32', ...more];
    for (const [words, bytes] of [[launch(['--arg', 'f32[3000000000]:zero']), kernel],
      [launch([...Array(9)].flatMap(() => ['--arg', 'f32[200000000]:zero'])), kernel],
      [['sass', 'dis', 'k.cubin'], kernel.subarray(0, 1000)],
        [['sass', 'asm', 'k.cubin', '-o', 'x'],
          new Uint8Array(3e6).map((_, i) => i % 60 ? 65 : 10)]]) {
      const run = await Engine.run(words, { 'k.cubin': bytes }),
        next = await Engine.run(['sass', 'dis', 'k.cubin'], { 'k.cubin': kernel });
      if (run.status === 0 || next.status !== 0 || run.err.trim().split('\\n').length > 3 ||
        run.err.length > 400) said.push([words.join(' ').slice(0, 60), run.status, next.status,
          run.err.slice(0, 500)].join(': '));
    }
    return said; })()`);
  tell(
    'too much memory, half a cubin, a file that is no text: a short message each, and the next ' +
      'run works',
    refused,
  );

  await refusals(browser, { open, tell, until, press });
  await exercises(browser, open);
  await edits(browser, { site, open, sayer, until, press });
  await hostile(browser, { site, open, sayer, until, press });
  await editor(browser, { site, open, sayer, until, press });
  await steps(browser, { site, open, sayer, until, press });
  if (browser.send) await axe(browser, { open, tell, until, press });

  // A lesson's pictures and sliders hide its answer until the reader has bet or asks for it.
  const answerHeld =
    "new Promise(done => { const box = document.querySelector('.motion'), slider = " +
    "document.querySelector('.slider'), range = slider.querySelector('input'); range.value = 3; " +
    "range.oninput(); const last = () => { const shown = box.querySelector('input'); " +
    'shown.value = shown.max; shown.oninput(); ' +
    'return shown.max === String(box.dataset.of - 1); }; ' +
    'const look = () => box.dataset.of ? done([/Bet below/.test(slider.innerText), last(), ' +
    "box.querySelector('.said').textContent === '']) : setTimeout(look, 100); " +
    'box.scrollIntoView(); look(); })';
  await open('07_z_order.html');
  const held = [await browser.run(answerHeld)];
  await browser.run(`document.querySelector('details.answer summary').click()`);
  await browser.run(until(`document.querySelector('.slider').dataset.wavefronts`, 10));
  held.push(await browser.run(answerHeld));
  tell(
    'the picture and the slider of lesson 07 have the answer after the bet only',
    held.join(' ') === 'true,false,true false,true,false'
      ? await browser.errors()
      : [held.join(', then ')],
  );
  await browser.run('localStorage.clear()');
  for (const step of fs.readdirSync('steps'))
    await browser.run(`localStorage.setItem('seen ${step}', 1)`);

  await motion(browser, { open, tell, until });

  // Compares what sliders show with the tables of the lessons.
  for (const [page, kind, order, at, expected] of [
    ['01_naive', 'stride', '', 32, '32'],
    ['01_naive', 'stride', '', 33, '8'],
    ['04_warp_tiling', 'lanes', '', 0, '1 8'],
    ['04_warp_tiling', 'lanes', '', 2, '1 2'],
    ['06_conflict_free_transpose-evidence', 'padding', '', 0, '2'],
    ['06_conflict_free_transpose-evidence', 'padding', '', 4, '1'],
    ['06_conflict_free_transpose', 'xor', '', 16, '1'],
    ['07_z_order', 'width', '16', 3, '2 2'],
  ]) {
    await open(`${page}.html`);
    const slider = `document.querySelector('.slider[data-kind=${kind}]')`,
      shown = `${slider}.dataset.wavefronts`;
    await browser.run(`(() => { const range = ${slider}.querySelector('input');
      ${order ? `${slider}.querySelector('select').value = '${order}';` : ''} range.value = ${at};
      range.oninput(); })()`);
    const good = await browser.run(until(`${shown} === '${expected}'`, 10));
    tell(
      `slider ${kind} ${order} at ${at}: ${expected} wavefronts`,
      good ? await browser.errors() : [await browser.run(shown)],
    );
  }
  await browser.stop();
}

async function main() {
  for (browserName of process.argv.slice(3)) await (browserName === 'webkit' ? brief : drive)();
}
main().catch(error => {
  console.log(`not ok - ${browserName}: boxes\n# ${error.stack}`);
  process.exit(1);
});
