// Step 13's `safe` takes the method with the least expected time, on tensor cores or from step 10.
// Its choice takes at most 5 % longer than the fastest method. This is tried on every shape for
// which all methods were measured on an H200 or an H100.
#include "helpers.h"
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHAPES = 100, MOST_COLUMNS = 64, LINE = 1024 };

static const char *const names[] = {"13_tensor_cores/mended", "13_tensor_cores/few_rows",
                                    "13_tensor_cores/few_cols", "shapes/dispatch"};
enum { NAMES = sizeof names / sizeof *names };

struct times {
    struct situation situation;
    double ms[NAMES]; // of the newest row; 0: none
};

static int columns_of(char *line, char *columns[MOST_COLUMNS]) {
    int count = 0;
    for (char *word; count < MOST_COLUMNS && (word = strsep(&line, ",")); count++)
        columns[count] = word;
    return count;
}

static int column_named(char *columns[], int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(columns[i], name) == 0) return i;
    fail_msg("no column %s", name);
    return -1;
}

static struct times *times_of(struct times *all, int *count, const char *device, int m, int n,
                              int k) {
    for (int i = 0; i < *count; i++) {
        const struct situation *s = &all[i].situation;
        if (s->m == m && s->n == n && s->k == k) return &all[i];
    }
    assert_true(*count < MOST_SHAPES);
    all[*count] = (struct times){
        {.m = m, .n = n, .k = k, .multiprocessors = 132, .machine_code = true, .device = device},
        {0}};
    return &all[(*count)++];
}

static int read_times(struct times *all, const char *path, const char *device) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[LINE], *columns[MOST_COLUMNS];
    assert_non_null(fgets(line, sizeof line, file));
    const int width = columns_of(line, columns);
    const int variant = column_named(columns, width, "variant"),
              m = column_named(columns, width, "m"), n = column_named(columns, width, "n"),
              k = column_named(columns, width, "k"), ms = column_named(columns, width, "ms_median");
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(columns_of(line, columns), width);
        struct times *t =
            times_of(all, &count, device, atoi(columns[m]), atoi(columns[n]), atoi(columns[k]));
        for (int i = 0; i < NAMES; i++)
            if (strcmp(columns[variant], strchr(names[i], '/') + 1) == 0)
                t->ms[i] = atof(columns[ms]);
    }
    fclose(file);
    return count;
}

static double expected(const char *name, const struct situation *situation) {
    struct choice choice;
    assert_true(find_choice(linked_steps(), name, &choice));
    assert_non_null(extras_of(choice.variant)->choice.expects);
    return extras_of(choice.variant)->choice.expects(situation);
}

static void take_the_fastest(const char *path, const char *device) {
    static struct times all[MOST_SHAPES];
    const int count = read_times(all, path, device);
    int taken[NAMES] = {0};
    assert_true(count > 25);
    for (int i = 0; i < count; i++) {
        const struct situation *s = &all[i].situation;
        int chosen = 0, best = 0;
        for (int j = 0; j < NAMES; j++) {
            assert_true(all[i].ms[j] > 0);
            if (expected(names[j], s) < expected(names[chosen], s)) chosen = j;
            if (all[i].ms[j] < all[i].ms[best]) best = j;
        }
        if (all[i].ms[chosen] > 1.05 * all[i].ms[best])
            fail_msg("%dx%dx%d: %s takes %g ms, %s %g", s->m, s->n, s->k, names[chosen],
                     all[i].ms[chosen], names[best], all[i].ms[best]);
        taken[chosen]++;
    }
    for (int j = 0; j < NAMES; j++) assert_true(taken[j] >= 2);
}

static void the_fastest_is_taken(void **state) {
    take_the_fastest("docs/results/h200/applications.csv", "NVIDIA H200");
    take_the_fastest("docs/results/h100/applications.csv", "NVIDIA H100 80GB HBM3");
}

// Each method that `safe` may choose exists, has an expected time, and has a kernel or chooses one.
static void safe_chooses_among_those(void **state) {
    struct choice safe, other;
    assert_true(find_choice(linked_steps(), "13_tensor_cores/safe", &safe));
    assert_true(variant_chooses(safe.variant));
    for (int i = 0; extras_of(safe.variant)->choice.among[i]; i++) {
        assert_true(find_choice(linked_steps(), extras_of(safe.variant)->choice.among[i], &other));
        assert_non_null(extras_of(other.variant)->choice.expects);
    }
    assert_false(find_choice(linked_steps(), "13_tensor_cores/none", &other));
    assert_false(find_choice(linked_steps(), "13_tensor", &other));
    assert_false(find_choice(linked_steps(), "", &other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_taken),
        cmocka_unit_test(safe_chooses_among_those),
    };
    return cmocka_run_group_tests_name("safe", tests, NULL, NULL);
}
