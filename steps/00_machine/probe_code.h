// Examines the machine code of a probe's loop.
#pragma once

#include "probe.h"

#include <stdbool.h>

struct probe_code {
    int instructions; // number of instructions in the loop
    int expected;     // number of instructions that match probe->expect
    bool straight;    // true if each instruction is executed once per round: no branch inside
    char misfit[160]; // message if `expected` differs from probe->times; otherwise ""
};

// Finds the loop between the kernel's two readings of the clock and counts the expected
// instructions in it. Complains and returns false if the cubin or the kernel cannot be read.
bool probe_code_check(const struct probe *probe, const char *path, struct probe_code *code);
