#!/usr/bin/env python3
"""Names stale rows of a results folder. A row is stale if it is the newest of its measurement and
its machine code differs from that of the kernel built now. Run `make` first.

    tools/stale.py [RESULTS_DIR]     default: docs/results/h200
    tools/stale.py --library         prints the hash of libsgemm's machine code, as its rows have it

A row has the hash of its code in the column `code_hash` (ladder --list --codes). Rows without one
are of older versions and are skipped. Exit status: 0 no row is stale, 1 some are, or nothing is
built, 2 wrong usage.
"""
import glob
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from figures import command, rows  # noqa: E402
from figures.command import Failure  # noqa: E402


def output(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, **options).stdout


def library_hash(codes):
    """Returns the hash of the code that libsgemm launches: of steps 10, 13 and shapes, and of its
    own kernels."""
    text = ''.join(f'{line}\n' for line in codes
                   if line.startswith(('10_', '13_', 'shapes '))).encode()
    for kernel in ('copy', 'tensor'):
        cubin = f'build/cubin/sm_90/library/{kernel}.cubin'
        if command.is_filled(cubin):
            listing = output('build/sass', 'dis', cubin)
            text += b''.join(line for line in listing.splitlines(True)
                             if not line.startswith(b'//'))
    return f'{int(output("cksum", input=text).split()[0]):08x}'


def stale_rows(file, codes, library):
    """Returns a line per measurement of a CSV file whose newest row has other code."""
    own = {tuple(words[:2]): words[2] for words in map(str.split, codes) if len(words) > 2}
    with open(file, 'rb') as stream:
        table = rows.whole_rows(stream, file)
        header = next(table, [])
        newest = {}  # by measurement: whether its newest row is current; the codes
        for fields in table if 'code_hash' in header else ():
            row = dict(zip(header, fields))
            code = row['code_hash']
            if not code:
                continue
            if 'variant' not in row:
                newest['all rows'] = code == library, f'{code}, built is {library}'
                continue
            key = (f'{row["step"]}/{row["variant"]} at {row["m"]}x{row["n"]}x{row["k"]}, '
                   f'{row["mode"]}, {row["inputs"]}')
            kernel = own.get((row['step'], row['variant'].partition(':')[0]))
            parts = code.split('+')
            good = all(part in own.values() for part in parts) and kernel in (None, parts[0])
            newest[key] = good, f'{code}, built is {kernel or "another"}'
    return [f'{file}: {key}: {text}' for key, (good, text) in newest.items() if not good]


def main(arguments):
    folder = (arguments + ['docs/results/h200'])[0]
    if len(arguments) > 1 or not (folder == '--library' or os.path.isdir(folder)):
        raise Failure('expected a results folder or --library')
    folder = folder if folder == '--library' else os.path.abspath(folder)
    os.chdir(command.PROJECT)
    if not (os.access('build/ladder', os.X_OK) and os.access('build/sass', os.X_OK)):
        raise Failure('build/ladder or build/sass is missing; run make first', 1)
    codes = output('build/ladder', '--list', '--codes').decode().splitlines()
    library = library_hash(codes)
    if folder == '--library':
        print(library)
        return 0
    stale = [line for file in sorted(glob.glob(os.path.join(folder, '*.csv')))
             for line in stale_rows(file, codes, library)]
    print(*stale, sep='\n', end='\n' if stale else '')
    return 1 if stale else 0


if __name__ == '__main__':
    command.run(main)
