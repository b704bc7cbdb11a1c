// 32-bit division and remainder by variables.
// run: --entry int_divide --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[2048]:zero=out:int_divide.out
extern "C" __global__ void int_divide(const unsigned *ua, const unsigned *ub, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i] | 1;
    int s = (int)(b >> 7 | 3);
    out[4 * i + 0] = a / b;
    out[4 * i + 1] = a % b;
    out[4 * i + 2] = (int)a / s;
    out[4 * i + 3] = (int)a % s;
}
