// The variants of step 15: the launches that each composes, error bounds and expected times.
#include "base/arith.h"
#include "compose.h"
#include "extras.h"

#include <math.h>

#define LEAF  "shapes/dispatch"
#define FUSED "15_strassen/fused"

// The blocks of kernel.cu: threads, columns and rows per block, and the most rows of blocks.
enum { THREADS = 256, COLUMNS = 256, ROWS = 4, MOST_BLOCK_ROWS = 65535 };
enum { SUMS_OF_A, SUMS_OF_B, GATHER, ADD }; // indices into `passes`

// Half of each side of a problem, rounded up. n and k are rounded to multiples of 4, so that
// quarters are as well aligned as the matrix.
struct halves {
    int64_t m, n, k;
};

static struct halves halves_of(int64_t m, int64_t n, int64_t k) {
    return (struct halves){(m + 1) / 2, (n + 7) / 8 * 4, (k + 7) / 8 * 4};
}

// Returns true if all four quarters of A, B and C have elements.
static bool can_be_quartered(int64_t m, int64_t n, int64_t k) {
    const struct halves h = halves_of(m, n, k);
    return m > h.m && n > h.n && k > h.k;
}

// Returns the number of elements of the four sums of A, the four of B and the seven products.
static int64_t elements_of(struct halves h) {
    return 4 * h.m * h.k + 4 * h.k * h.n + 7 * h.m * h.n;
}

// Returns the bytes of scratch memory. The seven products of a level are computed one after the
// other, so they share the memory of the level below.
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

// --- one level -----------------------------------------------------------------------------------

static device_pointer offset(device_pointer from, int64_t elements) {
    return from + (uint64_t)elements * sizeof(float);
}

// A quarter of a matrix, a sum, or a product, in device memory.
struct matrix_part {
    device_pointer at;
    int64_t ld, rows, cols;
};

// Returns quarter 0 to 3 (11, 12, 21, 22) of a matrix.
static struct matrix_part quarter(struct matrix_part x, int64_t half_rows, int64_t half_cols,
                                  int number) {
    const bool low = number / 2, right = number % 2;
    return (struct matrix_part){
        offset(x.at, (low ? half_rows * x.ld : 0) + (right ? half_cols : 0)), x.ld,
        low ? x.rows - half_rows : half_rows, right ? x.cols - half_cols : half_cols};
}

// Launches a kernel that computes rows x cols elements.
static bool launch(const struct composer *c, int pass, int64_t rows, int64_t cols,
                   void **arguments) {
    return c->launch(c->context, pass, divide_up(cols, COLUMNS),
                     min(divide_up(rows, ROWS), MOST_BLOCK_ROWS), arguments);
}

// Computes the four sums of the quarters of X. They are stored one after the other from `sums` on.
static bool sum_up(const struct composer *c, int pass, struct matrix_part x, int64_t half_rows,
                   int64_t half_cols, device_pointer sums) {
    int rows = (int)x.rows, cols = (int)x.cols, ld = (int)x.ld, h_rows = (int)half_rows,
        h_cols = (int)half_cols;
    void *arguments[] = {&rows, &cols, &x.at, &ld, &h_rows, &h_cols, &sums};
    return launch(c, pass, half_rows, half_cols, arguments);
}

static bool gather(const struct composer *c, const struct gemm *g, struct halves h,
                   device_pointer products) {
    int rows = (int)g->m, cols = (int)g->n, h_rows = (int)h.m, h_cols = (int)h.n, ldc = (int)g->ldc;
    float alpha = (float)g->alpha, beta = (float)g->beta;
    device_pointer to = g->c;
    void *arguments[] = {&rows, &cols, &products, &h_rows, &h_cols, &alpha, &beta, &to, &ldc};
    return launch(c, GATHER, h.m, h.n, arguments);
}

// The operands of one level: quarters (a, b) and, in scratch memory, sums (s, t) and products (p).
// Sums and products are numbered from 1 as in kernel.cu.
struct level {
    struct halves half;
    struct matrix_part a[4], b[4], s[5], t[5], p[8];
};

static struct level level_of(const struct gemm *g, device_pointer scratch) {
    struct level l = {.half = halves_of(g->m, g->n, g->k)};
    const struct halves h = l.half;
    const struct matrix_part a = {g->a, g->lda, g->m, g->k}, b = {g->b, g->ldb, g->k, g->n};
    for (int i = 0; i < 4; i++) {
        l.a[i] = quarter(a, h.m, h.k, i);
        l.b[i] = quarter(b, h.k, h.n, i);
    }
    for (int i = 1; i <= 4; i++, scratch = offset(scratch, h.m * h.k))
        l.s[i] = (struct matrix_part){scratch, h.k, h.m, h.k};
    for (int i = 1; i <= 4; i++, scratch = offset(scratch, h.k * h.n))
        l.t[i] = (struct matrix_part){scratch, h.n, h.k, h.n};
    for (int i = 1; i <= 7; i++, scratch = offset(scratch, h.m * h.n))
        l.p[i] = (struct matrix_part){scratch, h.n, h.m, h.n};
    return l;
}

static bool multiply(const struct composer *c, const struct gemm *g, int levels,
                     device_pointer scratch);

// Computes P = X Y. P has the rows of X and the columns of Y; K is the smaller of the inner sizes.
static bool product(const struct composer *c, struct matrix_part x, struct matrix_part y,
                    struct matrix_part p, int levels, device_pointer scratch) {
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

static bool multiply_quarters(const struct composer *c, const struct level *l, int levels,
                              device_pointer scratch) {
    const struct matrix_part *a = l->a, *b = l->b, *s = l->s, *t = l->t, *p = l->p;
    return product(c, a[0], b[0], p[1], levels, scratch) &&
           product(c, a[1], b[2], p[2], levels, scratch) &&
           product(c, s[4], b[3], p[3], levels, scratch) &&
           product(c, a[3], t[4], p[4], levels, scratch) &&
           product(c, s[1], t[1], p[5], levels, scratch) &&
           product(c, s[2], t[2], p[6], levels, scratch) &&
           product(c, s[3], t[3], p[7], levels, scratch);
}

static bool multiply(const struct composer *c, const struct gemm *g, int levels,
                     device_pointer scratch) {
    if (levels == 0 || !can_be_quartered(g->m, g->n, g->k)) return c->multiply(c->context, g);
    const struct level l = level_of(g, scratch);
    const struct halves h = l.half;
    const struct matrix_part a = {g->a, g->lda, g->m, g->k}, b = {g->b, g->ldb, g->k, g->n};
    return sum_up(c, SUMS_OF_A, a, h.m, h.k, l.s[1].at) &&
           sum_up(c, SUMS_OF_B, b, h.k, h.n, l.t[1].at) &&
           multiply_quarters(c, &l, levels - 1, offset(scratch, elements_of(h))) &&
           gather(c, g, h, l.p[1].at);
}

static bool multiply_at_levels(const struct composer *c, const struct gemm *g) {
    return multiply(c, g, extras_of(c->variant)->composed.levels, c->scratch);
}

// --- every addition in a launch of its own -------------------------------------------------------

// Computes Z = alpha (X + sign Y) + beta Z.
static bool add_by(const struct composer *c, int pass, struct matrix_part x, float sign,
                   struct matrix_part y, float alpha, float beta, struct matrix_part z) {
    int rows = (int)z.rows, cols = (int)z.cols, ldx = (int)x.ld, ldy = (int)y.ld, ldz = (int)z.ld;
    int x_rows = (int)x.rows, x_cols = (int)x.cols, y_rows = (int)y.rows, y_cols = (int)y.cols;
    void *arguments[] = {&rows, &cols,   &x.at,   &ldx,   &x_rows, &x_cols, &sign, &y.at,
                         &ldy,  &y_rows, &y_cols, &alpha, &beta,   &z.at,   &ldz};
    return launch(c, pass, z.rows, z.cols, arguments);
}

static bool add(const struct composer *c, struct matrix_part x, float sign, struct matrix_part y,
                float alpha, float beta, struct matrix_part z) {
    return add_by(c, ADD, x, sign, y, alpha, beta, z);
}

static bool eight_sums(const struct composer *c, const struct level *l) {
    const struct matrix_part *a = l->a, *b = l->b, *s = l->s, *t = l->t;
    return add(c, a[2], 1, a[3], 1, 0, s[1]) && add(c, s[1], -1, a[0], 1, 0, s[2]) &&
           add(c, a[0], -1, a[2], 1, 0, s[3]) && add(c, a[1], -1, s[2], 1, 0, s[4]) &&
           add(c, b[1], -1, b[0], 1, 0, t[1]) && add(c, b[3], -1, t[1], 1, 0, t[2]) &&
           add(c, b[3], -1, b[1], 1, 0, t[3]) && add(c, t[2], -1, b[2], 1, 0, t[4]);
}

// Combines the products into C, with one addition per launch. U replaces P6, then U + P7 replaces
// P7, then U + P5 replaces U.
static bool seven_sums(const struct composer *c, const struct gemm *g, const struct level *l) {
    const struct matrix_part whole = {g->c, g->ldc, g->m, g->n}, *p = l->p;
    const float alpha = (float)g->alpha, beta = (float)g->beta;
    struct matrix_part to[4], p3 = p[3], p4 = p[4];
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

// --- a level in one launch -----------------------------------------------------------------------

// seven.sass computes Strassen's original variant. A sum has at most two quarters, and a product is
// added to at most two quarters of C. So seven.sass forms sums while it loads, and adds products
// while it stores.
enum { Q11, Q12, Q21, Q22 };
enum { NONE, PLUS, MINUS };
struct sum {
    int first, sign, second;
};
struct target {
    int sign, quarter;
};
// The seven products: for each, the sum of A's quarters, the sum of B's quarters, and the quarters
// of C to which the product is added.
static const struct {
    struct sum a, b;
    struct target to[2];
} seven[7] = {
    {{Q11, PLUS, Q22}, {Q11, PLUS, Q22}, {{PLUS, Q11}, {PLUS, Q22}}},
    {{Q21, PLUS, Q22}, {Q11, NONE, 0}, {{PLUS, Q21}, {MINUS, Q22}}},
    {{Q11, NONE, 0}, {Q12, MINUS, Q22}, {{PLUS, Q12}, {PLUS, Q22}}},
    {{Q22, NONE, 0}, {Q21, MINUS, Q11}, {{PLUS, Q11}, {PLUS, Q21}}},
    {{Q11, PLUS, Q12}, {Q22, NONE, 0}, {{MINUS, Q11}, {PLUS, Q12}}},
    {{Q21, MINUS, Q11}, {Q11, PLUS, Q12}, {{PLUS, Q22}, {NONE, 0}}},
    {{Q12, MINUS, Q22}, {Q21, PLUS, Q22}, {{PLUS, Q11}, {NONE, 0}}},
};

// Packs each product into a word that seven.sass reads. The first product for a quarter of C is
// stored; the others are added to it.
static void pack(int words[7]) {
    bool begun[4] = {false};
    for (int i = 0; i < 7; i++) {
        const struct sum a = seven[i].a, b = seven[i].b;
        words[i] =
            a.first | a.second << 2 | a.sign << 4 | b.first << 6 | b.second << 8 | b.sign << 10;
        for (int t = 0; t < 2 && seven[i].to[t].sign != NONE; t++) {
            const struct target to = seven[i].to[t];
            words[i] |= (to.quarter | (to.sign == MINUS) << 2 | begun[to.quarter] << 3 | 1 << 4)
                        << (12 + 5 * t);
            begun[to.quarter] = true;
        }
    }
}

// Sizes and limits of seven.sass: its block tile, shared memory in bytes, the most tiles per
// product, and a limit that leading dimensions must be below (FAR).
enum {
    TILE_M = 128,
    TILE_N = 256,
    TILE_K = 8,
    FUSED_SHARED = 4 * 0x4000 - 0x400,
    MOST_TILES = 65536,
    FAR = 1 << 25
};
enum { SEVEN, ADD_TO_C }; // indices into `fused_passes`

// Returns the halves for seven.sass. Each half of K has whole tiles, so the two may have up to 15
// k's more than K. These k's are missing in the first two tiles of the first half.
static struct halves fused_halves(int64_t m, int64_t n, int64_t k) {
    return (struct halves){divide_up(m, 2), divide_up(n, 8) * 4, divide_up(k, 2 * TILE_K) * TILE_K};
}

static int64_t fused_tiles(struct halves h) {
    return divide_up(h.m, TILE_M) * divide_up(h.n, TILE_N);
}

static bool may_be_fused(const struct gemm *g) {
    const struct halves h = fused_halves(g->m, g->n, g->k);
    const uint64_t bytes = (uint64_t)(g->ldb | g->ldc | g->n) * sizeof(float);
    return g->m > h.m && g->n > h.n && g->k > h.k && (g->b | g->c | bytes) % 16 == 0 &&
           g->lda < FAR && g->ldb < FAR && fused_tiles(h) <= MOST_TILES;
}

// Sets `to` to alpha A B.
static bool launch_seven(const struct composer *c, const struct gemm *g, float alpha,
                         struct matrix_part to) {
    const struct halves h = fused_halves(g->m, g->n, g->k);
    int top = (int)h.m, low = (int)(g->m - h.m), left = (int)h.n, right = (int)(g->n - h.n);
    int depth = (int)(h.k / TILE_K), skip = (int)(2 * h.k - g->k), words[7];
    int lda = (int)g->lda, ldb = (int)g->ldb, ldc = (int)to.ld;
    device_pointer a[4], b[4], to_quarters[4];
    void *arguments[10 + 12 + 7] = {&top,  &low, &left, &right, &depth,
                                    &skip, &lda, &ldb,  &ldc,   &alpha};
    pack(words);
    for (int i = 0; i < 4; i++) {
        const bool is_low = i / 2, is_right = i % 2;
        a[i] = offset(g->a, (is_low ? h.m * g->lda : 0) + (is_right ? h.k : 0) - skip);
        b[i] = offset(g->b, ((is_low ? h.k : 0) - skip) * g->ldb + (is_right ? h.n : 0));
        to_quarters[i] = quarter(to, h.m, h.n, i).at;
        arguments[10 + i] = &a[i], arguments[14 + i] = &b[i], arguments[18 + i] = &to_quarters[i];
    }
    for (int i = 0; i < 7; i++) arguments[22 + i] = &words[i];
    const int64_t items = 7 * fused_tiles(h);
    return c->launch(c->context, SEVEN, items < c->at_once ? items : c->at_once, 1, arguments);
}

// If beta is not 0, the products are first added up in scratch memory, because C would otherwise be
// rounded once per product.
static bool multiply_fused(const struct composer *c, const struct gemm *g) {
    const struct matrix_part whole = {g->c, g->ldc, g->m, g->n},
                             own = {c->scratch, g->n, g->m, g->n};
    const struct matrix_part nothing = {c->scratch, g->n, 0, 0};
    if (!may_be_fused(g)) return c->multiply(c->context, g);
    if (g->beta == 0) return launch_seven(c, g, (float)g->alpha, whole);
    return launch_seven(c, g, 1, own) &&
           add_by(c, ADD_TO_C, own, 1, nothing, (float)g->alpha, (float)g->beta, whole);
}
static int64_t bytes_of_fused(const struct situation *s) {
    return s->reads_c ? (int64_t)s->m * s->n * (int64_t)sizeof(float) : 0;
}

static bool multiply_above_fused(const struct composer *c, const struct gemm *g) {
    return multiply(c, g, extras_of(c->variant)->composed.levels - 1, c->scratch);
}

// --- error bound ---------------------------------------------------------------------------------

// Returns the exponent of the largest element. Sets *finite to false if one is infinite or a NaN.
static int largest_of(const struct extent *extents, int count, bool *finite) {
    int largest = -149;
    for (int i = 0; i < count; i++) {
        if (extents[i].largest > largest) largest = extents[i].largest;
        *finite &= !extents[i].not_finite;
    }
    return largest;
}

// Returns the error bound by Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
// theorem 23.3: with l levels above products of inner size k0, the error is at most
//
//     (18^l (k0^2 + 6 k0) - 6 k) u max|A| max|B|
//
// The code leaves out - 6 k, and adds 2^-149, the least number of FP32, for each product that may
// underflow. Strassen's original variant has 12 instead of 18 (theorem 23.2) and is checked against
// this bound as well.
// Returns INFINITY, no bound, in two cases: if a sum of four numbers or of their products may
// exceed the range of FP32; or if an element is not finite, because it then spreads over all of C.
static double winograd_limit(const struct operands *o, int levels) {
    const struct situation *s = &o->situation;
    bool finite = true;
    const int a = largest_of(o->rows, s->m, &finite), b = largest_of(o->cols, s->n, &finite),
              widest = a > b ? a : b;
    if (!finite || widest + 2 * levels > 126 || a + b + 2 + 4 * levels + log2(s->k + 1) > 126)
        return INFINITY;
    const double inner = ceil(ldexp(s->k, -levels)) + 4; // halves are rounded up to multiples of 4
    return 0x1p-24 * ldexp(pow(18, levels) * inner * (inner + 6), a + b + 2) +
           pow(18, levels) * s->k * 0x1p-149;
}

// --- expected times, in microseconds -------------------------------------------------------------

#define BYTES_PER_US 2.5e6 // throughput of the passes, the launches that add
enum { LAUNCHES_US = 9 };  // launch overhead of three passes

// Expected time of seven.sass: the tiles of all seven products run in rounds of blocks. FUSED_START
// is the time of a launch; a round takes FUSED_TILE, and FUSED_K for every 8 k's. They were fitted
// on an H100 at N = 1536 to 8192.
// Products are added to a tile of C one after the other. If all products run in one round, the
// waits for each other take FUSED_TURNS.
// The expected times of LEAF are 2 to 3 % too short at these sizes (measured alone at
// 4096 x 11008 x 4096, and between passes at N = 4096 and 8192). To compare fairly, SHORTENED makes
// the expected time of the fused kernel 2 % shorter, too.
static const double FUSED_START = 5, FUSED_TILE = 14.5, FUSED_K = 1.195, FUSED_TURNS = 27,
                    SHORTENED = 0.98;

static double expected_fused(const struct situation *s) {
    const struct halves h = fused_halves(s->m, s->n, s->k);
    if (s->n % 4 || s->m <= h.m || s->n <= h.n || s->k <= h.k) return INFINITY;
    const int64_t rounds = divide_up(7 * fused_tiles(h), s->multiprocessors);
    const double pass = s->reads_c ? 4 * 3.0 * s->m * s->n / BYTES_PER_US + LAUNCHES_US / 3.0 : 0;
    const double tiles = (double)rounds * (FUSED_TILE + FUSED_K * (double)(h.k / TILE_K));
    return SHORTENED * (FUSED_START + (rounds > 1 ? 0 : FUSED_TURNS) + tiles) + pass;
}

static double expected_above(const struct situation *s, int levels,
                             double (*leaf)(const struct situation *s)) {
    if (levels == 0) return leaf(s);
    if (!can_be_quartered(s->m, s->n, s->k)) return INFINITY;
    const struct halves h = halves_of(s->m, s->n, s->k);
    struct situation half = *s;
    half.m = (int)h.m, half.n = (int)h.n, half.k = (int)h.k;
    half.reads_c = false;
    const double elements =
        (double)s->m * s->k + (double)s->k * s->n + (s->reads_c ? 2.0 : 1.0) * s->m * s->n;
    return 7 * expected_above(&half, levels - 1, leaf) +
           4 * (elements + (double)elements_of(h)) / BYTES_PER_US + LAUNCHES_US;
}
static double expected_of_leaf(const struct situation *s) {
    return leaf_expects(LEAF, s);
}
static double expected_of_one(const struct situation *s) {
    return expected_above(s, 1, expected_of_leaf);
}
static double expected_of_two(const struct situation *s) {
    return expected_above(s, 2, expected_of_leaf);
}
static double expected_of_three(const struct situation *s) {
    return expected_above(s, 3, expected_of_leaf);
}
static double expected_of_two_fused(const struct situation *s) {
    return expected_above(s, 1, expected_fused);
}
static double expected_of_three_fused(const struct situation *s) {
    return expected_above(s, 2, expected_fused);
}

static const struct pass fused_passes[] = {
    [SEVEN] = {"sgemm_strassen", THREADS, FUSED_SHARED, NULL},
    [ADD_TO_C] = {"one_level/strassen_add", THREADS, 0, NULL},
    {0},
};

static const struct pass passes[] = {
    [SUMS_OF_A] = {"strassen_sums_of_a", THREADS, 0, NULL},
    [SUMS_OF_B] = {"strassen_sums_of_b", THREADS, 0, NULL},
    [GATHER] = {"sgemm_strassen", THREADS, 0, NULL},
    [ADD] = {"strassen_add", THREADS, 0, NULL},
    {0},
};

static const char *const any[] = {
    LEAF,  "15_strassen/one_level", "15_strassen/two_levels",  "15_strassen/three_levels",
    FUSED, "15_strassen/two_fused", "15_strassen/three_fused", NULL};

static const struct variant variants[] = {
    {"separate", NULL, "one level, additions apart: each in a launch of its own", 128, 128, THREADS,
     .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_one},
                                      .composed = {multiply_separately, LEAF, 1},
                                      .accuracy.norm_limit = winograd_limit}},
    {"one_level", NULL, "one level, three passes: all sums of A, all of B, all of C", 128, 128,
     THREADS, .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_one},
                                      .composed = {multiply_at_levels, LEAF, 1},
                                      .accuracy.norm_limit = winograd_limit,
                                      .choice.expects = expected_of_one}},
    {"two_levels", NULL, "two levels: 49 products", 128, 128, THREADS, .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_two},
                                      .composed = {multiply_at_levels, LEAF, 2},
                                      .accuracy.norm_limit = winograd_limit,
                                      .choice.expects = expected_of_two}},
    {"three_levels", NULL, "three levels: 343 products", 128, 128, THREADS, .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_three},
                                      .composed = {multiply_at_levels, LEAF, 3},
                                      .accuracy.norm_limit = winograd_limit,
                                      .choice.expects = expected_of_three}},
    {"fused", NULL,
     "one level, one launch: sums formed on the way to shared memory, products added to C", TILE_M,
     TILE_N, THREADS, 250, FUSED_SHARED,
     &(const struct extras){.build.source = "seven.sass",
                            .build.capability = 80,
                            .passes = {fused_passes, bytes_of_fused},
                            .composed = {multiply_fused, LEAF, 1},
                            .accuracy.norm_limit = winograd_limit,
                            .choice.expects = expected_fused}},
    {"two_fused", NULL, "two levels, lower one fused", 128, 128, THREADS, .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_one},
                                      .composed = {multiply_above_fused, FUSED, 2},
                                      .accuracy.norm_limit = winograd_limit,
                                      .choice.expects = expected_of_two_fused}},
    {"three_fused", NULL, "three levels, lowest one fused", 128, 128, THREADS, .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_two},
                                      .composed = {multiply_above_fused, FUSED, 3},
                                      .accuracy.norm_limit = winograd_limit,
                                      .choice.expects = expected_of_three_fused}},
    {"safe_level", NULL, "one level above 13's safe: on tensor cores", 128, 128, THREADS,
     .registers = 47,
     .extras = &(const struct extras){.passes = {passes, bytes_of_one},
                                      .composed = {multiply_at_levels, "13_tensor_cores/safe", 1},
                                      .accuracy.norm_limit = winograd_limit,
                                      .not_predicted = true}},
    {"strassen", NULL, "zero to three levels: whichever is expected to be fastest", .block_m = 128,
     .extras = &(const struct extras){.choice.among = any, .not_predicted = true}},
    {0},
};

static const struct step strassen = {
    "15_strassen",        "sgemm_strassen",
    "Strassen",           "seven products of quarters instead of eight, and fifteen additions",
    .variants = variants, .extras = &(const struct step_extras){.needs = "shapes 13_tensor_cores"}};

REGISTER_STEP(strassen);
