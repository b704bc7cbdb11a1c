// Atomics on 32-bit words of global memory. Their results do not depend on their order.
// run: --entry atomic_global --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[2656]:zero=out:atomic_global.out
extern "C" __global__ void atomic_global(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], cell = i & 7;
    atomicAdd(&out[cell], a);
    atomicMax(&out[8 + cell], a);
    atomicMin((int *)&out[16 + cell], (int)a);
    atomicMax((int *)&out[24 + cell], (int)a);
    atomicOr(&out[32 + cell], a & 0x0f0f0f0f);
    atomicXor(&out[40 + cell], a);
    atomicAnd(&out[48 + cell], a);
    atomicInc(&out[56 + cell], 40);
    atomicDec(&out[64 + cell], 50);
    atomicSub(&out[72 + cell], a);
    atomicAdd((float *)&out[80 + cell], (float)(a & 15)); // small integers: exact in any order
    out[96 + i] = atomicExch(&out[608 + i], a);           // one word per thread
    out[1120 + i] = atomicCAS(&out[608 + i], i & 1 ? a : ~a, 17) + atomicAdd(&out[1632 + i], i) +
                    atomicMin(&out[2144 + i], a);
}
