// Rules for races in device memory.
#include "causes.h"

// Returns how the source line of both accesses changes an element. If its text does not show it, a
// load and a store add to the element; without source, a store of a value computed from it adds.
static enum source_change change_of(const struct suspect *s) {
    const struct program *p = s->program;
    const struct code_place *place = &s->finding->place;
    const uint32_t here = s->entry->index;
    const bool overlap = s->evidence->facts & FACT_OVERLAP;
    if (is_opcode(p, here, SASS_ATOMG) || (!overlap && !s->evidence->other)) return CHANGE_UNKNOWN;
    if (!overlap && source_position(p, here) != source_position(p, s->evidence->other - 1))
        return CHANGE_UNKNOWN;
    const char *line = source_line(place->file, place->line);
    if (!line) {
        const uint32_t there = s->evidence->other ? s->evidence->other - 1 : here;
        return p->detail[here].adds || p->detail[there].adds ? CHANGE_ADDS : CHANGE_UNKNOWN;
    }
    const enum source_change change = source_change(line);
    if (change != CHANGE_UNKNOWN) return change;
    bool loads = false, stores = false;
    for (uint32_t i = 0; i < p->count; i++) {
        const bool at = source_position(p, i) == source_position(p, here);
        loads |= at && is_opcode(p, i, SASS_LDG);
        stores |= at && is_opcode(p, i, SASS_STG);
    }
    return loads && stores ? CHANGE_ADDS : CHANGE_UNKNOWN;
}

// Returns true if the kernel takes a lock: it has a compare-and-swap on another line than the race.
static bool takes_lock(const struct suspect *s) {
    const struct program *p = s->program;
    for (uint32_t i = 0; i < p->count; i++)
        if ((is_opcode(p, i, SASS_ATOMG_CAS) || is_opcode(p, i, SASS_ATOM_CAS)) &&
            source_position(p, i) != source_position(p, s->entry->index))
            return true;
    return false;
}

bool rule_adds_in_place(struct suspect *s) {
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

// Returns true if the line reads neighbours of the element that it writes, as x[i] = x[i - 1] + ...
static bool uses_neighbours(const struct suspect *s) {
    return change_of(s) == CHANGE_NEIGHBOURS && !takes_lock(s);
}

bool rule_neighbours_change(struct suspect *s) {
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

bool rule_block_scope_atomic(struct suspect *s) {
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

bool rule_flag_between_blocks(struct suspect *s) {
    const char *here = s->finding->place.action, *there = s->finding->other.action;
    const bool fences = has_fence(s->program);
    if (!(s->evidence->facts & FACT_OTHER_BLOCK) || s->evidence->facts & FACT_OVERLAP ||
        !uses_flags(s->program))
        return false;
    if (!here || !there || (strcmp(here, "writes") != 0 && strcmp(there, "writes") != 0))
        return false;
    if (s->evidence->other && !takes_lock(s) &&
        source_position(s->program, s->entry->index) ==
            source_position(s->program, s->evidence->other - 1))
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

bool rule_blocks_overlap(struct suspect *s) {
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

// Returns true if the first while loop in these three lines of source has an empty body.
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

bool rule_flag_polled(struct suspect *s) {
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

bool rule_blocks_not_ordered(struct suspect *s) {
    if (!(s->evidence->facts & FACT_OTHER_BLOCK) || uses_neighbours(s)) return false;
    TEXT(s, cause, "blocks of one launch run in any order, and nothing orders these two accesses%s",
         has_barrier(s->program) ? ": __syncthreads() is a barrier of one block's threads only"
                                 : "");
    TEXT(s, remedy,
         "read in a second launch what all blocks of this one write; or give each block elements "
         "of its own, use atomics, or hand over by a flag with __threadfence() before it");
    return true;
}

bool rule_same_global_element(struct suspect *s) {
    const char *here = s->finding->place.action, *there = s->finding->other.action;
    char memory[80], where[32];
    if (s->evidence->facts & FACT_OTHER_BLOCK || !s->evidence->other || !here || !there)
        return false;
    if (strcmp(here, "writes") != 0 || strcmp(there, "writes") != 0 || takes_lock(s)) return false;
    if (source_position(s->program, s->entry->index) !=
        source_position(s->program, s->evidence->other - 1))
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

bool rule_warps_not_ordered(struct suspect *s) {
    if (s->evidence->facts & FACT_OTHER_BLOCK || uses_neighbours(s)) return false;
    TEXT(s, cause, "two warps of the block use this device memory, and no barrier lies between");
    TEXT(s, remedy, "put __syncthreads() between the two accesses%s",
         s->scene->launch->blocks > 1
             ? "; if other blocks use these elements, too, write to another buffer"
             : "");
    return true;
}
