#!/usr/bin/env python3
"""Makes a database of a results folder's CSV files, for programs that ask it many questions
(tools/query.py takes it for a folder).

    tools/load.py RESULTS_DIR FILE      FILE must not exist

The tables are those of schema.sql, the views those of views.sql. A file that is missing leaves its
table empty; a row that is cut short is left out with a warning. Exit status: 0 success, 1 a file is
not what its name says, 2 wrong usage.
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
