// 64-bit addition, subtraction, multiplication, logic, comparison.
// run: --entry int64_arithmetic --grid 4 --block 128 --arg i64[512]:file:qa.bin --arg i64[512]:file:qb.bin --arg i64[3584]:zero=out:int64_arithmetic.out
extern "C" __global__ void int64_arithmetic(const unsigned long long *qa,
                                            const unsigned long long *qb, unsigned long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long a = qa[i], b = qb[i];
    out[7 * i + 0] = a + b;
    out[7 * i + 1] = a - b;
    out[7 * i + 2] = a * b;
    out[7 * i + 3] = __umul64hi(a, b);
    out[7 * i + 4] = a & ~b;
    out[7 * i + 5] = (long long)a < (long long)b ? a : b;
    out[7 * i + 6] = a >= b ? 1 : 2;
}
