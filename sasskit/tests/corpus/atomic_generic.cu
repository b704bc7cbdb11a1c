// Atomics through a pointer to global or shared memory; which of them is known only at run time.
// run: --entry atomic_generic --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[20]:zero=out:atomic_generic.out
static __device__ __noinline__ void bump(unsigned *p, unsigned a) {
    atomicAdd(p, a);
    if (a & 1) atomicXor(p, 0); // xor with 0 changes nothing
}

extern "C" __global__ void atomic_generic(const unsigned *ua, unsigned *out) {
    __shared__ unsigned cells[4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 4) cells[t] = 0;
    __syncthreads();
    unsigned *chosen = t & 1 ? &cells[t & 3] : &out[blockIdx.x];
    bump(chosen, ua[i]);
    __syncthreads();
    if (t < 4) out[4 + 4 * blockIdx.x + t] = cells[t];
}
