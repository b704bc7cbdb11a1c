// Initialised tables in constant memory, read at fixed and computed indices.
// run: --entry memory_constant --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1536]:zero=out:memory_constant.out
__constant__ unsigned table[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ uint2 pair[2] = {{100, 200}, {300, 400}};

extern "C" __global__ void memory_constant(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[3 * i] = table[3] + ua[i];
    out[3 * i + 1] = table[ua[i] & 7];
    out[3 * i + 2] = pair[ua[i] >> 31].y;
}
