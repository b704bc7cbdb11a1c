"""Formats the values of a table in a page, and finds the table's columns. Formats:

    0 to 9   so many decimals; +1: one decimal and the sign
    speed    TFLOP/s: one decimal, two below 1
    short    a whole number, or two decimals
    three    about three digits
    count    whole numbers with commas; millions from ten million on
    ''       unchanged
"""
import re

NUMBER = re.compile(r'-?[0-9.]')
LEADING_NUMBER = re.compile(r'[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?')


def number(text):
    """Returns the number that a text begins with, or 0."""
    found = LEADING_NUMBER.match(text)
    return float(found.group()) if found else 0.0


def shown(text, form):
    """Returns a value as it is shown. A mark ` !` after it stays: the table's note says what it
    means."""
    if text.endswith(' !'):
        return shown(text[:-2], form) + ' !'
    if not form or not NUMBER.match(text):
        return text
    value = number(text)
    if form.isdigit():
        return f'{round(value, int(form)) + 0:.{form}f}'  # + 0 turns -0 into 0
    if form == '+1':
        return f'{value:+.1f}'
    if form == 'speed':
        return f'{value:.2f}' if value < 1 else f'{value:.1f}'
    if form == 'three':
        return (f'{value:.0f}' if value >= 99.95 else f'{value:.1f}' if value >= 9.995
                else f'{value:.2f}')
    if form == 'short':
        return f'{value:.0f}' if value.is_integer() else f'{value:.2f}'
    if value >= 1e7:
        return f'{value / 1e6:,.0f} M'
    if value.is_integer():
        return f'{value:,.0f}'
    return f'{value:.2f}' if value < 10 else f'{value:.1f}'


def is_argument(name):
    """Returns whether a column, by its name, is an argument of the page's marker."""
    return re.fullmatch(r'[A-Z]+|\[.*\]', name) is not None


class Cell:
    """One cell of a table: its text, its column's heading, and whether the column has numbers."""

    def __init__(self, head, value):
        heading, colon, form = (head.rpartition(':') if re.search(r':[a-z0-9+]*$', head)
                                else (head, '', ''))
        self.is_number = bool(colon)
        self.heading = '' if head in (' ', '  ') else heading
        self.text = shown(value, form)


def cells_of(headings, row):
    """Returns the cells of one row, without the marker's arguments, and the note below the table.

    A value in the column `columns` is a list of headings with | between them. The column after it
    has the list of their values.
    """
    cells, note, items = [], '', None
    for heading, value in zip(headings, row):
        if items is not None:
            values = value.split('|')
            cells += [Cell(head, values[i] if i < len(values) else '')
                      for i, head in enumerate(items)]
            items = None
        elif is_argument(heading):
            continue
        elif heading == 'note':
            note = value
        elif heading == 'columns':
            items = value.split('|') if value else []
        else:
            cells.append(Cell(heading, value))
    return cells, note
