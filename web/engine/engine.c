// The programs of the course as WebAssembly, by the name they are called with, on the files that the page gives them (worker.js):
// `sass` is a module, and `simrun`, `ladder` and the two small programs of boxes.c are another (engine.mk). What the C library of
// WebAssembly has not is here, too.
#include "base/file.h"
#include "harness/draw.h"
#include "harness/timing.h"
#include "sim/run/link.h"
#include "tune/tune.h"

#include <argp.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int program_main(int argc, char **argv);
program_main sass_main, simrun_main, ladder_main, launch_main, banks_main;
#pragma weak sass_main // in a module are some of them
#pragma weak simrun_main
#pragma weak ladder_main
#pragma weak launch_main
#pragma weak banks_main

static const struct {
    const char *name;
    program_main *main;
} programs[] = {{"sass", sass_main},
                {"simrun", simrun_main},
                {"ladder", ladder_main},
                {"launch", launch_main},
                {"banks", banks_main}};

int main(int argc, char **argv) {
    program_invocation_short_name = program_invocation_name = argv[0];
    for (size_t i = 0; argc > 0 && i < sizeof programs / sizeof *programs; i++) {
        if (programs[i].main && strcmp(argv[0], programs[i].name) == 0) return programs[i].main(argc, argv);
    }
    fprintf(stderr, "engine: no program of that name\n");
    return 2;
}

// --- sasskit/base: files of the page are nobody else's, so they are simply written ------------------------------------------

void streams_guard(void) {
}

bool file_is_stdout(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

bool file_writable(const char *path, char *message, size_t size) {
    return true;
}

bool file_write(const char *path, const void *bytes, size_t count, char *message, size_t size) {
    FILE *file = fopen(path, "wb");
    bool done = file && fwrite(bytes, 1, count, file) == count;
    if (file) done = fclose(file) == 0 && done;
    if (!done) snprintf(message, size, "%s: cannot be written", path);
    return done;
}

// --- common/harness/timing.h: a page's times are the model's, by simrun; its ladder checks and counts -------------------------------

bool race_burst(const struct race *race, struct measurement *measurements) {
    return false;
}

bool race_sustained(const struct race *race, struct measurement *measurements) {
    return race_burst(race, measurements);
}

bool clock_moved(const struct measurement *measurement) {
    return false;
}

// --- common/harness/draw.h: a page checks the problems that it shows, and draws none ---------------------------------------------------

struct drawn draw_problem(uint64_t seed, int64_t number) {
    fputs("--random: it cannot be done in a page\n", stderr);
    exit(2);
}

void describe_drawn(const struct drawn *drawn, char *text, size_t size) {
}

// --- sasskit/tune/tune.h: a search of minutes is not for a page --------------------------------------------------------------------

const struct judge_table *const sass_judges[] = {NULL};

bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin, struct sass_kernel *kernel,
                 struct sass_error *error) {
    snprintf(error->message, sizeof error->message, "sass tune: it cannot be done in a page");
    return false;
}

// --- sasskit/sim/run/link.h: kernels that a driver has to link, of nvcc -G, do not come into a page -----------------------------

struct sass_kernel *link_kernel(const struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                struct variables *variables, struct sim_error *error) {
    snprintf(error->message, sizeof error->message,
             "%s has functions in sections of their own: run it with build/simrun", kernel->name);
    return NULL;
}

void link_close(struct sass_kernel *kernel) {
}

// Memory: what 32 bits of addresses leave to a program (2 GiB, as engine.mk links it).
long sysconf(int name) {
    enum { PAGE = 4096, PAGES = 1 << 19 };
    return name == _SC_PHYS_PAGES ? PAGES : name == _SC_PAGESIZE ? PAGE : -1;
}

// Memory grows by 16 MiB, not by the 64 KiB that malloc asks for: a browser takes 0.1 ms each time.
void *sbrk(intptr_t more) {
    enum { PAGE = 1 << 16, STEP = 256 };
    static uintptr_t end; // of what was handed out; there is more behind it
    const uintptr_t there = __builtin_wasm_memory_size(0) * (uintptr_t)PAGE;
    if (!end) end = there;
    if (more > 0 && end + (uintptr_t)more > there) {
        const size_t wanted = (end + (uintptr_t)more - there + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, wanted > STEP ? wanted : STEP) == SIZE_MAX &&
            __builtin_wasm_memory_grow(0, wanted) == SIZE_MAX) {
            errno = ENOMEM;
            return (void *)-1; // NOLINT(performance-no-int-to-ptr)
        }
    }
    end += (uintptr_t)more;
    return (void *)(end - (uintptr_t)more); // NOLINT(performance-no-int-to-ptr)
}

// --- argp ----------------------------------------------------------------------------------------------------------------------

int argp_err_exit_status = 2;

static const struct argp_option *option_of(const struct argp_option *options, const char *name, size_t length) {
    for (; options->name || options->doc[0]; options++)
        if (options->name && strncmp(options->name, name, length) == 0 && !options->name[length]) return options;
    return NULL;
}

// Options by their whole names, a value behind = or the next word; or by one letter with the value behind it or the next word.
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input) {
    struct argp_state state = {input};
    for (int i = 1; i < argc; i++) {
        char *value = argv[i];
        int key = ARGP_KEY_ARG;
        if (strncmp(value, "--", 2) == 0) {
            const size_t length = strcspn(value, "=");
            const struct argp_option *option = option_of(argp->options, value + 2, length - 2);
            value = value[length] ? value + length + 1 : option && option->arg ? argv[++i] : NULL;
            if (!option || !option->arg != !value) {
                fprintf(stderr, "%s: no such option, or a value too few or many: %s\n", argv[0],
                        argv[i < argc ? i : argc - 1]);
                exit(argp_err_exit_status);
            }
            key = option->key;
        }
        if (value == argv[i] && value[0] == '-' && value[1] && argv[i][1] != '-') { // -oFILE, -o FILE
            key = (unsigned char)value[1];
            value = value[2] ? value + 2 : i + 1 < argc ? argv[++i] : "";
        }
        const error_t error = argp->parser(key, value, &state);
        if (error) return error;
    }
    return 0;
}
