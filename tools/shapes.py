#!/usr/bin/env python3
"""Draws random shapes (M, N and K) of matrix products.

    tools/shapes.py SEED COUNT

Prints COUNT lines, MxNxK, which depend on the seed alone. Of 98 shapes 60 are drawn from 1 to
12,000 in each dimension, uniformly over the logarithm, so that every size is as likely as its half;
18 are cubes, of 64 to 8192; 20 are of kinds that applications have. Exit status: 0 success, 2 wrong
usage.
"""
import math
import re
import sys

WIDTHS = (768, 1024, 2048, 3072, 4096, 8192, 11008)
CHANNELS = (64, 128, 256, 512)


class Draw:
    """Park and Miller's generator of random numbers."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(20):  # skips numbers that are alike for neighbouring seeds
            self.uniform()

    def uniform(self):
        self.state = self.state * 16807 % 2147483647
        return self.state / 2147483647

    def between(self, low, high):
        return int(low * math.exp(self.uniform() * math.log((high + 1) / low)))

    def one_of(self, values):
        return values[int(self.uniform() * len(values))]


# The kinds of shapes that applications have. Each draws m, n and k in this order.
APPLICATIONS = (
    # A layer of a network, one row per token.
    lambda draw: (draw.between(1, 8192), draw.one_of(WIDTHS), draw.one_of(WIDTHS)),
    # A convolution, one row per pixel.
    lambda draw: (draw.between(49, 50000), draw.one_of(CHANNELS), 9 * draw.one_of(CHANNELS)),
    # A matrix by a vector, and a vector by a matrix.
    lambda draw: (draw.between(64, 16384), 1, draw.between(64, 16384)),
    lambda draw: (1, draw.between(64, 16384), draw.between(64, 16384)),
    # An update of low rank.
    lambda draw: (draw.between(500, 10000), draw.between(500, 10000), draw.between(1, 32)),
    # A tall and narrow matrix by a small one.
    lambda draw: (draw.between(10000, 60000), draw.between(8, 64), draw.between(8, 64)),
    # Inner products of long vectors.
    lambda draw: (draw.between(16, 512), draw.between(16, 512), draw.between(1000, 65536)),
    # One small dimension.
    lambda draw: (draw.between(35, 100), draw.between(200, 5000), draw.between(35, 2000)))


def shapes(seed, count):
    """Yields (m, n, k)."""
    draw, applications = Draw(seed), 0
    for i in range(count):
        part = i * 37 % 98  # takes the kinds of shapes in mixed order
        if part < 60:
            yield draw.between(1, 12000), draw.between(1, 12000), draw.between(1, 12000)
        elif part < 78:
            yield (draw.between(64, 8192),) * 3
        else:
            yield APPLICATIONS[applications % len(APPLICATIONS)](draw)
            applications += 1


def main(arguments):
    from figures.command import Failure
    if len(arguments) != 2 or not all(re.fullmatch('[1-9][0-9]*', word)
                                      for word in arguments) or int(arguments[0]) > 999999 or \
            int(arguments[1]) > 1000:
        raise Failure('expected a seed up to 999999 and a number of shapes up to 1000, as in 2 300')
    for m, n, k in shapes(*map(int, arguments)):
        print(f'{m}x{n}x{k}')


if __name__ == '__main__':
    sys.dont_write_bytecode = True
    from figures.command import run
    run(main)
