// Lanes with equal values, found by __match_any_sync() and __match_all_sync().
// run: --entry match --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1536]:zero=out:match.out
extern "C" __global__ void match(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int same;
    out[3 * i] = __match_any_sync(0xffffffff, ua[i] & 3);
    out[3 * i + 1] = __match_all_sync(0xffffffff, i >> 5, &same);
    unsigned mask = __match_all_sync(0xffffffff, ua[i], &same);
    out[3 * i + 2] = mask + 2 * same;
}
