// Sizes of a warp's state, and the numbering of its registers, predicates and cells.
#pragma once

#include "isa/latency.h"

#include <stdint.h>

enum {
    LANES = 32,
    MAX_WARPS = 32,
    SCOREBOARDS = SASS_SCOREBOARDS,
    MAX_GROUPS = 32,
    NAMED_BARRIERS = 16,
    CONVERGENCE_REGISTERS = 16,
    MAX_CLUSTER = 16
};
#define ALL_LANES 0xffffffffu

// Rows of a warp's register file: a row is one register, with a uint32_t per lane. A uniform
// register is a row with equal lanes. So one function executes FFMA with either kind of register,
// and IADD3 and UIADD3 share a function.
enum {
    ROW_ZERO = 255,  // RZ
    ROW_TRASH = 256, // receives writes to RZ or URZ
    ROW_UNIFORM = 257,
    ROW_UNIFORM_ZERO = ROW_UNIFORM + SASS_URZ,
    ROWS
};

// Predicates have one bit per lane: 0..6 are P, 7 is PT, 8..14 are UP (all lanes equal), 15 is UPT.
enum { PREDICATE_TRUE = 7, PREDICATE_UNIFORM = 8, PREDICATE_TRASH = 16, PREDICATES };

// Cells: the registers, uniform registers, predicates and uniform predicates whose hazards are
// tracked.
enum {
    CELL_UNIFORM = 256,
    CELL_PREDICATE = CELL_UNIFORM + SASS_URZ,
    CELL_NONE = CELL_PREDICATE + 16, // never written, always ready
    CELL_TRASH,
    CELLS
};
// Number of 64-bit words of a bit set of registers, and of a bit set of cells.
enum { REGISTER_WORDS = 4, CELL_WORDS = (CELLS + 63) / 64 };
// Special values of cell.ready.
#define IN_FLIGHT UINT64_MAX
#define UNWRITTEN (UINT64_MAX - 1) // ready, but undefined in some lanes
