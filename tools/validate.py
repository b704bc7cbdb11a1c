#!/usr/bin/env python3
"""Predicts with the timing model of an SM (sasskit/model) the times that were measured in
RESULTS_DIR, and prints the errors.

By default it takes the shortest single launches of steps 01 to 09 at N = 1024, 2048 and 4096 in
docs/results/h200. Prints each variant's error. For each size, and for steps 01 to 09, 10 to 12, and
13, it prints an error band (the mean and the largest |predicted / measured - 1|) and how many pairs
of a step's variants are ranked rightly, among those whose times differ by 3 % or more. With --every
it predicts each launch of results.csv and applications.csv that the model can run, also rectangles,
padded rows and small matrices, and prints the bands by kind of problem. That takes hours of CPU
time, so --resume FOLDER keeps the rows of each launch: a stopped run goes on where it ended.

If counters.csv has Nsight Compute's stall reasons, it also compares the share of the warps' time in
each state. It prints how many of each variant's three largest states, not counting `selected`, are
predicted within 30 %, and the mean share of the time that the model gives to another state than
Nsight Compute does (half the sum of the differences).

Exit status: 0 success, 1 an error is beyond a limit, or a prediction failed, 2 wrong usage.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
from figures import chart, command, database, rows, script  # noqa: E402
from figures.command import Failure  # noqa: E402
from query import in_columns  # noqa: E402


# columns of validation.csv
COLUMNS = 'step, variant, m, n, k, pad, predicted_ms, measured_ms, error_pct, median_ms, median_pct'

# The queries of the printed tables, whose lines have at most 100 columns.
SHOWN = ('''select iif(step glob '[0-9]*', substr(step, 1, 2), step) as step, variant,
    iif(m = n and n = k, m, m || 'x' || n || 'x' || k) || iif(pad, ' + ' || pad, '')
        as "size + pad",
    printf('%.4g', predicted_ms) as "model, ms", printf('%.4g', measured_ms) as "least, ms",
    error_pct as "off, %",
    printf('%.4g', median_ms) as "median, ms", median_pct as "off, %" from compared''',
         '''select steps, kind as "kind; errors in %", rows_of_a as "rows of A",
    launches as "count", mean_pct as mean, worst_pct as most, beyond_10_pct as ">10 %",
    median_mean_pct as "median: mean", median_worst_pct as most,
    pairs_ranked_rightly as "pairs right" from ''',
         '''select steps, n, variants, states as largest_three_states, within_30_pct, misplaced_pct
    from stall_band''')

ACCURACY = '''\
// Errors of predicted times: ACCURACY(kind of problem, mean error in %, largest error in %, number
// of launches). Written by `tools/validate.py --every --keep`, from validation.csv and held_out.csv
// of docs/results/h200.
'''


def limits(text, names):
    """Returns two percentages that are given as A,B."""
    if not re.fullmatch('[0-9.]+,[0-9.]+', text):
        raise Failure(f'{text}: expected {names} in per cent')
    return tuple(map(float, text.split(',')))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f'{message}; {" ".join(self.format_usage().split())}')


def options_of(arguments):
    parser = Parser(prog='tools/validate.py', description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sizes', default='1024,2048,4096', metavar='N,N,...')
    parser.add_argument('--steps', default='01-09', metavar='LIST')
    parser.add_argument('--every', action='store_true',
                        help='predict all problems that were measured, instead of --sizes')
    parser.add_argument('--most', default='1000,1000', metavar='MEAN,WORST',
                        help='status 1 if at a size the mean or the largest error, in per cent, is '
                        'above these')
    parser.add_argument('--stalls', default='0,100', metavar='LEAST,MOST',
                        help='status 1 if at a size fewer than LEAST per cent of the states are '
                        'within 30 %%, or more than MOST per cent of the time is misplaced')
    parser.add_argument('--machine', default='h200', metavar='NAME')
    parser.add_argument('--keep', action='store_true',
                        help="write RESULTS_DIR/predicted.csv and predicted_counters.csv (the "
                        "model's rows), validation.csv, stalls.csv, validation.svg")
    parser.add_argument('--from', dest='source', metavar='FILE',
                        help='take the predictions from FILE, an earlier predicted.csv, and from '
                        'the predicted_counters.csv beside it')
    parser.add_argument('--resume', metavar='FOLDER',
                        help="keep each launch's rows in FOLDER, and predict only what it lacks")
    parser.add_argument('--accuracy', action='store_true',
                        help='print the text of sasskit/model/accuracy.def, and predict nothing')
    parser.add_argument('folder', nargs='?', default='docs/results/h200', metavar='RESULTS_DIR')
    options = parser.parse_args(arguments)
    options.most = limits(options.most, 'MEAN,WORST')
    options.stalls = limits(options.stalls, 'LEAST,MOST')
    return options


def ladder(options, work, problems, is_square):
    """Runs the ladder on problems; returns the rows of its CSV and of the counters of squares, each
    with the header. A launch is not predicted again if `work` has its rows from an earlier run.
    With --every, a problem that the ladder refuses is named on standard error and left out."""
    name = os.path.join(work, re.sub('[^0-9a-z]+', '-', '_'.join(problems)))
    csv, counters = name + '.csv', name + '_counters.csv'
    if not command.is_filled(csv):
        words = ['build/ladder', '--backend', 'sim', '--time', '--machine', options.machine,
                 '--check', 'off', *problems,
                 '--csv', csv + '.part', *(['--counters', counters] if is_square else [])]
        run = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                             if options.every else None, check=False)
        if run.returncode:
            said = (run.stdout.decode().strip().splitlines() or ['build/ladder failed'])[-1]
            if not options.every:
                raise Failure(said, 1)
            print(f'not predicted: {" ".join(problems)}: {said}', file=sys.stderr)
        if command.is_filled(csv + '.part'):
            os.replace(csv + '.part', csv)
    return [command.read_text(path).splitlines() if command.is_filled(path) else []
            for path in (csv, counters)]


def every_problem(options, data):
    """Returns the ladder's options for each measured launch, the largest first, and whether its
    problem is a square without padding."""
    low, _, high = options.steps.partition('-')
    listed, step = [], None
    for line in subprocess.run(['build/ladder', '--list'], stdout=subprocess.PIPE,
                               check=True).stdout.decode().splitlines():
        name = re.match(r'( {4})?(\S+)', line)
        if name and name.group(1):
            listed.append((step, name.group(2)))
        elif name:
            step = name.group(2)
    data.execute('create table runnable(step text, variant text)')
    data.executemany('insert into runnable values (?, ?)', listed)
    found = data.execute('''select distinct pad, m, n, k, step, variant
        from launch join runnable using (step, variant)
        where iif(step = 'shapes', '10', substr(step, 1, 2)) between ? and ?
        order by 1.0 * m * n * k desc''', (low, high or low))
    return [(['--step', step, '--variant', variant, '--shape', f'{m}x{n}x{k}', '--pad', str(pad)],
             m == n == k and not pad)
            for pad, m, n, k, step, variant in found]


def predict(options, data, work):
    """Fills the tables `predicted` and `predicted_counters`; returns the lines of predicted.csv."""
    if options.source:
        if not command.is_filled(options.source):
            raise Failure(f"no rows in '{options.source}': expected a predicted.csv, as "
                          "--keep writes it")
        predicted, counters = (options.source,
                               re.sub(r'\.csv$', '', options.source) + '_counters.csv')
    else:
        predicted, counters = (os.path.join(work, 'predicted.csv'),
                               os.path.join(work, 'predicted_counters.csv'))
        problems = (every_problem(options, data) if options.every
                    else [(['--step', options.steps, '--size', options.sizes], True)])
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            texts = list(pool.map(lambda problem: ladder(options, work, *problem), problems))
        for nth, path in enumerate((predicted, counters)):
            lines = [line for text in reversed(texts) for line in text[nth][1:]]
            header = [text[nth][0] for text in texts if text[nth]][:1]
            command.put(''.join(line + '\n' for line in header + lines), path)
    database.import_file(data, 'predicted', predicted)
    if command.is_filled(counters):
        database.import_file(data, 'predicted_counters', counters)
    else:
        data.execute('create table predicted_counters(step text, variant text, m text, n text, k '
                     'text, counter text, value text)')


def keep(options, data):
    """Writes the compared rows and the chart into the folder of results."""
    def put(name, lines):
        command.put(''.join(','.join(line) + '\n' for line in lines),
                    os.path.join(options.folder, name))

    def condensed(headings, lines):
        return rows.condensed(iter([headings, *lines]), headings, 'the compared rows')

    put('predicted.csv',
        condensed(*script.table(data,
                                'select "commit", backend, device, step, variant, m, n, k, lda, '
                                'ms_min from predicted')))
    headings, lines = script.table(data, f'select {COLUMNS} from compared')
    compared = [headings, *lines]
    put('validation.csv', compared)
    headings, lines = script.table(data, 'select * from stall')
    if lines:
        put('predicted_counters.csv', condensed(*script.table(data, 'select * from kept_counter')))
        put('stalls.csv', condensed(headings, lines))
    (device,), = data.execute('select max(device) from newest')
    with chart.Folder() as work:
        work.write('validation.csv', compared)
        caption = (f'model of {options.machine} against {device}, single launches, the '
                   'shortest of each')
        work.write('facts.gp', [[chart.plain_setting('caption', caption)]])
        command.put(work.plot('svg', 'validation.gp'),
                    os.path.join(options.folder, 'validation.svg'))


def accuracy(data):
    """Returns the text of sasskit/model/accuracy.def, from validation.csv and held_out.csv."""
    lines = data.execute('''select kind, avg(abs(error_pct)), max(abs(error_pct)), count(*)
        from validation group by kind order by min(rowid)''').fetchall()
    lines += data.execute('''select 'other kernels', avg(error), max(error), count(*)
        from (select abs(100 * (model_before_us / us_clean - 1)) as error
            from held_out)''').fetchall()
    return ACCURACY + ''.join(f'ACCURACY("{kind}", {mean:.1f}, {most:.1f}, {count})\n'
                              for kind, mean, most, count in lines)


def main(arguments):
    options = options_of(arguments)
    os.chdir(command.PROJECT)
    data = database.load(options.folder)
    if options.accuracy:
        print(accuracy(data), end='')
        return
    with tempfile.TemporaryDirectory() as work:
        if options.resume:
            os.makedirs(options.resume, exist_ok=True)
        predict(options, data, options.resume or work)
    script.run(data, 'tools/validate.sql')
    band = 'kind_band' if options.every else 'band'
    for question in SHOWN[0], SHOWN[1] + band, SHOWN[2]:
        headings, lines = script.table(data, question)
        if lines:
            print('\n'.join(in_columns(headings, lines)))
    sys.stdout.flush()
    if options.keep:
        keep(options, data)
    if options.keep and options.every and os.path.samefile(options.folder, command.MEASURED):
        command.put(accuracy(database.load(options.folder)), 'sasskit/model/accuracy.def')
    (is_near,), = data.execute('select count(*) > 0 and max(mean_pct) <= ? '
                               f'and max(worst_pct) <= ? from {band}', options.most)
    if not is_near:
        raise Failure(f'the model is further from {options.folder} than {options.most[0]:g} per '
                      f'cent on the mean or {options.most[1]:g} per cent '
                      'at worst, or nothing was compared', 1)
    (is_near,), = data.execute('''select count(*) > 0 and
        count(*) = sum(100.0 * within_30_pct >= ? * states and misplaced_pct <= ?)
        from stall_band''', options.stalls)
    if options.stalls != (0, 100) and not is_near:
        raise Failure("what the warps wait for is further from Nsight Compute's counters than "
                      "allowed: less than "
                      f'{options.stalls[0]:g} per cent of the states are within 30 %, or more than '
                      f'{options.stalls[1]:g} per cent of the time is '
                      'misplaced, or nothing was compared', 1)


if __name__ == '__main__':
    command.run(main)
