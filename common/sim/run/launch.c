// A launch: constant banks filled, blocks dealt out to host threads, warps of a block run in turn, barriers.
#include "launch.h"
#include "sim/observer.h"

#include <math.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1 // one block after the other
#endif

enum { TURN = 20000 }; // branches that a warp may do before another one's turn
enum { MAX_SHARED = 227 * 1024, MAX_THREADS = 1024, SHARED_RESERVED = 1024, DEFAULT_REPORTS = 10 };
enum {
    OFFSET_BLOCK_DIM = 0x0,
    OFFSET_GRID_DIM = 0xc,
    OFFSET_LOCAL_WINDOW = 0x20,
    OFFSET_STACK = 0x28,
    OFFSET_DESCRIPTOR = 0x208
};

// --- barriers -------------------------------------------------------------------------------------------------------------

void block_barrier_complete(struct block *b, uint32_t id) {
    const struct engine *engine = b->launch->program->engine;
    struct named_barrier *n = &b->barrier[id];
    const uint32_t results[3] = {n->reduce_count, n->reduce_and, n->reduce_or};
    if (n->reduces) b->reduction = results[n->how % 3];
    n->reduces = false;
    b->barrier[id].arrived = 0;
    b->barrier[id].expected = 0;
    b->barriers_passed++;
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        b->warp[i].epoch++;
        engine->pass_barrier(&b->warp[i], id);
    }
}

static bool is_complete(const struct block *b, const struct named_barrier *barrier) {
    return barrier->arrived > 0 && barrier->arrived >= (barrier->expected ? barrier->expected : b->alive);
}

void barrier_arrive(struct warp *w, uint32_t id, uint32_t count, uint32_t threads) {
    struct named_barrier *barrier = &w->block->barrier[id];
    if (barrier->arrived && barrier->expected != count) {
        report(w, REPORT_BARRIER, w->pc, -1, false, "arrives at barrier %u with %u threads, others with %u", id, count,
               barrier->expected);
    }
    barrier->expected = count;
    barrier->arrived += threads;
    if (is_complete(w->block, barrier)) block_barrier_complete(w->block, id);
}

void barrier_check_all(struct block *b) {
    for (uint32_t id = 0; id < NAMED_BARRIERS; id++) {
        if (b->barrier[id].expected == 0 && is_complete(b, &b->barrier[id])) block_barrier_complete(b, id);
    }
}

// --- one block -------------------------------------------------------------------------------------------------------------

static void start_warp(struct block *b, uint32_t index) {
    struct launch_state *l = b->launch;
    struct warp *w = &b->warp[index];
    const int registers = l->program->kernel->registers;
    const uint32_t threads = l->threads - index * LANES < LANES ? l->threads - index * LANES : LANES;
    w->block = b;
    w->index = index;
    w->stream = b->stream ? &b->stream[index] : NULL;
    w->base[0] = (const char *)w->row;
    w->base[1] = (const char *)l->program->constant;
    w->lanes = threads == LANES ? ALL_LANES : (1u << threads) - 1;
    w->clock = 16;
    w->epoch = b->epoch_base;
    w->yield = false;
    w->copy_count = w->copy_group_count = 0;
    memset(w->row, 0xff, (size_t)(registers < 255 ? registers : 255) * sizeof *w->row); // NaN until it is written
    memset(w->row[ROW_ZERO], 0, sizeof *w->row);
    memset(w->row[ROW_UNIFORM], 0xff, SASS_URZ * sizeof *w->row);
    memset(w->row[ROW_UNIFORM_ZERO], 0, sizeof *w->row);
    memset(w->predicate, 0, sizeof w->predicate);
    w->predicate[PREDICATE_TRUE] = w->predicate[PREDICATE_UNIFORM + PREDICATE_TRUE] = ALL_LANES;
    memset(w->cell, 0, sizeof w->cell);
    memset(w->convergence, 0, sizeof w->convergence);
    for (int i = 0; i < SCOREBOARDS; i++) w->pending[i].count = 0;
    for (int i = 0; i < SASS_UNIT_COUNT; i++) w->unguarded[i].count = 0;
    memset(w->counts_from, 0, sizeof w->counts_from);
    if (w->local) memset(w->local, 0xff, (size_t)l->local_bytes * LANES);
    l->program->engine->start(w);
}

static void report_deadlock(struct block *b) {
    for (uint32_t i = 0; i < b->launch->warps; i++) {
        struct warp *w = &b->warp[i];
        if (w->state != WARP_WAITS) continue;
        const struct group *g = &w->group[0];
        if (g->state == GROUP_BARRIER) {
            const struct named_barrier *barrier = &b->barrier[g->what];
            report(w, REPORT_BARRIER, g->pc, first_lane(g->mask), true,
                   "waits for ever: %u of %u threads arrived at barrier %u and no other can", barrier->arrived,
                   barrier->expected ? barrier->expected : b->alive, g->what);
        } else {
            report(w, REPORT_BARRIER, g->pc, first_lane(g->mask), true,
                   "waits for ever for other lanes of its warp to converge");
        }
        return;
    }
}

static void run_block(struct block *b, uint64_t linear) {
    struct launch_state *l = b->launch;
    b->linear = linear;
    b->order = b->pictured = 0;
    b->index[0] = (uint32_t)(linear % l->grid[0]);
    b->index[1] = (uint32_t)(linear / l->grid[0] % l->grid[1]);
    b->index[2] = (uint32_t)(linear / l->grid[0] / l->grid[1]);
    b->alive = l->threads;
    b->epoch_base += b->barriers_passed + 1;
    b->barriers_passed = 0;
    if (b->epoch_base > 1u << 25) { // stamps have 26 bits of epoch
        memset(b->last_write, 0, l->shared_bytes + 64);
        memset(b->last_read, 0, l->shared_bytes + 64);
        b->epoch_base = 1;
    }
    memset(b->barrier, 0, sizeof b->barrier);
    memset(b->shared, 0xff, l->shared_bytes);
    for (uint32_t i = 0; i < l->warps; i++) start_warp(b, i);
    void (*const run)(struct warp *, uint64_t) = b->stream ? l->program->engine->run_observed : l->program->engine->run;
    for (bool running = true; running && !l->stop;) {
        running = false;
        for (uint32_t i = 0; i < l->warps && !l->stop; i++) {
            if (b->warp[i].state != WARP_READY) continue;
            running = true;
            run(&b->warp[i], TURN);
            if (b->warp[i].state == WARP_DONE) copies_finish(&b->warp[i], -1);
        }
    }
    if (!l->stop && b->alive) report_deadlock(b);
}

// --- one host thread ---------------------------------------------------------------------------------------------------------

static void close_block(struct block *b) {
    for (uint32_t i = 0; b->warp && i < b->launch->warps; i++) {
        free(b->warp[i].local);
        free(b->warp[i].copy);
        free(b->warp[i].copy_group);
    }
    free(b->warp);
    free(b->shared);
    free(b->last_write);
    free(b->last_read);
    free(b->tally);
}

static bool open_block(struct block *b, struct launch_state *l) {
    *b = (struct block){.launch = l, .epoch_base = 1, .partial_barriers = l->program->partial_barriers};
    const size_t warps = l->warps * sizeof *b->warp;
    b->warp = aligned_alloc(64, (warps + 63) / 64 * 64);
    b->shared = malloc(l->shared_bytes + 64);
    b->last_write = calloc(1, l->shared_bytes + 64);
    b->last_read = calloc(1, l->shared_bytes + 64);
    b->tally = calloc((size_t)l->program->count + 1, sizeof *b->tally);
    bool done = b->warp && b->shared && b->last_write && b->last_read && b->tally;
    if (b->warp) memset(b->warp, 0, warps);
    for (uint32_t i = 0; done && l->local_bytes && i < l->warps; i++) {
        b->warp[i].local = malloc((size_t)l->local_bytes * LANES);
        done = b->warp[i].local != NULL;
    }
    return done;
}

static void add_tally(struct sim_result *result, const struct tally *tally, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *from = (const uint64_t *)&tally[i];
        uint64_t *to = (uint64_t *)&result->tally[i];
        for (size_t k = 0; k < sizeof *tally / sizeof *from; k++) to[k] += from[k];
    }
}

static bool is_stopped(const struct sim_launch *launch) {
    return launch->stop && *launch->stop;
}

static bool run_blocks(struct launch_state *l, struct sim_result *result, const struct sim_launch *launch) {
    const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    int threads = launch->host_threads > 0 ? launch->host_threads : omp_get_max_threads();
    if ((uint64_t)threads > blocks) threads = (int)blocks;
    bool done = true;
#pragma omp parallel num_threads(threads)
    {
        struct block block;
        const bool open = open_block(&block, l);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t i = 0; i < blocks; i++) {
            if (open && !l->stop && !is_stopped(launch)) run_block(&block, i);
        }
#pragma omp critical
        {
            if (open) add_tally(result, block.tally, l->program->count + 1);
            done = done && open;
        }
        close_block(&block);
    }
    return done;
}

// --- the launch ------------------------------------------------------------------------------------------------------------------

static void put_words(uint8_t *bank, int offset, const uint32_t *words, int count) {
    memcpy(bank + offset, words, (size_t)count * sizeof *words);
}

static bool fill_banks(struct launch_state *l, struct sim_kernel *kernel, const struct sim_launch *launch) {
    const struct sass_kernel *k = kernel->program->kernel;
    for (int bank = 0; bank < 8; bank++) {
        const size_t bytes = k->constant_bytes[bank];
        const size_t size = bank == 0 && bytes < (size_t)k->param_base + (size_t)k->param_bytes
                                ? (size_t)k->param_base + (size_t)k->param_bytes
                                : bytes;
        if (size == 0) continue;
        l->constant[bank] = calloc(1, size + 64);
        if (!l->constant[bank]) return false;
        if (k->constant[bank]) memcpy(l->constant[bank], k->constant[bank], bytes);
        l->constant_bytes[bank] = (uint32_t)size;
        variables_relocate(kernel->variables, bank, l->constant[bank], (uint32_t)size);
    }
    uint8_t *bank = l->constant[0];
    if (!bank || l->constant_bytes[0] < 0x210) return false;
    put_words(bank, OFFSET_BLOCK_DIM, l->block, 3);
    put_words(bank, OFFSET_GRID_DIM, l->grid, 3);
    put_words(bank, OFFSET_STACK, &l->local_bytes, 1);
    put_words(bank, OFFSET_LOCAL_WINDOW, (const uint32_t[]){0, LOCAL_WINDOW}, 2);
    for (int i = 0; i < k->parameter_count; i++) {
        const struct sass_parameter *p = &k->parameters[i];
        if ((uint32_t)k->param_base + p->offset + p->size > l->constant_bytes[0]) return false;
        memcpy(bank + k->param_base + p->offset, launch->arguments[i], p->size);
    }
    return true;
}

static bool check_launch(const struct sim_launch *launch, const struct launch_state *l, struct sim_error *error) {
    for (int i = 0; i < 3; i++) {
        if (launch->grid[i] == 0 || launch->block[i] == 0) return sim_refuse(error, "an empty grid or block");
    }
    if (launch->grid[1] > 65535 || launch->grid[2] > 65535)
        return sim_refuse(error, "more than 65535 blocks along y or z");
    if ((uint64_t)launch->block[0] * launch->block[1] * launch->block[2] > MAX_THREADS)
        return sim_refuse(error, "more than %d threads a block", MAX_THREADS);
    if (l->shared_bytes > MAX_SHARED + SHARED_RESERVED)
        return sim_refuse(error, "the kernel wants %u bytes of shared memory a block; sm_90 has %d",
                          l->shared_bytes - l->shared_reserved, MAX_SHARED);
    return true;
}

// Everything that a launch needs before its blocks run.
static bool prepare(struct launch_state *l, struct sim_kernel *kernel, struct sim_memory *memory,
                    const struct sim_launch *launch, struct sim_error *error) {
    const struct sass_kernel *k = kernel->program->kernel;
    *l = (struct launch_state){.program = kernel->program, .memory = memory};
    memcpy(l->grid, launch->grid, sizeof l->grid);
    memcpy(l->block, launch->block, sizeof l->block);
    l->threads = l->block[0] * l->block[1] * l->block[2];
    l->warps = (l->threads + LANES - 1) / LANES;
    l->shared_reserved = (uint32_t)k->shared_reserved;
    const uint32_t fixed =
        (uint32_t)k->shared_bytes > l->shared_reserved ? (uint32_t)k->shared_bytes : l->shared_reserved;
    l->shared_bytes = (fixed + launch->shared_bytes + 15) & ~15u;
    l->local_bytes = (uint32_t)((k->local_bytes + (k->symbol_count > 0 ? 4096 : 0) + 15) & ~15);
    l->picture = launch->picture;
    if (!check_launch(launch, l, error)) return false;
    l->reports = reports_open();
    if (!l->reports || !variables_place(kernel->variables, memory) || !fill_banks(l, kernel, launch))
        return sim_fail(error, "not enough host memory, or a broken cubin");
    program_fill_constants(kernel->program, l->constant, l->constant_bytes);
    return true;
}

// Prints what was reported; false when there was anything.
static bool finish(struct launch_state *l, const struct sim_launch *launch, struct sim_error *error) {
    const bool good = !l->reports || reports_count(l->reports) == 0;
    if (!good) {
        reports_print(l->reports, launch->reports ? launch->reports : stderr,
                      launch->most_reports ? launch->most_reports : DEFAULT_REPORTS, error);
    }
    for (int i = 0; i < 8; i++) free(l->constant[i]);
    reports_close(l->reports);
    return good;
}

bool sim_run(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             struct sim_result *result, struct sim_error *error) {
    struct launch_state l;
    bool done = prepare(&l, kernel, memory, launch, error);
    if (done) {
        done = run_blocks(&l, result, launch) || sim_fail(error, "not enough host memory, or a broken cubin");
        result->launches++;
    }
    done = finish(&l, launch, error) && done;
    return done && is_stopped(launch) ? sim_fail(error, "interrupted") : done;
}

// --- launches that are observed ----------------------------------------------------------------------------------------------

struct sim_watch {
    struct launch_state launch;
    struct block block;
    struct sim_launch asked;
    bool open, dependent;
    uint64_t next; // of dependent blocks, the first that has not run
};

// Blocks that may wait for each other have atomics, or loads and stores with an order beyond the block.
static bool may_wait(const struct program *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct sass_instruction *in = &p->detail[i].instruction;
        if (!in->form) continue;
        const enum sass_opcode opcode = in->form->opcode;
        const bool strong_load = (opcode == SASS_LDG || opcode == SASS_LD) && in->modifiers.order > 5;
        if (strong_load || opcode == SASS_ATOM || opcode == SASS_ATOMG || opcode == SASS_ATOM_CAS ||
            opcode == SASS_ATOMG_CAS)
            return true;
    }
    return false;
}

struct sim_watch *sim_watch_open(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
                                 struct sim_error *error) {
    struct sim_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return sim_fail(error, "not enough host memory"), NULL;
    watch->asked = *launch;
    watch->dependent = may_wait(kernel->program);
    if (prepare(&watch->launch, kernel, memory, launch, error)) {
        watch->open = open_block(&watch->block, &watch->launch) || sim_fail(error, "not enough host memory");
    }
    if (watch->open) return watch;
    sim_watch_close(watch);
    return NULL;
}

bool sim_watch_block(struct sim_watch *watch, uint64_t linear, struct sim_stream *stream, struct sim_error *error) {
    struct launch_state *l = &watch->launch;
    for (uint32_t i = 0; i < l->warps; i++) stream[i].count = 0;
    watch->block.stream = NULL;
    for (; watch->dependent && watch->next < linear && !l->stop; watch->next++) run_block(&watch->block, watch->next);
    watch->block.stream = stream;
    run_block(&watch->block, linear);
    watch->next = linear + 1;
    return !l->stop || sim_fail(error, "the launch stopped: run it without timing to see why");
}

void sim_watch_close(struct sim_watch *watch) {
    struct sim_error ignored;
    if (!watch) return;
    close_block(&watch->block);
    finish(&watch->launch, &watch->asked, &ignored);
    free(watch);
}

struct sim_watch_facts sim_watch_facts(const struct sim_watch *watch) {
    const struct launch_state *l = &watch->launch;
    return (struct sim_watch_facts){.blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                                    .warps = l->warps,
                                    .shared_bytes = l->shared_bytes,
                                    .dependent = watch->dependent};
}
