// Conversions of FP32 to 64-bit integers.
// run: --entry convert_long --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg i64[2048]:zero=out:convert_long.out
extern "C" __global__ void convert_long(const float *fa, unsigned long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i];
    out[4 * i + 0] = (long long)a;
    out[4 * i + 1] = (unsigned long long)a;
    out[4 * i + 2] = __float2ll_rn(a);
    out[4 * i + 3] = __float2ull_ru(a);
}
