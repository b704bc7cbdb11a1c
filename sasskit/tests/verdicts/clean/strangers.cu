// Correct kernels like those of the toolkit's samples, public tutorials and libraries. Many look
// wrong at first sight. `run:` is explained in ../list.awk.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

// --- barriers after exits, and one barrier at two places in the code -----------------------------

// run: --grid 2 --block 16,16 --arg i32:20 --arg f32[400]:random:1 --arg f32[400]:random:2 --arg f32[400]:zero
extern "C" __global__ void stranger_return_outside_c(int n, const float *a, const float *b, float *c) {
    __shared__ float as[16][16], bs[16][16];
    int row = blockIdx.x * 16 + threadIdx.y, col = threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = 0; k < 16; k += 4) {
        as[threadIdx.y][threadIdx.x] = a[row * n + col];
        bs[threadIdx.y][threadIdx.x] = b[row * n + col];
        __syncthreads();
        sum += as[threadIdx.y][k] * bs[threadIdx.y][col];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
// run: --grid 1 --block 128 --arg i32:70 --arg i32[128]:random:1 --arg i32[128]:zero
extern "C" __global__ void stranger_warps_returned(int n, const int *in, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t >= n) return;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[n - 1 - t];
}
// run: --grid 1 --block 96 --arg i32[96]:random:1 --arg i32[96]:zero
extern "C" __global__ void stranger_leaves_while_others_wait(const int *in, int *out) {
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t >= 64) {
        for (int i = 0; i < 100; i++) s[t] = s[t] * 3 + 1;
        return;
    }
    __syncthreads();
    out[t] = s[63 - t];
}
// run: --grid 1 --block 64 --arg i32:3 --arg i32[64]:zero
extern "C" __global__ void stranger_uniform_trip_count(int n, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    for (int k = 0; k < n; k++) {
        __syncthreads();
        int v = s[(threadIdx.x + 1) & 63];
        __syncthreads();
        s[threadIdx.x] = v;
    }
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[2]:zero
extern "C" __global__ void stranger_syncthreads_or_after_return(const int *in, int *out) {
    if (threadIdx.x > 40) return;
    int any = __syncthreads_or(in[threadIdx.x] == 12345), n = __syncthreads_count(in[threadIdx.x] & 1);
    if (threadIdx.x == 0) out[0] = any, out[1] = n;
}
// run: --grid 1 --block 128 --arg f32[128]:random:1 --arg f32[1]:zero
extern "C" __global__ void stranger_reduce_by_shuffles(const float *in, float *out) {
    __shared__ float part[32];
    float v = in[threadIdx.x];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (!lane) part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0;
    if (warp == 0) {
        for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
        if (!lane) out[0] = v;
    }
}
// run: --grid 1 --block 50 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_block_of_fifty(const int *in, int *out) {
    __shared__ int s[50];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[49 - threadIdx.x];
}

// --- wide loads ----------------------------------------------------------------------------------

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[256]:zero
extern "C" __global__ void stranger_row_padding_loaded(const float *in, float *out) {
    __shared__ __align__(16) float s[16][8];
    int t = threadIdx.x;
    if (t < 16)
        for (int i = 0; i < 6; i++) s[t][i] = in[(t * 6 + i) & 63];
    __syncthreads();
    float4 hi = *reinterpret_cast<float4 *>(&s[t & 15][4]);
    out[t] = hi.x - hi.y;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_key_and_value(const int *in, int *out) {
    __shared__ int2 s[64];
    int t = threadIdx.x;
    s[t] = make_int2(in[t], t);
    __syncthreads();
    int2 v = s[t ^ 1];
    s[t].y = 7;
    out[t] = v.x;
}

// --- exchanges between lanes ---------------------------------------------------------------------

// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_scan_by_shuffles(const int *in, int *out) {
    int v = in[threadIdx.x];
    for (int o = 1; o < 32; o *= 2) {
        int u = __shfl_up_sync(~0u, v, o);
        if (threadIdx.x >= o) v += u;
    }
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_lower_half_only(const int *in, int *out) {
    int t = threadIdx.x, v = in[t];
    if (t < 16) {
        for (int o = 8; o; o /= 2) v += __shfl_down_sync(0xffff, v, o, 16);
        out[t] = t == 0 ? v : 0;
    } else {
        for (int o = 8; o; o /= 2) v += __shfl_xor_sync(0xffff0000, v, o, 16);
        out[t] = v;
    }
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_activemask_loop(const int *in, int *out) {
    int v = in[threadIdx.x] & 7;
    bool done = false;
    int rounds = 0;
    while (!done) {
        unsigned m = __activemask();
        int leader = __shfl_sync(m, v, __ffs(m) - 1);
        if (v == leader) {
            done = true;
            out[threadIdx.x] = leader * 100 + rounds;
        }
        rounds++;
    }
}
#if __CUDA_ARCH__ >= 800
// run: --grid 1 --block 40 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_mask_of_the_rest(const int *in, int *out) {
    unsigned mask = __ballot_sync(threadIdx.x < 32 ? ~0u : 0xff, true);
    int v = in[threadIdx.x];
    unsigned odd = __ballot_sync(mask, v & 1);
    v = __reduce_add_sync(mask, v & 15);
    out[threadIdx.x] = v + __popc(odd);
}
#endif
// run: --grid 1 --block 64 --arg i32:45 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_mask_before_the_guard(int n, const int *in, int *out) {
    unsigned mask = __ballot_sync(~0u, threadIdx.x < n);
    if (threadIdx.x < n) {
        int v = in[threadIdx.x];
        for (int o = 16; o; o /= 2) {
            int u = __shfl_down_sync(mask, v, o);
            if ((threadIdx.x & 31) + o < 32 && threadIdx.x + o < n) v += u;
        }
        if (!(threadIdx.x & 31)) out[threadIdx.x / 32] = v;
    }
}
#if __CUDA_ARCH__ >= 800
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_two_branches_two_masks(const int *in, int *out) {
    int t = threadIdx.x, v = in[t];
    if (t % 4 == 0)
        v = __any_sync(0x11111111, v > 0) + __match_any_sync(0x11111111, v & 3);
    else
        v = __all_sync(0xeeeeeeee, v > 0) + __reduce_max_sync(0xeeeeeeee, v);
    __syncwarp();
    out[t] = v;
}
#endif
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_returned_lanes_do_not_matter(const int *in, int *out) {
    int t = threadIdx.x;
    if (t >= 24) return;
    int v = in[t];
    __syncwarp(0xffffff);
    v += __shfl_xor_sync(0xffffff, v, 7);
    out[t] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_shuffle_and_guard_after(const int *in, int *out) {
    int t = threadIdx.x, v = in[t];
    int left = __shfl_up_sync(~0u, v, 1), right = __shfl_down_sync(~0u, v, 1);
    out[t] = (t ? left : 0) + (t < 31 ? right : 0);
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_syncwarps_of_two_sides(const int *in, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 16) {
        __syncwarp();
        out[t] = s[t + 16];
    } else {
        out[t] = in[t];
        __syncwarp();
        out[t] += s[t - 16];
    }
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void stranger_tile_of_eight(const float *in, float *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    float v = in[threadIdx.x];
    for (int o = tile.size() / 2; o; o /= 2) v += tile.shfl_down(v, o);
    if (tile.thread_rank() == 0) out[threadIdx.x / 8] = v;
}

// --- atomics -------------------------------------------------------------------------------------

// run: --grid 1 --block 64 --arg i32:0 --arg u64[64]:random:1 --arg u64[2]:zero
extern "C" __global__ void stranger_long_maximum_by_cas(int which, const unsigned long long *in,
                                                        unsigned long long *out) {
    __shared__ unsigned long long s[2];
    if (threadIdx.x < 2) s[threadIdx.x] = 0;
    __syncthreads();
    unsigned long long *at = which ? out : s, v = threadIdx.x * 0x100000001ull, old = *at;
    while (old < v) {
        unsigned long long seen = atomicCAS(at, old, v);
        if (seen == old) break;
        old = seen;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (s[0] != 63 * 0x100000001ull) __trap();
        out[0] = s[0];
    }
}
// run: --grid 1 --block 256 --arg i32[256]:zero
extern "C" __global__ void stranger_semaphore(int *out) {
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 4> slots;
    __shared__ int busy, most;
    if (threadIdx.x == 0) {
        new (&slots) cuda::counting_semaphore<cuda::thread_scope_block, 4>(4);
        busy = most = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) { // one lane per warp: several could block each other
        slots.acquire();
        atomicMax(&most, atomicAdd(&busy, 1) + 1);
        atomicSub(&busy, 1);
        slots.release();
    }
    __syncthreads();
    if (threadIdx.x == 0 && most > 4) __trap();
    out[threadIdx.x] = threadIdx.x;
}
// run: --grid 4 --block 64 --arg i32[256]:random:1 --arg i32[2]:zero
extern "C" __global__ void stranger_look_before_the_global_maximum(const int *in, int *out) {
    int v = in[blockIdx.x * 64 + threadIdx.x];
    if (v > *(volatile int *)out) atomicMax(out, v);
}
// run: --grid 4 --block 64 --arg f32[256]:random:1 --arg f32[2]:zero
extern "C" __global__ void stranger_float_maximum(const float *in, float *out) {
    float v = fabsf(in[blockIdx.x * 64 + threadIdx.x]);
    int *at = (int *)out, old = *at;
    while (__int_as_float(old) < v) {
        int seen = atomicCAS(at, old, __float_as_int(v));
        if (seen == old) break;
        old = seen;
    }
}
// run: --grid 2 --block 64 --arg u32[256]:zero --arg u8[128]:random:1
extern "C" __global__ void stranger_histogram256(unsigned *hist, const unsigned char *in) {
    __shared__ unsigned h[256];
    for (int i = threadIdx.x; i < 256; i += 64) h[i] = 0;
    __syncthreads();
    atomicAdd(&h[in[blockIdx.x * 64 + threadIdx.x]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 64)
        if (h[i]) atomicAdd(&hist[i], h[i]);
}
// run: --grid 1 --block 64 --arg i32[64]:zero
extern "C" __global__ void stranger_atomic_block_scope(int *out) {
    atomicAdd_block(&out[0], 1);
    __syncthreads();
    out[threadIdx.x + (threadIdx.x == 0)] = 1;
}
// run: --grid 2 --block 32 --races global --arg i32[64]:zero
extern "C" __global__ void stranger_atomic_block_scope_own_word(int *out) {
    atomicAdd_block(&out[blockIdx.x], 1);
}

// --- programs that end ---------------------------------------------------------------------------

// run: --grid 4 --block 32 --arg i32[4]:zero --arg i32[64]:zero
extern "C" __global__ void stranger_last_block_adds(int *count, int *out) {
    __shared__ bool last;
    out[blockIdx.x] = 3;
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 4; i++) sum += ((volatile int *)out)[i];
        out[8] = sum;
    }
}
// run: --grid 1 --block 32 --arg i32[64]:zero
extern "C" __global__ void stranger_waits_for_the_clock(int *out) {
    long long begin = clock64();
    while (clock64() - begin < 5000) {
    }
    out[threadIdx.x] = 1;
}
// run: --grid 1 --block 32 --arg i32:20000 --arg i32[64]:zero
extern "C" __global__ void stranger_long_loop(int n, int *out) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
// run: --grid 3 --block 32 --arg i32[4]:zero --arg i32[64]:zero
extern "C" __global__ void stranger_chain_of_blocks(int *flag, int *out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x > 0)
            while (atomicAdd(&flag[blockIdx.x - 1], 0) == 0) __nanosleep(20);
        out[blockIdx.x] = blockIdx.x ? *(volatile int *)&out[blockIdx.x - 1] + 1 : 1;
        __threadfence();
        atomicExch(&flag[blockIdx.x], 1);
    }
}

// --- registers that some paths leave unset -------------------------------------------------------

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_set_on_both_paths(const int *in, int *out) {
    int v;
    if (in[threadIdx.x] > 0)
        v = 3;
    else if (in[threadIdx.x] > -1000000)
        v = 4;
    else
        v = in[0];
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_set_where_it_is_used(const int *in, int *out) {
    int v, t = threadIdx.x;
    bool good = in[t] > 0;
    if (good) v = in[63 - t];
    for (int i = 0; i < 3; i++) __syncwarp();
    if (good) out[t] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_lowest_byte_of_a_word(const int *in, int *out) {
    unsigned char b[4];
    b[0] = (unsigned char)in[threadIdx.x];
    b[1] = 1;
    b[2] = 2;
    b[3] = 3;
    out[threadIdx.x] = *(int *)b;
}

// --- typical kernels -----------------------------------------------------------------------------

// run: --grid 2,2 --block 32,8 --arg f32[4096]:random:1 --arg f32[4096]:zero
extern "C" __global__ void stranger_transpose(const float *in, float *out) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * 64 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * 64 + x] = tile[threadIdx.x][threadIdx.y + j];
}
// run: --grid 2 --block 128 --arg f32[512]:random:1 --arg f32[2]:zero
extern "C" __global__ void stranger_reduction_six(const float *in, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float sum = in[i] + in[i + 128];
    s[t] = sum;
    __syncthreads();
    if (t < 64) s[t] = sum = sum + s[t + 64];
    __syncthreads();
    if (t < 32) {
        sum += s[t + 32];
        for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
    }
    if (t == 0) out[blockIdx.x] = sum;
}
// run: --grid 1 --block 64 --arg f32[128]:random:1 --arg f32[128]:zero
extern "C" __global__ void stranger_blelloch_scan(const float *in, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            float v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}
// run: --grid 1 --block 16,16 --arg f32[324]:random:1 --arg f32[256]:zero
extern "C" __global__ void stranger_stencil_with_halo(const float *in, float *out) {
    __shared__ float s[18][18];
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 324; i += 256) s[i / 18][i % 18] = in[i];
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    out[threadIdx.y * 16 + threadIdx.x] = s[y][x] - 0.25f * (s[y - 1][x] + s[y + 1][x] + s[y][x - 1] + s[y][x + 1]);
}
// run: --grid 4 --block 32 --arg f32[128]:random:1 --arg f32[128]:zero
extern "C" __global__ void stranger_softmax_row(const float *in, float *out) {
    float v = in[blockIdx.x * 32 + threadIdx.x], m = v, e, s;
    for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    s = e = expf(v - m);
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    out[blockIdx.x * 32 + threadIdx.x] = e / s;
}
// run: --grid 2 --block 64 --arg f32[128]:random:1 --arg f32[128]:random:2 --arg f32[4]:zero
extern "C" __global__ void stranger_dot_product(const float *a, const float *b, float *out) {
    __shared__ float cache[64];
    float v = a[blockIdx.x * 64 + threadIdx.x] * b[blockIdx.x * 64 + threadIdx.x];
    cache[threadIdx.x] = v;
    __syncthreads();
    for (int i = 32; i; i /= 2) {
        if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = cache[0];
}
__constant__ float stranger_taps[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
// run: --grid 2 --block 64 --arg f32[136]:random:1 --arg f32[128]:zero
extern "C" __global__ void stranger_convolution(const float *in, float *out) {
    __shared__ float s[72];
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = in[i];
    if (threadIdx.x < 8) s[64 + threadIdx.x] = in[i + 64];
    __syncthreads();
    float v = 0;
    for (int k = 0; k < 9; k++) v += stranger_taps[k] * s[threadIdx.x + k];
    out[i] = v;
}
// run: --grid 2 --block 64 --arg f32[128]:random:1 --arg f32[2]:random:2 --arg u32[2]:zero --arg f32[2]:zero
extern "C" __global__ void stranger_threadfence_reduction(const float *in, volatile float *part, unsigned *count,
                                                          float *out) {
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int o = 32; o; o /= 2) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) out[0] = part[0] + part[1], *count = 0;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero --arg i32[2]:zero
extern "C" __global__ void stranger_stream_compaction(const int *in, int *out, int *n) {
    __shared__ int base;
    if (threadIdx.x == 0) base = 0;
    __syncthreads();
    int v = in[threadIdx.x];
    bool keep = v > 0;
    unsigned b = __ballot_sync(~0u, keep);
    int lane = threadIdx.x & 31, at = 0;
    if (lane == 0) at = atomicAdd(&base, __popc(b));
    at = __shfl_sync(~0u, at, 0) + __popc(b & ((1u << lane) - 1));
    if (keep) out[at] = v;
    __syncthreads();
    if (threadIdx.x == 0) *n = base;
}
// run: --grid 1 --block 64 --arg f16[128]:random:1 --arg f16[128]:zero
extern "C" __global__ void stranger_half2_axpy(const __half2 *x, __half2 *y) {
    y[threadIdx.x] = __hfma2(__float2half2_rn(2.0f), x[threadIdx.x], y[threadIdx.x]);
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
extern "C" __global__ void stranger_barrier_of_libcu(const float *in, float *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float s[64];
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    bar.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_block_reduce_of_a_coalesced_group(const int *in, int *out) {
    int v = in[threadIdx.x];
    if (v & 1) {
        auto g = cg::coalesced_threads();
        int sum = v & 255;
        for (int o = 1; o < g.size(); o *= 2) {
            int u = g.shfl_up(sum, o);
            if (g.thread_rank() >= o) sum += u;
        }
        out[threadIdx.x] = sum;
    }
}
struct __align__(16) Pixel {
    float r, g, b;
};
// run: --grid 1 --block 64 --arg f32[256]:random:1 --arg f32[256]:zero
// warns: of 13.0: uninitialized never-stored @ out[t] = s[63 - t];
extern "C" __global__ void stranger_copy_of_a_padded_structure(const float *in, Pixel *out) {
    __shared__ Pixel s[64];
    int t = threadIdx.x;
    s[t].r = in[3 * t];
    s[t].g = in[3 * t + 1];
    s[t].b = in[3 * t + 2];
    __syncthreads();
    out[t] = s[63 - t];
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
extern "C" __global__ void stranger_merge_path(const int *in, int *out) {
    int t = threadIdx.x, low = 0, high = 16, key = in[t];
    while (low < high) {
        int mid = (low + high) / 2;
        if (in[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    out[t] = low;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_named_barriers_of_halves(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x, half = t / 32;
    s[t] = in[t];
    asm volatile("bar.sync %0, 32;" ::"r"(half + 1) : "memory");
    out[t] = s[half * 32 + (31 - t % 32)];
}
// run: --grid 1 --block 1,1,64 --arg i32[64]:zero
extern "C" __global__ void stranger_deep_block(int *out) {
    out[threadIdx.z] = threadIdx.z;
}
// run: --grid 1 --block 33 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_lane_of_its_own_warp(const int *in, int *out) {
    unsigned mask = __activemask();
    int v = in[threadIdx.x];
    v += __shfl_sync(mask, v, 0);
    out[threadIdx.x] = v + __popc(__ballot_sync(mask, v > 0));
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_float_to_int_ways(const float *in, int *out) {
    float v = in[threadIdx.x] * 100;
    out[threadIdx.x] = (int)v + __float2int_rn(v) * 3 + (int)(long long)(double)v;
}
// run: --grid 1 --block 256 --arg f32[64]:random:1 --arg f32[64]:random:2 --arg f32[16384]:zero
extern "C" __global__ void stranger_microtile(const float *a, const float *b, float *c) {
    __shared__ __align__(16) float as[64], bs[64];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    if (t < 64)
        as[t] = a[t];
    else if (t < 128)
        bs[t - 64] = b[t - 64];
    __syncthreads();
    float4 p = *(float4 *)&as[4 * y], q = *(float4 *)&bs[4 * x];
    *(float4 *)&c[(4 * y) * 64 + 4 * x] = make_float4(p.x * q.x, p.x * q.y, p.x * q.z, p.x * q.w);
    *(float4 *)&c[(4 * y + 1) * 64 + 4 * x] = make_float4(p.y * q.x, p.y * q.y, p.y * q.z, p.y * q.w);
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void stranger_bucket_by_match(const int *in, int *out) {
    __shared__ int n[8];
    if (threadIdx.x < 8) n[threadIdx.x] = 0;
    __syncthreads();
    int k = in[threadIdx.x] & 7;
    unsigned peers = __match_any_sync(~0u, k);
    if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&n[k], __popc(peers));
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = n[threadIdx.x];
}

// All lanes of a warp store the same value to one element.
// run: --grid 4 --block 32 --arg f32[128]:random:1 --arg f32[4]:nan
extern "C" __global__ void stranger_all_lanes_store_the_sum(const float *x, float *y) {
    float s = x[blockIdx.x * 32 + threadIdx.x];
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    y[blockIdx.x] = s;
}
