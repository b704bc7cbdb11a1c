// A switch with many cases, some of which fall through.
// run: --entry branch_switch --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:branch_switch.out
extern "C" __global__ void branch_switch(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], r = 0;
    switch (a & 15) {
    case 0:
        r = a + 1;
        break;
    case 1:
        r = a * a;
        break;
    case 2:
        r = a ^ 0x55; // falls through
    case 3:
        r += a >> 3;
        break;
    case 4:
        r = __popc(a);
        break;
    case 5:
        r = ua[i ^ 1];
        break;
    case 6:
        r = a / 7;
        break;
    case 7:
        r = ~a;
        break;
    case 8:
        r = a - 9; // falls through
    case 9:
        r = r * 5 + 2;
        break;
    case 11:
        r = __brev(a);
        break;
    case 13:
        r = a % 11;
        break;
    default:
        r = 99;
    }
    out[i] = r;
}
