// Loads and stores with cache operators, volatile ones, and loads through the read-only path.
// run: --entry memory_cache --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[2048]:zero=out:memory_cache.out
extern "C" __global__ void memory_cache(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v =
        __ldg(&ua[i]) + __ldcg(&ua[511 - i]) * 3 + __ldcs(&ua[i ^ 1]) * 5 + __ldca(&ua[i ^ 2]) * 7;
    v += *(const volatile unsigned *)&ua[i ^ 4] + __ldlu(&ua[i ^ 8]) + __ldcv(&ua[i ^ 16]);
    __stcg(&out[4 * i], v);
    __stcs(&out[4 * i + 1], v + 1);
    __stwt(&out[4 * i + 2], v + 2);
    *(volatile unsigned *)&out[4 * i + 3] = v + 3;
}
