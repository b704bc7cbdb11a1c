// 32-bit multiplication: low half, high half, with an addend, by a constant, of 24 bits.
// run: --entry int_mul --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[3584]:zero=out:int_mul.out
extern "C" __global__ void int_mul(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                   unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[7 * i + 0] = a * b;
    out[7 * i + 1] = a * b + c;
    out[7 * i + 2] = __umulhi(a, b);
    out[7 * i + 3] = __mulhi((int)a, (int)b);
    out[7 * i + 4] = a * 5;
    out[7 * i + 5] = a * 100 + 7;
    out[7 * i + 6] = __umul24(a, b);
}
