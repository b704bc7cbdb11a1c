// Runs the blocks of a launch on host threads, at most as many at once as an H200 would hold.
//
// A block runs until it ends, or until it has no effect that others can observe: it may be waiting
// for another block. Then its host thread suspends the block. The thread starts the next block if
// an H200 would hold one more; otherwise it resumes suspended blocks.
#include "launch.h"
#include "sim/machine/progress.h"

#include "isa/chip.h"

#include <sched.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1 // without OpenMP: one host thread
#endif

static uint64_t blocks_that_fit(const struct launch_state *l) {
    const struct sass_kernel *k = l->program->kernel;
    const struct sim_sm sm = sim_sm_of(k->chip->capability);
    const int fit = sim_blocks_that_fit(&sm, k->registers, (int)l->warps,
                                        (int)(l->shared_bytes - l->shared_reserved));
    return (uint64_t)sim_h200.multiprocessors * (uint64_t)(fit ? fit : 1);
}

bool resident_holds_all(const struct launch_state *l) {
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] <= blocks_that_fit(l);
}

// One host thread and its blocks.
struct worker {
    struct launch_state *launch;
    struct tally *tally;
    struct block **block; // [capacity] the resident blocks, followed by free ones
    int count, opened, capacity;
    // identifies the state of the launch in which find_deadlock() found that all blocks only repeat
    // their state
    uint64_t repeating_at;
    uint64_t released; // value of launch->releases when this worker last released lanes
};

static uint32_t cluster_size(const struct launch_state *l) {
    return l->cluster[0] * l->cluster[1] * l->cluster[2];
}

// Returns the linear index of the block with rank `number` in a cluster.
static uint64_t block_in_grid(const struct launch_state *l, uint64_t cluster, uint32_t number) {
    const uint64_t x = l->grid[0] / l->cluster[0], y = l->grid[1] / l->cluster[1];
    const uint64_t at[3] = {
        cluster % x * l->cluster[0] + number % l->cluster[0],
        cluster / x % y * l->cluster[1] + number / l->cluster[0] % l->cluster[1],
        cluster / x / y * l->cluster[2] + number / l->cluster[0] / l->cluster[1]};
    return at[0] + l->grid[0] * (at[1] + l->grid[1] * at[2]);
}

static uint64_t cluster_of(const struct launch_state *l, uint64_t linear) {
    const uint64_t x = linear % l->grid[0], y = linear / l->grid[0] % l->grid[1],
                   z = linear / l->grid[0] / l->grid[1];
    return x / l->cluster[0] +
           l->grid[0] / l->cluster[0] *
               (y / l->cluster[1] + l->grid[1] / l->cluster[1] * (z / l->cluster[2]));
}

// Ensures that the worker has a free block. Returns false if the host has too little memory.
static bool grow(struct worker *k) {
    if (k->count < k->opened) return true;
    if (k->opened == k->capacity) {
        const int capacity = k->capacity ? 2 * k->capacity : 8;
        struct block **more = realloc(k->block, (size_t)capacity * sizeof(struct block *));
        if (!more) return false;
        k->block = more;
        k->capacity = capacity;
    }
    k->block[k->opened] = block_open(k->launch, k->tally);
    if (k->block[k->opened]) return k->opened++, true;
    k->launch->stop = k->launch->no_memory = true;
    return false;
}

// Starts the next block or cluster. Returns false if none is left, or if the machine is full.
static bool take_blocks(struct worker *k) {
    struct launch_state *l = k->launch;
    const uint32_t size = cluster_size(l);
    if (__atomic_load_n(&l->next, __ATOMIC_RELAXED) >= l->blocks) return false;
    if (__atomic_fetch_add(&l->resident, size, __ATOMIC_RELAXED) + size >
        (l->fit > size ? l->fit : size)) {
        __atomic_fetch_sub(&l->resident, size, __ATOMIC_RELAXED);
        return false;
    }
    const uint64_t next = __atomic_fetch_add(&l->next, size, __ATOMIC_RELAXED);
    if (next >= l->blocks) {
        __atomic_fetch_sub(&l->resident, size, __ATOMIC_RELAXED);
        return false;
    }
    struct cluster *cluster = NULL;
    for (uint32_t i = 0; i < size; i++) {
        if (!grow(k)) return false;
        struct block *b = k->block[k->count++];
        const uint64_t linear = size > 1 ? block_in_grid(l, next / size, i) : next;
        b->stream = l->stream_of ? l->stream_of(l->watch, linear) : NULL;
        block_start(b, linear);
        if (i == 0) cluster = b->cluster;
        cluster->block[i] = b;
        cluster->size = i + 1;
        b->cluster = cluster;
        b->window = i << 24;
    }
    return true;
}

static void drop_block(struct worker *k, int i) {
    struct block *b = k->block[i];
    k->block[i] = k->block[--k->count];
    k->block[k->count] = b;
    __atomic_fetch_sub(&k->launch->resident, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&k->launch->ended, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&k->launch->acts, 1, __ATOMIC_RELAXED);
}

// Removes blocks whose whole cluster has ended.
static void drop_ended(struct worker *k) {
    for (int i = 0; i < k->count; i++) {
        const struct cluster *c = k->block[i]->cluster;
        bool over = true;
        for (uint32_t m = 0; m < c->size; m++) over &= c->block[m]->over;
        k->block[i]->leaves = over;
    }
    for (int i = k->count - 1; i >= 0; i--) {
        if (k->block[i]->leaves) drop_block(k, i);
    }
}

// Releases lanes that wait at a BSYNC for yielded lanes, if launch->releases has increased.
// find_deadlock() increases it when the whole grid only repeats its state.
static bool release_yielded(struct worker *k) {
    const uint64_t releases = __atomic_load_n(&k->launch->releases, __ATOMIC_ACQUIRE);
    bool released = false;
    for (int i = 0; i < k->count && k->released != releases; i++)
        released |= block_release_yielded(k->block[i]);
    k->released = releases;
    return released;
}

// Called when no block of this host thread has had an effect. The grid is deadlocked if every host
// thread finds, at the same value of launch->acts, that its blocks only repeat their state. Then
// lanes that wait for yielded lanes are released. If the grid stays deadlocked, that is reported.
static void find_deadlock(struct worker *k) {
    struct launch_state *l = k->launch;
    if (release_yielded(k)) return;
    const uint64_t acts = __atomic_load_n(&l->acts, __ATOMIC_ACQUIRE);
    for (int i = 0; i < k->count; i++) {
        if (!block_only_repeats(k->block[i])) return;
    }
    const uint64_t found = acts + 1 + (k->released << 40);
#pragma omp critical(deadlock)
    if (__atomic_load_n(&l->acts, __ATOMIC_ACQUIRE) == acts &&
        k->released == l->releases) { // otherwise another host thread may have made progress
        if (l->repeating_at != found) l->repeating_threads = 0, l->repeating_at = found;
        if (k->repeating_at != found) k->repeating_at = found, l->repeating_threads++;
        const bool all = l->repeating_threads >= l->threads_at_work && !l->stop && k->count;
        if (all && l->released_at != acts + 1) {
            l->released_at = acts + 1;
            __atomic_fetch_add(&l->releases, 1, __ATOMIC_RELEASE);
        } else if (all) {
            char why[192];
            const uint64_t left = l->blocks - (l->next < l->blocks ? l->next : l->blocks);
            int n = snprintf(
                why, sizeof why,
                "deadlock: every warp waits, or polls a value that no other warp will write");
            if (left)
                snprintf(why + n, sizeof why - (size_t)n,
                         "; %llu blocks have not started, for %llu fit on an H200 at once",
                         (unsigned long long)left, (unsigned long long)l->fit);
            struct block *telling = k->block[0];
            for (int i = 1; i < k->count; i++)
                if (block_tells(k->block[i]) > block_tells(telling)) telling = k->block[i];
            block_report_endless(telling, NULL, why);
        }
    }
}

static bool has_ended(const struct worker *k, uint64_t linear) {
    for (int i = 0; i < k->count; i++) {
        if (k->block[i]->linear == linear) return k->block[i]->over;
    }
    return cluster_of(k->launch, linear) * cluster_size(k->launch) <
           __atomic_load_n(&k->launch->next, __ATOMIC_RELAXED);
}

// Implements resident_run_until().
static void work(struct worker *k, uint64_t last) {
    struct launch_state *l = k->launch;
    // block[first] is the next block to run. The blocks before it wait; they are resumed when a
    // block has ended, or when no other block can be started.
    int first = 0;
    while (!l->stop && (last == WHOLE_GRID || !has_ended(k, last))) {
        if (k->count == 0 && !take_blocks(k)) {
            if (__atomic_load_n(&l->next, __ATOMIC_RELAXED) >= l->blocks || l->stop) return;
            sched_yield(); // the machine is full with the blocks of other host threads
            continue;
        }
        bool ended = false;
        for (int turn = first; turn < k->count && !l->stop; turn++) {
            struct block *b = k->block[turn];
            if (b->over || block_run(b) != BLOCK_DONE) continue;
            b->over = ended = true;
            if (l->block_over) l->block_over(l->watch, b->linear);
            __atomic_fetch_add(&l->acts, 1, __ATOMIC_RELAXED);
        }
        if (ended) drop_ended(k);
        first = ended ? 0 : k->count;
        if (l->stop || ended || k->count == 0 || take_blocks(k)) continue;
        first = 0;
        find_deadlock(k);
    }
}

static void add_tally(struct sim_result *result, const struct tally *tally,
                      const struct program *p) {
    uint64_t executed = 0, lanes = 0;
    for (uint32_t i = 0; i <= p->count; i++) {
        struct tally own = tally[i];
        own.executed = executed += own.executed;
        own.lanes = lanes += own.lanes;
        if (!(p->code[i].flags & UOP_GUARDED)) {
            own.threads += lanes;
            own.active += executed;
        }
        const uint64_t *from = (const uint64_t *)&own;
        uint64_t *to = (uint64_t *)&result->tally[i];
        for (size_t k = 0; k < sizeof own / sizeof *from; k++) to[k] += from[k];
    }
}

static void set_size(struct launch_state *l) {
    l->blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    l->fit = blocks_that_fit(l);
}

static void close_blocks(struct worker *k) {
    for (int i = 0; i < k->opened; i++) block_close(k->block[i]);
    free(k->block);
}

bool resident_run(struct launch_state *l, struct sim_result *result, int host_threads) {
    set_size(l);
    int threads = host_threads > 0 ? host_threads : omp_get_max_threads();
    if ((uint64_t)threads > l->blocks) threads = (int)l->blocks;
    l->threads_at_work = threads;
    progress_begin(l, true);
#pragma omp parallel num_threads(threads)
    {
        struct worker worker = {
            .launch = l, .tally = calloc((size_t)l->program->count + 2, sizeof *worker.tally)};
        if (!worker.tally) l->stop = l->no_memory = true;
        work(&worker, WHOLE_GRID);
#pragma omp critical(deadlock)
        {
            l->threads_at_work--;
            if (worker.tally) add_tally(result, worker.tally, l->program);
        }
        close_blocks(&worker);
        free(worker.tally);
    }
    progress_end(l);
    return !l->no_memory;
}

struct worker *resident_open(struct launch_state *l, struct tally *tally) {
    struct worker *k = malloc(sizeof *k);
    if (!k) return NULL;
    set_size(l);
    l->threads_at_work = 1;
    *k = (struct worker){.launch = l, .tally = tally};
    return k;
}
void resident_run_cluster(struct worker *k, uint64_t linear) {
    struct launch_state *l = k->launch;
    const uint64_t first = cluster_of(l, linear) * cluster_size(l);
    l->fit = cluster_size(l);
    if (first > l->next) l->next = first;
    work(k, linear);
}
void resident_run_until(struct worker *k, uint64_t linear) {
    work(k, linear);
}
void resident_close(struct worker *k) {
    if (k) close_blocks(k);
    free(k);
}
