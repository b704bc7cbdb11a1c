// One instruction of compute capability 7.5 and later as data. codec.h converts it from and to
// words and text; cubin.h reads the file around the code. touches.h lists the registers that it
// reads and writes; banks.h computes the cycles for reading them.
//
// An instruction is a word of 128 bits: two little-endian 64-bit halves, low and high. Bit n of the
// word is bit n of low if n < 64, otherwise bit n - 64 of high:
//
//     0..11 opcode   12..14 guard predicate   15 guard negated
//     16..104 operands and modifiers, by opcode
//     105..108 stall   109 yield   110..112 write barrier   113..115 read barrier
//     116..121 wait mask   122..125 reuse
//
// opcodes.def has a row for each encoding; the row names operands and modifiers, whose bits
// fields.def defines. Decoding, encoding, printing and parsing are driven by these two tables. A
// set bit that belongs to no field of the row is an error.
//
// Limits: only instructions with a row in opcodes.def, which nvcc 13 generated for an architecture
// of chip.c. wgmma on integers or on sparse matrices has no row.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SASS_BYTES = 16, SASS_RZ = 255, SASS_URZ = 80, SASS_PT = 7, SASS_MAX_TEXT = 256 };
enum { SASS_SCOREBOARDS = 6, SASS_NO_BARRIER = 7 };

// Groups of architectures that share their encodings and distances (chip.h).
enum sass_generation {
    SASS_HOPPER,        // sm_90
    SASS_AMPERE,        // sm_80 to sm_88
    SASS_ADA,           // sm_89
    SASS_TURING,        // sm_75
    SASS_BLACKWELL,     // sm_100
    SASS_BLACKWELL_103, // sm_103 and sm_110: like sm_100, but FP64 results need scoreboards
    SASS_BLACKWELL_120, // sm_120 and sm_121
    SASS_GENERATIONS
};
static inline bool sass_before_hopper(enum sass_generation generation) {
    return generation >= SASS_AMPERE && generation <= SASS_TURING;
}
static inline bool sass_is_blackwell(enum sass_generation generation) {
    return generation >= SASS_BLACKWELL;
}
// Returns the number of uniform registers: 63 (UR0 to UR62), on Blackwell 80 (UR0 to UR79).
// Blackwell's fields have room for more, but nvcc uses none of them.
static inline uint8_t sass_uniform_registers(enum sass_generation generation) {
    return sass_is_blackwell(generation) ? SASS_URZ : 63;
}

struct sass_word {
    uint64_t low, high;
    enum sass_generation generation;
};

// --- the table -----------------------------------------------------------------------------------

// The pipe that executes an instruction.
enum sass_pipe {
    SASS_PIPE_FMA,     // FFMA FMUL FADD IMAD
    SASS_PIPE_ALU,     // integer, logic, compare, select, move
    SASS_PIPE_HALF,    // HADD2 HMUL2 HFMA2
    SASS_PIPE_FP64,    // DFMA DMUL DADD DSETP
    SASS_PIPE_XU,      // MUFU, conversions, POPC FLO BREV
    SASS_PIPE_LSU,     // memory, shuffles, fences, mbarriers
    SASS_PIPE_TEX,     // textures
    SASS_PIPE_UNIFORM, // uniform instructions, which run once per warp
    SASS_PIPE_CBU,     // branches, reconvergence, barriers
    SASS_PIPE_TENSOR,  // HMMA DMMA IMMA; HGMMA QGMMA, which are asynchronous
    SASS_PIPE_COUNT
};

// The instruction family of a row of opcodes.def, by which the simulator chooses its function. IMAD
// and IMAD.MOV.U32 both belong to SASS_IMAD.
enum sass_opcode {
#define OPCODE(id) SASS_##id,
#include "opcodes.def"
#undef OPCODE
    SASS_OPCODE_COUNT
};

// A row of opcodes.def.
struct sass_form {
    enum sass_opcode opcode;
    uint16_t code; // bits 0 to 11; bits 0 to 8 if there are operand forms
    // the operand forms (values of bits 9 to 11) that exist: "146" for 1, 4 and 6; "" if `code` has
    // all 12 bits
    const char *forms;
    const char *mnemonic;  // "FFMA", also "IMAD.MOV.U32"
    const char *modifiers; // names in fields.def, in text order, separated by spaces
    const char *operands;  // names in fields.def, in text order, separated by spaces
    const char *fixed;     // further fixed bits: "84:3=4" for first bit 84, 3 bits, value 4
    enum sass_pipe pipe;
    // cycles that ptxas leaves until a use of the result (checks: distances.def); 0: not fixed
    uint8_t latency;
};

const char *sass_opcode_name(enum sass_opcode opcode); // "FFMA"

// --- one instruction -----------------------------------------------------------------------------

enum sass_kind {
    SASS_NONE,              // the encoding has no such operand
    SASS_REGISTER,          // `number`; RZ is 255
    SASS_UNIFORM_REGISTER,  // `number`; URZ is 80
    SASS_PREDICATE,         // `number`; PT is 7
    SASS_UNIFORM_PREDICATE, // `number`; UPT is 7
    SASS_INTEGER,           // `value`
    SASS_FLOAT,             // `value` has the 32 IEEE bits
    SASS_DOUBLE,            // `value` has the 64 IEEE bits, of which the low 32 are zero
    SASS_HALF2, // `value` has the high half in bits 31..16 and the low half in bits 15..0
    // c[bank][number + value] or c[bank][uniform + value]; `number` is RZ if there is no register
    SASS_CONSTANT,
    // [number(.64 .U32 .X4) + uniform + value], through desc[descriptor] if there is one
    SASS_ADDRESS,
    SASS_SPECIAL,     // `number` of the special register, e.g. 0x21 for SR_TID.X
    SASS_CONVERGENCE, // `number`: 0 to 15 for B0..B15; above, convergence_name()
    SASS_SCOREBOARD,  // `number`: SB0..SB5
    SASS_SET,         // `value` is a mask of scoreboards, e.g. bits 4, 3, 2 for {4,3,2}
    SASS_TARGET,      // `value` is a byte address in the code
    SASS_PREDICATES,  // PR or UPR: all predicate registers at once (P2R, UP2UR, R2P)
    SASS_NAME, // `number` is an index into the operand's names, such as 1D, 2D ... of a texture
    // `number` of the first uniform register: desc[UR4] is a cache policy, gdesc[UR4] describes
    // matrices in shared memory
    SASS_DESCRIPTOR,
    SASS_GROUP, // `number` of a counter of warpgroup MMAs: gsb0
};

// Marks of a matrix descriptor; bit k is mark k of its row in fields.def.
enum sass_mark { SASS_NEGATE_A = 1, SASS_NEGATE_B = 2, SASS_TRANSPOSE_A = 4, SASS_TRANSPOSE_B = 8 };

enum sass_scale { SASS_SCALE_1, SASS_SCALE_4, SASS_SCALE_8, SASS_SCALE_16 };

struct sass_operand {
    uint8_t kind; // enum sass_kind
    // number of the register, predicate, special register, convergence register or scoreboard; for
    // an address, of the base register
    uint8_t number;
    bool negate;     // -R, !P
    bool absolute;   // |R|
    bool invert;     // ~R
    bool reuse;      // .reuse: kept in the operand's reuse cache
    bool wide;       // for an address: true if the base register is a pair (.64)
    bool unsigned32; // for an address: true if zeros extend the base register (.U32)
    bool has_base;   // for an address or constant: true if the text has a base register, perhaps RZ
    uint8_t scale;   // enum sass_scale, for an address
    uint8_t uniform; // for an address: the uniform register that is added; URZ if there is none
    uint8_t descriptor; // for an address: the uniform register of desc[]; URZ if there is none
    bool has_uniform, has_descriptor;
    // for an address before sm_90: true if the descriptor has a cache policy
    bool policy;
    // the selected half, byte or pair: an index into the operand's names in fields.c, e.g. 2 for
    // H0_H0 in half_names; the name "-" is the whole register
    uint8_t select;
    uint8_t marks; // enum sass_mark, for a gdesc
    uint8_t bank;  // number of the constant bank, for a constant
    int64_t value;
};

// An operand's role: equal in all encodings of an opcode, whatever the order of their text.
enum sass_role {
    SASS_D,  // destination: the first of one or more registers (sass_touches())
    SASS_E,  // second destination: channels 3 and 4 of a texel, upper half of a 256-bit load
    SASS_PU, // predicate destinations, the first and the second
    SASS_PV,
    SASS_A, // sources
    SASS_B,
    SASS_C,
    SASS_PP, // predicate sources
    SASS_PQ,
    SASS_PR,
    // address of a load, store or atomic; global side of LDGSTS; source of UBLKCP; LDC's constant;
    // gdesc of a warpgroup MMA
    SASS_M,
    SASS_S, // shared side of LDGSTS and tensor copies; destination of UBLKCP; sparsity metadata
    SASS_T, // target of a branch
    SASS_I, // numbers: truth table, LEA's shift count, mask of lanes, channels of a texel
    SASS_J,
    SASS_X, // special register, convergence register, scoreboard, or another name
    SASS_ROLE_COUNT,
    SASS_GUARD = SASS_ROLE_COUNT // not an operand: the role of the guard predicate
};

// Modifiers as encoded; fields.def defines each row's fields and the text of their values.
struct sass_modifiers { // one byte per member
    // Integers: 0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE, 7 T. Floats: 0 to 6 likewise, 7 NUM, 8
    // NAN, 9 LTU to 14 GEU (1 to 6, or unordered), 15 T.
    uint8_t compare;
    uint8_t boolean;          // 0 AND, 1 OR, 2 XOR
    uint8_t is_signed;        // 1 for signed integers
    uint8_t extended;         // .X (carry in) or .EX
    uint8_t high;             // .HI
    uint8_t round;            // 0 to nearest even, 1 down (RM), 2 up (RP), 3 to zero (RZ)
    uint8_t ftz;              // flush subnormal numbers to zero
    uint8_t saturate;         // .SAT
    uint8_t scale;            // FMUL: 4 none, 1 .D8, 2 .D4, 3 .D2, 5 .M2, 6 .M4, 7 .M8
    uint8_t size;             // memory: 0 U8, 1 S8, 2 U16, 3 S16, 4 32, 5 64, 6 128
    uint8_t order;            // memory: scope and order, as in fields.def
    uint8_t evict;            // memory: 0 EF, 1 normal, 2 EL, 3 LU, 4 EU, 5 NA
    uint8_t extended_address; // .E
    uint8_t prefetch;         // LTC64B, LTC128B, LTC256B
    uint8_t type;             // data type, as in fields.def; in conversions that of the result
    uint8_t source_type;      // data type of the sources, as in fields.def
    uint8_t operation;        // ATOM, RED, MUFU, VOTE, SHFL, BAR: the operation, as in fields.def
    uint8_t right;            // SHF: 1 for right, 0 for left
    uint8_t wrap;             // SHF.W: the shift count is taken modulo the width
    uint8_t mode;             // PRMT, and modifiers without a member of their own
    uint8_t sx32;             // LEA: .SX32
    uint8_t wide;             // CS2R, CS2UR: 1 for a 64-bit result
    uint8_t noinc;            // CALL, RET, BRA: control modifiers, as in fields.def
    uint8_t flag;             // another bit, for rows that need one
    uint8_t shape;            // matrices: rows, columns, depth; textures: shape; as in fields.def
};

struct sass_control {
    uint8_t stall;         // 0..15, in cycles
    bool yield;            // bit 109 as stored; text has Y if it is clear, and - if it is set
    uint8_t write_barrier; // number of the scoreboard, 0 to 5; 7 if there is none
    uint8_t read_barrier;  // number of the scoreboard, 0 to 5; 7 if there is none
    uint8_t wait;          // bit k is set if the instruction waits until scoreboard k is zero
    uint8_t reuse;         // bits 122 to 125, for operands A, B and C
};

struct sass_instruction {
    struct sass_word word;
    const struct sass_form *form;
    const struct encoding *encoding; // row of opcodes.def with its operand form (encoding.h)
    uint8_t operand_form;            // bits 9 to 11 if the row has operand forms, otherwise 0
    uint8_t guard;                   // number of the guard predicate; 7 (PT) if there is none
    bool guard_negate;
    bool guard_uniform; // true if the guard is a uniform predicate
    struct sass_control control;
    struct sass_modifiers modifiers;
    struct sass_operand operand[SASS_ROLE_COUNT];
};

// --- questions about an instruction --------------------------------------------------------------

// Returns true for .STRONG and .MMIO accesses, among them volatile ones: threads synchronise by
// these (order_load and order in fields.def; ORDER_T on sm_75).
static inline bool sass_is_strong(const struct sass_instruction *in) {
    const unsigned order = in->modifiers.order;
    if (in->word.generation == SASS_TURING) return order >= 8;
    return (order >= 5 && order <= 8) || order == 10 || order == 12;
}
// Returns true for a strong access whose scope is the SM or the block.
static inline bool sass_is_narrow(const struct sass_instruction *in) {
    const unsigned order = in->modifiers.order;
    return in->word.generation == SASS_TURING ? (order & 10) == 8 : order == 5;
}
// Returns true if neither the guard nor a predicate operand can exclude a thread.
static inline bool sass_always(const struct sass_instruction *in) {
    const struct sass_operand *also = &in->operand[SASS_PP];
    return in->guard == SASS_PT && !in->guard_negate &&
           (also->kind == SASS_NONE || (also->number == SASS_PT && !also->negate));
}
enum sass_modifier {
#define MODIFIER(name, ...) SASS_HAS_##name,
#include "fields.def"
#undef MODIFIER
    SASS_MODIFIER_COUNT
};
// Returns true if the instruction's row has this modifier of fields.def, with any value.
bool sass_has(const struct sass_instruction *instruction, enum sass_modifier modifier);
