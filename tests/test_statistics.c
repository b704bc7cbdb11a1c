// Tests of median, minimum and maximum.
#include "helpers.h"
#include "statistics.h"

#include <math.h>

static void of_odd_and_even_counts(void **state) {
    const double values[] = {3, 1, 2, 10};
    assert_true(median_of(values, 3) == 2);
    assert_true(median_of(values, 4) == 2.5);
    assert_true(median_of(values, 1) == 3);
    assert_true(minimum_of(values, 4) == 1);
    assert_true(maximum_of(values, 4) == 10);
    assert_true(values[0] == 3); // the input keeps its order
}

static void of_nothing_is_nan(void **state) {
    const double none[] = {NAN, NAN};
    assert_true(isnan(median_of(none, 0)));
    assert_true(isnan(median_of(none, 2)));
    assert_true(isnan(minimum_of(none, 2)));
    assert_true(isnan(maximum_of(none, 0)));
}

static void nan_is_left_out(void **state) {
    const double values[] = {NAN, 4, NAN, 2};
    assert_true(median_of(values, 4) == 3);
    assert_true(minimum_of(values, 4) == 2);
    assert_true(maximum_of(values, 4) == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_odd_and_even_counts),
        cmocka_unit_test(of_nothing_is_nan),
        cmocka_unit_test(nan_is_left_out),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
