// Shifts by variables and constants, signed and unsigned. PTX defines counts beyond 31.
// run: --entry int_shift --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[512]:file:ub.bin --arg u32[3584]:zero=out:int_shift.out
static __device__ unsigned shl(unsigned a, unsigned b) {
    unsigned d;
    asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
static __device__ int shr(int a, unsigned b) {
    int d;
    asm("shr.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}

extern "C" __global__ void int_shift(const unsigned *ua, const unsigned *ub, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = ua[i], b = ub[i];
    out[7 * i + 0] = a << (b & 31);
    out[7 * i + 1] = a >> (b & 31);
    out[7 * i + 2] = (int)a >> (b & 31);
    out[7 * i + 3] = a << 7;
    out[7 * i + 4] = (int)a >> 3;
    out[7 * i + 5] = shl(a, b & 63);
    out[7 * i + 6] = shr(a, b & 63);
}
