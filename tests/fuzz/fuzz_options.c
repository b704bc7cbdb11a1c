// Fuzzes the command line of ladder and of the steps. Each line of the input is an argument.
// Nothing is opened or run.
#include <argp.h>
#include <stdlib.h>

static error_t parse_silently(const struct argp *argp, int argc, char **argv, void *input) {
    return argp_parse(argp, argc, argv, ARGP_SILENT, NULL, input);
}
#define argp_parse(argp, argc, argv, flags, index, input) parse_silently(argp, argc, argv, input)
#ifdef FUZZ_GPUS
#include "../../steps/14_several_gpus/options.c"
#define options       gpus_options
#define options_parse gpus_options_parse
#else
#include "harness/options.c"
#endif
#undef argp_parse

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { MAX_WORDS = 32 };
    static struct options options;
    char *text = malloc(size + 1), *rest = text, *words[MAX_WORDS + 1] = {"ladder"};
    int count = 1;
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    while (count < MAX_WORDS && rest) words[count++] = strsep(&rest, "\n");
    options_parse(count, words, &options);
    free(text);
    return 0;
}
