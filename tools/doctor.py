#!/usr/bin/env python3
"""Checks the fixed latencies on which the assembler, lint and the hand-written kernels rely.

Runs each pair of a producer and a consumer of tools/latency/pairs.txt at distances of 1 to 14 cycles,
which are stall counts in machine code. The least distance at which the consumer always reads the new
value must not be larger than the one that lint requires.

    tools/doctor.py [--backend sim] [--arch sm_NN] [PRODUCER...]

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
from figures import command  # noqa: E402
from figures.command import Failure  # noqa: E402

PAIRS = 'tools/latency/pairs.txt'
PRODUCERS = 'IADD3 LOP3 MOV SEL SHF LEA VIMNMX IMAD IMAD_WIDE FADD FMUL FFMA CS2R ISETP FSETP UMOV UIADD3 ULOP3 UIMAD ULDC'.split()
# A kernel makes ROUNDS rounds of tries: without the producer, then at 1 to MOST cycles. Each lane
# stores a word per try.
ROUNDS, MOST, LANES = 3, 14, 32


def output(*words):
    """Returns what a program prints; '' if it is missing."""
    if not shutil.which(words[0]):
        return ''
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout


def parse(arguments):
    """Returns backend, architecture ('' if none is named) and producers."""
    options = {'--backend': 'gpu', '--arch': ''}
    while arguments and arguments[0].startswith('--'):
        if arguments[0] not in options:
            raise Failure(f'{arguments[0]}: expected --backend gpu or sim, --arch sm_NN, or producers of {PAIRS}')
        if len(arguments) < 2:
            raise Failure('a value is missing')
        options[arguments[0]], arguments = arguments[1], arguments[2:]
    if options['--backend'] not in ('gpu', 'sim'):
        raise Failure(f"--backend {options['--backend']}: expected gpu or sim")
    return options['--backend'], options['--arch'], arguments


def lacks(chip, name):
    """Returns whether the chip lacks the instruction, or signals its completion by a scoreboard."""
    return (chip < 90 and name in ('VIADD', 'R2UR') or chip != 90 and name.startswith('HFMA2_MMA') or chip == 75 and 'REDUX' in name or
            chip < 86 and 'I2FP' in name or chip not in (80, 90, 100) and re.match('(guard_)?D(ADD|MUL|FMA|SETP)', name) or
            chip >= 100 and 'ULDC' in name)


def pairs_of(chip, producers):
    """Returns the rows of pairs.txt with these producers and all consumers."""
    minimum = '|IMNMX R' if chip < 90 else '|VIMNMX.S32 R' if chip >= 120 else '|VIMNMX R'
    rows = []
    with open(PAIRS, encoding='utf-8') as stream:
        for row in stream:
            fields = row.split('|')
            if len(fields) > 4 and not lacks(chip, fields[3]) and (fields[0] == 'consumer' or fields[3] in producers):
                rows.append(row.replace('|VIMNMX R', minimum, 1))
    if not any(row.startswith('producer') for row in rows):
        raise Failure(f'{" ".join(producers)}: no such producer in {PAIRS}')
    return rows


def for_chip(code, chip):
    """Returns code with the chip's names of instructions."""
    if chip >= 100:
        return code.replace('ULDC', 'LDCU')
    if chip >= 80:
        return code
    code = re.sub(r'.*c\[descriptor\].*\n', '', code)
    code = re.sub(r'desc\[UR4\]\[(R[0-9]+)\.64', r'[\1', code)
    return re.sub(r'\b(LDG|STG)\.E ', r'\1.E.SYS ', code)


def assemble(source, cubin, arch):
    """Assembles a file and returns its kernels with the least distances that lint requires."""
    run = subprocess.run(('build/sass', 'asm', source, '--arch', arch, '--no-lint', '-o', cubin), text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        raise Failure(run.stdout.split('\n')[0], 1)
    required, hazards = {}, {}
    for line in output('build/sass', 'lint', cubin).splitlines():
        if 'read too soon' in line:
            name = line.split('+')[0]
            hazards[name] = hazards.get(name, 0) + 1
        elif line.endswith(' hazards'):
            name = line.split(':')[0]
            required[name] = hazards.get(name, 0) + 1
    return required


def simulated(cubin, name, arguments, work):
    """Returns the least distance at which the simulator reports no hazard."""
    findings = os.path.join(work, 'findings')  # JSON lines: sasskit/docs/json.md
    run = subprocess.run(('build/simrun', cubin, '--entry', name, '--reports=99', f'--json={findings}', *arguments), text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with open(findings, encoding='utf-8') as stream:
        errors = [line for line in map(json.loads, stream) if line.get('severity') == 'error']
    others = [line['message'] for line in errors if line['kind'] != 'hazard']
    if others or run.returncode > 1:
        raise Failure(f'the probe {name}: {(others or run.stdout.splitlines())[0]}', 1)
    return len(errors) + 1


def measured(words):
    """Returns the least distance at which a kernel's tries have the final value, from the lanes'
    words per try; 0 if the kernel cannot tell: the try without the producer has that value, too."""
    tries = [words[i:i + LANES] for i in range(0, len(words), LANES)]
    rounds = [tries[i:i + MOST + 1] for i in range(0, len(tries), MOST + 1)][1:]  # the first fills the caches
    if rounds[-1][0] == rounds[-1][MOST]:
        return 0
    return max([1] + [distance + 1 for one in rounds for distance in range(1, MOST) if one[distance] != one[MOST]])


def probe(backend, arch, producers, gpurun, work):
    """Returns a list of kernel, required distance and least distance that works."""
    chip = int(arch[len('sm_'):])
    selected, out, launches, found = os.path.join(work, 'pairs'), os.path.join(work, 'out'), [], []
    with open(selected, 'w', encoding='utf-8') as stream:
        stream.writelines(pairs_of(chip, producers))
    parts = len(producers) // 4 + 1  # files of fewer than 2^17 lines
    for part in range(parts):
        code = subprocess.run((sys.executable, 'tools/latency/kernels.py', 'pairs', selected, str(parts), str(part)), text=True, check=True,
                              stdout=subprocess.PIPE).stdout
        source, cubin = os.path.join(work, f'{part}.sass'), os.path.join(work, f'{part}.cubin')
        if not code:
            continue
        with open(source, 'w', encoding='utf-8') as stream:
            stream.write(for_chip(code, chip))
        for name, required in assemble(source, cubin, arch).items():
            arguments = (f'--grid 1 --block {LANES} --arg i32[{ROUNDS * (MOST + 1) * LANES}]:zero=out:{out} --arg i32[1024]:random:1 '
                         '--arg i32[1024]:zero --arg i32:1088')
            launches.append(f'{cubin}\t{name}\t{arguments}\n')
            found.append([name, required, simulated(cubin, name, arguments.split(), work) if backend == 'sim' else None])
    if backend == 'gpu':
        names = os.path.join(work, 'list')
        with open(names, 'w', encoding='utf-8') as stream:
            stream.writelines(launches)
        if subprocess.run((gpurun, names), check=False).returncode:
            raise Failure('the probes do not run', 1)
        with open(out, 'rb') as stream:
            words = memoryview(stream.read()).cast('I').tolist()
        size = len(words) // len(found)
        for i, one in enumerate(found):
            one[2] = measured(words[i * size:(i + 1) * size])
    return found


def report(found, what):
    """Prints the latencies that do not hold and a summary. Returns an exit status."""
    told = [one for one in found if one[2]]
    late = [one for one in told if one[2] > one[1]]
    for name, required, least in late:
        producer, consumer = name.split('__')
        print(f'{producer}, read by {consumer}: there after {least} cycles, lint asks for {required}')
    early = sum(least < required for _, required, least in told)
    print(f'{what}: {len(found)} pairs of producer and reader, {len(found) - len(told)} say nothing; {len(told) - len(late)} hold, '
          f'{early} of them with cycles to spare; {len(late)} do not hold')
    if late:
        print('code by hand may compute wrongly here, which the check before each timing shows; the kernels in CUDA do not rely on this')
    return 1 if late else 0


def main(arguments):
    backend, arch, producers = parse(arguments)
    os.chdir(command.PROJECT)
    gpurun = os.environ.get('GPURUN') or 'build/gpurun'
    if backend == 'gpu':
        here = re.match(r'(\d+)\.(\d)\s', output('nvidia-smi', '--query-gpu=compute_cap', '--format=csv,noheader'))
        if not here or int(''.join(here.groups())) < 75 or not os.access(gpurun, os.X_OK):
            raise Failure('needs a GPU of sm_75 or later, its driver, and CUDA when this was built; `make doctor BACKEND=sim` tries it on '
                          'the simulator', 77)
        arch = arch or 'sm_' + ''.join(here.groups())
    arch = arch or 'sm_90'
    if not re.fullmatch(r'sm_\d+', arch):
        raise Failure(f'--arch {arch}: expected sm_NN')
    with tempfile.TemporaryDirectory() as work:
        status = report(probe(backend, arch, producers or PRODUCERS, gpurun, work), f'{arch}, {backend}')
    if status == 0 and backend == 'gpu' and not producers:
        stamp = output('nvidia-smi', '--query-gpu=name,driver_version', '--format=csv,noheader').split('\n')[0]
        command.put(f'{stamp}\n', f'build/doctor.{arch}')
        print(f'build/doctor.{arch} is written: --untried runs machine code that was never run on a chip of this kind')
    return status


if __name__ == '__main__':
    command.run(main)
