// Launches the kernels of a recipe.
#include "base/arith.h"
#include "copy.h"
#include "internal.h"
#include "launch_gemm.h"
#include "tensor.h"

#include <string.h>

// Addresses of the parts of a call's memory, in this order.
struct addresses {
    device_pointer zeros;   // ZERO_BYTES per product that has planes
    device_pointer planes;  // scratch memory; it begins with the planes of A and B (tensor.h)
    device_pointer a, b;    // copies of the operands
    device_pointer product; // A B, before it is combined into C
};

struct run {
    struct sgemm_context *handle;
    struct recipe *recipe;
    const struct product *whole;
    struct scalars scalars;
    const sgemm_extra *extra;
    struct addresses at;
};

// A piece: a part of the batch, of C and of K.
struct batch_piece {
    int64_t batch, row, col, k;    // the first index in each dimension
    int64_t products, m, n, depth; // the length in each dimension
};

static bool launched(bool good) {
    return good || refuse(SGEMM_FAILED, "%s", backend_error());
}

// --- copies --------------------------------------------------------------------------------------
static struct matrices matrices_from(const struct operand *o, int64_t batch, int64_t offset) {
    if (o->list)
        return (struct matrices){NULL, (float *const *)(uintptr_t)(o->list + 8 * (uint64_t)batch),
                                 o->ld, 0, offset};
    return (struct matrices){(float *)(uintptr_t)o->at, NULL, o->ld, o->stride,
                             batch * o->stride + offset};
}

// Returns the offset in memory of element (row, col) of op(operand), in elements.
static int64_t offset_in(const struct operand *o, int64_t row, int64_t col) {
    return o->transposed ? col * o->ld + row : row * o->ld + col;
}

static bool launch_copy(struct run *run, int kernel, int64_t rows, int64_t cols, int tile_rows,
                        int64_t batch, void *argument) {
    struct loaded *loaded = load_own(run->handle, false);
    void *arguments[] = {argument};
    const struct launch launch = {.grid_x = (rows + tile_rows - 1) / tile_rows *
                                            ((cols + COPY_TILE - 1) / COPY_TILE),
                                  .grid_y = batch,
                                  .threads = COPY_THREADS,
                                  .arguments = arguments};
    return loaded &&
           launched(run->handle->device->backend->launch(loaded->kernels[kernel], &launch));
}

// Copies the (rows, cols) submatrix of op(*o) at (row, col) to `to`, for each product of a piece.
// The copies are `bytes` apart.
static bool copy(struct run *run, const struct operand *o, const struct batch_piece *p, int64_t row,
                 int64_t col, int64_t rows, int64_t cols, device_pointer to, int64_t bytes) {
    struct copying c = {(int)rows,
                        (int)cols,
                        o->transposed,
                        matrices_from(o, p->batch, offset_in(o, row, col)),
                        {(float *)(uintptr_t)to, NULL, cols, bytes / 4, 0}};
    return launch_copy(run, COPY_GATHER, rows, cols, COPY_TILE, p->products, &c);
}

// Returns the address of a piece's bias. Sets *per_row to true if the bias has one element per row
// of the row-major C, to false if it has one per column.
static const float *bias_of(const struct run *run, const struct batch_piece *p, bool *per_row) {
    const bool by_columns = run->recipe->problem.order == SGEMM_COLUMN_MAJOR;
    *per_row = by_columns == (run->extra->bias_of_columns != 0);
    return run->extra->bias + (*per_row ? p->row : p->col);
}

// Sets C to alpha sum + beta source + bias; without a source, C is the source. The sum is over
// `parts` products, which lie one after the other from `product` on; it is 0 if there are none.
static bool combine(struct run *run, const struct batch_piece *p, int parts,
                    device_pointer product) {
    const struct operand *c = &run->whole->c;
    const sgemm_extra *extra = run->extra;
    bool of_row = false;
    struct combining w = {
        .rows = (int)p->m,
        .cols = (int)p->n,
        .parts = parts,
        .part_stride = p->m * p->n,
        .alpha = run->scalars.alpha,
        .beta = run->scalars.beta,
        .alpha_at = run->scalars.alpha_at,
        .beta_at = run->scalars.beta_at,
        .product = {(float *)(uintptr_t)product, NULL, p->n, run->recipe->separate_bytes / 4, 0},
        .to = matrices_from(c, p->batch, offset_in(c, p->row, p->col))};
    w.from = w.to;
    if (extra && extra->source) {
        const struct operand source = {extra->lds, extra->stride_s, false,
                                       (uint64_t)(uintptr_t)extra->source, 0};
        w.from = matrices_from(&source, p->batch, offset_in(&source, p->row, p->col));
    }
    if (extra && extra->bias) w.bias = bias_of(run, p, &of_row);
    w.bias_of_row = of_row;
    return launch_copy(run, COPY_COMBINE, p->m, p->n, COPY_THREADS / COPY_TILE, p->products, &w);
}

// --- products ------------------------------------------------------------------------------------
// The operands of one call of multiply(). Invariant: operand.list is 0, and A and B are transposed
// only if the recipe's way is BY_TENSOR.
struct call_factors {
    struct operand a, b, c;
    float alpha, beta;
    const float *bias; // added by tensor.cu; NULL if there is none
    bool bias_of_row;  // true if the bias has one element per row of C, not per column
};

static int64_t parts_of(int64_t k, int64_t part_k) {
    return part_k ? (k + part_k - 1) / part_k : 1;
}

// Returns the argument of tensor.cu's kernels. If K is cut into parts, they become a batch of
// products, each with its own matrix C, the next columns of A and the next rows of B.
static struct tensor_product tensor_of(const struct run *run, const struct batch_piece *p,
                                       const struct call_factors *f) {
    const struct recipe *r = run->recipe;
    struct tensor_product t = {
        .m = (int)p->m,
        .n = (int)p->n,
        .k = (int)p->depth,
        .lda = (int)f->a.ld,
        .ldb = (int)f->b.ld,
        .ldc = (int)f->c.ld,
        .products = (int)p->products,
        .a_down = f->a.transposed,
        .b_down = !f->b.transposed,
        .bias_of_row = f->bias_of_row,
        .alpha = f->alpha,
        .beta = f->beta,
        .a = (const float *)(uintptr_t)f->a.at,
        .b = (const float *)(uintptr_t)f->b.at,
        .c = (float *)(uintptr_t)f->c.at,
        .bias = f->bias,
        .stride_a = f->a.stride,
        .stride_b = f->b.stride,
        .stride_c = f->c.stride,
        .zeros = (char *)(uintptr_t)run->at.zeros,
        .scratch = (char *)(uintptr_t)run->at.planes,
        .mend_items = r->mend_items,
    };
    if (r->part_k) {
        t.products = (int)parts_of(p->depth, r->part_k);
        t.k = (int)r->part_k;
        t.k_all = (int)p->depth;
        t.stride_a = offset_in(&f->a, 0, r->part_k);
        t.stride_b = offset_in(&f->b, r->part_k, 0);
        t.stride_c = p->m * p->n;
    }
    t.scratch_bytes = tensor_bytes(t.m, t.n, t.k, t.mend_items);
    return t;
}

static bool by_tensor(struct run *run, const struct batch_piece *p, const struct call_factors *f) {
    struct loaded *loaded = load_own(run->handle, true);
    const struct tensor_product t = tensor_of(run, p, f);
    const struct layout l = make_layout(t.m, t.n, t.k, 3), a = side_of(l, 0, t.m),
                        b = side_of(l, 1, t.n);
    const int64_t sms = run->handle->info.multiprocessors;
    const enum survey by = survey_of(&t);
    const int64_t surveyed =
        side_survey_blocks(a, t.a_down, by) + side_survey_blocks(b, t.b_down, by);
    const int64_t of_columns = (t.a_down ? split_blocks(a) : 0) + (t.b_down ? split_blocks(b) : 0);
    // Number of blocks of split(). Usually the survey has split all lines. Then split() has work
    // only if FP16 cannot hold the inputs, and gets as many blocks as fill the device. With
    // SURVEY_PARTS, split() must also split the operands that are down (tensor.h), and gets
    // split_blocks() blocks for them.
    const int64_t split =
        by == SURVEY_PARTS && of_columns > 0 ? of_columns : (4 * sms + t.products - 1) / t.products;
    const int64_t tiles = l.rows_a / WHOLE_COLS * (l.rows_b / WHOLE_COLS) * t.products,
                  mending = 2 * sms / t.products;
    const int64_t grids[][2] = {{by == SURVEY_PARTS ? surveyed : 0, t.products},
                                {by == SURVEY_SHORT ? surveyed : 0, t.products},
                                {by == SURVEY_HELD_BY_TWO ? surveyed : 0, t.products},
                                {by == SURVEY_HELD ? surveyed : 0, t.products},
                                {split, t.products},
                                {min(tiles, sms / 2 * 2), 1},
                                {mending > 4 ? mending : 4, t.products}};
    void *arguments[] = {(void *)&t};
    for (int i = 0; loaded && tensor_kernels[i].kernel; i++) {
        if (grids[i][0] == 0) continue;
        const struct launch launch = {
            .grid_x = grids[i][0],
            .grid_y = grids[i][1],
            .threads = tensor_kernels[i].threads,
            .shared_bytes = i == SURVEY_HELD || i == SURVEY_HELD_BY_TWO
                                ? (int)held_bytes(l, by)
                                : tensor_kernels[i].shared_bytes,
            .overlaps = !run->recipe->captured,
            .arguments = arguments,
        };
        if (!launched(run->handle->device->backend->launch(loaded->kernels[i], &launch)))
            return false;
    }
    return loaded != NULL;
}

static bool by_passes(struct run *run, const struct gemm *g) {
    const struct variant *v = run->recipe->variant;
    struct loaded *loaded = load_variant(run->handle, v);
    // Step 13's kernels require a zeroed head directly before the planes. It is in the last
    // SCRATCH_HEAD_BYTES bytes of the ZERO_BYTES at run->at.zeros.
    struct workspace w = {run->at.planes - SCRATCH_HEAD_BYTES, INT64_MAX};
    return loaded && launched(launch_passes(run->handle->device->backend, loaded->kernels, v,
                                            run->handle->info.multiprocessors, &w, g));
}

// Launches the recipe's FP32 kernels. They were chosen for a whole piece. A piece at the border of
// C may be smaller, so each launch is clipped to the piece.
static bool by_fp32(struct run *run, const struct gemm *g) {
    const struct recipe *r = run->recipe;
    for (int i = 0; i < r->shares; i++) {
        const int64_t row = r->share[i].row, col = r->share[i].col;
        struct gemm part = *g;
        if (row >= g->m || col >= g->n) continue;
        struct loaded *loaded = load_variant(run->handle, r->share[i].variant);
        if (!loaded) return false;
        part.m = min(r->share[i].rows, g->m - row);
        part.n = min(r->share[i].cols, g->n - col);
        part.a += (uint64_t)(row * g->lda) * 4;
        part.b += (uint64_t)col * 4;
        part.c += (uint64_t)(row * g->ldc + col) * 4;
        if (!launched(launch_gemm(run->handle->device->backend, loaded->kernels[0],
                                  r->share[i].variant,
                                  (struct blocks){loaded->at_once, r->share[i].parts}, &part)))
            return false;
    }
    return true;
}

static bool multiply(struct run *run, const struct batch_piece *p, const struct call_factors *f) {
    if (run->recipe->way == BY_TENSOR) return by_tensor(run, p, f);
    for (int64_t i = 0; i < p->products; i++) {
        const struct gemm g = {
            .element = FP32,
            .m = p->m,
            .n = p->n,
            .k = p->depth,
            .lda = f->a.ld,
            .ldb = f->b.ld,
            .ldc = f->c.ld,
            .alpha = f->alpha,
            .beta = f->beta,
            .a = f->a.at + (uint64_t)(4 * i * f->a.stride),
            .b = f->b.at + (uint64_t)(4 * i * f->b.stride),
            .c = f->c.at + (uint64_t)(4 * i * f->c.stride),
        };
        if (!(run->recipe->way == BY_PASSES ? by_passes(run, &g) : by_fp32(run, &g))) return false;
    }
    return true;
}

// Sets *ready to the operand that multiply() reads: the original one or, if `copied`, a copy at
// `to`.
static bool prepare(struct run *run, const struct operand *o, const struct batch_piece *p,
                    bool copied, int64_t row, int64_t col, int64_t rows, int64_t cols,
                    device_pointer to, int64_t bytes, struct operand *ready) {
    *ready = *o;
    ready->at += (uint64_t)(4 * (p->batch * o->stride + offset_in(o, row, col)));
    if (!copied) return true;
    *ready = (struct operand){cols, bytes / 4, false, to, 0};
    return copy(run, o, p, row, col, rows, cols, to, bytes);
}

// Returns true if tensor.cu can add the bias itself, because C is written only once.
static bool adds_bias(const struct run *run) {
    const struct recipe *r = run->recipe;
    return r->way == BY_TENSOR && !r->separate && !run->extra->source && r->k >= run->whole->k;
}

// Computes one piece of C. The products of the pieces along K are added one after the other: to C
// or, if r->separate, to the memory at run->at.product.
static bool run_piece(struct run *run, struct batch_piece p) {
    const struct recipe *r = run->recipe;
    const struct product *w = run->whole;
    const bool biased = run->extra && adds_bias(run),
               prepared = run->extra && !r->separate && !biased;
    struct call_factors f = {.c = w->c, .alpha = r->separate ? 1 : run->scalars.alpha};
    f.beta = r->separate ? 0 : prepared ? 1 : run->scalars.beta;
    f.c.at += (uint64_t)(4 * (p.batch * w->c.stride + offset_in(&w->c, p.row, p.col)));
    if (r->separate) f.c = (struct operand){p.n, r->separate_bytes / 4, false, run->at.product, 0};
    if (biased) f.bias = bias_of(run, &p, &f.bias_of_row);
    if (prepared && !combine(run, &p, 0, 0)) return false; // sets C to beta source + bias first
    for (p.k = 0; p.k < w->k; p.k += r->k, f.beta = 1) {
        p.depth = min(r->k, w->k - p.k);
        if (!prepare(run, &w->a, &p, r->copies_a, p.row, p.k, p.m, p.depth, run->at.a, r->copy_a,
                     &f.a) ||
            !prepare(run, &w->b, &p, r->copies_b, p.k, p.col, p.depth, p.n, run->at.b, r->copy_b,
                     &f.b) ||
            !multiply(run, &p, &f))
            return false;
    }
    return !r->separate ||
           combine(run, &p, (int)parts_of(min(r->k, w->k), r->part_k), run->at.product);
}

// Computes C = beta source + bias for a problem whose alpha or K is 0.
static bool run_without(struct run *run) {
    const struct product *w = run->whole;
    const int64_t most = 1 << 30;
    for (int64_t b = 0; b < w->batch; b += 32768)
        for (int64_t row = 0; row < w->m; row += most)
            for (int64_t col = 0; col < w->n; col += most) {
                const struct batch_piece p = {b,
                                              row,
                                              col,
                                              0,
                                              min(32768, w->batch - b),
                                              min(most, w->m - row),
                                              min(most, w->n - col),
                                              0};
                if (!combine(run, &p, 0, 0)) return false;
            }
    return true;
}

static bool run_pieces(struct run *run) {
    const struct recipe *r = run->recipe;
    const struct product *w = run->whole;
    for (int64_t b = 0; b < w->batch; b += r->batch)
        for (int64_t row = 0; row < w->m; row += r->m)
            for (int64_t col = 0; col < w->n; col += r->n) {
                const struct batch_piece p = {b,
                                              row,
                                              col,
                                              0,
                                              min(r->batch, w->batch - b),
                                              min(r->m, w->m - row),
                                              min(r->n, w->n - col),
                                              0};
                if (!run_piece(run, p)) return false;
            }
    return true;
}

// Runs all pieces. Their launches become one CUDA graph if the device has graphs and the stream is
// not being captured itself.
static bool run_series(struct run *run) {
    const struct device *device = run->handle->device;
    if (run->recipe->captured || !device->begin) return run_pieces(run);
    device->begin(&run->recipe->series);
    const bool good = run_pieces(run);
    return device->end(good) ? good : run_pieces(run);
}

// --- memory --------------------------------------------------------------------------------------
// Ensures that the handle's memory has at least `bytes` bytes. The start of new memory is not
// zeroed yet.
static bool keep_memory(struct sgemm_context *h, int64_t bytes) {
    if (bytes <= h->memory.bytes) return true;
    give_memory(h, h->memory);
    h->memory = (struct memory){0};
    h->zeros = 0;
    if (!take_memory(h, bytes, &h->memory.at)) return false;
    h->memory.bytes = bytes;
    return true;
}

// Returns how many products have planes at the same time.
static int64_t scratches_of(const struct recipe *r) {
    return r->way == BY_TENSOR ? r->batch * parts_of(r->k, r->part_k) : 1;
}

static struct addresses addresses_in(const struct recipe *r, device_pointer memory) {
    const int64_t scratches = scratches_of(r);
    struct addresses at = {.zeros = memory, .planes = memory + (uint64_t)(scratches * ZERO_BYTES)};
    at.a = at.planes + (uint64_t)(scratches * r->scratch);
    at.b = at.a + (uint64_t)(r->batch * r->copy_a);
    at.product = at.b + (uint64_t)(r->batch * r->copy_b);
    return at;
}

bool run_recipe(struct sgemm_context *h, struct recipe *r, struct scalars scalars,
                const struct product *product, const sgemm_extra *extra) {
    struct run run = {h, r, product, scalars, extra, {0}};
    struct memory memory = {0, r->bytes};
    if (product->k == 0 || (!scalars.alpha_at && scalars.alpha == 0)) return run_without(&run);
    if (r->bytes == 0) return run_series(&run);
    // A captured call gets memory of its own, because replays of the graph may run at the same time
    // as other calls.
    if (r->captured ? !take_memory(h, r->bytes, &memory.at) : !keep_memory(h, r->bytes))
        return false;
    const int64_t zeros = r->scratch == 0 ? 0 : scratches_of(r) * ZERO_BYTES;
    run.at = addresses_in(r, r->captured ? memory.at : h->memory.at);
    bool good = (!r->captured && zeros <= h->zeros) ||
                launched(h->device->backend->fill(run.at.zeros, 0, zeros / 4));
    good = good && run_series(&run);
    if (r->captured)
        give_memory(h, memory);
    else
        h->zeros = good ? zeros > 0 ? zeros : min(h->zeros, ZERO_BYTES) : 0;
    return good;
}
