// A block of a launch that holds before each instruction: an observer says which warp runs the next one, and looks at whatever it likes
// in between (sim/machine/machine.h). The block runs alone; clusters are not for it.
#pragma once

#include "sim/counts/picture.h"

struct held;
struct held *held_open(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
                       uint64_t block, struct sim_error *error);
void held_close(struct held *held);
// The next instruction of a warp; false when it cannot run: it waits, has ended, or a report ended the launch.
bool held_step(struct held *held, uint32_t warp);

const struct block *held_block(const struct held *held);
// Where a warp is, or waits: an instruction's index; those that are behind the last have ended.
uint32_t held_place(const struct warp *w);
// What the last instruction that ran asked of memory, NULL: nothing.
const struct sim_request *held_request(const struct held *held);
// Whether nothing has written this word of shared memory yet.
bool held_is_unwritten(const struct held *held, uint32_t address);
// What was reported so far, in the order in which it came; NULL behind the last.
const char *held_report(const struct held *held, int number);
// The control column and the instruction.
void held_text(const struct held *held, uint32_t index, char *text, size_t size);
// The line of the source that an instruction is of; 0: not known. `file` may be NULL.
uint32_t held_line(const struct held *held, uint32_t index, const char **file);
