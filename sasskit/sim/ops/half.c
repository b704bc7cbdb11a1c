// Pairs of 16-bit floats, FP16 or BF16: HADD2 HMUL2 HFMA2 HFMA2.MMA HMNMX2 VHMNMX HSET2 HSETP2.
//
// Each result is computed in FP64 and rounded once. In FP64, a product of two halves is exact. An
// inexact sum gets a last bit of 1 (rounding to odd), so that the final rounding is right.
#include "halves.h"

// Returns half h of an operand: 0 is the lower one. If the operand selects one half for both h,
// returns that half.
static uint32_t half_bits(const struct sass_operand *o, uint32_t bits, int h) {
    // select: 1 is .H0_NH1 (before sm_90 .F32), 2 is .H0_H0, 3 is .H1_H1
    const bool upper = o->select > 1 ? o->select == 3 : h == 1;
    return upper ? bits >> 16 : bits & 0xffff;
}

// Returns half h of an operand as a number, with the operand's modifiers applied.
static double half_value(const struct detail *m, int role, uint32_t bits, int h) {
    const struct sass_operand *o = &m->instruction.operand[role];
    const uint32_t half = half_bits(o, bits, h);
    double value = m->wide ? from_bfloat(half) : from_half(half);
    const bool single = o->select == 1 && m->instruction.form->opcode == SASS_HADD2;
    // .F32: a float, rounded toward zero to a half; ptxas compiles cvt.rz.f16.f32 to it for sm_75
    if (single) value = from_half(to_half(as_float(bits), ROUND_ZERO));
    if (m->instruction.modifiers.ftz && fabs(value) < (m->wide ? 0x1p-126 : 0x1p-14))
        value = copysign(0, value);
    if (o->absolute) value = fabs(value);
    return o->negate != (o->select == 1 && h == 1 && !single) ? -value : value;
}

// Returns x + y rounded to odd: if the sum is not exact, its last bit is 1.
static double sum_to_odd(double x, double y) {
    const double sum = x + y, part = sum - x, lost = (x - (sum - part)) + (y - part);
    const uint64_t bits = double_bits(sum);
    if (!(fabs(lost) > 0) || isinf(sum) || (bits & 1)) return sum;
    return as_double((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// --- sums and products ---------------------------------------------------------------------------

static double half_result(const struct detail *m, const uint32_t bits[3], int h) {
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const double a = half_value(m, SASS_A, bits[0], h);
    if (opcode == SASS_HADD2) return sum_to_odd(a, half_value(m, SASS_C, bits[2], h));
    const double product = a * half_value(m, SASS_B, bits[1], h);
    return opcode == SASS_HMUL2 ? product : sum_to_odd(product, half_value(m, SASS_C, bits[2], h));
}

static uint32_t finish(const struct detail *m, double value) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    if (mod->saturate) value = value > 0 ? fmin(value, 1) : 0; // NaN becomes 0
    if (mod->mode && value < 0) value = 0;                     // .RELU
    const uint32_t bits = m->wide ? to_bfloat(value, ROUND_NEAREST) : to_half(value, ROUND_NEAREST);
    const uint32_t exponent = m->wide ? 0x7f80 : 0x7c00;
    return mod->ftz && !(bits & exponent) ? bits & 0x8000 : bits;
}

static uint32_t half2(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t bits[3] = {a, b, c};
    return finish(m, half_result(m, bits, 1)) << 16 | finish(m, half_result(m, bits, 0));
}
RUN_BY(run_half2, half2)

// HADD2.F32 and HMUL2.F32 take one half of each operand, and do not round the result to a half.
// ptxas compiles `__half2float(a + b)` to HADD2.F32 for sm_75, unless the source demands the
// rounding (add.rn, or -fmad=false).
static uint32_t half_f32(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t bits[3] = {a, b, c};
    const float value = (float)half_result(m, bits, 0);
    if (!m->instruction.modifiers.saturate) return result_bits(value);
    return result_bits(value > 0 ? fminf(value, 1) : 0); // NaN becomes 0
}
RUN_BY(run_half_f32, half_f32)

// Returns true if an operand is a float (.F32), which exists before sm_90 only. If bit 86 of HFMA2
// is set, B is .H0_NH1 and no operand is a float.
static bool takes_float(const struct sass_instruction *in) {
    if (in->form->opcode == SASS_HFMA2 && (in->word.high >> 22 & 1)) return false;
    return in->operand[SASS_A].select == 1 || in->operand[SASS_B].select == 1 ||
           in->operand[SASS_C].select == 1;
}

// Returns true if A and B are RZ. ptxas loads a constant C by an HFMA2.MMA: -RZ * RZ + C.
static bool are_zeros(const struct sass_operand *a, const struct sass_operand *b) {
    return a->kind == SASS_REGISTER && a->number == SASS_RZ && b->kind == SASS_REGISTER &&
           b->number == SASS_RZ;
}
static void copy_c(struct warp *w, const struct uop *u, uint32_t mask) {
    merge(destination(w, u), source(w, u, 2), mask);
}
static sim_execute *bind_half2(struct detail *d) {
    const struct sass_modifiers *m = &d->instruction.modifiers;
    const struct sass_operand *o = d->instruction.operand;
    const enum sass_opcode opcode = d->instruction.form->opcode;
    d->wide = m->type == 1;
    if (m->source_type || m->flag) return NULL; // not supported: HFMA2.F32, and .FMZ
    // float operands are supported in HADD2 only, which converts them to halves
    if (takes_float(&d->instruction) && (opcode != SASS_HADD2 || m->mode || m->ftz)) return NULL;
    if ((opcode == SASS_HADD2 || opcode == SASS_HMUL2) && m->mode)
        return m->ftz ? NULL : run_half_f32;
    const bool constant =
        opcode == SASS_HFMA2_MMA && !m->mode && !m->saturate && are_zeros(&o[SASS_A], &o[SASS_B]);
    return constant && o[SASS_C].kind == SASS_HALF2 ? copy_c : run_half2;
}

// --- minimum and maximum -------------------------------------------------------------------------

// Returns the bits of half h of an operand, with the operand's modifiers applied.
static uint32_t signed_bits(const struct sass_operand *o, uint32_t bits, int h) {
    uint32_t half = half_bits(o, bits, h);
    if (o->absolute) half &= 0x7fff;
    return o->negate ? half ^ 0x8000 : half;
}

static uint32_t smaller_half(const struct detail *m, uint32_t a, uint32_t b, int h, bool least) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const double x = half_value(m, SASS_A, a, h), y = half_value(m, SASS_B, b, h);
    const uint32_t p = signed_bits(&m->instruction.operand[SASS_A], a, h);
    const uint32_t q = signed_bits(&m->instruction.operand[SASS_B], b, h);
    const bool below = x < y || (x == y && signbit(x)); // -0 is less than +0
    uint32_t result = below == least ? p : q;
    if (x != x || y != y) result = mod->flag || (x != x && y != y) ? 0x7fff : x != x ? q : p;
    if (mod->mode && (result & 0x7fff) <= (m->wide ? 0x7f80u : 0x7c00u)) // .XORSIGN
        result = (result & 0x7fff) | ((half_bits(&m->instruction.operand[SASS_A], a, h) ^
                                       half_bits(&m->instruction.operand[SASS_B], b, h)) &
                                      0x8000);
    return mod->ftz && !(result & (m->wide ? 0x7f80u : 0x7c00u)) ? result & 0x8000 : result;
}
static void run_hmnmx2(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), least = predicate_p(w, m);
    uint32_t *d = destination(w, u);
    EACH_LANE(l, mask) {
        const uint32_t high = smaller_half(m, a[l], b[l], 1, least >> l & 1);
        d[l] = high << 16 | smaller_half(m, a[l], b[l], 0, least >> l & 1);
    }
}
// VHMNMX returns the smallest or the largest of three halves.
static uint32_t smallest_half(const struct detail *m, uint32_t a, uint32_t b, uint32_t c, int h,
                              bool least) {
    struct detail second = *m; // compares C with the first result, to which no modifiers apply
    const uint32_t first = smaller_half(m, a, b, h, least);
    second.instruction.operand[SASS_A] = (struct sass_operand){.kind = SASS_REGISTER};
    second.instruction.operand[SASS_B] = m->instruction.operand[SASS_C];
    return smaller_half(&second, first | first << 16, c, h, least);
}
static void run_vhmnmx(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2),
                   least = predicate_p(w, m);
    uint32_t *d = destination(w, u);
    EACH_LANE(l, mask) {
        const uint32_t high = smallest_half(m, a[l], b[l], c[l], 1, least >> l & 1);
        d[l] = high << 16 | smallest_half(m, a[l], b[l], c[l], 0, least >> l & 1);
    }
}
static sim_execute *bind_vhmnmx(struct detail *d) {
    d->wide = d->instruction.modifiers.type == 1;
    return d->instruction.modifiers.mode ? NULL : run_vhmnmx; // not supported: .XORSIGN
}
static sim_execute *bind_hmnmx2(struct detail *d) {
    d->wide = d->instruction.modifiers.type == 1;
    return takes_float(&d->instruction) ? NULL : run_hmnmx2;
}

// --- comparisons ---------------------------------------------------------------------------------

static uint32_t compare_halves(const struct warp *w, const struct uop *u, int h) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *c = source(w, u, 2);
    uint32_t bits = 0;
    for (int l = 0; l < LANES; l++) {
        const double x = half_value(m, SASS_A, a[l], h), y = half_value(m, SASS_C, c[l], h);
        bits |= (uint32_t)((float_relation(x, y) & m->instruction.modifiers.compare) != 0) << l;
    }
    return bits;
}
static void run_hsetp2(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t low = compare_halves(w, u, 0), high = compare_halves(w, u, 1);
    // with .H_AND, the predicate is true if the comparison is true for both halves
    set_compared(w, m, m->instruction.modifiers.flag ? low & high : low, high, mask);
}
static void run_hset2(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t other = predicate_p(w, m);
    const uint32_t low = combine(m, compare_halves(w, u, 0), other),
                   high = combine(m, compare_halves(w, u, 1), other);
    // the value of true: 1.0 with .BF, otherwise all ones
    const uint32_t yes = !m->instruction.modifiers.flag ? 0xffff : m->wide ? 0x3f80 : 0x3c00;
    uint32_t *d = destination(w, u);
    EACH_LANE(l, mask) d[l] = ((high >> l & 1) ? yes << 16 : 0) | ((low >> l & 1) ? yes : 0);
}
static sim_execute *bind_comparison(struct detail *d) {
    d->wide = d->instruction.modifiers.type == 2;
    if (takes_float(&d->instruction)) return NULL;
    if (d->instruction.form->opcode == SASS_HSET2) return run_hset2;
    return d->instruction.modifiers.flag && d->pv != PREDICATE_TRASH ? NULL : run_hsetp2;
}

const struct binding SIM_NAME(half_bindings)[] = {
    {SASS_HADD2, .bind = bind_half2},      {SASS_HMUL2, .bind = bind_half2},
    {SASS_HFMA2, .bind = bind_half2},      {SASS_HFMA2_MMA, .bind = bind_half2},
    {SASS_HMNMX2, .bind = bind_hmnmx2},    {SASS_VHMNMX, .bind = bind_vhmnmx},
    {SASS_HSET2, .bind = bind_comparison}, {SASS_HSETP2, .bind = bind_comparison},
    {.opcode = SASS_OPCODE_COUNT}};
