// Fuzzes everything that reads a cubin: opening, names, parameters, source lines, decoding,
// printing, and lint of every kernel.
#include "code.h"
#include "isa/text.h"
#include "lint/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct sass_cubin cubin;
    struct error error = {0};
    struct label_list labels = {0};
    if (!cubin_open_memory(&cubin, "input", bytes, size, &error)) return 0;
    for (int i = 0; i < cubin.kernel_count; i++) {
        const struct sass_kernel *kernel = &cubin.kernels[i];
        fputs(kernel->name, nowhere);
        text_write(nowhere, kernel, &labels, &error);
        lint_kernel(&(struct lint_options){.out = nowhere, .all = true}, kernel, &error);
        for (int p = 0; p < kernel->parameter_count; p++)
            fprintf(nowhere, "%d", kernel->parameters[p].offset);
        for (int b = 0; b < 8; b++) {
            if (kernel->constant[b])
                fwrite(kernel->constant[b], 1, kernel->constant_bytes[b], nowhere);
        }
    }
    for (int i = 0; i < cubin.variable_count; i++) {
        fputs(cubin.variables[i].name, nowhere);
        if (cubin.variables[i].bytes)
            fwrite(cubin.variables[i].bytes, 1, cubin.variables[i].size, nowhere);
    }
    labels_clear(&labels);
    cubin_close(&cubin);
    return 0;
}
