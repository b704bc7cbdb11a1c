"""A results folder as an SQLite database in memory: the tables of schema.sql, filled from CSV
files, and the views of views.sql."""
import math
import os
import re
import sqlite3

from figures import rows, script
from figures.command import Failure, MEASURED, PROJECT, TOOLS, is_filled

TABLES = ('results applications checks errors sample order_times counters machine lint strip '
          'copies traffic clusters gpus_hand gpus_safe timeline links '
          'validation held_out stalls predicted_machine strassen rewritten search library training '
          'training_calls').split()
FILE_OF = {'order_times': 'order.csv'}
COMPARED = os.path.join(PROJECT, 'docs', 'results', 'h100')
HEADER = re.compile(r'[A-Za-z_][A-Za-z_0-9]*(,[A-Za-z_0-9]*)*')


def quoted(name):
    """Returns an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def connect(path=':memory:'):
    """Returns a database, which has the mathematical functions that the views use even where SQLite
    was built without them."""
    data = sqlite3.connect(path, isolation_level=None)
    for name, function, least in (('ln', math.log, 0), ('log10', math.log10, 0),
                                  ('exp', math.exp, -math.inf)):
        try:
            data.execute(f'select {name}(1)')
        except sqlite3.OperationalError:
            data.create_function(name, 1, lambda x, f=function, least=least: f(x)
                                 if x is not None and x > least else None, deterministic=True)
    return data


def header_of(row, path):
    """Returns the names of the columns in the first row."""
    names = [row[0].removeprefix('\ufeff'), *row[1:]]
    if not HEADER.fullmatch(','.join(names)):
        raise Failure(f"{path}:1: expected a header, the columns' names with commas between them",
                      1)
    return names


def read(path, errors='replace'):
    """Yields the header and the rows of a CSV file as lists of text."""
    with open(path, 'rb') as file:
        found = rows.whole_rows(file, path, errors=errors)
        yield header_of(next(found, ['']), path)
        for fields in found:
            yield [rows.unquoted(field) for field in fields] if any('"' in field
                                                                    for field in fields) else fields


def fill(data, table, path):
    """Fills a table of the schema with a file's rows, by the names in its header; empty fields
    become null."""
    found = read(path)
    header = next(found)
    columns = data.execute('select name, dflt_value from pragma_table_info(?)', (table,)).fetchall()
    for name, default in columns:
        if default is None and name not in header:
            raise Failure(f'{table}: no column "{name}" in line 1 of \'{path}\'', 1)
    names = [name for name, _ in columns if name in header]
    places = [header.index(name) for name in names]
    data.executemany(f'insert into {table}({", ".join(map(quoted, names))}) values '
                     f'({", ".join("?" * len(names))})',
                     ([fields[place] or None for place in places] for fields in found))


def import_file(data, table, path):
    """Makes a table of a CSV file; all of its columns are text."""
    found = read(path)
    header = next(found)
    data.execute(f'create table {table}({", ".join(quoted(name) + " text" for name in header)})')
    data.executemany(f'insert into {table} values ({", ".join("?" * len(header))})', found)


def load(folder):
    """Returns the database of a results folder; a file that is missing leaves its table empty."""
    if not os.path.isdir(folder):
        raise Failure(f"no folder '{folder}'")
    data = connect()
    data.execute('begin')
    script.run(data, os.path.join(TOOLS, 'schema.sql'))
    files = [(table, os.path.join(folder, FILE_OF.get(table, table + '.csv'))) for table in TABLES]
    files += [('reference', os.path.join(MEASURED, 'machine.csv')),
              ('reference_results', os.path.join(MEASURED, 'results.csv'))]
    files += [('h100_' + table, os.path.join(COMPARED, table + '.csv'))
              for table in ('results', 'machine', 'validation')]
    for table, path in files:
        if is_filled(path):
            fill(data, table, path)
    script.run(data, os.path.join(TOOLS, 'views.sql'))
    data.execute('commit')
    return data
