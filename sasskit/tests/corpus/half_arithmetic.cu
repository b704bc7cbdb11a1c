// Packed halves: sum, product, FMA, FMA with a negated factor, FMA that uses a's low half twice.
// run: --entry half_arithmetic --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[2560]:zero=out:half_arithmetic.out
#include <cuda_fp16.h>

// Returns a finite half of ordinary size, made from any 16 bits.
static __device__ unsigned tame(unsigned bits) {
    return (bits & 0x8000) | (10 + (bits >> 10) % 12) << 10 | (bits & 1023);
}
static __device__ __half2 pair(unsigned word) {
    const unsigned bits = tame(word >> 16) << 16 | tame(word & 0xffff);
    return *(const __half2 *)&bits;
}
static __device__ unsigned bits(__half2 x) {
    return *(const unsigned *)&x;
}

extern "C" __global__ void half_arithmetic(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const __half2 a = pair(ua[i]), b = pair(ua[(i + 1) % 512]), c = pair(ua[(i + 2) % 512]);
    out[5 * i + 0] = bits(__hadd2(a, b));
    out[5 * i + 1] = bits(__hmul2(a, b));
    out[5 * i + 2] = bits(__hfma2(a, b, c));
    out[5 * i + 3] = bits(__hfma2(__hneg2(a), b, c));
    out[5 * i + 4] = bits(__hfma2(__low2half2(a), b, c));
}
