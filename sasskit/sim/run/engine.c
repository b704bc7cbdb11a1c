// Chooses the best compiled copy of the lane loops that this processor can run.
#include "sim/machine/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const struct engine *engine_choose(void) {
    const char *wanted = getenv("SIM_ENGINE"); // base, v3 or v4: for tests and benchmarks
#if defined __x86_64__
    __builtin_cpu_init();
    if (&engine_v4 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma") &&
        (!wanted || strcmp(wanted, "v4") == 0)) {
        return &engine_v4;
    }
    if (&engine_v3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2") && (!wanted || strcmp(wanted, "v3") == 0)) {
        return &engine_v3;
    }
#endif
    if (&engine_base) return &engine_base;
    fprintf(stderr,
            "%s: built for a newer processor%s%s: run make again on this one, or make PORTABLE=1 "
            "for all of them\n",
            program_invocation_short_name, wanted ? ", or without SIM_ENGINE=" : "",
            wanted ? wanted : "");
    exit(1);
}
