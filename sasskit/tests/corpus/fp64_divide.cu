// FP64 division: MUFU.RCP64H, Newton steps, and the slow path as a call.
// run: --entry fp64_divide --grid 4 --block 128 --arg f64[512]:file:da.bin --arg f64[512]:file:db.bin --arg f64[512]:zero=out:fp64_divide.out
extern "C" __global__ void fp64_divide(const double *da, const double *db, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = da[i], b = db[i];
    out[i] = a / b;
}
