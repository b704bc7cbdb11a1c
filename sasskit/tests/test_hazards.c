// Tests that `sass lint` and the simulator agree on hazards. Both get kernels without branches,
// hand-made and random, and must report the same instruction as the first with a hazard.
#include "asm/assemble.h"
#include "helpers.h"
#include "lint/lint.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOUND = -1, MOST_TEXT = 8192, PROGRAMS = 500, LENGTH = 12 };

// --- verdicts of lint and of the simulator

// The first and last lines of every kernel: R2 addresses 256 bytes of memory, UR4 is its
// descriptor, and shared memory is initialised.
static const char head[] = ".kernel k\n.threads 32\n.shared 1024\n.param ptr memory\n"
                           "--:-:-:-:2  ULDC.64 UR4, c[0x0][0x208] ;\n"
                           "--:-:1:-:2  LDC.64 R2, c[memory] ;\n"
                           "--:-:-:-:2  STS.128 [0x400], RZ ;\n"
                           "--:-:-:Y:6  BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                           "01:-:-:Y:f  NOP ;\n";
static const char tail[] = "3f:-:-:Y:f  NOP ;\n--:-:-:-:5  EXIT ;\n";

static void first(void *context, size_t index, const char *message) {
    int *least = context;
    if (*least == SOUND || (int)index < *least) *least = (int)index;
}

static int lint_says(const uint8_t *bytes, size_t size) {
    struct sass_cubin cubin;
    struct error error = {0};
    int least = SOUND;
    const struct lint_options options = {.found = first, .context = &least};
    if (!cubin_open_memory(&cubin, "k", bytes, size, &error)) fail_msg("%s", error.message);
    lint_kernel(&options, &cubin.kernels[0], &error);
    cubin_close(&cubin);
    return least;
}

// Returns the least instruction index in reports like "hazard: ... (kernel k, `FADD R1, R2, R3` at
// 0x40)", or SOUND. Sets *others if there are other errors: the code also reads uninitialised
// registers, and one thread executes MMAs.
static int first_hazard(FILE *reports, bool *others) {
    char line[2048];
    int least = SOUND;
    *others = false;
    rewind(reports);
    while (fgets(line, sizeof line, reports)) {
        unsigned address;
        const char *at = NULL; // the last match, as the sentence may name another instruction first
        for (const char *next = line; (next = strstr(next, "` at 0x")) != NULL; next++) at = next;
        const bool lane = strncmp(line, "lane: ", 6) == 0; // reported for an MMA by one thread
        if (lane || strncmp(line, "uninitialized: ", 15) == 0 ||
            strncmp(line, "warning: ", 9) == 0) {
            *others |= *line != 'w';
            continue;
        }
        if (strncmp(line, "hazard: ", 8) != 0) fail_msg("an unexpected report: %s", line);
        if (!at || sscanf(at, "` at 0x%x", &address) != 1) fail_msg("no address in: %s", line);
        if (least == SOUND || (int)(address / SASS_BYTES) < least)
            least = (int)(address / SASS_BYTES);
    }
    return least;
}

static int simulator_says(const uint8_t *bytes, size_t size) {
    struct error error = {0};
    struct sim_kernel *kernel = sim_kernel_open_memory(bytes, size, "k", "k", &error);
    struct sim_memory *memory = sim_memory_open();
    struct sim_result *result = kernel ? sim_result_open(kernel) : NULL;
    FILE *reports = tmpfile();
    if (!result || !memory || !reports) fail_msg("%s", error.message);
    const uint64_t buffer = sim_allocate(memory, 256);
    const void *arguments[] = {&buffer};
    const struct sim_launch launch = {.grid = {1, 1, 1},
                                      // More threads would race for the words of shared memory.
                                      .block = {1, 1, 1},
                                      .arguments = arguments,
                                      .host_threads = 1,
                                      .most_reports = 1000,
                                      .reports = reports};
    const bool good = sim_run(kernel, memory, &launch, result, &error);
    bool others;
    const int hazard = first_hazard(reports, &others);
    if (good != (hazard == SOUND && !others))
        fail_msg("the run ends otherwise than its reports say: %s", error.message);
    fclose(reports);
    sim_result_close(result);
    sim_memory_close(memory);
    sim_kernel_close(kernel);
    return hazard;
}

// Returns the index of the kernel's first instruction with a hazard, or SOUND, as lint and the
// simulator must both report.
static int verdict(const char *body) {
    char source[MOST_TEXT];
    struct error error = {0};
    size_t size;
    const struct assemble_options options = {.path = "k.sass", .lint = false};
    snprintf(source, sizeof source, "%s%s%s", head, body, tail);
    uint8_t *bytes = assemble(source, &options, &size, &error);
    if (!bytes) fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, source);
    const int lint = lint_says(bytes, size), simulator = simulator_says(bytes, size);
    free(bytes);
    if (lint != simulator)
        fail_msg("lint: instruction %d, the simulator: %d (%d: none) of\n%s", lint, simulator,
                 SOUND, source);
    return lint;
}

// --- pairs

// Short programs. Each word replaces $: the first words make a hazard, the later ones do not.
static const char stalls[] = "1 2 3 4 5 6 7 8 9 a b c d", waits[] = "-- 01",
                  waited_reads[] = "-- 02";
static const struct {
    const char *text, *words;
} pairs[] = {
    {"--:-:-:Y:$ FFMA R8, R9, R10, R11 ;\n--:-:-:-:1 FFMA R12, R8, R9, R10 ;\n", stalls},
    {"--:-:-:Y:$ FFMA R8, R9, R10, R11 ;\n--:-:-:-:1 STG.E desc[UR4][R2.64], R8 ;\n", stalls},
    {"--:-:-:Y:$ FADD R8, R9, R10 ;\n--:-:-:-:2 MUFU.RCP R12, R8 ;\n", stalls},
    {"--:-:-:Y:$ IADD3 R8, R9, R10, RZ ;\n--:-:-:-:1 IMAD R12, R8, R9, R10 ;\n", stalls},
    {"--:-:-:Y:$ IMAD.WIDE R8, R10, R11, R12 ;\n--:-:-:-:1 IADD3 R14, R9, R10, RZ ;\n", stalls},
    {"--:-:-:Y:$ IMAD R8, R10, R11, R12 ;\n--:-:-:-:1 IMAD.WIDE R14, R10, R11, R8 ;\n", stalls},
    {"--:-:-:Y:$ IMAD R8, R10, R11, R12 ;\n--:-:-:-:1 IMAD.WIDE R14, R8, R11, R10 ;\n", stalls},
    {"--:-:-:Y:$ CS2R R8, SRZ ;\n--:-:-:-:1 IADD3 R12, R9, R10, RZ ;\n", stalls},
    {"--:-:-:Y:$ DFMA R8, R10, R12, R14 ;\n--:-:-:-:1 DADD R10, R8, R12 ;\n", stalls},
    {"--:-:-:Y:$ DFMA R8, R10, R12, R14 ;\n--:-:-:-:1 FADD R10, R9, R12 ;\n", stalls},
    {"--:-:-:Y:$ ISETP.LT.AND P0, PT, R8, R9, PT ;\n--:-:-:-:1 SEL R10, R11, R12, P0 ;\n", stalls},
    {"--:-:-:Y:$ ISETP.LT.AND P0, PT, R8, R9, PT ;\n--:-:-:-:1 @P0 FADD R10, R11, R12 ;\n", stalls},
    {"--:-:-:Y:$ UIADD3 UR8, UR9, UR10, URZ ;\n--:-:-:-:1 UIADD3 UR10, UR8, UR9, URZ ;\n", stalls},
    {"--:-:-:Y:$ UIADD3 UR8, UR9, UR10, URZ ;\n--:-:-:-:1 IADD3 R10, R8, UR8, RZ ;\n", stalls},
    {"--:-:-:Y:$ ULDC UR8, c[0x0][0x208] ;\n--:-:-:-:2 FLO.U32 R10, UR8 ;\n", stalls},
    {"--:-:1:-:2 LDS R8, [0x400] ;\n$:-:-:-:1 FADD R9, R8, R10 ;\n", waits},
    {"--:-:1:-:2 LDG.E R8, desc[UR4][R2.64] ;\n$:-:-:-:1 MOV R8, R10 ;\n", waits},
    {"--:-:1:-:2 LDG.E R8, desc[UR4][R2.64] ;\n$:-:2:-:2 LDS R8, [0x400] ;\n", waits},
    {"--:-:1:-:2 MUFU.RCP R8, R9 ;\n$:-:-:-:1 FADD R9, R8, R10 ;\n", waits},
    {"--:-:-:-:2 POPC R8, R9 ;\n--:-:1:-:2 MUFU.RCP R10, R11 ;\n$:-:-:-:1 FADD R9, R8, R12 ;\n",
     waits},
    {"--:-:-:-:2 LDS R8, [0x400] ;\n--:-:1:-:2 LDS R10, [0x404] ;\n$:-:-:-:1 FADD R9, R8, R12 ;\n",
     waits},
    {"--:-:1:-:2 S2R R8, SR_TID.X ;\n$:-:-:-:1 IADD3 R9, R8, R10, RZ ;\n", waits},
    {"--:2:-:-:2 STS [0x400], R8 ;\n$:-:-:-:1 MOV R8, R10 ;\n", waited_reads},
    {"--:2:-:-:2 STG.E desc[UR4][R2.64], R8 ;\n$:-:-:-:1 FADD R8, R9, R10 ;\n", waited_reads},
    {"--:2:1:-:2 LDG.E R8, desc[UR4][R2.64+0x4] ;\n$:-:-:-:1 MOV R2, R10 ;\n", waited_reads},
    {"--:2:1:-:2 LDG.E R8, desc[UR4][R2.64+0x4] ;\n$:-:-:-:1 MOV R2, R10 ;\n", waits},
    // These instructions may read late. Only a wait makes it safe to overwrite their source. On an
    // H200, REDUX had not read its source after 8 cycles.
    {"--:-:1:-:f MUFU.RCP R8, R9 ;\n$:-:-:-:1 MOV R9, R10 ;\n", waits},
    {"--:2:1:-:f POPC R8, R9 ;\n$:-:-:-:1 MOV R9, R10 ;\n", waited_reads},
    {"--:-:1:-:f REDUX.MAX.S32 UR8, R9 ;\n$:-:-:-:1 MOV R9, R10 ;\n", waits},
    // Instructions of a queue (isa/latency.h) read in order: a wait for one covers earlier ones.
    {"--:2:-:Y:2 HMMA.1688.F32 R8, R12, R16, R8 ;\n--:3:-:Y:8 HMMA.1688.F32 R20, R24, R26, R20 ;\n"
     "$:-:-:-:1 MOV R12, R30 ;\n",
     "-- 04"},
    {"--:-:-:Y:2 DMMA.8x8x4 R8, R12, R14, R8 ;\n--:-:1:Y:8 DMMA.8x8x4 R20, R24, R26, R20 ;\n"
     "$:-:-:-:1 MOV R8, R30 ;\n",
     waits},
    {"--:2:1:-:2 MUFU.RCP R8, R9 ;\n--:3:4:-:2 MUFU.RCP R10, R11 ;\n$:-:-:-:1 MOV R9, R12 ;\n",
     "-- 04"},
    {"--:-:-:Y:f MOV R9, RZ ;\n--:-:1:-:2 LDC R8, c[0x0][R9] ;\n$:-:-:-:1 MOV R9, R10 ;\n", waits},
    {"--:-:-:Y:$ DADD R8, R10, R12 ;\n--:-:-:-:1 MOV R9, R14 ;\n", stalls},
    {"--:-:-:Y:$ R2UR UR8, R8 ;\n--:-:-:-:1 UMOV UR8, 0x3 ;\n", stalls},
    {"--:-:-:Y:$ UIADD3 UR8, UR9, UR10, URZ ;\n--:-:-:-:1 ULDC UR8, c[0x0][0x208] ;\n", stalls},
    {"--:-:1:-:$ S2R R8, SR_TID.X ;\n01:-:-:-:1 IADD3 R9, R8, R10, RZ ;\n", "1 2 3"},
};

static void fill_in(const char *text, const char *word, size_t length, char *out, size_t size) {
    const int before = (int)strcspn(text, "$");
    snprintf(out, size, "%.*s%.*s%s", before, text, (int)length, word, text + before + 1);
}

static void pairs_are_judged_alike(void **state) {
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int broken = 0, sound = 0;
        for (const char *word = pairs[i].words; *word;) {
            char body[512];
            const size_t length = strcspn(word, " ");
            fill_in(pairs[i].text, word, length, body, sizeof body);
            const bool good = verdict(body) == SOUND;
            if (!good && sound)
                fail_msg("sound before, broken with %.*s:\n%s", (int)length, word, pairs[i].text);
            sound += good, broken += !good;
            word += length + (word[length] == ' ');
        }
        if (!sound || !broken)
            fail_msg("%d sound, %d broken; both were expected:\n%s", sound, broken, pairs[i].text);
    }
}

static void no_order_is_taken_for_granted(void **state) {
    // A wait for an instruction of another queue does not cover an earlier result.
    (void)state;
    assert_int_not_equal(
        verdict("--:-:-:-:2 LDS R8, [0x400] ;\n--:-:1:-:2 LDG.E R10, desc[UR4][R2.64] ;\n"
                "01:-:-:-:1 FADD R9, R8, R12 ;\n"),
        SOUND);
    assert_int_not_equal(verdict("--:-:-:-:2 S2R R8, SR_TID.X ;\n--:-:1:-:2 MUFU.RCP R10, R11 ;\n"
                                 "01:-:-:-:1 FADD R9, R8, R12 ;\n"),
                         SOUND);
    // A store is not in an MMA's queue, so it does not show that the MMA has read its sources.
    assert_int_not_equal(
        verdict("--:2:-:Y:2 HMMA.1688.F32 R8, R12, R16, R8 ;\n--:3:-:-:2 STS [0x400], R14 ;\n"
                "04:-:-:-:1 MOV R12, R30 ;\n"),
        SOUND);
    // An LDS may overwrite the source of an earlier STS, as both are in one queue. Uniform
    // registers are read at issue.
    assert_int_equal(verdict("--:2:-:-:2 STS [0x400], R8 ;\n--:-:1:-:2 LDS R8, [0x404] ;\n"),
                     SOUND);
    assert_int_equal(
        verdict("--:2:-:-:2 STG.E desc[UR4][R2.64], R8 ;\n--:-:-:-:2 UMOV UR4, 0x1 ;\n"), SOUND);
}

// --- random programs

// In `text`, # is any register, % an even one, ^ a uniform one. `barriers`: W if the instruction
// may have a write scoreboard, R if it may have a read scoreboard.
static const struct {
    const char *text, *barriers;
} instructions[] = {
    {"FFMA R#, R#, R#, R#", ""},
    {"FADD R#, R#, R#", ""},
    {"IADD3 R#, R#, R#, R#", ""},
    {"IADD3 R#, R#, UR^, RZ", ""},
    {"IMAD R#, R#, R#, R#", ""},
    {"IMAD.WIDE R%, R#, R#, R%", ""},
    {"LOP3.LUT R#, R#, R#, R#, 0xc0, !PT", ""},
    {"SHF.R.U32.HI R#, RZ, 0x1, R#", ""},
    {"CS2R R%, SRZ", ""},
    {"DFMA R%, R%, R%, R%", ""},
    {"DSETP.GT.AND P0, PT, R%, R%, PT", ""},
    {"ISETP.LT.AND P0, PT, R#, R#, PT", ""},
    {"SEL R#, R#, R#, P0", ""},
    {"UIADD3 UR^, UR^, UR^, URZ", ""},
    {"R2UR UR^, R#", ""},
    {"HFMA2.MMA R#, R#, R#, R#", ""},
    {"UMOV UR^, 0x3", ""},
    {"ULDC UR^, c[0x0][0x208]", ""},
    {"MUFU.RCP R#, R#", "W"},
    {"POPC R#, R#", "W"},
    {"I2F R#, R#", "W"},
    {"S2R R#, SR_TID.X", "W"},
    {"LDC R#, c[0x0][0x210]", "W"},
    {"LDS R#, [0x400]", "W"},
    {"LDS.64 R%, [0x408]", "W"},
    {"LDG.E R#, desc[UR4][R2.64]", "WR"},
    {"LDG.E.64 R%, desc[UR4][R2.64+0x8]", "WR"},
    {"SHFL.IDX PT, R#, R#, RZ, 0x1f", "WR"},
    {"STS [0x410], R#", "R"},
    {"STG.E.64 desc[UR4][R2.64+0x10], R%", "R"},
};

static uint64_t chance_state;
static int chance(int below) {
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((chance_state >> 33) % (uint64_t)below);
}

static char barrier(const char *barriers, char which) {
    return strchr(barriers, which) && chance(4) ? (char)('1' + chance(6)) : '-';
}

static size_t random_line(char *out, size_t size) {
    const int which = chance((int)(sizeof instructions / sizeof *instructions));
    const char *barriers = instructions[which].barriers;
    const int wait = chance(3) ? 0x3f : chance(64), stall = chance(2) ? 13 : 1 + chance(15);
    const char read = barrier(barriers, 'R'), write = barrier(barriers, 'W');
    size_t n = (size_t)snprintf(out, size, "%02x:%c:%c:Y:%x  ", (unsigned)wait, read, write,
                                (unsigned)stall);
    for (const char *at = instructions[which].text; *at; at++) {
        const int number = *at == '#'   ? 8 + chance(8)
                           : *at == '%' ? 8 + 2 * chance(4)
                           : *at == '^' ? 8 + chance(3)
                                        : -1;
        n += (size_t)(number < 0 ? snprintf(out + n, size - n, "%c", *at)
                                 : snprintf(out + n, size - n, "%d", number));
    }
    return n + (size_t)snprintf(out + n, size - n, " ;\n");
}

static void programs_made_by_chance_are_judged_alike(void **state) {
    const char *seed = getenv("SEED"); // make test sets it to the date
    const uint64_t day = seed ? strtoull(seed, NULL, 10) * PROGRAMS : 0;
    int sound = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        char body[LENGTH * 100];
        size_t n = 0;
        chance_state = day + (uint64_t)i;
        for (int line = 0; line < LENGTH; line++) n += random_line(body + n, sizeof body - n);
        sound += verdict(body) == SOUND;
    }
    // At least 5 % must be sound and 5 % not, or the comparison would say little.
    assert_in_range(sound, PROGRAMS / 20, PROGRAMS - PROGRAMS / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_judged_alike),
        cmocka_unit_test(no_order_is_taken_for_granted),
        cmocka_unit_test(programs_made_by_chance_are_judged_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
