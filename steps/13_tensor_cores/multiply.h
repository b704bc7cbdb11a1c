// Multiplies A and B, split into pieces (split.h); a plane has one piece of a matrix (layout.h).
// wgmma reads shared memory, which the copy engine (cp.async.bulk) fills.
//
//   warpgroups 0 and 1   consumers: each multiplies 64 rows of the block's tile, all 128 columns
//   warpgroup 2          producer: one of its threads copies, as far ahead as stages are free
//
// A stage holds 64 k's of all pieces of A's 128 rows and of B's 128 columns. In a cluster of two,
// the blocks compute tiles of C one below the other. Each copies A for itself, and one half of B
// for both. The pre-pass stores each tile in the order of shared memory, so a copy is one range of
// bytes and needs no tensor map.

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
#define WG          128 // threads per warpgroup
#define THREADS     (WG * (CONSUMERS + 1))
#define TILE_BYTES  (BM * ROW_BYTES) // size of one piece of a tile of A or B
#define SHARED_HEAD 1024             // the mbarriers; tiles start at multiples of 1024 bytes
#define GROUP       (16u / CLUSTER)  // rows of cluster tiles per group, see place_of()

// --- mbarriers and copies ------------------------------------------------------------------------
static __device__ __forceinline__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

// Waits until the mbarrier's phase of this parity is complete.
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

// Arrives at the mbarrier, and makes its phase wait for `bytes` more bytes.
static __device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

// Arrives at the mbarrier that lies at address `barrier` in block `block` of the cluster.
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

// Starts a copy of `bytes` bytes to shared memory; `barrier` counts them on arrival.
static __device__ __forceinline__ void copy_bytes(unsigned to, const char *from, unsigned bytes,
                                                  unsigned barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(to),
        "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
}
// Starts a copy to the same address in the shared memory of every block in the bit mask `blocks`;
// the mbarrier at address `barrier` of each block counts the bytes that arrive there.
static __device__ __forceinline__ void copy_bytes_to_all(unsigned to, const char *from,
                                                         unsigned bytes, unsigned barrier,
                                                         unsigned short blocks) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1], %2, [%3], %4;" ::"r"(to),
        "l"(from), "r"(bytes), "r"(barrier), "h"(blocks)
        : "memory");
}

// --- wgmma ---------------------------------------------------------------------------------------
// Returns the wgmma descriptor of a tile in shared memory at `address`: 1024 bytes from one group
// of 8 rows to the next, 128-byte swizzle.
static __device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    return 1ull << 62 | (unsigned long long)(1024 / 16) << 32 | 1ull << 16 |
           (address & 0x3ffff) / 16;
}

static __device__ __forceinline__ void wgmma_fence(void) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ __forceinline__ void wgmma_commit(void) {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// Waits until at most `groups` of the committed groups of MMAs are unfinished.
template <int groups> static __device__ __forceinline__ void wgmma_wait(void) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

// Keeps the compiler from moving any use of these registers across this point.
static __device__ __forceinline__ void pin(float acc[64]) {
#pragma unroll
    for (int i = 0; i < 64; i++) asm volatile("" : "+f"(acc[i])::"memory");
}

#define F4(i)  "+f"(acc[i]), "+f"(acc[i + 1]), "+f"(acc[i + 2]), "+f"(acc[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
#define WGMMA_SUMS \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define WGMMA(types, add) \
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." types " " WGMMA_SUMS \
                 ", %64, %65, " add ", 1, 1, 0, 0;" \
                 : F16(0), F16(16), F16(32), F16(48) \
                 : "l"(a), "l"(b))

// Starts the MMA that sets acc (64, 128) to A (64, 16) B (16, 128) or, if `add`, adds the product
// to acc. `add` must be a compile-time constant, because a predicate would cost an instruction.
static __device__ __forceinline__ void wgmma(float acc[64], unsigned long long a,
                                             unsigned long long b, int format, bool add) {
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

// Starts the MMAs of piece p of A and piece q of B over the 64 k's of a stage. They set acc to the
// product or add it, as in wgmma(). 16 k's are 32 bytes of a tile row.
static __device__ __forceinline__ void multiply_pieces(float acc[64], unsigned long long a,
                                                       unsigned long long b, int p, int q,
                                                       int format, bool add) {
#pragma unroll
    for (int step = 0; step < TILE_K / 16; step++)
        wgmma(acc, a + (p * TILE_BYTES + step * 32) / 16, b + (q * TILE_BYTES + step * 32) / 16,
              format, add || step > 0);
}

// --- the block's tiles ---------------------------------------------------------------------------
// The tiles of a launch, which computes one or more products C = A B. A cluster tile consists of
// the CLUSTER tiles of C, one below the other, that a cluster computes together.
struct tiles {
    unsigned m, n, k; // cluster tiles along M and N, tiles along K
    unsigned products;
    long long apart; // bytes from a product's planes to the next product's
};

// The position of a tile in C, in tiles.
struct place {
    int row, col;
};

// Returns the tile of C that block `block` of a cluster computes in cluster tile `at`. Cluster
// tiles are numbered column by column in groups of GROUP rows.
static __device__ __forceinline__ struct place place_of(unsigned at, struct tiles tiles,
                                                        unsigned block) {
    unsigned first = at / (GROUP * tiles.n) * GROUP, rows = min(GROUP, tiles.m - first);
    at -= first * tiles.n;
    return {(int)((first + at % rows) * CLUSTER + block), (int)(at / rows)};
}

// A position in the ring: the next stage, and the parity of the phase to wait for at its mbarrier.
struct ring {
    unsigned stage, parity;
};

template <int stages> static __device__ __forceinline__ void next_stage(struct ring *r) {
    if (++r->stage < stages) return;
    r->stage = 0;
    r->parity ^= 1;
}

// Copies all stages of all tiles of the block. Before each copy it waits until the consumers of all
// blocks of the cluster have released the stage.
// Requires: one thread calls it.
template <class Epilogue, int pieces, int stages>
static __device__ void produce(const char *planes, const struct layout *l, struct tiles tiles,
                               unsigned full, unsigned empty, unsigned stages_at, unsigned block) {
    const unsigned stage_bytes = 2 * pieces * TILE_BYTES,
                   share = BN / CLUSTER; // columns of B (rows of its planes) to copy
    struct ring ring = {0, 1};           // a new mbarrier counts parity 1 as complete: no wait
    for (unsigned at = blockIdx.x / CLUSTER; at < tiles.m * tiles.n * tiles.products;
         at += gridDim.x / CLUSTER) {
        unsigned product = Epilogue::product_of(at, tiles);
        struct place place = place_of(at - product * tiles.m * tiles.n, tiles, block);
        const char *own = planes + product * tiles.apart;
        const char *a = own + row_offset((long long)place.row * BM, 0, l->rows_a);
        const char *b =
            own + l->b + row_offset((long long)place.col * BN + block * share, 0, l->rows_b);
        for (unsigned k = 0; k < tiles.k; k++) {
            unsigned barrier = full + ring.stage * 8, to = stages_at + ring.stage * stage_bytes;
            barrier_wait(empty + ring.stage * 8, ring.parity);
            barrier_expect(barrier, stage_bytes);
            for (int p = 0; p < pieces; p++) {
                copy_bytes(to + p * TILE_BYTES, a + p * l->plane_a, TILE_BYTES, barrier);
                unsigned b_to = to + (pieces + p) * TILE_BYTES + block * share * ROW_BYTES;
                if (CLUSTER > 1)
                    copy_bytes_to_all(b_to, b + p * l->plane_b, share * ROW_BYTES, barrier,
                                      (1 << CLUSTER) - 1);
                else
                    copy_bytes(b_to, b + p * l->plane_b, share * ROW_BYTES, barrier);
            }
            a += l->rows_a * ROW_BYTES;
            b += l->rows_b * ROW_BYTES;
            next_stage<stages>(&ring);
        }
    }
}

// Reports to the producers of all blocks of the cluster that this warp has read a stage, since each
// of them copies into it. Lane i arrives at the mbarrier of block i.
static __device__ __forceinline__ void release_stage(unsigned barrier) {
    unsigned lane = threadIdx.x % 32;
    if (lane < CLUSTER) barrier_arrive(barrier, lane);
}

// Where and how a block stores its sums. This struct and the layout are in shared memory, because
// the sums need the registers.
struct output {
    float *C;
    const int *rows, *cols; // exponents of A's rows and B's columns
    int ldc, M, N;
    float alpha, beta;
    bool aligned; // true if the elements in even columns lie at multiples of 8 bytes

    long long c_apart; // bytes from one product's C to the next product's
    long long apart;   // bytes from one product's exponents to the next product's
};

// Returns the address for product `product` of an array that starts at `first` for product 0.
template <class T>
static __device__ __forceinline__ T *of_product(T *first, long long apart, unsigned product) {
    return (T *)((char *)first + product * apart);
}

// Returns v 2^-s. Multiplies twice, because 2^-s may exceed the range of a float.
static __device__ __forceinline__ float unscale(float v, int s) {
    int first = max(-126, min(127, -s / 2)), second = max(-126, min(127, -s - first));
    return v * power_of_two(first) * power_of_two(second);
}

// The scales' exponents for a thread's part of a tile: 2 rows and 16 pairs of columns. LEFT_OUT
// marks a row or column that is computed in FP32 or lies outside C. If `transposed` (raw.h), row[]
// has the exponents of two neighbouring columns of C, and col[] those of rows.
enum { PAIRS = BN / 8 };
struct exponents {
    int row[2], col[2 * PAIRS];
    // true if 2^-(exponent of row + exponent of column) is a normal float for every element
    bool are_floats;
};

// Sets *e from the exponents rows[M] and cols[N]; those past the ends of these become LEFT_OUT.
// Loads all exponents before it uses the first, so that it waits for memory once.
template <bool transposed>
static __device__ __forceinline__ void read_exponents(struct exponents *e, const int *rows,
                                                      const int *cols, int M, int N, int row,
                                                      int col) {
    const int first = transposed ? col : row, step = transposed ? 1 : 8;
#pragma unroll
    for (int i = 0; i < 2; i++)
        e->row[i] = first + i * step < M ? rows[first + i * step] : LEFT_OUT;
#pragma unroll
    for (int i = 0, at = transposed ? row : col; i < PAIRS; i++, at += 8) {
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
        if (e->row[i] != LEFT_OUT)
            e->are_floats &= e->row[i] + least >= -126 && e->row[i] + most <= 126;
}

// Multiplies all sums by alpha 2^-(row's + column's exponent). These powers are nearly always
// normal floats, whose bits are quickly computed. Elements that are left out get arbitrary values.
static __device__ __forceinline__ void unscale_all(float sum[64], const struct exponents *e,
                                                   float alpha) {
    // The variants few_rows and few_cols have no registers to spare for the first branch.
    if (e->are_floats && !FEW_ROWS && !FEW_COLS) {
#pragma unroll
        for (int i = 0; i < 64; i++) {
            int exponent = 127 - e->row[i / 2 % 2] - e->col[i / 4 * 2 + i % 2];
            sum[i] = alpha * (sum[i] * __int_as_float(exponent << 23));
        }
    } else {
#pragma unroll
        for (int i = 0; i < 64; i++)
            sum[i] = alpha * unscale(sum[i], e->row[i / 2 % 2] + e->col[i / 4 * 2 + i % 2]);
    }
}

// Returns true if sum i is stored to C. It belongs to the thread's row i / 2 % 2 and column
// i / 4 * 2 + i % 2.
static __device__ __forceinline__ bool kept(const struct exponents *e, int i) {
    return e->row[i / 2 % 2] != LEFT_OUT && e->col[i / 4 * 2 + i % 2] != LEFT_OUT;
}

// Returns the offset of sum i in C from the thread's first element, in floats.
template <bool transposed>
static __device__ __forceinline__ long long offset_of_sum(int i, int ldc) {
    return transposed ? (i / 4 * 8 + i % 2) * (long long)ldc + i / 2 % 2
                      : i / 2 % 2 * 8ll * ldc + i / 4 * 8 + i % 2;
}

// A thread's position in its block.
struct thread {
    unsigned wg, warp, lane; // warpgroup in the block, warp in the warpgroup, lane in the warp
};

// An epilogue maps tiles to products, and may change the sums C = alpha A B + beta C before they
// are stored. A program may define another epilogue; Plain has one product and changes no sums.
struct Plain {
    // Returns the product that cluster tile `at` belongs to.
    static __device__ __forceinline__ unsigned product_of(unsigned at, struct tiles tiles) {
        return 0;
    }
    // Called before the MMAs of cluster tile `at` start.
    __device__ __forceinline__ void begin(const struct output *out, struct tiles tiles, unsigned at,
                                          unsigned block, struct thread me) {
    }
    // Called when the last MMAs have started: sets the thread's exponents, first row and column.
    __device__ __forceinline__ void end(const struct output *out, struct tiles tiles, unsigned at,
                                        unsigned block, struct thread me, struct exponents *e,
                                        int *row, int *col) {
        const struct place place = place_of(at, tiles, block);
        *row = place.row * BM + me.wg * 64 + me.warp * 16 + me.lane / 4;
        *col = place.col * BN + me.lane % 4 * 2;
        read_exponents<false>(e, out->rows, out->cols, out->M, out->N, *row, *col);
    }
    // Called before the sums are stored at `c`: changes them, or stores them itself and returns
    // true.
    __device__ __forceinline__ bool finish(const struct output &o, const struct exponents *e,
                                           float *c, float sum[64]) const {
        return false;
    }
    // Changes an element of C that was computed in FP32 (mend.h).
    __device__ __forceinline__ void add_to(float *c, int row, int col) const {
    }
};

// Stores C = alpha 2^-(row's + column's exponent) sum + beta C, two neighbours of a row at a time,
// and does not touch elements that are left out. The thread's first sum belongs to C[row][col].
// Loads all elements of C that it needs before it stores the first.
template <bool transposed, class Epilogue>
static __device__ __forceinline__ void store(const struct output *shared, const Epilogue &epilogue,
                                             const struct exponents *e, float sum[64], int row,
                                             int col, unsigned product = 0) {
    const struct output o = *shared;
    float *c = &of_product(o.C, o.c_apart, product)[(size_t)row * o.ldc + col], before[64];
    unscale_all(sum, e, o.alpha);
    if (o.beta != 0.0f) {
#pragma unroll
        for (int i = 0; i < 64; i++)
            before[i] = kept(e, i) ? c[offset_of_sum<transposed>(i, o.ldc)] : 0.0f;
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += o.beta * before[i];
    }
    if (epilogue.finish(o, e, c, sum)) return;
#pragma unroll
    for (int pair = 0; pair < 32; pair++) {
        const int i = transposed ? pair / 2 * 4 + pair % 2 : pair * 2,
                  next = transposed ? i + 2 : i + 1;
        float *to = &c[offset_of_sum<transposed>(i, o.ldc)];
        bool first = kept(e, i), second = kept(e, next);
        if (o.aligned && first && second) {
            *(float2 *)to = float2{sum[i], sum[next]};
            continue;
        }
        if (first) to[0] = sum[i];
        if (second) to[1] = sum[next];
    }
}

// Computes and stores 64 rows of every tile of the block. `high` has a stage's products of the
// leading pieces, which are added to `sum`; `low` sums the other, smaller products.
// Requires: all threads of a consumer warpgroup call it.
template <int format, int pieces, int stages, class Epilogue>
static __device__ void consume(Epilogue epilogue, const struct output *out, struct tiles tiles,
                               unsigned full, unsigned empty, unsigned stages_at, unsigned block) {
    const unsigned stage_bytes = 2 * pieces * TILE_BYTES;
    const struct thread me = {threadIdx.x / WG, threadIdx.x % WG / 32, threadIdx.x % 32};
    struct ring ring = {0, 0};
    float sum[64], high[64], low[64];
    for (unsigned at = blockIdx.x / CLUSTER; at < tiles.m * tiles.n * tiles.products;
         at += gridDim.x / CLUSTER) {
        unsigned in_use = 0; // the stage that unfinished MMAs of the low products still read
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
            wgmma_wait<1>(); // waits for the low products of the previous stage
            if (k > 0) release_stage(empty + in_use * 8);
            if (format == BF16_THREE) {
                multiply_pieces(low, a, b, 0, 2, format, true);
                multiply_pieces(low, a, b, 2, 0, format, true);
                multiply_pieces(low, a, b, 1, 1, format, true);
            }
            multiply_pieces(low, a, b, 0, 1, format, true);
            multiply_pieces(low, a, b, 1, 0, format, true);
            wgmma_commit();
            wgmma_wait<1>(); // waits for the high products; the low ones run during the FADDs
            pin(high);
#pragma unroll
            for (int i = 0; i < 64; i++) sum[i] += high[i];
            in_use = ring.stage;
            next_stage<stages>(&ring);
        }
        struct exponents exponents;
        int row, col;
        epilogue.end(out, tiles, at, block, me, &exponents, &row, &col);
        wgmma_wait<0>();
        pin(low);
        if (tiles.k > 0) release_stage(empty + in_use * 8);
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += low[i] * (format == FP16_TWO ? 0x1p-11f : 1.0f);
        store<false>(out, epilogue, &exponents, sum, row, col, Epilogue::product_of(at, tiles));
    }
}

// Computes all tiles of the block. Its warpgroups become the producer and the consumers. `apart` is
// the number of bytes from one product's planes to the next product's.
// Requires: all threads of the block call it.
template <int format, int pieces, int stages, class Epilogue>
static __device__ __forceinline__ void multiply_planes(const char *planes, const struct layout *l,
                                                       const struct output *out, Epilogue epilogue,
                                                       unsigned products = 1, long long apart = 0) {
    extern __shared__ char shared[];
    // Tiles start at multiples of 1024 bytes.
    const unsigned base = (shared_address(shared) + 1023) & ~1023u;
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
    // A block must not end while others of its cluster may still copy into it or arrive at its
    // mbarriers.
    cluster_barrier();
}

#endif
