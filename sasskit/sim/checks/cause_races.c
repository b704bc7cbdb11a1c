// Rules for races in shared memory.
#include "causes.h"

// Returns the evidence's facts without those that only tell the order of the two accesses.
static uint32_t facts_of(const struct suspect *s) {
    return s->evidence->facts & ~(uint32_t)(FACT_EARLY | FACT_AGAIN);
}

void set_cause_place(struct suspect *s, uint32_t index) {
    s->finding->cause_place = place_of(s->program->kernel, index);
}

bool rule_race_of_copy(struct suspect *s) {
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

// Returns true if one of the two accesses is to a shared mbarrier, flag or lock that synchronises
// the warps: it is an atomic or an mbarrier operation.
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

bool rule_refilled_too_early(struct suspect *s) {
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

bool rule_race_of_engine(struct suspect *s) {
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

bool rule_race_of_async_read(struct suspect *s) {
    if (!(s->evidence->facts & FACT_ASYNC_READ)) return false;
    TEXT(s, cause,
         "a wgmma or a copy to global memory that was started before still reads this memory");
    TEXT(s, remedy,
         "wait first: wgmma.wait_group, or cp.async.bulk.wait_group.read, and a barrier if another "
         "warp started it");
    return true;
}

bool rule_race_of_arrival(struct suspect *s) {
    if (!(s->evidence->facts & FACT_ARRIVAL)) return false;
    TEXT(s, cause,
         "all lanes of warp %d store, but one lane alone arrives: an arrival releases the stores "
         "of its own thread only",
         s->finding->other.warp);
    TEXT(s, remedy,
         "put __syncwarp() between the stores and the arrival, or let each thread arrive");
    return true;
}

bool rule_race_of_cluster(struct suspect *s) {
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

// Returns true if the instruction is code of cooperative groups or pipelines, which use flags.
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

// Returns true if the source uses the result of the atomic at `index`, or may use it. In
// unoptimised code, the atomic is in a header's function: the lines that call it are examined, up
// to `depth` calls away.
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

bool uses_flags(const struct program *p) {
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

bool rule_race_over_mbarrier(struct suspect *s) {
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

bool rule_race_over_flag(struct suspect *s) {
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
bool rule_same_element(struct suspect *s) {
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
    if (source_position(s->program, s->entry->index) !=
        source_position(s->program, s->evidence->other - 1))
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
bool rule_not_atomic(struct suspect *s) {
    const struct program *p = s->program;
    char memory[80], where[32];
    if (facts_of(s) & ~(uint32_t)FACT_LANES || !s->evidence->other) return false;
    const uint32_t here = s->entry->index, there = s->evidence->other - 1;
    if (source_position(p, here) != source_position(p, there) || !place_own_line(p->kernel, here))
        return false;
    if (!p->detail[here].is_shared || !p->detail[there].is_shared ||
        !same_place(&p->detail[here], &p->detail[there]))
        return false;
    if (is_opcode(p, here, SASS_LDS) == is_opcode(p, there, SASS_LDS)) return false;
    // in x[i] += x[i - 1], the line reads another element, too
    for (uint32_t i = 0; i < p->count; i++)
        if (is_opcode(p, i, SASS_LDS) && source_position(p, i) == source_position(p, here) &&
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

bool rule_race_of_lanes(struct suspect *s) {
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
    // a barrier on the way from the second access to the first one of the next iteration;
    // UINT32_MAX if there is none
    uint32_t around;
};

// Returns the code that leads from one iteration of an unrolled loop to the next: from a copy of
// `second` to the next copy of `first`. If both are on one line, that code must have a barrier.
static struct code_span next_round(const struct program *p, uint32_t first, uint32_t second) {
    const uint32_t low = source_position(p, first), high = source_position(p, second);
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
    const bool swap = source_position(p, there) > source_position(p, here) ||
                      (source_position(p, there) == source_position(p, here) && there > here);
    pair->first = swap ? here : there;
    pair->second = swap ? there : here;
    pair->low = source_position(p, pair->first);
    pair->high = source_position(p, pair->second);
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

// Returns true if the code from `from` on reaches a copy of `to` (is_alike) without a barrier. The
// code is followed in order of addresses and, if `back`, through one backward branch.
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

// Returns true if some copy of `from` leads to a copy of `to` without a barrier.
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
        const uint32_t at = p->detail[i].is_shared ? source_position(p, i) : 0;
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
        const uint32_t at = p->detail[i].is_shared ? source_position(p, i) : 0;
        if (!at || (at != pair->low && at != pair->high)) continue;
        if (first == UINT32_MAX) first = i;
        last = i;
    }
    return first == UINT32_MAX ? first : barrier_in(p, first, last);
}

bool rule_barrier_in_condition(struct suspect *s) {
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
            source_position(s->program, i) == source_position(s->program, pair.around))
            passed += t[i].executed;
    // a barrier that most iterations execute is not the cause
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

bool rule_missing_barrier(struct suspect *s) {
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

bool rule_read_before_written(struct suspect *s) {
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

uint32_t find_arrival(const struct program *p) {
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

// Returns a barrier between the two accesses that threads passed less often than they made the
// accesses. Returns UINT32_MAX if there is none, or if they passed another barrier there as often.
static uint32_t find_partial_barrier(const struct suspect *s, const struct instruction_pair *pair) {
    const struct program *p = s->program;
    const struct tally *t = s->scene->launch->counted;
    const uint64_t first = t[pair->first].threads, second = t[pair->second].threads;
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = source_position(p, i);
        if (!is_block_barrier(p, i) || at < pair->low || at > pair->high) continue;
        if (t[i].threads >= (first > second ? first : second)) return UINT32_MAX;
        found = i;
    }
    return found;
}

bool rule_barrier_in_branch(struct suspect *s) {
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

bool rule_barrier_not_passed(struct suspect *s) {
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

bool rule_barrier_skipped(struct suspect *s) {
    return !facts_of(s) && !s->evidence->other && barriers_differ(s);
}

bool rule_no_barrier_at_all(struct suspect *s) {
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

bool rule_unordered_warps(struct suspect *s) {
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
