// Comparing what a kernel left in C with what belongs there.
#include "check.h"
#include "say.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARALLEL_ELEMENTS = 1 << 15 };

double bound_scale(enum element element, int64_t k) {
    return 1.01 * (double)(k + 2) * (element == FP64 ? 0x1p-53 : 0x1p-24);
}

bool expectation_make(struct expectation *e, const struct reference *reference) {
    const size_t elements = (size_t)(reference->rows * reference->cols) + 1;
    *e = (struct expectation){.rows = reference->rows, .cols = reference->cols, .row_index = reference->row_index};
    e->value = malloc(elements * sizeof *e->value);
    e->inverse_bound = malloc(elements * sizeof *e->inverse_bound);
    if (reference->rest) e->rest = malloc(elements * sizeof *e->rest);
    if (e->value && e->inverse_bound && (e->rest || !reference->rest)) return true;
    expectation_free(e);
    return complain("not enough host memory for the check: choose a smaller --size");
}

void expectation_free(struct expectation *e) {
    free(e->value);
    free(e->rest);
    free(e->inverse_bound);
    *e = (struct expectation){0};
}

// A bound of 0 asks for the exact value: its inverse is as large as it can be.
static double inverse(double bound) {
    return bound > 1 / DBL_MAX ? 1 / bound : DBL_MAX;
}

void expectation_set(struct expectation *e, const struct reference *reference, const struct matrix *initial, int64_t k,
                     double alpha, double beta) {
    const double scale = bound_scale(initial->element, k);
#pragma omp parallel for if (e->rows * e->cols > PARALLEL_ELEMENTS)
    for (int64_t r = 0; r < e->rows; r++) {
        for (int64_t j = 0; j < e->cols; j++) {
            const int64_t i = r * e->cols + j;
            const double rest = reference->rest ? reference->rest[i] : 0;
            double c = 0;
            if (beta != 0) matrix_row(initial, e->row_index[r], j, 1, &c);
            const long double value = alpha * ((long double)reference->product[i] + rest) + (long double)beta * c;
            const double size = fabs(alpha) * reference->magnitude[i] + fabs(beta * c);
            e->value[i] = (double)value;
            if (e->rest) e->rest[i] = isfinite(e->value[i]) ? (double)(value - e->value[i]) : 0;
            e->inverse_bound[i] = isfinite(e->value[i]) ? inverse(scale * size) : NAN;
        }
    }
}

static void report(struct verdict *v, struct fault fault) {
#pragma omp critical(verdict)
    {
        if (v->fault_count < MAX_FAULTS) v->faults[v->fault_count] = fault;
        v->fault_count++;
    }
}

// NaN for NaN, and an infinity for the same infinity.
static bool same_kind(double got, double expected) {
    return isnan(expected) ? isnan(got) : got == expected;
}

// Looks closely at element `at` of an image, which is not plainly within its bound; true when it is at fault.
static bool examine(const struct matrix *initial, const void *image, int64_t at, struct fault fault,
                    struct verdict *v) {
    const bool unwritten = image_holds(image, initial->element, at, UNWRITTEN_WORD);
    fault.got = image_value(image, initial->element, at);
    if (!isfinite(fault.expected) && same_kind(fault.got, fault.expected) && !unwritten) return false;
    if (initial->unwritten && unwritten) fault.kind = FAULT_UNWRITTEN;
    report(v, fault);
    return true;
}

// The position of a row in the expectation, -1 when it is not among them.
static int64_t find_row(const struct expectation *e, int64_t row) {
    int64_t low = 0, high = e->rows;
    if (row < e->rows && e->row_index[row] == row) return row;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (e->row_index[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < e->rows && e->row_index[low] == row ? low : -1;
}

// Compares a row, from element `at` of the image on, with row `known` of the reference; returns its largest ratio of error
// to bound.
static double check_row(const struct matrix *initial, const void *image, int64_t at, const struct expectation *e,
                        int64_t known, struct verdict *v) {
    const double *value = e->value + known * e->cols, *inverse_bound = e->inverse_bound + known * e->cols;
    const double *rest = e->rest ? e->rest + known * e->cols : NULL;
    double worst = 0;
    for (int64_t j = 0; j < initial->cols; j++) {
        const double difference = image_value(image, initial->element, at + j) - value[j];
        const double ratio = fabs(rest ? difference - rest[j] : difference) * inverse_bound[j];
        if (ratio <= 1) {
            worst = ratio > worst ? ratio : worst;
            continue;
        }
        const struct fault fault = {FAULT_WRONG, e->row_index[known], j, 0, value[j], 1 / inverse_bound[j]};
        if (examine(initial, image, at + j, fault, v)) worst = isnan(ratio) ? INFINITY : fmax(worst, ratio);
    }
    return worst;
}

// A row that no reference covers must at least have been written.
static void check_written(const struct matrix *initial, int64_t row, const void *image, int64_t at, struct verdict *v) {
    for (int64_t j = 0; initial->unwritten && j < initial->cols; j++) {
        if (!image_holds(image, initial->element, at + j, UNWRITTEN_WORD)) continue;
        report(v, (struct fault){FAULT_UNWRITTEN, row, j, image_value(image, initial->element, at + j), NAN, NAN});
    }
}

// Canary words must have survived in `count` elements from `at` on.
static void check_canaries(const struct matrix *initial, const void *image, int64_t at, int64_t count,
                           struct fault fault, struct verdict *v) {
    for (int64_t i = 0; i < count; i++) {
        if (image_holds(image, initial->element, at + i, CANARY_WORD)) continue;
        struct fault found = fault;
        found.col += i;
        found.got = image_value(image, initial->element, at + i);
        report(v, found);
    }
}

void check_window(const struct matrix *initial, const struct window *w, const void *image, const struct expectation *e,
                  struct verdict *v) {
    const int64_t before = matrix_start(initial) + w->first_row * initial->ld - w->offset;
    const int64_t after = before + w->row_count * initial->ld;
    double worst = v->error_ratio;
    int64_t elements = 0;
    check_canaries(initial, image, 0, before, (struct fault){.kind = FAULT_GUARD, .col = w->offset}, v);
#pragma omp parallel for if (w->count > PARALLEL_ELEMENTS) reduction(max : worst) reduction(+ : elements)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t row = w->first_row + r, known = find_row(e, row), at = before + r * initial->ld;
        if (known >= 0) {
            const double ratio = check_row(initial, image, at, e, known, v);
            worst = ratio > worst ? ratio : worst;
            elements += initial->cols;
        } else {
            check_written(initial, row, image, at, v);
        }
        check_canaries(initial, image, at + initial->cols, initial->ld - initial->cols,
                       (struct fault){.kind = FAULT_GAP, .row = row, .col = initial->cols}, v);
    }
    check_canaries(initial, image, after, w->count - after,
                   (struct fault){.kind = FAULT_GUARD, .col = w->offset + after}, v);
    v->error_ratio = worst;
    v->elements += elements;
}

void check_baseline(const struct matrix *initial, const struct window *w, const void *image,
                    const struct baseline_rows *b, struct verdict *v) {
    const int64_t before = matrix_start(initial) + w->first_row * initial->ld - w->offset;
    const double scale = 2 * bound_scale(initial->element, b->k);
#pragma omp parallel for if (w->count > PARALLEL_ELEMENTS)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t row = w->first_row + r;
        for (int64_t j = 0; j < initial->cols; j++) {
            const int64_t at = before + r * initial->ld + j, i = r * initial->cols + j;
            const double product = image_value(b->product, initial->element, i);
            const double magnitude = image_value(b->magnitude, initial->element, i);
            double c = 0;
            if (b->beta != 0) matrix_row(initial, row, j, 1, &c);
            const double value = (double)((long double)b->alpha * product + (long double)b->beta * c);
            const double bound = scale * (fabs(b->alpha) * magnitude + fabs(b->beta * c));
            if (fabs(image_value(image, initial->element, at) - value) <= bound) continue;
            examine(initial, image, at, (struct fault){FAULT_BASELINE, row, j, 0, value, bound}, v);
        }
    }
}

void describe_fault(const struct fault *f, enum element element, char *text, size_t size) {
    const long long row = (long long)f->row, col = (long long)f->col;
    const int digits = element == FP64 ? 17 : 9; // that tell two values apart
    switch (f->kind) {
    case FAULT_WRONG:
        snprintf(text, size, "C[%lld][%lld] is %.*g, expected %.*g (error bound %.3g)", row, col, digits, f->got,
                 digits, f->expected, f->bound);
        break;
    case FAULT_BASELINE:
        snprintf(text, size, "C[%lld][%lld] is %.*g, cuBLAS has %.*g (error bound of both %.3g)", row, col, digits,
                 f->got, digits, f->expected, f->bound);
        break;
    case FAULT_UNWRITTEN:
        snprintf(text, size, "C[%lld][%lld] was never written", row, col);
        break;
    case FAULT_GAP:
        snprintf(text, size, "C[%lld][%lld], in the gap between N and ldc, was overwritten with %.*g", row, col, digits,
                 f->got);
        break;
    case FAULT_GUARD:
        snprintf(text, size, "memory outside C was overwritten with %.*g (element %lld of its buffer)", digits, f->got,
                 col);
        break;
    }
}
