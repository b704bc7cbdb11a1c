// Runs the kernels of a list on a GPU, with options like simrun's. It serves compute-sanitizer, ncu
// and the latency probes.
//
//     gpurun LIST        LIST is a file; - is standard input
//
// A line of LIST is FILE.cubin<tab>KERNEL<tab>OPTIONS, for example with --grid 1 --block 32
// --shared N --arg SPEC... (sim/programs/arguments.h). Options that only concern the simulator are
// ignored. A buffer with :nan is not initialised; one with =out:PATH is appended to PATH at the
// end. Not supported: buffers in structures, textures, tensor maps, --set.
// Exit status: 0 success; 1 at the first failure, which ends the run; 2 wrong usage; 77 no GPU.
#include "backend/driver.h"
#include "backend/limit.h"
#include "isa/cubin.h"
#include "sim/programs/arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 64, MAX_LINE = 65536, LARGE_SHARED = 48 * 1024 };

static void check(CUresult result, const char *what) {
    if (driver_ok(result, what)) return;
    fprintf(stderr, "gpurun: %s\n", backend_error());
    exit(EXIT_FAILURE);
}

static void refuse(const char *what, const char *why) {
    fprintf(stderr, "gpurun: %s: %s\n", what, why);
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
    struct error error = {0};
    struct argument *a = &run->argument[run->count];
    const struct argument_buffer *b = a->buffer;
    if (!argument_parse(spec, run->memory, a, &error)) refuse("--arg", error.message);
    if (a->buffer_count > 1 || (a->buffer_count && a->bytes != sizeof(CUdeviceptr)))
        refuse(spec, "a buffer in a structure, or a tensor map");
    if (a->buffer_count) {
        CUdeviceptr *device = &run->device[run->count];
        check(cuda(cuMemAlloc)(device, b->bytes ? (size_t)b->bytes : 1), "cuMemAlloc");
        if (b->bytes && !b->starts_as_nan)
            check(cuda(cuMemcpyHtoD)(*device, sim_host(run->memory, b->address, b->bytes),
                                     (size_t)b->bytes),
                  "cuMemcpyHtoD");
        memcpy(a->value, device, sizeof *device);
    }
    run->count++;
}

static void read_options(struct run *run, char *text) {
    for (char *save, *word = strtok_r(text, " \n", &save); word;
         word = strtok_r(NULL, " \n", &save)) {
        char *value = strtok_r(NULL, " \n", &save);
        if (!value) break;
        if (strcmp(word, "--grid") == 0) dimensions(value, run->grid);
        if (strcmp(word, "--block") == 0) dimensions(value, run->block);
        if (strcmp(word, "--shared") == 0) run->shared = (unsigned)strtoul(value, NULL, 10);
        if (strcmp(word, "--arg") == 0 && run->count < MAX_ARGUMENTS) add_argument(run, value);
    }
}

// Appends each buffer with =out: to its file, and frees all buffers.
static void finish(struct run *run) {
    for (int i = 0; i < run->count; i++) {
        struct argument *a = &run->argument[i];
        const struct argument_buffer *b = a->buffer;
        if (a->buffer_count && b->out) {
            void *host = sim_host(run->memory, b->address, b->bytes);
            check(cuda(cuMemcpyDtoH)(host, run->device[i], (size_t)b->bytes), "cuMemcpyDtoH");
            FILE *file = fopen(b->out, "ab");
            if (!file || fwrite(host, 1, (size_t)b->bytes, file) != (size_t)b->bytes ||
                fclose(file))
                refuse(b->out, strerror(errno));
        }
        if (a->buffer_count) check(cuda(cuMemFree)(run->device[i]), "cuMemFree");
        argument_close(a);
    }
    sim_memory_close(run->memory);
}

static CUmodule load(const char *path) {
    static CUmodule module;
    static char loaded[4096], image[1 << 24];
    if (strcmp(path, loaded) == 0) return module;
    if (*loaded) check(cuda(cuModuleUnload)(module), "cuModuleUnload");
    snprintf(loaded, sizeof loaded, "%s", path);
    FILE *file = fopen(path, "rb");
    if (!file || fread(image, 1, sizeof image, file) == sizeof image || fclose(file))
        refuse(path, "no cubin of less than 16 MB");
    check(cuda(cuModuleLoadData)(&module, image), path);
    return module;
}

// Refuses arguments that do not match the kernel's parameters, since the driver would read as many
// arguments as there are parameters.
static void check_arguments(const struct run *run, const char *path, const char *name) {
    struct sass_cubin cubin;
    struct error error = {0};
    int k = 0;
    if (!cubin_open(&cubin, path, &error)) refuse(path, error.message);
    while (k < cubin.kernel_count && strcmp(cubin.kernels[k].name, name) != 0) k++;
    if (k == cubin.kernel_count) refuse(name, "no kernel of the cubin");
    const struct sass_kernel *kernel = &cubin.kernels[k];
    bool fit = kernel->parameter_count == run->count;
    for (int i = 0; fit && i < run->count; i++)
        fit = kernel->parameters[i].size == run->argument[i].bytes;
    if (!fit) refuse(name, "its parameters are not what --arg gives, in number or in size");
    cubin_close(&cubin);
}

static void one(const char *path, const char *name, char *options) {
    static struct run run;
    CUfunction function;
    void *pointers[MAX_ARGUMENTS];
    run = (struct run){.grid = {1, 1, 1}, .block = {1, 1, 1}, .memory = sim_memory_open()};
    check(cuda(cuModuleGetFunction)(&function, load(path), name), name);
    read_options(&run, options);
    check_arguments(&run, path, name);
    for (int i = 0; i < run.count; i++) pointers[i] = run.argument[i].value;
    if (run.shared > LARGE_SHARED)
        check(cuda(cuFuncSetAttribute)(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       (int)run.shared),
              "cuFuncSetAttribute");
    check(cuda(cuLaunchKernel)(function, run.grid[0], run.grid[1], run.grid[2], run.block[0],
                               run.block[1], run.block[2], run.shared, NULL, pointers, NULL),
          name);
    limit_begin(name);
    check(cuda(cuCtxSynchronize)(), name);
    limit_end();
    finish(&run);
}

int main(int argc, char **argv) {
    static char line[MAX_LINE];
    CUdevice device;
    CUcontext context;
    FILE *list = argc != 2 ? NULL : strcmp(argv[1], "-") == 0 ? stdin : fopen(argv[1], "r");
    if (!list) {
        fprintf(stderr, "gpurun: expected a list of kernels\n");
        return 2;
    }
    if (driver_load() != BACKEND_READY || cuda(cuInit)(0) != CUDA_SUCCESS) {
        fprintf(stderr, "gpurun: no GPU here\n");
        return 77;
    }
    check(cuda(cuDeviceGet)(&device, 0), "cuDeviceGet");
    check(cuda(cuDevicePrimaryCtxRetain)(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuda(cuCtxSetCurrent)(context), "cuCtxSetCurrent");
    while (fgets(line, sizeof line, list)) {
        char *save, *path = strtok_r(line, "\t", &save), *name = strtok_r(NULL, "\t", &save),
                    *options = strtok_r(NULL, "\t\n", &save);
        if (options) one(path, name, options);
    }
    return EXIT_SUCCESS;
}
