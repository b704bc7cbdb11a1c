"""Runs a file of SQL. A line `.once NAME` gives the rows of the next query a name; other queries
are expected to have no rows."""
import sqlite3

from figures.command import Failure, read_text


def text_of(value):
    """Returns a value as SQLite writes it: nothing for null, 15 digits and a decimal point for a
    floating-point number."""
    if value is None:
        return ''
    if isinstance(value, float):
        text = f'{value or 0.0:.15g}'
        mantissa, e, exponent = text.partition('e')
        return (text if '.' in mantissa or not mantissa[-1].isdigit()
                else f'{mantissa}.0{e}{exponent}')
    return str(value)


def statements(text):
    """Yields (name, statement, line) for each statement. `name` is that of the line `.once NAME`
    before it, or None; `line` is the number of its first line."""
    name, lines, first = None, [], 0
    for number, line in enumerate(text.split('\n'), 1):
        if not lines:
            if not line.strip() or line.startswith('--'):
                continue
            first = number
            if line.startswith('.once '):
                name = line.split()[1]
                continue
        lines.append(line)
        if ';' in line and sqlite3.complete_statement('\n'.join(lines)):
            yield name, '\n'.join(lines), first
            name, lines = None, []
    if lines:
        yield name, '\n'.join(lines), first


def run(data, path):
    """Runs the statements of a file; returns the named queries' rows, by name, as lists of text."""
    results = {}
    for name, statement, line in statements(read_text(path)):
        try:
            rows = data.execute(statement)
            if name:
                results[name] = [[text_of(value) for value in row] for row in rows]
        except sqlite3.Error as error:
            raise Failure(f'{path}:{line}: {error}', 1) from None
    return results


def table(data, statement, values=()):
    """Returns the headings and the rows of a query, all as text."""
    rows = data.execute(statement, values)
    headings = [column[0] for column in rows.description or ()]
    return headings, [[text_of(value) for value in row] for row in rows]
