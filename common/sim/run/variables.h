// Device variables of a cubin (.nv.global and so on): where they are, and the addresses that the file leaves open.
#ifndef SIM_VARIABLES_H
#define SIM_VARIABLES_H

#include "sim/machine/machine.h"

struct variables; // of one cubin

// NULL when the cubin has none, or with *failed set when it is broken.
struct variables *variables_open(const struct sass_cubin *cubin, bool *failed);
void variables_close(struct variables *variables);
// Allocates and initialises them, once for a memory.
bool variables_place(struct variables *variables, struct sim_memory *memory);
// Writes the addresses into a copy of constant bank `bank`.
void variables_relocate(const struct variables *variables, int bank, uint8_t *bytes, uint32_t size);

#endif
