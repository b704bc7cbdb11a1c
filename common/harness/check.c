// Comparing what a kernel left in C with what belongs there.
#include "check.h"
#include "say.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARALLEL_FLOATS = 1 << 15 };

double bound_scale(int64_t k) {
    return 1.01 * (double)(k + 2) * 0x1p-24;
}

bool expectation_make(struct expectation *e, const struct reference *reference) {
    const size_t elements = (size_t)(reference->rows * reference->cols) + 1;
    *e = (struct expectation){reference->rows, reference->cols, reference->row_index, NULL, NULL};
    e->value = malloc(elements * sizeof *e->value);
    e->inverse_bound = malloc(elements * sizeof *e->inverse_bound);
    if (e->value && e->inverse_bound) return true;
    expectation_free(e);
    return complain("not enough host memory for the check: choose a smaller --size");
}

void expectation_free(struct expectation *e) {
    free(e->value);
    free(e->inverse_bound);
    *e = (struct expectation){0};
}

// A bound of 0 asks for the exact value: its inverse is as large as it can be.
static double inverse(double bound) {
    return bound > 1 / DBL_MAX ? 1 / bound : DBL_MAX;
}

void expectation_set(struct expectation *e, const struct reference *reference, const struct matrix *initial, int64_t k,
                     float alpha, float beta) {
    const double scale = bound_scale(k);
#pragma omp parallel for if (e->rows * e->cols > PARALLEL_FLOATS)
    for (int64_t r = 0; r < e->rows; r++) {
        for (int64_t j = 0; j < e->cols; j++) {
            const int64_t i = r * e->cols + j;
            float c = 0;
            if (beta != 0) matrix_row(initial, e->row_index[r], j, 1, &c);
            const double value = (double)alpha * reference->product[i] + (beta != 0 ? (double)beta * c : 0);
            const double size = fabs((double)alpha) * reference->magnitude[i] + fabs((double)beta * c);
            e->value[i] = value;
            e->inverse_bound[i] = isfinite(value) ? inverse(scale * size) : NAN;
        }
    }
}

static bool holds_word(const float *value, uint32_t word) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits == word;
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

// Looks closely at an element that is not plainly within its bound; true when it is at fault.
static bool examine(const struct matrix *initial, int64_t row, int64_t col, const float *got, double expected,
                    double bound, enum fault_kind kind, struct verdict *v) {
    if (!isfinite(expected) && same_kind(*got, expected) && !holds_word(got, UNWRITTEN_WORD)) return false;
    if (initial->unwritten && holds_word(got, UNWRITTEN_WORD)) kind = FAULT_UNWRITTEN;
    report(v, (struct fault){kind, row, col, *got, expected, bound});
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

// Compares a row with the reference; returns its largest ratio of error to bound.
static double check_row(const struct matrix *initial, int64_t row, const float *got, const double *value,
                        const double *inverse_bound, struct verdict *v) {
    double worst = 0;
    for (int64_t j = 0; j < initial->cols; j++) {
        const double ratio = fabs(got[j] - value[j]) * inverse_bound[j];
        if (ratio <= 1) {
            worst = ratio > worst ? ratio : worst;
            continue;
        }
        if (examine(initial, row, j, &got[j], value[j], 1 / inverse_bound[j], FAULT_WRONG, v)) {
            worst = isnan(ratio) ? INFINITY : fmax(worst, ratio);
        }
    }
    return worst;
}

// A row that no reference covers must at least have been written.
static void check_written(const struct matrix *initial, int64_t row, const float *got, struct verdict *v) {
    for (int64_t j = 0; initial->unwritten && j < initial->cols; j++) {
        if (holds_word(&got[j], UNWRITTEN_WORD)) report(v, (struct fault){FAULT_UNWRITTEN, row, j, got[j], NAN, NAN});
    }
}

// Canary words must have survived.
static void check_canaries(const float *from, int64_t count, struct fault fault, struct verdict *v) {
    for (int64_t i = 0; i < count; i++) {
        if (holds_word(&from[i], CANARY_WORD)) continue;
        struct fault found = fault;
        found.col += i;
        found.got = from[i];
        report(v, found);
    }
}

void check_window(const struct matrix *initial, const struct window *w, const float *image, const struct expectation *e,
                  struct verdict *v) {
    const int64_t before = matrix_start(initial) + w->first_row * initial->ld - w->offset;
    const int64_t after = before + w->row_count * initial->ld;
    double worst = v->error_ratio;
    int64_t elements = 0;
    check_canaries(image, before, (struct fault){.kind = FAULT_GUARD, .col = w->offset}, v);
#pragma omp parallel for if (w->count > PARALLEL_FLOATS) reduction(max : worst) reduction(+ : elements)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t row = w->first_row + r, known = find_row(e, row);
        const float *got = image + before + r * initial->ld;
        if (known >= 0) {
            const double ratio =
                check_row(initial, row, got, e->value + known * e->cols, e->inverse_bound + known * e->cols, v);
            worst = ratio > worst ? ratio : worst;
            elements += initial->cols;
        } else {
            check_written(initial, row, got, v);
        }
        check_canaries(got + initial->cols, initial->ld - initial->cols,
                       (struct fault){.kind = FAULT_GAP, .row = row, .col = initial->cols}, v);
    }
    check_canaries(image + after, w->count - after, (struct fault){.kind = FAULT_GUARD, .col = w->offset + after}, v);
    v->error_ratio = worst;
    v->elements += elements;
}

void check_baseline(const struct matrix *initial, const struct window *w, const float *image,
                    const struct baseline_rows *b, struct verdict *v) {
    const int64_t before = matrix_start(initial) + w->first_row * initial->ld - w->offset;
    const double scale = 2 * bound_scale(b->k);
#pragma omp parallel for if (w->count > PARALLEL_FLOATS)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t row = w->first_row + r;
        for (int64_t j = 0; j < initial->cols; j++) {
            const float *got = &image[before + r * initial->ld + j];
            const int64_t i = r * initial->cols + j;
            float c = 0;
            if (b->beta != 0) matrix_row(initial, row, j, 1, &c);
            const double value = (double)b->alpha * b->product[i] + (b->beta != 0 ? (double)b->beta * c : 0);
            const double bound = scale * (fabs((double)b->alpha) * b->magnitude[i] + fabs((double)b->beta * c));
            if (fabs(*got - value) <= bound) continue;
            examine(initial, row, j, got, value, bound, FAULT_BASELINE, v);
        }
    }
}

void describe_fault(const struct fault *f, char *text, size_t size) {
    const long long row = (long long)f->row, col = (long long)f->col;
    switch (f->kind) {
    case FAULT_WRONG:
        snprintf(text, size, "C[%lld][%lld] is %.9g, expected %.9g (error bound %.3g)", row, col, f->got, f->expected,
                 f->bound);
        break;
    case FAULT_BASELINE:
        snprintf(text, size, "C[%lld][%lld] is %.9g, cuBLAS has %.9g (error bound of both %.3g)", row, col, f->got,
                 f->expected, f->bound);
        break;
    case FAULT_UNWRITTEN:
        snprintf(text, size, "C[%lld][%lld] was never written", row, col);
        break;
    case FAULT_GAP:
        snprintf(text, size, "C[%lld][%lld], in the gap between N and ldc, was overwritten with %.9g", row, col,
                 f->got);
        break;
    case FAULT_GUARD:
        snprintf(text, size, "memory outside C was overwritten with %.9g (float %lld of its buffer)", f->got, col);
        break;
    }
}
