// 32-bit addition and subtraction of two and three operands, negation, complement.
// run: --entry int_add --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[3072]:zero=out:int_add.out
extern "C" __global__ void int_add(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                   unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[6 * i + 0] = a + b;
    out[6 * i + 1] = a - b;
    out[6 * i + 2] = a + b + c;
    out[6 * i + 3] = a - b - c;
    out[6 * i + 4] = -a;
    out[6 * i + 5] = ~a + c;
}
