// Exercise 01c: step 01's uncoalesced access to A alone: lane i reads row i, and rows are 4096 + PAD floats apart.
#define PAD 0 // ---- your line: floats of padding behind each row of A ----

extern "C" __global__ void column(int lda, const float *A, float *out) {
    int row = threadIdx.x;
    out[row] = A[(size_t)row * (lda + PAD)];
}
