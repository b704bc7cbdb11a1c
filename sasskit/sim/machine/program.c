// Prepares a kernel for execution: decodes every instruction once, converts its operands to rows,
// lists the cells that it reads and writes, and computes its register-bank cycles.
#include "isa/banks.h"
#include "isa/chip.h"
#include "isa/codec.h"
#include "isa/cubin.h"
#include "isa/place.h"
#include "kernel.h"
#include "observed.h"
#include "room.h"

#include <stdlib.h>

// Keeps the compiler from inlining a function that runs once per program. A browser would otherwise
// spend its time on optimising one large function.
#define APART __attribute__((noinline))

enum { ROW_BYTES = sizeof(uint32_t[LANES]) };

// --- rows of constants ---------------------------------------------------------------------------

static uint32_t new_row(struct program *p) {
    if (p->constant_count == p->constant_capacity) {
        const uint32_t capacity = p->constant_capacity ? 2 * p->constant_capacity : 64;
        uint32_t(*more)[LANES] = aligned_alloc(64, (size_t)capacity * ROW_BYTES);
        if (!more) abort();
        if (p->constant) memcpy(more, p->constant, (size_t)p->constant_count * ROW_BYTES);
        free(p->constant);
        p->constant = more;
        p->constant_capacity = capacity;
    }
    return p->constant_count++;
}

static uint32_t immediate_row(struct program *p, uint32_t value) {
    const uint32_t row = new_row(p);
    for (int l = 0; l < LANES; l++) p->constant[row][l] = value;
    return row * ROW_BYTES;
}

uint32_t program_bank_row(struct program *p, int bank, int32_t offset) {
    MAKE_ROOM(p->bank_row, p->bank_row_count, p->bank_row_capacity);
    const uint32_t row = new_row(p);
    memset(p->constant[row], 0, ROW_BYTES);
    p->bank_row[p->bank_row_count++] = (struct constant_row){row, (uint8_t)bank, offset};
    return row * ROW_BYTES;
}

void program_fill_constants(struct program *p, uint8_t *const bank[8], const uint32_t bytes[8]) {
    for (uint32_t i = 0; i < p->bank_row_count; i++) {
        const struct constant_row *r = &p->bank_row[i];
        uint32_t value = 0;
        if (r->bank < 8 && r->offset >= 0 && (uint32_t)r->offset + 4 <= bytes[r->bank])
            memcpy(&value, bank[r->bank] + r->offset, 4);
        for (int l = 0; l < LANES; l++) p->constant[r->row][l] = value;
    }
}

// --- operands ------------------------------------------------------------------------------------

static const enum sass_role source_roles[3] = {SASS_A, SASS_B, SASS_C};

static void set_source(struct uop *u, int i, int base, uint32_t offset) {
    u->source_base[i] = (uint8_t)base;
    u->source[i] = offset;
}

static void bind_source(struct program *p, struct uop *u, int i, const struct sass_operand *o) {
    switch (o->kind) {
    case SASS_REGISTER:
        set_source(u, i, 0, o->number * ROW_BYTES);
        break;
    case SASS_UNIFORM_REGISTER:
        set_source(u, i, 0, (ROW_UNIFORM + o->number) * (uint32_t)ROW_BYTES);
        break;
    case SASS_INTEGER:
    case SASS_FLOAT:
    case SASS_HALF2:
        set_source(u, i, 1, immediate_row(p, (uint32_t)o->value));
        break;
    case SASS_CONSTANT:
        set_source(u, i, 1, program_bank_row(p, o->bank, (int32_t)o->value));
        break;
    default:
        set_source(u, i, 0, ROW_ZERO * ROW_BYTES);
        break;
    }
}

void program_immediate_pair(const struct detail *d, int i, uint64_t value) {
    set_source(d->uop, i, 1, immediate_row(d->program, (uint32_t)value));
    immediate_row(d->program, (uint32_t)(value >> 32));
}

void program_pair(const struct detail *d, int i) {
    struct program *p = d->program;
    struct uop *u = d->uop;
    const struct sass_operand *o = &d->instruction.operand[source_roles[i]];
    // DADD and DSETP have operand B in the position of C
    if (i == 1 && o->kind == SASS_NONE) o = &d->instruction.operand[SASS_C];
    uint64_t value = 0;
    switch (o->kind) {
    case SASS_REGISTER:
    case SASS_UNIFORM_REGISTER:
        if (o->number != (o->kind == SASS_REGISTER ? SASS_RZ : SASS_URZ)) return;
        break;
    case SASS_CONSTANT:
        set_source(u, i, 1, program_bank_row(p, o->bank, (int32_t)o->value));
        program_bank_row(p, o->bank, (int32_t)o->value + 4);
        return;
    case SASS_DOUBLE:
        value = (uint64_t)o->value;
        break;
    case SASS_INTEGER:
    case SASS_FLOAT:
        value = (uint64_t)o->value << 32;
        break;
    default:
        break;
    }
    program_immediate_pair(d, i, value);
}

// Sets `keep` and `flip` for |x| and -x of floating-point operands. Bind functions negate integers.
static void bind_signs(struct detail *d) {
    const enum sass_pipe pipe = d->instruction.form->pipe;
    const struct sass_facts *facts = sass_facts_of(&d->instruction);
    const bool of_floats = pipe == SASS_PIPE_FMA || pipe == SASS_PIPE_FP64 || pipe == SASS_PIPE_XU;
    const bool floating = facts->floating || (of_floats && !facts->integer);
    for (int i = 0; i < 3; i++) {
        const struct sass_operand *o = &d->instruction.operand[source_roles[i]];
        d->keep[i] = ALL_LANES;
        if (!floating) continue;
        if (o->absolute) d->keep[i] = 0x7fffffff;
        if (o->negate) d->flip[i] = 0x80000000;
    }
}

static uint8_t read_predicate(const struct sass_operand *o, uint32_t *flip) {
    *flip = 0;
    if (o->kind != SASS_PREDICATE && o->kind != SASS_UNIFORM_PREDICATE) return PREDICATE_TRUE;
    if (o->negate) *flip = ALL_LANES;
    return (uint8_t)((o->number & 7) + (o->kind == SASS_UNIFORM_PREDICATE ? PREDICATE_UNIFORM : 0));
}
static uint8_t written_predicate(const struct sass_operand *o) {
    if ((o->kind != SASS_PREDICATE && o->kind != SASS_UNIFORM_PREDICATE) || o->number == SASS_PT)
        return PREDICATE_TRASH;
    return (uint8_t)(o->number + (o->kind == SASS_UNIFORM_PREDICATE ? PREDICATE_UNIFORM : 0));
}

static void bind_operands(struct program *p, struct uop *u, struct detail *d) {
    const struct sass_operand *o = d->instruction.operand;
    const enum sass_opcode opcode = d->instruction.form->opcode;
    for (int i = 0; i < 3; i++) bind_source(p, u, i, &o[source_roles[i]]);
    bind_signs(d);
    const bool moved = (opcode == SASS_FADD || opcode == SASS_FADD2 || opcode == SASS_UFADD ||
                        opcode == SASS_DADD || opcode == SASS_DSETP || opcode == SASS_ST) &&
                       o[SASS_B].kind == SASS_NONE;
    if (moved) { // the second operand is in the position of C
        u->source[1] = u->source[2];
        u->source_base[1] = u->source_base[2];
        d->keep[1] = d->keep[2];
        d->flip[1] = d->flip[2];
    }
    if (o[SASS_C].kind == SASS_NONE || moved) d->keep[2] = ALL_LANES, d->flip[2] = 0;
    u->d = ROW_TRASH;
    if (o[SASS_D].kind == SASS_REGISTER && o[SASS_D].number != SASS_RZ) u->d = o[SASS_D].number;
    if (o[SASS_D].kind == SASS_UNIFORM_REGISTER && o[SASS_D].number != SASS_URZ)
        u->d = ROW_UNIFORM + o[SASS_D].number;
    d->pu = written_predicate(&o[SASS_PU]);
    d->pv = written_predicate(&o[SASS_PV]);
    d->pp = read_predicate(&o[SASS_PP], &d->pp_flip);
    d->pq = read_predicate(&o[SASS_PQ], &d->pq_flip);
    d->pr = read_predicate(&o[SASS_PR], &d->pr_flip);
}

const char *program_cell(uint32_t cell, char name[8]) {
    static const char *const kind[] = {"R", "UR", "P", "UP"};
    const uint32_t first[] = {0, CELL_UNIFORM, CELL_PREDICATE, CELL_PREDICATE + PREDICATE_UNIFORM,
                              CELL_NONE};
    for (int i = 0; i < 4; i++) {
        if (cell < first[i] || cell >= first[i + 1]) continue;
        snprintf(name, 8, "%s%u", kind[i], cell - first[i]);
        return name;
    }
    return NULL;
}

// --- hazards -------------------------------------------------------------------------------------

static uint32_t cell_of(const struct sass_touch *t, int i) {
    const uint32_t number = t->first + (uint32_t)i;
    if (t->predicate) return CELL_PREDICATE + (number & 7) + (t->uniform ? 8u : 0u);
    return t->uniform ? CELL_UNIFORM + number : number & 255;
}

static uint16_t cell_offset(uint16_t cell) {
    return (uint16_t)(cell * sizeof(struct cell));
}

static void list_cells(struct uop *u, struct detail *d) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(&d->instruction, touches);
    struct uop_cells *c = &d->cells;
    // the results in adjacent cells that cell_out and out_count of the uop describe
    const struct sass_touch *run = NULL;
    const bool runs_on = sass_runs_on(d->instruction.form);
    for (int t = 0; t < count; t++) {
        // warpgroup.c checks the registers with the sums of warpgroup MMAs.
        if (runs_on && (touches[t].role == SASS_D || touches[t].role == SASS_C)) continue;
        if (touches[t].write && !run) run = &touches[t];
        for (int i = 0; i < touches[t].count; i++) {
            const uint16_t cell = (uint16_t)cell_of(&touches[t], i);
            if (touches[t].write && c->out_count < SASS_MAX_TOUCHES) {
                c->written[c->out_count] = touches[t];
                c->out[c->out_count++] = cell;
            } else if (!touches[t].write && c->in_count < SASS_MAX_TOUCHES) {
                c->read[c->in_count] = touches[t];
                c->in[c->in_count++] = cell;
            }
        }
    }
    for (int i = 0; i < 4; i++) u->cell_in[i] = cell_offset(i < c->in_count ? c->in[i] : CELL_NONE);
    u->cell_out = run ? c->out[0] : CELL_TRASH;
    u->out_count = run ? run->count : 0;
    if (c->in_count > 4 || c->out_count > u->out_count) u->flags |= UOP_SLOW;
}

static void bind_control_field(struct uop *u, struct detail *d) {
    const struct sass_control *c = &d->instruction.control;
    u->stall = (uint8_t)sass_cycles(&d->instruction);
    u->wait = c->wait & 63;
    u->write_barrier = c->write_barrier;
    u->read_barrier = c->read_barrier;
    const bool predicate = u->cell_out >= CELL_PREDICATE && u->cell_out < CELL_NONE;
    for (int i = 0; i < 2; i++) d->longest[i] = (uint8_t)sass_longest_distance(&d->instruction, i);
    u->latency = d->longest[predicate];
    const bool held_back = sass_holds_back(&d->instruction);
    d->queue = (uint8_t)(held_back ? SASS_QUEUE_NONE : sass_queue(d->instruction.form));
    const bool reads_late = sass_reads_late(d->instruction.form) && !held_back;
    d->unit = sass_unit(d->instruction.form);
    for (int i = 0; i < d->cells.in_count; i++)
        d->cells.held |= (uint32_t)sass_is_held(&d->instruction, &d->cells.read[i]) << i;
    const bool variable = d->cells.out_count > 0 && sass_is_variable(&d->instruction) && !held_back;
    if (variable) u->flags |= UOP_VARIABLE;
    if (variable || c->write_barrier < SCOREBOARDS || c->read_barrier < SCOREBOARDS || reads_late ||
        d->cells.held)
        u->flags |= UOP_BARRIER;
}

static int slot_register(const struct sass_instruction *i, int slot) {
    const struct sass_operand *o = &i->operand[source_roles[slot]];
    return o->kind == SASS_REGISTER && o->number != SASS_RZ ? o->number : -1;
}
// Sets d->stale if a reuse flag is wrong. Either its operand is no register, or the register was
// written after it was cached.
static void check_reuse(struct program *p, uint32_t index) {
    struct detail *d = &p->detail[index];
    static const char *const names[3] = {"A", "B", "C"};
    for (int s = 0; s < 3 && !d->stale; s++) {
        const int number = slot_register(&d->instruction, s);
        char text[160];
        if (d->instruction.control.reuse >> s & 1 && number < 0 &&
            d->instruction.form->pipe != SASS_PIPE_TEX)
            snprintf(text, sizeof text, "has a reuse flag for operand %s, which is no register",
                     names[s]);
        else if (sass_is_stale(&d->instruction, sizeof *d, index, SASS_A + s))
            snprintf(text, sizeof text,
                     "reads R%d from the reuse cache of operand %s, where an instruction before "
                     "put it before it was written anew",
                     number, names[s]);
        else
            continue;
        d->stale = strdup(text);
    }
    if (d->stale) p->code[index].flags |= UOP_SLOW;
}

APART static void count_banks(struct program *p) {
    struct sass_reuse_cache cache = {0};
    for (uint32_t i = 0; i < p->count; i++) {
        struct detail *d = &p->detail[i];
        struct sass_reuse_cache empty = {0};
        if (d->unknown) {
            cache = empty;
            continue;
        }
        struct sass_reuse_cache before = cache, same = cache;
        sass_bank_reads(&d->instruction, &before, d->bank_reads);
        d->reuse_hits = sass_h200_reads(&d->instruction, &same).hits;
        d->bank_cycles = sass_bank_cycles(&d->instruction, &cache);
        d->bank_cycles_jump = sass_bank_cycles(&d->instruction, &empty);
        check_reuse(p, i);
    }
}

// --- whole programs ------------------------------------------------------------------------------

APART static void decode(struct program *p, uint32_t index) {
    struct uop *u = &p->code[index];
    struct detail *d = &p->detail[index];
    struct error error = {0};
    *d = (struct detail){
        .program = p, .uop = u, .index = index, .pu = PREDICATE_TRASH, .pv = PREDICATE_TRASH};
    *u = (struct uop){
        .detail = d, .guard = PREDICATE_TRUE, .stall = 1, .write_barrier = 7, .read_barrier = 7};
    for (int i = 0; i < 4; i++) u->cell_in[i] = cell_offset(CELL_NONE);
    u->cell_out = CELL_TRASH;
    if (index == p->count) {
        d->unknown = strdup("ran past the end of the kernel's code");
    } else if (!sass_decode(cubin_word(p->kernel, index), (uint64_t)index * SASS_BYTES,
                            &d->instruction, &error)) {
        d->unknown = strdup(error.message);
        d->instruction = (struct sass_instruction){.word = cubin_word(p->kernel, index)};
    } else {
        const struct sass_instruction *i = &d->instruction;
        u->guard = (uint8_t)(i->guard + (i->guard_uniform ? PREDICATE_UNIFORM : 0));
        u->guard_negate = i->guard_negate;
        if (i->form->pipe == SASS_PIPE_UNIFORM) u->flags |= UOP_UNIFORM;
        if (i->form->opcode == SASS_S2UR || i->form->opcode == SASS_LDCU) u->flags |= UOP_UNIFORM;
        bind_operands(p, u, d);
        list_cells(u, d);
        bind_control_field(u, d);
        if (is_observed(d)) u->flags |= UOP_OBSERVED;
    }
    u->execute = p->engine->bind(d);
    if (u->guard != PREDICATE_TRUE || u->guard_negate) u->flags |= UOP_GUARDED;
}

// Returns true if source cell k of instruction i is ready in time in straight-line code, whichever
// earlier instruction wrote the cell.
APART static bool is_sound(const struct program *p, uint32_t i, int k, uint32_t longest) {
    const struct detail *d = &p->detail[i];
    uint32_t cycles = 0;
    for (uint32_t j = i; j-- > 0 && (cycles += p->code[j].stall) < longest;) {
        const struct detail *from = &p->detail[j];
        for (int n = 0; n < from->cells.out_count; n++) {
            if (from->cells.out[n] == d->cells.in[k] &&
                from->longest[from->cells.written[n].predicate] &&
                sass_judge_result(&from->instruction, &d->instruction, &d->cells.read[k], cycles) !=
                    SASS_SOUND)
                return false;
        }
    }
    return true;
}

// Sets UOP_SOUND of instructions whose fixed-latency sources are ready in time in straight-line
// code.
APART static void find_sound(struct program *p) {
    uint64_t clock = 0, ready[CELLS] = {0}; // cycles as if all code were straight-line
    uint32_t longest = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        for (int k = 0; k < 2; k++)
            if (p->detail[i].longest[k] > longest) longest = p->detail[i].longest[k];
    }
    for (uint32_t i = 0; i < p->count; clock += p->code[i++].stall) {
        const struct uop_cells *c = &p->detail[i].cells;
        struct uop *u = &p->code[i];
        uint32_t cycles = 0;
        bool sound = true;
        for (int k = 0; k < c->in_count; k++)
            sound &= ready[c->in[k]] <= clock || is_sound(p, i, k, longest);
        u->streak &= sound && !u->flags;
        if (sound) u->flags |= UOP_SOUND;
        for (int k = 0; k < c->out_count; k++) {
            // 0 if the latency is variable; then warp.busy has the register
            const uint32_t distance = p->detail[i].longest[c->written[k].predicate];
            u->streak &= ready[c->out[k]] <= clock;
            if (clock + distance > ready[c->out[k]]) ready[c->out[k]] = clock + distance;
        }
        while (u->behind < UINT8_MAX && u->behind < i && cycles < longest)
            cycles += u[-++u->behind].stall;
        if (cycles < longest) u->behind = UINT8_MAX;
    }
}

// Finds streaks: runs of FFMAs whose only possible hazards are variable-latency results.
APART static void find_streaks(struct program *p) {
    for (uint32_t i = p->count; i--;) {
        struct uop *u = &p->code[i];
        const struct sass_operand *o = p->detail[i].instruction.operand;
        uint64_t *registers = p->streak_registers[i];
        if (!u->streak) continue;
        p->ffma[i] = (struct ffma){(uint8_t)o[SASS_A].number,
                                   (uint8_t)o[SASS_B].number,
                                   (uint8_t)o[SASS_C].number,
                                   (uint8_t)u->d,
                                   u->stall,
                                   u->latency};
        if (u[1].streak && !u[1].wait && u[1].streak < UINT8_MAX) {
            u->streak = (uint8_t)(u[1].streak + 1);
            u->cycles = u[1].cycles;
            u->late = u[1].late;
            memcpy(registers, registers + 2 * REGISTER_WORDS, sizeof *p->streak_registers);
        }
        u->cycles = (uint16_t)(u->cycles + u->stall);
        u->late = (uint8_t)(u->late + (u->cycles < u->latency));
        const uint8_t touched[] = {p->ffma[i].a, p->ffma[i].b, p->ffma[i].c, p->ffma[i].d};
        for (int k = 0; k < 4; k++) registers[touched[k] / 64] |= (uint64_t)1 << touched[k] % 64;
        registers[REGISTER_WORDS + u->d / 64] |= (uint64_t)1 << u->d % 64;
    }
}

// Marks the loads and stores of spilled registers that the cubin lists.
static void mark_spills(struct program *p) {
    for (int i = 0; i < p->kernel->spill_count; i++) {
        const uint32_t index = p->kernel->spills[i] / SASS_BYTES;
        if (index >= p->count || !p->detail[index].instruction.form) continue;
        const enum sass_opcode opcode = p->detail[index].instruction.form->opcode;
        // the code may have been edited after it was compiled
        p->detail[index].spills = opcode == SASS_LDL || opcode == SASS_STL;
    }
}

// Returns true if an LDG on source line `line` comes before instruction `store`.
static bool loads_on_line(const struct program *p, uint32_t store, uint32_t line) {
    for (uint32_t i = store; i-- > 0;)
        if (p->detail[i].instruction.form && p->detail[i].instruction.form->opcode == SASS_LDG &&
            place_own_line(p->kernel, i) == line)
            return true;
    return false;
}

// Adds to a set the general registers that an instruction reads as data, not as an address.
static void add_data(const struct detail *d, bool needed[SASS_RZ + 1]) {
    for (int k = 0; k < d->cells.in_count; k++) {
        const struct sass_touch *touch = &d->cells.read[k];
        const bool data = !touch->uniform && !touch->predicate && touch->role != SASS_M;
        if (data && d->cells.in[k] < SASS_RZ) needed[d->cells.in[k]] = true;
    }
}

// Returns true if the STG's value is computed from an LDG of the same address. The LDG must be
// near, and nothing in between may change the address.
static bool stores_what_it_loads(const struct program *p, uint32_t store) {
    enum { BEHIND = 64 };
    const struct detail *d = &p->detail[store];
    const struct sass_operand *address = &d->instruction.operand[SASS_M];
    bool needed[SASS_RZ + 1] = {false};
    add_data(d, needed);
    for (uint32_t back = 1; back <= store && back <= BEHIND; back++) {
        const struct detail *other = &p->detail[store - back];
        const bool loads = other->instruction.form && sass_facts_of(&other->instruction)->load;
        bool gives = false;
        for (int k = 0; k < other->cells.out_count; k++) {
            const uint16_t out = other->cells.out[k];
            const struct sass_touch *touch = &other->cells.written[k];
            const bool is_data = !touch->uniform && !touch->predicate && out < SASS_RZ;
            gives |= is_data && needed[out];
            if (is_data && loads) needed[out] = false;
        }
        if (gives && other->instruction.form->opcode == SASS_LDG && same_place(other, d))
            return true;
        for (int k = 0; k < other->cells.out_count; k++)
            if (address->has_base && other->cells.out[k] == address->number) return false;
        if (gives && !loads) add_data(other, needed);
    }
    return false;
}

// Marks the stores to device memory that change an element, as in x[i] += y.
static void mark_changes(struct program *p) {
    enum source_change change = CHANGE_UNKNOWN;
    const char *text = NULL;
    uint32_t line = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        struct detail *d = &p->detail[i];
        if (d->unknown || !d->instruction.form || d->instruction.form->opcode != SASS_STG) continue;
        if (sass_is_strong(&d->instruction)) continue;
        const uint32_t at = place_own_line(p->kernel, i);
        if (at != line || !i) {
            const struct code_place place = place_of(p->kernel, i);
            text = source_line(place.file, place.line);
            change = text ? source_change(text) : CHANGE_UNKNOWN;
            line = at;
        }
        const bool by_source = change == CHANGE_ADDS || change == CHANGE_COMPUTES;
        d->changes = by_source ? loads_on_line(p, i, at)
                               : change == CHANGE_UNKNOWN && stores_what_it_loads(p, i);
        d->adds = d->changes && (!text || change == CHANGE_ADDS);
    }
}

// Returns the number that instruction i - 1 moves into the base register of instruction i's
// constant operand; 0 if it moves none. Code for a debugger (-G) reads bank 0 in this way.
static int64_t number_in(const struct program *p, uint32_t i, const struct sass_operand *o) {
    const struct sass_instruction *in = &p->detail[i > 0 ? i - 1 : 0].instruction;
    const struct sass_operand *from = &in->operand[SASS_B];
    const bool moves = i > 0 && in->form && in->form->opcode == SASS_MOV && o->has_base;
    const bool to_base = in->operand[SASS_D].number == o->number;
    return moves && to_base && from->kind == SASS_INTEGER ? from->value : 0;
}

// Finds which of the driver's words in constant bank 0 the kernel reads.
static void find_driver_words(struct program *p) {
    const struct sass_bank0 *there = p->kernel->chip->bank0;
    for (uint32_t i = 0; i < p->count * SASS_ROLE_COUNT; i++) {
        const uint32_t index = i / SASS_ROLE_COUNT;
        const struct sass_operand *o = &p->detail[index].instruction.operand[i % SASS_ROLE_COUNT];
        if (o->kind != SASS_CONSTANT || o->bank != 0) continue;
        const int64_t at = o->value + number_in(p, index, o);
        p->reads_reserved |= (uint64_t)(at - there->reserved_one) < 4;
        p->reads_parameters |= (uint64_t)(at - there->parameters) < 8;
        p->reads_constants |= (uint64_t)(at - there->constants) < 8;
        p->reads_workspace |= (uint64_t)(at - there->workspace) < 8;
    }
    p->reads_reserved &= there->reserved_one != SASS_NOT_THERE;
}

static struct program *program_open(struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                    const struct engine *engine) {
    struct program *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->cubin = cubin;
    p->kernel = kernel;
    p->count = (uint32_t)kernel->count;
    p->engine = engine;
    p->registers = kernel->registers;
    p->code = aligned_alloc(64, (((size_t)p->count + 1) * sizeof *p->code + 63) / 64 * 64);
    p->detail = calloc((size_t)p->count + 1, sizeof *p->detail);
    p->ffma = calloc((size_t)p->count + 1, sizeof *p->ffma);
    p->streak_registers = calloc((size_t)p->count + 1, sizeof *p->streak_registers);
    if (!p->code || !p->detail || !p->ffma || !p->streak_registers) return program_close(p), NULL;
    for (uint32_t i = 0; i <= p->count; i++) decode(p, i);
    find_driver_words(p);
    mark_spills(p);
    mark_changes(p);
    count_banks(p);
    find_sound(p);
    find_streaks(p);
    program_find_polls(p);
    program_find_arrays(p);
    return program_follow(p) ? p : (program_close(p), NULL);
}

struct program *kernel_program(const struct sim_kernel *kernel) {
    struct sim_kernel *k = (struct sim_kernel *)kernel; // the decoded program is a cache
    if (!k->program) k->program = program_open(&k->cubin, k->code, k->engine);
    return k->program;
}

void program_close(struct program *p) {
    if (!p) return;
    for (uint32_t i = 0; p->detail && i <= p->count; i++) {
        free(p->detail[i].stale);
        free(p->detail[i].unknown);
    }
    free(p->code);
    free(p->detail);
    free(p->ffma);
    free(p->streak_registers);
    free(p->constant);
    free(p->bank_row);
    free(p);
}

void program_text(const struct program *p, uint32_t index, char *text, size_t size) {
    char body[SASS_MAX_TEXT] = "?";
    if (index < p->count && !p->detail[index].unknown) {
        sass_print(&p->detail[index].instruction, NULL, body, sizeof body);
    } else if (index < p->count && p->detail[index].instruction.form) {
        sass_print(&p->detail[index].instruction, NULL, body, sizeof body);
    } else if (index < p->count) {
        snprintf(body, sizeof body, "0x%016llx 0x%016llx",
                 (unsigned long long)p->detail[index].instruction.word.low,
                 (unsigned long long)p->detail[index].instruction.word.high);
    }
    snprintf(text, size, "`%s` at 0x%x", body, index * SASS_BYTES);
}

void run_nothing(struct warp *w, const struct uop *u, uint32_t mask) {
}
