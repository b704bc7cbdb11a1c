#!/usr/bin/env python3
"""Runs the commands whose output pages show, and writes or compares the outputs.

    tools/console.py [PAGE...]            writes the outputs into the pages; default: all pages
    tools/console.py --check [PAGE...]    changes nothing; names each command with another output

Commands are in blocks ```console. A line `$ COMMAND` runs in the project's root. The lines up to
the next command are its output on both streams. Exit status: 0 success, 1 a different output or a
failed command, 2 wrong usage.
"""
import difflib
import glob
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
from figures import command  # noqa: E402
from figures.command import Failure  # noqa: E402

PAGES = ('README.md', 'steps/*/*.md', 'library/*/*.md', 'docs/*.md', 'sasskit/docs/*.md')
SECONDS = 120  # time limit of a command
ENDED_EARLY = 128 + signal.SIGPIPE  # its reader, such as `head`, closed the pipe


def output_of(line):
    """Returns a command's output as lines, and whether it succeeded."""
    try:
        run = subprocess.run(('bash', '-o', 'pipefail', '-c', line), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b'').decode('utf-8', 'surrogateescape').splitlines(), False
    return run.stdout.decode('utf-8', 'surrogateescape').splitlines(), run.returncode in (
        0, ENDED_EARLY)


def rewritten(page, text):
    """Returns the lines of a page with its commands' outputs, and whether all commands
    succeeded."""
    lines, in_block, in_output, good = [], False, False, True
    for line in text.splitlines():
        if line.startswith('```'):
            in_block, in_output = not in_block and line == '```console', False
        if in_block and line.startswith('$ '):
            output, succeeded = output_of(line[2:])
            if not succeeded:
                print(f'{page}: `{line[2:]}` failed: {output[-1] if output else ""}',
                      file=sys.stderr)
            good, in_output = good and succeeded, True
            lines += [line, *output]
        elif not in_output:
            lines.append(line)
    return lines, good


def main(arguments):
    os.chdir(command.PROJECT)
    check = arguments[:1] == ['--check']
    pages = arguments[check:] or [page for pattern in PAGES for page in sorted(glob.glob(pattern))]
    for page in pages:
        if not command.is_filled(page):
            raise Failure(f'{page}: no such page; usage: tools/console.py [--check] [PAGE...]')
    status = 0
    for page in pages:
        old = command.read_text(page)
        lines, good = rewritten(page, old)
        status = status if good else 1
        if lines == old.splitlines():
            continue
        if check:
            print(f'{page}: a command prints something else than the page shows (tools/console.py '
                  f'{page} writes it anew):', file=sys.stderr)
            print(*list(difflib.unified_diff(old.splitlines(), lines, lineterm='', n=0))[2:12],
                  sep='\n', file=sys.stderr)
            status = 1
        elif good:
            command.put(''.join(f'{line}\n' for line in lines), page)
            print(page)
    return status


if __name__ == '__main__':
    command.run(main)
