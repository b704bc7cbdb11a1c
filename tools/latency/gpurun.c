// Runs the kernels of a list on a GPU, with the arguments that simrun takes: for compute-sanitizer, ncu and the latency probes.
//
//     gpurun LIST        lines of FILE.cubin<tab>KERNEL<tab>--grid X --block X --shared N --arg SPEC...; - reads standard input
//
// Options that only concern the simulator are passed over. With
// =out:PATH a buffer is appended to PATH. Exit status 1 when a launch failed; the list ends there.
#include "sim/programs/arguments.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 64, MAX_LINE = 65536 };

static void check(CUresult result, const char *what) {
    const char *name = NULL;
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "gpurun: %s: %s\n", what, name ? name : "?");
    exit(EXIT_FAILURE);
}

struct run {
    unsigned grid[3], block[3], shared;
    struct argument argument[MAX_ARGUMENTS];
    CUdeviceptr device[MAX_ARGUMENTS];
    int count;
    struct sim_memory *memory;
};

static void dimensions(const char *text, unsigned dim[3]) {
    dim[0] = dim[1] = dim[2] = 1;
    sscanf(text, "%u,%u,%u", &dim[0], &dim[1], &dim[2]);
}

static void add_argument(struct run *run, const char *spec) {
    struct sim_error error;
    struct argument *a = &run->argument[run->count];
    if (!argument_parse(spec, run->memory, a, &error)) {
        fprintf(stderr, "gpurun: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
    if (a->buffer) {
        CUdeviceptr *device = &run->device[run->count];
        check(cuMemAlloc(device, a->buffer_bytes ? (size_t)a->buffer_bytes : 1), "cuMemAlloc");
        check(cuMemcpyHtoD(*device, sim_host(run->memory, a->address, a->buffer_bytes), (size_t)a->buffer_bytes),
              "cuMemcpyHtoD");
        a->value = *device;
    }
    run->count++;
}

static void read_options(struct run *run, char *text) {
    for (char *save, *word = strtok_r(text, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
        char *value = strtok_r(NULL, " \n", &save);
        if (!value) break;
        if (strcmp(word, "--grid") == 0) dimensions(value, run->grid);
        if (strcmp(word, "--block") == 0) dimensions(value, run->block);
        if (strcmp(word, "--shared") == 0) run->shared = (unsigned)strtoul(value, NULL, 10);
        if (strcmp(word, "--arg") == 0 && run->count < MAX_ARGUMENTS) add_argument(run, value);
    }
}

static void one(const char *path, const char *name, char *options) {
    static CUmodule module;
    static char loaded[4096];
    CUfunction function;
    struct run run = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .memory = sim_memory_open()};
    void *pointers[MAX_ARGUMENTS];
    if (strcmp(path, loaded) != 0) {
        if (*loaded) check(cuModuleUnload(module), "cuModuleUnload");
        snprintf(loaded, sizeof loaded, "%s", path);
        check(cuModuleLoad(&module, path), path);
    }
    check(cuModuleGetFunction(&function, module, name), name);
    read_options(&run, options);
    for (int i = 0; i < run.count; i++) pointers[i] = &run.argument[i].value;
    if (run.shared > 48 * 1024)
        check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)run.shared),
              "cuFuncSetAttribute");
    check(cuLaunchKernel(function, run.grid[0], run.grid[1], run.grid[2], run.block[0], run.block[1], run.block[2],
                         run.shared, NULL, pointers, NULL),
          name);
    check(cuCtxSynchronize(), name);
    for (int i = 0; i < run.count; i++) {
        struct argument *a = &run.argument[i];
        if (!a->buffer) continue;
        if (a->out) {
            FILE *file = fopen(a->out, "ab");
            void *host = sim_host(run.memory, a->address, a->buffer_bytes);
            check(cuMemcpyDtoH(host, run.device[i], (size_t)a->buffer_bytes), "cuMemcpyDtoH");
            if (!file || fwrite(host, 1, (size_t)a->buffer_bytes, file) != (size_t)a->buffer_bytes || fclose(file)) {
                perror(a->out);
                exit(EXIT_FAILURE);
            }
        }
        check(cuMemFree(run.device[i]), "cuMemFree");
    }
    sim_memory_close(run.memory);
}

int main(int argc, char **argv) {
    static char line[MAX_LINE];
    CUdevice device;
    CUcontext context;
    FILE *list = argc == 2 ? strcmp(argv[1], "-") == 0 ? stdin : fopen(argv[1], "r") : NULL;
    if (!list) {
        fprintf(stderr, "gpurun: expected a list of kernels\n");
        return 2;
    }
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    while (fgets(line, sizeof line, list)) {
        char *save, *path = strtok_r(line, "\t", &save), *name = strtok_r(NULL, "\t", &save),
                    *options = strtok_r(NULL, "\t\n", &save);
        if (options) one(path, name, options);
    }
    return EXIT_SUCCESS;
}
