// Reductions over a warp, each by one instruction.
// run: --entry redux --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[4096]:zero=out:redux.out
extern "C" __global__ void redux(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], all = 0xffffffff;
    out[8 * i] = __reduce_add_sync(all, a);
    out[8 * i + 1] = __reduce_min_sync(all, a);
    out[8 * i + 2] = __reduce_max_sync(all, a);
    out[8 * i + 3] = (unsigned)__reduce_min_sync(all, (int)a);
    out[8 * i + 4] = (unsigned)__reduce_max_sync(all, (int)a);
    out[8 * i + 5] = __reduce_and_sync(all, a | 0xff);
    out[8 * i + 6] = __reduce_or_sync(all, a & 0xff0);
    out[8 * i + 7] = __reduce_xor_sync(all, a);
}
