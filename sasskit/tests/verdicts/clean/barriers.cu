// Barriers after some threads have exited, or that warps reach at different places in the code. The
// hardware counts the threads that have not exited, wherever they wait. `run:`: see ../list.awk.
#include <cooperative_groups.h>

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void barrier_warp_has_exited(const int *in, int *out) {
    __shared__ int s[64];
    if (threadIdx.x >= 32) return;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32:50 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void barrier_lanes_have_exited(int n, const int *in, int *out) {
    __shared__ int s[64];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
extern "C" __global__ void barrier_one_warp_once_more(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    for (int k = 0; k < 2 + (int)(threadIdx.x / 32); k++) __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[128]:zero
extern "C" __global__ void barrier_in_loops_of_four_lengths(const int *in, int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = 0;
    for (int i = 0; i < (int)(threadIdx.x / 32) + 1; i++) {
        s[threadIdx.x] += in[threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = s[threadIdx.x];
}
