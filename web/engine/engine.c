// main() of the course's programs in a page: argv[0] selects the program.
// The programs are WebAssembly modules that work on the page's files (worker.js). `sass` is one
// module; `simrun`, `ladder` and the two programs of boxes.c are another (engine.mk). This file
// also has functions of files that engine.mk leaves out, and some that wasi-libc lacks.
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
#pragma weak sass_main // each module has only some of them
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
        if (programs[i].main && strcmp(argv[0], programs[i].name) == 0)
            return programs[i].main(argc, argv);
    }
    fprintf(stderr, "engine: there is no program %s\n", argc > 0 ? argv[0] : "");
    return 2;
}

// --- sasskit/base: files need no checks, because no other program writes the page's files --------

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

// --- common/harness/timing.h: a page's ladder only checks and counts; times come from simrun -----

bool race_burst(const struct race *race, struct measurement *measurements) {
    return false;
}

bool race_sustained(const struct race *race, struct measurement *measurements) {
    return race_burst(race, measurements);
}

bool clock_moved(const struct measurement *measurement) {
    return false;
}

// --- common/harness/draw.h: a page draws no problems ---------------------------------------------

struct drawn draw_problem(uint64_t seed, int64_t number) {
    fputs("--random: a page cannot draw problems: run build/ladder\n", stderr);
    exit(2);
}

void describe_drawn(const struct drawn *drawn, char *text, size_t size) {
}

// --- sasskit/tune/tune.h: a search takes minutes, too long for a page ----------------------------

const struct judge_table *const sass_judges[] = {NULL};

bool tune_kernel(const struct tune_options *options, struct sass_cubin *cubin,
                 struct sass_kernel *kernel, struct error *error) {
    snprintf(error->message, sizeof error->message,
             "sass tune: a page cannot search: run build/sass tune");
    return false;
}

// --- sasskit/sim/run/link.h: pages have no kernels that need linking (nvcc -G) -------------------

struct sass_kernel *link_kernel(const struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                struct variables *variables, struct error *error) {
    snprintf(error->message, sizeof error->message,
             "%s has functions in sections of their own: run it with build/simrun", kernel->name);
    return NULL;
}

void link_close(struct sass_kernel *kernel) {
}

// Reports 2 GiB of memory, the most that engine.mk lets a module have.
long sysconf(int name) {
    enum { PAGE = 4096, PAGES = 1 << 19 };
    return name == _SC_PHYS_PAGES ? PAGES : name == _SC_PAGESIZE ? PAGE : -1;
}

// Returns `more` new bytes. If memory must grow, it grows by 16 MiB or more, because each growth
// takes a browser 0.1 ms; near the limit it grows only by what is needed.
void *sbrk(intptr_t more) {
    enum { PAGE = 1 << 16, STEP = 256 };
    static uintptr_t end; // end of the memory in use
    const uintptr_t there = __builtin_wasm_memory_size(0) * (uintptr_t)PAGE; // end of all memory
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

// --- argp ----------------------------------------------------------------------------------------

int argp_err_exit_status = 2;

static const struct argp_option *option_of(const struct argp_option *options, const char *name,
                                           size_t length) {
    for (; options->name || options->doc[0]; options++)
        if (options->name && strncmp(options->name, name, length) == 0 && !options->name[length])
            return options;
    return NULL;
}

// Accepts options by complete name (--out=FILE or --out FILE) and by letter (-oFILE or -o FILE).
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input) {
    struct argp_state state = {input};
    for (int i = 1; i < argc; i++) {
        char *value = argv[i];
        int key = ARGP_KEY_ARG;
        if (strncmp(value, "--", 2) == 0) {
            const size_t length = strcspn(value, "=");
            const struct argp_option *option = option_of(argp->options, value + 2, length - 2);
            value = value[length] ? value + length + 1 : option && option->arg ? argv[++i] : NULL;
            if (!option || !option->arg != !value) {
                fprintf(stderr,
                        "%s: %s: there is no such option, or its value is missing or unexpected\n",
                        argv[0], argv[i < argc ? i : argc - 1]);
                exit(argp_err_exit_status);
            }
            key = option->key;
        }
        // an option by its letter
        if (value == argv[i] && value[0] == '-' && value[1] && argv[i][1] != '-') {
            key = (unsigned char)value[1];
            value = value[2] ? value + 2 : i + 1 < argc ? argv[++i] : "";
        }
        const error_t error = argp->parser(key, value, &state);
        if (error) return error;
    }
    return 0;
}
