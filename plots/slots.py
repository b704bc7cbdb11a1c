#!/usr/bin/env python3
"""Draws the issue slots of scheduler 0 from a trace of the model of an SM, one line per warp.

    plots/slots.py FILE.json OUT.svg|OUT.png FIRST,COUNT [TITLE]

`build/simrun ... --time --timeline FILE.json --cycles FIRST,COUNT` writes FILE.json.

The data of slots.gp: boxes.csv, row,from,to,kind (row 0 has the scheduler's issue slots, the others
its warps); rows.csv, row,label; blocks.csv, the cycles in which a block starts or ends; the kinds'
shares of the warps' time. A window of more than BINS cycles is cut into at most BINS bins; a bin
has the colour of its most frequent kind. The title says how often an FFMA is issued.
Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
"""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from figures import chart, command  # noqa: E402
from figures.command import Failure  # noqa: E402

BINS = 400
SCHEDULER, BLOCKS = 0, 4  # process numbers in the trace
# Numbers of kinds of boxes, as in slots.gp: kinds of instructions, then stall reasons.
OTHER_INSTRUCTION, OTHER_STALL = 2, 12
LAST_INSTRUCTION = 5
# Kinds in the order of their numbers; the words are those of web/page/timeline.js.
NAMES = ('FFMA', 'other arithmetic', 'shared memory', 'device memory', 'branch, barrier',
         'waits for a barrier', 'waits for device memory', 'waits for shared memory',
         'waits for a full queue', 'waits for a result', 'ready, another warp was chosen',
         'waits for something else')
INSTRUCTIONS = ((1, r'FFMA|DFMA|HFMA2|HGMMA|HMMA'), (3, r'LDS|STS|LDSM|ATOMS|SHFL'),
                (4, r'LDG|STG|LDGSTS|LD|ST|TLD|RED|ATOM|LDGDEPBAR'),
                (5, r'BAR|BRA|EXIT|DEPBAR|NOP|WARPSYNC|BSSY|BSYNC'))
STALLS = {'barrier': 6, 'long_scoreboard': 7, 'short_scoreboard': 8, 'mio_throttle': 9,
          'lg_throttle': 9, 'tex_throttle': 9, 'wait': 10,
          'not_selected': 11}


def kind_of(event):
    if event['cat'] == 'stall':
        return STALLS.get(event['name'], OTHER_STALL)
    return next((kind for kind, names in INSTRUCTIONS if re.match(names, event['name'])),
                OTHER_INSTRUCTION)


def shares_of(rows):
    """Returns each kind's share of the warps' time, in per cent."""
    totals = [sum(cycles.get(kind, 0) for row in rows for cycles in row.bins)
              for kind in range(1, len(NAMES) + 1)]
    return [100 * total / sum(totals) for total in totals]


def digits(share):
    return f'{share:.0f}' if share >= 1 else f'{share:.1g}'


def claim(starts, first, end):
    """Returns what the picture shows; starts: the cycles in which an FFMA is issued."""
    edges = [first, *sorted(starts), end]
    gap = max(after - before for before, after in zip(edges, edges[1:]))
    return (f'{100 * len(starts) / (end - first):.0f} % of the cycles issue an FFMA; the longest '
            f'gap between two is {gap} cycles')


def events_of(path):
    """Yields the events of a trace that have a duration; a line of the file is one event."""
    with open(path, encoding='utf-8', errors='replace') as file:
        for line in file:
            if '"ph": "X"' in line:
                yield json.loads(line.strip().rstrip(',').rstrip(']'))


class Row:
    """The cycles of one row by bin and kind."""

    def __init__(self, first, count):
        self.first, self.count = first, count
        self.width = -(-count // BINS) if count > BINS else 1
        self.bins = [{} for _ in range(-(-count // self.width))]

    def fill(self, start, end, kind):
        for cycle in range(max(start, self.first), min(end, self.first + self.count)):
            cycles = self.bins[(cycle - self.first) // self.width]
            cycles[kind] = cycles.get(kind, 0) + 1

    def boxes(self, is_drawn=lambda number: True):
        """Yields (from, to, kind) for each run of neighbouring bins of one kind. A bin is left out
        if is_drawn(its number) is false."""
        now, start = 0, 0
        for number, cycles in enumerate(self.bins + [{}]):
            kind = (min(cycles, key=lambda kind: (-cycles[kind], kind))
                    if cycles and is_drawn(number) else 0)
            if kind != now or number == len(self.bins):
                if now:
                    yield self.first + start * self.width, self.first + number * self.width, now
                now, start = kind, number


def main(arguments):
    if not 3 <= len(arguments) <= 4:
        raise Failure('usage: plots/slots.py FILE.json OUT.svg|OUT.png FIRST,COUNT [TITLE]')
    path, target, cycles = arguments[:3]
    if not re.fullmatch(r'[0-9]{1,9},[1-9][0-9]{0,8}', cycles):
        raise Failure(f"cycles '{cycles}': expected FIRST,COUNT, two whole numbers")
    form = chart.format_of(target)
    if not command.is_filled(path):
        raise Failure(f"no trace in '{path}'; write one with build/simrun --time --timeline {path} "
                      f"--cycles {cycles}")
    command.need('gnuplot', 'gnuplot-nox')
    first, count = map(int, cycles.split(','))
    end = first + count
    issue, warps, blocks = Row(first, count), {}, []
    issued, ffmas = [0] * len(issue.bins), []
    for event in events_of(path):
        since = event['ts']
        until = since + event['dur']
        if event['pid'] == BLOCKS:
            blocks += [[at] for at in (since, until) if first <= at < end]
        elif event['pid'] == SCHEDULER and until > first and since < end:
            kind = kind_of(event)
            warps.setdefault(event['tid'], Row(first, count)).fill(since, until, kind)
            if kind <= LAST_INSTRUCTION:
                issue.fill(since, until, kind)
                if since >= first:
                    issued[(since - first) // issue.width] += 1
                    if kind == 1:
                        ffmas.append(since)
    if not warps:
        raise Failure(f'{path}: no warp of scheduler {SCHEDULER} in cycles {first} to {end - 1}', 1)
    boxes = [[0, *box] for box in issue.boxes(lambda number: 2 * issued[number] >= issue.width)]
    labels = [[0, 'issue']]
    for number, warp in enumerate(sorted(warps), 1):
        boxes += [[number, *box] for box in warps[warp].boxes()]
        labels.append([number, f'warp {warp}'])
    shares = shares_of(warps.values())
    title = arguments[3] if len(arguments) > 3 else os.path.basename(path).removesuffix('.json')
    title += f': {claim(ffmas, first, end)}'
    with chart.Folder() as work:
        work.write('boxes.csv', boxes)
        work.write('rows.csv', labels)
        work.write('blocks.csv', blocks)
        work.write('facts.gp', [[f'rows = {len(warps)}'], [f'from = {first}; to = {end}'],
                                [f'shares = "{" ".join(map(digits, shares))}"'],
                                [f'names = "{" ".join(map(repr, NAMES))}"'],
                                [chart.text_setting('what', title)]])
        command.put(work.plot(form, 'slots.gp'), target)


if __name__ == '__main__':
    command.run(main)
