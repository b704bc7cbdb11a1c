// What a probe's loop consists of, from its machine code.
#ifndef HARNESS_PROBE_CODE_H
#define HARNESS_PROBE_CODE_H

#include "probe.h"

#include <stdbool.h>

struct probe_code {
    int instructions; // of the loop
    int expected;     // of them such as probe->expect names
    bool straight;    // nothing in the loop branches: each instruction runs once a round
    bool
        fits; // it is what the probe says; if not, the compiler made something else of it, whose time would be another's
};

// Finds the loop between the kernel's two readings of the clock and counts. Complains where it does not fit: there is none, or the
// expected instructions are not in it as often as the probe says. False, with a complaint: the cubin cannot be read.
bool probe_code_check(const struct probe *probe, const char *path, struct probe_code *code);

#endif
