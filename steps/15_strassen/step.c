#include "step.h"
#include "compose.h"

#include <math.h>

#define LEAF "10_block_order/dispatch"

enum { THREADS = 256, COLUMNS = 256, ROWS = 4, MOST_BLOCK_ROWS = 65535 }; // of the kernels' blocks (kernel.cu)
enum { SUMS_OF_A, SUMS_OF_B, GATHER, ADD };

// The halves of a problem's sides; those of columns are multiples of 4, so that quarters of rows begin as rows do.
struct halves {
    int64_t m, n, k;
};

static struct halves halves_of(int64_t m, int64_t n, int64_t k) {
    return (struct halves){(m + 1) / 2, (n + 7) / 8 * 4, (k + 7) / 8 * 4};
}

// Whether all four quarters of A, B and C have elements.
static bool can_be_quartered(int64_t m, int64_t n, int64_t k) {
    const struct halves h = halves_of(m, n, k);
    return m > h.m && n > h.n && k > h.k;
}

// Elements of the four sums of either side and of the seven products.
static int64_t elements_of(struct halves h) {
    return 4 * h.m * h.k + 4 * h.k * h.n + 7 * h.m * h.n;
}

// Products are computed one after another, so they share what the levels below need.
static int64_t bytes_of(int64_t m, int64_t n, int64_t k, int levels) {
    int64_t elements = 0;
    for (; levels > 0 && can_be_quartered(m, n, k); levels--) {
        const struct halves h = halves_of(m, n, k);
        elements += elements_of(h);
        m = h.m, n = h.n, k = h.k;
    }
    return elements * (int64_t)sizeof(float);
}
static int64_t bytes_of_one(const struct situation *s) {
    return bytes_of(s->m, s->n, s->k, 1);
}
static int64_t bytes_of_two(const struct situation *s) {
    return bytes_of(s->m, s->n, s->k, 2);
}
static int64_t bytes_of_three(const struct situation *s) {
    return bytes_of(s->m, s->n, s->k, 3);
}

// --- one level --------------------------------------------------------------------------------------------------------------------

static device_pointer offset(device_pointer from, int64_t elements) {
    return from + (uint64_t)elements * sizeof(float);
}

// Rows and columns of a quarter, or of a sum or product.
struct part {
    device_pointer at;
    int64_t ld, rows, cols;
};

// Quarter 0 to 3 (11, 12, 21, 22) of a matrix.
static struct part quarter(struct part x, int64_t half_rows, int64_t half_cols, int number) {
    const bool low = number / 2, right = number % 2;
    return (struct part){offset(x.at, (low ? half_rows * x.ld : 0) + (right ? half_cols : 0)), x.ld,
                         low ? x.rows - half_rows : half_rows, right ? x.cols - half_cols : half_cols};
}

// Launches a kernel on all of a quarter.
static bool launch(const struct composer *c, int phase, int64_t rows, int64_t cols, void **arguments) {
    const int64_t turns = (rows + ROWS - 1) / ROWS;
    return c->launch(c->context, phase, (cols + COLUMNS - 1) / COLUMNS,
                     turns < MOST_BLOCK_ROWS ? turns : MOST_BLOCK_ROWS, arguments);
}

// The four sums of the quarters of X, one behind the other from `sums` on.
static bool sum_up(const struct composer *c, int phase, struct part x, int64_t half_rows, int64_t half_cols,
                   device_pointer sums) {
    int rows = (int)x.rows, cols = (int)x.cols, ld = (int)x.ld, h_rows = (int)half_rows, h_cols = (int)half_cols;
    void *arguments[] = {&rows, &cols, &x.at, &ld, &h_rows, &h_cols, &sums};
    return launch(c, phase, half_rows, half_cols, arguments);
}

static bool gather(const struct composer *c, const struct gemm *g, struct halves h, device_pointer products) {
    int rows = (int)g->m, cols = (int)g->n, h_rows = (int)h.m, h_cols = (int)h.n, ldc = (int)g->ldc;
    float alpha = (float)g->alpha, beta = (float)g->beta;
    device_pointer to = g->c;
    void *arguments[] = {&rows, &cols, &products, &h_rows, &h_cols, &alpha, &beta, &to, &ldc};
    return launch(c, GATHER, h.m, h.n, arguments);
}

// What one level works on: the quarters, the sums (s, t) and products (p) in scratch memory, counted from 1 as in kernel.cu.
struct level {
    struct halves half;
    struct part a[4], b[4], s[5], t[5], p[8];
};

static struct level level_of(const struct gemm *g, device_pointer scratch) {
    struct level l = {.half = halves_of(g->m, g->n, g->k)};
    const struct halves h = l.half;
    const struct part a = {g->a, g->lda, g->m, g->k}, b = {g->b, g->ldb, g->k, g->n};
    for (int i = 0; i < 4; i++) {
        l.a[i] = quarter(a, h.m, h.k, i);
        l.b[i] = quarter(b, h.k, h.n, i);
    }
    for (int i = 1; i <= 4; i++, scratch = offset(scratch, h.m * h.k)) l.s[i] = (struct part){scratch, h.k, h.m, h.k};
    for (int i = 1; i <= 4; i++, scratch = offset(scratch, h.k * h.n)) l.t[i] = (struct part){scratch, h.n, h.k, h.n};
    for (int i = 1; i <= 7; i++, scratch = offset(scratch, h.m * h.n)) l.p[i] = (struct part){scratch, h.n, h.m, h.n};
    return l;
}

static bool multiply(const struct composer *c, const struct gemm *g, int levels, device_pointer scratch);

// P = X Y: as many rows as X has and columns as Y has, and so much of K as both have.
static bool product(const struct composer *c, struct part x, struct part y, struct part p, int levels,
                    device_pointer scratch) {
    const struct gemm g = {.element = FP32,
                           .m = x.rows,
                           .n = y.cols,
                           .k = x.cols < y.rows ? x.cols : y.rows,
                           .lda = x.ld,
                           .ldb = y.ld,
                           .ldc = p.ld,
                           .alpha = 1,
                           .a = x.at,
                           .b = y.at,
                           .c = p.at};
    return multiply(c, &g, levels, scratch);
}

static bool multiply_quarters(const struct composer *c, const struct level *l, int levels, device_pointer scratch) {
    const struct part *a = l->a, *b = l->b, *s = l->s, *t = l->t, *p = l->p;
    return product(c, a[0], b[0], p[1], levels, scratch) && product(c, a[1], b[2], p[2], levels, scratch) &&
           product(c, s[4], b[3], p[3], levels, scratch) && product(c, a[3], t[4], p[4], levels, scratch) &&
           product(c, s[1], t[1], p[5], levels, scratch) && product(c, s[2], t[2], p[6], levels, scratch) &&
           product(c, s[3], t[3], p[7], levels, scratch);
}

static bool multiply(const struct composer *c, const struct gemm *g, int levels, device_pointer scratch) {
    if (levels == 0 || !can_be_quartered(g->m, g->n, g->k)) return c->multiply(c->context, g);
    const struct level l = level_of(g, scratch);
    const struct halves h = l.half;
    const struct part a = {g->a, g->lda, g->m, g->k}, b = {g->b, g->ldb, g->k, g->n};
    return sum_up(c, SUMS_OF_A, a, h.m, h.k, l.s[1].at) && sum_up(c, SUMS_OF_B, b, h.k, h.n, l.t[1].at) &&
           multiply_quarters(c, &l, levels - 1, offset(scratch, elements_of(h))) && gather(c, g, h, l.p[1].at);
}

static bool multiply_at_levels(const struct composer *c, const struct gemm *g) {
    return multiply(c, g, c->variant->composed.levels, c->scratch);
}

// --- every addition a pass of its own -------------------------------------------------------------------------------------------------

// Z = alpha (X + sign Y) + beta Z
static bool add(const struct composer *c, struct part x, float sign, struct part y, float alpha, float beta,
                struct part z) {
    int rows = (int)z.rows, cols = (int)z.cols, ldx = (int)x.ld, ldy = (int)y.ld, ldz = (int)z.ld;
    int x_rows = (int)x.rows, x_cols = (int)x.cols, y_rows = (int)y.rows, y_cols = (int)y.cols;
    void *arguments[] = {&rows, &cols,   &x.at,   &ldx,   &x_rows, &x_cols, &sign, &y.at,
                         &ldy,  &y_rows, &y_cols, &alpha, &beta,   &z.at,   &ldz};
    return launch(c, ADD, z.rows, z.cols, arguments);
}

static bool eight_sums(const struct composer *c, const struct level *l) {
    const struct part *a = l->a, *b = l->b, *s = l->s, *t = l->t;
    return add(c, a[2], 1, a[3], 1, 0, s[1]) && add(c, s[1], -1, a[0], 1, 0, s[2]) &&
           add(c, a[0], -1, a[2], 1, 0, s[3]) && add(c, a[1], -1, s[2], 1, 0, s[4]) &&
           add(c, b[1], -1, b[0], 1, 0, t[1]) && add(c, b[3], -1, t[1], 1, 0, t[2]) &&
           add(c, b[3], -1, b[1], 1, 0, t[3]) && add(c, t[2], -1, b[2], 1, 0, t[4]);
}

// U goes where P6 was, U + P7 where P7 was, U + P5 where U was.
static bool seven_sums(const struct composer *c, const struct gemm *g, const struct level *l) {
    const struct part whole = {g->c, g->ldc, g->m, g->n}, *p = l->p;
    const float alpha = (float)g->alpha, beta = (float)g->beta;
    struct part to[4], p3 = p[3], p4 = p[4];
    for (int i = 0; i < 4; i++) to[i] = quarter(whole, l->half.m, l->half.n, i);
    p3.cols = to[1].cols;
    p4.rows = to[2].rows;
    return add(c, p[1], 1, p[2], alpha, beta, to[0]) && add(c, p[1], 1, p[6], 1, 0, p[6]) &&
           add(c, p[6], 1, p[7], 1, 0, p[7]) && add(c, p[6], 1, p[5], 1, 0, p[6]) &&
           add(c, p[6], 1, p3, alpha, beta, to[1]) && add(c, p[7], -1, p4, alpha, beta, to[2]) &&
           add(c, p[7], 1, p[5], alpha, beta, to[3]);
}

static bool multiply_separately(const struct composer *c, const struct gemm *g) {
    if (!can_be_quartered(g->m, g->n, g->k)) return c->multiply(c->context, g);
    const struct level l = level_of(g, c->scratch);
    return eight_sums(c, &l) && multiply_quarters(c, &l, 0, 0) && seven_sums(c, g, &l);
}

// --- what it states of its error --------------------------------------------------------------------------------------------------------

// The exponent of a matrix's largest element; *finite becomes false where there is an infinity or a NaN.
static int largest_of(const struct extent *extents, int count, bool *finite) {
    int largest = -149;
    for (int i = 0; i < count; i++) {
        if (extents[i].largest > largest) largest = extents[i].largest;
        *finite &= !extents[i].not_finite;
    }
    return largest;
}

// Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, theorem 23.3: with l levels above products of inner size k0 the
// error is at most (18^l (k0^2 + 6 k0) - 6 k) u max|A| max|B|. Products too small for FP32's full precision cost half of the least
// number each. Where a sum of four numbers, or of their products, may pass FP32's range nothing is stated, and neither is anything
// where one is not finite: it spreads over all of C.
static double winograd_limit(const struct operands *o, int levels) {
    const struct situation *s = &o->situation;
    bool finite = true;
    const int a = largest_of(o->rows, s->m, &finite), b = largest_of(o->cols, s->n, &finite), widest = a > b ? a : b;
    if (!finite || widest + 2 * levels > 126 || a + b + 2 + 4 * levels + log2(s->k + 1) > 126) return INFINITY;
    const double inner = ceil(ldexp(s->k, -levels)) + 4; // halves are rounded up to multiples of 4
    return 0x1p-24 * ldexp(pow(18, levels) * inner * (inner + 6), a + b + 2) + pow(18, levels) * s->k * 0x1p-149;
}

// --- when it pays -----------------------------------------------------------------------------------------------------------------------

// Microseconds by what the leaf expects, and by the bytes of the passes.
#define BYTES_PER_US 2.5e6
enum { LAUNCHES_US = 9 }; // of three passes

static double expected(const struct situation *s, int levels) {
    if (levels == 0) return leaf_expects(LEAF, s);
    if (!can_be_quartered(s->m, s->n, s->k)) return INFINITY;
    const struct halves h = halves_of(s->m, s->n, s->k);
    struct situation half = *s;
    half.m = (int)h.m, half.n = (int)h.n, half.k = (int)h.k;
    half.reads_c = false;
    const double elements = (double)s->m * s->k + (double)s->k * s->n + (s->reads_c ? 2.0 : 1.0) * s->m * s->n;
    return 7 * expected(&half, levels - 1) + 4 * (elements + (double)elements_of(h)) / BYTES_PER_US + LAUNCHES_US;
}
static double expected_of_one(const struct situation *s) {
    return expected(s, 1);
}
static double expected_of_two(const struct situation *s) {
    return expected(s, 2);
}
static double expected_of_three(const struct situation *s) {
    return expected(s, 3);
}

static const struct phase passes[] = {
    [SUMS_OF_A] = {"strassen_sums_of_a", THREADS, 0, NULL},
    [SUMS_OF_B] = {"strassen_sums_of_b", THREADS, 0, NULL},
    [GATHER] = {"sgemm_strassen", THREADS, 0, NULL},
    [ADD] = {"strassen_add", THREADS, 0, NULL},
    {0},
};

static const char *const any[] = {LEAF, "15_strassen/one_level", "15_strassen/two_levels", "15_strassen/three_levels",
                                  NULL};

static const struct step strassen = {
    .name = "15_strassen",
    .kernel = "sgemm_strassen",
    .title = "Strassen",
    .idea = "seven products of quarters instead of eight, and fifteen additions",
    .variants =
        {
            {
                .name = "separate",
                .idea = "one level, every addition a pass of its own",
                .block_m = 128,
                .block_n = 128,
                .threads = THREADS,
                .phased = {passes, bytes_of_one},
                .composed = {multiply_separately, LEAF, 1},
                .registers = 47,
                .accuracy.norm_limit = winograd_limit,
            },
            {
                .name = "one_level",
                .idea = "the same in three passes: four sums of A at once, four of B, all of C",
                .block_m = 128,
                .block_n = 128,
                .threads = THREADS,
                .phased = {passes, bytes_of_one},
                .composed = {multiply_at_levels, LEAF, 1},
                .registers = 47,
                .accuracy.norm_limit = winograd_limit,
                .choice.expects = expected_of_one,
            },
            {
                .name = "two_levels",
                .idea = "each of the seven products by seven",
                .block_m = 128,
                .block_n = 128,
                .threads = THREADS,
                .phased = {passes, bytes_of_two},
                .composed = {multiply_at_levels, LEAF, 2},
                .registers = 47,
                .accuracy.norm_limit = winograd_limit,
                .choice.expects = expected_of_two,
            },
            {
                .name = "three_levels",
                .idea = "and once more: 343 products",
                .block_m = 128,
                .block_n = 128,
                .threads = THREADS,
                .phased = {passes, bytes_of_three},
                .composed = {multiply_at_levels, LEAF, 3},
                .registers = 47,
                .accuracy.norm_limit = winograd_limit,
                .choice.expects = expected_of_three,
            },
            {
                .name = "strassen",
                .idea = "as many levels as pay, or none: which is expected to be fastest",
                .block_m = 128,
                .choice.among = any,
                .not_predicted = true,
            },
        },
};

REGISTER_STEP(strassen);
