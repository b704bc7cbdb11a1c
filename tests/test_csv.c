// Tests of appending to a CSV file, and of the files that are refused.
#include "csv.h"
#include "helpers.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/csv_test_XXXXXX";
static char path[64];

static int make_folder(void **state) {
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/a.csv", folder);
    return 0;
}

static int remove_folder(void **state) {
    unlink(path);
    return rmdir(folder);
}

static void write_file(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *read_file(void) {
    static char text[4096];
    FILE *file = fopen(path, "r");
    if (!file) return "(no file)";
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool append(const char *line) {
    struct csv csv;
    const bool done = csv_open(&csv, path, "a,b") && csv_append(&csv, line);
    csv_close(&csv);
    return done;
}

static void lines_follow_one_header(void **state) {
    unlink(path);
    assert_true(append("1,2"));
    assert_true(append("3,4"));
    assert_string_equal(read_file(), "a,b\n1,2\n3,4\n");
}

static void an_empty_file_gets_its_header(void **state) {
    write_file("");
    assert_true(append("1,2"));
    assert_string_equal(read_file(), "a,b\n1,2\n");
}

static void nothing_written_leaves_no_file(void **state) {
    struct csv csv;
    unlink(path);
    assert_true(csv_open(&csv, path, "a,b"));
    csv_close(&csv);
    assert_string_equal(read_file(), "(no file)");
}

static void no_path_is_no_file(void **state) {
    struct csv csv;
    assert_true(csv_open(&csv, NULL, "a,b"));
    assert_true(csv_append(&csv, "1,2"));
    csv_close(&csv);
}

// Requires that csv_open() fails with a message that names the file, and leaves it unchanged.
static void refuses(const char *content) {
    write_file(content);
    listen_to_user_messages();
    const bool taken = append("1,2");
    const char *text = heard();
    assert_false(taken);
    assert_says(text, path);
    assert_string_equal(read_file(), content);
}

static void foreign_files_are_refused(void **state) {
    refuses("x,y\n1,2\n");
    refuses("a,b,c\n");
    refuses("a,b");
    refuses("a");
    refuses("a,b\n1,");
}

static void unwritable_paths_are_refused(void **state) {
    const char *const paths[] = {"/nonexistent/a.csv", "/tmp", "/dev/full"};
    for (int i = 0; i < 3; i++) {
        struct csv csv;
        listen_to_user_messages();
        const bool taken = csv_open(&csv, paths[i], "a,b");
        assert_says(heard(), paths[i]);
        assert_false(taken);
    }
}

// Appends a line of 599 bytes to files limited to 500 bytes, like a full disk. The limit also
// leaves space for the program's own messages.
static bool append_to_a_full_disk(void) {
    struct rlimit limit;
    char line[600];
    memset(line, '1', sizeof line);
    line[sizeof line - 1] = '\0';
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){500, limit.rlim_max});
    const bool done = append(line);
    setrlimit(RLIMIT_FSIZE, &limit);
    return done;
}

static void a_line_that_does_not_fit_the_disk_leaves_nothing(void **state) {
    unlink(path);
    listen_to_user_messages();
    const bool done = append_to_a_full_disk();
    assert_says(heard(), "No space left");
    assert_false(done);
    assert_string_equal(read_file(), "(no file)");
}

static void a_line_that_does_not_fit_the_disk_leaves_the_lines_before_it(void **state) {
    unlink(path);
    assert_true(append("1,2"));
    listen_to_user_messages();
    const bool done = append_to_a_full_disk();
    assert_says(heard(), "No space left");
    assert_false(done);
    assert_string_equal(read_file(), "a,b\n1,2\n");
}

// Three writers open a new file at the same time; one ends without a line, the others append.
static void two_first_writers_leave_one_header(void **state) {
    struct csv first, second, idle;
    unlink(path);
    assert_true(csv_open(&idle, path, "a,b"));
    assert_true(csv_open(&first, path, "a,b"));
    csv_close(&idle);
    assert_true(csv_open(&second, path, "a,b"));
    assert_true(csv_append(&first, "1,2") && csv_append(&second, "3,4") &&
                csv_append(&first, "5,6"));
    csv_close(&first);
    csv_close(&second);
    assert_string_equal(read_file(), "a,b\n1,2\n3,4\n5,6\n");
}

static void two_headers_do_not_meet_in_one_file(void **state) {
    struct csv first, second;
    unlink(path);
    assert_true(csv_open(&first, path, "a,b") && csv_open(&second, path, "x,y"));
    assert_true(csv_append(&first, "1,2"));
    listen_to_user_messages();
    const bool taken = csv_append(&second, "3,4");
    assert_says(heard(), "is not the header");
    assert_false(taken);
    csv_close(&first);
    csv_close(&second);
    assert_string_equal(read_file(), "a,b\n1,2\n");
}

static const char design_header[] =
    "time,commit,backend,device,driver,step,variant,m,n,k,lda,ldb,ldc,alpha,beta,mode,rounds,"
    "ms_median,ms_min,ms_max,tflops,pct_peak,vs_cublas,error_ratio,check,sm_mhz,watts,registers,"
    "shared_bytes,threads,blocks_per_sm,gpus,error_rms,error_bias,cublas_error_max,"
    "cublas_error_rms,inputs,code_hash";

static void the_columns_are_those_of_the_plots(void **state) {
    assert_string_equal(result_header(), design_header);
}

// The header of an older version, without columns for GPUs and errors: such a file cannot be
// appended to.
static void the_shorter_header_is_refused(void **state) {
    char old[sizeof design_header];
    snprintf(old, sizeof old, "%s", design_header);
    *strstr(old, ",gpus") = '\n';
    strstr(old, "\n")[1] = '\0';
    write_file(old);
    struct csv csv;
    listen_to_user_messages();
    const bool taken = csv_open(&csv, path, result_header());
    assert_says(heard(), "is not the header of this program's CSV: choose another file");
    assert_false(taken);
    assert_string_equal(read_file(), old);
}

static void a_result_is_one_line(void **state) {
    char line[512];
    struct result result = {.time = "t",
                            .device = "GPU, \"big\"",
                            .m = 3,
                            .ms_median = NAN,
                            .tflops = 1.0 / 3,
                            .check = "pass",
                            .registers = -1,
                            .error_ratio = INFINITY};
    assert_true(result_line(&result, line, sizeof line));
    assert_string_equal(
        line,
        "t,,,\"GPU, "
        "\"\"big\"\"\",,,,3,0,0,0,0,0,0,0,,0,,0,0,0.333333,0,0,inf,pass,0,0,,0,0,0,0,0,0,0,0,,");
    assert_false(result_line(&result, line, 20));
}

static void time_is_iso_8601(void **state) {
    int year, month, day, hour, minute, second, used = 0;
    const char *now = time_now();
    assert_int_equal(sscanf(now, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour, &minute,
                            &second, &used),
                     6);
    assert_int_equal(used, (int)strlen(now));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_follow_one_header),
        cmocka_unit_test(an_empty_file_gets_its_header),
        cmocka_unit_test(nothing_written_leaves_no_file),
        cmocka_unit_test(no_path_is_no_file),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(unwritable_paths_are_refused),
        cmocka_unit_test(a_line_that_does_not_fit_the_disk_leaves_nothing),
        cmocka_unit_test(a_line_that_does_not_fit_the_disk_leaves_the_lines_before_it),
        cmocka_unit_test(two_first_writers_leave_one_header),
        cmocka_unit_test(two_headers_do_not_meet_in_one_file),
        cmocka_unit_test(the_columns_are_those_of_the_plots),
        cmocka_unit_test(the_shorter_header_is_refused),
        cmocka_unit_test(a_result_is_one_line),
        cmocka_unit_test(time_is_iso_8601),
    };
    return cmocka_run_group_tests_name("csv", tests, make_folder, remove_folder);
}
