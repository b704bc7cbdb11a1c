// The integer and logic pipes: IADD3 IMAD LEA LOP3 SHF PRMT ISETP VIMNMX and others, and the same
// instructions on uniform registers.
#include "lanes.h"

static inline uint32_t add3(uint32_t a, uint32_t b, uint32_t c) {
    return a + b + c;
}
static inline uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c) {
    return a * b + c;
}
PLAIN(run_add3, add3)
PLAIN(run_imad, multiply_add)

// Adds with carries. A negated operand is inverted, and `addend` has the 1 that completes the
// negation. With .X, the carries in two predicates are added instead of that 1.
static void run_add3_carry(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const bool extended = m->instruction.modifiers.extended;
    const uint32_t p = extended ? predicate_p(w, m) : 0, q = extended ? predicate_q(w, m) : 0;
    const uint32_t addend = m->addend;
    uint32_t t[LANES], carry[LANES], carry2[LANES];
    LANE_LOOP t[l] = taken(m, 0, a[l]) + taken(m, 1, b[l]) + taken(m, 2, c[l]) + addend +
                     has_lane(p, l) + has_lane(q, l);
    if (m->pu != PREDICATE_TRASH || m->pv != PREDICATE_TRASH) {
        LANE_LOOP {
            const uint32_t x = taken(m, 0, a[l]), y = taken(m, 1, b[l]), z = taken(m, 2, c[l]);
            const uint32_t in = addend + has_lane(p, l) + has_lane(q, l), xy = x + y, xyz = xy + z;
            const uint32_t carries = (uint32_t)(xy < x) + (xyz < z) + (t[l] < in);
            carry[l] = carries >= 1;
            carry2[l] = carries >= 2;
        }
        set_predicate(w, m->pu, pack(carry), mask);
        if (m->pv != PREDICATE_TRASH) set_predicate(w, m->pv, pack(carry2), mask);
    }
    merge(destination(w, u), t, mask);
}

// Sets `flip` for negated and inverted operands. Without .X, also adds 1 to `addend` for each
// negated one.
static void negations_to_addend(struct detail *d) {
    static const enum sass_role roles[3] = {SASS_A, SASS_B, SASS_C};
    for (int i = 0; i < 3; i++) {
        const struct sass_operand *o = &d->instruction.operand[roles[i]];
        if (!o->negate && !o->invert) continue;
        d->flip[i] = ALL_LANES;
        if (o->negate && !d->instruction.modifiers.extended) d->addend++;
    }
}

// VIADD.16x2 adds each half of A to the same half of B.
INLINE uint32_t add_halves(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const bool negate = m->instruction.operand[SASS_B].negate;
    const uint32_t low = negate ? -b : b, high = negate ? -(b >> 16) : b >> 16;
    return ((a + low) & 0xffff) | ((a >> 16) + high) << 16;
}
RUN_BY(run_viadd_halves, add_halves)

static sim_execute *bind_iadd3(struct detail *d) {
    if (d->instruction.form->opcode == SASS_VIADD && d->instruction.modifiers.mode)
        return run_viadd_halves;
    negations_to_addend(d);
    const bool plain = d->pu == PREDICATE_TRASH && d->pv == PREDICATE_TRASH &&
                       !d->instruction.modifiers.extended && !is_modified(d);
    return plain ? run_add3 : run_add3_carry;
}

// IMAD.X adds a carry to A * B + C. Like IMAD, it returns the low word of the sum.
static void run_imad_carry(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const uint32_t p = predicate_p(w, m), addend = m->addend;
    uint32_t t[LANES];
    LANE_LOOP t[l] =
        taken(m, 0, a[l]) * taken(m, 1, b[l]) + taken(m, 2, c[l]) + addend + has_lane(p, l);
    merge(destination(w, u), t, mask);
}
// IMAD with a negated product or addend.
INLINE uint32_t multiply_add_signed(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const struct sass_operand *o = m->instruction.operand;
    return a * b * (o[SASS_A].negate != o[SASS_B].negate ? -1u : 1) +
           c * (o[SASS_C].negate ? -1u : 1);
}
RUN_BY(run_imad_general, multiply_add_signed)
static sim_execute *bind_imad(struct detail *d) {
    const struct sass_operand *o = d->instruction.operand;
    const bool negates = o[SASS_A].negate || o[SASS_B].negate;
    if (!d->instruction.modifiers.extended)
        return negates || o[SASS_C].negate ? run_imad_general : run_imad;
    if (o[SASS_C].negate || o[SASS_C].invert) d->flip[2] = ALL_LANES;
    return negates ? NULL : run_imad_carry;
}

// IMAD.WIDE computes A * B + C, where C has 64 bits. IMAD.HI returns only the upper word of that
// sum.
static void run_imad_wide(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const uint32_t *high = m->base == ROW_ZERO ? w->row[ROW_ZERO] : c + LANES;
    const uint64_t keep = m->instruction.modifiers.is_signed ? UINT64_MAX : UINT32_MAX,
                   flip = -(uint64_t)(o[SASS_A].negate != o[SASS_B].negate), one = o[SASS_C].negate,
                   flip_c = -(uint64_t)(o[SASS_C].negate || o[SASS_C].invert);
    const uint32_t p = m->instruction.modifiers.extended ? predicate_p(w, m) : 0;
    uint32_t low_result[LANES], high_result[LANES], carry[LANES];
    for (int l = 0; l < LANES; l++) {
        const uint64_t x = (uint64_t)(int32_t)a[l] & keep, y = (uint64_t)(int32_t)b[l] & keep;
        const uint64_t product = (x * y ^ flip) - flip,
                       addend = (((uint64_t)high[l] << 32 | c[l]) ^ flip_c) + one;
        const uint64_t sum = product + addend, result = sum + (p >> l & 1);
        low_result[l] = (uint32_t)result;
        high_result[l] = (uint32_t)(result >> 32);
        carry[l] = sum < product || result < sum;
    }
    uint32_t *d = destination(w, u);
    const enum sass_opcode opcode = m->instruction.form->opcode;
    if (opcode == SASS_IMAD_HI || opcode == SASS_UIMAD_HI) {
        merge(d, high_result, mask);
    } else {
        merge(d, low_result, mask);
        if (u->d != ROW_TRASH) merge(d + LANES, high_result, mask);
    }
    set_predicate(w, m->pu, pack(carry), mask);
}
static bool is_zero(const struct sass_operand *o) {
    return o->kind == SASS_NONE || (o->kind == SASS_REGISTER && o->number == SASS_RZ) ||
           (o->kind == SASS_UNIFORM_REGISTER && o->number == SASS_URZ);
}
static sim_execute *bind_imad_wide(struct detail *d) {
    const struct sass_operand *c = &d->instruction.operand[SASS_C];
    const bool zero = is_zero(c);
    if (c->kind == SASS_CONSTANT)
        program_pair(d, 2);
    else if (!zero && c->kind != SASS_REGISTER && c->kind != SASS_UNIFORM_REGISTER)
        return NULL;
    d->base = zero ? ROW_ZERO : 0;
    return run_imad_wide;
}

// LEA computes (A << shift) + B. LEA.HI shifts the 64-bit number C:A and adds its upper word to B.
// With .SX32, the sign of A replaces C.
static void run_lea(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const struct sass_operand *o = m->instruction.operand;
    const bool negate = o[SASS_A].negate || o[SASS_A].invert,
               negate_b = o[SASS_B].negate || o[SASS_B].invert, high = mod->high, sx32 = mod->sx32;
    const uint32_t p = mod->extended ? predicate_p(w, m) : 0, shift = m->shift;
    uint32_t t[LANES], carry[LANES];
    for (int l = 0; l < LANES; l++) {
        uint64_t value =
            sx32 ? (uint64_t)(int64_t)(int32_t)a[l] : (uint64_t)(high ? c[l] : 0) << 32 | a[l];
        if (negate && high) value = mod->extended ? ~value : -value;
        value <<= shift;
        const uint64_t other = negate_b ? (uint64_t)~b[l] + !mod->extended : b[l];
        uint64_t sum = (uint64_t)(uint32_t)(high ? value >> 32 : value) + other + (p >> l & 1);
        if (negate && !high) // -A is computed as ~A + 1, so that 0 - 0 carries, as in IADD3
            sum = (uint64_t)(uint32_t)~value + !mod->extended + other + (p >> l & 1);
        t[l] = (uint32_t)sum;
        carry[l] = (uint32_t)(sum >> 32);
    }
    merge(destination(w, u), t, mask);
    set_predicate(w, m->pu, pack(carry), mask);
}
static void run_lea_plain(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), factor = u->detail->factor;
    uint32_t t[LANES], carry[LANES];
    LANE_LOOP {
        t[l] = a[l] * factor + b[l];
        carry[l] = t[l] < b[l];
    }
    merge(destination(w, u), t, mask);
    set_predicate(w, u->detail->pu, pack(carry), mask);
}
static sim_execute *bind_lea(struct detail *d) {
    const struct sass_modifiers *mod = &d->instruction.modifiers;
    const struct sass_operand *a = &d->instruction.operand[SASS_A],
                              *b = &d->instruction.operand[SASS_B];
    d->shift = (uint8_t)d->instruction.operand[SASS_I].value;
    d->factor = 1u << (d->shift & 31);
    const bool plain = !(mod->high || mod->extended || mod->sx32 || a->negate || a->invert ||
                         b->negate || b->invert);
    return plain ? run_lea_plain : run_lea;
}

INLINE uint32_t by_bit(uint32_t bits, uint32_t one, uint32_t zero) {
    return zero ^ ((one ^ zero) & bits);
}
// Applies a boolean function, whose truth table is `lut`, to each bit of a, b and c.
INLINE uint32_t truth(uint32_t lut, uint32_t a, uint32_t b, uint32_t c) {
#define ROW(i) (-(lut >> (i)&1))
    return by_bit(a, by_bit(b, by_bit(c, ROW(7), ROW(6)), by_bit(c, ROW(5), ROW(4))),
                  by_bit(b, by_bit(c, ROW(3), ROW(2)), by_bit(c, ROW(1), ROW(0))));
#undef ROW
}
static void run_lop3(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const uint32_t lut = (uint32_t)m->instruction.operand[SASS_I].value;
    uint32_t t[LANES];
    LANE_LOOP t[l] = truth(lut, taken(m, 0, a[l]), taken(m, 1, b[l]), taken(m, 2, c[l]));
    merge(destination(w, u), t, mask);
    if (m->pu == PREDICATE_TRASH) return;
    const uint32_t other = predicate_p(w, m), nonzero = pack(t);
    set_predicate(w, m->pu, m->instruction.modifiers.flag ? nonzero & other : nonzero | other,
                  mask);
}

static void run_plop3(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t a = predicate_p(w, m), b = predicate_q(w, m), c = predicate_r(w, m);
    set_predicate(w, m->pu, truth((uint32_t)m->instruction.operand[SASS_I].value, a, b, c), mask);
    set_predicate(w, m->pv, truth((uint32_t)m->instruction.operand[SASS_J].value, a, b, c), mask);
}

// SHF shifts the 64-bit C:A by B; .HI returns the upper word. Types 0 to 3: S64, U64, S32, U32.
INLINE uint32_t funnel(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t width = mod->type >= 2 ? 32 : 64, shift = mod->wrap   ? b & (width - 1)
                                                             : b < width ? b
                                                                         : width;
    uint64_t value = (uint64_t)c << 32 | a;
    if (mod->right && mod->type % 2 == 0)
        value = (uint64_t)((int64_t)value >> (shift < 64 ? shift : 63));
    else
        value = shift == 64 ? 0 : mod->right ? value >> shift : value << shift;
    return (uint32_t)(mod->high ? value >> 32 : value);
}
RUN_BY(run_shf, funnel)
static inline uint32_t shift_left(uint32_t a, uint32_t b, uint32_t c) {
    return b < 32 ? a << b : 0;
}
static inline uint32_t shift_right(uint32_t a, uint32_t b, uint32_t c) {
    return b < 32 ? c >> b : 0;
}
static inline uint32_t shift_right_signed(uint32_t a, uint32_t b, uint32_t c) {
    return (uint32_t)((int32_t)c >> (b < 31 ? b : 31));
}
OPERATION(run_shift_left, shift_left)
OPERATION(run_shift_right, shift_right)
OPERATION(run_shift_right_signed, shift_right_signed)

static sim_execute *bind_shf(struct detail *d) {
    const struct sass_modifiers *m = &d->instruction.modifiers;
    if (m->wrap || m->type < 2) return run_shf;
    if (!m->right && !m->high) return CHOOSE(d, run_shift_left);
    if (m->right && m->high && is_zero(&d->instruction.operand[SASS_A]))
        return m->type == 3 ? CHOOSE(d, run_shift_right) : CHOOSE(d, run_shift_right_signed);
    return run_shf;
}

// PRMT selects each byte of the result by four bits of B. The low three bits are the number of a
// byte of C:A. If the highest bit is set, the result is eight copies of that byte's sign.
static uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = (uint64_t)c << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t pick = b >> (4 * i) & 15;
        uint32_t byte = (uint32_t)(bytes >> (8 * (pick & 7))) & 255;
        if (pick & 8) byte = (byte & 128) ? 255 : 0;
        r |= byte << (8 * i);
    }
    return r;
}
// The selectors that PRMT's modes use in place of B: [mode][low two bits of B].
static const uint16_t prmt_selectors[8][4] = {{0, 0, 0, 0},
                                              {0x3210, 0x4321, 0x5432, 0x6543}, // F4E
                                              {0x5670, 0x6701, 0x7012, 0x0123}, // B4E
                                              {0x0000, 0x1111, 0x2222, 0x3333}, // RC8
                                              {0x3210, 0x3211, 0x3222, 0x3333}, // ECL
                                              {0x0000, 0x1110, 0x2210, 0x3210}, // ECR
                                              {0x1010, 0x3232, 0x1010, 0x3232}, // RC16
                                              {0, 0, 0, 0}};
INLINE uint32_t permute_by_mode(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t mode = m->instruction.modifiers.mode & 7;
    return permute(a, mode ? prmt_selectors[mode][b & 3] : b, c);
}
RUN_BY(run_prmt, permute_by_mode)
static sim_execute *bind_prmt(struct detail *d) {
    return is_modified(d) ? NULL : run_prmt;
}

// ISETP. The comparison codes 0 to 7 are F LT EQ LE GT NE GE T; their bits stand for less (1),
// equal (2) and greater (4). Signed operands are compared with the sign bit flipped.
static void run_isetp(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1);
    const uint32_t code = mod->compare, bias = mod->is_signed ? 0x80000000u : 0;
    const uint32_t fa = bias ^ m->flip[0], fb = bias ^ m->flip[1];
    uint32_t t[LANES], equal[LANES];
    LANE_LOOP {
        uint32_t x = a[l] ^ fa, y = b[l] ^ fb;
        t[l] = (x < y ? 1u : x == y ? 2u : 4u) & code;
        equal[l] = x == y;
    }
    uint32_t result = pack(t);
    if (mod->extended) { // if the upper words are equal, the comparison of the lower words decides
        const uint32_t low = predicate_r(w, m), tie = pack(equal);
        result = code == 0 ? 0 : code == 7 ? ALL_LANES : (tie & low) | (~tie & result);
    }
    set_compared(w, m, result, ~result, mask);
}

static void run_sel(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), first = predicate_p(w, m);
    uint32_t t[LANES];
    LANE_LOOP t[l] = has_lane(first, l) ? taken(m, 0, a[l]) : taken(m, 1, b[l]);
    if (m->instruction.modifiers.ftz) LANE_LOOP t[l] = flush(t[l]);
    merge(destination(w, u), t, mask);
}
static sim_execute *bind_sel(struct detail *d) {
    return is_modified(d) ? NULL : run_sel;
}

static int32_t choose(int32_t x, int32_t y, bool is_signed, bool least) {
    const bool below = is_signed ? x < y : (uint32_t)x < (uint32_t)y;
    return below == least ? x : y;
}
// VIMNMX and IMNMX return the smaller operand if P is true, otherwise the larger one. VIADDMNMX
// compares A + B with C. VIMNMX3 chooses among three. Types 2 and 3 are two 16-bit numbers: this
// function computes the one at bit `shift`. .RELU turns a negative result into 0. Sets *first
// if the first comparison chose A (or A + B).
static uint32_t minimum_part(const struct detail *m, const uint32_t value[3], int shift, bool least,
                             uint32_t *first) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const bool is_signed = mod->type & 1, pair = mod->type & 2;
    int32_t part[3];
    for (int i = 0; i < 3; i++)
        part[i] = !pair       ? (int32_t)value[i]
                  : is_signed ? (int16_t)(value[i] >> shift)
                              : (uint16_t)(value[i] >> shift);
    if (opcode == SASS_VIADDMNMX) {
        const uint32_t by = (uint32_t)part[1], b = m->instruction.operand[SASS_B].negate ? -by : by;
        const uint32_t sum = (uint32_t)part[0] + b;
        part[0] = !pair ? (int32_t)sum : is_signed ? (int16_t)sum : (uint16_t)sum;
        part[1] = part[2];
    }
    int32_t result = choose(part[0], part[1], is_signed, least);
    *first = result == part[0];
    if (opcode == SASS_VIMNMX3) result = choose(result, part[2], is_signed, least);
    if (mod->mode && is_signed && result < 0) result = 0;
    return pair ? (uint32_t)(uint16_t)result << shift : (uint32_t)result;
}
static void run_minimum(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2),
                   least = predicate_p(w, m);
    const bool pair = m->instruction.modifiers.type & 2;
    uint32_t t[LANES], low[LANES], high[LANES];
    for (int l = 0; l < LANES; l++) {
        const uint32_t value[3] = {a[l], b[l], c[l]},
                       upper = minimum_part(m, value, 16, least >> l & 1, &high[l]);
        t[l] = minimum_part(m, value, 0, least >> l & 1, &low[l]) | (pair ? upper : 0);
    }
    merge(destination(w, u), t, mask);
    set_predicate(w, m->pu, pack(low), mask);
    set_predicate(w, m->pv, pack(high), mask);
}
static sim_execute *bind_minimum(struct detail *d) {
    if (d->instruction.form->opcode == SASS_IMNMX)
        d->instruction.modifiers.type = d->instruction.modifiers.is_signed;
    return d->instruction.form->opcode != SASS_VIADDMNMX && is_modified(d) ? NULL : run_minimum;
}

INLINE uint32_t byte_of(uint32_t word, int i, bool is_signed) {
    return is_signed ? (uint32_t)(int8_t)(word >> 8 * i) : word >> 8 * i & 0xff;
}
// VIMNMX on four bytes per register.
static void run_byte_minimum(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), least = predicate_p(w, m);
    const bool is_signed = m->instruction.modifiers.type & 1;
    uint32_t *d = destination(w, u);
    EACH_LANE(l, mask) {
        uint32_t result = 0;
        for (int i = 0; i < 4; i++) {
            int32_t part = choose((int32_t)byte_of(a[l], i, is_signed),
                                  (int32_t)byte_of(b[l], i, is_signed), true, least >> l & 1);
            if (m->instruction.modifiers.mode && part < 0) part = 0;
            result |= ((uint32_t)part & 0xff) << 8 * i;
        }
        d[l] = result;
    }
}
// VIADD on four bytes per register; .ISAT saturates the sums.
INLINE uint32_t add_bytes(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const bool is_signed = m->instruction.modifiers.type & 1,
               saturates = m->instruction.modifiers.saturate;
    const struct sass_operand *o = m->instruction.operand;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        const int32_t x = (int32_t)byte_of(a, i, is_signed), y = (int32_t)byte_of(b, i, is_signed);
        const int32_t least = is_signed ? -128 : 0, most = is_signed ? 127 : 255;
        int32_t sum = (o[SASS_A].negate ? -x : x) + (o[SASS_B].negate ? -y : y);
        if (saturates) sum = sum < least ? least : sum > most ? most : sum;
        result |= ((uint32_t)sum & 0xff) << 8 * i;
    }
    return result;
}
RUN_BY(run_byte_sum, add_bytes)

static bool is_wide_sel(const struct detail *d) {
    return d->instruction.form->opcode == SASS_SEL_64 ||
           d->instruction.form->opcode == SASS_USEL_64;
}
// Makes operand i a pair of rows with a 64-bit number. An immediate has 32 bits, in SEL.64 33 bits,
// and is sign-extended; in MOV.64 it has all 64 bits.
static void bind_pair(struct detail *d, int i) {
    const struct sass_operand *o = &d->instruction.operand[SASS_A + i];
    const enum sass_opcode opcode = d->instruction.form->opcode;
    const int above = opcode == SASS_MOV_64 || opcode == SASS_UMOV_64 ? 0
                      : is_wide_sel(d)                                ? 31
                                                                      : 32;
    if (o->kind != SASS_INTEGER) {
        program_pair(d, i);
        return;
    }
    program_immediate_pair(d, i, (uint64_t)((int64_t)((uint64_t)o->value << above) >> above));
}
static void run_wide_sum(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct sass_operand *o = u->detail->instruction.operand;
    uint64_t t[LANES] = {0};
    for (int i = 0; i < 3; i++) {
        const uint32_t *low = source(w, u, i), *high = low + LANES;
        const uint64_t sign = o[SASS_A + i].negate ? UINT64_MAX : 1;
        LANE_LOOP t[l] += ((uint64_t)high[l] << 32 | low[l]) * sign;
    }
    uint32_t *d = destination(w, u);
    LANE_LOOP d[l] = has_lane(mask, l) ? (uint32_t)t[l] : d[l];
    LANE_LOOP d[LANES + l] = has_lane(mask, l) ? (uint32_t)(t[l] >> 32) : d[LANES + l];
}
// IADD.64 with a carry in or out. As in IADD3, a negated operand is inverted and, without .X, 1 is
// added.
static void run_wide_sum_carry(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const bool extended = m->instruction.modifiers.extended;
    const uint32_t carry_in = extended ? predicate_p(w, m) : 0;
    uint64_t t[LANES] = {0};
    uint32_t carry[LANES] = {0};
    for (int i = 0; i < 2; i++) {
        const uint32_t *low = source(w, u, i), *high = low + LANES;
        const bool inverts = o[SASS_A + i].negate || o[SASS_A + i].invert;
        const uint64_t flip = inverts ? UINT64_MAX : 0, one = inverts && !extended;
        for (int l = 0; l < LANES; l++) {
            const uint64_t by = ((uint64_t)high[l] << 32 | low[l]) ^ flip, sum = t[l] + by;
            const uint64_t all = sum + one + (i == 0 ? carry_in >> l & 1 : 0);
            carry[l] |= sum < by || all < sum;
            t[l] = all;
        }
    }
    for (int i = 0; i < 2 && u->d != ROW_TRASH; i++) {
        uint32_t *d = destination(w, u) + i * LANES;
        EACH_LANE(l, mask) d[l] = (uint32_t)(t[l] >> 32 * i);
    }
    set_predicate(w, m->pu, pack(carry), mask);
}
static void run_wide_minimum(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), least = predicate_p(w, m);
    const uint64_t bias = m->instruction.modifiers.is_signed ? UINT64_C(1) << 63 : 0;
    uint32_t t[2][LANES];
    for (int l = 0; l < LANES; l++) {
        const uint64_t x = (uint64_t)a[LANES + l] << 32 | a[l],
                       y = (uint64_t)b[LANES + l] << 32 | b[l];
        const uint64_t z = ((x ^ bias) < (y ^ bias)) == (least >> l & 1) ? x : y;
        t[0][l] = (uint32_t)z;
        t[1][l] = (uint32_t)(z >> 32);
    }
    for (int i = 0; i < 2; i++) merge(destination(w, u) + i * LANES, t[i], mask);
}
// IMNMX.64 returns the smaller operand if its first predicate is true, otherwise the larger one.
// The meaning of its second predicate is unknown; only !PT is supported.
static sim_execute *bind_wide_minimum(struct detail *d) {
    for (int i = 0; i < 2; i++) bind_pair(d, i);
    const bool plain =
        d->pq == PREDICATE_TRUE && d->pq_flip == ALL_LANES && d->pu == PREDICATE_TRASH;
    return plain && d->pv == PREDICATE_TRASH && d->uop->d != ROW_TRASH ? run_wide_minimum : NULL;
}
static void run_wide_sel(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), first = predicate_p(w, u->detail);
    uint32_t t[2][LANES];
    for (int i = 0; i < 2; i++)
        LANE_LOOP t[i][l] = has_lane(first, l) ? a[i * LANES + l] : b[i * LANES + l];
    for (int i = 0; i < 2; i++) merge(destination(w, u) + i * LANES, t[i], mask);
}
// MOV.64 is executed as a sum with zeros.
static sim_execute *bind_wide(struct detail *d) {
    for (int i = 0; i < 3; i++) bind_pair(d, i);
    const bool carries = d->pu != PREDICATE_TRASH || d->instruction.modifiers.extended;
    if (carries && d->instruction.form->opcode == SASS_IADD_64) return run_wide_sum_carry;
    if (carries || d->pv != PREDICATE_TRASH || d->uop->d == ROW_TRASH) return NULL;
    return is_wide_sel(d) ? run_wide_sel : run_wide_sum;
}
static void run_wide_isetp(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1),
                   code = m->instruction.modifiers.compare;
    const uint64_t bias = m->instruction.modifiers.is_signed ? UINT64_C(1) << 63 : 0;
    uint32_t t[LANES];
    LANE_LOOP {
        const uint64_t x = ((uint64_t)a[LANES + l] << 32 | a[l]) ^ bias,
                       y = ((uint64_t)b[LANES + l] << 32 | b[l]) ^ bias;
        t[l] = (x < y ? 1u : x == y ? 2u : 4u) & code;
    }
    set_compared(w, m, pack(t), ~pack(t), mask);
}
static sim_execute *bind_wide_isetp(struct detail *d) {
    for (int i = 0; i < 2; i++) bind_pair(d, i);
    return run_wide_isetp;
}

// IDP adds a dot product to C: of four bytes of A and of B, or of two halves of A and two bytes of
// B.
INLINE uint32_t dot_product(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const bool bytes = sass_has(&m->instruction, SASS_HAS_dot_a8);
    uint32_t sum = m->instruction.operand[SASS_C].negate ? -c : c;
    for (int i = 0; i < (bytes ? 4 : 2); i++) {
        const uint32_t x = bytes ? a >> (8 * i) & 255 : a >> (16 * i) & 0xffff;
        const uint32_t y = b >> (8 * (bytes ? i : i + 2 * mod->high)) & 255;
        const uint32_t wide =
            mod->source_type ? (bytes ? (uint32_t)(int8_t)x : (uint32_t)(int16_t)x) : x;
        sum += wide * (mod->type ? (uint32_t)(int8_t)y : y);
    }
    return sum;
}
RUN_BY(run_idp, dot_product)

// VABSDIFF computes |A - B| + C. VABSDIFF4 computes |A - B| for each of four bytes, and packs the
// results or, with .ACC, adds them to C.
INLINE uint32_t difference(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const bool is_signed = m->instruction.modifiers.is_signed,
               bytes = m->instruction.form->opcode == SASS_VABSDIFF4;
    const bool accumulate = !bytes || m->instruction.modifiers.flag;
    uint32_t sum = accumulate ? c : 0;
    for (int i = 0; i < (bytes ? 4 : 1); i++) {
        const uint32_t x = bytes ? a >> (8 * i) & 255 : a, y = bytes ? b >> (8 * i) & 255 : b;
        const int64_t p = !is_signed ? (int64_t)x
                          : bytes    ? (int64_t)(int8_t)x
                                     : (int64_t)(int32_t)x;
        const int64_t q = !is_signed ? (int64_t)y
                          : bytes    ? (int64_t)(int8_t)y
                                     : (int64_t)(int32_t)y;
        const uint32_t apart = (uint32_t)(p < q ? q - p : p - q);
        sum = bytes && !accumulate ? sum | (apart & 255) << (8 * i) : sum + apart;
    }
    return sum;
}
RUN_BY(run_vabsdiff, difference)
static sim_execute *bind_vabsdiff(struct detail *d) {
    return d->pu == PREDICATE_TRASH ? run_vabsdiff : NULL;
}

static uint32_t absolute(uint32_t a, uint32_t b, uint32_t c) {
    return (b & 0x80000000u) ? -b : b;
}
PLAIN(run_iabs, absolute)

// BMSK returns a mask of B ones, the lowest at bit A.
INLINE uint32_t ones(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t most = m->instruction.modifiers.wrap ? 31 : UINT32_MAX, from = a & most,
                   count = b & most;
    const uint64_t run = count < 32 ? (1ull << count) - 1 : UINT32_MAX;
    return from < 32 ? (uint32_t)(run << from) : 0;
}
RUN_BY(run_bmsk, ones)
// SGXT extends the low B bits of A to 32 bits, by their sign or, with .U32, by zeros.
INLINE uint32_t extended(const struct detail *m, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t bits = m->instruction.modifiers.wrap ? b & 31 : b;
    if (bits >= 32) return a;
    if (bits == 0) return 0;
    const uint32_t shifted = a << (32 - bits);
    return m->instruction.modifiers.is_signed ? (uint32_t)((int32_t)shifted >> (32 - bits))
                                              : shifted >> (32 - bits);
}
RUN_BY(run_sgxt, extended)

// Makes two rows of the table: for an instruction, and for the same one on uniform registers.
#define BOTH(name, how) \
    {SASS_##name, how}, { \
        SASS_U##name, how \
    }
const struct binding SIM_NAME(integer_bindings)[] = {BOTH(IADD3, .bind = bind_iadd3),
                                                     {SASS_VIADD, .bind = bind_iadd3},
                                                     BOTH(IMAD, .bind = bind_imad),
                                                     BOTH(IMAD_WIDE, .bind = bind_imad_wide),
                                                     BOTH(IMAD_HI, .bind = bind_imad_wide),
                                                     BOTH(LEA, .bind = bind_lea),
                                                     BOTH(LOP3, .run = run_lop3),
                                                     BOTH(PLOP3, .run = run_plop3),
                                                     BOTH(SHF, .bind = bind_shf),
                                                     BOTH(PRMT, .bind = bind_prmt),
                                                     BOTH(ISETP, .run = run_isetp),
                                                     BOTH(SEL, .bind = bind_sel),
                                                     BOTH(FSEL, .run = run_sel),
                                                     BOTH(VIMNMX, .bind = bind_minimum),
                                                     {SASS_IMNMX, .bind = bind_minimum},
                                                     {SASS_VIADDMNMX, .bind = bind_minimum},
                                                     {SASS_VIMNMX3, .bind = bind_minimum},
                                                     {SASS_UIADD3_64, .bind = bind_wide},
                                                     {SASS_IADD, .bind = bind_iadd3},
                                                     {SASS_IADD_64, .bind = bind_wide},
                                                     BOTH(IMNMX_64, .bind = bind_wide_minimum),
                                                     {SASS_VIMNMX_8, .run = run_byte_minimum},
                                                     {SASS_VIADD_8, .run = run_byte_sum},
                                                     BOTH(MOV_64, .bind = bind_wide),
                                                     BOTH(SEL_64, .bind = bind_wide),
                                                     BOTH(ISETP_64, .bind = bind_wide_isetp),
                                                     {SASS_IABS, .run = run_iabs},
                                                     {SASS_IDP, .run = run_idp},
                                                     {SASS_VABSDIFF, .bind = bind_vabsdiff},
                                                     {SASS_VABSDIFF4, .bind = bind_vabsdiff},
                                                     BOTH(BMSK, .run = run_bmsk),
                                                     BOTH(SGXT, .run = run_sgxt),
                                                     {.opcode = SASS_OPCODE_COUNT}};
