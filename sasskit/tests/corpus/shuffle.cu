// The four shuffles, over whole warps and over parts of a warp.
// run: --entry shuffle --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[3072]:zero=out:shuffle.out
extern "C" __global__ void shuffle(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], all = 0xffffffff;
    out[6 * i] = __shfl_sync(all, a, a & 31);
    out[6 * i + 1] = __shfl_up_sync(all, a, 3);
    out[6 * i + 2] = __shfl_down_sync(all, a, 5);
    out[6 * i + 3] = __shfl_xor_sync(all, a, 9);
    out[6 * i + 4] = __shfl_down_sync(all, a, 1, 8);
    out[6 * i + 5] = __shfl_sync(all, a, 2, 16);
}
