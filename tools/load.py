#!/usr/bin/env python3
"""Makes an SQLite database of a results folder's CSV files, for programs with many queries;
tools/query.py takes its name in place of the folder's.

    tools/load.py RESULTS_DIR FILE      FILE must not exist

The tables are those of schema.sql, the views those of views.sql. A file that is missing leaves its
table empty; a row that is cut short is left out with a warning. Exit status: 0 success, 1 a CSV
file has wrong columns or FILE cannot be written, 2 wrong usage.
"""
import sqlite3
import sys

sys.dont_write_bytecode = True
from figures import command, database  # noqa: E402


def main(arguments):
    if len(arguments) != 2:
        raise command.Failure('usage: tools/load.py RESULTS_DIR FILE')
    data = database.load(arguments[0])
    try:
        data.execute('vacuum into ?', (arguments[1],))
    except sqlite3.Error as error:
        raise command.Failure(f"cannot write '{arguments[1]}': {error}", 1) from None


if __name__ == '__main__':
    command.run(main)
