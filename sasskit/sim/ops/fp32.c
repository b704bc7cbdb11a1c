// The FP32 pipe: FFMA FMUL FADD FMNMX FSET FSETP FCHK, and the packed FFMA2 FMUL2 FADD2.
//
// FFMA rounds once, by the host's fma. A NaN result is the canonical 0x7fffffff, as on the device.
// A slower path handles other rounding modes, flushing of subnormals, saturation and FMUL's scale.
#include "lanes.h"
#include "rounding.h"

#ifdef __wasm__
// WebAssembly has no FMA. The module web/engine/ffma.c provides FFMA without modifiers, and the
// page sets this pointer to it.
sim_execute *lanes_ffma;
sim_streak *run_streak;
#define run_ffma          lanes_ffma
#define run_ffma_modified run_general
#else
static inline uint32_t lane_ffma(uint32_t a, uint32_t b, uint32_t c) {
    return result_bits(__builtin_fmaf(as_float(a), as_float(b), as_float(c)));
}
OPERATION(run_ffma, lane_ffma)
void run_streak(struct warp *w, const struct ffma *f, uint32_t count) {
    for (; count; count--, f++) {
        const uint32_t *a = w->row[f->a], *b = w->row[f->b], *c = w->row[f->c];
        uint32_t *d = w->row[f->d];
        LANE_LOOP d[l] = lane_ffma(a[l], b[l], c[l]);
    }
}
#endif
static inline uint32_t lane_fmul(uint32_t a, uint32_t b, uint32_t c) {
    return result_bits(as_float(a) * as_float(b));
}
static inline uint32_t lane_fadd(uint32_t a, uint32_t b, uint32_t c) {
    return result_bits(as_float(a) + as_float(b));
}
// FADD's second operand is in B here: program.c moved it from C
OPERATION(run_fmul, lane_fmul)
OPERATION(run_fadd, lane_fadd)

static float saturate(float value) {
    return value > 0 ? (value < 1 ? value : 1) : 0; // a NaN becomes 0
}
// The factors that FMUL's scale field selects.
static const float scales[8] = {1, 1.0f / 8, 1.0f / 4, 1.0f / 2, 1, 2, 4, 8};

// Executes FFMA, FMUL or FADD one lane at a time, with all modifiers.
static void run_general(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *row[3] = {source(w, u, 0), source(w, u, 1), source(w, u, 2)};
    uint32_t *d = destination(w, u);
    const enum rounding round = mod->round & 3;
    EACH_LANE(l, mask) {
        float v[3], result;
        for (int i = 0; i < 3; i++) {
            uint32_t bits = taken(m, i, row[i][l]);
            v[i] = as_float(mod->ftz ? flush(bits) : bits);
        }
        switch (m->instruction.form->opcode) {
        case SASS_FFMA:
        case SASS_UFFMA:
            result = rounded_fma32(v[0], v[1], v[2], round);
            break;
        case SASS_FMUL:
        case SASS_UFMUL:
            result = rounded_product32(rounded_product32(v[0], v[1], round), scales[mod->scale & 7],
                                       round);
            break;
        default:
            result = rounded_fma32(v[0], 1, v[1], round);
            break;
        }
        uint32_t bits = result_bits(mod->saturate ? saturate(result) : result);
        d[l] = mod->ftz ? flush(bits) : bits;
    }
}

// Returns operand i of FFMA2, FMUL2 or FADD2 (sm_100). Operand 1 is C in FADD2, B in the others.
static const struct sass_operand *pair_operand(const struct detail *m, int i) {
    const struct sass_operand *o = m->instruction.operand;
    return &o[i == 1 && o[SASS_B].kind == SASS_NONE ? SASS_C : SASS_A + i];
}
// Returns element e of a lane's operand. Element 0 of a pair is in the lower register or, with
// .LO_HI, in the upper one. .NP inverts the sign of element 1. A constant, or an operand with .F32,
// has one number for both elements.
static uint32_t element(const struct detail *m, const uint32_t *row, int i, int lane, int e) {
    const struct sass_operand *o = pair_operand(m, i);
    const bool pair =
        (o->kind == SASS_REGISTER || o->kind == SASS_UNIFORM_REGISTER) && o->select < 2;
    const uint32_t bits = taken(m, i, row[pair && e != o->select ? LANES + lane : lane]);
    return o->marks && e ? bits ^ 0x80000000 : bits;
}
static void run_pair(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *row[3] = {source(w, u, 0), source(w, u, 1), source(w, u, 2)};
    const enum rounding round = mod->round & 3;
    const enum sass_opcode opcode = m->instruction.form->opcode;
    uint32_t result[2][LANES];
    for (int e = 0; e < 2; e++) {
        EACH_LANE(l, mask) {
            float v[3];
            for (int i = 0; i < 3; i++) {
                const uint32_t bits = element(m, row[i], i, l, e);
                v[i] = as_float(mod->ftz ? flush(bits) : bits);
            }
            const float value = opcode == SASS_FFMA2   ? rounded_fma32(v[0], v[1], v[2], round)
                                : opcode == SASS_FMUL2 ? rounded_product32(v[0], v[1], round)
                                                       : rounded_fma32(v[0], 1, v[1], round);
            const uint32_t bits = result_bits(value);
            result[e][l] = mod->ftz ? flush(bits) : bits;
        }
    }
    merge(destination(w, u), result[0], mask);
    if (u->d != ROW_TRASH) merge(destination(w, u) + LANES, result[1], mask);
}

static bool is_general(const struct sass_instruction *i) {
    const struct sass_modifiers *m = &i->modifiers;
    return m->round || m->ftz || m->saturate ||
           ((i->form->opcode == SASS_FMUL || i->form->opcode == SASS_UFMUL) && m->scale != 4 &&
            m->scale != 0);
}

static sim_execute *bind_ffma(struct detail *d) {
    if (is_general(&d->instruction)) return run_general;
    const struct sass_operand *o = d->instruction.operand;
    d->uop->streak = !is_modified(d) && d->cells.out_count == 1 &&
                     o[SASS_A].kind == SASS_REGISTER && o[SASS_B].kind == SASS_REGISTER &&
                     o[SASS_C].kind == SASS_REGISTER;
    return CHOOSE(d, run_ffma);
}
static sim_execute *bind_pair(struct detail *d) {
    for (int i = 0; i < 3; i++) {
        const struct sass_operand *o = pair_operand(d, i);
        // RZ becomes a pair of zeros
        if (o->kind == SASS_REGISTER && o->number == SASS_RZ) program_pair(d, i);
    }
    return run_pair;
}
static sim_execute *bind_fmul(struct detail *d) {
    return is_general(&d->instruction) ? run_general : CHOOSE(d, run_fmul);
}
static sim_execute *bind_fadd(struct detail *d) {
    return is_general(&d->instruction) ? run_general : CHOOSE(d, run_fadd);
}

// Returns the smaller float. If one is a NaN, returns the other one. -0 is less than +0.
INLINE uint32_t smaller(uint32_t a, uint32_t b) {
    float x = as_float(a), y = as_float(b);
    uint32_t zeros = a | b; // the result if both are equal; of two zeros, -0 wins
    uint32_t least = x < y ? a : (y < x ? b : zeros);
    uint32_t least_number = x != x ? (y != y ? CANONICAL_NAN : b) : (y != y ? a : least);
    return least_number;
}
INLINE uint32_t larger(uint32_t a, uint32_t b) {
    float x = as_float(a), y = as_float(b);
    uint32_t most = x > y ? a : (y > x ? b : a & b);
    return x != x ? (y != y ? CANONICAL_NAN : b) : (y != y ? a : most);
}

static void run_fmnmx(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1);
    const uint32_t least = predicate_p(w, m);
    uint32_t *d = destination(w, u);
    EACH_LANE(l, mask) {
        uint32_t x = taken(m, 0, a[l]), y = taken(m, 1, b[l]);
        if (mod->ftz) x = flush(x), y = flush(y);
        uint32_t result = (least >> l & 1) ? smaller(x, y) : larger(x, y);
        const bool number = (x & 0x7fffffff) <= 0x7f800000 && (y & 0x7fffffff) <= 0x7f800000;
        if (mod->flag && !number) result = CANONICAL_NAN; // .NAN
        // .XORSIGN: the sign is the XOR of the operands' signs before -x and |x| apply
        if (mod->mode && (result & 0x7fffffff) <= 0x7f800000)
            result = (result & 0x7fffffff) | ((a[l] ^ b[l]) & 0x80000000);
        d[l] = result;
    }
}

// Returns the mask of the lanes for which the comparison is true. The comparison codes 0 to 15 are
// F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T.
static uint32_t compare_floats(const struct warp *w, const struct uop *u) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1),
                   code = m->instruction.modifiers.compare;
    const bool ftz = m->instruction.modifiers.ftz;
    uint32_t t[LANES];
    LANE_LOOP {
        uint32_t x = taken(m, 0, a[l]), y = taken(m, 1, b[l]);
        if (ftz) x = flush(x), y = flush(y);
        t[l] = float_relation(as_float(x), as_float(y)) & code;
    }
    return pack(t);
}
static void run_fsetp(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t result = compare_floats(w, u);
    set_compared(w, u->detail, result, ~result, mask);
}
// FSET.BF gives 1.0 for true and 0 for false.
static void run_fset(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t yes = combine(u->detail, compare_floats(w, u), predicate_p(w, u->detail));
    uint32_t *d = destination(w, u);
    LANE_LOOP d[l] = !has_lane(mask, l) ? d[l] : has_lane(yes, l) ? 0x3f800000u : 0;
}
// FCHK.DIVIDE is true if a / b needs the slow division: an operand is special, or the quotient may
// be near an end of the range.
static uint32_t needs_slow_division(uint32_t a, uint32_t b, uint32_t c) {
    const int x = (int)(a >> 23 & 255), y = (int)(b >> 23 & 255);
    if (x == 255 || y == 255 || y == 0) return 1;
    if (y >= 253 || x - y >= 126 || x - y <= -125) return 1;
    return x <= 24; // true if a is so small that the remainder may be subnormal
}
static void run_fchk(struct warp *w, const struct uop *u, uint32_t mask) {
    set_predicate(w, u->detail->pu, test3(w, u, needs_slow_division), mask);
}

const struct binding SIM_NAME(fp32_bindings)[] = {
    {SASS_FFMA, .bind = bind_ffma},  {SASS_FMUL, .bind = bind_fmul},
    {SASS_FADD, .bind = bind_fadd},  {SASS_FMNMX, .run = run_fmnmx},
    {SASS_FSETP, .run = run_fsetp},  {SASS_UFMUL, .bind = bind_fmul},
    {SASS_UFFMA, .bind = bind_ffma}, {SASS_UFADD, .bind = bind_fadd},
    {SASS_UFSETP, .run = run_fsetp}, {SASS_FSET, .run = run_fset},
    {SASS_FCHK, .run = run_fchk},    {SASS_FFMA2, .bind = bind_pair},
    {SASS_FMUL2, .bind = bind_pair}, {SASS_FADD2, .bind = bind_pair},
    {.opcode = SASS_OPCODE_COUNT}};
