#!/usr/bin/env python3
"""Checks the latencies that the assembler, lint and the hand-written kernels rely on.

Runs the probes of tools/latency, each at several distances (cycles between the issues of two
instructions, set by stall counts):
 - pairs.txt: a producer of fixed latency and a reader of its result;
 - overwrites.txt: two results for one register; a source that is overwritten; the reuse cache,
   which an instruction that yields must empty;
 - sources.txt: when an instruction of variable latency has read its sources.
The least distance that always works must not be larger than the one that lint requires. The time of
runs of FFMAs shows whether registers have two banks; that concerns speed only.

    tools/doctor.py [--backend sim] [--arch sm_NN] [PRODUCER...]   PRODUCER: only its pairs

`make doctor [BACKEND=sim] [ARCH=sm_86]` calls this.
Exit status: 0 all latencies hold, 1 one does not or a program failed, 2 wrong usage, 77 no GPU.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'latency'))
import kernels  # noqa: E402
from figures import command  # noqa: E402
from figures.command import Failure  # noqa: E402

PROBES = 'tools/latency'
PAIRS = f'{PROBES}/pairs.txt'
PRODUCERS = ('IADD3 LOP3 MOV SEL SHF LEA VIMNMX IMAD IMAD_WIDE FADD FMUL FFMA IADD_64 MOV_64 CS2R '
             'ISETP FSETP UMOV UIADD3 ULOP3 UIMAD ULDC R2UR').split()
LANES = 32
# Matches probes of overwrites.txt and sources.txt that run on sm_90 only: other chips lack their
# instructions or execute them more slowly.
ONLY_HOPPER = 'LDC|D(ADD|FMA|MMA|SETP)|HFMA2MMA|HMMA|hmma|VIADD|R2UR'
# The machine of the timing model for each architecture sm_NN that has one.
MACHINES = {75: 't4', 80: 'a100', 86: 'rtx-3090', 89: 'rtx-4090', 90: 'h200', 120: 'rtx-5090'}


def output(*words):
    """Returns what a program prints; '' if it is missing."""
    if not shutil.which(words[0]):
        return ''
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout


def parse(arguments):
    """Returns backend, architecture ('' if none is named) and producers."""
    options = {'--backend': 'gpu', '--arch': ''}
    while arguments and arguments[0].startswith('--'):
        if arguments[0] not in options:
            raise Failure(f'{arguments[0]}: expected --backend gpu or sim, --arch sm_NN, or '
                          f'producers of {PAIRS}')
        if len(arguments) < 2:
            raise Failure('a value is missing')
        options[arguments[0]], arguments = arguments[1], arguments[2:]
    if options['--backend'] not in ('gpu', 'sim'):
        raise Failure(f"--backend {options['--backend']}: expected gpu or sim")
    return options['--backend'], options['--arch'], arguments


def lacks(chip, name):
    """Returns True if the instruction has no fixed latency on the chip, or does not exist there."""
    return (chip < 90 and name in ('VIADD', 'R2UR') or chip < 100 and
            name in ('IADD_64', 'MOV_64') or chip != 90 and name.startswith('HFMA2_MMA') or
            chip == 75 and 'REDUX' in name or
            chip < 86 and 'I2FP' in name or chip not in (80, 90, 100) and
            re.match('(guard_)?D(ADD|MUL|FMA|SETP)', name) or
            chip >= 100 and 'ULDC' in name)


def pairs_of(chip, producers):
    """Returns the rows of pairs.txt with these producers and all consumers."""
    minimum = '|IMNMX R' if chip < 90 else '|VIMNMX.S32 R' if chip >= 120 else '|VIMNMX R'
    rows = []
    with open(PAIRS, encoding='utf-8') as stream:
        for row in stream:
            fields = row.split('|')
            if (len(fields) > 4 and not lacks(chip, fields[3]) and
                (fields[0] == 'consumer' or fields[3] in producers)):
                rows.append(row.replace('|VIMNMX R', minimum, 1))
    if not any(row.startswith('producer') for row in rows):
        raise Failure(f'{" ".join(producers)}: no such producer in {PAIRS}')
    return rows


def rows_of(chip, file):
    """Returns the rows of overwrites.txt or sources.txt whose instructions the chip has."""
    lacking = ONLY_HOPPER if chip != 90 else 'none'
    lacking += '|LDGSTS|REDUX|uniform_(LDG|STG)' if chip < 80 else ''
    return [row for row in kernels.lines(f'{PROBES}/{file}')
            if not re.search(lacking, row.split('|')[0])]


def for_chip(code, chip):
    """Returns code with the chip's names of instructions."""
    if chip >= 100:
        return code.replace('ULDC', 'LDCU')
    if chip < 90:
        code = code.replace('REDG.E', 'RED.E')
    if chip >= 80:
        return code
    code = re.sub(r'.*c\[descriptor\].*\n', '', code)
    code = re.sub(r'desc\[UR4\]\[(R[0-9]+)\.64', r'[\1', code)
    return re.sub(r'\b(LDG|STG)\.E(\.64|\.128)? ', r'\1.E\2.SYS ', code)


class Probe:
    """A kernel that tries a pair of instructions at a list of distances. Tries are
    numbered: `refused` has the numbers of the tries that lint refuses, `wrong` is the number of the
    last try with a wrong result."""

    def __init__(self, kind, name, cubin, threads):
        self.kind, self.name, self.cubin, self.threads = kind, name, cubin, threads
        self.distances = {'pairs': range(kernels.MOST + 1),
                          'overwrites': kernels.OVERWRITE_DISTANCES,
                          'sources': (0, *kernels.SOURCE_DISTANCES)}[kind]
        self.rounds = kernels.ROUNDS if kind == 'pairs' else 1
        self.words = (len(self.distances) - 1 if kind == 'sources'
                      else self.rounds * len(self.distances) * threads)
        self.refused, self.wrong = set(), None

    def launch(self, out):
        scratch = {'pairs': '--arg i32[1024]:random:1 --arg i32[1024]:zero --arg i32:1088',
                   'overwrites': '--arg i32[1024]:random:1',
                   'sources': '--arg i32[131072]:zero'}[self.kind]
        return (f'--grid {16 if self.kind == "sources" else 1} --block {self.threads} --arg '
                f'i32[{self.words}]:zero=out:{out} {scratch}')

    def take(self, words):
        """Sets `wrong` to the last try with a wrong result. Leaves it None if the results cannot
        tell: the try without the first instruction gives the final value, too."""
        if self.kind == 'sources':  # words[try]: its number of wrong results
            self.wrong = max([0] + [i + 1 for i, count in enumerate(words) if count])
            return
        tries = [words[i:i + self.threads] for i in range(0, len(words), self.threads)]
        rounds = [tries[i:i + len(self.distances)]
                  for i in range(0, len(tries), len(self.distances))]
        last = rounds[-1]
        if self.name.startswith('reuse'):  # try 0 has no reuse flag, so no stale operand
            self.wrong = max([0] + [i for i in range(1, len(last)) if last[i] != last[0]])
        elif last[0] != last[-1]:
            rounds = rounds[1:] or rounds  # the first round loads the instruction caches
            self.wrong = max([0] + [i for one in rounds for i in range(1, len(last) - 1)
                                    if one[i] != one[-1]])

    def least(self, tries):
        return self.distances[tries + 1]

    def says_nothing(self):
        return self.wrong is None or len(self.refused) + 1 >= len(self.distances)


def written(kind, chip, work, part, *arguments):
    """Returns the path of a source with kernels of a kind; None: there are none."""
    code = subprocess.run((sys.executable, f'{PROBES}/kernels.py', kind, *arguments), text=True,
                          check=True, stdout=subprocess.PIPE).stdout
    source = os.path.join(work, f'{kind}{part}.sass')
    with open(source, 'w', encoding='utf-8') as stream:
        stream.write(for_chip(code, chip))
    return source if code else None


def assemble(source, arch):
    cubin = source.replace('.sass', '.cubin')
    run = subprocess.run(('build/sass', 'asm', source, '--arch', arch, '--no-lint', '-o', cubin),
                         text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        raise Failure(run.stdout.split('\n')[0], 1)
    return cubin


def probes_in(kind, cubin, threads):
    """Returns the probes of a cubin, with the tries that lint refuses."""
    found = {}
    for line in command.joined(output('build/sass', 'lint', cubin)).splitlines():
        hazard = re.match(r'(\w+)\+(0x\w+): .*(too soon|overwritten before|reuse)', line)
        name = hazard[1] if hazard else line.split(':')[0] if line.endswith(' hazards') else None
        if name:
            found.setdefault(name, Probe(kind, name, cubin, threads.get(name, LANES)))
        if hazard:
            found[name].refused.add(hazard[2])
    return list(found.values())


def simulate(probe, work):
    """Runs the probe on the simulator; a try in which it reports a hazard counts as wrong."""
    # simrun writes findings as a file of JSON lines (sasskit/docs/json.md).
    findings, out = os.path.join(work, 'findings'), os.path.join(work, 'ignored')
    run = subprocess.run(('build/simrun', probe.cubin, '--entry', probe.name, '--reports=999',
                          f'--json={findings}', *probe.launch(out).split()),
                         text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with open(findings, encoding='utf-8') as stream:
        errors = [line for line in map(json.loads, stream) if line.get('severity') == 'error']
    # The kernels of sources.txt race on purpose, to keep the memory pipe busy.
    others = [line['message'] for line in errors if line['kind'] not in ('hazard', 'race')]
    if others or run.returncode > 1:
        raise Failure(f'the probe {probe.name}: {(others or run.stdout.splitlines())[0]}', 1)
    probe.wrong = len({line['place']['address'] for line in errors if line['kind'] == 'hazard'})


def prepare(arch, producers, everything, work):
    """Returns all probes."""
    chip, parts = int(arch[len('sm_'):]), len(producers) // 4 + 1  # each file below 2^17 lines
    probes, rows = [], os.path.join(work, 'rows')
    with open(rows, 'w', encoding='utf-8') as stream:
        stream.writelines(pairs_of(chip, producers))
    for part in range(parts):
        source = written('pairs', chip, work, part, rows, str(parts), str(part))
        probes += probes_in('pairs', assemble(source, arch), {}) if source else []
    for kind in ('overwrites', 'sources') if everything else ():
        table = rows_of(chip, f'{kind}.txt')
        for part in range(0, len(table), 64):
            with open(rows, 'w', encoding='utf-8') as stream:
                stream.writelines(table[part:part + 64])
            fields = [row.split('|') for row in table[part:part + 64]]
            threads = {row[0]: 1024 if kind == 'sources' else int(row[7]) for row in fields}
            probes += probes_in(kind, assemble(written(kind, chip, work, part, rows), arch),
                                threads)
    return probes


def run_on_gpu(gpurun, launches, work):
    names = os.path.join(work, 'list')
    with open(names, 'w', encoding='utf-8') as stream:
        stream.writelines('\t'.join(launch) + '\n' for launch in launches)
    if subprocess.run((gpurun, names), check=False).returncode:
        raise Failure('the probes do not run', 1)


def measure(probes, gpurun, work):
    out = os.path.join(work, 'out')
    run_on_gpu(gpurun, [(probe.cubin, probe.name, probe.launch(out)) for probe in probes], work)
    with open(out, 'rb') as stream:
        words = memoryview(stream.read()).cast('I').tolist()
    for probe in probes:
        probe.take(words[:probe.words])
        words = words[probe.words:]
    # A reuse flag with a yield is judged only if the flag without the yield keeps the old value.
    kept = {probe.name[:-1] for probe in probes if probe.name.startswith('reuse') and
            probe.name.endswith('N') and probe.wrong}
    for probe in probes:
        if probe.name.startswith('reuse') and probe.name[:-1] not in kept:
            probe.wrong = None


def report(probes, what):
    """Prints the latencies that do not hold and a summary. Returns an exit status."""
    told = [probe for probe in probes if not probe.says_nothing()]
    late = [probe for probe in told if probe.wrong > len(probe.refused)]
    for probe in late:
        first, *second = probe.name.split('__')
        name = {'pairs': f'{first}, read by {"__".join(second)}',
                'sources': f'{probe.name}, overwritten'}.get(probe.kind, probe.name)
        least = (f'right after {probe.least(probe.wrong)} cycles'
                 if probe.wrong + 1 < len(probe.distances) else 'never right')
        print(f'{name}: {least}, lint asks for {probe.least(len(probe.refused))}')
    for kind, names in (('pairs', 'pairs of producer and reader'),
                        ('overwrites', 'overwrites and reuse flags'),
                        ('sources', 'readers of variable time')):
        some = [probe for probe in probes if probe.kind == kind]
        said = [probe for probe in some if probe in told]
        early, bad = (sum(probe.wrong < len(probe.refused) for probe in said),
                      sum(probe in late for probe in said))
        if some:
            print(f'{what}: {len(some)} {names}, {len(some) - len(said)} say nothing; '
                  f'{len(said) - bad} hold, {early} of them with cycles to '
                  f'spare; {bad} do not hold')
    if late:
        print('code by hand may compute wrongly here, which the check before each timing shows; '
              'the kernels in CUDA do not rely on this')
    return 1 if late else 0


def banks(arch, gpurun, work):
    """Prints the cycles per FFMA of loops that read one of two register banks for P FFMAs, then the
    other bank."""
    chip, loops = int(arch[len('sm_'):]), 32
    machine, lanes = MACHINES.get(chip), 2 if chip in (75, 80) else 1
    if not gpurun and not machine:
        return
    cubin = assemble(written('queue', chip, work, 0), arch)
    overhead, said = 0, []
    for name in ('flat_1', 'bc_1', 'bc_8', 'ac_8'):
        out = os.path.join(work, name)
        arguments = f'--grid 1 --block 128 --arg i32[256]:zero=out:{out}'
        if gpurun:
            run_on_gpu(gpurun, [(cubin, name, arguments)], work)
            with open(out, 'rb') as stream:
                clocks = memoryview(stream.read()).cast('I').tolist()
            total = max(clocks[1::2]) - min(clocks[::2])
        else:
            text = output('build/simrun', cubin, '--entry', name, *arguments.split(), '--time',
                          '--machine', machine)
            total = int(re.search(r': (\d+) in which it runs', text)[1])
        cycles = total / loops / kernels.QUEUE_FFMAS - overhead
        if name == 'flat_1':  # its cycles beyond `lanes` are the loop's overhead
            overhead = cycles - lanes
        else:
            said.append(f'{name} {cycles:.2f} ({max(lanes, 2 - 1 / int(name[3:])):.2f})')
    print(f'cycles per FFMA by registers, and as two banks would have it: {", ".join(said)}')


def main(arguments):
    backend, arch, producers = parse(arguments)
    os.chdir(command.PROJECT)
    gpurun = os.environ.get('GPURUN') or 'build/gpurun'
    if backend == 'gpu':
        here = re.match(r'(\d+)\.(\d)\s',
                        output('nvidia-smi', '--query-gpu=compute_cap', '--format=csv,noheader'))
        if not here or int(''.join(here.groups())) < 75 or not os.access(gpurun, os.X_OK):
            raise Failure('needs a GPU of sm_75 or later, its driver, and CUDA when this was '
                          'built; `make doctor BACKEND=sim` tries it on '
                          'the simulator', 77)
        arch = arch or 'sm_' + ''.join(here.groups())
    arch = arch or 'sm_90'
    if not re.fullmatch(r'sm_\d+', arch):
        raise Failure(f'--arch {arch}: expected sm_NN')
    with tempfile.TemporaryDirectory() as work:
        probes = prepare(arch, producers or PRODUCERS, not producers, work)
        if backend == 'gpu':
            measure(probes, gpurun, work)
        else:
            # The simulator cannot try four kinds of probes: reuse (it keeps no old values), MMAs
            # (they use registers that nothing wrote), stores (they do not wait until a value has
            # been read) and DFMAs of which a source is overwritten.
            probes = [probe for probe in probes
                      if not re.search('^reuse|MMA|hmma|war__DFMA|^upper.*STS_data', probe.name)]
            for probe in probes:
                simulate(probe, work)
        status = report(probes, f'{arch}, {backend}')
        if not producers:
            banks(arch, gpurun if backend == 'gpu' else None, work)
    if status == 0 and backend == 'gpu' and not producers:
        stamp = output('nvidia-smi', '--query-gpu=name,driver_version',
                       '--format=csv,noheader').split('\n')[0]
        command.put(f'{stamp}\n', f'build/doctor.{arch}')
        print(f'build/doctor.{arch} is written: --untried runs machine code that was never run on '
              'a chip of this kind')
    return status


if __name__ == '__main__':
    command.run(main)
