// Computes the sums of tensor cores, bit for bit. An MMA adds C and all products in a single sum.
//
// The rules were measured on an H200 (13.6 million sums, no difference). They equal the rules of
// MMA-Sim, a published bit-accurate model of tensor cores, for Hopper:
//   a product is exact; its exponent is the sum of its factors' exponents; it is not normalised;
//   a subnormal factor has the exponent of the least normal number;
//   each addend is truncated to 25 fraction bits below the largest exponent of nonzero addends;
//   these integers are added exactly, and the sum is normalised and truncated to FP32;
//   a sum of 2^128 or more is infinite, and a zero sum is +0;
//   a NaN is 0x7fffffff;
//   the low 13 bits of a register with a TF32 factor are ignored.
//
// FP16 sums were not measured here. MMA-Sim, which was validated against hardware, gives the same
// rules for them with three exceptions: C is FP16; the sum is rounded to FP16, to nearest with ties
// to even; a NaN is 0x7fff. We assume that a sum which rounds to zero keeps its sign.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum factor_type { FACTOR_FP16, FACTOR_BF16, FACTOR_TF32 };
enum sum_type { SUM_FP32, SUM_FP16 };
enum { FACTOR_BITS = 10, SUM_BITS = 25, MOST_DEPTH = 16, SUM_COLUMNS = 8, NO_EXPONENT = -20000 };
#define SUM_NAN         0x7fffffffu
#define SUM_NAN_OF_FP16 0x7fffu

// A factor of a product: mantissa * 2^(exponent - 10). The mantissa is signed and has at most 11
// bits. The exponent of zero is NO_EXPONENT.
struct mma_factor {
    int32_t mantissa, exponent;
    bool infinite, nan;
};

static inline struct mma_factor make_factor(enum factor_type type, uint32_t bits) {
    static const struct {
        // widths of the fields in bits; `below` is the number of low bits that are ignored
        int exponent, fraction, below;
    } shapes[] = {{5, 10, 0}, {8, 7, 0}, {8, 10, 13}};
    const int fraction = shapes[type].fraction, width = shapes[type].exponent;
    bits >>= shapes[type].below;
    const int32_t exponent = (int32_t)(bits >> fraction & ((1u << width) - 1)),
                  bias = (1 << (width - 1)) - 1;
    int32_t mantissa = (int32_t)(bits & ((1u << fraction) - 1));
    const bool negative = bits >> (fraction + width) & 1, special = exponent == (1 << width) - 1;
    struct mma_factor f = {.infinite = special && !mantissa, .nan = special && mantissa};
    if (exponent) mantissa |= 1 << fraction;
    mantissa <<= FACTOR_BITS - fraction;
    f.mantissa = negative ? -mantissa : mantissa;
    f.exponent = mantissa ? (exponent ? exponent : 1) - bias : NO_EXPONENT;
    return f;
}

// The factors in one row of A, by their index k.
struct row_factors {
    int32_t mantissa[MOST_DEPTH], exponent[MOST_DEPTH];
    bool special;           // true if a factor is an infinity or a NaN
    uint16_t infinite, nan; // masks by k: the infinite factors; the NaNs
};
// The factors in SUM_COLUMNS columns of B: [k][column].
struct column_factors {
    int32_t mantissa[MOST_DEPTH][SUM_COLUMNS], exponent[MOST_DEPTH][SUM_COLUMNS];
    bool special;
    uint16_t infinite[SUM_COLUMNS], nan[SUM_COLUMNS]; // masks by k, per column
};

static inline void put_row(struct row_factors *row, int k, struct mma_factor f) {
    row->mantissa[k] = f.mantissa;
    row->exponent[k] = f.exponent;
    row->special |= f.infinite || f.nan;
    row->infinite |= (uint16_t)(f.infinite << k);
    row->nan |= (uint16_t)(f.nan << k);
}
static inline void put_column(struct column_factors *columns, int k, int j, struct mma_factor f) {
    columns->mantissa[k][j] = f.mantissa;
    columns->exponent[k][j] = f.exponent;
    columns->special |= f.infinite || f.nan;
    columns->infinite[j] |= (uint16_t)(f.infinite << k);
    columns->nan[j] |= (uint16_t)(f.nan << k);
}

// Returns total * 2^(largest - 25), truncated to FP32. `largest` is the addends' largest exponent.
static inline uint32_t cut_sum(int64_t total, int32_t largest) {
    if (total == 0) return 0;
    const uint32_t sign = total < 0 ? 0x80000000u : 0;
    const uint64_t size = total < 0 ? -(uint64_t)total : (uint64_t)total;
    const int top = 63 - __builtin_clzll(size);
    const int32_t exponent = largest - SUM_BITS + top;
    if (exponent > 127) return sign | 0x7f800000u;
    // number of low bits to drop; if negative, number of zero bits to append
    const int drop = exponent < -126 ? top - 23 + (-126 - exponent) : top - 23;
    const uint64_t kept = drop >= 64 ? 0 : drop >= 0 ? size >> drop : size << -drop;
    if (exponent < -126) return sign | (uint32_t)kept;
    return sign | (uint32_t)(exponent + 127) << 23 | ((uint32_t)kept & 0x7fffffu);
}

// Returns total * 2^(largest - 25), rounded to FP16.
static inline uint32_t round_sum(int64_t total, int32_t largest) {
    if (total == 0) return 0;
    const uint32_t sign = total < 0 ? 0x8000u : 0;
    const uint64_t size = total < 0 ? -(uint64_t)total : (uint64_t)total;
    const int top = 63 - __builtin_clzll(size);
    const int32_t exponent = largest - SUM_BITS + top, least = exponent < -14 ? -14 : exponent;
    // number of low bits to drop; if negative, number of zero bits to append
    const int drop = least - FACTOR_BITS - (largest - SUM_BITS);
    if (exponent > 15) return sign | 0x7c00u;
    if (drop > top + 1) return sign;
    uint64_t kept = drop > 0 ? size >> drop : size << -drop;
    if (drop > 0) {
        const uint64_t rest = size & ((UINT64_C(1) << drop) - 1), tie = UINT64_C(1) << (drop - 1);
        kept += rest > tie || (rest == tie && kept & 1);
    }
    // if the largest FP16 number is rounded up, the carry gives infinity
    return sign | (uint32_t)(((uint64_t)(least + 14) << FACTOR_BITS) + kept);
}

// If the sum has an infinity or a NaN, sets *result to the sum and returns true.
static inline bool special_sum(const struct row_factors *a, const struct column_factors *b, int j,
                               int depth, uint32_t c, uint32_t *result) {
    bool positive = c == 0x7f800000u, negative = c == 0xff800000u,
         nan = (c & 0x7fffffffu) > 0x7f800000u;
    for (int k = 0; k < depth; k++) {
        const bool a_infinite = a->infinite >> k & 1, b_infinite = b->infinite[j] >> k & 1;
        nan |= (a->nan >> k & 1) || (b->nan[j] >> k & 1);
        if (!a_infinite && !b_infinite) continue;
        const int32_t x = a->mantissa[k], y = b->mantissa[k][j];
        nan |= x == 0 || y == 0;
        positive |= (x < 0) == (y < 0);
        negative |= (x < 0) != (y < 0);
    }
    if (!nan && !positive && !negative) return false;
    *result = nan || (positive && negative) ? SUM_NAN : positive ? 0x7f800000u : 0xff800000u;
    return true;
}

// C as an addend; its value is mantissa * 2^(exponent - 23).
struct sum_addend {
    int32_t mantissa, exponent;
    uint32_t special; // FP32 bits of an infinity or a NaN; 0 if C is finite
};
static inline struct sum_addend make_addend(enum sum_type type, uint32_t bits) {
    if (type == SUM_FP16) {
        const struct mma_factor f = make_factor(FACTOR_FP16, bits);
        return (struct sum_addend){f.mantissa * (1 << (23 - FACTOR_BITS)), f.exponent,
                                   f.nan        ? SUM_NAN
                                   : f.infinite ? 0x7f800000u | (bits & 0x8000u) << 16
                                                : 0};
    }
    const int32_t exponent = (int32_t)(bits >> 23 & 0xff), fraction = (int32_t)(bits & 0x7fffff);
    const int32_t mantissa = exponent ? fraction | 0x800000 : fraction;
    return (struct sum_addend){bits >> 31 ? -mantissa : mantissa,
                               mantissa ? (exponent ? exponent : 1) - 127 : NO_EXPONENT,
                               exponent == 0xff ? bits : 0};
}

// Adds the sum over k of a[k] b[k][j] to c[j], for each column j. Requires: depth is 4, 8 or 16.
static inline void add_products(enum sum_type type, const struct row_factors *a,
                                const struct column_factors *b, int depth,
                                uint32_t c[SUM_COLUMNS]) {
    struct sum_addend own[SUM_COLUMNS];
    int32_t largest[SUM_COLUMNS], low[SUM_COLUMNS], high[SUM_COLUMNS];
    bool special = a->special || b->special;
    for (int j = 0; j < SUM_COLUMNS; j++) {
        own[j] = make_addend(type, c[j]);
        largest[j] = own[j].exponent;
        special |= own[j].special != 0;
        low[j] = high[j] = 0;
    }
    for (int k = 0; k < depth; k++) {
        _Pragma("omp simd") for (int j = 0; j < SUM_COLUMNS; j++) {
            const int32_t e = a->exponent[k] + b->exponent[k][j];
            largest[j] = e > largest[j] ? e : largest[j];
        }
    }
    for (int k = 0; k < depth; k++) {
        // even and odd k have separate sums; each stays below 2^30, as it has at most 8 products
        int32_t *sum = k % 2 ? high : low;
        _Pragma("omp simd") for (int j = 0; j < SUM_COLUMNS; j++) {
            const int32_t product = a->mantissa[k] * b->mantissa[k][j];
            const int32_t below = largest[j] - (a->exponent[k] + b->exponent[k][j]),
                          shift = below < 31 ? below : 31;
            const int32_t size =
                ((product < 0 ? -product : product) << (SUM_BITS - 2 * FACTOR_BITS)) >> shift;
            sum[j] += product < 0 ? -size : size;
        }
    }
    for (int j = 0; j < SUM_COLUMNS; j++) {
        const bool negative = own[j].mantissa < 0;
        if (special && special_sum(a, b, j, depth, own[j].special, &c[j])) {
            if (type == SUM_FP16)
                c[j] = c[j] == SUM_NAN ? SUM_NAN_OF_FP16 : (c[j] >> 16 & 0x8000u) | 0x7c00u;
            continue;
        }
        const int32_t below = largest[j] - own[j].exponent,
                      size = negative ? -own[j].mantissa : own[j].mantissa;
        const int32_t cut = below < 31 ? (size << (SUM_BITS - 23)) >> below : 0;
        const int64_t total = (int64_t)low[j] + high[j] + (negative ? -cut : cut);
        c[j] = type == SUM_FP16 ? round_sum(total, largest[j]) : cut_sum(total, largest[j]);
    }
}
