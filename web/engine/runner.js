// The course's programs in a page: Engine.run(['sass', 'lint', 'x.cubin'], {'x.cubin': bytes}) gives a promise of {status, out, err,
// files}. They run in a Worker, one after the other; one that does not end is ended with its Worker. Works from file://, where
// there is neither fetch nor a module: what it needs is in this file (engine.mk puts it there, as Engine.packed).
'use strict';

window.Engine = (() => {
  const SECONDS = 60; // a run that takes longer is ended
  const bytesOf = base64 => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const encode = value => (typeof value === 'string' ? new TextEncoder().encode(value) : value);
  let worker = null, modules = null, address = null, last = Promise.resolve(), stop = null, count = 0;

  function start() {
    const { worker: code, ...sources } = Engine.packed;
    address = address || URL.createObjectURL(new Blob([bytesOf(code)], { type: 'text/javascript' }));
    worker = new Worker(address);
    if (modules) return worker.postMessage({ modules });
    worker.addEventListener('message', ({ data }) => { if (data.modules) modules = data.modules; });
    return worker.postMessage({ sources: Object.fromEntries(Object.entries(sources).map(([name, text]) => [name, bytesOf(text)])) });
  }

  function runNow(words, files, { wanted = [], seconds = SECONDS } = {}) {
    return new Promise(resolve => {
      if (!worker) start();
      const id = ++count, used = worker;
      const finish = result => {
        clearTimeout(timer);
        used.removeEventListener('message', hear);
        used.removeEventListener('error', fail);
        stop = null;
        resolve(result);
      };
      const end = why => {
        used.terminate();
        worker = null;
        finish({ status: 124, out: '', err: `${words[0]}: ${why}\n`, files: {} });
      };
      const hear = ({ data }) => { if (data.id === id) finish(data.result); };
      const fail = event => end(`this browser cannot run it (${event.message})`);
      const timer = setTimeout(() => end(`ended after ${seconds} seconds: choose a smaller size, or look for a loop that never ends`), 1000 * seconds);
      stop = () => end('stopped');
      used.addEventListener('message', hear);
      used.addEventListener('error', fail);
      used.postMessage({ id, words, wanted, files: Object.fromEntries(Object.entries(files).map(([name, value]) => [name, encode(value)])) });
    });
  }

  return {
    packed: {},
    run(words, files, options) {
      const result = last.then(() => runNow(words, files, options));
      last = result;
      return result;
    },
    // Packed and as base64, to bytes.
    async unpack(base64) {
      return new Uint8Array(await new Response(new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
    },
    stop() { if (stop) stop(); },
    warm() { if (!worker) start(); },
  };
})();
