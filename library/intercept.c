// Finds the functions of the real cuBLAS, and keeps the table of SGEMM_LOG.
#include "intercept.h"
#include "backend/driver.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local bool inside;

// --- the functions of the real cuBLAS ------------------------------------------------------------
// A search for a loaded library. It also finds libraries that dlopen() loaded with RTLD_LOCAL.
struct library_search {
    const char *file; // part of the library's path, for example "/libcublas.so"
    char path[4096];  // the library's whole path, set if it is found
};

static int is_library(struct dl_phdr_info *info, size_t size, void *data) {
    struct library_search *search = data;
    const char *at = strstr(info->dlpi_name, search->file);
    if (!at) return 0;
    snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
    return 1;
}

static void *open_loaded(const char *file) {
    struct library_search search = {.file = file};
    return dl_iterate_phdr(is_library, &search) ? dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD)
                                                : NULL;
}

bool find_real(const char *name, void **function) {
    void *found = __atomic_load_n(function, __ATOMIC_ACQUIRE);
    if (found) return true;
    void *library =
        open_loaded(strncmp(name, "cublasLt", 8) == 0 ? "/libcublasLt.so" : "/libcublas.so");
    found = library ? dlsym(library, name) : dlsym(RTLD_NEXT, name);
    __atomic_store_n(function, found, __ATOMIC_RELEASE);
    if (!found)
        fprintf(stderr, "libsgemm_cublas: the loaded cuBLAS has no %s: CUDA 12 or 13 is needed\n",
                name);
    return found != NULL;
}

// --- the table of SGEMM_LOG ----------------------------------------------------------------------
enum { MOST_ROWS = 1000 };
static struct row {
    const char *entry, *why;
    sgemm_problem p;
    int64_t calls;
    double milliseconds;
} rows[MOST_ROWS];
static int row_count;
static int64_t left_out; // number of calls for which the table had no room
// process whose calls the table has, 0 if it has none; a forked child starts with an empty table
static pid_t counted_in;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool logs(void) {
    static int wanted = -1;
    if (wanted < 0) {
        const char *wish = getenv("SGEMM_LOG");
        wanted = wish && *wish && strcmp(wish, "0") != 0;
    }
    return wanted;
}

// Returns true if the stream is being captured into a CUDA graph, so that its launches cannot be
// timed.
static bool captured(void *stream) {
    bool is = true;
    if (!device_gpu.enter(current_context(), stream)) return true;
    const bool known = device_gpu.capturing(&is);
    device_gpu.leave();
    return !known || is;
}

void start_timing(struct timing *t, void *stream) {
    t->events[0] = t->events[1] = NULL;
    if (!logs() || !current_context() || captured(stream)) return;
    if (cuda(cuEventCreate)((CUevent *)&t->events[0], CU_EVENT_DEFAULT) != CUDA_SUCCESS) return;
    if (cuda(cuEventRecord)(t->events[0], stream) != CUDA_SUCCESS) t->events[0] = NULL;
}

double stop_timing(struct timing *t, void *stream) {
    float milliseconds = 0;
    if (!t->events[0]) return 0;
    if (cuda(cuEventCreate)((CUevent *)&t->events[1], CU_EVENT_DEFAULT) != CUDA_SUCCESS) return 0;
    if (cuda(cuEventRecord)(t->events[1], stream) == CUDA_SUCCESS &&
        cuda(cuEventSynchronize)(t->events[1]) == CUDA_SUCCESS)
        cuda(cuEventElapsedTime)(&milliseconds, t->events[0], t->events[1]);
    for (int i = 0; i < 2; i++) cuda(cuEventDestroy)(t->events[i]);
    return milliseconds;
}

static bool alike(const struct row *r, const char *entry, const sgemm_problem *p, const char *why) {
    return r->entry == entry && r->why == why && r->p.order == p->order && r->p.a == p->a &&
           r->p.b == p->b && r->p.m == p->m && r->p.n == p->n && r->p.k == p->k &&
           r->p.batch == p->batch;
}

void log_call(const char *entry, const sgemm_problem *p, const char *why, double milliseconds) {
    if (!logs()) return;
    pthread_mutex_lock(&lock);
    int i = 0;
    if (counted_in != getpid()) row_count = 0, left_out = 0, counted_in = getpid();
    while (i < row_count && !alike(&rows[i], entry, p, why)) i++;
    if (i == row_count && i < MOST_ROWS) rows[row_count++] = (struct row){entry, why, *p, 0, 0};
    if (i < row_count) {
        rows[i].calls++;
        rows[i].milliseconds += milliseconds;
    } else {
        left_out++;
    }
    pthread_mutex_unlock(&lock);
}

static int by_time(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    return x->milliseconds < y->milliseconds ? 1 : x->milliseconds > y->milliseconds ? -1 : 0;
}

// Prints why no call was intercepted, if this process has loaded the CUDA driver. Prints nothing in
// other processes, for example a shell.
static void explain_no_calls(void) {
    struct library_search driver = {.file = "/libcuda.so"}, cublas = {.file = "/libcublas.so"};
    if (!dl_iterate_phdr(is_library, &driver)) return;
    if (dl_iterate_phdr(is_library, &cublas))
        fprintf(stderr,
                "libsgemm_cublas: no cuBLAS call was intercepted: the program has loaded %s, but "
                "calls no matrix "
                "product of it, or finds its functions by dlsym, as JAX does\n",
                cublas.path);
    else
        fprintf(stderr,
                "libsgemm_cublas: no cuBLAS call was intercepted: libcublas.so is not loaded, so "
                "the program uses no "
                "cuBLAS or is linked with the static one: link it with the shared library\n");
}

__attribute__((destructor)) static void print_rows(void) {
    static const char letters[] = "NTC";
    double taken = 0, all = 0;
    if (!logs()) return;
    if (counted_in == 0) explain_no_calls();
    if (counted_in != getpid()) return;
    qsort(rows, (size_t)row_count, sizeof *rows, by_time);
    fprintf(stderr, "libsgemm_cublas:\n%7s %10s  %-4s %22s %6s  %-28s %s\n", "calls", "ms", "",
            "m x n x k", "batch", "function", "libsgemm, or why cuBLAS");
    for (int i = 0; i < row_count; i++) {
        const struct row *r = &rows[i];
        char shape[80];
        snprintf(shape, sizeof shape, "%lld x %lld x %lld", (long long)r->p.m, (long long)r->p.n,
                 (long long)r->p.k);
        fprintf(stderr, "%7lld %10.3f  %c%c%-2s %22s %6lld  %-28s %s\n", (long long)r->calls,
                r->milliseconds, letters[(unsigned)r->p.a % 3], letters[(unsigned)r->p.b % 3],
                r->p.order == SGEMM_ROW_MAJOR ? "r" : "", shape,
                (long long)(r->p.batch ? r->p.batch : 1), r->entry, r->why ? r->why : "libsgemm");
        all += r->milliseconds;
        if (!r->why) taken += r->milliseconds;
    }
    fprintf(stderr, "%.3f of %.3f ms in calls that libsgemm computed", taken, all);
    if (left_out)
        fprintf(stderr, "; %lld calls are missing, as the table has %d rows", (long long)left_out,
                MOST_ROWS);
    fprintf(stderr, "\n");
}
