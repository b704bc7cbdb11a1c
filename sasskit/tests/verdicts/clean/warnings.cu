// Code that works on this hardware although nothing guarantees it, as ptxas compiles it with
// optimisation.

// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// warns: of 13.0: barrier barrier-in-branches @ asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bar.sync 0; }" ::"r"(threadIdx.x & 1) : "memory");
extern "C" __global__ void barrier_half_of_a_warp(const int *in, int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bar.sync 0; }" ::"r"(threadIdx.x & 1) : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 128 --arg i32[128]:random:1 --arg i32[2]:zero
// warns: race flag-without-fence @ if (v > *(volatile int *)&most) atomicMax(&most, v);
extern "C" __global__ void stranger_look_before_the_maximum(const int *in, int *out) {
    __shared__ int most;
    if (threadIdx.x == 0) most = -2147483647 - 1;
    __syncthreads();
    int v = in[threadIdx.x];
    if (v > *(volatile int *)&most) atomicMax(&most, v);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = most;
}

// A step of a search in a graph: whichever thread comes first, the level is the same.
// run: --grid 1 --block 64 --arg i32:1 --arg i32[64]:zero --arg i32[1]:zero
// warns: global-race warps-not-ordered @ if (level[next] == 0) level[next] = depth, *changed = 1;
extern "C" __global__ void search_step(int depth, int *level, int *changed) {
    int next = threadIdx.x % 32;
    if (level[next] == 0) level[next] = depth, *changed = 1;
}
