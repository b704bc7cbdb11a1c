// Bit operations, comparisons and selections of values that are the same in the whole block.
// run: --entry uniform_bits --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32:2222222222 --arg u32[1024]:zero=out:uniform_bits.out
extern "C" __global__ void uniform_bits(const unsigned *ua, unsigned seed, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned b = blockIdx.x * 2654435761u + seed;
    unsigned r = __popc(b) + (__clz(b) << 8) + (__ffs(b) << 16);
    r ^= __brev(b) ^ __byte_perm(b, seed, 0x5162) ^ __funnelshift_l(b, seed, 5);
    r += b > seed ? gridDim.x : b & 0xf0f0;
    r += min((int)b, (int)seed) ^ max(b, seed);
    unsigned long long q = (unsigned long long)b * seed + 12345;
    for (unsigned k = 0; k < (b & 3); k++) q = q * 3 + (q >> 60);
    out[2 * i] = r + ua[i];
    out[2 * i + 1] = (unsigned)(q >> 32) ^ (unsigned)q ^ (threadIdx.x + (b & 1 ? 5 : 9));
}
