#!/usr/bin/env python3
"""Prints the hardware counters of a results folder as tables, one per step and shape: one line per
figure, one column per variant.

    tools/counters.py RESULTS_DIR

The figures are those of view table_counters (tools/tables.sql), which the lessons show. Exit
status: 0 success, 1 no counters.csv, or a CSV file has wrong columns, 2 wrong usage.
"""
import os
import sys

sys.dont_write_bytecode = True
from figures import cells, command, database, script  # noqa: E402
from figures.command import Failure  # noqa: E402

WORDS, COLUMN = 52, 14
KERNELS = 'select step, shape from counters group by step, shape order by min(rowid)'
TABLE = 'select * from table_counters where "STEP" = ? and "SIZE" = ?'


def main(arguments):
    if len(arguments) != 1:
        raise Failure('usage: tools/counters.py RESULTS_DIR')
    if not command.is_filled(os.path.join(arguments[0], 'counters.csv')):
        raise Failure(f"no counters.csv in '{arguments[0]}'; tools/profile.sh writes one", 1)
    data = database.load(arguments[0])
    script.run(data, os.path.join(command.TOOLS, 'tables.sql'))
    for step, shape in data.execute(KERNELS).fetchall():
        headings, rows = script.table(data, TABLE, (step, shape))
        for i, row in enumerate(rows):
            words, *figures = cells.cells_of(headings, row)[0]
            if i == 0:
                title = f'{step} at {shape}'
                print(f'\n{title:{WORDS}}' + ''.join(f' {figure.heading[:COLUMN]:>{COLUMN}}'
                                                     for figure in figures))
            print(f'{words.text:{WORDS}}' + ''.join(f' {figure.text:>{COLUMN}}'
                                                    for figure in figures))
    print()


if __name__ == '__main__':
    command.run(main)
