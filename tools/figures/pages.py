"""Replaces tables and figures in pages of Markdown.

A table stands between lines <!-- table: NAME ARGUMENTS --> and <!-- end table -->, a figure in a
sentence between <!-- value: WHAT --> and <!-- end -->; other figures are those of sentences.py.
Fenced code stays as it is.
"""
import re

from figures.answers import Wrong
from figures.cells import cells_of, shown
from figures.command import Named

VALUE = re.compile(r'<!-- value: ([^>]*) -->')
TABLE = re.compile(r'<!-- table: ([^>]*) -->[ \t]*')
END_OF_TABLE = re.compile(r'[ \t]*<!-- end table -->[ \t]*')
NOTE_WIDTH = 140


def wrapped(note):
    """Returns a note in lines."""
    lines = []
    while len(note) > NOTE_WIDTH:
        at = note.rfind(' ', 1, NOTE_WIDTH)
        if at < 0:
            break
        lines.append(note[:at])
        note = note[at + 1:]
    return lines + [note]


class Writer:
    """Writes the figures of one page. If `complete`, a figure that was not measured is an
    error, not a question mark."""

    def __init__(self, page, answers, sentences, complete):
        self.page, self.answers, self.sentences, self.complete = page, answers, sentences, complete
        self.line = 0
        self.root = '../' * page.count('/')

    def fail(self, text, line=None):
        raise Named(f'{self.page}:{line or self.line}: {text}')

    def value(self, what):
        """Returns a figure as it is shown."""
        try:
            answer = self.answers.value(what)
        except Wrong as wrong:
            self.fail(wrong)
        if answer.doubt and self.complete:
            self.fail(answer.doubt)
        if answer.value:
            return shown(answer.value, answer.format)
        if self.complete:
            self.fail(f'nothing was measured for "{what}"')
        return '?'

    def table(self, what):
        try:
            headings, rows = self.answers.table(what)
        except Wrong as wrong:
            self.fail(wrong)
        if not rows:
            if self.complete:
                self.fail(f'nothing was measured for table "{what}"')
            return [f'*Not measured yet: {what}.*']
        lines, note = [], ''
        for row in rows:
            cells, note = cells_of(headings, row)
            if not lines:
                lines.append('|' + ''.join(f' {cell.heading} |' if cell.heading else ' |'
                                           for cell in cells))
                lines.append('|' + ''.join(' ---: |' if cell.is_number else ' --- |'
                                           for cell in cells))
            lines.append('|' + ''.join(f' {cell.text} |' for cell in cells))
        lines = [line.replace('](steps/', f']({self.root}steps/') for line in lines]
        return lines + ['', *wrapped(note)] if note else lines

    def sentence(self, line):
        """Returns a line with the figures that have no marker."""
        return self.sentences.put(self.page, line,
                                  lambda entry: [lambda old, what=what: self.value(what)
                                                 for what in entry.figures],
                                  lambda entry: entry.check(self.answers, self.complete))

    def values(self, line):
        """Returns a line with the figures between its markers."""
        done, rest = '', line
        for marker in iter(lambda: VALUE.search(rest), None):
            stop = rest.find('<!-- end -->', marker.end())
            if stop < 0:
                self.fail(f'<!-- value: {marker.group(1)} --> has no <!-- end --> on its line')
            done += rest[:marker.end()] + self.value(marker.group(1))
            rest = rest[stop:]
        return done + rest

    def text(self, old):
        """Returns the text of the page with its tables and figures."""
        out, is_fenced, table_line = [], False, 0
        lines = old.split('\n')
        ends = lines.pop() == ''
        for self.line, line in enumerate(lines if ends else old.split('\n'), 1):
            if line.startswith('```'):
                is_fenced = not is_fenced
            if is_fenced:
                if not table_line:
                    out.append(line)
            elif table_line:
                if '<!-- table:' in line:
                    self.fail(f'a table starts inside the table of line {table_line}')
                if END_OF_TABLE.fullmatch(line):
                    table_line = 0
                    out.append(line)
            elif '<!-- table:' in line:
                marker = TABLE.fullmatch(line)
                if not marker:
                    self.fail('a table marker stands alone on its line: <!-- table: NAME ARGS -->')
                out += [line, '', *self.table(marker.group(1).strip(' ')), '']
                table_line = self.line
            elif '<!-- end table -->' in line:
                self.fail('<!-- end table --> without <!-- table: NAME ARGS --> before it')
            else:
                out.append(self.sentence(self.values(line) if '<!-- value:' in line else line))
        if table_line:
            self.fail('this table has no <!-- end table -->', table_line)
        return '\n'.join(out) + '\n'


def marked(page, text, sentences):
    """Returns the text of a page with markers around the figures that have none, for the pages of
    the browser."""
    out, is_fenced, in_table = [], False, False
    figures = {entry: [lambda old, what=what: f'<!-- value: {what} -->{old}<!-- end -->'
                       for what in entry.figures]
               for entry in sentences.of_page.get(page, ())}
    for line in text.removesuffix('\n').split('\n'):
        if line.startswith('```'):
            is_fenced = not is_fenced
        if line.startswith('<!-- table:'):
            in_table = True
        out.append(line if is_fenced or in_table
                   else sentences.put(page, line, figures.get, lambda entry: None))
        if line.startswith('<!-- end table'):
            in_table = False
    return '\n'.join(out) + '\n'
