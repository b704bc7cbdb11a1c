// Which accesses to shared memory barriers order, where they are not all for the whole block (order.c).
// Every function does nothing where block->ordering is NULL, but for order_conflict and order_mark, which need it.
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "sim/machine/machine.h"

enum { ORDER_ENGINE = MAX_WARPS }; // the copy engine, as a party beside the warps
#define ORDER_UNDER_WAY UINT32_MAX // the time of a copy that nobody has waited for

struct conflict {
    bool found;
    uint32_t with; // a warp, or ORDER_ENGINE
    bool under_way;
    const char *did;
};

struct ordering *order_open(uint32_t warps, size_t granules); // NULL: not enough host memory
void order_close(struct ordering *order);
void order_start(struct ordering *order); // of a block

// Barriers 0 to 15: a warp arrives, has waited; the barrier begins anew, after all have passed. The cluster's barrier.
void order_arrive(const struct warp *w, uint32_t id);
void order_pass(const struct warp *w, uint32_t id);
void order_complete(const struct block *b, uint32_t id);
void order_cluster(const struct warp *w, bool arrives);
// The mbarrier at `at` of a block, by address: a warp arrives, its phase is over, a warp has seen that.
void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at);
void order_mbarrier_over(const struct block *b, uint32_t at);
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at);

// One granule: what an access of the warp is in a race with; `changes`: what it writes is another value.
struct conflict order_conflict(const struct warp *w, size_t granule, enum access how, bool changes);
void order_mark(const struct warp *w, size_t granule, enum access how);
void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier);

#endif
