// 64-bit shifts by variables and constants.
// run: --entry int64_shift --grid 4 --block 128 --arg i64[512]:file:qa.bin --arg i64[512]:file:qb.bin --arg i64[2560]:zero=out:int64_shift.out
extern "C" __global__ void int64_shift(const unsigned long long *qa, const unsigned long long *qb,
                                       unsigned long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long a = qa[i], b = qb[i];
    out[5 * i + 0] = a << (b & 63);
    out[5 * i + 1] = a >> (b & 63);
    out[5 * i + 2] = (long long)a >> (b & 63);
    out[5 * i + 3] = a << 13;
    out[5 * i + 4] = (long long)a >> 40;
}
