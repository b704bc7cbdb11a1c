// Atomics on 32-bit words of shared memory.
// run: --entry atomic_shared --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[784]:zero=out:atomic_shared.out
extern "C" __global__ void atomic_shared(const unsigned *ua, unsigned *out) {
    __shared__ unsigned cells[12 * 4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 48) cells[t] = t == 0 ? 5 : 0;
    __syncthreads();
    unsigned a = ua[i], *c = &cells[t & 3];
    atomicAdd(c, a);
    atomicMax(c + 4, a);
    atomicMin((int *)c + 8, (int)a);
    atomicOr(c + 12, a & 0x0f0f0f0f);
    atomicXor(c + 16, a);
    atomicAnd(c + 20, a);
    atomicInc(c + 24, 20);
    atomicDec(c + 28, 9);
    atomicAdd((float *)c + 32, (float)(a & 15));
    unsigned seen = 0, was; // addition by compare-and-swap
    do {
        was = seen;
        seen = atomicCAS(c + 36, was, was + a);
    } while (seen != was);
    if (t < 4) out[768 + 4 * blockIdx.x + t] = atomicExch(c + 40, 77) + atomicAdd(c + 44, 3);
    __syncthreads();
    if (t < 48) out[64 * blockIdx.x + t] = cells[t];
}
