// The programs of the course as one WebAssembly module: `sass`, `simrun` and `ladder`, by the name they are called with, on the
// files that the page gives them (worker.js). Two small ones are for the page alone:
//
//     launch STEP VARIANT N             the options with which simrun launches a variant's kernel at N x N x N
//     banks load|store WIDTH ADDRESS... one request of shared memory, as `simrun --picture` draws it, and its wavefronts
//
// What the C library of WebAssembly has not is here, too.
#include "file/file.h"
#include "launch_gemm.h"
#include "sim/counts/banks.h"
#include "steps.h"

#include <argp.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sass_main(int argc, char **argv);
int simrun_main(int argc, char **argv);
int ladder_main(int argc, char **argv);

static int launch_main(int argc, char **argv) {
    static struct choice choices[MAX_CHOICES];
    int count = 0;
    const int n = argc == 4 ? atoi(argv[3]) : 0;
    if (n <= 0 || !choose(linked_steps(), argv[1], argv[2], choices, &count)) return 2;
    const struct variant *v = choices[0].variant;
    const long long across = (n + v->block_n - 1) / v->block_n, down = (n + v->block_m - 1) / v->block_m;
    const bool whole = launches_whole(v);
    const struct blocks h200 = {.at_once = 132};
    const long long square = (long long)n * n;
    printf("--entry %s --grid %lld,%lld --block %d --shared %d", choices[0].step->kernel,
           whole ? (long long)row_of_blocks(v, h200, across * down) : across, whole ? 1 : down, v->threads,
           v->shared_bytes);
    printf(" --arg i32:%d --arg i32:%d --arg i32:%d --arg f32:1 --arg f32[%lld]:random:1 --arg i32:%d", n, n, n, square,
           n);
    printf(" --arg f32[%lld]:random:2 --arg i32:%d --arg f32:0 --arg f32[%lld]:nan --arg i32:%d\n", square, n, square,
           n);
    return 0;
}

static int banks_main(int argc, char **argv) {
    enum { LANES = 32 };
    uint32_t address[LANES] = {0}, mask = 0;
    int8_t phase[LANES] = {0};
    if (argc < 4 || argc > 3 + LANES) return 2;
    const int width = atoi(argv[2]);
    for (int l = 0; l + 3 < argc; l++) {
        address[l] = (uint32_t)strtoul(argv[l + 3], NULL, 10);
        mask |= 1u << l;
    }
    const struct wavefronts w = (strcmp(argv[1], "load") == 0 ? banks_load : banks_store)(address, mask, width, phase);
    printf("lane,address,phase,first_bank,last_bank\n");
    for (int l = 0; l + 3 < argc; l++)
        printf("%d,%u,%d,%u,%u\n", l, address[l], phase[l], address[l] / 4 % 32,
               (address[l] + (uint32_t)width - 1) / 4 % 32);
    fprintf(stderr, "%d %d\n", w.count, w.least);
    return 0;
}

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} programs[] = {{"sass", sass_main},
                {"simrun", simrun_main},
                {"ladder", ladder_main},
                {"launch", launch_main},
                {"banks", banks_main}};

int main(int argc, char **argv) {
    program_invocation_short_name = program_invocation_name = argv[0];
    for (size_t i = 0; argc > 0 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(argv[0], programs[i].name) == 0) return programs[i].main(argc, argv);
    }
    fprintf(stderr, "engine: no program of that name\n");
    return 2;
}

// --- common/file: files of the page are nobody else's, so they are simply written ------------------------------------------

void streams_guard(void) {
}

bool file_is_stdout(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

bool file_writable(const char *path, char *message, size_t size) {
    (void)path, (void)message, (void)size;
    return true;
}

bool file_write(const char *path, const void *bytes, size_t count, char *message, size_t size) {
    FILE *file = fopen(path, "wb");
    bool done = file && fwrite(bytes, 1, count, file) == count;
    if (file) done = fclose(file) == 0 && done;
    if (!done) snprintf(message, size, "%s: cannot be written", path);
    return done;
}

// Memory: what 32 bits of addresses leave to a program (2 GiB, as engine.mk links it).
long sysconf(int name) {
    enum { PAGE = 4096, PAGES = 1 << 19 };
    return name == _SC_PHYS_PAGES ? PAGES : name == _SC_PAGESIZE ? PAGE : -1;
}

// --- argp ----------------------------------------------------------------------------------------------------------------------

int argp_err_exit_status = 2;

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input) {
    enum { MOST = 64 };
    struct option options[MOST] = {{0}};
    struct argp_state state = {input};
    (void)flags, (void)index;
    for (int i = 0, count = 0; argp->options[i].name || argp->options[i].doc; i++) {
        const struct argp_option *o = &argp->options[i];
        if (o->name && count + 1 < MOST)
            options[count++] = (struct option){o->name, o->arg ? required_argument : no_argument, NULL, o->key};
    }
    optind = 0; // from the start
    for (int key; (key = getopt_long(argc, argv, "-", options, NULL)) != -1;) {
        if (key == '?') exit(argp_err_exit_status);
        const error_t error = argp->parser(key == 1 ? ARGP_KEY_ARG : key, optarg, &state);
        if (error) return error;
    }
    return 0;
}
