// Conversions of FP32 to integers: rounding modes, saturation, NaN.
// run: --entry convert_float_to_int --grid 4 --block 128 --arg f32[512]:file:fa.bin --arg u32[4096]:zero=out:convert_float_to_int.out
extern "C" __global__ void convert_float_to_int(const float *fa, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = fa[i];
    out[8 * i + 0] = (int)a;
    out[8 * i + 1] = (unsigned)a;
    out[8 * i + 2] = __float2int_rn(a);
    out[8 * i + 3] = __float2int_rd(a);
    out[8 * i + 4] = __float2int_ru(a);
    out[8 * i + 5] = __float2uint_rn(a);
    out[8 * i + 6] = (signed char)(int)a;
    out[8 * i + 7] = (unsigned short)(unsigned)a;
}
