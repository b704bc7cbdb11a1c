// Fuzzes `sass reuse`: runs all passes on every kernel of a cubin. The result must open as a cubin.
#include "code.h"
#include "reuse/reuse.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct sass_cubin cubin, again;
    struct error error = {0};
    if (!cubin_open_memory(&cubin, "input", bytes, size, &error)) return 0;
    for (int i = 0; i < cubin.kernel_count; i++)
        reuse_kernel(nowhere, &cubin, &cubin.kernels[i], REUSE_ALL, &error);
    if (!cubin_open_memory(&again, "output", cubin.bytes, cubin.size, &error)) abort();
    cubin_close(&again);
    cubin_close(&cubin);
    return 0;
}
