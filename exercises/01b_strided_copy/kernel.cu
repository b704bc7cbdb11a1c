// Exercise 01b: a copy whose neighbouring lanes read floats that lie `stride` apart. Nothing to edit here; predict.
extern "C" __global__ void copy(int stride, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
