// What the checks are told and asked, and the reports.
#pragma once

#include "sim/machine/memory.h"

// --- report.c -----------------------------------------------------------------------------------------------------------
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
    REPORT_NAN, // of the launch as a whole: looks at its results (results.c)
    REPORT_OUTPUT,
    REPORT_SHARED_UNUSED,
    REPORT_KINDS
};
// What the next report of this warp is about: memory (space NULL: none) and what the instruction does there. More may be filled in.
struct evidence *about(struct warp *w, const char *space, uint64_t at, uint32_t bytes, const char *action);
// Enters a report about instruction `index`; lane -1 when it is the warp's. The text is the fact in one line; kernel, block,
// thread, instruction and source line are added. fatal stops the launch.
void checks_report(struct warp *w, enum report_kind kind, uint32_t index, int lane, bool fatal, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
// The same of what works on this hardware though nothing promises it: the launch does not fail, and each kind is told once.
void checks_warn(struct warp *w, enum report_kind kind, uint32_t index, int lane, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// False and a report: the access goes past the block's shared memory, below `least`, or is not aligned.
bool shared_is_right(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t least, const char *verb);

// --- hazards.c ----------------------------------------------------------------------------------------------------------
void hazard_wait(struct warp *w, const struct uop *u);  // before the waits of an instruction that is next
void hazard_guard(struct warp *w, const struct uop *u); // of an instruction that no lane executes
void hazard_write(struct warp *w, const struct uop *u, uint32_t mask);
void hazard_keep_unwritten(struct warp *w, uint32_t number); // of a cell that has been written in some lanes
void hazard_spread(struct warp *w, const struct uop *u);     // to what it makes, of w->hazards.spread's lanes
// The issue with all that can be wrong; what is ready until then is sound.
void hazard_look(struct warp *w, const struct uop *u, uint32_t mask, uint64_t sound);

// --- kept.c ---------------------------------------------------------------------------------------------------------------
// A lane stores register `number` to a word of local memory, or loads it from there; where w->hazards.any_unwritten.
void kept_store(struct warp *w, uint32_t number, int lane, uint32_t address);
void kept_load(struct warp *w, uint32_t number, int lane, uint32_t address, bool copies); // to copy it as it is

// --- absent.c -----------------------------------------------------------------------------------------------------------
void report_absent(struct warp *w, uint32_t index, int lane, int from); // a shuffle's lane asks one that is not there
// A lane's shuffle asks another lane, which does not run with it.
void absent_asked(struct warp *w, const struct uop *u, int lane, int from);
void absent_from_vote(struct warp *w, const struct uop *u); // or from a sum, or a match
void absent_from_product(struct block *b); // a warp from what its three neighbours multiply; at the block's end

// --- races.c ------------------------------------------------------------------------------------------------------------
// Stamps: epoch of the block times 64 plus the warp; COPY_STAMP while an asynchronous copy is on its way.
#define STAMP_MANY   63u
#define STAMP_ENGINE 62u // the copy engine
#define COPY_STAMP   0xffffffffu
enum { STAMP_LANE_BITS = 6 }; // of last_lane: the phase of the warp above, the lane below
// A warp's instruction touches a range of shared memory: what a race finds its other place by.
static inline void note_touched(struct warp *w, uint32_t index, uint32_t low, uint32_t high, bool writes) {
    struct touched *t = &w->touched[index % TOUCHES];
    if (__builtin_expect(t->index != index + 1 || t->epoch != w->races.epoch, 0)) {
        *t = (struct touched){index + 1, w->races.epoch, low, high, writes};
        return;
    }
    if (low < t->low) t->low = low;
    if (high > t->high) t->high = high;
}
// One lane touches bytes of shared memory, before it does: reports what is wrong, marks what it does. `value`: what it
// writes, NULL when that is not known. False: something was reported; the caller need not ask for the other lanes.
bool shadow_access(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t bytes, enum access how,
                   const void *value);
// A word that was loaded to be copied to the stack, as code without optimisation does with a whole structure, counts as read here, where
// it is used; not if the warp has met others since.
void shadow_read_copied(struct warp *w, const struct unwritten *what, int lane, uint32_t address);
// The same for another block of the cluster.
bool shadow_remote(struct warp *w, const struct uop *u, int lane, struct block *there, uint32_t address, uint32_t bytes,
                   enum access how, const void *value);
// The tensor cores or the copy engine will read there on their own, until order_async_over.
void shadow_read_async(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes);
void shadow_block_ends(const struct block *b);
// The tensor cores or the copy engine read shared memory, a multiple of words: what nothing has written, or a warp has stored without
// a fence.proxy.async behind it, is reported. False: something was.
bool shadow_read_by_proxy(struct warp *w, const struct uop *u, uint32_t address, uint32_t bytes);
// The copy engine is told to write there: a race with what the block did before, where barriers do not order the two.
void shadow_written_by_proxy(struct warp *w, const struct uop *u, const struct block *there, uint32_t address,
                             uint32_t bytes);
bool shadow_is_unwritten(const struct block *b, uint32_t address, uint32_t bytes); // by anything in this block
void shadow_keep(struct warp *w, const struct request_memo *memo); // the memo is about to be filled anew
void shadow_keep_generic(struct warp *w, const struct uop *u, const uint64_t *address, uint32_t mask); // a load's lanes
// Some lanes arrive at an mbarrier, or set a flag: it publishes what they have done, not what others of the warp have stored.
void shadow_publish(struct warp *w, uint32_t lanes);
void shadow_synchronise(struct warp *w);                                    // all lanes of the warp meet: a phase ends
void shadow_meet(struct warp *w, uint32_t lanes);                           // __syncwarp of these lanes
void shadow_meet_by(struct warp *w, const uint32_t *masks, uint32_t lanes); // of these lanes, those of each mask

// --- flags.c --------------------------------------------------------------------------------------------------------------
void flags_fence(struct warp *w);
void flags_tell(struct warp *w, const uint64_t *address, uint32_t mask, bool strong); // stores to device memory
void flags_ask(struct warp *w, const uint64_t *address, uint32_t mask);               // strong loads of it
bool flags_order(const struct warp *w, uint32_t other, uint32_t phase); // it knows what the other did in that phase

// --- global.c -------------------------------------------------------------------------------------------------------------
// The same for device memory, when the launch watches it.
bool global_access(struct warp *w, const struct uop *u, int lane, uint64_t address, uint32_t bytes, enum access how,
                   const void *value);
bool global_begin_races(struct launch_state *launch);                       // false: not enough host memory
bool global_watch(const struct launch_state *launch, struct allocation *a); // one that is made later; false as above
void global_end_races(struct launch_state *launch);
void global_fence(struct warp *w, bool device); // a fence for the block, or for the whole device
