// Machine code of compute capability 7.5 and later as data: decoding, encoding, printing, parsing,
// and the cubin file around it.
//
// One instruction is 128 bits, two little-endian 64-bit words; bit n of "the word" is bit n of low
// for n < 64 and bit n - 64 of high otherwise:
//
//     0..11 opcode   12..14 guard predicate   15 guard negated
//     16..104 operands and modifiers, by opcode
//     105..108 stall   109 yield   110..112 write barrier   113..115 read barrier
//     116..121 wait mask   122..125 reuse
//
// opcodes.def has a row for each encoding; a row's text names operands and modifiers of fields.def,
// which define their bits. Decode, encode, print and parse are driven by these two tables. It is an
// error if a set bit belongs to no field of the row.
//
// Limits: code that nvcc 13 generates from this course's kernels for the architectures of chip.c;
// of textures only the code of tex1Dfetch of a texture object; no sparse matrices (HMMA.SP), no
// integers in wgmma.
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
// Number of uniform registers: UR0 to UR62, on Blackwell UR0 to UR79. The fields have room for
// more, but nvcc uses none.
static inline uint8_t sass_uniform_registers(enum sass_generation generation) {
    return sass_is_blackwell(generation) ? SASS_URZ : 63;
}

struct sass_word {
    uint64_t low, high;
    enum sass_generation generation;
};

// --- the table -----------------------------------------------------------------------------------

// The pipe that executes an instruction; the counters per pipe and the bounds depend on it.
enum sass_pipe {
    SASS_PIPE_FMA,     // FFMA FMUL FADD IMAD
    SASS_PIPE_ALU,     // integer, logic, compare, select, move
    SASS_PIPE_HALF,    // HADD2 HMUL2 HFMA2
    SASS_PIPE_FP64,    // DFMA DMUL DADD DSETP
    SASS_PIPE_XU,      // MUFU, conversions, POPC FLO BREV
    SASS_PIPE_LSU,     // memory, shuffles, data side of barriers
    SASS_PIPE_TEX,     // textures
    SASS_PIPE_UNIFORM, // U...: once per warp
    SASS_PIPE_CBU,     // branches, reconvergence, barriers
    SASS_PIPE_TENSOR,  // HMMA DMMA IMMA; HGMMA QGMMA, which are asynchronous
    SASS_PIPE_COUNT
};

// The instruction family of a row; a simulator dispatches on it. IMAD and IMAD.MOV.U32 are both
// SASS_IMAD.
enum sass_opcode {
#define OPCODE(id) SASS_##id,
#include "opcodes.def"
#undef OPCODE
    SASS_OPCODE_COUNT
};

// A row of opcodes.def.
struct sass_form {
    enum sass_opcode opcode;
    uint16_t code; // bits 0..11, or bits 0..8 if there are operand forms
    // operand forms 1..7 that exist (bits 9..11), such as "146"; "" if code has all 12 bits
    const char *forms;
    const char *mnemonic;  // "FFMA", also "IMAD.MOV.U32"
    const char *modifiers; // names of fields.def in text order, separated by spaces
    const char *operands;  // names of fields.def in text order, separated by spaces
    const char *fixed;     // further fixed bits, "84:3=4": first bit, width, value
    enum sass_pipe pipe;
    // cycles to a fixed-latency result (those that ptxas keeps, an upper bound); 0: needs a
    // scoreboard
    uint8_t latency;
};

const char *sass_opcode_name(enum sass_opcode opcode); // "FFMA"

// --- one instruction -----------------------------------------------------------------------------

enum sass_kind {
    SASS_NONE,              // the encoding has no such operand
    SASS_REGISTER,          // number; RZ 255
    SASS_UNIFORM_REGISTER,  // number; URZ 80
    SASS_PREDICATE,         // number; PT 7
    SASS_UNIFORM_PREDICATE, // number; UPT 7
    SASS_INTEGER,           // value
    SASS_FLOAT,             // value: the 32 IEEE bits
    SASS_DOUBLE,            // value: the 64 IEEE bits (the low 32 are zero)
    SASS_HALF2,             // value: high half in 31..16, low in 15..0
    SASS_CONSTANT,          // c[bank][register or uniform + value]; register RZ: none
    // [register(.64 .U32 .X4) + uniform + value], through a descriptor if there is one
    SASS_ADDRESS,
    SASS_SPECIAL,     // number: special register, SR_TID.X is 0x21
    SASS_CONVERGENCE, // number: B0..B15
    SASS_SCOREBOARD,  // number: SB0..SB5
    SASS_SET,         // value: mask of scoreboards, {4,3,2}
    SASS_TARGET,      // value: byte address in the code
    SASS_PREDICATES,  // PR, UPR: all predicate registers at once (P2R, UP2UR, R2P)
    SASS_NAME,        // number: index of the row's name, 1D or 2D, the shape of a texture
    // number: uniform register; desc[UR4]: a cache policy, gdesc[UR4]: matrices in shared memory
    SASS_DESCRIPTOR,
    SASS_GROUP, // number: gsb0, the counter of HGMMA groups
};

// Marks of a matrix descriptor, in the order of fields.def.
enum sass_mark { SASS_NEGATE_A = 1, SASS_NEGATE_B = 2, SASS_TRANSPOSE_A = 4, SASS_TRANSPOSE_B = 8 };

enum sass_scale { SASS_SCALE_1, SASS_SCALE_4, SASS_SCALE_8, SASS_SCALE_16 };

struct sass_operand {
    uint8_t kind; // enum sass_kind
    // register, predicate, special register, B or scoreboard; base register of an address
    uint8_t number;
    bool negate;        // -R, !P
    bool absolute;      // |R|
    bool invert;        // ~R
    bool reuse;         // .reuse: kept in the operand's reuse cache
    bool wide;          // address: the base register is a pair (.64)
    bool unsigned32;    // address: .U32
    bool has_base;      // address, constant: a base register is written (possibly RZ)
    uint8_t scale;      // address: enum sass_scale
    uint8_t uniform;    // address: added uniform register; URZ: none
    uint8_t descriptor; // address: uniform register of desc[]; URZ: none
    bool has_uniform, has_descriptor;
    // address: the descriptor has a cache policy; before sm_90 a bit of the word says so
    bool policy;
    // selected half-word or byte: 0 none, otherwise as named in fields.def (.H0_H0 ...)
    uint8_t select;
    uint8_t marks; // gdesc: enum sass_mark
    uint8_t bank;  // constant: its bank
    int64_t value;
};

// Operands by role, independent of the order of the text, for all encodings of an opcode.
enum sass_role {
    SASS_D,  // destination register (a pair or quad for some modifiers)
    SASS_E,  // second destination register: TLD's third and fourth channel
    SASS_PU, // predicate destinations: first and second
    SASS_PV,
    SASS_A, // sources
    SASS_B,
    SASS_C,
    SASS_PP, // predicate sources
    SASS_PQ,
    SASS_PR,
    // address of a load, a store or an atomic; the constant of LDC, ULDC; global side of LDGSTS
    SASS_M,
    SASS_S, // shared side of LDGSTS
    SASS_T, // branch target
    SASS_I, // plain numbers: truth table, LEA's shift count, barrier id, mask, texel channels
    SASS_J,
    SASS_X, // special register, convergence register, scoreboard
    SASS_ROLE_COUNT,
    SASS_GUARD = SASS_ROLE_COUNT // not an operand: stands for what the guard touches
};

// Modifiers as encoded; fields.def defines each row's fields and the text of their values.
struct sass_modifiers { // one byte each: fields.def names them by offset
    // integers: 0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE, 7 T; floats add 8 (unordered): 7 NUM, 8
    // NAN
    uint8_t compare;
    uint8_t boolean;          // 0 AND, 1 OR, 2 XOR
    uint8_t is_signed;        // 1: signed integers
    uint8_t extended;         // .X (carry in) or .EX
    uint8_t high;             // .HI
    uint8_t round;            // 0 nearest even, 1 down (RM), 2 up (RP), 3 to zero (RZ)
    uint8_t ftz;              // subnormals are flushed
    uint8_t saturate;         // .SAT
    uint8_t scale;            // FMUL: 4 none, 1 .D8, 2 .D4, 3 .D2, 5 .M2, 6 .M4, 7 .M8
    uint8_t size;             // memory: 0 U8, 1 S8, 2 U16, 3 S16, 4 32, 5 64, 6 128
    uint8_t order;            // memory: scope and order, as fields.def
    uint8_t evict;            // memory: 0 EF, 1 normal, 2 EL, 3 LU, 4 EU, 5 NA
    uint8_t extended_address; // .E
    uint8_t prefetch;         // LTC64B, LTC128B, LTC256B
    uint8_t type;             // SHF, ATOM, RED, REDUX: data type, as fields.def
    uint8_t source_type;      // conversions
    uint8_t operation;        // ATOM, RED, MUFU, VOTE, SHFL, BAR: the operation, as in fields.def
    uint8_t right;            // SHF: 1 right, 0 left
    uint8_t wrap;             // SHF: .W; shift count modulo the width
    uint8_t lut;              // LOP3, PLOP3 truth table, index 4a + 2b + c
    uint8_t mode;             // PRMT, and modifiers without a member of their own
    uint8_t sx32;             // LEA: .SX32
    uint8_t wide;             // 64-bit result or address; CS2R and ULDC.64 use size instead
    uint8_t lanes;            // MOV: mask, 15 all
    uint8_t noinc;            // CALL, RET, BRA: control modifiers, as fields.def
    uint8_t flag;             // a further bit that a row needs
    uint8_t shape;            // matrices: rows, columns, depth, as fields.def
};

struct sass_control {
    uint8_t stall;         // 0..15, in cycles
    bool yield;            // bit 109 as stored
    uint8_t write_barrier; // scoreboard 0..5; 7: none
    uint8_t read_barrier;  // scoreboard 0..5; 7: none
    uint8_t wait;          // bit k: wait until scoreboard k is zero
    uint8_t reuse;         // bits 122..125: operands A, B, C
};

struct sass_instruction {
    struct sass_word word;
    const struct sass_form *form;
    const struct encoding *encoding; // internal
    uint8_t operand_form;            // bits 9..11 if the row has operand forms, else 0
    uint8_t guard;                   // 7: PT
    bool guard_negate;
    bool guard_uniform; // the guard is a uniform predicate
    struct sass_control control;
    struct sass_modifiers modifiers;
    struct sass_operand operand[SASS_ROLE_COUNT];
};

// --- errors --------------------------------------------------------------------------------------

struct sass_error {
    char message[320]; // a single line
    uint64_t offset;   // byte in the code or file; only if the message refers to it
    int line, column;  // position in a text, from 1; 0: none
    // "in NAME(...), called from line 7": the macro calls around the line; "": none
    char context[160];
    bool misuse; // the command line (-D) is wrong
};

// --- words and text ------------------------------------------------------------------------------

// Decodes a word. address: byte offset of the instruction in its code; branch targets are relative
// to it.
bool sass_decode(struct sass_word word, uint64_t address, struct sass_instruction *out, struct sass_error *error);
bool sass_encode(const struct sass_instruction *instruction, uint64_t address, struct sass_word *out,
                 struct sass_error *error);

// True if the target is a position in the code; absolute addresses and BRX's offset are not.
bool sass_has_target(const struct sass_instruction *instruction);

// Names branch targets. name() writes the label of a code address, or returns false for a plain
// number.
struct sass_labels {
    bool (*name)(const void *context, uint64_t address, char *text, size_t size);
    bool (*find)(const void *context, const char *name, size_t length, uint64_t *address);
    const void *context;
    enum sass_generation generation; // of the code
};

// Prints an instruction like nvdisasm, without control column and without " ;". labels may be NULL.
// Returns the length.
int sass_print(const struct sass_instruction *instruction, const struct sass_labels *labels, char *text, size_t size);
// Prints the control column, "--:-:1:-:4". Before sm_90 NVIDIA's text omits an address's
// descriptor, which is appended here: "--:-:1:-:4:UR8". A descriptor with a cache policy is in
// both.
void sass_print_control(const struct sass_instruction *instruction, char text[24]);

// Parses one line, "[control] instruction [;]"; the error has the column.
bool sass_parse(const char *line, uint64_t address, const struct sass_labels *labels, struct sass_instruction *out,
                struct sass_error *error);

// True for text of nvdisasm, cuobjdump or CuAssembler, whose control fields are elsewhere; the
// error says so.
bool sass_is_foreign(const char *line, struct sass_error *error);

// --- cubins --------------------------------------------------------------------------------------

struct sass_parameter {
    uint16_t ordinal, offset, size; // offset from param_base in bytes
};

struct sass_line {
    uint32_t address; // first byte of code of this source line
    uint32_t line;
    const char *file;
    uint32_t own_line; // for an inlined function in another file: its line in the kernel's file
    const char *own_file;
    uint32_t call_line; // for an inlined function: the kernel's own line, in own_file
};

// Symbols in a kernel's code other than the kernel itself: device functions that it calls.
struct sass_symbol {
    const char *name;
    uint32_t address, size;
};

struct sass_kernel {
    // identity
    const char *name;
    bool entry;     // it can be launched; otherwise a device function with its own section
    bool relocated; // its code has addresses that the linker or driver must fill in
    const struct sass_chip *chip;
    // code
    uint64_t file_offset; // offset of its code in the file
    size_t count;         // number of instructions
    uint8_t *code;        // 16 bytes per instruction, inside the cubin's bytes: possibly unaligned
    // resources
    int registers;         // per thread
    uint64_t regcount_at;  // byte offset of the u32 in the file; 0: none
    uint64_t registers_at; // byte offset of the copy in one byte; before sm_90
    int shared_bytes;      // size of the section: static shared memory and chip->shared_reserved
    int local_bytes;       // stack frame per thread
    int barriers;          // number of named barriers used
    int max_threads;       // from __launch_bounds__; 0: unknown
    int cluster[3];        // from __cluster_dims__; 0: none
    // parameters and constants
    int param_base; // offset of parameters in constant bank 0
    int param_bytes;
    struct sass_parameter *parameters; // by ordinal
    int parameter_count;
    // initial contents of banks 0..7 (0: mostly zeros; 3, 4: from the file); NULL: none
    const uint8_t *constant[8];
    size_t constant_bytes[8];
    // tables
    struct sass_symbol *symbols; // by address
    int symbol_count;
    struct sass_line *lines; // by address; empty without -lineinfo
    int line_count;
    uint32_t *exits; // byte addresses from EXIT_INSTR_OFFSETS
    int exit_count;
};

// A device variable, in .nv.global or similar. bytes: NULL if it starts as zeros.
struct sass_variable {
    const char *name;
    const char *section;
    size_t section_index;
    uint64_t offset, size; // in its section
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
    char *names; // owns the file names of lines
};

// Opens a cubin from a file, or from bytes, which are copied; path is then only a name for
// messages.
bool cubin_open(struct sass_cubin *cubin, const char *path, struct sass_error *error);
bool cubin_open_memory(struct sass_cubin *cubin, const char *path, const void *bytes, size_t size,
                       struct sass_error *error);
void cubin_close(struct sass_cubin *cubin);
// Writes the bytes (changed through kernel->code) to a new file, completely or not at all.
bool cubin_write(const struct sass_cubin *cubin, const char *path, struct sass_error *error);
// Returns the kernel of that name; NULL: none.
const struct sass_kernel *cubin_kernel(const struct sass_cubin *cubin, const char *name);
// Return an instruction's word, and convert it back to 16 bytes.
struct sass_word cubin_word(const struct sass_kernel *kernel, size_t index);
void cubin_store(struct sass_word word, uint8_t bytes[16]);
// Returns the source line of a code address; NULL: unknown.
const struct sass_line *cubin_line(const struct sass_kernel *kernel, uint32_t address);
// Sets `text` to "FILE:LINE", for an inlined function with the position of its call.
void cubin_print_line(const struct sass_line *line, char *text, size_t size);

// --- registers that an instruction touches, banks ------------------------------------------------

struct sass_touch {
    uint8_t first, count; // registers first .. first + count - 1
    bool write;
    bool uniform;   // uniform registers
    bool predicate; // predicate (uniform: uniform predicate)
    uint8_t role;   // enum sass_role
};

// Lists every register and predicate read or written, except RZ and PT. Returns their number, at
// most SASS_MAX_TOUCHES.
enum { SASS_MAX_TOUCHES = 20 };
int sass_touches(const struct sass_instruction *instruction, struct sass_touch touches[SASS_MAX_TOUCHES]);

// True for .STRONG and .MMIO, which include volatile: accesses by which threads synchronise
// (order_load and order in fields.def).
enum { SASS_STRONG_SM = 5 }; // higher values are visible beyond the SM
static inline bool sass_is_strong(const struct sass_instruction *in) {
    const unsigned order = in->modifiers.order;
    return (order >= SASS_STRONG_SM && order <= 8) || order == 10 || order == 12;
}
// True if neither a guard nor a condition excludes a thread.
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
// True if the instruction's row has this modifier of fields.def, with any value.
bool sass_has(const struct sass_instruction *instruction, enum sass_modifier modifier);

// True if the BRA at index `branch` is a back edge: its target dominates it. Out-of-line code that
// jumps back into a loop, such as that of barrier.sync for diverged lanes, closes no loop.
bool sass_closes_loop(const struct sass_instruction *code, size_t count, size_t branch);

// Cycles for reading operand slots A, B, C from the register file, at least 1, by the two-bank rule
// (docs, h200.md): one 32-bit read per bank and cycle; hits in the slot's reuse cache are free.
struct sass_reuse_cache {   // initially zeros
    int16_t place[2][3][2]; // by FP64 or other, slot and bank: register + 1; 0: none
};
bool sass_empties_reuse_cache(const struct sass_instruction *instruction);
// Returns the first instruction before `end` that hits the reuse-cache entry of this operand (a
// role, A to C) of the instruction at `at`, which must be flagged. Returns `end` if none does, or
// if the register is written first.
int sass_next_reader(const struct sass_instruction *code, int at, int end, int role);
// True if the reuse cache gives this operand (a role, A to C) an outdated value: an earlier
// instruction flagged its register, which was then written while the entry remained (banks.c).
// Requires: `before` instructions precede this one, `stride` bytes apart.
bool sass_is_stale(const struct sass_instruction *in, size_t stride, size_t before, int role);
int sass_bank_cycles(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
// Like sass_bank_cycles(), as the number of registers that each bank reads.
void sass_bank_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache, int reads[2]);

// Like sass_bank_cycles(), with the banks as queues: issue continues while a bank is one read
// behind, so that adjacent instructions balance each other. Step 00's rows of one and two warps
// support such a queue.
enum { SASS_BANK_QUEUE = 1 };
struct sass_bank_queue {
    struct sass_reuse_cache cache;
    int behind[2]; // queued reads per bank
};
int sass_queue_cycles(const struct sass_instruction *instruction, struct sass_bank_queue *queue);
// Returns the cycles that an instruction occupies its pipe at full rate: 2 for FP64 (16 lanes per
// scheduler), otherwise 1.
int sass_pipe_cycles(const struct sass_instruction *instruction);

// Where an instruction's operands come from. reads: operands that name a register other than RZ;
// hits: those found in the reuse cache; cycles: those of the other reads at one register per bank
// and cycle, at least 1.
struct sass_reads {
    int reads, hits, cycles;
};

// Maxwell's rules, as in Scott Gray's assembler maxas: four banks (register mod 4); a register
// named twice is read once; a slot keeps `keep` registers (1 to SASS_MAX_KEEP; two in hardware). A
// register stays until an operand names it again without .reuse or a newer one replaces it; other
// instructions do not affect it. Requires: the cache is initially zeros.
enum { SASS_MAX_KEEP = 8 };
struct sass_maxwell_cache {
    int keep;
    int count[3];
    int16_t slot[3][SASS_MAX_KEEP]; // oldest first
};
struct sass_reads sass_maxwell_reads(const struct sass_instruction *instruction, struct sass_maxwell_cache *cache);
// The H200's rules, by sass_bank_cycles().
struct sass_reads sass_h200_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
