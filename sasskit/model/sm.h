// A cycle-level timing model of one streaming multiprocessor (SM) of a GPU of compute capability 9.0, and of blocks over the chip.
//
// The simulator (sasskit/sim) runs the blocks that one SM would get; the model replays each warp's instructions, in order, on
// schedulers, register file, pipes, and memory pipeline, cycle by cycle. Read in this order: machine.def (the figures),
// code.c (an instruction as the SM sees it), scheduler.c, registers.h, memory.c, l1.c, l2.c, barrier.c, chip.c. What it leaves out, and how
// near it comes to measured times: docs/timing.md. A result is a prediction, never a measurement.
#pragma once

#include "sim/observer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sm_machine {
    const char *name;
    int arch;     // 90
    bool guessed; // not measured by this project
#define NUMBER(name, h200, h100, unit, what, source) double name;
#include "machine.def"
#undef NUMBER
};
extern const struct sm_machine sm_machines[]; // the first is the H200; ends with a name NULL

// Machine `name` with figures changed: "h200", or "h100,shared_wavefronts=2,l1_latency=30"; NULL is the H200.
bool sm_machine_parse(const char *text, struct sm_machine *machine, struct sim_error *error);
// The figures with unit, meaning and source, a line each.
void sm_machine_print(const struct sm_machine *machine, FILE *file);

// What a warp does in a cycle, under Nsight Compute's names (smsp__average_warps_issue_stalled_NAME...).
enum sm_state {
    SM_SELECTED,
    SM_NOT_SELECTED,
    SM_WAIT, // the stall count
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
// "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": warp cycles a warp instruction.
extern const char *const sm_counter_names[SM_STATES];

struct sm_result {
    double cycles;                                // of the launch, from the first block's start to the last one's end
    double milliseconds;                          // between two events around it
    double clock_ghz;                             // of the SMs
    bool stores;                                  // it has stored
    uint64_t blocks, blocks_run, blocks_resident; // of the SM with the most: all, those run, side by side
    uint64_t instructions;                        // warp instructions run
    uint64_t sm_cycles;                           // cycles run
    size_t count;                                 // instructions of the kernel
    uint64_t (*state)[SM_STATES];                 // (count) warp cycles by state, of what was run; NULL: not asked for
};
void sm_result_clear(struct sm_result *result);

struct sm_totals { // of launches
    uint64_t instructions;
    uint64_t state[SM_STATES]; // warp cycles
};
void sm_add_states(const struct sm_result *result, struct sm_totals *totals);

// Chrome's trace format (Perfetto opens it): issue slots of the cycles first .. first + count - 1.
struct sm_timeline {
    FILE *file;
    uint64_t first, count;
};

// What L2 holds between launches: allocations that something was copied to, or of which a launch has asked for something or stored it.
// What one SM has done there is taken for what all have done.
struct sm_held {
    uint64_t allocation[64]; // where each starts
    int count;
};
void sm_hold(struct sm_held *held, uint64_t allocation);

// What is wanted besides the time, and costs some.
struct sm_wish {
    bool states;                        // sm_result.state
    const struct sm_timeline *timeline; // NULL: none
    struct sm_held *held;               // before the launch, and after it; NULL: L2 is empty
    bool flushed;                       // L2 is full of what was written to flush it
};

// Predicts the time of a launch. Runs blocks of it, which store what they store: take results first.
bool sm_time(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             const struct sm_machine *machine, struct sm_wish wish, struct sm_result *result, struct sim_error *error);

// Warp cycles by state, of the kernel and of its instructions with the most.
void sm_print_states(const struct sm_result *result, const struct sim_kernel *kernel, FILE *file);
