// Kernels as in the toolkit's samples, public tutorials and libraries, each with one mistake.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// --- barriers ------------------------------------------------------------------------------------

// run: --grid 1 --block 96 --arg i32[96]:random:1 --arg i32[96]:zero
// says: race missing-barrier @ out[t] = s[t + 32];
extern "C" __global__ void stranger_leaves_before_it_is_read(const int *in, int *out) {
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (t >= 64) {
        s[t] = in[t];
        return;
    }
    out[t] = s[t + 32];
    __syncthreads();
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race barrier-not-passed @ s[threadIdx.x] = in[threadIdx.x] + k;
extern "C" __global__ void stranger_producer_one_step_ahead(const int *in, int *out) {
    __shared__ int s[32];
    if (threadIdx.x < 32) {
        for (int k = 0; k < 4; k++) {
            s[threadIdx.x] = in[threadIdx.x] + k;
            __syncthreads();
        }
    } else {
        int sum = 0;
        for (int k = 0; k < 4; k++) {
            __syncthreads();
            sum += s[threadIdx.x - 32];
        }
        out[threadIdx.x - 32] = sum;
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: barrier divergent-barrier, 32 of 64 threads @ asm volatile("bar.sync 2, 64;" ::: "memory");
extern "C" __global__ void stranger_named_barrier_and_exit(const int *in, int *out) {
    if (threadIdx.x >= 32) return;
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: of 13.0: lane absent-lane @ __syncwarp(0xffffffff);
extern "C" __global__ void stranger_barrier_against_syncwarp(const int *in, int *out) {
    if (threadIdx.x & 1)
        __syncthreads();
    else
        __syncwarp(0xffffffff);
    out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ h[threadIdx.x] = 0;
extern "C" __global__ void stranger_barrier_forgotten_after_clear(const int *in, int *out) {
    __shared__ int h[64];
    h[threadIdx.x] = 0;
    atomicAdd(&h[in[threadIdx.x] & 63], 1);
    __syncthreads();
    out[threadIdx.x] = h[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race missing-barrier @ s[t + 1] = in[t];
extern "C" __global__ void stranger_halo_without_barrier(const float *in, float *out) {
    __shared__ float s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    if (t == 0) s[0] = 0, s[65] = 0;
    out[t] = s[t] + s[t + 1] + s[t + 2];
}

// --- wide accesses -------------------------------------------------------------------------------

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[256]:zero
// says: race missing-barrier @ float4 v = s[63 - t];
extern "C" __global__ void stranger_all_four_used(const float *in, float4 *out) {
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t] = make_float4(in[t], 1, 2, 3);
    __syncthreads();
    float4 v = s[63 - t];
    s[t].w = v.x;
    out[t] = v;
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: uninitialized never-stored @ float4 v = s[63 - t];
extern "C" __global__ void stranger_third_never_set(const float *in, float *out) {
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t].x = in[t];
    s[t].y = in[t] * 2;
    __syncthreads();
    float4 v = s[63 - t];
    out[t] = v.x + v.z;
}
// run: --grid 1 --block 64 --arg f32[256]:random:1 --arg f32[65]:zero
// says: address misaligned @ float4 v = *(const float4 *)&in[threadIdx.x + 1];
extern "C" __global__ void stranger_float4_off_by_one(const float *in, float *out) {
    float4 v = *(const float4 *)&in[threadIdx.x + 1];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
// run: --grid 1 --block 64 --arg f32[255]:random:1 --arg f32[64]:zero
// says: address guard-missing @ float4 v = *(const float4 *)&in[4 * threadIdx.x];
extern "C" __global__ void stranger_last_float4_over_the_end(const float *in, float *out) {
    float4 v = *(const float4 *)&in[4 * threadIdx.x];
    out[threadIdx.x] = v.x + v.w;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ int2 v = s[t ^ 32];
extern "C" __global__ void stranger_value_beside_its_key(const int *in, int *out) {
    __shared__ int2 s[64];
    int t = threadIdx.x;
    s[t] = make_int2(in[t], t);
    __syncthreads();
    int2 v = s[t ^ 32];
    s[t].y = 7;
    out[t] = v.x + v.y;
}

// --- exchanges between lanes ---------------------------------------------------------------------

// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ v += __shfl_up_sync(0xffff0000, v, 4);
extern "C" __global__ void stranger_up_from_below_the_mask(const int *in, int *out) {
    int t = threadIdx.x, v = in[t];
    if (t >= 16) {
        v += __shfl_up_sync(0xffff0000, v, 4);
    }
    out[t] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ if (t < 16) v = __ballot_sync(~0u, in[t] > 0);
extern "C" __global__ void stranger_ballot_in_half_a_warp(const int *in, int *out) {
    int t = threadIdx.x;
    unsigned v = 0;
    if (t < 16) v = __ballot_sync(~0u, in[t] > 0);
    out[t] = v + in[t];
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ if (t < 16) v = __reduce_add_sync(~0u, in[t]);
extern "C" __global__ void stranger_redux_in_half_a_warp(const int *in, int *out) {
    int t = threadIdx.x;
    int v = 0;
    if (t < 16) v = __reduce_add_sync(~0u, in[t]);
    out[t] = v + 1;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ out[t] = __ballot_sync(~0u, in[t] < 0) + 1;
extern "C" __global__ void stranger_ballots_of_two_sides(const int *in, int *out) {
    int t = threadIdx.x;
    if (t < 16)
        out[t] = __ballot_sync(~0u, in[t] > 0);
    else
        out[t] = __ballot_sync(~0u, in[t] < 0) + 1;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: race missing-syncwarp @ out[t] = s[t ^ 1];
extern "C" __global__ void stranger_warp_exchange_without_sync(const int *in, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[t ^ 1];
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: lane absent-lane @ for (int k = 0; k < 2 + (t & 1); k++) v += __shfl_xor_sync(~0u, v, 1);
extern "C" __global__ void stranger_loop_with_fewer_trips(const int *in, int *out) {
    int t = threadIdx.x, v = in[t];
    for (int k = 0; k < 2 + (t & 1); k++) v += __shfl_xor_sync(~0u, v, 1);
    out[t] = v;
}

// --- atomics and flags ---------------------------------------------------------------------------

// run: --grid 2 --block 32 --races global --arg i32[4]:zero
// says: global-race block-scope @ atomicAdd_block(&out[0], 1);
extern "C" __global__ void stranger_block_scope_between_blocks(int *out) {
    atomicAdd_block(&out[0], 1);
}
// run: --grid 2 --block 32 --races global --arg i32[4]:zero
// says: global-race adds-in-place @ if (threadIdx.x == 0) out[0]++;
extern "C" __global__ void stranger_plain_increment(int *out) {
    if (threadIdx.x == 0) out[0]++;
}
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: race not-atomic @ if ((threadIdx.x & 31) == 0) n++;
extern "C" __global__ void stranger_plain_increment_shared(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    if ((threadIdx.x & 31) == 0) n++;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = n;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ atomicAdd(&h[in[threadIdx.x] & 63], 1);
extern "C" __global__ void stranger_histogram_read_early(const int *in, int *out) {
    __shared__ int h[64];
    h[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&h[in[threadIdx.x] & 63], 1);
    out[threadIdx.x] = h[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f64[64]:random:1 --arg f64[64]:zero
// says: race not-atomic @ s += in[threadIdx.x];
extern "C" __global__ void stranger_double_sum_not_atomic(const double *in, double *out) {
    __shared__ double s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    s += in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s;
}

// --- programs that never end ---------------------------------------------------------------------

// run: --grid 1 --block 32 --arg i32[2]:zero --arg i32[32]:zero
// says: endless polls-for-ever @ while (*flag == 0) rounds++;
extern "C" __global__ void stranger_spin_with_a_counter(volatile int *flag, int *out) {
    unsigned rounds = 0;
    while (*flag == 0) rounds++;
    out[threadIdx.x] = rounds;
}
// run: --grid 2 --block 64 --arg i32[2]:zero --arg i32[64]:zero
// says: endless polls-for-ever @ while (*flag == 0) x = x * 1664525u + 1013904223u;
extern "C" __global__ void stranger_spin_with_a_hash(volatile int *flag, int *out) {
    unsigned x = threadIdx.x;
    while (*flag == 0) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
// run: --grid 2 --block 32 --arg i32[2]:zero --arg i32[64]:zero
// says: endless polls-for-ever @ while (atomicAdd(count, 0) < gridDim.x + 1) tries++;
extern "C" __global__ void stranger_grid_barrier_one_too_many(int *count, int *out) {
    int tries = 0;
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x + 1) tries++;
    }
    __syncthreads();
    out[threadIdx.x] = tries;
}
// run: --grid 1 --block 32 --limit 300000 --arg i32[32]:zero
// says: endless loop-never-ends @ out[n & 31] = n;
extern "C" __global__ void stranger_counts_down_past_zero(int *out) {
    unsigned n = 10;
    while (n >= 0) {
        out[n & 31] = n;
        n--;
    }
}
// run: --grid 1 --block 32 --limit 300000 --arg i32[32]:zero
// says: address freed @ for (int *q = p; q; q = *(int **)q) n++;
extern "C" __global__ void stranger_list_in_a_ring(int *out) {
    int *p = (int *)malloc(8);
    if (threadIdx.x) return;
    *(int **)p = p;
    free(p);
    int n = 0;
    for (int *q = p; q; q = *(int **)q) n++;
    out[0] = n;
}
// run: --grid 1 --block 32 --limit 300000 --arg i32[32]:zero
// says: endless loop-never-ends @ for (unsigned i = 1; i; i += 2) out[1 + (i & 15)] = i;
extern "C" __global__ void stranger_writes_for_ever(volatile int *out) {
    for (unsigned i = 1; i; i += 2) out[1 + (i & 15)] = i;
}

// --- undefined values ----------------------------------------------------------------------------

// run: --grid 1 --block 32 --arg i32[32]:zero
// says: uninitialized never-set @ out[threadIdx.x] = v;
extern "C" __global__ void stranger_register_never_set(int *out) {
    int v;
    asm volatile("{ .reg .s32 t; add.s32 %0, t, 1; }" : "=r"(v));
    out[threadIdx.x] = v;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: uninitialized never-zeroed @ atomicAdd(&sum, in[threadIdx.x]);
extern "C" __global__ void stranger_shared_sum_not_cleared(const int *in, int *out) {
    __shared__ int sum;
    atomicAdd(&sum, in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = sum;
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: uninitialized never-stored @ out[t] = s[t] + s[t + 2];
extern "C" __global__ void stranger_halo_never_loaded(const float *in, float *out) {
    __shared__ float s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    __syncthreads();
    out[t] = s[t] + s[t + 2];
}
// run: --grid 1 --block 64 --arg i32[64]:nan --arg i32[64]:zero
// says: uninitialized output-is-read @ if (in[threadIdx.x] > 3) out[threadIdx.x] = 1;
extern "C" __global__ void stranger_buffer_never_filled(const int *in, int *out) {
    if (in[threadIdx.x] > 3) out[threadIdx.x] = 1;
}
// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: uninitialized never-stored @ out[s[31 - threadIdx.x].y & 31] = 1;
extern "C" __global__ void stranger_second_word_of_a_pair(const int *in, int *out) {
    __shared__ int2 s[32];
    s[threadIdx.x].x = in[threadIdx.x];
    __syncthreads();
    out[s[31 - threadIdx.x].y & 31] = 1;
}

// --- addresses -----------------------------------------------------------------------------------

// run: --grid 1 --block 32 --arg i32[32]:random:1 --arg i32[32]:zero
// says: address wild-address @ out[in[threadIdx.x] | 1 << 24] = 1;
extern "C" __global__ void stranger_index_from_data(const int *in, int *out) {
    out[in[threadIdx.x] | 1 << 24] = 1;
}
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: address wild-address @ out[threadIdx.x] = *(int *)0x7ffd12345678ull;
extern "C" __global__ void stranger_pointer_of_the_host(int *out) {
    out[threadIdx.x] = *(int *)0x7ffd12345678ull;
}
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: address freed @ out[threadIdx.x] = p[3];
extern "C" __global__ void stranger_use_after_free(int *out) {
    int *p = (int *)malloc(32 * sizeof(int));
    p[3] = threadIdx.x;
    free(p);
    out[threadIdx.x] = p[3];
}
__constant__ int stranger_table[4] = {1, 2, 3, 4};
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: trap stopped-itself @ BPT.TRAP 0x1
extern "C" __global__ void stranger_store_to_constant(int *out) {
    int *p = (int *)stranger_table;
    *(volatile int *)&p[threadIdx.x & 3] = 5;
    out[threadIdx.x] = p[0];
}
// run: --grid 1 --block 32 --arg i32:40 --arg i32[64]:zero
// says: address local-index @ a[(n + (int)threadIdx.x) * 1000] = 3;
extern "C" __global__ void stranger_local_array_too_short(int n, int *out) {
    int a[16];
    for (int i = 0; i < 16; i++) a[i] = i * n;
    a[(n + (int)threadIdx.x) * 1000] = 3;
    for (int i = 0; i < 16; i++) out[i] = a[i ^ (n & 7)];
}

// --- copies --------------------------------------------------------------------------------------

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race async-read-not-waited @ p[1] = 5;
extern "C" __global__ void stranger_source_of_a_bulk_store_changed(const float *in, float *out) {
    __shared__ __align__(128) float s[64];
    int t = threadIdx.x;
    float *volatile generic = s;
    float *p = generic;
    p[t] = in[t];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out),
                     "r"((unsigned)__cvta_generic_to_shared(s))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        p[1] = 5;
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: trap stopped-itself @ if (in[threadIdx.x] != 12345) __trap();
extern "C" __global__ void stranger_trap_on_bad_input(const int *in, int *out) {
    if (in[threadIdx.x] != 12345) __trap();
    out[threadIdx.x] = 1;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void stranger_tile_sync_instead_of_block(const int *in, int *out) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 2 --block 32 --races global --arg i32[64]:zero --arg i32[64]:zero
// says: global-race blocks-not-ordered @ a[i] = i;
extern "C" __global__ void stranger_neighbour_block_read(int *a, int *out) {
    int i = blockIdx.x * 32 + threadIdx.x;
    a[i] = i;
    __syncthreads();
    out[i] = a[(i + 32) & 63];
}
