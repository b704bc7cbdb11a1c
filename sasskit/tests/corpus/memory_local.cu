// An array in local memory, indexed by data.
// run: --entry memory_local --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1024]:zero=out:memory_local.out
extern "C" __global__ void memory_local(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned kept[16];
    for (int k = 0; k < 16; k++) kept[k] = ua[(i + k) & 511];
    for (int k = 0; k < 16; k++) kept[kept[k] & 15] += k;
    out[2 * i] = kept[ua[i] & 15];
    out[2 * i + 1] = kept[0] ^ kept[ua[i] >> 28];
}
