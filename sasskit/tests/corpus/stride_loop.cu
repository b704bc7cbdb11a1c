// A grid-stride loop over 509 elements by 150 threads. Some threads have none in the last round.
// run: --entry stride_loop --grid 3 --block 50 --arg f32[512]:file:fu.bin --arg i32:509 --arg f32:1.5 --arg f32[512]:zero=out:stride_loop.out
extern "C" __global__ void stride_loop(const float *fu, int count, float scale, float *out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = scale * fu[i] + 1.0f;
}
