"""The rows of the CSV files in a results folder.

A long file leaves the leading fields of a row empty where they equal those of the row before;
whole_rows() fills them in, condensed() leaves them out. A row is whole if it has as many fields as
the header and its line ends with a newline.
"""
import re
import sys

from figures.command import Failure

FIELD = re.compile(r'((?:"[^"]*"|[^,])*)(?:,|$)')


def split(line):
    """Returns the fields of a line as they stand, with their quotes."""
    if '"' not in line:
        return line.split(',')
    fields, at = [], 0
    while True:
        field = FIELD.match(line, at)
        fields.append(field.group(1))
        at = field.end()
        if at == len(line) and not field.group().endswith(','):
            return fields


def unquoted(field):
    if field.startswith('"') and field.endswith('"') and len(field) > 1:
        return field[1:-1].replace('""', '"')
    return field


def whole_rows(file, name, accept_cut=False, errors='surrogateescape'):
    """Yields the header and the whole rows of a binary file, filled in, as lists of fields with
    their quotes.

    Prints on standard error how many rows were left out. accept_cut: the last line needs no
    newline.
    """
    width, before, first_left, left = 0, None, 0, 0
    for number, line in enumerate(file, 1):
        ended = line.endswith(b'\n')
        text = line.decode('utf-8', errors)[:-1 if ended else None]
        if text.endswith('\r'):
            text = text[:-1]
        fields = split(text)
        if number == 1:
            width = len(fields)
        if len(fields) == width and (ended or accept_cut or number == 1):
            if before:
                empty = 0
                while empty < width - 1 and not fields[empty]:
                    empty += 1
                fields[:empty] = before[:empty]
            if number > 1:
                before = fields
            yield fields
        elif text:
            left += 1
            first_left = first_left or number
    if left:
        more = f', as {left - 1} more' if left > 1 else ''
        print(f'{name}:{first_left}: cut short and left out{more}', file=sys.stderr)


def condensed(rows, columns, name):
    """Yields the rows in the given columns, each without the leading fields that equal those of the
    row before.

    Columns that rarely change should come first. NAME:10 takes the first ten characters.
    """
    header = next(rows, [])
    places, most = [], []
    for column in columns:
        column, _, length = column.partition(':')
        if column not in header:
            raise Failure(f'{name}: no column "{column}"', 1)
        places.append(header.index(column))
        most.append(int(length) if length else None)
    yield [header[place] for place in places]
    before = None
    for fields in rows:
        shown = [fields[place][:length] if place < len(fields) else ''
                 for place, length in zip(places, most)]
        same = 0
        if before:
            while same < len(shown) - 1 and shown[same] == before[same]:
                same += 1
            if shown[same] == '':  # an empty field would read as a left-out one
                same = 0
        before = shown
        yield [''] * same + shown[same:]
