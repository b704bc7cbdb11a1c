// Rounding to integral floating-point values: floor, ceil, trunc, rint, round.
// run: --entry convert_round --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f64[512]:file:da.bin --arg f32[3584]:zero=out:convert_round.out
extern "C" __global__ void convert_round(const float *fa, const double *da, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i];
    double d = da[i];
    out[7 * i + 0] = floorf(a);
    out[7 * i + 1] = ceilf(a);
    out[7 * i + 2] = truncf(a);
    out[7 * i + 3] = rintf(a);
    out[7 * i + 4] = roundf(a);
    out[7 * i + 5] = (float)floor(d);
    out[7 * i + 6] = (float)rint(d);
}
