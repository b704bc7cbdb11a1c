// Wrappers of wgmma for the kernels of this folder: multiply() starts one without waiting for it,
// tile() makes the descriptor of the matrix at `p`, and pin() keeps reads of `d` after the WAIT.
#ifndef VERDICTS_STAGES_H
#define VERDICTS_STAGES_H
#include "mbarrier.h"

static __device__ void multiply(float d[4], unsigned long long a) {
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, 1, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a));
}
#define WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
static __device__ unsigned long long tile(const void *p) {
    return 16ull << 32 | 8ull << 16 | (at(p) & 0x3ffff) / 16;
}
static __device__ void pin(float d[4]) {
    asm volatile("" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
}

#endif
