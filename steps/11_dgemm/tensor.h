// DGEMM on the tensor cores by mma.sync.m16n8k16.f64, 2048 multiply-adds per instruction. A warp
// computes 64 x 32 elements. A wavefront of a 64-bit load serves 16 lanes: 4 rows of 4 k's of A, or
// 4 k's of 4 columns of B. Rows of the tiles in shared memory are padded by 4 doubles, so that the
// 16 lanes read 16 different pairs of banks.

#define BK       16
#define WM       64
#define WN       32
#define THREADS  (BM / WM * (BN / WN) * 32)
#define GROUP    8u
#define TILES_M  (WM / 16) // MMAs of 16 x 8 elements in a warp tile
#define TILES_N  (WN / 8)
#define A_STRIDE (BK + 4)
#define B_STRIDE (BN + 4)
#define STAGE    (BM * A_STRIDE + BK * B_STRIDE) // in doubles

// Starts a copy of 1 or 2 doubles from global to shared memory.
// Reads only the first `valid` doubles and writes zeros for the others.
static __device__ __forceinline__ void copy_async(double *to, const double *from, int doubles,
                                                  int valid) {
    unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    int bytes = 8 * max(0, min(doubles, valid));
    if (doubles == 2)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from),
                     "r"(bytes));
}

// A thread copies `width` doubles of every A_DOWN-th row of A and of every B_DOWN-th row of B.
template <int width> struct copier {
    enum {
        A_ALONG = BK / width,
        A_DOWN = THREADS / A_ALONG,
        B_ALONG = BN / width,
        B_DOWN = THREADS / B_ALONG,
        A_COPIES = BM / A_DOWN,
        B_COPIES = BK / B_DOWN
    };
    const double *a, *b;   // the thread's first elements of the next tile
    size_t a_step, b_step; // distance from one of the thread's rows to the next, in doubles
    int rows, cols;        // rows of A and columns of B that are left from these elements on
    int k_left, b_left;    // k's of A and of B that are left from these elements on
    int a_to, b_to;        // offsets of the thread's first elements within a stage
};

template <int width>
static __device__ __forceinline__ struct copier<width>
start_copies(int M, int N, int K, const double *A, int lda, const double *B, int ldb, int block_row,
             int block_col) {
    typedef struct copier<width> copier;
    int a_row = threadIdx.x / copier::A_ALONG, a_k = threadIdx.x % copier::A_ALONG * width;
    int b_row = threadIdx.x / copier::B_ALONG, b_col = threadIdx.x % copier::B_ALONG * width;
    copier c;
    c.a = &A[(size_t)(block_row + a_row) * lda + a_k];
    c.b = &B[(size_t)b_row * ldb + block_col + b_col];
    c.a_step = (size_t)copier::A_DOWN * lda;
    c.b_step = (size_t)copier::B_DOWN * ldb;
    c.rows = M - block_row - a_row;
    c.cols = N - block_col - b_col;
    c.k_left = K - a_k;
    c.b_left = K - b_row;
    c.a_to = a_row * A_STRIDE + a_k;
    c.b_to = BM * A_STRIDE + b_row * B_STRIDE + b_col;
    return c;
}

// Starts the copies of the next tile. Writes zeros outside the matrices and reads nothing there.
template <int width>
static __device__ __forceinline__ void copy_next(struct copier<width> *c, double *stage) {
    typedef struct copier<width> copier;
    const double *a = c->a, *b = c->b;
#pragma unroll
    for (int i = 0; i < copier::A_COPIES; i++, a += c->a_step)
        copy_async(&stage[c->a_to + i * copier::A_DOWN * A_STRIDE], a, width,
                   i * copier::A_DOWN < c->rows ? c->k_left : 0);
#pragma unroll
    for (int i = 0; i < copier::B_COPIES; i++, b += c->b_step)
        copy_async(&stage[c->b_to + i * copier::B_DOWN * B_STRIDE], b, width,
                   i * copier::B_DOWN < c->b_left ? c->cols : 0);
    asm volatile("cp.async.commit_group;");
    c->a += BK;
    c->b = b; // the next tile is BK rows further: B_COPIES * B_DOWN = BK
    c->k_left -= BK;
    c->b_left -= BK;
}

// acc (16, 8) += A (16, 16) B (16, 8)
static __device__ __forceinline__ void mma(double acc[4], const double a[8], const double b[4]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, "
                 "%6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(acc[0]), "+d"(acc[1]), "+d"(acc[2]), "+d"(acc[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                   "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

// acc += A B for a warp's tile and the 16 k's of a stage. The next copies start after the first
// MMAs, so that the tensor cores are busy meanwhile.
template <int width>
static __device__ __forceinline__ void multiply_stage(double acc[TILES_M][TILES_N][4],
                                                      const double *as, const double *bs,
                                                      struct copier<width> *copier, double *next) {
    double a[2][8], b[TILES_N][4];
#pragma unroll
    for (int k = 0; k < 8; k++) a[0][k] = as[k % 2 * 8 * A_STRIDE + k / 2 * 4];
#pragma unroll
    for (int j = 0; j < TILES_N; j++)
#pragma unroll
        for (int k = 0; k < 4; k++) b[j][k] = bs[k * 4 * B_STRIDE + j * 8];
#pragma unroll
    for (int i = 0; i < TILES_M; i++) {
#pragma unroll
        for (int k = 0; i + 1 < TILES_M && k < 8; k++)
            a[(i + 1) % 2][k] = as[((i + 1) * 16 + k % 2 * 8) * A_STRIDE + k / 2 * 4];
#pragma unroll
        for (int j = 0; j < TILES_N; j++) mma(acc[i][j], a[i % 2], b[j]);
        if (i == 0) copy_next(copier, next);
    }
}

// acc += A B for all of K. Between two barriers the warps read one of the STAGES stages of the
// ring, and fill the stage that they read before.
template <int width>
static __device__ __forceinline__ void multiply(double acc[TILES_M][TILES_N][4],
                                                struct copier<width> copier, double *shared, int K,
                                                int a_from, int b_from) {
    int read = 0, write = STAGES - 1;
    for (int stage = 0; stage < STAGES - 1; stage++) copy_next(&copier, shared + stage * STAGE);
#pragma unroll 1
    for (int k = 0; k < K; k += BK) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads(); // this tile is complete, and all warps have read the previous one
        multiply_stage(acc, shared + read * STAGE + a_from, shared + read * STAGE + b_from, &copier,
                       shared + write * STAGE);
        read = read + 1 < STAGES ? read + 1 : 0;
        write = write + 1 < STAGES ? write + 1 : 0;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    dgemm_ladder(int M, int N, int K, double alpha, const double *A, int lda, const double *B,
                 int ldb, double beta, double *C, int ldc) {
    extern __shared__ __align__(16) double shared[]; // the ring of STAGES stages
    // Blocks take the tiles in groups of GROUP rows of tiles, column by column in each group, so
    // that concurrent blocks share rows of A and columns of B.
    unsigned at = blockIdx.x, tiles_m = (M + BM - 1) / BM, tiles_n = (N + BN - 1) / BN;
    unsigned first = at / (GROUP * tiles_n) * GROUP, group = min(GROUP, tiles_m - first);
    at -= first * tiles_n;
    int block_row = (int)(first + at % group) * BM, block_col = (int)(at / group) * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warp_row = warp / (BN / WN) * WM, warp_col = warp % (BN / WN) * WN;
    int a_from = (warp_row + lane / 4) * A_STRIDE + lane % 4;
    int b_from = BM * A_STRIDE + lane % 4 * B_STRIDE + warp_col + lane / 4;

    double acc[TILES_M][TILES_N][4] = {};
    if ((size_t)A % 16 == 0 && (size_t)B % 16 == 0 && lda % 2 == 0 && ldb % 2 == 0)
        multiply(acc, start_copies<2>(M, N, K, A, lda, B, ldb, block_row, block_col), shared, K,
                 a_from, b_from);
    else
        multiply(acc, start_copies<1>(M, N, K, A, lda, B, ldb, block_row, block_col), shared, K,
                 a_from, b_from);

    double *to =
        &C[(size_t)(block_row + warp_row + lane / 4) * ldc + block_col + warp_col + lane % 4 * 2];
    // Number of rows and columns of C from `to` on.
    int rows = M - block_row - warp_row - lane / 4, cols = N - block_col - warp_col - lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < TILES_M * 2; i++) {
#pragma unroll
        for (int j = 0; j < TILES_N * 2; j++) {
            double *c = &to[(size_t)i * 8 * ldc + j / 2 * 8 + j % 2],
                   value = acc[i / 2][j / 2][i % 2 * 2 + j % 2];
            if (i * 8 >= rows || j / 2 * 8 + j % 2 >= cols) continue;
            *c = beta == 0 ? alpha * value : alpha * value + beta * *c;
        }
    }
}
