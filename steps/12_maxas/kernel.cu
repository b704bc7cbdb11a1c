// Step 12, maxas: Scott Gray's SGEMM for Maxwell in CUDA C: its loads, thread map and stores of C.
//
//   -DTHREADS=64     block tile 64 x 64: one warp loads A, the other one B
//   -DTHREADS=256    block tile 128 x 128: four warps load A, four B
//   -DREAD_ONLY=1    loads A and B by __ldg, which requires that the kernel does not write them
//   -DTEXTURES=1     fetches A and B from textures, if the host could create them
//
// His matrices are column-major. Read as row-major they are transposed, and C^T = B^T A^T. So his A
// is B here, and his x, which runs along a column of his C, numbers columns of C here.
// Bits of the thread number, b7 to b0:
//
//     x, four columns of C:  b7 b3 b2 b1
//     y, four rows of C:     b6 b5 b4 b0         (64 threads: without b7 and b6)
//
//   64 x 64 elements of C; thread 0 owns the four patches of 4 x 4 marked 0:
//
//           col 0  4  8 12 16 20 24 28   32 36
//     row 0     0  2  4  6  8 10 12 14 |  0  2 ...
//         4     1  3  5  7  9 11 13 15 |  1  3 ...   TM = TN = 8: rows thread_row + 0..3, + 32..35,
//         8    16 18 20 22 24 26 28 30 |             columns thread_col + 0..3, + 32..35
//        12    17 19 21 23 25 27 29 31 |
//        16    32 34 ...                                   the second warp
//        ..
//        32     0  2 ...                  0  2 ...
//
// orders.sass has the inner loop with its FFMAs in a chosen order.

#define BK       8
#define TM       8
#define TN       8
#define TILE     (THREADS == 64 ? 64 : 128) // rows and columns of the block tile
#define HALF     (TILE / 2)                 // from a thread's first four rows to its other four
#define ROW      (TILE * 4)                 // bytes from one k to the next in shared memory
#define B_BEHIND (BK * ROW)                 // bytes from As to Bs in a buffer, each (BK, TILE)
#define BUFFER   (2 * B_BEHIND)             // 4096 or 8192 bytes: XOR with it switches buffers
#define LOADERS  (THREADS / 2)              // threads that load A; as many load B
#define LOADS    (BK * TILE / 4 / LOADERS)  // float4 per thread and tile

#if READ_ONLY
#define LOAD(p) __ldg(p)
#else
#define LOAD(p) (*(p))
#endif

#if TEXTURES
#define OUTSIDE            0x7fffffff // index beyond every texture: reads 0
#define TEXTURE_PARAMETERS , cudaTextureObject_t A_texture, cudaTextureObject_t B_texture
#else
#define TEXTURE_PARAMETERS
#endif

// Returns true if every row of the matrix starts at a 16-byte aligned address.
static __device__ bool aligned16(const float *matrix, int ld) {
    return (size_t)matrix % 16 == 0 && ld % 4 == 0;
}

// Returns elements `col` to `col` + 3 of row `row` of a (rows, cols) matrix, zeros outside. If
// `aligned`, every row starts at a 16-byte aligned address, so that one 128-bit load suffices for
// four elements inside.
static __device__ float4 load4(const float *matrix, int ld, int rows, int cols, int row, int col,
                               bool aligned) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (row >= rows) return v;
    const float *p = &matrix[(size_t)row * ld + col];
    if (aligned && col < cols - 3) return LOAD((const float4 *)p);
    if (col < cols - 0) v.x = LOAD(p + 0);
    if (col < cols - 1) v.y = LOAD(p + 1);
    if (col < cols - 2) v.z = LOAD(p + 2);
    if (col < cols - 3) v.w = LOAD(p + 3);
    return v;
}

// A thread's share of each tile of A or of B: LOADS float4.
struct loader {
    const float *matrix;
    int ld, rows, cols;
    int row, col; // position of the thread's first float4
    bool is_b, aligned;
#if TEXTURES
    cudaTextureObject_t a, b; // textures of the whole matrices; 0 if there is none
#endif
};

// These functions return the row and the column of float4 i of a thread's share.
static __device__ __forceinline__ int row_of(const struct loader *l, bool is_b, int i, int k0) {
    return is_b ? k0 + l->row + i * (BK / LOADS) : l->row + i / 2 * LOADERS;
}
static __device__ __forceinline__ int col_of(const struct loader *l, bool is_b, int i, int k0) {
    return is_b ? l->col : k0 + i % 2 * 4;
}

#if TEXTURES
// Loads a thread's share from a texture of the whole matrix. Texels past the last row read as 0.
// Past the last column the next row would begin, so texel OUTSIDE is read instead, also 0.
static __device__ __forceinline__ void fetch_texels(float4 next[LOADS], const struct loader *l,
                                                    cudaTextureObject_t texture, bool is_b,
                                                    int k0) {
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        int col = col_of(l, is_b, i, k0), texel = row_of(l, is_b, i, k0) * (l->ld / 4) + col / 4;
        next[i] = tex1Dfetch<float4>(texture, col < l->cols ? texel : OUTSIDE);
    }
}
#endif

// Loads a thread's share of a tile. All threads execute the same loads; an address in a register
// points into A or B. Textures require a branch, because an instruction reads one texture for all
// lanes of a warp.
static __device__ __forceinline__ void fetch(float4 next[LOADS], const struct loader *l, int k0) {
#if TEXTURES
    if (l->a && l->is_b) return fetch_texels(next, l, l->b, true, k0);
    if (l->a) return fetch_texels(next, l, l->a, false, k0);
#endif
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        next[i] = load4(l->matrix, l->ld, l->rows, l->cols, row_of(l, l->is_b, i, k0),
                        col_of(l, l->is_b, i, k0), l->aligned);
    }
}

// Stores B in its original order, and A transposed. A lane has four k's of one row of A. The 32
// lanes of a warp store one k of 32 rows at a time, to 32 different banks.
static __device__ __forceinline__ void store_tile(char *shared, int write, const float4 next[LOADS],
                                                  bool is_b) {
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        if (is_b) {
            *(float4 *)&shared[write + i * (BK / LOADS) * ROW] = next[i];
        } else {
            int at = write + i % 2 * 4 * ROW + i / 2 * LOADERS * 4;
            *(float *)&shared[at + 0 * ROW] = next[i].x;
            *(float *)&shared[at + 1 * ROW] = next[i].y;
            *(float *)&shared[at + 2 * ROW] = next[i].z;
            *(float *)&shared[at + 3 * ROW] = next[i].w;
        }
    }
}

// Loads the thread's rows of A and columns of B for one k.
static __device__ __forceinline__ void load_fragments(float a_frag[TM], float b_frag[TN],
                                                      const char *shared, int read_a, int read_b,
                                                      int k) {
    *(float4 *)&b_frag[0] = *(const float4 *)&shared[read_b + k * ROW];
    *(float4 *)&a_frag[0] = *(const float4 *)&shared[read_a + k * ROW];
    *(float4 *)&b_frag[4] = *(const float4 *)&shared[read_b + k * ROW + HALF * 4];
    *(float4 *)&a_frag[4] = *(const float4 *)&shared[read_a + k * ROW + HALF * 4];
}

// Sets C to alpha * acc + beta * C, one row of the thread tile at a time. The lanes of a warp hold
// 4 rows of 64 columns of C. They store them to the warp's 1 KB of shared memory and load them
// again by 32 neighbours, so that stores to C are coalesced.
static __device__ __forceinline__ void store_through_shared(float *C, int ldc, int M, int N,
                                                            int block_row, int block_col,
                                                            const float acc[TM][TN], char *shared,
                                                            float alpha, float beta) {
    int tid = threadIdx.x, lane = tid % 32;
    float *line = (float *)shared + tid / 32 * 256; // (4 rows, 64 columns)
    float *put = line + ((lane >> 3 & 2) | (lane & 1)) * 64 + (lane >> 1 & 7) * 4;
    int warp_row = block_row + ((tid & 0x60) >> 3) * 4; // the first of the warp's rows
    int col = block_col + ((tid & 0x80) >> 4) * 4 + lane;
#pragma unroll
    for (int y = 0; y < TM; y++) {
        float4 v[2];
        for (int i = 0; i < 2; i++)
            v[i] = {alpha * acc[y][4 * i], alpha * acc[y][4 * i + 1], alpha * acc[y][4 * i + 2],
                    alpha * acc[y][4 * i + 3]};
        __syncwarp(); // all lanes have read the previous rows
        *(float4 *)&put[0] = v[0];
        *(float4 *)&put[32] = v[1];
        __syncwarp();
        for (int g = 0; g < 4; g++) {
            int row = warp_row + g * 4 + y % 4 + y / 4 * HALF;
            for (int half = 0; half < 2; half++) {
                int c = col + half * HALF;
                if (row >= M || c >= N) continue;
                float *to = &C[(size_t)row * ldc + c], sum = line[g * 64 + half * 32 + lane];
                *to = beta == 0.0f ? sum : sum + beta * *to;
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS)
    sgemm_maxas(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb,
                float beta, float *C, int ldc TEXTURE_PARAMETERS) {
    __shared__ __align__(16) char shared[2 * BUFFER];

    int tid = threadIdx.x, block_row = blockIdx.y * TILE, block_col = blockIdx.x * TILE;
    int t = tid % LOADERS;
    bool is_b = tid >= LOADERS; // uniform within a warp
    int b_k = t / (TILE / 4), b_col = t % (TILE / 4) * 4;
    struct loader l = {is_b ? B : A,
                       is_b ? ldb : lda,
                       is_b ? K : M,
                       is_b ? N : K,
                       is_b ? b_k : block_row + t,
                       block_col + b_col,
                       is_b,
                       is_b ? aligned16(B, ldb) : aligned16(A, lda)};
#if TEXTURES
    l.a = A_texture, l.b = B_texture;
#endif

    int write = is_b ? B_BEHIND + b_k * ROW + b_col * 4 : t * 4;
    int read_a = ((tid & 0x70) >> 3 | (tid & 1)) << 4;
    int read_b = (((tid & 0x80) >> 4 | (tid >> 1 & 7)) << 4) + B_BEHIND;

    float acc[TM][TN] = {}, a_frag[2][TM], b_frag[2][TN];
    float4 next[LOADS];
    fetch(next, &l, 0);
    store_tile(shared, write, next, is_b);
    __syncthreads();
    write ^= BUFFER;
    load_fragments(a_frag[0], b_frag[0], shared, read_a, read_b, 0);

#pragma unroll 1
    for (int k0 = 0; k0 < K; k0 += BK) {
        fetch(next, &l, k0 + BK); // zeros past the last tile
#pragma unroll
        for (int k = 0; k < BK; k++) {
            if (k == BK - 1) { // all fragments of this tile are in registers: switch buffers
                store_tile(shared, write, next, is_b);
                __syncthreads();
                read_a ^= BUFFER;
                read_b ^= BUFFER;
                write ^= BUFFER;
            }
            load_fragments(a_frag[(k + 1) % 2], b_frag[(k + 1) % 2], shared, read_a, read_b,
                           (k + 1) % BK);
            for (int y = 0; y < TM; y++)
                for (int x = 0; x < TN; x++) acc[y][x] += a_frag[k % 2][y] * b_frag[k % 2][x];
        }
    }
    __syncthreads(); // all warps have read the tiles
    store_through_shared(C, ldc, M, N, block_row, block_col, acc, shared, alpha, beta);
}
