// A cycle-level timing model of one streaming multiprocessor (SM) and of the chip around it.
//
// The simulator (sasskit/sim) executes the blocks that one SM would get. The model replays each
// warp's instructions in order on schedulers, register file, pipes and memory pipeline, cycle by
// cycle. machine.def has all figures, and the sources that comments cite (e.g. Huerta).
// sasskit/docs/timing.md states what the model leaves out, and its measured error. A result is a
// prediction, never a measurement.
#pragma once

#include "base/h200.h"
#include "sim/observer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sm_machine {
    const char *name;
    int arch;     // compute capability times 10, for example 90
    bool guessed; // true if this project has not measured the chip
#define NUMBER(name, h200, h100, unit, what, source) double name;
#include "machine.def"
#undef NUMBER
};
extern const struct sm_machine sm_machines[]; // starts with the H200; a NULL name ends the table

// Parses the name of a machine, with or without changed figures: "h200",
// "h100,shared_wavefronts=2,l1_latency=30". NULL means the H200. Returns false and sets *error if a
// name, figure or value is invalid.
bool sm_machine_parse(const char *text, struct sm_machine *machine, struct error *error);
// Prints a line per figure (name, value, unit, meaning, source), then the chips not measured.
void sm_machine_print(const struct sm_machine *machine, FILE *file);

// The state of a warp in a cycle, under Nsight Compute's names
// (smsp__average_warps_issue_stalled_NAME...).
enum sm_state {
    SM_SELECTED,
    SM_NOT_SELECTED,
    SM_WAIT, // waits for its stall count
    SM_SHORT_SCOREBOARD,
    SM_LONG_SCOREBOARD,
    SM_BARRIER,
    SM_MIO_THROTTLE,
    SM_LG_THROTTLE,
    SM_TEX_THROTTLE,
    SM_MATH_PIPE_THROTTLE,
    SM_DISPATCH_STALL,
    SM_NO_INSTRUCTION,
    SM_BRANCH_RESOLVING,
    SM_STATES
};
extern const char *const sm_state_names[SM_STATES];
// The states' full counter names, for example
// smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio. Their unit is warp cycles per
// issued instruction.
extern const char *const sm_counter_names[SM_STATES];

struct sm_result {
    // --- the launch
    double cycles;       // from the start of the first block to the end of the last
    double milliseconds; // between two events around the launch
    double clock_ghz;    // SM clock
    bool stores;         // true if the kernel stores to global memory
    // --- the replayed SM
    // numbers of the SM's blocks: all, those replayed, and those resident at once
    uint64_t blocks, blocks_run, blocks_resident;
    uint64_t instructions; // number of warp instructions replayed
    uint64_t sm_cycles;    // number of cycles replayed
    double left_out;       // estimated cycles of loop iterations that were cut, not replayed
    size_t count;          // number of instructions of the kernel
    // warp cycles by state, for each of the `count` instructions; NULL if not requested
    uint64_t (*state)[SM_STATES];
};
void sm_result_clear(struct sm_result *result);

// Sums over launches.
struct sm_totals {
    uint64_t instructions;
    uint64_t state[SM_STATES]; // warp cycles
};
void sm_add_states(const struct sm_result *result, struct sm_totals *totals);

// A request to write the issue slots of `count` cycles, from cycle `first` on, in Chrome's trace
// format, which Perfetto opens.
struct sm_timeline {
    FILE *file;
    uint64_t first, count;
};

// The contents of L2 between launches: the allocations that a copy, load or store has touched. The
// accesses of the replayed SM count as those of all SMs.
struct sm_held {
    uint64_t allocation[64]; // start addresses
    int count;
};
void sm_hold(struct sm_held *held, uint64_t allocation);

// Options of sm_time().
struct sm_wish {
    bool states;                        // fill in sm_result.state
    const struct sm_timeline *timeline; // NULL if there is none
    // L2's contents before the launch, which the launch updates; NULL if L2 is empty
    struct sm_held *held;
    bool flushed; // true if a flush has just filled L2 with dirty lines
};

// Predicts the time of a launch. Executes some of its blocks, whose stores change `memory`:
// requires that the caller has read the results of earlier launches. Returns false and sets *error
// if the kernel cannot be run or modelled.
bool sm_time(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             const struct sm_machine *machine, struct sm_wish wish, struct sm_result *result,
             struct error *error);

// Prints warp cycles: by state for the whole kernel, then the longest state per instruction.
void sm_print_states(const struct sm_result *result, const struct sim_kernel *kernel, FILE *file);
