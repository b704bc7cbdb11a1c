// Prints each kernel's parameters with their sizes, and a simrun command that runs the kernel.
#include "list.h"
#include "isa/chip.h"
#include "isa/cubin.h"

#include <stdlib.h>

// Prints an --arg of the most likely type for a parameter of `size` bytes.
static void print_argument(FILE *out, int size) {
    if (size == 8)
        fprintf(out, " --arg 'f32[COUNT]:random:1'");
    else if (size == 4)
        fprintf(out, " --arg i32:N");
    else if (size == 2)
        fprintf(out, " --arg f16:X");
    else if (size == 1)
        fprintf(out, " --arg i8:N");
    else
        fprintf(out, " --arg '{...}'"); // a structure
}

static const char *kind(int size) {
    return size == 8   ? "8 bytes: a buffer, or i64, u64, f64"
           : size == 4 ? "4 bytes: i32, u32, f32"
           : size == 2 ? "2 bytes: i16, u16, f16, bf16"
           : size == 1 ? "1 byte: i8, u8"
                       : NULL;
}

static void print_kernel(FILE *out, const char *path, const struct sass_cubin *cubin,
                         const struct sass_kernel *kernel) {
    const int shared = kernel->shared_bytes - cubin->chip->shared_reserved;
    fprintf(out, "%s\n    %d registers, %d bytes of shared memory", kernel->name, kernel->registers,
            shared > 0 ? shared : 0);
    if (kernel->local_bytes)
        fprintf(out, ", %d bytes of local memory per thread", kernel->local_bytes);
    if (kernel->spill_count > 0) fprintf(out, " (it spills registers)");
    if (kernel->max_threads) fprintf(out, ", at most %d threads", kernel->max_threads);
    fprintf(out, ", %d parameter%s:\n", kernel->parameter_count,
            kernel->parameter_count == 1 ? "" : "s");
    for (int i = 0; i < kernel->parameter_count; i++) {
        const int size = kernel->parameters[i].size;
        if (kind(size))
            fprintf(out, "    %2d  %s\n", i, kind(size));
        else
            fprintf(out, "    %2d  %d bytes: a structure\n", i, size);
    }
    fprintf(out, "    simrun %s", path);
    if (cubin->kernel_count > 1) fprintf(out, " --entry %s", kernel->name);
    fprintf(out, " --grid X --block X");
    for (int i = 0; i < kernel->parameter_count; i++)
        print_argument(out, kernel->parameters[i].size);
    fprintf(out, "\n");
}

bool list_kernels(const char *path, FILE *out, struct error *error) {
    struct sass_cubin cubin;
    if (!cubin_open(&cubin, path, error)) return false;
    fprintf(out, "%s, %s%s\n", path, cubin.chip->name,
            cubin.debugged ? ", compiled by nvcc -G: not optimised" : "");
    for (int i = 0; i < cubin.kernel_count; i++) {
        if (cubin.kernels[i].entry) print_kernel(out, path, &cubin, &cubin.kernels[i]);
    }
    cubin_close(&cubin);
    return true;
}
