// FP32 arithmetic that flushes denormal inputs and results to zero.
// run: --entry fp32_ftz --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg f32[512]:file:fb.bin --arg f32[512]:file:fc.bin --arg f32[2048]:zero=out:fp32_ftz.out
static __device__ float add_ftz(float a, float b) {
    float d;
    asm("add.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
    return d;
}
static __device__ float mul_ftz(float a, float b) {
    float d;
    asm("mul.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
    return d;
}
static __device__ float fma_ftz(float a, float b, float c) {
    float d;
    asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
}
static __device__ float min_ftz(float a, float b) {
    float d;
    asm("min.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
    return d;
}

extern "C" __global__ void fp32_ftz(const float *fa, const float *fb, const float *fc, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i], b = fb[i], c = fc[i];
    out[4 * i + 0] = add_ftz(a, b);
    out[4 * i + 1] = mul_ftz(a, b);
    out[4 * i + 2] = fma_ftz(a, b, c);
    out[4 * i + 3] = min_ftz(a, b);
}
