// Funnel shifts whose counts wrap or are clamped, and a rotation.
// run: --entry int_funnel_shift --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[512]:file:uc.bin --arg u32[2560]:zero=out:int_funnel_shift.out
extern "C" __global__ void int_funnel_shift(const unsigned *ua, const unsigned *ub,
                                            const unsigned *uc, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i], c = uc[i];
    out[5 * i + 0] = __funnelshift_l(a, b, c);
    out[5 * i + 1] = __funnelshift_r(a, b, c);
    out[5 * i + 2] = __funnelshift_lc(a, b, c);
    out[5 * i + 3] = __funnelshift_rc(a, b, c);
    out[5 * i + 4] = __funnelshift_l(a, a, 11);
}
