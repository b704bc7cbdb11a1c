// What the files of this room share.
#pragma once

#include "sim/checks/reports.h"
#include "sim/machine/kernel.h"
#include "variables.h"

#include <stdarg.h>

// --- launch.c -------------------------------------------------------------------------------------------------------------
// Everything that a launch needs before its blocks run.
bool launch_prepare(struct launch_state *l, struct sim_kernel *kernel, struct sim_memory *memory,
                    const struct sim_launch *launch, struct sim_error *error);
bool launch_finish(struct launch_state *l, struct sim_error *error); // prints what was reported; false: something was

// --- block.c --------------------------------------------------------------------------------------------------------------
enum block_state { BLOCK_DONE, BLOCK_QUIET };
struct block *block_open(struct launch_state *launch, struct tally *tally); // NULL: no host memory
void block_close(struct block *block);
void block_start(struct block *block, uint64_t linear);
enum block_state block_run(struct block *block);     // until it ends, or nothing happens in it that others could see
void block_step(struct block *block, uint32_t warp); // the next instruction of a warp that can run
void block_run_alone(struct block *block, uint64_t linear); // from its start to its end
bool block_stands_still(struct block *block);    // its warps come back to where they were: they wait for others
bool block_release_yielded(struct block *block); // lanes that wait for others which yield go on; false: there are none
void barrier_arrive(struct warp *w, uint32_t index, uint32_t id, uint32_t count, uint32_t lanes);
void barrier_check_all(struct block *block);                                 // after lanes have ended
void block_report_endless(struct block *block, const char *why, bool limit); // ends the launch; limit: of instructions

// --- resident.c -------------------------------------------------------------------------------------------------------------
#define WHOLE_GRID UINT64_MAX
bool resident_holds_all(const struct launch_state *launch); // an H200 holds all blocks of the grid at once
bool resident_run(struct launch_state *launch, struct sim_result *result, int host_threads);
// One block after the other on this host thread, and later ones while these wait for them.
struct worker *resident_open(struct launch_state *launch, struct tally *tally);
void resident_run_until(struct worker *worker, uint64_t linear); // until this block has ended, or all of the grid
void resident_run_cluster(struct worker *worker,
                          uint64_t linear); // of that block, and no other block before or beside it
void resident_close(struct worker *worker);
