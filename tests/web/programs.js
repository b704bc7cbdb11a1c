// Runs the browser edition's programs under node, with the functions of a page's Worker. With PLAIN
// in the environment, without relaxed SIMD.
'use strict';
const fs = require('fs');
const vm = require('vm');

vm.runInThisContext(
  fs.readFileSync('web/engine/worker.js', 'utf8') + '\nglobalThis.runProgram = runProgram;',
);
const compile = name => new WebAssembly.Module(fs.readFileSync(`build/wasm/${name}.wasm`));
const modules = {
  simulator: compile('simulator'),
  sass: compile('sass'),
  ffma: compile('ffma'),
  fused: null,
};
if (
  !process.env.PLAIN &&
  fs.existsSync('build/wasm/fused.wasm') &&
  WebAssembly.validate(fs.readFileSync('build/wasm/fused.wasm'))
)
  modules.fused = compile('fused');

// Runs a program with the named files. The program also finds a file in build/ without "build/".
function run(words, names = []) {
  const files = {};
  for (const name of names)
    files[name] = files[name.replace(/^build\//, '')] = fs.readFileSync(name);
  return globalThis.runProgram(modules, words, files);
}
module.exports = { run, fused: modules.fused !== null };

if (require.main === module) {
  // node tests/web/programs.js sass lint FILE.cubin; FILES has the names of further files
  const words = process.argv.slice(2);
  const result = run(
    words,
    [...words, ...(process.env.FILES || '').split(' ')].filter(
      name => name && fs.existsSync(name) && fs.statSync(name).isFile(),
    ),
  );
  process.stdout.write(result.out);
  process.stderr.write(result.err);
  process.exitCode = result.status;
}
