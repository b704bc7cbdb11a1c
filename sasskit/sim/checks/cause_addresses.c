// Rules for wrong addresses: outside their buffer or memory space, or misaligned.
#include "causes.h"

#include <stdlib.h>

bool rule_misaligned(struct suspect *s) {
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

bool rule_freed_memory(struct suspect *s) {
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

bool rule_null_function(struct suspect *s) {
    if (!(s->evidence->facts & FACT_NULL_FUNCTION)) return false;
    TEXT(s, cause,
         "the pointer was never set, or is an address that the host took of a device function");
    TEXT(s, remedy,
         "let a kernel take the function's address, or copy it from a __device__ variable that has "
         "it");
    return true;
}

bool rule_ended_block(struct suspect *s) {
    if (!(s->evidence->facts & FACT_CLUSTER)) return false;
    TEXT(s, cause, "the other block of the cluster has ended, and its shared memory with it");
    TEXT(s, remedy,
         "put cluster.sync() at the end of the kernel, so that no block ends while others read its "
         "memory");
    return true;
}

bool rule_of_descriptor(struct suspect *s) {
    if (!(s->evidence->facts & FACT_DESCRIPTOR)) return false;
    TEXT(s, cause,
         "a descriptor's start, leading and stride offsets (in units of 16 bytes) lead out of "
         "the block's shared memory");
    TEXT(s, remedy,
         "check the start address (address >> 4, 14 bits), the two offsets and the swizzle of "
         "the descriptor against the tile, and simrun's --shared");
    return true;
}

bool rule_mbarrier_elsewhere(struct suspect *s) {
    if (!(s->evidence->facts & FACT_OTHER_MBARRIER)) return false;
    TEXT(s, cause,
         "the data go to one block of the cluster, and the bytes are counted at another block's "
         "mbarrier");
    TEXT(s, remedy,
         "take the mbarrier of the block that gets the data (mapa with the same rank for both)");
    return true;
}

bool rule_copy_too_long(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    const uint64_t at = s->finding->at;
    uint64_t left = 0;
    struct allocation *a;
    if (!(s->evidence->facts & FACT_OUTSIDE) ||
        !is_opcode(s->program, s->entry->index, SASS_UBLKCP))
        return false;
    if (strcmp(s->finding->space, "shared") == 0)
        left = at < l->shared_bytes ? l->shared_bytes - at : 0;
    for (int i = 0;
         strcmp(s->finding->space, "global") == 0 && (a = memory_at(l->memory, i)) != NULL; i++)
        if (at >= a->base && at < a->base + a->size) left = a->base + a->size - at;
    TEXT(s, cause, "the copy is of %u bytes, and %llu are left from its address on",
         s->finding->bytes, (unsigned long long)left);
    TEXT(s, remedy,
         "copy what is left of the last tile only, or make the buffer a multiple of the tile");
    return true;
}

bool rule_local_index(struct suspect *s) {
    char memory[80];
    if (!(s->evidence->facts & FACT_OUTSIDE) || strcmp(s->finding->space, "local") != 0)
        return false;
    TEXT(s, cause, "the index into %s, an array of the thread, runs past its end",
         name_memory(s, "local memory", memory));
    TEXT(s, remedy, "make the array as large as the index can be, or the index smaller");
    return true;
}

bool rule_mbarrier_without_init(struct suspect *s) {
    if (!(s->evidence->facts & FACT_MBARRIER)) return false;
    TEXT(s, cause,
         "no thread has initialised this mbarrier before this thread uses it, or mbarrier.inval "
         "ended it");
    TEXT(s, remedy, "let one thread call mbarrier.init, then __syncthreads() before the first use");
    return true;
}

bool rule_shared_too_small(struct suspect *s) {
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

bool rule_shared_index(struct suspect *s) {
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

bool is_outside_global(const struct suspect *s) {
    return s->evidence->facts & FACT_OUTSIDE && s->finding->space &&
           strcmp(s->finding->space, "global") == 0;
}

enum { NULL_PAGE = 1 << 16 }; // an address below this one is a null pointer plus an index

bool rule_far_away(struct suspect *s) {
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

bool rule_negative_index(struct suspect *s) {
    const int64_t past = s->evidence->overshoot;
    if (!is_outside_global(s) || past >= 0) return false;
    TEXT(s, cause, "the index is negative: the address is %lld bytes before the buffer's start",
         (long long)-past);
    TEXT(s, remedy, "keep the index from going below 0");
    return true;
}

void describe_guard(struct suspect *s, uint32_t guard, char where[32]) {
    const uint32_t condition = find_condition(s->program, guard);
    set_cause_place(s, condition);
    name_position(s->program, place_own_line(s->program->kernel, guard) ? guard : condition, where);
}

// Returns how often threads have executed the wrong access and its copies in an unrolled loop.
static uint64_t count_copies(const struct suspect *s) {
    const struct program *p = s->program;
    const struct tally *t = s->scene->launch->counted;
    uint64_t threads = 0;
    for (uint32_t i = 0; t && i < p->count; i++)
        if (is_alike(p, i, s->entry->index)) threads += t[i].threads;
    return threads;
}

static bool all_copies_failed(const struct suspect *s) {
    const uint64_t threads = count_copies(s);
    return threads > 0 && s->finding->repeats >= threads;
}

// A loop runs too far: some iterations fail even in the grid's first thread, or the index is the
// same in all threads. A condition on the thread's index would not help.
bool rule_loop_too_long(struct suspect *s) {
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

// Returns true if the condition before the access is not inverted. Either the first thread that
// fails is the first one of the grid, or the condition admits more than half of all threads, and
// the buffer has an element for that thread's linear index in the grid.
static bool lets_first_through(const struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    const struct finding *f = &s->entry->finding;
    const uint64_t first =
        s->entry->block * l->threads + (uint32_t)(f->warp * LANES + f->place.lane);
    const bool most = 2 * l->counted[s->entry->index].threads > l->blocks * l->threads;
    return first == 0 || (most && first * f->bytes < s->evidence->allocated);
}

// Returns by how many bytes the accesses of an instruction (and of its copies in an unrolled loop)
// are shifted: they begin that far after the buffer's start and end that far past its end. Returns
// 0 if the two distances differ.
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

bool rule_index_shifted(struct suspect *s) {
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

bool rule_guard_inverted(struct suspect *s) {
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

// Returns true if the condition seems to be off by one: the access is to the element right after
// the end, and at most two fifths of the accesses fail. If some accesses lie further outside, the
// condition must also compare with a variable by <= or >. (With a constant, nvcc turns < into <=.)
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

// Finds the range check before an access outside a buffer. Returns false if there is none, or if no
// thread that passes it stays inside the buffer.
static bool find_range_check(const struct suspect *s, uint32_t *guard, uint32_t *condition) {
    if (!is_outside_global(s) || all_executions_failed(s)) return false;
    *guard = find_guard(s->program, s->entry->index);
    if (*guard == UINT32_MAX) return false;
    *condition = find_condition(s->program, *guard);
    return is_range_check(s->program, *condition);
}

// Returns true if unoptimised code moves the line's vectors word by word, and no vector lies wholly
// past the buffer's end: each has at least its first word inside.
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
            source_position(s->program, e->index) == source_position(s->program, s->entry->index) &&
            (int64_t)e->farthest - end > (int64_t)v->bytes - 2 * (int64_t)word)
            return false;
    }
    return true;
}

// A vector begins inside a buffer of whole vectors and ends past it, so it is not aligned.
bool rule_vector_not_aligned(struct suspect *s) {
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
bool rule_vector_past_end(struct suspect *s) {
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

bool rule_index_too_large(struct suspect *s) {
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

bool rule_guard_too_wide(struct suspect *s) {
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

// The buffer has as many elements as there are accesses, or enough for one access per thread.
bool rule_stride_too_large(struct suspect *s) {
    const struct launch_state *l = s->scene->launch;
    char where[32];
    if (!is_outside_global(s) || all_executions_failed(s) || !l->counted) return false;
    const uint64_t threads = l->blocks * l->threads, accesses = count_copies(s);
    // If only some threads access the buffer (e.g. one per group, which stores its result), there
    // must be as many accesses as elements.
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

bool rule_guard_missing(struct suspect *s) {
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

bool rule_wrong_buffer(struct suspect *s) {
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
