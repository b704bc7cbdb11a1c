// Fuzzes the parser of machine code as text: reads the whole input into the cubin $FUZZ_CUBIN, then
// parses each line alone. The code of an accepted line must decode and print.
#include "isa/text.h"

#include <stdlib.h>
#include <string.h>

static struct sass_cubin cubin;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    struct error error = {0};
    const char *path = getenv("FUZZ_CUBIN");
    if (path && cubin_open(&cubin, path, &error)) return 0;
    fprintf(stderr, "FUZZ_CUBIN must name a cubin: %s\n", error.message);
    exit(1);
}

static void one_line(const char *line) {
    struct sass_instruction instruction, again;
    struct error error = {0};
    struct sass_word word;
    char text[SASS_MAX_TEXT];
    if (!sass_parse(line, 0x100, NULL, &instruction, &error)) return;
    if (!sass_encode(&instruction, 0x100, &word, &error)) return;
    if (!sass_decode(word, 0x100, &again, &error)) {
        fprintf(stderr, "'%s' was encoded as 0x%016llx 0x%016llx, which does not decode: %s\n",
                line, (unsigned long long)word.low, (unsigned long long)word.high, error.message);
        abort();
    }
    sass_print(&again, NULL, text, sizeof text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct error error = {0};
    char *text = malloc(size + 1), *rest = text;
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    text_read(text, &cubin, &error);
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) one_line(line);
    free(text);
    return 0;
}
