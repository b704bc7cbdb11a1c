// __syncthreads() in a loop, between the levels of a tree of sums.
// run: --entry barrier --grid 4 --block 128 --arg f32[512]:file:fu.bin --arg f32[512]:zero=out:barrier.out
extern "C" __global__ void barrier(const float *fu, float *out) {
    __shared__ float sums[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = fu[i];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) sums[t] += sums[t + half];
        __syncthreads();
    }
    out[i] = sums[0] + sums[127 - t];
}
