// Fuzzes `sass tune` with the model as judge, on damaged cubins. A failure must have a message. In
// any case the cubin must remain one that can be opened.
#include "code.h"
#include "model/sm.h"
#include "tune/tune.h"

static bool run_shortly(struct sim_kernel *kernel, struct sim_memory *memory,
                        const struct sim_launch *launch, struct sim_result *result,
                        struct error *error) {
    struct sim_launch shorter = *launch;
    shorter.limit = 2000;
    return sim_run(kernel, memory, &shorter, result, error);
}

static bool time_shortly(struct sim_kernel *kernel, struct sim_memory *memory,
                         const struct sim_launch *launch, const struct sm_machine *machine,
                         struct sm_wish wish, struct sm_result *result, struct error *error) {
    struct sim_launch shorter = *launch;
    shorter.limit = 2000;
    return sm_time(kernel, memory, &shorter, machine, wish, result, error);
}
#define sim_run run_shortly
#define sm_time time_shortly
#include "tune/judge.c"
#include "tune/model.c"
#include "tune/trial.c"
#undef sim_run
#undef sm_time

static const struct judge_table *const judges[] = {&judge_model, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct sass_cubin cubin, again;
    struct error error = {0};
    if (!cubin_open_memory(&cubin, "input", bytes, size, &error)) return 0;
    for (int i = 0; i < cubin.kernel_count; i++) {
        struct sass_kernel *kernel = &cubin.kernels[i];
        char problem[2048] = "--grid 1 --block 40";
        for (int p = 0; p < kernel->parameter_count && p < 32; p++)
            strcat(problem,
                   kernel->parameters[p].size == 8 ? " --arg i32[1024]:random:1" : " --arg i32:9");
        const struct tune_options options = {.problem = problem,
                                             .judges = judges,
                                             .judge = "model",
                                             .seconds = 2e-3,
                                             .seed = size,
                                             .out = nowhere,
                                             .log = nowhere};
        error.message[0] = '\0';
        if (!tune_kernel(&options, &cubin, kernel, &error) && !error.message[0]) abort();
        if (!cubin_open_memory(&again, "output", cubin.bytes, cubin.size, &error)) abort();
        cubin_close(&again);
    }
    cubin_close(&cubin);
    return 0;
}
