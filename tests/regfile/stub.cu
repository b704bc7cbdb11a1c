// A kernel with 512 FFMA in a row, whose registers and reuse flags tests/regfile_test.sh replaces.
extern "C" __global__ void stub(const float *in, float *out) {
    float a[8], b[8], c[64];
    in += 80 * threadIdx.x, out += 64 * threadIdx.x;
#pragma unroll
    for (int i = 0; i < 8; i++) a[i] = in[i], b[i] = in[8 + i];
#pragma unroll
    for (int i = 0; i < 64; i++) c[i] = in[16 + i];
#pragma unroll
    for (int k = 0; k < 8; k++) {
#pragma unroll
        for (int i = 0; i < 64; i++) c[i] = fmaf(a[i / 8], b[i % 8], c[i]);
    }
#pragma unroll
    for (int i = 0; i < 64; i++) out[i] = c[i];
}
