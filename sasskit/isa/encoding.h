// Internals: the tables of opcodes.def and fields.def, prepared for decode.c, encode.c, print.c and
// parse.c. An encoding is a row of opcodes.def for one operand form.
#pragma once

#include "base/error.h"
#include "instruction.h"

enum { MAX_MODIFIERS = 8, MAX_NAMES = 32, MAX_SLOTS = 10, MAX_FIXED = 8, MAX_MARKS = 4 };

struct field {
    uint8_t position, width; // first bit and number of bits
};

// A modifier: a field whose values have names. "-" prints nothing, "?" is illegal.
struct modifier {
    const char *name;
    struct field field;
    uint8_t member; // offset in struct sass_modifiers
    const char *names[MAX_NAMES];
};

enum field_place {
    PLACE_HERE, // the operand is at `field`
    PLACE_A,    // source of an ALU opcode: the operand form decides where B and C are
    PLACE_B,
    PLACE_C
};

// How a branch target is stored. TARGET_SPLIT (in two fields) and TARGET_SHORT (in one) count units
// of four bytes from the next instruction, TARGET_BYTES counts bytes from there, and
// TARGET_ABSOLUTE counts units of four bytes from 0.
enum target_style { TARGET_NONE, TARGET_SPLIT, TARGET_SHORT, TARGET_ABSOLUTE, TARGET_BYTES };

// An operand as in fields.def, prepared for an encoding. A bit number of 0 means that the operand
// has no such bit, and a field of width 0 that it has no such field.
struct slot {
    const char *name;
    uint8_t role, kind; // enum sass_role, enum sass_kind
    struct field field;
    enum field_place place;
    bool uniform; // for a `place` other than PLACE_HERE: the operand is a uniform register
    uint8_t negate, absolute, invert, reuse; // bit numbers of these flags
    struct field select; // the field that selects a half or byte of the register
    const char *const *select_names;
    struct field offset, bank, uniform_field; // further fields of addresses and constants
    uint8_t unit;                             // the offset counts units of 2^unit bytes
    bool behind; // for an address: the descriptor is the register after that of uniform_field
    struct field scale;
    struct mark {
        uint8_t bit;
        const char *name;
    } marks[MAX_MARKS]; // one-bit suffixes such as .negA
    uint8_t wide_bit;   // for an address: the bit that is 1 for .64 and 0 for .U32
    // for a register: the operand has no reuse flag; the flag's bit means something else
    bool no_reuse;
    uint8_t policy_bit; // for an address: the bit that is set if the descriptor has a cache policy
    bool descriptor;    // for an address: the uniform register is a descriptor
    bool signed_offset;
    struct field high; // the upper part of a number in two fields
    enum target_style target;
    int64_t normal; // value that an optional operand has if the text omits it
    bool optional;
    bool joined;   // the text has no comma before the operand
    bool inverted; // for a predicate: the word has 7 minus its number
    bool printed;  // the operand is optional in a source, but nvdisasm always prints it
    char format;   // format of a number, one of the letters after ":" in fields.def
};

struct fixed {
    struct field field;
    uint64_t value;
};

struct encoding {
    const struct sass_form *form;
    uint16_t code; // bits 0 to 11 of the word
    uint8_t operand_form;
    bool uniform_guard;
    bool power_of_two; // the immediate must be a power of two
    const struct modifier *modifiers[MAX_MODIFIERS];
    int modifier_count;
    struct slot slots[MAX_SLOTS];
    int slot_count;
    struct fixed fixed[MAX_FIXED];
    int fixed_count;
    struct sass_word claimed;     // the bits that belong to some field
    struct sass_word mask, value; // the fixed bits: those of the opcode, the generation and others
    const struct encoding *next;  // the next encoding with this code
};

enum { CODE_COUNT = 1 << 12 };
// Returns the encodings with bits 0 to 11 of the word, in table order; NULL if there are none.
const struct encoding *encodings_of(struct sass_word word);
// Returns encoding `index` of a generation; NULL after the last one.
const struct encoding *encoding_at(enum sass_generation generation, int index);

uint64_t word_get(struct sass_word word, struct field field);
void word_put(struct sass_word *word, struct field field, uint64_t value);
bool word_bit(struct sass_word word, unsigned bit);
int64_t sign_extend(uint64_t value, unsigned width);
// Reads a uniform register's number. URZ has all bits of its field set, six or eight.
uint8_t uniform_get(struct sass_word word, struct field field);
void uniform_put(struct sass_word *word, struct field field, uint8_t number);

// Convert special registers between number and name.
const char *special_name(unsigned number); // NULL if the register has no name and is printed as SRn
int special_number(const char *name, size_t length); // -1 if unknown
// Returns the name of a BMOV state register other than B0..B15; NULL for those.
const char *convergence_name(unsigned number);
