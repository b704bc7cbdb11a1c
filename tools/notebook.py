#!/usr/bin/env python3
"""Writes docs/colab.ipynb, the course's notebook: the cells below, without outputs.

    tools/notebook.py [FILE]
"""
import json
import sys

MARKDOWN, CODE = 'markdown', 'code'
CELLS = [
    (MARKDOWN, '''# SGEMM, step by step: the first lesson in a notebook

On Google Colab, first choose Runtime > Change runtime type > T4 GPU. Without a GPU every cell runs
on the simulator instead, which executes the same machine code. This notebook was run completely on
the simulator only; it was never run on Colab itself.

The cell below takes the course's sources and builds one lesson, not all. `SGEMM_REPO` is the
address to clone; inside a clone it is not needed.'''),
    (CODE, '''import os, subprocess, time

start = time.time()
if not os.path.exists('run_all.sh') and os.path.exists('../run_all.sh'):
    os.chdir('..')
if not os.path.exists('run_all.sh'):
    repo = os.environ.get('SGEMM_REPO') or input('address of the course to clone: ')
    subprocess.run(['git', 'clone', '-q', '--depth', '1', repo, 'sgemm'], check=True)
    os.chdir('sgemm')

def run(command):
    """Runs a shell command, prints what it says, and stops the notebook where it fails."""
    done = subprocess.run(['bash', '-c', command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    done.check_returncode()

gpu = subprocess.run(['bash', '-c', 'nvidia-smi --query-gpu=compute_cap --format=csv,noheader'],
                     capture_output=True, text=True)
on_gpu = gpu.returncode == 0
arch = 'sm_' + gpu.stdout.split()[0].replace('.', '') if on_gpu else 'sm_90'
where = '' if on_gpu else '--backend sim'
size = 4096 if on_gpu else 256
print(f'kernels for {arch},',
      'measured on this GPU' if on_gpu else 'no GPU here: counted by the simulator')
run(f'make -j$(nproc) ARCH="{arch}" build/01_naive build/simrun build/sass > build.log 2>&1 || '
    '{ tail -n 20 build.log; exit 1; }')
print(f'built in {time.time() - start:.0f} s')'''),
    (MARKDOWN, '''## Lesson 01

Two kernels compute the same products, one element of C per thread. They differ only in which thread
has which element. **Predict:** a warp's load touches sectors of 32 bytes. How many does it touch if
neighbouring threads read neighbouring floats, and how many if they read floats a row apart?'''),
    (CODE, '''run(f'build/01_naive {where} --size {size} --baseline off')
run('build/01_naive --backend sim --check off --size 256 --counters counts.csv' +
    (f' --arch {arch}' if on_gpu else ''))
print(f'{time.time() - start:.0f} s since the start')'''),
    (MARKDOWN, '## A chart\n\nSectors per request of global loads, as the simulator counted them.'),
    (CODE, '''import csv
from IPython.display import SVG, display

counts = {}
for row in csv.DictReader(open('counts.csv')):
    counts.setdefault(row['variant'], {})[row['counter']] = float(row['value'])
load = 'l1tex__t_{}_pipe_lsu_mem_global_op_ld.sum'
sectors = {name: c[load.format('sectors')] / c[load.format('requests')]
           for name, c in counts.items()}
bars = ''
for i, (name, value) in enumerate(sectors.items()):
    y, width = 10 + 34 * i, 400 * value / max(sectors.values())
    bars += (f'<rect x="120" y="{y}" width="{width:.0f}" height="24" fill="#4477aa"/>'
             f'<text x="112" y="{y + 17}" text-anchor="end">{name}</text>'
             f'<text x="{126 + width:.0f}" y="{y + 17}">{value:.1f}</text>')
display(SVG('<svg xmlns="http://www.w3.org/2000/svg" width="600" font-family="sans-serif" '
            f'font-size="14" height="{34 * len(sectors) + 16}">{bars}</svg>'))
print(sectors)'''),
    (MARKDOWN, '''## An exercise

The cell prints the task and puts the files to edit into `my/`. Write your prediction into
`my/01a_lanes_4x8/prediction` and your kernel into `my/01a_lanes_4x8/kernel.cu` (the file browser on
the left opens both), then run the last cell of this section. It checks them.'''),
    (CODE, '''run('make --no-print-directory exercise EX=01a')'''),
    (CODE, '''check = subprocess.run(['make', '--no-print-directory', 'exercise', 'EX=01a'],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(check.stdout)  # a prediction that is still empty is refused'''),
    (MARKDOWN, '''## Your own kernel

A transpose, written to a file by this cell. Change it and run the cells again. **Predict:** how
many wavefronts does the read of `tile[x][y]` take, and how many with `tile[32][33]`?'''),
    (CODE, '''%%writefile transpose.cu
// out = in transposed, both n x n, n a multiple of 32; a block of 32 x 32 threads moves one tile.
extern "C" __global__ void transpose(int n, const float *in, float *out) {
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}'''),
    (CODE, '''run(f\'\'\'"$(tools/nvcc.sh)" -arch={arch} -cubin -lineinfo -o transpose.cubin \\\\
    transpose.cu
build/simrun transpose.cubin --entry transpose --grid 4,4 --block 32,32 --arg i32:128 \\\\
    --arg 'f32[16384]:random:1' --arg 'f32[16384]:zero' --per-line\'\'\')'''),
    (MARKDOWN, '''## Counters

Nsight Compute needs a right that Colab does not give (ERR_NVGPUCTRPERM). `make profile` then counts
on the simulator; so does the cell below, for this lesson alone.'''),
    (CODE, '''for name, c in counts.items():
    print(name, f"{c['smsp__inst_executed.sum']:.0f} warp instructions,",
          f"{c[load.format('sectors')]:.0f} sectors loaded")
print(f'{time.time() - start:.0f} s since the start')'''),
    (MARKDOWN, '''## Further

`build/01_naive --help` lists the options. The lessons are in `steps/`; `make build/07_z_order`
builds another one, and `sasskit/docs/own_kernel.md` says what else the simulator shows of a kernel
of yours.'''),
]


def notebook():
    cells = []
    for number, (kind, text) in enumerate(CELLS):
        cell = {'cell_type': kind, 'id': f'cell-{number:02}', 'metadata': {},
                'source': text.splitlines(keepends=True)}
        if kind == CODE:
            cell.update(execution_count=None, outputs=[])
        cells.append(cell)
    return {
        'cells': cells,
        'metadata': {
            'accelerator': 'GPU',
            'colab': {'gpuType': 'T4', 'provenance': []},
            'kernelspec': {'display_name': 'Python 3', 'language': 'python', 'name': 'python3'},
            'language_info': {'name': 'python'},
        },
        'nbformat': 4,
        'nbformat_minor': 5,
    }


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else 'docs/colab.ipynb'
    with open(file, 'w', encoding='utf-8') as out:
        json.dump(notebook(), out, indent=1, ensure_ascii=False)
        out.write('\n')


main()
