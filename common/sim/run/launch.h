// What the files of this room share.
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "sim/checks/reports.h"
#include "sim/machine/kernel.h"
#include "variables.h"

#include <stdarg.h>

// --- block.c --------------------------------------------------------------------------------------------------------------
enum block_state { BLOCK_DONE, BLOCK_QUIET };
struct block *block_open(struct launch_state *launch, struct tally *tally); // NULL: no host memory
void block_close(struct block *block);
void block_start(struct block *block, uint64_t linear);
enum block_state block_run(struct block *block); // until it ends, or nothing happens in it that others could see
void block_run_alone(struct block *block, uint64_t linear); // from its start to its end
bool block_stands_still(struct block *block);      // its warps come back to where they were: they wait for others
size_t block_stamps(const struct launch_state *l); // granules of shared memory, and a few to spare
void block_report_endless(struct block *block, const char *why); // ends the launch

// --- resident.c -------------------------------------------------------------------------------------------------------------
bool resident_holds_all(const struct launch_state *launch); // an H200 holds all blocks of the grid at once
bool resident_run(struct launch_state *launch, struct sim_result *result, int host_threads);

#endif
