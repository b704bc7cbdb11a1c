#!/usr/bin/env python3
"""Computes the L2 hit rate, in percent, that an order of the tiles of C should have.

    tools/l2.py ORDER SIZE [BLOCKS [L2]]

ORDER is x_major, y_major, grouped or z_order; SIZE is N or MxNxK. BLOCKS blocks run at a time, by
default one per SM of an H200. L2 is the cache's size in bytes, by default 60e6.

Prints order,m,n,k,wave,kept. A sector has 32 bytes. Blocks of 128 x 256 elements run in rounds of
BLOCKS, in step along K, and request from L2 each tile of A and B that they copy; C is stored, which
counts as a hit. The last two figures are hit rates:

    wave   a round fetches each sector of A and B once for all its blocks, and begins with empty L2
    kept   a sector is also in L2 if it was used within the last L2 bytes of traffic

The orders of tiles are those of steps/10_block_order/orders.h. The formula ignores how far blocks
drift apart, that L2 has two halves, and that a round ends block by block. Exit status: 0 success,
2 wrong usage.
"""
import math
import re
import sys

sys.dont_write_bytecode = True
from figures import h200  # noqa: E402

ORDERS = ('x_major', 'y_major', 'grouped', 'z_order')
BLOCK_M, BLOCK_N = 128, 256
GROUP = 8  # rows of tiles per group


def up(value, by):
    return (value + by - 1) // by


def inside(length, start, size):
    """Returns how much of [start, start + size) is below length."""
    return max(0, min(length - start, size))


def z_order(at, tiles_m, tiles_n):
    size = 1
    while size < max(tiles_m, tiles_n):
        size *= 2
    row = col = 0
    while size > 1:
        size //= 2
        for quarter in range(4):
            r, c = row + quarter % 2 * size, col + quarter // 2 * size
            tiles = inside(tiles_m, r, size) * inside(tiles_n, c, size)
            if at < tiles:
                row, col = r, c
                break
            at -= tiles
    return row, col


def tile(order, at, tiles_m, tiles_n):
    """Returns (row, column) of the tile at position `at` of an order."""
    if order == 'x_major':
        return at // tiles_n, at % tiles_n
    if order == 'y_major':
        return at % tiles_m, at // tiles_m
    if order == 'grouped':
        first = at // (GROUP * tiles_n) * GROUP
        rows = min(GROUP, tiles_m - first)
        at -= first * tiles_n
        return first + at % rows, at // rows
    return z_order(at, tiles_m, tiles_n)


def hit_rates(order, m, n, k, blocks=h200.SMS, l2=60e6):
    """Returns (wave, kept), each with one decimal."""
    tiles_m, tiles_n = up(m, BLOCK_M), up(n, BLOCK_N)
    tiles = tiles_m * tiles_n
    # K is cut into pieces. The model assumes that all blocks of a round work on the same piece.
    pieces = min(16, up(k, 8))
    depth = k / pieces
    traffic = requests = unique = misses = 0.0
    # used[piece][panel]: the traffic, in sectors, up to the last request of this panel of A or B.
    used = [{} for _ in range(pieces)]
    never = -math.inf
    for start in range(0, tiles, blocks):
        panels = {}
        for at in range(start, min(start + blocks, tiles)):
            row, col = tile(order, at, tiles_m, tiles_n)
            rows, cols = min(BLOCK_M, m - row * BLOCK_M), min(BLOCK_N, n - col * BLOCK_N)
            panels['a', row], panels['b', col] = rows, cols
            requests += (rows + cols) * k / 8
        ordered = [(panel, length * depth / 8) for panel, length in sorted(panels.items())]
        for piece in range(pieces):
            last = used[piece]
            for panel, sectors in ordered:
                unique += sectors
                if traffic - last.get(panel, never) > l2 / 32:
                    misses += sectors
                last[panel] = traffic
                traffic += sectors
        traffic += min(blocks, tiles - start) * BLOCK_M * BLOCK_N / 8  # C passes through L2, too
    everything = requests + m * n / 8
    return tuple(round(100 * (1 - missed / everything), 1) for missed in (unique, misses))


def main(arguments):
    from figures.command import Failure
    usage = (f'expected {", ".join(ORDERS[:-1])} or {ORDERS[-1]}, and a size, N or MxNxK; usage: '
             'tools/l2.py ORDER SIZE [BLOCKS [L2]]')
    if not 2 <= len(arguments) <= 4:
        raise Failure(usage)
    order, size, blocks, l2 = arguments + [str(h200.SMS), '60e6'][len(arguments) - 2:]
    found = re.fullmatch(r'([1-9][0-9]*)(?:x([1-9][0-9]*)x([1-9][0-9]*))?', size)
    if (order not in ORDERS or not found or not re.fullmatch(r'[1-9][0-9]*', blocks) or
        not re.fullmatch(r'[0-9]+(e[0-9]+)?', l2)):
        raise Failure(usage)
    m = int(found.group(1))
    n, k = int(found.group(2) or m), int(found.group(3) or m)
    wave, kept = hit_rates(order, m, n, k, int(blocks), float(l2))
    print(f'{order},{m},{n},{k},{wave:.1f},{kept:.1f}')


if __name__ == '__main__':
    sys.dont_write_bytecode = True
    from figures.command import run
    run(main)
