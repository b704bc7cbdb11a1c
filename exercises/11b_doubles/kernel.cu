// Exercise 11b: a warp loads doubles from shared memory, lane i the double i x stride. Nothing to edit; predict.
extern "C" __global__ void doubles(int stride, const double *in, double *out) {
    __shared__ double line[512];
    for (int i = threadIdx.x; i < 512; i += 32) line[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = line[threadIdx.x * stride % 512];
}
