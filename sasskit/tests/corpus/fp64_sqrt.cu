// FP64 square root: MUFU.RSQ64H.
// run: --entry fp64_sqrt --grid 4 --block 128 --arg f64[512]:file:da.bin --arg f64[512]:zero=out:fp64_sqrt.out
extern "C" __global__ void fp64_sqrt(const double *da, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = da[i];
    out[i] = sqrt(a);
}
