// 64-bit and 128-bit accesses to local memory: arrays of wide elements, indexed by data.
// run: --entry memory_local_wide --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1536]:zero=out:memory_local_wide.out
extern "C" __global__ void memory_local_wide(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 kept[6];
    double wide[5];
    for (int k = 0; k < 6; k++) kept[k] = make_uint4(ua[i] + k, ua[i] * k, k, ua[(i + k) & 511]);
    for (int k = 0; k < 5; k++) wide[k] = (double)ua[(i * k) & 511] * 0.5;
    uint4 four = kept[ua[i] % 6];
    double half = wide[ua[i] % 5];
    kept[four.z].y += 3;
    out[3 * i] = four.x ^ four.y ^ four.w;
    out[3 * i + 1] = (unsigned)half;
    out[3 * i + 2] = kept[(ua[i] >> 3) % 6].y;
}
