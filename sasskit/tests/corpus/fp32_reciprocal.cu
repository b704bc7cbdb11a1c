// FP32 reciprocal, correctly rounded.
// run: --entry fp32_reciprocal --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[1024]:zero=out:fp32_reciprocal.out
extern "C" __global__ void fp32_reciprocal(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[2 * i + 0] = __frcp_rn(a);
    out[2 * i + 1] = 1.0f / b;
}
