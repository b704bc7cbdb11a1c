// Loads and stores of 8, 16, 32, 64 and 128 bits in global memory.
// run: --entry memory_sizes --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[8192]:zero=out:memory_sizes.out
extern "C" __global__ void memory_sizes(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *bytes = (const unsigned char *)ua;
    uint4 *line = (uint4 *)out + 4 * i; // 64 bytes per thread
    line[0] =
        make_uint4(bytes[i], (unsigned)(int)((const signed char *)ua)[i + 1],
                   ((const unsigned short *)ua)[i], (unsigned)(int)((const short *)ua)[i + 1]);
    line[1] = ((const uint4 *)ua)[i & 127];
    *(uint2 *)&line[2] = ((const uint2 *)ua)[i & 255];
    unsigned char *narrow = (unsigned char *)&line[3];
    narrow[1] = (unsigned char)ua[i];
    *(unsigned short *)&narrow[2] = (unsigned short)ua[i];
    *(unsigned *)&narrow[8] = ua[i];
}
