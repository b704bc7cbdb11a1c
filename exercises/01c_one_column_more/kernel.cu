// Exercise 01c: step 01's uncoalesced access to A alone: lane i reads row i. Nothing to edit; predict.
extern "C" __global__ void column(int lda, const float *A, float *out) {
    int row = threadIdx.x;
    out[row] = A[(size_t)row * lda];
}
