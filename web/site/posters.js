// node web/site/posters.js STILLS.js KERNELS VARIANTS OUT: writes a still frame of each lesson's
// animation to OUT/STEP.html. It is the last frame, an earlier one that shows more (`rest`), or the
// last one before the answer to the lesson's bet (`held`), behind which there is the whole picture
// for paper. Pages show it until their own engine has run, without scripts, and on paper.
// It also writes OUT/hero.json, the addresses of the two requests that index.html compares, and
// OUT/hero.html, the drawing of both, for a wide screen and for a narrow one.
// STILLS.js is web/page/scenes/stills.js as one file. KERNELS is the folder build/web/kernels.
// VARIANTS is a file with the number and the last variant of each step.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const zlib = require('zlib');
const [stills, kernels, lastOf, out] = process.argv.slice(2);

const escaped = text =>
  String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
// An element with those functions of the DOM that drawings use.
class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: [], children: [] });
  }
  setAttribute(name, value) {
    if (name.startsWith('data-')) return; // what a reader points at: the page's script draws anew
    this.attributes.push(` ${name}="${escaped(value)}"`);
  }
  append(...children) {
    this.children.push(...children);
  }
  toString() {
    const inside = this.children
      .map(child => (child instanceof Element ? String(child) : escaped(child)))
      .join('');
    return `<${this.tag}${this.attributes.join('')}${inside ? `>${inside}</${this.tag}>` : '/>'}`;
  }
}
globalThis.document = { createElementNS: (_, tag) => new Element(tag) };

vm.runInThisContext(
  `${fs.readFileSync('web/engine/worker.js', 'utf8')}\nglobalThis.runProgram = runProgram;`,
);
const compiled = name => new WebAssembly.Module(fs.readFileSync(`build/wasm/${name}.wasm`));
const modules = {
  simulator: compiled('simulator'),
  sass: compiled('sass'),
  ffma: compiled('ffma'),
  fused: null,
};
const bytesOf = file =>
  file.packed ? zlib.gunzipSync(Buffer.from(file.packed, 'base64')) : Buffer.from(file);
globalThis.KERNELS = {};
globalThis.Engine = {
  run: async (words, files) =>
    globalThis.runProgram(
      modules,
      words,
      Object.fromEntries(Object.entries(files).map(([name, file]) => [name, bytesOf(file)])),
    ),
};

async function main() {
  for (const file of fs.readdirSync(kernels))
    vm.runInThisContext(fs.readFileSync(path.join(kernels, file), 'utf8'));
  globalThis.window = globalThis;
  const { scenes, costliest, variantsOf, opening } = require(path.resolve(stills));
  const last = new Map(
    fs
      .readFileSync(lastOf, 'utf8')
      .trim()
      .split('\n')
      .map(row => row.split('\t')),
  );
  for (const [step, make] of Object.entries(scenes())) {
    const marked = /<!-- motion: \S+\/(\S+) -->/.exec(
      fs.readFileSync(`steps/${step}/README.md`, 'utf8'),
    );
    const scene = await make(
      [step, marked ? marked[1] : last.get(step.slice(0, 2))],
      null,
      variantsOf(step),
    );
    const heading = escaped(scene.heading),
      end = scene.held ?? scene.events.length - 1,
      at = scene.held ?? scene.rest ?? end;
    // Drawings depend on the window's width (web/page/draw.js).
    const drawn = (kind, at, holds) => {
      globalThis.innerWidth = kind === 'narrow' ? 390 : 1280;
      const svg = String(scene.draw(at, holds)).replace(
        / aria-label="[^"]*"/,
        ` aria-label="${heading}"`,
      );
      return (
        `<div class="scrolls ${kind}" tabindex="0" role="region" ` +
        `aria-label="${heading}">${svg}</div>`
      );
    };
    const bets = 'held' in scene,
      all = bets ? drawn('paper', scene.rest ?? scene.events.length - 1, false) : '';
    fs.writeFileSync(
      path.join(out, `${step}.html`),
      `<figure class="figure" data-at="${at}" data-last="${end}"><p class="title">${heading}` +
        `</p>${all}${drawn('wide', at, bets)}${drawn('narrow', at, bets)}` +
        `<figcaption><p class="soft">${escaped(scene.key)} ` +
        `<span class="hint">${escaped(scene.hint || '')}</span></p></figcaption>` +
        '</figure>',
    );
  }
  const requests = [];
  for (const variant of ['uncoalesced', 'coalesced']) {
    const { lanes } = (await costliest(['01_naive', variant], 64, /^LDG/, null)).request;
    requests.push(lanes.map(({ address }) => address - 128 * Math.floor(lanes[0].address / 128)));
  }
  fs.writeFileSync(path.join(out, 'hero.json'), JSON.stringify(requests));
  const drawn = [false, true].map(
    narrow =>
      `<div class="machine scrolls ${narrow ? 'narrow' : 'wide'}">` +
      `${opening(requests, narrow)}</div>`,
  );
  fs.writeFileSync(path.join(out, 'hero.html'), drawn.join('\n'));
}
main();
