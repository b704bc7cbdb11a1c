// Runs the course's programs (engine.c) on files in memory: the system interface that WebAssembly's C library asks for (WASI
// preview 1), as much of it as they use. It is the Worker of a page; tests run it under node.
'use strict';

const Errno = { good: 0, badFile: 8, missing: 44, noSeek: 70 };
const FileType = { unknown: 0, folder: 3, file: 4 };
const ROOT = 3; // descriptor of the folder that all files lie in

class Exit { constructor(status) { this.status = status; } }

// A file grows by doubling; `bytes` has room for more than `size`.
class File {
  constructor(bytes = new Uint8Array(0)) { this.bytes = bytes; this.size = bytes.length; }
  contents() { return this.bytes.subarray(0, this.size); }
  write(at, data) {
    const end = at + data.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.bytes.length, end, 256));
      grown.set(this.contents());
      this.bytes = grown;
    }
    this.bytes.set(data, at);
    this.size = Math.max(this.size, end);
  }
}

// One run: arguments, files by name, open descriptors.
class System {
  constructor(words, files) {
    this.words = words;
    this.files = new Map(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
    this.streams = [new File(), new File(), new File()];
    this.open = new Map(this.streams.map((file, i) => [i, { file, at: 0, append: true }]));
  }
  view() { return new DataView(this.memory.buffer); }
  bytes(at, size) { return new Uint8Array(this.memory.buffer, at, size); }
  text(at, size) { return new TextDecoder().decode(this.bytes(at, size)); }
  name(at, size) { return this.text(at, size).replace(/^(\.?\/)+/, ''); }

  // Calls `each` with every piece of an I/O vector until one is not taken whole; stores how much was.
  transfer(vector, count, total, each) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const size = this.view().getUint32(vector + 8 * i + 4, true);
      const taken = each(this.bytes(this.view().getUint32(vector + 8 * i, true), size));
      sum += taken;
      if (taken < size) break;
    }
    this.view().setUint32(total, sum, true);
    return Errno.good;
  }
  read(file, at, piece) {
    const part = file.contents().subarray(at, at + piece.length);
    piece.set(part);
    return part.length;
  }
  status(at, type, size) {
    this.bytes(at, 64).fill(0);
    this.view().setUint8(at + 16, type);
    this.view().setBigUint64(at + 32, BigInt(size), true);
    return Errno.good;
  }
  putTexts(texts, pointers, at) {
    texts.forEach((text, i) => {
      const bytes = new TextEncoder().encode(text + '\0');
      this.view().setUint32(pointers + 4 * i, at, true);
      this.bytes(at, bytes.length).set(bytes);
      at += bytes.length;
    });
    return Errno.good;
  }
  putSizes(texts, count, size) {
    this.view().setUint32(count, texts.length, true);
    this.view().setUint32(size, texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0), true);
    return Errno.good;
  }

  imports() {
    const withFile = act => (fd, ...rest) => (this.open.has(fd) ? act(this.open.get(fd), ...rest) : Errno.badFile);
    return {
      args_sizes_get: (count, size) => this.putSizes(this.words, count, size),
      args_get: (pointers, at) => this.putTexts(this.words, pointers, at),
      environ_sizes_get: (count, size) => this.putSizes([], count, size),
      environ_get: () => Errno.good,
      clock_time_get: (clock, precision, at) => {
        const now = clock === 0 ? Date.now() : performance.now();
        this.view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
        return Errno.good;
      },
      fd_close: fd => (this.open.delete(fd) ? Errno.good : Errno.badFile),
      fd_fdstat_get: (fd, at) => {
        this.bytes(at, 24).fill(0xff); // all rights
        this.view().setUint32(at, fd === ROOT ? FileType.folder : fd < ROOT ? FileType.unknown : FileType.file, true);
        return fd === ROOT || this.open.has(fd) ? Errno.good : Errno.badFile;
      },
      fd_fdstat_set_flags: () => Errno.good,
      fd_filestat_get: (fd, at) => (fd === ROOT ? this.status(at, FileType.folder, 0)
        : withFile(open => this.status(at, FileType.file, open.file.size))(fd)),
      fd_filestat_set_size: withFile((open, size) => { open.file.size = Number(size); return Errno.good; }),
      fd_prestat_get: (fd, at) => {
        if (fd !== ROOT) return Errno.badFile;
        this.view().setUint32(at, 0, true);
        this.view().setUint32(at + 4, 1, true);
        return Errno.good;
      },
      fd_prestat_dir_name: (fd, at) => { this.bytes(at, 1)[0] = 47; return Errno.good; },
      fd_read: withFile((open, vector, count, total) => this.transfer(vector, count, total, piece => {
        const got = this.read(open.file, open.at, piece);
        open.at += got;
        return got;
      })),
      fd_pread: withFile((open, vector, count, offset, total) => {
        let at = Number(offset);
        return this.transfer(vector, count, total, piece => {
          const got = this.read(open.file, at, piece);
          at += got;
          return got;
        });
      }),
      fd_write: withFile((open, vector, count, total) => this.transfer(vector, count, total, piece => {
        if (open.append) open.at = open.file.size;
        open.file.write(open.at, piece);
        open.at += piece.length;
        return piece.length;
      })),
      fd_seek: withFile((open, offset, whence, at) => {
        if (this.streams.includes(open.file)) return Errno.noSeek;
        open.at = Number(offset) + [0, open.at, open.file.size][whence];
        this.view().setBigUint64(at, BigInt(open.at), true);
        return Errno.good;
      }),
      path_open: (fd, follow, path, length, flags, rights, inherited, fdFlags, at) => {
        const name = this.name(path, length), create = flags & 1, truncate = flags & 8;
        if (!this.files.has(name) && !create) return Errno.missing;
        if (!this.files.has(name) || truncate) this.files.set(name, new File());
        let number = ROOT + 1;
        while (this.open.has(number)) number++;
        this.open.set(number, { file: this.files.get(name), at: 0, append: (fdFlags & 1) !== 0 });
        this.view().setUint32(at, number, true);
        return Errno.good;
      },
      path_filestat_get: (fd, follow, path, length, at) => {
        const file = this.files.get(this.name(path, length));
        return file ? this.status(at, FileType.file, file.size) : Errno.missing;
      },
      path_readlink: () => Errno.missing,
      path_unlink_file: (fd, path, length) => (this.files.delete(this.name(path, length)) ? Errno.good : Errno.missing),
      proc_exit: status => { throw new Exit(status); },
      sched_yield: () => Errno.good,
    };
  }
}

// A trap in one line: what a reader can do about it.
function explain(error) {
  if (error instanceof RangeError) return 'not enough memory in the browser: choose a smaller size';
  return `the program was stopped (${error.message}): please report it, with the kernel`;
}

// modules: compiled, by name; `fused` is missing where relaxed SIMD is. files: bytes by name.
// Gives {status, out, err, files}; every run has a memory of its own, so nothing of it can reach the next.
function runProgram(modules, words, files) {
  const system = new System(words, files);
  let status = 0, failure = '';
  try {
    const program = words[0] === 'sass' ? modules.sass : modules.simulator;
    const memory = system.memory = new WebAssembly.Memory({ initial: 128, maximum: 32768 }); // as engine.mk links it
    const engine = new WebAssembly.Instance(program, { wasi_snapshot_preview1: system.imports(), env: { memory }, Math, page: { number: (at, size) => Number(system.text(at, size)) } }).exports;
    if (engine.lanes_ffma) { // fp32.c calls FFMA by this
      const small = module => new WebAssembly.Instance(module, { env: { memory } }).exports;
      let lanes = modules.fused && small(modules.fused);
      if (!lanes || !lanes.is_fused(1 + 2 ** -12, 1 - 2 ** -12)) lanes = small(modules.ffma);
      const index = engine.__indirect_function_table.grow(1, lanes.ffma);
      system.view().setUint32(engine.lanes_ffma.value, index, true);
    }
    engine._start();
  } catch (error) {
    if (error instanceof Exit) status = error.status;
    else [status, failure] = [134, `${words[0]}: ${explain(error)}\n`];
  }
  const text = stream => new TextDecoder().decode(system.streams[stream].contents());
  const left = Object.fromEntries([...system.files].map(([name, file]) => [name, file.contents()]));
  return { status, out: text(1), err: text(2) + failure, files: left };
}

// Of a page: a message is a run, and so is the answer.
if (typeof importScripts === 'function') {
  self.onmessage = ({ data }) => {
    const result = runProgram(data.modules, data.words, data.files);
    result.files = Object.fromEntries(Object.entries(result.files).filter(([name]) => data.wanted.includes(name)));
    self.postMessage(result);
  };
}
