// The supported GPU architectures and their differences, a row each in chip.c. opcodes.def says
// which generations have an instruction.
#pragma once

#include "cubin.h"

// Offsets, in bytes, of the words in constant bank 0 in which the driver describes a launch;
// SASS_NOT_THERE if the architecture has no such word.
enum { SASS_NOT_THERE = -1 };
struct sass_bank0 {
    int block_dim, grid_dim;
    int shared_window, local_window; // 64-bit generic addresses with the lower word first
    int stack, dynamic_shared;
    int workspace; // workspace of a cooperative launch: the upper word, then the lower
    int constants; // generic address of constant bank 3, for pointers to __constant__ variables
    int reserved_shared; // number of bytes of shared memory that the system reserves
    // before sm_90, shared addresses: the end of these bytes, and the part for cooperative groups
    int reserved_end, reserved_one;
    int clustered; // 1 in a launch with clusters, otherwise 0
    // three words each: the cluster's dimensions, their inverses as floats, the grid in clusters
    int cluster, cluster_inverse, cluster_grid;
    int cluster_size; // number of blocks in the cluster
    int parameters;   // generic address of the kernel's first parameter
    int descriptor;   // 64-bit descriptor that global loads and stores name
    int param_base;   // offset of the kernel's first parameter
};

struct sass_chip {
    int capability; // 90 stands for 9.0
    const char *name;
    enum sass_generation generation;
    const struct sass_bank0 *bank0;
    // bytes that are reserved at the start of shared memory, before the block's own
    int shared_reserved;
    // Limits of an SM; 0 if unknown. All SMs have 65536 registers and 4 schedulers.
    int warps, blocks;
    int shared_kbytes, block_kbytes; // shared memory of an SM, and the most that a block may have
    int system_shared;               // bytes that each block takes in addition to its own
    int most_sms; // number of SMs of the largest GPU with this architecture; 0 if unknown
    // cycles for which an FFMA occupies its pipe: 2 if a scheduler has 16 lanes; 0 means 1
    int fma_cycles;
    bool runs;             // the simulator can run code for it
    bool tried;            // this project's machine code has run on such a chip
    bool knows_banks;      // the register-file banks are known
    const char *latencies; // source of the distances in distances.def; NULL if unknown
};

// Returns the chip of that capability; NULL if there is none.
const struct sass_chip *sass_chip(int capability);
// Sets `names` to a list such as "sm_75, sm_80": all chips, or only those that the simulator
// supports. Returns `names`.
enum { SASS_CHIP_NAMES = 256 };
const char *sass_chip_names(bool that_run, char names[SASS_CHIP_NAMES]);
