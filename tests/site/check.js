// Tests the built site in real browsers: node tests/site/check.js SITE BROWSER... Prints TAP.
'use strict';
const { readdirSync, readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { deadLinks } = require('./links.js');
const { lookedAt } = require('./page.js');

const site = resolve(process.argv[2]),
  pages = readdirSync(site)
    .filter(name => name.endsWith('.html'))
    .sort();
function tell(name, wrong) {
  console.log(`${wrong.length ? 'not ok' : 'ok'} - ${name}`);
  for (const line of wrong.slice(0, 20)) console.log('# ' + line);
}

// What pages must do, in Chromium and in Firefox: [name, page, expression for the page that does it
// and is true if it worked].
const DEEDS = [
  [
    'search finds a section, by keyboard alone',
    'index.html',
    `(async () => {
        dispatchEvent(new KeyboardEvent('keydown', {key: '/', cancelable: true}));
        const field = document.activeElement;
        field.value = 'quarter warp';
        field.dispatchEvent(new Event('input'));
        await Course.loadIndex();
        await new Promise(done => setTimeout(done, 50));
        const found = document.querySelector('dialog li a');
        field.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}));
        return [...document.querySelectorAll('dialog li a')].slice(0,
          3).some(link => link.getAttribute('href').startsWith('07_z_order')) &&
            document.activeElement === found; })()`,
  ],
  [
    'a chart is drawn when it comes near, switches to the H100 and keeps its frame',
    '07_z_order-evidence.html',
    `(async () => {
        const chart = document.querySelector('.chart'),
          said = () => chart.querySelector('small').textContent;
        for (let fold = chart.closest('details'); fold;
        fold = fold.parentElement.closest('details')) fold.open = true;
        chart.scrollIntoView();
        for (let i = 0; i < 100 && !chart.querySelector('svg'); i++)
          await new Promise(done => setTimeout(done, 50));
        const before = said();
        [...chart.querySelectorAll('.choose button')].find(button =>
          button.textContent.includes('H100')).click();
        return before.includes('H200') && said().includes('H100') &&
          chart.querySelectorAll('rect').length >= 4; })()`,
  ],
  [
    "the reader's own results.csv is drawn",
    'measurements.html',
    `(async () => {
        (await Course.charts()).readOwn('time,commit,backend,device,driver,step,variant,' +
            'm,n,k,lda,ldb,ldc,alpha,beta,mode,tflops,pct_peak,check\\n' +
            '2026-01-01T00:00:00Z,abc,gpu,NVIDIA Toy,1,01_naive,coalesced,' +
            '512,512,512,512,512,512,1,0,burst,1.5,50,pass\\n' +
            '2026-01-01T00:00:00Z,abc,gpu,NVIDIA Toy,1,01_naive,coalesced,' +
            '512,512,512,512,512,512,1,0,burst,9.9,50,fail\\n', 'results.csv');
        const chart = document.querySelector('.chart[data-kind=ladder]');
        localStorage.removeItem('own');
        return chart.textContent.includes('NVIDIA Toy') &&
          chart.querySelector('.values').textContent.includes('1.5 TFLOP/s'); })()`,
  ],
  [
    'a key moves the read-out along N, another puts the next line in front',
    'measurements.html',
    `(async () => {
        (await Course.charts()).drawAll();
        const chart = document.querySelector('.chart');
        [...chart.querySelectorAll('.choose button')].find(button =>
          button.textContent.includes('H200')).click();
        const slider = chart.querySelector('.reads'),
          press = key => slider.dispatchEvent(new KeyboardEvent('keydown', {key}));
        press('ArrowDown');
        press('ArrowDown');
        const order = () => [...chart.querySelectorAll('.values li')].map(item =>
            item.children[1].textContent).join(), before = order();
        press('ArrowLeft');
        const missing = chart.querySelector('.values').textContent.includes('–');
        press('End');
        if (missing || order() !== before) return before + order();
        const said = slider.getAttribute('aria-valuetext');
        return /^N = 16384: 8 double buffer .* times cuBLAS$/.test(said) &&
          chart.querySelector('.values .on').textContent.includes('8 double buffer') || said;
      })()`,
  ],
  [
    'a file without times is refused beside the button',
    'measurements.html',
    `(async () => {
        const charts = await Course.charts();
        charts.drawAll();
        charts.readOwn('a,b\\n1,2', 'bad.csv');
        const said = document.querySelector('.choose + [role=alert]');
        return said?.textContent.startsWith('bad.csv: it has no times') || String(said); })()`,
  ],
  [
    'a link to the folded figures opens them',
    'index.html#the-ladder',
    `document.getElementById('the-ladder').open`,
  ],
  [
    'the ladder is a list of nine links, marks progress and shows the H100',
    'index.html',
    `(async () => {
        for (const name of ['seen 01_naive', 'exercise exercises/01a_x/'])
          localStorage.setItem(name, '{"solved":true}');
        dispatchEvent(new Event('progress'));
        localStorage.clear();
        const links = [...document.querySelectorAll('ol.rungs > li > a')],
          said = () => links.map(link => link.innerText.replace(/\\s+/g, ' ')).join('; '),
          before = said();
        (await Course.charts()).drawAll();
        [...document.querySelectorAll('.choose button')].find(button =>
          button.textContent === 'H100').click();
        return links.length === 9 && links[0].matches('.done') && links[1].matches('.here') &&
          /^1 naive .* 6.4 .*; 2 .* 9.1 TFLOP.s × 1.42;/.test(before) && said() !== before &&
          !/undefined|NaN/.test(said()) || before + said(); })()`,
  ],
  [
    'a measured figure says where it comes from',
    '07_z_order.html',
    `(() => {
        const value = document.querySelector('.value');
        value.dispatchEvent(new Event('pointerover', {bubbles: true}));
        const said = document.getElementById('tip').textContent;
        return said.includes('docs/results/h200/') && said.includes('commit'); })()`,
  ],
  [
    'the text comes before the sidebar, and cannot be reached while the menu is open',
    '01_naive.html',
    `(() => {
        const [main, side, menu] = ['main', '.side', '#menu'].map(one =>
          document.querySelector(one));
        menu.click();
        const held = main.inert && (innerWidth > 1024 || side.contains(document.activeElement));
        dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
        return held && !main.inert && Boolean(main.compareDocumentPosition(side) & 4); })()`,
  ],
  [
    'place and progress: the current lesson, its headings, what is done',
    '07_z_order.html',
    `(() => {
        for (const name of ['seen 01_naive', 'exercise exercises/01a_x/'])
          localStorage.setItem(name, '{"solved":true}');
        dispatchEvent(new Event('progress'));
        localStorage.clear();
        const here = document.querySelector('.steps a[aria-current=page]'),
          heads = document.querySelectorAll('.on-page a');
        return here.dataset.lesson === '07_z_order.html' &&
          heads.length === document.querySelectorAll('main h2[id]').length &&
            document.querySelectorAll('.steps a.done').length === 1; })()`,
  ],
  ...['vocabulary.html', 'profiling.html', '01_naive.html', '01_naive-evidence.html'].map(page => [
    `the list of headings is on the first screen: ${page}`,
    page,
    `(async () => {
        await new Promise(done => setTimeout(done, 100));
        const lists = [...document.querySelectorAll('.on-page')];
        if (innerWidth < 1000) return lists.length === 1;
        const [first, second] = lists[0].querySelectorAll('a');
        return lists.length === 1 && second.getBoundingClientRect().bottom < 720 &&
          first.getBoundingClientRect().top > 0 || String(lists.length); })()`,
  ]),
  [
    'search finds words in part, in another form and with a slip; Escape closes it',
    'index.html',
    `(async () => {
        document.getElementById('search').click();
        const field = document.querySelector('dialog input');
        const ask = async words => { field.value = words; field.dispatchEvent(new Event('input'));
          await Course.loadIndex(); await new Promise(done => setTimeout(done, 60));
          return document.querySelector('dialog li a')?.getAttribute('href'); };
        const found = {};
        for (const words of ['bank conflicts', 'wavefrnt', 'tilin', 'ncu', 'reuse'])
          found[words] = await ask(words);
        field.dispatchEvent(new KeyboardEvent('keydown',
          {key: 'Escape', bubbles: true, cancelable: true}));
        for (let i = 0; i < 50 && document.querySelector('dialog'); i++)
          await new Promise(done => setTimeout(done, 20));
        return !document.querySelector('dialog') && JSON.stringify(found) === JSON.stringify({
          'bank conflicts': 'vocabulary.html#word-bank-conflict',
          wavefrnt: 'vocabulary.html#word-wavefront',
          tilin: '02_shared_tiling.html', ncu: 'vocabulary.html#word-ncu',
          reuse: '09_reuse_sass.html' }) || JSON.stringify(found); })()`,
  ],
  [
    'no bubble has nothing to say',
    '07_z_order.html',
    `(() => {
        for (const one of document.querySelectorAll('main [title], main [data-tip], main .term')) {
            one.dispatchEvent(new Event('pointerover', {bubbles: true}));
            const said = document.getElementById('tip')?.textContent;
            if (!said || /undefined|NaN/.test(said)) return one.outerHTML.slice(0, 200)
              + ' ' + said;
        }
        return true; })()`,
  ],
  [
    'the first tap on a term shows its bubble, the second goes to its entry',
    '07_z_order.html',
    `(() => {
        const term = document.querySelector('.term'), bubbles = true, kept = [];
        onclick = event => { kept.push(event.defaultPrevented); event.preventDefault(); };
        term.dispatchEvent(new PointerEvent('pointerover', {bubbles, pointerType: 'touch'}));
        for (const detail of [1, 1])
          term.dispatchEvent(new MouseEvent('click', {bubbles, cancelable: true, detail}));
        return kept.join() === 'true,false' && term.hash.startsWith('#word-'); })()`,
  ],
  [
    'a term says what it means when it has the focus',
    '07_z_order.html',
    `(() => {
        const term = document.querySelector('.term');
        term.dispatchEvent(new Event('focusin', {bubbles: true}));
        return document.getElementById('tip').textContent.length > 20 &&
          !document.getElementById('tip').textContent.includes('undefined'); })()`,
  ],
  [
    'the booklet has every lesson as a chapter',
    'booklet.html',
    `(async () => {
        await unpacked;
        const lost = [...document.querySelectorAll('main a[href^="#"]')].filter(link =>
          !document.getElementById(link.hash.slice(1)));
        if (lost.length) return 'no such anchor: ' + lost.map(link => link.hash);
        const chapters = [...document.querySelectorAll('main > section')].map(section =>
          section.id);
        return [...document.querySelectorAll('.steps a[data-lesson]')].every(link =>
          chapters.includes(link.getAttribute('href').replace('.html', '')))
            && chapters.length === document.querySelectorAll('section').length; })()`,
  ],
  [
    'charts are drawn before they are printed',
    '02_shared_tiling-evidence.html',
    `(async () => {
        const charts = [...document.querySelectorAll('.chart')],
          drawn = () => charts.every(chart => chart.querySelector('svg'));
        // The charts show the measurements of OWN, which has steps 01 and 02 (site_test.sh).
        for (let i = 0; i < 100 && !drawn(); i++) {
            dispatchEvent(new Event('beforeprint'));
            await new Promise(done => setTimeout(done, 50));
        }
        return charts.length > 0 && drawn(); })()`,
  ],
  [
    'on paper everything stands open, and afterwards as before',
    '09_reuse_sass-pass.html',
    `(() => {
        const closed = () => [...document.querySelectorAll('.page details:not([open])')],
          before = closed();
        dispatchEvent(new Event('beforeprint'));
        const printed = closed();
        dispatchEvent(new Event('afterprint'));
        return before.length > 0 && printed.length === 0 &&
          before.every(details => !details.open); })()`,
  ],
  [
    'what a narrower window makes scroll is scrolled by keyboard',
    '02_shared_tiling.html',
    `(async () => {
        const listing = document.querySelector('main > pre');
        listing.scrollIntoView();
        await new Promise(done => setTimeout(done, 200));
        listing.removeAttribute('tabindex');
        listing.style.width = '9rem';
        for (let i = 0; i < 50 && listing.tabIndex < 0; i++)
          await new Promise(done => setTimeout(done, 20));
        return listing.tabIndex === 0; })()`,
  ],
  [
    'mathematics is set as mathematics',
    '15_strassen-errors.html',
    `(() => {
        const said = document.querySelector('main').cloneNode(true);
        said.querySelectorAll('pre, code, math').forEach(part => part.remove());
        return document.querySelectorAll('math[display=block] msup, main sup').length > 10 &&
          !/[A-Z0-9)]\\^|<=/.test(said.textContent); })()`,
  ],
  [
    'a solved exercise is marked in the list',
    'exercises.html',
    `(() => {
        localStorage.setItem('exercise exercises/09c_stall/', '{"solved":true}');
        Course.showExercises();
        localStorage.removeItem('exercise exercises/09c_stall/');
        const items = [...document.querySelectorAll('li span[data-exercise]')].map(place =>
          place.closest('li').textContent);
        return items.length > 30 &&
          items.every(item => /\\d min, [^]*(here|terminal)/.test(item)) &&
          items.filter(item => /solved/.test(item)).join().includes('09c') &&
          /1 of 4/.test(document.querySelector('.tasks .solved').closest('section').textContent);
      })()`,
  ],
  [
    'cells take their numbers; the bet shows the others',
    '04_warp_tiling.html',
    `(() => {
        const [first, second] = document.querySelectorAll('.fill'), input = second.lastChild;
        input.value = '24';
        input.oninput();
        localStorage['seen 04_warp_tiling'] = 1;
        dispatchEvent(new Event('answered'));
        localStorage.clear();
        return first.innerText + second.innerText === '2\u2713' &&
          /^4.×.8\\s*, for the/.test(input.ariaLabel); })()`,
  ],
  [
    "a stranger's script does not run",
    'index.html',
    `(async () => {
        document.body.insertAdjacentHTML('beforeend',
          '<img src="x.png" alt="x" onerror="window.hit = true">');
        await new Promise(done => setTimeout(done, 300));
        return !window.hit && document.images[document.images.length - 1].complete; })()`,
  ],
  [
    "the system's mode, the other one and its own by a button, which names them",
    'index.html',
    `(() => {
        const ground = () => getComputedStyle(document.body).backgroundColor,
          button = document.getElementById('theme'), found = [];
        for (let i = 0; i < 4; i++, button.click()) found.push([ground(), button.title]);
        localStorage.removeItem('theme');
        const [first, other, own, last] = found;
        return first[0] !== other[0] && first[0] === own[0] && String(first) === String(last) &&
          new Set(found.map(([, title]) => title)).size === 3; })()`,
  ],
];

async function deeds(browser, name) {
  for (const [deed, page, expression] of DEEDS) {
    await browser.open(`file://${site}/${page}`);
    const done = await browser.run(expression).catch(error => error.message);
    tell(`${name}: ${deed}`, done === true ? [] : [String(done)]);
  }
}

async function chromium() {
  const browser = await require('./chromium.js').start();
  const errors = [],
    found = {};
  browser.on('Runtime.exceptionThrown', event =>
    errors.push(event.exceptionDetails.exception?.description || event.exceptionDetails.text),
  );
  browser.on('Log.entryAdded', ({ entry }) => {
    if (entry.level === 'error') errors.push(`${entry.text} ${entry.url || ''}`);
  });
  browser.on('Runtime.consoleAPICalled', event => {
    if (event.type === 'error') errors.push(JSON.stringify(event.args));
  });
  for (const [width, height, scheme] of [
    [280, 844, 'light'],
    [1280, 900, 'dark'],
  ]) {
    await browser.screen(width, height);
    await browser.scheme(scheme);
    const wrong = [];
    for (const page of pages) {
      await browser.open(`file://${site}/${page}`);
      await browser.run(`Promise.resolve(window.unpacked).then(() =>
          Course.charts()).then(charts => { charts.drawAll(); })`);
      wrong.push(
        ...(await browser.run(lookedAt)).map(line => `${page}: ${line}`),
        ...errors.splice(0).map(line => `${page}: ${line}`),
      );
    }
    tell(
      `chromium: every page at ${width} pixels, ${scheme}: no error, not too wide, contrast, ` +
        'alternative texts',
      wrong,
    );
  }
  // On a telephone, wide tables of figures are folded, and a table that scrolls is marked.
  await browser.screen(390, 844);
  const tables = [];
  for (const page of ['05_float4-evidence.html', '08_double_buffer-evidence.html']) {
    await browser.open(`file://${site}/${page}`);
    tables.push(
      ...(await browser.run(`(async () => {
          document.querySelectorAll('details').forEach(part => { part.open = true; });
          const folded = () => document.querySelectorAll('main table.folded').length;
          for (let i = 0; i < 100 && !folded(); i++)
            await new Promise(done => setTimeout(done, 50));
          return [...(folded() ? [] : ['no table is folded']),
            ...[...document.querySelectorAll('main .table')].filter(box =>
              box.scrollWidth > box.clientWidth + 1 && !box.matches('.more')).map(box =>
              'scrolls: ' + box.textContent.slice(0, 60))]; })()`)),
    );
  }
  tell('chromium: at 390 pixels tables are folded, or say that they scroll', tables);
  await browser.screen(1280, 900);
  const listings = [];
  for (const page of ['story', '04_warp_tiling', '08_double_buffer']) {
    await browser.open(`file://${site}/${page}.html`);
    listings.push(
      ...(await browser.run(`[...document.querySelectorAll('main > pre')].filter(part =>
          part.scrollWidth > part.clientWidth).map(part => part.textContent.slice(0, 60))`)),
    );
  }
  tell('chromium: at 1280 pixels listings fit', listings);
  // A page with faults: the checks must find them.
  await browser.open(`file://${site}/index.html`);
  await browser.run(
    "document.querySelector('main').insertAdjacentHTML('beforeend', '<p " +
      `style="min-width:3000px;color:#999;background:#aaa">pale</p><img src="x.png"><h6>deep</h6>` +
      `<button style="min-height:0;height:9px;padding:0">flat</button>')`,
  );
  const seen = (await browser.run(lookedAt)).join();
  tell(
    'chromium: a wide page, a part off the grid, pale text, a picture without words, a ' +
      'heading too deep and a flat button are found',
    /wide on.*off grid.*no alternative.*H6 follows.*9 px high.*contrast/.test(seen) ? [] : [seen],
  );
  await deeds(browser, 'chromium');
  await browser.stop();
}

async function firefox() {
  const browser = await require('./firefox.js').start(),
    wrong = [];
  await browser.errors();
  for (const page of pages) {
    await browser.open(`file://${site}/${page}`);
    wrong.push(...(await browser.errors()).map(line => `${page}: ${line}`));
  }
  tell('firefox: every page without an error', wrong);
  await browser.run(
    "setTimeout(() => { throw Error('thrown to be seen'); }, 0) && new Promise(done => " +
      'setTimeout(done, 100))',
  );
  const seen = await browser.errors();
  tell(
    'firefox: an error is found',
    /thrown to be seen/.test(seen.join()) ? [] : [`seen: ${seen}`],
  );
  await deeds(browser, 'firefox');
  await browser.stop();
}

async function main() {
  const open = pages.filter(
    page => !readFileSync(`${site}/${page}`, 'utf8').includes('Content-Security-Policy'),
  );
  tell('every page says which scripts it has', open);
  tell('every link leads to a page, an anchor or a file', deadLinks(site));
  if (process.argv.includes('chromium')) await chromium();
  if (process.argv.includes('firefox')) await firefox();
}
main().catch(error => {
  console.log(`not ok - ${error.stack}`);
  process.exit(1);
});
