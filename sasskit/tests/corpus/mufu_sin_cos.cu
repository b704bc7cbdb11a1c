// MUFU's approximations of sin and cos for angles in [-pi, pi], and of tanh.
// run: --entry mufu_sin_cos --grid 4 --block 128 --arg f32[512]:file:fu.bin --arg f32[1536]:zero=out:mufu_sin_cos.out
static __device__ float tanh_approx(float a) {
    float d;
    asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}

extern "C" __global__ void mufu_sin_cos(const float *fu, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = fu[i];
    out[3 * i + 0] = __sinf(3.0f * x);
    out[3 * i + 1] = __cosf(3.0f * x);
    out[3 * i + 2] = tanh_approx(x);
}
