// Device variables of a cubin (.nv.global and others): addresses, and relocations that use them.
#pragma once

#include "sim/machine/machine.h"

struct variables; // the device variables of one cubin

// Reads the device variables of a cubin. Returns NULL and sets *error if that fails.
struct variables *variables_open(const struct sass_cubin *cubin, struct error *error);
void variables_close(struct variables *variables);
// Notes that byte `at` of constant bank `bank` is to get the address of byte `offset` of a section.
// variables_relocate() writes it. Returns false if the host has too little memory.
bool variables_want(struct variables *variables, int bank, uint64_t at, size_t section,
                    uint64_t offset);
// Returns true if a variable or a constant contains a pointer into the section.
bool variables_point_to(const struct variables *variables, size_t section);
// Sets the address of a section of code; it is 0 before.
void variables_place_code(struct variables *variables, size_t section, uint64_t address);
// Allocates and initialises the variables. Has no effect if the latest call had this memory, too.
bool variables_place(struct variables *variables, struct sim_memory *memory);
// Returns the address of a section; 0 if it has no variables, or before variables_place().
uint64_t variables_address(const struct variables *variables, size_t section);
// Writes the requested addresses into `bytes`, a copy of constant bank `bank`.
void variables_relocate(const struct variables *variables, int bank, uint8_t *bytes, uint32_t size);
