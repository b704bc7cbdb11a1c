// Nested if and else, with different work on both sides.
// run: --entry branch_if --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:branch_if.out
extern "C" __global__ void branch_if(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], r;
    if (a & 1) {
        if (a & 2)
            r = a * 3 + ua[(i + 1) & 511];
        else
            r = a / 3;
    } else if (a & 4) {
        r = ua[(i + 7) & 511] % 13;
    } else {
        r = __popc(a) + 100;
    }
    out[i] = r;
}
