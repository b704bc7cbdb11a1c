// Finds the causes of reports by a table of rules. A rule's function returns true if the evidence
// shows the case that its comment states, and then sets the finding's cause and remedy. Findings
// with a common cause are merged under the first of them.
//
// The evidence is what the check has seen (struct evidence), how often an instruction ran, and the
// kernel's code: its barriers, loops, and conditions on the thread's index. Whether a position is
// between two accesses is decided by source lines if the cubin has them, otherwise by addresses.
#include "isa/place.h"
#include "reports.h"

#include <stdlib.h>

struct suspect {
    const struct scene *scene;
    struct entry *entry;
    struct finding *finding;
    const struct evidence *evidence;
    const struct program *program;
};

#define TEXT(s, to, ...) snprintf((s)->finding->to, sizeof(s)->finding->to, __VA_ARGS__)

// --- the kernel's code ---------------------------------------------------------------------------

static const struct sass_instruction *code_at(const struct program *p, uint32_t index) {
    return p->code[index].detail->instruction.form ? &p->code[index].detail->instruction : NULL;
}

static bool is_opcode(const struct program *p, uint32_t index, enum sass_opcode opcode) {
    const struct sass_instruction *in = code_at(p, index);
    return in && in->form->opcode == opcode;
}

// Returns the call of the device function that contains the instruction. Returns the instruction
// itself if it lies in the kernel, or if the function has several calls.
static uint32_t call_of(const struct program *p, uint32_t index) {
    const uint32_t address = index * SASS_BYTES;
    for (int i = 0; i < p->kernel->symbol_count; i++) {
        const struct sass_symbol *f = &p->kernel->symbols[i];
        uint32_t call = UINT32_MAX;
        if (address < f->address || address - f->address >= f->size || !f->address) continue;
        for (uint32_t k = 0; k < p->count; k++) {
            const bool calls =
                is_opcode(p, k, SASS_CALL) && p->detail[k].target == f->address / SASS_BYTES;
            if (calls && call != UINT32_MAX) return index;
            if (calls) call = k;
        }
        return call == UINT32_MAX ? index : call;
    }
    return index;
}

// Returns the instruction's source line (in a device function, that of its call), or the
// instruction's index if the line is unknown.
static uint32_t position(const struct program *p, uint32_t index) {
    uint32_t *kept = &p->detail[index].position;
    if (!*kept) {
        const uint32_t line = place_own_line(p->kernel, call_of(p, index));
        *kept = 1 + (line ? line : index);
    }
    return *kept - 1;
}

// Sets text to "line 41", or to "instruction 0x490" if the cubin has no source lines.
static const char *name_position(const struct program *p, uint32_t index, char text[32]) {
    const bool line = place_own_line(p->kernel, call_of(p, index)) != 0;
    snprintf(text, 32, line ? "line %u" : "instruction 0x%x",
             line ? position(p, index) : index * SASS_BYTES);
    return text;
}

struct code_span {
    uint32_t first, last; // instruction indices
    bool found;
};

// Returns true if the instruction has the opcode and the position of `other`, so that both may be
// copies of one instruction in an unrolled loop.
static bool is_alike(const struct program *p, uint32_t index, uint32_t other) {
    const struct sass_instruction *a = code_at(p, index), *b = code_at(p, other);
    return a && b && a->form->opcode == b->form->opcode && position(p, index) == position(p, other);
}

// Returns the smallest loop that contains both instructions or, if `copies` is set, copies of them.
static struct code_span smallest_loop(const struct program *p, uint32_t a, uint32_t b,
                                      bool copies) {
    struct code_span best = {0};
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t target = p->detail[i].target;
        bool has_a = false, has_b = false, ends = false;
        if (!is_opcode(p, i, SASS_BRA) || target > i) continue;
        for (uint32_t k = target; k <= i; k++) {
            has_a |= copies ? is_alike(p, k, a) : k == a;
            has_b |= copies ? is_alike(p, k, b) : k == b;
            // with an unconditional EXIT inside, the jump lies in code after the kernel's end
            ends |= is_opcode(p, k, SASS_EXIT) && sass_always(code_at(p, k));
        }
        if (has_a && has_b && !ends && (!best.found || i - target < best.last - best.first))
            best = (struct code_span){target, i, true};
    }
    return best;
}

static struct code_span common_loop(const struct program *p, uint32_t a, uint32_t b) {
    return smallest_loop(p, a, b, true);
}

static bool is_block_barrier(const struct program *p, uint32_t index) {
    return is_opcode(p, index, SASS_BAR);
}

// Returns a barrier between two positions, both included; UINT32_MAX if there is none.
static uint32_t barrier_between(const struct program *p, uint32_t low, uint32_t high) {
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = position(p, i);
        if (is_block_barrier(p, i) && at >= low && at <= high) return i;
    }
    return UINT32_MAX;
}

// Returns a barrier that is in the loop but not between the two positions; UINT32_MAX if there is
// none.
static uint32_t barrier_around(const struct program *p, struct code_span loop, uint32_t low,
                               uint32_t high) {
    for (uint32_t i = loop.first; i <= loop.last; i++) {
        const uint32_t at = position(p, i);
        if (is_block_barrier(p, i) && (at < low || at > high)) return i;
    }
    return UINT32_MAX;
}

// Returns a barrier among these instructions; UINT32_MAX if there is none.
static uint32_t barrier_in(const struct program *p, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last && i < p->count; i++)
        if (is_block_barrier(p, i)) return i;
    return UINT32_MAX;
}

static bool has_barrier(const struct program *p) {
    return barrier_between(p, 0, UINT32_MAX) != UINT32_MAX;
}

// Returns true if the kernel's source has a fence. Fences of scope VC do not count, because
// unoptimised code of every kernel ends with one.
static bool has_fence(const struct program *p) {
    enum { SCOPE_VC = 5 };
    for (uint32_t i = 0; i < p->count; i++)
        if (is_opcode(p, i, SASS_MEMBAR) && code_at(p, i)->modifiers.type != SCOPE_VC) return true;
    return false;
}

static enum source_role role_of(const struct code_place *p) {
    return !p->action || strcmp(p->action, "updates") == 0 ? SOURCE_ANY
           : strcmp(p->action, "writes") == 0              ? SOURCE_WRITES
                                                           : SOURCE_READS;
}

// Keeps the accepted names, or all if none is accepted. Returns how many are left.
static int keep_names(char names[SOURCE_NAMES][SOURCE_NAME], int count,
                      const bool accepted[SOURCE_NAMES]) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (accepted[i] && kept++ != i) memcpy(names[kept - 1], names[i], sizeof names[0]);
    return kept ? kept : count;
}

// Returns true if the source line of the finding also accesses device memory in this role. A name
// in the line may then be an array in device memory.
static bool names_device_memory(const struct suspect *s) {
    const struct program *p = s->program;
    const bool reads = role_of(&s->finding->place) != SOURCE_WRITES;
    for (uint32_t i = 0; i < p->count && s->entry->index < p->count; i++)
        if (is_opcode(p, i, reads ? SASS_LDG : SASS_STG) &&
            position(p, i) == position(p, s->entry->index))
            return true;
    return false;
}

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Sets finding->array to the name of the array accessed, if the source shows it: a name that is
// also in the other access's line, one that is declared as __shared__, or the line's only name.
static void find_array(struct suspect *s) {
    const struct code_place *a = &s->finding->place, *b = &s->finding->other;
    const bool shared = s->finding->space && strcmp(s->finding->space, "shared") == 0;
    const bool two_accesses = b->known && s->entry->kind != REPORT_UNWRITTEN;
    char names[SOURCE_NAMES][SOURCE_NAME], others[SOURCE_NAMES][SOURCE_NAME];
    const char *line = source_line(a->file, a->line);
    if (!line || !s->finding->space) return;
    const char *atomic = strstr(line, "atomic"), *argument = atomic ? strchr(atomic, '&') : NULL;
    if (argument) line = argument; // only the address names the array: atomicAdd(&sum[i], in[i])
    if (argument && argument[1 + strspn(argument + 1, NAME_LETTERS)] != '[') return;
    // inline assembly: its operands do not name an array
    if (strstr(line, "asm") || strstr(line, "\"r\"(")) return;
    int count = source_names(line, role_of(a), names), also = 0;
    if (!source_names(line, SOURCE_WRITES, others) && source_change(line) == CHANGE_ADDS)
        return; // the array that is changed has no index, as in *sum += x[i]
    if (!count) count = source_names(line, SOURCE_ANY, names);
    const char *other = two_accesses ? source_line(b->file, b->line) : NULL;
    if (other) also = source_names(other, role_of(b), others);
    if (other && !also) also = source_names(other, SOURCE_ANY, others);
    bool accepted[SOURCE_NAMES] = {false};
    bool common = false;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < also; k++) accepted[i] |= strcmp(names[i], others[k]) == 0;
        common |= accepted[i];
    }
    count = keep_names(names, count, accepted);
    for (int i = 0; i < count; i++) accepted[i] = shared && source_is_shared(a->file, names[i]);
    count = keep_names(names, count, accepted);
    if (shared && count && !source_is_shared(a->file, names[0]) && names_device_memory(s)) return;
    if (other ? common : count == 1)
        snprintf(s->finding->array, sizeof s->finding->array, "%s", names[0]);
}

// Sets text to "As[..]" if the array is known, else to `otherwise`.
static const char *name_memory(const struct suspect *s, const char *otherwise, char text[80]) {
    snprintf(text, 80, *s->finding->array ? "%s[..]" : "%s",
             *s->finding->array ? s->finding->array : otherwise);
    return text;
}

// Returns true if the array has two halves that loops use alternately.
static bool is_double_buffer(const struct suspect *s) {
    return *s->finding->array &&
           source_is_double(s->finding->place.file, s->finding->array, s->finding->place.line);
}

static void name_warp(const struct code_place *p, char text[48]) {
    if (p->lane != NOBODY_KNOWN && p->warp != NOBODY_KNOWN)
        snprintf(text, 48, "lane %d of warp %d", p->lane, p->warp);
    else if (p->warp != NOBODY_KNOWN)
        snprintf(text, 48, "warp %d", p->warp);
    else
        snprintf(text, 48, "another warp");
}

// --- conditions on the thread's index ------------------------------------------------------------

// The registers and predicates whose value may depend on the thread's or the block's index, or
// instead on one kernel argument.
struct taint {
    bool cell[CELLS];
};

// Returns true if the instruction reads a kernel's argument at this offset of constant bank 0.
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

// Returns true if no guard can keep the instruction from writing its results. (LOP3 and others
// also read a predicate as an operand.)
static bool writes_always(const struct sass_instruction *in) {
    return in->guard == SASS_PT && !in->guard_negate;
}

// Adds the results of one instruction to the taint by the index or, if `offset` is not 0, by the
// argument at that offset of constant bank 0. Values loaded from memory count as untainted.
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

// Returns the instruction whose predicate, computed from the thread's index, keeps some threads
// from executing `index`: an exit or a jump before it, or `index` itself; UINT32_MAX if there is
// none. It passes over the code twice, since loops carry values into their next iteration.
static uint32_t find_guard(const struct program *p, uint32_t index) {
    struct taint t = {{false}};
    uint32_t guard = UINT32_MAX;
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

// Returns true if the registers of the address may depend on the thread's or the block's index or,
// if `offset` is not 0, on the argument at that offset instead.
static bool address_depends(const struct program *p, uint32_t index, int offset) {
    struct taint t = {{false}};
    const struct detail *d = &p->detail[index];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < (pass ? index : p->count); i++) follow_taint(p, i, offset, &t);
    const bool uniform =
        d->uniform < ROW_UNIFORM_ZERO && t.cell[d->uniform - ROW_UNIFORM + CELL_UNIFORM];
    return uniform || t.cell[d->base] || t.cell[d->base + d->wide];
}

static bool depends_on_index(const struct program *p, uint32_t index) {
    return address_depends(p, index, 0);
}

// Returns the only argument from which the address is computed; NOBODY_KNOWN if there is none, or
// several.
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

// Sets finding->array to the parameter name of finding->argument, if the source line contains it.
static void find_parameter(struct suspect *s) {
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

// Corrects message and evidence if the nearest allocation is not the one that the kernel's pointer
// points to, or if the access past a buffer has reached memory that was freed.
static void find_buffer(struct suspect *s) {
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

// Returns the comparison that computes the guard's predicate; its line is the condition's. Skips
// PLOP3s, by which unoptimised code copies predicates.
static uint32_t find_condition(const struct program *p, uint32_t guard) {
    enum { PASSES = 8 };
    uint32_t at = predicate_of(p, guard);
    for (int i = 0; i < PASSES && is_opcode(p, at, SASS_PLOP3); i++) at = predicate_of(p, at);
    return at;
}

// Returns true if the instruction compares by <, <=, > or >=.
static bool is_range_check(const struct program *p, uint32_t index) {
    const struct sass_instruction *in = code_at(p, index);
    const unsigned compare = in && in->form->opcode == SASS_ISETP ? in->modifiers.compare & 7 : 0;
    return compare == 1 || compare == 3 || compare == 4 || compare == 6;
}

// Sets text to the loop's lines in the kernel's own file, or to its addresses if it has none there.
static void name_loop(const struct program *p, struct code_span loop, char text[64]) {
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

// --- races ---------------------------------------------------------------------------------------

// Returns the facts by which a rule is chosen: all but those about the order of the two accesses.
static uint32_t facts_of(const struct suspect *s) {
    return s->evidence->facts & ~(uint32_t)(FACT_EARLY | FACT_AGAIN);
}

static void set_cause_place(struct suspect *s, uint32_t index) {
    s->finding->cause_place = place_of(s->program->kernel, index);
}

static bool race_of_copy(struct suspect *s) {
    char where[32];
    bool waits = false, waited = false, grouped = false;
    if (!(s->evidence->facts & FACT_COPY_UNDER_WAY)) return false;
    for (uint32_t i = 0; i < s->program->count; i++) {
        grouped |= is_opcode(s->program, i, SASS_LDGDEPBAR);
        waits |= is_opcode(s->program, i, SASS_DEPBAR);
        waited |= is_opcode(s->program, i, SASS_DEPBAR) &&
                  (i < s->entry->index || common_loop(s->program, i, s->entry->index).found);
    }
    name_position(s->program, s->entry->index, where);
    if (waits && !grouped) {
        TEXT(s, cause,
             "the asynchronous copy (cp.async) is in no group: without cp.async.commit_group the "
             "wait does not wait for it");
        TEXT(s, remedy,
             "put cp.async.commit_group (__pipeline_commit()) after the copies, before the wait");
        return true;
    }
    TEXT(s, cause, "the asynchronous copy (cp.async) to this memory has not been waited for%s",
         waited ? ": the wait before it leaves this group of copies under way" : "");
    if (waited)
        TEXT(s, remedy,
             "wait for one group more (a smaller N in cp.async.wait_group N), then "
             "__syncthreads(), before %s",
             where);
    else
        TEXT(s, remedy,
             "put cp.async.wait_all (or __pipeline_wait_prior(0)) and __syncthreads() before %s",
             where);
    return true;
}

static bool uses_mbarriers(const struct program *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (is_opcode(p, i, SASS_SYNCS_ARRIVE) || is_opcode(p, i, SASS_SYNCS_PHASECHK) ||
            is_opcode(p, i, SASS_ATOMS_ARRIVE)) // code for chips before sm_90
            return true;
    return false;
}

// Returns true if one of the two accesses is to the mbarrier, flag or lock that synchronises the
// warps.
static bool is_handover(const struct suspect *s) {
    const uint32_t both[] = {s->entry->index,
                             s->evidence->other ? s->evidence->other - 1 : s->entry->index};
    for (int i = 0; i < 2; i++) {
        const struct sass_instruction *in = code_at(s->program, both[i]);
        if (in && (sass_facts_of(in)->atomic || sass_facts_of(in)->mbarrier ||
                   in->form->opcode == SASS_ATOMS || in->form->opcode == SASS_ATOMS_CAS))
            return true;
    }
    return false;
}

static bool refilled_too_early(struct suspect *s) {
    char memory[80];
    if (!(s->evidence->facts & FACT_AGAIN) || !uses_mbarriers(s->program) || is_handover(s))
        return false;
    name_memory(s, "this memory", memory);
    TEXT(s, cause,
         "%s is filled again before this warp has read what it waited for: nothing tells the "
         "filling thread that its readers are done, or it does not wait for that",
         memory);
    TEXT(s, remedy,
         "let the readers arrive at a second mbarrier (\"empty\") after their last read, and "
         "wait for it before %s is filled again",
         memory);
    return true;
}

static bool race_of_engine(struct suspect *s) {
    if (!(s->evidence->facts & FACT_ENGINE)) return false;
    if (s->finding->place.action && strcmp(s->finding->place.action, "copies to") == 0) {
        TEXT(s, cause,
             "this copy goes where an earlier one of the copy engine wrote, and nothing says "
             "that what it wrote is done with: neither its mbarrier nor the readers' one "
             "(\"empty\") was waited for");
        TEXT(s, remedy,
             "wait until the readers of that copy, in every block that gets it, have arrived at "
             "an mbarrier, then copy again");
    } else if (s->finding->space) {
        TEXT(s, cause,
             "a copy writes there (cp.async.bulk, st.async, cp.async with an arrival), and this "
             "warp has not waited for its mbarrier");
        TEXT(s, remedy,
             "wait for the phase of the copy's mbarrier (mbarrier.try_wait) before this access");
    } else {
        TEXT(s, cause,
             "the copy that starts here (cp.async.bulk, st.async) is still under way when the "
             "block ends: no thread waits for its mbarrier");
        TEXT(s, remedy,
             "wait for the phase of the copy's mbarrier (mbarrier.try_wait), or do not start this "
             "copy");
    }
    return true;
}

static bool race_of_async_read(struct suspect *s) {
    if (!(s->evidence->facts & FACT_ASYNC_READ)) return false;
    TEXT(s, cause,
         "a wgmma or a copy to global memory that was started before still reads this memory");
    TEXT(s, remedy,
         "wait first: wgmma.wait_group, or cp.async.bulk.wait_group.read, and a barrier if another "
         "warp started it");
    return true;
}

static bool race_of_arrival(struct suspect *s) {
    if (!(s->evidence->facts & FACT_ARRIVAL)) return false;
    TEXT(s, cause,
         "all lanes of warp %d store, but one lane alone arrives: an arrival releases the stores "
         "of its own thread only",
         s->finding->other.warp);
    TEXT(s, remedy,
         "put __syncwarp() between the stores and the arrival, or let each thread arrive");
    return true;
}

static bool race_of_cluster(struct suspect *s) {
    if (!(s->evidence->facts & FACT_CLUSTER)) return false;
    if (!s->evidence->action) {
        TEXT(s, cause,
             "a block of a cluster may end, and its shared memory with it, before this access of "
             "another one");
        TEXT(s, remedy, "put cluster.sync() at the end of the kernel");
        return true;
    }
    if (s->evidence->start_unordered) {
        TEXT(s, cause,
             "a block of a cluster may not have started, or not initialised its shared memory, "
             "when this one accesses it");
        TEXT(s, remedy,
             "put cluster.sync() (not __syncthreads()) after the initialisation and before this "
             "access");
        return true;
    }
    if (uses_mbarriers(s->program)) {
        TEXT(s, cause,
             "two blocks of a cluster use this memory, and neither a barrier of the cluster nor "
             "an mbarrier at which both arrive orders the two accesses");
        TEXT(s, remedy,
             "let the other block arrive at this block's mbarrier when it is done, and wait for "
             "that; or put cluster.sync() between them");
        return true;
    }
    TEXT(s, cause,
         "two blocks of a cluster use this memory, and no barrier of the cluster orders the two "
         "accesses");
    TEXT(s, remedy, "put cluster.sync() (barrier.cluster.arrive and wait) between them");
    return true;
}

// Returns true for code of cooperative groups and pipelines, which have flags of their own.
static bool is_of_groups(const struct program *p, uint32_t index) {
    const struct sass_line *line = cubin_line(p->kernel, index * SASS_BYTES);
    return line && line->file &&
           (strstr(line->file, "cooperative_groups") || strstr(line->file, "cuda_pipeline"));
}

// Returns true if the line calls an atomic whose result it ignores.
static bool ignores_result(const char *line) {
    const char *at = line ? strstr(line, "atomic") : NULL;
    while (at && at > line && (at[-1] == ' ' || at[-1] == '\t')) at--;
    return at && (at == line || strchr(";{})", at[-1]));
}

// Returns true if the source uses the result of the atomic at `index`, or if that is unknown. In
// unoptimised code the atomic is in a header's function, so the calls of that function are
// examined.
static bool takes_result(const struct program *p, uint32_t index, int depth) {
    const struct code_place place = place_of(p->kernel, index);
    const uint32_t address = index * SASS_BYTES;
    if (!place_is_library(p->kernel, index))
        return !ignores_result(source_line(place.file, place.line));
    for (int i = 0; i < p->kernel->symbol_count && depth > 0; i++) {
        const struct sass_symbol *f = &p->kernel->symbols[i];
        if (address < f->address || address - f->address >= f->size || !f->address) continue;
        for (uint32_t k = 0; k < p->count; k++)
            if (is_opcode(p, k, SASS_CALL) && p->detail[k].target == f->address / SASS_BYTES &&
                takes_result(p, k, depth - 1))
                return true;
        return false;
    }
    return true;
}

// Returns true if the kernel synchronises by flags or locks: it polls, or it uses the results of
// atomics.
static bool uses_flags(const struct program *p) {
    enum { DEPTH = 4 };
    for (uint32_t i = 0; i < p->count; i++) {
        const struct sass_instruction *in = is_of_groups(p, i) ? NULL : code_at(p, i);
        if (in && (p->detail[i].spins == ACCESS_POLL || p->detail[i].spins == ACCESS_SPIN))
            return true;
        if (in && sass_facts_of(in)->load && sass_is_strong(in)) return true;
        const bool atomic = in && (sass_facts_of(in)->atomic || in->form->opcode == SASS_ATOMS ||
                                   in->form->opcode == SASS_ATOMS_CAS);
        if (atomic && in->operand[SASS_D].kind == SASS_REGISTER &&
            in->operand[SASS_D].number != SASS_RZ && takes_result(p, i, DEPTH))
            return true; // an atomic whose result is used takes a ticket or a lock
    }
    return false;
}

static bool race_over_mbarrier(struct suspect *s) {
    const char *did = s->finding->other.action;
    char memory[80];
    if (facts_of(s) || !uses_mbarriers(s->program) || is_handover(s)) return false;
    name_memory(s, "this memory", memory);
    if (s->evidence->facts & FACT_EARLY) {
        TEXT(s, cause,
             "the other warp reads %s before this one has written it: it does not wait at the "
             "mbarrier, or for another phase",
             memory);
        TEXT(s, remedy, "let every reader wait for the phase of the mbarrier before it reads %s",
             memory);
        return true;
    }
    if (did && strcmp(did, "reads") == 0) {
        TEXT(s, cause,
             "%s is overwritten while another warp may still read it: nothing tells the writer "
             "that the reader is done, or it does not wait for that",
             memory);
        TEXT(s, remedy,
             "let the readers arrive at an mbarrier (\"empty\") after their last read, and wait "
             "for that phase before %s is written again",
             memory);
        return true;
    }
    TEXT(s, cause,
         "the mbarrier does not order the two: the writer arrives before it has stored, or this "
         "warp does not wait, or waits for another phase");
    TEXT(s, remedy, "arrive after the stores, and wait for that phase before this access");
    return true;
}

static bool race_over_flag(struct suspect *s) {
    const struct program *p = s->program;
    const bool fences = has_fence(p);
    if (facts_of(s) || !uses_flags(p) || is_handover(s)) return false;
    TEXT(s, cause,
         fences
             ? "a flag or a lock hands the data over and does not cover one of these accesses: "
               "it comes without waiting for the flag, after the lock was given back, or on the "
               "wrong side of the fence"
             : "a flag or a lock hands the data over, and no fence keeps the data before the flag");
    TEXT(s, remedy,
         "write: data, __threadfence_block() (or release), flag; read: wait for the flag, "
         "__threadfence_block() (or acquire), data");
    return true;
}

// Returns true if the line indexes the array by row and column.
static bool has_rows(const struct suspect *s) {
    const char *line = source_line(s->finding->place.file, s->finding->place.line);
    const char *at = line && *s->finding->array ? strstr(line, s->finding->array) : NULL;
    const char *close = at ? strchr(at, ']') : NULL;
    return close && close[1] == '[';
}

// Two stores of one source line race: several threads compute the same index.
static bool same_element(struct suspect *s) {
    char memory[80], where[32];
    if (facts_of(s) & ~(uint32_t)FACT_LANES || !s->evidence->other || !s->finding->place.action ||
        !s->finding->other.action)
        return false;
    if (!same_place(&s->program->detail[s->entry->index],
                    &s->program->detail[s->evidence->other - 1]))
        return false;
    if (strcmp(s->finding->place.action, "writes") != 0 ||
        strcmp(s->finding->other.action, "writes") != 0)
        return false;
    if (position(s->program, s->entry->index) != position(s->program, s->evidence->other - 1))
        return false;
    name_memory(s, "shared memory", memory);
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause, "several threads write different values to the same element of %s on %s", memory,
         where);
    TEXT(s, remedy,
         "give each thread an element of its own, or combine the values (atomicAdd, a reduction)%s",
         has_rows(s) ? "; an index past the end of a row is an element of the next" : "");
    set_cause_place(s, s->entry->index);
    return true;
}

// A load and a store of one source line race: several threads execute x[i]++ on one element.
static bool not_atomic(struct suspect *s) {
    const struct program *p = s->program;
    char memory[80], where[32];
    if (facts_of(s) & ~(uint32_t)FACT_LANES || !s->evidence->other) return false;
    const uint32_t here = s->entry->index, there = s->evidence->other - 1;
    if (position(p, here) != position(p, there) || !place_own_line(p->kernel, here)) return false;
    if (!p->detail[here].is_shared || !p->detail[there].is_shared ||
        !same_place(&p->detail[here], &p->detail[there]))
        return false;
    if (is_opcode(p, here, SASS_LDS) == is_opcode(p, there, SASS_LDS)) return false;
    // in x[i] += x[i - 1], the line reads another element, too
    for (uint32_t i = 0; i < p->count; i++)
        if (is_opcode(p, i, SASS_LDS) && position(p, i) == position(p, here) &&
            !same_place(&p->detail[i], &p->detail[here]))
            return false;
    name_memory(s, "shared memory", memory);
    name_position(p, here, where);
    TEXT(s, cause,
         "several threads change the same element of %s on %s: it is loaded, changed and stored, "
         "and another thread comes in between",
         memory, where);
    TEXT(s, remedy, "use atomicAdd() on %s", where);
    set_cause_place(s, here);
    return true;
}

static bool race_of_lanes(struct suspect *s) {
    char memory[80], where[32];
    if (!(s->evidence->facts & FACT_LANES)) return false;
    name_memory(s, "shared memory", memory);
    const uint32_t other = s->evidence->other ? s->evidence->other - 1 : s->entry->index;
    name_position(s->program, other, where);
    TEXT(s, cause,
         "lanes of one warp hand %s to each other and rely on running in step: no __syncwarp() "
         "that both pass lies between the accesses",
         memory);
    const struct launch_state *l = s->scene->launch;
    const bool all_come = l->counted &&
                          l->counted[s->entry->index].threads >= l->blocks * l->threads &&
                          l->counted[other].threads >= l->blocks * l->threads;
    if (l->warps > 1 && all_come && has_barrier(s->program))
        TEXT(s, remedy,
             "put __syncthreads() after %s, or __syncwarp() if only lanes of one warp share it",
             where);
    else
        TEXT(s, remedy, "put __syncwarp() after %s", where);
    set_cause_place(s, other);
    return true;
}

// The two accesses of a race, in source order.
struct instruction_pair {
    uint32_t first, second; // instruction indices
    uint32_t low, high;     // the positions of the two instructions
    struct code_span loop;
    uint32_t between; // a barrier between the two accesses; UINT32_MAX if there is none
    // a barrier from the second access to the first one in the next iteration; UINT32_MAX if there
    // is none
    uint32_t around;
};

// Finds where one iteration of an unrolled loop, which has no branch, leads into the next: from an
// instruction like `second` to the following one like `first`.
static struct code_span next_round(const struct program *p, uint32_t first, uint32_t second) {
    const uint32_t low = position(p, first), high = position(p, second);
    uint32_t last = UINT32_MAX;
    bool before = false;
    for (uint32_t i = 0; i < p->count; i++) {
        if (!code_at(p, i)) continue;
        const bool is_first = is_alike(p, i, first), is_second = is_alike(p, i, second);
        if (is_first && last != UINT32_MAX && barrier_in(p, last, i) != UINT32_MAX)
            return (struct code_span){last, i, true};
        if (is_first && last != UINT32_MAX && low != high) return (struct code_span){last, i, true};
        before |= is_first;
        if (is_second && before) last = i;
    }
    return (struct code_span){0};
}

static bool find_pair(const struct suspect *s, struct instruction_pair *pair) {
    const struct program *p = s->program;
    if (!s->evidence->other || s->evidence->other_block) return false;
    const uint32_t here = s->entry->index, there = s->evidence->other - 1;
    const bool swap = position(p, there) > position(p, here) ||
                      (position(p, there) == position(p, here) && there > here);
    pair->first = swap ? here : there;
    pair->second = swap ? there : here;
    pair->low = position(p, pair->first);
    pair->high = position(p, pair->second);
    pair->loop = common_loop(p, here, there);
    pair->between =
        pair->low == pair->high ? UINT32_MAX : barrier_between(p, pair->low, pair->high);
    pair->around =
        pair->loop.found ? barrier_around(p, pair->loop, pair->low, pair->high) : UINT32_MAX;
    if (pair->loop.found) return true;
    pair->loop = next_round(p, pair->first, pair->second);
    for (uint32_t i = pair->loop.first; pair->loop.found && i < pair->loop.last; i++)
        if (is_block_barrier(p, i)) pair->around = i;
    return true;
}

// Returns true if the code from `from` on reaches an instruction like `to` without a barrier: in
// straight line or, if `back`, through one backward branch.
static bool leads_to(const struct program *p, uint32_t from, uint32_t to, bool back) {
    for (uint32_t i = from; i < p->count; i++) {
        const struct sass_instruction *in = code_at(p, i);
        if (!in) continue;
        if (is_alike(p, i, to)) return true;
        if (is_block_barrier(p, i)) return false;
        const bool loops = back && is_opcode(p, i, SASS_BRA) && p->detail[i].target < i;
        if (loops && leads_to(p, p->detail[i].target, to, false)) return true;
        if (p->code[i].flags & UOP_CONTROL && sass_always(in)) return false;
    }
    return false;
}

// Returns true if code leads from an instruction like `from` to one like `to` without a barrier.
static bool runs_without_barrier(const struct program *p, uint32_t from, uint32_t to, bool back) {
    for (uint32_t i = 0; i < p->count; i++)
        if (code_at(p, i) && is_alike(p, i, from) && leads_to(p, i + 1, to, back)) return true;
    return false;
}

// Describes the race, for example as "warp 0 reads As[..] on line 52, warp 3 writes it on line 41".
static int describe_pair(const struct suspect *s, char *text, size_t size) {
    const struct finding *f = s->finding;
    char memory[80], here[48], there[48], at[32], other[32];
    struct code_place own = f->place;
    own.lane = NOBODY_KNOWN;
    name_memory(s, "shared memory", memory);
    name_warp(&own, here);
    name_warp(&f->other, there);
    return snprintf(text, size, "%s %s %s on %s, %s %s it on %s", here,
                    f->place.action ? f->place.action : "uses", memory,
                    name_position(s->program, s->entry->index, at), there,
                    f->other.action ? f->other.action : "uses",
                    name_position(s->program, s->evidence->other - 1, other));
}

// Returns the number of iterations of the loop around the two accesses, summed over warps. In an
// unrolled loop, an iteration begins wherever the first access follows the second.
static uint64_t count_rounds(const struct program *p, const struct tally *t,
                             const struct instruction_pair *pair) {
    uint64_t rounds = 0;
    bool second = true;
    if (is_opcode(p, pair->loop.last, SASS_BRA)) return t[pair->second].executed;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = p->detail[i].is_shared ? position(p, i) : 0;
        if (at && at == pair->low && second) rounds += t[i].executed;
        second = at == pair->high || (second && at != pair->low);
    }
    return rounds;
}

// Returns a barrier in any iteration of the unrolled loop around the two accesses; UINT32_MAX if
// there is none.
static uint32_t barrier_of_rounds(const struct program *p, const struct instruction_pair *pair) {
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = p->detail[i].is_shared ? position(p, i) : 0;
        if (!at || (at != pair->low && at != pair->high)) continue;
        if (first == UINT32_MAX) first = i;
        last = i;
    }
    return first == UINT32_MAX ? first : barrier_in(p, first, last);
}

// The two accesses are in a loop, and only some iterations execute its barrier.
static bool barrier_in_condition(struct suspect *s) {
    struct instruction_pair pair;
    char both[340], where[32], low[32], high[32];
    const struct tally *t = s->scene->launch->counted;
    if (facts_of(s) || !t || !find_pair(s, &pair) || !pair.loop.found) return false;
    const bool writes = role_of(&s->finding->place) == SOURCE_WRITES &&
                        role_of(&s->finding->other) == SOURCE_WRITES;
    if (pair.low == pair.high && !writes) return false;
    if (pair.around == UINT32_MAX) pair.around = barrier_of_rounds(s->program, &pair);
    if (pair.between != UINT32_MAX || pair.around == UINT32_MAX) return false;
    uint64_t passed = 0;
    for (uint32_t i = 0; i < s->program->count; i++)
        if (is_block_barrier(s->program, i) &&
            position(s->program, i) == position(s->program, pair.around))
            passed += t[i].executed;
    // most iterations execute the barrier
    if (2 * passed > count_rounds(s->program, t, &pair)) return false;
    describe_pair(s, both, sizeof both);
    name_position(s->program, pair.around, where);
    name_position(s->program, pair.first, low);
    name_position(s->program, pair.second, high);
    TEXT(s, cause, "%s in another round of the loop, and only some rounds pass the barrier on %s",
         both, where);
    TEXT(s, remedy,
         "pass __syncthreads() in each round, between %s and %s of the next; __syncwarp() is "
         "enough only if all elements stay within one warp",
         high, low);
    set_cause_place(s, pair.around);
    return true;
}

static bool missing_barrier(struct suspect *s) {
    struct instruction_pair pair;
    char both[340], low[32], high[32];
    if (facts_of(s) || !find_pair(s, &pair)) return false;
    const bool same = pair.low == pair.high;
    // In an unrolled loop, one copy of a barrier may be missing while the line still has others.
    if (!same && pair.between != UINT32_MAX && !is_double_buffer(s)) {
        if (runs_without_barrier(s->program, pair.first, pair.second, false))
            pair.between = UINT32_MAX;
        else if (runs_without_barrier(s->program, pair.second, pair.first, true))
            pair.around = UINT32_MAX;
    }
    if (pair.between != UINT32_MAX && (!pair.loop.found || pair.around != UINT32_MAX)) return false;
    if (same && pair.around != UINT32_MAX) return false;
    describe_pair(s, both, sizeof both);
    name_position(s->program, pair.first, low);
    name_position(s->program, pair.second, high);
    if (pair.between == UINT32_MAX && !same) {
        TEXT(s, cause, "%s, with no barrier in between: __syncthreads() is missing after %s", both,
             low);
        TEXT(s, remedy, "put __syncthreads() after %s and before %s%s%s", low, high,
             pair.loop.found && pair.around == UINT32_MAX
                 ? ", and another one at the end of the loop's body"
                 : "",
             is_double_buffer(s)
                 ? "; if one of the two should use the other half of the buffer, correct its index"
                 : "");
        s->entry->from = pair.low;
        s->entry->to = pair.high;
        set_cause_place(s, pair.first);
    } else if (same) {
        TEXT(s, cause,
             "%s, with no barrier between the rounds: __syncthreads() is missing after %s", both,
             low);
        TEXT(s, remedy, "put __syncthreads() after %s, in the loop", low);
        s->entry->from = s->entry->to = pair.low;
        set_cause_place(s, pair.first);
    } else {
        TEXT(s, cause,
             "%s in another round of the loop, with no barrier after %s: __syncthreads() is "
             "missing at the end of the loop's body",
             both, high);
        TEXT(s, remedy, "put __syncthreads() after %s, at the end of the loop's body", high);
        s->entry->from = pair.high;
        s->entry->to = UINT32_MAX;
        set_cause_place(s, pair.second);
    }
    return true;
}

static bool read_before_written(struct suspect *s) {
    struct instruction_pair pair;
    char both[360];
    if (facts_of(s) || !find_pair(s, &pair) || pair.low != pair.high) return false;
    if (role_of(&s->finding->place) == SOURCE_WRITES &&
        role_of(&s->finding->other) == SOURCE_WRITES)
        return false;
    describe_pair(s, both, sizeof both);
    TEXT(s, cause, "%s: one statement reads what other threads write in it", both);
    TEXT(s, remedy, "read into a register, __syncthreads(), then write");
    set_cause_place(s, pair.first);
    return true;
}

// Returns the first bar.arrive of the code; UINT32_MAX if there is none.
static uint32_t find_arrival(const struct program *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (is_block_barrier(p, i) && p->detail[i].shift == 1) return i;
    return UINT32_MAX;
}

// Warps wait for each other at two different barriers, because some of them skip one.
static bool barriers_differ(struct suspect *s) {
    const struct program *p = s->program;
    const struct tally *t = s->scene->launch->counted;
    char one[32], two[32];
    for (int i = 0; t && i < s->scene->count; i++) {
        const struct entry *e = s->scene->entry[i];
        if (e->kind != REPORT_BARRIER || e->finding.severity == SEVERITY_ERROR ||
            !e->evidence.other)
            continue;
        const uint32_t here = e->index, there = e->evidence.other - 1;
        if (t[here].threads == t[there].threads) continue;
        const uint32_t skipped = t[here].threads < t[there].threads ? here : there;
        name_position(p, skipped, one);
        name_position(p, skipped == here ? there : here, two);
        TEXT(s, cause,
             "some warps skip the barrier on %s, so that it counts together with the one on %s: "
             "the warps are in different rounds",
             one, two);
        TEXT(s, remedy,
             "let all threads of the block come to the same decision, or pass the barrier on %s in "
             "any case",
             one);
        set_cause_place(s, skipped);
        return true;
    }
    return false;
}

// Returns a barrier between the two accesses if fewer threads have passed it than have made one of
// the accesses. Returns UINT32_MAX if enough threads have passed any barrier between them.
static uint32_t find_partial_barrier(const struct suspect *s, const struct instruction_pair *pair) {
    const struct program *p = s->program;
    const struct tally *t = s->scene->launch->counted;
    const uint64_t first = t[pair->first].threads, second = t[pair->second].threads;
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = position(p, i);
        if (!is_block_barrier(p, i) || at < pair->low || at > pair->high) continue;
        if (t[i].threads >= (first > second ? first : second)) return UINT32_MAX;
        found = i;
    }
    return found;
}

// No loop contains the two accesses, and the barrier between them depends on a condition.
static bool barrier_in_branch(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    struct instruction_pair pair;
    char both[340], where[32];
    if (facts_of(s) || !l->counted || !find_pair(s, &pair) || pair.loop.found ||
        pair.between == UINT32_MAX)
        return false;
    const uint32_t barrier = find_partial_barrier(s, &pair);
    if (barrier == UINT32_MAX) return false;
    describe_pair(s, both, sizeof both);
    name_position(s->program, barrier, where);
    TEXT(s, cause, "%s; the barrier on %s stands in a condition, and %llu of %llu threads pass it",
         both, where, (unsigned long long)l->counted[barrier].threads,
         (unsigned long long)(l->blocks * l->threads));
    TEXT(s, remedy,
         "take the barrier on %s out of the condition: all threads of the block must pass it",
         where);
    set_cause_place(s, barrier);
    return true;
}

static bool barrier_not_passed(struct suspect *s) {
    struct instruction_pair pair;
    char both[360], where[32];
    if (facts_of(s) || !find_pair(s, &pair) || pair.between == UINT32_MAX) return false;
    if (barriers_differ(s)) return true;
    describe_pair(s, both, sizeof both);
    const uint32_t arrival = find_arrival(s->program);
    if (arrival != UINT32_MAX) {
        TEXT(s, cause,
             "%s; bar.arrive on %s does not order the two: it lets others go on after what its "
             "warp did before it, and its own warp does not wait",
             both, name_position(s->program, arrival, where));
        TEXT(s, remedy,
             "store before bar.arrive and read after bar.sync; a warp that must wait for others "
             "needs bar.sync itself");
        set_cause_place(s, arrival);
        return true;
    }
    TEXT(s, cause,
         "%s; the barrier on %s lies between them in the code only: the two warps are in "
         "different rounds, or do not pass it together",
         both, name_position(s->program, pair.between, where));
    TEXT(s, remedy,
         "let all threads pass the barrier on %s as often, and put a second one after the last "
         "read, before the memory is written again",
         where);
    set_cause_place(s, pair.between);
    return true;
}

static bool barrier_skipped(struct suspect *s) {
    return !facts_of(s) && !s->evidence->other && barriers_differ(s);
}

static bool no_barrier_at_all(struct suspect *s) {
    char where[32];
    if (facts_of(s) || has_barrier(s->program)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "warps use the same shared memory, and the kernel has no barrier: __syncthreads() is "
         "missing before %s",
         where);
    TEXT(s, remedy, "put __syncthreads() between the stores and the loads");
    set_cause_place(s, s->entry->index);
    return true;
}

static bool unordered_warps(struct suspect *s) {
    char where[32];
    if (facts_of(s)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(
        s, cause,
        "no barrier that both warps passed lies between the two accesses: one is missing before %s",
        where);
    TEXT(s, remedy, "put __syncthreads() before %s, reached by all threads of the block", where);
    set_cause_place(s, s->entry->index);
    return true;
}

// --- races in device memory ----------------------------------------------------------------------

// Returns how the source line of the finding changes an element, if both accesses are on that line.
// Without the source, a store of a value computed from the element counts as an addition.
static enum source_change change_of(const struct suspect *s) {
    const struct program *p = s->program;
    const struct code_place *place = &s->finding->place;
    const uint32_t here = s->entry->index;
    const bool overlap = s->evidence->facts & FACT_OVERLAP;
    if (is_opcode(p, here, SASS_ATOMG) || (!overlap && !s->evidence->other)) return CHANGE_UNKNOWN;
    if (!overlap && position(p, here) != position(p, s->evidence->other - 1)) return CHANGE_UNKNOWN;
    const char *line = source_line(place->file, place->line);
    if (!line) {
        const uint32_t there = s->evidence->other ? s->evidence->other - 1 : here;
        return p->detail[here].adds || p->detail[there].adds ? CHANGE_ADDS : CHANGE_UNKNOWN;
    }
    const enum source_change change = source_change(line);
    if (change != CHANGE_UNKNOWN) return change;
    bool loads = false, stores = false;
    for (uint32_t i = 0; i < p->count; i++) {
        const bool at = position(p, i) == position(p, here);
        loads |= at && is_opcode(p, i, SASS_LDG);
        stores |= at && is_opcode(p, i, SASS_STG);
    }
    return loads && stores ? CHANGE_ADDS : CHANGE_UNKNOWN;
}

// Returns true if the kernel takes a lock by a compare-and-swap on another line than that of the
// race.
static bool takes_lock(const struct suspect *s) {
    const struct program *p = s->program;
    for (uint32_t i = 0; i < p->count; i++)
        if ((is_opcode(p, i, SASS_ATOMG_CAS) || is_opcode(p, i, SASS_ATOM_CAS)) &&
            position(p, i) != position(p, s->entry->index))
            return true;
    return false;
}

static bool adds_in_place(struct suspect *s) {
    char where[32];
    const bool blocks = s->evidence->facts & FACT_OTHER_BLOCK;
    const bool changed =
        s->evidence->facts & FACT_LANES && s->program->detail[s->entry->index].changes;
    if ((change_of(s) != CHANGE_ADDS && !changed) || takes_lock(s)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "several %s add to the same element on %s by a plain load and store: sums of other %s get "
         "lost",
         blocks ? "blocks" : "threads", where, blocks ? "blocks" : "threads");
    TEXT(s, remedy,
         "use atomicAdd() into a buffer that starts as zeros, or let each %s write its part to a "
         "place of its own and add them after",
         blocks ? "block" : "thread");
    set_cause_place(s, s->entry->index);
    return true;
}

// Returns true if the line reads neighbours of the element that it writes: x[i] = x[i - 1] + ...
static bool uses_neighbours(const struct suspect *s) {
    return change_of(s) == CHANGE_NEIGHBOURS && !takes_lock(s);
}

static bool neighbours_change(struct suspect *s) {
    char memory[80], where[32];
    const bool blocks = s->evidence->facts & FACT_OTHER_BLOCK;
    if (!uses_neighbours(s)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "on %s threads read elements of %s that other threads%s write on it: some get the old, "
         "some the new",
         where, name_memory(s, "this buffer", memory), blocks ? ", of other blocks too," : "");
    TEXT(s, remedy,
         "write to another buffer and exchange the two between launches: __syncthreads() orders "
         "one block's threads only");
    set_cause_place(s, s->entry->index);
    return true;
}

static bool block_scope_atomic(struct suspect *s) {
    const struct sass_instruction *in = code_at(s->program, s->entry->index);
    if (!(s->evidence->facts & FACT_OTHER_BLOCK) || !in || !sass_facts_of(in)->atomic ||
        !s->evidence->block_scope)
        return false;
    TEXT(s, cause,
         "the atomic is one of its block only (_block, cuda::thread_scope_block): to other blocks "
         "it is none");
    TEXT(s, remedy, "use atomicAdd() or cuda::thread_scope_device where several blocks meet");
    return true;
}

static bool flag_between_blocks(struct suspect *s) {
    const char *here = s->finding->place.action, *there = s->finding->other.action;
    const bool fences = has_fence(s->program);
    if (!(s->evidence->facts & FACT_OTHER_BLOCK) || s->evidence->facts & FACT_OVERLAP ||
        !uses_flags(s->program))
        return false;
    if (!here || !there || (strcmp(here, "writes") != 0 && strcmp(there, "writes") != 0))
        return false;
    if (s->evidence->other && !takes_lock(s) &&
        position(s->program, s->entry->index) == position(s->program, s->evidence->other - 1))
        return false;
    TEXT(s, cause,
         fences ? "a flag, counter or lock hands the data over between blocks and does not cover "
                  "one of these accesses: it comes without waiting for the flag, after the lock "
                  "was given back, or before the fence"
                : "a flag, counter or lock hands the data over between blocks, and no "
                  "__threadfence() keeps the data before the flag");
    TEXT(s, remedy,
         "write: data, __threadfence() (or release), flag; read: wait for the flag, "
         "__threadfence() (or acquire), data");
    return true;
}

static bool blocks_overlap(struct suspect *s) {
    char where[32];
    const char *here = s->finding->place.action, *there = s->finding->other.action;
    const bool both = s->evidence->facts & FACT_OTHER_BLOCK && here && there &&
                      strcmp(here, "writes") == 0 && strcmp(there, "writes") == 0 &&
                      !uses_flags(s->program);
    const bool in_place = s->evidence->facts & FACT_OTHER_BLOCK && change_of(s) == CHANGE_COMPUTES;
    if (!(s->evidence->facts & FACT_OVERLAP) && !both && !in_place) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "two blocks compute the same index on %s and store different values there: the one that "
         "comes last wins",
         where);
    TEXT(s, remedy,
         "give each element to one block: check blockIdx, the tile's size, the leading dimension "
         "and a loop's step (gridDim.x * blockDim.x) in the index on %s",
         where);
    set_cause_place(s, s->entry->index);
    return true;
}

// Returns true if a while loop with an empty body stands on the line or begins on the next one.
static bool only_waits(const struct code_place *place) {
    enum { LINES = 3 }; // the body may stand on a line of its own
    char text[400] = "";
    for (uint32_t i = 0; i < LINES; i++) {
        const char *line = source_line(place->file, place->line + i);
        const size_t used = strlen(text);
        if (line) snprintf(text + used, sizeof text - used, "%s ", line);
    }
    const char *at = strstr(text, "while");
    int depth = 0;
    while (at && *at && *at != '(') at++;
    if (!at || !*at) return false;
    do depth += (*at == '(') - (*at == ')');
    while (*++at && depth > 0);
    at += strspn(at, " ");
    return *at == ';' || (*at == '{' && at[1 + strspn(at + 1, " ;")] == '}');
}

// A block polls, in an empty loop of plain loads, a word that another block stores.
static bool flag_polled(struct suspect *s) {
    const struct program *p = s->program;
    const struct finding *f = s->finding;
    const bool reads = role_of(&f->place) != SOURCE_WRITES;
    const struct code_place *place = reads ? &f->place : &f->other;
    const uint32_t reader = reads ? s->entry->index : s->evidence->other - 1;
    char where[32];
    if (!(s->evidence->facts & FACT_OTHER_BLOCK) || !s->evidence->other || reader >= p->count ||
        !sass_facts_of(code_at(p, reader))->load || !only_waits(place))
        return false;
    name_position(p, reader, where);
    TEXT(s, cause,
         "the loop on %s waits for a value that another block stores, and reads it by plain loads: "
         "nothing orders them, and the compiler may load once and keep the value",
         where);
    TEXT(s, remedy,
         "read the flag as volatile, or by cuda::atomic_ref with acquire; put __threadfence() "
         "between the data and the flag, on both sides");
    return true;
}

static bool blocks_not_ordered(struct suspect *s) {
    if (!(s->evidence->facts & FACT_OTHER_BLOCK) || uses_neighbours(s)) return false;
    TEXT(s, cause, "blocks of one launch run in any order, and nothing orders these two accesses%s",
         has_barrier(s->program) ? ": __syncthreads() is a barrier of one block's threads only"
                                 : "");
    TEXT(s, remedy,
         "read in a second launch what all blocks of this one write; or give each block elements "
         "of its own, use atomics, or hand over by a flag with __threadfence() before it");
    return true;
}

// Two stores on one line, by threads of one block.
static bool same_global_element(struct suspect *s) {
    const char *here = s->finding->place.action, *there = s->finding->other.action;
    char memory[80], where[32];
    if (s->evidence->facts & FACT_OTHER_BLOCK || !s->evidence->other || !here || !there)
        return false;
    if (strcmp(here, "writes") != 0 || strcmp(there, "writes") != 0 || takes_lock(s)) return false;
    if (position(s->program, s->entry->index) != position(s->program, s->evidence->other - 1))
        return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "several threads of a block store different values to the same element of %s on %s: one "
         "of them wins",
         name_memory(s, "this buffer", memory), where);
    TEXT(s, remedy,
         "give each thread an element of its own, let one thread store (if (threadIdx.x == 0)), "
         "or combine the values (atomicAdd, a reduction)");
    set_cause_place(s, s->entry->index);
    return true;
}

static bool warps_not_ordered(struct suspect *s) {
    if (s->evidence->facts & FACT_OTHER_BLOCK || uses_neighbours(s)) return false;
    TEXT(s, cause, "two warps of the block use this device memory, and no barrier lies between");
    TEXT(s, remedy, "put __syncthreads() between the two accesses%s",
         s->scene->launch->blocks > 1
             ? "; if other blocks use these elements, too, write to another buffer"
             : "");
    return true;
}

// --- addresses -----------------------------------------------------------------------------------

static bool misaligned(struct suspect *s) {
    if (!(s->evidence->facts & FACT_MISALIGNED)) return false;
    if (is_opcode(s->program, s->entry->index, SASS_UBLKCP) ||
        is_opcode(s->program, s->entry->index, SASS_UTMALDG) ||
        is_opcode(s->program, s->entry->index, SASS_UTMASTG)) {
        TEXT(s, cause,
             "the copy engine needs addresses that are multiples of 16, and of 128 in shared "
             "memory for the copy of a tensor's box");
        TEXT(s, remedy,
             "give the array __align__(128), and let each stage and each row that is copied begin "
             "at such an address");
        return true;
    }
    const struct source_vector v = source_vector(s->finding->place.file, s->finding->place.line);
    if (v.bytes >= s->finding->bytes) {
        TEXT(s, cause,
             "a %s needs an address that is a multiple of %u; this row or pointer is not%s", v.name,
             v.bytes,
             v.bytes > s->finding->bytes
                 ? " (the kernel uses a part of it, and the compiler accesses only that)"
                 : "");
        TEXT(s, remedy,
             "make the leading dimension and the first element multiples of %d elements, or "
             "access single elements there",
             v.elements);
        return true;
    }
    TEXT(s, cause,
         "an access of %u bytes needs an address that is a multiple of %u; this row or pointer is "
         "not",
         s->finding->bytes, s->finding->bytes);
    TEXT(s, remedy,
         "make the rows' length and the start of the buffer multiples of %u bytes, or access "
         "single elements there",
         s->finding->bytes);
    return true;
}

static bool freed_memory(struct suspect *s) {
    if (!(s->evidence->facts & FACT_FREED)) return false;
    if (s->evidence->facts & FACT_OUTSIDE) {
        TEXT(s, cause, "the kernel has freed this memory before");
        TEXT(s, remedy, "free it after its last use");
    } else {
        TEXT(s, cause, "what is freed is not what malloc() gave, or was freed before");
        TEXT(s, remedy, "free each pointer that malloc() gave once, by one thread");
    }
    return true;
}

static bool null_function(struct suspect *s) {
    if (!(s->evidence->facts & FACT_NULL_FUNCTION)) return false;
    TEXT(s, cause,
         "the pointer was never set, or is an address that the host took of a device function");
    TEXT(s, remedy,
         "let a kernel take the function's address, or copy it from a __device__ variable that has "
         "it");
    return true;
}

static bool ended_block(struct suspect *s) {
    if (!(s->evidence->facts & FACT_CLUSTER)) return false;
    TEXT(s, cause, "the other block of the cluster has ended, and its shared memory with it");
    TEXT(s, remedy,
         "put cluster.sync() at the end of the kernel, so that no block ends while others read its "
         "memory");
    return true;
}

static bool of_descriptor(struct suspect *s) {
    if (!(s->evidence->facts & FACT_DESCRIPTOR)) return false;
    TEXT(s, cause,
         "a descriptor's start, leading and stride offsets (in units of 16 bytes) lead out of "
         "the block's shared memory");
    TEXT(s, remedy,
         "check the start address (address >> 4, 14 bits), the two offsets and the swizzle of "
         "the descriptor against the tile, and simrun's --shared");
    return true;
}

static bool mbarrier_elsewhere(struct suspect *s) {
    if (!(s->evidence->facts & FACT_OTHER_MBARRIER)) return false;
    TEXT(s, cause,
         "the data go to one block of the cluster, and the bytes are counted at another block's "
         "mbarrier");
    TEXT(s, remedy,
         "take the mbarrier of the block that gets the data (mapa with the same rank for both)");
    return true;
}

// A copy by the copy engine reaches beyond its buffer.
static bool copy_too_long(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    const uint64_t at = s->finding->at;
    uint64_t left = 0;
    struct allocation *a;
    if (!(s->evidence->facts & FACT_OUTSIDE) ||
        !is_opcode(s->program, s->entry->index, SASS_UBLKCP))
        return false;
    if (strcmp(s->finding->space, "shared") == 0)
        left = at < (uint64_t)s->evidence->expected ? (uint64_t)s->evidence->expected - at : 0;
    for (int i = 0;
         strcmp(s->finding->space, "global") == 0 && (a = memory_at(l->memory, i)) != NULL; i++)
        if (at >= a->base && at < a->base + a->size) left = a->base + a->size - at;
    TEXT(s, cause, "the copy is of %u bytes, and %llu are left from its address on",
         s->finding->bytes, (unsigned long long)left);
    TEXT(s, remedy,
         "copy what is left of the last tile only, or make the buffer a multiple of the tile");
    return true;
}

static bool local_index(struct suspect *s) {
    char memory[80];
    if (!(s->evidence->facts & FACT_OUTSIDE) || strcmp(s->finding->space, "local") != 0)
        return false;
    TEXT(s, cause, "the index into %s, an array of the thread, runs past its end",
         name_memory(s, "local memory", memory));
    TEXT(s, remedy, "make the array as large as the index can be, or the index smaller");
    return true;
}

static bool mbarrier_without_init(struct suspect *s) {
    if (!(s->evidence->facts & FACT_MBARRIER)) return false;
    TEXT(s, cause,
         "no thread has initialised this mbarrier before this thread uses it, or mbarrier.inval "
         "ended it");
    TEXT(s, remedy, "let one thread call mbarrier.init, then __syncthreads() before the first use");
    return true;
}

static bool shared_too_small(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    if (!(s->evidence->facts & FACT_OUTSIDE) || strcmp(s->finding->space, "shared") != 0)
        return false;
    if (s->evidence->actual < 0 || l->shared_bytes - l->shared_reserved > l->dynamic_shared + 15)
        return false;
    TEXT(s, cause,
         "the launch gives a block %u bytes of dynamic shared memory, and the kernel uses more",
         l->dynamic_shared);
    TEXT(s, remedy, "give more: simrun --shared BYTES, the third parameter of <<<...>>>");
    return true;
}

static bool shared_index(struct suspect *s) {
    char memory[80];
    if (!(s->evidence->facts & FACT_OUTSIDE) || strcmp(s->finding->space, "shared") != 0)
        return false;
    TEXT(s, cause, "the index into %s runs past the %lld bytes of shared memory that the block has",
         name_memory(s, "the array", memory), (long long)s->evidence->expected);
    TEXT(s, remedy,
         "make the array larger or the index smaller; an array in dynamic shared memory needs "
         "--shared BYTES");
    return true;
}

static bool all_executions_failed(const struct suspect *s) {
    const struct tally *t = s->scene->launch->counted;
    return t && t[s->entry->index].threads > 0 && s->finding->repeats >= t[s->entry->index].threads;
}

static bool is_outside_global(const struct suspect *s) {
    return s->evidence->facts & FACT_OUTSIDE && s->finding->space &&
           strcmp(s->finding->space, "global") == 0;
}

enum { NULL_PAGE = 1 << 16 }; // addresses below this one come from a null pointer plus an index

static bool far_away(struct suspect *s) {
    const int64_t past = s->evidence->overshoot;
    if (!is_outside_global(s)) return false;
    if (past != INT64_MAX && llabs(past) < (int64_t)1 << 30) return false;
    if (s->finding->at < NULL_PAGE) {
        TEXT(s, cause,
             "the pointer is null: an argument that was not set, or an allocation that failed");
        TEXT(s, remedy,
             "check what the launch gives as this argument, and the order of the kernel's "
             "arguments");
        return true;
    }
    const int64_t elements = (int64_t)s->finding->bytes << 32,
                  before = elements - past - (int64_t)s->evidence->allocated;
    if (past != INT64_MAX && before > 0 && before < (int64_t)1 << 30) {
        TEXT(s, cause,
             "an unsigned 32-bit index went below 0 and became 2^32 - %lld: the address is %lld "
             "bytes before the buffer's start, plus 2^32 elements",
             (long long)(before / s->finding->bytes), (long long)before);
        TEXT(s, remedy,
             "make the index signed, or end the loop before it passes 0 (an unsigned k >= 0 always "
             "holds)");
        return true;
    }
    TEXT(s, cause,
         "the address is nowhere near a buffer: a 32-bit index overflowed, the index was loaded "
         "and is none, or the pointer is not one (a host pointer, a wrong argument)");
    TEXT(s, remedy,
         "compute the index in 64 bits (size_t), check loaded indices against the size, and the "
         "order of the kernel's arguments");
    return true;
}

static bool negative_index(struct suspect *s) {
    const int64_t past = s->evidence->overshoot;
    if (!is_outside_global(s) || past >= 0) return false;
    TEXT(s, cause, "the index is negative: the address is %lld bytes before the buffer's start",
         (long long)-past);
    TEXT(s, remedy, "keep the index from going below 0");
    return true;
}

static void describe_guard(struct suspect *s, uint32_t guard, char where[32]) {
    const uint32_t condition = find_condition(s->program, guard);
    set_cause_place(s, condition);
    name_position(s->program, place_own_line(s->program->kernel, guard) ? guard : condition, where);
}

// Returns how many threads have executed the instruction and its copies in an unrolled loop.
static uint64_t count_copies(const struct suspect *s) {
    const struct program *p = s->program;
    const struct tally *t = s->scene->launch->counted;
    uint64_t threads = 0;
    for (uint32_t i = 0; t && i < p->count; i++)
        if (is_alike(p, i, s->entry->index)) threads += t[i].threads;
    return threads;
}

// Returns true if all executions of the access and of its copies failed.
static bool all_copies_failed(const struct suspect *s) {
    const uint64_t threads = count_copies(s);
    return threads > 0 && s->finding->repeats >= threads;
}

// A loop runs too far: some of its iterations fail even in the grid's first thread, which has the
// smallest index. So a condition on the index would not help.
static bool loop_too_long(struct suspect *s) {
    const struct program *p = s->program;
    const struct finding *f = s->finding;
    char lines[64];
    if (!is_outside_global(s) || all_copies_failed(s) || !f->has_thread) return false;
    const bool first = !f->block[0] && !f->block[1] && !f->block[2] && !f->thread[0] &&
                       !f->thread[1] && !f->thread[2];
    if (!first && depends_on_index(p, s->entry->index)) return false;
    const struct code_span loop = common_loop(p, s->entry->index, s->entry->index);
    if (!loop.found) return false;
    name_loop(p, loop, lines);
    set_cause_place(s, find_condition(p, loop.last));
    TEXT(s, cause,
         first ? "the loop of %s runs too far: in a late round even the first thread of the first "
                 "block is out of range"
               : "the loop of %s runs too far: the index does not depend on the thread, and is "
                 "out of range in late rounds",
         lines);
    TEXT(s, remedy,
         "check the bound of the loop of %s (<= in place of <? one tile too many?), and the "
         "index's strides",
         lines);
    return true;
}

// Returns true if the condition admits threads whose index is in range: the first thread of the
// grid, or more than half of all threads. An inverted condition admits only threads whose index is
// out of range.
static bool lets_first_through(const struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    const struct finding *f = &s->entry->finding;
    const uint64_t first =
        s->entry->block * l->threads + (uint32_t)(f->warp * LANES + f->place.lane);
    const bool most = 2 * l->counted[s->entry->index].threads > l->blocks * l->threads;
    return first == 0 || (most && first * f->bytes < s->evidence->allocated);
}

// Returns the shift in bytes of the accesses of an instruction and its copies in an unrolled loop:
// they begin that far after the buffer's start and end that far past its end. Returns 0 if they are
// not shifted.
static uint64_t shift_of(const struct suspect *s) {
    const struct program *p = s->program;
    const uint64_t *lowest = s->scene->launch->lowest;
    if (!lowest || s->evidence->overshoot < 0) return 0;
    const uint64_t end = s->finding->at - (uint64_t)s->evidence->overshoot,
                   base = end - s->evidence->allocated;
    const uint64_t over = s->entry->farthest + s->finding->bytes - end,
                   own = lowest[s->entry->index];
    uint64_t first = own;
    for (uint32_t i = 0; i < p->count; i++)
        if (lowest[i] >= base && lowest[i] < first && is_alike(p, i, s->entry->index))
            first = lowest[i];
    return own >= base && over > 0 && (own - base == over || first - base == over) ? over : 0;
}

static bool index_shifted(struct suspect *s) {
    char here[32], by[32] = "one";
    if (!is_outside_global(s) || all_executions_failed(s)) return false;
    const uint64_t shift = shift_of(s), elements = shift / s->finding->bytes;
    if (!shift || shift % s->finding->bytes) return false;
    if (elements > 1) snprintf(by, sizeof by, "%llu elements", (unsigned long long)elements);
    name_position(s->program, s->entry->index, here);
    TEXT(s, cause,
         "the accesses on %s begin %llu bytes after the start of the buffer and end as many past "
         "its end: the index is too large by %s",
         here, (unsigned long long)shift, by);
    TEXT(s, remedy,
         "make the index on %s smaller by %s; where it means a neighbour, leave out those at the "
         "end",
         here, by);
    set_cause_place(s, s->entry->index);
    s->entry->shifted = true;
    return true;
}

static bool guard_inverted(struct suspect *s) {
    char where[32];
    if (!is_outside_global(s) || !all_executions_failed(s) || lets_first_through(s)) return false;
    const uint32_t guard = find_guard(s->program, s->entry->index);
    if (guard == UINT32_MAX || !is_range_check(s->program, find_condition(s->program, guard)))
        return false;
    describe_guard(s, guard, where);
    TEXT(s, cause,
         "the condition on %s lets only threads through that are out of range: it is inverted",
         where);
    TEXT(s, remedy, "turn the condition on %s round", where);
    return true;
}

// Returns true if the condition seems to be off by one: the access is to the element after the end;
// no access is further outside, or the condition compares with a variable by <= or >; and at most
// two fifths of the accesses fail. (With a constant, nvcc turns < into <=.)
static bool lets_one_through(const struct suspect *s, uint32_t condition, int64_t past) {
    const struct sass_instruction *in = code_at(s->program, condition);
    const unsigned compare = in && in->form->opcode == SASS_ISETP ? in->modifiers.compare & 7 : 0;
    const bool number = in && in->operand[SASS_B].kind == SASS_INTEGER;
    if (past < 0 || past >= s->finding->bytes) return false;
    if (s->entry->farthest != s->finding->at && (number || (compare != 3 && compare != 4)))
        return false;
    s->entry->many = 5 * s->finding->repeats > 2 * count_copies(s);
    return !s->entry->many;
}

// Returns true if the condition compares with a variable by < or >=, which excludes the end.
static bool excludes_end(const struct suspect *s, uint32_t condition) {
    const struct sass_instruction *in = code_at(s->program, condition);
    const unsigned compare = in && in->form->opcode == SASS_ISETP ? in->modifiers.compare & 7 : 0;
    return (compare == 1 || compare == 6) && in->operand[SASS_B].kind != SASS_INTEGER;
}

// Finds the condition before an access outside a buffer. Returns false if there is none, or if no
// thread that passes it stays inside the buffer.
static bool find_range_check(const struct suspect *s, uint32_t *guard, uint32_t *condition) {
    if (!is_outside_global(s) || all_executions_failed(s)) return false;
    *guard = find_guard(s->program, s->entry->index);
    if (*guard == UINT32_MAX) return false;
    *condition = find_condition(s->program, *guard);
    return is_range_check(s->program, *condition);
}

// Returns true if unoptimised code moves the line's vectors word by word, and only later words of a
// vector lie past the buffer's end, never a first word.
static bool words_past_end(const struct suspect *s, const struct source_vector *v) {
    const uint32_t word = s->finding->bytes;
    const int64_t end = (int64_t)s->finding->at - s->evidence->overshoot;
    if (v->bytes != word * (uint32_t)v->elements || s->evidence->overshoot < 0) return false;
    if (!is_opcode(s->program, s->entry->index, SASS_LD) &&
        !is_opcode(s->program, s->entry->index, SASS_ST))
        return false;
    for (int i = 0; i < s->scene->count; i++) {
        const struct entry *e = s->scene->entry[i];
        if (e->kind == REPORT_ADDRESS && e->index < s->program->count &&
            position(s->program, e->index) == position(s->program, s->entry->index) &&
            (int64_t)e->farthest - end > (int64_t)v->bytes - 2 * (int64_t)word)
            return false;
    }
    return true;
}

// A vector begins inside a buffer of whole vectors and ends past it, so it is not aligned.
static bool vector_not_aligned(struct suspect *s) {
    char where[32];
    const struct source_vector v = source_vector(s->finding->place.file, s->finding->place.line);
    if (!is_outside_global(s) || v.elements < 2 || !v.bytes || s->evidence->allocated % v.bytes ||
        !words_past_end(s, &v))
        return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "a %s on %s begins inside the buffer and ends past it; the buffer's %llu bytes are a "
         "multiple of %u, so its address is not. (Unoptimised code moves it word by word; "
         "optimised code stops at any such address.)",
         v.name, where, (unsigned long long)s->evidence->allocated, v.bytes);
    TEXT(s, remedy,
         "make the leading dimension and the first element multiples of %d elements, or access "
         "single elements there",
         v.elements);
    return true;
}

// A vector begins inside the buffer, which is too short for it, and ends past it.
static bool vector_past_end(struct suspect *s) {
    char where[32];
    const struct source_vector v = source_vector(s->finding->place.file, s->finding->place.line);
    if (!is_outside_global(s) || v.elements < 2 || !v.bytes ||
        s->evidence->allocated % v.bytes == 0)
        return false;
    // overshoot is 0 if the access begins inside the buffer or right behind its end
    const bool whole = s->evidence->overshoot == 0 && v.bytes == s->finding->bytes &&
                       s->entry->farthest == s->finding->at &&
                       !strstr(s->finding->message, "right behind");
    if (!whole && !words_past_end(s, &v)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "the buffer's %llu bytes are no multiple of the %u of a %s: the last %s on %s begins "
         "inside it and ends past it",
         (unsigned long long)s->evidence->allocated, v.bytes, v.name, v.name, where);
    TEXT(s, remedy,
         "let the vectors end before the rest (i < n / %d), and access the last n %% %d elements "
         "one by one",
         v.elements, v.elements);
    return true;
}

static bool index_too_large(struct suspect *s) {
    char where[32], here[32];
    uint32_t guard, condition;
    if (!find_range_check(s, &guard, &condition) ||
        !lets_one_through(s, condition, s->evidence->overshoot))
        return false;
    if (!excludes_end(s, condition)) return false;
    describe_guard(s, guard, where);
    name_position(s->program, s->entry->index, here);
    TEXT(s, cause,
         "the index that %s uses is one too large, though the condition on %s holds: + 1, or "
         "another size?",
         here, where);
    TEXT(s, remedy, "check on %s, by <, the index that %s uses", where, here);
    return true;
}

static bool guard_too_wide(struct suspect *s) {
    char where[32];
    uint32_t guard, condition;
    if (!find_range_check(s, &guard, &condition)) return false;
    describe_guard(s, guard, where);
    if (lets_one_through(s, condition, s->evidence->overshoot)) {
        TEXT(s, cause, "the condition on %s lets one index too many through: <= in place of <?",
             where);
        TEXT(s, remedy, "compare each index with its own size, by <, on %s", where);
    } else {
        TEXT(s, cause,
             "the condition on %s lets threads through that are out of range: it does not check "
             "this index, or a leading dimension or size does not fit the buffer",
             where);
        TEXT(s, remedy,
             "compare each index with its own size, by <, on %s; compare the sizes and leading "
             "dimensions with the buffer's size",
             where);
    }
    return true;
}

// The buffer has an element for each thread of the grid, and each thread makes one access.
static bool stride_too_large(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    char where[32];
    if (!is_outside_global(s) || all_executions_failed(s) || !l->counted) return false;
    const uint64_t threads = l->blocks * l->threads, accesses = count_copies(s);
    // if only some threads access the buffer, such as those that store their group's result, there
    // must be as many accesses as elements
    const bool some = !accesses || accesses * s->finding->bytes != s->evidence->allocated;
    if ((accesses != threads && some) || accesses * s->finding->bytes > s->evidence->allocated)
        return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "the buffer has an element for each of the %llu %s on %s, and the index leads past it: a "
         "stride, a row's length or an offset is too large",
         (unsigned long long)accesses, accesses == threads ? "threads" : "accesses", where);
    TEXT(s, remedy,
         "check the index on %s; if not every thread should use an element, leave early where it "
         "is out of range",
         where);
    set_cause_place(s, s->entry->index);
    return true;
}

static bool guard_missing(struct suspect *s) {
    char where[32];
    if (!is_outside_global(s) || all_executions_failed(s)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "threads beyond the edge run this too: no condition on the thread's index comes before %s",
         where);
    TEXT(s, remedy,
         "leave early where the index is out of range (if (row >= m || col >= n) return;), or "
         "guard %s",
         where);
    return true;
}

static bool wrong_buffer(struct suspect *s) {
    const int64_t past = s->evidence->overshoot;
    const unsigned long long size = (unsigned long long)s->evidence->allocated;
    if (!is_outside_global(s) || !all_executions_failed(s)) return false;
    if (past >= 0 && past < s->finding->bytes && s->entry->farthest == s->finding->at) {
        TEXT(s, cause,
             "the access is right behind the end of a buffer of %llu bytes: one element too "
             "many, <= in place of <?",
             size);
        TEXT(s, remedy,
             "check the last index of the loop or of the thread, and the size of the buffer");
        return true;
    }
    TEXT(s, cause,
         "every thread that runs it is out of range, by %lld to %lld bytes past the end of a "
         "buffer of %llu bytes: its index has an offset or a stride too many, or the buffer is "
         "another one or too small",
         (long long)past, (long long)(past + (int64_t)(s->entry->farthest - s->finding->at)), size);
    TEXT(s, remedy,
         "check the index's offset and leading dimension, the order of the arguments and the size "
         "of the buffer");
    return true;
}

// --- uninitialized -------------------------------------------------------------------------------

static bool register_never_set(struct suspect *s) {
    char where[32];
    if (!(s->evidence->facts & FACT_REGISTER)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "no instruction on the way to %s sets it: a variable without an initial value, an index "
         "past the end of an array of the thread, or a line that was left out",
         where);
    TEXT(s, remedy,
         "set the variable (in machine code, the register) before %s, or correct the index", where);
    return true;
}

static bool local_never_stored(struct suspect *s) {
    char memory[80];
    if (!s->finding->space || strcmp(s->finding->space, "local") != 0) return false;
    TEXT(s, cause,
         "the thread has not stored this element of %s before it reads it, or the index is not in "
         "the array",
         name_memory(s, "its local memory", memory));
    TEXT(s, remedy, "set all elements that are read, or correct the index");
    return true;
}

// Another block wrote the memory later in the launch: this block read it too early.
static bool read_too_early(struct suspect *s) {
    const uint64_t writer = s->evidence->other_block;
    if (!s->finding->space || strcmp(s->finding->space, "global") != 0) return false;
    if (!writer || writer - 1 == s->entry->block) return false;
    const uint32_t *grid = s->scene->launch->grid;
    const uint64_t b = writer - 1;
    TEXT(s, cause,
         "block (%u, %u, %u) writes it in the same launch, and nothing makes this block wait for "
         "that%s",
         (unsigned)(b % grid[0]), (unsigned)(b / grid[0] % grid[1]),
         (unsigned)(b / grid[0] / grid[1]),
         has_barrier(s->program) ? ": __syncthreads() is a barrier of one block's threads only"
                                 : "");
    TEXT(s, remedy,
         "read in a second launch what all blocks of this one write, or hand over by a flag with "
         "__threadfence() before it");
    return true;
}

static bool output_is_read(struct suspect *s) {
    if (!s->finding->space || strcmp(s->finding->space, "global") != 0) return false;
    if (s->finding->argument != NOBODY_KNOWN)
        TEXT(s, cause,
             "argument %d starts without values, and the kernel reads it before it writes it",
             s->finding->argument);
    else
        TEXT(s, cause,
             "the buffer starts without values, and the kernel reads it before it writes it");
    TEXT(s, remedy,
         "do not read it (beta 0 must not read C), or fill it first (simrun: f32[N]:zero)");
    return true;
}

static bool is_shared_atomic(const struct program *p, uint32_t index) {
    return is_opcode(p, index, SASS_ATOMS) || is_opcode(p, index, SASS_ATOMS_CAS) ||
           is_opcode(p, index, SASS_ATOMS_POPC);
}

// An atomic, or a loop around a compare-and-swap, adds to a value that nothing has set.
static bool never_zeroed(struct suspect *s) {
    const struct program *p = s->program;
    char memory[80], where[32];
    if (!s->finding->space || strcmp(s->finding->space, "shared") != 0) return false;
    bool atomic = is_shared_atomic(p, s->entry->index);
    for (uint32_t i = 0; i < p->count && !atomic && place_own_line(p->kernel, s->entry->index); i++)
        atomic = is_shared_atomic(p, i) && position(p, i) == position(p, s->entry->index);
    if (!atomic) return false;
    name_position(p, s->entry->index, where);
    TEXT(s, cause,
         "the atomic on %s changes %s, which starts without a value: no thread has set it before",
         where, name_memory(s, "shared memory", memory));
    TEXT(s, remedy, "let the block set all of it (to 0 for a sum), then __syncthreads(), before %s",
         where);
    return true;
}

// Returns the guard on the thread's index of every store to this array (to shared memory if the
// array is unknown); UINT32_MAX if some store is not guarded, or there is none.
static uint32_t guard_of_stores(const struct suspect *s) {
    const struct program *p = s->program;
    const char *array = s->finding->array;
    char names[SOURCE_NAMES][SOURCE_NAME];
    uint32_t found = UINT32_MAX;
    // A store on the line that reads the array, as in a tree reduction, only updates it.
    bool others = false;
    for (uint32_t i = 0; i < p->count; i++)
        others |= is_opcode(p, i, SASS_STS) && position(p, i) != position(p, s->entry->index);
    for (uint32_t i = 0; i < p->count; i++) {
        if (!is_opcode(p, i, SASS_STS)) continue;
        if (others && position(p, i) == position(p, s->entry->index)) continue;
        const struct code_place place = place_of(p->kernel, i);
        const char *line = source_line(place.file, place.line);
        bool same = !*array || !line;
        for (int k = line ? source_names(line, SOURCE_WRITES, names) : 0; k-- > 0;)
            same |= !strcmp(names[k], array);
        if (!same) continue;
        const uint32_t guard = find_guard(p, i);
        const struct launch_state *l = s->scene->launch;
        // The store is not guarded if all threads have executed it. In a loop each iteration
        // counts, so the guard must also have kept no thread away.
        const bool loops = common_loop(p, i, i).found && guard != UINT32_MAX;
        const uint64_t kept_away = loops && l->counted ? l->counted[guard].threads : 0;
        if (l->counted && l->counted[i].threads >= l->blocks * l->threads && !kept_away)
            return UINT32_MAX;
        if (guard == UINT32_MAX || !is_range_check(p, find_condition(p, guard))) return UINT32_MAX;
        found = guard;
    }
    return found;
}

static bool store_guarded(struct suspect *s) {
    char memory[80], where[32];
    if (!s->finding->space || strcmp(s->finding->space, "shared") != 0) return false;
    const uint32_t guard = guard_of_stores(s);
    if (guard == UINT32_MAX) return false;
    describe_guard(s, guard, where);
    TEXT(s, cause,
         "the condition on %s keeps some threads from storing to %s, and what they leave out is "
         "read all the same",
         where, name_memory(s, "shared memory", memory));
    TEXT(s, remedy,
         "let these threads store too: a zero, where the index is out of range; or do not read it");
    return true;
}

static bool never_stored(struct suspect *s) {
    char memory[80];
    if (!s->finding->space || strcmp(s->finding->space, "shared") != 0) return false;
    TEXT(s, cause, "no thread of the block has stored this part of %s before it is read",
         name_memory(s, "shared memory", memory));
    TEXT(s, remedy,
         "store all that is read (the threads' loads must cover the whole tile), and put "
         "__syncthreads() before the read");
    return true;
}

// --- barriers, loops, lanes ----------------------------------------------------------------------

static bool divergent_barrier(struct suspect *s) {
    char where[32];
    if (!(s->evidence->facts & FACT_DEADLOCK)) return false;
    const uint32_t arrival = find_arrival(s->program);
    if (arrival != UINT32_MAX) {
        name_position(s->program, arrival, where);
        TEXT(s, cause,
             "%lld of %lld threads are there, and bar.arrive on %s does not wait: a warp that "
             "comes to it again before the others counts twice in one round and is missing in "
             "the next",
             (long long)s->evidence->actual, (long long)s->evidence->expected, where);
        TEXT(s, remedy,
             "let the arriving warps wait for the others (bar.sync of a second barrier) before "
             "they arrive again, and give all the same counts");
        set_cause_place(s, arrival);
        return true;
    }
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "the barrier on %s is reached by %lld of %lld threads: it stands inside a condition%s "
         "that not all threads run alike",
         where, (long long)s->evidence->actual, (long long)s->evidence->expected,
         common_loop(s->program, s->entry->index, s->entry->index).found ? " or a loop" : "");
    TEXT(s, remedy,
         "move the barrier on %s to where all threads of the block pass, the same number of times",
         where);
    return true;
}

static bool barrier_counts(struct suspect *s) {
    if (!s->evidence->unit || strcmp(s->evidence->unit, "threads") != 0 || s->evidence->facts)
        return false;
    TEXT(s, cause, "threads arrive at one barrier with two counts: %lld and %lld",
         (long long)s->evidence->expected, (long long)s->evidence->actual);
    TEXT(
        s, remedy,
        "give bar.sync and bar.arrive of one barrier the same number of threads, a multiple of 32");
    return true;
}

// A plain read only decides whether to execute an atomic, which compares again:
// `if (v > *most) atomicMax(most, v)`.
static bool looks_before_atomic(struct suspect *s) {
    char where[32];
    if (s->finding->severity != SEVERITY_WARNING || s->entry->index >= s->program->count ||
        !s->program->detail[s->entry->index].looks)
        return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "%s reads a word before its own atomic on it, while other warps update it by theirs: the "
         "value may be old, which the atomic makes good",
         where);
    TEXT(s, remedy,
         "read it by cuda::atomic_ref<int, cuda::thread_scope_block>(x)"
         ".load(cuda::memory_order_relaxed), or call the atomic without looking first");
    return true;
}

// Returns the barrier on the other side of a branch: its guard is the negation of this barrier's,
// and its source line is another. Returns UINT32_MAX if there is none.
static uint32_t opposite_barrier(const struct program *p, uint32_t index) {
    const struct sass_instruction *in = code_at(p, index);
    for (uint32_t i = 0; i < p->count; i++)
        if (is_block_barrier(p, i) && position(p, i) != position(p, index) &&
            code_at(p, i)->guard == in->guard && code_at(p, i)->guard_negate != in->guard_negate)
            return i;
    return UINT32_MAX;
}

// Returns true if the line at this place has a PTX barrier instruction.
static bool is_ptx_barrier(const struct code_place *place) {
    const char *line = source_line(place->file, place->line);
    return line && (strstr(line, "bar.sync") || strstr(line, "barrier.sync"));
}

// Threads of a block wait at different barriers. For PTX barriers, which count whole warps wherever
// they arrive, this is only a note. A __syncthreads() may stand in a branch only if all threads
// take it.
static bool barrier_in_branches(struct suspect *s) {
    const struct program *p = s->program;
    char where[32], here[32];
    if (s->finding->severity == SEVERITY_ERROR) return false;
    name_position(p, s->entry->index, here);
    const uint32_t other =
        s->evidence->other ? s->evidence->other - 1 : opposite_barrier(p, s->entry->index);
    if (other == UINT32_MAX) {
        TEXT(s, cause,
             "the barrier on %s stands inside a condition that lanes of one warp do not run alike",
             here);
        TEXT(s, remedy, "move the barrier on %s to where all threads of the block pass", here);
        return true;
    }
    name_position(p, other, where);
    const struct code_place there = place_of(p->kernel, other);
    if (!is_ptx_barrier(&s->finding->place) || !is_ptx_barrier(&there))
        s->finding->severity = SEVERITY_WARNING;
    const struct code_span loop = common_loop(p, other, other);
    if (loop.found && (s->entry->index < loop.first || s->entry->index > loop.last)) {
        TEXT(s, cause,
             "some threads have left the loop and wait on %s, while others wait in it on %s", here,
             where);
        TEXT(s, remedy,
             "let all threads of the block run the loop as often, and leave out the work, not the "
             "barrier");
        return true;
    }
    TEXT(
        s, cause,
        "the threads of the block part at a condition, and each side has a barrier of its own%s%s: "
        "CUDA allows __syncthreads() in a branch only if all threads of the block take it",
        strcmp(here, where) ? ", here and on " : "", strcmp(here, where) ? where : "");
    TEXT(s, remedy,
         "put one __syncthreads() where all threads pass, or give the two sides named barriers "
         "(bar.sync 1, COUNT)");
    return true;
}

static bool is_self_jump(const struct program *p, uint32_t at) {
    return at < p->count && is_opcode(p, at, SASS_BRA) && p->detail[at].target == at;
}

// A warp has run past its kernel's code, which has no EXIT, into the jump to itself that follows.
static bool missing_exit(struct suspect *s) {
    const struct program *p = s->program;
    const uint32_t at = s->entry->index;
    char where[32];
    if (!is_self_jump(p, at) || at == 0) return false;
    for (uint32_t i = at + 1; i < p->count; i++)
        if (!is_opcode(p, i, SASS_NOP)) return false; // the jump is part of the kernel
    const struct sass_instruction *before = code_at(p, at - 1);
    if (!before || ((before->form->opcode == SASS_EXIT || before->form->opcode == SASS_RET ||
                     before->form->opcode == SASS_BRA) &&
                    sass_always(before)))
        return false;
    name_position(p, at - 1, where);
    TEXT(s, cause,
         "the kernel has no EXIT at its end: after %s it runs into the jump to itself that follows "
         "the code",
         where);
    TEXT(s, remedy, "end the kernel with EXIT, after %s", where);
    set_cause_place(s, at - 1);
    return true;
}

// Returns true if other threads could end the loop: it reads memory, waits at a barrier, or calls a
// function.
static bool loop_looks(const struct program *p, struct code_span loop) {
    for (uint32_t i = loop.first; i <= loop.last; i++) {
        const struct sass_instruction *in = code_at(p, i);
        if (!in || in->form->opcode == SASS_CALL || in->form->opcode == SASS_BAR) return true;
        if (sass_facts_of(in)->load || sass_facts_of(in)->atomic || sass_facts_of(in)->mbarrier)
            return true;
        if (is_shared_atomic(p, i) || p->detail[i].spins) return true;
    }
    return false;
}

// The loop waits for a flag in memory, but keeps the flag's value in a register.
static bool flag_kept(struct suspect *s) {
    const struct program *p = s->program;
    char where[32];
    if (!(s->evidence->facts & (FACT_POLLS | FACT_LIMIT))) return false;
    const struct code_span loop = common_loop(p, s->entry->index, s->entry->index);
    if (!loop.found || loop_looks(p, loop) || loop.last - loop.first > 4) return false;
    name_position(p, s->entry->index, where);
    bool loads = false;
    for (uint32_t i = 0; i < loop.first; i++) {
        const struct sass_instruction *in = code_at(p, i);
        loads |= in && sass_facts_of(in)->load && position(p, i) == position(p, s->entry->index);
    }
    if (!loads) return false;
    TEXT(s, cause,
         "the loop on %s reads no memory: the value is loaded once and kept in a register, since "
         "nothing says that others change it",
         where);
    TEXT(s, remedy, "make it volatile, or read it by an atomic or cuda::atomic_ref with acquire");
    set_cause_place(s, s->entry->index);
    return true;
}

static bool polls_for_ever(struct suspect *s) {
    char where[32];
    if (!(s->evidence->facts & FACT_POLLS)) return false;
    name_position(s->program, s->entry->index, where);
    if (s->evidence->unit) {
        TEXT(s, cause,
             "the loop on %s waits for other blocks, and of the %lld blocks %lld fit on the GPU "
             "at once: the others start when these end",
             where, (long long)s->evidence->expected, (long long)s->evidence->actual);
        TEXT(s, remedy,
             "launch no more blocks than fit (cudaLaunchCooperativeKernel checks it), and let each "
             "do more of the work");
        return true;
    }
    if (*s->evidence->detail)
        TEXT(s, cause, "the loop on %s waits for what nobody does any more: %s", where,
             s->evidence->detail);
    else
        TEXT(s, cause, "the loop on %s waits for a value that no other warp will write", where);
    TEXT(s, remedy, "%s",
         strstr(s->evidence->detail, "mbarrier")
             ? "compare mbarrier.init's count with the threads that arrive in each phase, the "
               "bytes of expect_tx with those that the copies bring, and the parity that is "
               "waited for"
             : "check who should arrive or store there: how many, in which phase, and that all "
               "blocks that wait for each other fit on the GPU");
    return true;
}

// The warp is in the loop itself: copies of its instruction may lie in loops that end.
static bool loop_never_ends(struct suspect *s) {
    const struct program *p = s->program;
    const uint32_t at = s->entry->index;
    char where[64];
    if (!(s->evidence->facts & FACT_LIMIT)) return false;
    struct code_span loop = smallest_loop(p, at, at, false);
    if (!loop.found) loop = common_loop(p, at, at);
    if (!loop.found) return false;
    name_loop(p, loop, where);
    const uint32_t condition = find_condition(p, loop.last);
    set_cause_place(s, condition);
    if (condition == loop.last)
        TEXT(
            s, cause,
            "the loop of %s does not end: its condition always holds, and the compiler left it out",
            where);
    else
        TEXT(s, cause,
             "the loop of %s does not end: its condition (`%.80s`) holds in every round%s%s", where,
             s->finding->cause_place.instruction, *s->evidence->detail ? ", " : "",
             s->evidence->detail);
    TEXT(s, remedy,
         "check that what the condition of %s compares changes in each round, and in the right "
         "direction",
         where);
    return true;
}

// The kernel contains a jump to itself. Compilers make one from an endless loop without effects.
static bool loop_is_empty(struct suspect *s) {
    char where[32];
    if (!is_self_jump(s->program, s->entry->index)) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "the loop on %s has no way out: its condition always holds (as k >= 0 does for an "
         "unsigned k), and the compiler left out the condition, the body and all code behind",
         where);
    TEXT(s, remedy, "give the loop on %s a condition that can fail", where);
    set_cause_place(s, s->entry->index);
    return true;
}

static bool is_warpgroup_mma(const struct suspect *s) {
    return is_opcode(s->program, s->entry->index, SASS_HGMMA);
}

static bool warps_not_there(struct suspect *s) {
    if (!is_warpgroup_mma(s)) return false;
    TEXT(s, cause,
         "a wgmma is of four neighbouring warps (128 threads, from a multiple of 128), and all "
         "of them must execute it");
    TEXT(s, remedy,
         "give the block a multiple of 128 threads, and make the condition around the wgmma one on "
         "threadIdx.x / 128");
    return true;
}

static bool lane_not_named(struct suspect *s) {
    char where[32];
    if (!s->evidence->outside_mask) return false;
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "a lane that calls __syncwarp() or a shuffle on %s is not in the mask that it gives",
         where);
    TEXT(s, remedy,
         "give a mask of exactly the lanes that come there (0xffffffff where all of the warp do)");
    return true;
}

// Not all lanes of a warp reach the WARPSYNC that precedes a barrier.
static bool barrier_of_lanes(struct suspect *s) {
    enum { BEHIND = 8 };
    const struct program *p = s->program;
    const uint32_t at = s->entry->index;
    bool before = false;
    char where[32];
    for (uint32_t i = at + 1; i <= at + BEHIND && i < p->count; i++)
        before |= is_block_barrier(p, i) && position(p, i) == position(p, at);
    if (!is_opcode(p, at, SASS_WARPSYNC) || !before) return false;
    name_position(p, at, where);
    TEXT(s, cause,
         "the barrier on %s is not reached by all threads of a warp: it stands inside a "
         "condition%s that not all threads run alike",
         where, common_loop(p, at, at).found ? " or a loop" : "");
    TEXT(s, remedy,
         "move the barrier on %s to where all threads of the block pass, the same number of times",
         where);
    return true;
}

static bool lane_not_there(struct suspect *s) {
    char where[32];
    name_position(s->program, s->entry->index, where);
    TEXT(s, cause,
         "the mask or the source lane of %s names lanes that do not execute it: they have ended, "
         "took another branch, or the block does not have them (its last warp is not whole)",
         where);
    TEXT(s, remedy,
         "call it where all lanes of the mask arrive, or take the mask from __ballot_sync() before "
         "the branch");
    return true;
}

static bool wgmma_fence_missing(struct suspect *s) {
    if (s->evidence->other || s->finding->space || !is_warpgroup_mma(s)) return false;
    TEXT(s, cause,
         "the registers that a wgmma reads or adds to are not ready for it without a wgmma.fence");
    TEXT(s, remedy,
         "put wgmma.fence before the first wgmma, and again after the registers are changed");
    return true;
}

static bool fence_missing(struct suspect *s) {
    TEXT(s, cause,
         "stores of threads go through the generic proxy, and wgmma and the copy engine read "
         "through the asynchronous one");
    TEXT(s, remedy,
         "put fence.proxy.async after the stores, in the threads that store, before the barrier");
    return true;
}

static bool stack_too_deep(struct suspect *s) {
    TEXT(s, cause,
         "calls are nested deeper than the thread's stack holds: recursion without an end?");
    TEXT(s, remedy, "end the recursion earlier, or use a loop");
    return true;
}

static bool stopped_itself(struct suspect *s) {
    char where[32];
    TEXT(s, cause,
         "the kernel's own check on %s found something wrong, or the compiler put a trap in "
         "place of code that can only be wrong (a store to __constant__ memory, a null pointer)",
         name_position(s->program, s->entry->index, where));
    TEXT(s, remedy,
         "look at what the condition of the assertion or of __trap() compares, and at what is left "
         "of the line");
    return true;
}

static bool cannot_run(struct suspect *s) {
    TEXT(s, cause,
         "the simulator does not know this instruction, or the kernel jumps out of its code");
    TEXT(s, remedy,
         "simrun --needs lists the instructions that it lacks; nvcc -arch=sm_90 makes code that it "
         "runs");
    return true;
}

// --- hazards -------------------------------------------------------------------------------------

static void hazard_place(struct suspect *s) {
    if (s->evidence->other) set_cause_place(s, s->evidence->other - 1);
}

static bool short_stall(struct suspect *s) {
    const struct evidence *v = s->evidence;
    if (!(v->facts & FACT_SHORT_STALL)) return false;
    hazard_place(s);
    TEXT(s, cause, "too few cycles after `%.100s` at 0x%x: %lld, and it needs %lld",
         s->finding->other.instruction, s->finding->other.address, (long long)v->actual,
         (long long)v->expected);
    TEXT(s, remedy,
         "add %lld to the stall counts from there on, or put independent instructions in between",
         (long long)(v->expected - v->actual));
    return true;
}

static bool scoreboard_not_waited(struct suspect *s) {
    const struct evidence *v = s->evidence;
    if (!(v->facts & FACT_NOT_WAITED)) return false;
    hazard_place(s);
    TEXT(s, cause,
         "`%.100s` at 0x%x sets %s scoreboard %u, and nothing waits for it before this instruction",
         s->finding->other.instruction, s->finding->other.address,
         v->facts & FACT_SOURCE ? "read" : "write", v->scoreboard);
    TEXT(s, remedy,
         "wait for scoreboard %u in the control column of this instruction, or of one before it",
         v->scoreboard);
    return true;
}

static bool no_scoreboard(struct suspect *s) {
    const struct evidence *v = s->evidence;
    if (!(v->facts & FACT_NO_SCOREBOARD)) return false;
    hazard_place(s);
    TEXT(s, cause,
         "`%.100s` at 0x%x takes variable time and has no %s scoreboard that could be waited for",
         s->finding->other.instruction, s->finding->other.address,
         v->facts & FACT_SOURCE ? "read" : "write");
    TEXT(s, remedy, "give it a %s scoreboard, and wait for that scoreboard here",
         v->facts & FACT_SOURCE ? "read" : "write");
    return true;
}

static bool group_not_waited(struct suspect *s) {
    if (!(s->evidence->facts & FACT_GROUP)) return false;
    hazard_place(s);
    TEXT(s, cause, "the warp group's product is still under way: no WARPGROUP.DEPBAR waits for it");
    TEXT(s, remedy, "wgmma.wait_group (WARPGROUP.DEPBAR) before this instruction");
    return true;
}

static bool stale_reuse(struct suspect *s) {
    TEXT(s, cause,
         "an earlier instruction keeps the operand (.reuse), and its register has been written "
         "since");
    TEXT(s, remedy, "take the .reuse flag off the earlier instruction");
    return true;
}

// --- the table -----------------------------------------------------------------------------------

static const struct rule {
    enum report_kind kind;
    const char *name, *evidence;
    bool (*holds)(struct suspect *s);
} rules[] = {
    {REPORT_ENDLESS, "missing-exit", "a jump to itself that the code before it runs into",
     missing_exit},
    {REPORT_HAZARD, "short-stall", "cycles between two instructions, and how many the first needs",
     short_stall},
    {REPORT_HAZARD, "scoreboard-not-waited", "a scoreboard that the first instruction sets",
     scoreboard_not_waited},
    {REPORT_HAZARD, "no-scoreboard", "the first instruction takes variable time and sets none",
     no_scoreboard},
    {REPORT_HAZARD, "group-not-waited", "the first instruction belongs to a warp group's product",
     group_not_waited},
    {REPORT_REUSE, "stale-reuse", "a reuse flag whose register has been written since",
     stale_reuse},
    {REPORT_RACE, "looks-before-atomic",
     "a plain read of a word just before the warp's atomic on it", looks_before_atomic},
    {REPORT_RACE, "copy-not-waited", "an asynchronous copy is under way to this place",
     race_of_copy},
    {REPORT_RACE, "refilled-too-early", "a write to what a warp waited for and has not read yet",
     refilled_too_early},
    {REPORT_RACE, "mbarrier-not-waited", "the copy engine wrote, its mbarrier was not waited for",
     race_of_engine},
    {REPORT_RACE, "async-read-not-waited", "tensor cores or the copy engine still read",
     race_of_async_read},
    {REPORT_RACE, "one-lane-arrives", "a store of another lane than the one that arrived",
     race_of_arrival},
    {REPORT_RACE, "missing-cluster-barrier", "the other access is another block's of the cluster",
     race_of_cluster},
    {REPORT_RACE, "mbarrier-misused", "two warps, in a kernel that hands over by mbarriers",
     race_over_mbarrier},
    {REPORT_RACE, "flag-without-fence", "two warps, in a kernel that polls a flag or takes a lock",
     race_over_flag},
    {REPORT_RACE, "not-atomic", "a load and a store of one address on one line", not_atomic},
    {REPORT_RACE, "same-element", "two stores on one line", same_element},
    {REPORT_RACE, "missing-syncwarp", "both are lanes of one warp that have not met",
     race_of_lanes},
    {REPORT_RACE, "barrier-in-condition",
     "both places in a loop, and a barrier that few of its rounds pass", barrier_in_condition},
    {REPORT_RACE, "missing-barrier", "both places, and no barrier on one of the ways between them",
     missing_barrier},
    {REPORT_RACE, "read-and-write", "both places on one line, a barrier in each round",
     read_before_written},
    {REPORT_RACE, "barrier-in-condition",
     "both places, no loop, and a barrier between that only some threads pass", barrier_in_branch},
    {REPORT_RACE, "barrier-not-passed", "one place, and two barriers at which warps met",
     barrier_skipped},
    {REPORT_RACE, "barrier-not-passed", "both places, and a barrier on each way between them",
     barrier_not_passed},
    {REPORT_RACE, "missing-barrier", "one place, and a kernel without barriers", no_barrier_at_all},
    {REPORT_RACE, "missing-barrier", "one place; two warps that no barrier orders",
     unordered_warps},
    {REPORT_PROXY, "missing-wgmma-fence", "a wgmma, and no second place", wgmma_fence_missing},
    {REPORT_PROXY, "missing-fence", "a generic store without a fence, an asynchronous read",
     fence_missing},
    {REPORT_BARRIER, "divergent-barrier",
     "fewer threads have arrived than there are, and no other can", divergent_barrier},
    {REPORT_BARRIER, "barrier-counts", "two counts of threads at one barrier", barrier_counts},
    {REPORT_BARRIER, "barrier-in-branches", "two places of one barrier, or a part of a warp",
     barrier_in_branches},
    {REPORT_ENDLESS, "flag-in-register",
     "a short loop without a load, and a load on its line before it", flag_kept},
    {REPORT_ENDLESS, "loop-never-ends", "a jump to itself with code behind it", loop_is_empty},
    {REPORT_ENDLESS, "polls-for-ever", "all warps poll what nobody changes", polls_for_ever},
    {REPORT_ENDLESS, "loop-never-ends", "the limit of instructions, in a loop", loop_never_ends},
    {REPORT_LANE, "absent-warp", "a wgmma that not all of its four warps execute", warps_not_there},
    {REPORT_LANE, "lane-not-named", "a lane that its own mask does not name", lane_not_named},
    {REPORT_LANE, "divergent-barrier", "a barrier behind the wait for the lanes of a warp",
     barrier_of_lanes},
    {REPORT_LANE, "absent-lane", "a lane that is asked for and does not run", lane_not_there},
    {REPORT_UNWRITTEN, "never-set", "a register that no instruction has written",
     register_never_set},
    {REPORT_UNWRITTEN, "mbarrier-without-init", "an mbarrier in memory that nothing has written",
     mbarrier_without_init},
    {REPORT_ADDRESS, "null-function", "a call of the address 0", null_function},
    {REPORT_ADDRESS, "freed", "memory that the kernel has freed", freed_memory},
    {REPORT_ADDRESS, "block-has-ended", "shared memory of a block of the cluster that has ended",
     ended_block},
    {REPORT_ADDRESS, "descriptor", "a descriptor of a wgmma leads outside", of_descriptor},
    {REPORT_ADDRESS, "mbarrier-of-another-block", "a copy's data and mbarrier in two blocks",
     mbarrier_elsewhere},
    {REPORT_ADDRESS, "copy-too-long", "a copy by the copy engine outside its memory",
     copy_too_long},
    {REPORT_ADDRESS, "local-index", "an access past the thread's local memory", local_index},
    {REPORT_ADDRESS, "misaligned", "an address that is no multiple of the access's width",
     misaligned},
    {REPORT_ADDRESS, "shared-too-small",
     "all of the block's shared memory is dynamic, and the access past its end", shared_too_small},
    {REPORT_ADDRESS, "shared-index", "an access outside the block's shared memory", shared_index},
    {REPORT_ADDRESS, "wild-address", "more than 1 GiB from every buffer", far_away},
    {REPORT_ADDRESS, "negative-index",
     "an address before the nearest buffer (neighbour-outside: its line also reads past the end)",
     negative_index},
    {REPORT_ADDRESS, "loop-too-long",
     "in a loop, the first thread of the grid, and not every execution", loop_too_long},
    {REPORT_ADDRESS, "guard-inverted",
     "a condition on the thread's index, and every execution out of range", guard_inverted},
    {REPORT_ADDRESS, "misaligned",
     "words of a vector behind the end of a buffer whose size is a multiple of it",
     vector_not_aligned},
    {REPORT_ADDRESS, "vector-past-end",
     "a vector that begins inside the buffer, whose size is no multiple of it", vector_past_end},
    {REPORT_ADDRESS, "index-too-large",
     "a condition that excludes the end, and accesses one element behind it", index_too_large},
    {REPORT_ADDRESS, "index-too-large",
     "accesses that begin as far after the buffer's start as they end past its end", index_shifted},
    {REPORT_ADDRESS, "guard-too-wide",
     "a condition on the thread's index, and some executions out of range", guard_too_wide},
    {REPORT_ADDRESS, "index-too-large",
     "no range check, one access of each thread, and an element for each", stride_too_large},
    {REPORT_ADDRESS, "guard-missing",
     "no range check of the thread's index, and some executions out of range", guard_missing},
    {REPORT_ADDRESS, "wrong-buffer",
     "no condition on the thread's index, and every execution out of range", wrong_buffer},
    {REPORT_UNWRITTEN, "local-never-stored", "local memory that the thread has not stored",
     local_never_stored},
    {REPORT_UNWRITTEN, "read-too-early", "device memory that another block has written by the end",
     read_too_early},
    {REPORT_UNWRITTEN, "output-is-read", "device memory that started without values",
     output_is_read},
    {REPORT_UNWRITTEN, "never-zeroed",
     "an atomic on shared memory that nothing in the block has stored", never_zeroed},
    {REPORT_UNWRITTEN, "store-guarded",
     "shared memory to which every store is behind a condition on the thread's index",
     store_guarded},
    {REPORT_UNWRITTEN, "never-stored", "shared memory that nothing in the block has stored",
     never_stored},
    {REPORT_GLOBAL_RACE, "adds-in-place", "threads that load and store one element on one line",
     adds_in_place},
    {REPORT_GLOBAL_RACE, "block-scope",
     "an atomic of one block's scope, and another block's access", block_scope_atomic},
    {REPORT_GLOBAL_RACE, "flag-without-fence",
     "another block's access, in a kernel with flags, counters or locks", flag_between_blocks},
    {REPORT_GLOBAL_RACE, "flag-without-fence",
     "another block's access, and an empty while loop on the line that reads", flag_polled},
    {REPORT_GLOBAL_RACE, "blocks-overlap",
     "stores of two blocks to one element, of different values", blocks_overlap},
    {REPORT_GLOBAL_RACE, "blocks-not-ordered", "the other access is another block's",
     blocks_not_ordered},
    {REPORT_GLOBAL_RACE, "same-element", "two stores of one block's threads on one line",
     same_global_element},
    {REPORT_GLOBAL_RACE, "warps-not-ordered", "the other access is another warp's of the block",
     warps_not_ordered},
    {REPORT_GLOBAL_RACE, "read-and-write",
     "both places on one line, which reads other elements than it writes", neighbours_change},
    {REPORT_STACK, "stack-overflow", "local memory past the stack's end", stack_too_deep},
    {REPORT_TRAP, "stopped-itself", "a trap or an assertion was executed", stopped_itself},
    {REPORT_UNKNOWN, "not-simulated", "an instruction that cannot be run", cannot_run},
};
enum { RULES = sizeof rules / sizeof *rules };

// Gives a place the source line of the call through which it was reached.
static void take_call(const struct program *p, struct code_place *place, uint32_t call) {
    const struct code_place from = place_of(p->kernel, call);
    if (!from.line) return;
    place->inlined_file = place_is_library(p->kernel, call) ? from.inlined_file : place->file;
    place->inlined_line = place->inlined_file == place->file ? place->line : from.inlined_line;
    place->file = from.file;
    place->line = from.line;
}

// Returns the source's last call, up to line `line`, that leads into this header function directly
// or through other header functions; UINT32_MAX if there is none.
static uint32_t call_before(const struct program *p, uint32_t index, uint32_t line, int depth) {
    const uint32_t address = index * SASS_BYTES;
    uint32_t best = UINT32_MAX;
    for (int i = 0; i < p->kernel->symbol_count && depth > 0; i++) {
        const struct sass_symbol *f = &p->kernel->symbols[i];
        if (address < f->address || address - f->address >= f->size || !f->address) continue;
        for (uint32_t k = 0; k < p->count; k++) {
            if (!is_opcode(p, k, SASS_CALL) || p->detail[k].target != f->address / SASS_BYTES)
                continue;
            const bool library = place_is_library(p->kernel, k);
            const uint32_t from = library ? call_before(p, k, line, depth - 1) : k;
            if (from == UINT32_MAX || place_own_line(p->kernel, from) > line) continue;
            if (best == UINT32_MAX ||
                place_own_line(p->kernel, from) > place_own_line(p->kernel, best))
                best = from;
        }
    }
    return best;
}

// Shows the call for a place in a function that is not inlined: a toolkit header's (nvcc -G) or,
// before sm_90, the function in which shuffles wait for lanes. The call of the earlier access is
// unknown: the last one up to the report's line is assumed, else the last one.
static void find_call(struct suspect *s) {
    enum { DEPTH = 4 };
    const struct program *p = s->program;
    const uint32_t index = s->entry->index, call = s->evidence->call;
    struct finding *f = s->finding;
    if (index >= p->count) return;
    if (call) {
        take_call(p, &f->place, call - 1);
        p->detail[index].position = 1 + position(p, call - 1);
    } else if (s->entry->kind == REPORT_LANE && call_of(p, index) != index) {
        const struct code_place from = place_of(p->kernel, call_of(p, index));
        if (!from.line) return;
        f->place.file = from.file;
        f->place.line = from.line;
        f->place.inlined_file = from.inlined_file;
        f->place.inlined_line = from.inlined_line;
    }
    const uint32_t other = s->evidence->other - 1;
    if (!s->evidence->other || other == index || !place_is_library(p->kernel, other)) return;
    uint32_t before = call_before(p, other, position(p, index) - 1, DEPTH);
    if (before == UINT32_MAX) before = call_before(p, other, UINT32_MAX, DEPTH);
    if (before == UINT32_MAX) return;
    take_call(p, &f->other, before);
    p->detail[other].position = 1 + position(p, before);
}

static bool is_rule(const struct entry *e, const char *name) {
    return e->finding.rule && strcmp(e->finding.rule, name) == 0;
}

// Makes a race in device memory a warning if --races was not given and some correct kernels have
// such races: for example, a search in a graph in which any of several values may win.
static void weigh(const struct launch_state *l, struct entry *e) {
    static const char *const intended[] = {"same-element", "warps-not-ordered",
                                           "blocks-not-ordered", "flag-without-fence"};
    if (!l->most_looks || e->kind != REPORT_GLOBAL_RACE || e->evidence.facts & FACT_OVERLAP) return;
    for (int i = 0; i < (int)(sizeof intended / sizeof *intended); i++)
        if (is_rule(e, intended[i])) e->finding.severity = SEVERITY_WARNING;
}

static void find_cause(const struct scene *scene, struct entry *e) {
    struct suspect s = {scene, e, &e->finding, &e->evidence, scene->launch->program};
    find_call(&s);
    find_array(&s);
    if (e->finding.rule) return; // the check itself has set the cause
    if (e->kind == REPORT_ADDRESS && is_outside_global(&s)) find_buffer(&s);
    find_parameter(&s);
    for (int i = 0; i < RULES; i++) {
        if (rules[i].kind != e->kind || !rules[i].holds(&s)) continue;
        e->finding.rule = rules[i].name;
        // A barrier for the block also orders the lanes of a warp, so a race between warps is
        // reported before one between lanes.
        e->rank = rules[i].holds == race_of_lanes ? RULES : i;
        weigh(scene->launch, e);
        return;
    }
    e->rank = RULES;
}

// --- merging -------------------------------------------------------------------------------------

static bool same_cause_place(const struct entry *a, const struct entry *b) {
    return a->finding.cause_place.known == b->finding.cause_place.known &&
           a->finding.cause_place.address == b->finding.cause_place.address;
}

// Returns true if one barrier can repair both races; then reduces the gap of `a` to where that
// barrier must stand.
static bool same_gap(const struct program *p, struct entry *a, const struct entry *b) {
    if (a->to && !b->to) return position(p, b->index) == a->from || position(p, b->index) == a->to;
    if (!a->to || !b->to) return !a->to == !b->to;
    if (a->from > b->to || b->from > a->to) return false;
    if (b->from > a->from) a->from = b->from;
    if (b->to < a->to) a->to = b->to;
    return true;
}

static bool explains_alike(const struct program *p, struct entry *a, const struct entry *b) {
    if (a->finding.severity != b->finding.severity || !a->finding.rule ||
        !is_rule(b, a->finding.rule))
        return false;
    if (is_rule(a, "missing-barrier")) return same_gap(p, a, b);
    if (a->kind == REPORT_HAZARD) return same_cause_place(a, b);
    if (a->kind == REPORT_ADDRESS && a->many != b->many) return false;
    if (a->kind == REPORT_ADDRESS)
        return !a->finding.cause_place.known || same_cause_place(a, b) ||
               a->finding.cause_place.line == b->finding.cause_place.line;
    return true;
}

// Returns true if one of the cause's two places has the line of the instruction `index`.
static bool has_line_of(const struct entry *cause, uint32_t index, const struct program *p) {
    const uint32_t line = position(p, index);
    return position(p, cause->index) == line ||
           (cause->evidence.other && position(p, cause->evidence.other - 1) == line);
}

// Returns true if the missing barrier of `barrier` would also lie between the two accesses of `e`.
static bool would_order(const struct entry *barrier, const struct entry *e,
                        const struct program *p) {
    if (!e->evidence.other || !barrier->to) return false;
    const uint32_t here = position(p, e->index), there = position(p, e->evidence.other - 1);
    const uint32_t low = here < there ? here : there, high = here < there ? there : here;
    if (barrier->to == UINT32_MAX) // it is missing at the end of a loop's body
        return high == barrier->from ||
               (common_loop(p, barrier->index, e->index).found &&
                common_loop(p, barrier->index, e->evidence.other - 1).found);
    return barrier->from < high && low < barrier->to;
}

static bool is_in_global(const struct entry *e) {
    return e->finding.space && strcmp(e->finding.space, "global") == 0;
}

// Returns true if `e` may follow from a barrier that lanes of a warp missed: a race of what the
// barrier orders, or a hazard, since ptxas relies on all lanes meeting at a barrier.
static bool follows_divergence(const struct entry *e) {
    if (e->kind == REPORT_HAZARD) return true;
    return is_rule(e, "barrier-in-condition") || is_rule(e, "missing-barrier") ||
           is_rule(e, "barrier-not-passed") ||
           (e->kind == REPORT_RACE &&
            (is_rule(e, "read-and-write") || is_rule(e, "missing-syncwarp")));
}

// Returns true for a barrier at which only a part of a warp waited.
static bool parts_a_warp(const struct entry *e) {
    return is_rule(e, "barrier-in-branches") && e->evidence.facts & FACT_LANES;
}

// Returns true if error `e` occurred after `barrier`, at which only a part of a warp waited, and
// may follow from that: the lanes that run on change the uniform registers of those that wait.
static bool follows_parting(const struct entry *barrier, const struct entry *e) {
    if (barrier->block > e->block || (barrier->block == e->block && barrier->order > e->order))
        return false;
    return e->kind == REPORT_HAZARD || e->kind == REPORT_ADDRESS || e->kind == REPORT_UNWRITTEN ||
           e->kind == REPORT_ENDLESS;
}

// Makes the report of a barrier at which a part of a warp waited an error if such an error
// followed. Races do not count, because their own cause names the condition.
static void weigh_parting(const struct scene *scene, struct entry *barrier) {
    for (int i = 0; i < scene->count && parts_a_warp(barrier); i++)
        if (scene->entry[i]->finding.severity == SEVERITY_ERROR && scene->entry[i] != barrier &&
            follows_parting(barrier, scene->entry[i]))
            barrier->finding.severity = SEVERITY_ERROR;
}

// Returns true if both are accesses to one buffer on one line.
static bool same_access(const struct program *p, const struct entry *a, const struct entry *b) {
    return is_in_global(a) && is_in_global(b) && a->finding.argument != NOBODY_KNOWN &&
           a->finding.argument == b->finding.argument &&
           position(p, a->index) == position(p, b->index);
}

// Returns the rank of a wrong address's cause among those of its line; 0 is the firmest evidence.
static int firmness(const struct entry *e) {
    static const char *const rule[] = {"misaligned",     "neighbour-outside", "wild-address",
                                       "negative-index", "loop-too-long",     "guard-inverted"};
    int i = 0;
    const int count = (int)(sizeof rule / sizeof *rule);
    while (i < count && !is_rule(e, rule[i])) i++;
    return i < count ? i : count + !e->shifted;
}

// Returns true if `cause` explains `e`: for example, a missing barrier explains memory that was
// read too early, and a register that was read too early explains an address computed from it.
static bool is_effect(const struct scene *scene, const struct entry *cause, const struct entry *e) {
    const struct program *p = scene->launch->program;
    if (is_rule(cause, "flag-without-fence") && is_rule(e, "blocks-not-ordered"))
        return cause->kind == e->kind; // the data that the flag should hand over
    if (cause->finding.severity != SEVERITY_ERROR) return false;
    if (e->kind == REPORT_NAN || e->kind == REPORT_OUTPUT || e->kind == REPORT_SHARED_UNUSED)
        return true;
    if (e->index == UINT32_MAX) return false;
    if (is_rule(cause, "divergent-barrier") && cause->kind == REPORT_LANE)
        return follows_divergence(e);
    if (parts_a_warp(cause)) return follows_parting(cause, e);
    if (cause->kind == REPORT_ADDRESS && e->kind == REPORT_ADDRESS && same_access(p, cause, e))
        return firmness(cause) < firmness(e) ||
               (firmness(cause) == firmness(e) && cause->finding.id < e->finding.id);
    if (cause->kind == REPORT_RACE && is_rule(e, "same-element") &&
        !is_rule(cause, "same-element") &&
        (has_line_of(cause, e->index, p) || cause->block < e->block ||
         (cause->block == e->block && cause->order < e->order)))
        return true; // the value that was read too early is the index
    if (is_rule(cause, "stores-overlap") && is_rule(e, "never-stored"))
        return strcmp(e->finding.array, cause->finding.array) == 0;
    // An index past the end of a row or array also leads to another element.
    if (is_rule(cause, "shared-index") &&
        (is_rule(e, "same-element") || is_rule(e, "stores-overlap")))
        return true;
    // Without the barrier, a warp runs ahead of the others.
    if ((is_rule(cause, "missing-barrier") || is_rule(cause, "barrier-in-condition")) &&
        is_rule(e, "barrier-not-passed"))
        return true;
    if (is_rule(cause, "barrier-in-condition") && is_rule(e, "missing-barrier") &&
        has_line_of(cause, e->index, p))
        return true;
    if (is_rule(cause, "missing-barrier") && is_rule(e, "missing-syncwarp") &&
        would_order(cause, e, p))
        return true;
    if (is_rule(cause, "barrier-in-condition") && e->kind == REPORT_BARRIER &&
        e->finding.severity != SEVERITY_ERROR)
        return place_own_line(p->kernel, e->index) == cause->finding.cause_place.line;
    if ((is_rule(cause, "missing-barrier") || is_rule(cause, "read-and-write") ||
         is_rule(cause, "barrier-in-condition")) &&
        is_rule(e, "missing-syncwarp"))
        return has_line_of(cause, e->index, p) &&
               (!e->evidence.other || has_line_of(cause, e->evidence.other - 1, p));
    if (cause->kind == REPORT_RACE || cause->kind == REPORT_PROXY)
        return e->kind == REPORT_UNWRITTEN && !(e->evidence.facts & FACT_REGISTER) &&
               e->finding.space && strcmp(e->finding.space, "shared") == 0 &&
               has_line_of(cause, e->index, p);
    if (cause->kind == REPORT_HAZARD || cause->kind == REPORT_REUSE)
        return e->kind == REPORT_ADDRESS || e->kind == REPORT_UNWRITTEN ||
               e->kind == REPORT_ENDLESS;
    // Behind the end of a row lies the next row, which belongs to another block.
    if (is_rule(cause, "guard-inverted") &&
        (is_rule(e, "guard-too-wide") || is_rule(e, "index-too-large")))
        return cause->finding.cause_place.line == e->finding.cause_place.line;
    if ((is_rule(cause, "guard-missing") || is_rule(cause, "guard-too-wide") ||
         is_rule(cause, "index-too-large")) &&
        is_rule(e, "blocks-overlap"))
        return true;
    if (cause->kind == REPORT_GLOBAL_RACE)
        return e->kind == REPORT_UNWRITTEN && is_in_global(e) &&
               cause->evidence.facts & FACT_OTHER_BLOCK &&
               e->finding.argument == cause->finding.argument && has_line_of(cause, e->index, p);
    if (is_rule(cause, "loop-too-long") && e->kind == REPORT_ADDRESS)
        return common_loop(p, cause->index, e->index).found;
    if (cause->kind == REPORT_UNWRITTEN)
        return e->kind == REPORT_ADDRESS &&
               (cause->evidence.facts & FACT_REGISTER || e->index + 1 == cause->evidence.other ||
                (e->index == cause->index && !is_in_global(cause)));
    // An address even further outside may fall into another argument's memory.
    if (cause->kind == REPORT_ADDRESS && e->kind == REPORT_UNWRITTEN)
        return e->index == cause->index && is_in_global(e) && is_in_global(cause);
    if (cause->kind == REPORT_ADDRESS) return e->kind == REPORT_ENDLESS;
    return false;
}

static struct entry *by_id(const struct scene *scene, int id) {
    for (int i = 0; i < scene->count; i++)
        if (scene->entry[i]->finding.id == id) return scene->entry[i];
    return NULL;
}

// Returns the entry under which `e` is merged; `e` itself if it is not merged.
static struct entry *head_of(const struct scene *scene, struct entry *e) {
    while (e->finding.caused_by) e = by_id(scene, e->finding.caused_by);
    return e;
}

// Finds a wrong index: two stores without a barrier between them reach the same elements, and no
// store reaches other elements of the array. A barrier would not repair this.
static void find_overlap(const struct scene *scene, struct entry *e) {
    const struct program *p = scene->launch->program;
    struct finding *f = &e->finding;
    char here[32], there[32];
    bool left_out = false;
    if (!is_rule(e, "missing-barrier") || !e->evidence.other || !*f->array) return;
    if (role_of(&f->place) != SOURCE_WRITES || role_of(&f->other) != SOURCE_WRITES) return;
    for (int i = 0; i < scene->count; i++)
        left_out |= is_rule(scene->entry[i], "never-stored") &&
                    !strcmp(scene->entry[i]->finding.array, f->array);
    if (!left_out) return;
    name_position(p, e->index, here);
    name_position(p, e->evidence.other - 1, there);
    f->rule = "stores-overlap";
    snprintf(f->cause, sizeof f->cause,
             "%s and %s store to the same elements of %s[..], and others of it are never stored: "
             "one of the two indices is wrong",
             there, here, f->array);
    snprintf(f->remedy, sizeof f->remedy,
             "compare the two indices with the parts of %s[..] that they should fill", f->array);
}

// Finds a line that reads both before a buffer's start and past its end: it reads the neighbours of
// elements at the edges.
static void find_neighbours(const struct scene *scene, struct entry *e) {
    struct finding *f = &e->finding;
    char where[32];
    bool past = false;
    if (!is_rule(e, "negative-index") || role_of(&f->place) == SOURCE_WRITES) return;
    for (int i = 0; i < scene->count; i++)
        past |= scene->entry[i]->kind == REPORT_ADDRESS &&
                scene->entry[i]->evidence.overshoot >= 0 &&
                same_access(scene->launch->program, e, scene->entry[i]);
    if (!past) return;
    name_position(scene->launch->program, e->index, where);
    f->rule = "neighbour-outside";
    snprintf(f->cause, sizeof f->cause,
             "%s reads before the buffer's start and past its end: the elements at the edges have "
             "no neighbours there",
             where);
    snprintf(f->remedy, sizeof f->remedy,
             "test the neighbour's own row and column before %s reads it (0 <= x and x < width), "
             "or clamp them",
             where);
}

// Returns true if the source excerpt of `head` already shows the line of `e`; for wrong addresses,
// in the same role.
static bool is_shown(const struct entry *head, const struct entry *e) {
    const struct code_place *shown = &head->finding.place, *place = &e->finding.place;
    if (place->line == shown->line)
        return head->kind != REPORT_ADDRESS || role_of(place) == role_of(shown);
    return head->finding.other.known && place->line == head->finding.other.line;
}

// Appends the place of `e`, such as "line 24 (writes)", to head->finding.also, unless it is there
// already.
static void add_place(struct entry *head, const struct entry *e) {
    const struct code_place *place = &e->finding.place;
    char text[48], *also = head->finding.also;
    const size_t length = strlen(also);
    if (!place->known || !place->line || is_shown(head, e)) return;
    if (e->kind == REPORT_BARRIER && place->line == head->finding.cause_place.line) return;
    snprintf(text, sizeof text, place->action ? "line %u (%.20s)" : "line %u", place->line,
             place->action);
    if (strstr(also, text) || length + strlen(text) + 3 > sizeof head->finding.also) return;
    snprintf(also + length, sizeof head->finding.also - length, "%s%s", length ? ", " : "", text);
}

void causes_find(const struct scene *scene) {
    for (int i = 0; i < scene->count; i++) find_cause(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) find_overlap(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) find_neighbours(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) weigh_parting(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) { // in order of first occurrence
        struct entry *e = scene->entry[i];
        for (int k = 0; k < i && !e->finding.caused_by; k++) {
            struct entry *head = scene->entry[k];
            if (!head->finding.caused_by && explains_alike(scene->launch->program, head, e))
                e->finding.caused_by = head->finding.id;
        }
    }
    for (int i = 0; i < scene->count; i++) {
        struct entry *e = scene->entry[i], *cause = NULL;
        for (int k = 0; k < scene->count && !e->finding.caused_by; k++) {
            struct entry *other = scene->entry[k];
            // Two entries may explain each other, but the chain of causes must end.
            if (head_of(scene, other) != e && is_effect(scene, other, e) &&
                (!cause || other->rank < cause->rank))
                cause = other;
        }
        if (cause) e->finding.caused_by = cause->finding.id;
    }
    for (int i = 0; i < scene->count; i++) {
        struct entry *e = scene->entry[i], *head = head_of(scene, e);
        if (head == e) continue;
        e->finding.caused_by = head->finding.id;
        head->finding.merged++;
    }
    for (int writes = 1; writes >= 0; writes--) // stores first
        for (int i = 0; i < scene->count; i++) {
            const struct entry *e = scene->entry[i];
            if (e->finding.caused_by && (role_of(&e->finding.place) == SOURCE_WRITES) == writes)
                add_place(head_of(scene, scene->entry[i]), e);
        }
}
