// Exercise 01c: step 01's uncoalesced load of A alone. Lane i reads the first float of row i; rows
// lie lda + PAD floats apart, and the checker sets lda to 4096.
#define PAD 0 // ---- your line: floats of padding behind each row of A ----

extern "C" __global__ void column(int lda, const float *A, float *out) {
    int row = threadIdx.x;
    out[row] = A[(size_t)row * (lda + PAD)];
}
