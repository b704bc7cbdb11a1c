// The program of every lesson: build/ladder has all steps linked in, build/01_naive and so on have one each.
#include "file/file.h"
#include "interrupt.h"
#include "options.h"
#include "probes.h"
#include "report.h"
#include "say.h"
#include "session.h"
#include "start.h"
#include "steps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static const double SUSTAINED_SECONDS = 5;
static const char COUNTERS_HEADER[] = "time,commit,backend,step,variant,m,n,k,counter,value";

// TF32 would make the baseline another computation.
static bool check_environment(void) {
    const char *value = getenv("NVIDIA_TF32_OVERRIDE");
    return !value || complain("NVIDIA_TF32_OVERRIDE=%s is set, which may turn FP32 into TF32: unset it", value);
}

// The GPU's counters are Nsight Compute's business.
static bool check_counters(const struct options *options, const struct backend *backend) {
    if (!options->counters || backend->take_counters) return true;
    return complain("--counters: on the gpu backend counters come from `make profile STEP=..`, not from this program");
}

// Why a variant cannot run here; an empty text when it can.
static void why_not(const struct variant *v, const struct backend *backend, int capability, char *text, size_t size) {
    const int only = variant_capability(v);
    *text = '\0';
    if (v->not_predicted && backend->predicted) {
        snprintf(text, size, "it decides by what it computes, and the model runs only some of the blocks");
    } else if (only && only != capability) {
        snprintf(text, size, "it is machine code of sm_%d, this device is sm_%d", only, capability);
    } else if (v->capability > capability) {
        snprintf(text, size, "it needs sm_%d, this device is sm_%d", v->capability, capability);
    }
}

// Leaves out the variants that cannot run here, and says so. Returns how many are left.
static int keep_runnable(struct choice *choices, int count, const struct backend *backend, int capability) {
    char why[128];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        why_not(choices[i].variant, backend, capability, why, sizeof why);
        if (*why) {
            complain("%s/%s is left out: %s", choices[i].step->name, choices[i].variant->name, why);
        } else {
            choices[kept++] = choices[i];
        }
    }
    return kept;
}

// Loads the chosen kernels of one element type and runs the problems on them.
static int run_element(enum element element, struct session session, const struct choice *choices, int count) {
    static struct choice mine[MAX_CHOICES];
    char folder[PATH_MAX];
    int mine_count = 0;
    for (int i = 0; i < count; i++) {
        if (choices[i].step->element == element) mine[mine_count++] = choices[i];
    }
    if (mine_count == 0) return EXIT_GOOD;
    session.element = element;
    cubin_folder(folder, sizeof folder);
    const int status = session_open(&session, folder, mine, mine_count) ? session_run(&session) : EXIT_FAILED;
    session_close(&session);
    return status;
}

// Runs what was chosen on an open backend.
static int run(const struct options *options, const struct backend *backend, const struct device_info *info,
               struct csv *csv, struct csv *counters, struct csv *digests, struct choice *choices, int count) {
    const struct session session = {.options = options,
                                    .backend = backend,
                                    .info = info,
                                    .csv = csv,
                                    .counters = counters,
                                    .digests = digests,
                                    .sustained_seconds = SUSTAINED_SECONDS};
    report_device(backend, info);
    count = keep_runnable(choices, count, backend, info->compute_capability);
    if (count == 0) return EXIT_SKIPPED;
    const int single = run_element(FP32, session, choices, count);
    if (single == EXIT_INTERRUPTED) return single;
    const int both = run_element(FP64, session, choices, count);
    return single == EXIT_GOOD ? both : single;
}

int main(int argc, char **argv) {
    static struct options options;
    static struct choice choices[MAX_CHOICES];
    struct device_info info;
    const struct backend *backend;
    struct csv csv, counters, digests;
    int count;

    streams_guard();
    if (linked_steps().count == 1 && linked_steps().steps[0]->probes) {
        return probes_main(argc, argv, linked_steps().steps[0]);
    }
    if (!options_parse(argc, argv, &options)) return EXIT_USAGE;
    if (options.list) {
        list_steps(linked_steps());
        return EXIT_GOOD;
    }
    if (!choose(linked_steps(), options.steps, options.variants, choices, &count)) return EXIT_USAGE;
    if (!check_environment()) return EXIT_USAGE;
    if (!csv_open(&csv, options.csv, result_header())) return EXIT_USAGE;
    if (!csv_open(&counters, options.counters, COUNTERS_HEADER)) return EXIT_USAGE;
    if (!csv_open(&digests, options.digests, DIGESTS_HEADER)) return EXIT_USAGE;

    if (options.machine && !backend_model_machine(options.machine)) return complain("%s", backend_error()), EXIT_USAGE;
    if (options.counters) backend_model_count();
    int status = open_backend(options.backend, &info, &backend);
    if (status == EXIT_GOOD) {
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
    return status;
}
