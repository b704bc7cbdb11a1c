// An FP32 sum over each warp by shuffles.
// run: --entry shuffle_reduce --grid 4 --block 128 --arg f32[512]:file:fu.bin --arg f32[512]:zero=out:shuffle_reduce.out
extern "C" __global__ void shuffle_reduce(const float *fu, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = fu[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    out[i] = sum;
}
