// Split K: several blocks share a tile of C, each sums over its part of K, and the parts are summed as a tree.
//
//   -DSLOTS=n    workspace for the partial sums of n blocks; 0: K is not split

// Where part `part` begins when `length` is cut into `parts`. (A 64-bit division would be a call, and a kernel with calls gets
// its registers worse.)
static __device__ int begin_of(int length, unsigned part, unsigned parts) {
    return (int)((unsigned)length / parts * part + min((unsigned)length % parts, part));
}

#define ELEMENTS ((BM * BN + THREADS - 1) / THREADS) // of C, a thread

#if SLOTS > 0
// A tile's parts are summed as a tree of FAN branches. Of the blocks that meet at a branch, the last one to arrive sums for
// all, in the order of their parts: who comes last changes from run to run, the sum does not. Nobody waits. Two launches at a
// time must not share these arrays.
#define FAN    8
#define LEVELS 4 // FAN^LEVELS parts

// Members of a branch whose sums are on their way from L2 at a time: as registers allow. Where all of a branch are, missing ones are
// skipped one by one: a loop over those that are there would wait for each of its last ones.
enum { AT_ONCE = ELEMENTS <= 8 ? FAN : ELEMENTS <= 32 ? 2 : 1 };

// Element by element, each a row of threads: four at a time would fix the accumulators' registers to quads, in the banks of b's
// quads, and every FFMA would wait for the register file (build/sass lint shows it).
static __device__ float partial[SLOTS][ELEMENTS][THREADS];
static __device__ unsigned arrived[LEVELS][SLOTS]; // zero between launches

// True in the last of `count` blocks to call it for this counter. What they wrote before is visible to it then: the barriers order the
// block's writes before thread 0's release, and its acquire before what the block reads. (__threadfence() would wait for more: it
// orders the whole of memory, for every thread of the block.)
static __device__ bool is_last(unsigned *counter, unsigned count) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" // count - 1 is followed by 0
                     : "=r"(before)
                     : "l"(counter), "r"(count - 1)
                     : "memory");
        last = before == count - 1;
    }
    __syncthreads();
    return last;
}

// acc becomes the sum over `parts` parts of a tile, whose slots are `tiles` apart. False in the blocks that are done.
static __device__ __forceinline__ bool sum_parts(float *acc, unsigned tile, unsigned tiles, unsigned part,
                                                 unsigned parts) {
    unsigned stride = 1;
    for (int level = 0; stride < parts; level++, stride *= FAN) {
        unsigned first = part / (stride * FAN) * (stride * FAN);
        unsigned members = min((parts - first + stride - 1) / stride, FAN);
        float *slot = &partial[tile + part * tiles][0][threadIdx.x];
#pragma unroll
        for (int i = 0; i < ELEMENTS; i++) slot[i * THREADS] = acc[i];
        if (!is_last(&arrived[level][tile + first * tiles], members)) return false;
#pragma unroll
        for (int i = 0; i < ELEMENTS; i++) acc[i] = 0.0f;
#pragma unroll AT_ONCE
        for (unsigned member = 0; member < (AT_ONCE == FAN ? FAN : members); member++) {
            const float *from = &partial[tile + (first + member * stride) * tiles][0][threadIdx.x];
#pragma unroll
            for (int i = 0; i < ELEMENTS; i++) // from L2: L1 may be stale
                acc[i] += member < members ? __ldcg(&from[i * THREADS]) : 0.0f;
        }
        part = first;
    }
    return true;
}
#else
static __device__ bool sum_parts(float *acc, unsigned tile, unsigned tiles, unsigned part, unsigned parts) {
    return true;
}
#endif
