// Chooses the copy of the lane loops that suits this processor.
#include "sim/machine/machine.h"

#include <stdlib.h>

const struct engine *engine_choose(void) {
    const char *wanted = getenv("SIM_ENGINE"); // base, v3 or v4: for tests and benchmarks
#if defined __x86_64__
    __builtin_cpu_init();
    if (&engine_v4 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma") && (!wanted || strcmp(wanted, "v4") == 0)) {
        return &engine_v4;
    }
    if (&engine_v3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2") && (!wanted || strcmp(wanted, "v3") == 0)) {
        return &engine_v3;
    }
#endif
    return &engine_base;
}
