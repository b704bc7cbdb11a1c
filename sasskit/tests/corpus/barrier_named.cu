// Named barriers. The halves of a block synchronise separately, then the first half produces data
// for the second.
// run: --entry barrier_named --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:barrier_named.out
extern "C" __global__ void barrier_named(const unsigned *ua, unsigned *out) {
    __shared__ unsigned cells[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    cells[t] = ua[i];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    unsigned other = cells[t ^ 33];
    __syncthreads();
    if (t < 64) {
        cells[t] = other * 3;
        asm volatile("bar.arrive 3, 128;" ::: "memory");
        out[i] = other;
    } else {
        asm volatile("bar.sync 3, 128;" ::: "memory");
        out[i] = cells[t - 64] + other;
    }
}
