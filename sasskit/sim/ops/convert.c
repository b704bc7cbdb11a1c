// MUFU, conversions between number formats, and operations on bits: POPC, BREV and FLO.
//
// The simulator computes MUFU in FP64 and rounds once to FP32 (RCP64H and RSQ64H return the upper
// word). The result is within the error that the CUDA programming guide states for the intrinsics
// that use MUFU. Its last bit may differ from the device's.
#include "halves.h"
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

// Sine and cosine take revolutions: compiled code divides the angle by 2 pi first. RCP64H and
// RSQ64H map the upper word of a double (lower word 0) to the upper word of the result.
static uint32_t mufu(enum mufu function, uint32_t bits) {
    const double x = as_float(bits), x64 = as_double((uint64_t)bits << 32);
    if (function == MUFU_RCP64H) return (uint32_t)(double_bits(1 / x64) >> 32);
    if (function == MUFU_RSQ64H) return (uint32_t)(double_bits(1 / sqrt(x64)) >> 32);
    const double y = function == MUFU_COS    ? cos(x * TWO_PI)
                     : function == MUFU_SIN  ? sin(x * TWO_PI)
                     : function == MUFU_EX2  ? exp2(x)
                     : function == MUFU_LG2  ? log2(x)
                     : function == MUFU_RCP  ? 1 / x
                     : function == MUFU_RSQ  ? 1 / sqrt(x)
                     : function == MUFU_SQRT ? sqrt(x)
                                             : tanh(x);
    return result_bits((float)y);
}
static uint32_t mufu_of(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    return mufu(m->instruction.modifiers.operation, taken(m, 1, b));
}
RUN_BY(run_mufu, mufu_of)
static sim_execute *bind_mufu(struct detail *d) {
    return d->instruction.modifiers.operation > MUFU_TANH || d->instruction.modifiers.type
               ? NULL
               : run_mufu;
}

enum { TYPE_F16 = 1, TYPE_F32 = 2, TYPE_F64 = 3, TYPE_BF16 = 4 };

INLINE double read_float(const struct detail *m, const uint32_t *b, int lane, int type) {
    if (type == TYPE_F64) {
        return as_double((uint64_t)taken(m, 1, b[LANES + lane]) << 32 | b[lane]);
    }
    if (type == TYPE_F16 || type == TYPE_BF16) {
        const struct sass_operand *o = &m->instruction.operand[SASS_B];
        // .H1 selects the upper half
        const uint32_t half = b[lane] >> (o->select == 1 ? 16 : 0) & 0xffff;
        double value = type == TYPE_F16 ? from_half(half) : from_bfloat(half);
        if (o->absolute) value = fabs(value);
        return o->negate ? -value : value;
    }
    const uint32_t bits = taken(m, 1, b[lane]);
    return as_float(m->instruction.modifiers.ftz ? flush(bits) : bits);
}
static uint64_t write_float(double value, int type, enum rounding mode) {
    if (type == TYPE_F16) return to_half(value, mode);
    if (type == TYPE_BF16) return to_bfloat(value, mode);
    if (type == TYPE_F64) return value == value ? double_bits(value) : 0x7fffffffffffffffull;
    return result_bits(rounded_float(value, mode));
}
INLINE void put(struct warp *w, const struct uop *u, int lane, uint64_t value, bool wide) {
    if (u->d == ROW_TRASH) return;
    w->row[u->d][lane] = (uint32_t)value;
    if (wide) w->row[u->d + 1][lane] = (uint32_t)(value >> 32);
}

// Converts operand B of one lane. A result of type 3 (FP64 or a 64-bit integer) has two registers.
typedef uint64_t lane_convert(const struct detail *m, const uint32_t *b, int lane,
                              enum rounding mode);
INLINE void convert(struct warp *w, const struct uop *u, uint32_t mask, lane_convert *f) {
    const struct sass_modifiers *mod = &u->detail->instruction.modifiers;
    const uint32_t *b = source(w, u, 1);
    EACH_LANE(l, mask) put(w, u, l, f(u->detail, b, l, mod->round & 3), mod->type == 3);
}
#define CONVERSION(name) \
    static void run_##name(struct warp *w, const struct uop *u, uint32_t mask) { \
        convert(w, u, mask, name); \
    }

static uint64_t f2f(const struct detail *m, const uint32_t *b, int lane, enum rounding mode) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    return write_float(read_float(m, b, lane, mod->source_type), mod->type, mode);
}
CONVERSION(f2f)
// FRND rounds to an integer and keeps the format of the source, which is in detail.width.
static uint64_t frnd(const struct detail *m, const uint32_t *b, int lane, enum rounding mode) {
    const double value = read_float(m, b, lane, m->width);
    return write_float(rounded_integer(value, mode), m->instruction.modifiers.type, mode);
}
CONVERSION(frnd)

// Converts to an integer of 8 << type bits, with saturation. `wide` is true if the source is FP64.
// A NaN becomes 0 or, if the source or the result has 64 bits, the sign bit alone.
static uint64_t to_integer(double value, int type, bool is_signed, bool wide, enum rounding mode) {
    const int bits = 8 << type;
    if (value != value) return wide || bits == 64 ? 1ull << (bits - 1) : 0;
    const double rounded = rounded_integer(value, mode);
    if (is_signed) {
        const double limit = ldexp(1, bits - 1);
        if (rounded >= limit) return bits == 64 ? (uint64_t)INT64_MAX : (1ull << (bits - 1)) - 1;
        if (rounded < -limit)
            return bits == 64 ? (uint64_t)INT64_MIN : (uint64_t) - (1ll << (bits - 1));
        return (uint64_t)(int64_t)rounded;
    }
    if (rounded <= 0) return 0;
    if (rounded >= ldexp(1, bits)) return bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    return (uint64_t)rounded;
}
static uint64_t f2i(const struct detail *m, const uint32_t *b, int lane, enum rounding mode) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const double value = read_float(m, b, lane, mod->source_type);
    return to_integer(value, mod->type, m->wide, mod->source_type == TYPE_F64, mode);
}
CONVERSION(f2i)

static uint64_t i2f(const struct detail *m, const uint32_t *b, int lane, enum rounding mode) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const int bits = 8 << mod->source_type;
    uint64_t value = b[lane] >> m->shift;
    if (bits == 64) value |= (uint64_t)b[LANES + lane] << 32;
    const uint64_t kept = value << (64 - bits);
    const uint64_t number =
        m->wide ? (uint64_t)((int64_t)kept >> (64 - bits)) : kept >> (64 - bits);
    const int64_t high = m->wide ? (int64_t)number >> 32 : (int64_t)(number >> 32);
    if (mod->type == TYPE_F32) return float_bits(rounded_float_of(high, (uint32_t)number, mode));
    if (mod->type == TYPE_F64) return double_bits(rounded_double_of(high, (uint32_t)number, mode));
    return write_float(odd_double_of(high, (uint32_t)number), mod->type, mode);
}
CONVERSION(i2f)

// Applies .RELU if the instruction has it: a negative number becomes 0, a NaN stays.
INLINE double not_negative(const struct sass_modifiers *mod, double value) {
    return mod->mode && signbit(value) && value == value ? 0 : value;
}

// Converts an FP32 number to FP16 or BF16. With .SATFINITE, a number that would become infinite
// becomes the largest finite one.
static uint32_t pack_one(const struct sass_modifiers *mod, uint32_t bits) {
    const double value = not_negative(mod, as_float(bits));
    const uint32_t half =
        mod->type ? to_bfloat(value, mod->round & 3) : to_half(value, mod->round & 3);
    const uint32_t infinity = mod->type ? 0x7f80 : 0x7c00;
    return mod->saturate && (half & 0x7fff) == infinity ? half - 1 : half;
}
// F2FP.F16.F32.PACK_AB and F2FP.BF16.F32.PACK_AB pack A into the upper half and B into the lower.
INLINE uint32_t pack_two(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    return pack_one(mod, taken(m, 0, a)) << 16 | pack_one(mod, taken(m, 1, b));
}
RUN_BY(run_pack, pack_two)
// F2FP with .MERGE_C packs B into the lower half. The upper half would come from C. It is 0,
// because bind_conversion() requires that C is RZ.
INLINE uint32_t pack_single(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    return pack_one(&m->instruction.modifiers, taken(m, 1, b));
}
RUN_BY(run_pack_single, pack_single)
// F2FP.TF32.F32.PACK_B rounds B to 10 fraction bits.
INLINE uint32_t pack_tf32(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    enum { LOST = 13 };
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t bits = float_bits((float)not_negative(mod, as_float(taken(m, 1, b))));
    const uint32_t tie = (1u << (LOST - 1)) - 1 + (bits >> LOST & 1); // ties to even
    if (as_float(bits) != as_float(bits)) return CANONICAL_NAN;
    if ((bits & 0x7fffffff) == 0x7f800000) return bits;
    return (bits + ((mod->round & 3) == ROUND_NEAREST ? tie : 0)) & ~((1u << LOST) - 1);
}
RUN_BY(run_pack_tf32, pack_tf32)

// Converts to FP8. A number beyond the largest one, 448 in E4M3 and 57344 in E5M2, becomes the
// largest one (.SATFINITE).
static uint32_t to_f8(double value, bool e4m3) {
    const int fraction = e4m3 ? 3 : 2, least = e4m3 ? -6 : -14;
    const double most = e4m3 ? 448 : 57344;
    const uint32_t sign = signbit(value) ? 0x80 : 0;
    if (value != value) return 0x7f;
    if (value == 0) return sign; // for 0, frexp() returns the exponent of 0.5
    const double x = fmin(fabs(value), most);
    int exponent;
    frexp(x, &exponent);
    const int power = exponent - 1 < least ? least : exponent - 1;
    const double digits = rounded_integer(ldexp(x, fraction - power), ROUND_NEAREST);
    if (ldexp(digits, power - fraction) > most) return sign | (e4m3 ? 0x7eu : 0x7bu);
    return sign | ((uint32_t)((power - least) << fraction) + (uint32_t)digits);
}
static double from_f8(uint32_t bits, bool e4m3) {
    if (!e4m3) return from_half(bits << 8);
    const int exponent = (int)(bits >> 3 & 15), digits = (int)(bits & 7);
    double value = exponent ? ldexp(8 + digits, exponent - 10) : ldexp(digits, -9);
    if ((bits & 0x7f) == 0x7f) value = NAN;
    return bits & 0x80 ? -value : value;
}
// Converts two numbers to FP8. The upper half of the result is the lower half of c.
INLINE uint32_t merged_f8(const struct sass_modifiers *mod, double high, double low, uint32_t c) {
    return c << 16 | to_f8(not_negative(mod, high), mod->type) << 8 |
           to_f8(not_negative(mod, low), mod->type);
}
// F2FP.E4M3.F32.PACK_AB_MERGE_C converts A and B to FP8. (Here and below, E5M2 may replace E4M3.)
INLINE uint32_t pack_f8(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    return merged_f8(&m->instruction.modifiers, as_float(taken(m, 0, a)), as_float(taken(m, 1, b)),
                     c);
}
RUN_BY(run_pack_f8, pack_f8)
// F2FP.E4M3.F16.UNPACK_B_MERGE_C converts the two FP16 numbers in B to FP8.
INLINE uint32_t pack_halves_f8(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    return merged_f8(&m->instruction.modifiers, from_half(b >> 16), from_half(b & 0xffff), c);
}
RUN_BY(run_pack_halves_f8, pack_halves_f8)
// F2FP.F16.E4M3.UNPACK_B converts two FP8 numbers in B to FP16.
INLINE uint32_t unpack_f8(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    // .H1 selects the upper half
    const uint32_t pair = b >> 16 * m->instruction.operand[SASS_B].select;
    const double high = not_negative(mod, from_f8(pair >> 8 & 0xff, mod->type));
    const double low = not_negative(mod, from_f8(pair & 0xff, mod->type));
    return to_half(high, ROUND_NEAREST) << 16 | to_half(low, ROUND_NEAREST);
}
RUN_BY(run_unpack_f8, unpack_f8)

// F2IP converts A and B to bytes. The upper half of the result is the lower half of C.
INLINE uint32_t pack_bytes(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const double high = not_negative(mod, as_float(a)), low = not_negative(mod, as_float(b));
    const uint64_t bytes = (to_integer(high, 0, mod->type, false, mod->round & 3) & 0xff) << 8 |
                           (to_integer(low, 0, mod->type, false, mod->round & 3) & 0xff);
    return c << 16 | (uint32_t)bytes;
}
RUN_BY(run_pack_bytes, pack_bytes)
// I2I narrows a signed number to 8 or 16 bits, signed or unsigned, with saturation.
INLINE uint32_t narrow(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const int bits = m->instruction.modifiers.type < 2 ? 8 : 16;
    const bool is_signed = m->instruction.modifiers.type & 1;
    const int32_t low = is_signed ? -(1 << (bits - 1)) : 0, high = (1 << (bits - is_signed)) - 1,
                  x = (int32_t)b;
    return (uint32_t)(x < low ? low : x > high ? high : x);
}
RUN_BY(run_narrow, narrow)

static bool bit_of_word(const struct detail *d, int bit) {
    return d->instruction.word.high >> (bit - 64) & 1;
}
static bool is_zero_register(const struct detail *d, enum sass_role role) {
    const struct sass_operand *o = &d->instruction.operand[role];
    return o->kind == SASS_REGISTER && o->number == SASS_RZ;
}
static bool is_plain_type(int type) {
    return type >= TYPE_F16 && type <= TYPE_BF16;
}
static sim_execute *bind_conversion(struct detail *d) {
    struct sass_modifiers *m = &d->instruction.modifiers;
    switch (d->instruction.form->opcode) {
    case SASS_F2F:
        if (m->source_type == TYPE_F64) program_pair(d, 1);
        return is_plain_type(m->type) && is_plain_type(m->source_type) ? run_f2f : NULL;
    case SASS_FRND:
        d->width = (uint8_t)m->type; // the source has the type of the result
        if (m->type == TYPE_F64) program_pair(d, 1);
        return is_plain_type(m->type) ? run_frnd : NULL;
    case SASS_F2I:
    case SASS_UF2I:
        d->wide = bit_of_word(d, 72);
        if (m->source_type == TYPE_F64) program_pair(d, 1);
        return is_plain_type(m->source_type) ? run_f2i : NULL;
    case SASS_I2F:
    case SASS_UI2F:
        d->wide = bit_of_word(d, 74);
        if (m->source_type == 3) program_pair(d, 1);
        if (m->source_type < 2)
            d->shift = (uint8_t)(d->instruction.operand[SASS_B].select * (8 << m->source_type));
        return is_plain_type(m->type) ? run_i2f : NULL;
    case SASS_F2IP:
        // F2IP without .NTZ is not supported; with .NTZ, a NaN becomes 0
        return m->flag ? run_pack_bytes : NULL;
    case SASS_I2I:
        return run_narrow;
    case SASS_I2FP:
    case SASS_UI2FP:
        d->wide = bit_of_word(d, 74);
        m->type = TYPE_F32;
        return run_i2f;
    default:
        if (sass_has(&d->instruction, SASS_HAS_f8_type)) return run_pack_f8;
        if (sass_has(&d->instruction, SASS_HAS_f8_half)) return run_pack_halves_f8;
        if (sass_has(&d->instruction, SASS_HAS_f8_unpack)) return run_unpack_f8;
        if (sass_has(&d->instruction, SASS_HAS_f2fp_tf32)) return run_pack_tf32;
        if (sass_has(&d->instruction, SASS_HAS_f2fp_merge) ||
            sass_has(&d->instruction, SASS_HAS_f2fp_merge_a))
            return is_zero_register(d, SASS_C) ? run_pack_single : NULL;
        return run_pack;
    }
}

static void run_bits(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const uint32_t *b = source(w, u, 1);
    uint32_t found = 0, t[LANES];
    for (int l = 0; l < LANES; l++) {
        uint32_t x = taken(m, 1, b[l]);
        if (opcode == SASS_POPC || opcode == SASS_UPOPC) {
            t[l] = (uint32_t)__builtin_popcount(x);
        } else if (opcode == SASS_BREV || opcode == SASS_UBREV) {
            x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
            x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
            x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
            t[l] = __builtin_bswap32(x);
        } else {
            // FLO returns the index of the highest one bit (of a negative signed number, the
            // highest zero bit); .SH counts it from the top
            if (mod->is_signed && (x & 0x80000000)) x = ~x;
            const uint32_t leading = x ? (uint32_t)__builtin_clz(x) : 0;
            t[l] = !x ? ALL_LANES : mod->flag ? leading : 31 - leading;
            found |= (uint32_t)(x != 0) << l;
        }
    }
    merge(destination(w, u), t, mask);
    set_predicate(w, m->pu, found, mask);
}
static sim_execute *bind_bits(struct detail *d) {
    if (d->instruction.operand[SASS_B].invert || d->instruction.operand[SASS_B].negate)
        d->flip[1] = ALL_LANES;
    return run_bits;
}

const struct binding SIM_NAME(convert_bindings)[] = {
    {SASS_MUFU, .bind = bind_mufu},        {SASS_F2F, .bind = bind_conversion},
    {SASS_FRND, .bind = bind_conversion},  {SASS_F2I, .bind = bind_conversion},
    {SASS_I2F, .bind = bind_conversion},   {SASS_I2FP, .bind = bind_conversion},
    {SASS_UI2FP, .bind = bind_conversion}, {SASS_F2FP, .bind = bind_conversion},
    {SASS_F2IP, .bind = bind_conversion},  {SASS_I2I, .bind = bind_conversion},
    {SASS_POPC, .bind = bind_bits},        {SASS_UPOPC, .bind = bind_bits},
    {SASS_BREV, .bind = bind_bits},        {SASS_UBREV, .bind = bind_bits},
    {SASS_FLO, .bind = bind_bits},         {SASS_UFLO, .bind = bind_bits},
    {SASS_UF2I, .bind = bind_conversion},  {SASS_UI2F, .bind = bind_conversion},
    {.opcode = SASS_OPCODE_COUNT}};
