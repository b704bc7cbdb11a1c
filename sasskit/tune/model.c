// A judge that needs no GPU: the timing model of an H200's SM.
#include "isa/encoding.h"
#include "judge.h"
#include "model/sm.h"

#include <stdlib.h>

struct model_state {
    const char *launch, *kernel;
    uint64_t known; // checksum of the cubin whose time is `milliseconds`
    double milliseconds;
};

static uint64_t sum_of(const struct sass_cubin *cubin) { // FNV-1a
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < cubin->size; i++) sum = (sum ^ cubin->bytes[i]) * 0x100000001b3;
    return sum;
}

// Times one launch. Parses the launch's text each time, because a run overwrites the buffers.
static bool model(const char *text, const struct sass_cubin *cubin, const char *name, bool states,
                  struct sm_result *result, struct error *error) {
    struct trial trial;
    const bool opened = trial_open(&trial, text, error);
    struct sim_kernel *kernel =
        opened ? sim_kernel_open_memory(cubin->bytes, cubin->size, "the kernel", name, error)
               : NULL;
    const struct sim_launch l = trial_launch(&trial);
    const bool good = kernel && sm_time(kernel, trial.memory, &l, &sm_machines[0],
                                        (struct sm_wish){.states = states}, result, error);
    if (kernel) sim_kernel_close(kernel);
    trial_close(&trial);
    return good;
}

static bool predict(const struct model_state *s, const struct sass_cubin *cubin,
                    double *milliseconds, struct error *error) {
    struct sm_result result = {0};
    const bool good = model(s->launch, cubin, s->kernel, false, &result, error);
    *milliseconds = result.milliseconds;
    sm_result_clear(&result);
    return good;
}

uint64_t *judge_counts(const char *launch, const struct sass_cubin *cubin, const char *kernel,
                       size_t count, struct error *error) {
    struct sm_result result = {0};
    uint64_t *counts = calloc(count + 1, sizeof *counts);
    if (!counts) return error_fail(error, "not enough host memory"), NULL;
    const bool good = model(launch, cubin, kernel, true, &result, error);
    for (size_t i = 0; good && i < count && i < result.count; i++)
        counts[i] = result.state[i][SM_SELECTED];
    sm_result_clear(&result);
    if (good) return counts;
    free(counts);
    return NULL;
}

static enum judge_status open_model(void **state, const struct trial *launch, const char *name,
                                    struct error *error) {
    struct model_state *s = calloc(1, sizeof *s);
    if (!s) return error_fail(error, "not enough host memory"), JUDGE_FAILED;
    s->launch = launch->text;
    s->kernel = name;
    *state = s;
    return JUDGE_READY;
}

static const char *title(const void *state) {
    return "the model of an H200";
}

static bool compare(void *state, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                    double milliseconds[2], struct error *error) {
    struct model_state *s = state;
    const uint64_t sum = sum_of(a);
    if (s->known != sum && !predict(s, a, &s->milliseconds, error)) return false;
    s->known = sum;
    milliseconds[0] = s->milliseconds;
    return predict(s, b, &milliseconds[1], error);
}

const struct judge_table judge_model = {.name = "model",
                                        .least = 1e-6,
                                        .open = open_model,
                                        .close = free,
                                        .title = title,
                                        .compare = compare};
