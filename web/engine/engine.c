// The programs of the course as one WebAssembly module: `sass`, `simrun` and `ladder`, by the name they are called with, on the
// files that the page gives them (runner.js). What the C library of WebAssembly has not is here, too.
#include "file/file.h"

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

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} programs[] = {{"sass", sass_main}, {"simrun", simrun_main}, {"ladder", ladder_main}};

int main(int argc, char **argv) {
    program_invocation_short_name = program_invocation_name = argv[0];
    for (size_t i = 0; argc > 0 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(argv[0], programs[i].name) == 0) return programs[i].main(argc, argv);
    }
    fprintf(stderr, "engine: no program of that name\n");
    return 2;
}

// The FFMA of a warp (ffma.c), by its place in the table of functions; to be called before main.
extern void (*lanes_ffma)(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c);
__attribute__((export_name("set_ffma"))) void set_ffma(void (*function)(uint32_t *, const uint32_t *, const uint32_t *,
                                                                        const uint32_t *)) {
    lanes_ffma = function;
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
