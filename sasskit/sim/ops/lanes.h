// Loops over the 32 lanes of a warp, written so that the compiler vectorises them.
//
// A destination row may be one of the source rows, but never overlaps one in part. So lanes are
// independent, as `omp simd` states. An operation is a function of one lane's operands; map3() and
// map_by() apply it to the lanes of a mask.
#pragma once

#include "sim/checks/checks.h"

#define INLINE    static inline __attribute__((always_inline, unused))
#define LANE_LOOP _Pragma("omp simd") for (int l = 0; l < LANES; l++)

enum { CANONICAL_NAN = 0x7fffffff };

// Executes `count` consecutive FFMAs on all lanes (fp32.c).
typedef void sim_streak(struct warp *w, const struct ffma *f, uint32_t count);
#ifdef __wasm__
extern sim_streak *run_streak;
#else
#define run_streak SIM_NAME(run_streak)
sim_streak run_streak;
#endif

// The next two functions, in global.c, are `reduces` and `reduce` of struct engine.
#define global_reduces SIM_NAME(global_reduces)
#define global_reduce  SIM_NAME(global_reduce)
bool global_reduces(const struct sass_modifiers *mod);
void global_reduce(struct warp *w, const struct detail *m, uint8_t *to, const uint8_t *from,
                   uint32_t bytes);

// source() and destination() return the row of an operand: 32 bits per lane. The next row (+ LANES)
// has the upper half of a 64-bit operand. For RZ and constants, program_pair() makes both rows.
INLINE const uint32_t *source(const struct warp *w, const struct uop *u, int i) {
    return (const uint32_t *)__builtin_assume_aligned(w->base[u->source_base[i]] + u->source[i],
                                                      64);
}

INLINE uint32_t *destination(struct warp *w, const struct uop *u) {
    return (uint32_t *)__builtin_assume_aligned(w->row[u->d], 64);
}

INLINE float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
INLINE uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
INLINE double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
INLINE uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The mask bit of each lane: a table, because WebAssembly cannot shift lanes by different amounts.
__attribute__((unused)) static const uint32_t LANE_BIT[LANES] = {
#define FOUR(l) 1u << (l), 2u << (l), 4u << (l), 8u << (l)
    FOUR(0),  FOUR(4),  FOUR(8), FOUR(12), FOUR(16),
    FOUR(20), FOUR(24), FOUR(28)
#undef FOUR
};
INLINE bool has_lane(uint32_t mask, int l) {
    return (mask & LANE_BIT[l]) != 0;
}

// Sets d[lane] to from[lane] in the lanes of the mask.
INLINE void merge(uint32_t *d, const uint32_t *from, uint32_t mask) {
    LANE_LOOP d[l] = has_lane(mask, l) ? from[l] : d[l];
}

// Returns the mask of the lanes whose word is not 0.
INLINE uint32_t pack(const uint32_t *words) {
    uint32_t bits = 0;
    _Pragma("omp simd reduction(|:bits)") for (int l = 0; l < LANES; l++) bits |=
        words[l] ? LANE_BIT[l] : 0;
    return bits;
}

INLINE void set_predicate(struct warp *w, int predicate, uint32_t bits, uint32_t mask) {
    w->predicate[predicate] = (w->predicate[predicate] & ~mask) | (bits & mask);
}

INLINE uint32_t predicate_p(const struct warp *w, const struct detail *d) {
    return w->predicate[d->pp] ^ d->pp_flip;
}
INLINE uint32_t predicate_q(const struct warp *w, const struct detail *d) {
    return w->predicate[d->pq] ^ d->pq_flip;
}
INLINE uint32_t predicate_r(const struct warp *w, const struct detail *d) {
    return w->predicate[d->pr] ^ d->pr_flip;
}

// Combines the result of a comparison with the other predicate, by .AND, .OR or .XOR.
INLINE uint32_t combine(const struct detail *m, uint32_t found, uint32_t other) {
    const uint32_t boolean = m->instruction.modifiers.boolean;
    return boolean == 0 ? found & other : boolean == 1 ? found | other : found ^ other;
}
INLINE void set_compared(struct warp *w, const struct detail *m, uint32_t first, uint32_t second,
                         uint32_t mask) {
    const uint32_t other = predicate_p(w, m);
    set_predicate(w, m->pu, combine(m, first, other), mask);
    set_predicate(w, m->pv, combine(m, second, other), mask);
}
// Returns the bit of a comparison code that stands for the relation of x to y: 1 less, 2 equal, 4
// greater, 8 unordered.
INLINE uint32_t float_relation(double x, double y) {
    return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
}

INLINE uint32_t flush(uint32_t bits) {
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}
INLINE uint32_t result_bits(float value) {
    return value == value ? float_bits(value) : CANONICAL_NAN;
}

// Number of bytes of a load or store, by its size field. Loads sign-extend sizes 1 and 3.
__attribute__((unused)) static const uint8_t size_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};
INLINE void put_lane(uint32_t (*d)[LANES], int lane, const uint8_t *from, int size) {
    uint32_t value[4] = {0};
    const int words = size < 5 ? 1 : size == 5 ? 2 : 4;
    memcpy(value, from, size_bytes[size]);
    if (size == 1) value[0] = (uint32_t)(int8_t)value[0];
    if (size == 3) value[0] = (uint32_t)(int16_t)value[0];
    for (int i = 0; i < words; i++) d[i][lane] = value[i];
}

// Stores the rows and the scale of a 32-bit address [Ra.X4 + UR + imm] for short_address().
INLINE void bind_rows_of_address(struct detail *d) {
    const struct sass_operand *o = &d->instruction.operand[SASS_M];
    d->base = o->has_base && o->number != SASS_RZ ? o->number : ROW_ZERO;
    d->factor = o->scale == SASS_SCALE_1 ? 1 : 2u << o->scale; // the scales are .X4 .X8 .X16
    d->uniform = (uint16_t)(o->has_uniform && o->uniform != SASS_URZ ? ROW_UNIFORM + o->uniform
                                                                     : ROW_UNIFORM_ZERO);
}
// Returns the 32-bit address of a lane's access.
INLINE uint32_t short_address(const struct warp *w, const struct detail *m, int lane) {
    return w->row[m->base][lane] * m->factor + w->row[m->uniform][0] +
           (uint32_t)m->instruction.operand[SASS_M].value;
}

typedef uint32_t lane3(uint32_t a, uint32_t b, uint32_t c);

// Applies an operation to operands without modifiers, in the lanes of the mask.
INLINE void map3(struct warp *w, const struct uop *u, uint32_t mask, lane3 *f) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    uint32_t *d = destination(w, u);
    if (mask == ALL_LANES) {
        LANE_LOOP d[l] = f(a[l], b[l], c[l]);
    } else {
        _Alignas(64) uint32_t t[LANES];
        LANE_LOOP t[l] = f(a[l], b[l], c[l]);
        merge(d, t, mask);
    }
}

// Applies the modifiers of operand i (negation, absolute value, inversion) to the operand's bits.
INLINE uint32_t taken(const struct detail *m, int i, uint32_t bits) {
    return (bits & m->keep[i]) ^ m->flip[i];
}
INLINE void compute_modified(const struct warp *w, const struct uop *u, lane3 *f,
                             uint32_t t[LANES]) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const struct detail *m = u->detail;
    LANE_LOOP t[l] = f(taken(m, 0, a[l]), taken(m, 1, b[l]), taken(m, 2, c[l]));
}
INLINE void map3_modified(struct warp *w, const struct uop *u, uint32_t mask, lane3 *f) {
    _Alignas(64) uint32_t t[LANES];
    compute_modified(w, u, f, t);
    merge(destination(w, u), t, mask);
}
// Returns the mask of the lanes for which a condition is true.
INLINE uint32_t test3(const struct warp *w, const struct uop *u, lane3 *f) {
    _Alignas(64) uint32_t t[LANES];
    compute_modified(w, u, f, t);
    return pack(t);
}

// Applies an operation that also depends on the instruction's fields (`m`). RUN_BY(run_it, it)
// defines the function run_it, which applies it().
typedef uint32_t lane_by(const struct detail *m, uint32_t a, uint32_t b, uint32_t c);
INLINE void map_by(struct warp *w, const struct uop *u, uint32_t mask, lane_by *f) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const struct detail *m = u->detail;
    _Alignas(64) uint32_t t[LANES];
    for (int l = 0; l < LANES; l++) t[l] = f(m, a[l], b[l], c[l]);
    merge(destination(w, u), t, mask);
}
#define RUN_BY(name, f) \
    static void name(struct warp *w, const struct uop *u, uint32_t mask) { \
        map_by(w, u, mask, f); \
    }

INLINE bool is_modified(const struct detail *d) {
    for (int i = 0; i < 3; i++) {
        if (d->keep[i] != ALL_LANES || d->flip[i] != 0) return true;
    }
    return false;
}

// PLAIN defines a function that applies f() to operands without modifiers. OPERATION also defines
// one that applies modifiers. CHOOSE returns the one of these that the instruction needs.
#define PLAIN(name, f) \
    static void name(struct warp *w, const struct uop *u, uint32_t mask) { \
        map3(w, u, mask, f); \
    }
#define OPERATION(name, f) \
    PLAIN(name, f) \
    static void name##_modified(struct warp *w, const struct uop *u, uint32_t mask) { \
        map3_modified(w, u, mask, f); \
    }
#define CHOOSE(d, name) (is_modified(d) ? name##_modified : name)
