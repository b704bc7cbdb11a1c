// 64-bit products of 32-bit factors, added to 64-bit values.
// run: --entry int64_wide --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg i64[2048]:zero=out:int64_wide.out
extern "C" __global__ void int64_wide(const unsigned *ua, const unsigned *ub,
                                      unsigned long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i];
    unsigned long long q = (unsigned long long)b << 32 | a;
    out[4 * i + 0] = (unsigned long long)a * b;
    out[4 * i + 1] = (long long)(int)a * (int)b;
    out[4 * i + 2] = (unsigned long long)a * b + q;
    out[4 * i + 3] = (long long)(int)a + 5;
}
