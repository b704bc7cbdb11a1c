// The engine's script (web/engine/runner.js) loads beside the page, which does not wait for it.

/**
 * Makes a stand-in for Engine, whose runs wait until the engine's script has replaced it. Does
 * nothing if the script has already run.
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
