// Compares the browser edition's programs with the native ones, by output, files and counters. The
// inputs are every .sass of the tree, every cubin that was built, variants of lessons, and the runs
// of sasskit/tests/corpus and sasskit/tests/verdicts. Prints a line of TAP per kind of comparison,
// with the differences below.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { run, fused } = require('./programs.js');

const lines = (command, ...words) =>
  spawnSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28 })
    .stdout.split('\n')
    .filter(Boolean);
const scratch = fs.mkdtempSync('/tmp/web-same-');

// Returns a run's reports as data (sasskit/docs/json.md).
const reportsOf = bytes =>
  Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
    .filter(({ type }) => type === 'report')
    .map(record => JSON.stringify(record));
const JSON_FILE = 'records.json';

// Compares status, text and files of one call in both editions. outputs: names of files that the
// call writes. If JSON_FILE is among them, its reports are compared; otherwise the text on stderr.
function compare(words, inputs, outputs = []) {
  const page = run(words, inputs);
  const there = outputs.map(name => path.join(scratch, path.basename(name)));
  for (const file of there) fs.rmSync(file, { force: true });
  const place = word => outputs.reduce((text, name, i) => text.replace(name, there[i]), word);
  const native = spawnSync(`build/${words[0]}`, words.slice(1).map(place), {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  const say = words.join(' ');
  if (page.status !== native.status)
    return `${say}: status ${page.status}, native ${native.status}: ${page.err}${native.stderr}`;
  if (page.out !== native.stdout) return `${say}: another text`;
  if (
    !outputs.includes(JSON_FILE) &&
    page.err !== native.stderr.replaceAll(`${process.cwd()}/`, '')
  )
    return (
      `${say}: another message: ${page.err.slice(0, 300)}, native: ` +
      `${native.stderr.slice(0, 300)}`
    );
  for (const [i, name] of outputs.entries()) {
    const ours = page.files[name],
      theirs = fs.existsSync(there[i]) ? fs.readFileSync(there[i]) : null;
    if (Boolean(ours) !== Boolean(theirs)) return `${say}: ${name} is written by one only`;
    if (name === JSON_FILE) {
      const [here, wanted] = [reportsOf(ours || ''), reportsOf(theirs || '')],
        at = wanted.findIndex((record, i) => record !== here[i]);
      if (here.length !== wanted.length || at >= 0)
        return (
          `${say}: ${here.length} reports, native ${wanted.length}; first other one: ` +
          `${here[at]}, native: ${wanted[at]}`
        );
      continue;
    }
    // Removes a CSV's first columns, time and commit.
    const stamp = text => text.toString().replace(/^\d{4}-[^,]*,[^,]*,/gm, '');
    if (
      ours &&
      (name.endsWith('.csv')
        ? stamp(Buffer.from(ours)) !== stamp(theirs)
        : !theirs.equals(Buffer.from(ours)))
    )
      return `${say}: ${name} differs`;
  }
  return '';
}

function report(name, results) {
  const bad = results.filter(Boolean);
  if (!results.length) console.log(`ok - ${name} # SKIP none was built`);
  else console.log(`${bad.length ? 'not ok' : 'ok'} - ${name} (${results.length})`);
  bad.slice(0, 10).forEach(line => console.log(`# ${line.replace(/\n/g, ' ')}`));
}

const listed = folder => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
const sources = lines('git', 'ls-files', '*.sass')
  .concat(lines('find', 'build/corpus', '-name', '*.sass'))
  .filter(name => fs.existsSync(name));
const flags = name => (/09_reuse_sass/.test(name) ? ['-DTN=12', '-DWARPS_N=2'] : []);
report(
  'every .sass: the same cubin or message',
  sources.map(name =>
    compare(['sass', 'asm', name, ...flags(name), '-o', 'out.cubin'], [name], ['out.cubin']),
  ),
);

const cubins = lines('find', 'build/cubin/sm_90', '-name', '*.cubin').sort();
report(
  'every cubin: the same text',
  cubins.map(name => compare(['sass', 'dis', name], [name])),
);
report(
  'every cubin: the same lint',
  cubins.map(name => compare(['sass', 'lint', name], [name])),
);

// Every variant of a lesson. Exercises are left out, because only the page's ladder has them.
const variants = [];
let step = '';
for (const line of lines('build/ladder', '--list')) {
  if (/^[0-9]/.test(line)) step = line.split(' ')[0];
  else if (/^ {4}\S/.test(line)) variants.push([step, line.trim().split(' ')[0]]);
}
const cubinsOf = name => cubins.filter(file => file.includes(`/${name}/`));
const runs = variants.filter(([name]) => !/^1[01345]|^00/.test(name));
report(
  'counters of the ladder',
  runs.map(([name, variant]) =>
    compare(
      [
        'ladder',
        '--backend',
        'sim',
        '--step',
        name,
        '--variant',
        variant,
        '--check',
        'off',
        '--shape',
        '129x130x40',
        '--pad',
        '1',
        '--beta',
        '0.5',
        '--counters',
        'counters.csv',
        '--csv',
        'results.csv',
      ],
      cubinsOf(name),
      ['counters.csv', 'results.csv'],
    ),
  ),
);
report(
  'times by the model',
  [
    ['01_naive', 'coalesced'],
    ['06_conflict_free_transpose', 'mapped'],
    ['08_double_buffer', 'wide'],
  ].map(([name, variant]) => {
    const cubin = `build/cubin/sm_90/${name}/${variant}.cubin`;
    return compare(
      ['simrun', cubin, ...run(['launch', name, variant, '256']).out.trim().split(' '), '--time'],
      [cubin],
    );
  }),
);

const tile = 'build/cubin/sm_90/02_shared_tiling/tile32.cubin';
const launch = run(['launch', '02', 'tile32', '64']).out.trim().split(' ');
report(
  'lines and a picture by simrun',
  [
    ['--per-line'],
    ['--picture', '9c0', '--picture-file', 'picture.out'],
    ['--time', '--stalls', '--timeline', 'trace.out', '--cycles', '400,400'],
  ].map(more =>
    compare(
      ['simrun', tile, ...launch, ...more],
      [tile],
      more.filter(word => word.endsWith('.out')),
    ),
  ),
);

const commands = 'build/wasm/commands'; // relative: the browser edition finds no absolute paths
fs.writeFileSync(
  commands,
  'step 3\nto 0x4c0\nstep\nas float\nregisters\nshared\nas int\nback 2\nwarp ' +
    '5\nothers\nwarps\nstep 5000\ncsv\ncode\nblock 1\nhelp\n',
);
report('steps', [compare(['simrun', tile, ...launch, '--step', commands], [tile, commands])]);

const corpus = listed('sasskit/tests/corpus')
  .filter(name => name.endsWith('.cu'))
  .flatMap(file => {
    const name = file.slice(0, -3),
      own = `build/corpus/${name}.cubin`,
      cubin = fs.existsSync(own) ? own : 'build/corpus/together.cubin';
    const words = (/^\/\/ run: (.*)$/m.exec(
      fs.readFileSync(`sasskit/tests/corpus/${file}`, 'utf8'),
    ) || [, ''])[1]
      .trim()
      .split(/\s+/);
    const inputs = words.flatMap(word => (word.match(/file:([\w.]+)/) || []).slice(1));
    if (
      !fs.existsSync(cubin) ||
      !words[0] ||
      !inputs.every(input => fs.existsSync(`build/corpus/${input}`))
    )
      return [];
    const placed = words.map(word => word.replace(/file:/, 'file:build/corpus/'));
    return [
      compare(
        ['simrun', cubin, '--entry', name, ...placed],
        [cubin, ...inputs.map(input => `build/corpus/${input}`)],
        [`${name}.out`],
      ),
    ];
  });
report('values of sasskit/tests/corpus', corpus);

// Copies a cubin and replaces the names of its source files by others of the same length. The page
// cannot read sources, so the native program must not find them either. Returns the copy's name.
function withoutSources(cubin) {
  const copy = path.join('build/wasm', path.basename(cubin)),
    code = fs.readFileSync(cubin, 'latin1');
  fs.writeFileSync(
    copy,
    code
      .replaceAll('verdicts/faults', 'verdicts/absent')
      .replaceAll('verdicts/clean', 'verdicts/other'),
    'latin1',
  );
  return copy;
}

const verdicts = lines(
  'sh',
  '-c',
  'ls sasskit/tests/verdicts/clean/*.* sasskit/tests/verdicts/faults/*.*',
).flatMap(source => {
  const more = source.endsWith('.sass') ? '_sass' : source.endsWith('_90a.cu') ? '_90a' : '';
  const cubin = `build/verdicts/${path.basename(path.dirname(source))}${more}.cubin`;
  if (!fs.existsSync(cubin)) return [];
  const copy = withoutSources(cubin);
  return lines('awk', '-f', 'sasskit/tests/verdicts/list.awk', source).map(line => {
    const [name, words] = line.split('\t');
    return compare(
      ['simrun', copy, '--entry', name, ...words.trim().split(/\s+/), `--json=${JSON_FILE}`],
      [copy],
      [JSON_FILE],
    );
  });
});
report('reports of sasskit/tests/verdicts', verdicts);

// A trap is reported in one line, too. This module executes only the instruction `unreachable`.
const trap = new WebAssembly.Module(
  Uint8Array.of(
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    4,
    1,
    96,
    0,
    0,
    3,
    2,
    1,
    0,
    5,
    3,
    1,
    0,
    1,
    7,
    19,
    2,
    6,
    95,
    115,
    116,
    97,
    114,
    116,
    0,
    0,
    6,
    109,
    101,
    109,
    111,
    114,
    121,
    2,
    0,
    10,
    5,
    1,
    3,
    0,
    0,
    11,
  ),
);
const trapped = globalThis.runProgram({ simulator: trap }, ['simrun'], {});
report('a trap is told in a line', [
  /^simrun: the program was stopped \(.*\): please report it, with the kernel\n$/.test(
    trapped.err,
  ) && trapped.status === 134
    ? ''
    : trapped.err,
]);
console.log(`# relaxed SIMD: ${fused ? 'yes' : 'no'}`);
fs.rmSync(scratch, { recursive: true });
