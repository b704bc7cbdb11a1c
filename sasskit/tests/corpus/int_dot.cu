// Dot products of bytes with bytes, and of half-words with bytes.
// run: --entry int_dot --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[2048]:zero=out:int_dot.out
extern "C" __global__ void int_dot(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                   unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[4 * i + 0] = __dp4a((int)a, (int)b, (int)c);
    out[4 * i + 1] = __dp4a(a, b, c);
    out[4 * i + 2] = __dp2a_lo((int)a, (int)b, (int)c);
    out[4 * i + 3] = __dp2a_hi(a, b, c);
}
