// Loads and stores of all sizes in shared memory, at rotated positions.
// run: --entry memory_shared --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[2048]:zero=out:memory_shared.out
extern "C" __global__ void memory_shared(const unsigned *ua, unsigned *out) {
    __shared__ __align__(16) unsigned words[512];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int k = 0; k < 4; k++) words[4 * t + k] = ua[i] * (k + 1);
    __syncthreads();
    int o = (t + 37) % 128; // the element of another thread
    uint4 four = ((uint4 *)words)[o];
    uint2 two = ((uint2 *)words)[2 * o + 1];
    unsigned byte = ((unsigned char *)words)[16 * o + 5],
             half = (unsigned)(int)((short *)words)[8 * o + 3];
    unsigned sbyte = (unsigned)(int)((signed char *)words)[16 * o + 2];
    __syncthreads();
    ((unsigned char *)words)[4 * t] = (unsigned char)byte;
    ((unsigned short *)words)[2 * t + 1] = (unsigned short)four.x;
    *(uint2 *)&words[128 + 2 * t] = two;
    __syncthreads();
    out[4 * i] = words[o] & 0xffff00ff;
    out[4 * i + 1] = words[128 + 2 * o] ^ words[129 + 2 * o];
    out[4 * i + 2] = four.y + half;
    out[4 * i + 3] = four.w + sbyte;
}
