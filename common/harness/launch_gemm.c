// Launches a variant's kernels, with padded copies or scratch memory where they need it.
#include "launch_gemm.h"
#include "base/arith.h"

#include <limits.h>
#include <string.h>

enum { PAD_THREADS = 256, PAD_MOST_BLOCK_ROWS = 512 };

bool launches_whole(const struct variant *v) {
    const struct extras *more = extras_of(v);
    return more->grid.linear || more->grid.persistent || more->passes.pass;
}

int64_t row_of_blocks(const struct variant *v, struct blocks blocks, int64_t tiles) {
    const struct grid *grid = &extras_of(v)->grid;
    const int64_t parts = blocks.parts > 0 && grid->max_blocks ? blocks.parts : 1;
    if (!grid->persistent)
        return tiles * (tiles * parts <= grid->max_blocks ? parts
                        : tiles < grid->max_blocks        ? grid->max_blocks / tiles
                                                          : 1);
    if (!grid->max_blocks) return min(tiles, blocks.at_once);
    // A block that computes whole tiles waits for no other, so the blocks need not all run at once.
    if (blocks.parts == 1 && tiles <= grid->max_blocks) return tiles;
    return min(blocks.parts > 0 ? tiles * parts : blocks.at_once,
               min(blocks.at_once, grid->max_blocks));
}

// A kernel's arguments: their values, and a pointer to each in the order of the parameters.
enum { GEMM_PARAMETERS = 11 };
struct gemm_arguments {
    int m, n, k, lda, ldb, ldc;
    float alpha, beta; // for FP32 kernels; FP64 kernels get gemm.alpha and gemm.beta
    struct gemm gemm;
    void *pointers[GEMM_PARAMETERS + 2];
};

static void gather_arguments(struct gemm_arguments *to, const struct gemm *g) {
    *to = (struct gemm_arguments){(int)g->m,       (int)g->n,      (int)g->k,
                                  (int)g->lda,     (int)g->ldb,    (int)g->ldc,
                                  (float)g->alpha, (float)g->beta, .gemm = *g};
    const bool wide = g->element == FP64;
    void *pointers[] = {&to->m,
                        &to->n,
                        &to->k,
                        wide ? (void *)&to->gemm.alpha : &to->alpha,
                        &to->gemm.a,
                        &to->lda,
                        &to->gemm.b,
                        &to->ldb,
                        wide ? (void *)&to->gemm.beta : &to->beta,
                        &to->gemm.c,
                        &to->ldc,
                        &to->gemm.a_texture,
                        &to->gemm.b_texture}; // launch_passes() replaces a_texture by scratch
    memcpy(to->pointers, pointers, sizeof pointers);
}

bool launch_gemm(const struct backend *backend, struct kernel *kernel, const struct variant *v,
                 struct blocks blocks, const struct gemm *g) {
    struct gemm_arguments arguments;
    gather_arguments(&arguments, g);
    // least_bytes: the kernel must read A, B and, if beta is not 0, C. Elements that it writes do
    // not count, because they may stay in the L2 cache.
    const int64_t elements = g->m * g->k + g->k * g->n + (g->beta == 0 ? 0 : g->m * g->n);
    const int64_t tiles_n = divide_up(g->n, v->block_n), tiles_m = divide_up(g->m, v->block_m);
    const struct launch launch = {
        .grid_x = launches_whole(v) ? row_of_blocks(v, blocks, tiles_n * tiles_m) : tiles_n,
        .grid_y = launches_whole(v) ? 1 : tiles_m,
        .threads = v->threads,
        .shared_bytes = v->shared_bytes,
        .arguments = arguments.pointers,
        .least_bytes = elements * element_bytes(g->element)};
    return backend->launch(kernel, &launch);
}

void workspace_free(struct workspace *w, const struct backend *backend) {
    if (w->buffer) backend->release(w->buffer);
    *w = (struct workspace){0};
}

static bool workspace_fit(struct workspace *w, const struct backend *backend, int64_t bytes) {
    if (bytes <= w->bytes) return true;
    workspace_free(w, backend);
    if (!backend->allocate(bytes, 0, &w->buffer)) return false;
    w->bytes = bytes;
    return true;
}

// A matrix, padded or not, that the pad kernel copies from or to.
struct padded_matrix {
    int64_t rows, cols, ld;
    device_pointer at;
};

static bool copy(const struct backend *backend, struct kernel *pad_kernel,
                 struct padded_matrix from, struct padded_matrix to) {
    int rows = (int)from.rows, cols = (int)from.cols, ld_from = (int)from.ld;
    int to_rows = (int)to.rows, to_cols = (int)to.cols, ld_to = (int)to.ld;
    void *arguments[] = {&rows, &cols, &from.at, &ld_from, &to.at, &ld_to, &to_rows, &to_cols};
    const struct launch launch = {.grid_x = divide_up(to_cols, PAD_THREADS),
                                  .grid_y = min(to_rows, PAD_MOST_BLOCK_ROWS),
                                  .threads = PAD_THREADS,
                                  .arguments = arguments};
    return to_rows == 0 || to_cols == 0 || backend->launch(pad_kernel, &launch);
}

bool launch_padded(const struct backend *backend, struct kernel *kernel, struct kernel *pad_kernel,
                   const struct variant *v, struct blocks blocks, struct workspace *w,
                   const struct gemm *g) {
    const int64_t m = round_up(g->m, v->block_m), n = round_up(g->n, v->block_n),
                  k = round_up(g->k, extras_of(v)->padded.block_k);
    const int bytes = element_bytes(g->element);
    const int64_t a_bytes = round_up(m * k * bytes, 256), b_bytes = round_up(k * n * bytes, 256);
    if (m > INT_MAX || n > INT_MAX || k > INT_MAX) {
        return backend_fail("%s: the padded matrices would have more than %d rows or columns: "
                            "choose a smaller --shape",
                            v->name, INT_MAX);
    }
    if (!workspace_fit(w, backend, a_bytes + b_bytes + m * n * bytes)) return false;
    const struct padded_matrix a = {g->m, g->k, g->lda, g->a}, padded_a = {m, k, k, w->buffer};
    const struct padded_matrix b = {g->k, g->n, g->ldb, g->b},
                               padded_b = {k, n, n, padded_a.at + (uint64_t)a_bytes};
    const struct padded_matrix c = {g->m, g->n, g->ldc, g->c},
                               padded_c = {m, n, n, padded_b.at + (uint64_t)b_bytes};
    const struct gemm padded = {
        .element = g->element,
        .m = m,
        .n = n,
        .k = k,
        .lda = k,
        .ldb = n,
        .ldc = n,
        .alpha = g->alpha,
        .beta = g->beta,
        .a = padded_a.at,
        .b = padded_b.at,
        .c = padded_c.at,
    };
    return copy(backend, pad_kernel, a, padded_a) && copy(backend, pad_kernel, b, padded_b) &&
           (g->beta == 0 || copy(backend, pad_kernel, c, padded_c)) &&
           launch_gemm(backend, kernel, v, blocks, &padded) &&
           copy(backend, pad_kernel, (struct padded_matrix){g->m, g->n, n, padded_c.at}, c);
}

bool scratch_fit(struct workspace *w, const struct backend *backend, int64_t bytes) {
    const int64_t before = w->bytes;
    if (!workspace_fit(w, backend, SCRATCH_HEAD_BYTES + bytes)) return false;
    return w->bytes == before || backend->fill(w->buffer, 0, SCRATCH_HEAD_BYTES / 4);
}

bool launch_passes(const struct backend *backend, struct kernel *const *kernels,
                   const struct variant *v, int multiprocessors, struct workspace *w,
                   const struct gemm *g) {
    const struct situation situation = {
        .m = (int)g->m, .n = (int)g->n, .k = (int)g->k, .multiprocessors = multiprocessors};
    const struct passes *passes = &extras_of(v)->passes;
    if (!scratch_fit(w, backend, passes->scratch_bytes(&situation))) return false;
    struct gemm_arguments arguments;
    gather_arguments(&arguments, g);
    arguments.pointers[GEMM_PARAMETERS] = &w->buffer;
    for (int i = 0; passes->pass[i].kernel; i++) {
        const struct launch launch = {.grid_x = passes->pass[i].blocks(&situation),
                                      .grid_y = 1,
                                      .threads = passes->pass[i].threads,
                                      .shared_bytes = passes->pass[i].shared_bytes,
                                      .arguments = arguments.pointers};
        if (launch.grid_x > 0 && !backend->launch(kernels[i], &launch)) return false;
    }
    return true;
}
