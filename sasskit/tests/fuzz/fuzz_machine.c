// Fuzzes the argument of `simrun --machine`, and times a kernel on each machine that is accepted.
#include "model/sm.h"

#include <stdlib.h>
#include <string.h>

static struct sim_kernel *kernel;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    struct error error = {0};
    kernel = sim_kernel_open(getenv("FUZZ_CUBIN"), "int_add", &error);
    if (!kernel) fprintf(stderr, "FUZZ_CUBIN must name a cubin: %s\n", error.message);
    return kernel ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct sm_machine machine;
    struct sm_result result = {0};
    struct error error = {0};
    char *text = malloc(size + 1);
    struct sim_memory *memory = sim_memory_open();
    if (!text || !memory) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    const uint64_t pointer = sim_allocate(memory, 4096);
    const void *arguments[8];
    for (int i = 0; i < 8; i++) arguments[i] = &pointer;
    const struct sim_launch launch = {
        .grid = {2, 1, 1}, .block = {64, 1, 1}, .arguments = arguments};
    if (sm_machine_parse(text, &machine, &error) &&
        sm_time(kernel, memory, &launch, &machine, (struct sm_wish){.states = true}, &result,
                &error))
        sm_result_clear(&result);
    sim_memory_close(memory);
    free(text);
    return 0;
}
