// MUFU's approximations of 1 / x, 1 / sqrt(x), sqrt(x) and x / y.
// run: --entry mufu_rcp_rsq --grid 4 --block 128 --arg f32[512]:file:fp.bin --arg f32[512]:file:fx.bin --arg f32[2048]:zero=out:mufu_rcp_rsq.out
static __device__ float p_rcp(float a) {
    float d;
    asm("rcp.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}
static __device__ float p_sqrt(float a) {
    float d;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
}

extern "C" __global__ void mufu_rcp_rsq(const float *fp, const float *fx, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float p = fp[i], x = fx[i];
    out[4 * i + 0] = p_rcp(p);
    out[4 * i + 1] = rsqrtf(p);
    out[4 * i + 2] = p_sqrt(p);
    out[4 * i + 3] = __fdividef(x, p);
}
