// FP32 fused multiply-add, with negated operands and with constants.
// run: --entry fp32_fma --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[512]:file:fc.bin --arg f32[2560]:zero=out:fp32_fma.out
extern "C" __global__ void fp32_fma(const float *fa, const float *fb, const float *fc, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i], c = fc[i];
    out[5 * i + 0] = fmaf(a, b, c);
    out[5 * i + 1] = fmaf(-a, b, c);
    out[5 * i + 2] = fmaf(a, b, -c);
    out[5 * i + 3] = fmaf(a, 2.5f, c);
    out[5 * i + 4] = fmaf(a, b, 1.0f);
}
