// Bytes and halfwords: several warps write different parts of one word, which is not a race.

// run: --grid 1 --block 64 --arg u32[64]:zero
extern "C" __global__ void bytes_of_one_word(unsigned *out) {
    __shared__ unsigned char s[64];
    s[(threadIdx.x & 31) * 2 + (threadIdx.x >> 5)] = (unsigned char)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg u32[64]:zero
extern "C" __global__ void bytes_halves_of_one_word(unsigned *out) {
    __shared__ unsigned short s[64];
    s[(threadIdx.x & 31) * 2 + (threadIdx.x >> 5)] = (unsigned short)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg u32[64]:zero
extern "C" __global__ void bytes_read_beside_write(unsigned *out) {
    __shared__ unsigned char s[128];
    s[2 * threadIdx.x] = 1;
    s[2 * threadIdx.x + 1] = 2;
    __syncthreads();
    unsigned v = s[2 * threadIdx.x];
    s[2 * (63 - threadIdx.x) + 1] = (unsigned char)v;
    __syncthreads();
    out[threadIdx.x] = s[2 * threadIdx.x + 1] + v;
}
// run: --grid 1 --block 128 --arg u32[128]:random:3 --arg u32[256]:zero
extern "C" __global__ void bytes_private_histogram(const unsigned *in, unsigned *out) {
    __shared__ unsigned char bins[16][128]; // one byte per thread and bin
    for (int b = 0; b < 16; b++) bins[b][threadIdx.x] = 0;
    for (int k = 0; k < 8; k++) bins[in[threadIdx.x] >> (4 * k) & 15][threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int t = 0; t < 128; t++) sum += bins[threadIdx.x][t];
        out[threadIdx.x] = sum;
    }
}
// run: --grid 1 --block 64 --arg u32[64]:random:3 --arg u32[64]:zero
extern "C" __global__ void bytes_vector_of_four(const uchar4 *in, uchar4 *out) {
    __shared__ uchar4 s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    uchar4 v = s[threadIdx.x ^ 33];
    out[threadIdx.x] = make_uchar4(v.w, v.z, v.y, v.x);
}
// run: --grid 1 --block 96 --arg u32[96]:zero
extern "C" __global__ void bytes_bool_flags(unsigned *out) {
    __shared__ bool seen[96];
    seen[threadIdx.x] = false;
    __syncthreads();
    seen[threadIdx.x * 7 % 96] = true;
    __syncthreads();
    out[threadIdx.x] = seen[threadIdx.x];
}
// run: --grid 1 --block 64 --arg u32[128]:zero
extern "C" __global__ void bytes_of_global_words(unsigned *out) {
    ((unsigned char *)out)[(threadIdx.x & 31) * 2 + (threadIdx.x >> 5)] = (unsigned char)threadIdx.x;
    ((unsigned short *)(out + 64))[threadIdx.x] = (unsigned short)threadIdx.x;
}
