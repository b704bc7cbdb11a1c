// FP32 absolute value, negation and copysignf().
// run: --entry fp32_abs_neg --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[2048]:zero=out:fp32_abs_neg.out
extern "C" __global__ void fp32_abs_neg(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[4 * i + 0] = fabsf(a) - fabsf(b);
    out[4 * i + 1] = -fabsf(a);
    out[4 * i + 2] = copysignf(a, b);
    out[4 * i + 3] = -(a * b);
}
