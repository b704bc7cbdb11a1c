// ballot, any, all and the active mask, by whole warps and by the lanes on one side of a branch.
// run: --entry vote --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[2560]:zero=out:vote.out
extern "C" __global__ void vote(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], all = 0xffffffff;
    out[5 * i] = __ballot_sync(all, a & 1);
    out[5 * i + 1] = __any_sync(all, (a & 0xff) == 3) + 2 * __all_sync(all, (a & 0xff) != 5);
    out[5 * i + 2] = __all_sync(all, i >= 32);
    if (threadIdx.x & 2) {
        out[5 * i + 3] = __activemask();
        out[5 * i + 4] = __ballot_sync(0xcccccccc, a & 4);
    } else {
        out[5 * i + 3] = 1;
        out[5 * i + 4] = __ballot_sync(0x33333333, a & 8);
    }
}
