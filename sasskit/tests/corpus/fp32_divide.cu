// FP32 division, correctly rounded: MUFU.RCP, FCHK, and the slow path for denormals.
// run: --entry fp32_divide --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[1024]:zero=out:fp32_divide.out
extern "C" __global__ void fp32_divide(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[2 * i + 0] = a / b;
    out[2 * i + 1] = b / a;
}
