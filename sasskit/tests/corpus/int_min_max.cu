// Minimum, maximum, absolute value, sum of absolute differences.
// run: --entry int_min_max --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[3584]:zero=out:int_min_max.out
extern "C" __global__ void int_min_max(const unsigned *ua, const unsigned *ub, const unsigned *uc,
                                       unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[7 * i + 0] = min(a, b);
    out[7 * i + 1] = max(a, b);
    out[7 * i + 2] = min((int)a, (int)b);
    out[7 * i + 3] = max((int)a, 100);
    out[7 * i + 4] = abs((int)a);
    out[7 * i + 5] = __usad(a, b, c);
    out[7 * i + 6] = __sad((int)a, (int)b, c);
}
