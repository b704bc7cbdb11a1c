// A launch as text, "--grid 132 --block 256 --shared 64512 --arg i32:5 ...", as simrun takes it.
#pragma once

#include "sim/programs/arguments.h"

enum { TRIAL_ARGUMENTS = 64 };

struct trial {
    const char *text;
    char *words; // of text, its own copy
    uint32_t grid[3], block[3], shared;
    struct sim_memory *memory;
    struct argument argument[TRIAL_ARGUMENTS];
    const void *pointers[TRIAL_ARGUMENTS];
    int count;
    FILE *reports; // nobody reads them; the first is in the error
};

bool trial_open(struct trial *trial, const char *text, struct sim_error *error);
void trial_close(struct trial *trial);
// Whether its arguments are the kernel's parameters, by number and size.
bool trial_fits(const struct trial *trial, const struct sim_kernel *kernel, struct sim_error *error);
struct sim_launch trial_launch(const struct trial *trial);
// Runs the kernel of a cubin on it, in the simulator.
bool trial_run(struct trial *trial, const void *bytes, size_t size, const char *kernel, struct sim_error *error);
// Whether all buffers of both, after they ran, have the same bits.
bool trial_same(const struct trial *a, const struct trial *b);
