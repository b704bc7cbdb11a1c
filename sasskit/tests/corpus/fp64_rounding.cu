// FP64 arithmetic in the three rounding modes other than round-to-nearest.
// run: --entry fp64_rounding --grid 4 --block 128 --arg f64[512]:file:da.bin --arg f64[512]:file:db.bin --arg f64[512]:file:dc.bin --arg f64[3072]:zero=out:fp64_rounding.out
extern "C" __global__ void fp64_rounding(const double *da, const double *db, const double *dc,
                                         double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = da[i], b = db[i], c = dc[i];
    out[6 * i + 0] = __dadd_rd(a, b);
    out[6 * i + 1] = __dadd_ru(a, b);
    out[6 * i + 2] = __dmul_rz(a, b);
    out[6 * i + 3] = __dmul_ru(a, b);
    out[6 * i + 4] = __fma_rd(a, b, c);
    out[6 * i + 5] = __fma_rz(a, b, c);
}
