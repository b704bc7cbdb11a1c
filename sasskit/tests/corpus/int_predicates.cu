// Nine predicates at once: a thread has only seven predicate registers.
// run: --entry int_predicates --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[1024]:zero=out:int_predicates.out
extern "C" __global__ void int_predicates(const unsigned *ua, const unsigned *ub,
                                          const unsigned *uc, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    bool p0 = a < b, p1 = b < c, p2 = c < a, p3 = (int)a < (int)b,
         p4 = (int)b<(int)c, p5 = (a ^ b)> c;
    bool p6 = (a & b) == c, p7 = (a | b) != c, p8 = a + b < c;
    out[2 * i + 0] =
        p0 + 2 * p1 + 4 * p2 + 8 * p3 + 16 * p4 + 32 * p5 + 64 * p6 + 128 * p7 + 256 * p8;
    out[2 * i + 1] = p0 && p1 || p2 && p3 || p4 && p5 || p6 && p7 && !p8;
}
