// What runs in a race.
#include "contender.h"
#include "say.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_BLOCK_ROWS = 65535 }; // gridDim.y, CUDA C++ Programming Guide, "Compute Capabilities"

const char *contender_step(const struct contender *c) {
    return c->step ? c->step->name : "cublas";
}

const char *contender_variant(const struct contender *c) {
    return c->variant ? c->variant->name : "pedantic";
}

bool find_cubin(char *path, int size, const char *folder, int compute_capability, const struct choice *choice) {
    for (int capability = compute_capability; capability >= compute_capability / 10 * 10; capability--) {
        snprintf(path, (size_t)size, "%s/sm_%d/%s/%s.cubin", folder, capability, choice->step->name,
                 choice->variant->name);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}

bool contender_load(struct contender *c, const struct backend *backend, const struct device_info *info,
                    const char *folder, const struct choice *choice) {
    char path[4096];
    *c = (struct contender){.step = choice->step, .variant = choice->variant};
    const struct variant *v = choice->variant;
    if (!find_cubin(path, sizeof path, folder, info->compute_capability, choice)) {
        return complain("no cubin of %s/%s for this device (sm_%d) in %s: build it with `make ARCH=sm_%d`",
                        choice->step->name, v->name, info->compute_capability, folder, info->compute_capability);
    }
    if (!backend->load(path, choice->step->kernel, v->shared_bytes, &c->kernel, &c->info) ||
        !backend->occupancy(c->kernel, v->threads, v->shared_bytes, &c->blocks_per_sm)) {
        return complain("%s/%s: %s", choice->step->name, v->name, backend_error());
    }
    c->blocks_at_once = (int64_t)c->blocks_per_sm * info->multiprocessors;
    return true;
}

void contender_unload(struct contender *c, const struct backend *backend) {
    if (c->kernel) backend->unload(c->kernel);
    c->kernel = NULL;
}

static bool launch_baseline(const struct problem *p) {
    const struct gemm gemm = {.m = p->c.rows,
                              .n = p->c.cols,
                              .k = p->a.cols,
                              .lda = p->a.ld,
                              .ldb = p->b.ld,
                              .ldc = p->c.ld,
                              .alpha = p->alpha,
                              .beta = p->beta,
                              .a = matrix_address(&p->a, 0),
                              .b = matrix_address(&p->b, 0),
                              .c = matrix_address(&p->c, 0)};
    return p->backend->baseline(&gemm);
}

// Rows [first, first + rows) of C.
static bool launch_band(const struct contender *c, const struct problem *p, int64_t first, int64_t rows) {
    int m = (int)rows, n = (int)p->c.cols, k = (int)p->a.cols;
    int lda = (int)p->a.ld, ldb = (int)p->b.ld, ldc = (int)p->c.ld;
    float alpha = p->alpha, beta = p->beta;
    device_pointer a_address = matrix_address(&p->a, first), b_address = matrix_address(&p->b, 0);
    device_pointer c_address = matrix_address(&p->c, first);
    void *arguments[] = {&m, &n, &k, &alpha, &a_address, &lda, &b_address, &ldb, &beta, &c_address, &ldc};
    const struct variant *v = c->variant;
    const int64_t tiles_n = (n + (int64_t)v->block_n - 1) / v->block_n;
    const int64_t tiles_m = (m + (int64_t)v->block_m - 1) / v->block_m;
    const int64_t tiles = tiles_m * tiles_n;
    const struct launch launch = {.grid_x = !v->persistent                ? tiles_n
                                            : tiles < c->blocks_at_once ? tiles
                                                                        : c->blocks_at_once,
                                  .grid_y = v->persistent ? 1 : tiles_m,
                                  .threads = v->threads,
                                  .shared_bytes = v->shared_bytes,
                                  .arguments = arguments,
                                  .least_bytes =
                                      4 * ((int64_t)m * k + (int64_t)k * n + (beta == 0 ? 1 : 2) * (int64_t)m * n)};
    return p->backend->launch(c->kernel, &launch);
}

bool contender_launch(const struct contender *c, const struct problem *p) {
    if (p->c.rows == 0 || p->c.cols == 0) return true; // nothing to compute, as in BLAS
    if (!c->step) return launch_baseline(p);
    const int64_t band = c->variant->persistent ? p->c.rows : (int64_t)MOST_BLOCK_ROWS * c->variant->block_m;
    for (int64_t first = 0; first < p->c.rows; first += band) {
        const int64_t rows = p->c.rows - first < band ? p->c.rows - first : band;
        if (!launch_band(c, p, first, rows)) return false;
    }
    return true;
}
