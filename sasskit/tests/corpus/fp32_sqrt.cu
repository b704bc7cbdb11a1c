// FP32 square root, correctly rounded. Its slow path is a call.
// run: --entry fp32_sqrt --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[1024]:zero=out:fp32_sqrt.out
extern "C" __global__ void fp32_sqrt(const float *fa, const float *fb, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i];
    out[2 * i + 0] = sqrtf(a);
    out[2 * i + 1] = sqrtf(b);
}
