// The judge of `sass tune` on a GPU: times two cubins alternately on the first visible GPU and
// compares the bits of their results.
#include "gpu.h"
#include "backend/driver.h"
#include "isa/encoding.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 64, WARM_UP = 3, MANY_ROUNDS = 16, DEFAULT_SHARED = 48 * 1024 };

struct gpu_state {
    const struct trial *launch;
    const char *kernel;
    CUdevice device;
    CUcontext context;
    CUevent begin, end;
    CUdeviceptr buffer[TRIAL_ARGUMENTS]; // 0 for an argument that is no buffer
    void *pointers[TRIAL_ARGUMENTS];
    char name[128];
};

struct loaded_trial {
    CUmodule module;
    CUfunction function;
};

static bool failed(struct error *error) {
    return error_fail(error, "%s", backend_error());
}

static bool upload(const struct gpu_state *s, struct error *error) {
    for (int i = 0; i < s->launch->count; i++) {
        const struct argument_buffer *b = s->launch->argument[i].buffer;
        if (!s->buffer[i] || !b->bytes) continue;
        const void *from = sim_host(s->launch->memory, b->address, b->bytes);
        if (!driver_did(cuMemcpyHtoD, (s->buffer[i], from, (size_t)b->bytes))) return failed(error);
    }
    return true;
}

static bool take_arguments(struct gpu_state *s, struct error *error) {
    for (int i = 0; i < s->launch->count; i++) {
        const struct argument *a = &s->launch->argument[i];
        if (a->buffer_count && (a->buffer_count > 1 || a->bytes != sizeof(CUdeviceptr)))
            return error_fail(error, "--judge gpu: a kernel may have only numbers and plain "
                                     "buffers as arguments: use --judge model");
        s->pointers[i] = (void *)s->launch->pointers[i];
        if (!a->buffer_count) continue;
        const size_t bytes = a->buffer->bytes ? (size_t)a->buffer->bytes : 1;
        if (!driver_did(cuMemAlloc, (&s->buffer[i], bytes))) return failed(error);
        s->pointers[i] = &s->buffer[i];
    }
    return upload(s, error);
}

static const char no_gpu[] = "no GPU is visible: look at nvidia-smi and at CUDA_VISIBLE_DEVICES";

static enum judge_status find_device(struct gpu_state *s, struct error *error) {
    int count = 0, major = 0, minor = 0;
    const enum backend_status loaded = driver_load();
    if (loaded != BACKEND_READY)
        return failed(error), loaded == BACKEND_ABSENT ? JUDGE_ABSENT : JUDGE_FAILED;
    const CUresult result = cuda(cuInit)(0);
    if (result == CUDA_ERROR_NO_DEVICE) return error_fail(error, "%s", no_gpu), JUDGE_ABSENT;
    if (!driver_ok(result, "cuInit") || !driver_did(cuDeviceGetCount, (&count)))
        return failed(error), JUDGE_FAILED;
    if (count == 0) return error_fail(error, "%s", no_gpu), JUDGE_ABSENT;
    if (!driver_did(cuDeviceGet, (&s->device, 0))) return failed(error), JUDGE_FAILED;
    cuda(cuDeviceGetName)(s->name, sizeof s->name, s->device);
    cuda(cuDeviceGetAttribute)(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, s->device);
    cuda(cuDeviceGetAttribute)(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, s->device);
    if (major == 9 && minor == 0) return JUDGE_READY;
    error_fail(error, "this GPU is sm_%d%d and cannot run code for sm_90: use --judge model", major,
               minor);
    return JUDGE_FAILED;
}

static void close_gpu(void *state) {
    struct gpu_state *s = state;
    if (s->context) {
        for (int i = 0; i < s->launch->count; i++) {
            if (s->buffer[i]) cuda(cuMemFree)(s->buffer[i]);
        }
        if (s->begin) cuda(cuEventDestroy)(s->begin);
        if (s->end) cuda(cuEventDestroy)(s->end);
        cuda(cuDevicePrimaryCtxRelease)(s->device);
    }
    driver_unload();
    free(s);
}

static enum judge_status open_gpu(void **state, const struct trial *launch, const char *name,
                                  struct error *error) {
    struct gpu_state *s = calloc(1, sizeof *s);
    if (!s) return error_fail(error, "not enough host memory"), JUDGE_FAILED;
    s->launch = launch;
    s->kernel = name;
    enum judge_status status = find_device(s, error);
    if (status == JUDGE_READY && !(driver_did(cuDevicePrimaryCtxRetain, (&s->context, s->device)) &&
                                   driver_did(cuCtxSetCurrent, (s->context)) &&
                                   driver_did(cuEventCreate, (&s->begin, CU_EVENT_DEFAULT)) &&
                                   driver_did(cuEventCreate, (&s->end, CU_EVENT_DEFAULT)))) {
        failed(error);
        status = JUDGE_FAILED;
    }
    if (status == JUDGE_READY && !take_arguments(s, error)) status = JUDGE_FAILED;
    if (status == JUDGE_READY)
        *state = s;
    else
        close_gpu(s);
    return status;
}

static const char *title(const void *state) {
    return ((const struct gpu_state *)state)->name;
}

// --- launches ------------------------------------------------------------------------------------

static bool load(const struct gpu_state *s, const struct sass_cubin *cubin,
                 struct loaded_trial *kernel, struct error *error) {
    const int shared = (int)s->launch->shared;
    return (driver_did(cuModuleLoadData, (&kernel->module, cubin->bytes)) &&
            driver_did(cuModuleGetFunction, (&kernel->function, kernel->module, s->kernel)) &&
            (shared <= DEFAULT_SHARED ||
             driver_did(
                 cuFuncSetAttribute,
                 (kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)))) ||
           failed(error);
}

static bool launch(struct gpu_state *s, const struct loaded_trial *kernel, double *milliseconds,
                   struct error *error) {
    const struct trial *t = s->launch;
    float elapsed = 0;
    const bool good = driver_did(cuEventRecord, (s->begin, NULL)) &&
                      driver_did(cuLaunchKernel,
                                 (kernel->function, t->grid[0], t->grid[1], t->grid[2], t->block[0],
                                  t->block[1], t->block[2], t->shared, NULL, s->pointers, NULL)) &&
                      driver_did(cuEventRecord, (s->end, NULL)) &&
                      driver_did(cuEventSynchronize, (s->end)) &&
                      driver_did(cuEventElapsedTime, (&elapsed, s->begin, s->end));
    *milliseconds = elapsed;
    return good || failed(error);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool time_both(struct gpu_state *s, const struct loaded_trial kernel[2], int rounds,
                      double milliseconds[2], struct error *error) {
    static const struct timespec pause = {.tv_nsec = 2000000};
    double time[2][MOST_ROUNDS] = {{0}};
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    for (int i = -WARM_UP; i < rounds; i++) {
        for (int k = 0; k < 2; k++) {
            if (!launch(s, &kernel[k], &time[k][i < 0 ? 0 : i], error)) return false;
        }
        // a pause of 2 ms keeps the chip below its power limit
        if (rounds >= MANY_ROUNDS) nanosleep(&pause, NULL);
    }
    for (int k = 0; k < 2; k++) {
        qsort(time[k], (size_t)rounds, sizeof(double), ascending);
        milliseconds[k] = time[k][rounds / 2];
    }
    return true;
}

// Launches both kernels on equal data, one after the other, and compares all buffers.
static bool compare_bits(struct gpu_state *s, const struct loaded_trial kernel[2], bool *same,
                         struct error *error) {
    char *bytes[TRIAL_ARGUMENTS] = {0};
    double unused;
    bool good = true;
    *same = true;
    for (int k = 0; k < 2 && good; k++) {
        good = upload(s, error) && launch(s, &kernel[k], &unused, error);
        for (int i = 0; good && i < s->launch->count; i++) {
            const size_t size = s->buffer[i] ? (size_t)s->launch->argument[i].buffer->bytes : 0;
            char *now = size ? malloc(size) : NULL;
            if (size && !now) good = error_fail(error, "not enough host memory");
            if (!now) continue;
            good = driver_did(cuMemcpyDtoH, (now, s->buffer[i], size)) || failed(error);
            if (k == 1) *same &= bytes[i] && memcmp(now, bytes[i], size) == 0;
            if (k == 1) free(now);
            if (k == 0) bytes[i] = now;
        }
    }
    for (int i = 0; i < s->launch->count; i++) free(bytes[i]);
    return good;
}

// Loads both cubins. Then compares their results if `same` is not NULL; otherwise times them.
static bool with_both(struct gpu_state *s, const struct sass_cubin *a, const struct sass_cubin *b,
                      int rounds, double milliseconds[2], bool *same, struct error *error) {
    struct loaded_trial kernel[2] = {{0}};
    const bool good = load(s, a, &kernel[0], error) && load(s, b, &kernel[1], error) &&
                      (same ? compare_bits(s, kernel, same, error)
                            : time_both(s, kernel, rounds, milliseconds, error));
    for (int k = 0; k < 2; k++) {
        if (kernel[k].module) cuda(cuModuleUnload)(kernel[k].module);
    }
    return good;
}

static bool compare(void *state, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                    double milliseconds[2], struct error *error) {
    return with_both(state, a, b, rounds, milliseconds, NULL, error);
}

static bool same_bits(void *state, const struct sass_cubin *a, const struct sass_cubin *b,
                      bool *same, struct error *error) {
    return with_both(state, a, b, 0, NULL, same, error);
}

const struct judge_table judge_gpu = {
    .name = "gpu",
    .least = 1e-3,
    .open = open_gpu,
    .close = close_gpu,
    .title = title,
    .compare = compare,
    .same = same_bits,
};
