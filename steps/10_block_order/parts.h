// Split K: several blocks compute a tile of C, each over its part of K. A tree sums the parts.
//
//   -DSLOTS=n    workspace for the partial sums of n blocks; 0: K is not split

// Returns where part `part` begins if `length` is cut into `parts` parts. A 64-bit division would
// be a function call, and a kernel with calls gets a worse register allocation.
static __device__ int begin_of(int length, unsigned part, unsigned parts) {
    return (int)((unsigned)length / parts * part + min((unsigned)length % parts, part));
}

#define ELEMENTS ((BM * BN + THREADS - 1) / THREADS) // elements of C per thread

#if SLOTS > 0
// Up to FAN blocks meet at a node of the tree. The last one to arrive sums for all, in the order of
// their parts, so the sum does not depend on which one is last. No block waits.
// Requires: no other launch uses these arrays at the same time.
#define FAN    8
#define LEVELS 4 // up to FAN^LEVELS parts

// Number of members of a node whose sums are loaded from L2 at once; registers limit it. If it is
// FAN, the loop always has FAN iterations and skips missing members, because the compiler would not
// overlap the last loads of a loop over the existing members.
enum { AT_ONCE = ELEMENTS <= 8 ? FAN : ELEMENTS <= 32 ? 2 : 1 };

// Each element is a row of THREADS floats. Storing four elements at a time would force the
// accumulators into aligned quads of registers, in the banks of b's quads, and every FFMA would
// have a register-bank conflict (build/sass lint shows it).
static __device__ float partial[SLOTS][ELEMENTS][THREADS];
static __device__ unsigned arrived[LEVELS][SLOTS]; // zero between launches

// Returns true in the last of `count` blocks to call it for this counter. The other blocks' earlier
// writes are then visible: the barriers order the block's writes before thread 0's release, and its
// acquire before the block's reads. __threadfence() would take longer, as it orders all accesses of
// every thread of the block.
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

// Sets acc to the sum of `parts` parts of a tile, whose slots are `tiles` apart, in one block.
// Returns false in the other blocks.
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
