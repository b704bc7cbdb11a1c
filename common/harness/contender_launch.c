// Launches a contender's kernels on a problem.
#include "compose.h"
#include "contender.h"

#include <string.h>

// the largest gridDim.y (CUDA C++ Programming Guide, "Compute Capabilities")
enum { MOST_BLOCK_ROWS = 65535 };

static struct situation situation_of(const struct contender *c, const struct gemm *g) {
    struct situation situation;
    // The struct's padding bytes are cleared, too, because situations are compared by memcmp().
    memset(&situation, 0, sizeof situation);
    situation.m = (int)g->m;
    situation.n = (int)g->n;
    situation.k = (int)g->k;
    situation.ldb = (int)g->ldb;
    situation.ldc = (int)g->ldc;
    situation.multiprocessors = c->multiprocessors;
    situation.capability = c->capability;
    situation.machine_code = c->machine_code;
    situation.reads_c = g->beta != 0;
    situation.device = c->device;
    return situation;
}

static struct gemm gemm_of(const struct problem *p) {
    return (struct gemm){
        .element = p->c.element,
        .m = p->c.rows,
        .n = p->c.cols,
        .k = p->a.cols,
        .lda = p->a.ld,
        .ldb = p->b.ld,
        .ldc = p->c.ld,
        .alpha = p->alpha,
        .beta = p->beta,
        .a = matrix_address(&p->a, 0),
        .b = matrix_address(&p->b, 0),
        .c = matrix_address(&p->c, 0),
        .a_texture = p->a_texture,
        .b_texture = p->b_texture,
    };
}

// Returns the GEMM that computes rows [row, row + rows) and columns [col, col + cols) of C.
static struct gemm part_of(const struct gemm *g, int64_t row, int64_t col, int64_t rows,
                           int64_t cols) {
    struct gemm part = *g;
    const uint64_t bytes = (uint64_t)element_bytes(g->element);
    part.m = rows;
    part.n = cols;
    part.a += (uint64_t)(row * g->lda) * bytes;
    part.b += (uint64_t)col * bytes;
    part.c += (uint64_t)(row * g->ldc + col) * bytes;
    // A texture covers a whole matrix, so a kernel that computes only a part gets no textures.
    if (rows != g->m || cols != g->n) part.a_texture = part.b_texture = 0;
    return part;
}

static struct gemm band_of(const struct gemm *g, int64_t first, int64_t rows) {
    return part_of(g, first, 0, rows, g->n);
}

struct gemm rows_of(const struct problem *p, int64_t first, int64_t rows) {
    const struct gemm gemm = gemm_of(p);
    return band_of(&gemm, first, rows);
}

static bool launch_rows(struct contender *c, const struct backend *backend, const struct gemm *g,
                        int64_t first, int64_t rows);

// The context of compose_multiply() and compose_launch().
struct composing {
    struct contender *by;
    const struct backend *backend;
};

static bool compose_multiply(void *context, const struct gemm *g) {
    const struct composing *with = context;
    return g->m == 0 || g->n == 0 || launch_rows(with->by->leaf, with->backend, g, 0, g->m);
}

static bool compose_launch(void *context, int pass, int64_t grid_x, int64_t grid_y,
                           void **arguments) {
    const struct composing *with = context;
    const struct pass *of = &extras_of(with->by->variant)->passes.pass[pass];
    const struct launch launch = {.grid_x = grid_x,
                                  .grid_y = grid_y,
                                  .threads = of->threads,
                                  .shared_bytes = of->shared_bytes,
                                  .arguments = arguments};
    return with->backend->launch(with->by->pass_kernels[pass], &launch);
}

static bool launch_composed(struct contender *c, const struct backend *backend,
                            const struct gemm *g) {
    const struct situation situation = situation_of(c, g);
    const struct extras *more = extras_of(c->variant);
    struct composing with = {c, backend};
    if (!scratch_fit(&c->workspace, backend, more->passes.scratch_bytes(&situation))) return false;
    const struct composer composer = {
        .variant = c->variant,
        .scratch = c->workspace.buffer + SCRATCH_HEAD_BYTES,
        .at_once = (int64_t)c->blocks_per_sm * c->multiprocessors,
        .context = &with,
        .multiply = compose_multiply,
        .launch = compose_launch,
    };
    return more->composed.compose(&composer, g);
}

static bool launch_band(struct contender *c, const struct backend *backend,
                        const struct gemm *gemm) {
    if (!c->step) {
        struct gemm baseline = *gemm;
        baseline.default_math = c->default_math;
        baseline.algorithm = c->algorithm;
        return backend->baseline(&baseline);
    }
    if (c->leaf) return launch_composed(c, backend, gemm);
    if (extras_of(c->variant)->passes.pass) {
        return launch_passes(backend, c->pass_kernels, c->variant, c->multiprocessors,
                             &c->workspace, gemm);
    }
    if (!c->pad_kernel) return launch_gemm(backend, c->kernel, c->variant, c->blocks, gemm);
    return launch_padded(backend, c->kernel, c->pad_kernel, c->variant, c->blocks, &c->workspace,
                         gemm);
}

static bool launch_chosen(struct contender *c, const struct backend *backend, const struct gemm *g);

// Launches the kernels for rows [first, first + rows) of C. A chooser requires all rows of C.
static bool launch_rows(struct contender *c, const struct backend *backend, const struct gemm *g,
                        int64_t first, int64_t rows) {
    if (c->candidates) return launch_chosen(c, backend, g);
    const bool whole = !c->step || launches_whole(c->variant);
    const int64_t end = first + rows,
                  band = whole ? rows : (int64_t)MOST_BLOCK_ROWS * c->variant->block_m;
    for (; first < end; first += band) {
        const struct gemm gemm = band_of(g, first, end - first < band ? end - first : band);
        if (!launch_band(c, backend, &gemm)) return false;
    }
    return true;
}

// Launches the variants of the chooser's plan. The first launch on a problem makes the plan, and
// sharing_for() remembers it for later launches.
static bool launch_chosen(struct contender *c, const struct backend *backend,
                          const struct gemm *g) {
    const struct situation situation = situation_of(c, g);
    const struct sharing *sharing = sharing_for(c, &situation);
    for (int i = 0; sharing && i < sharing->count; i++) {
        const struct share *share = &sharing->shares[i];
        const struct planned *p = &share->part;
        const struct gemm part = part_of(g, p->row, p->col, p->rows, p->cols);
        share->by->blocks.parts = p->parts;
        if (!launch_rows(share->by, backend, &part, 0, part.m)) return false;
    }
    return sharing != NULL;
}

struct situation contender_situation(const struct contender *c, const struct problem *p) {
    const struct gemm gemm = gemm_of(p);
    return situation_of(c, &gemm);
}

bool contender_launch(struct contender *c, const struct problem *p) {
    const struct gemm gemm = gemm_of(p);
    // as in BLAS, an empty C needs no computation
    if (p->c.rows == 0 || p->c.cols == 0) return true;
    return launch_rows(c, p->backend, &gemm, 0, p->c.rows);
}
