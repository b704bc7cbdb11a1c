// Lets a page use Engine (web/engine/runner.js) before its script, engine.js, has loaded.

/**
 * Sets window.Engine to a stand-in. Its runs wait until engine.js has loaded, and then go to the
 * real Engine. Does nothing if engine.js has already run, or if the page does not load it.
 */
export function expectEngine() {
  const script = document.querySelector('script[src="engine.js"]');
  const loaded = () => typeof Engine !== 'undefined';
  if (!script || loaded()) return;
  const here = () => loaded() && Engine !== held;
  const came = new Promise(done => {
    for (const event of ['load', 'error']) script.addEventListener(event, done);
  });
  /** @type {typeof Engine} */
  const held = {
    seconds: 60,
    async run(words, files, options) {
      await came;
      if (here()) return Engine.run(words, files, options);
      const err = `${words[0]}: the file engine.js could not be loaded: is there a network?\n`;
      return { status: 127, out: '', err, files: {} };
    },
    async unpack(base64) {
      await came;
      if (here()) return Engine.unpack(base64);
      throw Error('the file engine.js could not be loaded: is there a network?');
    },
    stop: owner => void came.then(() => here() && Engine.stop(owner)),
  };
  window.Engine = held;
}
