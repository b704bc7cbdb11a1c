// A dense switch in a loop. In each iteration the lanes take different cases.
// run: --entry branch_switch_loop --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:zero=out:branch_switch_loop.out
extern "C" __global__ void branch_switch_loop(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], r = i;
    for (int k = 0; k < 4; k++, a >>= 4) {
        switch (a & 15) {
        case 0:
            r = r * 3 + out[i];
            break;
        case 1:
            r ^= ua[r & 511];
            break;
        case 2:
            r = r / 5 + ua[(r + 2) & 511];
            break;
        case 3:
            r = __brev(r) + ua[(r + 3) & 511];
            break;
        case 4:
            r += ua[(r * 7) & 511];
            break;
        case 5:
            r = r % 77 * ua[(r >> 3) & 511];
            break;
        case 6:
            r -= ua[(r * 5) & 511];
            break;
        case 7:
            r = __popc(r) * ua[(r + 9) & 511];
            break;
        case 8:
            r = __umulhi(r, ua[(r + 11) & 511]);
            break;
        case 9:
            r = (r << 7) ^ ua[(r + 13) & 511];
            break;
        case 10:
            r = max(r, ua[(r + 17) & 511]);
            break;
        case 11:
            r = min(r, ua[(r + 19) & 511]);
            break;
        default:
            r = ~r + ua[(r + 23) & 511];
            break;
        }
    }
    out[i] = r;
}
