// FP32 comparisons, ordered and unordered, whose results become bits or select a value.
// run: --entry fp32_compare --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg u32[1536]:zero=out:fp32_compare.out
extern "C" __global__ void fp32_compare(const float *fa, const float *fb, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[3 * i + 0] =
        (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
    out[3 * i + 1] = !(a < b) | !(a >= b) << 1 | isnan(a) << 2 | (isinf(b) != 0) << 3;
    out[3 * i + 2] = a < b && b > 1.0f || a != a ? 7 : 9;
}
