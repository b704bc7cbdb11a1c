#!/usr/bin/env python3
"""Fits the costs by which `safe` chooses among step 13's variants to measured times, and writes
them to steps/13_tensor_cores/safe_costs.def. Run `make` first.

    tools/tensor_costs.py here   measures `mended`, `few_rows` and `few_cols` on 30 shapes and fits
                                 the costs of the GPU here to these times; a part of `make fit`
    tools/tensor_costs.py fit    fits the costs of the GPU of $RESULTS (default:
                                 docs/results/h200) to its applications.csv; no GPU needed

The costs of a variant minimise the sum of the squares of relative errors. $COSTS is the file that
is written, if set. Exit status: 0 success, also where no GPU runs these variants; 1 a run failed, 2
wrong usage.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from figures import command, database, h200  # noqa: E402
from figures.command import Failure  # noqa: E402

VARIANTS = ('mended', 'few_rows', 'few_cols')
SIZES = '256,512,768,1024,1280,1536,2047,2048,2049,3001,4096,5001'
SHAPES = ('128x8192x8192 8192x128x8192 100352x64x576 25088x128x1152 6272x256x2304 1568x512x4608 '
          '1000x1000x20000 8192x8192x256 '
          '512x16384x4096 60000x1024x784 2048x50257x768 64x64x65536 128x16384x4096 16384x128x4096 '
          '256x4096x4096 4096x256x4096 '
          '200x11008x4096 11008x200x4096').split()
TERMS = 6
NO_GPU = 77


def up(value, by):
    return (value + by - 1) // by


def terms(variant, m, n, k, sms):
    """Returns six terms. A variant's time is the sum of the products of each term and its cost
    (steps/13_tensor_cores/safe.h)."""
    has_halves = variant != 'mended'
    tiles = 2 * up(m, 128) * up(n, 128) if has_halves else up(m, 256) * 2 * up(n, 128)
    rounds = up(tiles, sms)
    return 1, m, k * m, k * n, rounds, rounds * (up(k, 128) if has_halves else up(k, 64))


def solve(matrix, right, used):
    """Returns the solution of the normal equations in the terms that are used; they are positive
    definite."""
    left = [[matrix[i][j] if used[i] and used[j] else float(i == j) for j in range(TERMS)]
            for i in range(TERMS)]
    right = [right[i] if used[i] else 0.0 for i in range(TERMS)]
    for i in range(TERMS):
        for row in range(i + 1, TERMS):
            factor = left[row][i] / left[i][i]
            for j in range(i, TERMS):
                left[row][j] -= factor * left[i][j]
            right[row] -= factor * right[i]
    cost = [0.0] * TERMS
    for i in reversed(range(TERMS)):
        cost[i] = (right[i] - sum(left[i][j] * cost[j] for j in range(i + 1, TERMS))) / left[i][i]
    return cost


def fit(variant, times, sms):
    """Returns the costs of a variant in braces, and how many shapes they come from; times:
    microseconds by (variant, m, n, k)."""
    matrix = [[0.0] * TERMS for _ in range(TERMS)]
    right = [0.0] * TERMS
    shapes = [(shape, time) for (name, *shape), time in times.items() if name == variant]
    if len(shapes) < 2 * TERMS:
        raise Failure(f'{len(shapes)} shapes of {variant} are too few', 1)
    for shape, time in shapes:
        term = terms(variant, *shape, sms)
        for i in range(TERMS):
            right[i] += term[i] / time
            for j in range(TERMS):
                matrix[i][j] += term[i] * term[j] / time ** 2
    used = [True] * TERMS
    cost = solve(matrix, right, used)
    while min(cost) < 0:  # drops the term with the most negative cost
        used[cost.index(min(cost))] = False
        cost = solve(matrix, right, used)
    return '{{{:.1f}, {:.3g}, {:.3g}, {:.3g}, {:.2f}, {:.3f}}}'.format(*cost), len(shapes)


def row_of(path, sms):
    """Returns the device of a file of results and its row of the table of costs; the newest row of
    a shape and variant counts."""
    rows = database.read(path)
    header = next(rows)
    device = commit = ''
    times = {}
    for fields in rows:
        row = dict(zip(header, fields))
        if row['variant'] in VARIANTS and row['mode'] == 'burst':
            times[(row['variant'], int(row['m']), int(row['n']), int(row['k']))] = 1000 * float(
                row['ms_median'])
            device, commit = row['device'], row['commit']
    costs, counts = zip(*(fit(variant, times, sms) for variant in VARIANTS))
    return (device,
            f'    {{"{device}", {", ".join(costs)}}}, // {", ".join(map(str, counts))} shapes, '
            f'commit {commit}')


def write(path, sms):
    """Puts the row of a file's device into the table, among those of other devices."""
    if not command.is_filled(path):
        raise Failure(f'no {path}; tools/results.sh tensor writes it', 1)
    costs = os.environ.get('COSTS') or 'steps/13_tensor_cores/safe_costs.def'
    device, row = row_of(path, sms)
    lines = command.read_text(costs).splitlines()
    here = next((i for i, line in enumerate(lines) if f'"{device}"' in line), None)
    if here is None:
        lines.insert(next(i for i, line in enumerate(lines) if line.startswith('#endif')), row)
    else:
        lines[here] = row
    command.put('\n'.join(lines) + '\n', costs)
    print(f'costs of {device}: {costs}')


def measure(work):
    """Measures on the GPU here and fits."""
    times = os.path.join(work, 'times.csv')
    words = ['build/ladder', '--backend', 'gpu', '--step', '13', '--variant', ','.join(VARIANTS),
             '--check', 'off', '--baseline', 'off',
             '--size', SIZES, '--csv', times]
    run = subprocess.run(words + [word for shape in SHAPES for word in ('--shape', shape)],
                         stdout=subprocess.PIPE, check=False)
    if run.returncode == NO_GPU:
        print(f'{os.environ.get("COSTS") or "steps/13_tensor_cores/safe_costs.def"} is as it was: '
              f'{", ".join(VARIANTS[:-1])} and {VARIANTS[-1]} run on '
              'compute capability 9.0 only')
        return
    if run.returncode:
        raise Failure('the GPU measured nothing', 1)
    sms = re.search(r': ([0-9]+) SMs,', run.stdout.decode().split('\n')[0])
    write(times, int(sms.group(1)))
    if not os.environ.get('COSTS'):
        subprocess.run(['make', '-s', '-j', 'build/13_tensor_cores', 'build/ladder'], check=True)


def main(arguments):
    os.chdir(command.PROJECT)
    if arguments == ['here']:
        with tempfile.TemporaryDirectory() as work:
            measure(work)
    elif arguments == ['fit']:
        write(os.path.join(os.environ.get('RESULTS') or 'docs/results/h200', 'applications.csv'),
              h200.SMS)
    else:
        raise Failure('expected here or fit')


if __name__ == '__main__':
    command.run(main)
