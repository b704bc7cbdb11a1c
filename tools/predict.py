#!/usr/bin/env python3
"""Predicts the TFLOP/s of steps 01 to 09 by the model of an SM, beside those of an H200 or, with
--here, of the GPU here.

    tools/predict.py [--here] OUT [SIZE [MACHINE]]

OUT is a folder. SIZE is N, 2048 if not given; MACHINE is h200 if not given, for example rtx-3090.

Writes OUT/predicted.csv, with --here OUT/measured.csv, with gnuplot OUT/predicted.svg, and prints
a table. The band around a prediction is the model's largest error in steps 01 to 09 at that N, or
at all N if that N was not compared (docs/results/h200/validation.csv). Predictions for a machine
that was not measured have no band. Exit status: 0 success, 1 failed, 2 wrong usage, 130 stopped.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from figures import chart, command, database  # noqa: E402
from figures.command import Failure  # noqa: E402

MEASURED = 'docs/results/h200'
STOPPED = 130
# The machines whose prediction errors are known, by measurements.
COMPARED = ('h100', 'h200')
BAND = '''
select coalesce(max(iif(n = :size, abs(error_pct), null)), max(abs(error_pct))) from validation
where step < '10' and m = n and n = k and pad = 0 and :is_compared'''
RUNGS = '''
with beside as (
    select step, null as variant, ms_min from here where :here
    union all select step, variant, ms_min from newest
        where not :here and shape = :shape and mode = 'burst' and :machine = 'h200')
select p.step, p.variant, 2e-9 * p.m * p.n * p.k / p.ms_min as predicted,
    2e-9 * p.m * p.n * p.k / t.ms_min as measured
from model as p left join beside as t
    on t.step = p.step and coalesce(t.variant, p.variant) = p.variant order by p.step'''


def ladder(what, csv, size, *options):
    """Runs the last variant of each step; its rows go to the file."""
    run = subprocess.run(['build/ladder', '--step', '01-09', '--variant', 'last', '--size', size,
                          '--csv', csv, *options],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if run.returncode == STOPPED:
        raise KeyboardInterrupt
    if run.returncode:
        raise Failure(f'the ladder could not be {what}: '
                      f'{run.stdout.decode().strip().splitlines()[-1]}', 1)


def draw(rungs, band, caption):
    """Returns the chart of the steps' predicted and measured TFLOP/s."""
    with chart.Folder() as work:
        work.write('rungs.csv',
                   [[i, step[:2], predicted, predicted * (1 - (band or 0) / 100),
                     predicted * (1 + (band or 0) / 100),
                                  'NaN' if measured is None else measured, step]
                                 for i, (step, _, predicted, measured) in enumerate(rungs)])
        work.write('facts.gp', [[chart.plain_setting('rungs', ' '.join(rung[0] for rung in rungs))],
                                [chart.plain_setting('caption', caption)]])
        return work.plot('svg', 'predicted.gp')


def main(arguments):
    is_here = arguments[:1] == ['--here']
    arguments = arguments[is_here:]
    if not 1 <= len(arguments) <= 3 or not os.path.isdir(arguments[0]):
        raise Failure('expected a folder; usage: tools/predict.py [--here] OUT [SIZE [MACHINE]]')
    folder = os.path.abspath(arguments[0])
    size, machine = (arguments[1:] + ['2048', 'h200'][len(arguments) - 1:])[:2]
    if not re.fullmatch('[1-9][0-9]{0,4}', size):
        raise Failure(f"SIZE '{size}' is not a whole number from 1 to 99999")
    os.chdir(command.PROJECT)
    data = database.load(MEASURED)
    with tempfile.TemporaryDirectory() as work:
        rows = os.path.join(work, 'rows.csv')
        ladder('predicted', rows, size, '--backend', 'sim', '--time', '--machine', machine,
               '--check', 'off')
        database.import_file(data, 'model', rows)
        shutil.copy(rows, os.path.join(work, 'predicted.csv'))
        command.put(command.read_text(rows), os.path.join(folder, 'predicted.csv'))
        if is_here:
            here = os.path.join(work, 'here.csv')
            ladder('measured', here, size, '--backend', 'gpu', '--baseline', 'off')
            database.import_file(data, 'here', here)
            command.put(command.read_text(here), os.path.join(folder, 'measured.csv'))
        else:
            data.execute('create table here as select * from model limit 0')
    (band,), = data.execute(BAND, {'size': int(size), 'is_compared': machine in COMPARED})
    rungs = data.execute(RUNGS, {'here': is_here, 'shape': size, 'machine': machine}).fetchall()

    about = ('' if machine in COMPARED
             else ' from published figures and guesses, not measured by this project')
    device = 'GPU here' if is_here else 'H200'
    off = '' if band is None else f' Its times were up to {band:.1f} % off over steps 01 to 09.'
    print(f'Predicted, not measured: a model of the {machine.upper()}{about}, N = {size}.{off}\n')
    measured_by = f'{"the" if is_here else "an"} {device} measured'
    print(f'{"TFLOP/s":28} {"variant":16} {"predicted":>12} {"within the band":>16} '
          f'{measured_by:>16}')
    for step, variant, predicted, measured in rungs:
        within = ('' if band is None
                  else f'{predicted * (1 - band / 100):.1f} to {predicted * (1 + band / 100):.1f}')
        print(f'{step:28} {variant:16} {predicted:12.1f} {within:>16} '
              f'{"" if measured is None else format(measured, ".1f"):>16}')
    sys.stdout.flush()

    if shutil.which('gnuplot'):
        line = '' if band is None else f', the line its band of {band:.1f} %'
        caption = (f'N = {size}; hollow: predicted by a model of the '
                   f'{machine.upper()}{about}{line}; filled: measured on the {device}')
        command.put(draw(rungs, band, caption), os.path.join(folder, 'predicted.svg'))


if __name__ == '__main__':
    command.run(main)
