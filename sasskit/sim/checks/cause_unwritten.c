// Rules for registers and memory that were read before anything was written to them.
#include "causes.h"

bool rule_register_never_set(struct suspect *s) {
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

bool rule_local_never_stored(struct suspect *s) {
    char memory[80];
    if (!s->finding->space || strcmp(s->finding->space, "local") != 0) return false;
    TEXT(s, cause,
         "the thread has not stored this element of %s before it reads it, or the index is not in "
         "the array",
         name_memory(s, "its local memory", memory));
    TEXT(s, remedy, "set all elements that are read, or correct the index");
    return true;
}

bool rule_read_too_early(struct suspect *s) {
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

bool rule_output_is_read(struct suspect *s) {
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

bool is_shared_atomic(const struct program *p, uint32_t index) {
    return is_opcode(p, index, SASS_ATOMS) || is_opcode(p, index, SASS_ATOMS_CAS) ||
           is_opcode(p, index, SASS_ATOMS_POPC);
}

// An atomic, or a loop around a compare-and-swap, adds to a value that nothing has set.
bool rule_never_zeroed(struct suspect *s) {
    const struct program *p = s->program;
    char memory[80], where[32];
    if (!s->finding->space || strcmp(s->finding->space, "shared") != 0) return false;
    bool atomic = is_shared_atomic(p, s->entry->index);
    for (uint32_t i = 0; i < p->count && !atomic && place_own_line(p->kernel, s->entry->index); i++)
        atomic =
            is_shared_atomic(p, i) && source_position(p, i) == source_position(p, s->entry->index);
    if (!atomic) return false;
    name_position(p, s->entry->index, where);
    TEXT(s, cause,
         "the atomic on %s changes %s, which starts without a value: no thread has set it before",
         where, name_memory(s, "shared memory", memory));
    TEXT(s, remedy, "let the block set all of it (to 0 for a sum), then __syncthreads(), before %s",
         where);
    return true;
}

// Returns the guard (find_guard) of the last store to the finding's array, or to any shared memory
// if the array is unknown. Returns UINT32_MAX if there is no store, or one without a range check.
static uint32_t guard_of_stores(const struct suspect *s) {
    const struct program *p = s->program;
    const char *array = s->finding->array;
    char names[SOURCE_NAMES][SOURCE_NAME];
    uint32_t found = UINT32_MAX;
    // A store on the line that reads the array, as in a tree reduction, only updates it.
    bool others = false;
    for (uint32_t i = 0; i < p->count; i++)
        others |= is_opcode(p, i, SASS_STS) &&
                  source_position(p, i) != source_position(p, s->entry->index);
    for (uint32_t i = 0; i < p->count; i++) {
        if (!is_opcode(p, i, SASS_STS)) continue;
        if (others && source_position(p, i) == source_position(p, s->entry->index)) continue;
        const struct code_place place = place_of(p->kernel, i);
        const char *line = source_line(place.file, place.line);
        bool same = !*array || !line;
        for (int k = line ? source_names(line, SOURCE_WRITES, names) : 0; k-- > 0;)
            same |= !strcmp(names[k], array);
        if (!same) continue;
        const uint32_t guard = find_guard(p, i);
        const struct launch_state *l = s->scene->launch;
        // The store is not guarded if all threads have executed it. In a loop, where a thread may
        // count several times, the guard must also have kept no thread away.
        const bool loops = common_loop(p, i, i).found && guard != UINT32_MAX;
        const uint64_t kept_away = loops && l->counted ? l->counted[guard].threads : 0;
        if (l->counted && l->counted[i].threads >= l->blocks * l->threads && !kept_away)
            return UINT32_MAX;
        if (guard == UINT32_MAX || !is_range_check(p, find_condition(p, guard))) return UINT32_MAX;
        found = guard;
    }
    return found;
}

bool rule_store_guarded(struct suspect *s) {
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

bool rule_never_stored(struct suspect *s) {
    char memory[80];
    if (!s->finding->space || strcmp(s->finding->space, "shared") != 0) return false;
    TEXT(s, cause, "no thread of the block has stored this part of %s before it is read",
         name_memory(s, "shared memory", memory));
    TEXT(s, remedy,
         "store all that is read (the threads' loads must cover the whole tile), and put "
         "__syncthreads() before the read");
    return true;
}
