// `sass tune`: which neighbours may change places, and that what is drawn keeps every order that matters.
#include "sass/isa/chip.h"
#include "tune/moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sass_instruction parsed(const char *line) {
    struct sass_instruction in;
    struct sass_error error = {0};
    if (!sass_parse(line, 0, NULL, &in, &error)) fail_msg("%s: %s", line, error.message);
    return in;
}

// A row for each rule: without it the row's answer would be another.
static void neighbours_change_places_by_the_rules(void **state) {
    static const struct {
        const char *first, *second;
        bool may;
    } rows[] = {
        {"FFMA R0, R2, R3, R0", "LDS R8, [R9]", true},
        {"FFMA R0, R2, R3, R0", "FFMA R4, R0, R3, R4", false}, // reads what the first writes
        {"FFMA R0, R2, R3, R0", "FFMA R2, R5, R6, R7", false}, // writes what the first reads
        {"FFMA R0, R2, R3, R1", "FADD R0, R5, R6", false},     // both write
        {"FFMA R0, R2, R3, R0", "FFMA R4, R2, R3, R4", true},  // both only read
        {"LDS.128 R8, [R4]", "FADD R11, R5, R6", false},       // the last of four registers
        {"DADD R8, R4, R6", "FADD R2, R9, R3", false},         // the second of a pair
        {"ISETP.GT.AND P0, PT, R2, RZ, PT", "@P0 FADD R3, R4, R5", false},
        {"@P0 FADD R3, R4, R5", "ISETP.GT.AND P0, PT, R2, RZ, PT", false},
        {"ISETP.GT.AND P1, PT, R2, RZ, PT", "@P0 FADD R3, R4, R5", true},
        {"UIADD3 UR4, UR5, 0x1, URZ", "FADD R4, R4, R5", true}, // UR4 is not R4
        {"UIADD3 UR4, UR5, 0x1, URZ", "LDS R8, [R9+UR4]", false},
        {"--:-:1:-:2 LDS R8, [R9]", "01:-:-:-:1 FADD R0, R1, R2", false}, // a wait for the first
        {"--:-:1:-:2 LDS R8, [R9]", "02:-:-:-:1 FADD R0, R1, R2", true},
        {"--:1:-:-:2 STS [R9], R8", "01:-:-:-:1 FADD R8, R1, R2", false},
        {"01:-:-:-:1 FADD R0, R1, R2", "FADD R3, R4, R5", false}, // what follows may count on the wait
        {"FADD R3, R4, R5", "01:-:-:-:1 FADD R0, R1, R2", true},  // a wait may come earlier
        {"LDS R8, [R9]", "LDS R10, [R11]", false},                // one's scoreboard covers the other
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
        const struct sass_instruction first = parsed(rows[i].first), second = parsed(rows[i].second);
        if (moves_may_swap(&first, &second) != rows[i].may)
            fail_msg("%s | %s: expected %s", rows[i].first, rows[i].second, rows[i].may ? "yes" : "no");
    }
}

// A loop of 16 instructions, each with a number of its own in its code, so that the order can be read back.
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
    struct sass_kernel kernel = {.name = "test", .chip = sass_chip(90), .count = COUNT, .code = code};
    uint64_t issued[COUNT], random = 7;
    for (int i = 0; i < COUNT; i++) {
        struct sass_instruction in;
        struct sass_error error = {0};
        if (!sass_parse(lines[i], (uint64_t)i * SASS_BYTES, NULL, &in, &error)) fail_msg("%s", error.message);
        memcpy(code + i * SASS_BYTES, &in.word, SASS_BYTES);
        issued[i] = 1;
    }
    struct moves moves;
    struct sass_error error = {0};
    if (!moves_open(&moves, &kernel, &error) || !moves_choose(&moves, issued, &error)) fail_msg("%s", error.message);
    for (int i = 0; i < COUNT; i++) moves.code[i].word.low = (uint64_t)i; // who it is
    int changed = 0;
    for (int round = 0; round < 3000; round++) {
        char name[256];
        changed += moves_draw(&moves, &random, name, sizeof name);
        int at[COUNT];
        for (int i = 0; i < COUNT; i++) at[moves.code[i].word.low] = i;
        static const int in_order[][2] = {{0, 3},  {0, 6},  {3, 9},  {1, 7},  {2, 8},  {4, 11}, {5, 12},
                                          {0, 13}, {3, 14}, {1, 13}, {4, 13}, {2, 14}, {6, 10}, {10, 11}};
        assert_int_equal(at[10], 10);
        assert_int_equal(at[15], 15);
        for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
            if (at[in_order[i][0]] > at[in_order[i][1]])
                fail_msg("%s came behind %s by: %s", lines[in_order[i][0]], lines[in_order[i][1]], name);
        }
    }
    assert_in_range(changed, 500, 3000);
    moves_close(&moves);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_change_places_by_the_rules),
        cmocka_unit_test(drawn_changes_keep_what_depends_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
