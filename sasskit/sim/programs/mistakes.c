// Explains a wrong result: see mistakes.h.
#include "mistakes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 64 };         // number of wrong elements examined: SAMPLE to 2 * SAMPLE, or all
enum { MOST_LEFT_OUT = 256 }; // most products that may be missing at a sum's end
enum { PERIODS = 128 };       // longest period of wrong rows or columns

// A mistake that a kernel may contain. The product is computed as that kernel would compute it.
struct mistake {
    const char *rule, *cause, *remedy; // `cause` may contain %d, for the tile's side
    enum mistaken concerns;
    // index into A (or B) of factor k of element (i, j), as the kernel computes it; NULL if right
    int64_t (*a)(const struct product *p, int64_t i, int64_t j, int64_t k, int64_t tile);
    int64_t (*b)(const struct product *p, int64_t i, int64_t j, int64_t k, int64_t tile);
    bool c_transposed, tiled;
    double alpha, beta; // the factors that the kernel applies
    int64_t k, tile;    // number of products added; the tile's side if `tiled`
};

bool product_is_wrong(const struct product *p, int64_t index) {
    const double value = p->actual[index], expected = p->reference[index];
    return !isinf(p->limit[index]) && !(fabs(value - expected) <= p->limit[index]) &&
           value != expected && !(isnan(value) && isnan(expected));
}

// --- wrong indices -------------------------------------------------------------------------------

#define INDEX(name, ...) \
    static int64_t name(const struct product *p, int64_t i, int64_t j, int64_t k, int64_t t) { \
        (void)p, (void)i, (void)j, (void)k, (void)t; \
        return __VA_ARGS__; \
    }
INDEX(a_by_columns, k * p->m + i)
INDEX(b_by_columns, j * p->k + k)
INDEX(a_tile_transposed, (i - i % t + k % t) * p->lda + k - k % t + i % t)
INDEX(b_tile_transposed, (k - k % t + j % t) * p->ldb + j - j % t + k % t)
INDEX(a_unscaled, i * p->lda + k / t + k % t)
INDEX(b_unscaled, (k / t + k % t) * p->ldb + j)
INDEX(a_first_tile, i * p->lda + k % t)
INDEX(b_first_tile, (k % t) * p->ldb + j)
INDEX(a_of_other_block, (j - j % t + i % t) * p->lda + k)
INDEX(b_of_other_block, k * p->ldb + i - i % t + j % t)
INDEX(a_next_column, i * p->lda + k + 1)
INDEX(b_next_row, (k + 1) * p->ldb + j)
#undef INDEX

static const struct mistake index_mistakes[] = {
    {"operand-transposed", "the result is right for A read as a column-major matrix",
     "check the index into A: row * lda + k if A is row-major", MISTAKEN_A, .a = a_by_columns},
    {"operand-transposed", "the result is right for B read as a column-major matrix",
     "check the index into B: k * ldb + column if B is row-major", MISTAKEN_B, .b = b_by_columns},
    {"operand-transposed", "the result is right for A and B read as column-major matrices",
     "check the indices into A and B, or pass transposed matrices", MISTAKEN_A, .a = a_by_columns,
     .b = b_by_columns},
    {"result-transposed", "the result is the transpose of the right one",
     "check the index into C, and whether x or y is the row", MISTAKEN_C, .c_transposed = true},
    {"tile-transposed", "the result is right if each %d x %d tile of A is used transposed",
     "exchange the two indices of A's tile, where it is stored or where it is read", MISTAKEN_A,
     .a = a_tile_transposed, .tiled = true},
    {"tile-transposed", "the result is right if each %d x %d tile of B is used transposed",
     "exchange the two indices of B's tile, where it is stored or where it is read", MISTAKEN_B,
     .b = b_tile_transposed, .tiled = true},
    {"tile-offset", "the result is right if tile t of A begins at column t, not at t * %d",
     "multiply the tile's number by its width in the index into A", MISTAKEN_A, .a = a_unscaled,
     .tiled = true},
    {"tile-offset", "the result is right if tile t of B begins at row t, not at t * %d",
     "multiply the tile's number by its height in the index into B", MISTAKEN_B, .b = b_unscaled,
     .tiled = true},
    {"tile-offset", "the result is right if every round uses A's first tile, of %d columns",
     "let the index into A, or the pointer, go on by the tile's width in each round", MISTAKEN_A,
     .a = a_first_tile, .tiled = true},
    {"tile-offset", "the result is right if every round uses B's first tile, of %d rows",
     "let the index into B, or the pointer, go on by the tile's height in each round", MISTAKEN_B,
     .b = b_first_tile, .tiled = true},
    {"block-exchanged",
     "the result is right if A's rows are those of blockIdx.x, in tiles of %d, and C's are not",
     "use the same one of blockIdx.x and blockIdx.y for the rows of A and of C", MISTAKEN_A,
     .a = a_of_other_block, .tiled = true},
    {"block-exchanged",
     "the result is right if B's columns are those of blockIdx.y, in tiles of %d, and C's are not",
     "use the same one of blockIdx.x and blockIdx.y for the columns of B and of C", MISTAKEN_B,
     .b = b_of_other_block, .tiled = true},
    {"index-off-by-one", "the result is right if A is read one column too far: [i][k + 1]",
     "let k begin at 0 in the index into A", MISTAKEN_A, .a = a_next_column},
    {"index-off-by-one", "the result is right if B is read one row too far: [k + 1][j]",
     "let k begin at 0 in the index into B", MISTAKEN_B, .b = b_next_row},
};

// Returns an element of an operand; NaN if the index is outside the operand.
static double operand_at(const double *values, int64_t count, int64_t index) {
    return index >= 0 && index < count ? values[index] : NAN;
}

static bool explains_element(const struct product *p, const struct mistake *wrong, int64_t row,
                             int64_t column) {
    const int64_t i = wrong->c_transposed ? column : row, j = wrong->c_transposed ? row : column;
    double sum = 0, size = 0;
    if (wrong->c_transposed && p->m != p->n) return false;
    for (int64_t k = 0; k < wrong->k; k++) {
        const int64_t in_a = wrong->a ? wrong->a(p, i, j, k, wrong->tile) : i * p->lda + k;
        const int64_t in_b = wrong->b ? wrong->b(p, i, j, k, wrong->tile) : k * p->ldb + j;
        const double product =
            operand_at(p->a, p->a_count, in_a) * operand_at(p->b, p->b_count, in_b);
        sum += product;
        size += fabs(product);
    }
    const double c = p->before ? p->before[row * p->ldc + column] : 0;
    const double expected = wrong->alpha * sum + (wrong->beta != 0 ? wrong->beta * c : 0);
    const double limit =
        ((double)p->k + 4) * 0x1p-23 * (fabs(wrong->alpha) * size + fabs(wrong->beta * c));
    return fabs(p->actual[row * p->ldc + column] - expected) <= limit;
}

// Indices of some wrong elements, evenly chosen.
struct sample {
    int64_t index[2 * SAMPLE];
    int count;
};

static struct sample choose(const struct product *p) {
    struct sample s = {.count = 0};
    int64_t wrong = 0, seen = 0;
    for (int64_t i = 0; i < p->count; i++) wrong += product_is_wrong(p, i);
    const int64_t every = wrong > SAMPLE ? wrong / SAMPLE : 1;
    for (int64_t i = 0; i < p->count && s.count < 2 * SAMPLE; i++)
        // takes one of each `every`, at varying places, because the first might be in one column
        if (product_is_wrong(p, i) && seen % every == seen / every * 31 % every)
            s.index[s.count++] = i, seen++;
        else
            seen += product_is_wrong(p, i);
    return s;
}

// Returns true if the mistake explains all elements of the sample, and then sets rule, cause and
// remedy.
static bool try_mistake(const struct product *p, const struct sample *s, struct mistake wrong,
                        struct finding *f) {
    for (int i = 0; i < s->count; i++)
        if (!explains_element(p, &wrong, s->index[i] / p->ldc, s->index[i] % p->ldc)) return false;
    f->rule = wrong.rule;
    const int tile = (int)wrong.tile;
    const char *one = strstr(wrong.cause, "%d"), *two = one ? strstr(one + 2, "%d") : NULL;
    int n = snprintf(f->cause, sizeof f->cause, "%.*s", one ? (int)(one - wrong.cause) : 1000,
                     wrong.cause);
    if (one)
        n += snprintf(f->cause + n, sizeof f->cause - (size_t)n, "%d%.*s", tile,
                      two ? (int)(two - one) - 2 : 1000, one + 2);
    if (two) snprintf(f->cause + n, sizeof f->cause - (size_t)n, "%d%s", tile, two + 2);
    snprintf(f->remedy, sizeof f->remedy, "%s", wrong.remedy);
    return s->count > 0;
}

// Tries alpha, beta or beta C left out, a product that is added twice, and sums that end early.
static bool find_sum_mistake(const struct product *p, const struct sample *s, struct finding *f) {
    const struct mistake right = {.alpha = p->alpha, .beta = p->beta, .k = p->k};
    struct mistake wrong = right;
    wrong.rule = "factor-ignored";
    wrong.alpha = 1;
    wrong.cause = "the result is right for alpha 1: alpha is not applied";
    wrong.remedy = "multiply the sum by alpha";
    if (p->alpha != 1 && try_mistake(p, s, wrong, f)) return true;
    wrong.alpha = p->alpha;
    wrong.beta = 0;
    wrong.cause = "the result is right for beta 0: beta * C is not added";
    wrong.remedy = "add beta times the old C";
    if (p->beta != 0 && try_mistake(p, s, wrong, f)) return true;
    wrong.beta = 1;
    wrong.cause = "the result is right for beta 1: beta is not applied";
    wrong.remedy = "multiply the old C by beta";
    if (p->beta != 0 && p->beta != 1 && try_mistake(p, s, wrong, f)) return true;
    wrong = right;
    wrong.rule = "added-twice";
    wrong.alpha = 2 * p->alpha;
    wrong.cause = "each element is twice the right product: it is added twice";
    wrong.remedy = "let each part of K be added once; start from zeros";
    if (try_mistake(p, s, wrong, f)) return true;
    for (int64_t k = p->k - 1; k >= 0 && p->k - k <= MOST_LEFT_OUT; k--) {
        char why[160];
        struct mistake part = right;
        snprintf(why, sizeof why,
                 "the result is right for the first %lld of K = %lld products: the last %lld are "
                 "left out",
                 (long long)k, (long long)p->k, (long long)(p->k - k));
        part.rule = "sum-too-short";
        part.cause = why;
        part.remedy = "let the loop over K run to its end, with a last tile that may be smaller";
        part.k = k;
        if (try_mistake(p, s, part, f)) return true;
    }
    return false;
}

static enum mistaken find_index_mistake(const struct product *p, const struct sample *s,
                                        struct finding *f) {
    for (size_t i = 0; i < sizeof index_mistakes / sizeof *index_mistakes; i++) {
        struct mistake wrong = index_mistakes[i];
        wrong.alpha = p->alpha, wrong.beta = p->beta, wrong.k = p->k;
        for (wrong.tile = wrong.tiled ? 2 : 1; wrong.tile <= (wrong.tiled ? 128 : 1);
             wrong.tile *= 2)
            if (try_mistake(p, s, wrong, f)) return wrong.concerns;
    }
    return MISTAKEN_UNKNOWN;
}

// --- right values in wrong places ----------------------------------------------------------------

struct placed {
    double value;
    int64_t index;
};

static int by_value(const void *a, const void *b) {
    const double x = ((const struct placed *)a)->value, y = ((const struct placed *)b)->value;
    return (x > y) - (x < y);
}

// Returns the index of the element whose expected value is nearest to the value of element `index`;
// -1 if none is within the allowed error.
static int64_t owner_of(const struct product *p, const struct placed *sorted, int64_t count,
                        int64_t index) {
    const double value = p->actual[index];
    int64_t low = 0, high = count, found = -1;
    double nearest = INFINITY;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (sorted[middle].value < value - 2 * p->limit[index])
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && sorted[low].value <= value + 2 * p->limit[index]; low++) {
        const double distance = fabs(sorted[low].value - value);
        if (distance > p->limit[sorted[low].index] || distance >= nearest) continue;
        nearest = distance;
        found = sorted[low].index;
    }
    return found;
}

static int name_element(const struct product *p, int64_t index, char *text, size_t size) {
    if (!p->a) return snprintf(text, size, "[%lld]", (long long)index);
    return snprintf(text, size, "[%lld][%lld]", (long long)(index / p->ldc),
                    (long long)(index % p->ldc));
}

// Returns true if 80 % of the sample, and at least LEAST, have the expected values of others.
// Reports their displacement if 90 % of them share it: the rest may wrap around at a row's end.
static bool find_places(const struct product *p, const struct sample *s, struct finding *f) {
    enum { LEAST = 4, EXAMPLES = 3 };
    struct placed *sorted = calloc((size_t)p->count + 1, sizeof *sorted);
    int64_t count = 0, owner[2 * SAMPLE];
    int moved = 0, doubled = 0, row_kept = 0, column_kept = 0, alike = 0, n = 0;
    int first = -1, typical = -1;
    char examples[200] = "";
    if (!sorted) return false;
    for (int64_t i = 0; i < p->count; i++)
        if (!isinf(p->limit[i]) && !isnan(p->reference[i]))
            sorted[count++] = (struct placed){p->reference[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    for (int i = 0; i < s->count; i++) {
        owner[i] = owner_of(p, sorted, count, s->index[i]);
        int others = 1;
        if (owner[i] < 0) continue;
        if (first < 0) first = i;
        moved++;
        doubled += !product_is_wrong(p, owner[i]);
        row_kept += owner[i] / p->ldc == s->index[i] / p->ldc;
        column_kept += owner[i] % p->ldc == s->index[i] % p->ldc;
        for (int k = 0; k < i; k++) others += owner[k] - s->index[k] == owner[i] - s->index[i];
        if (others > alike) alike = others, typical = i;
        if (moved > EXAMPLES) continue;
        n += snprintf(examples + n, sizeof examples - (size_t)n, "%s", n ? ", " : "");
        n += name_element(p, s->index[i], examples + n, sizeof examples - (size_t)n);
        n += snprintf(examples + n, sizeof examples - (size_t)n, n < 40 ? " has that of " : " of ");
        n += name_element(p, owner[i], examples + n, sizeof examples - (size_t)n);
    }
    free(sorted);
    if (moved < LEAST || 5 * moved < 4 * s->count) return false;
    const bool same_row = p->a && 10 * row_kept >= 9 * moved,
               same_column = p->a && 10 * column_kept >= 9 * moved;
    const int64_t shift = s->index[typical] - owner[typical],
                  steps = llabs(same_column ? shift / p->ldc : shift);
    f->rule = "values-misplaced";
    if (10 * alike >= 9 * moved && (!p->a || same_row || same_column))
        snprintf(f->cause, sizeof f->cause,
                 "the values are right, and lie %lld %s%s too far %s: %s", (long long)steps,
                 !p->a         ? "element"
                 : same_column ? "row"
                               : "column",
                 steps == 1 ? "" : "s",
                 same_column ? (shift > 0 ? "down" : "up") : (shift > 0 ? "on" : "back"), examples);
    else
        snprintf(f->cause, sizeof f->cause, "the values are right, and lie in %s: %s",
                 doubled * 2 > moved ? "wrong places too"
                 : same_row          ? "wrong columns"
                 : same_column       ? "wrong rows"
                                     : "wrong places",
                 examples);
    snprintf(f->remedy, sizeof f->remedy,
             "compare the %s of the store with what the same thread has computed",
             !p->a         ? "index"
             : same_row    ? "column"
             : same_column ? "row"
                           : "row and column");
    return true;
}

// Returns true if the elements of the sample, at least 4, are their expected values times one
// factor. Ignores elements whose expected value is close to 0.
static bool find_factor(const struct product *p, const struct sample *s, struct finding *f) {
    double factor = 0;
    if (s->count < 4) return false;
    for (int i = 0; i < s->count; i++) {
        const int64_t at = s->index[i];
        if (fabs(p->reference[at]) < 4 * p->limit[at] || p->reference[at] == 0) continue;
        if (factor == 0) factor = p->actual[at] / p->reference[at];
        if (!(fabs(p->actual[at] - factor * p->reference[at]) <=
              1e-4 * fabs(factor * p->reference[at]) + p->limit[at]))
            return false;
    }
    if (factor == 0 || !isfinite(factor)) return false;
    f->rule = "constant-factor";
    snprintf(f->cause, sizeof f->cause, "each wrong element is %.6g times the expected one",
             factor);
    snprintf(f->remedy, sizeof f->remedy,
             "look for a factor that is missing or applied twice, or a sum over %s",
             factor > 1 ? "too many parts" : "too few parts");
    return true;
}

// --- where wrong elements lie --------------------------------------------------------------------

static const char *ordinal(int64_t number) {
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    return number % 10 < 4 && number / 10 % 10 != 1 ? ends[number % 10] : "th";
}

// Describes which rows or columns are wrong: "all columns", "columns 4 to 7", "every 4th column
// from 1 on", "columns 0 to 3 of every 8".
static void describe(const bool *wrong, int64_t count, const char *what, char *text, size_t size) {
    int64_t first = count, last = -1, some = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!wrong[i]) continue;
        if (first > i) first = i;
        last = i;
        some++;
    }
    if (some == count) {
        snprintf(text, size, "all %ss", what);
        return;
    }
    if (last - first + 1 == some) {
        if (some == 1)
            snprintf(text, size, "%s %lld", what, (long long)first);
        else
            snprintf(text, size, "%ss %lld to %lld", what, (long long)first, (long long)last);
        return;
    }
    for (int64_t period = 2; period <= PERIODS && 2 * period <= count; period++) {
        bool repeats = true;
        for (int64_t i = period; i < count && repeats; i++) repeats = wrong[i] == wrong[i - period];
        if (!repeats) continue;
        int64_t from = period, to = -1, in_period = 0;
        for (int64_t i = 0; i < period; i++)
            if (wrong[i]) from = from < i ? from : i, to = i, in_period++;
        if (in_period == 1)
            snprintf(text, size, "every %lld%s %s from %lld on", (long long)period, ordinal(period),
                     what, (long long)from);
        else if (to - from + 1 == in_period)
            snprintf(text, size, "%ss %lld to %lld of every %lld", what, (long long)from,
                     (long long)to, (long long)period);
        else
            snprintf(text, size, "%lld %ss of every %lld", (long long)in_period, what,
                     (long long)period);
        return;
    }
    snprintf(text, size, "%lld %ss between %lld and %lld", (long long)some, what, (long long)first,
             (long long)last);
}

static void tell_extent(const struct product *p, struct finding *f) {
    bool *row = calloc((size_t)p->m + 1, 1), *column = calloc((size_t)p->n + 1, 1);
    char rows[80] = "", columns[80] = "";
    int64_t count = 0;
    for (int64_t i = 0; row && column && i < p->count; i++) {
        if (!product_is_wrong(p, i) || i / p->ldc >= p->m || i % p->ldc >= p->n) continue;
        row[i / p->ldc] = column[i % p->ldc] = true;
        count++;
    }
    if (row && column) {
        describe(row, p->m, "row", rows, sizeof rows);
        describe(column, p->n, p->a ? "column" : "element", columns, sizeof columns);
    }
    free(row);
    free(column);
    const bool all = count == p->m * p->n;
    f->rule = all ? "all-wrong" : "part-wrong";
    if (all)
        snprintf(f->cause, sizeof f->cause,
                 "no element is right: an index or a sum is wrong everywhere");
    else if (p->a)
        snprintf(f->cause, sizeof f->cause,
                 "the wrong elements lie in %s, %s (of %lld rows and %lld columns); the others are "
                 "right",
                 rows, columns, (long long)p->m, (long long)p->n);
    else
        snprintf(f->cause, sizeof f->cause, "wrong are %s of %lld; the others are right", columns,
                 (long long)p->n);
    snprintf(f->remedy, sizeof f->remedy,
             !p->a ? "look at the threads that compute these elements: their indices and guards"
             : all ? "try m = n = k = one tile, A or B the identity, and compare single elements"
                   : "look at the threads that compute these elements: the tile they belong to, "
                     "its edge, its guard");
}

enum mistaken mistake_find(const struct product *p, struct finding *f) {
    const struct sample s = choose(p);
    if (p->a) {
        const enum mistaken concerns = find_index_mistake(p, &s, f);
        if (concerns) return concerns;
        if (find_sum_mistake(p, &s, f)) return MISTAKEN_UNKNOWN;
    }
    if (find_factor(p, &s, f)) return MISTAKEN_UNKNOWN;
    if (find_places(p, &s, f)) return MISTAKEN_C;
    tell_extent(p, f);
    return MISTAKEN_UNKNOWN;
}
