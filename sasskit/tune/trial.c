// Parses a launch from text and runs it.
#include "trial.h"

#include <stdlib.h>
#include <string.h>

static bool read_sizes(const char *text, uint32_t sizes[3]) {
    sizes[0] = sizes[1] = sizes[2] = 1;
    return dimensions_parse(text, sizes);
}

static bool add_argument(struct trial *p, const char *spec, struct error *error) {
    if (p->count == TRIAL_ARGUMENTS)
        return error_refuse(error, "expected at most %d --arg", TRIAL_ARGUMENTS);
    struct argument *a = &p->argument[p->count];
    if (!argument_parse(spec, p->memory, a, error)) return false;
    p->pointers[p->count++] = a->value;
    return true;
}

static bool take(struct trial *p, const char *option, const char *value, struct error *error) {
    char *end = NULL;
    if (strcmp(option, "--arg") == 0) return add_argument(p, value, error);
    if (strcmp(option, "--grid") == 0 && read_sizes(value, p->grid)) return true;
    if (strcmp(option, "--block") == 0 && read_sizes(value, p->block)) return true;
    if (strcmp(option, "--shared") == 0) {
        p->shared = (uint32_t)strtoul(value, &end, 10);
        if (end != value && *end == 0 && p->shared <= 1 << 20) return true;
    }
    return error_refuse(
        error,
        "'%.60s %.60s': expected --grid X[,Y,Z] --block X[,Y,Z] [--shared BYTES] [--arg SPEC]...",
        option, value);
}

bool trial_open(struct trial *p, const char *text, struct error *error) {
    *p = (struct trial){.text = text,
                        .words = strdup(text),
                        .memory = sim_memory_open(),
                        .reports = fopen("/dev/null", "w")};
    bool good = (p->words && p->memory) || error_fail(error, "not enough host memory");
    char *save = NULL, *word = good ? strtok_r(p->words, " \n", &save) : NULL;
    while (good && word) {
        const char *value = strtok_r(NULL, " \n", &save);
        good = value ? take(p, word, value, error)
                     : error_refuse(error, "%.60s: expected a value after it", word);
        word = strtok_r(NULL, " \n", &save);
    }
    if (good && (!p->grid[0] || !p->block[0]))
        good = error_refuse(error, "expected --grid and --block, as in simrun");
    return good;
}

void trial_close(struct trial *p) {
    for (int i = 0; i < p->count; i++) argument_close(&p->argument[i]);
    if (p->memory) sim_memory_close(p->memory);
    if (p->reports) fclose(p->reports);
    free(p->words);
}

bool trial_fits(const struct trial *p, const struct sim_kernel *kernel, struct error *error) {
    bool fit = arguments_counted(p->count, kernel, error);
    for (int i = 0; fit && i < p->count; i++)
        fit = argument_fits(&p->argument[i], kernel, i, error);
    return fit;
}

struct sim_launch trial_launch(const struct trial *p) {
    struct sim_launch launch = {
        .shared_bytes = p->shared, .arguments = p->pointers, .reports = p->reports};
    memcpy(launch.grid, p->grid, sizeof launch.grid);
    memcpy(launch.block, p->block, sizeof launch.block);
    return launch;
}

bool trial_run(struct trial *p, const void *bytes, size_t size, const char *name,
               struct error *error) {
    struct sim_kernel *kernel = sim_kernel_open_memory(bytes, size, "the kernel", name, error);
    const struct sim_launch launch = trial_launch(p);
    struct sim_result *result = kernel ? sim_result_open(kernel) : NULL;
    const bool good = kernel && trial_fits(p, kernel, error) &&
                      (result || error_fail(error, "not enough host memory")) &&
                      sim_run(kernel, p->memory, &launch, result, error);
    if (result) sim_result_close(result);
    if (kernel) sim_kernel_close(kernel);
    return good;
}

bool trial_same(const struct trial *a, const struct trial *b) {
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < a->argument[i].buffer_count; k++) {
            const struct argument_buffer *x = &a->argument[i].buffer[k],
                                         *y = &b->argument[i].buffer[k];
            if (memcmp(sim_host(a->memory, x->address, x->bytes),
                       sim_host(b->memory, y->address, y->bytes), (size_t)x->bytes) != 0)
                return false;
        }
    }
    return true;
}
