// Fuzzes simrun's command line: each line of the input is an argument. Nothing is run or saved.
// Large buffers and files with absolute paths are skipped, since they only take time.
#include <argp.h>

static int simrun_main(int argc, char **argv);
#define main simrun_main
// Included for its table of options. Its main() is never called.
#include "sim/programs/simrun.c"
#undef main

enum { MAX_WORDS = 32, MOST_ELEMENTS = 1 << 12 };

static bool takes_long(const char *spec) {
    const char *count = strchr(spec, '[');
    const unsigned long long elements = count ? strtoull(count + 1, NULL, 10) : 0;
    return (elements > MOST_ELEMENTS && elements < 1ull << 36) || strstr(spec, ":file:/");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const struct argp argp = {option_table, parse_key, NULL, NULL, NULL, NULL, NULL};
    struct options options = {0};
    struct sim_memory *memory = sim_memory_open();
    char *text = malloc(size + 1), *rest = text, *words[MAX_WORDS + 1] = {"simrun"};
    int count = 1;
    if (!text || !memory) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    while (count < MAX_WORDS && rest) words[count++] = strsep(&rest, "\n");
    argp_parse(&argp, count, words, ARGP_SILENT, NULL, &options);
    for (int i = 0; i < options.arguments.count; i++) {
        struct argument argument;
        struct error error = {0};
        if (takes_long(options.arguments.text[i])) continue;
        argument_parse(options.arguments.text[i], memory, &argument, &error);
        argument_close(&argument);
    }
    sim_memory_close(memory);
    free(text);
    return 0;
}
