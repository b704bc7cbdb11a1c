// Device variables of a cubin (.nv.global and so on): where they are, and the addresses that the file leaves open.
#ifndef SIM_VARIABLES_H
#define SIM_VARIABLES_H

#include "sim/machine/machine.h"

struct variables; // of one cubin

// NULL: they cannot be read, and the error says why.
struct variables *variables_open(const struct sass_cubin *cubin, struct sim_error *error);
void variables_close(struct variables *variables);
// Allocates and initialises them, once for a memory.
bool variables_place(struct variables *variables, struct sim_memory *memory);
// Where a section of variables begins, once they are placed; 0: the section holds none.
uint64_t variables_address(const struct variables *variables, size_t section);
// Writes the addresses into a copy of constant bank `bank`.
void variables_relocate(const struct variables *variables, int bank, uint8_t *bytes, uint32_t size);

#endif
