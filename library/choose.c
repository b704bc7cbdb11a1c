// Chooses the kernels for a problem by their expected times, and divides the problem into pieces
// that respect the memory limit.
#include "../steps/13_tensor_cores/safe.h"
#include "base/arith.h"
#include "internal.h"
#include "tensor.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SIDE = 1 << 30, PIECE = 256, LEAST_K = 1024, MOST_PARTS = 8, LEAST_PART = 512 };
// Launch overhead and throughput of a copying kernel, measured on an H100.
static const double COPY_US = 3, COPY_BYTES_PER_US = 2.5e6;
// Corrections of step 13's expected time of one tile of C, in microseconds. They depend on the
// width of the tile's stores. Measured on an H100.
static const double LINES_US = -0.5;  // for stores of whole 128-byte lines
static const double PAIRS_US = 3;     // for stores of two floats
static const double SCATTERED_US = 8; // for stores of one float

static const double MOST_BYTES = 0x1p62; // set_bytes() replaces more bytes than this by INT64_MAX

// --- the problem, row-major ----------------------------------------------------------------------
struct product product_of(const sgemm_problem *p) {
    const struct operand a = {p->lda, p->stride_a, p->a != SGEMM_N, 0, 0},
                         b = {p->ldb, p->stride_b, p->b != SGEMM_N, 0, 0},
                         c = {p->ldc, p->stride_c, false, 0, 0};
    // Read as row-major, a column-major matrix is transposed: the product is C' = op(B)' op(A)'.
    const bool by_columns = p->order == SGEMM_COLUMN_MAJOR;
    return (struct product){
        by_columns ? p->n : p->m, by_columns ? p->m : p->n, p->k, p->batch ? p->batch : 1,
        by_columns ? b : a,       by_columns ? a : b,       c};
}

static struct situation situation_of(const struct sgemm_context *h, int64_t m, int64_t n,
                                     int64_t k) {
    return (struct situation){
        .m = (int)m,
        .n = (int)n,
        .k = (int)k,
        .multiprocessors = h->info.multiprocessors,
        .capability = h->info.compute_capability,
        .machine_code = h->info.compute_capability == 90,
        .device = h->info.name,
    };
}

static const struct variant *variant_named(const struct step *step, const char *name) {
    for (int v = 0; step->variants[v].name; v++)
        if (strcmp(step->variants[v].name, name) == 0) return &step->variants[v];
    return NULL;
}

// Returns the variant `name` of the step `shapes` or, if there is none, of step 10.
static const struct variant *fp32_variant(const char *name) {
    const struct variant *own = variant_named(shapes_entry, name);
    return own ? own : variant_named(block_order_entry, name);
}

static const struct chooser *dispatch(void) {
    return &extras_of(variant_named(shapes_entry, "dispatch"))->choice;
}

// --- expected times, in microseconds -------------------------------------------------------------
static double copy_time(const struct operand *o, int64_t rows, int64_t cols, int64_t batch) {
    return o->transposed ? COPY_US + 8.0 * (double)(rows * cols * batch) / COPY_BYTES_PER_US : 0;
}
static double copies_time(const struct product *p) {
    return copy_time(&p->a, p->m, p->k, p->batch) + copy_time(&p->b, p->k, p->n, p->batch);
}

// Returns the expected time of tensor.cu for `products` products. `wide` is true if FP16 cannot
// hold the inputs: then tensor.cu splits them again, into three pieces instead of two, and computes
// six MMAs per pair of operand tiles instead of three.
static double tensor_time_of(const struct sgemm_context *h, const struct product *p, int64_t k,
                             int64_t products, bool wide) {
    const struct launches_cost *c = &tensor_cost_of(h->info.name)->mended;
    const struct layout l = make_layout(p->m, p->n, k, 3);
    // c->of_a is the cost of an element that is read once, c->of_b the cost of an element that is
    // read twice. An operand is read once if it is contiguous along K, or if the SMs can hold it
    // until it is split (enum survey).
    const double of_down =
        survey_by(l, p->a.transposed, !p->b.transposed) == SURVEY_PARTS ? c->of_b : c->of_a;
    const double of_a = p->a.transposed ? of_down : c->of_a,
                 of_b = p->b.transposed ? c->of_a : of_down;
    const double elements =
        c->row * (double)l.rows_a +
        (of_a * (double)l.rows_a + of_b * (double)l.rows_b) * (double)(l.tiles_k * TILE_K);
    const int64_t blocks = l.rows_a / WHOLE_COLS * (l.rows_b / WHOLE_COLS) * products;
    const int64_t rounds = (blocks + h->info.multiprocessors - 1) / h->info.multiprocessors;
    const double stores = p->c.ld % 4 == 0 ? LINES_US : p->c.ld % 2 == 0 ? PAIRS_US : SCATTERED_US;
    return c->launches + (wide ? 3 : 1) * elements * (double)products +
           (double)rounds * (c->round + stores + (wide ? 2 : 1) * c->tile_k * (double)l.tiles_k);
}

// Returns the expected time if K is cut into parts of length part_k, with the time to sum the
// products of the parts. If part_k is 0, K is not cut.
static double parted_time(const struct sgemm_context *h, const struct product *p, int64_t part_k,
                          bool wide) {
    if (part_k == 0) return tensor_time_of(h, p, p->k, p->batch, wide);
    const int64_t count = (p->k + part_k - 1) / part_k;
    const double summed = 4.0 * (double)((count + 1) * p->m * p->n) / COPY_BYTES_PER_US;
    return tensor_time_of(h, p, part_k, count, wide) + COPY_US + summed;
}

// Returns the expected time with the best number of parts of K, and sets *part_k to their length,
// or to 0 if one part is best. If C has few tiles, several parts of K keep all SMs busy.
static double tensor_time(const struct sgemm_context *h, const struct product *p, int64_t *part_k) {
    double best = parted_time(h, p, 0, false);
    *part_k = 0;
    for (int parts = 2; p->batch == 1 && parts <= MOST_PARTS && p->k >= parts * LEAST_PART;
         parts++) {
        const int64_t k = round_up((p->k + parts - 1) / parts, TILE_K);
        const double time = parted_time(h, p, k, false);
        if (time < best) best = time, *part_k = k;
    }
    return best;
}

// Returns a lower bound of the time of any FP32 kernel, at the peak rate of FP32.
static double fp32_least(const struct sgemm_context *h, const struct product *p) {
    const double flops_per_us = 2.0 * h->info.lanes * h->info.multiprocessors * h->info.clock_mhz;
    return 2.0 * (double)p->m * (double)p->n * (double)p->k * (double)p->batch / flops_per_us;
}

// --- the choice ----------------------------------------------------------------------------------
// Makes all launches compute K in one part, without stream-K kernels, because the stream is being
// captured into a CUDA graph. Kernels that split K keep partial sums in global variables, and
// concurrent replays of the graph would share these variables.
static void unsplit(struct recipe *r) {
    for (int i = 0; i < r->shares; i++) {
        r->share[i].parts = 1;
        if (extras_of(r->share[i].variant)->grid.persistent)
            r->share[i].variant = fp32_variant("grouped");
    }
}

static struct situation piece_situation(const struct sgemm_context *h, const struct recipe *r) {
    const struct product p = product_of(&r->problem);
    struct situation s = situation_of(h, r->m, r->n, r->k);
    s.ldb = r->copies_b ? 0 : (int)p.b.ld;
    s.ldc = r->separate ? 0 : (int)p.c.ld;
    return s;
}

// Sets the recipe's launches for one piece to the plan that `dispatch` chooses.
static bool share_out(const struct sgemm_context *h, struct recipe *r) {
    const struct situation s = piece_situation(h, r);
    const struct plan plan = dispatch()->choose(&s);
    for (r->shares = 0; r->shares < plan.count; r->shares++) {
        const struct planned *l = &plan.launches[r->shares];
        r->share[r->shares].variant = fp32_variant(l->variant);
        r->share[r->shares].parts = l->parts;
        r->share[r->shares].row = l->row, r->share[r->shares].col = l->col;
        r->share[r->shares].rows = l->rows, r->share[r->shares].cols = l->cols;
    }
    if (r->captured) unsplit(r);
    return true;
}

struct candidate {
    enum way way;
    const char *variant;
    double time;
    int64_t part_k;
};

static void consider(struct candidate *best, enum way way, const char *variant, double time) {
    if (time < best->time) *best = (struct candidate){way, variant, time, 0};
}

// Returns the fastest candidate on tensor cores. Adds 10 % to the expected times of few_rows and
// few_cols of step 13: they recompute rows and columns in FP32 more slowly than tensor.cu.
static struct candidate best_safe(const struct sgemm_context *h, const struct product *p) {
    const struct situation s = situation_of(h, p->m, p->n, p->k);
    struct candidate best = {BY_TENSOR, NULL, 0, 0};
    best.time = tensor_time(h, p, &best.part_k);
    consider(&best, BY_PASSES, "few_rows",
             1.1 * ((double)p->batch * few_rows_time(&s) + copies_time(p)));
    consider(&best, BY_PASSES, "few_cols",
             1.1 * ((double)p->batch * few_cols_time(&s) + copies_time(p)));
    return best;
}

static struct candidate best_fp32(const struct sgemm_context *h, const struct product *p) {
    struct situation s = situation_of(h, p->m, p->n, p->k);
    s.ldb = p->b.transposed || p->b.ld > INT_MAX ? 0 : (int)p->b.ld;
    s.ldc = p->c.ld > INT_MAX ? 0 : (int)p->c.ld;
    const double one = dispatch()->expects(&s);
    return (struct candidate){BY_FP32, NULL, (double)p->batch * one + copies_time(p), 0};
}

// Returns the fastest candidate that `method` allows; cuBLAS if there are no kernels for this GPU.
// For K up to SHORT_SUM the candidate is an FP32 kernel: the error bound of so short a sum is less
// than the error of tensor cores.
static struct candidate choose(const struct sgemm_context *h, const struct product *p,
                               sgemm_method method) {
    const bool safe = h->has_tensor && p->k > SHORT_SUM && method != SGEMM_DISPATCH;
    struct candidate best = {BY_FP32, NULL, INFINITY, 0};
    if (!h->has_images || method == SGEMM_CUBLAS) return (struct candidate){BY_CUBLAS, NULL, 0, 0};
    if (safe) best = best_safe(h, p);
    if (safe && (method == SGEMM_SAFE || best.time <= fp32_least(h, p))) return best;
    const struct candidate fp32 = best_fp32(h, p);
    return fp32.time < best.time ? fp32 : best;
}

// --- pieces --------------------------------------------------------------------------------------
// Returns true if an operand must be copied before it is multiplied. `listed` is true if its
// matrices are given as a list of pointers. All kernels require matrices at equal distances and a
// leading dimension that fits an int. All except tensor.cu require operands that are not
// transposed.
static bool is_copied(const struct recipe *r, const struct operand *o, bool listed) {
    return listed || o->ld > INT_MAX || (o->transposed && r->way != BY_TENSOR);
}

// Returns how many partial sums of the kernel mend() fit into a product's scratch memory; with 0,
// mend() does not split K. All products share one sum per block of mend(), two per SM. A product
// gets at most MOST_MEND_ITEMS, and no more than mend() needs for every 64th row and every 64th
// column of C: one sum per tile of 64 x 64 elements and per 256 k's.
static int mend_items(const struct sgemm_context *h, const struct recipe *r, int64_t products,
                      int64_t k) {
    const int64_t down = (r->m + 63) / 64, across = (r->n + 63) / 64;
    const int64_t tiles = (down + 63) / 64 * across + (across + 63) / 64 * down,
                  parts = (k + 255) / 256;
    const int64_t items = min(2 * h->info.multiprocessors / products, tiles * parts);
    return products > 32 || parts < 2 ? 0 : (int)min(items, MOST_MEND_ITEMS);
}

// Sets the recipe's numbers of bytes from the size of its pieces.
static void set_bytes(const struct sgemm_context *h, struct recipe *r) {
    const struct situation s = situation_of(h, r->m, r->n, r->k);
    const int64_t parts = r->part_k ? (r->k + r->part_k - 1) / r->part_k : 1,
                  products = r->batch * parts;
    const int64_t k = r->part_k ? r->part_k : r->k;
    r->mend_items = mend_items(h, r, products, k);
    r->scratch = r->way == BY_TENSOR ? tensor_bytes(r->m, r->n, k, r->mend_items)
                 : r->way == BY_PASSES
                     ? round_up(extras_of(r->variant)->passes.scratch_bytes(&s), 256)
                     : 0;
    r->copy_a = r->copies_a ? round_up(4 * r->m * r->k, 256) : 0;
    r->copy_b = r->copies_b ? round_up(4 * r->k * r->n, 256) : 0;
    r->separate_bytes = r->separate ? round_up(4 * r->m * r->n * parts, 256) : 0;
    const int64_t scratches = r->way == BY_TENSOR ? products : 1,
                  all = r->copy_a + r->copy_b + r->separate_bytes;
    const double bytes =
        (double)scratches * (double)(ZERO_BYTES + r->scratch) + (double)r->batch * (double)all;
    r->bytes = r->scratch + all == 0 ? 0
               : bytes > MOST_BYTES  ? INT64_MAX
                                     : scratches * (ZERO_BYTES + r->scratch) + r->batch * all;
}

// Halves the batch of the pieces. If it is 1, halves the longer side of C instead; if that is
// minimal, halves K. Returns false if all three are minimal.
static bool halve(struct recipe *r) {
    int64_t *side = r->m > r->n ? &r->m : &r->n;
    if (r->batch > 1)
        r->batch = (r->batch + 1) / 2;
    else if (*side > PIECE)
        *side = round_up(*side / 2, PIECE);
    else if (r->k > LEAST_K)
        r->k = round_up(r->k / 2, LEAST_K);
    else
        return false;
    return true;
}

bool make_recipe(const struct sgemm_context *h, const sgemm_problem *problem, bool captured,
                 int64_t most, struct recipe *r) {
    const struct product p = product_of(problem);
    memset(r, 0, sizeof *r);
    r->problem = *problem;
    r->captured = captured;
    if (problem->method == SGEMM_SAFE && !h->has_tensor)
        return refuse(SGEMM_UNSUPPORTED,
                      "SGEMM_SAFE requires the tensor cores of sm_90, and this GPU is %s (sm_%d): "
                      "use SGEMM_AUTO",
                      h->info.name, h->info.compute_capability);
    r->m = min(p.m, MOST_SIDE), r->n = min(p.n, MOST_SIDE), r->k = min(p.k, MOST_SIDE);
    const struct product whole = {r->m, r->n, r->k, p.batch, p.a, p.b, p.c};
    const struct candidate best = choose(h, &whole, problem->method);
    r->way = best.way;
    r->microseconds = best.time;
    r->most_microseconds = best.way == BY_TENSOR   ? parted_time(h, &whole, best.part_k, true)
                           : best.way == BY_PASSES ? 2 * best.time
                                                   : best.time;
    r->made = true;
    if (r->way == BY_CUBLAS) return true;
    if (best.variant) r->variant = variant_named(tensor_cores_entry, best.variant);
    r->copies_a = is_copied(r, &p.a, problem->pointers);
    r->copies_b = is_copied(r, &p.b, problem->pointers);
    r->part_k = best.part_k;
    r->separate = problem->device_scalars || problem->pointers || p.c.ld > INT_MAX || r->part_k > 0;
    r->batch = min(p.batch, 32768);
    for (set_bytes(h, r); r->bytes > most; set_bytes(h, r)) {
        if (!halve(r))
            return refuse(SGEMM_NO_MEMORY,
                          "the smallest piece of this problem takes %lld bytes, and the limit is "
                          "%lld: raise most_bytes",
                          (long long)r->bytes, (long long)most);
    }
    return r->way != BY_FP32 || share_out(h, r);
}

const char *recipe_kernel(const struct recipe *r, char *name, size_t size) {
    if (r->way == BY_CUBLAS) return NULL;
    snprintf(name, size, "%s/%s",
             r->way == BY_TENSOR ? "library"
             : r->way == BY_FP32 ? step_of(r->share[0].variant)->name
                                 : step_of(r->variant)->name,
             r->way == BY_TENSOR ? "tensor"
             : r->way == BY_FP32 ? r->share[0].variant->name
                                 : r->variant->name);
    return name;
}
