// Maps the registers of lanes to the elements of an MMA's operands, as the PTX manual defines for
// the fragments of mma and wgmma.
#pragma once

#include "accumulator.h"
#include "sim/machine/machine.h"

enum { FRAGMENT_ROWS = 16 };

struct fragment_element {
    int row, k;
};
// Returns the row and k of element i of register r of a lane, in a fragment of A with 16 rows. For
// register r of a fragment of B, the caller passes 2 r, and `row` is the column. A register holds
// two elements if `pairs`, otherwise one (TF32).
static inline struct fragment_element element_of(int lane, int r, int i, bool pairs) {
    const int group = lane / 4, place = lane % 4;
    return (struct fragment_element){group + r % 2 * 8,
                                     pairs ? place * 2 + i + r / 2 * 8 : place + r / 2 * 4};
}

static inline uint32_t half_of(uint32_t word, int i, bool pairs) {
    return pairs ? word >> 16 * i & 0xffff : word;
}

// Returns the number of registers per lane for the sums of 16 rows and 8 columns. A lane has four
// sums: one per register, or two per register if they are FP16.
static inline int sum_registers(enum sum_type type) {
    return type == SUM_FP16 ? 2 : 4;
}
static inline void sums_of_registers(enum sum_type type, const uint32_t *from,
                                     uint32_t sums[FRAGMENT_ROWS][SUM_COLUMNS]) {
    for (int i = 0; i < 4; i++) {
        for (int l = 0; l < LANES; l++) {
            uint32_t *sum = &sums[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2];
            *sum = type == SUM_FP16 ? half_of(from[i / 2 * LANES + l], i % 2, true)
                                    : from[i * LANES + l];
        }
    }
}
static inline void registers_of_sums(enum sum_type type, uint32_t sums[FRAGMENT_ROWS][SUM_COLUMNS],
                                     uint32_t *to) {
    for (int i = 0; i < sum_registers(type); i++) {
        for (int l = 0; l < LANES; l++) {
            const uint32_t *sum = &sums[l / 4 + (type == SUM_FP16 ? i : i / 2) * 8][l % 4 * 2];
            to[i * LANES + l] = type == SUM_FP16 ? sum[1] << 16 | sum[0] : sum[i % 2];
        }
    }
}

// Returns the bits to flip in a register of factors: the sign bits if the operand is negated.
static inline uint32_t sign_of(enum factor_type type, bool negated) {
    return !negated ? 0 : type == FACTOR_TF32 ? 0x80000000u : 0x80008000u;
}

static inline void rows_of_registers(enum factor_type type, int depth, const uint32_t *a,
                                     uint32_t flip, struct row_factors rows[FRAGMENT_ROWS]) {
    const bool pairs = type != FACTOR_TF32;
    for (int r = 0; r < depth / (pairs ? 4 : 2); r++) {
        for (int l = 0; l < LANES; l++) {
            for (int i = 0; i <= pairs; i++) {
                const struct fragment_element e = element_of(l, r, i, pairs);
                put_row(&rows[e.row], e.k,
                        make_factor(type, half_of(a[r * LANES + l] ^ flip, i, pairs)));
            }
        }
    }
}
