// Finds the conditions and range checks on a thread's index that guard an instruction. Follows
// values through the code, from special registers and parameters on.
#include "causes.h"

#include <stdlib.h>

// The cells (registers and predicates: sizes.h) whose value may depend on one source: the special
// registers, such as the indices of the thread and the block, or a kernel argument.
struct taint {
    bool cell[CELLS];
};

// Returns true if the instruction reads the kernel argument at this offset of constant bank 0.
static bool reads_constant(const struct sass_instruction *in, int offset) {
    for (int role = 0; role < SASS_ROLE_COUNT; role++) {
        const struct sass_operand *o = &in->operand[role];
        const bool fixed = !o->has_base || o->number == SASS_RZ;
        if (o->kind == SASS_CONSTANT && o->bank == 0 && fixed && o->value <= offset &&
            o->value + 8 > offset)
            return true;
    }
    return false;
}

// Returns true if the instruction has no guard. (sass_always() looks at predicate operands, too.)
static bool writes_always(const struct sass_instruction *in) {
    return in->guard == SASS_PT && !in->guard_negate;
}

// Updates the taint of an instruction's results. The source is any special register (S2R) or, if
// `offset` is not 0, the argument at that offset of constant bank 0. Loaded values are untainted.
static void follow_taint(const struct program *p, uint32_t index, int offset, struct taint *t) {
    const struct sass_instruction *in = code_at(p, index);
    const struct detail *d = &p->detail[index];
    if (!in) return;
    const bool source = offset ? reads_constant(in, offset)
                               : in->form->opcode == SASS_S2R || in->form->opcode == SASS_S2UR;
    bool tainted = source;
    for (int k = 0; k < d->cells.in_count; k++)
        tainted |= d->cells.read[k].role != SASS_GUARD && t->cell[d->cells.in[k]];
    if (in->form->pipe == SASS_PIPE_LSU && !source) tainted = false;
    for (int k = 0; k < d->cells.out_count; k++)
        if (tainted || writes_always(in)) t->cell[d->cells.out[k]] = tainted;
}

// Returns true if the code at `from`, followed through unconditional jumps, ends or continues after
// `index` without executing it.
static bool leads_past(const struct program *p, uint32_t from, uint32_t index) {
    enum { JUMPS = 4 };
    for (int i = 0; i < JUMPS && from < p->count && from <= index && is_opcode(p, from, SASS_BRA);
         i++) {
        if (!sass_always(code_at(p, from))) return false;
        from = p->detail[from].target;
    }
    return from > index || is_opcode(p, from, SASS_EXIT);
}

uint32_t find_guard(const struct program *p, uint32_t index) {
    struct taint t = {{false}};
    uint32_t guard = UINT32_MAX;
    // a first pass, because loops carry values into their next iteration
    for (uint32_t i = 0; i < p->count; i++) follow_taint(p, i, 0, &t);
    for (uint32_t i = 0; i <= index; i++) {
        const struct sass_instruction *in = code_at(p, i);
        const struct detail *d = &p->detail[i];
        bool tainted = false;
        if (!in) continue;
        for (int k = 0; k < d->cells.in_count; k++)
            tainted |= d->cells.in[k] >= CELL_PREDICATE && t.cell[d->cells.in[k]] &&
                       (d->cells.read[k].role == SASS_GUARD || in->form->opcode == SASS_BRA);
        // In unoptimised code, a conditional jump enters the guarded code, and an unconditional
        // jump past that code follows.
        const bool enters = d->target > i && d->target <= index && is_opcode(p, i + 1, SASS_BRA) &&
                            leads_past(p, i + 1, index);
        const bool leaves = in->form->opcode == SASS_EXIT || in->form->opcode == SASS_RET ||
                            (in->form->opcode == SASS_BRA && (d->target > index || enters));
        if (tainted && (leaves || i == index)) guard = i;
        follow_taint(p, i, 0, &t);
    }
    return guard;
}

// Returns true if the address of the access at `index` may depend on the index of the thread or
// block. If `offset` is not 0, the argument at that offset takes the place of these indices.
static bool address_depends(const struct program *p, uint32_t index, int offset) {
    struct taint t = {{false}};
    const struct detail *d = &p->detail[index];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < (pass ? index : p->count); i++) follow_taint(p, i, offset, &t);
    const bool uniform =
        d->uniform < ROW_UNIFORM_ZERO && t.cell[d->uniform - ROW_UNIFORM + CELL_UNIFORM];
    return uniform || t.cell[d->base] || t.cell[d->base + d->wide];
}

bool depends_on_index(const struct program *p, uint32_t index) {
    return address_depends(p, index, 0);
}

// Returns the index of the only pointer (8-byte argument) from which the address is computed;
// NOBODY_KNOWN if there is none, or several.
static int pointer_of(const struct suspect *s) {
    const struct sass_kernel *k = s->program->kernel;
    int found = NOBODY_KNOWN;
    for (int i = 0; i < k->parameter_count && s->entry->index < s->program->count; i++) {
        const int offset = k->param_base + k->parameters[i].offset;
        if (k->parameters[i].size != sizeof(uint64_t) ||
            !address_depends(s->program, s->entry->index, offset))
            continue;
        if (found != NOBODY_KNOWN) return NOBODY_KNOWN;
        found = i;
    }
    return found;
}

void find_parameter(struct suspect *s) {
    struct finding *f = s->finding;
    char parameter[SOURCE_NAME], names[SOURCE_NAMES][SOURCE_NAME];
    const char *line = source_line(f->place.file, f->place.line);
    if (*f->array || !line || f->argument == NOBODY_KNOWN || !f->space ||
        strcmp(f->space, "global") != 0)
        return;
    if (!source_parameter(f->place.file, f->kernel, f->argument, parameter)) return;
    for (int i = source_names(line, SOURCE_ANY, names); i-- > 0;)
        if (strcmp(names[i], parameter) == 0) snprintf(f->array, sizeof f->array, "%s", parameter);
}

void find_buffer(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    const struct sass_kernel *k = l->program->kernel;
    struct finding *f = s->finding;
    const int argument = pointer_of(s);
    uint64_t value;
    const bool freed = s->evidence->facts & FACT_FREED;
    if (argument == NOBODY_KNOWN || (argument == f->argument && !freed)) return;
    memcpy(&value, l->constant[0] + k->param_base + k->parameters[argument].offset, sizeof value);
    const struct allocation *a = memory_find(l->memory, value, value + 1);
    char *tail = strstr(f->message, " bytes at 0x");
    tail = tail ? strstr(tail, ": ") : NULL;
    if (!a || !tail || (f->at >= a->base && f->at < a->base + a->size)) return;
    const bool before = f->at < a->base;
    s->entry->evidence.overshoot = (int64_t)(f->at - (before ? a->base : a->base + a->size));
    s->entry->evidence.allocated = a->size;
    s->entry->evidence.facts &= ~(uint32_t)FACT_FREED;
    f->argument = argument;
    snprintf(tail, sizeof f->message - (size_t)(tail - f->message),
             ": %lld bytes %s of the buffer of argument %d, of %llu bytes at 0x%llx",
             llabs((long long)s->entry->evidence.overshoot),
             before ? "before the start" : "past the end", argument, (unsigned long long)a->size,
             (unsigned long long)a->base);
}

// Returns the last instruction before `at` that sets the predicate which `at` reads; `at` if none
// does.
static uint32_t predicate_of(const struct program *p, uint32_t at) {
    const struct detail *d = &p->detail[at];
    for (int k = 0; k < d->cells.in_count; k++) {
        if (d->cells.in[k] < CELL_PREDICATE) continue;
        for (uint32_t i = at; i-- > 0;)
            for (int o = 0; o < p->detail[i].cells.out_count; o++)
                if (p->detail[i].cells.out[o] == d->cells.in[k]) return i;
    }
    return at;
}

uint32_t find_condition(const struct program *p, uint32_t guard) {
    enum { PASSES = 8 };
    uint32_t at = predicate_of(p, guard);
    for (int i = 0; i < PASSES && is_opcode(p, at, SASS_PLOP3); i++) at = predicate_of(p, at);
    return at;
}

bool is_range_check(const struct program *p, uint32_t index) {
    const struct sass_instruction *in = code_at(p, index);
    const unsigned compare = in && in->form->opcode == SASS_ISETP ? in->modifiers.compare & 7 : 0;
    return compare == 1 || compare == 3 || compare == 4 || compare == 6;
}

void name_loop(const struct program *p, struct code_span loop, char text[64]) {
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = loop.first; i <= loop.last; i++) {
        const uint32_t line = place_own_line(p->kernel, i);
        if (line && line < low) low = line;
        if (line > high) high = line;
    }
    if (high)
        snprintf(text, 64, low == high ? "line %u" : "lines %u to %u", low, high);
    else
        snprintf(text, 64, "0x%x to 0x%x", loop.first * SASS_BYTES, loop.last * SASS_BYTES);
}
