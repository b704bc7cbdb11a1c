// Tests the machine-code library: words to text and back, errors with their positions, broken
// files, register banks.
//
// In `pairs`, the words are nvcc 13.0's for sm_90, and the texts are nvdisasm's.
#include "isa/banks.h"
#include "isa/chip.h"
#include "isa/latency.h"
#include "isa/text.h"
#include "lint/lint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint64_t low, high, address;
    const char *text;
} pairs[] = {
    {0x00000a00ff017b82, 0x000fe20000000800, 0x0, "LDC R1, c[0x0][0x28]"},
    {0x00000000005d7919, 0x000e2e0000002100, 0x10, "S2R R93, SR_TID.X"},
    {0x0000000f063f7892, 0x000fe2000f80c03f, 0x70, "ULOP3.LUT UP0, URZ, UR6, 0xf, URZ, 0xc0, !UPT"},
    {0x0000036000007945, 0x000fe20003800000, 0x80, "BSSY B0, 0x3f0"},
    {0x00000000ff207435, 0x000fe200000001ff, 0xc0, "HFMA2.MMA R32, -RZ, RZ, 0, 0"},
    {0x00000000001c7805, 0x000fc4000001ff00, 0xd0, "CS2R R28, SRZ"},
    {0x000000000000781c, 0x000fe4000070e01c, 0x110, "PLOP3.LUT P0, PT, P0, PT, UP1, 0x4, 0x0"},
    {0x00000001ff5b7819, 0x001fe4000001165d, 0x120, "SHF.R.U32.HI R91, RZ, 0x1, R93"},
    {0x000000ffff0a0224, 0x100fe200078e0008, 0x0, "@P0 IMAD.MOV.U32 R10, RZ, RZ, R8.reuse"},
    {0x000000716a6d7223, 0x0c0fe2000000006d, 0x0, "FFMA R109, R106.reuse, R113.reuse, R109"},
    {0x4000000606027221, 0x140fe20000000200, 0x0, "FADD R2, |R6|.reuse, |R6|.reuse"},
    {0x000000746d419211, 0x040fe400000f0eff, 0x0,
     "@!P1 LEA.HI.X.SX32 R65, R109.reuse, R116, 0x1, P0"},
    {0xffffffff03137411, 0x000fc800078ff806, 0x0, "LEA.HI R19, R3, R6, 0xffffffff, 0x1f"},
    {0x00008400ff097619, 0x002fe40000011613, 0x0, "SHF.R.U32.HI R9, RZ, R19, c[0x0][0x210]"},
    {0x0000840000027616, 0x008fe400000000a3, 0x0, "PRMT R2, R0, R163, c[0x0][0x210]"},
    {0x0000840002117a14, 0x000fc400000e0206, 0x0, "VABSDIFF R17, R2, c[0x0][0x210], R6"},
    {0x0000840002197a26, 0x000fc800000002ff, 0x0, "IDP.4A.S8.U8 R25, R2, c[0x0][0x210], RZ"},
    {0x0000100a2018b981, 0x000768000c1e1900, 0x0, "@!P3 LDG.E R24, desc[UR10][R32.64+0x10]"},
    {0x000010182000a986, 0x0009e2000c10190a, 0x0, "@!P2 STG.E desc[UR10][R32.64+0x10], R24"},
    {0x000004ff04047f66, 0x000f6200089e0f06, 0x40, "TLD.LZ R6, R4, R4, UR4, 0x0, 1D"},
    {0x000004ff00047f66, 0x000f6200089e0e07, 0x60, "TLD.LZ R7, R4, R0, UR4, 0x0, 1D, 0xe"},
    {0x000004ff00057f66, 0x000f6200089e04ff, 0x60, "TLD.LZ RZ, R5, R0, UR4, 0x0, 1D, 0x4"},
    {0x000006ff00088f66, 0x02036200089e0f0a, 0x100, "@!P0 TLD.LZ R10, R8, R0, UR6, 0x0, 1D"},
    {0x00140005586a7984, 0x000fe80008000800, 0x0, "LDS R106, [R88+UR5+0x1400]"},
    {0x001000000aac7fae, 0x0007e2000d921848, 0x0, "LDGSTS.E [R172+0x100], desc[UR8][R10.64], !P3"},
    {0x0000000702ff79a8, 0x002fe2000c1ee1c4, 0x0,
     "ATOMG.E.EXCH.STRONG.GPU PT, RZ, desc[UR4][R2.64], R7"},
    {0x0000000000bc8947, 0x000fea0005000000, 0x0, "@!P0 BRA !P2, 0x300"},
    {0xffc00000000d7908, 0x000e220000001400, 0x0, "MUFU.RSQ R13, -QNAN "},
    {0x501502f90b057820, 0x000fe20000400000, 0x0, "FMUL R5, R11, 1.00000000000000000000e+10"},
};

static struct sass_instruction decoded(uint64_t low, uint64_t high, uint64_t address) {
    struct sass_instruction in;
    struct error error = {0};
    if (!sass_decode((struct sass_word){low, high, SASS_HOPPER}, address, &in, &error))
        fail_msg("%s", error.message);
    return in;
}

static void words_print_as_nvdisasm_prints_them(void **state) {
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[SASS_MAX_TEXT];
        const struct sass_instruction in = decoded(pairs[i].low, pairs[i].high, pairs[i].address);
        sass_print(&in, NULL, text, sizeof text);
        assert_string_equal(text, pairs[i].text);
    }
}

static void decoded_words_encode_to_themselves(void **state) {
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct sass_word word;
        struct error error = {0};
        const struct sass_instruction in = decoded(pairs[i].low, pairs[i].high, pairs[i].address);
        assert_true(sass_encode(&in, pairs[i].address, &word, &error));
        assert_int_equal(word.low, pairs[i].low);
        assert_int_equal(word.high, pairs[i].high);
    }
}

static void text_with_control_parses_to_the_word(void **state) {
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char line[2 * SASS_MAX_TEXT], control[24];
        struct sass_instruction again;
        struct error error = {0};
        const struct sass_instruction in = decoded(pairs[i].low, pairs[i].high, pairs[i].address);
        sass_print_control(&in, control);
        snprintf(line, sizeof line, "%s  %s ;", control, pairs[i].text);
        if (!sass_parse(line, pairs[i].address, NULL, &again, &error))
            fail_msg("%s: %s", line, error.message);
        assert_int_equal(again.word.low, pairs[i].low);
        assert_int_equal(again.word.high, pairs[i].high);
    }
}

static void a_bit_that_no_field_explains_is_an_error(void **state) {
    struct sass_instruction in;
    struct error error = {0};
    assert_false(sass_decode(
        (struct sass_word){0x000000716a6d7223, 0x0c0fe2000000006d | 1ULL << 31, SASS_HOPPER}, 0x40,
        &in, &error));
    assert_string_equal(error.message,
                        "FFMA: bit 95 is set, which no field explains, at 0x40, word "
                        "0x000000716a6d7223 0x0c0fe2008000006d");
    assert_false(
        sass_decode((struct sass_word){0x0000000000007fff, 0, SASS_HOPPER}, 0, &in, &error));
    assert_string_equal(error.message,
                        "unknown opcode 0xfff at 0x0, word 0x0000000000007fff 0x0000000000000000");
}

// A texture fetch writes a register per channel: here two from R4 on, the others from R6 on.
static void a_texture_fetch_writes_its_channels(void **state) {
    static const struct {
        const char *line;
        int first, second; // numbers of registers written from R4 and from R6
    } rows[] = {{"TLD.LZ R6, R4, R0, UR4, 0x0, 1D", 2, 2},
                {"TLD.LZ R6, R4, R0, UR4, 0x0, 1D, 0xe", 2, 1},
                {"TLD.LZ RZ, R4, R0, UR4, 0x0, 1D, 0x9", 2, 0},
                {"TLD.LZ RZ, R4, R0, UR4, 0x0, 1D, 0x8", 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        struct sass_instruction in;
        struct error error = {0};
        int written[2] = {0};
        assert_true(sass_parse(rows[i].line, 0, NULL, &in, &error));
        for (int t = sass_touches(&in, touches) - 1; t >= 0; t--) {
            if (touches[t].write) written[touches[t].first == 6] += touches[t].count;
        }
        assert_int_equal(written[0], rows[i].first);
        assert_int_equal(written[1], rows[i].second);
    }
}

// IMAD.HI, IMAD.WIDE and UIMAD.HI add a pair of registers to a product. They read both registers,
// although HI keeps only the high half of the sum.
static void an_addend_of_64_bits_is_read_whole(void **state) {
    static const char *const lines[] = {"IMAD.HI.U32 R4, R5, R6, R8", "IMAD.HI R4, R5, 0x6, R8",
                                        "IMAD.WIDE R4, R5, R6, R8",
                                        "UIMAD.HI.U32 UR4, UR5, UR6, UR8"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        struct sass_instruction in;
        struct error error = {0};
        int read = 0;
        assert_true(sass_parse(lines[i], 0, NULL, &in, &error));
        for (int t = sass_touches(&in, touches) - 1; t >= 0; t--) {
            if (!touches[t].write && touches[t].first == 8) read = touches[t].count;
        }
        assert_int_equal(read, 2);
    }
}

// Words that nvcc made for other chips, nvdisasm's text, and the number of registers that are read,
// including uniform ones.
static void words_of_other_chips_print_as_nvdisasm_prints_them(void **state) {
    static const struct {
        enum sass_generation generation;
        uint64_t low, high;
        const char *text;
        int read;
    } rows[] = {
        {SASS_BLACKWELL, 0x41efffff00097908, 0x000e220000001800,
         "MUFU.RCP64H R9, 4.29496524800000000000e+09", 0},
        {SASS_BLACKWELL, 0x0000001210147249, 0x0c4fe40000000010,
         "FFMA2 R20, R16.reuse.F32x2.HI_LO, R18.reuse.F32x2.HI_LO, R16.F32x2.HI_LO", 6},
        {SASS_BLACKWELL, 0x3f000000060e7449, 0x000fe20001200004,
         "FFMA2 R14, R6.F32x2.HI_LO, R4.F32, 0.5", 3},
        {SASS_BLACKWELL, 0x00000031385c7249, 0x041fe200010a011e,
         "FFMA2 R92, -R56.reuse.F32x2.LO_HI.NP, R49.F32, R30.F32x2.HI_LO", 5},
        {SASS_BLACKWELL, 0x00000008050c724b, 0x000fc40000440000,
         "FADD2 R12, R5.F32, R8.F32x2.HI_LO.NP", 3},
        {SASS_BLACKWELL_120, 0xfffffe000a0a7487, 0x000fe20008000001,
         "USEL.64 UR10, UR10, -0x200, UP0", 2},
        {SASS_BLACKWELL_120, 0xc00000ff0d067251, 0x000fe4000c010100,
         "UFSEL.FTZ UR6, -UR13, -|URZ|, !UP0", 1},
        {SASS_AMPERE, 0x00005e00ff077a3e, 0x000fe200000000ff, "F2FP.PACK_AB R7, RZ, c[0x0][0x178]",
         0},
        {SASS_HOPPER, 0x0000b900000079c9, 0x000e580008000000, "USETSHMSZ 0xb900", 0},
        {SASS_HOPPER, 0x00000000000079c9, 0x000fe20008000100, "USETSHMSZ.FLUSH", 0},
        {SASS_BLACKWELL, 0x00000008050c7e4b, 0x004fc40008040000,
         "FADD2 R12, R5.F32, UR8.F32x2.HI_LO", 3},
        {SASS_BLACKWELL_120, 0x3f803f8015157840, 0x000fe20003a00000,
         "HMNMX2.BF16_V2 R21, R21, 1, 1, PT", 1},
        {SASS_BLACKWELL_120, 0x000000ff06067c87, 0x004fc8000c000000, "USEL.64 UR6, UR6, URZ, !UP0",
         2},
        {SASS_BLACKWELL_120, 0x0000000400067c82, 0x000fde0008010000, "UMOV.64 UR6, UR4", 2},
        {SASS_BLACKWELL_120, 0x0000000404067e07, 0x000fcc0008000000, "SEL.64 R6, R4, UR4, P0", 4},
        {SASS_BLACKWELL_120, 0x000000ff05127236, 0x000fe20000000300, "VIADD.16x2 R18, -R5, RZ", 1},
        {SASS_BLACKWELL_120, 0x000000040004725e, 0x000fcc0008201000, "UI2FP.F32.U32 UR4, UR4", 1},
        {SASS_BLACKWELL_120, 0x414000000008785c, 0x000fe2000820b000, "UF2I.U32.CEIL.NTZ UR8, 12",
         0},
        {SASS_BLACKWELL_120, 0x0000007f04047885, 0x000fe2000bffe400,
         "UIMNMX.U64 UPT, UPT, UR4, UR4, 0x7f, UPT, !UPT", 2},
        {SASS_BLACKWELL, 0x0000001a474872a4, 0x000fe4000f8e02ff, "UIMAD UR72, UR71, UR26, URZ", 2},
        {SASS_BLACKWELL, 0xfa0080061810797e, 0x0010e80008129f14,
         "LDG.E.ENL2.LTC256B.256.CONSTANT R20, R16, desc[UR6][R24.64+0x1000], 0xfd", 4},
        {SASS_BLACKWELL, 0xf8001008020c797f, 0x0041e8000f541806,
         "STG.E.NA.ELL2.256 desc[UR6][R2.64+0x200], R8, R12", 12},
        {SASS_HOPPER, 0x0000010008ff7dae, 0x0003ec000b901c46,
         "LDGSTS.E.BYPASS.128 [UR6], desc[UR7][R8.64+0x100]", 5},
        {SASS_AMPERE, 0x0000100402047981, 0x000ea8200c1e1d00, "LDG.E.128 R4, desc[UR4][R2.64+0x10]",
         4},
        {SASS_AMPERE, 0x0000280e08007986, 0x000fe8000c101906, "STG.E [R8.64+0x28], R14", 5},
        {SASS_AMPERE, 0x30005a0318147b60, 0x002f420001900f16,
         "TEX.SCR.LL P0, R22, R20, R24, R3, 0x0, 0x5a, 2D", 2},
        {SASS_AMPERE, 0x3800002228227361, 0x00321e0001900f28,
         "TEX.SCR.B.LL P0, R40, R34, R40, R34, 2D", 2},
        {SASS_AMPERE, 0x4800000a0c00799e, 0x0033de000010a907,
         "SUST.D.BA.1D_ARRAY.STRONG.SM [R12], R10, R7", 3},
        {SASS_BLACKWELL, 0x00000000000079b1, 0x00321e0000000000, "SYNCS.CCTL.IVALL", 0},
        {SASS_AMPERE, 0x10000000000e7305, 0x000e62000010a800, "F2I.U16.F16.CEIL.NTZ R14, R0.H1", 1},
        {SASS_AMPERE, 0x000500040410723c, 0x000fe20000005a10,
         "HMMA.SP.16832.F32 R16, R4, R4, R16, R0.reuse, 0x1", 13},
        {SASS_BLACKWELL_120, 0x0000040814107237, 0x000fe60000605510,
         "IMMA.SP.16864.S8.S8 R16, R20.ROW, R8.COL, R16, R4, 0x0", 13},
        {SASS_TURING, 0x0000000604ff738a, 0x000ea20000914bff,
         "ATOM.E.MIN.S64.STRONG.GPU P0, RZ, [R4], R6", 4},
        {SASS_TURING, 0x0000000904ff738a, 0x000ea200001147ff,
         "ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU P0, RZ, [R4], R9", 3},
        {SASS_TURING, 0x0000000604ff738a, 0x000ea20000114dff,
         "ATOM.E.ADD.F64.RN.STRONG.GPU P0, RZ, [R4], R6", 4},
        {SASS_TURING, 0xa00000ff36387230, 0x000fe40000000400, "HADD2 R56, R54.F32, -RZ.H0_H0", 1},
        {SASS_TURING, 0x10800000ff007630, 0x000fe20000000900,
         "HADD2 R0, -RZ.H0_H0, c[0x2] [0x0].F32", 0},
        {SASS_TURING, 0x2000000b050a7232, 0x040fe40000004c00,
         "HMUL2.F32 R10, R5.reuse.H1_H1, R11.H0_H0", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sass_word word = {rows[i].low, rows[i].high, rows[i].generation};
        struct sass_touch touches[SASS_MAX_TOUCHES];
        struct sass_instruction in;
        struct error error = {0};
        char text[SASS_MAX_TEXT];
        int read = 0;
        if (!sass_decode(word, 0, &in, &error)) fail_msg("%s: %s", rows[i].text, error.message);
        sass_print(&in, NULL, text, sizeof text);
        assert_string_equal(text, rows[i].text);
        for (int t = sass_touches(&in, touches) - 1; t >= 0; t--)
            read += touches[t].write || touches[t].predicate ? 0 : touches[t].count;
        if (read != rows[i].read)
            fail_msg("%s reads %d registers, expected %d", text, read, rows[i].read);
        const struct sass_labels labels = {.generation = rows[i].generation};
        struct sass_word again;
        char line[SASS_MAX_TEXT + 32];
        sass_print_control(&in, line);
        strcat(strcat(line, "  "), text);
        if (!sass_parse(line, 0, &labels, &in, &error) || !sass_encode(&in, 0, &again, &error))
            fail_msg("%s: %s", line, error.message);
        assert_true(again.low == word.low && again.high == word.high);
    }
}

// Two FP64 instructions of exp() on sm_80 write one register pair. Each sets a scoreboard. The
// second need not wait for the first, as their results come in order.
static void results_of_fp64_come_in_order(void **state) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    struct sass_instruction first, second;
    struct error error = {0};
    assert_true(sass_decode((struct sass_word){0x000000060806722b, 0x0010480000000006, SASS_AMPERE},
                            0, &first, &error));
    assert_true(sass_decode((struct sass_word){0x3ff000001806042b, 0x0000a20000000008, SASS_AMPERE},
                            16, &second, &error));
    for (int t = sass_touches(&second, touches) - 1; t >= 0; t--) {
        if (touches[t].write)
            assert_int_equal(sass_judge_result(&first, &second, &touches[t], 4), SASS_SOUND);
    }
}

// Other forms of TLD are errors, so that they are not read as something else: a second coordinate,
// a two-dimensional texture, an offset, opcode 0xf69.
static void other_texture_instructions_are_refused(void **state) {
    static const struct {
        uint64_t low, high;
        const char *message;
    } rows[] = {{0x000004fe00047f66, 0x000f6200089e0f06,
                 "TLD.LZ: bits 32 to 39 hold 0xfe, which no form of it has"},
                {0x200004ff00047f66, 0x000f6200089e0f06,
                 "TLD.LZ: bits 61 to 63 hold 0x1, which no form of it has"},
                {0x000004ff00047f66, 0x000f6200089e1f06,
                 "TLD.LZ: bits 76 to 80 hold 0x1, which no form of it has"},
                {0x000004ff00047f69, 0x000f6200089e0f06, "unknown opcode 0xf69"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sass_instruction in;
        struct error error = {0};
        assert_false(sass_decode((struct sass_word){rows[i].low, rows[i].high, SASS_HOPPER}, 0, &in,
                                 &error));
        if (!strstr(error.message, rows[i].message))
            fail_msg("expected %s, got %s", rows[i].message, error.message);
    }
}

static const struct {
    const char *line, *message;
    int column;
} mistakes[] = {
    {"--:-:-:-:4  FFMA R0, R1, R256, R2 ;", "expected a register up to R254", 26},
    {"--:-:-:-:4  FFMA R0, R1, R2 ;", "expected 4 operands: there are 3", 29},
    {"--:-:-:-:4  ffna R0, R1, R2 ;",
     "expected an instruction of sm_90 (unknown mnemonic): did you mean FFMA?", 13},
    {"FMAA R0, R1, R2, R3 ;", "did you mean FFMA?", 1},
    {"FF\xd0\x9c"
     "A R0, R1, R2, R3 ;",
     "this character is not ASCII", 3},
    {"LDS.129 R4, [R2] ;", "expected a modifier of LDS: did you mean .128?", 4},
    {"IMAD.WIED R0, R1, R2, R4 ;", "expected a modifier of IMAD: did you mean .WIDE?", 5},
    {"ISETP.GE P0, PT, R1, R2, PT ;", "expected a modifier of ISETP: .AND .OR .XOR", 9},
    {"MUFU.RCP.RCP R0, R1 ;", "expected .RCP further left, or not twice", 9},
    {"RET ;", "did you mean RET.REL?", 1},
    {"MOV R1.reuse, R2 ;", "expected a comma: a destination cannot have .reuse", 7},
    {"BRA nowhere ;", "expected a label that exists", 5},
    {"FADD R0, R1, 1,5 ;", "expected at most 3 operands", 15},
    {"FFMA R0, R1, 1.0, 2.0 ;", "expected a register here: MOV puts a number or constant into one",
     19},
    {"MOV R0, 12ab ;", "0x before a hexadecimal number", 11},
    {"--:-:-:-:16  NOP ;", "expected a stall count, one digit from 0 to f", 10},
    {"--:-:-:-  NOP ;", "expected all five control fields", 9},
    {"--:-:7:-:4  NOP ;", "expected a scoreboard, 1 to 6 or -", 6},
    {"7f:-:-:-:4  NOP ;", "expected a wait mask up to 3f", 1},
    {"--:-:-:-:4  LDS R0, [R1+0x1000000] ;", "offset 0x1000000 does not fit in 24 bits", 37},
    {"--:-:1:-:4  TLD.LZ R6, R4, R0, UR4, 0x0, 2D ;", "expected 1D", 42},
    {"--:-:1:-:4  TLD.LZ R6, R4, R0, R5, 0x0, 1D ;", "expected a uniform register", 32},
    {"--:-:-:-:4  NOP x", "expected the end of the instruction", 17},
};

static void mistakes_in_text_are_named_with_their_column(void **state) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct sass_instruction in;
        struct error error = {0};
        assert_false(sass_parse(mistakes[i].line, 0, NULL, &in, &error));
        if (!strstr(error.message, mistakes[i].message))
            fail_msg("expected %s, got %s", mistakes[i].message, error.message);
        assert_int_equal(error.column, mistakes[i].column);
    }
}

// Register-bank cycles of FFMAs, as measured (docs/h200.md, the register file).
static void bank_cycles_are_those_measured(void **state) {
    static const struct {
        const char *line;
        int cycles; // bank cycles of the line's second execution
    } rows[] = {
        {"FFMA R4, R2, R6, R4", 3},       {"FFMA R4, R2, R7, R4", 2},
        {"FFMA R4, R2, R2, R5", 2},       {"FFMA R4, R2.reuse, R6, R4", 2},
        {"FFMA R4, R2.reuse, R7, R4", 1}, {"FFMA R4, R2.reuse, R6.reuse, R4", 1},
        {"FFMA R4, R3, R6, R4", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sass_reuse_cache cache = {0};
        struct sass_instruction in;
        struct error error = {0};
        assert_true(sass_parse(rows[i].line, 0, NULL, &in, &error));
        sass_bank_cycles(&in, &cache);
        assert_int_equal(sass_bank_cycles(&in, &cache), rows[i].cycles);
    }
}

// Maxwell's rules of banks and the reuse cache. The rows run in order and share one cache.
static void maxwell_reads_are_those_of_its_rules(void **state) {
    static const struct {
        const char *line;
        int hits, cycles;
    } rows[] = {
        {"FFMA R2, R4.reuse, R5, R2", 0, 1},  // R4 and R5 are in different banks
        {"FFMA R0, R4.reuse, R5, R0", 1, 1},  // R0 is in R4's bank, but R4 is cached
        {"FFMA R0, R5, R4, R0", 0, 2},        // R4 is cached for the other slot
        {"FFMA R1, R8.reuse, R6, R1", 0, 1},  // the slot caches R4 and R8
        {"FFMA R1, R4.reuse, R6, R1", 1, 1},  // R4 stayed cached over three instructions
        {"FFMA R1, R12.reuse, R6, R1", 0, 1}, // now R8, the oldest, is evicted
        {"FFMA R3, R8, R7, R3", 0, 2},        // R7 and R3 conflict; R8 was not cached
        {"FFMA R3, R4, R6, R3", 1, 1},        // R4 is read from the cache a last time
        {"FFMA R2, R4, R5, R2", 0, 1},        // R4 has left the cache
        {"FFMA R9, R16, R16, R20", 0, 2},     // R16 is read once; R20 is in its bank
        {"FFMA R9, R16, R20, R24", 0, 3},     // three in one bank
        {"FADD R9, RZ, R20", 0, 1},           // RZ is not read
    };
    struct sass_maxwell_cache cache = {.keep = 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sass_instruction in;
        struct error error = {0};
        assert_true(sass_parse(rows[i].line, 0, NULL, &in, &error));
        const struct sass_reads got = sass_maxwell_reads(&in, &cache);
        assert_int_equal(got.reads, i + 1 == sizeof rows / sizeof *rows ? 1 : 3);
        assert_int_equal(got.hits, rows[i].hits);
        assert_int_equal(got.cycles, rows[i].cycles);
    }
}

static void foreign_and_broken_files_get_one_line(void **state) {
    static const char text[] = "#!/bin/sh\necho no cubin\n";
    static const uint8_t elf[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0,  0, 0, 0,
                                    0,    0,   0,   0,   0, 2, 0, 62, 0, 1};
    struct sass_cubin cubin;
    struct error error = {0};
    assert_false(cubin_open_memory(&cubin, "x", text, sizeof text, &error));
    assert_non_null(strstr(error.message, "x: not an ELF file"));
    assert_false(cubin_open_memory(&cubin, "x", elf, sizeof elf, &error));
    assert_non_null(strstr(error.message, "machine 62"));
    assert_false(cubin_open(&cubin, "/nowhere/x.cubin", &error));
    assert_string_equal(error.message,
                        "/nowhere/x.cubin: cannot be opened: No such file or directory");
}

static int hazards_of(const char *const *lines, size_t count) {
    uint8_t code[16 * 16] = {0};
    struct sass_kernel kernel = {
        .name = "test", .chip = sass_chip(90), .count = count, .code = code};
    struct error error = {0};
    for (size_t i = 0; i < count; i++) {
        struct sass_instruction in;
        if (!sass_parse(lines[i], i * SASS_BYTES, NULL, &in, &error))
            fail_msg("%s: %s", lines[i], error.message);
        memcpy(code + i * SASS_BYTES, &in.word, SASS_BYTES);
    }
    FILE *out = tmpfile();
    const int found = lint_kernel(&(struct lint_options){.out = out}, &kernel, &error);
    fclose(out);
    return found;
}

static void lint_sees_a_lost_wait_and_a_short_stall(void **state) {
    static const char *const good[] = {"--:-:1:-:2 LDS R4, [R2] ;",
                                       "01:-:-:-:4 FFMA R5, R4, R4, R5 ;",
                                       "--:-:-:-:4 FADD R6, R5, R5 ;"};
    static const char *const no_wait[] = {"--:-:1:-:1 LDS R4, [R2] ;",
                                          "--:-:-:-:4 FFMA R5, R4, R4, R5 ;"};
    static const char *const short_stall[] = {"--:-:-:-:2 FFMA R5, R4, R4, R5 ;",
                                              "--:-:-:-:4 FADD R6, R5, R7 ;"};
    assert_int_equal(hazards_of(good, 3), 0);
    assert_int_equal(hazards_of(no_wait, 2), 1);
    assert_int_equal(hazards_of(short_stall, 2), 1);
}

static void lint_sees_a_wait_that_comes_before_its_scoreboard_counts(void **state) {
    static const char *const early[] = {"--:-:1:-:1 S2R R4, SR_TID.X ;",
                                        "01:-:-:-:4 FADD R5, R4, R4 ;"};
    static const char *const in_time[] = {"--:-:1:-:2 S2R R4, SR_TID.X ;",
                                          "01:-:-:-:4 FADD R5, R4, R4 ;"};
    static const char *const another[] = {"--:-:1:-:1 S2R R4, SR_TID.X ;",
                                          "02:-:-:-:4 FADD R5, R6, R6 ;"};
    static const char *const never[] = {"--:-:1:-:1 @!PT LDS RZ, [RZ] ;",
                                        "01:-:-:-:4 FADD R5, R6, R6 ;"};
    static const char *const source[] = {"--:1:-:-:1 STS [R2], R4 ;",
                                         "01:-:-:-:4 FADD R4, R6, R6 ;"};
    assert_int_equal(hazards_of(early, 2), 1);
    assert_int_equal(hazards_of(in_time, 2), 0);
    assert_int_equal(hazards_of(another, 2), 0);
    assert_int_equal(hazards_of(never, 2), 0);
    assert_int_equal(hazards_of(source, 2), 1);
}

static void lint_knows_which_of_two_guarded_instructions_run(void **state) {
    static const char *const one_of_two[] = {"--:1:-:-:2 @!P3 STS [R24], R43 ;",
                                             "--:-:-:-:4 @P3 IADD3 R24, R8, R9, RZ ;"};
    static const char *const both[] = {"--:1:-:-:2 @P3 STS [R24], R43 ;",
                                       "--:-:-:-:4 @P3 IADD3 R24, R8, R9, RZ ;"};
    static const char *const uniform[] = {"--:-:-:-:6 VOTEU.ALL UP0, P0 ;",
                                          "--:-:-:-:4 @!UP0 UMOV UR5, URZ ;"};
    static const char *const guard[] = {"--:-:-:-:6 ISETP.GT.AND P0, PT, R3, R4, PT ;",
                                        "--:-:-:-:4 @P0 FADD R6, R5, R7 ;"};
    assert_int_equal(hazards_of(one_of_two, 2), 0);
    assert_int_equal(hazards_of(both, 2), 1);
    assert_int_equal(hazards_of(uniform, 2), 0);
    assert_int_equal(hazards_of(guard, 2), 1);
}

// On sm_75 an ordinary access is printed with a scope (.SYS). Field `order` has other values there.
static void strong_accesses_are_known(void **state) {
    static const struct {
        enum sass_generation generation;
        const char *text;
        bool strong, narrow;
    } rows[] = {{SASS_TURING, "LDG.E.SYS R2, [R2]", false, false},
                {SASS_TURING, "STG.E.SYS [R2], R4", false, false},
                {SASS_TURING, "LDG.E.STRONG.SYS R2, [R2]", true, false},
                {SASS_TURING, "RED.E.ADD.STRONG.GPU [R2], R4", true, false},
                {SASS_TURING, "RED.E.ADD.STRONG.CTA [R2], R4", true, true},
                {SASS_HOPPER, "LDG.E R2, desc[UR4][R2.64]", false, false},
                {SASS_HOPPER, "LDG.E.STRONG.SYS R2, desc[UR4][R2.64]", true, false},
                {SASS_HOPPER, "LDG.E.STRONG.SM R2, desc[UR4][R2.64]", true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sass_labels labels = {.generation = rows[i].generation};
        struct sass_instruction in;
        struct error error = {0};
        if (!sass_parse(rows[i].text, 0, &labels, &in, &error))
            fail_msg("%s: %s", rows[i].text, error.message);
        if (sass_is_strong(&in) != rows[i].strong || sass_is_narrow(&in) != rows[i].narrow)
            fail_msg("%s: strong %d, narrow %d", rows[i].text, sass_is_strong(&in),
                     sass_is_narrow(&in));
    }
}

// Instruction 3, the back edge, closes the loop. Instruction 6 only returns from out-of-line code.
static void out_of_line_code_closes_no_loop(void **state) {
    static const char *const lines[] = {
        "NOP ;",  "BRA.DIV UR4, 0x50 ;", "NOP ;",     "@P0 BRA 0x10 ;",
        "EXIT ;", "WARPSYNC.ALL ;",      "BRA 0x20 ;"};
    enum { COUNT = sizeof lines / sizeof *lines };
    struct sass_instruction code[COUNT];
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++) {
        if (!sass_parse(lines[i], i * SASS_BYTES, NULL, &code[i], &error))
            fail_msg("%s: %s", lines[i], error.message);
    }
    assert_true(sass_closes_loop(code, COUNT, 3));
    assert_false(sass_closes_loop(code, COUNT, 6));
    assert_false(sass_closes_loop(code, COUNT, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_print_as_nvdisasm_prints_them),
        cmocka_unit_test(decoded_words_encode_to_themselves),
        cmocka_unit_test(text_with_control_parses_to_the_word),
        cmocka_unit_test(a_bit_that_no_field_explains_is_an_error),
        cmocka_unit_test(a_texture_fetch_writes_its_channels),
        cmocka_unit_test(an_addend_of_64_bits_is_read_whole),
        cmocka_unit_test(words_of_other_chips_print_as_nvdisasm_prints_them),
        cmocka_unit_test(results_of_fp64_come_in_order),
        cmocka_unit_test(other_texture_instructions_are_refused),
        cmocka_unit_test(mistakes_in_text_are_named_with_their_column),
        cmocka_unit_test(bank_cycles_are_those_measured),
        cmocka_unit_test(maxwell_reads_are_those_of_its_rules),
        cmocka_unit_test(foreign_and_broken_files_get_one_line),
        cmocka_unit_test(lint_sees_a_lost_wait_and_a_short_stall),
        cmocka_unit_test(lint_sees_a_wait_that_comes_before_its_scoreboard_counts),
        cmocka_unit_test(lint_knows_which_of_two_guarded_instructions_run),
        cmocka_unit_test(strong_accesses_are_known),
        cmocka_unit_test(out_of_line_code_closes_no_loop),
    };
    return cmocka_run_group_tests_name("sass", tests, NULL, NULL);
}
