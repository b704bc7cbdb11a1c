// FP32 multiplication, with negated and absolute operands and with a constant.
// run: --entry fp32_mul --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[2048]:zero=out:fp32_mul.out
extern "C" __global__ void fp32_mul(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[4 * i + 0] = a * b;
    out[4 * i + 1] = -a * b;
    out[4 * i + 2] = fabsf(a) * b;
    out[4 * i + 3] = a * 3.0f;
}
