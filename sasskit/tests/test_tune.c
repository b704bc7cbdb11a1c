// Tests `sass tune`: which neighbours may swap, and that random moves keep orders that matter.
#include "asm/assemble.h"
#include "isa/chip.h"
#include "isa/codec.h"
#include "lint/lint.h"
#include "tune/moves.h"
#include "tune/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sass_instruction parsed(const char *line) {
    struct sass_instruction in;
    struct error error = {0};
    if (!sass_parse(line, 0, NULL, &in, &error)) fail_msg("%s: %s", line, error.message);
    return in;
}

// Pairs of neighbours that may or may not change places.
static void neighbours_change_places_by_the_rules(void **state) {
    static const struct {
        const char *first, *second;
        bool may;
    } rows[] = {
        {"FFMA R0, R2, R3, R0", "LDS R8, [R9]", true},
        {"FFMA R0, R2, R3, R0", "FFMA R4, R0, R3, R4", false}, // the second reads R0
        {"FFMA R0, R2, R3, R0", "FFMA R2, R5, R6, R7", false}, // the second writes R2
        {"FFMA R0, R2, R3, R1", "FADD R0, R5, R6", false},     // both write R0
        {"FFMA R0, R2, R3, R0", "FFMA R4, R2, R3, R4", true},  // both only read
        {"LDS.128 R8, [R4]", "FADD R11, R5, R6", false},       // the load writes R8 to R11
        {"DADD R8, R4, R6", "FADD R2, R9, R3", false},         // DADD writes R8 and R9
        {"ISETP.GT.AND P0, PT, R2, RZ, PT", "@P0 FADD R3, R4, R5", false},
        {"@P0 FADD R3, R4, R5", "ISETP.GT.AND P0, PT, R2, RZ, PT", false},
        {"ISETP.GT.AND P1, PT, R2, RZ, PT", "@P0 FADD R3, R4, R5", true},
        // UR4 is a uniform register, R4 is not.
        {"UIADD3 UR4, UR5, 0x1, URZ", "FADD R4, R4, R5", true},
        {"UIADD3 UR4, UR5, 0x1, URZ", "LDS R8, [R9+UR4]", false},
        {"--:-:1:-:2 LDS R8, [R9]", "01:-:-:-:1 FADD R0, R1, R2", false}, // it waits for the LDS
        {"--:-:1:-:2 LDS R8, [R9]", "02:-:-:-:1 FADD R0, R1, R2", true},
        {"--:1:-:-:2 STS [R9], R8", "01:-:-:-:1 FADD R8, R1, R2", false},
        // Later instructions may rely on the wait, so it may not come later.
        {"01:-:-:-:1 FADD R0, R1, R2", "FADD R3, R4, R5", false},
        {"FADD R3, R4, R5", "01:-:-:-:1 FADD R0, R1, R2", true}, // a wait may come earlier
        {"LDS R8, [R9]", "LDS R10, [R11]", false},               // memory accesses stay in order
        {"STS [R9], R8", "LDS R10, [R11]", false},
        {"LDGSTS.E [R2], [R4.U32+UR4]", "LDS R10, [R11]", false},
        {"MUFU.RCP R0, R1", "MUFU.RCP R2, R3", false},
        {"MUFU.RCP R0, R1", "FADD R2, R2, R3", true},
        {"BAR.SYNC.DEFER_BLOCKING 0x0", "FADD R2, R2, R3", false},
        {"FADD R2, R2, R3", "DEPBAR.LE SB0, 0x0", false},
        {"CS2R R4, SR_CLOCKLO", "FADD R2, R2, R3", false},
        {"CS2R R4, SRZ", "FADD R2, R2, R3", true},
        {"LDG.E.STRONG.GPU R4, desc[UR4][R2.64]", "FADD R6, R7, R8", false},
        {"FADD R2, R2, R3", "EXIT", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sass_instruction first = parsed(rows[i].first),
                                      second = parsed(rows[i].second);
        if (moves_may_swap(&first, &second) != rows[i].may)
            fail_msg("%s | %s: expected %s", rows[i].first, rows[i].second,
                     rows[i].may ? "yes" : "no");
    }
}

// A loop of 16 instructions. Each has its index in word.low, from which the order is read back.
static void drawn_changes_keep_what_depends_in_order(void **state) {
    static const char *const lines[] = {
        "LDS.128 R8, [R40]",
        "FFMA R0, R20, R24, R0",
        "FFMA R1, R20, R25, R1",
        "LDS.128 R12, [R41]",
        "FFMA R2, R21, R24, R2",
        "FFMA R3, R21, R25, R3",
        "IADD3 R40, R40, 0x10, RZ",
        "FFMA R0, R22, R26, R0",
        "FFMA R1, R22, R27, R1",
        "IADD3 R41, R41, 1, RZ",
        "BAR.SYNC 0x0",
        "FFMA R2, R23, R26, R2",
        "FFMA R3, R23, R27, R3",
        "FADD R24, R8, R9",
        "FADD R25, R12, R13",
        "@P0 BRA 0x0",
        "EXIT",
    };
    enum { COUNT = sizeof lines / sizeof *lines };
    uint8_t code[COUNT * SASS_BYTES];
    struct sass_kernel kernel = {
        .name = "test", .chip = sass_chip(90), .count = COUNT, .code = code};
    uint64_t issued[COUNT], random = 7;
    for (int i = 0; i < COUNT; i++) {
        struct sass_instruction in;
        struct error error = {0};
        if (!sass_parse(lines[i], (uint64_t)i * SASS_BYTES, NULL, &in, &error))
            fail_msg("%s", error.message);
        memcpy(code + i * SASS_BYTES, &in.word, SASS_BYTES);
        issued[i] = 1;
    }
    struct moves moves;
    struct error error = {0};
    if (!moves_open(&moves, &kernel, &error) || !moves_choose(&moves, issued, &error))
        fail_msg("%s", error.message);
    for (int i = 0; i < COUNT; i++) moves.code[i].word.low = (uint64_t)i;
    int changed = 0;
    for (int round = 0; round < 3000; round++) {
        char name[256];
        changed += moves_draw(&moves, &random, name, sizeof name);
        int at[COUNT];
        for (int i = 0; i < COUNT; i++) at[moves.code[i].word.low] = i;
        static const int in_order[][2] = {{0, 3},  {0, 6},  {3, 9},  {1, 7},  {2, 8},
                                          {4, 11}, {5, 12}, {0, 13}, {3, 14}, {1, 13},
                                          {4, 13}, {2, 14}, {6, 10}, {10, 11}};
        assert_int_equal(at[10], 10);
        assert_int_equal(at[15], 15);
        for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
            if (at[in_order[i][0]] > at[in_order[i][1]])
                fail_msg("%s came behind %s by: %s", lines[in_order[i][0]], lines[in_order[i][1]],
                         name);
        }
    }
    assert_in_range(changed, 500, 3000);
    moves_close(&moves);
}

// A loop whose result changes if any rule of moves_may_swap() is broken. Its stall counts are at
// least 11, which is enough in any order: lint finds nothing as long as the rules hold.
static const char needs_every_rule[] = ".kernel k\n.threads 64\n.shared 0x2000\n.param ptr out\n"
                                       "    S2R R0, SR_TID.X ;\n"
                                       "    ULDC.64 UR4, c[0x0][0x208] ;\n"
                                       "    LDC.64 R2, c[out] ;\n"
                                       "    IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
                                       "    SHF.L.U32 R7, R0, 0x4, RZ ;\n"
                                       "    IADD3 R7, R7, 0x400, RZ ;\n" // this thread's 16 bytes
                                       // The other warp's 16 bytes.
                                       "    LOP3.LUT R8, R7, 0x200, RZ, 0x3c, !PT ;\n"
                                       "    MOV R1, 0x3 ;\n"
                                       "    UMOV UR6, 0x0 ;\n"
                                       "    MOV R62, 0x3f800000 ;\n"
                                       ".for i = 16 .. 61\n"
                                       "    IMAD R{i}, R0, {0x1357 * i}, R62 ;\n"
                                       ".end\n"
                                       ".for i = 0 .. 3\n"
                                       "    STS.128 [R7+{0x400 * i}], R{16 + 4 * i} ;\n"
                                       ".end\n"
                                       "    BAR.SYNC 0x0 ;\n"
                                       "3f:-:-:Y:f NOP ;\n"
                                       "again:\n"
                                       "--:-:2:-:b LDS.128 R40, [R7] ;\n"
                                       "--:-:3:-:b LDS R44, [R7+UR6] ;\n"
                                       "--:-:-:-:b UIADD3 UR6, UR6, 0x4, URZ ;\n"
                                       "--:-:-:-:b FFMA R16, R17, R18, R16 ;\n"
                                       "--:-:-:-:b FFMA R20, R21, R22, R20 ;\n"
                                       "--:-:-:-:b FFMA R16, R20, R18, R16 ;\n"
                                       "--:-:-:-:b FADD R21, R23, R24 ;\n"
                                       "--:-:-:-:b FADD R25, R26, R27 ;\n"
                                       "--:-:-:-:b FADD R25, R28, R29 ;\n"
                                       "--:-:-:-:b FADD R28, R28, R17 ;\n"
                                       "--:-:-:Y:f ISETP.GT.AND P1, PT, R1, 0x1, PT ;\n"
                                       "--:-:-:-:b @P1 FADD R30, R30, R17 ;\n"
                                       "--:-:-:Y:f ISETP.GT.AND P1, PT, R1, 0x2, PT ;\n"
                                       "--:-:-:-:b @!P1 FADD R31, R31, R18 ;\n"
                                       "02:-:-:-:b FADD R32, R43, R32 ;\n"
                                       "--:-:-:-:b FADD R33, R40, R33 ;\n"
                                       "04:-:-:-:b FADD R34, R44, R34 ;\n"
                                       "--:4:-:-:b STS [R7], R32 ;\n"
                                       "--:-:2:-:b LDS R45, [R7] ;\n"
                                       "08:-:-:-:b FADD R39, R39, R18 ;\n"
                                       "--:-:-:-:b FADD R32, R32, R16 ;\n"
                                       "02:-:-:-:b FADD R35, R45, R35 ;\n"
                                       "--:-:-:-:b MUFU.RCP R46, R36 ;\n"
                                       "--:-:5:-:b MUFU.RCP R47, R37 ;\n"
                                       "10:-:-:-:b FADD R48, R46, R48 ;\n"
                                       "--:-:-:-:b FADD R49, R47, R49 ;\n"
                                       "--:-:-:-:b DADD R50, R50, R52 ;\n"
                                       "--:-:-:-:b FADD R54, R51, R54 ;\n"
                                       "--:-:-:-:b STS [R7+0x400], R16 ;\n"
                                       "--:-:-:-:b BAR.SYNC 0x0 ;\n"
                                       "--:-:6:-:b LDS R55, [R8+0x400] ;\n"
                                       "20:-:-:-:b FADD R38, R55, R38 ;\n"
                                       "--:-:-:-:b BAR.SYNC 0x0 ;\n"
                                       "--:-:-:-:b LDGSTS.E [R7+0x800], desc[UR4][R2.64] ;\n"
                                       "--:-:1:-:b LDGDEPBAR ;\n"
                                       "--:-:-:-:b FADD R57, R57, R16 ;\n"
                                       "--:-:-:-:b DEPBAR.LE SB0, 0x0 ;\n"
                                       "--:-:6:-:b LDS R56, [R7+0x800] ;\n"
                                       "20:-:-:-:b FADD R58, R56, R58 ;\n"
                                       "--:-:-:Y:f ISETP.GT.AND P2, PT, R1, 0x1, PT ;\n"
                                       "--:-:-:-:b @P2 BRA `(over) ;\n"
                                       "--:-:-:-:b FADD R59, R59, R17 ;\n"
                                       "over:\n"
                                       "--:-:-:-:b FADD R60, R60, R18 ;\n"
                                       "--:-:-:-:b IADD3 R1, R1, -0x1, RZ ;\n"
                                       "--:-:-:-:b IADD3 R61, R1, R61, R61 ;\n"
                                       "--:-:-:Y:f ISETP.GT.AND P0, PT, R1, RZ, PT ;\n"
                                       "--:-:-:-:b @P0 BRA `(again) ;\n"
                                       ".for i = 17 .. 61\n"
                                       "    IMAD R16, R16, 0x1f, R{i} ;\n"
                                       ".end\n"
                                       "    STG.E desc[UR4][R2.64], R16 ;\n"
                                       "    EXIT ;\n";

// Draws three random changes. Returns true if at least one changed something.
static bool change(struct moves *moves, uint64_t *random, char *name, size_t size) {
    bool any = false;
    for (int i = 0; i < 3; i++) any |= moves_draw(moves, random, name, size);
    return any;
}

static void same_bits(const struct trial *first, const struct sass_cubin *cubin, const char *name) {
    struct error why = {0};
    struct trial trial;
    if (!trial_open(&trial, first->text, &why)) fail_msg("%s", why.message);
    if (!trial_run(&trial, cubin->bytes, cubin->size, "k", &why))
        fail_msg("simulator: %s: %s", name, why.message);
    if (!trial_same(first, &trial)) fail_msg("bits: %s", name);
    trial_close(&trial);
}

static void every_draw_has_the_same_bits(void **state) {
    enum { DRAWS = 500 };
    const struct assemble_options options = {.path = "k.sass", .lint = true};
    struct error error = {0};
    struct error why = {0};
    struct sass_cubin cubin;
    struct trial first;
    struct moves moves;
    size_t size;
    uint8_t *bytes = assemble(needs_every_rule, &options, &size, &error);
    if (!bytes) fail_msg("%d: %s", error.line, error.message);
    if (!cubin_open_memory(&cubin, "k", bytes, size, &error)) fail_msg("%s", error.message);
    if (!trial_open(&first, "--grid 1 --block 64 --arg i32[64]:random:1", &why))
        fail_msg("%s", why.message);
    if (!trial_run(&first, bytes, size, "k", &why)) fail_msg("%s", why.message);
    const struct sass_kernel *kernel = &cubin.kernels[0];
    uint64_t *issued = calloc(kernel->count, sizeof *issued), random = 1;
    for (size_t i = 0; i < kernel->count; i++) issued[i] = 1;
    if (!moves_open(&moves, kernel, &error) || !moves_choose(&moves, issued, &error))
        fail_msg("%s", error.message);
    const size_t all = kernel->count * sizeof *moves.code;
    struct sass_instruction *code = malloc(all);
    memcpy(code, moves.code, all);
    for (int i = 0; i < DRAWS; i++) {
        char name[256];
        memcpy(moves.code, code, all);
        if (!change(&moves, &random, name, sizeof name)) continue;
        if (!moves_store(&moves, &error)) fail_msg("%s: %s", name, error.message);
        if (lint_kernel(&(struct lint_options){0}, kernel, &error)) fail_msg("lint: %s", name);
        same_bits(&first, &cubin, name);
    }
    moves_close(&moves);
    trial_close(&first);
    cubin_close(&cubin);
    free(bytes);
    free(code);
    free(issued);
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_change_places_by_the_rules),
        cmocka_unit_test(drawn_changes_keep_what_depends_in_order),
        cmocka_unit_test(every_draw_has_the_same_bits),
    };
    if (count > 1) cmocka_set_test_filter(words[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
