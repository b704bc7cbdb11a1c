// Runs one block step by step. The caller chooses the warp that executes the next instruction, and
// may inspect all state in between (sim/machine/machine.h). The block runs alone. Requires: no
// cluster.
#pragma once

#include "sim/counts/picture.h"

struct stepping;
struct stepping *stepping_open(struct sim_kernel *kernel, struct sim_memory *memory,
                               const struct sim_launch *launch, uint64_t block,
                               struct error *error);
void stepping_close(struct stepping *stepping);
// Executes the next instruction of a warp. Returns false if the warp waits or has ended, or if a
// report has ended the launch.
bool stepping_step(struct stepping *stepping, uint32_t warp);

const struct block *stepping_block(const struct stepping *stepping);
// Returns the index of the warp's next instruction; if it has ended, the number of instructions.
uint32_t stepping_place(const struct warp *w);
// Returns the memory request of the last instruction; NULL if it made none.
const struct sim_request *stepping_request(const struct stepping *stepping);
// Returns true if nothing has written this word of shared memory yet.
bool stepping_is_unwritten(const struct stepping *stepping, uint32_t address);
// Returns report `number` in order of occurrence; NULL after the last one.
const char *stepping_report(const struct stepping *stepping, int number);
// Writes all reports so far, with their causes, to the channel (base/channel.h) as JSON lines.
// Requires: no instruction is executed afterwards.
void stepping_reports_to_json(struct stepping *stepping);
// Sets text to the control column and the instruction.
void stepping_text(const struct stepping *stepping, uint32_t index, char *text, size_t size);
// Returns the source line of an instruction, or 0 if it is unknown. `file` may be NULL.
uint32_t stepping_line(const struct stepping *stepping, uint32_t index, const char **file);
