// Device memory: races between blocks and between warps (simrun --races global), and reads of
// memory that was never written. `run:` and `says:` are explained in ../list.awk.

// run: --races global --grid 4 --block 64 --arg f32[64]:zero --arg f32[256]:random:1
// says: global-race adds-in-place @ sum[threadIdx.x] += in[blockIdx.x * 64 + threadIdx.x];
extern "C" __global__ void global_sum_without_atomic(float *sum, const float *in) {
    sum[threadIdx.x] += in[blockIdx.x * 64 + threadIdx.x];
}

// run: --races global --grid 2 --block 64 --arg i32[64]:zero
// says: global-race blocks-overlap @ out[threadIdx.x] = blockIdx.x;
extern "C" __global__ void global_two_blocks_write(int *out) {
    out[threadIdx.x] = blockIdx.x;
}

// Each block but the last reads the next block's first element, which that block overwrites.
// run: --races global --grid 4 --block 64 --arg f32[257]:random:1
// says: global-race blocks-not-ordered @ a[i] = next;
extern "C" __global__ void global_stencil_in_place(float *a) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float next = a[i + 1];
    __syncthreads();
    a[i] = next;
}

// run: --races global --grid 1 --block 64 --arg i32[64]:zero
// says: global-race warps-not-ordered @ out[threadIdx.x] = threadIdx.x;
extern "C" __global__ void global_between_warps(int *out) {
    out[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] += out[63 - threadIdx.x];
}

// The last block sums the others' results, but no fence precedes the counter's atomic.
// run: --races global --grid 8 --block 64 --arg f32[8]:zero --arg u32[1]:zero --arg f32[512]:random:1
// says: global-race flag-without-fence @ for (int i = 0; i < gridDim.x; i++) sum += part[i];
extern "C" __global__ void global_last_block_no_fence(float *part, unsigned *count, const float *in) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x * 64];
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++) sum += part[i];
        part[0] = sum;
    }
}

// run: --races global --grid 4 --block 64 --arg u32[1]:zero --arg u32[64]:zero
// says: global-race adds-in-place @ if (threadIdx.x == 0) *count += 1;
extern "C" __global__ void global_atomic_and_plain(unsigned *count, unsigned *out) {
    atomicAdd(count, 1);
    out[threadIdx.x] = 0;
    if (threadIdx.x == 0) *count += 1;
}

// run: --races global --grid 2 --block 32 --arg u8[32]:zero
// says: global-race blocks-overlap @ out[threadIdx.x] = (unsigned char)(blockIdx.x + threadIdx.x);
extern "C" __global__ void global_bytes(unsigned char *out) {
    out[threadIdx.x] = (unsigned char)(blockIdx.x + threadIdx.x);
}

// run: --grid 1 --block 64 --arg f32[64]:nan
// says: uninitialized output-is-read @ out[threadIdx.x] += 1;
extern "C" __global__ void global_adds_to_unwritten(float *out) {
    out[threadIdx.x] += 1;
}

// run: --grid 1 --block 64 --arg f32[64]:nan --arg f32[1]:zero
// says: uninitialized output-is-read @ atomicAdd(sum, out[threadIdx.x]);
extern "C" __global__ void global_writes_half(float *out, float *sum) {
    if (threadIdx.x < 32) out[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(sum, out[threadIdx.x]);
}

// run: --grid 1 --block 64 --arg u32[1]:nan
// says: uninitialized output-is-read @ atomicAdd(count, threadIdx.x);
extern "C" __global__ void global_counter_not_cleared(unsigned *count) {
    atomicAdd(count, threadIdx.x);
}

// run: --grid 1 --block 64 --arg f32[64]:nan --arg f32[64]:zero
// says: uninitialized output-is-read @ asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
extern "C" __global__ void global_copies_unwritten(const float *in, float *out) {
    __shared__ __align__(16) float tile[64];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.wait_all;");
    out[threadIdx.x] = tile[threadIdx.x];
}

// Blocks set a flag that no block waits for. A volatile load of the sum does not replace this
// wait.
// run: --races global --grid 40 --block 32 --arg u32[1280]:random:2 --arg u32[1280]:zero --arg u32[40]:zero --arg u32[40]:zero
// says: global-race flag-without-fence @ for (int at = b - 1 - lane; at >= 0; at -= 32) before += *(volatile unsigned *)&sum[at];
extern "C" __global__ void global_flag_not_waited_for(const unsigned *in, unsigned *out, unsigned *sum,
                                                      unsigned *flag) {
    int lane = threadIdx.x, b = blockIdx.x;
    unsigned v = in[b * 32 + lane] & 15, before = 0, total = __reduce_add_sync(~0u, v);
    if (lane == 0) {
        sum[b] = total;
        __threadfence();
        atomicExch(&flag[b], 1);
    }
    for (int at = b - 1 - lane; at >= 0; at -= 32) before += *(volatile unsigned *)&sum[at];
    out[b * 32 + lane] = v + __reduce_add_sync(~0u, before);
}

// A race on a variable in device memory.
__device__ int exchanged[256];
// run: --races global --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[256]:zero
// says: global-race blocks-not-ordered @ exchanged[i] = in[i];
extern "C" __global__ void global_device_variable(const int *in, int *out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    exchanged[i] = in[i];
    __syncthreads();
    out[i] = exchanged[(i + 1) % 256];
}

// The flag is set before the volatile value that it announces is stored.
// run: --races global --grid 2 --block 32 --arg i32[1]:zero --arg f32[32]:zero --arg f32[32]:zero
// says: global-race flag-without-fence @ out[0] = value[0];
extern "C" __global__ void global_flag_before_its_value(volatile int *flag, volatile float *value, float *out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        *flag = 1;
        __threadfence();
        value[0] = 3;
    } else {
        while (!*flag) {
        }
        __threadfence();
        out[0] = value[0];
    }
}
// run: --races global --grid 1 --block 64 --arg i32[1]:zero --arg f32[32]:zero --arg f32[32]:zero
// says: global-race warps-not-ordered @ out[threadIdx.x - 32] = value[threadIdx.x - 32];
extern "C" __global__ void global_flag_before_its_values(volatile int *flag, volatile float *value, float *out) {
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) *flag = 1;
        __threadfence();
        value[threadIdx.x] = threadIdx.x;
    } else {
        while (!*flag) {
        }
        __threadfence();
        out[threadIdx.x - 32] = value[threadIdx.x - 32];
    }
}
