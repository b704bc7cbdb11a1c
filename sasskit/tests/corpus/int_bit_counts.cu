// Population count, leading zeros and first set bit of 32 and 64 bits; reversal of 32 bits.
// run: --entry int_bit_counts --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[3584]:zero=out:int_bit_counts.out
extern "C" __global__ void int_bit_counts(const unsigned *ua, const unsigned *ub, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i];
    unsigned long long q = (unsigned long long)a << 32 | b;
    out[7 * i + 0] = __popc(a);
    out[7 * i + 1] = __clz(a);
    out[7 * i + 2] = __brev(a);
    out[7 * i + 3] = __ffs(a);
    out[7 * i + 4] = __popcll(q);
    out[7 * i + 5] = __clzll(q);
    out[7 * i + 6] = __ffsll(q);
}
