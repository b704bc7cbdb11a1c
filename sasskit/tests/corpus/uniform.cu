// Values that are the same in the whole block: uniform registers, and parameters of several types.
// run: --entry uniform --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg i32:7 --arg u32:4000000000 --arg i64:-123456789012345 --arg f32:2.75 --arg f64:3.125 --arg i32:-5 --arg u32[1536]:zero=out:uniform.out
__constant__ unsigned table[4] = {10, 20, 30, 40};

extern "C" __global__ void uniform(const unsigned *ua, int count, unsigned factor, long long wide,
                                   float x, double y, int flag, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned base = blockIdx.x * factor + (unsigned)(wide >> 33);
    for (int k = 0; k < count; k++) base = base * 5 + (unsigned)k;
    if (base & 1) base += gridDim.x;
    out[3 * i] = base + ua[i];
    out[3 * i + 1] = (unsigned)(x * 4.0f) + flag;
    out[3 * i + 2] = (unsigned)(y * 8.0) + table[blockIdx.x & 3];
}
