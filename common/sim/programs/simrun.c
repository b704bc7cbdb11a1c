// Runs one kernel of a cubin on the simulator: a kernel of your own, without a GPU.
#include "arguments.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 256, EXIT_WRONG_USAGE = 2 };
enum key {
    KEY_ENTRY = 256,
    KEY_GRID,
    KEY_BLOCK,
    KEY_ARG,
    KEY_SHARED,
    KEY_COUNTERS,
    KEY_PER_LINE,
    KEY_THREADS,
    KEY_PICTURE,
    KEY_SKIP,
    KEY_FILE,
    KEY_REPORTS
};

static const struct argp_option option_table[] = {
    {"entry", KEY_ENTRY, "NAME", 0, "the kernel", 0},
    {"grid", KEY_GRID, "X[,Y,Z]", 0, "blocks", 0},
    {"block", KEY_BLOCK, "X[,Y,Z]", 0, "threads of a block", 0},
    {"arg", KEY_ARG, "SPEC", 0,
     "the next argument: i32:5, u32:5, i64:5, u64:5, f32:1.5, f64:1.5, or a buffer f32[COUNT]:zero, :nan, :random:SEED "
     "or "
     ":file:PATH; with =out:PATH it is saved after the run",
     0},
    {"shared", KEY_SHARED, "BYTES", 0, "dynamic shared memory; default 0", 0},
    {"counters", KEY_COUNTERS, "FILE", 0, "write counter,value lines to FILE, - for the terminal", 0},
    {"per-line", KEY_PER_LINE, 0, 0, "print what each instruction did", 0},
    {"picture", KEY_PICTURE, "ADDRESS", 0,
     "write one request of the memory instruction at ADDRESS (hexadecimal) as CSV", 0},
    {"picture-file", KEY_FILE, "FILE", 0, "where to; default the terminal", 0},
    {"skip", KEY_SKIP, "N", 0, "draw the request after N others; default 0", 0},
    {"threads", KEY_THREADS, "N", 0, "host threads; default all cores", 0},
    {"reports", KEY_REPORTS, "N", 0, "print at most N reports; default 10", 0},
    {0}};

struct options {
    const char *file, *entry, *counters, *picture_file;
    uint32_t grid[3], block[3];
    const char *spec[MAX_ARGUMENTS];
    int spec_count;
    long shared, threads, reports;
    bool per_line, picture;
    unsigned long picture_address, skip;
};

static bool parse_dimensions(const char *text, uint32_t dim[3]) {
    char *end;
    for (int i = 0; i < 3; i++) {
        const unsigned long value = strtoul(text, &end, 10);
        if (end == text || *text == '-' || value == 0 || value > INT32_MAX) return false;
        dim[i] = (uint32_t)value;
        if (*end == '\0') return true;
        if (*end != ',') return false;
        text = end + 1;
    }
    return false;
}

static bool parse_long(const char *text, int base, long most, long *value) {
    char *end;
    *value = strtol(text, &end, base);
    return end != text && *end == '\0' && *value >= 0 && *value <= most;
}

static error_t parse_key(int key, char *text, struct argp_state *state) {
    struct options *o = state->input;
    long value = 0;
    bool good = true;
    switch (key) {
    case KEY_ENTRY:
        o->entry = text;
        break;
    case KEY_GRID:
        good = parse_dimensions(text, o->grid);
        break;
    case KEY_BLOCK:
        good = parse_dimensions(text, o->block);
        break;
    case KEY_ARG:
        good = o->spec_count < MAX_ARGUMENTS;
        if (good) o->spec[o->spec_count++] = text;
        break;
    case KEY_SHARED:
        good = parse_long(text, 10, 1 << 20, &o->shared);
        break;
    case KEY_THREADS:
        good = parse_long(text, 10, 4096, &o->threads);
        break;
    case KEY_REPORTS:
        good = parse_long(text, 10, 1 << 20, &o->reports);
        break;
    case KEY_SKIP:
        good = parse_long(text, 10, INT64_MAX, &value);
        o->skip = (unsigned long)value;
        break;
    case KEY_PICTURE:
        good = parse_long(text, 16, UINT32_MAX, &value);
        o->picture = true;
        o->picture_address = (unsigned long)value;
        break;
    case KEY_FILE:
        o->picture_file = text;
        break;
    case KEY_COUNTERS:
        o->counters = text;
        break;
    case KEY_PER_LINE:
        o->per_line = true;
        break;
    case ARGP_KEY_ARG:
        if (o->file) argp_error(state, "one cubin, please: %s and %s", o->file, text);
        o->file = text;
        break;
    case ARGP_KEY_END:
        if (!o->file || !o->entry || !o->grid[0] || !o->block[0])
            argp_error(state, "expected FILE.cubin --entry NAME --grid X --block X and the kernel's arguments");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (!good) argp_error(state, "'%s' is no value for this option", text);
    return 0;
}

static bool complain(const char *message) {
    fprintf(stderr, "simrun: %s\n", message);
    return false;
}

// The arguments in the order of the command line, checked against the kernel's parameters.
static bool prepare(const struct options *o, const struct sim_kernel *kernel, struct sim_memory *memory,
                    struct argument *arguments, const void **pointers) {
    struct sim_error error;
    const struct sim_kernel_facts facts = sim_kernel_facts(kernel);
    if (facts.parameter_count != o->spec_count) {
        snprintf(error.message, sizeof error.message, "%s has %d parameters, %d --arg were given", facts.name,
                 facts.parameter_count, o->spec_count);
        return complain(error.message);
    }
    for (int i = 0; i < o->spec_count; i++) {
        if (!argument_parse(o->spec[i], memory, &arguments[i], &error)) return complain(error.message);
        if (arguments[i].bytes != sim_parameter_size(kernel, i)) {
            snprintf(error.message, sizeof error.message,
                     "--arg %.200s has %d bytes, parameter %d of the kernel has %d", o->spec[i], arguments[i].bytes, i,
                     sim_parameter_size(kernel, i));
            return complain(error.message);
        }
        pointers[i] = &arguments[i].value;
    }
    return true;
}

static bool write_counters(const struct sim_result *result, const char *path) {
    struct sim_counter counters[SIM_MAX_COUNTERS];
    const bool terminal = strcmp(path, "-") == 0;
    FILE *file = terminal ? stdout : fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    const int count = sim_counters(result, counters, SIM_MAX_COUNTERS);
    fprintf(file, "counter,value\n");
    for (int i = 0; i < count; i++) fprintf(file, "%s,%.15g\n", counters[i].name, counters[i].value);
    return terminal || fclose(file) == 0;
}

static void print_bounds(const struct sim_result *result) {
    struct sim_bound bounds[SIM_BOUNDS];
    const int binding = sim_bounds(result, &sim_h200, 0, bounds);
    printf("least SM cycles on an %s, if evenly spread (bounds, not times):\n", sim_h200.name);
    for (int i = 0; i < SIM_BOUNDS; i++) {
        if (bounds[i].cycles > 0)
            printf("  %-14s %14.1f%s\n", bounds[i].part, bounds[i].cycles, i == binding ? "  binds" : "");
    }
}

static bool run(const struct options *o, struct sim_kernel *kernel, struct sim_memory *memory) {
    static struct argument arguments[MAX_ARGUMENTS];
    static const void *pointers[MAX_ARGUMENTS];
    struct sim_error error = {""};
    if (!prepare(o, kernel, memory, arguments, pointers)) return false;
    struct sim_picture picture = {(uint32_t)o->picture_address, o->skip, stdout};
    if (o->picture && o->picture_file && !(picture.file = fopen(o->picture_file, "w"))) {
        perror(o->picture_file);
        return false;
    }
    struct sim_launch launch = {.shared_bytes = (uint32_t)o->shared,
                                .arguments = pointers,
                                .host_threads = (int)o->threads,
                                .most_reports = (int)o->reports,
                                .picture = o->picture ? &picture : NULL};
    memcpy(launch.grid, o->grid, sizeof launch.grid);
    memcpy(launch.block, o->block, sizeof launch.block);
    struct sim_result *result = sim_result_open(kernel);
    bool done = result && sim_run(kernel, memory, &launch, result, &error);
    if (!done) complain(*error.message ? error.message : "not enough host memory");
    for (int i = 0; i < o->spec_count; i++) {
        if (!argument_save(&arguments[i], memory, &error)) done = complain(error.message);
    }
    if (result && o->per_line) sim_print_lines(result, stdout);
    if (result && o->per_line) print_bounds(result);
    if (result && o->counters) done &= write_counters(result, o->counters);
    if (o->picture && o->picture_file) fclose(picture.file);
    sim_result_close(result);
    return done;
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        option_table,
        parse_key,
        "FILE.cubin",
        "Runs an sm_90 kernel on the CPU, checks it and counts what it does.\v"
        "Exit status: 0 it ran and nothing was found, 1 something was reported or failed, 2 "
        "wrong usage.",
        NULL,
        NULL,
        NULL};
    static struct options options;
    struct sim_error error = {""};
    for (int i = 0; i < 3; i++) options.grid[i] = options.block[i] = i > 0;
    argp_err_exit_status = EXIT_WRONG_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct sim_kernel *kernel = sim_kernel_open(options.file, options.entry, &error);
    struct sim_memory *memory = kernel ? sim_memory_open() : NULL;
    if (!kernel) complain(error.message);
    const bool done = kernel && memory && run(&options, kernel, memory);
    sim_memory_close(memory);
    sim_kernel_close(kernel);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
