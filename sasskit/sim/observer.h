// Runs blocks of a launch and records for each warp what it executes and which memory it accesses.
// The timing model (sasskit/model) reads these records.
//
// The record of a warp is a stream of 32-bit words. Most instructions add no word. The exceptions:
//   - The first instruction of a warp, and the one after each UOP_CONTROL instruction (branch,
//     barrier, exit), adds its index in the code. A reader thus need not evaluate conditions.
//   - An instruction for which is_observed() (machine/observed.h) is true adds a word. Its bit 0 is
//     set if at least one lane executed the instruction, but not for a wait at an mbarrier that
//     fails. Only if it is set, further bits and words follow, in this order:
//       memory: bits 1..10: number of wavefronts in L1's data banks, or number of lanes for an
//               atomic on device memory.
//               bits 11..15: for a copy that bypasses L1, number of requests that repeat a sector.
//               bits 16..31: number of lines of 128 bytes.
//               Per line: two words, the low one first: address / 128 * 16, plus one bit for each
//               of its four sectors. For an atomic on device memory, a third word:
//                 bits 0..7: number of distinct words accessed in the line;
//                 bits 8..15: number of the line's wavefronts that serve several words;
//                 bits 16..23: number of those that serve one word. (A wavefront serves one lane
//                 per word, for the words of one sector.)
//       UBLKCP, UTMALDG: bits 16..31: number of lines. A word: shared address of the mbarrier that
//               counts the copy. A word: 1 if that mbarrier is in this block, otherwise 0. Then two
//               words per line, as for memory.
//       SYNCS:  bit 16: set if the mbarrier is in this block; if not, no word follows. A word: its
//               shared address. A word: for an arrival, number of lanes that arrive; for a wait
//               that succeeds, number of arrivals and copies by this block up to the phase's end.
//       BAR:    bits 1..4: number of the barrier. bits 5..16: number of its threads (0: all of the
//               block). bit 17: set if the warp waits.
#pragma once

#include "sim.h"

struct sim_stream {
    uint32_t *word;
    size_t count, capacity;
};

// A launch whose blocks run one by one, on request. Any block may be requested. But in an `ordered`
// launch (sim_watch_facts), only block 1 and every `every`-th block may.
struct sim_watch;
// Estimates a block's duration from its streams. Any unit will do, as results are only compared.
typedef double sim_work(void *context, const struct sim_stream *stream);
struct sim_watch *sim_watch_open(struct sim_kernel *kernel, struct sim_memory *memory,
                                 const struct sim_launch *launch, uint32_t every, sim_work *work_of,
                                 void *context, struct error *error);
// Runs the block with linear index `linear` (x is fastest). Fills stream[], one entry per warp, and
// reuses its memory. If the launch is not `ordered`, `stream` may be NULL to record nothing.
// If the launch is `dependent`, all earlier blocks are run first, and later ones while this block
// waits for them. Requires: blocks of an `ordered` launch are requested in ascending order.
bool sim_watch_block(struct sim_watch *watch, uint64_t linear, struct sim_stream *stream,
                     struct error *error);
// Returns the number of warp instructions of the latest block. Requires: the launch is not
// `ordered`.
uint64_t sim_watch_instructions(const struct sim_watch *watch);
// Runs all remaining blocks of a `dependent` launch, and finds the block with the most work among
// those that `every` does not select. If its work exceeds `work`, fills stream[] with its streams
// and sets *found; otherwise, or if the launch is not `dependent`, clears *found.
bool sim_watch_most(struct sim_watch *watch, double work, struct sim_stream *stream, bool *found,
                    struct error *error);
// Runs all remaining blocks and sets *instructions to the number of warp instructions of all
// blocks. Requires: the launch is `dependent`.
bool sim_watch_rest(struct sim_watch *watch, uint64_t *instructions, struct error *error);
void sim_watch_close(struct sim_watch *watch);

struct sim_watch_facts {
    uint64_t blocks;
    uint32_t grid[3];      // blocks per dimension
    uint32_t warps;        // per block
    uint32_t shared_bytes; // per block, including what the system reserves
    // true if blocks may wait for each other, because they execute atomics, or loads that see other
    // blocks' stores; the value is final once block 0 has run
    bool dependent;
    bool ordered; // true if the launch is `dependent` or has clusters
};
struct sim_watch_facts sim_watch_facts(const struct sim_watch *watch);

// The kernel's code, for readers of a stream.
struct sass_instruction;
size_t sim_instruction_count(const struct sim_kernel *kernel);
// Returns the instruction at `index`; NULL if the word there is no instruction. Sets *control to
// true for a UOP_CONTROL instruction, and *observed to the value of is_observed().
const struct sass_instruction *sim_instruction(const struct sim_kernel *kernel, size_t index,
                                               bool *control, bool *observed);
const struct sass_kernel *sim_code(const struct sim_kernel *kernel);
