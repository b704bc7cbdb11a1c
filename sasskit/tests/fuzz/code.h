// Shared by fuzzers that take a cubin. `nowhere` discards output. The mutator flips one to three
// bits of a kernel's code. One time in four it changes bytes anywhere, which few cubins survive.
#ifndef FUZZ_CODE_H
#define FUZZ_CODE_H

#include "isa/cubin.h"

#include <stdio.h>

static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    nowhere = fopen("/dev/null", "w");
    return nowhere ? 0 : 1;
}

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

static uint64_t draw(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    struct sass_cubin cubin;
    struct error error;
    uint64_t state = seed;
    if (draw(&state) % 4 == 0 || !cubin_open_memory(&cubin, "input", bytes, size, &error))
        return LLVMFuzzerMutate(bytes, size, most);
    if (cubin.kernel_count > 0) {
        const struct sass_kernel *kernel =
            &cubin.kernels[draw(&state) % (uint64_t)cubin.kernel_count];
        const uint64_t from = (uint64_t)(kernel->code - cubin.bytes) * 8,
                       bits = kernel->count * SASS_BYTES * 8;
        for (uint64_t i = draw(&state) % 3 + 1; bits && i-- > 0;) {
            const uint64_t at = from + draw(&state) % bits;
            if (at / 8 < size) bytes[at / 8] ^= (uint8_t)(1u << at % 8);
        }
    }
    cubin_close(&cubin);
    return size;
}

#endif
