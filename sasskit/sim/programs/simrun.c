// simrun: runs one kernel of a cubin on the simulator, without a GPU.
#include "arguments.h"
#include "base/channel.h"
#include "base/columns.h"
#include "base/file.h"
#include "list.h"
#include "predict.h"
#include "results.h"
#include "stepper.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 256 };
// Exit statuses besides EXIT_FAILURE, which means that something was reported. EXIT_NOT_TRIED: the
// kernel was not run, or its results could not be written.
enum { EXIT_NOT_TRIED = 2, EXIT_INTERRUPTED = 130 };
// Most accesses to device memory that are checked for races if --races was not given.
enum { MOST_LOOKS = 30000000 };

static volatile sig_atomic_t interrupted;

static void note(int signal_number) {
    interrupted = signal_number;
}

struct specs {
    const char *text[MAX_ARGUMENTS];
    int count;
};

struct simrun_options {
    const char *file, *entry, *counters, *picture_file, *step, *json, *expect;
    uint32_t grid[3], block[3];
    struct specs arguments, variables; // the values of --arg and --set
    bool needs, races, list;
    long shared, threads, reports, limit;
    bool per_line, picture;
    long picture_address, skip;
    struct predict_options time;
};

static bool simrun_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool simrun_fail(const char *format, ...) {
    va_list arguments;
    char message[1024];
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    columns_print(stderr, "simrun: %s", message);
    return false;
}

static bool parse_long(const char *text, int base, long least, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, base);
    return end != text && *end == '\0' && errno == 0 && *value >= least && *value <= most;
}

// Returns a message about options that are missing or exclude each other; NULL if there are none.
static const char *options_error(const struct simrun_options *o) {
    const bool counts = o->counters || o->per_line || o->picture;
    if (!o->time.wanted && (o->time.stalls || o->time.timeline || o->time.machine))
        return "--stalls, --timeline and --machine go with --time";
    if (o->step && (o->time.wanted || counts))
        return "--step runs one block; times, counters and pictures need all: leave one out";
    if (o->time.wanted && counts)
        return "--time runs some of the blocks, counters and pictures need all: leave one out";
    return !o->file       ? "expected a cubin"
           : o->needs     ? NULL
           : o->list      ? NULL
           : !o->grid[0]  ? "expected --grid X[,Y,Z], the number of blocks"
           : !o->block[0] ? "expected --block X[,Y,Z], the number of threads of a block"
                          : NULL;
}

static bool add_spec(struct specs *specs, const char *text) {
    if (specs->count == MAX_ARGUMENTS) return false;
    specs->text[specs->count++] = text;
    return true;
}

static bool parse_cycles(const char *text, struct predict_options *time) {
    char first[24];
    const char *comma = strchr(text, ',');
    long from, count;
    if (!comma || comma - text >= (long)sizeof first) return false;
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    // INT32_MAX, not UINT32_MAX, because a long has 32 bits in WebAssembly
    if (!parse_long(first, 10, 0, INT32_MAX, &from) ||
        !parse_long(comma + 1, 10, 1, INT32_MAX, &count))
        return false;
    time->first = (uint32_t)from;
    time->count = (uint32_t)count;
    return true;
}

static bool take_file(struct simrun_options *o, const char *text) {
    if (o->file) return simrun_fail("expected one cubin, not also %s", text);
    o->file = text;
    return true;
}

#define OPTIONS      "sim/programs/simrun.def"
#define OPTIONS_INTO struct simrun_options
#define TAKE(name, text, take, expected) \
    (take) || simrun_fail("--%s %.200s: expected %s", name, text, expected)
#define TAKE_WORD take_file
#include "base/option_rows.h"

static bool can_save(const struct argument *a, struct error *error) {
    for (int i = 0; i < a->buffer_count; i++) {
        if (a->buffer[i].out &&
            !file_writable(a->buffer[i].out, error->message, sizeof error->message))
            return false;
    }
    return true;
}

// A launch's inputs from the command line: the kernel's arguments in order, then variables.
struct launch_inputs {
    struct argument argument[2 * MAX_ARGUMENTS];
    const void *pointer[MAX_ARGUMENTS];
    int count;
};

static void inputs_close(struct launch_inputs *in) {
    for (int i = 0; in && i < in->count; i++) argument_close(&in->argument[i]);
    free(in);
}

// Parses the inputs and checks them against the kernel's parameters.
static bool prepare(const struct simrun_options *o, struct sim_kernel *kernel,
                    struct sim_memory *memory, struct launch_inputs *in, struct error *error) {
    if (!arguments_counted(o->arguments.count, kernel, error)) return false;
    for (int i = 0; i < o->arguments.count; i++) {
        struct argument *a = &in->argument[in->count++];
        if (!argument_parse(o->arguments.text[i], memory, a, error) ||
            !argument_fits(a, kernel, i, error))
            return false;
        if (!can_save(a, error)) return false;
        in->pointer[i] = a->value;
    }
    for (int i = 0; i < o->variables.count; i++) {
        struct argument *a = &in->argument[in->count++];
        if (!argument_set(o->variables.text[i], kernel, memory, a, error) || !can_save(a, error))
            return false;
    }
    return true;
}

// Checks, before the simulation, that the counters and the picture can be written.
static bool can_write(const struct simrun_options *o, struct error *error) {
    const char *const files[] = {o->counters, o->picture ? o->picture_file : NULL};
    for (int i = 0; i < 2; i++) {
        if (files[i] && !file_is_stdout(files[i]) &&
            !file_writable(files[i], error->message, sizeof error->message))
            return false;
    }
    return true;
}

// Writes a file completely or not at all; writes to stdout if there is no path or it is "-".
static bool write_text(const char *path, const char *text, size_t size, struct error *error) {
    if (!path || file_is_stdout(path)) return fwrite(text, 1, size, stdout) == size;
    return file_write(path, text, size, error->message, sizeof error->message);
}

static bool write_counters(const struct sim_result *result, const char *path, struct error *error) {
    struct sim_counter counters[SIM_MAX_COUNTERS];
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) return error_fail(error, "not enough host memory");
    const int count = sim_counters(result, counters, SIM_MAX_COUNTERS);
    fprintf(file, "counter,value\n");
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s,", counters[i].name);
        if (!isnan(counters[i].value)) fprintf(file, "%.15g", counters[i].value);
        fputc('\n', file);
    }
    const bool done = fclose(file) == 0 && write_text(path, text, size, error);
    free(text);
    return done;
}

static bool write_picture(const struct simrun_options *o, const char *text, size_t size,
                          struct error *error) {
    if (size > 0) return write_text(o->picture_file, text, size, error);
    return error_fail(error,
                      "--picture %lx: nothing to draw: warp 0 of block 0 makes no memory request "
                      "there%s; --per-line lists the instructions",
                      o->picture_address, o->skip ? ", or no more than --skip leaves out" : "");
}

static void counters_to_json(const struct sim_result *result, const char *kernel) {
    struct sim_counter counters[SIM_MAX_COUNTERS];
    const int count = channel_json() ? sim_counters(result, counters, SIM_MAX_COUNTERS) : 0;
    for (int i = 0; i < count; i++) {
        struct json j = channel_line("counter");
        json_text(&j, "kernel", kernel);
        json_text(&j, "name", counters[i].name);
        if (isnan(counters[i].value))
            json_null(&j, "value");
        else
            json_number(&j, "value", counters[i].value);
        json_end(&j);
    }
}

static void print_bounds(const struct sim_result *result) {
    struct sim_bound bounds[SIM_BOUNDS];
    const int binding = sim_bounds(result, &sim_h200, 0, bounds);
    printf("least SM cycles on an %s, if evenly spread (bounds, not times):\n", sim_h200.name);
    for (int i = 0; i < SIM_BOUNDS; i++) {
        if (bounds[i].cycles > 0)
            printf("  %-14s %14.1f%s\n", bounds[i].part, bounds[i].cycles,
                   i == binding ? "  binds" : "");
    }
}

// Prints and saves the results of the launch.
static bool save_results(const struct simrun_options *o, const struct sim_result *result,
                         const struct sim_kernel *kernel, const struct sim_memory *memory,
                         const struct launch_inputs *in, struct error *error) {
    for (int i = 0; i < in->count; i++) {
        if (!argument_save(&in->argument[i], memory, error)) return false;
    }
    counters_to_json(result, sim_kernel_facts(kernel).name);
    if (o->counters || o->per_line) sim_print_notes(kernel);
    if (o->per_line && channel_json()) sim_lines_to_json(result);
    if (o->per_line) sim_print_lines(result, stdout);
    if (o->per_line) print_bounds(result);
    return !o->counters || write_counters(result, o->counters, error);
}

static struct sim_launch launch_of(const struct simrun_options *o, const struct launch_inputs *in) {
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

// Returns true if the launch is so small that a check of device memory for races takes less than a
// second. It is then checked even without --races.
static bool is_small(const struct simrun_options *o, const struct sim_memory *memory) {
    enum { MOST_THREADS = 1 << 14, MOST_BYTES = 1 << 22 };
    const double threads =
        (double)o->grid[0] * o->grid[1] * o->grid[2] * o->block[0] * o->block[1] * o->block[2];
    return threads <= MOST_THREADS && sim_allocated(memory) <= MOST_BYTES;
}

// Reports an error, unless it was reported already. Returns the exit status.
static int give_up(const struct error *error) {
    if (error->printed) return EXIT_FAILURE;
    static const char before[] = " (the driver's error ";
    const char *driver = error->code ? strstr(error->message, before) : NULL;
    if (driver) {
        simrun_fail("%.*s", (int)(driver - error->message), error->message);
        driver += sizeof before - 1;
        fprintf(stderr, "  = driver: error %.*s\n", (int)strlen(driver) - 1, driver);
    } else {
        simrun_fail("%s", *error->message ? error->message : "not enough host memory");
    }
    if (*error->remedy) fprintf(stderr, "  = help: %s\n", error->remedy);
    channel_error(&(struct channel_error){.kind = error->code     ? "refused"
                                                  : error->misuse ? "usage"
                                                                  : "failed",
                                          .message = error->message,
                                          .remedy = error->remedy,
                                          .code = error->code});
    return EXIT_NOT_TRIED;
}

// Runs the kernel, or predicts its time. Saves the data, counters and picture even if the launch
// has findings.
static bool launch(const struct simrun_options *o, struct sim_kernel *kernel,
                   struct sim_memory *memory, const struct launch_inputs *in,
                   struct sim_result *result, struct error *error) {
    char *drawing = NULL;
    size_t size = 0;
    struct sim_picture picture = {.address = (uint32_t)o->picture_address,
                                  .skip = o->skip,
                                  .file = open_memstream(&drawing, &size)};
    struct sim_launch launch = launch_of(o, in);
    launch.picture = o->picture ? &picture : NULL;
    if (!o->races && is_small(o, memory)) {
        launch.global_races = true;
        launch.most_looks = MOST_LOOKS;
    }
    if (!picture.file) return error_fail(error, "not enough host memory");
    if (o->time.wanted) {
        fclose(picture.file);
        free(drawing);
        sim_print_notes(kernel);
        return predict(&o->time, kernel, memory, &launch, error);
    }
    struct error problem = {0};
    struct results *results =
        results_open(o->expect, in->argument, o->arguments.count, memory, error);
    if (!results) return fclose(picture.file), free(drawing), false;
    const bool clean = sim_run(kernel, memory, &launch, result, error);
    bool done = clean;
    if (clean && !interrupted &&
        !results_look(results, kernel, in->argument, o->arguments.count, memory,
                      launch.global_races)) {
        done = false;
        error->printed = true;
    }
    // If nothing was found, prints that on a terminal only. Programs, which read pipes, have the
    // exit status.
    const bool says_nothing = !o->per_line && !o->counters && !o->picture && !channel_json();
    if (done && !interrupted && says_nothing && isatty(STDOUT_FILENO))
        results_tell(results, sim_kernel_facts(kernel).name, in->argument, memory);
    results_close(results);
    if (fclose(picture.file) == 0 && (clean || error->report)) {
        done &= save_results(o, result, kernel, memory, in, clean ? error : &problem);
        if (o->picture && (done || !clean))
            done &= write_picture(o, drawing, size, clean ? error : &problem);
    }
    if (*problem.message) give_up(&problem);
    free(drawing);
    return done;
}

static bool run(const struct simrun_options *o, struct sim_kernel *kernel,
                struct sim_memory *memory, struct error *error) {
    struct launch_inputs *in = calloc(1, sizeof *in);
    struct sim_result *result = NULL;
    bool done = in ? can_write(o, error) && prepare(o, kernel, memory, in, error)
                   : error_fail(error, "not enough host memory");
    if (done) {
        result = sim_result_open(kernel);
        done = result ? launch(o, kernel, memory, in, result, error)
                      : error_fail(error, "not enough host memory");
    }
    inputs_close(in);
    sim_result_close(result);
    return done;
}

// --- --step: fresh copies of the kernel, its memory and the arguments for each restart ----------

struct stepped {
    const struct simrun_options *options;
    struct sim_kernel *kernel;
    struct sim_memory *memory;
    struct launch_inputs *in;
    struct stepping *stepping;
};

static void close_stepped(struct stepped *s) {
    stepping_close(s->stepping);
    inputs_close(s->in);
    sim_memory_close(s->memory);
    sim_kernel_close(s->kernel);
    *s = (struct stepped){s->options, NULL, NULL, NULL, NULL};
}

static struct stepping *open_stepped(void *context, uint64_t block, struct error *error) {
    struct stepped *s = context;
    const struct simrun_options *o = s->options;
    close_stepped(s);
    s->kernel = sim_kernel_open(o->file, o->entry, error);
    if (!s->kernel) return NULL;
    s->memory = sim_memory_open();
    s->in = calloc(1, sizeof *s->in);
    if (!s->memory || !s->in) return error_fail(error, "not enough host memory"), NULL;
    if (!prepare(o, s->kernel, s->memory, s->in, error)) return NULL;
    const struct sim_launch launch = launch_of(o, s->in);
    return s->stepping = stepping_open(s->kernel, s->memory, &launch, block, error);
}

static bool step_through(const struct simrun_options *o, struct error *error) {
    struct stepped s = {.options = o};
    const bool done = stepper(o->step, open_stepped, &s, error);
    if (s.stepping) stepping_reports_to_json(s.stepping);
    close_stepped(&s);
    return done;
}

// Makes SIGINT and SIGTERM end the launch and print its findings. A second signal ends the program
// at once.
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int main(int argc, char **argv) {
    static struct simrun_options options;
    struct error error = {0};
    streams_guard();
    catch_signals();
    options.time.count = 10000;
    for (int i = 0; i < 3; i++) options.grid[i] = options.block[i] = i > 0;
    if (!parse_options(argc, argv,
                       ARGP("FILE.cubin",
                            "Runs an sm_90 kernel on the CPU, checks it and counts what it does.\v"
                            "Exit status: 0 it ran and nothing was found, 1 something was "
                            "reported, 2 it was not "
                            "tried (wrong usage, a missing file or kernel, a launch that the "
                            "driver refuses), 130 "
                            "interrupted."),
                       &options))
        return EXIT_NOT_TRIED;
    if (!channel_open("simrun", options.json, error.message, sizeof error.message)) {
        simrun_fail("%s", error.message);
        return EXIT_NOT_TRIED;
    }
    if (options.time.machine && strcmp(options.time.machine, "list") == 0) {
        predict_list_machine();
        return EXIT_SUCCESS;
    }
    if (options_error(&options)) {
        simrun_fail("%s (%s--help lists the options)", options_error(&options),
                    options.file ? "--list shows a whole command, " : "");
        channel_error(&(struct channel_error){.kind = "usage", .message = options_error(&options)});
        return channel_close(EXIT_NOT_TRIED);
    }
    if (options.list) {
        const bool listed = list_kernels(options.file, stdout, &error);
        if (!listed) simrun_fail("%s", error.message);
        return listed ? EXIT_SUCCESS : EXIT_NOT_TRIED;
    }
    if (options.step) {
        const bool done = step_through(&options, &error);
        return channel_close(done ? EXIT_SUCCESS : give_up(&error));
    }
    struct sim_kernel *kernel = sim_kernel_open(options.file, options.entry, &error);
    struct sim_memory *memory = kernel ? sim_memory_open() : NULL;
    if (kernel && options.needs) {
        const int needs = sim_kernel_needs(kernel, stdout);
        sim_kernel_close(kernel);
        sim_memory_close(memory);
        return channel_close(needs ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    const bool done = kernel && memory && run(&options, kernel, memory, &error);
    const int status = done ? EXIT_SUCCESS : give_up(&error);
    sim_memory_close(memory);
    sim_kernel_close(kernel);
    return channel_close(interrupted ? EXIT_INTERRUPTED : status);
}
