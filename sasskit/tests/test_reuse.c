// Tests `sass reuse`: same_flow() rejects wrong changes, and the passes preserve what they must.
// The kernels are lesson 08's (FFMA) and lesson 11's (DFMA, with register pairs), compiled by nvcc.
#include "helpers.h"
#include "isa/chip.h"
#include "isa/codec.h"
#include "isa/touches.h"
#include "lint/lint.h"
#include "reuse/rename.h"
#include "reuse/reuse.h"

#include <stdlib.h>
#include <string.h>

static const char ffma_path[] = "build/cubin/sm_90/08_double_buffer/wide.cubin";
static const char dfma_path[] = "build/cubin/sm_90/11_dgemm/all.cubin";

struct fixture {
    struct sass_cubin cubin;
    struct flow flow;
    struct sass_instruction *fresh; // a copy of flow.code, which tests change
};

static int open_kernel(void **state, const char *path) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct error error = {0};
    if (!fixture || !cubin_open(&fixture->cubin, path, &error)) return -1;
    if (!flow_open(&fixture->flow, &fixture->cubin.kernels[0], &error)) return -1;
    flow_webs(&fixture->flow);
    fixture->fresh = calloc((size_t)fixture->flow.count, sizeof *fixture->fresh);
    memcpy(fixture->fresh, fixture->flow.code,
           (size_t)fixture->flow.count * sizeof *fixture->fresh);
    *state = fixture;
    return 0;
}

static int open_ffma(void **state) {
    return open_kernel(state, ffma_path);
}

static int open_dfma(void **state) {
    return open_kernel(state, dfma_path);
}

static int close_kernel(void **state) {
    struct fixture *fixture = *state;
    free(fixture->fresh);
    flow_close(&fixture->flow);
    cubin_close(&fixture->cubin);
    free(fixture);
    return 0;
}

// Returns the index of the first of two adjacent FFMAs or DFMAs in a hot block (rename.h).
static int hot_ffma(const struct flow *flow) {
    for (int b = 0; b < flow->block_count; b++) {
        for (int i = flow->blocks[b].first;
             flow_is_hot(&flow->blocks[b]) && i + 1 < flow->blocks[b].end; i++) {
            if (flow_is_fused(&flow->code[i]) && flow_is_fused(&flow->code[i + 1])) return i;
        }
    }
    fail_msg("no FFMA in a loop");
    return -1;
}

static bool proved(const struct fixture *fixture) {
    struct error error = {0};
    return same_flow(&fixture->flow, fixture->fresh, fixture->flow.web_reg, &error);
}

static void code_is_the_same_as_itself(void **state) {
    assert_true(proved(*state));
}

static void factors_may_change_places(void **state) {
    struct fixture *fixture = *state;
    struct sass_operand *operand = fixture->fresh[hot_ffma(&fixture->flow)].operand,
                        a = operand[SASS_A];
    operand[SASS_A] = operand[SASS_B];
    operand[SASS_B] = a;
    assert_true(proved(fixture));
}

static void independent_ffmas_may_change_places(void **state) {
    struct fixture *fixture = *state;
    const int i = hot_ffma(&fixture->flow);
    fixture->fresh[i] = fixture->flow.code[i + 1];
    fixture->fresh[i + 1] = fixture->flow.code[i];
    assert_true(proved(fixture));
}

static void a_wrong_source_is_found(void **state) {
    static const enum sass_role roles[] = {SASS_A, SASS_B, SASS_C, SASS_D};
    struct fixture *fixture = *state;
    const int i = hot_ffma(&fixture->flow);
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
        fixture->fresh[i].operand[roles[r]].number ^= 1;
        assert_false(proved(fixture));
        fixture->fresh[i].operand[roles[r]].number ^= 1;
    }
    assert_true(proved(fixture));
}

static void every_register_of_the_kernel_counts(void **state) {
    struct fixture *fixture = *state;
    const struct flow *flow = &fixture->flow;
    int missed = 0, tried = 0;
    for (int i = 0; i < flow->count; i += 7) {
        for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
            const struct flow_ref *ref = &flow->refs[k];
            if (ref->write || ref->width > 1) continue;
            fixture->fresh[i].operand[ref->role].number ^= 2;
            missed += proved(fixture);
            tried++;
            fixture->fresh[i].operand[ref->role].number ^= 2;
            k = flow->first_ref[i + 1];
        }
        if (tried >= 60) break;
    }
    assert_true(tried >= 60);
    assert_int_equal(missed, 0);
}

static void dependent_instructions_keep_their_order(void **state) {
    struct fixture *fixture = *state;
    const struct flow *flow = &fixture->flow;
    // Swaps an FFMA with one that adds to its result.
    for (int i = hot_ffma(flow), j = i + 1; j < flow->count; j++) {
        if (!flow_is_fused(&flow->code[j]) || flow->block_of[j] != flow->block_of[i]) continue;
        if (flow->code[j].operand[SASS_C].number != flow->code[i].operand[SASS_D].number) continue;
        fixture->fresh[i] = flow->code[j];
        fixture->fresh[j] = flow->code[i];
        assert_false(proved(fixture));
        return;
    }
    fail_msg("no chain of FFMAs");
}

static void loads_keep_their_order(void **state) {
    struct fixture *fixture = *state;
    const struct flow *flow = &fixture->flow;
    const int hot = hot_ffma(flow), end = flow->blocks[flow->block_of[hot]].end;
    int loads[2], count = 0;
    for (int i = hot; i < end && count < 2; i++) {
        if (flow->code[i].form->opcode == SASS_LDS && !flow_never(&flow->code[i]))
            loads[count++] = i;
    }
    assert_int_equal(count, 2);
    fixture->fresh[loads[0]] = flow->code[loads[1]];
    fixture->fresh[loads[1]] = flow->code[loads[0]];
    assert_false(proved(fixture));
}

static void a_stale_flag_is_dropped(void **state) {
    struct fixture *fixture = *state;
    const int i = hot_ffma(&fixture->flow);
    struct sass_instruction *in = &fixture->fresh[i];
    in[0].operand[SASS_A].reuse = in[0].control.yield = true;
    in[1].operand[SASS_A].number = in[0].operand[SASS_A].number;
    drop_stale_flags(fixture->fresh, i, i + 2);
    assert_true(in[0].operand[SASS_A].reuse);
    in[0].operand[SASS_D].number = in[0].operand[SASS_A].number;
    drop_stale_flags(fixture->fresh, i, i + 2);
    assert_false(in[0].operand[SASS_A].reuse);
}

static void a_flag_is_stale_when_half_of_its_pair_is_written(void **state) {
    struct fixture *fixture = *state;
    const int i = hot_ffma(&fixture->flow);
    struct sass_instruction *in = &fixture->fresh[i];
    in[0].operand[SASS_A].reuse = in[0].control.yield = true;
    in[1].operand[SASS_A].number = in[0].operand[SASS_A].number;
    drop_stale_flags(fixture->fresh, i, i + 2);
    assert_true(in[0].operand[SASS_A].reuse);
    in[0].operand[SASS_D].number = in[0].operand[SASS_A].number + 1;
    drop_stale_flags(fixture->fresh, i, i + 2);
    assert_false(in[0].operand[SASS_A].reuse);
}

static void rewrite(struct fixture *fixture, unsigned passes) {
    struct sass_cubin *cubin = &fixture->cubin;
    struct error error = {0};
    FILE *out = fopen("/dev/null", "w");
    if (!reuse_kernel(out, cubin, &cubin->kernels[0], passes, &error))
        fail_msg("%s", error.message);
    fclose(out);
    for (int i = 0; i < fixture->flow.count; i++) {
        const struct sass_word word = cubin_word(&cubin->kernels[0], (size_t)i);
        assert_true(sass_decode(word, (uint64_t)i * SASS_BYTES, &fixture->fresh[i], &error));
    }
}

// The pass `banks` turns an LDC that nothing reads into a NOP. All else keeps its registers.
static void pairs_have_no_bank_to_choose(void **state) {
    struct fixture *fixture = *state;
    rewrite(fixture, REUSE_BANKS);
    for (int i = 0; i < fixture->flow.count; i++) {
        if (fixture->fresh[i].form->opcode == SASS_NOP &&
            fixture->flow.code[i].form->opcode == SASS_LDC)
            continue;
        for (int role = 0; role < SASS_ROLE_COUNT; role++)
            assert_int_equal(fixture->fresh[i].operand[role].number,
                             fixture->flow.code[i].operand[role].number);
    }
}

// After the passes `order` and `flags`, more than 95 % of neighbouring DFMAs have operand A or B in
// common, with a reuse flag. Stall counts are at least 2: a DFMA occupies its pipe for two cycles.
static void neighbours_share_a_pair(void **state) {
    struct fixture *fixture = *state;
    const struct flow *flow = &fixture->flow;
    int pairs = 0, shared = 0;
    rewrite(fixture, REUSE_ORDER | REUSE_FLAGS);
    for (int b = 0; b < flow->block_count; b++) {
        for (int i = flow->blocks[b].first;
             flow_is_hot(&flow->blocks[b]) && i + 1 < flow->blocks[b].end; i++) {
            const struct sass_instruction *in = &fixture->fresh[i];
            if (!flow_is_fused(&in[0]) || !flow_is_fused(&in[1])) continue;
            const struct sass_operand *x = in[0].operand, *y = in[1].operand;
            const bool same_a = x[SASS_A].number == y[SASS_A].number,
                       same_b = x[SASS_B].number == y[SASS_B].number;
            assert_true(in[0].control.stall >= 2 && in[0].control.yield);
            assert_true((same_a && x[SASS_A].reuse) || !same_a);
            assert_true((same_b && x[SASS_B].reuse) || !same_b);
            pairs++;
            shared += same_a || same_b;
        }
    }
    assert_true(pairs > 500);
    assert_true(shared > pairs * 95 / 100);
}

static void passes_have_names(void **state) {
    assert_int_equal(reuse_passes("banks"), REUSE_BANKS);
    assert_int_equal(reuse_passes("order,flags"), REUSE_ORDER | REUSE_FLAGS);
    assert_int_equal(reuse_passes("banks,pairs,flags,trim"), REUSE_ALL);
    assert_int_equal(reuse_passes(""), 0);
    assert_int_equal(reuse_passes("bank"), 0);
    assert_int_equal(reuse_passes("banks,,flags"), 0);
}

static void the_register_count_is_kept_true(void **state) {
    struct fixture *fixture = *state;
    struct sass_cubin *cubin = &fixture->cubin, again;
    struct error error = {0};
    rewrite(fixture, REUSE_ALL);
    assert_true(cubin_open_memory(&again, "rewritten", cubin->bytes, cubin->size, &error));
    int highest = 0;
    for (size_t i = 0; i < again.kernels[0].count; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        struct sass_instruction in;
        assert_true(sass_decode(cubin_word(&again.kernels[0], i), i * SASS_BYTES, &in, &error));
        for (int t = sass_touches(&in, touches) - 1; t >= 0; t--) {
            const int last = touches[t].first + touches[t].count - 1;
            if (!touches[t].uniform && !touches[t].predicate && last > highest) highest = last;
        }
    }
    assert_int_equal(again.kernels[0].registers, highest + 3); // ptxas counts 2 unused ones
    cubin_close(&again);
}

// --- trim

// Prints the instruction at index `at`. A branch's target counts printed instructions only.
// Returns false and prints nothing for a NOP or an instruction that never runs (guarded by @!PT).
static bool active_text(const struct sass_kernel *kernel, size_t at, char text[SASS_MAX_TEXT]) {
    struct sass_instruction in, skipped;
    struct error error = {0};
    if (!sass_decode(cubin_word(kernel, at), at * SASS_BYTES, &in, &error))
        fail_msg("%s", error.message);
    if (flow_never(&in) || in.form->opcode == SASS_NOP) return false;
    if (in.operand[SASS_T].kind == SASS_TARGET) {
        int64_t before = 0;
        for (size_t i = 0; i < (size_t)in.operand[SASS_T].value / SASS_BYTES; i++) {
            if (!sass_decode(cubin_word(kernel, i), i * SASS_BYTES, &skipped, &error))
                fail_msg("%s", error.message);
            before += !flow_never(&skipped) && skipped.form->opcode != SASS_NOP;
        }
        in.operand[SASS_T].value = before * SASS_BYTES;
    }
    sass_print(&in, NULL, text, SASS_MAX_TEXT);
    return true;
}

static void trimmed_code_is_the_same_without_what_never_runs(void **state) {
    struct fixture *fixture = *state;
    struct sass_cubin old;
    struct error error = {0};
    char before[SASS_MAX_TEXT], after[SASS_MAX_TEXT];
    int removed;
    assert_true(cubin_open(&old, fixture->cubin.path, &error));
    const struct sass_kernel *kernel = &fixture->cubin.kernels[0];
    assert_true(trim_kernel(kernel, &removed, &error));
    assert_true(removed >= 24); // two loops, each with four groups of three
    size_t from = 0;
    for (size_t to = 0; to < kernel->count; to++) {
        if (!active_text(kernel, to, after)) continue;
        while (from < kernel->count && !active_text(&old.kernels[0], from, before)) from++;
        assert_true(from < kernel->count);
        assert_string_equal(after, before);
        from++;
    }
    while (from < kernel->count) assert_false(active_text(&old.kernels[0], from++, before));
    cubin_close(&old);
}

static void what_never_runs_hands_on_its_waits(void **state) {
    static const char *const lines[] = {
        "--:-:1:-:2 LDS R4, [R2]",      "01:-:-:-:1 @!PT LDS RZ, [RZ]",
        "--:-:2:-:1 @!PT LDS RZ, [RZ]", "--:-:-:-:5 FADD R5, R4, R4",
        "--:-:-:-:5 @P0 BRA 0x0",       "--:-:-:-:5 EXIT"};
    static const char *const expected[] = {"--:-:-:-:1 NOP",
                                           "--:-:1:-:2 LDS R4, [R2]",
                                           "01:-:2:-:1 @!PT LDS RZ, [RZ]",
                                           "--:-:-:-:5 FADD R5, R4, R4",
                                           "--:-:-:-:5 @P0 BRA 0x10",
                                           "--:-:-:-:5 EXIT"};
    enum { COUNT = sizeof lines / sizeof *lines };
    uint8_t code[COUNT * SASS_BYTES];
    struct sass_kernel kernel = {
        .name = "test", .chip = sass_chip(90), .count = COUNT, .code = code};
    struct error error = {0};
    struct sass_instruction in;
    int removed;
    for (size_t i = 0; i < COUNT; i++) {
        if (!sass_parse(lines[i], i * SASS_BYTES, NULL, &in, &error))
            fail_msg("%s: %s", lines[i], error.message);
        memcpy(code + i * SASS_BYTES, &in.word, SASS_BYTES);
    }
    assert_true(trim_kernel(&kernel, &removed, &error));
    assert_int_equal(removed, 1); // the second one sets a scoreboard, so it stays
    for (size_t i = 0; i < COUNT; i++) {
        char text[SASS_MAX_TEXT + 32], control[24];
        assert_true(sass_decode(cubin_word(&kernel, i), i * SASS_BYTES, &in, &error));
        sass_print_control(&in, control);
        const int length = snprintf(text, sizeof text, "%s ", control);
        sass_print(&in, NULL, text + length, sizeof text - (size_t)length);
        assert_string_equal(text, expected[i]);
    }
}

static void a_distance_that_only_they_keep_is_left(void **state) {
    static const char *const lines[] = {
        "--:-:-:-:3 FADD R4, R2, R2", "--:-:-:-:1 @!PT LDS RZ, [RZ]", "--:-:-:-:5 FADD R5, R4, R4",
        "--:-:-:-:5 @P0 BRA 0x0", "--:-:-:-:5 EXIT"};
    enum { COUNT = sizeof lines / sizeof *lines };
    uint8_t code[COUNT * SASS_BYTES], before[COUNT * SASS_BYTES];
    struct sass_kernel kernel = {
        .name = "test", .chip = sass_chip(90), .count = COUNT, .code = code};
    struct error error = {0};
    struct sass_instruction in;
    int removed;
    for (size_t i = 0; i < COUNT; i++) {
        if (!sass_parse(lines[i], i * SASS_BYTES, NULL, &in, &error))
            fail_msg("%s: %s", lines[i], error.message);
        memcpy(code + i * SASS_BYTES, &in.word, SASS_BYTES);
    }
    memcpy(before, code, sizeof before);
    assert_true(trim_kernel(&kernel, &removed, &error));
    assert_int_equal(removed, 0);
    assert_memory_equal(code, before, sizeof before);
}

#define FFMA(test) cmocka_unit_test_setup_teardown(test, open_ffma, close_kernel)
#define DFMA(test) \
    { #test " (DFMA)", test, open_dfma, close_kernel, NULL }

int main(void) {
    const struct CMUnitTest tests[] = {
        FFMA(code_is_the_same_as_itself),
        FFMA(factors_may_change_places),
        FFMA(independent_ffmas_may_change_places),
        FFMA(a_wrong_source_is_found),
        FFMA(every_register_of_the_kernel_counts),
        FFMA(dependent_instructions_keep_their_order),
        FFMA(loads_keep_their_order),
        FFMA(a_stale_flag_is_dropped),
        FFMA(the_register_count_is_kept_true),
        DFMA(code_is_the_same_as_itself),
        DFMA(factors_may_change_places),
        DFMA(independent_ffmas_may_change_places),
        DFMA(a_wrong_source_is_found),
        DFMA(dependent_instructions_keep_their_order),
        DFMA(loads_keep_their_order),
        DFMA(a_stale_flag_is_dropped),
        DFMA(a_flag_is_stale_when_half_of_its_pair_is_written),
        DFMA(pairs_have_no_bank_to_choose),
        DFMA(neighbours_share_a_pair),
        DFMA(the_register_count_is_kept_true),
        cmocka_unit_test(passes_have_names),
        FFMA(trimmed_code_is_the_same_without_what_never_runs),
        cmocka_unit_test(what_never_runs_hands_on_its_waits),
        cmocka_unit_test(a_distance_that_only_they_keep_is_left),
    };
    if (!is_built("reuse of compiled kernels", ffma_path) ||
        !is_built("reuse of compiled kernels", dfma_path))
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
