// The page's modules without a browser. Each line of TAP is one behaviour; a failure shows what was
// found.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as text from '../../web/page/text.js';
import * as results from '../../web/page/results.js';
import { ASKED } from '../../web/page/asked.js';
import * as report from '../../web/page/report.js';
import { controlsOf, effectOf, firstEdits, ranSaid } from '../../web/page/edits.js';
import { controlSpared, otherSpared, spared } from '../../web/page/spared.js';
import { cyclesOf, explained, groupsOf, requestOf } from '../../web/page/explain.js';
import { excerptOf, find, grouped, indexOf, stem, suggested } from '../../web/page/site/find.js';
import { between, compared, edits, followed, takenBack } from '../../web/page/diff.js';
import { editSaid, headlineOf, isAsked, speedups } from '../../web/page/compare.js';
import { counted, offBy, said } from '../../web/page/feedback.js';
import { hasBet, lessonState, nextLesson } from '../../web/page/progress.js';
import { fieldsOf, pointerAt, predicted, readNumber } from '../../web/page/reading.js';
import { settingsOf, valueOf } from '../../web/page/rules.js';
import { withRemedy } from '../../web/page/editing.js';
import { added } from '../../web/page/scenes/bits.js';
import { readsOf } from '../../web/page/scenes/ffma.js';
import { kindOf, stallsSaid } from '../../web/page/timeline/kinds.js';
import {
  claimOf,
  enderOf,
  labelOf,
  openingOf,
  piecesOf,
  said as spanSaid,
  sharesOf,
} from '../../web/page/timeline/spans.js';
import { ask, doneOf, nextOf, readAt, stopsOf } from '../../web/page/scenes/trace.js';
import { columnsFor } from '../../web/page/site/fold.js';
import { tokens } from '../../web/page/tokens.js';
import { controlOf, operandsOf } from '../../web/page/stepper/words.js';
import { lanesIn, patternOf } from '../../web/page/stepper/pattern.js';
import { doesHere } from '../../web/page/opcodes.js';
import { filled } from '../../web/page/reasons.js';
import { earlierOnes } from '../../web/page/columns.js';
import { linkedIn } from '../../web/page/linked.js';
import { moved } from '../../web/page/charts/readout.js';
import {
  apart,
  broken,
  nearest,
  ranked,
  sharedSizes,
  ticks,
} from '../../web/page/charts/scales.js';
import { timesAsFast } from '../../web/page/charts/chosen.js';
import { dataset } from '../../web/page/charts/measured.js';

let bad = 0;
function test(name, act) {
  try {
    act();
    console.log(`ok - ${name}`);
  } catch (error) {
    bad++;
    console.log(`not ok - ${name}\n# ${String(error.message).replace(/\n/g, '\n# ')}`);
  }
}
const equal = assert.deepEqual;

test('a number that is missing is a dash, and zero is zero', () =>
  equal([null, undefined, NaN, 0, 54400, 16.5, 0.03125].map(text.number), [
    '–',
    '–',
    '–',
    '0',
    '54,400',
    '16.5',
    '0.0313',
  ]));
test('a time has three digits and a unit', () =>
  equal([0.0382859, 1.234, null].map(text.time), ['38.3 µs', '1.23 ms', '–']));
test('a counter that is absent answers nothing; one that is zero answers zero', () => {
  const asked = ASKED['09'],
    ffma = asked.below;
  equal(
    [
      new Map([[ffma, 64]]),
      new Map([
        [ffma, 64],
        [asked.above, 0],
      ]),
      new Map([
        [ffma, 64],
        [asked.above, null],
      ]),
      new Map([
        [asked.above, 2],
        [ffma, 0],
      ]),
    ].map(counts => results.answer(asked, counts)),
    [null, 0, null, null],
  );
});
test('the costliest load of a question, and its requests', () => {
  const line = (instruction, requests, wavefronts) => ({
      type: 'line',
      place: { instruction },
      requests,
      wavefronts,
    }),
    asked = ASKED['04'];
  const counts = new Map(
    results.costliestOf(asked, [
      line('LDS R1, x', 10, 40),
      line('@P0 LDS R2, x', 10, 320),
      line('STS x, R2', 1, 64),
      line('LDS R3, x', null, null),
    ]),
  );
  equal([results.answer(asked, counts), results.costliestOf(asked, [])], [32, []]);
});
test('the main loop: the lines that most warps executed; its FFMAs, lost cycles and loads', () => {
  const line = (instruction, warps, more = {}) => ({
    type: 'line',
    place: { instruction, address: 16 * warps },
    warps,
    ...more,
  });
  const lines = [
    line('FFMA R1, R2, R3, R1', 4, { bank_cycles_lost: 4 }),
    line('LDG.E R1, x', 8, { requests: 8, sectors: 8 }),
    line('@P0 LDG.E R2, x', 8, { requests: 8, sectors: 256 }),
    line('FFMA R1, R2, R3, R1', 8, { bank_cycles_lost: 8 }),
    line('BAR.SYNC 0x0', 8),
  ];
  lines.push(line('LDS.128 R1, x', 8, { requests: 8, wavefronts: 16 }));
  equal(results.loopOf(lines).map(([, value]) => value), [1, 2, 1, 1]);
  const asked = { above: 'x', below: 'y', times: 1 },
    counts = new Map([['x', 6], ['y', 2], ...results.loopOf(lines)]);
  equal(
    ['{} of {a}', '{LDS/1} = 2', '{b}'].map(text =>
      filled(text, asked, name => (name === 'b' ? null : counts)),
    ),
    ['3 of 3', '1 × 2 = 2', null],
  );
  equal(results.loadsOf(lines), ['80', '80']);
  equal(results.loadsOf(lines.slice(0, 1)), []);
});
test("a request's cycles in the L1: its busiest bank, or its lines at four per cycle", () => {
  const cycles = apart =>
    cyclesOf({
      kind: 'global',
      width: 4,
      lanes: [...Array(32).keys()].map(lane => ({ lane, address: lane * apart })),
    });
  equal([0, 4, 1024, 1028, 36].map(cycles), [1, 1, 32, 8, 3]);
});
test('the figures of a launch: k of all warps, busy SMs, k of the fullest SM', () =>
  equal(
    [
      ...[32, 33].map(N => results.launchOf('--grid 16,16 --block 256 --shared 0', N)),
      results.launchOf('', 32),
    ].map(all => all.map(([, value]) => value)),
    [
      [65536, 132, 512],
      [67584, 132, 0],
      [0, 0, 0],
    ],
  ));
test('figures follow from counters that are there; without counters there are none', () => {
  const [loads, none] = [new Map([[ASKED['02'].above, 60]]), new Map()];
  for (const counts of [loads, none]) results.addFigures(counts, [[results.WARPS_K, 40]]);
  equal(
    [results.answer(ASKED['02'], loads), loads.has(results.SHARED), none.size],
    [6, false, 0],
  );
});
test('a prediction: its cycles, and the share of the waits for memory', () =>
  equal(
    results
      .predictedOf(
        [{ type: 'prediction', cycles: 7 }],
        'warp state  % of time\nlong_scoreboard            28.7          1.212\n',
      )
      .map(([, value]) => value),
    [7, 28.7],
  ));
const edit = (line, before, after) => ({ line, before: [before], after: after ? [after] : [] });
test(
  'reports on a kernel with one edit have one cause, the edit; a guess stands behind it if ' +
    'it fits',
  () => {
    const one = (id, kind, line, text = 'a bound is wrong') => ({
      type: 'report',
      id,
      kind,
      severity: 'error',
      caused_by: null,
      remedy: 'guess',
      cause: { text },
      place: { address: line, line },
    });
    const found = [one('a', 'address', 7), one('b', 'race', 9, 'a barrier is missing')],
      at = place => place.line;
    const load = edit(7, 'LDS R1, [R2] ;', 'LDS R1, [R2+0x10] ;'),
      guard = edit(3, '@P0 EXIT ;'),
      barrier = edit(5, 'BAR.SYNC 0x0 ;');
    const [first, second] = report.ofEdits(found, [load], at),
      guarded = report.ofEdits(found, [guard], at),
      parted = report.ofEdits(found, [barrier], at),
      two = report.ofEdits(found, [load, barrier], at);
    equal(
      [first.cause.text, first.remedy, second.caused_by],
      ['your edit of line 7: its address is 16 bytes (4 floats) higher than it was.', null, 'a'],
    );
    equal(
      [
        guarded[0].remedy,
        /line 3.*A bound/.test(guarded[0].cause.text),
        parted[0].id,
        /line 5.*A barrier/.test(parted[0].cause.text),
        parted[1].caused_by,
      ],
      ['guess', true, 'b', true, 'b'],
    );
    equal([two.map(one => one.edit.line), report.ofEdits(found, [], at)], [[7, 5], found]);
    // Two reports of one edit are one card; of many edits, the reports of one kind.
    const waits = [7, 9, 11, 13].map(line => edit(line, '02:-:-:-:4 FFMA ;', '--:-:-:-:4 FFMA ;')),
      hazards = ['a', 'b', 'c'].map((id, i) => one(id, 'hazard', 7 + 2 * i)),
      caused = (...edits) => report.ofEdits(hazards, edits, at).map(({ caused_by: by }) => by);
    equal(
      [caused(barrier, waits[1]), caused(waits[2]), caused(...waits)],
      [
        [null, null, null],
        [null, 'c', 'c'],
        [null, 'a', 'a'],
      ],
    );
    const [left] = report.ofEdits([one('a', 'address', 9)], [edit(8, 'EXIT ;')], at);
    equal([report.titleOf(left), left.remedy], ['EXIT is missing', null]);
    equal(effectOf(edit(1, '02:-:3:-:4  LDS R1, [R2] ;')).lost, [
      'With it went the wait for scoreboard 2.',
      'With it went what set scoreboard 3.',
      'With it went 4 cycles.',
    ]);
  },
);
test('what an edit does, in words', () => {
  const said = (before, after) => {
    const { kind, text } = effectOf(edit(1, before, after));
    return `${kind}: ${text.replace('your edit of line 1: ', '')}`;
  };
  equal(
    said('--:-:-:-:4  IADD3 R1, R2, R3, RZ ;', '--:-:-:-:1  IADD3 R1, R2, R3, RZ ;'),
    'control: the next instruction comes after 1 cycle, not after 4.',
  );
  equal(
    said('05:-:-:-:4  FFMA R1, R2, R3, R1 ;', '01:-:-:-:4  FFMA R1, R2, R3, R1 ;'),
    'control: it no longer waits for scoreboard 3: that wait stood here.',
  );
  equal(
    said('LDC R6, c[0x0][0x228] ;', 'LDC R6, c[0x0][0x238] ;'),
    'argument: it takes ldb where it took lda.',
  );
  equal(
    said('LDG.E R6, desc[UR4][R2.64+-0x8] ;', 'LDG.E R6, desc[UR4][R2.64] ;'),
    'address: its address is 8 bytes (2 floats) higher than it was.',
  );
  equal(
    said('@P0 BRA 0x10 ;', '@!P0 BRA 0x10 ;'),
    'guard: it runs under the condition @!P0, and ran under the condition @P0: ' +
      'the code goes another way.',
  );
  equal(
    said('BAR.SYNC.DEFER_BLOCKING 0x0 ;', 'NOP ;'),
    'barrier: with NOP in place of `BAR.SYNC.DEFER_BLOCKING 0x0`, no warp waits there for the ' +
      'others any more.',
  );
  equal(
    said('BAR.SYNC 0x0 ;', '@P0 BAR.SYNC 0x0 ;'),
    'barrier: it runs under the condition @P0, and ran always: not every warp waits there for ' +
      'the others.',
  );
  equal(
    said('@P0 EXIT ;', 'NOP ;'),
    'exit: with NOP in place of `@P0 EXIT`, the threads that left there go on.',
  );
  equal(
    said('FFMA R101, R24, R28, R101 ;', 'FFMA R24, R101, R28, R101 ;'),
    'operand: its result goes to `R24`, and went to `R101`.',
  );
  equal(
    said('@P3 BRA `(.L_x_1) ;', '@P3 BRA `(.L_x_99) ;'),
    'jump: it jumps to `.L_x_99`, and jumped to `.L_x_1`.',
  );
  equal(
    said('FFMA R1, R2.reuse, R3, R1 ;', 'FFMA R1, R2.reuse, R4, R1 ;'),
    'operand: it has `R4` where it had `R3`.',
  );
  equal(
    ['FFMA RZ, R2, R3, R1 ;', 'FFMA R1, R2, RZ, R1 ;'].map(now =>
      said('FFMA R1, R2, R3, R1 ;', now),
    ),
    [
      'operand: its result goes to `RZ`, which keeps nothing, and went to `R1`.',
      'operand: it has `RZ`, which is always 0, where it had `R3`.',
    ],
  );
  equal(
    said('FFMA R1, R2, R3, R1 ;', 'FFMA R1, R2, R3.reuse, R1 ;'),
    'reuse: it keeps R3 for later instructions.',
  );
  equal(
    said('ISETP.GE.AND P0, PT, R1, R2, PT ;', 'ISETP.GT.AND P0, PT, R1, R2, PT ;'),
    'opcode: it compares by `>` where it compared by `>=`.',
  );
  equal(
    ['@P0 EXIT ;', 'EXIT ;', 'VIADD R4, R4, 0xf ;', 'STS [R1], R2 ;'].map(
      line => said(line).split(':')[0],
    ),
    ['exit', 'exit', 'removed', 'removed'],
  );
});
test('a result that is not a number is said to be NaN, not to be missing', () =>
  assert.match(
    report.reportsOf([
      { type: 'wrong', m: 1, n: 1, k: 1, element: [0, 0], actual: 'nan', expected: 1 },
    ])[0].message,
    /is NaN, expected is 1,/,
  ));
test('each lesson of the ladder asks a question of its own, about one of its variants', () => {
  const asked = Object.values(ASKED);
  equal(
    [
      new Set(asked.map(one => one.asks)).size,
      asked.every(one => one.asks.includes('?') && one.bets.length === 3),
      isAsked({ variant: 'uncoalesced', wider: 1 }, ASKED['01']),
      isAsked({ variant: 'uncoalesced', wider: 0 }, ASKED['01']),
    ],
    [asked.length, true, true, false],
  );
});
test('here and on an H200: only counters that both have are compared', () =>
  equal(
    results.agreement(
      new Map([
        ['smsp__inst_executed.sum', 100],
        ['sim__barriers.sum', 3],
      ]),
      new Map([
        ['smsp__inst_executed.sum', 90],
        ['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 1],
      ]),
    ),
    { compared: 1, differ: 1 },
  ));
test('numbers as people write them', () => {
  const written = {
    32: ['32', 'about 32', '~32 sectors', '32 cycles.', '2 x 16', '(1 + 3) * 8', '2^5', '3.2e1'],
    1024: ['1,024', '1_024', '1024', '1 KiB', '128 * 8'],
    128: ['1024/8', '1,024 / 8'],
    1500: ['1.5e3', '1.5 thousand', '1.5k'],
    50: ['50 %', '50%', '50 percent'],
    0.5: ['.5', '1/2'],
  };
  for (const [value, texts] of Object.entries(written))
    for (const text of texts) equal([text, readNumber(text)], [text, Number(value)]);
  const none = ['', 'many', '1//2', 'yes', '0,5', '1,5', '30 to 40', '5 or 6', '(4', '1,0245'];
  for (const text of none) equal([text, readNumber(text)], [text, null]);
});
test('a bet is right, near or off', () =>
  equal(
    [
      [32, 32],
      [30, 32],
      [4, 32],
      [6, 6.4, [6, 20]],
      [20, 6.4, [6, 20]],
      [7, 6.4, [6, 20]],
      [674, 583, [583, 674, 704]],
      [675, 583, [583, 674, 704]],
    ].map(one => results.judged(...one)),
    ['right', 'near', 'off', 'right', 'off', 'near', 'off', 'near'],
  ));
test('loops with arithmetic, the one with the most of it first; the inner one only', () =>
  equal(
    text.loopsOf(
      '.L_a:\n--:-:-:-:1  IADD3 R1, R1, 1, RZ ;\n--:-:-:-:1  @P0 BRA `(.L_a) ' +
        ';\n.L_b:\n--:-:-:-:1  FFMA R1, R2, R3, R1 ;\n--:-:-:-:1  @P1 BRA `(.L_b) ;' +
        '\n--:-:-:-:1  BRA `(.L_a) ;\n',
    ),
    [{ first: 3, last: 5, work: 1 }],
  ));
test('an address leads to its line, past labels and comments', () =>
  equal(
    ['.kernel x\n// a\n--:-:-:-:1  NOP ;\n.L:\n--:-:-:-:1  EXIT ;'].flatMap(code =>
      [0, 16, 32].map(at => text.lineAt(code, at)),
    ),
    [2, 4, -1],
  ));
test('letters that only look like ASCII are found', () =>
  equal(text.foreignLetter('FFMA R1\nF\u041cUL R2 // Мир'), { line: 1, letter: '\u041c' }));

const warp = each => [...Array(32).keys()].map(each),
  shared = (addresses, width) =>
    requestOf(
      `lane,address,phase,first_bank,last_bank\n${addresses
        .map((address, lane) => {
          const last = Math.floor((address + width - 1) / 4) % 32;
          return `${lane},${address},0,${(address / 4) % 32},${last}`;
        })
        .join('\n')}`,
    );
const cost = (request, store) =>
  groupsOf(request, store).reduce((sum, group) => sum + group.passes.passes, 0);
test('shared memory: a broadcast, a conflict of two, 128 bits by halves and pairs', () => {
  const z = stride =>
      shared(
        warp(l => 16 * stride * Math.floor((l % 16) / 2)),
        16,
      ),
    row = shared(
      warp(l => 32 * (l % 8)),
      16,
    );
  equal(
    [
      cost(
        shared(
          warp(() => 64),
          4,
        ),
      ),
      cost(
        shared(
          warp(l => 8 * l),
          4,
        ),
      ),
      cost(z(1)),
      cost(row),
      cost(
        shared(
          warp(l => 16 * l),
          16,
        ),
        true,
      ),
    ],
    [1, 2, 2, 8, 4],
  );
});
test('a request is explained by the lanes that meet', () =>
  assert.match(
    explained({
      ...shared(
        warp(l => 8 * l),
        4,
      ),
      lanes: shared(
        warp(l => 8 * l),
        4,
      ).lanes.map((lane, i) => ({ ...lane, phase: i >> 4 })),
    }).join(' '),
    /Bank 0 .* 2 different words.* 0 and 16/,
  ));
test('sectors: bytes asked for and bytes fetched', () =>
  assert.match(
    explained(
      requestOf(
        'lane,address,bytes,first_sector,last_sector\n' +
          warp(l => `${l},${256 * l},4,${8 * l},${8 * l}`).join('\n'),
      ),
    ).join(' '),
    /128 bytes.*32 sectors.*1024 bytes.*88 %/,
  ));

const made = (id, more) => ({
  type: 'report',
  id,
  kind: 'race',
  severity: 'error',
  message: '',
  caused_by: null,
  merged: 0,
  place: { address: 16 * id, action: null },
  other: null,
  cause: null,
  ...more,
});
test('reports: those that another explains stand below it, errors first', () =>
  equal(
    report
      .ranked([made(1, { severity: 'note' }), made(2), made(3, { caused_by: 2 })])
      .map(({ record, rest }) => [record.id, rest.map(one => one.id)]),
    [
      [2, [3]],
      [1, []],
    ],
  ));
test('a loop that never ends stands above what it explains', () =>
  equal(
    report
      .ranked(report.endlessFirst([made(1), made(2, { kind: 'endless', caused_by: 1 })]))
      .map(({ record, rest }) => [record.id, rest.map(one => one.id)]),
    [[2, [1]]],
  ));
test("places of a report: both, and the cause's, each once", () =>
  equal(
    report
      .placesOf(
        made(1, {
          other: { address: 32, action: 'reads' },
          cause: { place: { address: 16, action: null } },
        }),
      )
      .map(place => place.address),
    [16, 32],
  ));

test(
  'a listing has a row per instruction; figures that were not counted are blank; requests ' +
    'can be drawn where they ran',
  () => {
    const row = (address, instruction, more) => ({
      type: 'line',
      place: { address, instruction, source: { file: '/x/kernel.cu', line: 3 } },
      warps: 64,
      threads_per_instruction: 32,
      divergent: null,
      requests: null,
      sectors: null,
      wavefronts: null,
      conflicts: null,
      bank_cycles_lost: 0,
      ...more,
    });
    const { heads, rows, loop } = results.listingOf([
      row(0, 'LDG.E R0, desc[UR4][R2.64]', { requests: 64, sectors: 256 }),
      row(16, '@P0 BRA 0x40', { threads_per_instruction: 20, divergent: 7 }),
      row(32, 'STG.E desc[UR4][R2.64], R0', { warps: 0 }),
    ]);
    equal(
      [loop, ...heads],
      [0, 'runs', 'threads per run', 'runs that diverge', 'sectors per request'],
    );
    equal(
      rows.map(({ source, address, opcode, values }) => [source, address, opcode, values]),
      [
        ['kernel.cu:3', '0', 'LDG', [64, 32, null, 4]],
        ['', '10', '', [64, 20, 7, null]],
        ['', '20', '', [0, 32, null, null]],
      ],
    );
  },
);
test('an edit is said by its time, the counters that changed most, and its verdict', () => {
  const one = (milliseconds, verdict, ...counts) => ({
    milliseconds,
    verdict,
    here: new Map(counts.map((count, i) => [results.SHOWN[i][0], count])),
  });
  equal(
    [
      [one(2, '', 100, 50, 8), one(2.06, 'right', 101, 40, 4)],
      [one(2, '', 100), { ...one(2, 'right', 100), spared: ['It does no harm.'] }],
      [one(2, '', 100), one(2, 'right', 100)],
      [one(2, '', 100), one(2, 'reported', 100)],
      [one(2, '', 100, null), one(null, '', 101, 7)],
    ].flatMap(([base, edited]) => editSaid(base, edited, 'Edited')),
    [
      'Edited: 1.03 times as slow; 4 fewer DFMA of threads and 10 fewer FFMA of threads; ' +
        'the result is right.',
      'Edited: as fast as before; no counter changed; the result is right.',
      'It does no harm.',
      'Edited: as fast as before; no counter changed; the result is right.',
      'To see a difference, add an instruction to the main loop, or let one wait longer.',
      'Edited: it failed; see the report.',
      'Edited: 1 more warp instruction.',
    ],
  );
});
test('why an edit did no harm, by lint and by kind', async () => {
  const at = address => ({ address }),
    text = '--:-:-:-:4  LDG.E R2 ;\n--:-:3:-:1  LDG.E R7 ;\n04:-:-:-:1  FFMA R9 ;',
    given = text.replace('--:-:-:-:4', '--:-:3:-:4'),
    note = (kind, message) => ({ type: 'report', kind, message, place: at(0), other: null }),
    cover = 'scoreboard 3 of `LDG.E R7` at 0x10 covers R2, too, and `FFMA R9` at 0x20 waits for it',
    said =
      'The edit of line 1 does no harm: scoreboard 3 of `LDG.E R7` in line 2 covers R2, too, ' +
      'and `FFMA R9` in line 3 waits for it.',
    missing = 'needed where an instruction reads a result so soon';
  equal(controlSpared(1, [note('enough', missing), note('enough', cover)], text), said);
  equal(
    controlSpared(1, [note('enough', missing)], text),
    'This run did not need what you took from line 1: no register was used too early. It is ' +
      `${missing}.`,
  );
  equal(controlSpared(1, [], text), '');
  equal(
    controlSpared(1, [note('hazard', 'R2: its value may still be in flight')], text),
    'This run did not need what you took from line 1, but another may: R2: its value may still ' +
      'be in flight (found by lint).',
  );
  const other = (kind, warps, ...conflicts) => otherSpared({ kind, line: 4 }, { warps, conflicts });
  equal(
    [other('barrier', 1), other('barrier', 2), other('wait', 2), other('removed', 2)].map(one =>
      one.slice(0, 37),
    ),
    [
      'A block has one warp here, so there i',
      'This run did not need the barrier of ',
      'This run did not need the wait of lin',
      '',
    ],
  );
  equal(
    [other('reuse', 2, 3, 3), other('reuse', 2, 3, 5)].map(one => one.slice(72)),
    [
      'No operand waits longer for its bank: lint counts 3 conflict cycles in the loops, as ' +
        'before.',
      'Lint counts 5 bank-conflict cycles in the loops, and before it was 3.',
    ],
  );
  equal(controlsOf({ before: ['--:-:-:-:4  NOP ;'], after: ['--:-:-:-:4  EXIT ;'] }), null);
  // The page asks lint about the line that was edited, with its control fields as they were.
  const asked = [],
    sass = async words => {
      asked.push(words.slice(2, -1).join(' '));
      const row = JSON.stringify(note('enough', cover));
      return { status: 0, out: '', err: '', files: { 'r.json': new TextEncoder().encode(row) } };
    };
  const kernel = { given, text, path: 'k' };
  equal(await spared({ kernel, files: {} }, sass, async () => 2), [said]);
  equal(asked, ['--was 0x0=--:-:3:-:4']);
  kernel.text = `${given} // so`;
  equal(await spared({ kernel, files: {} }, sass, async () => 2), []);
});
test('first edits change the loop; how often an edited line ran, or why it never did', () => {
  const text = 'LDC ;\n@P0 EXIT ;\n01:FFMA ;\nEXIT ;\n--  LDS R2, [R1+0x4] ;\nNOP ;',
    rows = [2, 2, 6, 2].map((warps, i) => ({ place: { address: 16 * i }, warps, threads: i - 1 }));
  equal(
    [1, 2, 4].map(line => ranSaid([{ line, after: [''] }], text, rows, '64').slice(27)),
    [
      'ran once per warp, outside the main loop, whose lines ran 3 times, but its condition @P0 ' +
        'never held.',
      'ran 3 times per warp, in the main loop.',
      'never ran: at N = 64 every warp left above it, in line 4, `EXIT`.',
    ],
  );
  equal(
    firstEdits(text).map(({ act }) => act(text, { first: 2, last: 4 }).length - text.length),
    [0, 23, -4],
  );
});
test('advice on machine code names lines of the editor, and bytes are grouped', () => {
  const place = (address, line) => ({ address, source: line ? { file: 'k', line } : null });
  const [worded] = report.inWords([
    made(1, {
      message: 'reads byte 70000 of 4096 bytes at 0x12345 and 0x1480 (byte 4224)',
      place: place(32, 31),
      other: place(64, 34),
      remedy: 'put __syncthreads() after line 31 and before instruction 0x40',
      cause: { text: 'warp 1 writes on line 31: __syncthreads() is missing', place: null },
    }),
  ]);
  const { message, remedy, cause } = report.inEditor(
    worded,
    ({ address }) => address / 16 + 7,
    `${'\n'.repeat(8)} STS [R3]\n STS [R4]\n LDS R5`,
  );
  equal(
    [message, remedy, cause.text],
    [
      'reads byte 70,000 of 4,096 bytes at 0x12345 and 0x1480 ' +
        "(byte 4224 of the block's shared memory, which begins at 0x400)",
      'put `BAR.SYNC.DEFER_BLOCKING 0x0 ;` behind line 10 and before line 11',
      'warp 1 writes in line 9: BAR.SYNC is missing',
    ],
  );
});
test('a prediction that was not made is no number', () =>
  equal(
    [results.predictedTime([{ type: 'prediction', milliseconds: 2 }]), results.predictedTime([])],
    [2, null],
  ));

test("the stepper's stops: next instruction, instructions done, a lane's address", () => {
  const place = { registers: [['R4', 'R5'], ['UR6']], offset: 16 },
    said =
      'warp 3 of block\nwarp,3,ready,1a0,57,90,ffffffff,1\nregister,R4,,0,10,20\n' +
      'register,R5,,0,1,1\nregister,UR6,,0,100,100\nwarp,3,ready,1b0,58,91,ffffffff,1\n';
  const stops = stopsOf(said);
  equal(
    [ask(place), stops.length, nextOf(stops[0]), doneOf(stops[1]), readAt(stops[0], place)],
    ['csv R4,R5,UR6', 2, '1a0', 58, 2 ** 32 + 0x10 + 0x100 + 16],
  );
});

test('that a program failed is left out where a report says why', () =>
  equal(
    [[made(1), { type: 'error', kind: 'failed' }], [{ type: 'error', kind: 'failed' }]].map(
      all => report.reportsOf(all).length,
    ),
    [1, 1],
  ));

test('wrong elements are a report where nothing says why, the others below the first', () => {
  const wrong = [1, 17].map(row => ({
      type: 'wrong',
      m: 130,
      n: 260,
      k: 40,
      element: [row, 256],
      actual: -4.25,
      expected: -2.5,
      tolerance: 2e-6,
      pattern: '2 of 33800 elements are wrong: column 256',
    })),
    failed = { type: 'error', kind: 'failed' };
  const [{ record, rest }, more] = report.ranked(report.reportsOf([...wrong, failed]));
  equal(
    [
      record.kind,
      rest.length,
      more,
      /column 256\. C.1..256.*-4.25.*-2.5, off by 1.75 .tol.* 0.000002/.test(record.message),
      report.reportsOf([made(1), ...wrong, failed]).length,
    ],
    ['mismatch', 1, undefined, true, 1],
  );
});

const index = indexOf([
  ['a.html', 'Step 06', 'Bank conflicts', 'two lanes meet in a bank'],
  ['b.html', 'Step 09', 'Register banks', 'which bank'],
  ['c.html', 'Words', 'Wavefront', 'one pass through the banks; wavefronts'],
  ['d.html', 'Step 08', 'Double buffer', 'the next tile'],
  ['s.html', 'Set up', '', ''],
]);
test('search: any form of a word', () =>
  equal(
    ['conflicting', 'conflict', 'banks conflicts', 'buffering'].map(
      query => find(index, query)[0]?.address,
    ),
    ['a.html', 'a.html', 'a.html', 'd.html'],
  ));
test('search: idle words, and to install is to set up', () =>
  equal(
    ['how do I install', 'a tile', 'the'].map(query => find(index, query)[0].address),
    ['s.html', 'd.html', 'c.html'],
  ));
test('search: the words that matched are marked', () =>
  equal(
    ['conflicting', 'wavefrnt', 'doub'].map(query => [...find(index, query)[0].matched]),
    [['conflict'], ['wavefront'], ['doubl']],
  ));
test('search: a heading of the vocabulary comes before one of evidence', () =>
  equal(
    find(
      indexOf([
        ['01_naive-evidence.html#a', 'Step 01', 'Sector', 'sector sector'],
        ['vocabulary.html#b', 'Words', 'Sector', 'a sector'],
      ]),
      'sector',
    )[0].address,
    'vocabulary.html#b',
  ));
test('search: a whole word comes before a longer one, a kept answer last', () => {
  const loads = indexOf([['vocabulary.html#word-a', '', 'LDGSTS', ''], ['b', '', '', 'LDG']]),
    first = isKept => find(loads, 'LDG', isKept)[0].text;
  equal([first(), first(at => at === 'b')], ['LDG', '']);
});
test('search: a word with a slip', () =>
  equal(
    ['wavefrnt', 'wavfronts', 'xyzzy'].map(query => find(index, query)[0]?.address),
    ['c.html', 'c.html', undefined],
  ));
test('search: a word as it is typed, its beginning with a slip', () =>
  equal(
    ['wa', 'wavefr', 'wavfro', 'confl', 'conflicti', 'bfuf', 'xq'].map(
      query => find(index, query)[0]?.address,
    ),
    ['c.html', 'c.html', 'c.html', 'a.html', 'a.html', 'd.html', undefined],
  ));
test('search: "tilin" finds "tiling", which has another stem; a whole word comes first', () => {
  const tiled = indexOf([
    ['02.html', 'Step 02', 'Shared tiling', 'tiling by blocks'],
    ['v.html', 'Words', 'Tile', 'a part of C'],
    ['w.html', 'Words', 'Warp tilings', 'til'],
  ]);
  equal(
    ['tilin', 'tile', 'tiling'].map(query => find(tiled, query)[0]?.address),
    ['02.html', 'v.html', '02.html'],
  );
  equal([...find(tiled, 'tilin')[0].matched], ['til']);
});
test('the kernel of a link: its variant and text; no other address has one', () =>
  equal(
    ['#kernel=wide.AbC-_', '#kernel=<b>.x', `#kernel=wide.${'x'.repeat(1e6)}`, '#predict', ''].map(
      hash => Object.values(linkedIn(hash)),
    ),
    [
      ['wide', 'AbC-_', false],
      [undefined, undefined, true],
      [undefined, undefined, true],
      [undefined, undefined, false],
      [undefined, undefined, false],
    ],
  ));
test('beside a run stand the latest earlier results of its kernels, two at most', () => {
  const one = (variant, textOfIt, size, here = {}) => ({
    variant,
    text: textOfIt,
    size,
    here,
    wider: 0,
  });
  const shown = [
    one('a', null, '64'),
    one('a', 'x', '64'),
    one('b', null, '64'),
    one('c', null, '64'),
    one('d', null, '64', null),
  ];
  const now = ['a', 'b', 'c', 'd'].map(name => one(name, 'new', '64', null));
  equal(
    [
      earlierOnes(shown, now).map(({ variant, earlier }) => [variant, earlier]),
      earlierOnes(shown, [one('a', 'x', '64')]).map(({ text: its }) => its),
    ],
    [
      [
        ['b', true],
        ['c', true],
      ],
      [null],
    ],
  );
});
test("a register's pattern over the lanes is said in words", () => {
  const said = each =>
    patternOf(
      Array.from({ length: 32 }, (_, lane) => each(lane).toString(16)),
      'automatically',
    ).said;
  equal(
    [
      said(() => 64),
      said(lane => 1024 + 4 * lane),
      said(lane => 16 * (lane % 8) + 512 * (lane >> 3)),
      said(lane => lane >> 1),
      said(lane => (lane * lane) % 7),
      said(lane => (lane % 2 ? 0x3f800000 : 0)),
      lanesIn(0xffff),
      lanesIn(0b101),
    ],
    [
      '0x40',
      'lane × 4 + 0x400',
      'lane mod 8 × 16 + ⌊lane / 8⌋ × 512',
      '⌊lane / 2⌋',
      '4 different values: 0x0 to 0x4',
      '2 different values: 0 or 1',
      'lanes 0 to 15',
      'lanes 0 and 2',
    ],
  );
});
test('what an instruction reads and writes', () => {
  const said = text =>
    operandsOf(text)
      .map(({ names, writes }) => `${writes ? '>' : ''}${names.join('+')}`)
      .join(' ');
  equal(
    [
      '--:-:2:-:4    LDS.128 R12, [R5+UR4]',
      '04:-:-:-:4    STS.64 [R3+0x80], R22',
      '--:-:-:-:1    @!P0 LDG.E R29, desc[UR8][R24.64]',
      '--:-:-:-:d    ISETP.GE.AND P0, PT, R7.reuse, 0x1, P2',
      '--:-:-:-:5    IADD3 R16, P1, R7, R8, RZ',
      '--:-:-:-:4    IMAD.WIDE R4, R6, 0x4, R2',
      '--:-:-:-:5    @P1 BRA 0x3c0',
    ].map(said),
    [
      '>R12+R13+R14+R15 R5 UR4',
      'R3 R22+R23',
      'P0 >R29 UR8+UR9 R24+R25',
      '>P0 R7 P2',
      '>R16 >P1 R7 R8',
      '>R4+R5 R6 R2',
      'P1',
    ],
  );
});
test('an instruction is explained with its operands', () => {
  const said = [
    '--:-:-:-:1    IMAD.MOV.U32 R7, RZ, RZ, R15',
    'IMAD R7, R1, R2, R15',
    'HFMA2.MMA R22, -RZ, RZ, 0, 0',
    'CS2R R40, SRZ',
    '--:-:-:Y:3    IADD3.X R21, R15, UR10, RZ, P1, !PT',
    '@P2 BRA P5, 0xa40',
  ].map(doesHere);
  equal(
    [/copies/, /multiplies/, /constant/, /two registers to zero/, /carry/, /jumps/].map((word, i) =>
      word.test(said[i]),
    ),
    Array(6).fill(true),
  );
});
test('stems', () =>
  equal(
    'conflicts conflicting glass 128 queries alignment aligned'.split(' ').map(stem).join(' '),
    'conflict conflict glass 128 query align align',
  ));

test('edits are found and taken back one by one', () => {
  const before = 'a\nb\nc\nd',
    after = 'a\nX\nc\nY\nd',
    all = edits(compared(before, after));
  equal([all.length, all.reduceRight((now, edit) => takenBack(now, edit), after)], [2, before]);
});
test('a line in place of another comes from where that one did', () =>
  equal(followed(compared('A ;\nB ;', 'A ;\nX ;\nB ;'), ['k:1', 'k:2']), ['k:1', '', 'k:2']));
test('an instruction that was moved keeps its origin, with other control fields too', () => {
  const before = '01:-:-:-:1  BAR ;\n02:-:-:-:1  STS ;\n--:-:-:-:1  LDS ;',
    places = ['k:1', 'k:2', 'k:3'];
  equal(
    [
      '02:-:-:-:1  STS ;\n01:-:-:-:1  BAR ;\n--:-:-:-:1  LDS ;',
      '0f:-:-:-:1  STS ;\n--:-:-:-:2  BAR ;\n--:-:-:-:1  LDS ;',
      '02:-:-:-:1  STS ;\n--:-:-:-:1  LDS ;\n01:-:-:-:1  BAR ;',
      '01:-:-:-:1  NOP ;\n02:-:-:-:1  STS ;\n--:-:-:-:1  LDS ;',
    ].map(after => followed(compared(before, after), places)),
    [['k:2', 'k:1', 'k:3'], ['k:2', 'k:1', 'k:3'], ['k:2', 'k:3', 'k:1'], places],
  );
});
test('a report on code that was moved has the lines of before, or none', () =>
  equal(
    report
      .withOrigins(
        [made(1, { other: { address: 0, source: { file: 'k', line: 9 } } })],
        ['', 'k:4'],
      )
      .map(({ place, other }) => [report.sourceOf(place), report.sourceOf(other)]),
    [['k:4', '']],
  ));
test('reports name the arguments of a lesson, and no options of a command line', () =>
  equal(
    report
      .inWords([
        made(1, {
          message: 'reads 4 bytes (argument 9, byte 8 of 16)',
          remedy: 'argument 3 (--limit)',
          cause: { text: 'of argument 4' },
        }),
        made(2, {
          message:
            'warp 0 runs at `FFMA R1, R2, R3, R1` at 0x90, ' +
            'warps 1 to 31 run at `LDC R1, c[0x0][0x28]` at 0x0',
          remedy: '',
          cause: { text: '' },
        }),
      ])
      .flatMap(({ message, remedy, cause }) => [message, remedy, cause.text]),
    [
      ...['reads 4 bytes (C, byte 8 of 16)', 'argument 3', 'of A'],
      ...['warp 0 runs at `FFMA R1, R2, R3, R1` at 0x90', '', ''],
    ],
  ));
test('speed-ups are over the first; one without a time has none', () =>
  equal(
    [speedups([4, 1, 8, null]), speedups([null, 1]), speedups([2])],
    [[1, 4, 0.5, null], [null, null], [null]],
  ));
test('a folded row has equal lines, at most three', () =>
  equal(
    [7, 12, 8, 5, 20].map(figures => columnsFor(figures, 252)),
    [4, 4, 4, 5, 0],
  ));
test('a figure has the digits that tell bets apart', () =>
  equal([0.98, 1.2, 5.98, 20.5, 23.91, 594.4, null].map(results.rounded), [
    0.98,
    1.2,
    6,
    20.5,
    24,
    594,
    null,
  ]));
test(
  "the run's own times say who is ahead; a time that is missing or a failed check says " +
    'nothing',
  () => {
    const column = (variant, measured, verdict = 'right') => ({
      variant,
      measured,
      verdict,
      earlier: false,
      edited: false,
      size: '64',
    });
    equal(
      [
        headlineOf([column('a', 20), column('b', 10)], [2, 1], '').winner,
        headlineOf([column('a', 10), column('b', 20)], [2, 1], '').winner,
        headlineOf([column('a', 10), column('b', 20)], [2, 1], '').said.slice(0, 8),
        headlineOf([column('a', null), column('b', null)], [1, 4], '').winner,
        headlineOf([column('a', 10), column('b', 20)], [null, null], '').winner,
        headlineOf([column('a', 10), column('b', 20, 'reported')], [2, 1], '').winner,
      ],
      [0, -1, 'Measured', 1, -1, -1],
    );
  },
);
test('the fields of a prediction have labels and units', () =>
  equal(fieldsOf('# Sectors of one load of A.\nsectors =\n# The same, in percent.\nshare ='), [
    { name: 'sectors', label: 'Sectors of one load of A.', unit: 'sectors' },
    { name: 'share', label: 'The same, in percent.', unit: '%' },
  ]));
test('fields of one question are told apart', () =>
  equal(
    [
      fieldsOf('# Loads: with one row, and with yours.\none =\nyours =\n'),
      fieldsOf('# Cycles of both.\na =\nb =\n'),
    ].map(all => all.map(({ label }) => label)),
    [
      ['Loads: with one row', 'Loads: with yours'],
      ['a: Cycles of both.', 'b: Cycles of both.'],
    ],
  ));
test('what was predicted, as a number where it is one', () =>
  equal(
    [predicted('x', 'x = about 1,024 bytes'), predicted('x', 'x = FADD'), predicted('x', 'x = ?')],
    ['1024', 'FADD', ''],
  ));
test('a wrong prediction is told how far off it is, not what is right', () => {
  equal(
    [
      [30, 32],
      [40, 32],
      [9, 5],
      [5, 33],
      [1, 33],
      [0, 4],
      [4, 0],
    ].map(([guess, right]) => offBy(guess, right)),
    [
      'a little too low',
      'a little too high',
      'too high, by a factor of less than 2',
      'too low, by a factor of 2 or more',
      'too low, by a factor of 10 or more',
      'too low',
      'too high',
    ],
  );
  const nears = [['near', 'all', '32', 'that is A alone']],
    wish = ['say', 'all', '33', 'sectors'],
    count = ['count', 'all', '33', 'x', 'sectors'],
    off = 'sectors: 32 is a little too low. That is A alone.';
  equal(said(wish, { guess: '32', nears }).words, off);
  equal(counted(count, { guess: '32', nears }, { x: 33 })[0].words, off);
  equal(counted(count, { guess: '33', nears }, { x: 33 })[0].right, true);
  for (const [guess, value, words, expected] of [
    ['many', '33', 'x', 'write one number, such as 12.5 or 1/8'],
    ['12,5', '33', 'x', 'write 12.5, with a point'],
    ['0.33', '33', 'percent', '0.33 is right in another unit: write it in percent'],
    ['1.6', '1.611', 'x', '1.6 is rounded too far: write more digits'],
    ['1', 'yes', 'x', 'write yes or no'],
    ['1', 'race', 'x', 'write a word, not a number'],
  ])
    equal(said(['say', 'all', value, words], { guess, nears }).words, `${words}: ${expected}`);
});
test('a lesson is half done by its bet or an exercise, done by both; it says what is open', () => {
  globalThis.localStorage = { getItem: name => localStorage[name] ?? null };
  const lessons = ['01_naive', '02_shared_tiling', '14_several_gpus'],
    states = () => lessons.map(lesson => lessonState(lesson).said),
    open = '; still open: ';
  Object.assign(localStorage, { 'looked 14_several_gpus': '1', 'looked 01_naive': '1' });
  equal(states(), [`read${open}the bet, an exercise`, '', `read${open}an exercise`]);
  localStorage['guess 01_naive'] = '{}';
  equal(nextLesson(lessons), lessons[0]); // nothing of the next one was read
  localStorage['exercise exercises/02c_odd_stride/'] = '{"solved":true}';
  localStorage['exercise exercises/14a_columns/'] = '{"solved":false}';
  equal(states().slice(0, 2), [
    `half done${open}an exercise`,
    `half done${open}picture and idea, the bet`,
  ]);
  equal([nextLesson(lessons), nextLesson(lessons.slice(0, 2))], [lessons[2], lessons[0]]);
  localStorage['seen 02_shared_tiling'] = '1';
  equal(states()[1], 'done');
  const numbers = Array.from({ length: 16 }, (_, i) => String(i).padStart(2, '0'));
  equal(
    numbers.filter(number => hasBet(`${number}_x`)),
    Object.keys(ASKED).sort(),
  );
});
test('rules for a macro: each names it', () => {
  const [{ name, rules }] = settingsOf('holds|PAD % 2 != 0|even\nholds|PAD == 1|less is enough');
  equal([name, ...rules.map(({ holds }) => holds(() => 3))], ['PAD', true, false]);
  equal(settingsOf('holds|32 % ROWS == 0|x')[0].rules[0].holds(() => 3), false);
});
test('a figure that is divided by', () => equal(valueOf('a / b', { a: 6, b: 4 }), 1.5));
test('the reuse cache keeps an operand until its slot names another register of the bank', () =>
  equal(
    readsOf(
      [
        'FFMA R64, R16, R32, R64',
        'FFMA R64, R16.reuse, R33, R64',
        'FFMA R65, R16, R33, R64',
        'IADD R1, R2, R3',
      ].map(text => ({ text, lost: 0 })),
    ).map(one => one.operands.map(({ kept }) => kept)),
    [
      [false, false, false],
      [false, false, false],
      [true, false, false],
    ],
  ));
test("stall reasons in the legend's words, with the profiler's names", () =>
  equal(
    stallsSaid(`9 us\nwarp state\n${'barrier'.padEnd(20)} 9.1\na.cu:3`).split(/ *\n| {2,}/),
    ['9 us', 'warp state', 'waits for a barrier (barrier)', '9.1', 'a.cu:3'],
  ));
test('what ends a wait: the load that brings the register', () => {
  const span = (ts, name, instruction, cat = 'issue', dur = 1) => ({
    ts,
    dur,
    name,
    cat,
    tid: 0,
    args: { instruction },
  });
  const wait = span(3, 'short_scoreboard', 'FFMA R1, R8, R2, R1', 'stall', 20);
  equal(
    enderOf(
      [
        span(0, 'LDS', 'LDS R8, [R5]'),
        span(1, 'LDS', 'LDS R9, [R5+0x80]'),
        span(2, 'FFMA', 'FFMA R3, R4, R5, R3'),
        wait,
      ],
      wait,
    ).args.instruction,
    'LDS R8, [R5]',
  );
  const [busy, counted] = ['math_pipe_throttle', 'wait'].map(name =>
    span(3, name, 'FFMA R1, R8, R2, R1', 'stall', 20),
  );
  const before = span(2, 'FFMA', 'FFMA R3, R4, R5, R3');
  equal(enderOf([before, busy], busy), null); // the trace does not show what keeps a pipe busy
  equal(enderOf([before, counted], counted), before);
});
test('a card of an address that is not aligned has the rule, not the bound', () => {
  const record = {
    type: 'report',
    id: 1,
    kind: 'address',
    severity: 'error',
    message: 'reads 16 bytes of shared memory at 0x404 (byte 4), which is not aligned: ' +
      'not a multiple of 16',
    place: { address: 0, instruction: 'LDS.128 R4, [R8+0x4]', action: 'reads' },
    cause: { rule: 'misaligned', text: 'this row or pointer is not', place: null },
  };
  const [one] = report.ofEdits(
    [record],
    [edit(7, 'LDS.128 R4, [R8] ;', 'LDS.128 R4, [R8+0x4] ;')],
    () => 7,
  );
  equal(
    [report.titleOf(one), /`LDS\.128` needs a multiple of 16 bytes/.test(one.cause.text)],
    ['An address that is not aligned', true],
  );
  const hazard = { kind: 'hazard', message: 'writes R5' };
  equal(report.titleOf(hazard), 'A register is overwritten too early');
});
test('search suggests a known word, and shows hits by groups from the start of a sentence', () => {
  equal(
    ['wvefrot', 'wavefrnt', 'wavefront', 'xyzzyx'].map(query => suggested(index, query)),
    ['wavefront', 'wavefront', null, null],
  );
  const pages = ['exercise-01a', 'vocabulary', '01_naive', 'house', '02_tiles'];
  equal(
    grouped(indexOf(pages.map(page => [`${page}.html`, '', '', 'a sector'])), 'sector').map(
      ({ name, hits }) => [name, ...hits.map(({ address }) => address)],
    ),
    [
      ['', '01_naive.html'],
      ['Lessons', '02_tiles.html'],
      ['Exercises', 'exercise-01a.html'],
      ['Words', 'vocabulary.html'],
      ['Reference', 'house.html'],
    ],
  );
  const word = ['vocabulary', '02_b', '05_b', '07_b-evidence'].map((page, i) => [
    `${page}.html`, '', i ? '' : 'bank', 'a bank'.repeat(i),
  ]);
  const [, found] = grouped(indexOf(word), 'bank');
  equal(found.hits.map(hit => hit.address.slice(0, 2)), ['02', '05', '07']);
  const long = `${'a word '.repeat(30)}and then a bank`;
  equal(
    [excerptOf('One. Two banks here.', new Set(['bank'])), excerptOf(long, new Set(['bank']))],
    ['Two banks here.', `… ${'word a '.repeat(6)}word and then a bank`],
  );
});
test('search says how many of the words it found', () => {
  const [hit] = find(index, 'wavefront xyzzy');
  equal([hit.has, hit.of], [1, 2]);
});
test('the parts of a line of machine code: an opcode once, operands by their kinds', () => {
  const parts = line => tokens(line).map(({ from, to, kind }) => `${kind} ${line.slice(from, to)}`);
  equal(parts('01:-:2:Y:4  @!P0 LDG.E R2, desc[UR4][R2.64+0x10] ;'), [
    'control 01:-:2:Y:4',
    'predicate @!P0',
    'opcode LDG.E',
    'register R2',
    'register UR4',
    'register R2',
    'number +0x10',
  ]);
  equal(
    [
      parts('.kernel sgemm // x'),
      parts('.L_x_1:'),
      parts('--:-:-:-:1  FFMA R1, R2.reuse, c[0x0][0x210], R1 ;'),
    ],
    [
      ['directive .kernel', 'comment // x'],
      ['label .L_x_1:'],
      [
        'control --:-:-:-:1',
        'opcode FFMA',
        'register R1',
        'register R2',
        'reuse .reuse',
        'constant c[0x0][0x210]',
        'register R1',
      ],
    ],
  );
});
test('the one change between two texts', () => {
  const made = (before, after) => {
    const change = between(before, after);
    return change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before;
  };
  equal(
    [
      ['abc', 'axc'],
      ['aa', 'aaa'],
      ['aaa', 'a'],
      ['', 'x'],
      ['x', ''],
      ['same', 'same'],
    ].map(([before, after]) => made(before, after)),
    ['axc', 'aaa', 'a', 'x', '', 'same'],
  );
  equal(between('one two three', 'one 2 three'), { from: 4, to: 7, insert: '2' });
});
test('a line that does not assemble: unknown registers, letters that are not ASCII', () => {
  const error = { type: 'error', kind: 'syntax', line: 1, column: 6 },
    remedy = text => Boolean(withRemedy(error, text).remedy);
  equal(
    [
      'FFMA R300, R1, R2, R3 ;',
      'FFMA R254, R1, R2, R3 ;',
      'MOV  UR63, R1 ;',
      'FFМA R1, R1, R2, R3 ;',
      'FFMA x ;',
    ].map(remedy),
    [true, false, true, true, false],
  );
});
test('the control column: what is waited for, and the stall', () =>
  equal(controlOf('05:-:2:Y:4  FFMA R1, R2, R3, R1 ;'), { waits: [1, 3], sets: ['2'], stall: 4 }));
test('a timeline says how many slots are used, and for what a warp waits longest', () => {
  const spans = [
    { kind: 0, cat: 'issue', ts: 0, dur: 1, name: 'FFMA' },
    { kind: 7, cat: 'stall', ts: 1, dur: 6 },
    { kind: 6, cat: 'stall', ts: 7, dur: 2 },
    { kind: 1, cat: 'issue', ts: 9, dur: 1, name: 'LDS' },
  ];
  equal(
    claimOf(spans, 0, 10),
    'Of 10 cycles, 2 issue an instruction, 1 of them an FFMA; 60 % of its time, a warp waits for ' +
      'shared memory.',
  );
  equal(sharesOf(spans, 6, 9), [
    { kind: 6, share: 2 / 3 },
    { kind: 7, share: 1 / 3 },
  ]);
});
test('a timeline opens at a typical wait of the kind that it names, beside issues', () => {
  const long = { kind: 6, cat: 'stall', name: 'long_scoreboard', dur: 30, tid: 0 },
    args = { instruction: 'FADD R1, R2, R3' },
    issue = { kind: 0, cat: 'issue', name: 'FFMA', dur: 1, tid: 0 },
    issues = [100, 101, 102, 103].map(ts => ({ ...issue, ts })),
    waits = [9, 60, 104].map((ts, i) => ({ ...long, args, ts, dur: i ? 30 : 4 })),
    { from, to, wait } = openingOf([...waits, ...issues], 0, 200, 40);
  equal([from <= 100, to, to - from, wait], [true, 136, 45, waits[2]]);
});
test('short spans are summed up in columns, a long one stays itself', () => {
  const line = [...Array(8).keys()].map(ts => ({ kind: ts % 4 ? 7 : 0, ts, dur: 1 })),
    long = { kind: 6, ts: 8, dur: 9 },
    [a, b, c] = piecesOf([...line, long], 4, 9);
  equal([a.to, b.from, b.to, c.span], [4, 4, 8, long]);
  equal(b.shares, [
    { kind: 7, share: 3 / 4 },
    { kind: 0, share: 1 / 4 },
  ]);
});
test('a timeline names the opcode that it counts, and each stall reason in words', () => {
  const span = (cat, name, ts, dur) => ({
    ...{ cat, name, ts, dur, tid: 2, kind: kindOf({ cat, name }) },
    args: { instruction: 'DFMA R2, R4, R6, R2' },
  });
  const spans = [span('issue', 'DFMA', 0, 1), span('stall', 'no_instruction', 1, 15)];
  equal(
    [claimOf(spans, 0, 16), ...spans.map(spanSaid)],
    [
      'Of 16 cycles, 1 issue an instruction, 1 of them a DFMA; 94 % of its time, a warp waits ' +
        'for its next instruction.',
      'Warp 2, cycle 0: DFMA R2, R4, R6, R2.',
      'Warp 2, cycle 1. The next instruction was not yet fetched: 15 cycles, before DFMA R2, R4, ' +
        'R6, R2.',
    ],
  );
  equal(['LDG.E.128.CONSTANT', 'IMAD.MOV.U32'].map(name => labelOf({ cat: 'issue', name })), [
    'LDG.128',
    'IMAD',
  ]);
  const states = readFileSync('sasskit/model/states.c', 'utf8')
    .match(/(?<=STATE\(SM_\w+, ")\w+/g)
    .filter(name => spanSaid(span('stall', name, 0, 1)).includes(`(${name})`));
  equal(states, ['selected']); // an issue, never a wait
});
test('a chart finds the line under the pointer, and the N of its nearest point', () => {
  const flat = (y, ...sizes) => sizes.map(n => ({ n, x: n / 10, y })),
    lines = [flat(90, 256, 1024, 2048), flat(40, 256, 1000, 1024), flat(10, 4096), []];
  equal(
    [
      [60, 80],
      [99, 50],
      [150, 45],
      [400, 12],
      [0, 0],
    ].map(([x, y]) => nearest(lines, x, y)),
    [
      { line: 0, n: 256 },
      { line: 1, n: 1000 },
      { line: 0, n: 1024 },
      { line: 2, n: 4096 },
      { line: 1, n: 256 },
    ],
  );
});
test('names of a chart that are too near move apart by as little as they can', () =>
  equal(
    [[30, 32, 90], [50, 10, 52, 54], []].map(heights => apart(heights, 16)),
    [[23, 39, 90], [36, 10, 52, 68], []],
  ));
test('a chart ranks lines by value, those without one last', () =>
  equal(
    ranked([{ value: 2 }, { value: undefined }, { value: 0.5 }, { value: 9 }]).map(x => x.value),
    [9, 2, 0.5, undefined],
  ));
test('a chart stops where at least half of its lines were measured', () =>
  equal(
    [2, 4, 9].map(lines => sharedSizes([4096, 512, 512, 4096, 4096, 256], lines).join()),
    ['256,512,4096', '512,4096', '256,512,4096'],
  ));
test('keys move along a chart as far as it goes; a bar comes in front as it is chosen', () => {
  const bars = { stops: 3 },
    lines = { stops: 3, other: (now, step) => (now.line ?? 5) + step };
  equal(
    ['ArrowRight', 'End', 'ArrowUp', 'Home', 'Escape', 'x'].map(key =>
      moved(key, { stop: 1, line: null }, bars),
    ),
    [2, 2, 2, 0].map(stop => ({ stop, line: stop })).concat({ stop: 1, line: null }, null),
  );
  equal(
    ['ArrowLeft', 'ArrowDown'].map(key => moved(key, { stop: 0, line: 4 }, lines)),
    [
      { stop: 0, line: 4 },
      { stop: 0, line: 5 },
    ],
  );
});
test('the numbers of a scale are round, and few', () =>
  equal(
    [[70.9, 8], [70.9, 4], [0.5, 8], [9.1, 8]].map(([top, most]) => ticks(top, most).join(' ')),
    ['0 10 20 30 40 50 60 70', '0 20 40 60', '0 0.1 0.2 0.3 0.4 0.5', '0 2 4 6 8'],
  ));
test('labels of a chart are broken after blanks and hyphens', () =>
  equal(broken('6 conflict-free transpose', 12), ['6 conflict-', 'free', 'transpose']));
test('a ratio that a run measured counts more than that of two rounded figures', () => {
  const row = (step, tflops, more = {}) => ({ step, variant: 'a', n: 1, tflops, ...more }),
    eight = row('08_b', 2, { last: '1' }),
    nine = row('09_c', 3, { gain: '1.49', vs_cublas: '1.21' });
  equal(
    [eight, row('07_a', 1.5), row('cublas', 2)].map(base => timesAsFast(nine, base)),
    [1.49, 2, 1.21],
  );
});
test('the heading of a picture names the pointer of its load', () => {
  const text = `.param ptr a, ptr b, f32 k
    LDC.64 at[0], c[a] ;
    LDC.64 to[0], c[b] ;
    IMAD.WIDE.U32 at[0], row, 0x100, at[0] ;
    LDG.E x, desc[ur[0]][at[0].64+{4 * k}] ; // c[b]
    LDC.64 at[0], c[b] ;
    LDG.E y, desc[ur[0]][at[0].64] ;
    LDS z, [row+0x400] ;`;
  equal([pointerAt(text, 4), pointerAt(text, 6), pointerAt(text, 7)], ['A', 'B', '']);
});
test('charts show the last row of a kernel and size that passed its check', () => {
  const line = (variant, tflops, check) =>
      `gpu,Toy,1,01_a,${variant},8,8,8,8,8,8,1,0,burst,${tflops},${check}`,
    head = 'backend,device,driver,step,variant,m,n,k,lda,ldb,ldc,alpha,beta,mode,tflops,check',
    csv = [head, line('x', 1, 'pass'), line('x', 2, 'pass'), line('x', 9, 'fail')].join('\n');
  equal(
    dataset({ csv }).rows.map(row => [row.variant, row.n, row.tflops]),
    [['x', 8, 2]],
  );
});
test("lesson 13's addition: FADD rounds as a float does, a tensor core never gives more", () => {
  const [sum, addend] = [Math.round(Math.PI * Math.E * 100 * 2 ** 14), 4 * 0x648 * 0x56f];
  for (let moved = 2; moved <= 24; moved++) {
    const { cut, rounded, lost, error } = added(moved);
    equal(Number(rounded), Math.fround(sum + addend * 2 ** -moved));
    equal(cut <= rounded && lost <= 0 && Math.abs(error) <= 0.5, true);
  }
});
process.exit(bad ? 1 : 0);
