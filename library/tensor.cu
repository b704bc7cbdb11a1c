// Computes FP32 products by MMAs for libsgemm, on sm_90a. It extends step 13's variant `mended` to
// transposed operands and batches, and splits the sums of mend() along K. blockIdx.y is the index
// in the batch, except in sgemm_tensor, whose blocks compute tiles of all products.
//
// Terms of step 13: an operand is split into FP16 or BF16 pieces, each stored in a plane. Lines are
// the rows of A and the columns of B. A survey finds the range of each line. Lines whose range
// exceeds the format are left out and listed; mend() computes their part of C in FP32.
#define FORMAT  0
#define SAFE    1
#define CLUSTER 2
#define STAGES  3

#include "tensor.h"

#include "../steps/13_tensor_cores/split.h"

#include "../steps/13_tensor_cores/multiply.h"

// --- storing C by 128 contiguous bytes -----------------------------------------------------------
// Sends `send` to the lane whose number differs in `bit`, and returns what that lane sends.
static __device__ __forceinline__ float2 exchange(float2 send, int bit) {
    return float2{__shfl_xor_sync(~0u, send.x, bit), __shfl_xor_sync(~0u, send.y, bit)};
}

// Stores a warp's 16 rows of C. Lanes first exchange sums, so that eight lanes have 32 neighbours
// of a row: 128 contiguous bytes. Requires: all_kept(), and rows aligned to 16 bytes. `c` is the
// address of the thread's first element.
static __device__ __forceinline__ void store_lines_of_warp(float *c, int ldc, const float sum[64]) {
    const int lane = threadIdx.x % 32, second = lane & 1, below = lane / 4 & 1;
    // Address of the lane's first store: four columns of an even row. Its second store is in the
    // row below. Of 32 columns, the four begin at number 16 below + 8 second + 4 (lane % 4 / 2).
    float *to = c - (size_t)below * ldc - lane % 4 * 2 + below * 16 + second * 8 + lane % 4 / 2 * 4;
#pragma unroll
    for (int half = 0; half < 2; half++) {
#pragma unroll
        for (int at = half * 2; at < 64; at += 16, to += 32) {
            float2 v[4], got[2];
#pragma unroll
            for (int i = 0; i < 4; i++) v[i] = float2{sum[at + i * 4], sum[at + i * 4 + 1]};
#pragma unroll
            for (int i = 0; i < 2; i++) got[i] = exchange(second ? v[2 * i] : v[2 * i + 1], 1);
            float2 four[2][2]; // four[0] is from columns 0 to 15, four[1] from columns 16 to 31
#pragma unroll
            for (int i = 0; i < 2; i++) {
                four[i][0] = second ? got[i] : v[2 * i];
                four[i][1] = second ? v[2 * i + 1] : got[i];
            }
            float2 other[2];
#pragma unroll
            for (int i = 0; i < 2; i++) other[i] = exchange(below ? four[0][i] : four[1][i], 4);
            float2 upper[2], lower[2];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                upper[i] = below ? other[i] : four[0][i];
                lower[i] = below ? four[1][i] : other[i];
            }
            *(float4 *)to = float4{upper[0].x, upper[0].y, upper[1].x, upper[1].y};
            *(float4 *)(to + ldc) = float4{lower[0].x, lower[0].y, lower[1].x, lower[1].y};
        }
        to += 8ll * ldc - 4 * 32;
    }
}

// Returns true if no row or column of the warp's tile is left out or lies outside C.
static __device__ __forceinline__ bool all_kept(const struct exponents *e) {
    bool all = true;
#pragma unroll
    for (int i = 0; i < 2; i++) all &= e->row[i] != LEFT_OUT;
#pragma unroll
    for (int i = 0; i < 2 * PAIRS; i++) all &= e->col[i] != LEFT_OUT;
    return __all_sync(~0u, all);
}

// --- exponents and bias of a tile's rows and columns ---------------------------------------------
// The exponents and the bias of one tile, in shared memory, for one warpgroup.
// Exponents outside C are LEFT_OUT.
struct edges {
    int row[64], col[BN];
    float bias[BN]; // bias of each column, or of each row
};

// The part of struct edges that one thread loads while the MMAs run.
struct edge {
    int row, col;
    float bias;
};

// What the epilogue needs besides struct output (multiply.h).
struct added {
    const float *bias;  // NULL if there is no bias
    bool bias_of_row;   // true if the bias has one element per row of C, not per column
    bool fours_aligned; // true if elements 0, 4, 8, ... of rows of C are 16-byte aligned
};

static __device__ __forceinline__ struct edge
read_edge(const struct output *o, const struct added *added, int row, int col, unsigned product) {
    const int at_row = row + (int)threadIdx.x % 64, at_col = col + (int)threadIdx.x % WG,
              biased = added->bias_of_row ? at_row : at_col;
    struct edge e = {LEFT_OUT, LEFT_OUT, 0.0f};
    if (at_row < o->M) e.row = of_product(o->rows, o->apart, product)[at_row];
    if (at_col < o->N) e.col = of_product(o->cols, o->apart, product)[at_col];
    if (added->bias && biased < (added->bias_of_row ? o->M : o->N)) e.bias = added->bias[biased];
    return e;
}

// Shares the edges that the threads have loaded, and sets *e to the exponents of the thread's
// elements. Returns the bias of the thread's first row or column, in shared memory. Two buffers are
// used in turn, so that no warp overwrites edges that another one still reads.
static __device__ __forceinline__ const float *share_edges(struct exponents *e, struct edge mine,
                                                           bool bias_of_row, unsigned buffer) {
    __shared__ struct edges all[2][CONSUMERS];
    const unsigned t = threadIdx.x % WG, row = t / 32 * 16 + t % 32 / 4, col = t % 4 * 2;
    struct edges *edges = &all[buffer][threadIdx.x / WG];
    edges->col[t] = mine.col, edges->bias[t] = mine.bias;
    if (t < 64) edges->row[t] = mine.row;
    asm volatile("bar.sync %0, %1;" ::"r"(threadIdx.x / WG + 1), "n"(WG) : "memory");
    read_exponents<false>(e, edges->row, edges->col, 64, BN, (int)row, (int)col);
    return &edges->bias[bias_of_row ? row : col];
}

static __device__ __forceinline__ void add_bias(float sum[64], const float *bias, bool of_row) {
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
        const float2 pair = of_row ? float2{bias[i / 2 % 2 * 8], bias[i / 2 % 2 * 8]}
                                   : *(const float2 *)&bias[i / 4 * 8];
        sum[i] += pair.x, sum[i + 1] += pair.y;
    }
}

// The epilogue of multiply_planes() (multiply.h) for a batch: tiles of many products in one launch,
// a bias that is added to C, and C stored by 128 contiguous bytes.
struct Batch {
    const struct added *added;
    unsigned buffer = 0; // its parity selects the buffer of share_edges() to be written next
    int first_row, first_col;
    struct edge edge;
    const float *bias; // bias of the thread's first row or column, in shared memory

    __device__ __forceinline__ Batch(const struct added *of_launch) : added(of_launch) {
    }
    static __device__ __forceinline__ unsigned product_of(unsigned at, struct tiles tiles) {
        return at / (tiles.m * tiles.n);
    }
    __device__ __forceinline__ void begin(const struct output *out, struct tiles tiles, unsigned at,
                                          unsigned block, struct thread me) {
        const unsigned product = product_of(at, tiles);
        const struct place place = place_of(at - product * tiles.m * tiles.n, tiles, block);
        first_row = place.row * BM + me.wg * 64, first_col = place.col * BN;
        edge = read_edge(out, added, first_row, first_col, product);
    }
    __device__ __forceinline__ void end(const struct output *out, struct tiles tiles, unsigned at,
                                        unsigned block, struct thread me, struct exponents *e,
                                        int *row, int *col) {
        *row = first_row + me.warp * 16 + me.lane / 4, *col = first_col + me.lane % 4 * 2;
        bias = share_edges(e, edge, added->bias_of_row, buffer++ % 2);
    }
    __device__ __forceinline__ bool finish(const struct output &o, const struct exponents *e,
                                           float *c, float sum[64]) const {
        if (added->bias) add_bias(sum, bias, added->bias_of_row);
        if (!added->fours_aligned || !all_kept(e)) return false;
        store_lines_of_warp(c, o.ldc, sum);
        return true;
    }
    __device__ __forceinline__ void add_to(float *c, int row, int col) const {
        if (added->bias) *c += added->bias[added->bias_of_row ? row : col];
    }
};

// Macros by which mend.h finds elements. A negative leading dimension marks a transposed operand.
#define A_DOWN(p)  ((p)->lda < 0)
#define B_ALONG(p) ((p)->ldb < 0)
#define B_STRIDE   (MEND + 1)
#define LD(ld)     abs(ld)
#include "../steps/13_tensor_cores/mend.h"

// --- one product of the batch --------------------------------------------------------------------
// One operand of one product, in the form in which step 13's functions take operand B.
struct side {
    struct layout l;
    const float *at;
    int ld, lines;
    int down; // true if the k's of a line are `ld` apart, false if contiguous
    enum survey by;
    struct head *head; // left_cols: numbers of lines left out, for A as for B
};

static __device__ __forceinline__ struct head *head_of(const struct tensor_product *p, int is_b,
                                                       long long product) {
    return (struct head *)(p->zeros + product * ZERO_BYTES + is_b * HEAD_BYTES);
}
static __device__ __forceinline__ int depth_of(const struct tensor_product *p, int product) {
    return p->k_all ? min(p->k, p->k_all - product * p->k) : p->k;
}
static __device__ __forceinline__ unsigned *counters_of(const struct tensor_product *p) {
    return (unsigned *)head_of(p, 2, blockIdx.y);
}

static __device__ __forceinline__ struct side make_side(const struct tensor_product *p, int is_b,
                                                        long long in_batch) {
    const struct layout l = make_layout(p->m, p->n, p->k, 3);
    struct side s = {side_of(l, is_b, is_b ? p->n : p->m),
                     is_b ? p->b + in_batch * p->stride_b : p->a + in_batch * p->stride_a,
                     is_b ? p->ldb : p->lda,
                     is_b ? p->n : p->m,
                     is_b ? p->b_down : p->a_down,
                     survey_of(p),
                     head_of(p, is_b, in_batch)};
    return s;
}

static __device__ __forceinline__ char *planes_of(const struct tensor_product *p,
                                                  long long product) {
    return p->scratch + product * p->scratch_bytes;
}

// Returns the format of the whole batch. It is BF16 if, in any product, FP16 leaves out more than
// one line in 64 of A or of B. Requires: all threads of the block call it.
static __device__ __forceinline__ int format_taken(const struct tensor_product *p) {
    int many = 0;
    for (int i = threadIdx.x; i < p->products; i += blockDim.x) {
        many |= head_of(p, 0, i)->left_cols[FP16_TWO] * 64ull > p->m;
        many |= head_of(p, 1, i)->left_cols[FP16_TWO] * 64ull > p->n;
    }
    return __syncthreads_or(many) ? BF16_THREE : FP16_TWO;
}

static __device__ __forceinline__ int row_of_thread(int block, const struct layout *l) {
    return block * (PRE_THREADS >> l->row_log2) + (threadIdx.x >> l->row_log2);
}

// Waits until the previous kernel's stores are visible, because the launches overlap (programmatic
// dependent launch). An earlier start, by griddepcontrol.launch_dependents, gained nothing.
static __device__ __forceinline__ void wait_for_kernel_before(void) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

// --- the pre-pass: finds exponents, splits operands into planes ----------------------------------
// Surveys and splits contiguous lines, whose first 8192 numbers the block holds in registers.
static __device__ __forceinline__ void survey_rows(const struct side *s, int k, char *planes,
                                                   int block) {
    int number = row_of_thread(block, &s->l);
    struct row row = read_row(s->lines, k, s->at, s->ld, number, 1 << s->l.row_log2);
    struct span span = span_of_row(&row);
    int fp16 = exponent_of(span, FP16_TWO, true);
    if (fp16 != LEFT_OUT)
        put_row<FP16_TWO, HELD>(&row, fp16, number, planes + s->l.b, &s->l);
    else
        put_row<BF16_THREE, HELD>(&row, exponent_of(span, BF16_THREE, true), number,
                                  planes + s->l.b, &s->l);
    if (row.first == 0)
        enter(number, span, exponents_b(planes, s->l, 0), list_b(planes, s->l, 0),
              s->head->left_cols, s->l.rows_b, true);
}

// Surveys and splits short contiguous lines. A thread has four neighbouring k's of each of HELD
// lines, and starts all loads before it uses the first.
static __device__ __forceinline__ void survey_short_rows(const struct side *s, int k, char *planes,
                                                         int block) {
    const int threads = 1 << s->l.row_log2, apart = PRE_THREADS / threads;
    const int first = (threadIdx.x & (threads - 1)) * 4,
              row = block * apart * HELD + threadIdx.x / threads;
    const bool aligned = (size_t)s->at % 16 == 0 && s->ld % 4 == 0;
    float4 v[HELD];
#pragma unroll
    for (int i = 0; i < HELD; i++)
        v[i] = load4(&s->at[(size_t)(row + i * apart) * s->ld], first,
                     row + i * apart < s->lines ? k : 0, aligned);
#pragma unroll
    for (int i = 0; i < HELD; i++) {
        const int at = row + i * apart;
        if (at >= s->l.rows_b) return; // the whole half warp returns
        struct span span = empty_span();
        widen(&span, v[i]);
        span = span_of_all(span, threads);
        const int fp16 = exponent_of(span, FP16_TWO, true),
                  bf16 = exponent_of(span, BF16_THREE, true);
        char *to = planes + s->l.b + row_offset(at, first / TILE_K, s->l.rows_b) +
                   unit_offset(first % TILE_K / 8, at) + first % 8 / 4 * 8;
        if (fp16 != LEFT_OUT)
            put4<FP16_TWO>(to, v[i], make_scale(fp16), s->l.plane_b);
        else
            put4<BF16_THREE>(to, v[i], make_scale(bf16 == LEFT_OUT ? 0 : bf16), s->l.plane_b);
        if (first == 0)
            enter(at, span, exponents_b(planes, s->l, 0), list_b(planes, s->l, 0),
                  s->head->left_cols, s->l.rows_b, true);
    }
}

// Surveys and splits SPLIT_COLS short lines that are not contiguous ("down", tensor.h): registers
// hold them until their scales are known.
static __device__ __forceinline__ void
survey_short_columns(const struct side *s, int k, char *planes, int strip, struct turn *turn) {
    __shared__ struct span spans[DOWN][SPLIT_COLS];
    const int t = threadIdx.x, first = strip * SPLIT_COLS, down = t / ALONG, along = t % ALONG * 4;
    const bool aligned = (size_t)s->at % 16 == 0 && s->ld % 4 == 0;
    struct square squares[SHORT_TILES];
    struct span of[4] = {empty_span(), empty_span(), empty_span(), empty_span()};
#pragma unroll
    for (int tile = 0; tile < SHORT_TILES; tile++)
        read_square(&squares[tile], s->lines, k, s->at, s->ld, tile * TILE_K + down, first + along,
                    aligned);
#pragma unroll
    for (int i = 0; i < SHORT_TILES * TILE_K / DOWN; i++) {
        const float4 v = squares[i / (TILE_K / DOWN)].v[i % (TILE_K / DOWN)];
        widen(&of[0], v.x), widen(&of[1], v.y), widen(&of[2], v.z), widen(&of[3], v.w);
    }
    for (int i = 0; i < 4; i++) spans[down][along + i] = of[i];
    __syncthreads();
    if (t < SPLIT_COLS) {
        struct span mine = spans[0][t];
        for (int i = 1; i < DOWN; i++) widen(&mine, spans[i][t]);
        const int fp16 = exponent_of(mine, FP16_TWO, true);
        turn->scales[t] = make_scale(fp16 == LEFT_OUT ? 0 : fp16);
        if (first + t < s->lines + s->lines % 2) // exponents are read in pairs
            enter(first + t, mine, exponents_b(planes, s->l, 0), list_b(planes, s->l, 0),
                  s->head->left_cols, s->l.rows_b, true);
    }
#pragma unroll
    for (int tile = 0; tile < SHORT_TILES; tile++) {
        if (tile >= s->l.tiles_k) break;
        turn_square(&squares[tile], down, along, turn);
        put_turned<FP16_TWO>(t, first, tile, planes, &s->l, turn);
    }
}

// A block's share of the k's of HELD_COLS lines, in shared memory. The shared memory of a cluster
// holds whole lines, so global memory is read only once, although scales depend on all k's.
struct held_columns {
    // the span of each line in each block's share of the k's
    struct span spans[HOLDERS][HELD_COLS];
    struct scale scales[HELD_COLS];
    float k[][HELD_COLS + 1];
};
static_assert(sizeof(struct held_columns) == HELD_HEAD, "tensor.h counts these bytes");

static __device__ __forceinline__ void cluster_arrive(void) {
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}
static __device__ __forceinline__ void cluster_wait(void) {
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

// Stores `span` at `to` in the shared memory of block `block` of the cluster.
static __device__ __forceinline__ void put_span(struct span *to, struct span span, unsigned block) {
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(shared_address(to)), "r"(block));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(span.largest) : "memory");
    asm volatile("st.shared::cluster.u32 [%0 + 4], %1;" ::"r"(there), "r"(span.least) : "memory");
}

template <enum survey BY>
static __device__ void survey_held_columns(const struct side *s, int k, char *planes, int first) {
    enum { ACROSS = HELD_COLS / 4, DEEP = PRE_THREADS / ACROSS };
    const int holders = holders_of(BY);
    extern __shared__ char shared[];
    __shared__ struct span spans[DEEP][HELD_COLS];
    struct held_columns *held = (struct held_columns *)shared;
    const int t = threadIdx.x, down = t / ACROSS, along = t % ACROSS * 4,
              block = (int)block_in_cluster();
    const int tiles = (int)held_tiles(s->l, BY), begin = block * tiles,
              end = min(begin + tiles, (int)s->l.tiles_k);
    const int rows = max(end - begin, 0) * TILE_K;
    const bool aligned = (size_t)s->at % 16 == 0 && s->ld % 4 == 0;
    struct span of[4] = {empty_span(), empty_span(), empty_span(), empty_span()};
    cluster_arrive();
    for (int row = down; row < rows; row += HELD * DEEP) {
        float4 v[HELD];
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            const int at = begin * TILE_K + row + i * DEEP;
            v[i] = row + i * DEEP < rows && at < k
                       ? load4(&s->at[(size_t)at * s->ld], first + along, s->lines, aligned)
                       : float4{0.0f, 0.0f, 0.0f, 0.0f};
        }
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            widen(&of[0], v[i].x), widen(&of[1], v[i].y), widen(&of[2], v[i].z),
                widen(&of[3], v[i].w);
            if (row + i * DEEP >= rows) continue;
            float *to = &held->k[row + i * DEEP][along];
            to[0] = v[i].x, to[1] = v[i].y, to[2] = v[i].z, to[3] = v[i].w;
        }
    }
    for (int i = 0; i < 4; i++) spans[down][along + i] = of[i];
    __syncthreads();
    const int col = t % HELD_COLS, target = t / HELD_COLS;
    struct span mine = spans[0][col];
    for (int i = 1; i < DEEP; i++) widen(&mine, spans[i][col]);
    cluster_wait(); // all blocks of the cluster have started
    if (target < holders) put_span(&held->spans[block][col], mine, target);
    cluster_barrier();
    if (t < HELD_COLS) {
        for (int i = 0; i < holders; i++) widen(&mine, held->spans[i][t]);
        const int fp16 = exponent_of(mine, FP16_TWO, true);
        held->scales[t] = make_scale(fp16 == LEFT_OUT ? 0 : fp16);
        if (block == 0 && first + t < s->lines + s->lines % 2) // exponents are read in pairs
            enter(first + t, mine, exponents_b(planes, s->l, 0), list_b(planes, s->l, 0),
                  s->head->left_cols, s->l.rows_b, true);
    }
    __syncthreads();
    const int unit = t % 8, line = t / 8;
    char *to =
        planes + s->l.b + row_offset(first + line, begin, s->l.rows_b) + unit_offset(unit, line);
    for (int row = 0; row < rows; row += TILE_K, to += s->l.rows_b * ROW_BYTES)
        put8<FP16_TWO>(to, &held->k[row + unit * 8][line], HELD_COLS + 1, held->scales[line],
                       s->l.plane_b);
}

// The operand that this block surveys.
struct surveyed {
    struct side side;
    int block; // index among the blocks that survey it
};
static __device__ __forceinline__ struct surveyed surveyed_by(const struct tensor_product *p) {
    struct side b = make_side(p, 1, blockIdx.y);
    const int block = blockIdx.x, of_b = (int)side_survey_blocks(b.l, p->b_down, survey_of(p));
    if (block < of_b) return {b, block};
    return {make_side(p, 0, blockIdx.y), block - of_b};
}

extern "C" __global__ void __launch_bounds__(PRE_THREADS) survey(struct tensor_product p) {
    wait_for_kernel_before();
    const struct surveyed s = surveyed_by(&p);
    const int strips = (int)s.side.l.strips;
    if (s.side.down)
        survey_columns(s.side.lines, depth_of(&p, blockIdx.y), s.side.at, s.side.ld,
                       s.block % strips, s.block / strips, planes_of(&p, blockIdx.y), s.side.head,
                       &s.side.l, true);
    else
        survey_rows(&s.side, depth_of(&p, blockIdx.y), planes_of(&p, blockIdx.y), s.block);
}

// Replaces survey() if lines are short. It also splits the lines; for BF16, split() does so again.
extern "C" __global__ void __launch_bounds__(PRE_THREADS) survey_short(struct tensor_product p) {
    wait_for_kernel_before();
    __shared__ struct turn turn;
    const struct surveyed s = surveyed_by(&p);
    if (s.side.down)
        survey_short_columns(&s.side, depth_of(&p, blockIdx.y), planes_of(&p, blockIdx.y), s.block,
                             &turn);
    else
        survey_short_rows(&s.side, depth_of(&p, blockIdx.y), planes_of(&p, blockIdx.y), s.block);
}

// Replaces survey() if clusters hold whole lines. It also splits the lines, as survey_short() does.
template <enum survey BY>
static __device__ __forceinline__ void survey_and_hold(const struct tensor_product *p) {
    wait_for_kernel_before();
    const struct surveyed s = surveyed_by(p);
    if (s.side.down)
        survey_held_columns<BY>(&s.side, depth_of(p, blockIdx.y), planes_of(p, blockIdx.y),
                                s.block / holders_of(BY) * HELD_COLS);
    else if (row_of_thread(s.block, &s.side.l) < s.side.l.rows_b)
        survey_rows(&s.side, depth_of(p, blockIdx.y), planes_of(p, blockIdx.y), s.block);
}

extern "C" __global__ void __launch_bounds__(PRE_THREADS) __cluster_dims__(2, 1, 1)
    survey_held_by_two(struct tensor_product p) {
    survey_and_hold<SURVEY_HELD_BY_TWO>(&p);
}

extern "C" __global__ void __launch_bounds__(PRE_THREADS) __cluster_dims__(HOLDERS, 1, 1)
    survey_held(struct tensor_product p) {
    survey_and_hold<SURVEY_HELD>(&p);
}

// Returns the number of blocks of work that the survey leaves to split(). With FP16, only lines
// that are down remain, and only after survey(): the other surveys split them. With BF16 all lines
// remain; split_side() skips contiguous lines that the survey split in BF16.
static __device__ __forceinline__ int blocks_to_split(const struct side *s, int format) {
    if (s->down) return format == FP16_TWO && s->by != SURVEY_PARTS ? 0 : (int)split_blocks(s->l);
    return format == FP16_TWO ? 0 : (int)((s->l.rows_b << s->l.row_log2) / PRE_THREADS);
}

static __device__ __forceinline__ void split_side(const struct side *s, int k, char *planes,
                                                  int block, int format, struct turn *turn) {
    const int slices = (int)split_slices(s->l);
    if (s->down && format == FP16_TWO) {
        split_columns<FP16_TWO>(s->lines, k, s->at, s->ld, block / slices, block % slices, planes,
                                &s->l, turn);
    } else if (s->down) {
        split_columns<BF16_THREE>(s->lines, k, s->at, s->ld, block / slices, block % slices, planes,
                                  &s->l, turn);
    } else {
        const int at = row_of_thread(block, &s->l);
        // the survey has already split this line, in BF16
        if (exponents_b(planes, s->l, FP16_TWO)[at] == LEFT_OUT) return;
        struct row row = read_row(s->lines, k, s->at, s->ld, at, 1 << s->l.row_log2);
        put_row<BF16_THREE, 0>(&row, exponents_b(planes, s->l, BF16_THREE)[at], at, planes + s->l.b,
                               &s->l);
    }
}

// Numbers of blocks of work of split(): for A, and for both operands.
struct split_work {
    int of_a, all;
};
static __device__ __forceinline__ struct split_work split_work_of(const struct tensor_product *p,
                                                                  int format) {
    const struct side a = make_side(p, 0, 0), b = make_side(p, 1, 0);
    const int of_a = blocks_to_split(&a, format);
    return {of_a, of_a + blocks_to_split(&b, format)};
}

static __device__ __forceinline__ void split_block(const struct tensor_product *p,
                                                   struct split_work work, int product, int block,
                                                   int format, struct turn *turn) {
    const int is_b = block >= work.of_a;
    const struct side s = make_side(p, is_b, product);
    split_side(&s, depth_of(p, product), planes_of(p, product), is_b ? block - work.of_a : block,
               format, turn);
}

extern "C" __global__ void __launch_bounds__(PRE_THREADS) split(struct tensor_product p) {
    wait_for_kernel_before();
    __shared__ struct turn turn;
    const int format = format_taken(&p);
    const struct split_work work = split_work_of(&p, format);
    // Goes in reverse order, because L2 may still hold what was surveyed last.
    for (int block = work.all - 1 - (int)blockIdx.x; block >= 0; block -= gridDim.x) {
        __syncthreads(); // all threads have used the scales in `turn`
        split_block(&p, work, blockIdx.y, block, format, &turn);
    }
}

// --- the product ---------------------------------------------------------------------------------
extern "C" __global__ void __launch_bounds__(THREADS, 1) __cluster_dims__(CLUSTER, 1, 1)
    sgemm_tensor(const __grid_constant__ struct tensor_product p) {
    wait_for_kernel_before();
    __shared__ struct output out;
    __shared__ struct added added;
    __shared__ struct layout l;
    int format = format_taken(&p);
    if (threadIdx.x == 0) {
        l = make_layout(p.m, p.n, p.k, 3);
        out.C = p.c, out.ldc = p.ldc, out.M = p.m, out.N = p.n, out.alpha = p.alpha,
        out.beta = p.beta;
        out.rows = exponents_a(p.scratch, l, format), out.cols = exponents_b(p.scratch, l, format);
        out.aligned = (size_t)p.c % 8 == 0 && p.ldc % 2 == 0 && p.stride_c % 2 == 0;
        added.bias = p.bias, added.bias_of_row = p.bias_of_row;
        added.fours_aligned = (size_t)p.c % 16 == 0 && p.ldc % 4 == 0 && p.stride_c % 4 == 0;
        out.c_apart = p.stride_c * 4, out.apart = p.scratch_bytes;
    }
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < p.products; i += gridDim.x * THREADS) {
        struct head *head = head_of(&p, 0, i);
        head->format = format;
        head->rows_to_mend = head->left_cols[format];
        head->cols_to_mend = head_of(&p, 1, i)->left_cols[format];
    }
    __syncthreads();
    if (format == FP16_TWO)
        multiply_planes<FP16_TWO, 2, STAGES>(p.scratch, &l, &out, Batch(&added), p.products,
                                             p.scratch_bytes);
    else
        multiply_planes<BF16_THREE, 3, 2>(p.scratch, &l, &out, Batch(&added), p.products,
                                          p.scratch_bytes);
}

// --- mending: the listed rows and columns of C, in FP32 ------------------------------------------
enum { FEW_LINES = 4 }; // tiles with at most this many rows or columns use sum_few()

// The tiles to compute: first those of listed rows, then those of listed columns.
struct work {
    struct chosen rows, cols, all_rows, all_cols;
    long long of_rows; // number of tiles of listed rows
    long long tiles;   // number of all tiles
    int parts;         // number of parts along K, per tile
};

// Returns true in the block that arrives last among those of a tile's parts; the sums of all parts
// are then stored.
static __device__ __forceinline__ bool is_last(unsigned *counter, int parts) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(counter, parts - 1) == (unsigned)(parts - 1);
    __syncthreads();
    __threadfence();
    return last;
}

// Stores this part's sums. In the last block to arrive, sets acc to the sum of all parts, always in
// the same order, and returns true; returns false in the other blocks.
static __device__ __forceinline__ bool sum_of_parts(float acc[MEND / SIDE][MEND / SIDE],
                                                    float *sums, unsigned *counter, int part,
                                                    int parts) {
    enum { SUMS = MEND / SIDE * (MEND / SIDE), ROW = SIDE * SIDE };
    float *mine = sums + (size_t)part * MEND * MEND + threadIdx.x;
#pragma unroll
    for (int i = 0; i < SUMS; i++) mine[i * ROW] = acc[i / (MEND / SIDE)][i % (MEND / SIDE)];
    if (!is_last(counter, parts)) return false;
#pragma unroll
    for (int i = 0; i < SUMS; i++) acc[i / (MEND / SIDE)][i % (MEND / SIDE)] = 0.0f;
    for (int from = 0; from < parts; from++)
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            acc[i / (MEND / SIDE)][i % (MEND / SIDE)] +=
                __ldcg(&sums[(size_t)from * MEND * MEND + i * ROW + threadIdx.x]);
    return true;
}

static __device__ __forceinline__ struct work work_of(const struct tensor_product *p,
                                                      const struct head *head, char *planes,
                                                      const struct layout *l) {
    const int format = head->format;
    struct work w = {{list_a(planes, *l, format), (int)head->rows_to_mend},
                     {list_b(planes, *l, format), (int)head->cols_to_mend},
                     {NULL, p->m},
                     {NULL, p->n}};
    const long long down = (p->m + MEND - 1) / MEND, across = (p->n + MEND - 1) / MEND;
    w.of_rows = (w.rows.count + MEND - 1) / MEND * across;
    w.tiles = w.of_rows + down * ((w.cols.count + MEND - 1) / MEND);
    const long long room = w.tiles > 0 ? p->mend_items / w.tiles : 0,
                    useful = (p->k + 8 * MEND_K - 1) / (8 * MEND_K);
    w.parts = (int)max(1ll, min(room, useful));
    return w;
}

// Sets acc to the thread's sums over the k's [k0, end) of a tile with few rows or columns.
// Both operands are read directly from global memory. SIDE threads divide the k's of a line among
// them. Neighbouring lanes have neighbouring k's or lines, whichever are contiguous in memory.
static __device__ __forceinline__ void sum_few(float acc[MEND / SIDE][MEND / SIDE],
                                               const struct product *p, const struct lines *lines,
                                               int k0, int end) {
    __shared__ float sums[SIDE][FEW_LINES][MEND];
    const bool rows = lines->rows <= FEW_LINES;
    const int *listed = rows ? lines->row : lines->col, *other = rows ? lines->col : lines->row;
    const size_t a_line = A_DOWN(p) ? 1 : LD(p->lda), a_k = A_DOWN(p) ? LD(p->lda) : 1;
    const size_t b_line = B_ALONG(p) ? LD(p->ldb) : 1, b_k = B_ALONG(p) ? 1 : LD(p->ldb);
    const float *few = rows ? p->A : p->B, *many = rows ? p->B : p->A;
    const size_t few_line = rows ? a_line : b_line, few_k = rows ? a_k : b_k;
    const size_t many_line = rows ? b_line : a_line, many_k = rows ? b_k : a_k;
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    const int share = many_k == 1 ? x : y, line = many_k == 1 ? y : x;
    const float *few_at[FEW_LINES], *many_at[MEND / SIDE];
    float sum[FEW_LINES][MEND / SIDE] = {};
#pragma unroll
    for (int i = 0; i < FEW_LINES; i++) few_at[i] = &few[max(listed[i], 0) * few_line];
#pragma unroll
    for (int j = 0; j < MEND / SIDE; j++)
        many_at[j] = &many[max(other[line + j * SIDE], 0) * many_line];
#pragma unroll 4
    for (int k = k0 + share; k < end; k += SIDE) {
        float v[MEND / SIDE];
#pragma unroll
        for (int j = 0; j < MEND / SIDE; j++) v[j] = __ldg(&many_at[j][k * many_k]);
#pragma unroll
        for (int i = 0; i < FEW_LINES; i++) {
            const float of_few = __ldg(&few_at[i][k * few_k]);
#pragma unroll
            for (int j = 0; j < MEND / SIDE; j++) sum[i][j] += of_few * v[j];
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < FEW_LINES; i++)
#pragma unroll
        for (int j = 0; j < MEND / SIDE; j++) sums[share][i][line + j * SIDE] = sum[i][j];
    __syncthreads();
    if ((rows ? y : x) >= FEW_LINES) return;
    for (int from = 0; from < SIDE; from++)
#pragma unroll
        for (int j = 0; j < MEND / SIDE; j++)
            (rows ? acc[0][j] : acc[j][0]) += sums[from][rows ? y : x][(rows ? x : y) + j * SIDE];
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE, 2)
    mend(const __grid_constant__ struct tensor_product p) {
    wait_for_kernel_before();
    __shared__ struct lines lines;
    const struct layout l = make_layout(p.m, p.n, p.k, 3);
    struct head *head = head_of(&p, 0, blockIdx.y);
    char *planes = planes_of(&p, blockIdx.y);
    const struct work w = work_of(&p, head, planes, &l);
    if (blockIdx.x == 0 && threadIdx.x < 4) // restores the zeros for the next launch
        head_of(&p, threadIdx.x / 2, blockIdx.y)->left_cols[threadIdx.x % 2] = 0;
    const int depth = depth_of(&p, blockIdx.y), tiles_k = (depth + MEND_K - 1) / MEND_K;
    struct product product = {p.a + blockIdx.y * p.stride_a, p.b + blockIdx.y * p.stride_b,
                              p.a_down ? -p.lda : p.lda, p.b_down ? p.ldb : -p.ldb, depth};
    product.out.C = p.c + blockIdx.y * p.stride_c;
    product.out.ldc = p.ldc, product.out.alpha = p.alpha, product.out.beta = p.beta;
    const struct added added = {p.bias, (bool)p.bias_of_row, false};
    float *sums = (float *)(planes + sums_offset(l, p.m));
    for (long long item = blockIdx.x; item < w.tiles * w.parts; item += gridDim.x) {
        const long long tile = item / w.parts;
        const int part = (int)(item % w.parts);
        const bool of_rows = tile < w.of_rows;
        const long long at = of_rows ? tile : tile - w.of_rows;
        const struct chosen rows = of_rows ? w.rows : w.all_rows,
                            cols = of_rows ? w.all_cols : w.cols;
        const int across = (cols.count + MEND - 1) / MEND;
        float acc[MEND / SIDE][MEND / SIDE] = {};
        find_lines(&lines, rows, cols, (int)(at / across), (int)(at % across));
        const int k0 = (int)((long long)tiles_k * part / w.parts) * MEND_K,
                  end = min(depth, (int)((long long)tiles_k * (part + 1) / w.parts) * MEND_K);
        if (min(lines.rows, lines.cols) <= FEW_LINES)
            sum_few(acc, &product, &lines, k0, end);
        else
            sum_tile(acc, &product, &lines, k0, end);
        if (w.parts > 1 && !sum_of_parts(acc, sums + tile * w.parts * MEND * MEND,
                                         &counters_of(&p)[tile], part, w.parts))
            continue;
        store_lines(&product.out, &lines, acc,
                    of_rows ? NULL : exponents_a(planes, l, head->format), Batch(&added));
    }
}
