// Fuzzes the assembler. A source must give either a cubin that can be opened or an error with a
// message.
#include "asm/assemble.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct error error = {0};
    struct sass_cubin cubin;
    const struct program_define defines[] = {{"TILE=4"}};
    const struct assemble_options options = {"fuzz.sass", defines, 1, true, NULL};
    char *text = malloc(size + 1);
    size_t written = 0;
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    uint8_t *file = assemble(text, &options, &written, &error);
    if (!file && !error.message[0]) abort();
    if (file && !cubin_open_memory(&cubin, "fuzz.cubin", file, written, &error)) abort();
    if (file) cubin_close(&cubin);
    free(file);
    free(text);
    return 0;
}
