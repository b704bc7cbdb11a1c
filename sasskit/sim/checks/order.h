// Happens-before order of accesses to shared memory, in kernels whose barriers are not all for the
// whole block. Every function does nothing if block->ordering is NULL, except order_conflict(),
// order_is_awaited() and order_mark(), which require it.
#pragma once

#include "checks.h"

#define ORDER_UNDER_WAY UINT32_MAX // time of the write by a copy that no warp has waited for

// The earlier access that an access races with, as far as it is known.
struct conflict {
    bool found, under_way, engine;
    bool async; // the earlier access is a read by a warp's MMA or copy
    // The earlier access has overwritten data that this warp waited for and has not read yet.
    bool again;
    bool early;           // the other warp has read the memory before anything was written there
    uint32_t block, warp; // `block` is a rank in the cluster
    const char *did;      // what the other access did: "read", "wrote" or "updated"
};

// `blocks` is the cluster's size, `warps` is per block. `async` must be true if MMAs or copies of
// the kernel read shared memory asynchronously. Returns NULL if the host has too little memory.
struct ordering *order_open(uint32_t blocks, uint32_t warps, size_t granules, bool async);
void order_close(struct ordering *order);
// Clears the state when a block starts.
void order_start(struct ordering *order);

// --- barriers ------------------------------------------------------------------------------------
// Called when a warp arrives at named barrier `id`.
void order_arrive(const struct warp *w, uint32_t id);
// Called when a warp has waited at named barrier `id`.
void order_pass(const struct warp *w, uint32_t id);
// Called when all warps have passed named barrier `id`, which can then be used again.
void order_complete(const struct block *b, uint32_t id);
// Called when a warp arrives at the cluster's barrier, and again when it has waited there.
void order_cluster(const struct warp *w, bool arrives);
void order_cluster_complete(const struct cluster *c);
// Called when a warp arrives at the mbarrier at shared address `at` of block `b`.
void order_mbarrier_arrive(const struct warp *w, const struct block *b, uint32_t at);
void order_mbarrier_complete(const struct block *b, uint32_t at);
// Called when a waiting warp sees that the phase is complete.
void order_mbarrier_pass(const struct warp *w, const struct block *b, uint32_t at);
// Records a fence. A warp that reads a later store of this warp, by an atomic or in a polling loop,
// is then ordered after everything before the fence.
void order_fence(const struct warp *w);

// Returns the warp's clock, which advances whenever the warp releases its accesses.
uint32_t order_time(const struct warp *w);

// --- accesses ------------------------------------------------------------------------------------
// Returns the access that an access to one granule of `b` races with, if there is one (`found`).
// `changes` is true if the access stores a value other than the present one.
struct conflict order_conflict(const struct warp *w, const struct block *b, size_t granule,
                               enum access how, bool changes);
// Returns true if another warp has polled the granule since its last write.
bool order_is_awaited(const struct warp *w, const struct block *b, size_t granule);
void order_mark(const struct warp *w, const struct block *b, size_t granule, enum access how);
// Records that the copy engine has written these granules and completes on this mbarrier.
void order_engine_copied(const struct block *b, size_t granule, size_t count, uint32_t mbarrier);
// Called when the warp has waited for its own copies, whose completion an mbarrier was to announce.
void order_copies_waited(const struct warp *w);

// --- asynchronous reads by MMAs and copies -------------------------------------------------------
// Returns the number of the operation that the warp is about to start; order_async_waited() takes
// it.
uint32_t order_async_begin(const struct warp *w);
void order_async_read(const struct warp *w, size_t granule, size_t count);
// Called when warp `w` has waited for operation `number` of warp `of`.
void order_async_waited(const struct warp *w, const struct warp *of, uint32_t number);

// --- clusters ------------------------------------------------------------------------------------
// Records an access by warp `w` to shared memory of `b`. Returns false if no barrier ensures that
// `b` has started.
bool order_reaches(const struct warp *w, const struct block *b, uint32_t index);
// Called when block `b` ends. Returns a warp of another block that no barrier keeps from accessing
// the block's memory afterwards, and sets *index to the access's instruction; NULL if none.
const struct warp *order_left_behind(const struct block *b, uint32_t *index);
