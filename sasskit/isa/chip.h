// The GPU architectures that the toolkit knows, and how they differ; chip.c has a row for each.
// opcodes.def says which generations have an instruction.
#pragma once

#include "cubin.h"

// Byte offsets in constant bank 0 of the words by which the driver describes a launch. The comments
// say what a word contains. SASS_NOT_THERE: the architecture has no such word.
enum { SASS_NOT_THERE = -1 };
struct sass_bank0 {
    int block_dim, grid_dim;
    int shared_window, local_window; // 64-bit generic addresses, lower word first
    int stack, dynamic_shared;
    int workspace; // 64-bit address of a cooperative launch's workspace, upper word first
    int constants; // generic address of constant bank 3, for pointers to __constant__ variables
    int reserved_shared; // number of bytes of shared memory that the system reserves
    // before sm_90: address in shared memory of these bytes' end; of cooperative groups' bytes
    int reserved_end, reserved_one;
    int clustered; // 1 in a launch with clusters, otherwise 0
    // three words each: cluster dimensions, their inverses as floats, grid size in clusters
    int cluster, cluster_inverse, cluster_grid;
    int cluster_size; // number of blocks in the cluster
    int parameters;   // generic address of the kernel's first parameter
    int descriptor;   // 64-bit descriptor that global loads and stores use
    int param_base;   // the kernel's first parameter
};

struct sass_chip {
    int capability; // compute capability times 10: 90 for 9.0
    const char *name;
    enum sass_generation generation;
    const struct sass_bank0 *bank0;
    // bytes at the start of a block's shared memory that the system reserves
    int shared_reserved;
    // Limits of an SM: warps and blocks, 0 if unknown. Every SM has 65536 registers, 4 schedulers.
    int warps, blocks;
    int shared_kbytes, block_kbytes; // KB of shared memory: per SM, and at most per block
    int system_shared; // bytes of an SM's shared memory that each block takes besides its own
    int most_sms;      // number of SMs of the largest GPU with this architecture; 0 if unknown
    // cycles for which an FFMA occupies its pipe; 2 if a scheduler has 16 lanes; 0 means 1
    int fma_cycles;
    bool runs;             // true if the simulator can run its code
    bool tried;            // true if this project's machine code has run on such a chip
    bool knows_banks;      // true if its register-file banks are known
    const char *latencies; // source of the distances in distances.def; NULL if unknown
};

// Returns the chip of a compute capability such as 90; NULL if there is none.
const struct sass_chip *sass_chip(int capability);
// Sets `names` to a list such as "sm_75, sm_80" and returns it. The list has all chips, or with
// `that_run` only those that the simulator supports.
enum { SASS_CHIP_NAMES = 256 };
const char *sass_chip_names(bool that_run, char names[SASS_CHIP_NAMES]);
