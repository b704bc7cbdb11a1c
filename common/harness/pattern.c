// Tries explanations of a wrong result, the simplest first, on every wrong element.
#include "pattern.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_WRONG = 8, // fewer elements may have a rule by chance
    MOST_K = 256,    // most unknowns of a system of equations
    FEW = 4          // indices that are listed one by one
};

struct text {
    char *at;
    size_t size;
};

static size_t add(struct text *text, const char *format, ...) {
    const size_t used = strlen(text->at);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text->at + used, text->size - used, format, arguments);
    va_end(arguments);
    return strlen(text->at);
}

static bool is_wrong(const struct comparison *c, int64_t i) {
    return !(fabs(c->got[i] - c->expected[i]) <= c->bound[i]) && c->got[i] != c->expected[i] &&
           !(isnan(c->got[i]) && isnan(c->expected[i]));
}

// --- where ---------------------------------------------------------------------------------------

// Returns true if the set's members are those with first <= i % period <= last.
static bool is_run(const bool *set, int64_t count, int64_t period, int64_t *first, int64_t *last) {
    for (*first = 0; !set[*first];) ++*first;
    for (*last = *first; *last + 1 < period && set[*last + 1];) ++*last;
    for (int64_t i = 0; i < count; i++) {
        if (set[i] != (i % period >= *first && i % period <= *last)) return false;
    }
    return true;
}

static int64_t count_of(const bool *set, int64_t count) {
    int64_t members = 0;
    for (int64_t i = 0; i < count; i++) members += set[i];
    return members;
}

// Adds the set's members, "rows 0 to 7 of every 16", unless all are in it. `one` and `many` are the
// words before them. Of a set without a rule it lists few members, or says between which they are.
static void add_set(struct text *text, const char *one, const char *many, const bool *set,
                    int64_t count) {
    int64_t period = 1, first, last;
    const int64_t members = count_of(set, count);
    while (period <= count / 2 && !is_run(set, count, period, &first, &last)) period++;
    if (period > count / 2) period = count;
    const bool is_plain = is_run(set, count, period, &first, &last);
    if (!is_plain && members > FEW) {
        for (last = count - 1; !set[last];) last--;
        if (last - first + 1 == count) return;
    } else if (members == count) {
        return;
    }
    const bool is_listed = !is_plain && members <= FEW;
    add(text, "%s%s %lld", is_plain || is_listed ? "" : "some of ",
        first < last || is_listed ? many : one, (long long)first);
    for (int64_t i = first + 1; is_listed && i < count; i++)
        if (set[i]) add(text, ", %lld", (long long)i);
    if (first < last && !is_listed) add(text, " to %lld", (long long)last);
    if (period < count) add(text, " of every %lld", (long long)period);
}

// --- what ----------------------------------------------------------------------------------------

enum form {
    FACTORS, // x (expected - beta C) + y C
    MOVED,   // the expected element n[0] rows below and n[1] columns to the right
    TURNED,  // the expected element with row and column exchanged
    TIMES    // the product of each k added times[k] times
};

// What each wrong element may be.
struct guess {
    enum form form;
    double x, y;
    int64_t n[2];
    const double *times;
};

// Returns A[row][k] B[k][col] of element i.
static double product(const struct comparison *c, int64_t i, int64_t k) {
    return c->a[i / c->cols * c->k + k] * c->b[k * c->cols + i % c->cols];
}

// Returns what element i is by the guess; NaN if C has no such element.
static double guessed(const struct comparison *c, const struct guess *g, int64_t i) {
    const int64_t row = i / c->cols, col = i % c->cols, r = row + g->n[0], j = col + g->n[1];
    const double old = c->initial ? c->initial[i] : 0, whole = c->expected[i];
    switch (g->form) {
    case FACTORS:
        return g->x * (whole - c->beta * old) + g->y * old;
    case MOVED:
        return r >= 0 && r < c->rows && j >= 0 && j < c->cols ? c->expected[r * c->cols + j] : NAN;
    case TURNED:
        return c->expected[col * c->cols + row];
    case TIMES:
        break;
    }
    double more = 0;
    for (int64_t k = 0; k < c->k; k++) more += g->times[k] * product(c, i, k);
    return whole + c->alpha * more;
}

// Returns true if the guess explains every wrong element.
static bool explains(const struct comparison *c, struct guess g) {
    int64_t explained = 0, beyond = 0;
    for (int64_t i = 0; i < c->rows * c->cols; i++) {
        if (!is_wrong(c, i)) continue;
        const double value = guessed(c, &g, i), off = fabs(c->got[i] - value);
        if (g.form == MOVED && isnan(value)) {
            beyond++;
        } else if (off <= (4 + 2 * fabs(g.x)) * c->bound[i] + 1e-9 * fabs(value) &&
                   off <= fabs(c->got[i] - c->expected[i]) / 2) {
            explained++;
        } else {
            return false;
        }
    }
    return g.form == MOVED ? explained >= LEAST_WRONG && beyond <= explained : explained > 0;
}

static bool add_scale(const struct comparison *c, int64_t at, struct text *text) {
    const double f = c->got[at] / c->expected[at];
    return c->beta == 0 && explains(c, (struct guess){.x = f}) &&
           add(text, "is %.7g times the right value", f);
}

static bool add_factors(const struct comparison *c, int64_t at, struct text *text) {
    const double alpha = c->alpha, beta = c->beta;
    const struct {
        double x, y;
        const char *words;
    } rows[] = {
        {0, 0, "is 0"},
        {0, beta, "is beta C alone"},
        {0, 1, "is the old C"},
        {1, 0, "lacks beta C"},
        {1, 1, "has C without beta"},
        {1 / alpha, beta, "lacks alpha"},
        {1 / alpha, 0, "is A B alone"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (explains(c, (struct guess){.x = rows[i].x, .y = rows[i].y}))
            return add(text, rows[i].words);
    }
    return add_scale(c, at, text);
}

static bool add_turned(const struct comparison *c, struct text *text) {
    return c->rows == c->cols && explains(c, (struct guess){.form = TURNED}) &&
           add(text, "has the value that belongs at [column][row]");
}

static bool add_move(const struct comparison *c, int64_t at, struct text *text) {
    for (int64_t i = 0; i < c->rows * c->cols; i++) {
        const long long down = i / c->cols - at / c->cols, right = i % c->cols - at % c->cols;
        if (i == at || !(fabs(c->expected[i] - c->got[at]) <= 2 * c->bound[at]) ||
            !explains(c, (struct guess){.form = MOVED, .n = {down, right}}))
            continue;
        add(text, "has the value that belongs");
        if (down)
            add(text, " %lld row%s %s", llabs(down), down * down == 1 ? "" : "s",
                down < 0 ? "above" : "below");
        if (right)
            add(text, " %lld column%s to the %s", llabs(right), right * right == 1 ? "" : "s",
                right < 0 ? "left" : "right");
        return true;
    }
    return false;
}

// Solves rows of k factors and a right side. Returns false if the factors do not determine it.
static bool solve(double *rows, int64_t k) {
    for (int64_t n = 0; n < k; n++) {
        int64_t best = n;
        for (int64_t r = n + 1; r < k; r++)
            if (fabs(rows[r * (k + 1) + n]) > fabs(rows[best * (k + 1) + n])) best = r;
        if (!(fabs(rows[best * (k + 1) + n]) > 1e-6)) return false;
        const bool opposed = rows[n * (k + 1) + n] * rows[best * (k + 1) + n] < 0;
        for (int64_t i = 0; best > n && i <= k; i++)
            rows[n * (k + 1) + i] += (opposed ? -1 : 1) * rows[best * (k + 1) + i];
        for (int64_t r = 0; r < k; r++) {
            const double times = rows[r * (k + 1) + n] / rows[n * (k + 1) + n];
            for (int64_t i = n; r != n && i <= k; i++)
                rows[r * (k + 1) + i] -= times * rows[n * (k + 1) + i];
        }
    }
    return true;
}

// Finds the k whose products are missing, subtracted or there twice, from as many wrong elements.
static bool add_times(const struct comparison *c, int64_t wrong, struct text *text) {
    const int64_t k = c->k, total = c->rows * c->cols;
    if (k == 0 || k > MOST_K || wrong < k || c->alpha == 0) return false;
    double *const rows = malloc((size_t)(k * (k + 2)) * sizeof *rows), *times = rows + k * (k + 1);
    bool *const set = calloc((size_t)k, sizeof *set);
    int64_t taken = 0, seen = 0;
    for (int64_t i = 0; rows && i < total && taken < k; i++) {
        if (!is_wrong(c, i) || seen++ * k / wrong < taken) continue;
        for (int64_t n = 0; n < k; n++) rows[taken * (k + 1) + n] = product(c, i, n);
        rows[taken++ * (k + 1) + k] = (c->got[i] - c->expected[i]) / c->alpha;
    }
    bool found = set && rows && taken == k && solve(rows, k);
    for (int64_t n = 0; found && n < k; n++) {
        times[n] = rint(rows[n * (k + 1) + k] / rows[n * (k + 1) + n]);
        found = times[n] >= -2 && times[n] <= 1;
    }
    found = found && explains(c, (struct guess){.form = TIMES, .times = times});
    static const char *const words[] = {"subtracts ", "lacks ", NULL, "has twice "};
    const size_t used = strlen(text->at);
    for (int t = -2; found && t <= 1; t++) {
        for (int64_t n = 0; n < k; n++) set[n] = times[n] == t;
        const int64_t members = count_of(set, k);
        if (t == 0 || members == 0) continue;
        add(text, "%s%s%s", strlen(text->at) > used ? ", and " : "", words[t + 2],
            members == k ? "all products" : "");
        add_set(text, "the product of k =", "the products of k =", set, k);
    }
    free(rows);
    free(set);
    return found;
}

// Adds what is true of each wrong element. `at` is the one of the largest expected magnitude.
static void add_what(const struct comparison *c, int64_t at, int64_t wrong, struct text *text) {
    bool all_nan = true, all_near = true;
    for (int64_t i = 0; i < c->rows * c->cols; i++) {
        if (!is_wrong(c, i)) continue;
        all_nan &= isnan(c->got[i]);
        all_near &= fabs(c->got[i] - c->expected[i]) <= c->loosest * c->bound[i];
    }
    const size_t used = strlen(text->at);
    add(text, "; %s ", wrong == 1 ? "it" : "each");
    if (c->unwritten == wrong) {
        add(text, "was never written");
    } else if (all_nan) {
        add(text, "is NaN");
    } else if (all_near && (wrong < LEAST_WRONG || !add_scale(c, at, text))) {
        add(text, "is off in the last digits only, no more than a sum in another order may be");
    } else if (!all_near && !add_factors(c, at, text) && !add_turned(c, text) &&
               !add_times(c, wrong, text) && !add_move(c, at, text)) {
        text->at[used] = '\0';
    }
}

void describe_pattern(const struct comparison *c, char *at, size_t size) {
    struct text text = {at, size};
    const int64_t total = c->rows * c->cols;
    bool *const rows = calloc((size_t)(c->rows + c->cols), sizeof *rows), *cols = rows + c->rows;
    int64_t wrong = 0, largest = 0;
    *at = '\0';
    for (int64_t i = 0; rows && i < total; i++) {
        if (!is_wrong(c, i)) continue;
        rows[i / c->cols] = cols[i % c->cols] = true;
        if (!wrong++ || fabs(c->expected[i]) > fabs(c->expected[largest])) largest = i;
    }
    if (wrong > 0) {
        if (wrong == total) add(&text, "all ");
        if (wrong < total) add(&text, "%lld of ", (long long)wrong);
        add(&text, "%lld elements %s wrong", (long long)total, wrong == 1 ? "is" : "are");
        const char *const before =
            count_of(rows, c->rows) * count_of(cols, c->cols) == wrong ? ": " : ", within ";
        const size_t start = add(&text, before);
        add_set(&text, "row", "rows", rows, c->rows);
        const size_t end = strlen(at);
        if (end > start) add(&text, ", ");
        const size_t more = strlen(at);
        add_set(&text, "column", "columns", cols, c->cols);
        if (strlen(at) == more) at[end > start ? end : start - strlen(before)] = '\0';
        add_what(c, largest, wrong, &text);
    }
    free(rows);
}
