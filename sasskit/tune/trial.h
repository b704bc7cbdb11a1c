// A launch as text, "--grid 132 --block 256 --shared 64512 --arg i32:5 ...", in simrun's syntax.
#pragma once

#include "sim/programs/arguments.h"

enum { TRIAL_ARGUMENTS = 64 };

struct trial {
    const char *text;
    char *words; // a copy of the text, which parsing changes
    uint32_t grid[3], block[3], shared;
    struct sim_memory *memory;
    struct argument argument[TRIAL_ARGUMENTS];
    const void *pointers[TRIAL_ARGUMENTS];
    int count;
    FILE *reports; // /dev/null: discards the simulator's reports; the error has the first one
};

bool trial_open(struct trial *trial, const char *text, struct error *error);
void trial_close(struct trial *trial);
// Returns true if the launch's arguments match the kernel's parameters in number and size.
bool trial_fits(const struct trial *trial, const struct sim_kernel *kernel, struct error *error);
struct sim_launch trial_launch(const struct trial *trial);
// Runs the cubin's kernel on the simulator with this launch.
bool trial_run(struct trial *trial, const void *bytes, size_t size, const char *kernel,
               struct error *error);
// Returns true if all buffers of both trials have equal bits. Requires: both have run.
bool trial_same(const struct trial *a, const struct trial *b);
