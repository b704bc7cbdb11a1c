// Rules for barriers, endless loops, missing lanes, warps and fences, stack overflows and traps.
#include "causes.h"

bool rule_divergent_barrier(struct suspect *s) {
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

bool rule_barrier_counts(struct suspect *s) {
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
bool rule_looks_before_atomic(struct suspect *s) {
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

// Returns the barrier on the other side of a branch: a barrier with the negated guard, on another
// source line. Returns UINT32_MAX if there is none.
static uint32_t opposite_barrier(const struct program *p, uint32_t index) {
    const struct sass_instruction *in = code_at(p, index);
    for (uint32_t i = 0; i < p->count; i++)
        if (is_block_barrier(p, i) && source_position(p, i) != source_position(p, index) &&
            code_at(p, i)->guard == in->guard && code_at(p, i)->guard_negate != in->guard_negate)
            return i;
    return UINT32_MAX;
}

// Returns true if the line at this place has a PTX barrier instruction.
static bool is_ptx_barrier(const struct code_place *place) {
    const char *line = source_line(place->file, place->line);
    return line && (strstr(line, "bar.sync") || strstr(line, "barrier.sync"));
}

// Threads of a block wait at different barriers, or only some lanes of a warp wait at one. This is
// a warning, because all threads must take a branch with __syncthreads(). It is a note for whole
// warps at PTX barriers, which count warps wherever they arrive.
bool rule_barrier_in_branches(struct suspect *s) {
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
bool rule_missing_exit(struct suspect *s) {
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
bool rule_flag_kept(struct suspect *s) {
    const struct program *p = s->program;
    char where[32];
    if (!(s->evidence->facts & (FACT_POLLS | FACT_LIMIT))) return false;
    const struct code_span loop = common_loop(p, s->entry->index, s->entry->index);
    if (!loop.found || loop_looks(p, loop) || loop.last - loop.first > 4) return false;
    name_position(p, s->entry->index, where);
    bool loads = false;
    for (uint32_t i = 0; i < loop.first; i++) {
        const struct sass_instruction *in = code_at(p, i);
        loads |= in && sass_facts_of(in)->load &&
                 source_position(p, i) == source_position(p, s->entry->index);
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

bool rule_polls_for_ever(struct suspect *s) {
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

bool rule_loop_never_ends(struct suspect *s) {
    const struct program *p = s->program;
    const uint32_t at = s->entry->index;
    char where[64];
    if (!(s->evidence->facts & FACT_LIMIT)) return false;
    // common_loop() also looks at the compiler's copies of the instruction, but these may lie in
    // loops that end. So it comes second.
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
         condition == loop.last
             ? "give the loop of %s a condition that can fail"
             : "check that what the condition of %s compares changes in each round, and in the "
               "right direction",
         where);
    return true;
}

// The kernel contains a jump to itself. Compilers make one from an endless loop without effects.
bool rule_loop_is_empty(struct suspect *s) {
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

bool rule_warps_not_there(struct suspect *s) {
    if (!is_warpgroup_mma(s)) return false;
    TEXT(s, cause,
         "a wgmma is of four neighbouring warps (128 threads, from a multiple of 128), and all "
         "of them must execute it");
    TEXT(s, remedy,
         "give the block a multiple of 128 threads, and make the condition around the wgmma one on "
         "threadIdx.x / 128");
    return true;
}

bool rule_lane_not_named(struct suspect *s) {
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
bool rule_barrier_of_lanes(struct suspect *s) {
    enum { BEHIND = 8 };
    const struct program *p = s->program;
    const uint32_t at = s->entry->index;
    bool before = false;
    char where[32];
    for (uint32_t i = at + 1; i <= at + BEHIND && i < p->count; i++)
        before |= is_block_barrier(p, i) && source_position(p, i) == source_position(p, at);
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

bool rule_lane_not_there(struct suspect *s) {
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

bool rule_wgmma_fence_missing(struct suspect *s) {
    if (s->evidence->other || s->finding->space || !is_warpgroup_mma(s)) return false;
    TEXT(s, cause,
         "the registers that a wgmma reads or adds to are not ready for it without a wgmma.fence");
    TEXT(s, remedy,
         "put wgmma.fence before the first wgmma, and again after the registers are changed");
    return true;
}

bool rule_fence_missing(struct suspect *s) {
    TEXT(s, cause,
         "stores of threads go through the generic proxy, and wgmma and the copy engine read "
         "through the asynchronous one");
    TEXT(s, remedy,
         "put fence.proxy.async after the stores, in the threads that store, before the barrier");
    return true;
}

bool rule_stack_too_deep(struct suspect *s) {
    TEXT(s, cause,
         "calls are nested deeper than the thread's stack holds: recursion without an end?");
    TEXT(s, remedy, "end the recursion earlier, or use a loop");
    return true;
}

bool rule_stopped_itself(struct suspect *s) {
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

bool rule_cannot_run(struct suspect *s) {
    TEXT(s, cause,
         "the simulator does not know this instruction, or the kernel jumps out of its code");
    TEXT(s, remedy,
         "simrun --needs lists the instructions that it lacks; nvcc -arch=sm_90 makes code that it "
         "runs");
    return true;
}
