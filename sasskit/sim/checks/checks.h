// The run-time checks: the functions that the rest of the simulator calls, and their reports.
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
    REPORT_NAN, // this kind and those below concern the launch as a whole
    REPORT_OUTPUT,
    REPORT_SHARED_UNUSED,
    REPORT_KINDS
};
// Starts the evidence for this warp's next report: the memory concerned (`space` is NULL if none
// is), and what the instruction does there (`action`, e.g. "reads"). Returns the evidence, to which
// the caller may add facts.
struct evidence *evidence_about(struct warp *w, const char *space, uint64_t at, uint32_t bytes,
                                const char *action);
// Reports an error at instruction `index`. `lane` is -1 if the whole warp is concerned. The text
// states in one line what happened; kernel, block, thread, instruction and source line are added
// to it. If `fatal`, the launch ends.
void checks_report(struct warp *w, enum report_kind kind, uint32_t index, int lane, bool fatal,
                   const char *format, ...) __attribute__((format(printf, 6, 7)));
// Like checks_report(), for a warning or note about code that works on this hardware, but without a
// guarantee. Each kind is reported once per launch, and the launch does not fail.
void checks_warn(struct warp *w, enum report_kind kind, enum severity severity, uint32_t index,
                 int lane, const char *format, ...) __attribute__((format(printf, 6, 7)));
// Returns true if an access to the block's shared memory is aligned and inside it. Otherwise
// reports the access and returns false. If `least` is 0, an access may also be to bytes that the
// system reserves.
bool shared_is_right(struct warp *w, const struct uop *u, int lane, uint32_t address,
                     uint32_t least, const char *verb);

// --- hazards.c -----------------------------------------------------------------------------------
// Checks the scoreboards that the next instruction waits for, before it waits.
void hazard_wait(struct warp *w, const struct uop *u);
// Checks the guard predicate of an instruction that no lane executes.
void hazard_guard(struct warp *w, const struct uop *u);
void hazard_write(struct warp *w, const struct uop *u, uint32_t mask);
// Marks cell `number` (a register or predicate: sizes.h) as undefined again in the lanes that the
// latest write did not cover.
void hazard_keep_unwritten(struct warp *w, uint32_t number);
// Marks the results of `u` as undefined in the lanes of w->hazards.spread.
void hazard_spread(struct warp *w, const struct uop *u);
// Checks all registers of an instruction that is being issued. Source cells that are ready at cycle
// `sound` or before are not examined.
void hazard_look(struct warp *w, const struct uop *u, uint32_t mask, uint64_t sound);

// --- kept.c --------------------------------------------------------------------------------------
// kept_store() and kept_load() follow undefined registers that a thread stores to its stack and
// loads again. Callers may skip both while w->hazards.any_unwritten is false.
// Called when a lane stores register `number` to a word of its stack.
void kept_store(struct warp *w, uint32_t number, int lane, uint32_t address);
// Called when a lane loads a word of its stack into register `number`. `copies` is true if the load
// only copies the word.
void kept_load(struct warp *w, uint32_t number, int lane, uint32_t address, bool copies);
// Called when a lane loads a word of its stack that it has never written.
void kept_load_unset(struct warp *w, const struct uop *u, uint32_t number, int lane,
                     uint32_t address);

// --- absent.c ------------------------------------------------------------------------------------
// Reports a shuffle in which `lane` reads the inactive lane `from`.
void report_absent(struct warp *w, uint32_t index, int lane, int from);
// Called when a shuffle reads the inactive lane `from`: reports the read, or marks the result as
// undefined.
void absent_read(struct warp *w, const struct uop *u, int lane, int from);
// Checks that all living lanes of the mask execute a vote, reduction or match.
void absent_from_vote(struct warp *w, const struct uop *u);
// Checks at the block's end that all four warps of each warpgroup have executed the same MMAs.
void absent_from_mma(struct block *b);

// --- races.c -------------------------------------------------------------------------------------
// A stamp says when and by which warp a granule was accessed: the epoch times 64, plus the warp's
// index. STAMP_MANY in place of the index stands for several warps, STAMP_ENGINE for the copy
// engine or another block. (races.c explains granules, epochs and phases.)
#define STAMP_MANY   63u
#define STAMP_ENGINE 62u
// The stamp of a granule to which an asynchronous copy is under way.
#define COPY_STAMP 0xffffffffu
// An entry of block.last_lane has a lane in its low six bits, and the phase of its warp above them.
enum { STAMP_LANE_BITS = 6 };
// Records the range of shared memory that an instruction touches. By these ranges, a race report
// finds the instruction that made the other access.
static inline void note_touched(struct warp *w, uint32_t index, uint32_t low, uint32_t high,
                                bool writes) {
    struct touched *t = &w->touched[index % TOUCHES];
    if (__builtin_expect(t->index != index + 1 || t->epoch != w->races.epoch, 0)) {
        *t = (struct touched){index + 1, w->races.epoch, low, high, writes};
        return;
    }
    if (low < t->low) t->low = low;
    if (high > t->high) t->high = high;
}
// Checks one lane's access to shared memory, then records it. Requires: the access has not been
// executed yet; `value` is what it stores, or NULL if unknown. Returns false if something was
// reported; the caller may then skip the other lanes.
bool shadow_access(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t bytes,
                   enum access how, const void *value);
// Checks the load of a word that was only copied to the stack, as unoptimised code copies whole
// structures. Called at the word's first use. If the warp has synchronised since the load, only
// the last write of the word is compared with the load.
void shadow_read_copied(struct warp *w, const struct unwritten *what, int lane, uint32_t address);
// Like shadow_access(), for the shared memory of another block of the cluster.
bool shadow_remote(struct warp *w, const struct uop *u, int lane, struct block *there,
                   uint32_t address, uint32_t bytes, enum access how, const void *value);
// Checks and records a read by tensor cores or the copy engine, which lasts until
// order_async_waited() is called.
void shadow_read_async(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes);
void shadow_block_ends(const struct block *b);
// Checks words that tensor cores or the copy engine read through the asynchronous proxy. Reports
// unwritten words, and stores that no fence.proxy.async follows. Returns false if it reported one.
bool shadow_read_by_proxy(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes);
// Records a write that the copy engine is about to make. Reports a race with an earlier access.
void shadow_written_by_proxy(struct warp *w, const struct uop *u, const struct block *there,
                             uint32_t address, uint32_t bytes);
// Returns true if nothing in this block has written any of these bytes.
bool shadow_is_unwritten(const struct block *b, uint32_t address, uint32_t bytes);
// Saves the addresses of past reads that refer to this memo, a stored pattern of addresses
// (ops/state.h). Must be called before the memo is refilled.
void shadow_keep(struct warp *w, const struct request_memo *memo);
// Records a past read: a load whose generic addresses lie in shared memory.
void shadow_keep_generic(struct warp *w, const struct uop *u, const uint64_t *address,
                         uint32_t mask);
// Records that lanes arrive at an mbarrier or set a flag, which releases only their own stores.
void shadow_publish(struct warp *w, uint32_t lanes);
// Records that all lanes of the warp synchronise, which ends a phase.
void shadow_synchronise(struct warp *w);
// Records that these lanes synchronise with each other (__syncwarp).
void shadow_synchronise_lanes(struct warp *w, uint32_t lanes);
// Like shadow_synchronise_lanes(), for lanes that may pass different masks: lane l passes masks[l].
void shadow_synchronise_by(struct warp *w, const uint32_t *masks, uint32_t lanes);

// --- flags.c -------------------------------------------------------------------------------------
void flags_fence(struct warp *w);
// Records stores to device memory, which may set a flag and so release the warp's earlier accesses.
void flags_release(struct warp *w, const uint64_t *address, uint32_t mask, bool strong);
// Records strong loads of device memory, which may acquire what a flag released.
void flags_acquire(struct warp *w, const uint64_t *address, uint32_t mask);
// Returns true if a flag orders what warp `other` did in `phase` before this warp's next access.
bool flags_order(const struct warp *w, uint32_t other, uint32_t phase);

// --- global.c ------------------------------------------------------------------------------------
// Like shadow_access(), for device memory. Callers may skip it if launch_state.watches_global is
// false.
bool global_access(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes,
                   enum access how, const void *value);
// Starts the search for races in device memory. Returns false if the host has too little memory.
bool global_begin_races(struct launch_state *launch);
// Like global_begin_races(), for one allocation made after the launch began.
bool global_watch(const struct launch_state *launch, struct allocation *a);
void global_end_races(struct launch_state *launch);
// Returns true if global_store() must be called: the launch's blocks cannot wait for each other, so
// that two blocks race if they store different values to one element.
bool global_must_not_overlap(const struct launch_state *launch);
// Reports a store if another block has stored a different value there. Requires:
// launch_state.watches_overlaps; `value` holds the stored bytes, packed into words.
void global_store(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes,
                  const uint32_t *value);
// Reports that two lanes of one instruction store different values to one element, or both add to
// it.
void global_report_lost(struct warp *w, const struct uop *u, int lane, int other, uint64_t address);
void global_end_overlaps(struct launch_state *launch);
// Returns the linear index + 1 of the block that stored to the address last; 0 if none did, or if
// stores to this memory are not recorded.
uint64_t global_last_writer(const struct launch_state *launch, uint64_t address);
// Records a fence, for the whole device or only for the block.
void global_fence(struct warp *w, bool device);
