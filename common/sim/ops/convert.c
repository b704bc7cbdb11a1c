// The slow units: MUFU, conversions between number formats, and bit counting.
//
// MUFU is computed in double and rounded once: within the error that the CUDA programming guide allows for the intrinsics
// built on it, not the device's last bit.
#include "lanes.h"
#include "rounding.h"

#include <math.h>

enum mufu {
    MUFU_COS,
    MUFU_SIN,
    MUFU_EX2,
    MUFU_LG2,
    MUFU_RCP,
    MUFU_RSQ,
    MUFU_RCP64H,
    MUFU_RSQ64H,
    MUFU_SQRT,
    MUFU_TANH
};
static const double TWO_PI = 6.283185307179586476925;

static uint32_t mufu(enum mufu function, uint32_t bits) {
    const double x = as_float(bits), x64 = as_double((uint64_t)bits << 32);
    double y;
    switch (function) {
    case MUFU_COS: // of revolutions: the code divides by 2 pi before
        y = cos(x * TWO_PI);
        break;
    case MUFU_SIN:
        y = sin(x * TWO_PI);
        break;
    case MUFU_EX2:
        y = exp2(x);
        break;
    case MUFU_LG2:
        y = log2(x);
        break;
    case MUFU_RCP:
        y = 1 / x;
        break;
    case MUFU_RSQ:
        y = 1 / sqrt(x);
        break;
    case MUFU_RCP64H: // upper word of a double, its lower word taken as 0
        return (uint32_t)(double_bits(1 / x64) >> 32);
    case MUFU_RSQ64H:
        return (uint32_t)(double_bits(1 / sqrt(x64)) >> 32);
    case MUFU_SQRT:
        y = sqrt(x);
        break;
    default:
        y = tanh(x);
        break;
    }
    const float result = (float)y;
    return result == result ? float_bits(result) : 0x7fffffff;
}
static void run_mufu(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *b = source(w, u, 1);
    uint32_t *d = destination(w, u);
    for (int l = 0; l < LANES; l++) {
        if (mask >> l & 1) d[l] = mufu(m->instruction.modifiers.operation, (b[l] & m->keep[1]) ^ m->flip[1]);
    }
}
static sim_execute *bind_mufu(struct program *p, struct uop *u, struct detail *d) {
    (void)p;
    (void)u;
    return d->instruction.modifiers.operation > MUFU_TANH || d->instruction.modifiers.type ? NULL : run_mufu;
}

// --- half precision ----------------------------------------------------------------------------------------------------------

static double from_half(uint32_t bits) {
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double value;
    if (exponent == 31) {
        value = fraction ? NAN : INFINITY;
    } else {
        value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    }
    return (bits & 0x8000) ? -value : value;
}
static uint32_t to_half(double value, enum rounding mode) {
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    if (value != value) return 0x7fff;
    if (isinf(value)) return sign | 0x7c00;
    int exponent;
    frexp(value, &exponent);
    const int unit = exponent - 11 < -24 ? -24 : exponent - 11;          // of the last place
    const double magnitude = rounded_integer(ldexp(value, -unit), mode); // signed: directed rounding needs it
    const double scaled = ldexp(fabs(magnitude), unit + 24);
    if (scaled < 1024) return sign | (uint32_t)scaled;
    int power;
    const double mantissa = frexp(scaled, &power); // scaled = mantissa * 2^power, in units of 2^-24
    const int biased = power - 10;
    if (biased >= 31) {
        const bool inward = mode == ROUND_ZERO || mode == (sign ? ROUND_UP : ROUND_DOWN);
        return sign | (inward ? 0x7bff : 0x7c00);
    }
    return sign | (uint32_t)biased << 10 | ((uint32_t)ldexp(mantissa, 11) & 1023);
}

enum { TYPE_F16 = 1, TYPE_F32 = 2, TYPE_F64 = 3 };

INLINE double read_float(const struct detail *m, const uint32_t *b, int lane, int type) {
    if (type == TYPE_F64) {
        const uint32_t high = (b[LANES + lane] & m->keep[1]) ^ m->flip[1];
        return as_double((uint64_t)high << 32 | b[lane]);
    }
    if (type == TYPE_F16) {
        double value = from_half(b[lane] & 0xffff);
        const struct sass_operand *o = &m->instruction.operand[SASS_B];
        if (o->absolute) value = fabs(value);
        return o->negate ? -value : value;
    }
    uint32_t bits = (b[lane] & m->keep[1]) ^ m->flip[1];
    if (m->instruction.modifiers.ftz && (bits & 0x7f800000) == 0) bits &= 0x80000000;
    return as_float(bits);
}
static uint64_t write_float(double value, int type, enum rounding mode) {
    if (type == TYPE_F16) return to_half(value, mode);
    if (type == TYPE_F64) return value == value ? double_bits(value) : 0x7fffffffffffffffull;
    const float narrow = rounded_float(value, mode);
    return narrow == narrow ? float_bits(narrow) : 0x7fffffff;
}
INLINE void put(struct warp *w, const struct uop *u, int lane, uint64_t value, bool wide) {
    if (u->d == ROW_TRASH) return;
    w->row[u->d][lane] = (uint32_t)value;
    if (wide) w->row[u->d + 1][lane] = (uint32_t)(value >> 32);
}

static void run_f2f(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *b = source(w, u, 1);
    const enum rounding mode = mod->round & 3;
    for (int l = 0; l < LANES; l++) {
        if (mask >> l & 1)
            put(w, u, l, write_float(read_float(m, b, l, mod->source_type), mod->type, mode), mod->type == TYPE_F64);
    }
}
// FRND: to an integer, in the same format.
static void run_frnd(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *b = source(w, u, 1);
    const enum rounding mode = mod->round & 3;
    for (int l = 0; l < LANES; l++) {
        if (mask >> l & 1)
            put(w, u, l, write_float(rounded_integer(read_float(m, b, l, m->width), mode), mod->type, mode),
                mod->type == TYPE_F64);
    }
}

// To an integer of 8 << type bits, saturating. NaN gives 0 from FP32 to 32 bits and below, the sign bit alone when either
// side has 64 bits.
static uint64_t to_integer(double value, int type, bool is_signed, bool wide, enum rounding mode) {
    const int bits = 8 << type;
    if (value != value) return wide || bits == 64 ? 1ull << (bits - 1) : 0;
    const double rounded = rounded_integer(value, mode);
    if (is_signed) {
        const double limit = ldexp(1, bits - 1);
        if (rounded >= limit) return bits == 64 ? (uint64_t)INT64_MAX : (1ull << (bits - 1)) - 1;
        if (rounded < -limit) return bits == 64 ? (uint64_t)INT64_MIN : (uint64_t) - (1ll << (bits - 1));
        return (uint64_t)(int64_t)rounded;
    }
    if (rounded <= 0) return 0;
    if (rounded >= ldexp(1, bits)) return bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    return (uint64_t)rounded;
}
static void run_f2i(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *b = source(w, u, 1);
    const enum rounding mode = mod->round & 3;
    for (int l = 0; l < LANES; l++) {
        if (mask >> l & 1)
            put(w, u, l,
                to_integer(read_float(m, b, l, mod->source_type), mod->type, m->wide, mod->source_type == TYPE_F64,
                           mode),
                mod->type == 3);
    }
}

static void run_i2f(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *b = source(w, u, 1);
    const int bits = 8 << mod->source_type, part = m->shift;
    const enum rounding mode = mod->round & 3;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        uint64_t value = b[l] >> part;
        if (bits == 64) value |= (uint64_t)b[LANES + l] << 32;
        const uint64_t kept = value << (64 - bits);
        const uint64_t number = m->wide ? (uint64_t)((int64_t)kept >> (64 - bits)) : kept >> (64 - bits);
        const int64_t high = m->wide ? (int64_t)number >> 32 : (int64_t)(number >> 32);
        const double exact = rounded_double_of(high, (uint32_t)number, mode);
        const uint64_t result = mod->type == TYPE_F64   ? double_bits(exact)
                                : mod->type == TYPE_F32 ? float_bits(rounded_float_of(high, (uint32_t)number, mode))
                                                        : to_half(exact, mode);
        put(w, u, l, result, mod->type == TYPE_F64);
    }
}

// HADD2.F32: one half of each operand, added in FP32: how a half becomes a float.
static double half_of(const struct detail *m, int role, uint32_t bits) {
    const struct sass_operand *o = &m->instruction.operand[role];
    double value = from_half(o->select == 3 ? bits >> 16 : bits & 0xffff); // 2 .H0_H0, 3 .H1_H1
    if (o->absolute) value = fabs(value);
    return o->negate ? -value : value;
}
static void run_hadd2_f32(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *c = source(w, u, 2);
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        put(w, u, l, write_float(half_of(m, SASS_A, a[l]) + half_of(m, SASS_C, c[l]), TYPE_F32, ROUND_NEAREST), false);
    }
}

// Packed half: HADD2 HMUL2 HFMA2 and HFMA2.MMA. Half h of an operand, or the half that it names for both.
static double packed_half(const struct detail *m, int role, uint32_t bits, int h) {
    const struct sass_operand *o = &m->instruction.operand[role];
    const bool upper = o->select ? o->select == 3 : h == 1;
    double value = from_half(upper ? bits >> 16 : bits & 0xffff);
    if (o->absolute) value = fabs(value);
    return o->negate ? -value : value;
}
// Sum, product, or both: exact in FP64 wherever the bits could matter to a half, so that it is rounded once.
static double half_result(const struct detail *m, const uint32_t bits[3], int h) {
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const double a = packed_half(m, SASS_A, bits[0], h);
    if (opcode == SASS_HADD2) return a + packed_half(m, SASS_C, bits[2], h);
    const double product = a * packed_half(m, SASS_B, bits[1], h);
    return opcode == SASS_HMUL2 ? product : product + packed_half(m, SASS_C, bits[2], h);
}
static void run_half2(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        const uint32_t bits[3] = {a[l], b[l], c[l]};
        const uint32_t high = to_half(half_result(u->detail, bits, 1), ROUND_NEAREST);
        put(w, u, l, high << 16 | to_half(half_result(u->detail, bits, 0), ROUND_NEAREST), false);
    }
}

// HFMA2.MMA as ptxas loads a constant with it: {hi, lo} of the immediate plus -0 * 0.
static bool is_minus_zero(const struct sass_operand *a, const struct sass_operand *b) {
    return a->kind == SASS_REGISTER && a->number == SASS_RZ && b->kind == SASS_REGISTER && b->number == SASS_RZ;
}
static void run_third(struct warp *w, const struct uop *u, uint32_t mask) {
    merge(destination(w, u), source(w, u, 2), mask);
}
static sim_execute *bind_half2(struct program *p, struct uop *u, struct detail *d) {
    const struct sass_modifiers *m = &d->instruction.modifiers;
    const struct sass_operand *o = d->instruction.operand;
    const enum sass_opcode opcode = d->instruction.form->opcode;
    (void)p;
    (void)u;
    if (m->type || m->source_type || m->saturate || m->ftz || m->flag) return NULL;
    if (opcode == SASS_HADD2 && m->mode) return o[SASS_C].kind == SASS_REGISTER ? run_hadd2_f32 : NULL;
    if (m->mode) return NULL;
    const bool constant = opcode == SASS_HFMA2_MMA && is_minus_zero(&o[SASS_A], &o[SASS_B]);
    return constant && o[SASS_C].kind == SASS_HALF2 ? run_third : run_half2;
}

static uint32_t to_bfloat(float value, enum rounding mode) { // the two that nvcc emits
    const uint32_t bits = float_bits(value);
    if (value != value) return 0x7fff;
    return (mode == ROUND_ZERO ? bits : bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

// F2FP.F16.F32.PACK_AB, F2FP.BF16...: two halves, A the upper one.
static void run_pack(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1);
    const enum rounding mode = m->instruction.modifiers.round & 3;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        const float high = as_float((a[l] & m->keep[0]) ^ m->flip[0]), low = as_float((b[l] & m->keep[1]) ^ m->flip[1]);
        if (m->instruction.modifiers.type == 0)
            put(w, u, l, to_half(high, mode) << 16 | to_half(low, mode), false);
        else
            put(w, u, l, to_bfloat(high, mode) << 16 | to_bfloat(low, mode), false);
    }
}

static bool bit_of_word(const struct detail *d, int bit) {
    return d->instruction.word.high >> (bit - 64) & 1;
}
static bool is_plain_type(int type) {
    return type >= TYPE_F16 && type <= TYPE_F64;
}
static sim_execute *bind_conversion(struct program *p, struct uop *u, struct detail *d) {
    struct sass_modifiers *m = &d->instruction.modifiers;
    switch (d->instruction.form->opcode) {
    case SASS_F2F:
        if (m->source_type == TYPE_F64) program_pair(p, u, d, 1);
        return is_plain_type(m->type) && is_plain_type(m->source_type) ? run_f2f : NULL;
    case SASS_FRND:
        d->width = (uint8_t)m->type; // the source's type, which FRND fixes: 2 or 3
        if (m->type == TYPE_F64) program_pair(p, u, d, 1);
        return m->type == TYPE_F32 || m->type == TYPE_F64 ? run_frnd : NULL;
    case SASS_F2I:
        d->wide = bit_of_word(d, 72);
        if (m->source_type == TYPE_F64) program_pair(p, u, d, 1);
        return is_plain_type(m->source_type) ? run_f2i : NULL;
    case SASS_I2F:
        d->wide = bit_of_word(d, 74);
        if (m->source_type == 3) program_pair(p, u, d, 1);
        if (m->source_type < 2) d->shift = (uint8_t)(d->instruction.operand[SASS_B].select * (8 << m->source_type));
        return is_plain_type(m->type) ? run_i2f : NULL;
    case SASS_I2FP:
        d->wide = bit_of_word(d, 74);
        m->type = TYPE_F32;
        return run_i2f;
    default: // F2FP without .RELU and .SATFINITE
        return m->mode || m->saturate ? NULL : run_pack;
    }
}

// --- bits -----------------------------------------------------------------------------------------------------------------------

static void run_bits(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const uint32_t *b = source(w, u, 1);
    uint32_t found = 0, t[LANES];
    for (int l = 0; l < LANES; l++) {
        uint32_t x = (b[l] & m->keep[1]) ^ m->flip[1];
        if (opcode == SASS_POPC || opcode == SASS_UPOPC) {
            t[l] = (uint32_t)__builtin_popcount(x);
        } else if (opcode == SASS_BREV || opcode == SASS_UBREV) {
            x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
            x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
            x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
            t[l] = __builtin_bswap32(x);
        } else { // FLO: the highest one, for a negative signed number the highest zero; .SH counts from the top
            if (mod->is_signed && (x & 0x80000000)) x = ~x;
            const uint32_t leading = x ? (uint32_t)__builtin_clz(x) : 0;
            t[l] = !x ? ALL_LANES : mod->flag ? leading : 31 - leading;
            found |= (uint32_t)(x != 0) << l;
        }
    }
    merge(destination(w, u), t, mask);
    set_predicate(w, m->pu, found, mask);
}
static sim_execute *bind_bits(struct program *p, struct uop *u, struct detail *d) {
    (void)p;
    (void)u;
    if (d->instruction.operand[SASS_B].invert || d->instruction.operand[SASS_B].negate) d->flip[1] = ALL_LANES;
    return run_bits;
}

const struct binding SIM_NAME(convert_bindings)[] = {
    {SASS_MUFU, bind_mufu},       {SASS_F2F, bind_conversion},  {SASS_FRND, bind_conversion},
    {SASS_F2I, bind_conversion},  {SASS_I2F, bind_conversion},  {SASS_I2FP, bind_conversion},
    {SASS_F2FP, bind_conversion}, {SASS_HADD2, bind_half2},     {SASS_HMUL2, bind_half2},
    {SASS_HFMA2, bind_half2},     {SASS_HFMA2_MMA, bind_half2}, {SASS_POPC, bind_bits},
    {SASS_UPOPC, bind_bits},      {SASS_BREV, bind_bits},       {SASS_UBREV, bind_bits},
    {SASS_FLO, bind_bits},        {SASS_UFLO, bind_bits},       {SASS_OPCODE_COUNT, NULL}};
