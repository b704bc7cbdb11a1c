#!/usr/bin/env python3
"""Draws the pictures of the lessons: memory requests and issue slots by the simulator, and tiles
that move. Run `make` first.

    plots/pictures.py [OUT]      OUT is docs/pictures if not given

$SIMRUN is the simulator, build/simrun if not set. Exit status: 0 drawn, 1 something failed, 2 wrong
usage or nothing built.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from figures import chart, command, database  # noqa: E402
from figures.command import Failure  # noqa: E402
import request  # noqa: E402
import slots  # noqa: E402

SIMRUN = os.environ.get('SIMRUN') or 'build/simrun'
# A kernel's shared memory begins behind 1 KB that the system reserves.
SHARED_START = 1024


def arguments_of(*words):
    """Returns the options of simrun for a kernel's arguments."""
    return [option for word in words for option in ('--arg', word)]


def kernel(name):
    """Returns the cubin of STEP/VARIANT."""
    path = f'build/cubin/sm_90/{name}.cubin'
    if not os.path.isfile(path):
        raise Failure(f'no {path}; run make first')
    return path


def simulate(cubin, *words):
    run = subprocess.run([SIMRUN, cubin, *words], stdout=subprocess.PIPE, check=False)
    if run.returncode:
        raise Failure(f'{SIMRUN} {cubin} failed', 1)
    return run.stdout.decode()


def addresses(listing, mnemonic):
    """Returns the addresses of the instructions with this mnemonic, a regular expression, in the
    order of the output of --per-line."""
    lines = [line.split() for line in listing.split('\n')]
    return [words[0] for words in lines if words and re.fullmatch('[0-9a-f]+', words[0]) and
            any(re.fullmatch(mnemonic, word) for word in words[2:])]


class Pictures:
    """Writes pictures into a folder."""

    def __init__(self, folder, work):
        self.folder, self.work = folder, work
        self.file = os.path.join(work, 'request.csv')

    def target(self, name):
        return os.path.join(self.folder, f'{name}.svg')

    def request(self, name, title, cubin, run, mnemonic, is_wanted=lambda rows: True):
        """Draws the first request of the instructions `mnemonic` for which is_wanted(rows) is true;
        a row has lane, address, ... `run` has the options of the launch."""
        for address in addresses(simulate(cubin, *run, '--per-line'), mnemonic):
            simulate(cubin, *run, '--picture', address, '--picture-file', self.file)
            rows = list(database.read(self.file))[1:]
            if rows and is_wanted(rows):
                request.main([self.file, self.target(name), title])
                print(self.target(name), flush=True)
                return
        raise Failure(f'no {mnemonic} of {cubin} has the request that {name} shows', 1)

    def block_request(self, name, title, variant, entry, threads, mnemonic, least,
                      different=1, lda=16):
        """Draws a memory request of a kernel that computes one 128 x 128 block of C with K = 16. It
        is the first request whose first lane reads at address `least` or above, and whose lanes
        read at least `different` addresses. `lda` is the distance of A's rows in floats."""
        run = ['--entry', entry, '--grid', '1,1', '--block', str(threads)] + arguments_of(
            'i32:128', 'i32:128', 'i32:16', 'f32:1', f'f32[{128 * lda}]:random:1', f'i32:{lda}',
            'f32[2048]:random:2', 'i32:128', 'f32:0',
            'f32[16384]:zero', 'i32:128')
        self.request(name, f'{title} ({mnemonic})', kernel(variant), run, mnemonic,
                     lambda rows: int(rows[0][1]) >= least and
                     len({row[1] for row in rows}) >= different)

    def frame(self, name, which):
        """Draws the tiles of `frames.gp` that `which` names."""
        with chart.Folder() as work:
            command.put(work.plot('svg', 'frames.gp', f"frame = '{which}'"), self.target(name))
        print(self.target(name), flush=True)

    def slots(self, name, title, variant, entry, grid, threads, cycles, *options):
        """Draws a variant's issue slots at M = 2048, N = 4096, K = 512; cycles: FIRST,COUNT."""
        trace = os.path.join(self.work, 'trace.json')
        simulate(kernel(variant), '--entry', entry, '--grid', grid, '--block', str(threads),
                 *options, '--time', '--timeline', trace,
                 '--cycles', cycles, *arguments_of('i32:2048', 'i32:4096', 'i32:512', 'f32:1',
                                                   'f32[1048576]:zero', 'i32:512',
                                                   'f32[2097152]:zero', 'i32:4096', 'f32:0',
                                                   'f32[8388608]:zero', 'i32:4096'))
        slots.main([trace, self.target(name), cycles, title])
        print(self.target(name), flush=True)

    def example(self):
        """Draws the load from shared memory of the example in sasskit/docs/own_kernel.md."""
        source, cubin = (os.path.join(self.work, 'transpose.cu'),
                         os.path.join(self.work, 'transpose.cubin'))
        code = re.findall(r'^```c\n(.*?)^```', command.read_text('sasskit/docs/own_kernel.md'),
                          re.MULTILINE | re.DOTALL)
        command.put(''.join(code), source)
        if subprocess.run(['build/nvcc', '-arch=sm_90', '-cubin', '-o', cubin, source],
                          check=False).returncode:
            raise Failure('nvcc failed on the example of sasskit/docs/own_kernel.md', 1)
        run = ['--entry', 'transpose', '--grid', '4,4', '--block', '32,32'] + arguments_of(
            'i32:128', 'f32[16384]:random:1', 'f32[16384]:zero')
        self.request('transpose', 'tile[x][y]: LDS', cubin, run, 'LDS')


def main(arguments):
    if len(arguments) > 1:
        raise Failure('usage: plots/pictures.py [OUT]')
    os.chdir(command.PROJECT)
    folder = (arguments + ['docs/pictures'])[0]
    if not os.access(SIMRUN, os.X_OK):
        raise Failure(f'no {SIMRUN}; run make first')
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        draw_all(Pictures(folder, work))


def draw_all(pictures):
    # In shared memory B's tile follows A's tile, so a load from past A's tile is a load of B.
    for variant in ('patches', 'z_order'):
        pictures.block_request(f'07-{variant}-b', f'{variant}: a load of B',
                               f'07_z_order/{variant}', 'sgemm_z_order', 256,
                               'LDS.128', SHARED_START + 128 * 8 * 4)
    pictures.block_request('04-lanes_4x8-b', 'lanes_4x8: a load of B',
                           '04_warp_tiling/lanes_4x8', 'sgemm_warp_tiling', 256, 'LDS',
                           SHARED_START + 128 * 9 * 4)
    # Loads from global memory in which lanes have different addresses. Rows of A lie 4096 floats
    # apart, as in a large matrix.
    pictures.block_request('01-uncoalesced-a', 'uncoalesced: a load of A',
                           '01_naive/uncoalesced', 'sgemm_naive', 1024, 'LDG.E', 0,
                           8, lda=4096)
    pictures.block_request('01-coalesced-b', 'coalesced: a load of B',
                           '01_naive/coalesced', 'sgemm_naive', 1024, 'LDG.E', 0, 8)
    # An operand of the tensor cores: the core matrices that one HGMMA reads.
    product = ['--entry', 'sgemm_tensor_cores', '--grid', '1', '--block', '384', '--shared',
               '198656'] + arguments_of(
        'i32:128', 'i32:128', 'i32:64', 'f32:1', 'f32[8192]:zero', 'i32:64', 'f32[8192]:zero',
        'i32:128', 'f32:0', 'f32[16384]:zero',
        'i32:128', 'u8[400000]:zero')
    pictures.request('13-swizzled', 'Step 13, ring: 16 bytes of each of 32 rows of A, for HGMMA',
                     kernel('13_tensor_cores/ring'), product,
                     'HGMMA.*')
    for name in ('02-tiles', '08-ring'):
        pictures.frame(name, name[3:])
    pictures.slots('02-tile32-time', 'Step 02, tile32',
                   '02_shared_tiling/tile32', 'sgemm_shared_tiling', '128,64',
                   1024, '20000,2500')
    pictures.slots('07-z_order-time', 'Step 07, z_order', '07_z_order/z_order',
                   'sgemm_z_order', '512', 256, '52500,3000')
    pictures.slots('08-both-time', 'Step 08, both', '08_double_buffer/both',
                   'sgemm_double_buffer', '32,16', 256,
                   '50000,3000')
    pictures.slots('09-hand-time', 'Step 09, hand_16x8', '09_reuse_sass/hand_16x8',
                   'sgemm_reuse_sass', '132', 256,
                   '20000,3000', '--shared', '64512')
    pictures.slots('10-x_major-time',
                   'Step 10, x_major',
                   '10_block_order/x_major',
                   'sgemm_block_order', '256', 256, '161500,13500', '--shared', '49664')
    pictures.example()


if __name__ == '__main__':
    command.run(main)
