// The pre-pass for wgmma, the kernels `survey` and `split`: it scales each row of A and each column
// of B by a power of two, then splits them into planes of 16-bit numbers.
//
//   FP16, two pieces     x 2^s = hi + 2^-11 lo    22 bits of x; largest x 2^s in [2^14, 2^15)
//   BF16, three pieces   x 2^s = p0 + p1 + p2     all 24 bits; largest x 2^s in [2^40, 2^41)
//
// A tile lies in memory as shared memory will hold it: rows of 128 bytes, whose 16-byte units are
// permuted by the 128-byte swizzle. A tile of any number of rows is contiguous, so the copy engine
// needs no tensor map.
//
// A row of A or a column of B is left to the kernel `mend` (FP32) if it contains an infinity or a
// NaN. With `safe` it is also left if a number is so far below the largest that pieces lose bits.
#ifndef TENSOR_CORES_SPLIT_H
#define TENSOR_CORES_SPLIT_H

#include "layout.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// LEFT_OUT stands in place of an exponent if the row or column is left to the kernel `mend`.
enum { LEFT_OUT = -2147483647 };
enum { INFINITE = 0x7f800000 }; // the bits of infinity

// Returns the exponent to which the largest magnitude of a row or column is scaled.
static __device__ __forceinline__ int top_exponent(int format) {
    return format == FP16_TWO ? 14 : 40;
}

static __device__ __forceinline__ constexpr int pieces_of(int format) {
    return format == FP16_TWO ? 2 : 3;
}

// Returns the smallest scaled magnitude that the pieces hold with their full number of bits.
static __device__ __forceinline__ float least_held(int format) {
    return format == FP16_TWO ? 0x1p-14f : 0x1p-100f;
}

// Returns 2^e. Requires: -126 <= e <= 127.
static __device__ __forceinline__ float power_of_two(int e) {
    return __int_as_float((127 + e) << 23);
}

// Returns the exponent of the scale for numbers whose largest magnitude has the bits `largest`.
static __device__ __forceinline__ int scale_exponent(unsigned largest, int format) {
    return largest == 0 ? 0 : top_exponent(format) - ilogbf(__uint_as_float(largest));
}

// A scale 2^s as two factors, because 2^s may exceed the range of a float.
struct scale {
    float first, second;
};

static __device__ __forceinline__ struct scale make_scale(int s) {
    return {power_of_two(s / 2), power_of_two(s - s / 2)};
}

static __device__ __forceinline__ unsigned pack_half(float x, float y) {
    __half2 h = __halves2half2(__float2half_rn(x), __float2half_rn(y));
    return *(unsigned *)&h;
}

static __device__ __forceinline__ unsigned pack_bf16(float x, float y) {
    __nv_bfloat162 h = __halves2bfloat162(__float2bfloat16_rn(x), __float2bfloat16_rn(y));
    return *(unsigned *)&h;
}

// Returns the next piece of two scaled numbers, packed. Sets the numbers to their remainders; for
// FP16 these are multiplied by 2^11.
static __device__ __forceinline__ unsigned next_piece(float *x, float *y, int format) {
    unsigned piece;
    if (format == FP16_TWO) {
        piece = pack_half(*x, *y);
        float2 value = __half22float2(*(__half2 *)&piece);
        *x = (*x - value.x) * 0x1p11f;
        *y = (*y - value.y) * 0x1p11f;
    } else {
        piece = pack_bf16(*x, *y);
        *x -= __uint_as_float(piece << 16);
        *y -= __uint_as_float(piece & 0xffff0000);
    }
    return piece;
}

// Returns the offset in bytes of row `row` of k tile `tile` in a plane with `rows` rows per k tile.
static __device__ __forceinline__ long long row_offset(long long row, long long tile,
                                                       long long rows) {
    return (tile * rows + row) * ROW_BYTES;
}
// Returns the offset in bytes of 16-byte unit `unit` in tile row `row`: the 128-byte swizzle.
static __device__ __forceinline__ int unit_offset(int unit, int row) {
    return (unit ^ (row & 7)) * 16;
}

// These functions return arrays of the layout; the first four return the part of `format`.
// `scratch` is the scratch memory behind the head.
static __device__ __forceinline__ int *exponents_a(char *scratch, struct layout l, int format) {
    return (int *)(scratch + l.exponents_a) + format * l.rows_a;
}
static __device__ __forceinline__ int *exponents_b(char *scratch, struct layout l, int format) {
    return (int *)(scratch + l.exponents_b) + format * l.rows_b;
}
static __device__ __forceinline__ int *list_a(char *scratch, struct layout l, int format) {
    return (int *)(scratch + l.list_a) + format * l.rows_a;
}
static __device__ __forceinline__ int *list_b(char *scratch, struct layout l, int format) {
    return (int *)(scratch + l.list_b) + format * l.rows_b;
}
static __device__ __forceinline__ uint2 *spans_of(char *scratch, struct layout l) {
    return (uint2 *)(scratch + l.spans);
}

// Returns four neighbours of a row of `cols` numbers, with zeros past its end.
static __device__ __forceinline__ float4 load4(const float *row, int col, int cols, bool aligned) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (aligned && col + 3 < cols) return __ldg((const float4 *)&row[col]);
    if (col + 0 < cols) v.x = row[col + 0];
    if (col + 1 < cols) v.y = row[col + 1];
    if (col + 2 < cols) v.z = row[col + 2];
    if (col + 3 < cols) v.w = row[col + 3];
    return v;
}

// The range of the magnitudes of some numbers, as the bits of floats.
struct span {
    unsigned largest; // bits of the largest magnitude; at least INFINITE if a number is not finite
    unsigned least;   // bits of the smallest nonzero magnitude, minus 1: zero wraps to the maximum
};
static __device__ __forceinline__ struct span empty_span(void) {
    return {0, ~0u};
}

static __device__ __forceinline__ struct span span_in(uint2 v) {
    return {v.x, v.y};
}

static __device__ __forceinline__ void widen(struct span *s, struct span by) {
    s->largest = max(s->largest, by.largest);
    s->least = min(s->least, by.least);
}
static __device__ __forceinline__ void widen(struct span *s, float x) {
    unsigned magnitude = __float_as_uint(x) & 0x7fffffff;
    widen(s, span{magnitude, magnitude - 1});
}
static __device__ __forceinline__ void widen(struct span *s, float4 v) {
    widen(s, v.x), widen(s, v.y), widen(s, v.z), widen(s, v.w);
}

// Returns the exponent of the scale for numbers of this span; LEFT_OUT if one of them is not finite
// or, with `safe`, if the format's pieces cannot hold them.
static __device__ __forceinline__ int exponent_of(struct span of, int format, bool safe) {
    if (of.largest >= INFINITE) return LEFT_OUT;
    int s = scale_exponent(of.largest, format);
    struct scale scale = make_scale(s);
    float least = __uint_as_float(of.least + 1) * scale.first * scale.second;
    return safe && of.largest > 0 && !(least >= least_held(format)) ? LEFT_OUT : s;
}

// Returns the union of the spans of this thread's group of `threads` neighbours: half a warp, or
// whole warps.
// Requires: all threads of the block call it.
static __device__ struct span span_of_all(struct span mine, int threads) {
    __shared__ struct span warps[PRE_THREADS / 32];
    int first = (threadIdx.x & ~(threads - 1)) / 32;
    const unsigned lanes = threads < 32 ? 0xffffu << (threadIdx.x & 16) : ~0u;
    mine = {__reduce_max_sync(lanes, mine.largest), __reduce_min_sync(lanes, mine.least)};
    if (threads <= 32) return mine;
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    for (int i = 0; i < threads / 32; i++) widen(&mine, warps[first + i]);
    return mine;
}

// Writes the exponents of row or column `at` for both formats. If a format leaves it out, appends
// `at` to the format's list. `stride` is the length of one format's exponents and of its list.
static __device__ __forceinline__ void enter(int at, struct span of, int *exponents, int *lists,
                                             unsigned left[2], long long stride, bool safe) {
    for (int format = FP16_TWO; format <= BF16_THREE; format++) {
        int s = exponent_of(of, format, safe);
        exponents[format * stride + at] = s;
        if (s == LEFT_OUT) lists[format * stride + atomicAdd(&left[format], 1)] = at;
    }
}

// Splits four numbers. Writes their first pieces at `to`, and further pieces `plane` bytes apart.
template <int format>
static __device__ __forceinline__ void put4(char *to, float4 x, struct scale scale,
                                            long long plane) {
    float y[] = {x.x * scale.first * scale.second, x.y * scale.first * scale.second,
                 x.z * scale.first * scale.second, x.w * scale.first * scale.second};
#pragma unroll
    for (int piece = 0; piece < pieces_of(format); piece++) {
        uint2 v = {next_piece(&y[0], &y[1], format), next_piece(&y[2], &y[3], format)};
        *(uint2 *)(to + piece * plane) = v;
    }
}

// One thread's share of a row of A. The threads of a row hold up to 8192 numbers in registers, so
// that these are read once; the rest of a longer row is read twice.
struct row {
    const float *from;
    int inside;      // number of elements of the row; 0 past the last row of A
    int first, step; // column of the thread's first four numbers, and distance to its next four
    bool aligned;
    float4 held[HELD];
};

static __device__ __forceinline__ struct row read_row(int M, int K, const float *A, int lda,
                                                      int row, int threads) {
    struct row r = {&A[(size_t)row * lda], row < M ? K : 0};
    r.first = (threadIdx.x & (threads - 1)) * 4;
    r.step = threads * 4;
    r.aligned = (size_t)r.from % 16 == 0;
#pragma unroll
    for (int i = 0; i < HELD; i++)
        r.held[i] = i * r.step < K ? load4(r.from, r.first + i * r.step, r.inside, r.aligned)
                                   : float4{0.0f, 0.0f, 0.0f, 0.0f};
    return r;
}

static __device__ __forceinline__ struct span span_of_row(const struct row *r) {
    struct span span = empty_span();
#pragma unroll
    for (int i = 0; i < HELD; i++)
        if (i * r->step < r->inside) widen(&span, r->held[i]);
    for (int k = r->first + HELD * r->step; k < r->inside; k += r->step)
        widen(&span, load4(r->from, k, r->inside, r->aligned));
    return span_of_all(span, r->step / 4);
}

// Splits and writes this thread's share of a row. The first `held` float4s are in registers; the
// others are read from memory again.
template <int format, int held>
static __device__ __forceinline__ void put_row(const struct row *r, int exponent, int row,
                                               char *planes, const struct layout *l) {
    struct scale scale = make_scale(exponent == LEFT_OUT ? 0 : exponent);
    const int width = (int)l->tiles_k * TILE_K;
    // A step of the row is a whole number of tiles.
    const long long step = l->rows_a * ROW_BYTES * (r->step / TILE_K);
    char *to = planes + row_offset(row, r->first / TILE_K, l->rows_a) +
               unit_offset(r->first % TILE_K / 8, row) + r->first % 8 / 4 * 8;
#pragma unroll
    for (int i = 0; i < held; i++, to += step)
        if (r->first + i * r->step < width) put4<format>(to, r->held[i], scale, l->plane_a);
    for (int k = r->first + held * r->step; k < width; k += r->step, to += step)
        put4<format>(to, load4(r->from, k, r->inside, r->aligned), scale, l->plane_a);
}

// Finds the spans of PART_COLS columns of B in one part of K. The last block to finish among those
// that share a counter combines the parts and writes the exponents of their columns.
// Requires: all threads of the block call it.
static __device__ void survey_columns(int N, int K, const float *B, int ldb, int strip, int part,
                                      char *planes, struct head *head, const struct layout *l,
                                      bool safe) {
    enum { ACROSS = PART_COLS / 4, DEEP = PRE_THREADS / ACROSS };
    __shared__ struct span spans[DEEP][PART_COLS];
    __shared__ bool last;
    int t = threadIdx.x, col = strip * PART_COLS + t % ACROSS * 4,
        end = min(K, (part + 1) * PART_K);
    struct span of[4] = {empty_span(), empty_span(), empty_span(), empty_span()};
    bool aligned = (size_t)B % 16 == 0 && ldb % 4 == 0;
    for (int k = part * PART_K + t / ACROSS; k < end; k += HELD * DEEP) {
        float4 v[HELD]; // all are loaded before the first is used: one wait for memory
#pragma unroll
        for (int i = 0; i < HELD; i++)
            v[i] = k + i * DEEP < end ? load4(&B[(size_t)(k + i * DEEP) * ldb], col, N, aligned)
                                      : float4{0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
        for (int i = 0; i < HELD; i++)
            widen(&of[0], v[i].x), widen(&of[1], v[i].y), widen(&of[2], v[i].z),
                widen(&of[3], v[i].w);
    }
    for (int i = 0; i < 4; i++) spans[t / ACROSS][t % ACROSS * 4 + i] = of[i];
    __syncthreads();
    struct span mine = spans[0][t];
    for (int i = 1; i < DEEP; i++) widen(&mine, spans[i][t]);
    spans_of(planes, *l)[(part * l->strips + strip) * PART_COLS + t] =
        uint2{mine.largest, mine.least};

    // Strips with the same number modulo TICKETS share a counter.
    __threadfence();
    __syncthreads();
    int strips = (int)l->strips, ticket = strip % TICKETS;
    unsigned all = (unsigned)((strips - ticket + TICKETS - 1) / TICKETS * l->parts);
    if (t == 0) last = atomicAdd(&head->surveyed[ticket], 1) == all - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    if (t == 0) head->surveyed[ticket] = 0;
    // One column more if N is odd, because exponents are read in pairs.
    for (col = ticket * PART_COLS + t; col < N + N % 2; col += TICKETS * PART_COLS) {
        mine = empty_span();
#pragma unroll 8
        for (int i = 0; i < l->parts; i++)
            widen(&mine, span_in(__ldcg(&spans_of(planes, *l)[i * l->strips * PART_COLS + col])));
        enter(col, mine, exponents_b(planes, *l, 0), list_b(planes, *l, 0), head->left_cols,
              l->rows_b, safe);
    }
}

// A thread's share of a tile of B, held in registers between the loads from global memory and the
// stores to shared memory. The block's threads form DOWN rows of ALONG threads.
enum { ALONG = SPLIT_COLS / 4, DOWN = PRE_THREADS / ALONG };
struct square {
    float4 v[TILE_K / DOWN];
};

// Loads four neighbours of every DOWN-th row of B, from row k on. Sets zeros outside of B.
static __device__ __forceinline__ void read_square(struct square *s, int N, int K, const float *B,
                                                   int ldb, int k, int col, bool aligned) {
#pragma unroll
    for (int i = 0; i < TILE_K / DOWN; i++, k += DOWN)
        s->v[i] =
            k < K ? load4(&B[(size_t)k * ldb], col, N, aligned) : float4{0.0f, 0.0f, 0.0f, 0.0f};
}

// Splits 8 numbers of a column, x[0], x[stride] and so on. Writes a 16-byte unit to each plane.
template <int format>
static __device__ __forceinline__ void put8(char *to, const float *x, int stride,
                                            struct scale scale, long long plane) {
    float y[8];
#pragma unroll
    for (int j = 0; j < 8; j++) y[j] = x[j * stride] * scale.first * scale.second;
#pragma unroll
    for (int piece = 0; piece < pieces_of(format); piece++) {
        uint4 v = {next_piece(&y[0], &y[1], format), next_piece(&y[2], &y[3], format),
                   next_piece(&y[4], &y[5], format), next_piece(&y[6], &y[7], format)};
        *(uint4 *)(to + piece * plane) = v;
    }
}

// Shared memory in which a tile of B is transposed, and the scales of its columns.
struct turn {
    float tile[TILE_K][SPLIT_COLS + 1];
    struct scale scales[SPLIT_COLS];
};

// Stores the block's tile of B to shared memory.
// Requires: all threads of the block call it.
static __device__ __forceinline__ void turn_square(const struct square *square, int down, int along,
                                                   struct turn *turn) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE_K / DOWN; i++) {
        float *to = &turn->tile[i * DOWN + down][along];
        to[0] = square->v[i].x, to[1] = square->v[i].y, to[2] = square->v[i].z,
        to[3] = square->v[i].w;
    }
    __syncthreads();
}

// Splits the tile in shared memory and writes it to the planes: 8 threads per column, 8 k's each.
template <int format>
static __device__ __forceinline__ void put_turned(int t, int first, int k_tile, char *planes,
                                                  const struct layout *l, const struct turn *turn) {
#pragma unroll
    for (int i = 0; i < SPLIT_COLS / 32; i++) {
        int col = i * 32 + t / 8, unit = t % 8;
        char *to =
            planes + l->b + row_offset(first + col, k_tile, l->rows_b) + unit_offset(unit, col);
        put8<format>(to, &turn->tile[unit * 8][col], SPLIT_COLS + 1, turn->scales[col], l->plane_b);
    }
}

// Splits SPLIT_COLS columns of B in one slice of K. Its tiles are transposed one by one in shared
// memory.
// Requires: all threads of the block call it.
template <int format>
static __device__ void split_columns(int N, int K, const float *B, int ldb, int strip, int slice,
                                     char *planes, const struct layout *l, struct turn *turn) {
    int t = threadIdx.x, first = strip * SPLIT_COLS;
    bool aligned = (size_t)B % 16 == 0 && ldb % 4 == 0;
    int begin = slice * (int)l->split_tiles,
        end = min(begin + (int)l->split_tiles, (int)l->tiles_k);
    int down = t / ALONG, along = t % ALONG * 4;
    struct square square;
    read_square(&square, N, K, B, ldb, begin * TILE_K + down, first + along, aligned);
    if (t < SPLIT_COLS) {
        int s = first + t < N ? exponents_b(planes, *l, format)[first + t] : 0;
        turn->scales[t] = make_scale(s == LEFT_OUT ? 0 : s);
    }
    for (int k_tile = begin; k_tile < end; k_tile++) {
        turn_square(&square, down, along, turn);
        if (k_tile + 1 < end) // these loads overlap the stores of this tile
            read_square(&square, N, K, B, ldb, (k_tile + 1) * TILE_K + down, first + along,
                        aligned);
        put_turned<format>(t, first, k_tile, planes, l, turn);
    }
}

#endif
