// Division and remainder by constants: multiplication by the reciprocal.
// run: --entry int_divide_constant --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[2560]:zero=out:int_divide_constant.out
extern "C" __global__ void int_divide_constant(const unsigned *ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i];
    out[5 * i + 0] = a / 7;
    out[5 * i + 1] = a % 10;
    out[5 * i + 2] = (int)a / 16;
    out[5 * i + 3] = (int)a % 3;
    out[5 * i + 4] = a / 641;
}
