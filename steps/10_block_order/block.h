// Threads per block and memory accesses for the kernels of step 10 and of library/shapes.
//
//   -DWARPS_M -DWARPS_N    numbers of warps along M and along N
//   -DWARPS_K              groups of warps, each with its part of the block's K; default: 1
//   -DMIN_BLOCKS           blocks that must fit on an SM
#include <cuda_pipeline.h> // groups of cp.async: __pipeline_commit(), __pipeline_wait_prior()

#ifndef WARPS_K
#define WARPS_K 1
#endif

#define THREADS (32 * WARPS_M * WARPS_N * WARPS_K)

#if __CUDA_ARCH__ == 750 && MIN_BLOCKS * THREADS > 1024 // threads that fit on an SM of sm_75
#undef MIN_BLOCKS
#define MIN_BLOCKS (1024 / THREADS)
#endif

// Returns true if every row of the matrix starts at a 16-byte aligned address.
static inline __device__ bool aligned16(const float *matrix, int ld) {
    return (size_t)matrix % 16 == 0 && ld % 4 == 0;
}

// C = alpha * sum + beta * C for one element. Does not read C if beta is 0.
static __device__ __forceinline__ void store1(float *c, float sum, float alpha, float beta) {
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// Starts a copy of `floats` floats (1 or 4) from global to shared memory. Writes zeros if not
// `valid`.
static __device__ __forceinline__ void copy_async(float *to, const float *from, int floats,
                                                  bool valid) {
#if __CUDA_ARCH__ >= 800
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    int bytes = valid ? 4 * floats : 0;
    if (floats == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
#else // no cp.async before sm_80: copies through registers
    for (int i = 0; i < floats; i++) to[i] = valid ? from[i] : 0.0f;
#endif
}
