// Bitwise logic of two and three operands, which nvcc compiles to LOP3.
// run: --entry int_logic --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[3072]:zero=out:int_logic.out
extern "C" __global__ void int_logic(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                     unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[6 * i + 0] = a & b;
    out[6 * i + 1] = a | b ^ c;
    out[6 * i + 2] = (a & b) | (~a & c);
    out[6 * i + 3] = (a & b) | (b & c) | (a & c);
    out[6 * i + 4] = ~(a ^ b);
    out[6 * i + 5] = a & 0xff00ff00;
}
