// The product where A has few rows: B is split on its way to the tensor cores, and no planes of it are written and read again.
//
// wgmma takes its first operand from registers or from shared memory, its second from shared memory only. So C' = B' A' is computed:
//
//   warpgroups 0 and 1   64 columns of B each, 128 rows of A. They read B as it is from shared memory, scale it, split it in registers
//                        and multiply; A's planes are the second operand
//   warpgroup 2          copies: B by cp.async, which takes every edge and alignment; A's planes by the copy engine
//
// A tile of C has two blocks, a cluster, with half of K each: 8192 columns are only 64 tiles for 132 SMs. In the end each block gets the
// other's sums for the columns of one warpgroup, adds them to its own and stores them. Each sum is of the same two parts on every run.

enum { B_STRIDE = BN + 4 };                      // floats from a row of B to the next: see read_numbers
enum { RAW_BYTES = TILE_K * B_STRIDE * 4 };      // of B in a stage
enum { RAW_STAGE = RAW_BYTES + 2 * TILE_BYTES }; // with A's two planes
enum { PRODUCERS = WG / 32 };                    // warps that copy

struct matrix_b {
    const float *B;
    int ldb, N, K;
};

// What a block has of C: the tile's first row and column, and its part of K in tiles.
struct part {
    int row, col;
    unsigned first, end;
};

static __device__ __forceinline__ struct part part_of_block(int N, const struct layout *l, unsigned block) {
    const unsigned tile = blockIdx.x / 2, across = (unsigned)l->rows_b / BN, half = (unsigned)(l->tiles_k + 1) / 2;
    return {(int)(tile / across) * BM, (int)(tile % across) * BN, block * half, block ? (unsigned)l->tiles_k : half};
}

// Copies up to 4 or 1 floats; zeros are written past the first `valid`, and nothing is read there.
static __device__ __forceinline__ void copy_floats(unsigned to, const float *from, int floats, int valid) {
    int bytes = 4 * max(0, min(floats, valid));
    if (floats == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

// One warp of those that copy: every fourth row of a tile of B, a lane `width` floats at a time. `from` and `to` are the lane's first in
// the warp's first row, with `rows` rows and `valid` columns from there to B's edges.
template <int width>
static __device__ __forceinline__ void copy_rows(unsigned to, const float *from, long long ldb, int rows, int valid) {
#pragma unroll 8
    for (int row = 0; row < TILE_K; row += PRODUCERS, to += PRODUCERS * B_STRIDE * 4, from += PRODUCERS * ldb)
#pragma unroll
        for (int i = 0; i < 4; i += width)
            copy_floats(to + i * 32 * 4, &from[i * 32], width, row < rows ? valid - i * 32 : 0);
}

// The barrier's phase counts an arrival of this thread when its copies so far have come.
static __device__ __forceinline__ void barrier_arrive_by_copies(unsigned barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

// One warpgroup: copies every stage, as soon as the consumers have left it.
template <int stages>
static __device__ void produce_raw(const struct matrix_b *b, const char *planes, const struct layout *l,
                                   struct part part, unsigned full, unsigned empty, unsigned stages_at) {
    const bool wide = (size_t)b->B % 16 == 0 && b->ldb % 4 == 0;
    const int t = threadIdx.x % WG, row = (int)part.first * TILE_K + t / 32, col = part.col + t % 32 * (wide ? 4 : 1);
    const unsigned at = stages_at + (t / 32 * B_STRIDE + col - part.col) * 4;
    const float *from = &b->B[(size_t)row * b->ldb + col];
    const char *a = planes + row_offset(part.row, part.first, l->rows_a);
    struct ring ring = {0, 1}; // the first round finds every stage empty
    int rows = b->K - row;
    for (unsigned k = part.first; k < part.end; k++) {
        unsigned barrier = full + ring.stage * 8, stage = ring.stage * RAW_STAGE;
        barrier_wait(empty + ring.stage * 8, ring.parity);
        if (t == 0) {
            barrier_expect(barrier, 2 * TILE_BYTES);
            copy_bytes(stages_at + stage + RAW_BYTES, a, TILE_BYTES, barrier);
            copy_bytes(stages_at + stage + RAW_BYTES + TILE_BYTES, a + l->plane_a, TILE_BYTES, barrier);
        }
        if (wide)
            copy_rows<4>(at + stage, from, b->ldb, rows, b->N - col);
        else
            copy_rows<1>(at + stage, from, b->ldb, rows, b->N - col);
        barrier_arrive_by_copies(barrier);
        a += l->rows_a * ROW_BYTES;
        from += (long long)TILE_K * b->ldb;
        rows -= TILE_K;
        next_stage<stages>(&ring);
    }
}

// 64 columns of B and 16 k's, as wgmma wants its first operand: a warp has 16 of the columns. A thread has two neighbouring columns,
// which are rows lane / 4 and lane / 4 + 8 of B', and k's lane % 4 * 2 + 0, 1, 8, 9.
struct fragment {
    unsigned high[4], low[4];
};

// The numbers of a fragment: two columns, four k's. Half a warp reads 8 neighbouring columns of 4 k's at a time, two rows apart: that is
// 2 B_STRIDE = 264 floats, 8 banks further, so these are all 32 banks.
struct numbers {
    float col[2][4];
};
static __device__ __forceinline__ void read_numbers(struct numbers *n, const float *from) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float2 pair = *(const float2 *)&from[(i / 2 * 8 + i % 2) * B_STRIDE];
        n->col[0][i] = pair.x;
        n->col[1][i] = pair.y;
    }
}

static __device__ __forceinline__ void split_numbers(struct fragment *f, const struct numbers *n,
                                                     const struct scale scales[2]) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        struct scale scale = scales[i % 2];
        const float *pair = &n->col[i % 2][i / 2 * 2];
        float x = pair[0] * scale.first * scale.second, y = pair[1] * scale.first * scale.second;
        f->high[i] = next_piece(&x, &y, FP16_TWO);
        f->low[i] = next_piece(&x, &y, FP16_TWO);
    }
}

// The fragment's registers are not used for anything else before this place.
static __device__ __forceinline__ void keep(const struct fragment *f) {
#pragma unroll
    for (int i = 0; i < 4; i++) asm volatile("" ::"r"(f->high[i]), "r"(f->low[i]) : "memory");
}

#define WGMMA_REGISTERS(add)                                                                                           \
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " WGMMA_SUMS ", {%64, %65, %66, %67}, %68, " add \
                 ", 1, 1, 0;"                                                                                          \
                 : F16(0), F16(16), F16(32), F16(48)                                                                   \
                 : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a))

// acc (64, 128) = or += B' (64, 16) A' (16, 128), asynchronous.
static __device__ __forceinline__ void wgmma_turned(float acc[64], const unsigned b[4], unsigned long long a,
                                                    bool add) {
    if (add)
        WGMMA_REGISTERS("1");
    else
        WGMMA_REGISTERS("0");
}

static __device__ __forceinline__ struct scale scale_of_column(const struct output *o, int col) {
    int s = col < o->N ? o->cols[col] : 0;
    return make_scale(s == LEFT_OUT ? 0 : s);
}

// One warpgroup: the block's part of the sums of 64 columns. Sums as in `consume`.
template <int stages>
static __device__ __forceinline__ void sum_columns(float sum[64], const struct output *out, struct part part, int col,
                                                   const char *shared_stages, unsigned full, unsigned empty,
                                                   unsigned block) {
    const unsigned lane = threadIdx.x % 32;
    const struct scale scales[2] = {scale_of_column(out, col), scale_of_column(out, col + 1)};
    const float *first = (const float *)shared_stages + lane % 4 * 2 * B_STRIDE + (col - part.col);
    struct ring ring = {0, 0};
    struct numbers numbers;
    struct fragment fragments[2] = {}; // one is multiplied while the other is made
    float high[64], low[64];
    unsigned left = 0; // the stage whose last products are under way
#pragma unroll
    for (int i = 0; i < 64; i++) sum[i] = high[i] = low[i] = 0.0f;
    pin(low);
    for (unsigned k = part.first; k < part.end; k++) {
        const float *raw = first + ring.stage * (RAW_STAGE / 4);
        unsigned long long a = descriptor(shared_address(shared_stages) + ring.stage * RAW_STAGE + RAW_BYTES);
        barrier_wait(full + ring.stage * 8, ring.parity);
        read_numbers(&numbers, raw);
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) {
            struct fragment *f = &fragments[step % 2];
            split_numbers(f, &numbers, scales);
            if (step == 0) pin(high);
            wgmma_fence();
            wgmma_turned(high, f->high, a + step * 32 / 16, step > 0);
            wgmma_commit();
            wgmma_turned(low, f->high, a + (TILE_BYTES + step * 32) / 16, true);
            wgmma_turned(low, f->low, a + step * 32 / 16, true);
            wgmma_commit();
            if (step < TILE_K / 16 - 1) read_numbers(&numbers, raw + (step + 1) * 16 * B_STRIDE);
            wgmma_wait<2>(); // all products of the other fragment
            keep(&fragments[(step + 1) % 2]);
            if (step == 0 && k > part.first && lane == 0) barrier_arrive(empty + left * 8, block);
        }
        wgmma_wait<1>(); // the high products: they are added up while the tensor cores do the last low ones
        pin(high);
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += high[i];
        left = ring.stage;
        next_stage<stages>(&ring);
    }
    wgmma_wait<0>();
    pin(low);
#pragma unroll
    for (int i = 0; i < 64; i++) sum[i] += low[i] * 0x1p-11f;
}

// The exponents of two columns of B and 32 rows of A, which here are what rows and columns are in `store`.
static __device__ __forceinline__ void read_exponents_turned(struct exponents *e, const struct output *o, int row,
                                                             int col) {
#pragma unroll
    for (int i = 0; i < 2; i++) e->row[i] = col + i < o->N ? o->cols[col + i] : LEFT_OUT;
#pragma unroll
    for (int i = 0; i < PAIRS; i++, row += 8) {
        int2 pair = row < o->M ? *(const int2 *)&o->rows[row] : int2{LEFT_OUT, LEFT_OUT};
        e->col[2 * i] = pair.x;
        e->col[2 * i + 1] = row + 1 < o->M ? pair.y : LEFT_OUT;
    }
}

// The same address in another block of the cluster.
static __device__ __forceinline__ unsigned address_in(unsigned address, unsigned block) {
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    return there;
}

// One warpgroup, all of its work.
template <int stages>
static __device__ void consume_raw(const struct output *out, struct part part, const char *shared_stages, unsigned full,
                                   unsigned empty, unsigned block) {
    const unsigned t = threadIdx.x % WG, wg = threadIdx.x / WG, lane = t % 32;
    const int row = part.row + (int)(lane % 4) * 2, col = part.col + (int)(wg * 64 + t / 32 * 16 + lane / 4 * 2);
    float sum[64];
    sum_columns<stages>(sum, out, part, col, shared_stages, full, empty, block);
    cluster_barrier(); // the stages of both blocks are free
    if (wg != block) {
        const unsigned there = address_in(shared_address(shared_stages) + t * 4, wg);
#pragma unroll
        for (int i = 0; i < 64; i++)
            asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there + i * WG * 4), "f"(sum[i]) : "memory");
    }
    cluster_barrier(); // the parts are there
    if (wg != block) return;
    const float *part_there = (const float *)shared_stages + t;
    struct exponents exponents;
    read_exponents_turned(&exponents, out, row, col);
#pragma unroll
    for (int i = 0; i < 64; i++) sum[i] += part_there[i * WG];
    store<true>(out, &exponents, sum, row, col);
}

// The whole block.
template <int stages>
static __device__ __forceinline__ void multiply_few_rows(const struct matrix_b *b, const char *planes,
                                                         const struct layout *l, const struct output *out) {
    extern __shared__ char shared[];
    const unsigned skipped = -shared_address(shared) & 1023u; // planes begin at multiples of 1024
    const unsigned full = shared_address(shared) + skipped, empty = full + stages * 8;
    const char *stages_at = shared + skipped + SHARED_HEAD;
    const unsigned block = block_in_cluster();
    const struct part part = part_of_block(b->N, l, block);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; i++) {
            barrier_init(full + i * 8, WG + 1); // those that copy B, and the one that copies A
            barrier_init(empty + i * 8, CONSUMERS * WG / 32);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_barrier();
    if (threadIdx.x / WG == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        produce_raw<stages>(b, planes, l, part, full, empty, shared_address(stages_at));
        __syncwarp();
        cluster_barrier();
        cluster_barrier();
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume_raw<stages>(out, part, stages_at, full, empty, block);
    }
}
