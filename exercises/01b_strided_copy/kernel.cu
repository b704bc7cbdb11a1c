// Exercise 01b: a copy whose neighbouring lanes read floats that lie `stride` floats apart.
// Predict; there is nothing to edit.
extern "C" __global__ void copy(int stride, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
