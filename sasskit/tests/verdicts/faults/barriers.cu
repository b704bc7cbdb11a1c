// Barriers and shuffles that some threads do not reach; programs without end (syntax: ../list.awk).
// run: --grid 1 --block 96 --arg i32[96]:zero
// says: barrier divergent-barrier, 64 of 96 threads @ if (threadIdx.x < 64) asm volatile("barrier.sync 1, 96;" ::: "memory");
extern "C" __global__ void barrier_count_too_large(int *out) {
    if (threadIdx.x < 64) asm volatile("barrier.sync 1, 96;" ::: "memory");
    out[threadIdx.x] = 1;
}
// run: --grid 1 --block 96 --arg i32[96]:zero
// says: barrier barrier-counts, 96 of 64 threads @ asm volatile("barrier.sync 1, 96;" ::: "memory");
extern "C" __global__ void barrier_counts_differ(int *out) {
    if (threadIdx.x < 32)
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    else
        asm volatile("barrier.sync 1, 96;" ::: "memory");
    out[threadIdx.x] = 1;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ if (threadIdx.x < 16) v = __shfl_xor_sync(0xffffffff, v, 16);
extern "C" __global__ void shuffle_from_inactive_lanes(const int *in, int *out) {
    int v = in[threadIdx.x];
    if (threadIdx.x < 16) v = __shfl_xor_sync(0xffffffff, v, 16);
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
extern "C" __global__ void shuffle_after_return(const int *in, int *out) {
    if (threadIdx.x >= 24) return;
    int v = in[threadIdx.x];
    for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane lane-not-named @ __syncwarp(0x0000ffff);
extern "C" __global__ void syncwarp_not_in_its_own_mask(const int *in, int *out) {
    int v = in[threadIdx.x];
    if (threadIdx.x < 20) {
        __syncwarp(0x0000ffff);
        v += in[threadIdx.x ^ 1];
    }
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ __syncwarp(0x00ffffff);
extern "C" __global__ void syncwarp_names_lanes_elsewhere(const int *in, int *out) {
    int v = in[threadIdx.x];
    if (threadIdx.x < 16) {
        __syncwarp(0x00ffffff);
        v += in[threadIdx.x ^ 1];
    }
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ if (v > 0) v = __shfl_sync(active, v, (__ffs(~active) - 1) & 31);
extern "C" __global__ void shuffle_within_a_branch(const int *in, int *out) {
    int v = in[threadIdx.x];
    const unsigned active = __ballot_sync(0xffffffff, v > 0);
    if (v > 0) v = __shfl_sync(active, v, (__ffs(~active) - 1) & 31);
    out[threadIdx.x] = v;
}
// In the last warp 20 lanes have work. Lane 8 adds lane 24's value, but lane 24 has exited. Then
// lane 0 adds lane 8's sum.
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[2]:zero --arg i32:52
// says: lane absent-lane @ for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
extern "C" __global__ void shuffle_sum_after_return(const float *in, float *out, int n) {
    if ((int)threadIdx.x >= n) return;
    float v = in[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
// run: --grid 1 --block 20 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
extern "C" __global__ void shuffle_beyond_the_block(const int *in, int *out) {
    int v = in[threadIdx.x];
    for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: endless polls-for-ever @ while (flag[0] == 0) {
extern "C" __global__ void endless_wait_for_a_flag(volatile int *flag) {
    while (flag[0] == 0) {
    }
    flag[1] = 1;
}
// run: --grid 1 --block 32 --limit 100000 --arg u32:1 --arg i32[32]:zero
// says: endless loop-never-ends @ out[1] = (int)i;
extern "C" __global__ void endless_counter(unsigned step, volatile int *out) {
    unsigned i = 0;
    while (i != 7) {
        i += 2 * step;
        out[1] = (int)i;
    }
    out[0] = 1;
}
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: endless polls-for-ever @ while (atomicCAS(lock, 0, 1) != 0) {
extern "C" __global__ void endless_lock_taken_twice(int *lock) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        atomicExch(lock, 0);
    }
}
// run: --grid 200 --block 32 --shared 200000 --arg i32[4]:zero
// says: endless polls-for-ever, 132 of 200 blocks @ while (*(volatile int *)count < (int)gridDim.x) {
extern "C" __global__ void endless_grid_too_large(int *count) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (*(volatile int *)count < (int)gridDim.x) {
        }
    }
}
// run: --grid 2 --block 32 --arg i32[4]:zero
// says: endless polls-for-ever @ while (atomicAdd(&flag[1 - blockIdx.x], 0) == 0) {
extern "C" __global__ void endless_two_blocks_cross(int *flag) {
    if (threadIdx.x == 0) {
        while (atomicAdd(&flag[1 - blockIdx.x], 0) == 0) {
        }
        atomicExch(&flag[blockIdx.x], 1);
    }
}
