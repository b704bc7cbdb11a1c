// Device memory that blocks and warps share correctly. simrun --races global must find no race.
#include <cooperative_groups.h>
#include <cuda/atomic>

// run: --races global --grid 8 --block 64 --arg f32[8]:nan --arg u32[1]:zero --arg f32[512]:random:1
extern "C" __global__ void global_last_block(float *part, unsigned *count, const float *in) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x * 64];
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i];
        part[0] = sum;
    }
}

// run: --races global --grid 8 --block 64 --arg f32[512]:nan --arg f32[512]:random:1
extern "C" __global__ void global_grid_sync(float *out, const float *in) {
    auto grid = cooperative_groups::this_grid();
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i];
    grid.sync();
    float other = out[511 - i];
    grid.sync();
    out[i] += other;
}

// run: --races global --grid 4 --block 64 --arg i32[4]:zero --arg i32[256]:nan
extern "C" __global__ void global_flags(volatile int *flag, int *data) {
    int *mine = data + blockIdx.x * 64;
    mine[threadIdx.x] = blockIdx.x;
    __syncthreads();
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            while (!flag[blockIdx.x - 1]) {
            }
        __syncthreads();
        __threadfence();
        mine[threadIdx.x] += mine[(int)threadIdx.x - 64];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        __threadfence();
        flag[blockIdx.x] = 1;
    }
}

// run: --races global --grid 4 --block 64 --arg i32[5]:zero --arg i32[256]:nan
extern "C" __global__ void global_release_acquire(int *flag, int *data) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(flag[0]);
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) ready.store(1, cuda::memory_order_release);
    } else {
        while (!ready.load(cuda::memory_order_acquire)) {
        }
        data[blockIdx.x * 64 + threadIdx.x] = data[threadIdx.x];
    }
}

// run: --races global --grid 4 --block 64 --arg u32[16]:zero --arg u32[256]:random:1
extern "C" __global__ void global_histogram(unsigned *bins, const unsigned *in) {
    atomicAdd(&bins[in[blockIdx.x * 64 + threadIdx.x] & 15], 1);
}

// All threads store 1 to `done` and read in[0]. Neighbours write different bytes of one word.
// run: --races global --grid 4 --block 64 --arg u8[257]:nan --arg i32[1]:zero --arg i32[1]:random:1
// warns: unwritten-output gaps-in-output @ -
extern "C" __global__ void global_same_value(unsigned char *bytes, int *done, const int *in) {
    bytes[blockIdx.x * 64 + threadIdx.x + 1] = (unsigned char)(threadIdx.x + *in);
    *done = 1;
}

// Warps exchange through device memory between barriers. Each block uses its own part.
// run: --races global --grid 4 --block 128 --arg f32[512]:nan --arg f32[512]:random:1
extern "C" __global__ void global_barriers(float *out, const float *in) {
    float *mine = out + blockIdx.x * 128;
    mine[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    float x = mine[127 - threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = x;
}

// A load reads four floats. Only two of them were written, and only these two are used.
// run: --grid 1 --block 32 --arg f32[128]:nan --arg f32[32]:zero
// warns: unwritten-output gaps-in-output @ -
extern "C" __global__ void global_part_of_a_vector(float4 *tile, float *out) {
    tile[threadIdx.x].x = threadIdx.x;
    tile[threadIdx.x].y = 1;
    __syncwarp();
    float4 v = tile[threadIdx.x ^ 1];
    out[threadIdx.x] = v.x + v.y;
}

#if __CUDA_ARCH__ >= 800
// A look-back by a whole warp: each lane polls another block's flag.
// run: --races global --grid 40 --block 32 --arg u32[1280]:random:2 --arg u32[1280]:zero --arg u32[40]:zero --arg u32[40]:zero
extern "C" __global__ void global_look_back_of_a_warp(const unsigned *in, unsigned *out, unsigned *sum,
                                                      unsigned *flag) {
    int lane = threadIdx.x, b = blockIdx.x;
    unsigned v = in[b * 32 + lane] & 15, before = 0, total = __reduce_add_sync(~0u, v);
    if (lane == 0) {
        sum[b] = total;
        __threadfence();
        atomicExch(&flag[b], 1);
    }
    for (int at = b - 1 - lane; at >= 0; at -= 32) {
        while (*(volatile unsigned *)&flag[at] == 0) {
        }
        __threadfence();
        before += sum[at];
    }
    out[b * 32 + lane] = v + __reduce_add_sync(~0u, before);
}
#endif

// Blocks exchange data through device variables, ordered by a barrier in device memory.
__device__ int exchanged[256];
__device__ unsigned arrived;
__device__ volatile unsigned generation;
// run: --races global --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
extern "C" __global__ void global_device_variables(const int *in, int *out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    exchanged[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            __threadfence();
            generation = 1;
        }
        while (generation == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = exchanged[255 - i];
    if (out[i] != in[255 - i]) __trap();
}

// run: --races global --grid 2 --block 32 --arg i32[1]:zero --arg f32[32]:zero --arg f32[32]:zero
extern "C" __global__ void global_flag_behind_its_value(volatile int *flag, volatile float *value, float *out) {
    if (blockIdx.x == 0) {
        value[threadIdx.x] = threadIdx.x;
        __threadfence();
        __syncwarp();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        while (!*flag) {
        }
        __threadfence();
        out[threadIdx.x] = value[threadIdx.x];
    }
}
// Blocks read progress[1] while block 0 still sets it from 8 to 9. Either gives the same result.
// run: --races global --grid 3 --block 32 --arg i32[2]:zero --arg i32[3]:zero
extern "C" __global__ void global_progress_is_compared(volatile int *progress, int *out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        for (int i = 1; i <= 8; i++) progress[1] = i;
        __threadfence();
        progress[0] = 1;
        progress[1] = 9;
    } else {
        while (!progress[0]) {
        }
        out[blockIdx.x] = progress[1] >= 8;
    }
}
