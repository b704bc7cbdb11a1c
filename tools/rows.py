#!/usr/bin/env python3
"""Prints the rows of a CSV file of results, whole or shortened.

    tools/rows.py FILE                prints its rows, and fills in the fields that are left out
    tools/rows.py --keep NAMES FILE   prints the columns NAMES, separated by commas, and leaves
                                      repeated fields out; NAME:10 is the first ten characters,
                                      such as the day of a time

A row leaves its leading fields empty where they equal those of the row before. build/order_fit and
the tables and charts read both forms. Exit status: 0 success, 1 no such column, 2 wrong usage or no
such file.
"""
import sys

sys.dont_write_bytecode = True
from figures import command, rows  # noqa: E402


def main(arguments):
    columns = arguments[1].split(',') if len(arguments) == 3 and arguments[0] == '--keep' else None
    if len(arguments) != 1 and not columns:
        raise command.Failure('usage: tools/rows.py [--keep NAME,NAME,...] FILE')
    path = arguments[-1]
    try:
        file = sys.stdin.buffer if path == '-' else open(path, 'rb')
    except OSError as error:
        raise command.Failure(f"'{path}': {error.strerror}") from None
    with file:
        found = rows.whole_rows(file, path, accept_cut=True)
        sys.stdout.writelines(','.join(fields) + '\n'
                              for fields in (rows.condensed(found, columns, path)
                                             if columns else found))


if __name__ == '__main__':
    command.run(main)
