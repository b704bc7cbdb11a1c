#!/usr/bin/env python3
"""Judges the measured speed of `dispatch`, a variant of step shapes, for tools/order.sh.

    tools/judge.py sample RESULTS_DIR
        prints, for random shapes, the ten lowest ratios of its speed to cuBLAS's, the geometric
        mean of all, how many are 0.95 or more, and how many results are wrong; its speed relative
        to cublasLt's fastest algorithm, if that was timed; and the lowest rate at which it moves
        A, B and C where memory is the limit
    tools/judge.py shapes RESULTS_DIR SHAPE...
        prints the ratio to cuBLAS of each shape, N or MxNxK, and the geometric mean

Memory counts as the limit if a product has at most 10 FLOP per byte and takes at least 50 us. Exit
status: 0 success, 1 nothing was measured, or `shapes` found a ratio or the mean too low, 2 wrong
usage.
"""
import math
import os
import sys

sys.dont_write_bytecode = True
from figures import command, database  # noqa: E402
from figures.command import Failure  # noqa: E402

LEAST_RATIO, LEAST_MEAN = 0.95, 1.10
LEAST_OF = dict.fromkeys(('2049', '2560', '3072', '5120'), 1.15)
SAMPLE = ('''
select printf('%-20s %.3f', shape, ratio) from drawn
where variant = 'dispatch' order by ratio limit 10''', '''
select printf('geometric mean of %d shapes: %.3f; at 0.95 or more: %.1f %%; wrong: %d',
    count(*), exp(avg(ln(ratio))), 100 * avg(ratio >= 0.95),
    sum("check" = 'fail'))
from drawn where variant = 'dispatch' having count(*) > 0''', '''
with pair as (select shape, tuned.ratio as ratio, tuned.ms / own.ms as beside
    from drawn as tuned join drawn as own using (shape)
    where tuned.variant = 'tuned' and own.variant = 'dispatch')
select printf('cublasLt, the fastest it offers, on %d shapes: %.3f times cublasSgemm;' ||
    char(10) ||
    'dispatch %.3f times that, %d at 0.95 or more, least %.3f (%s)',
    count(*), exp(avg(ln(ratio))), exp(avg(ln(beside))), sum(beside >= 0.95), min(beside), shape)
from pair having count(*) > 0''', '''
select printf('least rate where memory is the limit: %.0f GB/s, %s', min(bytes / ms / 1e6), shape)
from drawn
where variant = 'dispatch' and flops <= 10 * bytes and ms >= 0.05 having count(*) > 0''')
RATIOS = ("select shape, times_cublas from timed where step = 'shapes' and variant = 'dispatch' "
          "and mode = 'burst'")


def sample(folder):
    if not command.is_filled(os.path.join(folder, 'sample.csv')):
        raise Failure(f'no {folder}/sample.csv; tools/order.sh sample writes it', 1)
    data = database.load(folder)
    lines = [line for question in SAMPLE for line, in data.execute(question)]
    if not lines:
        raise Failure(f'no row of dispatch with a ratio to cuBLAS in {folder}/sample.csv', 1)
    print('\n'.join(lines))
    return 0


def shapes(folder, wanted):
    if not command.is_filled(os.path.join(folder, 'results.csv')):
        raise Failure(f'no {folder}/results.csv; tools/order.sh shapes writes it', 1)
    measured = dict(database.load(folder).execute(RATIOS))
    ratios, is_good = [], True
    for shape in wanted:
        ratio, least = measured.get(shape), LEAST_OF.get(shape, LEAST_RATIO)
        is_good = is_good and ratio is not None and ratio >= least
        below = f'  under {least}' if ratio is not None and ratio < least else ''
        name = shape if 'x' in shape else 'x'.join([shape] * 3)
        print(f'{name:20} {"not measured" if ratio is None else format(ratio, ".3f")}{below}')
        ratios += [] if ratio is None else [ratio]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0.0
    print(f'geometric mean of {len(ratios)} shapes: {mean:.3f}')
    return 0 if is_good and mean >= LEAST_MEAN else 1


def main(arguments):
    if len(arguments) == 2 and arguments[0] == 'sample':
        return sample(arguments[1])
    if len(arguments) > 2 and arguments[0] == 'shapes':
        return shapes(arguments[1], arguments[2:])
    raise Failure('usage: tools/judge.py sample RESULTS_DIR | shapes RESULTS_DIR SHAPE...')


if __name__ == '__main__':
    command.run(main)
