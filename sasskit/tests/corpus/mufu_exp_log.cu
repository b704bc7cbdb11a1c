// MUFU's approximations of 2^x, e^x, ln x and log2 x.
// run: --entry mufu_exp_log --grid 4 --block 128 --arg f32[512]:file:fu.bin --arg f32[512]:file:fp.bin --arg f32[2048]:zero=out:mufu_exp_log.out
extern "C" __global__ void mufu_exp_log(const float *fu, const float *fp, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = fu[i], p = fp[i];
    out[4 * i + 0] = exp2f(x);
    out[4 * i + 1] = __expf(x);
    out[4 * i + 2] = __logf(p);
    out[4 * i + 3] = __log2f(p);
}
