// The checks of a run: what the rest of the simulator calls, and how findings are reported.
#pragma once

#include "base/finding.h"
#include "sim/machine/memory.h"

// --- report.c ------------------------------------------------------------------------------------
enum report_kind {
    REPORT_UNKNOWN,
    REPORT_HAZARD,
    REPORT_REUSE,
    REPORT_ADDRESS,
    REPORT_STACK,
    REPORT_UNWRITTEN,
    REPORT_RACE,
    REPORT_GLOBAL_RACE,
    REPORT_BARRIER,
    REPORT_LANE,
    REPORT_TRAP,
    REPORT_ENDLESS,
    REPORT_PROXY,
    REPORT_NAN, // from here on: about the launch as a whole (results.c)
    REPORT_OUTPUT,
    REPORT_SHARED_UNUSED,
    REPORT_KINDS
};
// Starts the evidence for this warp's next report: memory (space NULL: none) and the action there.
// Returns the evidence, to which the caller may add facts.
struct evidence *evidence_about(struct warp *w, const char *space, uint64_t at, uint32_t bytes, const char *action);
// Reports an error at instruction `index`. `lane` is -1 if the whole warp is concerned.
// The text states the fact in one line. Kernel, block, thread, instruction and line are added.
// `fatal` stops the launch.
void checks_report(struct warp *w, enum report_kind kind, uint32_t index, int lane, bool fatal, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
// Like checks_report(), for code that works on this hardware without a guarantee: a warning or a
// note, reported once per kind; the launch does not fail.
void checks_warn(struct warp *w, enum report_kind kind, enum severity severity, uint32_t index, int lane,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
// Reports an access that is misaligned or outside the block's shared memory; then returns false.
// `least` 0 also permits the memory that the system reserves.
bool shared_is_right(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t least, const char *verb);

// --- hazards.c -----------------------------------------------------------------------------------
// Checks the scoreboards that the next instruction waits for, before it waits.
void hazard_wait(struct warp *w, const struct uop *u);
// Checks the guard of an instruction that no lane executes.
void hazard_guard(struct warp *w, const struct uop *u);
void hazard_write(struct warp *w, const struct uop *u, uint32_t mask);
// Marks a cell as undefined again after some of its lanes have been written.
void hazard_keep_unwritten(struct warp *w, uint32_t number);
// Marks the results of `u` as undefined in the lanes of w->hazards.spread.
void hazard_spread(struct warp *w, const struct uop *u);
// The complete check of an issue. Cells that are ready at cycle `sound` or before are not examined.
void hazard_look(struct warp *w, const struct uop *u, uint32_t mask, uint64_t sound);

// --- kept.c --------------------------------------------------------------------------------------
// A lane stores register `number` to a word of local memory, or loads the word into it.
// Required only if w->hazards.any_unwritten. `copies`: the load only copies the word.
void kept_store(struct warp *w, uint32_t number, int lane, uint32_t address);
void kept_load(struct warp *w, uint32_t number, int lane, uint32_t address, bool copies);
// A load puts a word of local memory that its thread has never written into a register.
void kept_load_unset(struct warp *w, const struct uop *u, uint32_t number, int lane, uint32_t address);

// --- absent.c ------------------------------------------------------------------------------------
// Reports a shuffle in which `lane` reads the inactive lane `from`.
void report_absent(struct warp *w, uint32_t index, int lane, int from);
// A shuffle reads lane `from`, which is not active: reports it, or marks the result as undefined.
void absent_asked(struct warp *w, const struct uop *u, int lane, int from);
// Checks that all lanes of the mask execute a vote, a reduction or a match.
void absent_from_vote(struct warp *w, const struct uop *u);
// Checks, when the block ends, that all four warps of each warpgroup have executed the same MMAs.
void absent_from_product(struct block *b);

// --- races.c -------------------------------------------------------------------------------------
// A stamp is the block's epoch times 64 plus the warp; COPY_STAMP: an asynchronous copy is running.
#define STAMP_MANY   63u
#define STAMP_ENGINE 62u // the copy engine
#define COPY_STAMP   0xffffffffu
// block.last_lane: the warp's phase above these bits, the lane in them
enum { STAMP_LANE_BITS = 6 };
// Records the range of shared memory that an instruction touches, so that a race can name it.
static inline void note_touched(struct warp *w, uint32_t index, uint32_t low, uint32_t high, bool writes) {
    struct touched *t = &w->touched[index % TOUCHES];
    if (__builtin_expect(t->index != index + 1 || t->epoch != w->races.epoch, 0)) {
        *t = (struct touched){index + 1, w->races.epoch, low, high, writes};
        return;
    }
    if (low < t->low) t->low = low;
    if (high > t->high) t->high = high;
}
// Checks one lane's access to shared memory and records it. Requires: the access is not done yet.
// `value`: what it writes; NULL if unknown.
// Returns false if something was reported; the caller may then skip the other lanes.
bool shadow_access(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t bytes, enum access how,
                   const void *value);
// Unoptimised code loads whole structures to copy them to the stack. Such a load counts as a read
// where the copied word is used, unless the warp has synchronised since.
void shadow_read_copied(struct warp *w, const struct unwritten *what, int lane, uint32_t address);
// Like shadow_access(), for the shared memory of another block of the cluster.
bool shadow_remote(struct warp *w, const struct uop *u, int lane, struct block *there, uint32_t address, uint32_t bytes,
                   enum access how, const void *value);
// The tensor cores or the copy engine will read this memory until order_async_over().
void shadow_read_async(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes);
void shadow_block_ends(const struct block *b);
// The tensor cores or the copy engine read words of shared memory through the asynchronous proxy.
// Returns false after reporting unwritten words, or stores without a fence.proxy.async after them.
bool shadow_read_by_proxy(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes);
// The copy engine is about to write this memory: reports races with the block's earlier accesses.
void shadow_written_by_proxy(struct warp *w, const struct uop *u, const struct block *there, uint32_t address,
                             uint32_t bytes);
// Returns true if nothing in this block has written any of these bytes.
bool shadow_is_unwritten(const struct block *b, uint32_t address, uint32_t bytes);
// Saves the addresses that past reads take from this memo. Call it before the memo is refilled.
void shadow_keep(struct warp *w, const struct request_memo *memo);
// Records the addresses of a generic load.
void shadow_keep_generic(struct warp *w, const struct uop *u, const uint64_t *address, uint32_t mask);
// Lanes arrive at an mbarrier or set a flag; that releases their own stores, not other lanes'.
void shadow_publish(struct warp *w, uint32_t lanes);
// Synchronises all lanes of the warp: a phase ends.
void shadow_synchronise(struct warp *w);
// Synchronises `lanes` (__syncwarp).
void shadow_meet(struct warp *w, uint32_t lanes);
// Synchronises `lanes`, each with the lanes of its own mask.
void shadow_meet_by(struct warp *w, const uint32_t *masks, uint32_t lanes);

// --- flags.c -------------------------------------------------------------------------------------
void flags_fence(struct warp *w);
// Records stores to device memory that may release what the warp has done.
void flags_tell(struct warp *w, const uint64_t *address, uint32_t mask, bool strong);
// Records strong loads of device memory, which may acquire it.
void flags_ask(struct warp *w, const uint64_t *address, uint32_t mask);
// Returns true if a flag orders what warp `other` did in `phase` before this warp.
bool flags_order(const struct warp *w, uint32_t other, uint32_t phase);

// --- global.c ------------------------------------------------------------------------------------
// Like shadow_access(), for device memory. Required only if the launch watches it.
bool global_access(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes, enum access how,
                   const void *value);
// Returns false if the host has too little memory.
bool global_begin_races(struct launch_state *launch);
// Like global_begin_races(), for one allocation that is made later.
bool global_watch(const struct launch_state *launch, struct allocation *a);
void global_end_races(struct launch_state *launch);
// Returns true if blocks of this launch cannot wait for each other, so that two stores of different
// values to one element are a race.
bool global_must_not_overlap(const struct launch_state *launch);
// Checks whether another block has stored a different value there. Requires: the launch watches
// overlaps. `value`: the word, or its low byte, for each granule.
void global_store(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes,
                  const uint32_t *value);
void global_end_overlaps(struct launch_state *launch);
// Returns the linear index + 1 of the block that stored there last; 0 if none, or it is not
// watched.
uint64_t global_last_writer(const struct launch_state *launch, uint64_t address);
// A fence for the whole device, or only for the block.
void global_fence(struct warp *w, bool device);
