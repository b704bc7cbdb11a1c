// The two judges.
#include "judge.h"

#include "backend/backend.h"
#include "isa/encoding.h"
#include "model/sm.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 64, WARM_UP = 3 };

struct judge {
    const struct backend *gpu; // NULL: the model
    struct device_info info;
    const char *text, *kernel;
    struct trial problem;
    device_pointer buffer[TRIAL_ARGUMENTS];
    void *pointers[TRIAL_ARGUMENTS];
    struct known { // of the model, what it said of a cubin
        uint64_t sum;
        double milliseconds;
    } known;
};

// --- the GPU -----------------------------------------------------------------------------------------------------------

static bool upload(struct judge *j, struct sass_error *error) {
    for (int i = 0; i < j->problem.count; i++) {
        const struct argument_buffer *b = j->problem.argument[i].buffer;
        if (!j->buffer[i] || !b->bytes) continue;
        if (!j->gpu->to_device(j->buffer[i], sim_host(j->problem.memory, b->address, b->bytes), b->bytes))
            return sass_fail(error, "%.300s", backend_error());
    }
    return true;
}

static bool take_arguments(struct judge *j, struct sass_error *error) {
    const struct trial *p = &j->problem;
    if (p->grid[2] > 1 || p->block[1] > 1 || p->block[2] > 1)
        return sass_fail(error, "the GPU judge launches --grid X[,Y] --block X only");
    for (int i = 0; i < p->count; i++) {
        const struct argument *a = &p->argument[i];
        if (a->buffer_count && (a->buffer_count > 1 || a->bytes != sizeof(device_pointer)))
            return sass_fail(error, "the GPU judge takes numbers and plain buffers only");
        j->pointers[i] = (void *)p->pointers[i];
        if (!a->buffer_count) continue;
        if (!j->gpu->allocate(a->buffer->bytes ? a->buffer->bytes : 1, 0, &j->buffer[i]))
            return sass_fail(error, "%.300s", backend_error());
        j->pointers[i] = &j->buffer[i];
    }
    return upload(j, error);
}

static struct kernel *load(struct judge *j, const struct sass_cubin *cubin, struct sass_error *error) {
    struct kernel_info info;
    struct kernel *kernel = NULL;
    if (!j->gpu->load_image(cubin->bytes, cubin->size, cubin->path, j->kernel, (int)j->problem.shared, &kernel, &info))
        sass_fail(error, "%.300s", backend_error());
    return kernel;
}

static bool launch(struct judge *j, struct kernel *kernel, double *milliseconds, struct sass_error *error) {
    const struct trial *p = &j->problem;
    const struct launch l = {.grid_x = p->grid[0],
                             .grid_y = p->grid[1],
                             .threads = (int)p->block[0],
                             .shared_bytes = (int)p->shared,
                             .arguments = j->pointers};
    const bool good = j->gpu->start() && j->gpu->launch(kernel, &l) && j->gpu->stop() && j->gpu->elapsed(milliseconds);
    return good || sass_fail(error, "%.300s", backend_error());
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool compare_on_gpu(struct judge *j, struct kernel *const kernel[2], int rounds, double milliseconds[2],
                           struct sass_error *error) {
    static const struct timespec pause = {.tv_nsec = 2000000};
    double time[2][MOST_ROUNDS] = {{0}};
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    for (int i = -WARM_UP; i < rounds; i++) {
        for (int k = 0; k < 2; k++) {
            if (!launch(j, kernel[k], &time[k][i < 0 ? 0 : i], error)) return false;
        }
        if (rounds >= 16) nanosleep(&pause, NULL); // not at the power limit
    }
    for (int k = 0; k < 2; k++) {
        qsort(time[k], (size_t)rounds, sizeof(double), ascending);
        milliseconds[k] = time[k][rounds / 2];
    }
    return true;
}

// The two kernels, one after the other from the same data.
static bool same_on_gpu(struct judge *j, struct kernel *const kernel[2], bool *same, struct sass_error *error) {
    const struct trial *p = &j->problem;
    char *bytes[TRIAL_ARGUMENTS] = {0};
    double unused;
    bool good = true;
    *same = true;
    for (int k = 0; k < 2 && good; k++) {
        good = upload(j, error) && launch(j, kernel[k], &unused, error);
        for (int i = 0; good && i < p->count; i++) {
            const int64_t size = j->buffer[i] ? p->argument[i].buffer->bytes : 0;
            char *now = size ? malloc((size_t)size) : NULL;
            if (!now) continue;
            good = j->gpu->to_host(now, j->buffer[i], size) || sass_fail(error, "%.300s", backend_error());
            if (k == 1) *same &= bytes[i] && memcmp(now, bytes[i], (size_t)size) == 0;
            free(k == 1 ? now : NULL);
            if (k == 0) bytes[i] = now;
        }
    }
    for (int i = 0; i < p->count; i++) free(bytes[i]);
    return good;
}

// --- the model ---------------------------------------------------------------------------------------------------------

static uint64_t sum_of(const struct sass_cubin *cubin) { // FNV-1a
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < cubin->size; i++) sum = (sum ^ cubin->bytes[i]) * 0x100000001b3;
    return sum;
}

// One launch of what the text says, anew, since a run stores.
static bool model(const char *text, const struct sass_cubin *cubin, const char *name, bool states,
                  struct sm_result *result, struct sass_error *error) {
    struct sim_error why = {{0}, NULL, false};
    struct trial trial;
    const bool opened = trial_open(&trial, text, &why);
    struct sim_kernel *kernel =
        opened ? sim_kernel_open_memory(cubin->bytes, cubin->size, "the kernel", name, &why) : NULL;
    const struct sim_launch l = trial_launch(&trial);
    const bool good =
        kernel && sm_time(kernel, trial.memory, &l, &sm_machines[0], (struct sm_wish){.states = states}, result, &why);
    if (kernel) sim_kernel_close(kernel);
    trial_close(&trial);
    return good || sass_fail(error, "%.300s", why.message);
}

static bool predict(const struct judge *j, const struct sass_cubin *cubin, double *milliseconds,
                    struct sass_error *error) {
    struct sm_result result = {0};
    const bool good = model(j->text, cubin, j->kernel, false, &result, error);
    *milliseconds = result.milliseconds;
    sm_result_clear(&result);
    return good;
}

uint64_t *judge_counts(const char *launch, const struct sass_cubin *cubin, const char *kernel, size_t count,
                       struct sass_error *error) {
    struct sm_result result = {0};
    uint64_t *counts = calloc(count + 1, sizeof *counts);
    if (!counts) return sass_fail(error, "out of memory"), NULL;
    const bool good = model(launch, cubin, kernel, true, &result, error);
    for (size_t i = 0; good && i < count && i < result.count; i++) counts[i] = result.state[i][SM_SELECTED];
    sm_result_clear(&result);
    if (good) return counts;
    free(counts);
    return NULL;
}

// --- both --------------------------------------------------------------------------------------------------------------

static bool with_kernels(struct judge *j, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                         double milliseconds[2], bool *same, struct sass_error *error) {
    struct kernel *kernel[2] = {load(j, a, error), NULL};
    if (kernel[0]) kernel[1] = load(j, b, error);
    const bool good =
        kernel[0] && kernel[1] &&
        (same ? same_on_gpu(j, kernel, same, error) : compare_on_gpu(j, kernel, rounds, milliseconds, error));
    for (int k = 0; k < 2; k++) {
        if (kernel[k]) j->gpu->unload(kernel[k]);
    }
    return good;
}

bool judge_compare(struct judge *j, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                   double milliseconds[2], struct sass_error *error) {
    if (j->gpu) return with_kernels(j, a, b, rounds, milliseconds, NULL, error);
    const uint64_t sum = sum_of(a);
    if (j->known.sum != sum && !predict(j, a, &j->known.milliseconds, error)) return false;
    j->known.sum = sum;
    milliseconds[0] = j->known.milliseconds;
    return predict(j, b, &milliseconds[1], error);
}

bool judge_same(struct judge *j, const struct sass_cubin *a, const struct sass_cubin *b, bool *same,
                struct sass_error *error) {
    *same = true;
    return !j->gpu || with_kernels(j, a, b, 0, NULL, same, error);
}

static bool open_gpu(struct judge *j, bool wanted, struct sass_error *error) {
    const enum backend_status status = backend_gpu.open(&j->info);
    if (status == BACKEND_READY) j->gpu = &backend_gpu;
    if (status == BACKEND_READY && j->info.compute_capability != 90)
        return sass_fail(error, "this GPU runs no code of sm_90: use --judge model");
    return status == BACKEND_READY || !wanted || sass_fail(error, "%.300s", backend_error());
}

static bool fits(const struct judge *j, const struct sass_cubin *cubin, struct sass_error *error) {
    struct sim_error why = {{0}, NULL, false};
    struct sim_kernel *kernel = sim_kernel_open_memory(cubin->bytes, cubin->size, cubin->path, j->kernel, &why);
    const bool fit = kernel && trial_fits(&j->problem, kernel, &why);
    if (kernel) sim_kernel_close(kernel);
    return fit || sass_fail(error, "%.300s", why.message);
}

struct judge *judge_open(const char *name, const char *text, const struct sass_cubin *cubin, const char *kernel,
                         struct sass_error *error) {
    struct judge *j = calloc(1, sizeof *j);
    struct sim_error why = {{0}, NULL, false};
    if (!j) return sass_fail(error, "out of memory"), NULL;
    j->text = text;
    j->kernel = kernel;
    bool good =
        (trial_open(&j->problem, text, &why) || sass_fail(error, "%.300s", why.message)) && fits(j, cubin, error);
    if (good && (!name || strcmp(name, "gpu") == 0)) good = open_gpu(j, name != NULL, error);
    if (good && j->gpu) good = take_arguments(j, error);
    if (good) return j;
    judge_close(j);
    return NULL;
}

void judge_close(struct judge *j) {
    for (int i = 0; i < j->problem.count; i++) {
        if (j->gpu && j->buffer[i]) j->gpu->release(j->buffer[i]);
    }
    if (j->gpu) j->gpu->close();
    trial_close(&j->problem);
    free(j);
}

const char *judge_name(const struct judge *j) {
    return j->gpu ? j->info.name : "the model of an H200";
}

bool judge_is_model(const struct judge *j) {
    return !j->gpu;
}
