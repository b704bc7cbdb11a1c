#!/usr/bin/env python3
"""Draws as SVG the speeds of `shapes/dispatch` on random shapes, relative to cuBLAS:
plots/sample.py RESULTS_DIR, which has a sample.csv (tools/order.sh sample).

Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from figures import chart, command, database, script  # noqa: E402
from figures.command import Failure  # noqa: E402


def main(arguments):
    if len(arguments) != 1:
        raise Failure('expected a results folder; usage: plots/sample.py RESULTS_DIR')
    folder = arguments[0].rstrip('/') or '/'
    if not command.is_filled(os.path.join(folder, 'sample.csv')):
        raise Failure(f"no sample.csv in '{folder}'; tools/order.sh sample writes it")
    command.need('gnuplot', 'gnuplot-nox')
    data = database.load(folder)
    _, rows = script.table(data, "select ratio, m * n, k from drawn where variant = 'dispatch' "
                           "order by ratio")
    if not rows:
        raise Failure(f"no row of dispatch with a ratio to cuBLAS in '{folder}/sample.csv'")
    (mean,), = data.execute("select printf('%.3f', exp(avg(ln(ratio)))) from drawn "
                            "where variant = 'dispatch'")
    target = os.path.join(folder, 'sample.svg')
    with chart.Folder() as work:
        work.write('sample.csv', rows)
        command.put(work.plot('svg', 'sample.gp', f'count = {len(rows)}; mean = {mean}'), target)
    print(target)


if __name__ == '__main__':
    command.run(main)
