// A whole run of a lesson on the fake backend: check, timing, CSV, exit status.
#include "asm/assemble.h"
#include "fake_backend.h"
#include "forecast.h"
#include "helpers.h"
#include "say.h"
#include "session.h"
#include "timing.h"
#include "trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/session_test_XXXXXX";
static char csv_path[64];

// Makes a file for every kernel: the fake backend reads no cubins, but the session hashes them.
static int make_cubins(void **state) {
    char path[256];
    struct choice choices[MAX_CHOICES];
    int count;
    size_t size;
    struct error error = {0};
    const struct assemble_options options = {.path = "k.sass"};
    uint8_t *cubin = assemble(".kernel k\n EXIT\n", &options, &size, &error);
    if (!cubin) return print_error("%s\n", error.message), 1;
    if (!mkdtemp(folder) || !choose_variants(linked_steps(), "01", NULL, choices, &count)) return 1;
    snprintf(csv_path, sizeof csv_path, "%s/results.csv", folder);
    snprintf(path, sizeof path, "%s/sm_90", folder);
    mkdir(path, 0777);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/sm_90/%s", folder, choices[i].step->name);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/sm_90/%s/%s.cubin", folder, choices[i].step->name,
                 choices[i].variant->name);
        FILE *file = fopen(path, "w");
        if (!file || fwrite(cubin, 1, size, file) != size || fclose(file) != 0) return 1;
    }
    free(cubin);
    return 0;
}

static int remove_cubins(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

// Runs step 01 with these arguments. Sets *said to its output and *csv_text to its CSV.
static int run(int argc, char **argv, bool baseline, const char **said, char *csv_text,
               size_t size) {
    static struct options options;
    struct choice choices[MAX_CHOICES];
    const struct device_info info = fake_device(baseline);
    struct csv csv;
    int count, status = EXIT_FAILED;
    unlink(csv_path);
    listen_to_user_messages();
    assert_true(options_parse(argc, argv, &options));
    assert_true(choose_variants(linked_steps(), "01", NULL, choices, &count));
    assert_true(csv_open(&csv, csv_path, result_header()));
    struct session session = {.options = &options,
                              .backend = &backend_fake,
                              .info = &info,
                              .csv = &csv,
                              .sustained_seconds = 0.05};
    if (session_open(&session, folder, choices, count)) status = session_run(&session);
    session_close(&session);
    csv_close(&csv);
    *said = heard();
    FILE *file = fopen(csv_path, "r");
    csv_text[file ? fread(csv_text, 1, size - 1, file) : 0] = '\0';
    if (file) fclose(file);
    assert_int_equal(fake_allocations, 0);
    return status;
}

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

// Returns a column's field in line `row` of the CSV; line 0 is the header.
static const char *field(const char *csv_text, int row, const char *name) {
    static char value[256];
    char header[1024], line[1024], *rest_name = header, *rest = line, *column;
    snprintf(header, sizeof header, "%s", result_header());
    for (int i = 0; i < row; i++) csv_text = strchr(csv_text, '\n') + 1;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(csv_text, "\n"), csv_text);
    while ((column = strsep(&rest_name, ","))) {
        const char *text = strsep(&rest, ",");
        if (strcmp(column, name) == 0) return snprintf(value, sizeof value, "%s", text), value;
    }
    fail_msg("no column %s", name);
    return NULL;
}

static char csv_text[65536];
static const char *said;

static void burst(void **state) {
    char *argv[] = {"ladder", "--size", "8,20", "--rounds", "4", NULL};
    assert_int_equal(run(5, argv, true, &said, csv_text, sizeof csv_text), EXIT_GOOD);
    assert_int_equal(lines_of(csv_text), 1 + 2 * 3);
    assert_string_equal(field(csv_text, 1, "step"), "cublas");
    assert_string_equal(field(csv_text, 1, "variant"), "pedantic");
    assert_string_equal(field(csv_text, 2, "step"), "01_first");
    assert_string_equal(field(csv_text, 3, "variant"), "fast");
    assert_string_equal(field(csv_text, 3, "mode"), "burst");
    assert_string_equal(field(csv_text, 3, "rounds"), "4");
    assert_string_equal(field(csv_text, 3, "check"), "pass");
    assert_string_equal(field(csv_text, 3, "sm_mhz"), "1000");
    assert_string_equal(field(csv_text, 3, "watts"), "100");
    assert_string_equal(field(csv_text, 6, "m"), "20");
    const double ms = atof(field(csv_text, 6, "ms_median")),
                 tflops = atof(field(csv_text, 6, "tflops"));
    assert_true(ms > 0 && fabs(tflops / (2e-9 * 20 * 20 * 20 / ms) - 1) < 1e-4);
    // The peak of one lane at 1 GHz is 0.002 TFLOP/s
    assert_true(fabs(atof(field(csv_text, 6, "pct_peak")) / (100 * tflops / 0.002) - 1) < 1e-4);
    assert_true(atof(field(csv_text, 6, "vs_cublas")) > 0);
    assert_true(atof(field(csv_text, 6, "error_ratio")) < 1);
}

static void without_a_baseline(void **state) {
    char *argv[] = {"ladder", "--size", "8", "--rounds", "2", NULL};
    assert_int_equal(run(5, argv, false, &said, csv_text, sizeof csv_text), EXIT_GOOD);
    assert_int_equal(lines_of(csv_text), 1 + 2);
    assert_string_equal(field(csv_text, 1, "vs_cublas"), "");
}

static void sustained(void **state) {
    char *argv[] = {"ladder", "--size", "16", "--mode", "sustained", NULL};
    assert_int_equal(run(5, argv, true, &said, csv_text, sizeof csv_text), EXIT_GOOD);
    assert_string_equal(field(csv_text, 2, "mode"), "sustained");
    assert_true(fabs(atof(field(csv_text, 2, "watts")) - 100) < 10); // watts: energy over time
    assert_true(atof(field(csv_text, 2, "vs_cublas")) > 0);
}

static void a_wrong_kernel_is_not_timed_and_fails_the_run(void **state) {
    char *argv[] = {"ladder", "--size", "8", NULL};
    fake_fault = FAKE_WRONG_ELEMENT;
    assert_int_equal(run(3, argv, true, &said, csv_text, sizeof csv_text), EXIT_FAILED);
    fake_fault = FAKE_RIGHT;
    assert_says(said, "01_first/slow fails at 8x8x8");
    assert_says(said, "C[7][7] is");
    // A trial, chosen by the variant's tile size
    assert_says(said, "01_first/fast fails at 33x35x77, lda 80, ldb 36, ldc 36");
    assert_says(said, "4 checks failed");
    assert_string_equal(field(csv_text, 1, "check"), "pass"); // row 1 is cuBLAS
    assert_string_equal(field(csv_text, 2, "check"), "fail");
    assert_string_equal(field(csv_text, 2, "ms_median"), "");
    assert_string_equal(field(csv_text, 2, "mode"), "check");
}

// A kernel that is wrong only on the trials: the user's problem passes, the kernel fails.
static void a_failed_trial_fails_the_row(void **state) {
    char *argv[] = {"ladder", "--size", "8", NULL};
    fake_fault = FAKE_GAP; // the problem of size 8 has no gap to overwrite
    assert_int_equal(run(3, argv, true, &said, csv_text, sizeof csv_text), EXIT_FAILED);
    fake_fault = FAKE_RIGHT;
    assert_says(said, "C[0][19], in the gap between N and ldc, was overwritten");
    assert_string_equal(field(csv_text, 2, "check"), "fail");
    assert_string_equal(field(csv_text, 2, "ms_median"), "");
}

static void errors_stand_beside_those_of_cublas(void **state) {
    char *argv[] = {"ladder", "--size", "32", "--rounds", "1", NULL};
    assert_int_equal(run(5, argv, true, &said, csv_text, sizeof csv_text), EXIT_GOOD);
    assert_string_equal(field(csv_text, 2, "gpus"), "1");
    const double rms = atof(field(csv_text, 2, "error_rms")),
                 most = atof(field(csv_text, 2, "cublas_error_max"));
    assert_true(rms > 0.01 && rms < 1 && most > rms && most < 16);
    // The fake backend computes both
    assert_true(atof(field(csv_text, 2, "cublas_error_rms")) == rms);
    assert_true(fabs(atof(field(csv_text, 2, "error_bias"))) < 0.2);
}

static void factors_that_overflow_are_refused(void **state) {
    char *argv[] = {"ladder", "--size", "8", "--alpha", "1,3e38", NULL};
    assert_int_equal(run(5, argv, true, &said, csv_text, sizeof csv_text), EXIT_USAGE);
    assert_says(said, "--alpha 3e+38 --beta 0: ");
    assert_string_equal(csv_text, "");
}

static void check_only_sums_up(void **state) {
    char *argv[] = {"ladder", "--size", "8,9",     "--pad", "0,1",
                    "--beta", "0,1",    "--check", "only",  NULL};
    assert_int_equal(run(9, argv, true, &said, csv_text, sizeof csv_text), EXIT_GOOD);
    assert_int_equal(lines_of(csv_text), 1 + 2 * 2 * 2 * 2);
    assert_says(said, "28          0"); // 28 checks of a variant, 20 of them trials; 0 failures
}

static void without_a_check_nothing_is_compared(void **state) {
    char *argv[] = {"ladder", "--size", "8", "--check", "off", "--rounds", "1", NULL};
    fake_fault = FAKE_WRONG_ELEMENT;
    assert_int_equal(run(7, argv, true, &said, csv_text, sizeof csv_text), EXIT_GOOD);
    fake_fault = FAKE_RIGHT;
    assert_string_equal(field(csv_text, 2, "check"), "off");
    assert_string_equal(field(csv_text, 2, "error_ratio"), "");
    assert_string_equal(field(csv_text, 2, "rounds"), "1");
}

static void a_failed_launch_ends_the_run(void **state) {
    char *argv[] = {"ladder", "--size", "8", NULL};
    fake_fault = FAKE_LAUNCH_ERROR;
    assert_int_equal(run(3, argv, true, &said, csv_text, sizeof csv_text), EXIT_FAILED);
    fake_fault = FAKE_RIGHT;
    assert_says(said, "01_first/slow at 17x19x77: the fake launch failed");
    assert_string_equal(csv_text, "");
}

static void a_missing_cubin_is_said_before_anything_runs(void **state) {
    struct choice choices[MAX_CHOICES];
    const struct device_info info = fake_device(false);
    struct contender contender;
    int count;
    assert_true(choose_variants(linked_steps(), "02", NULL, choices, &count));
    listen_to_user_messages();
    const bool loaded = contender_load(&contender, &backend_fake, &info, folder, &choices[0]);
    assert_says(heard(), "02_second/only is not built for sm_90");
    assert_false(loaded);
}

static void a_cubin_of_an_earlier_capability_serves(void **state) {
    struct choice choices[MAX_CHOICES];
    char path[256];
    int count;
    assert_true(choose_variants(linked_steps(), "01", NULL, choices, &count));
    assert_true(
        find_cubin(path, sizeof path, folder, 92, choices[0].step->name, choices[0].variant->name));
    assert_says(path, "/sm_90/01_first/slow.cubin");
    assert_false(
        find_cubin(path, sizeof path, folder, 89, choices[0].step->name, choices[0].variant->name));
    assert_false(find_cubin(path, sizeof path, folder, 100, choices[0].step->name,
                            choices[0].variant->name));
}

enum { PAD_LAUNCH_THREADS = 256, MOST_LAUNCHES = 8 };
static struct launch launches[MOST_LAUNCHES]; // without those of padding kernels
static int launch_count;

static bool record_launch(struct kernel *kernel, const struct launch *launch) {
    if (launch->threads != PAD_LAUNCH_THREADS && launch_count < MOST_LAUNCHES)
        launches[launch_count++] = *launch;
    return true;
}

// Launches a variant with tiles of 2 x 4 on C (m, n), on a device that runs 6 blocks at once.
static void record(struct variant variant, int64_t m, int64_t n) {
    const char *pad = extras_of(&variant)->padded.kernel;
    static const struct step step = {.name = "05_fifth"};
    struct backend backend = backend_fake;
    backend.launch = record_launch;
    variant.block_m = 2, variant.block_n = 4, variant.threads = 32;
    struct contender contender = {.step = &step, .variant = &variant, .blocks = {.at_once = 6}};
    if (pad) contender.pad_kernel = (struct kernel *)&backend;
    const struct problem problem = {.backend = &backend,
                                    .a = {.rows = m, .cols = 1, .ld = 1},
                                    .b = {.rows = 1, .cols = n, .ld = n},
                                    .c = {.rows = m, .cols = n, .ld = n},
                                    .alpha = 1};
    launch_count = 0;
    assert_true(contender_launch(&contender, &problem));
    contender.pad_kernel = NULL; // not a kernel that can be unloaded
    contender_unload(&contender, &backend);
}

static void a_tall_problem_is_launched_in_bands(void **state) {
    record((struct variant){.name = "bands"}, 2 * 65535 + 1, 9);
    assert_int_equal(launch_count, 2);
    assert_int_equal(launches[0].grid_x, 3);
    assert_int_equal(launches[0].grid_y, 65535);
    assert_int_equal(launches[1].grid_y, 1);
}

static void a_persistent_variant_gets_one_row_of_blocks(void **state) {
    const struct variant variants[] = {
        {.name = "persistent", .extras = &(const struct extras){.grid.persistent = true}},
        {.name = "padded",
         .extras = &(const struct extras){.grid.persistent = true, .padded = {"pad", 1}}},
    };
    for (int i = 0; i < 2; i++) {
        record(variants[i], 2 * 65535 + 1, 9); // more tiles than blocks
        assert_int_equal(launch_count, 1);
        assert_int_equal(launches[0].grid_x, 6);
        assert_int_equal(launches[0].grid_y, 1);
        record(variants[i], 3, 5); // 2 x 2 tiles
        assert_int_equal(launch_count, 1);
        assert_int_equal(launches[0].grid_x, 4);
    }
}

// Machine code assembled for sm_86 has memory for the blocks of 84 SMs. Chips of sm_88 and sm_89
// with 144 SMs must launch no more blocks.
static void assembled_code_gets_the_blocks_of_its_architecture(void **state) {
    const struct variant variant = {
        .name = "slow",
        .extras = &(const struct extras){.build.source = "hand.sass", .grid.persistent = true}};
    struct device_info info = fake_device(false);
    struct contender c;
    char path[64];
    snprintf(path, sizeof path, "%s/sm_86", folder);
    assert_int_equal(symlink("sm_90", path), 0);
    info.multiprocessors = 144;
    for (info.compute_capability = 88; info.compute_capability <= 89; info.compute_capability++) {
        const struct choice choice = {linked_steps().steps[0], &variant};
        assert_true(contender_load(&c, &backend_fake, &info, folder, &choice));
        assert_int_equal(c.blocks.at_once, 84);
        contender_unload(&c, &backend_fake);
    }
    unlink(path);
}

static void a_plan_that_failed_is_not_remembered(void **state) {
    struct choice own;
    struct contender none;
    struct sharing sharings[MOST_SHARINGS] = {0};
    assert_true(find_choice(linked_steps(), "own/any", &own));
    struct contender c = {
        .step = own.step, .variant = own.variant, .candidates = &none, .sharings = sharings};
    const struct problem problem = {.backend = &backend_fake, .c = {.rows = 1, .cols = 1}};
    for (int i = 0; i < 2; i++) assert_false(contender_launch(&c, &problem));
}

static int copies;
static bool copy_twice(device_pointer to, device_pointer from, int64_t bytes) {
    return ++copies <= 2;
}
static bool launch_slowly(struct kernel *kernel, const struct launch *launch) {
    return usleep(2000) == 0;
}
static int64_t one(const struct situation *situation) {
    return 1;
}

// Two contenders, of which the second also launches a pass (a kernel before its GEMM).
static const struct step fifth = {.name = "05_fifth"};
static const struct pass passes[] = {{.kernel = "pass", .threads = 32, .blocks = one}, {0}};
static const struct extras passing = {.passes = {passes, one}};
static const struct variant two[] = {
    {"plain", .block_m = 16, .block_n = 16, .threads = 32},
    {"passing", .block_m = 16, .block_n = 16, .threads = 32, .extras = &passing}};
#define TWO_CONTENDERS \
    (struct contender[]) { \
        {.step = &fifth, .variant = two}, { \
            .step = &fifth, .variant = two + 1 \
        } \
    }

static void a_forecast_without_all_kernels_refuses_no_run(void **state) {
    static struct options options = {.layout_count = 1, .alpha_count = 1, .beta_count = 1};
    const struct device_info info = fake_device(false);
    struct backend backend = backend_fake;
    backend.timed = false, backend.launch = launch_slowly, backend.on_device = copy_twice;
    struct staging staging = {.backend = &backend};
    const struct forecast asked = {&options, &backend, &info, &staging, {0}, TWO_CONTENDERS, 2};
    assert_true(forecast_run(&asked, &(struct shape){20000, 20000, 20000}, 1));
    contender_free_workspaces(&asked.contenders[1], &backend);
    staging_free(&staging);
}

static void variants_with_passes_have_a_trial_of_their_own(void **state) {
    static const struct options options = {0};
    const struct device_info info = fake_device(false);
    struct session s = {&options, &backend_fake, &info, .contenders = TWO_CONTENDERS, .count = 2};
    s.staging.backend = &backend_fake;
    assert_true(trials_run(&s));
    assert_int_equal(s.contenders[1].checks, s.contenders[0].checks + 1);
    staging_free(&s.staging);
}

static void a_clock_that_moved_is_noticed(void **state) {
    assert_false(
        clock_moved(&(struct measurement){.rounds = 9, .clock_low = 1950, .clock_high = 1980}));
    assert_true(
        clock_moved(&(struct measurement){.rounds = 9, .clock_low = 1900, .clock_high = 1980}));
    assert_false(
        clock_moved(&(struct measurement){.rounds = 9, .clock_low = NAN, .clock_high = NAN}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(burst),
        cmocka_unit_test(without_a_baseline),
        cmocka_unit_test(sustained),
        cmocka_unit_test(a_wrong_kernel_is_not_timed_and_fails_the_run),
        cmocka_unit_test(a_failed_trial_fails_the_row),
        cmocka_unit_test(errors_stand_beside_those_of_cublas),
        cmocka_unit_test(factors_that_overflow_are_refused),
        cmocka_unit_test(check_only_sums_up),
        cmocka_unit_test(without_a_check_nothing_is_compared),
        cmocka_unit_test(a_failed_launch_ends_the_run),
        cmocka_unit_test(a_missing_cubin_is_said_before_anything_runs),
        cmocka_unit_test(a_cubin_of_an_earlier_capability_serves),
        cmocka_unit_test(a_tall_problem_is_launched_in_bands),
        cmocka_unit_test(a_persistent_variant_gets_one_row_of_blocks),
        cmocka_unit_test(assembled_code_gets_the_blocks_of_its_architecture),
        cmocka_unit_test(a_plan_that_failed_is_not_remembered),
        cmocka_unit_test(a_forecast_without_all_kernels_refuses_no_run),
        cmocka_unit_test(variants_with_passes_have_a_trial_of_their_own),
        cmocka_unit_test(a_clock_that_moved_is_noticed),
    };
    return cmocka_run_group_tests_name("session", tests, make_cubins, remove_cubins);
}
