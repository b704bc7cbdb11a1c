// Fuzzes the simulator: runs each kernel of a cubin, at most 2,000 instructions per warp. Pointers
// among its parameters name one small allocation. With FUZZ_TIME the timing model replays the run.
#include "code.h"
#include "isa/cubin.h"
#include "model/sm.h"

static void run(struct sim_kernel *kernel) {
    static const uint32_t none[64];
    enum { MOST = 64 };
    const void *arguments[MOST];
    struct error error = {0};
    struct sim_memory *memory = sim_memory_open();
    const uint64_t pointer[16] = {memory ? sim_allocate(memory, 4096) : 0};
    const struct sim_kernel_facts facts = sim_kernel_facts(kernel);
    struct sim_result *result = sim_result_open(kernel);
    for (int i = 0; i < facts.parameter_count && i < MOST; i++)
        arguments[i] = sim_parameter_size(kernel, i) == 8 ? (const void *)pointer : none;
    bool fits = memory && result && facts.parameter_count <= MOST;
    for (int i = 0; fits && i < facts.parameter_count; i++)
        fits = sim_parameter_size(kernel, i) <= (int)sizeof none;
    const struct sim_launch launch = {.grid = {1, 1, 1},
                                      .block = {40, 1, 1},
                                      .arguments = arguments,
                                      .host_threads = 1,
                                      .limit = 2000,
                                      .reports = nowhere,
                                      .global_races = facts.registers % 2};
#ifdef FUZZ_TIME
    struct sm_result time = {0};
    const struct sm_timeline timeline = {nowhere, 100, 1000};
    const struct sm_wish wish = {.states = true, .timeline = &timeline};
    if (fits && sm_time(kernel, memory, &launch, &sm_machines[0], wish, &time, &error))
        sm_print_states(&time, kernel, nowhere);
    sm_result_clear(&time);
#else
    if (fits) sim_run(kernel, memory, &launch, result, &error);
#endif
    if (result) sim_result_close(result);
    if (memory) sim_memory_close(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct sass_cubin cubin;
    struct error ignored = {0};
    struct error error = {0};
    if (!cubin_open_memory(&cubin, "input", bytes, size, &ignored)) return 0;
    for (int i = 0; i < cubin.kernel_count; i++) {
        struct sim_kernel *kernel =
            sim_kernel_open_memory(bytes, size, "input", cubin.kernels[i].name, &error);
        if (!kernel) continue;
        run(kernel);
        sim_kernel_close(kernel);
    }
    cubin_close(&cubin);
    return 0;
}
