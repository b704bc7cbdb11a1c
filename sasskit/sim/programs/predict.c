// simrun --time: predicts the time of a launch by the timing model.
#include "predict.h"
#include "base/channel.h"
#include "base/file.h"
#include "model/accuracy.h"
#include "model/sm.h"

#include <stdlib.h>
#include <string.h>

void predict_list_machine(void) {
    sm_machine_print(&sm_machines[0], stdout);
}

static void print_time(const struct sm_result *r, const struct sm_machine *m) {
    printf("predicted for an %s: %.3g ms\n", m->name, r->milliseconds);
    printf("%.0f cycles at %.0f MHz: %.0f in which it runs, and %.3g us of launch\n",
           r->milliseconds * r->clock_ghz * 1e6, r->clock_ghz * 1000, r->cycles, m->launch_us);
    printf("run: %llu of the %llu blocks of the SM with the most, %llu side by side, %llu warp "
           "instructions in %llu "
           "cycles\n",
           (unsigned long long)r->blocks_run, (unsigned long long)r->blocks,
           (unsigned long long)r->blocks_resident, (unsigned long long)r->instructions,
           (unsigned long long)r->sm_cycles);
    if (r->left_out > 0)
        printf(
            "not run: iterations of a long loop, with the time of those before them: %.0f cycles\n",
            r->left_out);
}

// Prints the mean error of predictions for an H200, for kernels that the model had not seen.
static void print_accuracy(const char *machine) {
    const struct sm_accuracy *a = sm_accuracy_of(SM_OTHER_KERNELS);
    if (a && (!machine || strcmp(machine, "h200") == 0))
        printf("known error: %.0f %% on average in %d launches of kernels from elsewhere, when "
               "first predicted\n",
               a->mean_pct, a->launches);
}

static void time_to_json(const struct sm_result *r, const struct sm_machine *m,
                         const char *kernel) {
    struct json j = channel_line("prediction");
    json_text(&j, "kernel", kernel);
    json_text(&j, "machine", m->name);
    json_bool(&j, "measured_machine", !m->guessed);
    json_number(&j, "milliseconds", r->milliseconds);
    json_number(&j, "cycles", r->cycles);
    json_number(&j, "clock_ghz", r->clock_ghz);
    json_end(&j);
}

bool predict(const struct predict_options *o, struct sim_kernel *kernel, struct sim_memory *memory,
             const struct sim_launch *launch, struct error *error) {
    struct sm_machine machine;
    struct sm_result result = {0};
    char *trace = NULL;
    size_t size = 0;
    struct sm_timeline timeline = {NULL, o->first, o->count};
    if (!sm_machine_parse(o->machine, &machine, error)) return false;
    if (o->timeline && !file_writable(o->timeline, error->message, sizeof error->message))
        return false;
    if (o->timeline && !(timeline.file = open_memstream(&trace, &size)))
        return error_fail(error, "not enough host memory");
    const struct sm_wish wish = {.states = o->stalls, .timeline = o->timeline ? &timeline : NULL};
    bool done = sm_time(kernel, memory, launch, &machine, wish, &result, error);
    if (timeline.file && fclose(timeline.file) != 0)
        done = error_fail(error, "not enough host memory");
    if (done && o->timeline)
        done = file_write(o->timeline, trace, size, error->message, sizeof error->message);
    if (done) print_time(&result, &machine);
    if (done) print_accuracy(o->machine);
    if (done && channel_json()) time_to_json(&result, &machine, sim_kernel_facts(kernel).name);
    if (done && o->stalls) sm_print_states(&result, kernel, stdout);
    free(trace);
    sm_result_clear(&result);
    return done;
}
