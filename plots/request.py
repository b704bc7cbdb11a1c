#!/usr/bin/env python3
"""Draws one memory request of a warp: which lane is served from which bank (or sector), and when.

    plots/request.py FILE.csv OUT.svg [TITLE]

`build/simrun ... --picture ADDRESS --picture-file FILE.csv` writes FILE.csv.

FILE.csv has one row per lane: lane,address,phase,first_bank,last_bank for shared memory, where
phase is the wavefront, or lane,address,bytes,first_sector,last_sector for global memory. Exit
status: 0 drawn, 1 something failed, 2 wrong usage or no data.

The drawing has the classes of web/page/draw.js, so that pages give it their own colours
(web/site/filter.lua): a row has 32 banks, or the 32 words of a line of 128 bytes. A path of the
class `row` is the row's empty cells. Of more than MOST rows the first ones and the last are drawn.
"""
import html
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from figures import command, database  # noqa: E402
from figures.command import Failure  # noqa: E402

SHARED = ('lane', 'address', 'phase', 'first_bank', 'last_bank')
GLOBAL = ('lane', 'address', 'bytes', 'first_sector', 'last_sector')
LANES, WORD, SECTOR, LINE = 32, 4, 32, 128
MOST = 8
CELL, ROW, LEFT, HEAD = 20, 22, 108, 42  # HEAD: the height of title and subtitle
STYLE = ('text{font:13px system-ui,sans-serif;fill:#59606c}text.strong{fill:#1c1f26;'
         'font-weight:600}text.on{fill:#fff;font-size:12px}.row{stroke:#e3e7ec;stroke-width:18;'
         'stroke-dasharray:18 2}.w1{fill:#4d1f85}.w2{fill:#b02c6c}.w3{fill:#9355cf}'
         '.w4{fill:#00707c}.lane{fill:#3f4856}.read{fill-opacity:.3}')


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


class Picture:
    """Collects the parts of a drawing. Rows that are left out get no parts."""

    def __init__(self, rows):
        self.count = rows
        self.shown = range(rows) if rows <= MOST else [*range(4), rows - 1]
        self.parts = []
        for row in self.shown:
            self.parts.append(f'<path class="row" d="M{LEFT} {self.top(row) + 9}h640"/>')
        if rows > MOST:
            self.text(LEFT, 18 + 4 * ROW + 13, f'… and {rows - 5} more like these')

    def top(self, row):
        """Returns the y of a row that is shown."""
        at = list(self.shown).index(row)
        return 18 + ROW * (at + (at > 3 and self.count > MOST))

    def text(self, x, y, text, kind='', anchor=''):
        kind = f' class="{kind}"' if kind else ''
        anchor = f' text-anchor="{anchor}"' if anchor else ''
        self.parts.append(f'<text x="{x:g}" y="{y}"{kind}{anchor}>{html.escape(text)}</text>')

    def cell(self, x, width, row, kind, lanes):
        """Draws a cell from column x on, with the lanes in it, or their number."""
        if row not in self.shown:
            return
        y, wide = self.top(row), width * CELL - 2
        self.parts.append(f'<rect x="{LEFT + x * CELL:g}" y="{y}" width="{wide:g}" height="18" '
                          f'rx="3" class="{kind}"/>')
        said = joined(lanes)
        if said and 6.5 * len(said) > wide:
            said = f'{len(lanes)}×'
        if said:
            self.text(LEFT + x * CELL + wide / 2, y + 13, said, 'on', 'middle')

    def beside(self, row, text):
        if row in self.shown:
            self.text(0, self.top(row) + 13, text)

    def svg(self, title, under):
        width, height = LEFT + 32 * CELL, self.top(self.shown[-1]) + ROW
        title, under = html.escape(title), html.escape(under)
        return '\n'.join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + HEAD}" '
            'class="draw">', f'<title>{title}</title>', f'<desc>{under}</desc>',
            f'<style>{STYLE}</style>', f'<rect width="{width}" height="{height + HEAD}" '
            'fill="#fff"/>', f'<text class="strong" y="14">{title}</text>',
            f'<text y="32">{under}</text>', f'<g transform="translate(0 {HEAD})">',
            *self.parts, '</g></svg>', ''])


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


def plural(number, noun):
    return f'{number} {noun}{"" if number == 1 else "s"}'


def draw_shared(lanes):
    """Returns the picture of a request to shared memory, and a sentence about it."""
    banks = max(row['last_bank'] - row['first_bank'] + 1 for row in lanes.values())
    waves = max(row['phase'] for row in lanes.values()) + 1
    picture, cells, group_of = Picture(waves), {}, {}
    for lane, row in lanes.items():
        word = row['address'] // WORD * WORD
        cells.setdefault((row['phase'], row['first_bank'], word), []).append(lane)
        group_of[row['phase']] = first_lane_of_group(lane, lanes, min(banks, WORD))
    # Bank conflicts cause the wavefronts that serve the group of lanes of the previous wavefront.
    waited = sum(group_of.get(wave) == group_of.get(wave - 1) for wave in range(1, waves))
    picture.text(0, 11, 'bank', 'axis')
    for bank in range(0, LANES, 4):
        picture.text(LEFT + (bank + 0.5) * CELL - 1, 11, str(bank), 'axis', 'middle')
    for wave in range(waves):
        picture.beside(wave, f'wavefront {wave + 1}')
    for (wave, bank, _), served in cells.items():
        picture.cell(bank, banks, wave, f'w{wave % 4 + 1}', served)
    size = 'at most 4 bytes' if banks == 1 else f'{WORD * banks} bytes'
    why = (f', {waited} of them because lanes need different words of one bank' if waited else
           ', no bank conflict')
    return picture, f'{size} per lane: {plural(waves, "wavefront")}{why}'


def draw_global(lanes):
    """Returns the picture of a request to global memory, and a sentence about it."""
    width = list(lanes.values())[-1]['bytes']
    start = min(row['address'] for row in lanes.values()) // LINE * LINE
    at = {lane: row['address'] - start for lane, row in lanes.items()}
    sectors = sorted({address // SECTOR for address in at.values()})
    lines = sorted({sector * SECTOR // LINE for sector in sectors})
    picture, cells = Picture(len(lines)), {}
    for sector in range(LINE // SECTOR):
        picture.text(LEFT + (8 * sector + 4) * CELL, 11, f'sector {sector}', 'axis', 'middle')
    for row, line in enumerate(lines):
        picture.beside(row, f'+{LINE * line} bytes')
    for sector in sectors:
        row = lines.index(sector * SECTOR // LINE)
        for word in range(SECTOR // WORD):
            picture.cell(sector % (LINE // SECTOR) * SECTOR // WORD + word, 1, row, 'lane read', [])
    for lane, address in at.items():
        cells.setdefault((address // LINE, address // WORD % (LINE // WORD)), []).append(lane)
    for (line, word), served in cells.items():
        picture.cell(word, max(1, width / WORD), lines.index(line), 'lane', served)
    return picture, (f'{plural(len(lines), "line")} of 128 bytes to look up, '
                     f'{plural(len(sectors), "sector")} of 32 bytes; '
                     f'{width * len(set(at.values()))} bytes used')


def main(arguments):
    if not 2 <= len(arguments) <= 3:
        raise Failure('usage: plots/request.py FILE.csv OUT.svg [TITLE]')
    path, target = arguments[:2]
    if not target.endswith('.svg'):
        raise Failure(f"'{target}' does not end in .svg")
    if not command.is_filled(path):
        raise Failure(f"no request in '{path}'; write one with build/simrun --picture ADDRESS "
                      f"--picture-file {path}")
    columns, lanes = read_request(path)
    picture, under = (draw_global if columns is GLOBAL else draw_shared)(lanes)
    title = arguments[2] if len(arguments) > 2 else os.path.basename(path).removesuffix('.csv')
    command.put(picture.svg(title, under), target)


if __name__ == '__main__':
    command.run(main)
