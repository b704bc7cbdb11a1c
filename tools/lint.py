#!/usr/bin/env python3
"""Writes what `sass lint` computes for the hot loop of each variant as CSV files, beside the
measured results. No GPU is needed.

    tools/lint.py [RESULTS_DIR]   default: docs/results/h200; needs the kernels for sm_90 (`make`)
    tools/lint.py --loop          reads the output of `sass lint` and prints the hot loop: its first
                                  and last byte, then the columns of lint.csv

RESULTS_DIR/lint.csv    one row per variant of steps 03 to 09 and 12: cycles per FFMA by the rules
                        of sasskit/docs/sass.md
RESULTS_DIR/strip.csv   the loops of step 09 for plots/strip.gp: neighbouring instructions of one
                        kind are one row

The hot loop is the innermost loop with the most FFMA. Of loops with equally many it is the one with
the fewest instructions (versions for unaligned operands have more), then with the fewest cycles.
Both files are replaced whole. Exit status: 0 success, 1 something failed or --loop found no loop,
2 wrong usage or nothing built.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from figures import command  # noqa: E402
from figures.command import Failure  # noqa: E402

LINT = ('commit step variant bytes instructions ffma conflict_cycles issue_cycles_per_ffma '
        'expected_cycles_per_ffma idle_reuse_flags').split()
STRIP = 'step variant line at cycles kind'.split()
STRIP_LINES = 8  # lines of a drawn loop, with equal numbers of FFMAs
WORD_BYTES = 16
LOOP = re.compile(r': loop (0x[0-9a-f]+) to (0x[0-9a-f]+)(?: \(.*?\))?:')
FIGURE = re.compile(r' ([0-9.]+) (bytes|instructions|FFMA|bank-conflict|issue|expected|idle)\b')
# The units of lint's figures, in the order of the columns of lint.csv from the column `bytes` on.
COLUMNS = 'bytes instructions FFMA bank-conflict issue expected idle'.split()
CONFLICT = re.compile(r'[^ ]*\+(0x[0-9a-f]+): .*// bank conflict: ([0-9]+)')
INSTRUCTION = re.compile(r'[0-9a-f-][0-9a-f-]:[^ ]* +((@[^ ]+) +)?(.*)')
KINDS = (('shared', r'LDS'), ('copy', r'LDG(STS|DEPBAR)'), ('barrier', r'BAR|DEPBAR|WARPSYNC'),
         ('branch', r'BRA|BSSY|BSYNC'),
         ('integer', r''))


def hot_loop(said):
    """Returns (first, last, figures by unit) of the hot loop in the output of `sass lint`, or
    None."""
    loops = []
    for line in command.joined(said).split('\n'):
        found = LOOP.search(line)
        figures = {unit: text for text, unit in FIGURE.findall(line)}
        if found and 'issue' in figures:
            loops.append((int(found.group(1), 16), int(found.group(2), 16), figures))
    inner = [a for a in loops
             if not any(b is not a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    return min(inner, key=lambda loop: (-int(loop[2]['FFMA']), int(loop[2]['instructions']),
                                        float(loop[2]['issue'])), default=None)


class Instruction:
    """One instruction of a listing; `cycles` is how long it occupies the register banks."""

    def __init__(self, guard, text, cycles):
        self.cycles = cycles
        self.name = text.split(' ')[0]
        self.is_fused = self.name == 'FFMA' and guard != '@!PT'
        self.kind = ('never' if guard == '@!PT'
                     else next(kind for kind, names in KINDS if re.match(names, self.name)))
        if self.is_fused:
            self.kind = 'conflict' if cycles > 1 else 'fused'


def loop_body(said, listing, first, last):
    """Yields the instructions of a loop, given the outputs of `sass lint --all` and `sass dis`."""
    cycles = {int(at, 16): int(count) for at, count in CONFLICT.findall(command.joined(said))}
    at = 0
    for line in listing.split('\n'):
        found = INSTRUCTION.match(line)
        if not found:
            continue
        if first <= at <= last:
            yield Instruction(found.group(2), found.group(3), cycles.get(at, 1))
        at += WORD_BYTES


def strip(body):
    """Yields (line, at, cycles, kind) for neighbouring instructions of one kind: the line of the
    strip in which they are drawn, the cycles before them in that line, and their own cycles.

    `conflict` is an FFMA that takes two cycles or more, `fused` any other FFMA, `never` an
    instruction with the guard @!PT. The other kinds are shared, copy, integer, barrier, branch.
    """
    fused = sum(instruction.name == 'FFMA' for instruction in body)
    line = at = start = width = done = 0
    now = ''
    for instruction in body:
        if done * STRIP_LINES >= (line + 1) * fused and line < STRIP_LINES - 1:
            if width:
                yield line, start, width, now
            width, now = 0, ''
            line, at = line + 1, 0
        kind = instruction.kind
        done += instruction.is_fused
        if kind != now or not instruction.is_fused:
            if width:
                yield line, start, width, now
            start, now, width = at, kind, 0
        width += instruction.cycles
        at += instruction.cycles
    if width:
        yield line, start, width, now


def output(*words):
    run = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if run.returncode:
        raise Failure(f'{" ".join(words)} failed', 1)
    return run.stdout.decode()


def main(arguments):
    if arguments == ['--loop']:
        loop = hot_loop(sys.stdin.read())
        if loop:
            print(*loop[:2], *(loop[2][column] for column in COLUMNS))
        return 0 if loop else 1
    if len(arguments) > 1:
        raise Failure('usage: tools/lint.py [RESULTS_DIR | --loop]')
    folder = arguments[0] if arguments else 'docs/results/h200'
    os.chdir(command.PROJECT)
    if not os.path.isdir(folder):
        raise Failure(f"no folder '{folder}'")
    if not (os.access('build/sass', os.X_OK) and os.access('build/cubin_rules', os.X_OK) and
            os.path.isdir('build/cubin/sm_90')):
        raise Failure('no build/sass or no kernels for sm_90; run make first')
    commit = output('tools/commit.sh').strip()
    lint, strips = [LINT], [STRIP]
    for row in output('build/cubin_rules', '--table').splitlines():
        step, variant = row.split('\t')[:2]
        if not re.match('(0[3-9]|12)_', step):
            continue
        cubin = f'build/cubin/sm_90/{step}/{variant}.cubin'
        if not command.is_filled(cubin):
            raise Failure(f'no {cubin}; run make first')
        said = output('build/sass', 'lint', '--all', cubin)
        loop = hot_loop(said)
        if not loop:
            raise Failure(f'{cubin}: sass lint names no loop with FFMA', 1)
        first, last, figures = loop
        lint.append([commit, step, variant, *(figures[column] for column in COLUMNS)])
        if step.startswith('09_'):
            body = list(loop_body(said, output('build/sass', 'dis', cubin), first, last))
            strips += [[step, variant, *part] for part in strip(body)]
    for name, rows in (('lint.csv', lint), ('strip.csv', strips)):
        path = os.path.join(folder, name)
        command.put(''.join(','.join(map(str, row)) + '\n' for row in rows), path)
        print(path)
    return 0


if __name__ == '__main__':
    command.run(main)
