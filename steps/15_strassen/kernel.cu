// Step 15: the additions of Winograd's variant of Strassen's multiplication. It takes seven
// products of quarters instead of eight; step.c launches the products and these kernels.
//
//     | A11 A12 |   | B11 B12 |   | C11 C12 |
//     | A21 A22 | * | B21 B22 | = | C21 C22 |
//
//     S1 = A21 + A22    T1 = B12 - B11    P1 = A11 B11    P5 = S1 T1     C11 = P1 + P2
//     S2 = S1 - A11     T2 = B22 - T1     P2 = A12 B21    P6 = S2 T2     U   = P1 + P6
//     S3 = A11 - A21    T3 = B22 - B12    P3 = S4 B22     P7 = S3 T3     C12 = U + P5 + P3
//     S4 = A12 - S2     T4 = T2 - B21     P4 = A22 T4                    C21 = U + P7 - P4
//                                                                        C22 = U + P7 + P5
//
// A quarter has half_rows x half_cols elements. If a side is odd, the lower or right quarters are
// smaller; they are read as if padded with zeros. half_cols is a multiple of 4, so that rows of
// sums and products can be moved 16 bytes at a time.
//
// A block has 256 threads: four rows of 64 threads, each with four columns. blockIdx.x numbers the
// groups of 256 columns of a quarter. Blocks of equal blockIdx.x take groups of four rows in turn.
enum { THREADS = 256, LANES = 64, ROWS = THREADS / LANES };

// A part of a matrix: rows x cols elements from `at` on; elements outside are 0.
struct Quarter {
    const float *at;
    long ld;
    int rows, cols;
};

__device__ __forceinline__ bool aligned(const float *at, long ld) {
    return ((unsigned long long)at | (unsigned long long)ld * 4) % 16 == 0;
}

// Returns four elements of a row, from `col` on.
__device__ __forceinline__ float4 load4(const Quarter &q, int row, int col) {
    float4 v = {0, 0, 0, 0};
    if (row >= q.rows || col >= q.cols) return v;
    const float *p = q.at + row * q.ld + col;
    if (col + 4 <= q.cols && aligned(q.at, q.ld)) return *(const float4 *)p;
    v.x = p[0];
    if (col + 1 < q.cols) v.y = p[1];
    if (col + 2 < q.cols) v.z = p[2];
    if (col + 3 < q.cols) v.w = p[3];
    return v;
}

__device__ __forceinline__ float4 operator+(float4 a, float4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

__device__ __forceinline__ float4 operator-(float4 a, float4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}

// C = alpha v + beta C for four elements of a row of C. Does not read C if beta is 0.
__device__ __forceinline__ void update4(float *C, int ldc, int rows, int cols, int row, int col,
                                        float alpha, float4 v, float beta) {
    if (row >= rows || col >= cols) return;
    float *p = C + (long)row * ldc + col;
    v = {alpha * v.x, alpha * v.y, alpha * v.z, alpha * v.w};
    if (beta != 0) {
        const float4 c = load4({C, ldc, rows, cols}, row, col);
        v = {fmaf(beta, c.x, v.x), fmaf(beta, c.y, v.y), fmaf(beta, c.z, v.z),
             fmaf(beta, c.w, v.w)};
    }
    if (col + 4 <= cols && aligned(C, ldc)) {
        *(float4 *)p = v;
        return;
    }
    p[0] = v.x;
    if (col + 1 < cols) p[1] = v.y;
    if (col + 2 < cols) p[2] = v.z;
    if (col + 3 < cols) p[3] = v.w;
}

// Sets x to four elements of each quarter of a matrix X (rows, cols): X11, X12, X21, X22.
__device__ __forceinline__ void load_quarters(float4 x[4], const float *X, long ld, int rows,
                                              int cols, int half_rows, int half_cols, int row,
                                              int col) {
    x[0] = load4({X, ld, half_rows, half_cols}, row, col);
    x[1] = load4({X + half_cols, ld, half_rows, cols - half_cols}, row, col);
    x[2] = load4({X + half_rows * ld, ld, rows - half_rows, half_cols}, row, col);
    x[3] =
        load4({X + half_rows * ld + half_cols, ld, rows - half_rows, cols - half_cols}, row, col);
}

// Sets `sums` to S1, S2, S3, S4, one after the other, each (half_rows, half_cols).
extern "C" __global__ void __launch_bounds__(THREADS)
    strassen_sums_of_a(int rows, int cols, const float *A, int lda, int half_rows, int half_cols,
                       float *sums) {
    const int col = (blockIdx.x * LANES + threadIdx.x % LANES) * 4;
    const long next = (long)half_rows * half_cols;
    if (col >= half_cols) return;
    for (int row = blockIdx.y * ROWS + threadIdx.x / LANES; row < half_rows;
         row += gridDim.y * ROWS) {
        float4 a[4];
        load_quarters(a, A, lda, rows, cols, half_rows, half_cols, row, col);
        const float4 s1 = a[2] + a[3], s2 = s1 - a[0];
        float *to = sums + (long)row * half_cols + col;
        *(float4 *)to = s1;
        *(float4 *)(to + next) = s2;
        *(float4 *)(to + 2 * next) = a[0] - a[2];
        *(float4 *)(to + 3 * next) = a[1] - s2;
    }
}

// Sets `sums` to T1, T2, T3, T4, one after the other, each (half_rows, half_cols).
extern "C" __global__ void __launch_bounds__(THREADS)
    strassen_sums_of_b(int rows, int cols, const float *B, int ldb, int half_rows, int half_cols,
                       float *sums) {
    const int col = (blockIdx.x * LANES + threadIdx.x % LANES) * 4;
    const long next = (long)half_rows * half_cols;
    if (col >= half_cols) return;
    for (int row = blockIdx.y * ROWS + threadIdx.x / LANES; row < half_rows;
         row += gridDim.y * ROWS) {
        float4 b[4];
        load_quarters(b, B, ldb, rows, cols, half_rows, half_cols, row, col);
        const float4 t1 = b[1] - b[0], t2 = b[3] - t1;
        float *to = sums + (long)row * half_cols + col;
        *(float4 *)to = t1;
        *(float4 *)(to + next) = t2;
        *(float4 *)(to + 2 * next) = b[3] - b[1];
        *(float4 *)(to + 3 * next) = t2 - b[2];
    }
}

// Sets C (rows, cols) to alpha (sums of products) + beta C. `products` has P1 to P7, each
// (half_rows, half_cols); P3 has only as many columns as B22, and P4 only as many rows as A22.
extern "C" __global__ void __launch_bounds__(THREADS)
    sgemm_strassen(int rows, int cols, const float *products, int half_rows, int half_cols,
                   float alpha, float beta, float *C, int ldc) {
    const int col = (blockIdx.x * LANES + threadIdx.x % LANES) * 4;
    // sizes of the smaller quarters
    const int low_rows = rows - half_rows, right_cols = cols - half_cols;
    const long next = (long)half_rows * half_cols;
    float *const C12 = C + half_cols, *const C21 = C + (long)half_rows * ldc,
                 *const C22 = C21 + half_cols;
    if (col >= half_cols) return;
    for (int row = blockIdx.y * ROWS + threadIdx.x / LANES; row < half_rows;
         row += gridDim.y * ROWS) {
        float4 p[8];
        for (int i = 1; i <= 7; i++) {
            const int r = i == 4 ? low_rows : half_rows, c = i == 3 ? right_cols : half_cols;
            p[i] = load4({products + (i - 1) * next, half_cols, r, c}, row, col);
        }
        const float4 u = p[1] + p[6], u7 = u + p[7];
        update4(C, ldc, half_rows, half_cols, row, col, alpha, p[1] + p[2], beta);
        update4(C12, ldc, half_rows, right_cols, row, col, alpha, u + p[5] + p[3], beta);
        update4(C21, ldc, low_rows, half_cols, row, col, alpha, u7 - p[4], beta);
        update4(C22, ldc, low_rows, right_cols, row, col, alpha, u7 + p[5], beta);
    }
}

// Sets Z to alpha (X + sign Y) + beta Z, one addition per launch. The three kernels above replace
// fifteen such launches.
extern "C" __global__ void __launch_bounds__(THREADS)
    strassen_add(int rows, int cols, const float *X, int ldx, int x_rows, int x_cols, float sign,
                 const float *Y, int ldy, int y_rows, int y_cols, float alpha, float beta, float *Z,
                 int ldz) {
    const int col = (blockIdx.x * LANES + threadIdx.x % LANES) * 4;
    if (col >= cols) return;
    for (int row = blockIdx.y * ROWS + threadIdx.x / LANES; row < rows; row += gridDim.y * ROWS) {
        const float4 x = load4({X, ldx, x_rows, x_cols}, row, col);
        const float4 y = load4({Y, ldy, y_rows, y_cols}, row, col);
        update4(Z, ldz, rows, cols, row, col, alpha, sign < 0 ? x - y : x + y, beta);
    }
}
