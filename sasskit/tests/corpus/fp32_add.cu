// FP32 addition and subtraction.
// run: --entry fp32_add --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[2048]:zero=out:fp32_add.out
extern "C" __global__ void fp32_add(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[4 * i + 0] = a + b;
    out[4 * i + 1] = a - b;
    out[4 * i + 2] = -a - b;
    out[4 * i + 3] = a + 1.5f;
}
