// FP32 arithmetic in the four rounding modes, and saturation.
// run: --entry fp32_rounding --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[512]:file:fc.bin --arg f32[5120]:zero=out:fp32_rounding.out
extern "C" __global__ void fp32_rounding(const float *fa, const float *fb, const float *fc,
                                         float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i], c = fc[i];
    out[10 * i + 0] = __fadd_rd(a, b);
    out[10 * i + 1] = __fadd_ru(a, b);
    out[10 * i + 2] = __fadd_rz(a, b);
    out[10 * i + 3] = __fmul_rd(a, b);
    out[10 * i + 4] = __fmul_ru(a, b);
    out[10 * i + 5] = __fmul_rz(a, b);
    out[10 * i + 6] = __fmaf_rd(a, b, c);
    out[10 * i + 7] = __fmaf_ru(a, b, c);
    out[10 * i + 8] = __fmaf_rz(a, b, c);
    out[10 * i + 9] = __saturatef(a + b);
}
