// For kernels whose lanes stand side by side along K, narrow.h and staged.h: each lane has sums of its own over every 32nd k, for all
// of its warp's TM x BN elements; at the end they are summed across lanes.

#define B_STRIDE (BN == 4 ? 4 : BN + 4) // of B's rows in shared memory: eight lanes, a float4 each, meet in no bank

// acc += a * b for the warp's rows and the tile's `cols` columns, one k a lane. Four columns at a time; those of which none
// is inside are left out.
static __device__ __forceinline__ void multiply_step(float acc[TM][BN], const float a[TM], const float *bs, int cols) {
#pragma unroll
    for (int j = 0; j < BN; j += 4) {
        if (j > 0 && j >= cols) break;
        float4 b = *(const float4 *)&bs[j];
#pragma unroll
        for (int i = 0; i < TM; i++) {
            acc[i][j + 0] += a[i] * b.x, acc[i][j + 1] += a[i] * b.y;
            acc[i][j + 2] += a[i] * b.z, acc[i][j + 3] += a[i] * b.w;
        }
    }
}

// Two lanes whose numbers differ in `bit` share the first 2 * half sums between them: each gives half of its own away, and adds
// what it gets to the other half.
static __device__ __forceinline__ void share_sums(float *sums, int half, int bit) {
    bool upper = threadIdx.x & bit;
#pragma unroll
    for (int i = 0; i < half; i++) {
        float low = sums[i], high = sums[i + half];
        sums[i] = (upper ? high : low) + __shfl_xor_sync(0xffffffff, upper ? low : high, bit);
    }
}

// Sums of the warp's elements across its 32 lanes, always in the same order. Lane l is left with ELEMENTS of them, from the
// l * ELEMENTS-th on, in sums[0 ..].
static __device__ __forceinline__ void sum_lanes(float sums[TM * BN]) {
    share_sums(sums, TM * BN / 2, 16);
    share_sums(sums, TM * BN / 4, 8);
    share_sums(sums, TM * BN / 8, 4);
    share_sums(sums, TM * BN / 16, 2);
    share_sums(sums, TM * BN / 32, 1);
}
