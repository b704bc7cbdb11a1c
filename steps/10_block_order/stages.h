// Stages in shared memory, for slim.h and staged.h: a block copies chunks of its rows of A and of its columns of B to STAGES stages in
// turn, and computes from those that are there. A is read in whole sectors whatever lda is, and lies in shared memory as it lies in
// global memory.
//
// Copies of 16 bytes need addresses that are multiples of 16, and two of them make one request for a sector of 32 bytes only where they
// lie in shared memory as in global memory, modulo 32. With an odd lda each row begins elsewhere. So a row's chunk begins up to seven k's
// further to the left, where the address is right: its skew. A lane reads B that many rows further up.
//
//   -DCHUNK -DSTAGES   k's of a chunk; chunks in shared memory
//
// What includes this says where the lanes of a warp stand, and what they compute.

static __device__ int row_of(int warp, int lane); // first of the lane's TM rows of the tile
static __device__ int k_of(int warp, int lane);   // first of its k's of a chunk
static __device__ int group_of(int lane);         // which of the groups of columns is its own

// acc += the products of the lane's rows of A and columns of B, over its k's of a chunk; `cols` columns of the tile are inside. as and bs are
// at its first row and k, bs at the tile's first column.
static __device__ void multiply_chunk(float acc[TM][TN], const float *as, const float *bs, int lane_n, int cols);

#define HALO         8                                            // rows of B before a chunk's
#define STAGE_FLOATS (BM * AS_STRIDE + (CHUNK + HALO) * B_STRIDE) // a stage: As (BM, CHUNK), then Bs (HALO + CHUNK, BN)
#define A_LANES      (CHUNK / 4)                                  // threads that copy a row of A, four floats each
#define A_STEP       (THREADS / A_LANES)

static_assert(BM % 8 == 0 && A_STEP % 8 == 0, "the rows of a thread have the same skew");

// By how many k's a chunk of A's row `row` begins before the others': so that its floats have the same place in a sector of A as in As.
// A tile's first row is a multiple of eight, so As may be taken for one with all rows of A.
static __device__ int skew_of(const float *A, int lda, int row) {
    return (int)(((size_t)A / sizeof(float) + (size_t)row * lda - (size_t)row * AS_STRIDE) % 8);
}

// A thread's share of the copies: where it reads and where it writes in the first stage.
struct copier {
    const float *a, *b; // in the next chunk
    int lda, ldb;
    int a_k, a_rows; // k of a's four floats; rows of the tile from its first one on
    int b_k;         // k of its first row of B
    bool b_inside;   // its columns are columns of B
    float *a_to, *b_to;
};

// Four floats of every A_STEP-th row of the chunk that begins at `begin`, less the skew. 16 bytes at a time where all of it is inside A; at
// the ends of K a float at a time, and zeros beyond them.
static __device__ __forceinline__ void copy_a(const struct copier *c, float *to, int begin, int K) {
    const float *a = c->a;
    if (begin >= HALO && begin + CHUNK <= K) {
#pragma unroll
        for (int i = 0; i < BM; i += A_STEP, a += (size_t)A_STEP * c->lda)
            copy_async(&to[i * AS_STRIDE], a, 4, i < c->a_rows);
    } else {
#pragma unroll 1
        for (int i = 0; i < BM; i += A_STEP, a += (size_t)A_STEP * c->lda)
            for (int e = 0; e < 4; e++)
                copy_async(&to[i * AS_STRIDE + e], a + e, 1, i < c->a_rows && c->a_k + e >= 0 && c->a_k + e < K);
    }
}

// `width` neighbours, 1 or 4, of every few rows of the chunk of B and of HALO rows before it; zeros outside of B.
static __device__ __forceinline__ void copy_b(const struct copier *c, float *to, int K, const int width) {
    const int step = THREADS / (BN / width);
    const float *b = c->b;
    int left = CHUNK + HALO - threadIdx.x / (BN / width);
    if (!c->b_inside) return;
#pragma unroll
    for (int i = 0; i < CHUNK + HALO; i += step, b += (size_t)step * c->ldb)
        if (i + step <= CHUNK + HALO || i < left)
            copy_async(&to[i * B_STRIDE], b, width, c->b_k + i >= 0 && c->b_k + i < K);
}

// acc becomes the lane's sums over `chunks` chunks, the first of which begins at `begin`.
static __device__ __forceinline__ void multiply_chunks(float acc[TM][TN], float *shared, const float *A, int lda,
                                                       const float *B, int ldb, int M, int N, int K, int row, int col,
                                                       int begin, int chunks, const int b_width) {
    struct copier c;
    int a_row = threadIdx.x / A_LANES, a_at = threadIdx.x % A_LANES * 4;
    c.lda = lda, c.ldb = ldb;
    c.a_k = begin + a_at - skew_of(A, lda, row + a_row);
    c.a = A + (ptrdiff_t)(row + a_row) * lda + c.a_k;
    c.a_rows = M - row - a_row;
    c.a_to = shared + a_row * AS_STRIDE + a_at;
    int b_row = threadIdx.x / (BN / b_width), b_col = threadIdx.x % (BN / b_width) * b_width;
    bool copies_b = b_row < THREADS / (BN / b_width);
    c.b_k = begin - HALO + b_row;
    c.b = B + (ptrdiff_t)c.b_k * ldb + col + b_col;
    c.b_inside = copies_b && col + b_col < N;
    c.b_to = shared + BM * AS_STRIDE + b_row * B_STRIDE + b_col;
    if (copies_b && !c.b_inside) // for all chunks
        for (int stage = 0; stage < STAGES; stage++)
            for (int k = b_row; k < CHUNK + HALO; k += THREADS / (BN / b_width))
                for (int e = 0; e < b_width; e++) c.b_to[stage * STAGE_FLOATS + (k - b_row) * B_STRIDE + e] = 0.0f;

    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, lane_k = k_of(warp, lane);
    int lane_m = row_of(warp, lane), lane_n = group_of(lane);
    const float *as = shared + lane_m * AS_STRIDE + lane_k;
    const float *bs = shared + BM * AS_STRIDE + (lane_k + HALO - skew_of(A, lda, row + lane_m)) * B_STRIDE;
    int read = 0, write = 0; // floats from the first stage
    for (int chunk = 1 - STAGES; chunk < chunks; chunk++) {
        if (chunk >= 0) {
            __pipeline_wait_prior(STAGES - 2);
            __syncthreads(); // this chunk is there, and the one before used up
        }
        if (chunk + STAGES - 1 < chunks) {
            copy_a(&c, c.a_to + write, begin, K);
            copy_b(&c, c.b_to + write, K, b_width);
            c.a += CHUNK, c.a_k += CHUNK;
            c.b += (size_t)CHUNK * ldb, c.b_k += CHUNK;
            begin += CHUNK;
        }
        __pipeline_commit();
        write = write + STAGE_FLOATS < STAGES * STAGE_FLOATS ? write + STAGE_FLOATS : 0;
        if (chunk < 0) continue;
        multiply_chunk(acc, as + read, bs + read, lane_n, N - col);
        read = read + STAGE_FLOATS < STAGES * STAGE_FLOATS ? read + STAGE_FLOATS : 0;
    }
}
