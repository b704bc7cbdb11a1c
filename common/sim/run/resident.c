// Blocks that are on the machine together, shared out to host threads.
//
// A block runs until it ends or nothing happens in it that others could see: it may wait for another block. Then it stands
// aside and its thread starts the next block, as long as an H200 would hold one more, or goes on with those that stand aside.
// When all of them only go round in circles, none will ever end.
#include "launch.h"

#include <sched.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1 // one block after the other
#endif

// What an SM of an H200 holds (CUDA programming guide, compute capability 9.0), and how many there are.
enum {
    SMS = 132,
    SM_BLOCKS = 32,
    SM_WARPS = 64,
    SM_REGISTERS = 65536,
    SM_SHARED = 228 * 1024,
    REGISTER_UNIT = 8 // registers of a thread are given out in eights
};

static uint64_t blocks_that_fit(const struct launch_state *l) {
    const uint32_t registers =
        ((uint32_t)l->program->kernel->registers + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    uint32_t blocks = SM_BLOCKS;
    if (SM_WARPS / l->warps < blocks) blocks = SM_WARPS / l->warps;
    if (registers && SM_REGISTERS / (registers * LANES * l->warps) < blocks)
        blocks = SM_REGISTERS / (registers * LANES * l->warps);
    if (SM_SHARED / (l->shared_bytes + 1) < blocks) blocks = SM_SHARED / (l->shared_bytes + 1);
    return (uint64_t)SMS * (blocks ? blocks : 1);
}

// One host thread and its blocks.
struct worker {
    struct launch_state *launch;
    struct tally *tally;
    struct block **block; // (capacity) those on the machine, then those that are free
    int count, opened, capacity;
    uint64_t still_at; // launch->acts when all of them were found to go round in circles
};

static struct block *take_block(struct worker *k) {
    struct launch_state *l = k->launch;
    if (__atomic_load_n(&l->next, __ATOMIC_RELAXED) >= l->blocks) return NULL;
    if (__atomic_fetch_add(&l->resident, 1, __ATOMIC_RELAXED) >= l->fit) {
        __atomic_fetch_sub(&l->resident, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    const uint64_t next = __atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);
    if (next >= l->blocks) {
        __atomic_fetch_sub(&l->resident, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    if (k->count == k->opened) {
        if (k->opened == k->capacity) {
            const int capacity = k->capacity ? 2 * k->capacity : 8;
            struct block **more = realloc(k->block, (size_t)capacity * sizeof(struct block *));
            if (!more) return NULL;
            k->block = more;
            k->capacity = capacity;
        }
        k->block[k->opened] = block_open(l, k->tally);
        if (!k->block[k->opened]) {
            l->stop = l->no_memory = true;
            return NULL;
        }
        k->opened++;
    }
    struct block *b = k->block[k->count++];
    block_start(b, next);
    return b;
}

static void drop_block(struct worker *k, int i) {
    struct block *b = k->block[i];
    k->block[i] = k->block[--k->count];
    k->block[k->count] = b;
    __atomic_fetch_sub(&k->launch->resident, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&k->launch->ended, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&k->launch->acts, 1, __ATOMIC_RELAXED);
}

// All blocks of this thread go round in circles; those of the others too when each thread has found so at the same count.
static void judge_still(struct worker *k) {
    struct launch_state *l = k->launch;
    const uint64_t acts = __atomic_load_n(&l->acts, __ATOMIC_ACQUIRE);
    for (int i = 0; i < k->count; i++) {
        if (!block_stands_still(k->block[i])) return;
    }
    if (__atomic_load_n(&l->acts, __ATOMIC_ACQUIRE) != acts) return;
#pragma omp critical(still)
    {
        if (l->still_acts != acts + 1) l->still_threads = 0, l->still_acts = acts + 1;
        if (k->still_at != acts + 1) k->still_at = acts + 1, l->still_threads++;
        if (l->still_threads >= l->threads_at_work && !l->stop && k->count) {
            char why[192];
            const uint64_t left = l->blocks - (l->next < l->blocks ? l->next : l->blocks);
            int n = snprintf(why, sizeof why, "stand-still: no warp of the grid will ever go on");
            if (left)
                snprintf(why + n, sizeof why - (size_t)n,
                         "; %llu blocks have not started, for %llu fit on an H200 at once", (unsigned long long)left,
                         (unsigned long long)l->fit);
            block_report_endless(k->block[0], why);
        }
    }
}

static void work(struct worker *k) {
    struct launch_state *l = k->launch;
    int turn = 0;
    while (!l->stop) {
        if (k->count == 0 && !take_block(k)) {
            if (__atomic_load_n(&l->next, __ATOMIC_RELAXED) >= l->blocks || l->stop) return;
            sched_yield(); // the machine is full of other threads' blocks
            continue;
        }
        int quiet = 0;
        for (turn = 0; turn < k->count && !l->stop; turn++) {
            if (block_run(k->block[turn]) == BLOCK_DONE) {
                drop_block(k, turn--);
            } else {
                quiet++;
            }
        }
        if (l->stop || quiet < k->count || k->count == 0 || take_block(k)) continue;
        judge_still(k);
    }
}

static void add_tally(struct sim_result *result, const struct tally *tally, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *from = (const uint64_t *)&tally[i];
        uint64_t *to = (uint64_t *)&result->tally[i];
        for (size_t k = 0; k < sizeof *tally / sizeof *from; k++) to[k] += from[k];
    }
}

bool resident_run(struct launch_state *l, struct sim_result *result, int host_threads) {
    l->blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    l->fit = blocks_that_fit(l);
    int threads = host_threads > 0 ? host_threads : omp_get_max_threads();
    if ((uint64_t)threads > l->blocks) threads = (int)l->blocks;
    l->threads_at_work = threads;
    progress_begin(l, true);
#pragma omp parallel num_threads(threads)
    {
        struct worker worker = {.launch = l, .tally = calloc((size_t)l->program->count + 1, sizeof *worker.tally)};
        if (!worker.tally) l->stop = l->no_memory = true;
        work(&worker);
#pragma omp critical(still)
        {
            l->threads_at_work--;
            if (worker.tally) add_tally(result, worker.tally, l->program->count + 1);
        }
        for (int i = 0; i < worker.opened; i++) block_close(worker.block[i]);
        free(worker.block);
        free(worker.tally);
    }
    progress_end(l);
    return !l->no_memory;
}
