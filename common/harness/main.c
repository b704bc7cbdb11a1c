// The main program of lessons except 00 and 14. build/ladder has all of them, build/01_naive one.
#include "base/channel.h"
#include "base/file.h"
#include "contender.h"
#include "interrupt.h"
#include "options.h"
#include "report.h"
#include "say.h"
#include "session.h"
#include "start.h"
#include "steps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SUSTAINED_SECONDS = 5;
static const char COUNTERS_HEADER[] = "time,commit,backend,step,variant,m,n,k,counter,value";

// Refuses an environment in which the baseline may compute in TF32.
static bool check_environment(void) {
    const char *value = getenv("NVIDIA_TF32_OVERRIDE");
    return !value ||
           say_error("NVIDIA_TF32_OVERRIDE=%s is set, which may turn FP32 into TF32: unset it",
                     value);
}

// Refuses --counters on a GPU, where Nsight Compute counts instead.
static bool check_counters(const struct options *options, const struct backend *backend) {
    if (!options->counters || backend->take_counters) return true;
    return say_error(
        "--counters: this program does not count on a GPU: run `make profile STEP=...`");
}

// Returns the nearest earlier variant that runs on this device, if `choice` was chosen as `last`.
// NULL otherwise, if no variant runs, or if the search reaches a variant chosen by its name.
static const struct variant *find_substitute(const struct choice *choice, const char *chosen,
                                             const struct backend *backend,
                                             const struct device_info *info) {
    char why[128];
    const struct variant *v = choice->variant;
    if (!chosen_as_last(choice, chosen)) return NULL;
    while (v-- > choice->step->variants) {
        if (chosen_by_name(v, chosen)) return NULL;
        if (contender_fits(v, backend, info, why, sizeof why)) return v;
    }
    return NULL;
}

// Removes the variants that cannot run on this device, and prints why for each. A variant chosen as
// `last` is replaced by find_substitute(). Returns the number of remaining choices.
static int keep_runnable(struct choice *choices, int count, const char *chosen,
                         const struct backend *backend, const struct device_info *info) {
    char why[128];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const struct choice choice = choices[i];
        choices[kept] = choice;
        if (contender_fits(choice.variant, backend, info, why, sizeof why)) {
            kept++;
            continue;
        }
        const struct variant *instead = find_substitute(&choice, chosen, backend, info);
        say_error("%s/%s is left out: %s%s%s", choice.step->name, choice.variant->name, why,
                  instead ? "; in its place runs " : "", instead ? instead->name : "");
        if (instead) choices[kept++].variant = instead;
    }
    return kept;
}

// Loads the chosen kernels of one element type and runs the problems on them.
static int run_element(enum element element, struct session session, const char *folder,
                       const struct choice *choices, int count) {
    static struct choice mine[MAX_CHOICES];
    int mine_count = 0;
    for (int i = 0; i < count; i++) {
        if (step_extras_of(choices[i].step)->element == element) mine[mine_count++] = choices[i];
    }
    if (mine_count == 0) return EXIT_GOOD;
    session.element = element;
    const int status =
        session_open(&session, folder, mine, mine_count) ? session_run(&session) : EXIT_USAGE;
    session_close(&session);
    return status;
}

// Runs the chosen variants on an open backend.
static int run(const struct options *options, const struct backend *backend,
               const struct device_info *info, struct csv *csv, struct csv *counters,
               struct csv *digests, struct choice *choices, int count) {
    const struct session session = {
        .options = options,
        .backend = backend,
        .info = info,
        .csv = csv,
        .counters = counters,
        .digests = digests,
        .sustained_seconds = SUSTAINED_SECONDS,
    };
    char folder[PATH_MAX];
    if (!find_kernels(folder, sizeof folder, info)) return EXIT_USAGE;
    report_device(backend, info, options->check == CHECK_ONLY);
    count = keep_runnable(choices, count, options->variants, backend, info);
    if (count == 0) return EXIT_SKIPPED;
    const int single = run_element(FP32, session, folder, choices, count);
    if (single == EXIT_INTERRUPTED) return single;
    const int both = run_element(FP64, session, folder, choices, count);
    return single == EXIT_GOOD ? both : single;
}

// Prints the code hashes of the kernels for the architecture of --arch, or for sm_90.
static bool print_codes(const struct options *options) {
    const struct device_info info = {.compute_capability =
                                         options->arch ? atoi(options->arch + strlen("sm_")) : 90};
    char folder[PATH_MAX];
    return find_kernels(folder, sizeof folder, &info) &&
           list_codes(linked_steps(), folder, info.compute_capability);
}

int main(int argc, char **argv) {
    static struct options options;
    static struct choice choices[MAX_CHOICES];
    struct device_info info;
    const struct backend *backend;
    struct csv csv, counters, digests;
    int count;

    streams_guard();
    if (!options_parse(argc, argv, &options)) return EXIT_USAGE;
    char message[512];
    if (!channel_open("ladder", options.json, message, sizeof message))
        return say_error("%s", message), EXIT_USAGE;
    if (options.list && options.codes) return print_codes(&options) ? EXIT_GOOD : EXIT_USAGE;
    if (options.list) {
        list_steps(linked_steps(), options.commands);
        return EXIT_GOOD;
    }
    if (!choose_variants(linked_steps(), options.steps, options.variants, choices, &count))
        return EXIT_USAGE;
    if (!check_environment()) return EXIT_USAGE;
    if (!csv_open(&csv, options.csv, result_header())) return EXIT_USAGE;
    if (!csv_open(&counters, options.counters, COUNTERS_HEADER)) return EXIT_USAGE;
    if (!csv_open(&digests, options.digests, DIGESTS_HEADER)) return EXIT_USAGE;

    if (options.arch && !backend_sim_architecture(options.arch))
        return say_error("%s", backend_error()), EXIT_USAGE;
    if (options.machine && !backend_model_machine(options.machine))
        return say_error("%s", backend_error()), EXIT_USAGE;
    if (options.counters) backend_model_count();
    int status = open_backend(options.backend, &info, &backend);
    if (status == EXIT_GOOD && options.untried) info.untried = true;
    if (status == EXIT_GOOD && options.check == CHECK_DEFAULT)
        options.check = options_default_check(backend->predicted);
    if (status == EXIT_GOOD && options.untried && strcmp(backend->name, "gpu") == 0 &&
        !check_stamp(&info)) {
        backend->close();
        status = EXIT_USAGE;
    } else if (status == EXIT_GOOD) {
        interrupt_install();
        const int64_t most = options.memory * INT64_C(1000000000);
        if (most > 0 && most < info.memory_bytes) info.memory_bytes = most;
        status = check_counters(&options, backend)
                     ? run(&options, backend, &info, &csv, &counters, &digests, choices, count)
                     : EXIT_USAGE;
        backend->close();
    }
    csv_close(&digests);
    csv_close(&counters);
    csv_close(&csv);
    return channel_close(status);
}
