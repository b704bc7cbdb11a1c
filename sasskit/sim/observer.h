// What an observer of a launch gets: each warp's instructions in order, and what its memory instructions asked for.
//
// A stream is 32-bit words. Instructions follow each other in the code, so they have no words of their own, but for:
//   - the first instruction of a warp and the one after each instruction of warp.c's UOP_CONTROL (branches, barriers, exits):
//     its index in the code, so that a reader follows branches without knowing conditions;
//   - those of is_observed(): one word, whether any lane executed it (bit 0); and if so
//       memory: wavefronts of the data banks in bits 1..10, sectors that a copy past L1 asks for twice in 11..15, lines in 16..31;
//               then two words a line of 128 bytes, the line's number (address / 128) times 16 plus a bit for each of its
//               four sectors, low word first; atomics of device memory have lanes instead of wavefronts, and a third word a
//               line: how many of its words they want in bits 0..7, and turns of its sectors, in each of which a lane for each
//               word that is still wanted has its turn: those of several words in 8..15, of one in 16..23;
//       UBLKCP, UTMALDG: lines in 16..31; the mbarrier that counts the copy, 1 when it is the block's own, else 0, and the lines
//       SYNCS:  arrivals at mbarriers, and waits that are over: bit 16 when it is one of the block; then its place in shared memory, and
//               how many arrive, or how much the block's warps have done there for what is over: arrivals and copies, from the start on;
//       BAR:    bits 1..4 the barrier, 5..16 threads it is for (0 all of the block), 17 whether the warp waits.
// A stream ends with the warp.
#pragma once

#include "sim.h"

struct sim_stream {
    uint32_t *word;
    size_t count, capacity;
};

// A launch whose blocks are run one by one, when they are asked for: every so manieth of them, and block 1; any, where not `ordered`.
struct sim_watch;
typedef double sim_work(void *context,
                        const struct sim_stream *stream); // of a block: about how long it takes, in any unit
struct sim_watch *sim_watch_open(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
                                 uint32_t every, sim_work *work_of, void *context, struct sim_error *error);
// Runs block `linear` (x fastest) and fills stream[] (warps of a block), whose memory is used again; NULL, where they are not `ordered`:
// nothing. Where blocks may wait for
// each other (the kernel has atomics or loads that see other blocks' stores), all before it are run first, and later ones while it
// waits for them; ask in ascending order.
bool sim_watch_block(struct sim_watch *watch, uint64_t linear, struct sim_stream *stream, struct sim_error *error);
// Warp instructions of the block that was run last; not where they are `ordered`.
uint64_t sim_watch_instructions(const struct sim_watch *watch);
// Runs the blocks that have not run, and fills stream[] with the one that has the most work of those that every so manieth is not, if it
// is more than this; only where blocks may wait for each other.
bool sim_watch_most(struct sim_watch *watch, double work, struct sim_stream *stream, bool *found,
                    struct sim_error *error);
// Runs the blocks that have not run, and counts the warp instructions of all; only where blocks may wait for each other.
bool sim_watch_rest(struct sim_watch *watch, uint64_t *instructions, struct sim_error *error);
void sim_watch_close(struct sim_watch *watch);

struct sim_watch_facts {
    uint64_t blocks;
    uint32_t grid[3];      // blocks per dimension
    uint32_t warps;        // of a block
    uint32_t shared_bytes; // of a block, with those that the system reserves
    bool dependent;        // blocks may wait for each other; known once block 0 has run
    bool ordered;          // only those of sim_watch_open can be asked for
};
struct sim_watch_facts sim_watch_facts(const struct sim_watch *watch);

// The kernel's instructions, for those who follow a stream; NULL where a word is none.
struct sass_instruction;
size_t sim_instruction_count(const struct sim_kernel *kernel);
const struct sass_instruction *sim_instruction(const struct sim_kernel *kernel, size_t index, bool *control,
                                               bool *observed);
const struct sass_kernel *sim_code(const struct sim_kernel *kernel);
