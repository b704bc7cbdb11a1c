#!/usr/bin/env python3
"""Asks a results folder's CSV files a question in SQL.

    tools/query.py [--plain | --tabs | --csv] 'select ...' [RESULTS_DIR]

RESULTS_DIR is docs/results/h200 if not given; a file of tools/load.py will do, too.

The tables are the files (tools/schema.sql: results, counters, machine, ...), the views are what the
charts and the lessons ask (tools/views.sql: newest, timed, ladder, figure, bound, ...). `.tables`
lists them, `.schema ladder` prints how one is defined, and `.read FILE` runs the statements of a
file. Rows stand in columns below headings; --plain prints them without headings, with | between the
fields, --tabs with tabs; --csv prints headings and commas. Exit status: 0 answered, 1 the query or
a CSV file is wrong, 2 wrong usage or no such folder or file.
"""
import os
import sqlite3
import sys

sys.dont_write_bytecode = True
from figures import command, database, script  # noqa: E402

USAGE = "usage: tools/query.py [--plain | --tabs | --csv] 'select ...' [RESULTS_DIR]"
NAMES = "select name from sqlite_master where type in ('table', 'view') order by name"
DEFINITION = "select sql || ';' from sqlite_master where name = ?"


def in_columns(headings, rows):
    """Yields the lines of a table whose columns are as wide as their widest field."""
    lines = [headings, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    lines.insert(1, ['-' * width for width in widths])
    for line in lines:
        yield '  '.join(text.ljust(width) for text, width in zip(line, widths)).rstrip()


FORMS = {'--plain': lambda headings, rows: map('|'.join, rows), '--tabs': lambda headings,
         rows: map('\t'.join, rows),
         '--csv': lambda headings, rows: map(','.join, [headings, *rows])}


def questions_of(text):
    """Returns the statements of a question, each with its values."""
    if text == '.tables':
        return [(NAMES, ())]
    word, _, name = text.partition(' ')
    if word == '.schema':
        return [(DEFINITION, (name.strip(),))]
    if word == '.read':
        return [(statement, ())
                for _, statement, _ in script.statements(command.read_text(name.strip()))]
    return [(text, ())]


def main(arguments):
    form = FORMS.get(arguments[0]) if arguments else None
    arguments = arguments[bool(form):]
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith('-'):
        raise command.Failure(USAGE)
    question, folder = (arguments + [command.MEASURED])[:2]
    if question.startswith(('.tables', '.schema')):
        form = FORMS['--plain']
    data = database.connect(folder) if os.path.isfile(folder) else database.load(folder)
    if not question.startswith('.read'):
        data.execute('pragma query_only = on')
    try:
        for statement, values in questions_of(question):
            headings, rows = script.table(data, statement, values)
            if rows:
                print('\n'.join((form or in_columns)(headings, rows)))
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise command.Failure(str(error), 1) from None
    except OSError as error:
        raise command.Failure(f"'{error.filename}': {error.strerror}") from None


if __name__ == '__main__':
    command.run(main)
