// Signed and unsigned comparisons, combined predicates, selections.
// run: --entry int_compare --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[3072]:zero=out:int_compare.out
extern "C" __global__ void int_compare(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                       unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[6 * i + 0] = a < b;
    out[6 * i + 1] = (int)a < (int)b;
    out[6 * i + 2] = a <= b && (int)b > (int)c;
    out[6 * i + 3] = (a == b || b != c) ? a : c;
    out[6 * i + 4] = ((int)a >= 0) ^ (b > c);
    out[6 * i + 5] = (a & 1) && !(b & 2) || (c & 4);
}
