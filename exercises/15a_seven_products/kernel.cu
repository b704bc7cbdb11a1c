// Exercise 15a: one level of Winograd's variant of Strassen's multiplication for 32 x 32 matrices,
// by 256 threads. Each thread has one element of every quarter: a[0] to a[3] of A11, A12, A21 and
// A22; b and c likewise. p[i] is the product of the 16 x 16 matrices of left[i] and right[i].
enum { N = 32, HALF = N / 2, PRODUCTS = 7 };

// Rounds x to a small integer, so that all sums and products are exact in any order.
static __device__ float few_bits(float x) {
    return rintf(8 * x);
}

// Returns the index within a matrix of element (row, col) of quarter i.
static __device__ int quarter(int i, int row, int col) {
    return (row + i / 2 * HALF) * N + col + i % 2 * HALF;
}

extern "C" __global__ void one_level(const float *A, const float *B, float *C) {
    __shared__ float lefts[PRODUCTS][HALF][HALF], rights[PRODUCTS][HALF][HALF];
    const int row = threadIdx.x / HALF, col = threadIdx.x % HALF;
    float a[4], b[4], c[4] = {0, 0, 0, 0}, left[PRODUCTS] = {0}, right[PRODUCTS] = {0}, p[PRODUCTS];
    for (int i = 0; i < 4; i++) {
        a[i] = few_bits(A[quarter(i, row, col)]);
        b[i] = few_bits(B[quarter(i, row, col)]);
    }
    // ---- your lines: the factors of the seven products; left[0] and right[0] are P1's ----
    left[0] = a[0], right[0] = b[0];
    // ---------------------------------
    for (int i = 0; i < PRODUCTS; i++) lefts[i][row][col] = left[i], rights[i][row][col] = right[i];
    __syncthreads();
    for (int i = 0; i < PRODUCTS; i++) {
        p[i] = 0;
        for (int k = 0; k < HALF; k++) p[i] += lefts[i][row][k] * rights[i][k][col];
    }
    // ---- your lines: the quarters of C ----
    c[0] = p[0];
    // ---------------------------------
    for (int i = 0; i < 4; i++) C[quarter(i, row, col)] = c[i];
}
