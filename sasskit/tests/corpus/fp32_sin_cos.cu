// sinf and cosf. Angles beyond 105615 take the slow path, with an array in local memory.
// run: --entry fp32_sin_cos --grid 4 --block 128 --arg f32[512]:file:fw.bin --arg f32[1024]:zero=out:fp32_sin_cos.out
extern "C" __global__ void fp32_sin_cos(const float *fw, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = fw[i];
    out[2 * i + 0] = sinf(x);
    out[2 * i + 1] = cosf(x);
}
