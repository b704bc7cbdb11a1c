// Tests web/engine/runner.js under node, with imitations of Workers and scripts: runs whose module
// cannot be loaded, whose Worker fails, or that do not end.
'use strict';
const fs = require('fs');
const vm = require('vm');

const tell = (name, good) => console.log(`${good ? 'ok' : 'not ok'} - ${name}`);
const wait = ms => new Promise(go => setTimeout(go, ms));
const scripts = [],
  workers = []; // scripts that were requested; Workers that are alive
let answers = true; // true if Workers answer
class Worker {
  constructor() {
    workers.push(this);
  }
  postMessage({ words }) {
    if (answers)
      setTimeout(() =>
        this.onmessage({ data: { status: 0, out: words.join(' '), err: '', files: {} } }),
      );
  }
  terminate() {
    workers.splice(workers.indexOf(this), 1);
  }
}
const page = {
  window: {},
  navigator: { hardwareConcurrency: 2 },
  Worker,
  Blob,
  URL: { createObjectURL: () => 'blob:' },
  TextEncoder,
  setTimeout,
  clearTimeout,
  document: {
    createElement: () => ({ remove() {} }),
    head: { append: script => scripts.push(script) },
  },
};
vm.runInNewContext(
  `${fs.readFileSync('web/engine/runner.js', 'utf8')}\nvar Engine = window.Engine;`,
  page,
);
const Engine = page.window.Engine;
Object.assign(Engine.packed, { worker: '', simulator: '', ffma: '', fused: '' });

async function main() {
  let run = Engine.run(['sass', 'dis'], {});
  scripts.pop().onerror();
  tell(
    'a module that does not come ends the run with a reason',
    (({ status, err }) => status === 127 && /sass\.js.*network/.test(err))(await run),
  );
  run = Engine.run(['sass', 'dis'], {});
  scripts.pop().onload(); // the script loads, but defines no module
  tell('nor does another text in its place', (await run).status === 127);
  run = Engine.run(['sass', 'dis'], {});
  Engine.packed.sass = '';
  scripts.pop().onload();
  tell('when it comes the next time, it runs', (await run).out === 'sass dis');

  answers = false;
  const [mine, second, third, theirs] = ['a', 'a', 'a', 'b'].map(owner =>
    Engine.run(['simrun'], {}, { owner }),
  );
  await wait(1);
  Engine.stop('a');
  tell(
    "stopped: an owner's runs, also those that wait",
    (await Promise.all([mine, second, third])).every(
      ({ status, err }) => status === 124 && err === 'simrun: stopped\n',
    ),
  );
  tell(
    'not those of another',
    (await Promise.race([theirs, wait(20).then(() => 'goes on')])) === 'goes on',
  );
  const late = Engine.run(['ladder'], {}, { seconds: 0.01 });
  tell(
    'a run without an end is ended and says why',
    (({ status, err }) => status === 124 && /^ladder: ended after 0.01 seconds.*loop/.test(err))(
      await late,
    ),
  );
  workers[0].onerror({ message: 'no such thing' });
  tell(
    'a Worker that fails',
    (({ status, err }) => status === 124 && /cannot run it \(no such thing\)/.test(err))(
      await theirs,
    ),
  );
  answers = true;
  tell(
    'and the next run works',
    (await Engine.run(['simrun'], {})).status === 0 && workers.length <= 2,
  );
}
main().catch(error => {
  console.log(`not ok - runner\n# ${error && error.stack}`);
  process.exit(1);
});
