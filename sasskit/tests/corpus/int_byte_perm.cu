// Byte permutation by constant and variable selectors, also with sign replication.
// run: --entry int_byte_perm --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[2048]:zero=out:int_byte_perm.out
static __device__ unsigned prmt(unsigned a, unsigned b, unsigned selector) {
    unsigned d;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector));
    return d;
}

extern "C" __global__ void int_byte_perm(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                         unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[4 * i + 0] = __byte_perm(a, b, 0x2301);
    out[4 * i + 1] = __byte_perm(a, b, 0x7531);
    out[4 * i + 2] = __byte_perm(a, b, c & 0x7777);
    out[4 * i + 3] = prmt(a, b, c & 0xffff);
}
