// Blocks that wait for each other, which is correct if all of them fit on the GPU at once.

// run: --grid 24 --block 64 --arg i32[24]:random:1 --arg i32[24]:zero --arg i32[4]:zero
extern "C" __global__ void blocks_grid_barrier(const int *in, int *out, int *count) {
    __shared__ int sum;
    if (threadIdx.x == 0) {
        out[blockIdx.x] = in[blockIdx.x] & 255;
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile int *)count < (int)gridDim.x) {
        }
        __threadfence();
        sum = 0;
        for (int b = 0; b < (int)gridDim.x; b++) sum += ((volatile int *)out)[b];
    }
    __syncthreads();
    if (threadIdx.x == 1) count[1 + blockIdx.x % 3] = sum;
}
// run: --grid 16 --block 64 --arg i32[1024]:random:1 --arg i32[1024]:zero --arg i32[64]:zero
extern "C" __global__ void blocks_look_back(const int *in, int *out, int *state) {
    // state[2 b] is 1 when state[2 b + 1] holds the sum of blocks 0 to b.
    __shared__ int before, total;
    if (threadIdx.x == 0) {
        total = 0;
        for (int i = 0; i < 64; i++) total += in[blockIdx.x * 64 + i] & 15;
        before = 0;
        if (blockIdx.x > 0) {
            while (atomicAdd(&state[2 * blockIdx.x - 2], 0) == 0) {
            }
            __threadfence();
            before = ((volatile int *)state)[2 * blockIdx.x - 1];
        }
        ((volatile int *)state)[2 * blockIdx.x + 1] = before + total;
        __threadfence();
        atomicExch(&state[2 * blockIdx.x], 1);
    }
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = before + (int)threadIdx.x;
}
// run: --grid 8 --block 32 --arg i32[8]:zero --arg i32[8]:zero
extern "C" __global__ void blocks_wait_for_the_next(int *flag, int *out) {
    // Block b waits for block b + 1, so the last block finishes first.
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0) __nanosleep(100);
        out[blockIdx.x] = 1;
        __threadfence();
        atomicExch(&flag[blockIdx.x], 1);
    }
}
// run: --grid 12 --block 128 --arg f32[1536]:random:1 --arg f32[16]:zero --arg i32[1]:zero
extern "C" __global__ void blocks_last_one_adds(const float *in, float *part, int *count) {
    __shared__ float s[128];
    __shared__ bool last;
    s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(count, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < (int)gridDim.x; b++) sum += ((volatile float *)part)[b];
        part[15] = sum;
    }
}
// run: --grid 8 --block 32 --arg i32[1]:zero --arg i32[1]:zero
extern "C" __global__ void blocks_spin_lock(int *lock, int *value) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *(volatile int *)value = *(volatile int *)value + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
// run: --grid 2 --block 64 --arg i32[1]:zero --arg i32[1]:zero
extern "C" __global__ void blocks_lock_by_each_lane(int *lock, int *value) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)value = *(volatile int *)value + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
// run: --grid 4 --block 32 --arg i32[1]:zero --arg i32[64]:zero
extern "C" __global__ void blocks_work_queue(int *next, int *out) {
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(next, 1);
        __syncthreads();
        const int mine = item;
        __syncthreads();
        if (mine >= 20) return;
        if (threadIdx.x == 0) out[mine] = mine * mine;
    }
}
