// FP64 addition, multiplication and fused multiply-add.
// run: --entry fp64_arithmetic --grid 4 --block 128 --arg f64[512]:file:da.bin --arg f64[512]:file:db.bin --arg f64[512]:file:dc.bin --arg f64[3072]:zero=out:fp64_arithmetic.out
extern "C" __global__ void fp64_arithmetic(const double *da, const double *db, const double *dc,
                                           double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = da[i], b = db[i], c = dc[i];
    out[6 * i + 0] = a + b;
    out[6 * i + 1] = a - b;
    out[6 * i + 2] = a * b;
    out[6 * i + 3] = fma(a, b, c);
    out[6 * i + 4] = fma(-a, b, -c);
    out[6 * i + 5] = a * 2.5;
}
