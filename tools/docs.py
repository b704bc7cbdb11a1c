#!/usr/bin/env python3
"""Writes the measured tables and figures into the Markdown files, from CSV alone, so that no figure
is typed by hand.

    tools/docs.py                    rewrites README.md, exercises/*/answer.md, and the pages of
                                     steps, library, docs and sasskit where they differ
    tools/docs.py --check            changes nothing; names each file that differs, status 1
    tools/docs.py --mark PAGE FILE   prints FILE, the text of PAGE, with markers around the figures
                                     of docs/figures.txt

docs/writing.md lists the markers; tools/tables.sql has the queries. The CSV files are those of
$RESULTS, docs/results/h200 if not set. A figure that docs/results/h200 lacks is an error; a figure
that another folder lacks reads "?". Exit status: 0 success, 1 a file differs or cannot be written,
2 wrong usage or marker.
"""
import glob
import os
import sys

sys.dont_write_bytecode = True
from figures import command, database, pages, script  # noqa: E402
from figures.answers import Answers  # noqa: E402
from figures.sentences import Sentences  # noqa: E402

PATTERNS = ('README.md', 'steps/*/*.md', 'library/*.md', 'library/*/*.md', 'docs/*.md',
            'docs/notes/*.md', 'sasskit/docs/*.md', 'sasskit/docs/notes/*.md',
            'exercises/*/answer.md')
FIGURES = 'docs/figures.txt'


def main(arguments):
    os.chdir(command.PROJECT)
    if len(arguments) == 3 and arguments[0] == '--mark':
        sys.stdout.write(pages.marked(arguments[1], command.read_text(arguments[2]),
                                      Sentences(FIGURES)))
        return 0
    if arguments not in ([], ['--check']):
        raise command.Failure(f"unknown argument '{arguments[-1]}'; usage: tools/docs.py [--check "
                              "| --mark PAGE FILE]")
    folder = os.environ.get('RESULTS') or 'docs/results/h200'
    data = database.load(folder)
    script.run(data, 'tools/tables.sql')
    is_complete = os.path.realpath(folder) == os.path.realpath('docs/results/h200')
    answers, sentences = Answers(data), Sentences(FIGURES)
    files = [file for pattern in PATTERNS for file in sorted(glob.glob(pattern))
             if command.is_filled(file)]
    old = {file: command.read_text(file) for file in files}
    new = {file: pages.Writer(file, answers, sentences, is_complete).text(old[file])
           for file in files}
    sentences.check_used(files)
    status = 0
    for file in files:
        if new[file] == old[file]:
            continue
        if arguments:
            print(f"{file}: its measured figures differ from {folder}; run 'make docs'",
                  file=sys.stderr)
            status = 1
        else:
            command.put(new[file], file)
            print(file)
    return status


if __name__ == '__main__':
    command.run(main)
