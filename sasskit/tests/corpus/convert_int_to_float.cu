// Conversions of 8-, 16-, 32- and 64-bit integers to FP32, with rounding modes.
// run: --entry convert_int_to_float --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg i64[512]:file:qa.bin --arg f32[4608]:zero=out:convert_int_to_float.out
extern "C" __global__ void convert_int_to_float(const unsigned *ua, const unsigned long long *qa,
                                                float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i];
    unsigned long long q = qa[i];
    out[9 * i + 0] = (float)a;
    out[9 * i + 1] = (float)(int)a;
    out[9 * i + 2] = __int2float_rz((int)a);
    out[9 * i + 3] = __uint2float_ru(a);
    out[9 * i + 4] = (float)(signed char)a;
    out[9 * i + 5] = (float)(unsigned short)(a >> 8);
    out[9 * i + 6] = (float)q;
    out[9 * i + 7] = (float)(long long)q;
    out[9 * i + 8] = (float)(unsigned char)(a >> 16);
}
