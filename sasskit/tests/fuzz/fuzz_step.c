// Fuzzes the commands of `simrun --step`, on a kernel with loops and shared memory.
#include "sim/programs/stepper.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sim_kernel *kernel;
static struct sim_memory *memory;
static struct stepping *stepping;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    return freopen("/dev/null", "w", stdout) ? 0 : 1;
}

static void close_all(void) {
    if (stepping) stepping_close(stepping);
    if (memory) sim_memory_close(memory);
    if (kernel) sim_kernel_close(kernel);
    stepping = NULL, memory = NULL, kernel = NULL;
}

static struct stepping *open_anew(void *context, uint64_t block, struct error *error) {
    static uint64_t pointer;
    static const void *arguments[8];
    close_all();
    kernel = sim_kernel_open(getenv("FUZZ_STEPPED"), "transpose", error);
    memory = sim_memory_open();
    if (!kernel || !memory) abort();
    pointer = sim_allocate(memory, 1 << 14);
    for (int i = 0; i < 8; i++) arguments[i] = &pointer;
    const struct sim_launch launch = {
        .grid = {2, 1, 1}, .block = {64, 1, 1}, .arguments = arguments, .limit = 3000};
    return stepping = stepping_open(kernel, memory, &launch, block, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char path[64];
    struct error error = {0};
    const int file = memfd_create("commands", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (!stepper(path, open_anew, NULL, &error) && !error.message[0]) abort();
    close_all();
    close(file);
    return 0;
}
