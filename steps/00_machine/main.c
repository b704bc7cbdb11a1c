// The program of lesson 00: measures what this GPU can do. For each probe (probe.h) it checks the
// machine code, runs the kernel, prints a line and appends a row to the CSV file. Without a GPU,
// the simulator runs the probes and counts instructions.
#include "base/file.h"
#include "commit.h" // COMMIT, made by the Makefile
#include "harness/contender.h"
#include "harness/csv.h"
#include "harness/interrupt.h"
#include "harness/report.h"
#include "harness/say.h"
#include "harness/start.h"
#include "harness/steps.h"
#include "probe_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char HEADER[] = "time,commit,backend,device,driver,group,what,variant,value,unit,"
                             "documented,source,code,local_bytes,sm_mhz";

struct probe_options {
    const char *group, *backend, *csv;
    bool list;
};

// --- the command line ----------------------------------------------------------------------------

#define OPTIONS      "../steps/00_machine/probes.def"
#define OPTIONS_INTO struct probe_options
#include "base/option_rows.h"

static bool parse(int argc, char **argv, struct probe_options *options) {
    *options = (struct probe_options){.backend = "auto"};
    return parse_options(argc, argv,
                         ARGP(NULL, "Runs microbenchmarks: what this machine can do.\v"
                                    "Checks each probe's machine code first, and leaves a probe "
                                    "out if its loop does not hold the "
                                    "instructions that it should measure. Without a GPU the "
                                    "simulator runs all probes and counts their "
                                    "instructions; nothing is timed. The exit status is 0 when all "
                                    "is well, 1 when a check failed or an "
                                    "error stopped the run, 2 for wrong usage, 77 when there is no "
                                    "device to run on, 130 when interrupted."),
                         options);
}

static bool is_chosen(const struct probe *probe, const struct probe_options *options) {
    return !options->group || strcmp(probe->group, options->group) == 0;
}

static bool check_options(const struct probe_options *o) {
    bool any = false;
    if (strcmp(o->backend, "auto") != 0 && !backend_find(o->backend))
        return say_error("--backend %s: expected auto, gpu, sim or model", o->backend);
    for (const struct probe *p = machine_probes; p->what; p++) any |= is_chosen(p, o);
    return any || say_error("--group %s: there is no such group of probes: --list names the groups",
                            o->group);
}

// --- what was found ------------------------------------------------------------------------------

enum { NAME_COLUMNS = 55 };

// Prints the three columns that name a probe. If they need more than NAME_COLUMNS, the rest of the
// row begins on the next line, so that no line is wider than 100 columns.
static void put_name(const char *group, const char *what, const char *variant) {
    if (printf("%-10s %-17s %-26s", group, what, variant) > NAME_COLUMNS)
        printf("\n%*s", NAME_COLUMNS, "");
}

static void list_probes(void) {
    put_name("group", "what", "variant");
    printf(" %-15s %s\n", "unit", "its loop must hold");
    for (const struct probe *p = machine_probes; p->what; p++) {
        put_name(p->group, p->what, p->variant);
        printf(" %-15s %d %s\n", probe_unit(p->kind), p->times, p->expect);
    }
}

// Returns a number as text; "" for NaN.
static const char *number(char text[32], double value) {
    snprintf(text, 32, "%.6g", value);
    return isnan(value) ? "" : text;
}

// Returns the name of a device or driver with blanks instead of commas.
static const char *without_commas(char text[128], const char *name) {
    snprintf(text, 128, "%s", name);
    for (char *at = text; *at; at++) *at = *at == ',' ? ' ' : *at;
    return text;
}

static bool write_row(struct csv *csv, const struct bench *b, const struct probe *p,
                      const struct probe_finding *f, const char *unit, double value) {
    char line[1024], device[128], driver[128], numbers[3][32];
    const bool timed = b->backend->timed;
    snprintf(line, sizeof line, "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%d %s,%d,%s", time_now(),
             COMMIT, b->backend->name, without_commas(device, b->info->name),
             without_commas(driver, b->info->driver), p->group, p->what, p->variant,
             number(numbers[0], value), unit,
             timed && p->documented > 0 ? number(numbers[1], p->documented) : "",
             timed && p->documented > 0 ? p->source : "", p->times, p->expect, f->local_bytes,
             number(numbers[2], f->mhz));
    return csv_append(csv, line);
}

// Prints the results of a probe and appends them to the file. If nothing is timed, the results are
// the instructions per result and, for PROBE_BANK, the cycles by the rules of the register banks.
static bool write_down(struct csv *csv, const struct bench *b, const struct probe *p,
                       const struct probe_finding *f) {
    char text[32] = "";
    put_name(p->group, p->what, p->variant);
    if (b->backend->timed) {
        printf(" %10.2f %-15s", f->value, probe_unit(p->kind));
        if (p->documented > 0) printf(" documented %g", p->documented);
        printf("\n");
        fflush(stdout);
        return write_row(csv, b, p, f, probe_unit(p->kind), f->value);
    }
    if (p->kind == PROBE_BANK) snprintf(text, sizeof text, "%.2f", 1 + f->lost_per_result);
    printf(" %8.2f %7s  %d %s\n", f->per_result, text, p->times, p->expect);
    fflush(stdout);
    return write_row(csv, b, p, f, "instructions/result", f->per_result) &&
           (p->kind != PROBE_BANK ||
            write_row(csv, b, p, f, "cycles by rule", 1 + f->lost_per_result));
}

// --- the run -------------------------------------------------------------------------------------

// Sets `text` to the reason why a probe cannot run here; to "" if it can.
static void why_not(const struct bench *b, const struct probe *p, char *text, size_t size) {
    const int capability = b->info->compute_capability;
    *text = '\0';
    if (capability < p->since) {
        snprintf(text, size, "it requires sm_%d or newer, this device is sm_%d", p->since,
                 capability);
    } else if (p->cubin && capability != 90) {
        snprintf(text, size, "it is machine code for sm_90, this device is sm_%d", capability);
    } else if (p->shared > b->info->most_shared) {
        snprintf(text, size, "a block needs %d KB of shared memory, this device has %d KB",
                 p->shared >> 10, b->info->most_shared >> 10);
    } else if (b->backend->predicted && (p->kind == PROBE_STREAM || p->own_time)) {
        snprintf(text, size,
                 "it measures a constant of the model, or reads a clock, which the model lacks");
    }
}

enum { RAN, FAILED, LEFT_OUT };

static int left_out(const struct probe *p, const char *why) {
    put_name(p->group, p->what, p->variant);
    printf("\n    left out: %s\n", why);
    return LEFT_OUT;
}

static int run_one(struct bench *b, const struct step *step, const struct probe *p,
                   struct csv *csv) {
    char path[2 * PATH_MAX], folder[PATH_MAX], why[128];
    struct probe_code code = {0};
    struct probe_finding finding;
    const int capability = b->info->compute_capability;
    why_not(b, p, why, sizeof why);
    if (*why) return left_out(p, why);
    cubin_folder(folder, sizeof folder);
    if (!find_cubin(path, sizeof path, folder, capability, step->name,
                    p->cubin ? p->cubin : step->variants[0].name)) {
        say_error("no cubin of %s/%s for this device (sm_%d): build it with `make ARCH=sm_%d`",
                  step->name, p->kernel, capability, capability);
        return FAILED;
    }
    // `expect` names instructions of sm_90. On other chips the code is not checked, and the row in
    // the file has the expected instructions.
    if (capability == 90 && !probe_code_check(p, path, &code)) return FAILED;
    if (*code.misfit) return left_out(p, code.misfit);
    return probe_run(b, p, path, &code, &finding) && write_down(csv, b, p, &finding) ? RAN : FAILED;
}

static int run_all(struct bench *b, const struct step *step, const struct probe_options *o,
                   struct csv *csv) {
    int count[] = {[RAN] = 0, [FAILED] = 0, [LEFT_OUT] = 0};
    char folder[PATH_MAX];
    if (!find_kernels(folder, sizeof folder, b->info)) return EXIT_USAGE;
    if (!b->backend->timed) {
        printf("%*s %8s %7s\n", NAME_COLUMNS, "", "instr./", "cycles");
        put_name("group", "what", "variant");
        printf(" %8s %7s  %s\n", "result", "by rule", "in the loop");
    }
    for (const struct probe *p = machine_probes; p->what && !interrupt_seen(); p++) {
        if (is_chosen(p, o)) count[run_one(b, step, p, csv)]++;
    }
    if (interrupt_seen()) return EXIT_INTERRUPTED;
    printf("%d probes, %d failed", count[RAN] + count[FAILED], count[FAILED]);
    if (count[LEFT_OUT] > 0) printf(", %d left out", count[LEFT_OUT]);
    printf("%s\n", b->backend->timed ? "" : ": the simulator counted, nothing was timed");
    return count[FAILED] ? EXIT_FAILED : EXIT_GOOD;
}

static int64_t largest(void) {
    int64_t bytes = 1 << 20;
    for (const struct probe *p = machine_probes; p->what; p++)
        bytes = p->bytes > bytes ? p->bytes : bytes;
    return bytes;
}

int main(int argc, char **argv) {
    const struct step *step = linked_steps().steps[0];
    struct probe_options options;
    struct device_info info;
    const struct backend *backend;
    struct bench bench;
    struct csv csv;
    streams_guard();
    if (!parse(argc, argv, &options) || !check_options(&options)) return EXIT_USAGE;
    if (options.list) {
        list_probes();
        return EXIT_GOOD;
    }
    if (!csv_open(&csv, options.csv, HEADER)) return EXIT_USAGE;
    int status = open_backend(options.backend, &info, &backend);
    if (status == EXIT_GOOD) {
        interrupt_install();
        report_device(backend, &info, false);
        status = bench_open(&bench, backend, &info, largest())
                     ? run_all(&bench, step, &options, &csv)
                     : EXIT_FAILED;
        bench_close(&bench);
        backend->close();
    }
    csv_close(&csv);
    return status;
}
