// Textures of A and B are created for the right problems, freed once and passed to the right
// launches.
#include "contender.h"
#include "fake_backend.h"
#include "helpers.h"

#include <stdlib.h>

enum { ALIGNMENT = 512, MOST = 2, MOST_BLOCKS = 16 };

static int made, freed;
static struct {
    device_pointer start;
    int64_t texels;
} textures[MOST];

static bool make_texture(device_pointer start, int64_t texels, device_texture *texture) {
    if (made == MOST) return backend_fail("too many textures");
    textures[made].start = start;
    textures[made].texels = texels;
    *texture = (device_texture)++made;
    return true;
}

static void free_texture(device_texture texture) {
    assert_in_range(texture, 1, made);
    freed++;
}

#define PADDED(P) \
    { \
        {STRIDE_MORE, P}, {STRIDE_MORE, P}, { \
            STRIDE_MORE, P \
        } \
    }

// A fake allocator: memory starts `beyond` bytes after a multiple of ALIGNMENT.
static int64_t beyond;
static void *blocks[MOST_BLOCKS];
static int block_count;
static bool allocate(int64_t bytes, int past, device_pointer *address) {
    const int64_t start = beyond + past;
    if (block_count == MOST_BLOCKS) return backend_fail("too many blocks");
    blocks[block_count] =
        aligned_alloc(ALIGNMENT, ((size_t)(bytes + start) + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    *address = (device_pointer)(uintptr_t)blocks[block_count++] + (uint64_t)start;
    return true;
}
static void release(device_pointer address) {
}

static struct backend backend;
static struct device_info info;
static struct staging staging;
static struct problem problem;

static bool open_problem(struct problem_plan plan, int64_t width) {
    backend = backend_fake;
    backend.make_texture = make_texture;
    backend.free_texture = free_texture;
    backend.allocate = allocate;
    backend.release = release;
    info = fake_device(false);
    info.texture_alignment = ALIGNMENT;
    info.texture_width = width;
    staging = (struct staging){.backend = &backend};
    made = freed = 0;
    plan.textures = true;
    return problem_open(&problem, &backend, &staging, &info, &plan);
}

static void close_problem(void) {
    problem_close(&problem);
    staging_free(&staging);
    while (block_count > 0) free(blocks[--block_count]);
}

static void whole_texels_make_a_texture(void **state) {
    assert_true(
        open_problem((struct problem_plan){.shape = {5, 8, 12}, .layout.ld = PADDED(4)}, 1 << 20));
    assert_int_equal(made, 2);
    assert_true(problem.a_texture == 1 && problem.b_texture == 2);
    assert_true(textures[0].start == matrix_address(&problem.a, 0));
    assert_int_equal(textures[0].texels, (4 * 16 + 12) / 4); // A (5, 12), rows 16 apart
    assert_true(textures[1].start == matrix_address(&problem.b, 0));
    assert_int_equal(textures[1].texels, (11 * 12 + 8) / 4); // B (12, 8), rows 12 apart
    assert_int_equal(freed, 0);
    close_problem();
    assert_int_equal(freed, 2);
}

static void other_problems_have_none(void **state) {
    const struct {
        const char *why;
        struct problem_plan plan;
        int64_t width, beyond;
    } rows[] = {
        {"K is no multiple of 4", {.shape = {8, 8, 10}, .layout.ld = PADDED(2)}, 1 << 20, 0},
        {"N is no multiple of 4", {.shape = {8, 7, 8}, .layout.ld = PADDED(1)}, 1 << 20, 0},
        {"leading dimensions are no multiples of 4",
         {.shape = {8, 8, 8}, .layout.ld = PADDED(2)},
         1 << 20,
         0},
        {"more texels than the device allows", {.shape = {8, 8, 8}}, 15, 0},
        {"a device without textures", {.shape = {8, 8, 8}}, 0, 0},
        {"a start that is not aligned", {.shape = {8, 8, 8}}, 1 << 20, 256},
        {"FP64", {.element = FP64, .shape = {8, 8, 8}}, 1 << 20, 0},
        {"no rows", {.shape = {0, 8, 8}}, 1 << 20, 0},
        {"no K", {.shape = {8, 8, 0}}, 1 << 20, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        beyond = rows[i].beyond;
        assert_true(open_problem(rows[i].plan, rows[i].width));
        if (made || problem.a_texture || problem.b_texture)
            fail_msg("textures, but %s", rows[i].why);
        close_problem();
        assert_int_equal(freed, 0);
    }
    beyond = 0;
    // The limit of the device is exactly the number of texels
    assert_true(open_problem((struct problem_plan){.shape = {8, 8, 8}}, 16));
    assert_int_equal(made, 2);
    close_problem();
}

static device_texture got[2];
static bool record_textures(struct kernel *kernel, const struct launch *launch) {
    for (int i = 0; i < 2; i++) got[i] = *(device_texture *)launch->arguments[11 + i];
    return true;
}

// A texture of A begins at row 0, so it is passed to a launch for all of C, not to one for a part.
static void a_launch_of_all_rows_gets_them(void **state) {
    static const struct step step = {.name = "05_fifth"};
    static const struct variant variant = {
        .name = "textures", .block_m = 2, .block_n = 4, .threads = 32};
    struct backend recording = backend_fake;
    recording.launch = record_textures;
    struct contender contender = {.step = &step, .variant = &variant, .blocks = {.at_once = 1}};
    struct problem p = {.backend = &recording,
                        .a = {.rows = 2 * 65535, .cols = 4, .ld = 4},
                        .b = {.rows = 4, .cols = 4, .ld = 4},
                        .c = {.rows = 2 * 65535, .cols = 4, .ld = 4},
                        .a_texture = 7,
                        .b_texture = 8};
    assert_true(contender_launch(&contender, &p));
    assert_true(got[0] == 7 && got[1] == 8);
    p.a.rows = p.c.rows = 2 * 65535 + 1;
    assert_true(contender_launch(&contender, &p));
    assert_true(got[0] == 0);
    contender_unload(&contender, &recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_texels_make_a_texture),
        cmocka_unit_test(other_problems_have_none),
        cmocka_unit_test(a_launch_of_all_rows_gets_them),
    };
    return cmocka_run_group_tests_name("textures", tests, NULL, NULL);
}
