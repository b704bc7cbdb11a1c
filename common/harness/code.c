// Hashes the machine code of a cubin.
#include "code.h"
#include "isa/cubin.h"
#include "say.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t hash_of(const struct sass_kernel *kernel) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < 16 * kernel->count; i++)
        hash = (hash ^ kernel->code[i]) * 1099511628211u;
    return hash;
}

bool code_of(char text[CODE_DIGITS + 1], const char *path) {
    struct sass_cubin cubin;
    struct error error = {0};
    uint64_t sum = 0; // a sum, so that the order of the kernels does not matter
    if (!cubin_open(&cubin, path, &error)) return say_error("%s", error.message);
    for (int i = 0; i < cubin.kernel_count; i++) sum += hash_of(&cubin.kernels[i]);
    cubin_close(&cubin);
    snprintf(text, CODE_DIGITS + 1, "%08" PRIx32, (uint32_t)(sum ^ sum >> 32));
    return true;
}
