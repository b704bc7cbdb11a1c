// The pre-pass: A and B become planes of 16-bit numbers, each row of A and column of B scaled by a power of two first.
//
//   FP16, two pieces     x 2^s = hi + 2^-11 lo,     22 bits of x; the largest of a row lies in [2^14, 2^15)
//   BF16, three pieces   x 2^s = p0 + p1 + p2,      all 24 bits; the largest in [2^40, 2^41)
//
// In memory a tile is what shared memory is to hold: rows of 128 bytes, whose 16-byte units are exchanged by the 128-byte
// swizzle. A tile of any number of rows is one piece of memory, and the copy engine needs no description of it.
//
// A row of A, or a column of B, is left to the FP32 kernel when it holds what the pieces cannot: an infinity or a NaN, or a number so
// far below the largest that its pieces lose bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits.h>

enum { PRE_THREADS = 256 };
enum { LEFT_OUT = -2147483647 }; // in place of an exponent: this row or column is left to the FP32 kernel

static __device__ __forceinline__ int top_exponent(int format) {
    return format == FP16_TWO ? 14 : 40;
}

// Numbers of a smaller scaled magnitude are held with fewer bits than the format has.
static __device__ __forceinline__ float least_held(int format) {
    return format == FP16_TWO ? 0x1p-14f : 0x1p-100f;
}

// 2^e for -126 <= e <= 127.
static __device__ __forceinline__ float power_of_two(int e) {
    return __int_as_float((127 + e) << 23);
}

// The exponent s by which to scale numbers of which the largest magnitude has these bits.
static __device__ __forceinline__ int scale_exponent(unsigned largest, int format) {
    return largest == 0 ? 0 : top_exponent(format) - ilogbf(__uint_as_float(largest));
}

// 2^s may pass the range of a float: it is applied in two parts.
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

// The piece of two scaled numbers, which become what is left of them.
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

// False when the scaled number y of x is held with all its bits: x is 0, or y is in the format's range.
static __device__ __forceinline__ bool out_of_range(float x, float y, int format, bool safe) {
    if (!safe) return !(fabsf(x) <= 3.402823466e+38f);
    return !(fabsf(y) >= least_held(format) && fabsf(x) <= 3.402823466e+38f) && x != 0.0f;
}

// Offset in bytes of row `row` of k tile `tile` in a plane of `rows` rows, and of 16-byte unit `unit` in such a row.
static __device__ __forceinline__ long long row_offset(long long row, long long tile, long long rows) {
    return (tile * rows + row) * ROW_BYTES;
}
static __device__ __forceinline__ int unit_offset(int unit, int row) {
    return (unit ^ (row & 7)) * 16;
}

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

// The largest of a block's values; all threads call it, all get it.
static __device__ unsigned block_largest(unsigned value) {
    __shared__ unsigned warps[32];
    value = __reduce_max_sync(~0u, value);
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? warps[threadIdx.x % 32] : 0;
    return __reduce_max_sync(~0u, value);
}

// Four neighbours of a row of `cols` numbers, zeros past its end.
static __device__ __forceinline__ float4 load4(const float *row, int col, int cols, bool aligned) {
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (aligned && col + 3 < cols) return __ldg((const float4 *)&row[col]);
    if (col + 0 < cols) v.x = row[col + 0];
    if (col + 1 < cols) v.y = row[col + 1];
    if (col + 2 < cols) v.z = row[col + 2];
    if (col + 3 < cols) v.w = row[col + 3];
    return v;
}

static __device__ __forceinline__ unsigned magnitude(float x) {
    return __float_as_uint(x) & 0x7fffffff;
}

// An infinity or a NaN says nothing of the scale: its row is left out.
static __device__ __forceinline__ unsigned finite_magnitude(float x) {
    unsigned m = magnitude(x);
    return m < 0x7f800000 ? m : 0;
}

static __device__ __forceinline__ unsigned largest4(float4 v) {
    return max(max(finite_magnitude(v.x), finite_magnitude(v.y)), max(finite_magnitude(v.z), finite_magnitude(v.w)));
}

// One block: row `row` of A, twice through it. The second time it comes from L1 or L2.
static __device__ void split_row(int M, int K, const float *A, int lda, int row, char *scratch, struct head *head,
                                 struct layout l, int pieces, int format, bool safe) {
    const float *from = &A[(size_t)row * lda];
    bool aligned = (size_t)from % 16 == 0;
    int inside = row < M ? K : 0; // rows past the last are zero
    unsigned largest = 0;
    for (int k = threadIdx.x * 4; k < inside; k += blockDim.x * 4)
        largest = max(largest, largest4(load4(from, k, K, aligned)));
    int s = scale_exponent(block_largest(largest), format);
    struct scale scale = make_scale(s);
    bool lost = false;
    for (int k = threadIdx.x * 4; k < l.tiles_k * TILE_K; k += blockDim.x * 4) {
        float4 x = load4(from, k, inside, aligned);
        float4 y = {x.x * scale.first * scale.second, x.y * scale.first * scale.second,
                    x.z * scale.first * scale.second, x.w * scale.first * scale.second};
        lost |= out_of_range(x.x, y.x, format, safe) | out_of_range(x.y, y.y, format, safe) |
                out_of_range(x.z, y.z, format, safe) | out_of_range(x.w, y.w, format, safe);
        char *to = scratch + row_offset(row, k / TILE_K, l.rows_a) + unit_offset(k % TILE_K / 8, row) + k % 8 * 2;
        for (int piece = 0; piece < pieces; piece++) {
            uint2 v;
            v.x = next_piece(&y.x, &y.y, format);
            v.y = next_piece(&y.z, &y.w, format);
            *(uint2 *)(to + piece * l.plane_a) = v;
        }
    }
    lost = __syncthreads_or(lost);
    if (threadIdx.x == 0) {
        exponents_a(scratch, l, format)[row] = lost ? LEFT_OUT : s;
        if (lost) list_a(scratch, l, format)[atomicAdd(&head->left_rows[format], 1)] = row;
    }
}

// One block: the largest magnitudes of blockDim.x columns of B in one part of K.
static __device__ void column_maxima(int N, int K, const float *B, int ldb, int strip, int part, char *scratch,
                                     struct layout l) {
    int col = strip * blockDim.x + threadIdx.x;
    int first = part * PART_K, end = min(K, first + PART_K);
    if (part == 0 && col < N + N % 2) // not known yet: the least that is said later counts; columns are read in pairs
        exponents_b(scratch, l, FP16_TWO)[col] = exponents_b(scratch, l, BF16_THREE)[col] = col < N ? INT_MAX : 0;
    if (col >= N) return;
    unsigned largest = 0;
#pragma unroll 16
    for (int k = first; k < end; k++) largest = max(largest, finite_magnitude(__ldg(&B[(size_t)k * ldb + col])));
    ((unsigned *)(scratch + l.maxima))[(size_t)part * N + col] = largest;
}

// One block: SPLIT_COLS columns of B and SPLIT_TILES tiles along k, turned one by one in shared memory.
static __device__ void split_columns(int N, int K, const float *B, int ldb, int strip, int slice, char *scratch,
                                     struct head *head, struct layout l, int pieces, int format, bool safe) {
    __shared__ float tile[TILE_K][SPLIT_COLS + 1];
    __shared__ struct scale scales[SPLIT_COLS];
    __shared__ unsigned largest[PRE_THREADS / SPLIT_COLS][SPLIT_COLS];
    __shared__ int lost[SPLIT_COLS];
    int t = threadIdx.x, first = strip * SPLIT_COLS, s = 0;
    const unsigned *maxima = (const unsigned *)(scratch + l.maxima);
    unsigned most = 0;
    for (int part = t / SPLIT_COLS; part < l.parts; part += PRE_THREADS / SPLIT_COLS)
        if (first + t % SPLIT_COLS < N) most = max(most, maxima[(size_t)part * N + first + t % SPLIT_COLS]);
    largest[t / SPLIT_COLS][t % SPLIT_COLS] = most;
    __syncthreads();
    if (t < SPLIT_COLS) {
        for (int i = 1; i < PRE_THREADS / SPLIT_COLS; i++) most = max(most, largest[i][t]);
        s = scale_exponent(most, format);
        scales[t] = make_scale(s);
        lost[t] = 0;
    }
    bool aligned = (size_t)B % 16 == 0 && ldb % 4 == 0;
    int begin = slice * SPLIT_TILES, end = min(begin + SPLIT_TILES, (int)l.tiles_k);
    for (int k_tile = begin; k_tile < end; k_tile++) {
        float4 v[4];
#pragma unroll
        for (int i = 0; i < 4; i++) { // 16 threads along a row of the tile, 16 rows at a time
            int k = k_tile * TILE_K + i * 16 + t / 16, col = first + t % 16 * 4;
            v[i] = k < K ? load4(&B[(size_t)k * ldb], col, N, aligned) : float4{0.0f, 0.0f, 0.0f, 0.0f};
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float *to = &tile[i * 16 + t / 16][t % 16 * 4];
            to[0] = v[i].x, to[1] = v[i].y, to[2] = v[i].z, to[3] = v[i].w;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; i++) { // 8 threads along a column, each 8 k's: a 16-byte unit
            int col = i * 32 + t / 8, unit = t % 8;
            float x[8], y[8];
            struct scale scale = scales[col];
            bool out = false;
#pragma unroll
            for (int j = 0; j < 8; j++) {
                x[j] = tile[unit * 8 + j][col];
                y[j] = x[j] * scale.first * scale.second;
                out |= out_of_range(x[j], y[j], format, safe);
            }
            if (out) lost[col] = 1;
            char *to = scratch + l.b + row_offset(first + col, k_tile, l.rows_b) + unit_offset(unit, col);
            for (int piece = 0; piece < pieces; piece++) {
                uint4 v;
                v.x = next_piece(&y[0], &y[1], format);
                v.y = next_piece(&y[2], &y[3], format);
                v.z = next_piece(&y[4], &y[5], format);
                v.w = next_piece(&y[6], &y[7], format);
                *(uint4 *)(to + piece * l.plane_b) = v;
            }
        }
    }
    __syncthreads();
    if (t >= SPLIT_COLS || first + t >= N) return;
    // All blocks of these columns say the same exponent but those that lost bits; the first of these enters the list.
    int before = atomicMin(&exponents_b(scratch, l, format)[first + t], lost[t] ? LEFT_OUT : s);
    if (lost[t] && before != LEFT_OUT) list_b(scratch, l, format)[atomicAdd(&head->left_cols[format], 1)] = first + t;
}
