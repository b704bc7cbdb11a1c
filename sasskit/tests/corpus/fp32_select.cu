// FP32 selections by a comparison, for example a < b ? c : a.
// run: --entry fp32_select --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[512]:file:fc.bin --arg f32[1536]:zero=out:fp32_select.out
extern "C" __global__ void fp32_select(const float *fa, const float *fb, const float *fc,
                                       float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i], c = fc[i];
    out[3 * i + 0] = a < b ? c : a;
    out[3 * i + 1] = b >= c ? -a : b;
    out[3 * i + 2] = a > 0.0f ? b : 2.0f;
}
