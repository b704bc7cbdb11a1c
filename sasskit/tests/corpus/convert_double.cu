// Conversions between FP64 and FP32, and between FP64 and 32-bit or 64-bit integers.
// run: --entry convert_double --grid 4 --block 128 --arg f64[512]:file:da.bin --arg f32[512]:file:fa.bin --arg u32[512]:file:ua.bin --arg i64[512]:file:qa.bin --arg f64[5632]:zero=out:convert_double.out
extern "C" __global__ void convert_double(const double *da, const float *fa, const unsigned *ua,
                                          const unsigned long long *qa, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double d = da[i];
    float f = fa[i];
    unsigned a = ua[i];
    unsigned long long q = qa[i];
    out[11 * i + 0] = (double)f;
    out[11 * i + 1] = (double)a;
    out[11 * i + 2] = (double)(int)a;
    out[11 * i + 3] = (double)q;
    out[11 * i + 4] = (double)(long long)q;
    out[11 * i + 5] = (double)(float)d;
    out[11 * i + 6] = (double)(int)d;
    out[11 * i + 7] = (double)(unsigned)d;
    out[11 * i + 8] = (double)(long long)d;
    out[11 * i + 9] = (double)__double2ull_rn(d);
    out[11 * i + 10] = (double)__double2float_rz(d);
}
