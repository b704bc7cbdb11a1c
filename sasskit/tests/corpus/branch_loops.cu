// Nested loops whose numbers of iterations differ from lane to lane.
// run: --entry branch_loops --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:branch_loops.out
extern "C" __global__ void branch_loops(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], sum = 0;
    for (unsigned j = 0; j < (a & 7); j++) {
        for (unsigned k = j; k < ((a >> 3) & 15); k++) {
            if (((j ^ k) & 3) == 1) continue;
            sum += ua[(j * 16 + k) & 511] ^ k;
        }
        sum = sum * 3 + 1;
    }
    out[i] = sum;
}
