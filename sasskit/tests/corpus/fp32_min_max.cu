// FP32 minimum and maximum: a number is preferred to NaN, and -0 is less than +0.
// run: --entry fp32_min_max --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[2048]:zero=out:fp32_min_max.out
extern "C" __global__ void fp32_min_max(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[4 * i + 0] = fminf(a, b);
    out[4 * i + 1] = fmaxf(a, b);
    out[4 * i + 2] = fminf(fabsf(a), -b);
    out[4 * i + 3] = fmaxf(a, 0.0f);
}
