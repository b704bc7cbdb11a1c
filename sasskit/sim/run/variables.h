// Device variables of a cubin (.nv.global and so on): where they are, and the addresses that the file leaves open.
#pragma once

#include "sim/machine/machine.h"

struct variables; // of one cubin

// NULL: they cannot be read, and the error says why.
struct variables *variables_open(const struct sass_cubin *cubin, struct sim_error *error);
void variables_close(struct variables *variables);
// The address of a variable, `offset` bytes into its section, is wanted at a place of a constant bank. False: no host memory.
bool variables_want(struct variables *variables, int bank, uint64_t at, size_t section, uint64_t offset);
// A variable or a constant is a pointer into that section.
bool variables_point_to(const struct variables *variables, size_t section);
// A section of code begins at that address; without it at 0.
void variables_place_code(struct variables *variables, size_t section, uint64_t address);
// Allocates and initialises them, once for a memory.
bool variables_place(struct variables *variables, struct sim_memory *memory);
// Where a section of variables begins, once they are placed; 0: the section holds none.
uint64_t variables_address(const struct variables *variables, size_t section);
// Writes the addresses into a copy of constant bank `bank`.
void variables_relocate(const struct variables *variables, int bank, uint8_t *bytes, uint32_t size);
