// Which accesses to shared memory barriers and fences order, where the barriers are not all for the whole block (order.c).
// Every function does nothing where block->ordering is NULL, but for order_conflict and order_mark, which need it.
#pragma once

#include "checks.h"

#define ORDER_UNDER_WAY UINT32_MAX // the time of a copy that nobody has waited for

// What an access is in a race with.
struct conflict {
    bool found, under_way, engine, async; // async: a product or a copy that the warp has started
    uint32_t block, warp;                 // the block's number in the cluster
    const char *did;
};

// warps: of a block; async: the kernel has products or copies that read shared memory on their own. NULL: not enough host memory.
struct ordering *order_open(uint32_t blocks, uint32_t warps, size_t granules, bool async);
void order_close(struct ordering *order);
void order_start(struct ordering *order); // of a block

// Barriers 0 to 15: a warp arrives, has waited; the barrier begins anew, after all have passed. The cluster's barrier.
void order_arrive(const struct warp *w, uint32_t id);
void order_pass(const struct warp *w, uint32_t id);
void order_complete(const struct block *b, uint32_t id);
void order_cluster(const struct warp *w, bool arrives);
void order_cluster_over(const struct cluster *c);
// The mbarrier at `at` of a block of the cluster: a warp arrives, its phase is over, a warp has seen that.
void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at);
void order_mbarrier_over(const struct block *b, uint32_t at);
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at);
// A fence: what the warp did before it is known to those who read, by an atomic or in a loop that waits, what it stores after it.
void order_fence(const struct warp *w);

uint32_t order_time(const struct warp *w); // rises when others may learn what it has done

// One granule of a block of the cluster: what an access of the warp is in a race with; `changes`: what it writes is another value.
struct conflict order_conflict(const struct warp *w, const struct block *b, size_t granule, enum access how,
                               bool changes);
void order_mark(const struct warp *w, const struct block *b, size_t granule, enum access how);
void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier);

// Products and copies read on their own: what the warp starts from now on is over when it has waited for this number.
uint32_t order_async_begin(const struct warp *w);
void order_async_read(const struct warp *w, size_t granule, size_t count);
void order_async_over(const struct warp *w, const struct warp *of,
                      uint32_t number); // which `of` has started, and w waited for

// Another block's shared memory. False: no barrier says that it has started.
bool order_reaches(const struct warp *w, const struct block *b, uint32_t index);
// A block ends: an instruction of another block that no barrier orders before. NULL: none.
const struct warp *order_left_behind(const struct block *b, uint32_t *index);
