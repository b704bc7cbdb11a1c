// Correct kernels in the styles of libraries: hand-offs by flags and tickets, look-back, queues,
// 128-bit exchanges, textures, FP8 tiles. Most of them check their results.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

#define CHECK(x) \
    if (!(x)) __trap()

// A scan by decoupled look-back: each block's status and value are one 64-bit word.
// run: --grid 12 --block 64 --arg u64[12]:zero --arg i32[768]:zero --races global
extern "C" __global__ void scan_that_looks_back(unsigned long long *state, int *out) {
    __shared__ int sums[2], before;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = 1 + threadIdx.x % 3;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, sum, d);
        if (lane >= d) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    if (warp == 1) sum += sums[0];
    if (threadIdx.x == 63) {
        enum : unsigned { PARTIAL = 1, WHOLE = 2 };
        if (blockIdx.x > 0) atomicExch(&state[blockIdx.x], (unsigned long long)PARTIAL << 32 | (unsigned)sum);
        int prefix = 0;
        for (int b = (int)blockIdx.x - 1; b >= 0; b--) {
            unsigned long long word;
            while ((word = *(volatile unsigned long long *)&state[b]) == 0) continue;
            prefix += (int)word;
            if (word >> 32 == WHOLE) break;
        }
        atomicExch(&state[blockIdx.x], (unsigned long long)WHOLE << 32 | (unsigned)(prefix + sum));
        before = prefix;
    }
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = before + sum;
    int right = 127 * blockIdx.x;
    for (int t = 0; t <= threadIdx.x; t++) right += 1 + t % 3;
    CHECK(before + sum == right);
}

// A ticket lock: lock[0] is the next free ticket, lock[1] the ticket that may enter.
// run: --grid 6 --block 32 --arg u32[2]:zero --arg i32[1]:zero --races global
extern "C" __global__ void lock_of_tickets(unsigned *lock, int *data) {
    if (threadIdx.x != 0) return;
    const unsigned mine = atomicAdd(&lock[0], 1);
    while (*(volatile unsigned *)&lock[1] != mine) continue;
    __threadfence();
    const int before = *(volatile int *)data;
    *(volatile int *)data = before + 1;
    CHECK(before == (int)mine);
    __threadfence();
    atomicAdd(&lock[1], 1);
}

// Each block takes a lock three times. The words that the lock guards are volatile.
// run: --grid 4 --block 32 --arg i32[1]:zero --arg i32[2]:zero --races global
extern "C" __global__ void lock_around_volatile_words(int *lock, volatile int *data) {
    if (threadIdx.x != 0) return;
    for (int k = 0; k < 3; k++) {
        while (atomicCAS(lock, 0, 1)) continue;
        __threadfence();
        CHECK(data[1] == 2 * data[0]);
        data[0] = data[0] + 1;
        data[1] = data[1] + 2;
        __threadfence();
        atomicExch(lock, 0);
    }
}

// Queues between blocks: even blocks produce and odd blocks consume, with one flag per slot.
// run: --grid 4 --block 64 --arg i32[8]:zero --arg i32[512]:zero
extern "C" __global__ void queue_between_blocks(int *full, int *slots) {
    const int pair = blockIdx.x / 2;
    for (int k = 0; k < 4; k++) {
        int *slot = slots + (pair * 4 + k) * 64;
        if (blockIdx.x % 2 == 0) {
            slot[threadIdx.x] = 1000 * k + threadIdx.x;
            __syncthreads();
            if (threadIdx.x == 0) __threadfence(), atomicExch(&full[pair * 4 + k], 1);
        } else {
            if (threadIdx.x == 0) {
                while (atomicAdd(&full[pair * 4 + k], 0) == 0) continue;
                __threadfence();
            }
            __syncthreads();
            CHECK(slot[63 - threadIdx.x] == 1000 * k + 63 - (int)threadIdx.x);
        }
    }
}

// The last block sums all blocks' parts, which are volatile, as in the toolkit's example.
// run: --grid 5 --block 64 --arg u32[1]:zero --arg i32[5]:zero --races global
extern "C" __global__ void last_block_sums(unsigned *count, volatile int *part) {
    __shared__ bool last;
    const int sum = __syncthreads_count(threadIdx.x % 2) + (int)blockIdx.x;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    int all = 0;
    for (int b = 0; b < (int)gridDim.x; b++) all += part[b];
    CHECK(all == 32 * 5 + 10);
}

// A grid barrier whose counter counts up and is never reset.
// run: --grid 3 --block 64 --arg u32[1]:zero --arg i32[192]:zero
extern "C" __global__ void grid_barrier_that_counts_up(unsigned *arrived, int *data) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    for (int round = 1; round <= 4; round++) {
        const int from = data[(i + 64) % 192];
        __syncthreads();
        for (int half = 0; half < 2; half++) {
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                atomicAdd(arrived, 1);
                while (*(volatile unsigned *)arrived < gridDim.x * (2 * (round - 1) + half + 1)) continue;
                __threadfence();
            }
            __syncthreads();
            if (half == 0) data[i] = from + 1;
        }
        CHECK(from == round - 1);
    }
}

// A ring of three stages that cp.async fills. Empty groups at the end let __pipeline_wait_prior(1)
// wait for the last copies.
// run: --grid 2 --block 64 --shared 3072 --arg i32[2048]:random:1 --arg i32[2048]:zero
extern "C" __global__ void ring_in_dynamic_memory(const int *in, int *out) {
    extern __shared__ __align__(16) int stage[];
    const int *from = in + blockIdx.x * 1024;
    int fetched = 0;
    for (; fetched < 2; fetched++) {
        for (int i = threadIdx.x; i < 64; i += 64)
            __pipeline_memcpy_async(&stage[fetched * 256 + 4 * i], &from[fetched * 256 % 1024 + 4 * i], 16);
        __pipeline_commit();
    }
    for (int k = 0; k < 4; k++, fetched++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (fetched < 4)
            __pipeline_memcpy_async(&stage[fetched % 3 * 256 + 4 * threadIdx.x], &from[fetched * 256 + 4 * threadIdx.x],
                                    16);
        __pipeline_commit();
        for (int i = threadIdx.x; i < 256; i += 64) {
            CHECK(stage[k % 3 * 256 + 255 - i] == from[k * 256 + 255 - i]);
            out[blockIdx.x * 1024 + k * 256 + i] = stage[k % 3 * 256 + 255 - i];
        }
    }
}

// A tile of FP8 values with one scale per row. Among them are 0 and the largest magnitude, 448.
// run: --grid 1 --block 128 --arg f32[128]:zero
extern "C" __global__ void rows_to_fp8_and_back(float *out) {
    __shared__ __nv_fp8_e4m3 tile[4][32];
    const int row = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float value = (lane - 16) * (row + 1) * 3.5f;
    float most = fabsf(value);
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    tile[row][lane] = __nv_fp8_e4m3(value / most * 448.0f);
    __syncwarp();
    const float back = float(tile[row][31 - lane]) / 448.0f * most, wanted = (31 - lane - 16) * (row + 1) * 3.5f;
    CHECK(fabsf(back - wanted) <= fabsf(wanted) / 16 + most / 448 / 512);
    CHECK(lane != 15 || back == 0);
    out[threadIdx.x] = back;
}

// Warps hand over work in shared memory by a volatile count and __threadfence_block().
// run: --grid 1 --block 64 --arg i32[256]:zero
extern "C" __global__ void warps_hand_over_by_a_count(int *out) {
    __shared__ int data[8][32];
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 8; k++) {
            data[k][threadIdx.x] = k * 32 + threadIdx.x;
            __threadfence_block();
            __syncwarp();
            if (threadIdx.x == 0) ready = k + 1;
        }
    } else {
        const int lane = threadIdx.x - 32;
        for (int k = 0; k < 8; k++) {
            while (ready <= k) continue;
            __threadfence_block();
            __syncwarp();
            CHECK(data[k][31 - lane] == k * 32 + 31 - lane);
            out[k * 32 + lane] = data[k][31 - lane];
        }
    }
}

// 128-bit compare-and-swap and exchange keep the two 64-bit words of a pair consistent.
// run: --grid 4 --block 32 --arg u64[4]:zero
extern "C" __global__ void pairs_that_change_together(ulonglong2 *word) {
#if __CUDA_ARCH__ >= 900
    struct __align__(16) two {
        unsigned long long count, sum;
    };
    two *p = (two *)word, old = {0, 0};
    for (;;) {
        const two next = {old.count + 1, old.sum + old.count};
        const two found = atomicCAS(p, old, next);
        if (found.count == old.count && found.sum == old.sum) break;
        old = found;
    }
    CHECK(old.sum == old.count * (old.count - 1) / 2 || old.count == 0);
    const two mark = {threadIdx.x, ~(unsigned long long)threadIdx.x}, before = atomicExch(p + 1, mark);
    CHECK(before.sum == ~before.count || (before.sum == 0 && before.count == 0));
#endif
}

// A texture with one channel. Each thread adds its neighbours; beyond the ends they are zero.
// run: --grid 1 --block 64 --arg tex1:i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void texture_of_single_values(cudaTextureObject_t values, int *out) {
    const int i = threadIdx.x;
    out[i] = tex1Dfetch<int>(values, i - 1) + tex1Dfetch<int>(values, i + 1);
}

// Each half of a block finds its minimum: by shuffles within a warp, then by atomicMin().
// run: --grid 2 --block 128 --arg i32[256]:zero
extern "C" __global__ void minimum_of_each_tile(int *out) {
    __shared__ int least[2];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int mine = (threadIdx.x * 37 + blockIdx.x) % 101;
    int best = mine;
    for (int d = tile.size() / 2; d > 0; d /= 2) best = min(best, tile.shfl_xor(best, d));
    if (threadIdx.x < 2) least[threadIdx.x] = 1000;
    __syncthreads();
    if (tile.thread_rank() == 0) atomicMin(&least[tile.meta_group_rank() / 2], best);
    __syncthreads();
    CHECK(least[threadIdx.x / 64] <= mine);
    out[blockIdx.x * 128 + threadIdx.x] = least[threadIdx.x / 64];
}

// Producers and consumers share a ring of slots. Each slot's counter says whose turn it is. With -G
// the loads that poll are in called functions.
// run: --grid 6 --block 32 --arg u32[4]:zero --arg i32[4]:zero --arg u32[2]:zero --arg i32[1]:zero --races global
extern "C" __global__ void queue_of_turns(unsigned *turn, int *slot, unsigned *ends, int *sum) {
    enum { SLOTS = 4 };
    using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
    if (threadIdx.x != 0) return;
    const bool produces = blockIdx.x % 2 == 0;
    for (int k = 0; k < 5; k++) {
        const unsigned at = atomicAdd(&ends[produces], 1), mine = at / SLOTS * 2 + !produces;
        word now(turn[at % SLOTS]);
        while (now.load(cuda::memory_order_acquire) != mine) continue;
        if (produces)
            slot[at % SLOTS] = blockIdx.x + k;
        else
            atomicAdd(sum, slot[at % SLOTS]);
        now.store(mine + 1, cuda::memory_order_release);
    }
}
