// Votes, aggregated atomics and reductions of a warp. nvcc compiles them to VOTEU, UFLO, POPC,
// REDUX and MATCH a few cycles apart. `run:` is explained in ../list.awk.

// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero
extern "C" __global__ void votes_add_one(const int *in, int *out) {
    if (in[blockIdx.x * 96 + threadIdx.x] > 0) atomicAdd(out, 1);
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero
extern "C" __global__ void votes_add_value(const int *in, int *out) {
    atomicAdd(out + 1, in[blockIdx.x * 96 + threadIdx.x]);
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero
extern "C" __global__ void votes_max(const int *in, int *out) {
    atomicMax(out, in[blockIdx.x * 96 + threadIdx.x]);
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero
extern "C" __global__ void votes_min_unsigned(const int *in, int *out) {
    atomicMin((unsigned *)out, (unsigned)in[blockIdx.x * 96 + threadIdx.x]);
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero
extern "C" __global__ void votes_or_and_xor(const int *in, int *out) {
    const int v = in[blockIdx.x * 96 + threadIdx.x];
    atomicOr(out, v);
    atomicAnd(out + 1, v);
    atomicXor(out + 2, v);
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero --arg i32[4096]:zero
extern "C" __global__ void votes_queue(const int *in, int *tail, int *queue) {
    const int v = in[blockIdx.x * 96 + threadIdx.x];
    if (v % 3 == 0) queue[atomicAdd(tail, 1)] = v;
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_ballot_rank(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, in[i] & 1);
    out[i] = __popc(mask & ((1u << (threadIdx.x & 31)) - 1)) + __ffs(mask) + __clz(mask);
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_all_any(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    int value = in[i];
    if (__any_sync(0xffffffff, value < -2000000000)) value += 1;
    if (__all_sync(0xffffffff, value != 7)) value ^= 3;
    out[i] = value;
}
#if __CUDA_ARCH__ >= 800
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_redux(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    const unsigned v = (unsigned)in[i] * 5u + 1u;
    const unsigned shifted = v >> (threadIdx.x & 7);
    out[i] = (int)(__reduce_add_sync(0xffffffff, v) + __reduce_max_sync(0xffffffff, shifted) +
                   __reduce_and_sync(0xffffffff, v | 1) + __reduce_or_sync(0xffffffff, shifted) +
                   __reduce_xor_sync(0xffffffff, v));
}
#endif
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_match_any(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    const unsigned peers = __match_any_sync(0xffffffff, in[i] & 3);
    out[i] = __popc(peers) + (int)(__ffs(peers) - 1 == (int)(threadIdx.x & 31));
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_match_all(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    int same;
    const unsigned mask = __match_all_sync(0xffffffff, in[i] & 0, &same);
    out[i] = (int)mask + same;
}
#if __CUDA_ARCH__ >= 800
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_match_then_redux(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    const int key = in[i] & 1;
    const unsigned peers = __match_any_sync(0xffffffff, key);
    out[i] = key ? (int)__reduce_add_sync(peers, (unsigned)in[i] & 255u)
                 : (int)__reduce_max_sync(peers, (unsigned)in[i] & 255u);
}
#endif
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[4096]:zero
extern "C" __global__ void votes_leader_of_active(const int *in, int *out) {
    const int i = blockIdx.x * 96 + threadIdx.x;
    if (in[i] > 0) {
        const unsigned mask = __activemask();
        const int leader = __ffs(mask) - 1;
        int ticket = 0;
        if ((int)(threadIdx.x & 31) == leader) ticket = atomicAdd(out, __popc(mask));
        ticket = __shfl_sync(mask, ticket, leader);
        out[100 + ticket + __popc(mask & ((1u << (threadIdx.x & 31)) - 1))] = in[i];
    }
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i32[64]:zero
extern "C" __global__ void votes_shared_counter(const int *in, int *out) {
    __shared__ unsigned count, wrapped;
    if (threadIdx.x == 0) count = wrapped = 0;
    __syncthreads();
    if (in[blockIdx.x * 96 + threadIdx.x] > 0) atomicAdd(&count, 1u);
    atomicInc(&wrapped, 10u);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out + blockIdx.x, (int)(count + wrapped));
}
// run: --grid 2 --block 96 --arg i32[4096]:random:1 --arg i64[64]:zero
extern "C" __global__ void votes_add_long(const int *in, unsigned long long *out) {
    atomicAdd(out, (unsigned long long)in[blockIdx.x * 96 + threadIdx.x]);
    atomicMax(out + 1, (unsigned long long)threadIdx.x * 77);
}

// nvcc knows the mask, so it emits no WARPSYNC. Lanes 2 and 3 read lanes outside the mask, but
// these undefined values are not used.
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void votes_neighbours_of_a_few(const float *in, float *out) {
    float v = in[threadIdx.x];
    if (threadIdx.x < 4) {
        v += __shfl_down_sync(0xf, v, 2);
        v += __shfl_down_sync(0xf, v, 1);
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x % 4 ? 0 : v;
}

// Only lanes 0 to 7 run the second sum. Lanes 4 to 7 read inactive lanes, whose undefined values
// never reach lane 0.
// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[8]:zero
extern "C" __global__ void votes_sum_of_eight_warps(const float *in, float *out) {
    __shared__ float sums[8];
    float v = in[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 8) {
        v = sums[threadIdx.x];
        for (int o = 4; o; o >>= 1) v += __shfl_down_sync(0xff, v, o);
        if (threadIdx.x == 0) out[0] = v;
        if (threadIdx.x > 0) out[threadIdx.x] = sums[threadIdx.x];
    }
}
// run: --grid 1 --block 8 --arg f32[8]:random:1 --arg f32[1]:zero
extern "C" __global__ void votes_sum_of_a_small_block(const float *in, float *out) {
    float v = in[threadIdx.x];
    for (int o = 4; o; o >>= 1) v += __shfl_down_sync(0xff, v, o);
    if (threadIdx.x == 0) *out = v;
}

// Each warp computes the mean of its threads' numbers. The last warp has only four lanes and does
// not use the values of absent lanes.
// run: --grid 1 --block 100 --arg f32[100]:random:1 --arg f32[4]:zero
extern "C" __global__ void votes_means_of_parts(const float *in, float *out) {
    float mean = in[threadIdx.x];
    int n = 1;
    const unsigned active = __ballot_sync(__activemask(), true);
    for (int d = 1, lane = threadIdx.x % 32; d < 32; d *= 2) {
        const float other = __shfl_down_sync(active, mean, d);
        const int k = __shfl_down_sync(active, n, d);
        if (lane + d < __popc(active) && lane % (2 * d) == 0) {
            mean += __fdividef((other - mean) * k, n + k);
            n += k;
        }
    }
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = mean;
}
