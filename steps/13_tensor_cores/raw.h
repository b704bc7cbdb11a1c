// The multiply kernel for an A with few rows or a B with few columns. The other operand, called
// raw, is split in registers, on its way to the tensor cores, instead of in the pre-pass (split.h).
// A line of the raw operand is a column of B (FEW_ROWS) or a row of A (FEW_COLS).
//
// wgmma takes its first operand from registers or shared memory, its second from shared memory
// only. So the raw operand is the first: FEW_COLS computes C = A B, FEW_ROWS C^T = B^T A^T.
//
//   warpgroups 0 and 1   consumers: each multiplies 64 lines of the raw operand by 128 rows or
//                        columns of the other operand, whose planes are in shared memory. They
//                        load raw numbers from shared memory, and scale and split them
//   warpgroup 2          producers: copy the raw operand by cp.async, which handles any edge and
//                        alignment, and the planes by the copy engine
//
// 8192 lines are only 64 tiles for the 132 SMs of an H200. So the two blocks of a cluster share a
// tile: each block sums over half of K. At the end block i receives the other block's sums for the
// lines of warpgroup i, adds its own sums and stores them. The order of the sum is fixed, so every
// run gives the same bits.
#ifndef TENSOR_CORES_RAW_H
#define TENSOR_CORES_RAW_H

#include "multiply.h"

// Rows and columns of the raw operand in a stage.
enum { RAW_ROWS = FEW_ROWS ? TILE_K : BM, RAW_COLS = FEW_ROWS ? BN : TILE_K };
// floats per row in shared memory; read_numbers() explains the padding
enum { RAW_STRIDE = RAW_COLS + (FEW_ROWS ? 4 : 8) };
enum { RAW_BYTES = RAW_ROWS * RAW_STRIDE * 4 };
enum { RAW_STAGE = RAW_BYTES + 2 * TILE_BYTES }; // bytes of the raw operand and two planes
enum { NEXT_LINE = FEW_ROWS ? 1 : 8 };           // distance between a thread's two lines

// The raw operand in global memory.
struct raw {
    const float *first;
    int ld, rows, cols;
};

// Returns the offset of element k of a line in a stage, in floats.
static __device__ __forceinline__ int raw_offset(int line, int k) {
    return FEW_ROWS ? k * RAW_STRIDE + line : line * RAW_STRIDE + k;
}

// A block's part of the work.
struct part {
    int row, col;        // first row and column of the block's tile of C
    unsigned first, end; // the block's half of K, in tiles of TILE_K
};

static __device__ __forceinline__ struct part part_of_block(const struct layout *l,
                                                            unsigned block) {
    const unsigned tile = blockIdx.x / 2, across = (unsigned)l->rows_b / BN,
                   half = (unsigned)(l->tiles_k + 1) / 2;
    return {(int)(tile / across) * BM, (int)(tile % across) * BN, block * half,
            block ? (unsigned)l->tiles_k : half};
}

// Starts a cp.async of 4 or 1 floats. Reads only the first `valid`, writes zeros for the others.
static __device__ __forceinline__ void copy_floats(unsigned to, const float *from, int floats,
                                                   int valid) {
    int bytes = 4 * max(0, min(floats, valid));
    if (floats == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                     "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes)
                     : "memory");
}

// Returns the number of lanes that copy a row together, `width` floats each at a time.
template <int width> static __device__ __forceinline__ constexpr int lanes_across(void) {
    return RAW_COLS / width < 32 ? RAW_COLS / width : 32;
}

// Starts the copies of this thread's share of a tile, from `from` to `to`. From the element at
// `from` to the edges of the operand there are `rows` rows and `valid` columns.
template <int width>
static __device__ __forceinline__ void copy_tile(unsigned to, const float *from, long long ld,
                                                 int rows, int valid) {
    const int across = lanes_across<width>(), down = WG / across;
#pragma unroll 8
    for (int row = 0; row < RAW_ROWS; row += down, to += down * RAW_STRIDE * 4, from += down * ld)
#pragma unroll
        for (int i = 0; i < RAW_COLS; i += across * width)
            copy_floats(to + i * 4, &from[i], width, row < rows ? valid - i : 0);
}

// Makes this thread arrive at the mbarrier when all cp.async that it has started are complete.
static __device__ __forceinline__ void barrier_arrive_by_copies(unsigned barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

// Arrives at an mbarrier of this block.
static __device__ __forceinline__ void barrier_arrive_here(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Copies all stages of the block. Before each copy it waits until the consumers free the stage.
// Requires: all threads of the producer warpgroup call it.
template <int stages>
static __device__ void produce_raw(const struct raw *raw, const char *planes,
                                   const struct layout *l, struct part part, unsigned full,
                                   unsigned empty, unsigned stages_at) {
    const bool wide = (size_t)raw->first % 16 == 0 && raw->ld % 4 == 0;
    const int k = (int)part.first * TILE_K, first_row = FEW_ROWS ? k : part.row,
              first_col = FEW_ROWS ? part.col : k;
    const int t = threadIdx.x % WG, across = wide ? lanes_across<4>() : lanes_across<1>();
    const int row = first_row + t / across, col = first_col + t % across * (wide ? 4 : 1);
    const unsigned at = stages_at + (t / across * RAW_STRIDE + col - first_col) * 4;
    const float *from = &raw->first[(size_t)row * raw->ld + col];
    const long long lines = FEW_ROWS ? l->rows_a : l->rows_b;
    const char *other = planes + (FEW_ROWS ? 0 : l->b) +
                        row_offset(FEW_ROWS ? part.row : part.col, part.first, lines);
    struct ring ring = {0, 1}; // a new mbarrier counts parity 1 as complete: no wait
    int remaining = FEW_ROWS ? raw->rows - row : raw->cols - col; // k's from `from` to the edge
    for (unsigned i = part.first; i < part.end; i++) {
        unsigned barrier = full + ring.stage * 8, stage = ring.stage * RAW_STAGE;
        barrier_wait(empty + ring.stage * 8, ring.parity);
        if (t == 0) {
            barrier_expect(barrier, 2 * TILE_BYTES);
            copy_bytes(stages_at + stage + RAW_BYTES, other, TILE_BYTES, barrier);
            copy_bytes(stages_at + stage + RAW_BYTES + TILE_BYTES,
                       other + (FEW_ROWS ? l->plane_a : l->plane_b), TILE_BYTES, barrier);
        }
        const int rows = FEW_ROWS ? remaining : raw->rows - row,
                  cols = FEW_ROWS ? raw->cols - col : remaining;
        if (wide)
            copy_tile<4>(at + stage, from, raw->ld, rows, cols);
        else
            copy_tile<1>(at + stage, from, raw->ld, rows, cols);
        barrier_arrive_by_copies(barrier);
        other += (FEW_ROWS ? l->rows_a : l->rows_b) * ROW_BYTES;
        from += FEW_ROWS ? (long long)TILE_K * raw->ld : TILE_K;
        remaining -= TILE_K;
        next_stage<stages>(&ring);
    }
}

// A thread's share of 64 lines and 16 k's, in the layout of wgmma's first operand. A warp holds 16
// of these lines, a thread two. Of each line it holds the k's lane % 4 * 2 + 0, 1, 8 and 9.
struct fragment {
    unsigned high[4], low[4];
};

// The raw numbers of a fragment.
struct numbers {
    float line[2][4];
};
// Loads the numbers of a fragment. A load gets two neighbours: the thread's two columns of B, or
// two k's of A. A wavefront serves half a warp: 8 floats from each of 4 rows. In B these are
// every second row, 2 * 132 floats apart; in A they are neighbours, 72 floats apart. So each row
// starts 8 banks after the previous one: no bank conflict.
static __device__ __forceinline__ void read_numbers(struct numbers *n, const float *from) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float2 pair = *(const float2 *)&from[FEW_ROWS ? raw_offset(0, i / 2 * 8 + i % 2)
                                                      : raw_offset(i / 2 * NEXT_LINE, i % 2 * 8)];
        (FEW_ROWS ? n->line[0][i] : n->line[i / 2][i % 2 * 2]) = pair.x;
        (FEW_ROWS ? n->line[1][i] : n->line[i / 2][i % 2 * 2 + 1]) = pair.y;
    }
}

// Scales the numbers and splits them into two FP16 pieces.
static __device__ __forceinline__ void split_numbers(struct fragment *f, const struct numbers *n,
                                                     const struct scale scales[2]) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        struct scale scale = scales[i % 2];
        const float *pair = &n->line[i % 2][i / 2 * 2];
        float x = pair[0] * scale.first * scale.second, y = pair[1] * scale.first * scale.second;
        f->high[i] = next_piece(&x, &y, FP16_TWO);
        f->low[i] = next_piece(&x, &y, FP16_TWO);
    }
}

// Keeps the compiler from reusing the fragment's registers before this point.
static __device__ __forceinline__ void keep(const struct fragment *f) {
#pragma unroll
    for (int i = 0; i < 4; i++) asm volatile("" ::"r"(f->high[i]), "r"(f->low[i]) : "memory");
}

#define WGMMA_REGISTERS(add) \
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " WGMMA_SUMS \
                 ", {%64, %65, %66, %67}, %68, " add ", 1, 1, 0;" \
                 : F16(0), F16(16), F16(32), F16(48) \
                 : "r"(raw[0]), "r"(raw[1]), "r"(raw[2]), "r"(raw[3]), "l"(plane))

// Starts the MMA of one piece of the raw operand and a plane of the other operand, over 16 k's. The
// MMA sets acc, 64 lines times 128 rows or columns of the other operand, to the product or, if
// `add`, adds the product to acc. `add` must be a compile-time constant.
static __device__ __forceinline__ void wgmma_raw(float acc[64], const unsigned raw[4],
                                                 unsigned long long plane, bool add) {
    if (add)
        WGMMA_REGISTERS("1");
    else
        WGMMA_REGISTERS("0");
}

static __device__ __forceinline__ struct scale scale_of_line(const struct output *o, int line) {
    int s = line < (FEW_ROWS ? o->N : o->M) ? (FEW_ROWS ? o->cols : o->rows)[line] : 0;
    return make_scale(s == LEFT_OUT ? 0 : s);
}

// Computes the block's half of the sums of 64 lines. `line` is the thread's first line.
// Requires: all threads of a consumer warpgroup call it.
template <int stages>
static __device__ __forceinline__ void
sum_lines(float sum[64], const struct output *out, struct part part, int line,
          const char *shared_stages, unsigned full, unsigned empty) {
    const unsigned lane = threadIdx.x % 32;
    const struct scale scales[2] = {scale_of_line(out, line), scale_of_line(out, line + NEXT_LINE)};
    const float *first = (const float *)shared_stages +
                         raw_offset(line - (FEW_ROWS ? part.col : part.row), lane % 4 * 2);
    struct ring ring = {0, 0};
    struct numbers numbers;
    struct fragment fragments[2] = {}; // MMAs read one while the other is split
    float high[64], low[64];
    unsigned in_use = 0; // the stage that unfinished MMAs still read
#pragma unroll
    for (int i = 0; i < 64; i++) sum[i] = high[i] = low[i] = 0.0f;
    pin(low);
    for (unsigned k = part.first; k < part.end; k++) {
        const float *raw = first + ring.stage * (RAW_STAGE / 4);
        unsigned long long plane =
            descriptor(shared_address(shared_stages) + ring.stage * RAW_STAGE + RAW_BYTES);
        barrier_wait(full + ring.stage * 8, ring.parity);
        read_numbers(&numbers, raw);
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) {
            struct fragment *f = &fragments[step % 2];
            split_numbers(f, &numbers, scales);
            if (step == 0) pin(high);
            wgmma_fence();
            wgmma_raw(high, f->high, plane + step * 32 / 16, step > 0);
            wgmma_commit();
            wgmma_raw(low, f->high, plane + (TILE_BYTES + step * 32) / 16, true);
            wgmma_raw(low, f->low, plane + step * 32 / 16, true);
            wgmma_commit();
            if (step < TILE_K / 16 - 1)
                read_numbers(&numbers, raw + raw_offset(0, (step + 1) * 16));
            wgmma_wait<2>(); // waits for all MMAs of the other fragment
            keep(&fragments[(step + 1) % 2]);
            if (step == 0 && k > part.first) barrier_arrive_here(empty + in_use * 8);
        }
        wgmma_wait<1>(); // waits for the high products; the last low ones run during the FADDs
        pin(high);
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += high[i];
        in_use = ring.stage;
        next_stage<stages>(&ring);
    }
    wgmma_wait<0>();
    pin(low);
#pragma unroll
    for (int i = 0; i < 64; i++) sum[i] += low[i] * 0x1p-11f;
}

// Returns the cluster address of shared `address` in block `block` of the cluster.
static __device__ __forceinline__ unsigned address_in(unsigned address, unsigned block) {
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    return there;
}

// Computes the block's part of the sums of a warpgroup's 64 lines. One block stores these lines.
// Requires: all threads of a consumer warpgroup call it; both blocks of the cluster take part.
template <int stages>
static __device__ void consume_raw(const struct output *out, struct part part,
                                   const char *shared_stages, unsigned full, unsigned empty,
                                   unsigned block) {
    const unsigned t = threadIdx.x % WG, wg = threadIdx.x / WG, lane = t % 32;
    const unsigned first_line = wg * 64 + t / 32 * 16; // the warp's first line
    const int row = part.row + (int)(FEW_ROWS ? lane % 4 * 2 : first_line + lane / 4),
              col = part.col + (int)(FEW_ROWS ? first_line + lane / 4 * 2 : lane % 4 * 2);
    float sum[64];
    sum_lines<stages>(sum, out, part, FEW_ROWS ? col : row, shared_stages, full, empty);
    cluster_barrier(); // both blocks have read all stages, whose memory now receives the sums
    if (wg != block) {
        const unsigned there = address_in(shared_address(shared_stages) + t * 4, wg);
#pragma unroll
        for (int i = 0; i < 64; i++)
            asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there + i * WG * 4), "f"(sum[i])
                         : "memory");
    }
    cluster_barrier(); // the other block's sums have arrived
    if (wg != block) return;
    const float *part_there = (const float *)shared_stages + t;
    struct exponents exponents;
    read_exponents<FEW_ROWS>(&exponents, FEW_ROWS ? out->cols : out->rows,
                             FEW_ROWS ? out->rows : out->cols, FEW_ROWS ? out->N : out->M,
                             FEW_ROWS ? out->M : out->N, row, col);
#pragma unroll
    for (int i = 0; i < 64; i++) sum[i] += part_there[i * WG];
    store<FEW_ROWS>(out, Plain(), &exponents, sum, row, col);
}

// Computes a tile of C together with the other block of the cluster.
// Requires: all threads of both blocks call it.
template <int stages>
static __device__ __forceinline__ void multiply_raw(const struct raw *raw, const char *planes,
                                                    const struct layout *l,
                                                    const struct output *out) {
    extern __shared__ char shared[];
    // planes start at multiples of 1024 bytes
    const unsigned skipped = -shared_address(shared) & 1023u;
    const unsigned full = shared_address(shared) + skipped, empty = full + stages * 8;
    const char *stages_at = shared + skipped + SHARED_HEAD;
    const unsigned block = block_in_cluster();
    const struct part part = part_of_block(l, block);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; i++) {
            // Arrivals: each producer thread for its raw copies, and one more for the planes.
            barrier_init(full + i * 8, WG + 1);
            // Every consumer thread arrives, because each loads raw numbers itself.
            barrier_init(empty + i * 8, CONSUMERS * WG);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_barrier();
    if (threadIdx.x / WG == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        produce_raw<stages>(raw, planes, l, part, full, empty, shared_address(stages_at));
        __syncwarp();
        cluster_barrier();
        cluster_barrier();
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume_raw<stages>(out, part, stages_at, full, empty, block);
    }
}

#endif
