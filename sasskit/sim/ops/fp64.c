// The FP64 pipe: DFMA DMUL DADD DSETP. A value is a pair of registers, the low word first; NaN
// results are canonical.
#include "lanes.h"
#include "rounding.h"

// Returns operand i of one lane. The sign modifiers apply to the high word.
INLINE uint64_t pair(const uint32_t *low, const struct detail *m, int i, int lane) {
    return (uint64_t)taken(m, i, low[LANES + lane]) << 32 | low[lane];
}
static uint64_t canonical_pair(double value) {
    return value == value ? double_bits(value) : 0x7fffffffffffffffull;
}

static void run_arithmetic(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const enum rounding round = m->instruction.modifiers.round & 3;
    uint32_t low[LANES], high[LANES];
    for (int l = 0; l < LANES; l++) {
        const double x = as_double(pair(a, m, 0, l)), y = as_double(pair(b, m, 1, l));
        double result;
        if (opcode == SASS_DFMA) {
            result = rounded_fma64(x, y, as_double(pair(c, m, 2, l)), round);
        } else if (opcode == SASS_DMUL) {
            result = rounded_product64(x, y, round);
        } else {
            result = round ? rounded_fma64(x, 1, y, round) : x + y;
        }
        const uint64_t bits = canonical_pair(result);
        low[l] = (uint32_t)bits;
        high[l] = (uint32_t)(bits >> 32);
    }
    merge(destination(w, u), low, mask);
    if (u->d != ROW_TRASH) merge(destination(w, u) + LANES, high, mask);
}

// DSETP has the comparison codes of FSETP, except that code 0 is MIN and code 15 is MAX. For MIN
// and MAX, the first predicate is true if A is the result, the second if both operands are NaNs.
static void run_dsetp(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1),
                   code = m->instruction.modifiers.compare;
    uint32_t yes = 0, nan = 0;
    for (int l = 0; l < LANES; l++) {
        const double x = as_double(pair(a, m, 0, l)), y = as_double(pair(b, m, 1, l));
        const bool minus = pair(a, m, 0, l) >> 63; // -0 is less than +0
        const bool first = code == 0    ? x < y || y != y || (x == y && minus)
                           : code == 15 ? x > y || y != y || (x == y && !minus)
                                        : (float_relation(x, y) & code) != 0;
        yes |= (uint32_t)first << l;
        nan |= (uint32_t)(x != x && y != y) << l;
    }
    const bool picks = code == 0 || code == 15;
    set_compared(w, m, yes, picks ? nan : ~yes, mask);
}

static sim_execute *bind_arithmetic(struct detail *d) {
    for (int i = 0; i < 3; i++) program_pair(d, i);
    return d->instruction.form->opcode == SASS_DSETP ? run_dsetp : run_arithmetic;
}

const struct binding SIM_NAME(fp64_bindings)[] = {{SASS_DFMA, .bind = bind_arithmetic},
                                                  {SASS_DMUL, .bind = bind_arithmetic},
                                                  {SASS_DADD, .bind = bind_arithmetic},
                                                  {SASS_DSETP, .bind = bind_arithmetic},
                                                  {.opcode = SASS_OPCODE_COUNT}};
