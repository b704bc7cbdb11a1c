// A backend for unit tests: it computes on the host, correctly or with the fault in fake_fault.
#include "fake_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum fake_fault fake_fault;
enum element fake_element;
int64_t fake_memory_left = -1;
int fake_allocations;
int fake_launches;

struct kernel {
    int unused;
};

static double start_time, stop_time; // seconds

struct device_info fake_device(bool baseline) {
    struct device_info info = {
        .name = "fake",
        .driver = "1.0",
        .toolkit = "none",
        .compute_capability = 90,
        .multiprocessors = 1,
        .lanes = 1,
        .lanes_64 = 2,
        .clock_mhz = 1000,
        .memory_bytes = INT64_C(1) << 30,
    };
    if (baseline) strcpy(info.baseline, "fake BLAS");
    return info;
}

static enum backend_status fake_open(struct device_info *info) {
    *info = fake_device(true);
    return BACKEND_READY;
}

static void fake_close(void) {
}

static bool fake_load(const char *path, const char *symbol, int shared_bytes,
                      struct kernel **kernel, struct kernel_info *info) {
    *kernel = calloc(1, sizeof **kernel);
    *info = (struct kernel_info){.registers = 32};
    return *kernel != NULL;
}

static void fake_unload(struct kernel *kernel) {
    free(kernel);
}

static bool fake_occupancy(struct kernel *kernel, int threads, int shared_bytes, int *blocks) {
    *blocks = 1;
    return true;
}

static bool fake_allocate(int64_t bytes, int past, device_pointer *address) {
    if (fake_memory_left >= 0 && bytes > fake_memory_left)
        return backend_fail("out of fake memory");
    if (fake_memory_left >= 0) fake_memory_left -= bytes;
    void *memory = aligned_alloc(256, ((size_t)(bytes + past) + 255) / 256 * 256);
    *address = (device_pointer)(uintptr_t)memory + (device_pointer)past;
    fake_allocations++;
    return memory != NULL;
}

static void fake_release(device_pointer address) {
    free((void *)(uintptr_t)(address / 256 * 256));
    fake_allocations--;
}

static bool fake_to_device(device_pointer to, const void *from, int64_t bytes) {
    memcpy((void *)(uintptr_t)to, from, (size_t)bytes);
    return true;
}

static bool fake_to_host(void *to, device_pointer from, int64_t bytes) {
    memcpy(to, (const void *)(uintptr_t)from, (size_t)bytes);
    return true;
}

static bool fake_on_device(device_pointer to, device_pointer from, int64_t bytes) {
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, (size_t)bytes);
    return true;
}

static bool fake_fill(device_pointer to, uint32_t word, int64_t words) {
    for (int64_t i = 0; i < words; i++) memcpy((char *)(uintptr_t)to + 4 * i, &word, 4);
    return true;
}

static double get(device_pointer from, enum element element, int64_t i) {
    const void *at = (const void *)(uintptr_t)from;
    return element == FP64 ? ((const double *)at)[i] : (double)((const float *)at)[i];
}

static void put(device_pointer to, enum element element, int64_t i, double value) {
    void *at = (void *)(uintptr_t)to;
    if (element == FP64) {
        ((double *)at)[i] = value;
    } else {
        ((float *)at)[i] = (float)value;
    }
}

static double rounded(enum element element, double value) {
    return element == FP64 ? value : (float)value;
}

// Returns an input as a faulty kernel would read it: rounded to fewer bits.
static double narrowed(enum element element, double value) {
    int exponent;
    const int bits = fake_fault == FAKE_BF16_INPUTS ? 8 : element == FP64 ? 24 : 11;
    if (fake_fault != FAKE_NARROW_INPUTS && fake_fault != FAKE_BF16_INPUTS) return value;
    frexp(value, &exponent);
    return ldexp(rint(ldexp(value, bits - exponent)), exponent - bits);
}

static void compute(const struct gemm *g, int64_t extra_k, bool always_read_c) {
    const enum element e = g->element;
    for (int64_t i = 0; i < g->m; i++) {
        for (int64_t j = 0; j < g->n; j++) {
            double sum = 0;
            for (int64_t p = 0; p < g->k + extra_k; p++) {
                sum = rounded(e, sum + narrowed(e, get(g->a, e, i * g->lda + p)) *
                                           narrowed(e, get(g->b, e, p * g->ldb + j)));
            }
            const int64_t at = i * g->ldc + j;
            const bool reads_c = g->beta != 0 || always_read_c;
            put(g->c, e, at,
                reads_c ? g->alpha * sum + g->beta * get(g->c, e, at) : g->alpha * sum);
        }
    }
}

// Computes C, then applies the fault in fake_fault.
static void compute_with_fault(const struct gemm *g) {
    const enum element e = g->element;
    const int64_t last = (g->m - 1) * g->ldc + g->n - 1, middle = g->m / 2 * g->ldc;
    const size_t size = (size_t)element_bytes(e);
    char *row = malloc((size_t)g->n * size), *c = (char *)(uintptr_t)g->c;
    char unwritten[8];
    // memcpy, since a conversion would change a NaN's payload
    memcpy(unwritten, c + (size_t)last * size, size);
    memcpy(row, c + (size_t)middle * size, (size_t)g->n * size);
    compute(g, fake_fault == FAKE_READS_GAP, fake_fault == FAKE_READS_C);
    switch (fake_fault) {
    case FAKE_WRONG_ELEMENT:
        put(g->c, e, last,
            get(g->c, e, last) +
                (double)(g->k + 2) * (double)(g->k + 2) * (e == FP64 ? 0x1p-51 : 0x1p-22));
        break;
    case FAKE_NAN_ELEMENT:
        put(g->c, e, last, NAN);
        break;
    case FAKE_INF_ELEMENT:
        put(g->c, e, last, INFINITY);
        break;
    case FAKE_UNWRITTEN:
        memcpy(c + (size_t)last * size, unwritten, size);
        break;
    case FAKE_UNWRITTEN_ROW:
        memcpy(c + (size_t)middle * size, row, (size_t)g->n * size);
        break;
    case FAKE_WRONG_MIDDLE_ROW:
        put(g->c, e, middle + g->n / 2, get(g->c, e, middle + g->n / 2) + 1);
        break;
    case FAKE_GUARD_BEFORE:
        put(g->c, e, -1, 0);
        break;
    case FAKE_GUARD_AFTER:
        put(g->c, e, last + 1, 0);
        break;
    case FAKE_GAP:
        put(g->c, e, g->n, 0);
        break;
    case FAKE_WRITES_A:
        put(g->a, e, 0, 7);
        break;
    case FAKE_DROPPED_TERM:
        put(g->c, e, last,
            get(g->c, e, last) -
                g->alpha * get(g->a, e, (g->m - 1) * g->lda) * get(g->b, e, g->n - 1));
        break;
    case FAKE_FLOAT_SUM:
        put(g->c, e, last, (float)get(g->c, e, last));
        break;
    default:
        break;
    }
    free(row);
}

static bool fake_launch(struct kernel *kernel, const struct launch *l) {
    void **p = l->arguments;
    fake_launches++;
    if (fake_fault == FAKE_LAUNCH_ERROR) return backend_fail("the fake launch failed");
    const struct gemm gemm = {
        .element = fake_element,
        .m = *(int *)p[0],
        .n = *(int *)p[1],
        .k = *(int *)p[2],
        .alpha = fake_element == FP64 ? *(double *)p[3] : *(float *)p[3],
        .a = *(device_pointer *)p[4],
        .lda = *(int *)p[5],
        .b = *(device_pointer *)p[6],
        .ldb = *(int *)p[7],
        .beta = fake_element == FP64 ? *(double *)p[8] : *(float *)p[8],
        .c = *(device_pointer *)p[9],
        .ldc = *(int *)p[10],
    };
    compute_with_fault(&gemm);
    return true;
}

static bool fake_baseline(const struct gemm *gemm) {
    compute(gemm, 0, false);
    return true;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool fake_synchronize(void) {
    return true;
}

static bool fake_start(void) {
    start_time = seconds_now();
    return true;
}

static bool fake_stop(void) {
    stop_time = seconds_now();
    return true;
}

static bool fake_elapsed(double *milliseconds) {
    *milliseconds = (stop_time - start_time) * 1e3;
    return true;
}

// Reports 1000 MHz, 100 W, and an energy in mJ that grows by 100 J per second.
static void fake_read_sensors(struct sensors *sensors) {
    *sensors = (struct sensors){1000, 100, seconds_now() * 100 * 1e3};
}

static void *fake_allocate_host(size_t bytes) {
    return malloc(bytes);
}

static void fake_release_host(void *memory) {
    free(memory);
}

const struct backend backend_fake = {
    .name = "fake",
    .timed = true,
    .open = fake_open,
    .close = fake_close,
    .load = fake_load,
    .unload = fake_unload,
    .occupancy = fake_occupancy,
    .allocate = fake_allocate,
    .release = fake_release,
    .allocate_host = fake_allocate_host,
    .release_host = fake_release_host,
    .to_device = fake_to_device,
    .to_host = fake_to_host,
    .on_device = fake_on_device,
    .fill = fake_fill,
    .launch = fake_launch,
    .baseline = fake_baseline,
    .synchronize = fake_synchronize,
    .start = fake_start,
    .stop = fake_stop,
    .elapsed = fake_elapsed,
    .flush_cache = fake_synchronize,
    .read_sensors = fake_read_sensors,
};
