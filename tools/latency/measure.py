#!/usr/bin/env python3
"""Runs latency probes (kernels.py) on this machine's GPU or by the timing model.

    tools/latency/measure.py queue [gpu]      measures how many reads a register bank can queue
    tools/latency/measure.py queue model Q    the timing model instead, whose banks queue Q reads
    tools/latency/measure.py atomics [gpu]    cycles per atomic instruction of a warp: model, GPU
    tools/latency/measure.py atomics model    the model alone

`queue` prints cycles per FFMA and scheduler: expected for a queue of one read and of two, and
measured, without the loop's overhead, which the kernel `flat` gives; then the root mean square
error of each expectation.
Exit status: 0 success, 1 an error, 2 wrong usage, 77 no GPU.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from figures import command  # noqa: E402
from figures.command import Failure  # noqa: E402

QUEUE_LOOPS, QUEUE_FFMAS = 32, 960  # as in kernels.py
BEFORE_LOOP = 600  # cycles from launch to loop, roughly
ATOMICS = 1024  # atomics of each warp


def assembled(probe, work):
    """Returns the path of the cubin with a probe's kernels."""
    source, cubin = os.path.join(work, f'{probe}.sass'), os.path.join(work, f'{probe}.cubin')
    with open(source, 'wb') as stream:
        subprocess.run((sys.executable, 'tools/latency/kernels.py', probe),
                       stdout=stream, check=True)
    subprocess.run(('build/sass', 'asm', source, '--no-lint', '-o', cubin), check=True)
    return cubin


def predicted(cubin, kernel, arguments, machine='h200'):
    """Returns the cycles of a launch by the timing model."""
    said = subprocess.run(('build/simrun', cubin, '--entry', kernel, *arguments.split(), '--time',
                           '--machine', machine), text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    return int(re.search(r': (\d+) in which it runs', said).group(1))


def run_on_gpu(gpurun, launches, work):
    """Runs launches (cubin, kernel, arguments)."""
    path = os.path.join(work, 'runs')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.writelines('\t'.join(one) + '\n' for one in launches)
    status = subprocess.run((gpurun, path), check=False).returncode
    if status:
        raise Failure('the probes do not run', status)


def elapsed(path):
    """Returns the cycles between the first and the last of the clocks that a launch stored, a pair
    per thread."""
    with open(path, 'rb') as stream:
        clocks = memoryview(stream.read()).cast('I').tolist()
    return max(clocks[1::2]) - min(clocks[::2])


def queue(gpurun, reads, work):
    cubin = assembled('queue', work)
    names = ['flat_1'] + [f'{kind}_{p}' for kind in ('bc', 'ab', 'ac')
                          for p in (1, 2, 3, 4, 5, 6, 8)]
    runs = [(name, warps, os.path.join(work, f'{name}.{warps}')) for name in names
            for warps in (1, 2)]  # warps per scheduler
    arguments = {out: f'--grid 1 --block {128 * warps} --arg i32[{256 * warps}]:zero=out:{out}'
                 for _, warps, out in runs}
    if gpurun:
        run_on_gpu(gpurun, [(cubin, name, arguments[out]) for name, _, out in runs], work)
    print(f'{"reads":8} {"P":>3} {"warps":>6} {"one read":>9} {"two reads":>9} {"measured":>9}')
    overhead, errors = {}, ([], [])
    for name, warps, out in runs:
        total = (elapsed(out) if gpurun else predicted(cubin, name, arguments[out],
                                                       f'h200,bank_queue={reads}') - BEFORE_LOOP)
        cycles = total / QUEUE_LOOPS / QUEUE_FFMAS / warps
        kind, p = name.split('_')
        if kind == 'flat':
            overhead[warps] = cycles - 1
            expected = (1, 1)
        else:
            cycles -= overhead[warps]
            expected = [max(1, 2 - q / int(p)) for q in (1, 2)]
            for error, one in zip(errors, expected):
                error.append(one - cycles)
        print(f'{kind:8} {p:>3} {warps:6} {expected[0]:9.3f} {expected[1]:9.3f} {cycles:9.3f}')
    one, two = (math.sqrt(sum(e * e for e in error) / len(error)) for error in errors)
    print(f'root mean square: one read {one:.3f}, two reads {two:.3f}')


def atomics(gpurun, work):
    cubin = assembled('atomics', work)
    names = [f'{kind}_{address}' for kind in ('red', 'atom')
             for address in ('word', 'line', 'warp', 'lane')]
    runs = [(name, warps, os.path.join(work, f'{name}.{warps}')) for name in names
            for warps in (1, 8, 32)]
    arguments = {out: f'--grid 1 --block {32 * warps} --arg i32[{64 * warps}]:zero=out:{out} --arg '
                 'i32[32768]:zero' for _, warps, out in runs}
    if gpurun:
        run_on_gpu(gpurun, [(cubin, name, arguments[out]) for name, _, out in runs], work)
    print(f'{"atomics":10} {"warps":>5} {"model":>9} {"measured":>9} {"ratio":>6}')
    for name, warps, out in runs:
        model, count = predicted(cubin, name, arguments[out]), ATOMICS * warps
        cycles = elapsed(out) if gpurun else None
        measured, ratio = ((f'{cycles / count:.2f}', f'{model / cycles:.2f}') if cycles
                           else ('-', '-'))
        print(f'{name:10} {warps:5} {model / count:9.2f} {measured:>9} {ratio:>6}')


def main(arguments):
    os.chdir(command.PROJECT)
    probe, backend, reads = (arguments + [''] * 3)[:3]
    backend = backend or 'gpu'
    needs_reads = probe == 'queue' and backend == 'model'
    if (len(arguments) > 3 or probe not in ('queue', 'atomics') or
            backend not in ('gpu', 'model') or
            bool(reads) != needs_reads or needs_reads and not reads.isdigit()):
        raise Failure('expected queue or atomics, then gpu or model; for queue model also a '
                      'number of reads')
    gpurun = None if backend == 'model' else os.environ.get('GPURUN') or 'build/gpurun'
    if gpurun and not os.access(gpurun, os.X_OK):
        raise Failure(f'needs a GPU of sm_90 and {gpurun}, which is built with CUDA', 77)
    with tempfile.TemporaryDirectory() as work:
        if probe == 'queue':
            queue(gpurun, reads, work)
        else:
            atomics(gpurun, work)


if __name__ == '__main__':
    command.run(main)
