// How much of everything a warp has, and how its registers, predicates and cells are numbered.
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

// Rows of a warp's register file: one uint32_t a lane. Uniform registers are rows whose lanes are all equal, so that
// one function does for FFMA with a register and with a uniform register, and for IADD3 and UIADD3.
enum {
    ROW_ZERO = 255,  // RZ
    ROW_TRASH = 256, // what is written to RZ or URZ
    ROW_UNIFORM = 257,
    ROW_UNIFORM_ZERO = ROW_UNIFORM + SASS_URZ,
    ROWS
};

// Predicates: a bit a lane. 0..6 P, 7 PT, 8..14 UP (all lanes alike), 15 UPT.
enum { PREDICATE_TRUE = 7, PREDICATE_UNIFORM = 8, PREDICATE_TRASH = 16, PREDICATES };

// Cells that hazards are tracked on: registers, uniform registers, predicates, uniform predicates.
enum {
    CELL_UNIFORM = 256,
    CELL_PREDICATE = CELL_UNIFORM + SASS_URZ,
    CELL_NONE = CELL_PREDICATE + 16, // never written, always ready
    CELL_TRASH,
    CELLS
};
enum { REGISTER_WORDS = 4, CELL_WORDS = (CELLS + 63) / 64 }; // of a set of registers, of cells, a bit each
#define IN_FLIGHT UINT64_MAX
#define UNWRITTEN (UINT64_MAX - 1) // it is there, and has lanes that nobody should use
