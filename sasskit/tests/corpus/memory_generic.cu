// Generic addresses: a pointer whose memory (global, shared, local) is known only at run time.
// run: --entry memory_generic --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1024]:zero=out:memory_generic.out
static __device__ __noinline__ unsigned *touch(unsigned *p) {
    *p += 1;
    return p;
}

extern "C" __global__ void memory_generic(const unsigned *ua, unsigned *out) {
    __shared__ unsigned shared[128];
    unsigned local[4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    shared[t] = ua[i] + 1;
    for (int k = 0; k < 4; k++) local[(k + t) & 3] = ua[i] + 2 + k;
    __syncthreads();
    out[i] = 0;
    unsigned *chosen = t % 3 == 0 ? &shared[t] : t % 3 == 1 ? &local[t & 3] : &out[i];
    *touch(chosen) += 5;
    out[512 + i] = *touch(chosen);
}
