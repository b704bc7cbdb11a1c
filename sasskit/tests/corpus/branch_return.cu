// Early returns, by some lanes of a warp and by whole warps.
// run: --entry branch_return --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:branch_return.out
extern "C" __global__ void branch_return(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1;
    if (threadIdx.x >= 96) return;
    unsigned a = ua[i];
    if (a & 1) return;
    out[i] = 2;
    for (unsigned k = 0; k < 20; k++) {
        if ((a >> k & 3) == 3) return;
        out[i] += k;
    }
}
