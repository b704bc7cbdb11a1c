#!/usr/bin/env python3
"""Draws every chart that a folder's CSV files allow, as SVG, beside them.

    plots/draw.py RESULTS_DIR [SIZE [CHART]]

SIZE is the N of the ladder and of the counts, 4096 if not given. With CHART it draws only this one.

Any one of these files is enough: results.csv (times), counters.csv (Nsight Compute's counts or the
simulator's), machine.csv (build/00_machine), lint.csv with strip.csv. charts.sql has the charts,
and what each reads. Prints the path of each chart. Exit status: 0 drawn, 1 something failed, 2
wrong usage or no data.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from figures import chart, command, database, script  # noqa: E402
from figures.command import Failure  # noqa: E402
import l2  # noqa: E402

FILES = ('results.csv', 'counters.csv', 'machine.csv', 'lint.csv')


def ask(folder, size):
    """Returns the rows of every query of charts.sql, by file."""
    data = database.load(folder)
    data.execute('create table asked as select ? as size', (size,))
    data.execute('create table predicted(raster text, m integer, n integer, k integer, wave '
                 'real, kept real)')
    for n in (2048, 4096, 8192, 16384):
        for order in l2.ORDERS:
            data.execute('insert into predicted values (?, ?, ?, ?, ?, ?)',
                         (order, n, n, n, *l2.hit_rates(order, n, n, n)))
    return script.run(data, os.path.join(chart.PLOTS, 'charts.sql'))


def main(arguments):
    if not 1 <= len(arguments) <= 3:
        raise Failure('expected a results folder; usage: plots/draw.py RESULTS_DIR [SIZE [CHART]]')
    folder = arguments[0].rstrip('/') or '/'
    size, wanted = (arguments[1:] + ['', ''])[:2]
    size = size or '4096'
    if not re.fullmatch(r'[1-9][0-9]{0,8}', size):
        raise Failure(f"SIZE '{size}' is not a positive whole number")
    if not os.path.isdir(folder):
        raise Failure(f"no folder '{folder}'; 'make results' writes one under docs/results/")
    if not any(command.is_filled(os.path.join(folder, name)) for name in FILES):
        raise Failure(f"no {', '.join(FILES[:-1])} or {FILES[-1]} in '{folder}'; run 'make "
                      "results' with a GPU, or ./run_all.sh without one")
    command.need('gnuplot', 'gnuplot-nox')
    files = ask(folder, int(size))
    charts = files.pop('charts')
    if wanted:
        names = [name for name, *_ in charts]
        charts = [row for row in charts if row[0] == wanted]
        if not charts:
            raise Failure(f"no chart '{wanted}' of '{folder}'; there are: {' '.join(names)}")
    with chart.Folder() as work:
        for name, rows in files.items():
            work.write(name, rows)
        for name, drawing, settings in charts:
            target = os.path.join(folder, name + '.svg')
            command.put(work.plot('svg', drawing, settings), target)
            print(target, flush=True)
    if not charts:
        raise Failure(f"nothing in '{folder}' to draw: no timed row (alpha 1, beta 0, no padding, "
                      "check passed) and no count of a square size")


if __name__ == '__main__':
    command.run(main)
