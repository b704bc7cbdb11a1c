// Faults that people ask about in forums, in new kernels. The report must name the cause.

// `continue` skips the second barrier, so the next round overwrites the mask while warps read it.
// run: --grid 1 --block 128 --arg i32:8 --arg i32[1024]:random:1 --arg i32[128]:nan
// says: race barrier-not-passed @ for (int i = 0; i < 128; i++) any |= m[i] == 7;
extern "C" __global__ void asked_skipped_barrier(int tiles, const int *mask, int *out) {
    __shared__ int m[128];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < tiles; k++) {
        m[t] = mask[k * 128 + t] & 255;
        __syncthreads();
        int any = 0;
        for (int i = 0; i < 128; i++) any |= m[i] == 7;
        if (!any) continue;
        sum += m[127 - t];
        __syncthreads();
    }
    out[t] = sum;
}

// __syncthreads() is used as if it were a barrier of the grid.
// run: --races global --grid 4 --block 64 --arg i32:256 --arg f32[256]:random:1 --arg f32[256]:nan --arg f32[1]:nan
// says: global-race blocks-not-ordered @ if (i < n) r2[i] = r[i] * r[i];
extern "C" __global__ void asked_barrier_of_the_grid(int n, const float *r, float *r2, float *norm) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) r2[i] = r[i] * r[i];
    __syncthreads();
    if (i == 0) {
        float s = 0;
        for (int k = 0; k < n; k++) s += r2[k];
        *norm = sqrtf(s);
    }
}

// The right halo is stored at the wrong place: t + 64 in place of t + 67.
// run: --grid 4 --block 64 --arg i32:256 --arg f32[256]:random:1 --arg f32[256]:nan
// says: race stores-overlap @ s[t + 3] = in[i];
extern "C" __global__ void asked_halo_in_the_wrong_place(int n, const float *in, float *out) {
    __shared__ float s[64 + 6];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t + 3] = in[i];
    if (t < 3) {
        s[t] = i >= 3 ? in[i - 3] : 0;
        s[t + 64] = i + 64 < n ? in[i + 64] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -3; k <= 3; k++) sum += s[t + 3 + k];
    out[i] = sum;
}

// The kernel stores a second half, out[n] to out[2 n - 1], that the buffer does not have.
// run: --grid 2 --block 64 --arg i32:100 --arg f32[100]:random:1 --arg f32[100]:nan
// says: address wrong-buffer @ if (i < n) out[i + n] = 2 * in[i];
extern "C" __global__ void asked_second_half(int n, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i + n] = 2 * in[i];
}

// Only the threads inside the matrix reach the barrier.
// run: --grid 2 --block 64 --arg i32:100 --arg f32[100]:random:1 --arg f32[100]:nan
// warns: barrier barrier-in-branches @ __syncthreads();
extern "C" __global__ void asked_barrier_behind_a_break(int n, const float *in, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    for (int round = 0; round < 3; round++) {
        if (i >= n) break;
        s[t] = in[i] + round;
        __syncthreads();
        if (round == 2)
            out[i] = s[t ^ 1];
        else
            __syncthreads();
    }
    __syncthreads();
    if (t == 0 && i < n) out[i] += s[0];
}

// A histogram in device memory without atomics.
// run: --races global --grid 2 --block 128 --arg i32:1024 --arg u8[1024]:random:1 --arg i32[256]:zero
// says: global-race adds-in-place @ for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) bins[in[i]]++;
extern "C" __global__ void asked_histogram(int n, const unsigned char *in, int *bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) bins[in[i]]++;
}

// A lock is taken and released without fences.
// run: --races global --grid 8 --block 1 --arg i32[1]:zero --arg f32[1]:zero --arg f32[8]:random:1
// says: global-race flag-without-fence @ *sum += in[blockIdx.x];
extern "C" __global__ void asked_lock_without_fence(int *lock, float *sum, const float *in) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += in[blockIdx.x];
    *(volatile int *)lock = 0;
}

// An in-place grid-stride loop steps by the block's threads in place of the grid's.
// run: --races global --grid 4 --block 64 --arg i32:512 --arg f32[512]:random:1
// says: global-race blocks-overlap @ for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) x[i] = x[i] * 2 + 1;
extern "C" __global__ void asked_step_of_a_block(int n, float *x) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) x[i] = x[i] * 2 + 1;
}

// Smoothing in place: threads overwrite elements that their neighbours read.
// run: --races global --grid 2 --block 64 --arg i32:128 --arg f32[128]:random:1
// says: global-race read-and-write @ if (i > 0 && i < n - 1) x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
extern "C" __global__ void asked_smoothing_in_place(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
}

// The store's index is threadIdx.x, so all blocks store to the same elements.
// run: --grid 4 --block 64 --arg f32[256]:random:1 --arg f32[256]:nan
// says: global-race blocks-overlap @ out[threadIdx.x] = in[i] * in[i];
extern "C" __global__ void asked_thread_index(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[threadIdx.x] = in[i] * in[i];
}

// An unsigned counter is compared as if it could be negative.
// run: --grid 1 --block 32 --arg i32:32 --arg f32[1024]:random:1 --arg f32[32]:nan
// says: endless loop-never-ends @ for (unsigned k = n - 1; k >= 0; k--) s = s * 0.5f + in[k * n + threadIdx.x];
extern "C" __global__ void asked_unsigned_countdown(int n, const float *in, float *out) {
    float s = 0;
    for (unsigned k = n - 1; k >= 0; k--) s = s * 0.5f + in[k * n + threadIdx.x];
    out[threadIdx.x] = s;
}

// Blocks read what other blocks write. With this much memory simrun does not check such races.
// run: --grid 4 --block 64 --arg f32[1100000]:random:1 --arg f32[256]:nan --arg f32[4]:nan
// says: uninitialized read-too-early @ for (int k = 0; k < 256; k++) s += r2[k];
extern "C" __global__ void asked_sum_of_all_blocks(const float *r, float *r2, float *sum) {
    r2[blockIdx.x * 64 + threadIdx.x] = r[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    float s = 0;
    if (threadIdx.x == 0) {
        for (int k = 0; k < 256; k++) s += r2[k];
        sum[blockIdx.x] = s;
    }
}

// The condition checks i, but the store uses i + 1.
// run: --grid 4 --block 32 --arg i32:100 --arg f32[100]:random:1 --arg f32[100]:zero
// says: address index-too-large @ if (i < n) out[i + 1] = in[i];
extern "C" __global__ void asked_index_beyond_the_condition(int n, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i + 1] = in[i];
}
