// What a probe's loop consists of, from its machine code.
#pragma once

#include "probe.h"

#include <stdbool.h>

struct probe_code {
    int instructions; // of the loop
    int expected;     // of them such as probe->expect names
    bool straight;    // nothing in the loop branches: each instruction runs once a round
    char misfit[160]; // why it is not what the probe says, whose time would be another's; empty when it is
};

// Finds the loop between the kernel's two readings of the clock and counts the expected instructions in it. False, with a complaint:
// the cubin cannot be read.
bool probe_code_check(const struct probe *probe, const char *path, struct probe_code *code);
