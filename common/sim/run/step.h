// A block of a launch that holds before each instruction: an observer says which warp runs the next one, and looks at whatever it likes
// in between (sim/machine/machine.h). The block runs alone; clusters are not for it.
#ifndef SIM_STEP_H
#define SIM_STEP_H

#include "sim/machine/machine.h"

struct step;
struct step *step_open(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
                       uint64_t block, struct sim_error *error);
void step_close(struct step *step);
// The next instruction of a warp; false when it cannot run: it waits, has ended, or a report ended the launch.
bool step_once(struct step *step, uint32_t warp);

const struct block *step_block(const struct step *step);
// Where a warp is, or waits: an instruction's index; those that are behind the last have ended.
uint32_t step_place(const struct warp *w);
// What the last instruction that ran asked of memory, NULL: nothing.
const struct sim_request *step_request(const struct step *step);
// Whether nothing has written this word of shared memory yet.
bool step_is_unwritten(const struct step *step, uint32_t address);
// What was reported so far, in the order in which it came; NULL behind the last.
const char *step_report(const struct step *step, int number);
// The control column and the instruction.
void step_text(const struct step *step, uint32_t index, char *text, size_t size);
// The line of the source that an instruction is of; 0: not known. `file` may be NULL.
uint32_t step_line(const struct step *step, uint32_t index, const char **file);

#endif
