"""Compiles a Triton kernel to a cubin; needs no GPU (pip install triton; ARCH 90 by default).

    python3 softmax.py OUT.cubin [ARCH]
"""
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out, rows, columns, BLOCK: tl.constexpr):
    """Row `program_id` of `out` becomes the softmax of that row of `rows`."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(rows + row * columns + at, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=inside)


source = ASTSource(fn=softmax,
                   signature={
                       "out": "*fp32",
                       "rows": "*fp32",
                       "columns": "i32",
                       "BLOCK": "constexpr"
                   },
                   constexprs={"BLOCK": 1024})
arch = int(sys.argv[2]) if len(sys.argv) > 2 else 90
kernel = triton.compile(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": 4})
with open(sys.argv[1], "wb") as file:
    file.write(kernel.asm["cubin"])
print(
    f"{sys.argv[1]}: {kernel.metadata.name}, {kernel.metadata.num_warps * 32} threads, "
    f"{kernel.metadata.shared} bytes of shared memory"
)
