// Moves between general, uniform, predicate and special registers, and between lanes; loads from
// constant banks.
#include "bulk.h"
#include "copies.h"
#include "lanes.h"

static inline uint32_t second(uint32_t a, uint32_t b, uint32_t c) {
    return b;
}
PLAIN(run_mov, second)
static sim_execute *bind_mov(struct detail *d) {
    return d->instruction.form->opcode == SASS_MOV && d->instruction.operand[SASS_I].value != 15
               ? NULL
               : run_mov;
}

// LEPC returns the address of an instruction.
static void run_lepc(struct warp *w, const struct uop *u, uint32_t mask) {
    uint32_t *d = destination(w, u);
    EACH_LANE(l, mask) d[l] = u->detail->target, d[LANES + l] = 0;
}
static sim_execute *bind_lepc(struct detail *d) {
    // before sm_90, LEPC has no operand and returns its own address
    const struct sass_operand *place = &d->instruction.operand[SASS_T];
    d->target = place->kind == SASS_NONE ? d->index * SASS_BYTES : (uint32_t)place->value;
    return d->uop->d == ROW_TRASH ? run_nothing : run_lepc;
}

// MEMBAR matters only for the detection of races, because the simulator executes in order. The
// scopes GPU, SYS and VC reach beyond the block.
static void run_membar(struct warp *w, const struct uop *u, uint32_t mask) {
    const unsigned scope = u->detail->instruction.modifiers.type;
    global_fence(w, scope == 2 || scope == 3 || scope == 5);
    order_fence(w);
    flags_fence(w);
    // a lane that fences alone after an atomic is assumed to hold a lock, which orders all lanes
    if (w->races.atomic_since_fence && lanes_count(mask) == 1) shadow_synchronise(w);
    w->races.atomic_since_fence = false;
}
static sim_execute *bind_membar(struct detail *d) {
    d->program->fences = true;
    return run_membar;
}

// --- special registers ---------------------------------------------------------------------------

static uint32_t special(const struct warp *w, int number, int lane) {
    const struct block *b = w->block;
    const struct launch_state *l = b->launch;
    switch (number) {
    case 0x00: // SR_LANEID
        return (uint32_t)lane;
    case 0x02: // SR_VIRTCFG
    case 0x03: // SR_VIRTID: warp number in bits 8..14
        return w->index << 8;
    case 0x20: // SR_TID, packed
        return w->thread[0][lane] | w->thread[1][lane] << 16 | w->thread[2][lane] << 26;
    case 0x21: // SR_TID.X
    case 0x22:
    case 0x23:
        return w->thread[number - 0x21][lane];
    case 0x25: // SR_CTAID.X
    case 0x26:
    case 0x27:
        return b->index[number - 0x25];
    case 0x2f: // SR_SWINHI: upper word of generic addresses of shared memory
        return SHARED_WINDOW;
    // SR_SWINLO: nvcc before 13 adds it to a shared address to get the lower word of the generic
    // address
    case 0x30:
        return 0;
    case 0x32: // SR_SMEMSZ
        return (l->shared_end + 127) & ~127u;
    // SR_LMEMHIOFF: limit of the stack check that nvcc compiles in. 0 disables that check: the
    // simulator checks each access to the stack itself, and reports the instruction.
    case 0x37:
        return 0;
    case 0x38: // SR_EQMASK
        return 1u << lane;
    case 0x39: // SR_LTMASK
        return (1u << lane) - 1;
    case 0x3a: // SR_LEMASK
        return (2u << lane) - 1;
    case 0x3b: // SR_GTMASK
        return ~((2u << lane) - 1);
    case 0x3c: // SR_GEMASK
        return ~((1u << lane) - 1);
    case 0x50: // SR_CLOCKLO
        return (uint32_t)w->clock;
    case 0x51: // SR_CLOCKHI
        return (uint32_t)(w->clock >> 32);
    // SR_CgaSize: from it, nvcc's code computes the positions of the driver's values in constant
    // bank 0. launch.c uses the positions for 0, as in a launch without clusters.
    case 0x8a:
        return 0;
    case 0x88: // SR_CgaCtaId: the block's rank in its cluster
        return b->window >> 24;
    default: // SRZ, and the registers of is_known_special() that read as 0
        return 0;
    }
}
// Returns true for a special register whose value differs between lanes.
static bool is_of_lane(int number) {
    return number == 0 || (number >= 0x20 && number <= 0x23) || (number >= 0x38 && number <= 0x3c);
}
// Returns true for a special register that the simulator supports. The last four, SR_VIRTUALSMID,
// 0x5e, SR_GLOBALTIMERLO and SR_GLOBALTIMERHI, read as 0.
static bool is_known_special(int number) {
    static const uint8_t known[] = {0x00, 0x02, 0x03, 0x20, 0x21, 0x22, 0x23, 0x25, 0x26, 0x27,
                                    0x2f, 0x30, 0x32, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x50,
                                    0x51, 0x88, 0x8a, 0xff, 0x43, 0x5e, 0x52, 0x53};
    return memchr(known, number, sizeof known) != NULL;
}
static void run_s2r(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const int number = m->instruction.operand[SASS_X].number;
    uint32_t t[LANES];
    const uint32_t first = special(w, number, 0);
    LANE_LOOP t[l] = first;
    for (int l = 1; l < LANES && !(u->flags & UOP_UNIFORM) && is_of_lane(number); l++)
        t[l] = special(w, number, l);
    merge(destination(w, u), t, mask);
    if (m->width != 8 || u->d == ROW_TRASH) return; // a 64-bit CS2R also writes the upper word
    const uint32_t high = special(w, number == 0x50 ? 0x51 : 0xff, 0);
    LANE_LOOP t[l] = high;
    merge(destination(w, u) + LANES, t, mask);
}
static sim_execute *bind_s2r(struct detail *d) {
    d->width = d->instruction.modifiers.wide ? 8 : 4; // only CS2R and CS2UR can have 64 bits
    return is_known_special(d->instruction.operand[SASS_X].number) ? run_s2r : NULL;
}

// --- predicates and registers --------------------------------------------------------------------

// P2R and UP2UR copy the predicates in the mask B to one byte of the register. The other bits come
// from A.
static void run_p2r(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1);
    const int first = (u->flags & UOP_UNIFORM) ? PREDICATE_UNIFORM : 0;
    uint32_t t[LANES];
    for (int l = 0; l < LANES; l++) {
        uint32_t bits = 0;
        for (int i = 0; i < 7; i++) bits |= (w->predicate[first + i] >> l & 1) << i;
        t[l] = (a[l] & ~(b[l] << m->shift)) | (bits & b[l]) << m->shift;
    }
    merge(destination(w, u), t, mask);
}
static sim_execute *bind_p2r(struct detail *d) {
    d->shift = (uint8_t)(8 * (d->instruction.modifiers.mode & 3));
    return run_p2r;
}
static void run_r2p(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1);
    EACH_LANE(l, mask) {
        for (int i = 0; i < 7; i++) {
            if (b[l] >> i & 1) set_predicate(w, i, (a[l] >> (m->shift + i) & 1) << l, 1u << l);
        }
    }
}
static sim_execute *bind_r2p(struct detail *d) {
    d->shift = (uint8_t)(8 * d->instruction.operand[SASS_A].select);
    return run_r2p;
}

// R2UR returns the value of the first active lane. Its predicate becomes true in the lanes with
// another value. With .OR, the predicate stays true where it was true before.
static void run_r2ur(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), value = a[first_lane(mask)];
    uint32_t *d = destination(w, u), other[LANES];
    LANE_LOOP other[l] = a[l] != value;
    LANE_LOOP d[l] = value;
    w->bulk.chosen = mask & ~pack(other);
    w->bulk.chosen_in = (uint16_t)((d - w->row[0]) / LANES);
    const uint32_t before = m->instruction.modifiers.flag ? w->predicate[m->pu] : 0;
    set_predicate(w, m->pu, pack(other) | before, mask);
}
static sim_execute *bind_r2ur(struct detail *d) {
    d->uop->flags &= (uint8_t)~UOP_UNIFORM; // run_r2ur() needs the mask of the active lanes
    return run_r2ur;
}

// REDUX combines the values of the active lanes. The operations are 0 AND (which the disassembler
// does not print), 1 OR, 2 XOR, 3 SUM, 4 MIN and 5 MAX.
static void run_redux(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0),
                   bias = m->instruction.modifiers.is_signed ? 0x80000000u : 0;
    const int how = m->instruction.modifiers.operation;
    uint32_t value = a[first_lane(mask)];
    absent_from_vote(w, u);
    EACH_LANE(l, mask & (mask - 1)) {
        const uint32_t x = a[l];
        const bool below = (x ^ bias) < (value ^ bias);
        value = how == 0              ? value & x
                : how == 1            ? value | x
                : how == 2            ? value ^ x
                : how == 3            ? value + x
                : below == (how == 4) ? x
                                      : value;
    }
    uint32_t *d = destination(w, u);
    LANE_LOOP d[l] = value;
}
static sim_execute *bind_redux(struct detail *d) {
    d->uop->flags &= (uint8_t)~UOP_UNIFORM;
    return d->instruction.modifiers.operation > 5 ? NULL : run_redux;
}

// --- votes and shuffles --------------------------------------------------------------------------

// VOTE sets its register to the mask of the lanes that vote yes. Its predicate is true if all lanes
// vote yes (ALL), at least one does (ANY), or all vote equally (EQ).
static void run_vote(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    // 0 ALL, 1 ANY, 2 EQ
    const uint32_t yes = predicate_p(w, m) & mask, kind = m->instruction.modifiers.operation;
    const bool result = kind == 0 ? yes == mask : kind == 1 ? yes != 0 : yes == 0 || yes == mask;
    const bool uniform = m->instruction.form->opcode == SASS_VOTEU;
    uint32_t *d = destination(w, u);
    absent_from_vote(w, u);
    LANE_LOOP d[l] = (uniform || has_lane(mask, l)) ? yes : d[l];
    set_predicate(w, m->pu, result ? ALL_LANES : 0, uniform ? ALL_LANES : mask);
}
static sim_execute *bind_vote(struct detail *d) {
    d->uop->flags &= (uint8_t)~UOP_UNIFORM;
    return d->instruction.modifiers.operation > 2 ? NULL : run_vote;
}

// SHFL (PTX ISA, shfl.sync). B is the source lane (IDX), the distance (UP, DOWN) or the XOR mask
// (BFLY). C has the clamp in bits 0 to 4 and the segment mask in bits 8 to 12.
static void run_shfl(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const int kind = m->instruction.modifiers.operation;    // 0 IDX, 1 UP, 2 DOWN, 3 BFLY
    const uint32_t undefined = w->hazards.undefined_source; // lanes in which A is undefined
    uint32_t t[LANES], inside = 0;
    for (int l = 0; l < LANES; l++) {
        const int by = (int)(b[l] & 31), clamp = (int)(c[l] & 31), segment = (int)(c[l] >> 8 & 31);
        const int most = (l & segment) | (clamp & ~segment), least = l & segment;
        int from;
        bool valid;
        if (kind == 1) {
            from = l - by;
            valid = from >= most;
        } else {
            from = kind == 0 ? least | (by & ~segment) : kind == 2 ? l + by : l ^ by;
            valid = from <= most;
        }
        t[l] = a[valid ? from & 31 : l];
        inside |= (uint32_t)valid << l;
        if (__builtin_expect(valid && (mask >> l & 1) && !(mask >> (from & 31) & 1), 0))
            absent_read(w, u, l, from & 31);
        else if (__builtin_expect(undefined & mask & 1u << (valid ? from & 31 : l), 0))
            w->hazards.spread |= mask & 1u << l,
                w->hazards.spread_bits[l] =
                    w->hazards.unset[w->hazards.spread_from][valid ? from & 31 : l];
    }
    w->hazards.undefined_source = 0;
    if (w->hazards.spread) hazard_spread(w, u);
    merge(destination(w, u), t, mask);
    set_predicate(w, m->pu, inside, mask);
}

// MATCH.ANY returns to each lane the mask of the active lanes with an equal A. MATCH.ALL returns
// the mask of all active lanes if their values are equal, otherwise 0.
static void run_match(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *a = source(w, u, 0), *high = m->width == 8 ? a + LANES : w->row[ROW_ZERO];
    const bool all = m->instruction.operand[SASS_PU].kind != SASS_NONE;
    uint32_t t[LANES], every = ALL_LANES;
    absent_from_vote(w, u);
    for (int l = 0; l < LANES; l++) {
        uint32_t same = 0;
        for (int k = 0; k < LANES; k++) {
            same |= (uint32_t)((mask >> k & 1) && a[k] == a[l] && high[k] == high[l]) << k;
        }
        t[l] = all && same != mask ? 0 : same;
        if (same != mask && (mask >> l & 1)) every = 0;
    }
    merge(destination(w, u), t, mask);
    set_predicate(w, m->pu, every, mask);
}
static sim_execute *bind_match(struct detail *d) {
    d->width = d->instruction.modifiers.size ? 8 : 4;
    return run_match;
}

// --- constants -----------------------------------------------------------------------------------

static uint32_t constant_word(const struct warp *w, const struct uop *u, int lane, int64_t offset,
                              int bytes) {
    const struct detail *m = u->detail;
    const int bank = m->instruction.operand[SASS_M].bank;
    const struct launch_state *l = w->block->launch;
    uint32_t value = 0;
    if (bank >= 8 || offset < 0 || offset + bytes > l->constant_bytes[bank] ||
        offset % bytes != 0) {
        checks_report((struct warp *)w, REPORT_ADDRESS, m->index, lane, false,
                      "reads %d bytes at c[0x%x][0x%llx]; the bank has %u bytes", bytes, bank,
                      (long long)offset, bank < 8 ? l->constant_bytes[bank] : 0);
        return 0;
    }
    memcpy(&value, l->constant[bank] + offset, (size_t)bytes);
    return value;
}
static void run_ldc(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *index = source(w, u, 0);
    const int size = m->instruction.modifiers.size, bytes = size_bytes[size & 7],
              words = (bytes + 3) / 4;
    EACH_LANE(l, mask) {
        const int64_t offset = (int64_t)(int32_t)index[l] + m->instruction.operand[SASS_M].value;
        for (int i = 0; i < words; i++) {
            uint32_t value = constant_word(w, u, l, offset + 4 * i, bytes < 4 ? bytes : 4);
            if (size == 1) value = (uint32_t)(int8_t)value;
            if (size == 3) value = (uint32_t)(int16_t)value;
            if (u->d != ROW_TRASH) w->row[u->d + i][l] = value;
        }
    }
}
// LDC without an index register copies rows of constants, which are filled when a launch begins.
static void run_ldc_fixed(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *from = source(w, u, 1);
    const int words = u->detail->width / 4;
    for (int i = 0; i < words; i++) merge(w->row[u->d + i], from + i * LANES, mask);
}
static sim_execute *bind_ldc(struct detail *d) {
    const struct sass_operand *o = &d->instruction.operand[SASS_M];
    const int size = d->instruction.modifiers.size;
    const bool uniform = o->has_uniform && o->uniform != SASS_URZ;
    const bool indexed = uniform || (o->has_base && o->number != SASS_RZ);
    const uint32_t index = uniform ? ROW_UNIFORM + o->uniform : indexed ? o->number : ROW_ZERO;
    if (o->kind != SASS_CONSTANT || size > 6 || d->instruction.modifiers.mode) return NULL;
    d->width = size_bytes[size];
    if (indexed || size < 4 || d->uop->d == ROW_TRASH) {
        d->uop->source_base[0] = 0;
        d->uop->source[0] = (uint32_t)(index * sizeof(uint32_t[LANES]));
        return run_ldc;
    }
    d->uop->source_base[1] = 1;
    d->uop->source[1] = program_bank_row(d->program, o->bank, (int32_t)o->value);
    for (int at = 4; at < d->width; at += 4)
        program_bank_row(d->program, o->bank, (int32_t)o->value + at);
    return run_ldc_fixed;
}

// B2R.RESULT returns the result of the last BAR.RED, in a register and as a predicate.
static void run_b2r(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t result = w->block->reduction;
    uint32_t *d = destination(w, u);
    LANE_LOOP d[l] = has_lane(mask, l) ? result : d[l];
    set_predicate(w, m->pu, result ? ALL_LANES : 0, mask);
}

// DEPBAR.LE SBk, n, {others} waits until at most n of scoreboard k's operations are in flight:
// texture fetches or groups of copies, which complete in order. With n = 0, it waits for all that
// scoreboard k covers. It also waits for all that the scoreboards in {others} cover.
static void run_depbar(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const int left = (int)m->instruction.operand[SASS_I].value;
    const uint32_t number = m->instruction.operand[SASS_X].number;
    scoreboard_wait(w, (uint32_t)m->instruction.operand[SASS_J].value);
    if (w->bulk.group_count && number == w->bulk.guard) bulk_wait(w, left);
    if (left > 0 && scoreboard_leave(w, number, left)) return;
    if (number == w->copies.guard) copies_finish(w, left);
    if (left == 0) scoreboard_wait(w, 1u << number);
}
// DEPBAR {scoreboards} waits for all that these scoreboards cover.
static void run_depbar_set(struct warp *w, const struct uop *u, uint32_t mask) {
    scoreboard_wait(w, (uint32_t)u->detail->instruction.operand[SASS_J].value);
}
static sim_execute *bind_depbar(struct detail *d) {
    if (d->instruction.operand[SASS_X].kind != SASS_SCOREBOARD) return run_depbar_set;
    return d->instruction.operand[SASS_X].number < SCOREBOARDS ? run_depbar : NULL;
}

// If lanes have converged, ptxas turns __syncwarp() into a NOP. So a NOP synchronises the lanes.
static void run_nop(struct warp *w, const struct uop *u, uint32_t mask) {
    if (w->tiled)
        shadow_synchronise_by(w, w->tile, mask);
    else
        shadow_synchronise_lanes(w, mask);
}

const struct binding SIM_NAME(move_bindings)[] = {
    {SASS_MOV, .bind = bind_mov},       {SASS_UMOV, .bind = bind_mov},
    {SASS_NOP, .run = run_nop},         {SASS_MEMBAR, .bind = bind_membar},
    {SASS_ERRBAR, .run = run_nothing},  {SASS_CGAERRBAR, .run = run_nothing},
    {SASS_CCTL, .run = run_nothing},    {SASS_ENDCOLLECTIVE, .run = run_nothing},
    {SASS_ACQBULK, .run = run_nothing}, {SASS_PREEXIT, .run = run_nothing},
    {SASS_DEPBAR, .bind = bind_depbar}, {SASS_LEPC, .bind = bind_lepc},
    {SASS_S2R, .bind = bind_s2r},       {SASS_S2UR, .bind = bind_s2r},
    {SASS_CS2R, .bind = bind_s2r},      {SASS_P2R, .bind = bind_p2r},
    {SASS_UP2UR, .bind = bind_p2r},     {SASS_R2P, .bind = bind_r2p},
    {SASS_R2UR, .bind = bind_r2ur},     {SASS_REDUX, .bind = bind_redux},
    {SASS_VOTE, .bind = bind_vote},     {SASS_VOTEU, .bind = bind_vote},
    {SASS_SHFL, .run = run_shfl},       {SASS_MATCH, .bind = bind_match},
    {SASS_LDC, .bind = bind_ldc},       {SASS_ULDC, .bind = bind_ldc},
    {SASS_LDCU, .bind = bind_ldc},      {SASS_CS2UR, .bind = bind_s2r},
    {SASS_B2R, .run = run_b2r},         {.opcode = SASS_OPCODE_COUNT}};
