// HGMMA, the MMA of a warpgroup. B is in shared memory; A is in shared memory or in registers. Each
// of the four warps computes its own 16 of the 64 rows. Factors may be FP16, BF16 or TF32; other
// types are not supported.
//
// An HGMMA is asynchronous. The simulator computes it as late as allowed: when WARPGROUP.DEPBAR
// waits for its group. So code that overwrites the operands too early, or does not wait, gets wrong
// results. Code that reads the sums too early is reported.
#include "descriptor.h"
#include "fragments.h"
#include "lanes.h"
#include "sim/checks/order.h"
#include "sim/counts/picture.h"
#include "sim/machine/room.h"

enum { GROUP_WARPS = 4, REGISTERS_OF_A = 4, HELD_BY_MMA = SCOREBOARDS };

// Reads the bits of an operand's element in shared memory. Returns false after reporting that the
// descriptor points outside the block's shared memory, or that the element is not visible to the
// async proxy.
static bool fetch(struct warp *w, const struct uop *u, const struct mma_operand *o, int row, int k,
                  int bytes, char which, uint32_t *value) {
    const struct launch_state *launch = w->block->launch;
    const uint32_t at = place_of(o, row, k, bytes);
    *value = 0;
    if (!is_own_shared(launch, at, (uint32_t)bytes)) {
        evidence_about(w, "shared", at, (uint32_t)bytes, "reads")->facts = FACT_DESCRIPTOR;
        checks_report(
            w, REPORT_ADDRESS, u->detail->index, -1, false,
            "has a descriptor of %c (start " SHARED_BYTE ", leading 0x%x, stride 0x%x, swizzle %d "
            "bytes) that leads to shared memory at " SHARED_BYTE " for row %d, k %d; the block "
            "has %u bytes",
            which, SHARED_BYTE_AT(launch, o->start), o->leading, o->stride,
            o->pitch == UNIT_BYTES ? 0 : o->pitch, SHARED_BYTE_AT(launch, at), row, k,
            launch->shared_bytes - launch->shared_reserved);
        return false;
    }
    if (at % UNIT_BYTES == 0 && !shadow_read_by_proxy(w, u, at, UNIT_BYTES)) return false;
    memcpy(value, w->block->shared + at, (size_t)bytes);
    return true;
}

// What the instruction word of an HGMMA determines.
struct form {
    enum factor_type type;
    enum sum_type sum;
    int depth, columns, bytes; // bytes per element
    uint32_t flip_a, flip_b;
    bool transpose_a, transpose_b, a_in_registers;
};
static struct form form_of(const struct detail *m) {
    const struct sass_operand *o = &m->instruction.operand[SASS_M];
    const enum factor_type type = (enum factor_type)m->shift;
    const uint32_t sign = type == FACTOR_TF32 ? 0x80000000u : 0x8000u;
    const bool registers = m->instruction.operand[SASS_A].kind == SASS_REGISTER;
    return (struct form){
        .type = type,
        .sum = m->instruction.modifiers.type ? SUM_FP32 : SUM_FP16,
        .depth = type == FACTOR_TF32 ? 8 : 16,
        .columns = 8 * (m->instruction.modifiers.shape + 1),
        .bytes = type == FACTOR_TF32 ? 4 : 2,
        .flip_a = o->marks & SASS_NEGATE_A ? (registers ? sign_of(type, true) : sign) : 0,
        .flip_b = o->marks & SASS_NEGATE_B ? sign : 0,
        .transpose_a = o->marks & SASS_TRANSPOSE_A,
        .transpose_b = o->marks & SASS_TRANSPOSE_B,
        .a_in_registers = registers};
}

// Reads this warp's 16 rows of A. Returns false after reporting an error.
static bool rows_of_a(struct warp *w, const struct mma *p, const struct form *f,
                      struct row_factors rows[FRAGMENT_ROWS]) {
    const struct mma_operand a = read_descriptor(p->a, f->transpose_a);
    const int first = (int)(w->index % GROUP_WARPS) * FRAGMENT_ROWS;
    uint32_t bits;
    memset(rows, 0, FRAGMENT_ROWS * sizeof *rows);
    if (f->a_in_registers) {
        rows_of_registers(f->type, f->depth, source(w, p->u, 0), f->flip_a, rows);
        return true;
    }
    for (int row = 0; row < FRAGMENT_ROWS; row++) {
        for (int k = 0; k < f->depth; k++) {
            if (!fetch(w, p->u, &a, first + row, k, f->bytes, 'A', &bits)) return false;
            put_row(&rows[row], k, make_factor(f->type, bits ^ f->flip_a));
        }
    }
    return true;
}

// Computes the columns `first` to `first` + 7 of the sums. Returns false after reporting an error.
static bool multiply_columns(struct warp *w, const struct mma *p, const struct form *f,
                             const struct mma_operand *b,
                             const struct row_factors rows[FRAGMENT_ROWS], int first) {
    struct column_factors columns = {0};
    const int place = first / SUM_COLUMNS * sum_registers(f->sum);
    uint32_t sums[FRAGMENT_ROWS][SUM_COLUMNS] = {0}, bits;
    for (int j = 0; j < SUM_COLUMNS; j++) {
        for (int k = 0; k < f->depth; k++) {
            if (!fetch(w, p->u, b, first + j, k, f->bytes, 'B', &bits)) return false;
            put_column(&columns, k, j, make_factor(f->type, bits ^ f->flip_b));
        }
    }
    if (!p->no_c)
        sums_of_registers(f->sum, w->row[p->u->detail->instruction.operand[SASS_C].number + place],
                          sums);
    for (int row = 0; row < FRAGMENT_ROWS; row++)
        add_products(f->sum, &rows[row], &columns, f->depth, sums[row]);
    registers_of_sums(f->sum, sums, w->row[p->u->d + place]);
    return true;
}

static void multiply(struct warp *w, const struct mma *p) {
    const struct form f = form_of(p->u->detail);
    const struct mma_operand b = read_descriptor(p->b, f.transpose_b);
    struct row_factors rows[FRAGMENT_ROWS];
    if (!rows_of_a(w, p, &f, rows)) return;
    for (int first = 0; first < f.columns; first += SUM_COLUMNS) {
        if (!multiply_columns(w, p, &f, &b, rows, first)) return;
    }
}

// Marks the shared memory that an MMA in flight will read.
static void mark_operands(struct warp *w, const struct mma *p) {
    const struct form f = form_of(p->u->detail);
    const struct mma_operand a = read_descriptor(p->a, f.transpose_a),
                             b = read_descriptor(p->b, f.transpose_b);
    const int first = (int)(w->index % GROUP_WARPS) * FRAGMENT_ROWS;
    for (int k = 0; k < f.depth; k++) {
        for (int row = 0; row < FRAGMENT_ROWS && !f.a_in_registers; row++) {
            const uint32_t at = place_of(&a, first + row, k, f.bytes);
            if (at % UNIT_BYTES == 0) shadow_read_async(w, p->u, at, UNIT_BYTES);
        }
        for (int column = 0; column < f.columns; column++) {
            const uint32_t at = place_of(&b, column, k, f.bytes);
            if (at % UNIT_BYTES == 0) shadow_read_async(w, p->u, at, UNIT_BYTES);
        }
    }
}

// Returns the number of registers for the sums of an MMA.
static int registers_of(const struct sass_instruction *in) {
    return sum_registers(in->modifiers.type ? SUM_FP32 : SUM_FP16) * (in->modifiers.shape + 1);
}

// If `held`, protects the registers that an MMA in flight reads; otherwise releases them. These are
// the registers of A, and those of C if the sums go to other registers.
static void hold(struct warp *w, const struct uop *u, bool held) {
    const struct sass_operand *o = u->detail->instruction.operand;
    const int sums = o[SASS_C].number != o[SASS_D].number && o[SASS_C].number != SASS_RZ
                         ? registers_of(&u->detail->instruction)
                         : 0;
    for (int i = 0; i < sums + REGISTERS_OF_A; i++) {
        if (i >= sums && o[SASS_A].kind != SASS_REGISTER) break;
        const uint32_t number =
            (uint32_t)(i < sums ? o[SASS_C].number + i : o[SASS_A].number + i - sums);
        struct cell *cell = &w->cell[number];
        cell->holds &= (uint8_t)((1u << SCOREBOARDS) - 1);
        if (held) {
            cell->holds |= 1u << HELD_BY_MMA;
            cell->read_order = 0;
            cell->read_lanes = ALL_LANES;
            cell->reader = u->detail->index;
        }
        note_busy(w, number);
    }
}

// Marks the registers of an MMA's sums as in flight (`ready` is IN_FLIGHT) or as complete.
static void mark(struct warp *w, const struct uop *u, uint64_t ready) {
    const int count = registers_of(&u->detail->instruction);
    for (int i = 0; i < count; i++) {
        struct cell *cell = &w->cell[u->d + i];
        cell->ready = ready;
        now_written(w, u->d + (uint32_t)i, ALL_LANES);
        note_busy(w, u->d + (uint32_t)i);
        cell->writer = u->detail->index;
        cell->lanes = ALL_LANES;
        cell->pending = 0;
    }
}

static uint64_t pair_at(const struct warp *w, uint32_t number) {
    if (number >= SASS_URZ) return 0;
    const uint32_t row = ROW_UNIFORM + number;
    return (uint64_t)w->row[row + 1][0] << 32 | w->row[row][0];
}

// Draws 32 rows of an operand for --picture, as if each lane loaded one. The MMA reads 32 bytes of
// a row, which are drawn as two requests of 16 bytes.
static void draw(struct warp *w, const struct detail *m, uint64_t descriptor) {
    const struct mma_operand o = read_descriptor(descriptor, false);
    const int bytes = form_of(m).bytes, elements = UNIT_BYTES / bytes;
    uint32_t address[LANES];
    for (int unit = 0; unit < 2; unit++) {
        for (int l = 0; l < LANES; l++) {
            address[l] = place_of(&o, l, unit * elements, bytes);
        }
        picture_draw(w, m, address, NULL, ALL_LANES, false);
    }
}

static void end_group(struct warp *w) {
    const uint32_t last = w->mmas.last_of[w->mmas.groups++ % GROUPS_KEPT];
    // a group without MMAs inherits the last MMA of the group before it
    w->mmas.last_of[w->mmas.groups % GROUPS_KEPT] = last;
}

static void run_hgmma(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t descriptors = m->instruction.operand[SASS_M].number;
    const bool registers = m->instruction.operand[SASS_A].kind == SASS_REGISTER;
    if (mask != ALL_LANES || w->lanes != ALL_LANES) {
        checks_report(w, REPORT_LANE, m->index, first_lane(mask), false,
                      "executes an MMA of four whole warps with the lanes 0x%08x only", mask);
        return;
    }
    if (!w->mmas.may_multiply) {
        checks_report(w, REPORT_PROXY, m->index, -1, false,
                      "adds to registers, and no WARPGROUP.ARRIVE (wgmma.fence) came before it");
        w->mmas.may_multiply = true;
    }
    w->mmas.sum = w->mmas.sum * 31 + m->index + 1;
    w->mmas.last = m->index;
    MAKE_ROOM(w->mmas.mma, w->mmas.count, w->mmas.capacity);
    w->mmas.mma[w->mmas.count++] = (struct mma){.u = u,
                                                .a = registers ? 0 : pair_at(w, descriptors),
                                                .b = pair_at(w, descriptors + 2),
                                                .no_c = m->wide || !(predicate_p(w, m) & 1),
                                                .group = w->mmas.groups,
                                                .number = order_async_begin(w)};
    w->mmas.last_of[w->mmas.groups % GROUPS_KEPT] = w->mmas.mma[w->mmas.count - 1].number;
    if (w->block->ordering) mark_operands(w, &w->mmas.mma[w->mmas.count - 1]);
    if (w->block->launch->picture) {
        const struct mma *p = &w->mmas.mma[w->mmas.count - 1];
        const struct form f = form_of(m);
        if (!registers && !f.transpose_a) draw(w, m, p->a);
        if (!f.transpose_b) draw(w, m, p->b);
    }
    mark(w, u, IN_FLIGHT);
    hold(w, u, true);
    if (m->instruction.operand[SASS_X].number == 0) end_group(w); // gsb0 closes the group
}

// Without optimisation, ptxas closes a group by an extra MMA with zero descriptors, whose FP16 sums
// nothing reads.
static void run_group_end(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t descriptors = u->detail->instruction.operand[SASS_M].number;
    if ((pair_at(w, descriptors) || pair_at(w, descriptors + 2)) && u->d < ROW_ZERO)
        run_hgmma(w, u, mask);
    else
        end_group(w);
}

static sim_execute *bind_hgmma(struct detail *d) {
    const struct sass_instruction *in = &d->instruction;
    const uint32_t registers = (uint32_t)registers_of(in);
    const bool no_c = d->pp == PREDICATE_UNIFORM + PREDICATE_TRUE && d->pp_flip;
    d->program->partial_barriers = d->program->reads_async = true;
    if (in->modifiers.source_type > 2 || (!in->modifiers.type && in->modifiers.source_type))
        return NULL;
    d->shift = (uint8_t[]){FACTOR_FP16, FACTOR_BF16, FACTOR_TF32}[in->modifiers.source_type];
    d->wide = in->operand[SASS_C].number == SASS_RZ;
    d->width = UNIT_BYTES; // for --picture, which reads the width
    if (!d->wide && in->operand[SASS_C].number + registers > ROW_ZERO) return NULL;
    const bool deep = sass_has(in, SASS_HAS_hgmma_16);
    if (in->modifiers.type == 0 && in->modifiers.shape == 0 && no_c &&
        in->operand[SASS_A].kind != SASS_REGISTER && in->operand[SASS_X].number == 0)
        return run_group_end;
    if (d->uop->d + registers > ROW_ZERO) return NULL;
    return deep == (d->shift != FACTOR_TF32) ? run_hgmma : NULL;
}

// Computes the MMAs in flight of warp `of` in groups below `groups`, and returns their number. `of`
// is w itself or another warp of its warpgroup. Records that w has waited for these groups to read
// shared memory.
static int run_mmas(const struct warp *w, struct warp *of, uint32_t groups) {
    int done = 0;
    for (; done < of->mmas.count && of->mmas.mma[done].group < groups; done++) {
        struct mma *p = &of->mmas.mma[done];
        if (!p->done) multiply(of, p);
        p->done = true;
    }
    if (groups && of->mmas.groups >= groups)
        order_async_waited(w, of, of->mmas.last_of[(groups - 1) % GROUPS_KEPT]);
    return done;
}

// WARPGROUP.DEPBAR waits until all groups but the last few have run. A group belongs to the whole
// warpgroup (PTX: "wgmma.commit_group ... per warpgroup"), so this also computes the other warps'
// MMAs of the group. After the wait, one thread of the warpgroup may release the operands' shared
// memory. But a warp's registers become available only after its own wait.
static void run_depbar(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t left = (uint32_t)u->detail->instruction.operand[SASS_I].value;
    const uint32_t groups = w->mmas.groups > left ? w->mmas.groups - left : 0;
    const uint32_t first = w->index / GROUP_WARPS * GROUP_WARPS, warps = w->block->launch->warps;
    for (uint32_t i = first; i < first + GROUP_WARPS && i < warps; i++)
        if (i != w->index) run_mmas(w, &w->block->warp[i], groups);
    const int done = run_mmas(w, w, groups);
    for (int i = 0; i < done; i++) {
        const struct mma *p = &w->mmas.mma[i];
        mark(w, p->u, w->clock);
        hold(w, p->u, false);
    }
    w->mmas.count -= done;
    if (done > 0)
        memmove(w->mmas.mma, w->mmas.mma + done, (size_t)w->mmas.count * sizeof *w->mmas.mma);
    for (int i = 0; i < w->mmas.count; i++)
        mark(w, w->mmas.mma[i].u, IN_FLIGHT), hold(w, w->mmas.mma[i].u, true);
}

bool warpgroup_has_issued(const struct warp *w, const struct uop *u) {
    const uint32_t left = (uint32_t)u->detail->instruction.operand[SASS_I].value;
    const uint32_t first = w->index / GROUP_WARPS * GROUP_WARPS, warps = w->block->launch->warps;
    for (uint32_t i = first; i < first + GROUP_WARPS && i < warps; i++) {
        const struct warp *other = &w->block->warp[i];
        if (other->state == WARP_READY && other->mmas.groups + left < w->mmas.groups) return false;
    }
    return true;
}
static sim_execute *bind_depbar(struct detail *d) {
    d->uop->wait |= WAIT_FOR_FOUR;
    return run_depbar;
}

// WARPGROUP.ARRIVE (PTX wgmma.fence). The simulator reports an MMA before the first fence. It does
// not report an MMA whose registers changed after the last fence.
static void run_arrive(struct warp *w, const struct uop *u, uint32_t mask) {
    w->mmas.may_multiply = true;
}

// USETMAXREG moves registers between a pool and the warp. It always succeeds in the simulator.
static void run_setmaxreg(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint8_t pu = u->detail->pu;
    if (pu != PREDICATE_TRASH) w->predicate[pu] = ALL_LANES;
}
static sim_execute *bind_setmaxreg(struct detail *d) {
    const int wanted = (int)d->instruction.operand[SASS_I].value;
    if (wanted > d->program->registers) d->program->registers = wanted;
    if (d->pu == PREDICATE_TRASH)
        d->uop->write_barrier = SASS_NO_BARRIER, d->uop->flags &= (uint8_t)~UOP_BARRIER;
    return run_setmaxreg;
}

const struct binding SIM_NAME(warpgroup_bindings)[] = {{SASS_HGMMA, .bind = bind_hgmma},
                                                       {SASS_WARPGROUP_DEPBAR, .bind = bind_depbar},
                                                       {SASS_WARPGROUP_ARRIVE, .run = run_arrive},
                                                       {SASS_USETMAXREG, .bind = bind_setmaxreg},
                                                       {.opcode = SASS_OPCODE_COUNT}};
