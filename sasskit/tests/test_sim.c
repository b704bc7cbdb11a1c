// Runs kernels of the course on the simulator: unchanged, and with one fault each to be reported.
#include "helpers.h"
#include "isa/codec.h"
#include "isa/cubin.h"
#include "isa/touches.h"
#include "sim/machine/memory.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

struct subject {
    const char *cubin, *kernel;
    int tile_m, tile_n, threads;
    // Returns the handle of a texture for matrix A or B; NULL for a kernel without textures.
    uint64_t (*texture)(struct sim_memory *memory, uint64_t matrix);
};
static uint64_t whole_texture(struct sim_memory *memory, uint64_t matrix);
static const struct subject naive = {
    "build/cubin/sm_90/01_naive/coalesced.cubin", "sgemm_naive", 32, 32, 1024, NULL};
static const struct subject tiled = {
    "build/cubin/sm_90/02_shared_tiling/tile16.cubin", "sgemm_shared_tiling", 16, 16, 256, NULL};
static const struct subject wide = {
    "build/cubin/sm_90/05_float4/both.cubin", "sgemm_float4", 128, 128, 256, NULL};
static const struct subject textured = {
    "build/cubin/sm_90/12_maxas/textures_64.cubin", "sgemm_maxas", 64, 64, 64, whole_texture};

struct outcome {
    bool good;
    char reports[8192];
    double instructions, ffma, sectors, fetches, texels;
};

// Puts a fault into a kernel. Returns false if no instruction of the kernel is suitable.
typedef bool edit_function(const struct sass_kernel *kernel);

static bool read_instruction(const struct sass_kernel *k, size_t index,
                             struct sass_instruction *out) {
    struct error error = {0};
    return sass_decode(cubin_word(k, index), index * SASS_BYTES, out, &error);
}
static void write_instruction(const struct sass_kernel *k, size_t index,
                              const struct sass_instruction *i) {
    struct sass_word word;
    struct error error = {0};
    if (!sass_encode(i, index * SASS_BYTES, &word, &error)) fail_msg("%s", error.message);
    cubin_store(word, k->code + index * SASS_BYTES);
}

// Runs C = A B, N x N each, with a kernel that `edit` has changed. The buffer of A is `short_bytes`
// too small.
static struct outcome run(const struct subject *s, edit_function *edit, int short_bytes,
                          int host_threads) {
    struct outcome outcome = {0};
    struct sass_cubin cubin;
    struct error broken = {0};
    struct error error = {0};
    int n = N;
    float alpha = 1, beta = 0;
    uint64_t matrix[3], texture[2] = {0};
    if (!cubin_open(&cubin, s->cubin, &broken)) fail_msg("%s", broken.message);
    const struct sass_kernel *found = cubin_kernel(&cubin, s->kernel);
    assert_non_null(found);
    if (edit && !edit(found)) fail_msg("nothing to break in %s", s->cubin);
    struct sim_kernel *kernel =
        sim_kernel_open_memory(cubin.bytes, cubin.size, s->cubin, s->kernel, &error);
    struct sim_memory *memory = sim_memory_open();
    struct sim_result *result = kernel ? sim_result_open(kernel) : NULL;
    if (!result || !memory) fail_msg("%s", error.message);
    for (int i = 0; i < 3; i++) {
        const int64_t bytes = (int64_t)N * N * 4 - (i == 0 ? short_bytes : 0);
        matrix[i] = sim_allocate(memory, bytes);
        memset(sim_host(memory, matrix[i], bytes), 0, (size_t)bytes);
    }
    for (int i = 0; i < 2 && s->texture; i++) texture[i] = s->texture(memory, matrix[i]);
    const void *arguments[] = {&n, &n,    &n,         &alpha, &matrix[0],  &n,         &matrix[1],
                               &n, &beta, &matrix[2], &n,     &texture[0], &texture[1]};
    FILE *file = tmpfile();
    const struct sim_launch launch = {.grid = {(uint32_t)((N + s->tile_n - 1) / s->tile_n),
                                               (uint32_t)((N + s->tile_m - 1) / s->tile_m), 1},
                                      .block = {(uint32_t)s->threads, 1, 1},
                                      .arguments = arguments,
                                      .host_threads = host_threads,
                                      .reports = file};
    outcome.good = sim_run(kernel, memory, &launch, result, &error);
    rewind(file);
    outcome.reports[fread(outcome.reports, 1, sizeof outcome.reports - 1, file)] = '\0';
    fclose(file);
    outcome.instructions = sim_counter(result, "smsp__inst_executed.sum");
    outcome.ffma = sim_counter(result, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    outcome.sectors = sim_counter(result, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    outcome.fetches = sim_counter(result, "smsp__inst_executed_op_texture.sum");
    outcome.texels = sim_counter(result, "l1tex__t_sectors_pipe_tex_mem_texture.sum");
    sim_result_close(result);
    sim_memory_close(memory);
    sim_kernel_close(kernel);
    cubin_close(&cubin);
    return outcome;
}

// --- textures

static uint64_t whole_texture(struct sim_memory *memory, uint64_t matrix) {
    return sim_texture_open(memory, matrix, N * N / 4, 4);
}
static uint64_t no_texture(struct sim_memory *memory, uint64_t matrix) {
    return 0;
}
static uint64_t rubbish(struct sim_memory *memory, uint64_t matrix) {
    return 0xbad;
}
static uint64_t freed_texture(struct sim_memory *memory, uint64_t matrix) {
    const uint64_t handle = whole_texture(memory, matrix);
    sim_texture_close(memory, handle);
    return handle;
}
static uint64_t texture_of_freed_memory(struct sim_memory *memory, uint64_t matrix) {
    const uint64_t other = sim_allocate(memory, N * N * 4), handle = whole_texture(memory, other);
    sim_release(memory, other);
    return handle;
}

// --- faults

static bool lose_wait(const struct sass_kernel *k) {
    struct sass_instruction i;
    for (size_t n = 0; n < k->count; n++) {
        if (!read_instruction(k, n, &i) || i.form->opcode != SASS_FFMA || !i.control.wait) continue;
        i.control.wait = 0;
        write_instruction(k, n, &i);
        return true;
    }
    return false;
}

static bool reads(const struct sass_instruction *i, int number) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(i, touches);
    for (int t = 0; t < count; t++) {
        if (!touches[t].write && !touches[t].uniform && !touches[t].predicate &&
            number >= touches[t].first && number < touches[t].first + touches[t].count)
            return true;
    }
    return false;
}

// Sets stall counts of 4 and more between dependent ALU instructions to 1. This changes all of
// them, since not every instruction runs.
static bool shorten_stall(const struct sass_kernel *k) {
    struct sass_instruction i, next;
    bool found = false;
    for (size_t n = 0; n + 1 < k->count; n++) {
        if (!read_instruction(k, n, &i) || !read_instruction(k, n + 1, &next)) continue;
        if (i.guard != SASS_PT || next.guard != SASS_PT || i.form->pipe != SASS_PIPE_ALU ||
            next.form->pipe != SASS_PIPE_ALU)
            continue;
        const struct sass_operand *d = &i.operand[SASS_D];
        if (d->kind != SASS_REGISTER || d->number == SASS_RZ || i.control.stall < 4 ||
            !reads(&next, d->number))
            continue;
        i.control.stall = 1;
        i.control.yield = true;
        write_instruction(k, n, &i);
        found = true;
    }
    return found;
}

// Makes FFMA Ra, Ra.reuse, .. and FFMA .., Ra, ..: the reuse cache then has the old value of Ra.
static bool stale_reuse(const struct sass_kernel *k) {
    struct sass_instruction i, next;
    for (size_t n = 0; n + 1 < k->count; n++) {
        if (!read_instruction(k, n, &i) || !read_instruction(k, n + 1, &next)) continue;
        if (i.form->opcode != SASS_FFMA || next.form->opcode != SASS_FFMA) continue;
        if (i.operand[SASS_A].kind != SASS_REGISTER || next.operand[SASS_A].kind != SASS_REGISTER)
            continue;
        i.operand[SASS_D].number = i.operand[SASS_A].number;
        i.operand[SASS_A].reuse = true;
        i.control.reuse = 1;
        i.control.stall = 5;
        next.operand[SASS_A].number = i.operand[SASS_A].number;
        write_instruction(k, n, &i);
        write_instruction(k, n + 1, &next);
        return true;
    }
    return false;
}

static bool drop_barriers(const struct sass_kernel *k) {
    struct sass_instruction i;
    bool found = false;
    for (size_t n = 0; n < k->count; n++) {
        if (!read_instruction(k, n, &i) || i.form->opcode != SASS_BAR) continue;
        struct sass_word nop = {0x7918, cubin_word(k, n).high & ~0x1ffffffffffull, SASS_HOPPER};
        cubin_store(nop, k->code + n * SASS_BYTES);
        found = true;
    }
    return found;
}

static bool misalign(const struct sass_kernel *k) {
    struct sass_instruction i;
    bool found = false;
    for (size_t n = 0; n < k->count; n++) {
        if (!read_instruction(k, n, &i) || i.form->opcode != SASS_LDG || i.modifiers.size != 6)
            continue;
        i.operand[SASS_M].value += 4;
        write_instruction(k, n, &i);
        found = true;
    }
    return found;
}

// Makes the instruction after the first S2R wait for its scoreboard after one cycle; it needs two.
static bool wait_at_once(const struct sass_kernel *k) {
    struct sass_instruction i, next;
    for (size_t n = 0; n + 1 < k->count; n++) {
        if (!read_instruction(k, n, &i) || i.form->opcode != SASS_S2R ||
            i.control.write_barrier > 5)
            continue;
        i.control.stall = 1;
        write_instruction(k, n, &i);
        if (!read_instruction(k, n + 1, &next)) return false;
        next.control.wait |= (uint8_t)(1U << i.control.write_barrier);
        write_instruction(k, n + 1, &next);
        return true;
    }
    return false;
}

// Changes the first DEPBAR that waits for some texture fetches: one more may stay unfinished.
static bool lose_partial_wait(const struct sass_kernel *k) {
    struct sass_instruction i;
    for (size_t n = 0; n < k->count; n++) {
        if (!read_instruction(k, n, &i) || i.form->opcode != SASS_DEPBAR ||
            i.operand[SASS_I].value == 0)
            continue;
        i.operand[SASS_I].value++;
        write_instruction(k, n, &i);
        return true;
    }
    return false;
}

static bool unknown_opcode(const struct sass_kernel *k) {
    const struct sass_word word = {0x7fff, cubin_word(k, 3).high, SASS_HOPPER};
    cubin_store(word, k->code + 3 * SASS_BYTES);
    return true;
}

static bool waits_for_some(const struct subject *s) {
    struct sass_cubin cubin;
    struct error error = {0};
    if (!cubin_open(&cubin, s->cubin, &error)) fail_msg("%s", error.message);
    const struct sass_kernel *kernel = cubin_kernel(&cubin, s->kernel);
    const bool found = kernel && lose_partial_wait(kernel);
    cubin_close(&cubin);
    return found;
}

// --- tests

static void whole_kernels_are_silent(void **state) {
    const struct subject *const all[] = {&naive, &tiled, &wide, &textured};
    for (int i = 0; i < 4; i++) {
        const struct outcome o = run(all[i], NULL, 0, 1);
        if (!o.good) fail_msg("%s: %s", all[i]->cubin, o.reports);
    }
}

static void counts_do_not_depend_on_host_threads(void **state) {
    const struct outcome one = run(&naive, NULL, 0, 1), two = run(&naive, NULL, 0, 2);
    assert_true(one.instructions == two.instructions);
    assert_true(one.sectors == two.sectors);
    assert_true(one.ffma == (double)N * N * (N + 1)); // per element: N, and 1 for alpha and beta
}

static void expect(const struct subject *s, edit_function *edit, int short_bytes,
                   const char *const *parts) {
    const struct outcome o = run(s, edit, short_bytes, 2);
    assert_false(o.good);
    for (; *parts; parts++) assert_says(o.reports, *parts);
}
#define EXPECT(subject, edit, short_bytes, ...) \
    expect(subject, edit, short_bytes, (const char *const[]){__VA_ARGS__, NULL})

static void a_lost_wait_bit_is_a_hazard(void **state) {
    EXPECT(&naive, lose_wait, 0, "hazard: `FFMA R", "while it is in flight: scoreboard",
           "was not waited for", "`LDG.E R", "kernel sgemm_naive, block (0, 0, 0), warp 0",
           "kernel.cu:");
}
static void a_short_stall_is_a_hazard(void **state) {
    EXPECT(&wide, shorten_stall, 0, "hazard: `", "1 cycles after the issue of `", "which needs 4",
           "kernel.cu:");
}
static void a_wait_before_its_scoreboard_counts_is_a_hazard(void **state) {
    EXPECT(&naive, wait_at_once, 0, "hazard: `", "waits for scoreboard ", " 1 cycle after `S2R R",
           "which needs 2", "kernel.cu:");
}
static void a_stale_reuse_flag_is_reported(void **state) {
    EXPECT(&wide, stale_reuse, 0, "reuse: `FFMA", "from the reuse cache of operand A",
           "kernel.cu:");
}
static void a_missing_barrier_is_a_race(void **state) {
    EXPECT(&tiled, drop_barriers, 0, "race: ", "shared memory at 0x", " (byte ",
           "since the last barrier", "thread (", "kernel.cu:");
}
static void an_address_out_of_bounds_names_the_allocation(void **state) {
    EXPECT(&naive, NULL, 4, "address: ", "LDG.E R", "reads 4 bytes at 0x7e0000003ffc",
           "of 16380 bytes at 0x7e0000000000", "block (0, 1, 0), thread (", "kernel.cu:");
}
// Freed memory that is allocated again is not called freed, nor is the gap behind it.
static void memory_that_is_used_again_is_not_called_freed(void **state) {
    struct sim_memory *memory = sim_memory_open();
    char text[192];
    const uint64_t small = sim_allocate(memory, 1000), large = sim_allocate(memory, 20000);
    assert_true(sim_release(memory, large));
    memory_describe(memory, large + 8000, text, sizeof text);
    assert_non_null(strstr(text, "freed"));
    assert_true(sim_release(memory, small));
    assert_true(sim_allocate(memory, 10000) == small);
    memory_describe(memory, small + 10100, text, sizeof text);
    assert_null(strstr(text, "freed"));
    sim_memory_close(memory);
}
static void a_misaligned_vector_load_is_reported(void **state) {
    EXPECT(&wide, misalign, 0, "address: ", "LDG.E.128", "reads 16 bytes at 0x7e",
           "which is not aligned: not a multiple of 16", "thread (0, 0, 0)", "kernel.cu:");
}
// One block computes C. One warp fetches A and one fetches B: 8 tiles and one past the last, with 4
// fetches per tile. In the loop's 8 iterations, the warp of A also executes the 4 fetches of B,
// predicated off. Without textures, both warps execute only these.
// A fetch takes 32 sectors of A (32 rows of 1) or 16 of B (2 rows of 8).
static void texture_fetches_and_their_sectors_are_counted(void **state) {
    struct subject without = textured;
    without.texture = no_texture;
    const struct outcome with = run(&textured, NULL, 0, 1), plain = run(&without, NULL, 0, 1);
    assert_true(with.good && plain.good);
    assert_true(with.fetches == 9 * 4 * 2 + 8 * 4);
    assert_true(with.texels == 8 * (4 * 32 + 4 * 16));
    assert_true(with.sectors == 0);
    assert_true(plain.fetches == 8 * 4 * 2 && plain.texels == 0);
    assert_true(plain.sectors == with.texels);
}
static void a_texture_that_is_none_is_reported(void **state) {
    struct subject broken = textured;
    broken.texture = rubbish;
    EXPECT(&broken, NULL, 0, "address: ", "TLD.LZ R", "fetches from texture 0xbad",
           "thread (0, 0, 0)", "kernel.cu:");
    broken.texture = freed_texture;
    EXPECT(&broken, NULL, 0, "address: ", "fetches from texture 0x7e000001, which was freed");
    broken.texture = texture_of_freed_memory;
    EXPECT(&broken, NULL, 0,
           "address: ", "fetches from texture 0x7e000001, whose memory was freed");
}
static void a_texture_has_to_fit_its_memory(void **state) {
    struct sim_memory *memory = sim_memory_open();
    const uint64_t matrix = sim_allocate(memory, 4096);
    assert_true(matrix % SIM_ALIGNMENT == 0);
    assert_true(sim_texture_open(memory, matrix, 256, 4) != 0);
    assert_true(sim_texture_open(memory, matrix + SIM_ALIGNMENT, 224, 4) != 0);
    assert_true(sim_texture_open(memory, matrix, 257, 4) == 0);
    assert_true(sim_texture_open(memory, matrix + 256, 1, 4) == 0); // not aligned
    assert_true(sim_texture_open(memory, matrix, 0, 4) == 0);
    sim_memory_close(memory);
}
static void a_wait_for_too_few_texture_fetches_is_a_hazard(void **state) {
    if (!waits_for_some(&textured)) skip(); // another nvcc's code waits for all fetches
    EXPECT(&textured, lose_partial_wait, 0, "hazard: `", "while it is in flight: scoreboard",
           "`TLD.LZ R", "was not waited for", "kernel.cu:");
}
static void an_unknown_opcode_stops_the_run(void **state) {
    EXPECT(&naive, unknown_opcode, 0, "unknown: `.word 0x0000000000007fff", "at 0x30",
           "unknown opcode 0xfff", "kernel sgemm_naive", "kernel.cu:");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_kernels_are_silent),
        cmocka_unit_test(counts_do_not_depend_on_host_threads),
        cmocka_unit_test(a_lost_wait_bit_is_a_hazard),
        cmocka_unit_test(a_short_stall_is_a_hazard),
        cmocka_unit_test(a_wait_before_its_scoreboard_counts_is_a_hazard),
        cmocka_unit_test(a_stale_reuse_flag_is_reported),
        cmocka_unit_test(a_missing_barrier_is_a_race),
        cmocka_unit_test(an_address_out_of_bounds_names_the_allocation),
        cmocka_unit_test(memory_that_is_used_again_is_not_called_freed),
        cmocka_unit_test(a_misaligned_vector_load_is_reported),
        cmocka_unit_test(texture_fetches_and_their_sectors_are_counted),
        cmocka_unit_test(a_texture_that_is_none_is_reported),
        cmocka_unit_test(a_texture_has_to_fit_its_memory),
        cmocka_unit_test(a_wait_for_too_few_texture_fetches_is_a_hazard),
        cmocka_unit_test(an_unknown_opcode_stops_the_run),
    };
    const struct subject *const all[] = {&naive, &tiled, &wide, &textured};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!is_built("the simulator on the course's kernels", all[i]->cubin)) return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
