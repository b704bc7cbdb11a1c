// The architectures that machine code is read for: what differs between them, a row each in chip.c. What an instruction is there
// says its row of opcodes.def, which generations have it.
#pragma once

#include "sass.h"

// Constant bank 0: where the driver puts what code reads of its launch, in bytes; NOT_THERE where an architecture has no such word.
enum { SASS_NOT_THERE = -1 };
struct sass_bank0 {
    int block_dim, grid_dim;
    int shared_window, local_window; // generic addresses: lower word, then upper
    int stack, dynamic_shared;
    int workspace;                  // of a cooperative launch: the upper word, then the lower
    int constants;                  // the generic address of bank 3, for pointers to __constant__ variables
    int reserved_shared;            // bytes of shared memory that the system reserves
    int reserved_end, reserved_one; // before sm_90, where these lie: their end, and where cooperative groups' begin
    int cluster;                    // is there one? its dimensions, their inverses as floats, clusters of the grid
    int cluster_size;
    int parameters; // the generic address of the first one
    int descriptor;
    int param_base; // the first parameter
};

struct sass_chip {
    int capability; // 90 for 9.0
    const char *name;
    enum sass_generation generation;
    const struct sass_bank0 *bank0;
    int shared_reserved; // bytes of shared memory before a block's own, which addresses in the code start behind
    // What an SM holds, 0: not known. Of each 65536 registers and 4 schedulers.
    int warps, blocks;
    int shared_kbytes, block_kbytes; // shared memory of an SM, and of a block at most
    int system_shared;               // bytes of it that the system takes for each block
    int most_sms;                    // of the largest GPU; 0: not known
    int fma_cycles;                  // that an FFMA takes its pipe: 2 where a scheduler has 16 lanes
    bool runs;                       // on the simulator
    bool tried;                      // this project's machine code was run on a chip of this kind
    bool knows_banks;                // of the register file
    const char *latencies;           // where the distances of latency.c are from; NULL: not known
};

// NULL: none of that capability.
const struct sass_chip *sass_chip(int capability);
// "sm_75, sm_80 ...", written to `names`: all, or those that run on the simulator.
enum { SASS_CHIP_NAMES = 256 };
const char *sass_chip_names(bool that_run, char names[SASS_CHIP_NAMES]);
