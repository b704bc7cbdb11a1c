// Supported architectures: their differences, one row each in chip.c. opcodes.def says which
// generations have an instruction.
#pragma once

#include "cubin.h"

// Offsets in bytes of the words in constant bank 0 in which the driver describes a launch;
// NOT_THERE: the architecture has no such word.
enum { SASS_NOT_THERE = -1 };
struct sass_bank0 {
    int block_dim, grid_dim;
    int shared_window, local_window; // 64-bit generic addresses, lower word first
    int stack, dynamic_shared;
    int workspace;       // of a cooperative launch: the upper word, then the lower
    int constants;       // generic address of bank 3, for pointers to __constant__ variables
    int reserved_shared; // bytes of shared memory that the system reserves
    // before sm_90: end of the reserved bytes, and start of those of cooperative groups
    int reserved_end, reserved_one;
    int cluster; // ten words: a flag, dimensions, their float inverses, the grid in clusters
    int cluster_size;
    int parameters; // generic address of the first parameter
    int descriptor;
    int param_base; // first parameter
};

struct sass_chip {
    int capability; // 90 stands for 9.0
    const char *name;
    enum sass_generation generation;
    const struct sass_bank0 *bank0;
    // bytes of shared memory before a block's own; addresses in the code start after them
    int shared_reserved;
    // Limits of an SM; 0: unknown. All have 65536 registers and 4 schedulers.
    int warps, blocks;
    int shared_kbytes, block_kbytes; // of an SM; largest of a block
    int system_shared;               // part of it that the system takes per block
    int most_sms;                    // of the largest GPU; 0 if unknown
    // cycles that an FFMA occupies its pipe: 2 if a scheduler has 16 lanes
    int fma_cycles;
    bool runs;             // the simulator supports it
    bool tried;            // this project's machine code has run on such a chip
    bool knows_banks;      // the register-file banks are known
    const char *latencies; // source of the distances in latency.c; NULL if unknown
};

// Returns NULL if there is no chip of that capability.
const struct sass_chip *sass_chip(int capability);
// Sets `names` to "sm_75, sm_80 ...": all chips, or those that the simulator supports.
enum { SASS_CHIP_NAMES = 256 };
const char *sass_chip_names(bool that_run, char names[SASS_CHIP_NAMES]);
