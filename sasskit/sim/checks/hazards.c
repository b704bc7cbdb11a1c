// Finds register hazards: an instruction reads or overwrites a register while an earlier
// instruction has yet to write or read it. isa/latency.c decides what is a hazard, here and in
// `sass lint`. Also follows undefined values from register to register until they are used.
#include "checks.h"
#include "sim/machine/observed.h"

// Returns true if an access by lanes `mask` concerns a cell that is pending in `lanes`. In vector
// registers, the access concerns only its own lanes; in other cells, all lanes.
static bool concerns(uint32_t number, uint32_t lanes, uint32_t mask) {
    return number >= CELL_UNIFORM || (lanes & mask) != 0;
}

static uint64_t longest(const struct uop *producer, uint32_t number) {
    return producer->detail->longest[number >= CELL_PREDICATE];
}

// Reports a wait for a scoreboard that comes too soon after the instruction that sets it: the
// scoreboard does not look set yet, and the wait passes.
void hazard_wait(struct warp *w, const struct uop *u) {
    for (uint32_t rest = u->wait & WAIT_SCOREBOARDS; rest; rest &= rest - 1) {
        const int number = __builtin_ctz(rest) % SCOREBOARDS;
        if (__builtin_expect(w->clock >= w->counts_from[number], 1)) continue;
        char setter[SASS_MAX_TEXT];
        program_text(w->block->launch->program, w->set_by[number], setter, sizeof setter);
        struct evidence *v = evidence_about(w, NULL, 0, 0, "waits");
        v->facts = FACT_SHORT_STALL;
        v->other = w->set_by[number] + 1;
        v->expected = SASS_SET_CYCLES;
        v->actual = (int)(w->clock + SASS_SET_CYCLES - w->counts_from[number]);
        v->unit = "cycles";
        checks_report(
            w, REPORT_HAZARD, u->detail->index, -1, false,
            "waits for scoreboard %d %d cycle after %s set it, which needs %d: the wait passes",
            number + 1, (int)(w->clock + SASS_SET_CYCLES - w->counts_from[number]), setter,
            SASS_SET_CYCLES);
    }
}

static struct evidence *about_hazard(struct warp *w, uint32_t earlier, const char *action,
                                     uint32_t facts) {
    struct evidence *v = evidence_about(w, NULL, 0, 0, action);
    v->other = earlier + 1;
    v->other_warp = w->index + 1;
    v->facts = facts;
    return v;
}

static void report_in_flight(struct warp *w, const struct uop *u, uint32_t number,
                             const struct uop *producer) {
    char name[8], writer[SASS_MAX_TEXT];
    program_text(w->block->launch->program, producer->detail->index, writer, sizeof writer);
    const uint32_t guard = scoreboard_covering(w, number);
    const bool guarded = guard < SCOREBOARDS;
    about_hazard(w, producer->detail->index, "reads",
                 sass_runs_on(producer->detail->instruction.form) ? FACT_GROUP
                 : guarded                                        ? FACT_NOT_WAITED
                                                                  : FACT_NO_SCOREBOARD)
        ->scoreboard = guarded ? guard + 1 : 0;
    if (sass_runs_on(producer->detail->instruction.form)) {
        checks_report(
            w, REPORT_HAZARD, u->detail->index, -1, false,
            "reads %s while it is in flight: no WARPGROUP.DEPBAR waited for the group of %s",
            program_cell(number, name), writer);
    } else if (guarded) {
        checks_report(w, REPORT_HAZARD, u->detail->index, -1, false,
                      "reads %s while it is in flight: scoreboard %u, which guards %s, was not "
                      "waited for",
                      program_cell(number, name), guard + 1, writer);
    } else {
        checks_report(w, REPORT_HAZARD, u->detail->index, -1, false,
                      "reads %s while it is in flight: no scoreboard guards %s",
                      program_cell(number, name), writer);
    }
}

// Returns true if warp_hazards.unset has the cell's undefined bits. It does for values from
// registers and local memory, which code may fill bit by bit.
static bool has_bits(const struct unwritten *from) {
    return from->from == FROM_REGISTER || from->from == FROM_LOCAL;
}

// Returns true if the instruction only computes registers or predicates. An undefined source then
// makes its result undefined, which is no error yet: ptxas computes speculatively with registers
// that no instruction has set, in all lanes and under any guard. But if the source was loaded or
// shuffled (`set`), its use as a guard or by a uniform instruction is an error.
static bool only_computes(const struct detail *d, const struct sass_touch *touch, bool set) {
    const enum sass_pipe pipe = d->instruction.form->pipe;
    return pipe != SASS_PIPE_LSU && pipe != SASS_PIPE_TEX && pipe != SASS_PIPE_CBU &&
           d->instruction.form->opcode != SASS_VOTE && d->cells.out_count > 0 &&
           (!set || (pipe != SASS_PIPE_UNIFORM && touch->role != SASS_GUARD));
}

// Returns the lanes in which the result of a comparison or PLOP3 does not depend on a source
// predicate. Executes the instruction with both values of the predicate to find them.
static uint32_t makes_no_difference(struct warp *w, const struct uop *u, uint32_t predicate) {
    const struct detail *d = u->detail;
    const uint32_t in = w->predicate[predicate], pu = w->predicate[d->pu], pv = w->predicate[d->pv];
    uint32_t out[2][2];
    for (int i = 0; i < 2; i++) {
        w->predicate[predicate] = i ? ~in : in;
        u->execute(w, u, ALL_LANES);
        out[i][0] = w->predicate[d->pu];
        out[i][1] = w->predicate[d->pv];
        w->predicate[d->pu] = pu;
        w->predicate[d->pv] = pv;
        w->predicate[predicate] = in;
    }
    const uint32_t first = d->pu == PREDICATE_TRASH ? 0 : out[0][0] ^ out[1][0];
    const uint32_t second = d->pv == PREDICATE_TRASH ? 0 : out[0][1] ^ out[1][1];
    return ~(first | second);
}

// Returns the lanes in which an undefined source has no influence: SEL selects the other operand, a
// comparison is ANDed with false or ORed with true, or a predicate makes_no_difference().
static uint32_t decided(struct warp *w, const struct uop *u, uint32_t number,
                        const struct sass_touch *touch) {
    const struct detail *d = u->detail;
    const struct sass_modifiers *m = &d->instruction.modifiers;
    const bool compares = sass_has(&d->instruction, SASS_HAS_icmp) ||
                          sass_has(&d->instruction, SASS_HAS_fcmp) ||
                          sass_has(&d->instruction, SASS_HAS_dcmp);
    const bool logic = d->instruction.form->opcode == SASS_PLOP3 || (compares && u->d == ROW_TRASH);
    if (touch->predicate)
        return logic && touch->role != SASS_GUARD
                   ? makes_no_difference(w, u, number - CELL_PREDICATE)
                   : 0;
    const uint32_t other = w->predicate[d->pp] ^ d->pp_flip;
    if (d->instruction.form->opcode == SASS_SEL || d->instruction.form->opcode == SASS_FSEL)
        return touch->role == SASS_A ? ~other : other;
    if (!compares || m->boolean > 1) return 0;
    return m->boolean == 0 ? ~other : other;
}

// Returns true if the undefined word is stored together with defined ones: it is probably padding,
// as in a structure of three floats that is copied as four.
static bool is_padding(const struct warp *w, const struct uop *u, uint32_t number,
                       const struct sass_touch *touch, uint32_t lanes) {
    const struct detail *d = u->detail;
    const enum sass_opcode opcode = d->instruction.form->opcode;
    const uint32_t first = d->instruction.operand[SASS_B].number;
    bool others = false;
    if ((opcode != SASS_STG && opcode != SASS_STS && opcode != SASS_ST) || touch->role != SASS_B)
        return false;
    for (uint32_t i = first; i < first + d->width / 4u && i < ROW_ZERO; i++)
        others |= i != number &&
                  !(w->cell[i].ready == UNWRITTEN && w->hazards.unwritten[i].lanes & lanes);
    return others;
}

static const char *space_of(const struct unwritten *from) {
    return from->from == FROM_GLOBAL ? "global" : from->from == FROM_LOCAL ? "local" : "shared";
}

static void report_unwritten(struct warp *w, const struct uop *u, uint32_t number,
                             const struct sass_touch *touch, uint32_t lanes) {
    const struct unwritten *from = &w->hazards.unwritten[number];
    const bool padding = is_padding(w, u, number, touch, lanes), set = from->from != FROM_REGISTER;
    const uint32_t index = set ? from->loader : u->detail->index;
    const uint32_t far = from->from == FROM_LOCAL ? 0
                                                  : w->hazards.unset[number][first_lane(lanes)] -
                                                        (uint32_t)from->address;
    const uint64_t at = from->address + (uint64_t)(int64_t)(int32_t)far;
    char user[SASS_MAX_TEXT + 32], fact[SASS_MAX_TEXT + 160], name[24] = "";
    program_text(w->block->launch->program, u->detail->index, user, sizeof user);
    if (from->from == FROM_SHARED)
        snprintf(name, sizeof name, " (byte %d)", (int)(at - w->block->launch->shared_reserved));
    if (!set)
        snprintf(fact, sizeof fact, "uses what no instruction has written to %s",
                 program_cell((uint32_t)from->address, name));
    else
        snprintf(fact, sizeof fact,
                 "reads %s memory at 0x%llx%s, which %s has written, and %s uses it",
                 space_of(from), (unsigned long long)at, name,
                 from->from == FROM_LOCAL    ? "the thread never"
                 : from->from == FROM_GLOBAL ? "nothing"
                                             : "nothing in this block",
                 user);
    struct evidence *v =
        evidence_about(w, set ? space_of(from) : NULL, at, 4, set ? "reads" : "uses");
    if (!set) v->facts = FACT_REGISTER;
    if (set && u->detail->index != index) {
        v->other = u->detail->index + 1;
        v->other_warp = w->index + 1;
        v->other_action = "uses";
    }
    if (padding)
        checks_warn(w, REPORT_UNWRITTEN, SEVERITY_WARNING, index, first_lane(lanes),
                    "%s, beside words that are written: padding?", fact);
    else
        checks_report(w, REPORT_UNWRITTEN, index, first_lane(lanes), false, "%s", fact);
}

// Returns true if each bit of the result depends on at most one bit of each source. Executing the
// instruction with both values of a source bit then shows where the bit goes.
static bool moves_bits(const struct detail *d) {
    const struct sass_operand *o = d->instruction.operand;
    const bool moves = o[SASS_A].number == SASS_RZ;
    const bool shifts = o[SASS_C].number == SASS_RZ && o[SASS_B].kind == SASS_INTEGER &&
                        !(o[SASS_B].value & (o[SASS_B].value - 1));
    return sass_facts_of(&d->instruction)->selects ||
           (d->instruction.form->opcode == SASS_IMAD && (moves || shifts));
}

// Sets moved[] to the result bits per lane that depend on the source's undefined bits.
static void bits_moved(struct warp *w, const struct uop *u, uint32_t number,
                       uint32_t moved[LANES]) {
    uint32_t *from = w->row[number < CELL_UNIFORM ? number : ROW_UNIFORM + number - CELL_UNIFORM],
             *to = w->row[u->d];
    const uint32_t predicate = w->predicate[u->detail->pu];
    uint32_t source[LANES], before[LANES], out[2][LANES];
    memcpy(source, from, sizeof source);
    memcpy(before, to, sizeof before);
    for (int i = 0; i < 2; i++) {
        for (int l = 0; l < LANES; l++) from[l] = source[l] ^ (i ? w->hazards.unset[number][l] : 0);
        u->execute(w, u, ALL_LANES);
        memcpy(out[i], to, sizeof before);
        memcpy(to, before, sizeof before);
        memcpy(from, source, sizeof source);
    }
    w->predicate[u->detail->pu] = predicate;
    for (int l = 0; l < LANES; l++) moved[l] = out[0][l] ^ out[1][l];
}

// Sets carried[], per lane, to the result bits that may depend on undefined source bits. As sums
// carry, these are all bits from the lowest undefined one up. They are 0 if the instruction takes
// only a defined byte or half: re-execution shows that the result ignores the undefined bits, in
// this lane and in every lane whose undefined bits are a subset of this lane's.
static void bits_carried(struct warp *w, const struct uop *u, uint32_t number, uint32_t lanes,
                         uint32_t carried[LANES]) {
    const uint32_t *bits = w->hazards.unset[number];
    const bool may_be_narrow = u->d != ROW_TRASH && u->detail->cells.out_count == 1;
    uint32_t moved[LANES] = {0};
    if (may_be_narrow) bits_moved(w, u, number, moved);
    for (int l = 0; l < LANES; l++) {
        bool depends = !may_be_narrow || bits[l] == UINT32_MAX;
        for (int k = 0; k < LANES; k++)
            depends |= moved[k] && (lanes >> k & 1) && !(bits[k] & ~bits[l]);
        carried[l] = depends ? -(bits[l] & -bits[l]) : 0;
    }
}

// Returns which halves of a half2 instruction's result depend on the bits `bits` of an operand. A
// half of the result depends on the operand's half in the same position. With .H0_H0 or .H1_H1, it
// depends on the named half; if HADD2's operand is .F32, on the whole operand. HADD2.F32 and
// HMUL2.F32 compute a float from the lower halves. HSETP2 computes a predicate per half, or one.
static uint32_t halves_moved(const struct detail *d, uint32_t role, uint32_t bits) {
    const enum sass_opcode opcode = d->instruction.form->opcode;
    const struct sass_modifiers *m = &d->instruction.modifiers;
    const uint32_t half[2] = {0xffff, 0xffff0000}, select = d->instruction.operand[role].select;
    const bool widens = (opcode == SASS_HADD2 || opcode == SASS_HMUL2) && m->mode,
               single = opcode == SASS_HADD2 && select == 1;
    uint32_t moved = 0;
    for (uint32_t h = 0; h < 2; h++) {
        const bool made = opcode == SASS_HSETP2 ? m->flag || (h ? d->pv : d->pu) != PREDICATE_TRASH
                                                : h == 0 || !widens;
        // select: 2 is .H0_H0, 3 is .H1_H1
        const uint32_t read = single ? UINT32_MAX : half[select > 1 ? select == 3 : h];
        if (made && bits & read) moved |= half[h];
    }
    return moved && (opcode == SASS_HSETP2 || widens) ? UINT32_MAX : moved;
}

// Sets bits[], per lane, to the result bits that depend on undefined bits of a register. ptxas
// fills registers bit by bit or byte by byte, and may never use the rest. Saving and restoring all
// predicates (P2R, R2P) does not count as a use.
static void bits_unset(struct warp *w, const struct uop *u, uint32_t number,
                       const struct sass_touch *touch, uint32_t lanes, uint32_t bits[LANES]) {
    const enum sass_opcode opcode = u->detail->instruction.form->opcode;
    const bool put_away = touch->predicate && (opcode == SASS_P2R || opcode == SASS_UP2UR);
    const bool given_back = opcode == SASS_R2P || opcode == SASS_UR2UP;
    if (put_away || given_back || touch->predicate) {
        memset(bits, put_away || given_back ? 0 : 0xff, LANES * sizeof *bits);
    } else if (sass_facts[opcode].halves) {
        for (int l = 0; l < LANES; l++)
            bits[l] = halves_moved(u->detail, touch->role, w->hazards.unset[number][l]);
    } else if (moves_bits(u->detail)) {
        bits_moved(w, u, number, bits);
    } else {
        bits_carried(w, u, number, lanes, bits);
    }
}

// Records that the result of `u` is computed from the undefined cell `number` in these lanes.
static void spread(struct warp *w, const struct uop *u, uint32_t number,
                   const struct sass_touch *touch, uint32_t lanes) {
    const struct unwritten *from = &w->hazards.unwritten[number];
    const bool memory = from->from <= FROM_GLOBAL,
               other = memory != (w->hazards.unwritten[w->hazards.spread_from].from <= FROM_GLOBAL);
    uint32_t bits[LANES], some = 0;
    memset(bits, 0xff, sizeof bits);
    if (has_bits(from)) bits_unset(w, u, number, touch, lanes, bits);
    for (int l = 0; l < LANES; l++) some |= (lanes & 1u << l) && bits[l] ? 1u << l : 0;
    if (!some) return;
    for (int l = 0; l < LANES; l++) {
        uint32_t *to = &w->hazards.spread_bits[l];
        if (!(w->hazards.spread >> l & 1))
            *to = 0;
        else if (other)
            *to = memory ? (uint32_t)from->address : UINT32_MAX;
        if (some >> l & 1) *to = memory ? w->hazards.unset[number][l] : *to | bits[l];
    }
    w->hazards.spread |= some;
    w->hazards.spread_from = number;
    const struct sass_operand *pair =
        touch->role < SASS_ROLE_COUNT ? &u->detail->instruction.operand[touch->role] : NULL;
    w->hazards.spread_to_low |= !pair || pair->kind != SASS_REGISTER || number != pair->number + 1u;
}

// Returns the lanes in which a store does not use the undefined bits: in a store of two bytes,
// lanes whose two bytes are defined. In a store of one byte, these are all lanes, because nvcc
// copies objects without members that way. Returns 0 for other instructions.
static uint32_t left_out(const struct warp *w, const struct uop *u, uint32_t number,
                         const struct sass_touch *touch) {
    const int width = u->detail->width;
    uint32_t lanes = 0;
    if (!has_bits(&w->hazards.unwritten[number]) ||
        !sass_facts_of(&u->detail->instruction)->memory || touch->role != SASS_B || width >= 4)
        return 0;
    for (int l = 0; l < LANES; l++)
        lanes |= (uint32_t)(width == 1 || !(w->hazards.unset[number][l] & ((1u << 8 * width) - 1)))
                 << l;
    return lanes;
}

// Returns the lanes in which a store writes to the thread's stack (kept.c).
static uint32_t kept_lanes(const struct warp *w, const struct uop *u) {
    const enum sass_opcode opcode = u->detail->instruction.form->opcode;
    const uint32_t *high = w->row[u->detail->base < ROW_ZERO ? u->detail->base + 1 : ROW_ZERO];
    uint32_t lanes = 0;
    for (int l = 0; opcode == SASS_ST && l < LANES; l++)
        lanes |= (uint32_t)(high[l] == LOCAL_WINDOW) << l;
    return opcode == SASS_STL ? ALL_LANES : lanes;
}

static void read_copied(struct warp *w, uint32_t number, uint32_t lanes) {
    struct unwritten *from = &w->hazards.unwritten[number];
    EACH_LANE(l, lanes) shadow_read_copied(w, from, l, w->hazards.unset[number][l]);
    from->lanes &= ~lanes;
}

// Handles an instruction that reads an undefined cell. Undefined values may pass from register to
// register, and by shuffles from lane to lane. They are reported, once and with their load, if they
// become an address, decide a branch or are stored. A value shuffled from an absent lane is
// reported only if it is stored.
static void use_unwritten(struct warp *w, const struct uop *u, uint32_t number,
                          const struct sass_touch *touch, uint32_t mask) {
    const enum sass_opcode opcode = u->detail->instruction.form->opcode;
    struct unwritten *from = &w->hazards.unwritten[number];
    const uint32_t readers = touch->role == SASS_GUARD ? w->active : mask;
    const uint32_t lanes = from->lanes & readers & ~decided(w, u, number, touch);
    if (!lanes) return;
    if (from->from == FROM_COPY) {
        read_copied(w, number, lanes & ~(touch->role == SASS_B ? kept_lanes(w, u) : 0));
        return;
    }
    if (only_computes(u->detail, touch, from->from != FROM_REGISTER)) {
        spread(w, u, number, touch, lanes);
        return;
    }
    if (opcode == SASS_SHFL && touch->role == SASS_A) {
        w->hazards.undefined_source = from->lanes;
        w->hazards.spread_from = number;
        return;
    }
    const uint32_t kept = touch->role == SASS_B ? kept_lanes(w, u) : 0;
    const uint32_t used = lanes & ~kept & ~left_out(w, u, number, touch);
    if (!used) return;
    if (from->from == FROM_LANE) {
        if (sass_facts[opcode].memory && !sass_facts[opcode].load)
            report_absent(w, from->loader, first_lane(used), (int)from->address);
        return;
    }
    report_unwritten(w, u, number, touch, used);
    from->lanes = 0;
    w->cell[number].ready = w->clock;
    note_busy(w, number);
}

void hazard_keep_unwritten(struct warp *w, uint32_t number) {
    struct cell *cell = &w->cell[number];
    struct unwritten *to = &w->hazards.unwritten[number];
    if (!to->lanes) return;
    if (cell->ready != UNWRITTEN) to->ready = cell->ready;
    cell->ready = UNWRITTEN;
}

// Returns true if the lower word of the result does not depend on the upper words of the sources.
static bool is_by_words(const struct detail *d) {
    const enum sass_opcode opcode = d->instruction.form->opcode;
    return opcode == SASS_MOV_64 || opcode == SASS_SEL_64 || opcode == SASS_IADD_64;
}

void hazard_spread(struct warp *w, const struct uop *u) {
    const struct unwritten from = w->hazards.unwritten[w->hazards.spread_from];
    const bool high_only = !w->hazards.spread_to_low && is_by_words(u->detail);
    w->hazards.spread_to_low = false;
    for (int i = 0; i < u->detail->cells.out_count; i++) {
        const uint32_t number = u->detail->cells.out[i];
        if (high_only && number == u->detail->instruction.operand[SASS_D].number) continue;
        struct cell *cell = &w->cell[number];
        struct unwritten *to = &w->hazards.unwritten[number];
        for (int l = 0; l < LANES; l++) {
            if (w->hazards.spread >> l & 1)
                w->hazards.unset[number][l] = w->hazards.spread_bits[l];
            else if (to->lanes >> l & 1 && to->from != from.from)
                w->hazards.unset[number][l] =
                    from.from <= FROM_GLOBAL ? (uint32_t)from.address : UINT32_MAX;
        }
        *to = (struct unwritten){.lanes = to->lanes | w->hazards.spread,
                                 .loader = from.loader,
                                 .address = from.address,
                                 .from = from.from};
        if (cell->ready != IN_FLIGHT) hazard_keep_unwritten(w, number);
        note_busy(w, number);
    }
    w->hazards.spread = 0;
}

// Returns true if no lane executes both instructions, because they are guarded by one predicate and
// its negation, and the predicate has not changed in between.
static bool exclusive(const struct warp *w, const struct sass_instruction *from, uint64_t issued,
                      const struct sass_instruction *in) {
    if (from->guard != in->guard || from->guard_uniform || in->guard_uniform ||
        from->guard_negate == in->guard_negate)
        return false;
    const struct cell *guard = &w->cell[CELL_PREDICATE + in->guard];
    return guard->ready != IN_FLIGHT &&
           guard->ready <=
               issued + longest(&w->block->launch->program->code[guard->writer], CELL_PREDICATE);
}

// Checks one cell that the instruction reads: number `i` of cells.in.
static void check_read(struct warp *w, const struct uop *u, int i, uint32_t mask) {
    const struct sass_instruction *in = &u->detail->instruction;
    const struct sass_touch *touch = &u->detail->cells.read[i];
    const uint32_t number = u->detail->cells.in[i];
    const struct cell *cell = &w->cell[number];
    const uint64_t ready =
        cell->ready == UNWRITTEN ? w->hazards.unwritten[number].ready : cell->ready;
    if (cell->ready == UNWRITTEN) use_unwritten(w, u, number, touch, mask);
    if (ready <= w->clock) return;
    const struct uop *producer = &w->block->launch->program->code[cell->writer];
    const struct sass_instruction *from = &producer->detail->instruction;
    if (ready == IN_FLIGHT) {
        if (concerns(number, cell->lanes, mask) &&
            sass_judge_result(from, in, touch, 0) != SASS_SOUND)
            report_in_flight(w, u, number, producer);
        return;
    }
    const uint64_t issued = ready - longest(producer, number), distance = w->clock - issued;
    if (issued < w->switched) return; // the register was written before these lanes began to run
    if (exclusive(w, from, issued, in)) return;
    if (sass_judge_result(from, in, touch, (int64_t)distance) == SASS_SOUND) return;
    char name[8], writer[SASS_MAX_TEXT];
    program_text(w->block->launch->program, cell->writer, writer, sizeof writer);
    struct evidence *v = about_hazard(w, cell->writer, "reads", FACT_SHORT_STALL);
    v->expected = sass_distance(from, in, touch);
    v->actual = (int64_t)distance;
    v->unit = "cycles";
    checks_report(w, REPORT_HAZARD, u->detail->index, -1, false,
                  "reads %s %u cycles after the issue of %s, which needs %d",
                  program_cell(number, name), (unsigned)distance, writer,
                  sass_distance(from, in, touch));
}

// Reports a write to a register that an earlier instruction may not have read yet as its source.
// Returns true if it reported one.
static bool overwrites_source(struct warp *w, const struct uop *u, uint32_t number,
                              const struct sass_touch *touch) {
    const struct program *p = w->block->launch->program;
    const uint32_t reader = w->cell[number].reader;
    const uint8_t read = p->code[reader].read_barrier,
                  guard = read < SCOREBOARDS ? read : p->code[reader].write_barrier;
    char name[8], other[SASS_MAX_TEXT];
    if (sass_judge_source(&p->detail[reader].instruction, &u->detail->instruction, touch) ==
        SASS_SOUND)
        return false;
    program_text(p, reader, other, sizeof other);
    about_hazard(w, reader, "writes",
                 FACT_SOURCE | (sass_runs_on(p->detail[reader].instruction.form) ? FACT_GROUP
                                : guard < SCOREBOARDS                            ? FACT_NOT_WAITED
                                                      : FACT_NO_SCOREBOARD))
        ->scoreboard = guard < SCOREBOARDS ? guard + 1u : 0;
    if (sass_runs_on(p->detail[reader].instruction.form)) {
        checks_report(
            w, REPORT_HAZARD, u->detail->index, -1, false,
            "writes %s, which %s may not have read yet: no WARPGROUP.DEPBAR waited for its group",
            program_cell(number, name), other);
    } else if (guard < SCOREBOARDS) {
        checks_report(
            w, REPORT_HAZARD, u->detail->index, -1, false,
            "writes %s, which %s may not have read yet: its scoreboard %d was not waited for",
            program_cell(number, name), other, guard + 1);
    } else {
        checks_report(w, REPORT_HAZARD, u->detail->index, -1, false,
                      "writes %s, which %s may not have read yet: no read scoreboard guards it",
                      program_cell(number, name), other);
    }
    return true;
}

// Checks one cell that the instruction writes: number `i` of cells.out.
static void check_write(struct warp *w, const struct uop *u, int i, uint32_t mask) {
    const struct program *p = w->block->launch->program;
    const struct sass_touch *touch = &u->detail->cells.written[i];
    const uint32_t number = u->detail->cells.out[i];
    struct cell *cell = &w->cell[number];
    char name[8], other[SASS_MAX_TEXT];
    now_written(w, number, mask);
    if (scoreboard_was_read(w, cell)) cell->holds = 0;
    if (cell->holds && concerns(number, cell->read_lanes, mask) &&
        overwrites_source(w, u, number, touch))
        return;
    const uint64_t ready =
        cell->ready == UNWRITTEN ? w->hazards.unwritten[number].ready : cell->ready;
    if (ready <= w->clock) return;
    if (ready == IN_FLIGHT && !concerns(number, cell->lanes, mask)) return;
    const struct uop *first = &p->code[cell->writer];
    const uint64_t issued = ready - longest(first, number);
    const struct sass_instruction *from = &first->detail->instruction,
                                  *in = &u->detail->instruction;
    if (ready != IN_FLIGHT && (issued < w->switched || exclusive(w, from, issued, in))) return;
    if (sass_judge_result(from, in, touch, (int64_t)(w->clock - issued)) == SASS_SOUND) return;
    program_text(p, cell->writer, other, sizeof other);
    const uint32_t guard = scoreboard_covering(w, number);
    const bool guarded = guard < SCOREBOARDS;
    struct evidence *v = about_hazard(w, cell->writer, "writes",
                                      ready != IN_FLIGHT ? FACT_SHORT_STALL
                                      : guarded          ? FACT_NOT_WAITED
                                                         : FACT_NO_SCOREBOARD);
    v->scoreboard = guarded ? guard + 1 : 0;
    if (ready != IN_FLIGHT) {
        v->expected = longest(first, number);
        v->actual = (int64_t)(w->clock - issued);
        v->unit = "cycles";
    }
    checks_report(w, REPORT_HAZARD, u->detail->index, -1, false,
                  "writes %s while a result of %s is in flight to it", program_cell(number, name),
                  other);
}

void hazard_guard(struct warp *w, const struct uop *u) {
    for (int i = 0; i < u->detail->cells.in_count; i++) {
        if (u->detail->cells.read[i].role == SASS_GUARD) check_read(w, u, i, ALL_LANES);
    }
    if (w->hazards.spread) hazard_spread(w, u);
}
void hazard_write(struct warp *w, const struct uop *u, uint32_t mask) {
    for (int i = 0; i < u->out_count; i++) check_write(w, u, i, mask);
}

void hazard_look(struct warp *w, const struct uop *u, uint32_t mask, uint64_t sound) {
    const struct detail *m = u->detail;
    for (int i = 0; i < m->cells.in_count; i++)
        if (w->cell[m->cells.in[i]].ready > sound) check_read(w, u, i, mask);
    for (int i = 0; i < m->cells.out_count; i++) {
        const uint32_t number = m->cells.out[i];
        check_write(w, u, i, mask);
        w->cell[number].ready = w->clock + longest(u, number);
        if (w->hazards.any_unwritten) hazard_keep_unwritten(w, number);
        note_busy(w, number);
        w->cell[number].writer = m->index;
    }
    if (u->flags & UOP_BARRIER) scoreboard_issue(w, u, mask);
    if (w->hazards.spread) hazard_spread(w, u);
    if (m->stale) checks_report(w, REPORT_REUSE, m->index, -1, false, "%s", m->stale);
}
