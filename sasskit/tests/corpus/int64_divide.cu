// 64-bit division and remainder, signed and unsigned.
// run: --entry int64_divide --grid 4 --block 128 --arg i64[512]:file:qa.bin --arg i64[512]:file:qb.bin --arg i64[2048]:zero=out:int64_divide.out
extern "C" __global__ void int64_divide(const unsigned long long *qa, const unsigned long long *qb,
                                        unsigned long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long a = qa[i], b = qb[i] >> (i & 63) | 1;
    long long s = (long long)(b >> 1 | 3);
    out[4 * i + 0] = a / b;
    out[4 * i + 1] = a % b;
    out[4 * i + 2] = (unsigned long long)((long long)a / s);
    out[4 * i + 3] = (unsigned long long)((long long)a % s);
}
