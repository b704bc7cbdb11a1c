// while loops with break: the steps of a Collatz sequence, and a search.
// run: --entry branch_while --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[1024]:zero=out:branch_while.out
extern "C" __global__ void branch_while(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned n = (ua[i] & 1023) + 1, steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        if (++steps == 60) break;
    }
    int found = -1;
    for (int k = 0; k < 512; k++) {
        if ((ua[k] & 63) == (ua[i] & 63)) {
            found = k;
            break;
        }
    }
    out[2 * i] = steps;
    out[2 * i + 1] = found;
}
