"""Figures in the running text of pages, without a marker; docs/figures.txt lists them.

Below a line [PAGE] an entry is TEXT, a tab, and its items, with tabs between them. TEXT is part of
one line of the page; {} stands for a figure, and the items say in order what the figures are. An
item "WHAT in LOW..HIGH", or "WHAT / WHAT in LOW..HIGH", belongs to no figure: it checks a range
that TEXT states in words.
"""
import os
import re

from figures.answers import Wrong
from figures.cells import number
from figures.command import Named, read_text

FIGURE = re.compile(r'(?:\?|[-+]?[0-9]+(?:,[0-9][0-9][0-9])*(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?(?: M)?)')
IN_WORDS = re.compile(r'(.*) in ([-0-9.]+)\.\.([-0-9.]+)')


class Entry:
    """One line of the file."""

    def __init__(self, path, line, page, text, items):
        self.path, self.line, self.page, self.text = path, line, page, text
        self.figures = [item for item in items if not IN_WORDS.fullmatch(item)]
        self.checks = [IN_WORDS.fullmatch(item).groups() for item in items
                       if IN_WORDS.fullmatch(item)]
        self.literals = text.split('{}')
        self.used = False
        if len(self.figures) != len(self.literals) - 1:
            self.fail(f"{len(self.figures)} figures for the {{}} of '{text}'")

    def fail(self, text):
        raise Named(f'{self.path}:{self.line}: {text}')

    def put(self, line, figures):
        """Returns the line with new figures in place of the old ones, or None if the line does not
        have the text.

        figures: for each {} a function from the old figure to the new one.
        """
        first = self.literals[0]
        at = 0
        while True:
            at = line.find(first, at) if first else at
            if at < 0 or not first and at:
                return None
            out, rest = line[:at] + first, line[at + len(first):]
            for write, literal in zip(figures, self.literals[1:]):
                found = FIGURE.match(rest)
                if not found:
                    break
                length = found.end()
                if not rest.startswith(literal, length) and found.group().endswith(' M'):
                    length -= 2
                if not rest.startswith(literal, length):
                    break
                out += write(rest[:length]) + literal
                rest = rest[length + len(literal):]
            else:
                return out + rest
            at += 1

    def check(self, answers, complete):
        """Fails if a ratio is outside the range that the words state. complete: the results are the
        course's own, so that none is missing."""
        for what, low, high in self.checks:
            values = [self.plain(answers, part) for part in what.split(' / ')]
            if '' in values:
                if complete:
                    self.fail(f"nothing was measured for '{what}'")
                continue
            ratio = number(values[0]) / (number(values[1]) if len(values) > 1 else 1)
            if complete and not float(low) <= ratio <= float(high):
                self.fail(f"{self.page} says '{self.text}', and it is {ratio:.4g}")

    def plain(self, answers, what):
        try:
            return answers.value(what).value
        except Wrong as wrong:
            self.fail(wrong)


class Sentences:
    """The entries of the file, page by page; none if there is no such file."""

    def __init__(self, path):
        self.of_page = {}
        page = ''
        for number_, line in enumerate(read_text(path).split('\n') if os.path.exists(path) else (),
                                       1):
            if not line or line.startswith('#'):
                continue
            if re.fullmatch(r'\[.*\]', line):
                page = line[1:-1]
                continue
            text, tab, items = line.partition('\t')
            if not tab or not page:
                raise Named(f'{path}:{number_}: expected [PAGE], or TEXT, a tab and what it says')
            self.of_page.setdefault(page,
                                    []).append(Entry(path, number_, page, text, items.split('\t')))

    def put(self, page, line, figures_of, when_found):
        """Returns the line of a page with the figures of every entry that it has.

        figures_of(entry) gives Entry.put()'s functions; when_found(entry) is called for each entry
        that the line has.
        """
        for entry in self.of_page.get(page, ()):
            found = entry.put(line, figures_of(entry))
            if found is None:
                continue
            if entry.used:
                entry.fail(f"{page} has more than one line with '{entry.text}'")
            entry.used = True
            when_found(entry)
            line = found
        return line

    def check_used(self, pages):
        """Fails if an entry of one of these pages was not found there."""
        for page in pages:
            for entry in self.of_page.get(page, ()):
                if not entry.used:
                    entry.fail(f"no line of {page} has '{entry.text}'")
