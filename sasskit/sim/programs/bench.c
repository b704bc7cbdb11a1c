// Measures the speed of the simulator (with its checks, except that of device memory for races) and
// of the timing model: warp instructions per second, for one kernel of the course.
//
//     build/bench_sim FILE.cubin KERNEL BLOCK_M BLOCK_N THREADS N [HOST_THREADS [SHARED_BYTES]]
#include "base/file.h"
#include "model/sm.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Times the model, which simulates one SM on one core of the host.
static bool bench_model(struct sim_kernel *kernel, struct sim_memory *memory,
                        const struct sim_launch *launch, struct error *error) {
    double best = INFINITY, count = 0;
    for (int i = 0; i < 5; i++) {
        struct sm_result result;
        const double start = now(CLOCK_PROCESS_CPUTIME_ID);
        if (!sm_time(kernel, memory, launch, &sm_machines[0], (struct sm_wish){0}, &result, error))
            return false;
        best = fmin(best, now(CLOCK_PROCESS_CPUTIME_ID) - start);
        count = (double)result.instructions;
        sm_result_clear(&result);
    }
    printf("its time predicted: %.0f warp instructions in %.3f s: %.1f million a second and core\n",
           count, best, 1e-6 * count / best);
    return true;
}

int main(int argc, char **argv) {
    struct error error = {.message = "not enough host memory"};
    streams_guard();
    if (argc < 7) {
        fprintf(stderr, "usage: bench_sim FILE.cubin KERNEL BLOCK_M BLOCK_N THREADS N "
                        "[HOST_THREADS [SHARED_BYTES]]\n");
        return 2;
    }
    const int bm = atoi(argv[3]), bn = atoi(argv[4]), threads = atoi(argv[5]),
              host = argc > 7 ? atoi(argv[7]) : 1;
    const int shared = argc > 8 ? atoi(argv[8]) : 0;
    int n = atoi(argv[6]);
    float alpha = 1, beta = 0;
    struct sim_memory *memory = sim_memory_open();
    struct sim_kernel *kernel = sim_kernel_open(argv[1], argv[2], &error);
    struct sim_result *result = kernel ? sim_result_open(kernel) : NULL;
    uint64_t matrix[3];
    for (int i = 0; i < 3; i++) {
        matrix[i] = sim_allocate(memory, 4ll * n * n);
        float *host_matrix = matrix[i] ? sim_host(memory, matrix[i], 4ll * n * n) : NULL;
        for (long k = 0; host_matrix && k < (long)n * n; k++) host_matrix[k] = (float)(k % 17) - 8;
    }
    const void *arguments[] = {&n,         &n, &n,    &alpha,     &matrix[0], &n,
                               &matrix[1], &n, &beta, &matrix[2], &n};
    const struct sim_launch launch = {
        .grid = {(uint32_t)((n + bn - 1) / bn), (uint32_t)((n + bm - 1) / bm), 1},
        .block = {(uint32_t)threads, 1, 1},
        .shared_bytes = (uint32_t)shared,
        .arguments = arguments,
        .host_threads = host};
    double best = INFINITY;
    for (int i = 0; result && i < 5; i++) {
        sim_result_clear(result);
        const double start = now(CLOCK_MONOTONIC);
        if (!sim_run(kernel, memory, &launch, result, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        const double took = now(CLOCK_MONOTONIC) - start;
        if (took < best) best = took;
    }
    if (!result) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const double count = sim_counter(result, "smsp__inst_executed.sum");
    printf(
        "%s N = %d: %.0f warp instructions in %.3f s: %.1f million a second and core (%d cores)\n",
        argv[2], n, count, best, 1e-6 * count / best / host, host);
    if (!bench_model(kernel, memory, &launch, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    sim_result_close(result);
    sim_kernel_close(kernel);
    sim_memory_close(memory);
    return 0;
}
