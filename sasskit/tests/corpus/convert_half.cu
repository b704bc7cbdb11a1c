// Conversions of FP32 to FP16 and back.
// run: --entry convert_half --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg u32[1024]:zero=out:convert_half.out
static __device__ unsigned to_half(float a) {
    unsigned short d;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(d) : "f"(a));
    return d;
}
static __device__ float from_half(unsigned short a) {
    float d;
    asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(a));
    return d;
}

extern "C" __global__ void convert_half(const float *fa, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i];
    out[2 * i + 0] = to_half(a);
    out[2 * i + 1] = __float_as_uint(from_half((unsigned short)to_half(a)));
}
