#!/usr/bin/env python3
"""Draws one memory request of a warp: which lane is served from which bank (or sector), and when.

    plots/request.py FILE.csv OUT.svg|OUT.png [TITLE]

`build/simrun ... --picture ADDRESS --picture-file FILE.csv` writes FILE.csv.

FILE.csv has one row per lane: lane,address,phase,first_bank,last_bank for shared memory, where
phase is the wavefront, or lane,address,bytes,first_sector,last_sector for global memory. Exit
status: 0 drawn, 1 something failed, 2 wrong usage or no data.

The data of request.gp, with | between the fields:

    cells.txt  x low,x high,y low,y high,kind,lanes,offset   kind: once, conflict, used, unused
    facts.gp   variables of gnuplot
    rows.gp    labels beside the rows: one row per wavefront, or per line of 128 bytes
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from figures import chart, command, database  # noqa: E402
from figures.command import Failure  # noqa: E402

SHARED = ('lane', 'address', 'phase', 'first_bank', 'last_bank')
GLOBAL = ('lane', 'address', 'bytes', 'first_sector', 'last_sector')
LANES, WORD, SECTOR, LINE = 32, 4, 32, 128


def read_request(path):
    """Returns the columns of a request and its rows by lane, as numbers."""
    rows = database.read(path)
    header = next(rows)
    columns = next((names for names in (SHARED, GLOBAL) if set(names) <= set(header)), None)
    if not columns:
        raise Failure(f'{path}: line 1: expected the columns that `build/simrun --picture` writes: '
                      f'{",".join(SHARED)} or {",".join(GLOBAL)}', 1)
    lanes = {}
    for number, fields in enumerate(rows, 2):
        row = dict(zip(header, fields))
        if not all(row[name].isdecimal() for name in columns) or int(row['lane']) >= LANES:
            raise Failure(f'{path}: line {number}: no lane 0 to {LANES - 1} with an address: '
                          f'{",".join(fields)}', 1)
        lanes[int(row['lane'])] = {name: int(row[name]) for name in columns}
    if not lanes:
        raise Failure(f'{path}: no lane in it: was the instruction executed, and is it a memory '
                      'instruction?', 1)
    return columns, dict(sorted(lanes.items()))


def joined(lanes):
    """Returns lanes as text: 0,1 or 0-7."""
    runs = []
    for lane in lanes:
        if runs and lane == runs[-1][-1] + 1:
            runs[-1].append(lane)
        else:
            runs.append([lane])
    return ','.join(f'{run[0]}-{run[-1]}' if len(run) > 2 else ','.join(map(str, run))
                    for run in runs)


def wrapped(text, width):
    """Returns the lines of a text, of at most `width` characters where commas allow it."""
    lines = ['']
    for i, part in enumerate(text.split(',')):
        if i and len(lines[-1]) + len(part) + 1 > width:
            lines[-1] += ','
            lines.append(part)
        else:
            lines[-1] += (',' if i else '') + part
    return lines


class Picture:
    """Collects the cells, the labels and the facts."""

    def __init__(self):
        self.cells, self.labels, self.facts = [], [], []
        self.deepest, self.is_crowded = 1, False

    def cell(self, x, width, row, kind, lanes, offset=''):
        lines = wrapped(joined(lanes), 5 if width < 2 else 8 if width < 3 else 13)
        text = '\\n'.join(lines)
        self.deepest = max(self.deepest, len(lines))
        self.is_crowded = self.is_crowded or width < 2 and len(text) > 3
        edges = (x - 0.5, x + width - 0.5, row - 0.46, row + 0.46)
        self.cells.append([*(f'{edge:g}' for edge in edges), kind, text, offset])

    def beside(self, row, left, right):
        self.labels += [[f'set label "{left}" at graph -0.012, first {row} right font ",12" '
                         'textcolor rgb ink'],
                        [f'set label "{right}" at graph 1.012, first {row} left font ",12" '
                         'textcolor rgb beside_color']]

    def write(self, work, title):
        facts = self.facts + [f'deepest = {self.deepest}', f'crowded = {int(self.is_crowded)}',
                              chart.text_setting('what', title)]
        work.write('cells.txt', self.cells, '|')
        work.write('rows.gp', self.labels)
        work.write('facts.gp', [[fact] for fact in facts])


def first_lane_of_group(lane, lanes, banks):
    """Returns the first lane of the group that shared memory serves together with `lane`
    (sasskit/sim/counts/banks.c).

    Words are served for the whole warp; wider accesses for half or a quarter of it. Two
    neighbouring parts are served together if each lane reads the address of lane ^ 1, or each that
    of lane ^ 2. That holds for loads; parts of a wide store are never served together. The CSV file
    does not tell loads from stores, so a store in which two lanes write the same address may be
    drawn wrong.
    """
    if banks == 1:
        return 0
    few = LANES // banks
    start = lane // (2 * few) * 2 * few

    def is_paired(by):
        pairs = [(i, i ^ by) for i in range(start, start + 2 * few)
                 if i in lanes and i ^ by in lanes]
        return all(lanes[i]['address'] == lanes[j]['address'] for i, j in pairs)

    return start if is_paired(1) or is_paired(2) else lane // few * few


def draw_shared(picture, lanes):
    banks = max(row['last_bank'] - row['first_bank'] + 1 for row in lanes.values())
    lowest = min(row['address'] for row in lanes.values())
    waves = max(row['phase'] for row in lanes.values()) + 1
    cells, group_of, words = {}, {}, {}
    for lane, row in lanes.items():
        word, group = (row['address'] // WORD * WORD,
                       first_lane_of_group(lane, lanes, min(banks, WORD)))
        cells.setdefault((row['phase'], row['first_bank'], word), []).append(lane)
        group_of[row['phase']] = group
        words.setdefault((group, row['first_bank']), set()).add(word)

    def has_waited(wave):  # same group of lanes as in the wavefront before, so a bank was taken
        return wave > 0 and group_of.get(wave) == group_of.get(wave - 1)

    for (wave, bank, word), served in cells.items():
        kind = 'conflict' if len(words[group_of[wave], bank]) > 1 and has_waited(wave) else 'once'
        picture.cell(bank, banks, wave, kind, served, f'+{word - lowest}' if banks > 3 else '')
    for wave in range(waves):
        picture.beside(wave, f'wavefront {wave + 1}', 'waits: bank taken'
                       if has_waited(wave) else '')
    picture.facts += [f'rows = {waves}', 'kind = "shared"',
                      f'excess = {sum(map(has_waited, range(waves)))}', f'bytes = {WORD * banks}']


def draw_global(picture, lanes):
    width = list(lanes.values())[-1]['bytes']
    start = min(row['address'] for row in lanes.values()) // LINE * LINE
    at = {lane: row['address'] - start for lane, row in lanes.items()}
    sectors = sorted({address // SECTOR for address in at.values()})
    lines = sorted({sector * SECTOR // LINE for sector in sectors})
    for row, line in enumerate(lines):
        here = [sector for sector in sectors if sector * SECTOR // LINE == line]
        picture.beside(row, f'+{LINE * line} bytes',
                       f'{len(here)} sector{"s" if len(here) > 1 else ""}')
        for sector in here:
            picture.cell(sector % (LINE // SECTOR) * SECTOR // WORD, SECTOR // WORD,
                         row, 'unused', [])
    cells = {}
    for lane, address in at.items():
        cells.setdefault((address // LINE, address // WORD % (LINE // WORD)), []).append(lane)
    for (line, word), served in cells.items():
        picture.cell(word, max(1, width / WORD), lines.index(line), 'used', served)
    picture.facts += [f'rows = {len(lines)}', 'kind = "global"', f'sectors = {len(sectors)}',
                      f'used = {width * len(set(at.values()))}',
                      f'bytes = {width}']


def main(arguments):
    if not 2 <= len(arguments) <= 3:
        raise Failure('usage: plots/request.py FILE.csv OUT.svg|OUT.png [TITLE]')
    path, target = arguments[:2]
    form = chart.format_of(target)
    if not command.is_filled(path):
        raise Failure(f"no request in '{path}'; write one with build/simrun --picture ADDRESS "
                      f"--picture-file {path}")
    command.need('gnuplot', 'gnuplot-nox')
    columns, lanes = read_request(path)
    picture = Picture()
    (draw_global if columns is GLOBAL else draw_shared)(picture, lanes)
    with chart.Folder() as work:
        picture.write(work, arguments[2] if len(arguments) > 2
                      else os.path.basename(path).removesuffix('.csv'))
        command.put(work.plot(form, 'request.gp'), target)


if __name__ == '__main__':
    command.run(main)
