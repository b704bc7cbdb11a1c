// Split K: several blocks compute a tile of C, each over its part of K. A tree sums the parts.
//
//   -DSLOTS=n    workspace for the partial sums of n blocks; 0: K is not split

// Returns where part `part` begins if `length` is cut into `parts` parts. length * part / parts
// would need 64 bits. Such a division is a function call, and calls cost registers.
static __device__ int begin_of(int length, unsigned part, unsigned parts) {
    return (int)((unsigned)length / parts * part + min((unsigned)length % parts, part));
}

#define ELEMENTS ((BM * BN + THREADS - 1) / THREADS) // elements of C per thread

#if SLOTS > 0
// Up to FAN blocks meet at a node of the tree. The last block to arrive adds up their sums in the
// order of the parts, so the result does not depend on which block is last. No block waits.
// Requires: no other launch uses these arrays at the same time.
#define FAN    8
#define LEVELS 4 // up to FAN^LEVELS parts

// How many sums of a node's members (blocks) are loaded from L2 at once; registers limit it. If it
// is FAN, the loop over members has FAN iterations and skips missing ones: in a loop over the
// existing members alone, the compiler would not overlap the last loads.
enum { AT_ONCE = ELEMENTS <= 8 ? FAN : ELEMENTS <= 32 ? 2 : 1 };

// Element i of all threads is a row of floats. Storing four elements at a time would force the
// accumulators into aligned quads of registers. The elements of B are in such quads, too, so every
// FFMA would have a register-bank conflict (build/sass lint shows it).
static __device__ float partial[SLOTS][ELEMENTS][THREADS];
static __device__ unsigned arrived[LEVELS][SLOTS]; // blocks at a node; zero between launches

// Returns true in the last of `count` blocks that call it for this counter. This block sees earlier
// writes of the others: the barriers order a block's writes before thread 0's release, and thread
// 0's acquire before the block's reads. __threadfence() would take longer, as it orders all
// accesses of every thread of the block.
static __device__ bool is_last(unsigned *counter, unsigned count) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" // wraps from count - 1 to 0
                     : "=r"(before)
                     : "l"(counter), "r"(count - 1)
                     : "memory");
        last = before == count - 1;
    }
    __syncthreads();
    return last;
}

// In one of a tile's `parts` blocks, sets acc to the sum of all parts and returns true. Returns
// false in the other blocks. The slots of the parts are `tiles` apart.
static __device__ __forceinline__ bool sum_parts(float *acc, unsigned tile, unsigned tiles,
                                                 unsigned part, unsigned parts) {
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
            for (int i = 0; i < ELEMENTS; i++) // __ldcg reads L2: L1 may be stale
                acc[i] += member < members ? __ldcg(&from[i * THREADS]) : 0.0f;
        }
        part = first;
    }
    return true;
}
#else
static __device__ bool sum_parts(float *acc, unsigned tile, unsigned tiles, unsigned part,
                                 unsigned parts) {
    return true;
}
#endif
