// exp in FP64: a polynomial whose coefficients are 64-bit constants.
// run: --entry fp64_exp --grid 4 --block 128 --arg f64[512]:file:dx.bin --arg f64[512]:zero=out:fp64_exp.out
extern "C" __global__ void fp64_exp(const double *dx, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = dx[i];
    out[i] = exp(a);
}
