// A block that is executed step by step: the caller chooses the warp that executes the next
// instruction, and may inspect all state in between (sim/machine/machine.h). The block runs alone.
// Requires: no cluster.
#pragma once

#include "sim/counts/picture.h"

struct held;
struct held *held_open(struct sim_kernel *kernel, struct sim_memory *memory,
                       const struct sim_launch *launch, uint64_t block, struct error *error);
void held_close(struct held *held);
// Executes the next instruction of a warp. Returns false if the warp waits or has ended, or if a
// report has ended the launch.
bool held_step(struct held *held, uint32_t warp);

const struct block *held_block(const struct held *held);
// Returns the index of the warp's next instruction; if the warp has ended, an index past the last
// one.
uint32_t held_place(const struct warp *w);
// Returns the memory request of the last instruction; NULL if it made none.
const struct sim_request *held_request(const struct held *held);
// Returns true if nothing has written this word of shared memory yet.
bool held_is_unwritten(const struct held *held, uint32_t address);
// Returns report `number` in order of occurrence; NULL after the last one.
const char *held_report(const struct held *held, int number);
// Writes all reports so far, with their causes, to the program's channel as JSON lines. Requires:
// no instruction is executed afterwards.
void held_reports_to_json(struct held *held);
// Sets text to the control column and the instruction.
void held_text(const struct held *held, uint32_t index, char *text, size_t size);
// Returns the source line of an instruction, or 0 if it is unknown. `file` may be NULL.
uint32_t held_line(const struct held *held, uint32_t index, const char **file);
