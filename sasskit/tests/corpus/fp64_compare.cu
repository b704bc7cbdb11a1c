// FP64 comparisons, minimum, maximum, absolute value.
// run: --entry fp64_compare --grid 4 --block 128 --arg f64[512]:file:da.bin --arg f64[512]:file:db.bin --arg f64[2048]:zero=out:fp64_compare.out
extern "C" __global__ void fp64_compare(const double *da, const double *db, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = da[i], b = db[i];
    out[4 * i + 0] = fmin(a, b);
    out[4 * i + 1] = fmax(a, b);
    out[4 * i + 2] = fabs(a) < b ? a : -b;
    out[4 * i + 3] =
        (double)((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | isnan(a) << 4);
}
