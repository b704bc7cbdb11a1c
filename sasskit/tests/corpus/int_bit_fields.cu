// Extraction (signed and unsigned) and insertion of bit fields at variable and constant positions.
// run: --entry int_bit_fields --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[3072]:zero=out:int_bit_fields.out
static __device__ unsigned bfe_u(unsigned a, unsigned start, unsigned count) {
    unsigned d;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(start), "r"(count));
    return d;
}
static __device__ int bfe_s(int a, unsigned start, unsigned count) {
    int d;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(start), "r"(count));
    return d;
}
static __device__ unsigned bfi(unsigned from, unsigned into, unsigned start, unsigned count) {
    unsigned d;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(from), "r"(into), "r"(start), "r"(count));
    return d;
}

extern "C" __global__ void int_bit_fields(const unsigned *ua, const unsigned *ub,
                                          const unsigned *uc, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[6 * i + 0] = bfe_u(a, b & 31, c & 31);
    out[6 * i + 1] = bfe_s(a, b & 31, c & 31);
    out[6 * i + 2] = bfi(a, b, c & 31, 9);
    out[6 * i + 3] = bfe_u(a, 5, 11);
    out[6 * i + 4] = bfe_s(a, 8, 8);
    out[6 * i + 5] = bfi(a, b, 8, 8);
}
