// Runs the course's programs in a page. Engine.run(['sass', 'lint', 'x.cubin'], {'x.cubin': bytes})
// returns a promise of {status, out, err, files}; `files` are those that the option `wanted` names.
// The promise never fails. Status is 124 if the run was ended, 127 if the program could not be
// loaded; `err` then explains it in a line. An input file is bytes, text, or {packed: base64}.
// Runs are distributed over Workers, one per processor, at most four. Ending a run ends its Worker.
// This works from file://, where a page cannot fetch files or load module scripts. engine.mk adds
// the programs to this file as Engine.packed, except sass: its script is loaded when first needed.
'use strict';

window.Engine = (() => {
  const SECONDS = 60; // a longer run is ended
  const WORKERS = Math.min(4, navigator.hardwareConcurrency || 1);
  const encode = value => (typeof value === 'string' ? new TextEncoder().encode(value) : value);
  // Free Workers; runs that wait for a Worker; current runs, {owner, end}.
  const free = [],
    queue = [],
    going = new Set();
  let address = null,
    workers = 0,
    sass = null;

  // Loads a module's script, which puts the module into Engine.packed. Resolves to true if the
  // module is there; after a failure the next call tries again.
  const load = name =>
    new Promise(done => {
      const script = document.createElement('script'),
        loaded = () => {
          script.remove();
          done(name in Engine.packed);
        };
      document.head.append(
        Object.assign(script, { src: `${name}.js`, onload: loaded, onerror: loaded }),
      );
    });
  const failed = (status, words, why) => ({
    status,
    out: '',
    err: `${words[0]}: ${why}\n`,
    files: {},
  });
  // Starts a Worker, which compiles the modules while the page does other work. The modules are in
  // the Worker's script, because a message would wait until the page is idle.
  function start() {
    const { worker, simulator, ffma, fused } = Engine.packed;
    address =
      address ||
      URL.createObjectURL(
        new Blob([worker, `compile(${JSON.stringify({ simulator, ffma, fused })});`], {
          type: 'text/javascript',
        }),
      );
    workers++;
    return new Worker(address);
  }
  function next() {
    while (queue.length && (free.length || workers < WORKERS))
      queue.shift().begin(free.pop() || start());
  }

  function begin(worker, words, message, seconds, owner, resolve) {
    const run = { owner, end: why => finish(failed(124, words, why), false) };
    const finish = (result, keep) => {
      clearTimeout(timer);
      going.delete(run);
      if (keep) free.push(worker);
      else {
        worker.terminate();
        workers--;
      }
      resolve(result);
      next();
    };
    const timer = setTimeout(
      () =>
        run.end(
          `ended after ${seconds} seconds: choose a smaller size, or look for a loop that ` +
            'never ends',
        ),
      1000 * seconds,
    );
    going.add(run);
    worker.onmessage = ({ data }) => finish(data, true);
    worker.onerror = event => run.end(`this browser cannot run it (${event.message})`);
    worker.postMessage(message);
  }

  return {
    packed: {},
    seconds: SECONDS,
    async run(words, files, { wanted = [], seconds = Engine.seconds, owner } = {}) {
      if (words[0] === 'sass' && !(await (sass = sass || load('sass')))) {
        sass = null;
        return failed(
          127,
          words,
          'it could not be loaded (sass.js); is the network there? Then try again',
        );
      }
      const message = {
        words,
        wanted,
        compile: words[0] === 'sass' ? { sass: Engine.packed.sass } : {},
        files: Object.fromEntries(
          Object.entries(files).map(([name, value]) => [name, encode(value)]),
        ),
      };
      return new Promise(resolve => {
        queue.push({
          owner,
          begin: worker => begin(worker, words, message, seconds, owner, resolve),
          end: why => resolve(failed(124, words, why)),
        });
        next();
      });
    },
    // Unpacks a file that is given as gzip in base64; returns its bytes.
    async unpack(base64) {
      const packed = await fetch(`data:application/gzip;base64,${base64}`);
      return new Uint8Array(
        await new Response(packed.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer(),
      );
    },
    // Ends the runs that were started with this `owner`, waiting ones first.
    stop(owner) {
      const its = [
        ...queue.filter(waiting => waiting.owner === owner),
        ...[...going].filter(run => run.owner === owner),
      ];
      queue.splice(0, queue.length, ...queue.filter(waiting => waiting.owner !== owner));
      its.forEach(run => run.end('stopped'));
    },
    warm() {
      free.push(start());
    },
  };
})();
