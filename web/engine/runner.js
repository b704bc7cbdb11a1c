// The course's programs in a page: Engine.run(['sass', 'lint', 'x.cubin'], {'x.cubin': bytes}) gives a promise of {status, out, err,
// files}. A file is bytes, text, or { packed: base64 }. They run in Workers, as many at a time as there are processors, up to four;
// one that does not end is ended with its Worker. Works from file://, where there is no fetch of files and no module script: what it
// needs is in this file (engine.mk puts it there, as Engine.packed), and the module of sass in a script that is loaded when it is first
// asked for.
'use strict';

window.Engine = (() => {
  const SECONDS = 60; // a run that takes longer is ended
  const WORKERS = Math.min(4, navigator.hardwareConcurrency || 1);
  const encode = value => (typeof value === 'string' ? new TextEncoder().encode(value) : value);
  const free = [], queue = [], ends = new Set(); // Workers, runs that wait for one, ends of those that go on
  let address = null, workers = 0, sass = null;

  const load = name => new Promise((done, failed) => document.head.append(Object.assign(document.createElement('script'), { src: `${name}.js`, onload: done, onerror: failed })));
  // A Worker compiles the modules itself, beside what the page does. They are in its script: a message would wait until the page is idle.
  function start() {
    const { worker, simulator, ffma, fused } = Engine.packed;
    address = address || URL.createObjectURL(new Blob([atob(worker), `compile(${JSON.stringify({ simulator, ffma, fused })});`], { type: 'text/javascript' }));
    workers++;
    return new Worker(address);
  }
  function next() {
    while (queue.length && (free.length || workers < WORKERS)) queue.shift().begin(free.pop() || start());
  }

  function begin(worker, words, message, seconds, resolve) {
    const finish = (result, keep) => {
      clearTimeout(timer);
      ends.delete(end);
      if (keep) free.push(worker);
      else { worker.terminate(); workers--; }
      resolve(result);
      next();
    };
    const end = why => finish({ status: 124, out: '', err: `${words[0]}: ${why}\n`, files: {} }, false);
    const timer = setTimeout(() => end(`ended after ${seconds} seconds: choose a smaller size, or look for a loop that never ends`), 1000 * seconds);
    ends.add(end);
    worker.onmessage = ({ data }) => finish(data, true);
    worker.onerror = event => end(`this browser cannot run it (${event.message})`);
    worker.postMessage(message);
  }

  return {
    packed: {},
    async run(words, files, { wanted = [], seconds = SECONDS } = {}) {
      if (words[0] === 'sass') await (sass = sass || load('sass'));
      const message = { words, wanted, compile: words[0] === 'sass' ? { sass: Engine.packed.sass } : {}, files: Object.fromEntries(Object.entries(files).map(([name, value]) => [name, encode(value)])) };
      return new Promise(resolve => {
        queue.push({ begin: worker => begin(worker, words, message, seconds, resolve), end: () => resolve({ status: 124, out: '', err: `${words[0]}: stopped\n`, files: {} }) });
        next();
      });
    },
    // Packed and as base64, to bytes.
    async unpack(base64) {
      const packed = await fetch(`data:application/gzip;base64,${base64}`);
      return new Uint8Array(await new Response(packed.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
    },
    stop() {
      queue.splice(0).forEach(waiting => waiting.end());
      [...ends].forEach(end => end('stopped'));
    },
    warm() { free.push(start()); },
  };
})();
