// Functions that the files of sim/run share: a launch, its blocks, and the blocks resident at once.
#pragma once

#include "sim/checks/reports.h"
#include "sim/machine/kernel.h"
#include "variables.h"

#include <stdarg.h>

// --- launch.c ------------------------------------------------------------------------------------
// Validates a launch and sets up everything that its blocks need.
bool launch_prepare(struct launch_state *l, struct sim_kernel *kernel, struct sim_memory *memory,
                    const struct sim_launch *launch, struct error *error);
// Prints the reports, and frees what the launch has. Returns false if a report is an error.
bool launch_finish(struct launch_state *l, struct error *error);

// --- block.c -------------------------------------------------------------------------------------
enum block_state { BLOCK_DONE, BLOCK_QUIET };
// Returns NULL if the host has too little memory.
struct block *block_open(struct launch_state *launch, struct tally *tally);
void block_close(struct block *block);
void block_start(struct block *block, uint64_t linear);
// Runs the block until it ends (BLOCK_DONE), or until none of its warps has had an effect that
// others can observe in its latest time slice (BLOCK_QUIET).
enum block_state block_run(struct block *block);
// Executes the next instruction of a warp. Requires: the warp can run.
void block_step(struct block *block, uint32_t warp);
// Runs the block from its start to its end.
void block_run_alone(struct block *block, uint64_t linear);
// Runs the warps. Returns true if they only repeat their states: they wait for other blocks.
bool block_only_repeats(struct block *block);
// Releases lanes that wait for yielded lanes. Returns false if there are none.
bool block_release_yielded(struct block *block);
// Lets lanes arrive at barrier `id` by instruction `index`. `count` is the barrier's number of
// threads; 0 for the whole block.
void barrier_arrive(struct warp *w, uint32_t index, uint32_t id, uint32_t count, uint32_t lanes);
// Completes barriers at which only ended lanes are missing.
void barrier_check_all(struct block *block);
// Returns how much the position of the block's most telling warp says about the cause of a
// deadlock: 5 is most, and 0 means that all warps have ended.
int block_tells(struct block *block);
// Reports that the block never ends, and stops the launch. `limited` is the warp that reached the
// instruction limit; NULL in a deadlock.
void block_report_endless(struct block *block, struct warp *limited, const char *why);

// --- resident.c ----------------------------------------------------------------------------------
#define WHOLE_GRID UINT64_MAX
// Returns true if an H200 holds all blocks of the grid at once.
bool resident_holds_all(const struct launch_state *launch);
bool resident_run(struct launch_state *launch, struct sim_result *result, int host_threads);
// Opens a worker, which runs blocks in order on this host thread. It starts later blocks while the
// earlier ones wait.
struct worker *resident_open(struct launch_state *launch, struct tally *tally);
// Runs blocks until block `linear` has ended, or all blocks if `linear` is WHOLE_GRID.
void resident_run_until(struct worker *worker, uint64_t linear);
// Runs only the cluster that contains block `linear`.
void resident_run_cluster(struct worker *worker, uint64_t linear);
void resident_close(struct worker *worker);
