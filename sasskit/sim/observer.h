// Observation of a launch: for each warp, the stream of its instructions and memory requests.
//
// A stream is a list of 32-bit words and ends with the warp. Most instructions have no words. The
// exceptions:
//   - The first instruction of a warp, and the one after each UOP_CONTROL instruction (branch,
//     barrier, exit), has one word: its index. So a reader follows branches without evaluating
//     their conditions.
//   - An instruction for which is_observed() is true has one word, whose bit 0 is set if at least
//     one lane executed the instruction. If so, the word's other bits and the words after it are:
//       memory: bits 1..10: number of wavefronts of the data banks (atomics on device memory:
//               number of lanes);
//               bits 11..15: how many requests of a copy past L1 repeat a sector;
//               bits 16..31: number of lines of 128 bytes. Then two words per line, the low one
//               first: the line's number (address / 128) times 16, plus a bit for each of its
//               four sectors. Atomics on device memory have a third word per line. Its bits 0..7
//               are the number of distinct words that they access. A wavefront serves one lane
//               per word of a sector; bits 8..15 count the line's wavefronts that serve several
//               words, and bits 16..23 those that serve one.
//       UBLKCP, UTMALDG: bits 16..31: number of lines. Then the address of the mbarrier that
//               counts the copy; then 1 if that mbarrier is in this block's shared memory,
//               otherwise 0; then the lines, as for memory.
//       SYNCS:  bit 16 is set if the mbarrier is in this block's shared memory. Then its address
//               there. Then, for an arrival, the number of lanes that arrive; for a completed wait,
//               the number of arrivals and copies by this block's warps up to the end of the phase.
//       BAR:    bits 1..4: number of the barrier; bits 5..16: its number of threads (0: all of
//               the block); bit 17 is set if the warp waits.
#pragma once

#include "sim.h"

struct sim_stream {
    uint32_t *word;
    size_t count, capacity;
};

// A launch whose blocks are run one by one, on request. Any block may be requested; but if the
// launch is `ordered`, only every `every`-th block and block 1 may.
struct sim_watch;
// Returns a block's approximate duration, in any unit.
typedef double sim_work(void *context, const struct sim_stream *stream);
struct sim_watch *sim_watch_open(struct sim_kernel *kernel, struct sim_memory *memory,
                                 const struct sim_launch *launch, uint32_t every, sim_work *work_of,
                                 void *context, struct error *error);
// Runs block `linear` (x is fastest) and fills stream[], one per warp, reusing its memory. If the
// launch is not `ordered`, `stream` may be NULL to record nothing. If blocks may wait for
// each other (the kernel has atomics, or loads that see other blocks' stores), all earlier blocks
// are run first, and later ones are run while this block waits for them. Requires: blocks are
// requested in ascending order.
bool sim_watch_block(struct sim_watch *watch, uint64_t linear, struct sim_stream *stream,
                     struct error *error);
// Returns the number of warp instructions of the latest block. Requires: the launch is not
// `ordered`.
uint64_t sim_watch_instructions(const struct sim_watch *watch);
// Runs all remaining blocks. Among those that `every` does not select, finds the one with the most
// work; if that exceeds `work`, fills stream[] with the block and sets *found. Does nothing unless
// blocks may wait for each other.
bool sim_watch_most(struct sim_watch *watch, double work, struct sim_stream *stream, bool *found,
                    struct error *error);
// Runs all remaining blocks and sets *instructions to the number of warp instructions of all
// blocks. Requires: blocks may wait for each other.
bool sim_watch_rest(struct sim_watch *watch, uint64_t *instructions, struct error *error);
void sim_watch_close(struct sim_watch *watch);

struct sim_watch_facts {
    uint64_t blocks;
    uint32_t grid[3];      // blocks per dimension
    uint32_t warps;        // per block
    uint32_t shared_bytes; // per block, including what the system reserves
    bool dependent;        // blocks may wait for each other; known once block 0 has been run
    bool ordered;          // only the blocks that sim_watch_open() selects may be requested
};
struct sim_watch_facts sim_watch_facts(const struct sim_watch *watch);

// The kernel's code, for readers of a stream.
struct sass_instruction;
size_t sim_instruction_count(const struct sim_kernel *kernel);
// Returns the instruction at an index; NULL if the word there is no instruction. Sets *control and
// *observed to true for UOP_CONTROL and for observed instructions.
const struct sass_instruction *sim_instruction(const struct sim_kernel *kernel, size_t index,
                                               bool *control, bool *observed);
const struct sass_kernel *sim_code(const struct sim_kernel *kernel);
