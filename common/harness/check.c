// Compares C after a launch with the expected result. check.h defines the unit of errors.
#include "check.h"
#include "say.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARALLEL_ELEMENTS = 1 << 15 }; // loops over more elements use several threads of the host

double rigorous_limit(int64_t k) {
    return 1.01 * (double)(k + 2);
}

// Returns the limit of the root mean square of the errors of `elements` elements, in units.
static double rms_limit(int64_t elements) {
    return 1 + 9 / sqrt((double)elements);
}

// Returns the error limit for one element, in units, of a kernel that states no limit of its own.
static double usual_limit(const struct expectation *e) {
    return (e->hard ? rigorous_limit(e->k) : fmin(rigorous_limit(e->k), 16)) + e->lost;
}

// Returns an element's error limit in units: 0 if C is exact, own_limit if hard, or usual_limit().
static double expected_limit(const struct expectation *e) {
    if (e->exact && e->lost == 0) return 0;
    return e->hard && e->own_limit > 0 ? e->own_limit : usual_limit(e);
}

double error_bound(const struct expectation *e, double unit) {
    const bool by_norm = e->norm_bound > 0 && !(e->exact && e->lost == 0);
    return by_norm ? e->norm_bound + 2 * unit : expected_limit(e) * unit;
}

double baseline_limit(const struct expectation *e) {
    return expected_limit(e) + usual_limit(e);
}

// Returns the unit of an element's error; `size` is |alpha| (|A||B|) + |beta||C|. 2 * least is for
// two roundings to subnormal numbers. If `size` is 0, C is exact, and the unit is 0.
static double unit_of(enum element element, double size) {
    const double roundoff = element == FP64 ? 0x1p-53 : 0x1p-24,
                 least = element == FP64 ? 0x1p-1074 : 0x1p-149;
    return size > 0 ? roundoff * size + 2 * least : 0;
}

bool expectation_make(struct expectation *e, const struct reference *reference) {
    const size_t elements = (size_t)(reference->rows * reference->cols) + 1;
    *e = (struct expectation){
        .rows = reference->rows, .cols = reference->cols, .row_index = reference->row_index};
    e->value = malloc(elements * sizeof *e->value);
    e->unit = malloc(elements * sizeof *e->unit);
    if (reference->rest) e->rest = malloc(elements * sizeof *e->rest);
    if (e->value && e->unit && (e->rest || !reference->rest)) return true;
    expectation_free(e);
    return say_error("not enough host memory for the check: choose a smaller --size");
}

void expectation_free(struct expectation *e) {
    free(e->value);
    free(e->rest);
    free(e->unit);
    *e = (struct expectation){0};
}

void expectation_set(struct expectation *e, const struct reference *reference,
                     const struct matrix *initial, int64_t k, struct factors f) {
    e->k = k;
    e->exact = f.exact;
#pragma omp parallel for if (e->rows * e->cols > PARALLEL_ELEMENTS)
    for (int64_t r = 0; r < e->rows; r++) {
        for (int64_t j = 0; j < e->cols; j++) {
            const int64_t i = r * e->cols + j;
            const double rest = reference->rest ? reference->rest[i] : 0;
            double c = 0;
            if (f.beta != 0) matrix_row(initial, e->row_index[r], j, 1, &c);
            const long double value =
                f.alpha * ((long double)reference->product[i] + rest) + (long double)f.beta * c;
            const double size = fabs(f.alpha) * reference->magnitude[i] + fabs(f.beta * c);
            e->value[i] = (double)value;
            if (e->rest) e->rest[i] = isfinite(e->value[i]) ? (double)(value - e->value[i]) : 0;
            e->unit[i] = isfinite(e->value[i]) ? unit_of(initial->element, size) : NAN;
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

// Returns true if both values are NaN, or if they are equal.
static bool same_value(double got, double expected) {
    return isnan(expected) ? isnan(got) : got == expected;
}

// Examines an element whose error is not within its limit: element `at` of the image. Returns false
// if the kernel wrote the element and both values are NaN or the same infinity. Otherwise reports a
// fault and returns true.
static bool examine(const struct matrix *initial, const void *image, int64_t at, struct fault fault,
                    struct verdict *v) {
    const bool unwritten = image_holds(image, initial->element, at, UNWRITTEN_WORD);
    fault.got = image_value(image, initial->element, at);
    if (!isfinite(fault.expected) && same_value(fault.got, fault.expected) && !unwritten)
        return false;
    if (initial->unwritten && unwritten) fault.kind = FAULT_UNWRITTEN;
    report(v, fault);
    return true;
}

// Returns the index of row `row` of C among the expectation's rows; -1 if it is not one of them.
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

// Compares the row of C from element `at` of `image` on with row `known` of the expectation.
static struct errors check_row(const struct matrix *initial, const void *image, int64_t at,
                               const struct expectation *e, int64_t known, struct verdict *v) {
    const double *value = e->value + known * e->cols, *unit = e->unit + known * e->cols;
    const double *rest = e->rest ? e->rest + known * e->cols : NULL;
    struct errors errors = {0};
    for (int64_t j = 0; j < initial->cols; j++) {
        const double difference =
            image_value(image, initial->element, at + j) - value[j] - (rest ? rest[j] : 0);
        const double error = difference == 0 ? 0 : difference / unit[j], size = fabs(error);
        const double bound = error_bound(e, unit[j]);
        if (difference != 0 && !(fabs(difference) <= bound)) {
            const struct fault fault = {FAULT_WRONG, e->row_index[known], j, 0, value[j], bound};
            if (examine(initial, image, at + j, fault, v))
                errors.largest = isnan(size) ? INFINITY : fmax(errors.largest, size);
        }
        if (isnan(unit[j]) || !isfinite(size)) continue;
        errors.count++;
        errors.largest = size > errors.largest ? size : errors.largest;
        errors.squares += size * size;
        errors.difference_squares += difference * difference;
        errors.unit_squares += unit[j] * unit[j];
        errors.bias += value[j] < 0 ? -error : error;
    }
    return errors;
}

// Reports unwritten elements in a row that is not compared. They are visible only if beta is 0.
static void check_written(const struct matrix *initial, int64_t row, const void *image, int64_t at,
                          struct verdict *v) {
    for (int64_t j = 0; initial->unwritten && j < initial->cols; j++) {
        if (!image_holds(image, initial->element, at + j, UNWRITTEN_WORD)) continue;
        report(v, (struct fault){FAULT_UNWRITTEN, row, j,
                                 image_value(image, initial->element, at + j), NAN, NAN});
    }
}

// Reports overwritten canaries (matrix.h) among `count` elements from element `at` of the image on.
static void check_canaries(const struct matrix *initial, const void *image, int64_t at,
                           int64_t count, struct fault fault, struct verdict *v) {
    for (int64_t i = 0; i < count; i++) {
        if (image_holds(image, initial->element, at + i, CANARY_WORD)) continue;
        struct fault found = fault;
        found.col += i;
        found.got = image_value(image, initial->element, at + i);
        report(v, found);
    }
}

static void add_errors(struct errors *to, const struct errors *errors) {
    to->count += errors->count;
    to->largest = fmax(to->largest, errors->largest);
    to->squares += errors->squares;
    to->difference_squares += errors->difference_squares;
    to->unit_squares += errors->unit_squares;
    to->bias += errors->bias;
}

void check_window(const struct matrix *initial, const struct window *w, const void *image,
                  const struct expectation *e, struct verdict *v) {
    const int64_t before = w->row_count > 0 ? window_row(initial, w, 0) : w->count;
    int64_t elements = 0;
    check_canaries(initial, image, 0, before, (struct fault){.kind = FAULT_GUARD, .col = w->offset},
                   v);
#pragma omp parallel for if (w->count > PARALLEL_ELEMENTS) reduction(+ : elements)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t row = w->first_row + r, known = find_row(e, row),
                      at = window_row(initial, w, r);
        const int64_t after = at + initial->cols, end = window_row_end(initial, w, r);
        if (known >= 0 && !isinf(e->norm_bound)) {
            const struct errors errors = check_row(initial, image, at, e, known, v);
#pragma omp critical(errors)
            add_errors(&v->errors, &errors);
            elements += initial->cols;
        } else {
            check_written(initial, row, image, at, v);
        }
        const struct fault gap = {.kind = FAULT_GAP, .row = row, .col = initial->cols};
        const struct fault guard = {.kind = FAULT_GUARD, .col = w->offset + after};
        check_canaries(initial, image, after, end - after, row < initial->rows - 1 ? gap : guard,
                       v);
    }
    v->elements += elements;
}

void check_errors(const struct expectation *e, struct verdict *v) {
    const struct errors *errors = &v->errors;
    const double count = errors->count > 0 ? (double)errors->count : 1;
    v->error_max = errors->largest;
    v->error_ratio = errors->largest / rigorous_limit(e->k);
    v->error_rms = sqrt(errors->squares / count);
    v->error_bias = errors->bias / count;
    const double limit =
        rms_limit(errors->count) * (e->rms_factor > 0 ? e->rms_factor : 1) + e->lost;
    const double rms = e->rms_factor > 0 && errors->difference_squares > 0
                           ? sqrt(errors->difference_squares / errors->unit_squares)
                           : v->error_rms;
    if (e->hard || errors->count == 0 || v->fault_count > 0 || rms <= limit) return;
    report(v, (struct fault){.kind = FAULT_RMS, .got = rms, .bound = limit});
}

void check_baseline(const struct matrix *initial, const struct window *w, const void *image,
                    const struct baseline_rows *b, struct verdict *v) {
#pragma omp parallel for if (w->count > PARALLEL_ELEMENTS)
    for (int64_t r = 0; r < w->row_count; r++) {
        const int64_t row = w->first_row + r;
        for (int64_t j = 0; j < initial->cols; j++) {
            const int64_t at = window_row(initial, w, r) + j, i = r * initial->cols + j;
            const double product = image_value(b->product, initial->element, i);
            const double magnitude = image_value(b->magnitude, initial->element, i);
            double c = 0;
            if (b->beta != 0) matrix_row(initial, row, j, 1, &c);
            const double value =
                (double)((long double)b->alpha * product + (long double)b->beta * c);
            const double size = fabs(b->alpha) * magnitude + fabs(b->beta * c);
            const double bound = b->norm_bound + b->limit * unit_of(initial->element, size);
            if (fabs(image_value(image, initial->element, at) - value) <= bound) continue;
            examine(initial, image, at, (struct fault){FAULT_BASELINE, row, j, 0, value, bound}, v);
        }
    }
}

void describe_fault(const struct fault *f, enum element element, char *text, size_t size) {
    const long long row = (long long)f->row, col = (long long)f->col;
    const int digits = element == FP64 ? 17 : 9; // enough to distinguish any two values
    switch (f->kind) {
    case FAULT_WRONG:
        snprintf(text, size, "C[%lld][%lld] is %.*g, expected %.*g (off by %.3g, tolerance %.3g%s)",
                 row, col, digits, f->got, digits, f->expected, fabs(f->got - f->expected),
                 f->bound, f->bound == 0 ? ": exact sums" : "");
        break;
    case FAULT_BASELINE:
        snprintf(text, size, "C[%lld][%lld] is %.*g, cuBLAS has %.*g (tolerance of both %.3g)", row,
                 col, digits, f->got, digits, f->expected, f->bound);
        break;
    case FAULT_UNWRITTEN:
        snprintf(text, size, "C[%lld][%lld] was never written", row, col);
        break;
    case FAULT_GAP:
        snprintf(text, size,
                 "C[%lld][%lld], in the gap between N and ldc, was overwritten with %.*g", row, col,
                 digits, f->got);
        break;
    case FAULT_RMS:
        snprintf(text, size,
                 "the root mean square of the errors is %.3g u (|alpha| |A||B| + |beta||C|), but "
                 "sums in %s stay below %.3g: does the kernel round inputs or sums to fewer bits?",
                 f->got, element == FP64 ? "FP64" : "FP32", f->bound);
        break;
    case FAULT_GUARD:
        snprintf(text, size,
                 "memory outside C was overwritten with %.*g (element %lld of its buffer)", digits,
                 f->got, col);
        break;
    }
}
