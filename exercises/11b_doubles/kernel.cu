// Exercise 11b: a warp loads doubles from shared memory; lane i loads double i x stride. Predict;
// there is nothing to edit.
extern "C" __global__ void doubles(int stride, const double *in, double *out) {
    __shared__ double line[512];
    for (int i = threadIdx.x; i < 512; i += 32) line[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = line[threadIdx.x * stride % 512];
}
