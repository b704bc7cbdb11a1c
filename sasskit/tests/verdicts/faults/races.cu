// Races in shared memory. The comment above each kernel names what is missing or wrong.
#include <cooperative_groups.h>

// A barrier is missing between the writes and other warps' reads.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void race_read_after_write(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// A barrier is missing between the reads and the writes that follow.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ const int v = s[63 - threadIdx.x];
extern "C" __global__ void race_write_after_read(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int v = s[63 - threadIdx.x];
    s[threadIdx.x] = v + 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// Two warps write different values to one word.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race same-element @ s[threadIdx.x & 31] = threadIdx.x;
extern "C" __global__ void race_write_after_write(int *out) {
    __shared__ int s[32];
    s[threadIdx.x & 31] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x & 31];
}
// Two warps write different values to one byte.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race same-element @ s[threadIdx.x & 31] = (unsigned char)threadIdx.x;
extern "C" __global__ void race_of_bytes(int *out) {
    __shared__ unsigned char s[64];
    s[threadIdx.x & 31] = (unsigned char)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x & 31];
}
// One warp writes a byte, and another reads the word that contains it.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race missing-barrier @ ((volatile unsigned char *)s)[threadIdx.x * 4 + 2] = 9;
extern "C" __global__ void race_word_over_byte(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        ((volatile unsigned char *)s)[threadIdx.x * 4 + 2] = 9;
    else
        out[threadIdx.x] = ((volatile int *)s)[threadIdx.x - 32];
}
// A wide read includes an element that a neighbour writes.
// run: --grid 1 --block 64 --arg f32[256]:zero
// says: race missing-barrier @ ((float *)s)[threadIdx.x * 4 + 2] = ((float *)s)[threadIdx.x * 4 + 3] = 2;
extern "C" __global__ void race_wide_read(float4 *out) {
    __shared__ float4 s[64];
    ((float *)s)[threadIdx.x * 4] = ((float *)s)[threadIdx.x * 4 + 1] = 1;
    ((float *)s)[threadIdx.x * 4 + 2] = ((float *)s)[threadIdx.x * 4 + 3] = 2;
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}
// The last steps of a sum assume that a warp runs in lockstep.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ v[threadIdx.x] += v[threadIdx.x + 16];
extern "C" __global__ void race_of_lanes_sum(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int *v = s;
        v[threadIdx.x] += v[threadIdx.x + 32];
        v[threadIdx.x] += v[threadIdx.x + 16];
        v[threadIdx.x] += v[threadIdx.x + 8];
        v[threadIdx.x] += v[threadIdx.x + 4];
        v[threadIdx.x] += v[threadIdx.x + 2];
        v[threadIdx.x] += v[threadIdx.x + 1];
    }
    if (threadIdx.x == 0) out[0] = s[0];
}
// A lane reads what another lane of its warp wrote.
// run: --grid 1 --block 32 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ out[threadIdx.x] = s[threadIdx.x ^ 1];
extern "C" __global__ void race_of_lanes_read(const int *in, int *out) {
    __shared__ volatile int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
// A lane overwrites what another lane of its warp has read.
// run: --grid 1 --block 32 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ s[threadIdx.x] = v * 3;
extern "C" __global__ void race_of_lanes_overwrite(const int *in, int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    const int v = s[threadIdx.x ^ 1];
    s[threadIdx.x] = v * 3;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x];
}
// Lanes of one instruction write different values to one word.
// run: --grid 1 --block 32 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race same-element @ s[threadIdx.x & 7] = in[threadIdx.x];
extern "C" __global__ void race_of_lanes_one_store(const int *in, int *out) {
    __shared__ int s[8];
    s[threadIdx.x & 7] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x & 7];
}
// Lanes on one side of a branch write what lanes on the other side read.
// run: --grid 1 --block 32 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ out[threadIdx.x] = s[threadIdx.x + 1] % (in[threadIdx.x] | 3);
extern "C" __global__ void race_of_lanes_two_sides(const int *in, int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    __syncwarp();
    if (threadIdx.x & 1) {
        s[threadIdx.x] = in[threadIdx.x] / (in[threadIdx.x ^ 3] | 1);
    } else {
        out[threadIdx.x] = s[threadIdx.x + 1] % (in[threadIdx.x] | 3);
    }
}
// One warp counts by atomics, and another reads the counter by a plain load.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race missing-barrier @ out[threadIdx.x] = count;
extern "C" __global__ void race_atomic_and_read(int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (threadIdx.x >= 32)
        atomicAdd(&count, 1);
    else
        out[threadIdx.x] = count;
}
// The counter is cleared by a plain store, without a barrier before the atomics.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race missing-barrier @ atomicAdd(&count, (int)threadIdx.x);
extern "C" __global__ void race_atomic_and_write(int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    atomicAdd(&count, (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = count;
}
// The counter is read right after the atomics, without a barrier for all warps.
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race missing-barrier @ atomicAdd(&count, (int)threadIdx.x);
extern "C" __global__ void race_read_of_counter(int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, (int)threadIdx.x);
    out[threadIdx.x] = count;
}
// The unordered write is through a generic pointer.
// run: --grid 1 --block 64 --arg i32:1 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ to[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void race_generic_write(int which, const int *in, int *out) {
    __shared__ int s[64];
    int *to = which ? s : out;
    to[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// The unordered read is through a generic pointer.
// run: --grid 1 --block 64 --arg i32:1 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void race_generic_read(int which, const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    const int *from = which ? s : in;
    out[threadIdx.x] = from[63 - threadIdx.x];
}
// The barrier is before the loop, but each iteration needs one.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
extern "C" __global__ void race_barrier_out_of_loop(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int k = 32; k > 0; k /= 2)
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    if (threadIdx.x == 0) out[0] = s[0];
}
// There are two buffers, but all iterations use the first.
// run: --grid 1 --block 64 --arg f32[640]:random:1 --arg f32[64]:zero
// says: race missing-barrier @ s[0][threadIdx.x] = in[t * 64 + threadIdx.x];
extern "C" __global__ void race_wrong_buffer(const float *in, float *out) {
    __shared__ float s[2][64];
    float sum = 0;
    s[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int t = 1; t < 10; t++) {
        s[0][threadIdx.x] = in[t * 64 + threadIdx.x];
        sum += s[0][63 - threadIdx.x] + (t > 20 ? s[1][threadIdx.x] : 0);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
// The kernel has __syncwarp() where the whole block must synchronise.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void race_only_syncwarp(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// A fence orders accesses, but does not wait for other warps.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void race_only_fence(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __threadfence_block();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ out[t] = s[t ^ 15] - 1;
extern "C" __global__ void race_of_lanes_of_a_half(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    if (lane < 16) {
        s[t] = in[t];
        out[t] = s[t ^ 15] + 1;
    } else {
        s[t] = in[t] * 2;
        __syncwarp(0xffff0000);
        out[t] = s[t ^ 15] - 1;
    }
}
// The halves of a warp synchronise separately, then exchange values.
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race missing-syncwarp @ out[threadIdx.x] = s[threadIdx.x ^ 16];
extern "C" __global__ void race_of_synchronised_halves(const int *in, int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
    out[threadIdx.x] = s[threadIdx.x ^ 16];
}
// A lane of a tile of 8 reads from the next tile.
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race missing-syncwarp @ out[threadIdx.x] = s[(threadIdx.x + 1) % 32];
extern "C" __global__ void race_between_tiles(const int *in, int *out) {
    __shared__ int s[32];
    const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[(threadIdx.x + 1) % 32];
}
// A tile overwrites what another tile has read.
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race missing-syncwarp @ s[threadIdx.x] = v + 1;
extern "C" __global__ void race_write_after_read_of_another_tile(const int *in, int *out) {
    __shared__ int s[32];
    const auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    const int v = s[threadIdx.x ^ 16];
    tile.sync();
    s[threadIdx.x] = v + 1;
    tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
// Tiles of two warps lack a tile.sync() between the first read of `s` and the second write to
// `s`.
// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[128]:zero
// says: race missing-barrier @ const int v = s[other];
extern "C" __global__ void race_in_tile_of_64(const int *in, int *out) {
    __shared__ int s[128];
    const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
    const int other = threadIdx.x / 64 * 64 + 63 - tile.thread_rank();
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    const int v = s[other];
    s[threadIdx.x] = v + 1;
    tile.sync();
    out[threadIdx.x] = s[other];
}
// Lanes 0 and 16 synchronise the halves too early, before the stores that the other half reads.
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race missing-syncwarp @ out[lane] = s[31 - lane];
extern "C" __global__ void race_over_lanes_that_met_too_early(const int *in, int *out) {
    __shared__ int s[32];
    const int lane = threadIdx.x;
    if (lane == 0 || lane == 16) __syncwarp(0x00010001u);
    s[lane] = in[lane];
    __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
    out[lane] = s[31 - lane];
}
// Lanes overwrite, through a generic pointer, what other lanes have read.
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero --arg i32:0
// says: race missing-syncwarp @ p[threadIdx.x] = v + 1;
extern "C" __global__ void race_of_lanes_in_any_space(const int *in, int *out, int which) {
    __shared__ int s[32];
    int *p = which ? out : s;
    p[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    const int v = p[threadIdx.x ^ 1];
    p[threadIdx.x] = v + 1;
    __syncwarp();
    out[threadIdx.x] = p[threadIdx.x];
}
