// Inside the library: the tables of opcodes.def and fields.def made ready for the four walkers (decode, encode, print,
// parse). An encoding is one row of opcodes.def for one operand form.
#pragma once

#include "sass.h"

enum { MAX_MODIFIERS = 8, MAX_NAMES = 32, MAX_SLOTS = 10, MAX_FIXED = 8, MAX_MARKS = 4 };

struct field {
    uint8_t position, width; // first bit and number of bits of the word
};

// A modifier: a field whose values have names. "-" prints nothing, "?" is no legal value.
struct modifier {
    const char *name;
    struct field field;
    uint8_t member; // offset in struct sass_modifiers
    const char *names[MAX_NAMES];
};

enum place {
    PLACE_HERE, // at `field`
    PLACE_A,    // sources of ALU opcodes: the operand form says where B and C are
    PLACE_B,
    PLACE_C
};

enum target_style { TARGET_NONE, TARGET_SPLIT, TARGET_SHORT, TARGET_ABSOLUTE, TARGET_BYTES };

// An operand as fields.def has it, then as an encoding uses it: bit numbers of its flags are added, 0 where none.
struct slot {
    const char *name;
    uint8_t role, kind; // enum sass_role, enum sass_kind
    struct field field;
    enum place place;
    bool uniform;                            // PLACE_...: uniform registers
    uint8_t negate, absolute, invert, reuse; // bits
    struct field select;                     // half or byte of the register
    const char *const *select_names;
    struct field offset, bank, uniform_field; // addresses and constants
    uint8_t unit;                             // of the offset: a power of two
    bool behind;                              // the uniform register behind the field's
    struct field scale;
    struct mark {
        uint8_t bit;
        const char *name;
    } marks[MAX_MARKS]; // one-bit suffixes, .negA
    uint8_t wide_bit;   // address: 1 prints .64, 0 .U32
    bool unkept;        // register: its reuse flag means something else
    uint8_t policy_bit; // address: the descriptor has a policy of the cache, too
    bool descriptor;    // address: the uniform register is a descriptor
    bool signed_offset;
    struct field high; // upper part of a split number
    enum target_style target;
    int64_t normal; // value that an optional operand has when it is left out
    bool optional, joined, inverted, decimal;
    bool printed; // optional in a source, but nvdisasm prints it always
    char format;  // i: signed hex, x: hex, s: signed when the instruction is, f d h: floats
};

struct fixed {
    struct field field;
    uint64_t value;
};

struct encoding {
    const struct sass_form *form;
    uint16_t code; // bits 0..11
    uint8_t operand_form;
    bool uniform_guard;
    bool power_of_two; // the immediate must be a power of two
    const struct modifier *modifiers[MAX_MODIFIERS];
    int modifier_count;
    struct slot slots[MAX_SLOTS];
    int slot_count;
    struct fixed fixed[MAX_FIXED];
    int fixed_count;
    struct sass_word claimed;     // bits that some field explains
    struct sass_word mask, value; // fixed bits, opcode included, and the generation
    const struct encoding *next;  // of the same code
};

enum { CODE_COUNT = 1 << 12 };
const struct encoding *encodings_of(struct sass_word word); // by bits 0..11, in the table's order; NULL none
const struct encoding *encoding_at(enum sass_generation generation, int index); // all of one's; NULL after the last

uint64_t word_get(struct sass_word word, struct field field);
void word_put(struct sass_word *word, struct field field, uint64_t value);
bool word_bit(struct sass_word word, unsigned bit);
int64_t sign_extend(uint64_t value, unsigned width);
// A uniform register's number: URZ has all bits of its field, six or eight.
uint8_t uniform_get(struct sass_word word, struct field field);
void uniform_put(struct sass_word *word, struct field field, uint8_t number);

// Special registers by number and name.
const char *special_name(unsigned number);           // NULL when it has no name: SRn
int special_number(const char *name, size_t length); // -1
// State registers of BMOV beyond B0..B15; NULL for those.
const char *convergence_name(unsigned number);

// Always false: fills the error.
bool sass_fail(struct sass_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
