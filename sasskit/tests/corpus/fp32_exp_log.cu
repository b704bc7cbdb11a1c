// expf, exp2f, logf, log2f and powf: MUFU.EX2 and MUFU.LG2 with nvcc's corrections.
// run: --entry fp32_exp_log --grid 4 --block 128 --arg f32[512]:file:fx.bin --arg f32[512]:file:fp.bin --arg f32[2560]:zero=out:fp32_exp_log.out
extern "C" __global__ void fp32_exp_log(const float *fx, const float *fp, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = fx[i], p = fp[i];
    out[5 * i + 0] = expf(x);
    out[5 * i + 1] = exp2f(x);
    out[5 * i + 2] = logf(p);
    out[5 * i + 3] = log2f(p);
    out[5 * i + 4] = powf(p, 0.5f * x);
}
