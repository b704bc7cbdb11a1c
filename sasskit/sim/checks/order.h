// Decides which accesses to shared memory are ordered (happens-before), in kernels that synchronise
// not only by block-wide barriers. order_conflict(), order_is_awaited() and order_mark() require
// block->ordering; the other functions do nothing if it is NULL.
#pragma once

#include "checks.h"

#define ORDER_UNDER_WAY UINT32_MAX // time of a write by a copy that no warp has waited for

// The earlier access that an access races with, as far as it is known.
struct conflict {
    bool found;           // there is such an access
    bool under_way;       // it is a write by a copy that no warp has waited for
    bool engine;          // it is a write by the copy engine
    bool async;           // it is a read by a warp's MMA or copy
    bool again;           // it has overwritten data that this warp waited for and has not read yet
    bool early;           // it is a read before anything was written to the memory
    uint32_t block, warp; // `block` is a rank in the cluster
    const char *did;      // what the other access did: "read", "wrote" or "updated"
};

// `blocks` is the cluster's size, `warps` is per block. `async` must be true if MMAs or copies of
// the kernel read shared memory asynchronously. Returns NULL if the host has too little memory.
struct ordering *order_open(uint32_t blocks, uint32_t warps, size_t granules, bool async);
void order_close(struct ordering *order);
void order_start(struct ordering *order);

// --- barriers ------------------------------------------------------------------------------------
// Called when a warp arrives at named barrier `id`.
void order_arrive(const struct warp *w, uint32_t id);
// Called when a warp has waited at named barrier `id`.
void order_pass(const struct warp *w, uint32_t id);
// Called when all warps have passed named barrier `id`, which can then be used again.
void order_complete(const struct block *b, uint32_t id);
// Called when a warp arrives at the cluster's barrier (`arrives`), and when it has waited there.
void order_cluster(const struct warp *w, bool arrives);
void order_cluster_complete(const struct cluster *c);
// Called when a warp arrives at the mbarrier at shared address `at` of block `b`.
void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at);
void order_mbarrier_complete(const struct block *b, uint32_t at);
// Called when a warp that waits at the mbarrier sees that the phase is complete.
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at);
// Records a fence. If another warp reads a later store of this warp, by an atomic or in a polling
// loop, what this warp did before the fence is ordered before the other warp's next access.
void order_fence(const struct warp *w);

// Returns the warp's clock, which advances whenever the warp releases its accesses.
uint32_t order_time(const struct warp *w);

// --- accesses ------------------------------------------------------------------------------------
// Returns the earlier access that races with an access by warp `w` to one granule of block `b`.
// Requires: `changes` is true if the new access stores a value other than the present one.
struct conflict order_conflict(const struct warp *w, const struct block *b, size_t granule,
                               enum access how, bool changes);
// Returns true if another warp has polled the granule since its last write.
bool order_is_awaited(const struct warp *w, const struct block *b, size_t granule);
void order_mark(const struct warp *w, const struct block *b, size_t granule, enum access how);
// Records that the copy engine has written `count` granules, in a copy that completes on this
// mbarrier.
void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier);
// Called when a warp has waited for its own copies directly, not at the mbarrier of the copies.
void order_copies_waited(const struct warp *w);

// --- asynchronous reads by MMAs and copies -------------------------------------------------------
// Called before a warp starts an asynchronous read. Returns its number, for order_async_waited().
uint32_t order_async_begin(const struct warp *w);
void order_async_read(const struct warp *w, size_t granule, size_t count);
// Called when warp `w` has waited for operation `number` of warp `of`.
void order_async_waited(const struct warp *w, const struct warp *of, uint32_t number);

// --- clusters ------------------------------------------------------------------------------------
// Records an access by warp `w` to shared memory of `b`. Returns false if no barrier ensures that
// `b` has started.
bool order_reaches(const struct warp *w, const struct block *b, uint32_t index);
// Called when block `b` ends. Returns a warp of another block whose access to this block's memory
// no barrier orders before the end, and sets *index to the access's instruction. Returns NULL if
// there is none.
const struct warp *order_left_behind(const struct block *b, uint32_t *index);
