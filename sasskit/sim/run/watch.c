// Runs observed launches: only the blocks that the observer requests, and blocks that these may
// wait for.
#include "isa/chip.h"
#include "launch.h"
#include "sim/machine/observed.h"
#include "sim/machine/progress.h"
#include "sim/observer.h"

#include <stdlib.h>

// The streams (sim/observer.h) of a block that has started.
struct record {
    uint64_t linear;
    struct sim_stream *stream; // [warps]
};
struct sim_watch {
    struct launch_state launch;
    uint32_t every;
    struct block *block; // runs single blocks, if no block waits for another or is in a cluster
    struct tally *tally;
    struct worker *worker; // otherwise runs the grid in order, or clusters
    // [records] blocks that have started and that the observer has not requested yet. Ended blocks
    // stay only if they are block `most` or may be requested (is_requested()).
    struct record *record;
    size_t records;
    uint64_t most;    // the block with the most work among those that `every` does not select
    double most_work; // the work of block `most`, as work_of() estimates it
    sim_work *work_of;
    void *context;
    bool dependent, clustered; // true if blocks may wait for each other, or form clusters
};

// Returns true if a block can wait for another block by this instruction: an atomic with a result,
// or a load that sees the stores of other SMs.
static bool can_wait_for_blocks(const struct sass_instruction *in) {
    const enum sass_opcode opcode = in->form->opcode;
    if (opcode == SASS_LDG || opcode == SASS_LD || opcode == SASS_LDG_256)
        return sass_is_strong(in);
    return sass_facts_of(in)->atomic && opcode != SASS_RED && opcode != SASS_REDG;
}

// Returns true if other blocks may observe the instruction, or if it may wait for them.
static bool is_seen_by_blocks(const struct sass_instruction *in) {
    const enum sass_opcode opcode = in->form->opcode;
    if (opcode == SASS_STG || opcode == SASS_ST || opcode == SASS_STG_256)
        return sass_is_strong(in);
    return can_wait_for_blocks(in) || sass_facts_of(in)->atomic || opcode == SASS_MEMBAR;
}

static bool may_wait(const struct program *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct sass_instruction *in = &p->detail[i].instruction;
        if (in->form && can_wait_for_blocks(in)) return true;
    }
    return false;
}

// Returns true if the blocks run so far (block 0, and those that ran with it) have executed an
// instruction by which blocks can wait for each other. A launch need not execute all of a kernel.
static bool waited_for_blocks(const struct sim_watch *watch) {
    const struct program *p = watch->launch.program;
    uint64_t executed = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct sass_instruction *in = &p->detail[i].instruction;
        executed += watch->tally[i].executed;
        if (in->form && executed && is_seen_by_blocks(in)) return true;
    }
    return false;
}

static void drop_record(struct sim_watch *watch, size_t i) {
    for (uint32_t k = 0; k < watch->launch.warps; k++) free(watch->record[i].stream[k].word);
    free(watch->record[i].stream);
    watch->record[i] = watch->record[--watch->records];
}

// Returns true if the observer may request the block: `every` selects it, or it is block 1. From
// block 1, most_atomics() (model/chip.c) learns which lines the atomics of several SMs share.
static bool is_requested(const struct sim_watch *watch, uint64_t linear) {
    return linear % watch->every == 0 || linear == 1;
}

// Called when a block has ended. Among the blocks that cannot be requested, keeps only the one with
// the most work.
static void block_over(void *context, uint64_t linear) {
    struct sim_watch *watch = context;
    size_t i = 0;
    while (i < watch->records && watch->record[i].linear != linear) i++;
    if (i == watch->records || linear % watch->every == 0) return;
    const double work = watch->work_of(watch->context, watch->record[i].stream);
    const bool more = work > watch->most_work;
    const uint64_t dropped = more ? watch->most : linear;
    if (more) watch->most = linear, watch->most_work = work;
    for (i = 0; i < watch->records && watch->record[i].linear != dropped;) i++;
    if (i < watch->records && !is_requested(watch, dropped)) drop_record(watch, i);
}

static struct sim_stream *stream_of(void *context, uint64_t linear) {
    struct sim_watch *watch = context;
    if (!watch->dependent && !is_requested(watch, linear)) return NULL;
    struct record *more = realloc(watch->record, (watch->records + 1) * sizeof *more);
    if (!more) abort();
    watch->record = more;
    more[watch->records] =
        (struct record){linear, calloc(watch->launch.warps, sizeof *more->stream)};
    if (!more[watch->records].stream) abort();
    return more[watch->records++].stream;
}

struct sim_watch *sim_watch_open(struct sim_kernel *kernel, struct sim_memory *memory,
                                 const struct sim_launch *launch, uint32_t every, sim_work *work_of,
                                 void *context, struct error *error) {
    struct sim_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return error_fail(error, "not enough host memory"), NULL;
    watch->every = every;
    watch->work_of = work_of;
    watch->context = context;
    if (launch_prepare(&watch->launch, kernel, memory, launch, error)) {
        watch->dependent = may_wait(watch->launch.program);
        progress_begin(&watch->launch, false);
        const uint32_t *cluster = watch->launch.cluster;
        watch->clustered = cluster[0] * cluster[1] * cluster[2] > 1;
        watch->launch.stream_of = stream_of;
        watch->launch.block_over = block_over;
        watch->launch.watch = watch;
        watch->tally = calloc((size_t)watch->launch.program->count + 2, sizeof *watch->tally);
        watch->block = watch->tally ? block_open(&watch->launch, watch->tally) : NULL;
        watch->worker = watch->block ? resident_open(&watch->launch, watch->tally) : NULL;
        if (!watch->worker) error_fail(error, "not enough host memory");
    }
    if (watch->worker) return watch;
    sim_watch_close(watch);
    return NULL;
}

// Moves a block's record into stream[], and frees what stream[] held before.
static void take_record(struct sim_watch *watch, uint64_t linear, struct sim_stream *stream) {
    for (size_t i = 0; i < watch->records; i++) {
        struct record *r = &watch->record[i];
        if (r->linear != linear) continue;
        for (uint32_t k = 0; k < watch->launch.warps; k++) {
            const struct sim_stream old = stream[k];
            stream[k] = r->stream[k];
            r->stream[k] = old;
        }
        drop_record(watch, i);
        return;
    }
}

bool sim_watch_block(struct sim_watch *watch, uint64_t linear, struct sim_stream *stream,
                     struct error *error) {
    struct launch_state *l = &watch->launch;
    if (watch->dependent || watch->clustered) {
        (watch->dependent ? resident_run_until : resident_run_cluster)(watch->worker, linear);
        take_record(watch, linear, stream);
    } else {
        for (uint32_t i = 0; stream && i < l->warps; i++) stream[i].count = 0;
        watch->block->stream = stream;
        block_run_alone(watch->block, linear);
    }
    if (linear == 0) watch->dependent = watch->dependent && waited_for_blocks(watch);
    return !l->stop || error_fail(error, "the launch stopped: run it without --time to see why");
}

uint64_t sim_watch_instructions(const struct sim_watch *watch) {
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < watch->launch.warps; i++)
        instructions += watch->block->warp[i].executed;
    return instructions;
}

bool sim_watch_most(struct sim_watch *watch, double work, struct sim_stream *stream, bool *found,
                    struct error *error) {
    *found = false;
    if (!watch->dependent) return true;
    resident_run_until(watch->worker, WHOLE_GRID);
    size_t i = 0;
    while (i < watch->records && watch->record[i].linear != watch->most) i++;
    *found = i < watch->records && watch->most_work > work;
    for (uint32_t k = 0; *found && k < watch->launch.warps; k++) {
        const struct sim_stream *from = &watch->record[i].stream[k];
        stream[k].count = 0;
        for (size_t n = 0; n < from->count; n++) stream_put(&stream[k], from->word[n]);
    }
    return !watch->launch.stop ||
           error_fail(error, "the launch stopped: run it without --time to see why");
}

bool sim_watch_rest(struct sim_watch *watch, uint64_t *instructions, struct error *error) {
    struct launch_state *l = &watch->launch;
    l->stream_of = NULL;
    resident_run_until(watch->worker, WHOLE_GRID);
    uint64_t executed = 0;
    *instructions = 0;
    for (uint32_t i = 0; i < l->program->count; i++)
        *instructions += executed += watch->tally[i].executed;
    return !l->stop || error_fail(error, "the launch stopped: run it without --time to see why");
}

void sim_watch_close(struct sim_watch *watch) {
    struct error ignored = {0};
    if (!watch) return;
    resident_close(watch->worker);
    block_close(watch->block);
    while (watch->records) drop_record(watch, 0);
    free(watch->record);
    free(watch->tally);
    launch_finish(&watch->launch, &ignored);
    free(watch);
}

struct sim_watch_facts sim_watch_facts(const struct sim_watch *watch) {
    const struct launch_state *l = &watch->launch;
    return (struct sim_watch_facts){.blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                                    .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                    .warps = l->warps,
                                    .shared_bytes =
                                        l->shared_bytes - l->shared_reserved +
                                        (uint32_t)l->program->kernel->chip->system_shared,
                                    .dependent = watch->dependent,
                                    .ordered = watch->dependent || watch->clustered};
}
