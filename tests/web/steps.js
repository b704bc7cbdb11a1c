// Tests the stepper of a box, for tests/web/boxes.js.
'use strict';

const stepper = `document.querySelector('.stepper')`,
  place = `${stepper}.querySelector('[role=status]').textContent`;

async function steps(browser, { site, open, sayer, until, press }) {
  let count = 0;
  const act = async what => {
    // Runs an expression in the page, and waits until the stepper shows the result.
    await browser.run(what);
    return browser.run(until(`Number(${stepper}?.dataset.steps || 0) >= ${++count}`, 20));
  };
  const to = pattern =>
    act(
      `[...${stepper}.querySelectorAll('.code-steps a')].find(line => ` +
        `${pattern}.test(line.textContent)).click()`,
    );
  const begin = async page => {
    await open(page);
    await browser.run('localStorage.clear()');
    await open(page);
    count = 0;
    return act(
      `(() => { document.querySelector('.try select').value = '64'; ${press('.try', 'Step')}; })()`,
    );
  };
  const say = sayer(
    browser,
    `(${stepper} || document.querySelector('.try')).innerText.slice(0, 600)`,
  );

  await begin('02_shared_tiling.html');
  await say(
    'it opens in the loop that runs at this size; each part of the next line is beside the last',
    await browser.run(
      `(line => line.classList.contains('loop') && [...line.children].every((part, i, all) => ` +
        `!i || part.getBoundingClientRect().left + 1 > all[i - 1].getBoundingClientRect().right) ` +
        `&& ` +
        `line.children.length > 4)(${stepper}.querySelector('.next'))`,
    ),
  );
  await to('/LDS\\.128/');
  const before = await browser.run(place);
  await act(press('.stepper', 'Step'));
  const shown = await browser.run(
    `({ rects: ${stepper}.querySelectorAll('.figure svg g rect').length, away: ` +
      `[...${stepper}.querySelectorAll('.regs > div .away b')].map(name => ` +
      "name.textContent).join(' '), " +
      `fresh: ${stepper}.querySelectorAll('td.new').length, boards: ` +
      `${stepper}.querySelector('.boards').innerText })`,
  );
  await say(
    'a step over a shared load: its request, its registers on their way, their scoreboard',
    /Meanwhile other warps ran: warps 1 to 31: \d+ instructions each/.test(before) &&
      shown.rects === 2 &&
      /^R12 R13 R14 R15$/.test(shown.away) &&
      shown.fresh >= 128 &&
      /scoreboard 2.*on the way: R12/.test(shown.boards),
  );
  await browser.run(
    `(() => { const form = ${stepper}.querySelector('select[aria-label="show numbers"]'); ` +
      "form.value = 'floats'; form.onchange(); })()",
  );
  await say(
    'as numbers',
    await browser.run(`${stepper}.querySelector('.lanes').textContent.includes('0.')`),
  );
  await act(
    `${stepper}.querySelector('.next').dispatchEvent(new KeyboardEvent('keydown', ` +
      "{ key: 'b', bubbles: true }))",
  );
  await say(
    'back, by its key',
    (await browser.run(place)).replace(/ Meanwhile.*/, '') === before.replace(/ Meanwhile.*/, ''),
  );
  await say(
    'the stall is that of the control column',
    await browser.run(
      '(() => { const [, stall] = /:([0-9a-f]) ' +
        `/.exec(${stepper}.querySelector('.next').textContent); return new RegExp('again ' + ` +
        "parseInt(stall, 16) + ' " +
        `cycle').test(${stepper}.querySelector('.sentence').textContent); })()`,
    ),
  );

  // The instruction under the pointer highlights its line of kernel.cu, and a line highlights its
  // instructions. The keyboard moves from line to line, and to a line's first instruction.
  await to('/LDS\\.128/');
  const lit = `document.querySelector('.changes .lit')?.textContent`,
    key = name =>
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', ` +
      'bubbles: true, cancelable: true }))';
  await say(
    'the next instruction lights its line',
    await browser.run(
      `${lit}.includes('acc += As') && ${place}.includes('(kernel.cu, line ' + ` +
        "document.querySelector('.changes .lit').id.slice(1) + ')')",
    ),
  );
  const led = await browser.run(`(() => { const panel = document.querySelector('.changes'),
      stops = [...panel.querySelectorAll('a[tabindex="0"]')];
    panel.open = true; stops[0].focus(); ${key('ArrowDown')}; const line = document.activeElement;
    ${key('Enter')};
    return [stops.length, line !== stops[0] &&
      line === document.querySelector('.changes .lit'),
        document.activeElement.closest('.code-steps') &&
          document.activeElement.classList.contains('lit')].join(' '); })()`);
  await say(`a line lights its instructions (${led})`, led === '1 true true');
  if (browser.screen) {
    await browser.screen(390, 844);
    await say(
      'not too wide for a telephone',
      await browser.run('document.documentElement.scrollWidth <= innerWidth'),
    );
    // Positions are rounded: WebKit puts the last entry a fraction of a pixel below the screen.
    const reach = await browser.run(`(() => {
      const menu = document.querySelector('#menu'), side = document.querySelector('.side'),
        last = [...side.querySelectorAll('a')].pop();
      menu.click();
      last.scrollIntoView({ block: 'end' });
      const top = side.getBoundingClientRect().top, end = last.getBoundingClientRect().bottom;
      menu.click();
      return top >= document.querySelector('header').getBoundingClientRect().bottom - 1 &&
        end <= innerHeight + 1;
    })()`);
    await say('its menu begins below the header and scrolls to its last entry', reach);
  }

  // A click on the timeline leads to the stepper: what the warp issues at that cycle comes next.
  await browser.run(press('.try', 'Run'));
  await browser.run(until(`document.querySelector('.try').dataset.done`));
  await browser.run(
    `document.querySelectorAll('.try details').forEach(part => { part.open = true; })`,
  );
  await browser.run(until(`document.querySelector('.try .timeline')`));
  const ticks =
      "[...document.querySelectorAll('.try .timeline line + text')].map(tick => " +
      'Number(tick.textContent))',
    wide = await browser.run(ticks);
  for (let i = 0; i < 2; i++) await browser.run(press('.try', '+'));
  const zoomed = await browser.run(ticks),
    apart = list => list[1] - list[0];
  for (let i = 0; i < 2; i++) await browser.run(press('.try', '−'));
  await say(
    'the timeline has an axis, a legend, and is zoomed',
    wide.length > 2 &&
      apart(zoomed) < apart(wide) &&
      (await browser.run(`document.querySelectorAll('.try details .legend li').length > 3`)),
  );
  await browser.run(press('.try', 'All'));
  await browser.run(`[...document.querySelectorAll('.try .timeline .column')].find(column =>
      /cycles \\d+ .*FFMA/.test(column.textContent)).dispatchEvent(new MouseEvent('click'))`);
  const clicked = await browser.run(`(() => { const spans =
      [...document.querySelectorAll('.try .timeline rect')].filter(span =>
        /cycle \\d+: FFMA/.test(span.textContent)), span = spans[spans.length >> 1];
    span.dispatchEvent(new MouseEvent('click'));
    return /Warp (\\d+), cycle \\d+: (.*)\\./.exec(span.textContent).slice(1); })()`);
  const reached = await browser.run(
    until(
      `${place}.startsWith('Warp ${clicked[0] % 32} has done ') && ` +
        `${stepper}.querySelector('.next')?.textContent.includes('${clicked[1]}')`,
      20,
    ),
  );
  await say('a click on the timeline steps to it', reached);
  count = Number(await browser.run(`${stepper}.dataset.steps`));

  // A race is found where it happens: without the barrier, a warp that has stored its part of a
  // tile reads the part of another warp.
  await browser.run(press('.try', 'Edit the machine code'));
  await browser.run(until(`document.querySelector('.try textarea')?.value.includes('BAR.SYNC')`));
  await act(press('.try', 'Remove a barrier'));
  await say(
    'an edit begins anew',
    /^Warp 0 has done 0 instructions/.test(await browser.run(place)),
  );
  await to('/LDS\\.128/');
  await act(press('.stepper', 'Step'));
  await act(press('.stepper', 'Other warps'));
  await say(
    'a race found by stepping',
    (await browser.run(`${stepper}.querySelector('.card')?.dataset.kind`)) === 'race',
  );
  await browser.run('localStorage.clear()');
}
module.exports = { steps };
