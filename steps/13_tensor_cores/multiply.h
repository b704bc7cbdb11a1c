// The product of the planes: wgmma from shared memory, which the copy engine fills.
//
//   warpgroups 0 and 1   multiply: 64 rows of the block's tile each, all of its 128 columns
//   warpgroup 2          one thread of it copies, as many stages ahead as there are
//
// A stage holds 64 k's of all pieces of A's 128 rows and of B's 128 columns. Two blocks of a cluster lie below each other: each
// copies its own A, and half of B to both. The copies are plain ranges of bytes: the pre-pass has laid them out as shared memory
// is to hold them, so no tensor map is needed.

#ifndef TENSOR_CORES_MULTIPLY_H
#define TENSOR_CORES_MULTIPLY_H

#include "split.h"

#ifndef FEW_ROWS // see raw.h
#define FEW_ROWS 0
#endif
#ifndef FEW_COLS
#define FEW_COLS 0
#endif

#define BM          128
#define BN          128
#define CONSUMERS   2
#define WG          128 // threads of a warpgroup
#define THREADS     (WG * (CONSUMERS + 1))
#define TILE_BYTES  (BM * ROW_BYTES) // of one piece of A, or of B
#define SHARED_HEAD 1024             // barriers; tiles must start at multiples of 1024
#define GROUP       (16u / CLUSTER)  // rows of cluster tiles that are taken together, column by column

// --- barriers in shared memory ------------------------------------------------------------------------------------------------
static __device__ __forceinline__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

// Waits until the barrier's phase of this parity is over.
static __device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
    asm volatile("{\n"
                 ".reg .pred over;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                 "@!over bra again;\n"
                 "}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

// Arrives, and lets the phase wait for so many bytes more.
static __device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Arrives at the same barrier of another block of the cluster.
static __device__ __forceinline__ void barrier_arrive(unsigned barrier, unsigned block) {
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(barrier),
                 "r"(block)
                 : "memory");
}

static __device__ __forceinline__ unsigned block_in_cluster(void) {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ __forceinline__ void cluster_barrier(void) {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// Copies `bytes` to shared memory, here or at the same place in every block of `blocks`; the barrier there counts them.
static __device__ __forceinline__ void copy_bytes(unsigned to, const char *from, unsigned bytes, unsigned barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}
static __device__ __forceinline__ void copy_bytes_to_all(unsigned to, const char *from, unsigned bytes,
                                                         unsigned barrier, unsigned short blocks) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1], %2, [%3], %4;" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier), "h"(blocks)
                 : "memory");
}

// --- wgmma --------------------------------------------------------------------------------------------------------------------
// What wgmma knows of a tile in shared memory: its address, 1024 bytes from 8 rows to the next 8, the 128-byte swizzle.
static __device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    return 1ull << 62 | (unsigned long long)(1024 / 16) << 32 | 1ull << 16 | (address & 0x3ffff) / 16;
}

static __device__ __forceinline__ void wgmma_fence(void) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ __forceinline__ void wgmma_commit(void) {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// Waits until at most `groups` are under way.
template <int groups> static __device__ __forceinline__ void wgmma_wait(void) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

// Nothing that uses these registers moves past this place.
static __device__ __forceinline__ void pin(float acc[64]) {
#pragma unroll
    for (int i = 0; i < 64; i++) asm volatile("" : "+f"(acc[i])::"memory");
}

#define F4(i)  "+f"(acc[i]), "+f"(acc[i + 1]), "+f"(acc[i + 2]), "+f"(acc[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
#define WGMMA_SUMS                                                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                          \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                 \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                 \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define WGMMA(types, add)                                                                                              \
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." types " " WGMMA_SUMS ", %64, %65, " add                \
                 ", 1, 1, 0, 0;"                                                                                       \
                 : F16(0), F16(16), F16(32), F16(48)                                                                   \
                 : "l"(a), "l"(b))

// acc (64, 128) = or += A (64, 16) B (16, 128), asynchronous. Whether it adds is known when compiled: a predicate costs.
static __device__ __forceinline__ void wgmma(float acc[64], unsigned long long a, unsigned long long b, int format,
                                             bool add) {
    if (format == FP16_TWO) {
        if (add)
            WGMMA("f16.f16", "1");
        else
            WGMMA("f16.f16", "0");
    } else {
        if (add)
            WGMMA("bf16.bf16", "1");
        else
            WGMMA("bf16.bf16", "0");
    }
}

// The 64 k's of a stage: acc += or = piece p of A times piece q of B. 16 k's are 32 bytes of a row.
static __device__ __forceinline__ void multiply_pieces(float acc[64], unsigned long long a, unsigned long long b, int p,
                                                       int q, int format, bool add) {
#pragma unroll
    for (int step = 0; step < TILE_K / 16; step++)
        wgmma(acc, a + (p * TILE_BYTES + step * 32) / 16, b + (q * TILE_BYTES + step * 32) / 16, format,
              add || step > 0);
}

// --- the block's tiles ----------------------------------------------------------------------------------------------------------
struct tiles {
    unsigned m, n, k; // cluster tiles along M and N, tiles along K
    unsigned products;
    long long apart; // bytes from a product's planes to the next one's
};

struct place {
    int row, col; // in tiles of C
};

// Tile `at` of the cluster's: groups of GROUP rows of cluster tiles, column by column.
static __device__ __forceinline__ struct place place_of(unsigned at, struct tiles tiles, unsigned block) {
    unsigned first = at / (GROUP * tiles.n) * GROUP, rows = min(GROUP, tiles.m - first);
    at -= first * tiles.n;
    return {(int)((first + at % rows) * CLUSTER + block), (int)(at / rows)};
}

struct ring {
    unsigned stage, parity; // of the next stage
};

template <int stages> static __device__ __forceinline__ void next_stage(struct ring *r) {
    if (++r->stage < stages) return;
    r->stage = 0;
    r->parity ^= 1;
}

// One thread: copies every stage of every tile of the block, as soon as the consumers of all blocks it copies to have left it.
template <class Epilogue, int pieces, int stages>
static __device__ void produce(const char *planes, const struct layout *l, struct tiles tiles, unsigned full,
                               unsigned empty, unsigned stages_at, unsigned block) {
    const unsigned stage_bytes = 2 * pieces * TILE_BYTES,
                   share = BN / CLUSTER; // rows of B's planes that this block copies
    struct ring ring = {0, 1};           // the first round finds every stage empty
    for (unsigned at = blockIdx.x / CLUSTER; at < tiles.m * tiles.n * tiles.products; at += gridDim.x / CLUSTER) {
        unsigned product = Epilogue::product_of(at, tiles);
        struct place place = place_of(at - product * tiles.m * tiles.n, tiles, block);
        const char *own = planes + product * tiles.apart;
        const char *a = own + row_offset((long long)place.row * BM, 0, l->rows_a);
        const char *b = own + l->b + row_offset((long long)place.col * BN + block * share, 0, l->rows_b);
        for (unsigned k = 0; k < tiles.k; k++) {
            unsigned barrier = full + ring.stage * 8, to = stages_at + ring.stage * stage_bytes;
            barrier_wait(empty + ring.stage * 8, ring.parity);
            barrier_expect(barrier, stage_bytes);
            for (int p = 0; p < pieces; p++) {
                copy_bytes(to + p * TILE_BYTES, a + p * l->plane_a, TILE_BYTES, barrier);
                unsigned b_to = to + (pieces + p) * TILE_BYTES + block * share * ROW_BYTES;
                if (CLUSTER > 1)
                    copy_bytes_to_all(b_to, b + p * l->plane_b, share * ROW_BYTES, barrier, (1 << CLUSTER) - 1);
                else
                    copy_bytes(b_to, b + p * l->plane_b, share * ROW_BYTES, barrier);
            }
            a += l->rows_a * ROW_BYTES;
            b += l->rows_b * ROW_BYTES;
            next_stage<stages>(&ring);
        }
    }
}

// A warp has left a stage: its first lanes tell every block that copies into it.
static __device__ __forceinline__ void leave(unsigned barrier) {
    unsigned lane = threadIdx.x % 32;
    if (lane < CLUSTER) barrier_arrive(barrier, lane);
}

// Where a block's sums go. This and the layout are kept in shared memory: registers are for the sums.
struct output {
    float *C;
    const int *rows, *cols; // exponents of A's rows and B's columns
    int ldc, M, N;
    float alpha, beta;
    bool aligned;             // every second element of a row lies at a multiple of 8 bytes
    long long c_apart, apart; // bytes from a product's C to the next one's, and from its exponents
};

// What lies so many bytes further for another product.
template <class T> static __device__ __forceinline__ T *of_product(T *first, long long apart, unsigned product) {
    return (T *)((char *)first + product * apart);
}

// v 2^-s; a power of two beyond a float's range is applied in two parts.
static __device__ __forceinline__ float unscale(float v, int s) {
    int first = max(-126, min(127, -s / 2)), second = max(-126, min(127, -s - first));
    return v * power_of_two(first) * power_of_two(second);
}

// The exponents of what a thread has of a tile: 2 rows and 16 pairs of columns; LEFT_OUT for what lies outside of C. All of them are
// read before the first is used, so that memory is waited for once. Turned, what is said here and below of rows and columns is true of
// columns and rows, and a thread's two are neighbours.
enum { PAIRS = BN / 8 };
struct exponents {
    int row[2], col[2 * PAIRS];
    bool are_floats; // 2^-(a row's + a column's) is one for all of them
};

// `rows` and `cols` are C's M and N, or those of a tile in shared memory with LEFT_OUT beyond C.
template <bool turned>
static __device__ __forceinline__ void read_exponents(struct exponents *e, const int *rows, const int *cols, int M,
                                                      int N, int row, int col) {
    const int first = turned ? col : row, step = turned ? 1 : 8;
#pragma unroll
    for (int i = 0; i < 2; i++) e->row[i] = first + i * step < M ? rows[first + i * step] : LEFT_OUT;
#pragma unroll
    for (int i = 0, at = turned ? row : col; i < PAIRS; i++, at += 8) {
        int2 pair = at < N ? *(const int2 *)&cols[at] : int2{LEFT_OUT, LEFT_OUT};
        e->col[2 * i] = pair.x;
        e->col[2 * i + 1] = at + 1 < N ? pair.y : LEFT_OUT;
    }
    int least = 126, most = -126;
#pragma unroll
    for (int i = 0; i < 2 * PAIRS; i++)
        if (e->col[i] != LEFT_OUT) least = min(least, e->col[i]), most = max(most, e->col[i]);
    e->are_floats = true;
    for (int i = 0; i < 2; i++)
        if (e->row[i] != LEFT_OUT) e->are_floats &= e->row[i] + least >= -126 && e->row[i] + most <= 126;
}

// All sums times alpha 2^-(row's + column's exponent). Nearly always these powers are floats, whose bits are easily made. What is left out
// may become anything.
static __device__ __forceinline__ void unscale_all(float sum[64], const struct exponents *e, float alpha) {
    if (e->are_floats && !FEW_ROWS && !FEW_COLS) { // these have no registers to spare
#pragma unroll
        for (int i = 0; i < 64; i++)
            sum[i] = alpha * (sum[i] * __int_as_float((127 - e->row[i / 2 % 2] - e->col[i / 4 * 2 + i % 2]) << 23));
    } else {
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] = alpha * unscale(sum[i], e->row[i / 2 % 2] + e->col[i / 4 * 2 + i % 2]);
    }
}

// Whether sum i, of row i / 2 % 2 and column i / 4 * 2 + i % 2 of the thread's, goes to C.
static __device__ __forceinline__ bool kept(const struct exponents *e, int i) {
    return e->row[i / 2 % 2] != LEFT_OUT && e->col[i / 4 * 2 + i % 2] != LEFT_OUT;
}

// Where sum i goes, in floats from the first one.
template <bool turned> static __device__ __forceinline__ long long place_of(int i, int ldc) {
    return turned ? (i / 4 * 8 + i % 2) * (long long)ldc + i / 2 % 2 : i / 2 % 2 * 8ll * ldc + i / 4 * 8 + i % 2;
}

// Which thread of the block this is.
struct thread {
    unsigned wg, warp, lane; // its warpgroup, its warp of that, its lane of that
};

// The epilogue of a product says which products the tiles of a launch belong to, and what becomes of the sums beyond
// C = alpha A B + beta C. A program may bring its own. This one is the lesson's: one product, and nothing more.
struct Plain {
    static __device__ __forceinline__ unsigned product_of(unsigned at, struct tiles tiles) {
        return 0;
    }
    // Called before the sums of cluster tile `at` are made.
    __device__ __forceinline__ void begin(const struct output *out, struct tiles tiles, unsigned at, unsigned block,
                                          struct thread me) {
    }
    // Called after: sets the thread's exponents, and its first row and column.
    __device__ __forceinline__ void end(const struct output *out, struct tiles tiles, unsigned at, unsigned block,
                                        struct thread me, struct exponents *e, int *row, int *col) {
        const struct place place = place_of(at, tiles, block);
        *row = place.row * BM + me.wg * 64 + me.warp * 16 + me.lane / 4;
        *col = place.col * BN + me.lane % 4 * 2;
        read_exponents<false>(e, out->rows, out->cols, out->M, out->N, *row, *col);
    }
    // Changes sums, or stores them itself and returns true.
    __device__ __forceinline__ bool finish(const struct output &o, const struct exponents *e, float *c,
                                           float sum[64]) const {
        return false;
    }
    // Changes an element of C that is computed in FP32 (mend.h).
    __device__ __forceinline__ void add_to(float *c, int row, int col) const {
    }
};

// C = alpha 2^-(row's + column's exponent) sum + beta C; what is left out is left alone. `row` and `col` are of the first sum. All
// of C that is needed is read before the first of it is written, two neighbours of a row at a time.
template <bool turned, class Epilogue>
static __device__ __forceinline__ void store(const struct output *shared, const Epilogue &epilogue,
                                             const struct exponents *e, float sum[64], int row, int col,
                                             unsigned product = 0) {
    const struct output o = *shared;
    float *c = &of_product(o.C, o.c_apart, product)[(size_t)row * o.ldc + col], before[64];
    unscale_all(sum, e, o.alpha);
    if (o.beta != 0.0f) {
#pragma unroll
        for (int i = 0; i < 64; i++) before[i] = kept(e, i) ? c[place_of<turned>(i, o.ldc)] : 0.0f;
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += o.beta * before[i];
    }
    if (epilogue.finish(o, e, c, sum)) return;
#pragma unroll
    for (int pair = 0; pair < 32; pair++) {
        const int i = turned ? pair / 2 * 4 + pair % 2 : pair * 2, next = turned ? i + 2 : i + 1;
        float *to = &c[place_of<turned>(i, o.ldc)];
        bool first = kept(e, i), second = kept(e, next);
        if (o.aligned && first && second) {
            *(float2 *)to = float2{sum[i], sum[next]};
            continue;
        }
        if (first) to[0] = sum[i];
        if (second) to[1] = sum[next];
    }
}

// One warpgroup: 64 rows of every tile of the block.
template <int format, int pieces, int stages, class Epilogue>
static __device__ void consume(Epilogue epilogue, const struct output *out, struct tiles tiles, unsigned full,
                               unsigned empty, unsigned stages_at, unsigned block) {
    const unsigned stage_bytes = 2 * pieces * TILE_BYTES;
    const struct thread me = {threadIdx.x / WG, threadIdx.x % WG / 32, threadIdx.x % 32};
    struct ring ring = {0, 0};
    float sum[64], high[64], low[64];
    for (unsigned at = blockIdx.x / CLUSTER; at < tiles.m * tiles.n * tiles.products; at += gridDim.x / CLUSTER) {
        unsigned left = 0; // the stage whose low products are under way
        epilogue.begin(out, tiles, at, block, me);
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] = high[i] = low[i] = 0.0f;
        pin(low);
        for (unsigned k = 0; k < tiles.k; k++) {
            unsigned base = stages_at + ring.stage * stage_bytes;
            unsigned long long a = descriptor(base + me.wg * 64 * ROW_BYTES),
                               b = descriptor(base + pieces * TILE_BYTES);
            barrier_wait(full + ring.stage * 8, ring.parity);
            pin(high);
            wgmma_fence();
            multiply_pieces(high, a, b, 0, 0, format, false);
            wgmma_commit();
            wgmma_wait<1>(); // the low products of the stage before
            if (k > 0) leave(empty + left * 8);
            if (format == BF16_THREE) {
                multiply_pieces(low, a, b, 0, 2, format, true);
                multiply_pieces(low, a, b, 2, 0, format, true);
                multiply_pieces(low, a, b, 1, 1, format, true);
            }
            multiply_pieces(low, a, b, 0, 1, format, true);
            multiply_pieces(low, a, b, 1, 0, format, true);
            wgmma_commit();
            wgmma_wait<1>(); // the high products: they are added up while the tensor cores do the low ones
            pin(high);
#pragma unroll
            for (int i = 0; i < 64; i++) sum[i] += high[i];
            left = ring.stage;
            next_stage<stages>(&ring);
        }
        struct exponents exponents;
        int row, col;
        epilogue.end(out, tiles, at, block, me, &exponents, &row, &col);
        wgmma_wait<0>();
        pin(low);
        if (tiles.k > 0) leave(empty + left * 8);
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += low[i] * (format == FP16_TWO ? 0x1p-11f : 1.0f);
        store<false>(out, epilogue, &exponents, sum, row, col, Epilogue::product_of(at, tiles));
    }
}

// The whole block.
template <int format, int pieces, int stages, class Epilogue>
static __device__ __forceinline__ void multiply_planes(const char *planes, const struct layout *l,
                                                       const struct output *out, Epilogue epilogue,
                                                       unsigned products = 1, long long apart = 0) {
    extern __shared__ char shared[];
    const unsigned base = (shared_address(shared) + 1023) & ~1023u; // tiles begin at multiples of 1024
    const unsigned full = base, empty = base + stages * 8, stages_at = base + SHARED_HEAD;
    const unsigned block = CLUSTER > 1 ? block_in_cluster() : 0;
    const struct tiles tiles = {(unsigned)(l->rows_a / (BM * CLUSTER)), (unsigned)(l->rows_b / BN),
                                (unsigned)l->tiles_k, products, apart};
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; i++) {
            barrier_init(full + i * 8, 1);
            barrier_init(empty + i * 8, CONSUMERS * WG / 32 * CLUSTER);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_barrier();
    if (threadIdx.x / WG == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == CONSUMERS * WG)
            produce<Epilogue, pieces, stages>(planes, l, tiles, full, empty, stages_at, block);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume<format, pieces, stages>(epilogue, out, tiles, full, empty, stages_at, block);
    }
    __syncwarp();
    cluster_barrier(); // a block must not end while others of its cluster may still copy into it or arrive at its barriers
}

#endif
