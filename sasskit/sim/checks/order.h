// Happens-before order of accesses to shared memory, in kernels whose barriers are not all for the
// whole block. Every function does nothing if block->ordering is NULL, except order_conflict() and
// order_mark(), which require it.
#pragma once

#include "checks.h"

#define ORDER_UNDER_WAY UINT32_MAX // time of a copy that no warp has waited for

// The earlier access that an access races with.
struct conflict {
    bool found, under_way, engine;
    bool async; // by an MMA or a copy that the warp has started
    // The warp has waited for an earlier value there, which was replaced before the warp read it.
    bool again;
    bool early;           // the other warp has read before anything was written
    uint32_t block, warp; // the block's rank in the cluster
    const char *did;      // "read", "wrote", "updated"
};

// `warps`: per block. `async`: MMAs or copies of the kernel read shared memory asynchronously.
// Returns NULL if the host has too little memory.
struct ordering *order_open(uint32_t blocks, uint32_t warps, size_t granules, bool async);
void order_close(struct ordering *order);
// Clears the state when a block starts.
void order_start(struct ordering *order);

// --- barriers ------------------------------------------------------------------------------------
// A warp arrives at named barrier `id`.
void order_arrive(const struct warp *w, uint32_t id);
// A warp has waited at named barrier `id`.
void order_pass(const struct warp *w, uint32_t id);
// All warps have passed named barrier `id`, which can be used again.
void order_complete(const struct block *b, uint32_t id);
// A warp arrives at the cluster's barrier, or has waited at it.
void order_cluster(const struct warp *w, bool arrives);
void order_cluster_over(const struct cluster *c);
// A warp arrives at the mbarrier at `at` of block `b`; its phase completes; a warp has seen that.
void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at);
void order_mbarrier_over(const struct block *b, uint32_t at);
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at);
// A fence: a warp that reads a later store of this warp, by an atomic or in a polling loop, is
// ordered after everything before the fence.
void order_fence(const struct warp *w);

// Returns the warp's clock, which rises when it releases what it has done.
uint32_t order_time(const struct warp *w);

// --- accesses ------------------------------------------------------------------------------------
// Returns what an access to one granule of `b` races with. `changes`: it writes another value.
struct conflict order_conflict(const struct warp *w, const struct block *b, size_t granule, enum access how,
                               bool changes);
void order_mark(const struct warp *w, const struct block *b, size_t granule, enum access how);
void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier);
// The warp has waited for its own copies, whose end it had left to an mbarrier.
void order_engine_over(const struct warp *w);

// --- asynchronous reads by MMAs and copies -------------------------------------------------------
// Returns the number of the operation that the warp is about to start; order_async_over() takes it.
uint32_t order_async_begin(const struct warp *w);
void order_async_read(const struct warp *w, size_t granule, size_t count);
// Warp `w` has waited for operation `number` of warp `of`.
void order_async_over(const struct warp *w, const struct warp *of, uint32_t number);

// --- clusters ------------------------------------------------------------------------------------
// Warp `w` accesses shared memory of `b`. Returns false if no barrier ensures that `b` has started.
bool order_reaches(const struct warp *w, const struct block *b, uint32_t index);
// Block `b` ends. Returns a warp of another block whose access no barrier orders before that, and
// sets *index to its instruction; NULL if there is none.
const struct warp *order_left_behind(const struct block *b, uint32_t *index);
