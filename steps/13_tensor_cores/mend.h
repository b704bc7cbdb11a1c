// What the tensor cores must not compute, in FP32: whole rows and whole columns of C, listed by the pre-pass.

#define MEND     64 // rows and columns of a tile
#define MEND_K   32
#define SIDE     16 // threads along each side of a tile
#define A_STRIDE (MEND + 1)

// Rows or columns of C: the numbers in a list, or all.
struct chosen {
    const int *list; // NULL: all
    int count;
};

static __device__ __forceinline__ int chosen_at(struct chosen c, int i) {
    return i >= c.count ? -1 : c.list ? c.list[i] : i;
}

struct product {
    const float *A, *B;
    int lda, ldb, K;
    struct output out;
};

// A thread's share of a tile of A and one of B, on its way to shared memory.
enum { SHARE = MEND * MEND_K / (SIDE * SIDE) };
struct share {
    float a[SHARE], b[SHARE];
};

static __device__ __forceinline__ void fetch(struct share *s, const struct product *p, const int *row_of,
                                             const int *col_of, int k0) {
#pragma unroll
    for (int i = 0; i < SHARE; i++) {
        int at = threadIdx.x + i * SIDE * SIDE;
        int a_k = k0 + at % MEND_K, row = row_of[at / MEND_K], b_k = k0 + at / MEND, col = col_of[at % MEND];
        s->a[i] = row >= 0 && a_k < p->K ? __ldg(&p->A[(size_t)row * p->lda + a_k]) : 0.0f;
        s->b[i] = col >= 0 && b_k < p->K ? __ldg(&p->B[(size_t)b_k * p->ldb + col]) : 0.0f;
    }
}

// acc += A B of a tile, for a thread's first `down` rows and `along` columns.
template <int down, int along>
static __device__ __forceinline__ void multiply_shares(float acc[MEND / SIDE][MEND / SIDE], const float *as,
                                                       const float *bs, int depth) {
#pragma unroll 4
    for (int k = 0; k < depth; k++)
#pragma unroll
        for (int i = 0; i < down; i++)
#pragma unroll
            for (int j = 0; j < along; j++) acc[i][j] += as[k * A_STRIDE + i * SIDE] * bs[k * MEND + j * SIDE];
}

// One tile of C. Rows that `skip` marks are somebody else's.
static __device__ void mend_tile(const struct product *p, struct chosen rows, struct chosen cols, int tile_m,
                                 int tile_n, const int *skip) {
    __shared__ float as[MEND_K][A_STRIDE], bs[MEND_K][MEND];
    __shared__ int row_of[MEND], col_of[MEND];
    const struct output *out = &p->out;
    int t = threadIdx.x, x = t % SIDE, y = t / SIDE;
    int rows_here = min(MEND, rows.count - tile_m * MEND), cols_here = min(MEND, cols.count - tile_n * MEND);
    __syncthreads(); // all have left the tile before
    if (t < MEND) row_of[t] = chosen_at(rows, tile_m * MEND + t);
    if (t >= MEND && t < 2 * MEND) col_of[t - MEND] = chosen_at(cols, tile_n * MEND + t - MEND);
    __syncthreads();
    float acc[MEND / SIDE][MEND / SIDE] = {};
    struct share share;
    fetch(&share, p, row_of, col_of, 0);
    for (int k0 = 0; k0 < p->K; k0 += MEND_K) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SHARE; i++) {
            int at = t + i * SIDE * SIDE;
            as[at % MEND_K][at / MEND_K] = share.a[i];
            bs[at / MEND][at % MEND] = share.b[i];
        }
        __syncthreads();
        if (k0 + MEND_K < p->K) fetch(&share, p, row_of, col_of, k0 + MEND_K);
        int depth = min(MEND_K, p->K - k0); // a NaN times a zero beyond K would be one
        if (rows_here <= SIDE)
            multiply_shares<1, MEND / SIDE>(acc, &as[0][y], &bs[0][x], depth);
        else if (cols_here <= SIDE)
            multiply_shares<MEND / SIDE, 1>(acc, &as[0][y], &bs[0][x], depth);
        else
            multiply_shares<MEND / SIDE, MEND / SIDE>(acc, &as[0][y], &bs[0][x], depth);
    }
#pragma unroll
    for (int i = 0; i < MEND / SIDE; i++)
#pragma unroll
        for (int j = 0; j < MEND / SIDE; j++) {
            int row = row_of[i * SIDE + y], col = col_of[j * SIDE + x];
            if (row < 0 || col < 0 || (skip && skip[row] == LEFT_OUT)) continue;
            float *c = &out->C[(size_t)row * out->ldc + col], value = out->alpha * acc[i][j];
            *c = out->beta == 0.0f ? value : value + out->beta * *c;
        }
}

static __device__ void mend_tiles(const struct product *p, struct chosen rows, struct chosen cols, const int *skip) {
    int tiles_m = (rows.count + MEND - 1) / MEND, tiles_n = (cols.count + MEND - 1) / MEND;
    for (long long at = blockIdx.x; at < (long long)tiles_m * tiles_n; at += gridDim.x)
        mend_tile(p, rows, cols, (int)(at / tiles_n), (int)(at % tiles_n), skip);
}
