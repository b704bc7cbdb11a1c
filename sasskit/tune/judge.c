// Chooses a judge and opens it.
#include "judge.h"
#include "isa/encoding.h"

#include <string.h>

static bool fits(const struct trial *launch, const struct sass_cubin *cubin, const char *name,
                 struct error *error) {
    struct sim_kernel *kernel =
        sim_kernel_open_memory(cubin->bytes, cubin->size, cubin->path, name, error);
    const bool fit = kernel && trial_fits(launch, kernel, error);
    if (kernel) sim_kernel_close(kernel);
    return fit;
}

static bool choose(struct judge *j, const struct judge_table *const *list, const char *name,
                   const char *kernel, struct error *error) {
    for (; *list; list++) {
        if (name && strcmp((*list)->name, name) != 0) continue;
        const enum judge_status status = (*list)->open(&j->state, &j->launch, kernel, error);
        if (status == JUDGE_READY) return j->table = *list, true;
        if (status == JUDGE_FAILED || name) return false;
    }
    return name ? error_fail(error, "--judge %s: this program has no such judge", name)
                : error_fail(error, "no judge is available: expected a GPU or the model");
}

bool judge_open(struct judge *judge, const struct judge_table *const *list, const char *name,
                const char *launch, const struct sass_cubin *cubin, const char *kernel,
                struct error *error) {
    *judge = (struct judge){0};
    if (trial_open(&judge->launch, launch, error) && fits(&judge->launch, cubin, kernel, error) &&
        choose(judge, list, name, kernel, error))
        return true;
    judge_close(judge);
    return false;
}

void judge_close(struct judge *judge) {
    if (judge->table) judge->table->close(judge->state);
    trial_close(&judge->launch);
    *judge = (struct judge){0};
}
