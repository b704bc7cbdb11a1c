// Runs one kernel of a cubin on the simulator: a kernel of your own, without a GPU.
#include "arguments.h"
#include "file/file.h"
#include "predict.h"
#include "stepper.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 256, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };
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
    KEY_LIMIT,
    KEY_REPORTS,
    KEY_TIME,
    KEY_STALLS,
    KEY_TIMELINE,
    KEY_CYCLES,
    KEY_MACHINE,
    KEY_SET,
    KEY_NEEDS,
    KEY_RACES,
    KEY_STEP,
    KEYS_END
};

static const struct argp_option option_table[] = {
    {"entry", KEY_ENTRY, "NAME", 0, "the kernel; may be left out where there is but one", 0},
    {"grid", KEY_GRID, "X[,Y,Z]", 0, "blocks", 0},
    {"block", KEY_BLOCK, "X[,Y,Z]", 0, "threads of a block", 0},
    {"arg", KEY_ARG, "SPEC", 0,
     "the next argument: i32:5, f32:1.5 (also i8 u8 i16 u16 u32 i64 u64 f16 bf16 f64), a buffer f32[COUNT]:zero, :nan, "
     ":random:SEED or :file:PATH (with =out:PATH it is saved after the run), a structure {i32:5,f32:1.5}",
     0},
    {"set", KEY_SET, "NAME=SPEC", 0, "a __constant__ or __device__ variable, as --arg has it, before the run", 0},
    {"needs", KEY_NEEDS, 0, 0, "list the instructions that the kernel has and the simulator lacks, and run nothing", 0},
    {"races", KEY_RACES, "global", 0,
     "look for races in global memory too, between blocks and between warps: on one host thread, several times as slow",
     0},
    {"step", KEY_STEP, "FILE", 0,
     "run a block an instruction at a time and look into its warps, by the commands of FILE, - for the terminal "
     "(`help` "
     "lists them)",
     0},
    {"shared", KEY_SHARED, "BYTES", 0, "dynamic shared memory; default 0", 0},
    {"counters", KEY_COUNTERS, "FILE", 0, "write counter,value lines to FILE, - for the terminal", 0},
    {"per-line", KEY_PER_LINE, 0, 0, "print what each instruction did", 0},
    {"picture", KEY_PICTURE, "ADDRESS", 0,
     "write one request of the memory instruction at ADDRESS (hexadecimal) as CSV", 0},
    {"picture-file", KEY_FILE, "FILE", 0, "where to; default the terminal", 0},
    {"skip", KEY_SKIP, "N", 0, "draw the request after N others; default 0", 0},
    {"threads", KEY_THREADS, "N", 0, "host threads; default all cores", 0},
    {"limit", KEY_LIMIT, "N", 0, "a warp that runs more than N instructions never ends; default 400000000", 0},
    {"reports", KEY_REPORTS, "N", 0, "print at most N reports; default 10", 0},
    {"time", KEY_TIME, 0, 0,
     "predict the time by the model of an SM, from some of the blocks; results are not computed", 0},
    {"stalls", KEY_STALLS, 0, 0, "with --time: what the warps wait for, in all and at each instruction", 0},
    {"timeline", KEY_TIMELINE, "FILE", 0,
     "with --time: issue slots and stalls as a trace that ui.perfetto.dev and chrome://tracing open", 0},
    {"cycles", KEY_CYCLES, "FIRST,COUNT", 0, "of the timeline; default 0,10000", 0},
    {"machine", KEY_MACHINE, "NAME[,FIGURE=X...]", 0,
     "with --time: the machine and figures of it to change; `list` prints them; default h200", 0},
    {0}};

static volatile sig_atomic_t interrupted;

static void note(int signal_number) {
    interrupted = signal_number;
}

struct options {
    const char *file, *entry, *counters, *picture_file, *step;
    uint32_t grid[3], block[3];
    const char *spec[MAX_ARGUMENTS];
    int spec_count;
    const char *set[MAX_ARGUMENTS];
    int set_count;
    bool needs, races;
    long shared, threads, reports, limit;
    bool per_line, picture;
    unsigned long picture_address, skip;
    struct predict_options time;
};

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "simrun: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    return false;
}

static bool parse_long(const char *text, int base, long least, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, base);
    return end != text && *end == '\0' && errno == 0 && *value >= least && *value <= most;
}

// Why there is nothing to run, NULL when there is.
static const char *what_is_missing(const struct options *o) {
    const bool counts = o->counters || o->per_line || o->picture;
    if (!o->time.wanted && (o->time.stalls || o->time.timeline || o->time.machine))
        return "--stalls, --timeline and --machine go with --time";
    if (o->step && (o->time.wanted || counts))
        return "--step runs one block; times, counters and pictures need all: leave one out";
    if (o->time.wanted && counts)
        return "--time runs some of the blocks, counters and pictures need all: leave one out";
    return !o->file       ? "which cubin?"
           : o->needs     ? NULL
           : !o->grid[0]  ? "how many blocks? --grid X[,Y,Z]"
           : !o->block[0] ? "how many threads in a block? --block X[,Y,Z]"
                          : NULL;
}

// What an option takes, for the one line that a wrong value gets.
static const struct {
    int key;
    const char *option, *expected;
} expectations[] = {
    {KEY_GRID, "--grid", "X[,Y,Z], each from 1 to 2147483647"},
    {KEY_BLOCK, "--block", "X[,Y,Z], each from 1 to 2147483647"},
    {KEY_ARG, "--arg", "no more than 256 of them"},
    {KEY_SET, "--set", "no more than 256 of them"},
    {KEY_RACES, "--races", "global: those in shared memory are always looked for"},
    {KEY_SHARED, "--shared", "0 to 1048576 bytes"},
    {KEY_THREADS, "--threads", "1 to 1024"},
    {KEY_REPORTS, "--reports", "1 to 1048576"},
    {KEY_LIMIT, "--limit", "a whole number from 1"},
    {KEY_SKIP, "--skip", "a whole number from 0"},
    {KEY_CYCLES, "--cycles", "FIRST,COUNT, COUNT at least 1"},
    {KEY_PICTURE, "--picture", "the address of an instruction, hexadecimal, as --per-line prints it"},
};

static bool complain_of_value(int key, const char *text) {
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        if (expectations[i].key == key)
            complain("%s %.200s: expected %s", expectations[i].option, text, expectations[i].expected);
    }
    return false;
}

static bool add_argument(struct options *o, const char *text) {
    if (o->spec_count == MAX_ARGUMENTS) return false;
    o->spec[o->spec_count++] = text;
    return true;
}

static bool add_set(struct options *o, const char *text) {
    if (o->set_count == MAX_ARGUMENTS) return false;
    o->set[o->set_count++] = text;
    return true;
}

static bool parse_cycles(const char *text, struct predict_options *time) {
    char first[24];
    const char *comma = strchr(text, ',');
    long from, count;
    if (!comma || comma - text >= (long)sizeof first) return false;
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    if (!parse_long(first, 10, 0, UINT32_MAX, &from) || !parse_long(comma + 1, 10, 1, UINT32_MAX, &count)) return false;
    time->first = (uint32_t)from;
    time->count = (uint32_t)count;
    return true;
}

static bool parse_option(int key, char *text, struct options *o) {
    long value = 0;
    switch (key) {
    case KEY_ENTRY:
        o->entry = text;
        return true;
    case KEY_FILE:
        o->picture_file = text;
        return true;
    case KEY_STEP:
        o->step = text;
        return true;
    case KEY_COUNTERS:
        o->counters = text;
        return true;
    case KEY_PER_LINE:
        return o->per_line = true;
    case KEY_GRID:
        return dimensions_parse(text, o->grid);
    case KEY_BLOCK:
        return dimensions_parse(text, o->block);
    case KEY_ARG:
        return add_argument(o, text);
    case KEY_SET:
        return add_set(o, text);
    case KEY_RACES:
        return o->races = strcmp(text, "global") == 0;
    case KEY_NEEDS:
        return o->needs = true;
    case KEY_SHARED:
        return parse_long(text, 10, 0, 1 << 20, &o->shared);
    case KEY_THREADS:
        return parse_long(text, 10, 1, 1024, &o->threads);
    case KEY_REPORTS:
        return parse_long(text, 10, 1, 1 << 20, &o->reports);
    case KEY_LIMIT:
        return parse_long(text, 10, 1, LONG_MAX, &o->limit);
    case KEY_SKIP:
        if (!parse_long(text, 10, 0, LONG_MAX, &value)) return false;
        o->skip = (unsigned long)value;
        return true;
    case KEY_TIME:
        return o->time.wanted = true;
    case KEY_STALLS:
        return o->time.stalls = true;
    case KEY_TIMELINE:
        o->time.timeline = text;
        return true;
    case KEY_MACHINE:
        o->time.machine = text;
        return true;
    case KEY_CYCLES:
        return parse_cycles(text, &o->time);
    default: // KEY_PICTURE
        if (!parse_long(text, 16, 0, INT32_MAX, &value)) return false;
        o->picture_address = (unsigned long)value;
        return o->picture = true;
    }
}

static error_t parse_key(int key, char *text, struct argp_state *state) {
    struct options *o = state->input;
    if (key == ARGP_KEY_ARG) {
        if (o->file) return complain("one cubin at a time, not also %s", text), EINVAL;
        o->file = text;
        return 0;
    }
    if (key < KEY_ENTRY || key >= KEYS_END) return ARGP_ERR_UNKNOWN;
    return parse_option(key, text, o) || complain_of_value(key, text) ? 0 : EINVAL;
}

static bool can_save(const struct argument *a, struct sim_error *error) {
    for (int i = 0; i < a->buffer_count; i++) {
        if (a->buffer[i].out && !file_writable(a->buffer[i].out, error->message, sizeof error->message)) return false;
    }
    return true;
}

// What the command line gives a launch: first the kernel's arguments in its order, then variables.
struct inputs {
    struct argument argument[2 * MAX_ARGUMENTS];
    const void *pointer[MAX_ARGUMENTS];
    int count;
};

static void inputs_close(struct inputs *in) {
    for (int i = 0; in && i < in->count; i++) argument_close(&in->argument[i]);
    free(in);
}

// Checked against the kernel's parameters.
static bool prepare(const struct options *o, struct sim_kernel *kernel, struct sim_memory *memory, struct inputs *in,
                    struct sim_error *error) {
    const struct sim_kernel_facts facts = sim_kernel_facts(kernel);
    if (facts.parameter_count != o->spec_count)
        return sim_refuse(error, "%s has %d parameters, %d --arg were given", facts.name, facts.parameter_count,
                          o->spec_count);
    for (int i = 0; i < o->spec_count; i++) {
        struct argument *a = &in->argument[in->count++];
        if (!argument_parse(o->spec[i], memory, a, error)) return false;
        if (a->bytes != sim_parameter_size(kernel, i))
            return sim_refuse(error, "--arg %.200s has %d bytes, parameter %d of the kernel has %d", o->spec[i],
                              a->bytes, i, sim_parameter_size(kernel, i));
        if (!can_save(a, error)) return false;
        in->pointer[i] = a->value;
    }
    for (int i = 0; i < o->set_count; i++) {
        struct argument *a = &in->argument[in->count++];
        if (!argument_set(o->set[i], kernel, memory, a, error) || !can_save(a, error)) return false;
    }
    return true;
}

// Whether the files that are to be written can be, before the work is done.
static bool can_write(const struct options *o, struct sim_error *error) {
    const char *const files[] = {o->counters, o->picture ? o->picture_file : NULL};
    for (int i = 0; i < 2; i++) {
        if (files[i] && !file_is_stdout(files[i]) && !file_writable(files[i], error->message, sizeof error->message))
            return false;
    }
    return true;
}

// To a file, whole or not at all, or to the terminal.
static bool write_text(const char *path, const char *text, size_t size, struct sim_error *error) {
    if (!path || file_is_stdout(path)) return fwrite(text, 1, size, stdout) == size;
    return file_write(path, text, size, error->message, sizeof error->message);
}

static bool write_counters(const struct sim_result *result, const char *path, struct sim_error *error) {
    struct sim_counter counters[SIM_MAX_COUNTERS];
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) return sim_fail(error, "not enough host memory");
    const int count = sim_counters(result, counters, SIM_MAX_COUNTERS);
    fprintf(file, "counter,value\n");
    for (int i = 0; i < count; i++) fprintf(file, "%s,%.15g\n", counters[i].name, counters[i].value);
    const bool done = fclose(file) == 0 && write_text(path, text, size, error);
    free(text);
    return done;
}

static bool write_picture(const struct options *o, const char *text, size_t size, struct sim_error *error) {
    if (size > 0) return write_text(o->picture_file, text, size, error);
    return sim_fail(
        error,
        "--picture %lx: nothing to draw: warp 0 of block 0 makes no memory request there%s; --per-line lists "
        "the instructions",
        o->picture_address, o->skip ? ", or no more than --skip leaves out" : "");
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

// Prints and saves what the launch left behind.
static bool put_down(const struct options *o, const struct sim_result *result, const struct sim_memory *memory,
                     const struct inputs *in, struct sim_error *error) {
    for (int i = 0; i < in->count; i++) {
        if (!argument_save(&in->argument[i], memory, error)) return false;
    }
    for (int i = 0; i < in->count && !interrupted; i++) {
        if (argument_all_nan(&in->argument[i], memory))
            complain("warning: every value of --arg %.200s is NaN after the run", in->argument[i].spec);
    }
    if (o->per_line) sim_print_lines(result, stdout);
    if (o->per_line) print_bounds(result);
    return !o->counters || write_counters(result, o->counters, error);
}

static struct sim_launch launch_of(const struct options *o, const struct inputs *in) {
    struct sim_launch launch = {.shared_bytes = (uint32_t)o->shared,
                                .global_races = o->races,
                                .arguments = in->pointer,
                                .host_threads = (int)o->threads,
                                .most_reports = (int)o->reports,
                                .limit = (uint64_t)o->limit,
                                .stop = &interrupted};
    memcpy(launch.grid, o->grid, sizeof launch.grid);
    memcpy(launch.block, o->block, sizeof launch.block);
    return launch;
}

// Runs it with a picture taken, if one was asked for. A launch that was reported on leaves its data and counts, too.
static bool launch(const struct options *o, struct sim_kernel *kernel, struct sim_memory *memory,
                   const struct inputs *in, struct sim_result *result, struct sim_error *error) {
    char *drawing = NULL;
    size_t size = 0;
    struct sim_picture picture = {
        .address = (uint32_t)o->picture_address, .skip = o->skip, .file = open_memstream(&drawing, &size)};
    struct sim_launch launch = launch_of(o, in);
    launch.picture = o->picture ? &picture : NULL;
    if (!picture.file) return sim_fail(error, "not enough host memory");
    if (o->time.wanted) {
        fclose(picture.file);
        free(drawing);
        return predict(&o->time, kernel, memory, &launch, error);
    }
    struct sim_error problem = {.message = ""};
    const bool clean = sim_run(kernel, memory, &launch, result, error);
    bool done = clean;
    if (fclose(picture.file) == 0 && (clean || error->report)) {
        done &= put_down(o, result, memory, in, clean ? error : &problem);
        if (o->picture && (done || !clean)) done &= write_picture(o, drawing, size, clean ? error : &problem);
    }
    if (*problem.message) complain("%s", problem.message);
    free(drawing);
    return done;
}

static bool run(const struct options *o, struct sim_kernel *kernel, struct sim_memory *memory,
                struct sim_error *error) {
    struct inputs *in = calloc(1, sizeof *in);
    struct sim_result *result = NULL;
    bool done =
        in ? can_write(o, error) && prepare(o, kernel, memory, in, error) : sim_fail(error, "not enough host memory");
    if (done) {
        result = sim_result_open(kernel);
        done = result ? launch(o, kernel, memory, in, result, error) : sim_fail(error, "not enough host memory");
    }
    inputs_close(in);
    sim_result_close(result);
    return done;
}

// --- --step: the kernel, its memory and the arguments as they are before a launch, each time that the stepper begins again ---------

struct stepped {
    const struct options *options;
    struct sim_kernel *kernel;
    struct sim_memory *memory;
    struct inputs *in;
    struct held *held;
};

static void close_stepped(struct stepped *s) {
    held_close(s->held);
    inputs_close(s->in);
    sim_memory_close(s->memory);
    sim_kernel_close(s->kernel);
    *s = (struct stepped){s->options, NULL, NULL, NULL, NULL};
}

static struct held *open_stepped(void *context, uint64_t block, struct sim_error *error) {
    struct stepped *s = context;
    const struct options *o = s->options;
    close_stepped(s);
    s->kernel = sim_kernel_open(o->file, o->entry, error);
    if (!s->kernel) return NULL;
    s->memory = sim_memory_open();
    s->in = calloc(1, sizeof *s->in);
    if (!s->memory || !s->in) return sim_fail(error, "not enough host memory"), NULL;
    if (!prepare(o, s->kernel, s->memory, s->in, error)) return NULL;
    const struct sim_launch launch = launch_of(o, s->in);
    return s->held = held_open(s->kernel, s->memory, &launch, block, error);
}

static bool step_through(const struct options *o, struct sim_error *error) {
    struct stepped s = {.options = o};
    const bool done = stepper(o->step, open_stepped, &s, error);
    close_stepped(&s);
    return done;
}

// SIGINT and SIGTERM end the launch, whose reports are printed; the second one ends the program at once.
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        option_table,
        parse_key,
        "FILE.cubin",
        "Runs an sm_90 kernel on the CPU, checks it and counts what it does.\v"
        "Exit status: 0 it ran and nothing was found, 1 something was reported or failed, 2 "
        "wrong usage, 130 interrupted.",
        NULL,
        NULL,
        NULL};
    static struct options options;
    struct sim_error error = {.message = ""};
    streams_guard();
    catch_signals();
    options.time.count = 10000;
    for (int i = 0; i < 3; i++) options.grid[i] = options.block[i] = i > 0;
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0) return EXIT_USAGE;
    if (options.time.machine && strcmp(options.time.machine, "list") == 0) {
        predict_list_machine();
        return EXIT_SUCCESS;
    }
    if (what_is_missing(&options)) {
        complain("%s (--help lists the options)", what_is_missing(&options));
        return EXIT_USAGE;
    }
    if (options.step) {
        const bool done = step_through(&options, &error);
        if (!done) complain("%s", error.message);
        return done ? EXIT_SUCCESS : error.misuse ? EXIT_USAGE : EXIT_FAILURE;
    }
    struct sim_kernel *kernel = sim_kernel_open(options.file, options.entry, &error);
    struct sim_memory *memory = kernel ? sim_memory_open() : NULL;
    if (kernel && options.needs) {
        const int needs = sim_kernel_needs(kernel, stdout);
        sim_kernel_close(kernel);
        sim_memory_close(memory);
        return needs ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    const bool done = kernel && memory && run(&options, kernel, memory, &error);
    if (!done) complain("%s", *error.message ? error.message : "not enough host memory");
    sim_memory_close(memory);
    sim_kernel_close(kernel);
    return interrupted ? EXIT_INTERRUPTED : done ? EXIT_SUCCESS : error.misuse ? EXIT_USAGE : EXIT_FAILURE;
}
