// A matrix in memory: guards (canaries around it), shift, gaps between rows, and values.
#include "extent.h"
#include "helpers.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Returns the matrix's memory, filled in windows (of whole rows) of about `elements` elements each.
static void *make_image(const struct matrix *m, int64_t elements, int *windows) {
    char *image = malloc((size_t)matrix_bytes(m) + 1);
    struct window w = {0};
    assert_non_null(image);
    for (*windows = 0; matrix_next_window(m, elements, &w); ++*windows) {
        assert_true(w.count <= matrix_window_elements(m, elements));
        matrix_fill_window(m, &w, image + w.offset * element_bytes(m->element));
    }
    assert_int_equal(w.offset + w.count, matrix_elements(m));
    assert_int_equal(w.first_row + w.row_count, m->cols > 0 ? m->rows : 0);
    return image;
}

static void outside_is_canary(enum element element) {
    const struct matrix m = {.kind = MATRIX_A,
                             .element = element,
                             .rows = 5,
                             .cols = 7,
                             .ld = 10,
                             .guard = GUARD_ELEMENTS,
                             .seed = 1};
    int windows, inside = 0;
    void *image = make_image(&m, 1 << 20, &windows);
    assert_int_equal(windows, 1);
    assert_int_equal(matrix_elements(&m), 2 * GUARD_ELEMENTS + 4 * 10 + 7);
    assert_int_equal(matrix_bytes(&m), matrix_elements(&m) * (element == FP64 ? 8 : 4));
    for (int64_t i = 0; i < matrix_elements(&m); i++) {
        const int64_t at = i - matrix_start(&m);
        const bool inner = at >= 0 && at / m.ld < m.rows && at % m.ld < m.cols;
        inside += inner;
        const double value = image_value(image, m.element, i);
        assert_int_equal(image_holds(image, m.element, i, CANARY_WORD), !inner);
        if (inner) assert_true(value >= -1 && value < 1);
    }
    assert_int_equal(inside, 35);
    assert_true(isnan(image_value(image, m.element, 0)));
    free(image);
}

static void everything_outside_is_canary(void **state) {
    outside_is_canary(FP32);
    outside_is_canary(FP64);
}

// Values use all bits of their type: a float holds every value of an FP32 matrix but few of an FP64
// one, so that a kernel which rounds to float fails.
static void values_use_the_whole_type(void **state) {
    struct matrix m = {.kind = MATRIX_A, .rows = 1, .cols = 1000, .ld = 1000, .seed = 1};
    double values[1000];
    int floats = 0;
    matrix_row(&m, 0, 0, 1000, values);
    for (int i = 0; i < 1000; i++) assert_true((float)values[i] == values[i]);
    m.element = FP64;
    matrix_row(&m, 0, 0, 1000, values);
    for (int i = 0; i < 1000; i++) floats += (float)values[i] == values[i];
    assert_int_equal(floats, 0);
    double *image = make_image(&m, 1 << 20, &(int){0});
    assert_memory_equal(image + matrix_start(&m), values, sizeof values);
    free(image);
}

// Elements that nothing has written have a marker value, which is NaN in either type.
static void unwritten_elements_are_nan(void **state) {
    for (int element = FP32; element <= FP64; element++) {
        const struct matrix m = {
            .element = (enum element)element, .rows = 2, .cols = 3, .ld = 3, .unwritten = true};
        void *image = make_image(&m, 1 << 20, &(int){0});
        for (int64_t i = matrix_start(&m); i < matrix_start(&m) + 6; i++) {
            assert_true(isnan(image_value(image, m.element, i)));
            assert_true(image_holds(image, m.element, i, UNWRITTEN_WORD));
            assert_false(image_holds(image, m.element, i, CANARY_WORD));
        }
        free(image);
    }
}

static void windows_make_the_same_image(void **state) {
    const struct matrix m = {.kind = MATRIX_C,
                             .rows = 300,
                             .cols = 17,
                             .ld = 18,
                             .guard = GUARD_ELEMENTS,
                             .seed = 9,
                             .inputs = INPUTS_SPECIAL};
    int one, many;
    void *whole = make_image(&m, 1 << 20, &one), *parts = make_image(&m, 100, &many);
    assert_int_equal(one, 1);
    assert_int_equal(many, 60);
    assert_memory_equal(whole, parts, (size_t)matrix_bytes(&m));
    free(whole);
    free(parts);
}

static void values_depend_on_seed_kind_and_place(void **state) {
    struct matrix m = {.kind = MATRIX_A, .rows = 100, .cols = 100, .ld = 100, .seed = 1};
    double first[100], other[100], part[10];
    double sum = 0, squares = 0;
    matrix_row(&m, 3, 0, 100, first);
    matrix_row(&m, 3, 40, 10, part);
    assert_memory_equal(part, first + 40, sizeof part);
    matrix_row(&m, 4, 0, 100, other);
    assert_memory_not_equal(first, other, sizeof first);
    m.kind = MATRIX_B;
    matrix_row(&m, 3, 0, 100, other);
    assert_memory_not_equal(first, other, sizeof first);
    for (int64_t row = 0; row < 100; row++) {
        matrix_row(&m, row, 0, 100, other);
        for (int i = 0; i < 100; i++) sum += other[i], squares += other[i] * other[i];
    }
    assert_true(fabs(sum / 1e4) < 0.03); // five standard deviations, 5 / sqrt(3e4)
    assert_true(fabs(squares / 1e4 - 1.0 / 3) < 0.015);
}

static void special_values_are_sprinkled(void **state) {
    const struct matrix m = {
        .rows = 200, .cols = 50, .ld = 50, .seed = 1, .inputs = INPUTS_SPECIAL};
    int nans = 0, infinities = 0, minus = 0;
    double row[50];
    for (int64_t i = 0; i < m.rows; i++) {
        matrix_row(&m, i, 0, 50, row);
        for (int j = 0; j < 50; j++) {
            nans += isnan(row[j]);
            infinities += isinf(row[j]) && row[j] > 0;
            minus += isinf(row[j]) && row[j] < 0;
        }
    }
    assert_int_equal(nans, 3); // one per 97 rows
    assert_int_equal(infinities, 3);
    assert_int_equal(minus, 3);
}

// Reads one row of A and one of B for each kind of hard inputs.
static void hard_inputs_are_what_they_say(void **state) {
    struct matrix a = {.kind = MATRIX_A, .rows = 50, .cols = 50, .ld = 50, .seed = 3}, b = a;
    double left[50], right[50];
    b.kind = MATRIX_B;
    for (int inputs = INPUTS_POSITIVE; inputs < INPUTS_KINDS; inputs++) {
        double least = INFINITY, most = 0;
        a.inputs = b.inputs = (enum inputs)inputs;
        matrix_row(&a, 1, 0, 50, left);
        matrix_row(&b, 1, 0, 50, right);
        for (int i = 0; i < 50; i++) {
            assert_true((double)(float)left[i] == left[i] && (double)(float)right[i] == right[i]);
            assert_true(isfinite(left[i]) && isfinite(right[i]));
            assert_true(inputs != INPUTS_POSITIVE || left[i] >= 0);
            least = fmin(least, fabs(left[i]));
            most = fmax(most, fabs(left[i]));
        }
        const bool equal = inputs == INPUTS_CONSTANT || inputs == INPUTS_WORST_SPLIT;
        assert_true(equal == (least == most));
        if (inputs == INPUTS_SUBNORMAL) assert_true(most < 0x1p-126 && fabs(right[0]) > 0x1p80);
        if (inputs == INPUTS_CANCELLING)
            assert_true(left[1] != left[0] && fabs(left[1] - left[0]) <= 0x1p-19);
        if (inputs == INPUTS_HUGE) assert_true(most > 0x1p126);
        if (inputs == INPUTS_WIDE || inputs == INPUTS_GRADED) assert_true(most / least > 1e6);
    }
}

// matrix_extents() returns the extreme exponents of values in each row of A or column of B.
static void extents_are_those_of_the_values(void **state) {
    struct matrix a = {.kind = MATRIX_A,
                       .rows = 200,
                       .cols = 1500,
                       .ld = 1500,
                       .seed = 3,
                       .inputs = INPUTS_SPOTS},
                  b = a;
    struct extent rows[200], cols[1500];
    int beyond = 0, not_finite = 0;
    double values[1500];
    b.kind = MATRIX_B;
    matrix_extents(&a, rows);
    matrix_extents(&b, cols);
    for (int row = 0; row < 200; row++) {
        int largest = INT_MIN, smallest = INT_MAX;
        matrix_row(&a, row, 0, 1500, values);
        for (int i = 0; i < 1500; i++) {
            if (values[i] == 0) continue;
            largest = ilogb(values[i]) > largest ? ilogb(values[i]) : largest;
            smallest = ilogb(values[i]) < smallest ? ilogb(values[i]) : smallest;
        }
        assert_int_equal(rows[row].largest, largest);
        assert_int_equal(rows[row].smallest, smallest);
        beyond += largest - smallest > 28;
    }
    assert_in_range(beyond, 1, 10); // expected: one row in 128
    assert_int_equal(cols[0].largest, -1);
    a.inputs = INPUTS_SPECIAL;
    matrix_extents(&a, rows);
    for (int row = 0; row < 200; row++) not_finite += rows[row].not_finite;
    assert_in_range(not_finite, 3, 9); // a NaN and two infinities per 97 rows
}

// Column k of A has a factor, and row k of B has its inverse.
static void grades_cancel(void **state) {
    const struct matrix a = {
        .kind = MATRIX_A, .inputs = INPUTS_GRADED, .rows = 2000, .cols = 2, .ld = 2, .seed = 3};
    const struct matrix b = {
        .kind = MATRIX_B, .inputs = INPUTS_GRADED, .rows = 2, .cols = 2000, .ld = 2000, .seed = 3};
    double values[2000], size[2] = {0}, other[2] = {0};
    for (int row = 0; row < 2000; row++) {
        matrix_row(&a, row, 0, 2, values);
        for (int k = 0; k < 2; k++) size[k] += fabs(values[k]) / 2000;
    }
    for (int k = 0; k < 2; k++) {
        matrix_row(&b, k, 0, 2000, values);
        for (int col = 0; col < 2000; col++) other[k] += fabs(values[col]) / 2000;
        // 2 / pi = 0.6366 is the squared mean magnitude of a standard normal variable
        assert_true(fabs(size[k] * other[k] / 0.6366 - 1) < 0.15);
    }
    assert_true(fabs(size[0] / size[1] - 1) > 0.5);
}

static void empty_matrices_have_an_image(void **state) {
    const struct matrix no_rows = {.rows = 0, .cols = 7, .ld = 7, .guard = GUARD_ELEMENTS},
                        no_cols = {.rows = 3,
                                   .cols = 0,
                                   .ld = 1,
                                   .guard = GUARD_ELEMENTS,
                                   .inputs = INPUTS_SPECIAL};
    int windows;
    free(make_image(&no_rows, 1 << 20, &windows));
    assert_int_equal(windows, 1);
    free(make_image(&no_cols, 1 << 20, &windows));
    assert_int_equal(windows, 1);
}

// Without guards the memory ends with the last element; without elements it is empty.
static void without_guards_the_last_element_is_the_end(void **state) {
    const struct matrix m = {.rows = 5, .cols = 7, .ld = 10, .seed = 1},
                        none = {.rows = 5, .cols = 0, .ld = 1};
    int windows;
    void *image = make_image(&m, 1 << 20, &windows);
    assert_int_equal(matrix_elements(&m), 4 * 10 + 7);
    assert_false(image_holds(image, FP32, 46, CANARY_WORD));
    free(image);
    assert_int_equal(matrix_elements(&none), 0);
    assert_false(matrix_next_window(&none, 1 << 20, &(struct window){0}));
}

// Rows 2^30 elements apart: each row is one window, with some of the gaps around it.
static void far_rows_cost_little(void **state) {
    const struct matrix m = {.rows = 6, .cols = 9, .ld = 1 << 30, .seed = 1};
    struct window w = {0};
    int64_t rows = 0;
    assert_true(matrix_is_far(&m));
    assert_int_equal(matrix_elements(&m), 5 * (INT64_C(1) << 30) + 9);
    assert_true(matrix_written_bytes(&m) < 100000);
    float *image = malloc((size_t)matrix_window_elements(&m, 1 << 20) * sizeof *image);
    assert_non_null(image);
    for (; matrix_next_window(&m, 1 << 20, &w); rows++) {
        double row[9];
        assert_int_equal(w.row_count, 1);
        assert_true(w.count <= matrix_window_elements(&m, 1 << 20));
        assert_int_equal(w.offset + window_row(&m, &w, 0), w.first_row << 30);
        matrix_fill_window(&m, &w, image);
        matrix_row(&m, w.first_row, 0, 9, row);
        assert_true(image[window_row(&m, &w, 0) + 8] == (float)row[8]);
        if (rows > 0) assert_true(image_holds(image, FP32, window_row(&m, &w, 0) - 1, CANARY_WORD));
        if (rows < 5) assert_true(image_holds(image, FP32, window_row(&m, &w, 0) + 9, CANARY_WORD));
    }
    assert_int_equal(rows, 6);
    free(image);
}

// Sums in double are exact. Sums of inputs that were rounded to a narrower type differ. Some zeros
// are negative.
static void exact_inputs_are_exact(enum element element) {
    const struct matrix
        a = {.kind = MATRIX_A, .element = element, .rows = 1, .cols = 77, .inputs = INPUTS_EXACT},
        b = {.kind = MATRIX_B, .element = element, .rows = 77, .cols = 1, .inputs = INPUTS_EXACT};
    double row[77], value, sum = 0, backwards = 0, narrower = 0;
    int zeros = 0, minus = 0;
    matrix_row(&a, 0, 0, 77, row);
    for (int k = 0; k < 77; k++) {
        matrix_row(&b, k, 0, 1, &value);
        sum = element == FP64 ? sum + row[k] * value : (float)sum + (float)row[k] * (float)value;
        narrower += element == FP64
                        ? (double)((float)row[k] * (float)value)
                        : ldexp(rint(ldexp(row[k], 11)), -11) * ldexp(rint(ldexp(value, 11)), -11);
        zeros += row[k] == 0;
        minus += row[k] == 0 && signbit(row[k]);
    }
    for (int k = 76; k >= 0; k--) {
        matrix_row(&b, k, 0, 1, &value);
        backwards += row[k] * value;
    }
    assert_true(sum == backwards);
    assert_true(sum != narrower);
    assert_true(zeros > minus && minus > 0);
}

static void products_of_exact_inputs_leave_no_rounding(void **state) {
    exact_inputs_are_exact(FP32);
    exact_inputs_are_exact(FP64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_outside_is_canary),
        cmocka_unit_test(values_use_the_whole_type),
        cmocka_unit_test(unwritten_elements_are_nan),
        cmocka_unit_test(windows_make_the_same_image),
        cmocka_unit_test(values_depend_on_seed_kind_and_place),
        cmocka_unit_test(special_values_are_sprinkled),
        cmocka_unit_test(hard_inputs_are_what_they_say),
        cmocka_unit_test(extents_are_those_of_the_values),
        cmocka_unit_test(grades_cancel),
        cmocka_unit_test(empty_matrices_have_an_image),
        cmocka_unit_test(without_guards_the_last_element_is_the_end),
        cmocka_unit_test(far_rows_cost_little),
        cmocka_unit_test(products_of_exact_inputs_leave_no_rounding),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
