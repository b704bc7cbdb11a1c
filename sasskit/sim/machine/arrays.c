// Finds the stack variable that each memory access belongs to, in code compiled by nvcc -G.
//
// Such code adds a variable's offset to the generic address of the stack, and then adds indices to
// the sum. So the first addition identifies the variable, and every address computed from its sum
// must stay inside this variable. A value is unknown where paths with different values join, after
// a call, and if it was loaded from memory. Optimised code has no table of variables and is not
// examined.
#include "isa/chip.h"
#include "machine.h"
#include "successors.h"

#include <stdlib.h>

// What is known about a register's value.
struct array_value {
    // WINDOW: first generic address of local memory; FRAME: stack address in local memory; STACK:
    // generic stack address; OBJECT: address computed from a variable's generic address.
    enum { NOT_REACHED, UNKNOWN, NUMBER, WINDOW, FRAME, STACK, OBJECT } kind;
    // NUMBER: its value. FRAME, STACK: distance in bytes from the stack pointer at the function's
    // start. OBJECT: this distance for the first sum, which identifies the variable.
    int32_t at;
};
enum { REGISTERS = 255 };
struct array_state {
    struct array_value of[REGISTERS];
};

static const struct array_value unknown = {UNKNOWN, 0};

static struct array_value number(int64_t value) {
    return value >= INT32_MIN && value <= INT32_MAX ? (struct array_value){NUMBER, (int32_t)value}
                                                    : unknown;
}

static struct array_value source(const struct program *p, const struct array_state *s,
                                 const struct sass_operand *o) {
    const struct sass_bank0 *bank = p->kernel->chip->bank0;
    if (o->negate || o->invert || o->absolute) return unknown;
    switch (o->kind) {
    case SASS_NONE:
        return number(0);
    case SASS_REGISTER:
        return o->number == SASS_RZ ? number(0) : s->of[o->number];
    case SASS_INTEGER:
        return number((int32_t)o->value);
    case SASS_CONSTANT:
        if (o->bank || (o->has_base && o->number != SASS_RZ) || o->has_uniform) return unknown;
        return o->value == bank->local_window ? (struct array_value){WINDOW, 0}
               : o->value == bank->stack      ? (struct array_value){FRAME, 0}
                                              : unknown;
    default:
        return unknown;
    }
}

static struct array_value moved(struct array_value place, int64_t by, int kind) {
    const struct array_value at = number(place.at + by);
    return at.kind == NUMBER ? (struct array_value){kind, at.at} : unknown;
}

static struct array_value sum(struct array_value a, struct array_value b) {
    if (a.kind < b.kind) return sum(b, a);
    if (a.kind == OBJECT) return b.kind < FRAME ? a : unknown;
    if (a.kind == FRAME && b.kind == WINDOW) return (struct array_value){STACK, a.at};
    if (b.kind != NUMBER) return unknown;
    return a.kind == NUMBER || a.kind == FRAME ? moved(a, b.at, a.kind)
           : a.kind == STACK                   ? moved(a, b.at, OBJECT)
                                               : unknown;
}

static bool is_zero(const struct sass_operand *o) {
    return o->kind == SASS_NONE || (o->kind == SASS_REGISTER && o->number == SASS_RZ) ||
           (o->kind == SASS_INTEGER && o->value == 0);
}

// Returns what is known about the low word of the instruction's result.
static struct array_value result_of(const struct program *p, const struct array_state *s,
                                    const struct sass_instruction *in) {
    const struct sass_operand *o = in->operand;
    const struct array_value a = source(p, s, &o[SASS_A]), b = source(p, s, &o[SASS_B]),
                             c = source(p, s, &o[SASS_C]);
    if (in->modifiers.extended || in->modifiers.high) return unknown;
    switch (in->form->opcode) {
    case SASS_MOV:
    case SASS_MOV_64:
        return b;
    case SASS_LDC:
        return source(p, s, &o[SASS_M]);
    case SASS_LOP3: { // aligns to 16 bytes, as R1 is at the function's start
        const bool rounds = o[SASS_I].value == 0xc0 && o[SASS_B].kind == SASS_INTEGER &&
                            (int32_t)o[SASS_B].value == -16;
        return rounds && is_zero(&o[SASS_C]) && a.kind == FRAME
                   ? (struct array_value){FRAME, a.at & -16}
                   : unknown;
    }
    case SASS_IADD3:
        return is_zero(&o[SASS_C]) ? sum(a, b) : sum(sum(a, b), c);
    case SASS_IADD:
    case SASS_IADD_64:
        return sum(a, b);
    case SASS_IMAD:
    case SASS_IMAD_WIDE:
        return is_zero(&o[SASS_A]) || is_zero(&o[SASS_B]) ? c : c.kind == OBJECT ? c : unknown;
    case SASS_LEA:
        return b.kind == OBJECT ? b : unknown;
    default:
        return unknown;
    }
}

static bool same(struct array_value a, struct array_value b) {
    return a.kind == b.kind && a.at == b.at;
}

static void execute(const struct program *p, struct array_state *s, uint32_t i) {
    const struct detail *d = &p->detail[i];
    if (d->unknown) return;
    const struct sass_instruction *in = &d->instruction;
    const struct array_value result = result_of(p, s, in);
    const struct sass_operand *to = &in->operand[SASS_D];
    for (int k = 0; k < d->cells.out_count; k++) {
        const uint32_t cell = d->cells.out[k];
        if (cell >= REGISTERS) continue;
        const bool low = to->kind == SASS_REGISTER && to->number == cell;
        const struct array_value value = low ? result : unknown;
        s->of[cell] = sass_always(in) || same(s->of[cell], value) ? value : unknown;
    }
    if (in->form->opcode != SASS_CALL) return;
    for (int r = 0; r < REGISTERS; r++) // a called function preserves R1, the stack pointer
        if (r != 1) s->of[r] = unknown;
}

// Merges `from` into the state at the start of a basic block. Returns true if that state changes.
static bool merge(struct array_state *into, const struct array_state *from) {
    bool changes = false;
    for (int r = 0; r < REGISTERS; r++) {
        if (same(into->of[r], from->of[r]) || into->of[r].kind == UNKNOWN) continue;
        into->of[r] = into->of[r].kind == NOT_REACHED ? from->of[r] : unknown;
        changes = true;
    }
    return changes;
}

// Returns the stack variable that contains `place`, a distance like array_value.at, in the function
// at byte `function` of the code. Returns NULL if no variable does, or several different ones do.
static const struct sass_array *variable_at(const struct sass_kernel *k, uint32_t function,
                                            int32_t place) {
    const struct sass_array *found = NULL;
    for (int i = 0; i < k->array_count; i++) {
        const struct sass_array *a = &k->arrays[i];
        if (a->function != function || place < a->distance ||
            place - a->distance >= (int64_t)a->bytes)
            continue;
        if (found && (found->distance != a->distance || found->bytes != a->bytes)) return NULL;
        found = a;
    }
    return found;
}

// Sets detail.array of a memory access, and the variable's distance from the stack pointer.
static void note(struct program *p, const struct array_state *s, uint32_t i, uint32_t function) {
    struct detail *d = &p->detail[i];
    const struct sass_operand *at = &d->instruction.operand[SASS_M];
    if (d->unknown || !sass_facts_of(&d->instruction)->memory || at->kind != SASS_ADDRESS ||
        !at->has_base)
        return;
    if (at->number == SASS_RZ || at->has_uniform || at->scale || s->of[1].kind != FRAME) return;
    const struct array_value base = s->of[at->number];
    const struct sass_array *a =
        base.kind == OBJECT ? variable_at(p->kernel, function, base.at) : NULL;
    d->array = a;
    d->array_at = a ? a->distance - s->of[1].at : 0;
}

// Working memory of the analysis: arrays with one element per instruction.
struct array_search {
    // [instruction] what is known where a basic block starts; NULL if not reached yet
    struct array_state **block;
    bool *starts; // true where a basic block starts
    bool *listed;
    uint32_t *list; // [count] work list: starts of basic blocks whose state has changed
    uint32_t count;
};

static bool go_to(struct array_search *f, uint32_t to, const struct array_state *s) {
    if (!f->block[to] && !(f->block[to] = calloc(1, sizeof *s))) return false;
    if (merge(f->block[to], s) && !f->listed[to]) f->listed[f->list[f->count++] = to] = true;
    return true;
}

// Analyses the function that begins at instruction `entry`. Returns false if the host has too
// little memory.
static bool follow(struct program *p, uint32_t entry, struct array_search *f) {
    struct array_state s;
    for (int r = 0; r < REGISTERS; r++) s.of[r] = unknown;
    s.of[1] = (struct array_value){FRAME, 0};
    if (!go_to(f, entry, &s)) return false;
    while (f->count) {
        uint32_t i = f->list[--f->count];
        f->listed[i] = false;
        s = *f->block[i];
        for (bool more = true; more; i++) {
            note(p, &s, i, entry * SASS_BYTES);
            execute(p, &s, i);
            struct successors next = successors_of(p, i);
            const bool calls =
                !p->detail[i].unknown && p->detail[i].instruction.form->opcode == SASS_CALL;
            if (calls && next.count > 1) next.to[0] = next.to[--next.count];
            more = next.count == 1 && next.to[0] == i + 1 && i + 1 < p->count && !f->starts[i + 1];
            for (int k = 0; k < next.count && !more; k++)
                if (next.to[k] < p->count && !go_to(f, next.to[k], &s)) return false;
        }
    }
    return true;
}

static void find_starts(const struct program *p, bool *starts) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct successors next = successors_of(p, i);
        for (int k = 0; k < next.count; k++)
            if (next.to[k] < p->count && next.to[k] != i + 1) starts[next.to[k]] = true;
    }
}

void program_find_arrays(struct program *p) {
    const size_t count = p->kernel->array_count ? (size_t)p->count + 1 : 0;
    if (!count) return;
    struct array_search f = {.block = calloc(count, sizeof *f.block),
                             .starts = calloc(count, sizeof *f.starts),
                             .listed = calloc(count, sizeof *f.listed),
                             .list = calloc(count, sizeof *f.list)};
    bool good = f.block && f.starts && f.listed && f.list;
    if (good) find_starts(p, f.starts);
    for (int k = 0; good && k < p->kernel->array_count; k++) {
        const uint32_t entry = p->kernel->arrays[k].function / SASS_BYTES;
        if (entry < p->count && !f.block[entry]) good = follow(p, entry, &f);
    }
    for (uint32_t i = 0; !good && i < p->count; i++) p->detail[i].array = NULL;
    for (uint32_t i = 0; f.block && i < p->count; i++) free(f.block[i]);
    free(f.block);
    free(f.starts);
    free(f.listed);
    free(f.list);
}
