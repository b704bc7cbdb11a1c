// A page's Worker that runs the course's programs (engine.c) on files in memory; tests run it under
// node. system.c and library.c call the functions of imports().
'use strict';

class Exit {
  constructor(status) {
    this.status = status;
  }
}

// A file in memory. It grows by doubling, so `bytes` may be longer than its contents, `size`.
class File {
  constructor(bytes = new Uint8Array(0)) {
    this.bytes = bytes;
    this.size = bytes.length;
  }
  contents() {
    return this.bytes.subarray(0, this.size);
  }
  append(data) {
    const end = this.size + data.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.bytes.length, end, 256));
      grown.set(this.contents());
      this.bytes = grown;
    }
    this.bytes.set(data, this.size);
    this.size = end;
  }
}

// One run: its arguments, files by name, and output.
class System {
  constructor(words, files) {
    this.words = new TextEncoder().encode(words.map(word => `${word}\0`).join(''));
    this.files = new Map(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
    this.said = [null, new File(), new File()]; // 1: stdout, 2: stderr
  }
  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }
  text(at, size) {
    return new TextDecoder().decode(this.bytes(at, size));
  }

  imports() {
    const name = (at, size) => this.text(at, size).replace(/^(\.?\/)+/, '');
    const file = (at, size) => this.files.get(name(at, size));
    const put = (at, data) => {
      this.bytes(at, data.length).set(data);
    };
    return {
      words: at => {
        if (at) put(at, this.words);
        return this.words.length;
      },
      size: (path, length) => {
        const there = file(path, length);
        return there ? there.size : -1;
      },
      there: (path, length) => {
        const at = name(path, length);
        return [...this.files.keys()].some(one => one === at || one.startsWith(`${at}/`));
      },
      read: (path, length, at) => put(at, file(path, length).contents()),
      create: (path, length) => {
        this.files.set(name(path, length), new File());
      },
      append: (path, length, at, size) => {
        if (!file(path, length)) this.files.set(name(path, length), new File());
        file(path, length).append(this.bytes(at, size));
      },
      say: (stream, at, size) => this.said[stream].append(this.bytes(at, size)),
      exit: status => {
        throw new Exit(status);
      },
      clock: () => performance.now(),
      time: () => Date.now() / 1000,
      date: (seconds, field) => {
        // `field` is the index of a member of struct tm
        const date = new Date(1000 * seconds);
        return [
          date.getUTCSeconds(),
          date.getUTCMinutes(),
          date.getUTCHours(),
          date.getUTCDate(),
          date.getUTCMonth(),
          date.getUTCFullYear() - 1900,
        ][field];
      },
      number: (at, size) => Number(this.text(at, size)),
    };
  }
}

// Returns a line that says why a program was stopped, and what to do.
function explain(error) {
  if (error instanceof RangeError) return 'not enough memory in the browser: choose a smaller size';
  return `the program was stopped (${error.message}): please report it, with the kernel`;
}

// Runs a program. Returns {status, out, err, files}. modules: compiled modules by name; `fused` is
// null if the browser lacks relaxed SIMD. files: bytes by name. Every run has its own memory, so
// runs cannot affect each other.
function runProgram(modules, words, files) {
  const system = new System(words, files);
  let status = 0,
    failure = '';
  try {
    const program = words[0] === 'sass' ? modules.sass : modules.simulator;
    // The limits with which engine.mk links the module, in pages of 64 KiB.
    const memory = (system.memory = new WebAssembly.Memory({ initial: 128, maximum: 32768 }));
    const engine = new WebAssembly.Instance(program, {
      env: { memory },
      Math,
      page: system.imports(),
    }).exports;
    if (engine.lanes_ffma) {
      // The simulator calls FFMA through the pointers lanes_ffma and run_streak.
      const small = module => new WebAssembly.Instance(module, { env: { memory } }).exports;
      let lanes = modules.fused && small(modules.fused);
      if (!lanes || !lanes.is_fused(1 + 2 ** -12, 1 - 2 ** -12)) lanes = small(modules.ffma);
      const table = engine.__indirect_function_table;
      for (const [place, run] of [
        [engine.lanes_ffma, lanes.ffma],
        [engine.run_streak, lanes.streak],
      ]) {
        const at = table.grow(1);
        table.set(at, run); // WebKit's grow() ignores its second argument
        new DataView(memory.buffer).setUint32(place.value, at, true);
      }
    }
    engine._start();
  } catch (error) {
    if (error instanceof Exit) status = error.status;
    else [status, failure] = [134, `${words[0]}: ${explain(error)}\n`];
  }
  const text = stream => new TextDecoder().decode(system.said[stream].contents());
  const left = Object.fromEntries([...system.files].map(([name, file]) => [name, file.contents()]));
  return { status, out: text(1), err: text(2) + failure, files: left };
}

// Returns a Response with the unpacked bytes of a file that is packed as gzip and base64.
const unpack = async base64 =>
  new Response(
    (await fetch(`data:application/gzip;base64,${base64}`)).body.pipeThrough(
      new DecompressionStream('gzip'),
    ),
    { headers: { 'Content-Type': 'application/wasm' } },
  );
const promised = {}; // promises of modules by name; of null if the browser cannot compile one

function compile(packed) {
  for (const [name, base64] of Object.entries(packed))
    promised[name] =
      promised[name] ||
      unpack(base64)
        .then(WebAssembly.compileStreaming)
        .catch(() => null);
}

// Handles a page's message: a run, and the modules that it needs. The Worker unpacks them, so that
// the page does not wait.
async function heed({ data }) {
  compile(data.compile);
  const modules = {},
    files = {};
  for (const name in promised) modules[name] = await promised[name];
  for (const [name, file] of Object.entries(data.files))
    files[name] = file.packed
      ? new Uint8Array(await (await unpack(file.packed)).arrayBuffer())
      : file;
  const result = runProgram(modules, data.words, files);
  result.files = Object.fromEntries(
    Object.entries(result.files).filter(([name]) => data.wanted.includes(name)),
  );
  self.postMessage(result);
}
if (typeof importScripts === 'function') self.onmessage = heed;
