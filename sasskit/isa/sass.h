// Machine code of compute capability 7.5 and later as data: decode, encode, print, parse, and the cubin file around it.
//
// One instruction is 128 bits, two little-endian 64-bit words; bit n of "the word" is bit n of low for n < 64 and bit
// n - 64 of high otherwise:
//
//     0..11 opcode   12..14 guard predicate   15 guard negated   16..104 operands and modifiers, by opcode
//     105..108 stall   109 yield   110..112 write barrier   113..115 read barrier   116..121 wait mask   122..125 reuse
//
// opcodes.def holds a row for each encoding form; a row's text names the operands and modifiers of fields.def, which say
// where the bits are. Decode, encode, print and parse only walk those two tables. A set bit that no field of the row
// claims is an error.
//
// Limits: what nvcc 13 makes of this course's kernels for the architectures of chip.c; of textures only what tex1Dfetch of
// a texture object compiles to; no sparse matrices (HMMA.SP), no integers in wgmma.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SASS_BYTES = 16, SASS_RZ = 255, SASS_URZ = 80, SASS_PT = 7, SASS_MAX_TEXT = 256 };
enum { SASS_SCOREBOARDS = 6, SASS_NO_BARRIER = 7 };

// Architectures that share an encoding (chip.h).
enum sass_generation {
    SASS_HOPPER,        // sm_90
    SASS_AMPERE,        // sm_80 to sm_88
    SASS_ADA,           // sm_89
    SASS_TURING,        // sm_75
    SASS_BLACKWELL,     // sm_100 to sm_110
    SASS_BLACKWELL_120, // sm_120 and sm_121
    SASS_GENERATIONS
};
static inline bool sass_before_hopper(enum sass_generation generation) {
    return generation >= SASS_AMPERE && generation <= SASS_TURING;
}
static inline bool sass_is_blackwell(enum sass_generation generation) {
    return generation >= SASS_BLACKWELL;
}
// UR0 to UR62, on Blackwell UR0 to UR79; fields have room for more, and nvcc uses none.
static inline uint8_t sass_uniform_registers(enum sass_generation generation) {
    return sass_is_blackwell(generation) ? SASS_URZ : 63;
}

struct sass_word {
    uint64_t low, high;
    enum sass_generation generation;
};

// --- the table ---------------------------------------------------------------------------------------------------------

// Where an instruction executes; the counters per pipe and the bounds come from it.
enum sass_pipe {
    SASS_PIPE_FMA,     // FFMA FMUL FADD IMAD
    SASS_PIPE_ALU,     // integer, logic, compare, select, move
    SASS_PIPE_HALF,    // HADD2 HMUL2 HFMA2
    SASS_PIPE_FP64,    // DFMA DMUL DADD DSETP
    SASS_PIPE_XU,      // MUFU, conversions, POPC FLO BREV
    SASS_PIPE_LSU,     // memory, shuffles, barriers' data side
    SASS_PIPE_TEX,     // textures
    SASS_PIPE_UNIFORM, // U...: once a warp
    SASS_PIPE_CBU,     // branches, reconvergence, barriers
    SASS_PIPE_TENSOR,  // HMMA DMMA IMMA; HGMMA QGMMA, which run on by themselves
    SASS_PIPE_COUNT
};

// Which instruction family a row belongs to: what a simulator dispatches on. IMAD and IMAD.MOV.U32 are both SASS_IMAD.
enum sass_opcode {
#define OPCODE(id) SASS_##id,
#include "opcodes.def"
#undef OPCODE
    SASS_OPCODE_COUNT
};

// One encoding form.
struct sass_form {
    enum sass_opcode opcode;
    uint16_t code;         // bits 0..11; with forms, bits 0..8
    const char *forms;     // operand forms 1..7 that exist (bits 9..11), "146"; "" when code is all 12 bits
    const char *mnemonic;  // "FFMA", also "IMAD.MOV.U32"
    const char *modifiers; // names of fields.def in the order of the text, separated by spaces
    const char *operands;  // names of fields.def in the order of the text, separated by spaces
    const char *fixed;     // further bits that must have a value, "84:3=4": first bit, width, value
    enum sass_pipe pipe;
    uint8_t latency; // cycles to the result when fixed (what ptxas leaves, an upper bound); 0: a scoreboard tells
};

const char *sass_opcode_name(enum sass_opcode opcode); // "FFMA"

// --- one instruction ---------------------------------------------------------------------------------------------------

enum sass_kind {
    SASS_NONE,              // the form has no such operand
    SASS_REGISTER,          // number; RZ 255
    SASS_UNIFORM_REGISTER,  // number; URZ 80
    SASS_PREDICATE,         // number; PT 7
    SASS_UNIFORM_PREDICATE, // number; UPT 7
    SASS_INTEGER,           // value
    SASS_FLOAT,             // value: the 32 IEEE bits
    SASS_DOUBLE,            // value: the 64 IEEE bits (the low 32 are zero)
    SASS_HALF2,             // value: high half in 31..16, low in 15..0
    SASS_CONSTANT,          // c[bank][register or uniform + value]; register RZ when there is none
    SASS_ADDRESS,           // [register(.64 .U32 .X4) + uniform + value], through descriptor when there is one
    SASS_SPECIAL,           // number: special register, SR_TID.X is 0x21
    SASS_CONVERGENCE,       // number: B0..B15
    SASS_SCOREBOARD,        // number: SB0..SB5
    SASS_SET,               // value: a bit set of scoreboards, {4,3,2}
    SASS_TARGET,            // value: byte address in the code
    SASS_PREDICATES,        // PR, UPR: all predicate registers at once (P2R, UP2UR, R2P)
    SASS_NAME,              // number: which of the row's names, 1D or 2D, the shape of a texture
    SASS_DESCRIPTOR,        // number: uniform register; desc[UR4] a cache policy, gdesc[UR4] matrices in shared memory
    SASS_GROUP,             // number: gsb0, the counter of groups of HGMMA
};

// Of a matrix descriptor: bits of marks, in the order of fields.def.
enum sass_mark { SASS_NEGATE_A = 1, SASS_NEGATE_B = 2, SASS_TRANSPOSE_A = 4, SASS_TRANSPOSE_B = 8 };

enum sass_scale { SASS_SCALE_1, SASS_SCALE_4, SASS_SCALE_8, SASS_SCALE_16 };

struct sass_operand {
    uint8_t kind;       // enum sass_kind
    uint8_t number;     // register, predicate, special register, B or scoreboard; base register of an address
    bool negate;        // -R, !P
    bool absolute;      // |R|
    bool invert;        // ~R
    bool reuse;         // .reuse: kept in the operand's reuse cache
    bool wide;          // address: the base register is a pair (.64)
    bool unsigned32;    // address: .U32
    bool has_base;      // address, constant: a base register is written (it may be RZ)
    uint8_t scale;      // address: enum sass_scale
    uint8_t uniform;    // address: uniform register added; URZ when there is none
    uint8_t descriptor; // address: uniform register of desc[]; URZ when there is none
    bool has_uniform, has_descriptor;
    bool policy;    // address: of the cache, in the descriptor; from sm_90 on the word does not say
    uint8_t select; // half-word or byte selected: 0 none, otherwise as the field's names in fields.def (.H0_H0 ...)
    uint8_t marks;  // gdesc: enum sass_mark
    uint8_t bank;   // constant
    int64_t value;
};

// Operands by role, the same for every form of an opcode, whatever the text's order and whatever it leaves out.
enum sass_role {
    SASS_D,  // destination register (a pair or quad when the modifiers say so)
    SASS_E,  // second destination register: TLD's third and fourth channel
    SASS_PU, // predicate destinations: first and second
    SASS_PV,
    SASS_A, // sources
    SASS_B,
    SASS_C,
    SASS_PP, // predicate sources
    SASS_PQ,
    SASS_PR,
    SASS_M, // address of a load, a store or an atomic; the constant of LDC, ULDC; global side of LDGSTS
    SASS_S, // shared side of LDGSTS
    SASS_T, // branch target
    SASS_I, // plain numbers: truth table, shift count of LEA, barrier id, mask, channels of a texel
    SASS_J,
    SASS_X, // special register, convergence register, scoreboard
    SASS_ROLE_COUNT,
    SASS_GUARD = SASS_ROLE_COUNT // no operand: what the guard of an instruction touches
};

// Modifiers as the bits have them; fields.def says which field a form has and what its values print as.
struct sass_modifiers { // one byte each: fields.def names them by offset
    uint8_t compare;   // integers: 0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE, 7 T; floats add 8 (unordered): 7 NUM, 8 NAN
    uint8_t boolean;   // 0 AND, 1 OR, 2 XOR
    uint8_t is_signed; // 1: signed integers
    uint8_t extended;  // .X (carry in) or .EX
    uint8_t high;      // .HI
    uint8_t round;     // 0 nearest even, 1 down (RM), 2 up (RP), 3 to zero (RZ)
    uint8_t ftz;       // denormals flushed
    uint8_t saturate;  // .SAT
    uint8_t scale;     // FMUL: 4 none, 1 .D8, 2 .D4, 3 .D2, 5 .M2, 6 .M4, 7 .M8
    uint8_t size;      // memory: 0 U8, 1 S8, 2 U16, 3 S16, 4 32, 5 64, 6 128
    uint8_t order;     // memory: scope and order, as fields.def
    uint8_t evict;     // memory: 0 EF, 1 normal, 2 EL, 3 LU, 4 EU, 5 NA
    uint8_t extended_address; // .E
    uint8_t prefetch;         // LTC64B, LTC128B, LTC256B
    uint8_t type;             // SHF, ATOM, RED, REDUX: data type, as fields.def
    uint8_t source_type;      // conversions
    uint8_t operation;        // ATOM, RED, MUFU, VOTE, SHFL, BAR: which one, as fields.def
    uint8_t right;            // SHF: 1 right, 0 left
    uint8_t wrap;             // SHF: .W; shift count modulo the width
    uint8_t lut;              // LOP3, PLOP3 truth table, index 4a + 2b + c
    uint8_t mode;             // PRMT and what is left
    uint8_t sx32;             // LEA: .SX32
    uint8_t wide;             // 64-bit result or address: CS2R, ULDC.64 use size instead
    uint8_t lanes;            // MOV: mask, 15 all
    uint8_t noinc;            // CALL, RET, BRA: control modifiers, as fields.def
    uint8_t flag;             // one more bit that a form needs
    uint8_t shape;            // matrices: rows, columns, depth, as fields.def
};

struct sass_control {
    uint8_t stall;         // 0..15 cycles
    bool yield;            // bit 109 as stored
    uint8_t write_barrier; // 0..5, 7 none
    uint8_t read_barrier;  // 0..5, 7 none
    uint8_t wait;          // bit k: wait until scoreboard k is zero
    uint8_t reuse;         // bits 122..125: operands A, B, C
};

struct sass_instruction {
    struct sass_word word;
    const struct sass_form *form;
    const struct encoding *encoding; // the library's own
    uint8_t operand_form;            // bits 9..11 when the form has operand forms, else 0
    uint8_t guard;                   // 7 PT
    bool guard_negate;
    bool guard_uniform; // the guard is a uniform predicate
    struct sass_control control;
    struct sass_modifiers modifiers;
    struct sass_operand operand[SASS_ROLE_COUNT];
};

// --- errors ------------------------------------------------------------------------------------------------------------

struct sass_error {
    char message[320]; // one line
    uint64_t offset;   // byte in the code or the file, where it says so
    int line, column;  // of a text, from 1; 0 when there is none
    char context[160]; // "in NAME(...), called from line 7": the macro calls around the line; "" when there are none
    bool misuse;       // it is the command line (-D) that is wrong
};

// --- words and text ----------------------------------------------------------------------------------------------------

// address: of this instruction in its code, in bytes; branch targets are relative to it.
bool sass_decode(struct sass_word word, uint64_t address, struct sass_instruction *out, struct sass_error *error);
bool sass_encode(const struct sass_instruction *instruction, uint64_t address, struct sass_word *out,
                 struct sass_error *error);

// Whether the instruction's target is a place in the code: absolute addresses and BRX's offset are none.
bool sass_has_target(const struct sass_instruction *instruction);

// Names branch targets: writes the label of a code address, or returns false for the plain number.
struct sass_labels {
    bool (*name)(const void *context, uint64_t address, char *text, size_t size);
    bool (*find)(const void *context, const char *name, size_t length, uint64_t *address);
    const void *context;
    enum sass_generation generation; // of the code
};

// The instruction as nvdisasm prints it, without control column and without " ;". labels may be NULL. Returns the length.
int sass_print(const struct sass_instruction *instruction, const struct sass_labels *labels, char *text, size_t size);
// The control column, "--:-:1:-:4"; before sm_90 NVIDIA's text leaves out an address's descriptor, which then stands here:
// "--:-:1:-:4:UR8"; one with a policy of the cache stands in both.
void sass_print_control(const struct sass_instruction *instruction, char text[24]);

// Reads "[control] instruction [;]" of one line; the error has the column.
bool sass_parse(const char *line, uint64_t address, const struct sass_labels *labels, struct sass_instruction *out,
                struct sass_error *error);

// Text of nvdisasm, cuobjdump or CuAssembler, which has its control fields elsewhere: the error says so.
bool sass_is_foreign(const char *line, struct sass_error *error);

// --- cubins ------------------------------------------------------------------------------------------------------------

struct sass_parameter {
    uint16_t ordinal, offset, size; // offset from param_base, bytes
};

struct sass_line {
    uint32_t address; // first byte of code that belongs to this source line
    uint32_t line;
    const char *file;
    uint32_t own_line; // of an inlined function in another file: where the kernel's file has it
    const char *own_file;
    uint32_t call_line; // of an inlined function: the kernel's own line, in own_file
};

// Names inside a kernel's code other than the kernel itself: device functions that it calls.
struct sass_symbol {
    const char *name;
    uint32_t address, size;
};

struct sass_kernel {
    const char *name;
    bool entry;     // can be launched; otherwise a device function with its own section
    bool relocated; // its code has addresses that the linker or driver still fills in
    const struct sass_chip *chip;
    uint64_t file_offset;  // of its code in the file
    size_t count;          // instructions
    uint8_t *code;         // 16 bytes each, inside the cubin's bytes: not necessarily aligned
    int registers;         // a thread
    uint64_t regcount_at;  // where the file says so: byte offset of a u32, 0 nowhere
    uint64_t registers_at; // and of a byte, before sm_90
    int shared_bytes;      // static shared memory as the section says, with chip->shared_reserved
    int local_bytes;       // stack frame of a thread
    int barriers;          // named barriers used
    int max_threads;       // __launch_bounds__, 0 unknown
    int cluster[3];        // __cluster_dims__, 0 none
    int param_base;        // in constant bank 0
    int param_bytes;
    struct sass_parameter *parameters; // by ordinal
    int parameter_count;
    const uint8_t *constant[8]; // initial contents of banks 0..7 (0: mostly zeros; 3, 4: from the file); NULL none
    size_t constant_bytes[8];
    struct sass_symbol *symbols; // by address
    int symbol_count;
    struct sass_line *lines; // by address; none without -lineinfo
    int line_count;
    uint32_t *exits; // byte addresses, as EXIT_INSTR_OFFSETS has them
    int exit_count;
};

// A device variable: .nv.global and so on. Its bytes are NULL when it starts as zeros.
struct sass_variable {
    const char *name;
    const char *section;
    size_t section_index;
    uint64_t offset, size; // in the section
    const uint8_t *bytes;
};

struct sass_cubin {
    char *path;
    uint8_t *bytes;
    size_t size;
    const struct sass_chip *chip;
    struct sass_kernel *kernels;
    int kernel_count;
    struct sass_variable *variables;
    int variable_count;
    char *names; // storage of file names of lines
};

// path is only a name for messages when bytes are given; the bytes are copied.
bool cubin_open(struct sass_cubin *cubin, const char *path, struct sass_error *error);
bool cubin_open_memory(struct sass_cubin *cubin, const char *path, const void *bytes, size_t size,
                       struct sass_error *error);
void cubin_close(struct sass_cubin *cubin);
// Writes the bytes (changed through kernel->code) to a new file that appears whole or not at all.
bool cubin_write(const struct sass_cubin *cubin, const char *path, struct sass_error *error);
const struct sass_kernel *cubin_kernel(const struct sass_cubin *cubin, const char *name); // NULL: none
// An instruction's word, and the way back into 16 bytes.
struct sass_word cubin_word(const struct sass_kernel *kernel, size_t index);
void cubin_store(struct sass_word word, uint8_t bytes[16]);
// The source line of a code address, NULL when unknown.
const struct sass_line *cubin_line(const struct sass_kernel *kernel, uint32_t address);
// "FILE:LINE", and where it is called if that is inlined.
void cubin_print_line(const struct sass_line *line, char *text, size_t size);

// --- registers that an instruction touches, banks ----------------------------------------------------------------------

struct sass_touch {
    uint8_t first, count; // registers first .. first + count - 1
    bool write;
    bool uniform;   // uniform registers
    bool predicate; // predicate (uniform: uniform predicate)
    uint8_t role;   // enum sass_role
};

// Every register and predicate read or written, RZ and PT left out. Returns how many (at most SASS_MAX_TOUCHES).
enum { SASS_MAX_TOUCHES = 20 };
int sass_touches(const struct sass_instruction *instruction, struct sass_touch touches[SASS_MAX_TOUCHES]);

// .STRONG and .MMIO, volatile among them: a load or store by which threads meet (order_load and order in fields.def).
enum { SASS_STRONG_SM = 5 }; // those above it are seen beyond the SM
static inline bool sass_is_strong(const struct sass_instruction *in) {
    const unsigned order = in->modifiers.order;
    return (order >= SASS_STRONG_SM && order <= 8) || order == 10 || order == 12;
}
// Neither a guard nor a condition keeps it from any thread.
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
// Whether the row of the instruction has this modifier of fields.def, with whatever value.
bool sass_has(const struct sass_instruction *instruction, enum sass_modifier modifier);

// True when the BRA at index `branch` goes back to where each path to it has been: it closes a loop. Out-of-line code that
// goes back into a loop, such as that of barrier.sync for lanes that are apart, closes none.
bool sass_closes_loop(const struct sass_instruction *code, size_t count, size_t branch);

// Registers that each of the operand slots A, B, C reads from the register file; the two-bank rule of docs (h200.md): one 32-bit
// read a bank and cycle, what the slot's reuse cache holds is free. Returns the cycles needed, at least 1.
struct sass_reuse_cache {   // starts as zeros
    int16_t place[2][3][2]; // of FP64 and of the others, by slot and bank: the register, and 1 added; 0 none
};
bool sass_empties_reuse_cache(const struct sass_instruction *instruction);
// The first instruction before `end` that the reuse cache gives the register of this operand (a role, A to C) of the instruction at
// `at`, if that is flagged; end: it gives it to nobody, or it is written before.
int sass_next_reader(const struct sass_instruction *code, int at, int end, int role);
// The reuse cache gives this operand (a role, A to C) the value that its register had before it was written anew: an earlier instruction
// flagged it, and nothing has taken its place since (banks.c). `before` instructions stand before this one, `stride` bytes apart.
bool sass_is_stale(const struct sass_instruction *in, size_t stride, size_t before, int role);
int sass_bank_cycles(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
// The same as registers that each bank has to read.
void sass_bank_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache, int reads[2]);

// The same with the two banks as queues: issue goes on while a bank is one read behind, so that neighbours relieve each
// other. Step 00's rows of one and two warps show that something of the kind is there.
enum { SASS_BANK_QUEUE = 1 };
struct sass_bank_queue {
    struct sass_reuse_cache cache;
    int behind[2]; // reads that a bank has still to make
};
int sass_queue_cycles(const struct sass_instruction *instruction, struct sass_bank_queue *queue);
// Cycles that the pipe of the instruction is taken for at full rate: 2 FP64 (16 lanes a scheduler), else counted as 1.
int sass_pipe_cycles(const struct sass_instruction *instruction);

// Where an instruction's operands come from: reads are those that name a register (RZ does not), hits those of them that the
// reuse cache gives, cycles what the others take at one register a bank and cycle (at least 1).
struct sass_reads {
    int reads, hits, cycles;
};

// The same question under Maxwell's rules, as Scott Gray's assembler maxas has them: four banks (register mod 4), a register
// named twice is read once, and a slot keeps `keep` registers (1 to SASS_MAX_KEEP; the hardware's two). A register stays until
// an operand names it again without .reuse or a newer one needs the place; other instructions in between do it no harm.
// The cache starts as zeros.
enum { SASS_MAX_KEEP = 8 };
struct sass_maxwell_cache {
    int keep;
    int count[3];
    int16_t slot[3][SASS_MAX_KEEP]; // oldest first
};
struct sass_reads sass_maxwell_reads(const struct sass_instruction *instruction, struct sass_maxwell_cache *cache);
// And under the H200's, by sass_bank_cycles.
struct sass_reads sass_h200_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
