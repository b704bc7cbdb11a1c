// The tables of opcodes.def and fields.def, as decode.c, encode.c, print.c and parse.c use them. An
// encoding is a row of opcodes.def with one operand form. The operand form (bits 9 to 11 of the
// word) says where operands B and C come from.
#pragma once

#include "base/error.h"
#include "instruction.h"

enum { MAX_MODIFIERS = 8, MAX_NAMES = 32, MAX_SLOTS = 10, MAX_FIXED = 8, MAX_MARKS = 4 };

struct field {
    uint8_t position, width; // first bit and number of bits
};

// A modifier: a field whose values have names. The name "-" prints nothing; "?" means illegal.
struct modifier {
    const char *name;
    struct field field;
    uint8_t member; // offset in struct sass_modifiers
    const char *names[MAX_NAMES];
};

enum field_place {
    PLACE_HERE, // the operand is at `field`
    PLACE_A,    // sources of an ALU instruction: the operand form places B and C
    PLACE_B,
    PLACE_C
};

// How a branch target is stored. TARGET_SPLIT (in two fields) and TARGET_SHORT (in one) count units
// of four bytes from the next instruction; TARGET_BYTES counts bytes from there. TARGET_ABSOLUTE
// counts units of four bytes from address 0.
enum target_style { TARGET_NONE, TARGET_SPLIT, TARGET_SHORT, TARGET_ABSOLUTE, TARGET_BYTES };

// An operand of fields.def, prepared for an encoding. Bit number 0 means that the operand has no
// such bit; a field of width 0, that it has no such field.
struct slot {
    const char *name;
    uint8_t role, kind; // enum sass_role, enum sass_kind
    struct field field;
    enum field_place place;
    bool uniform; // true for a uniform register at PLACE_A to PLACE_C, and for UPR
    uint8_t negate, absolute, invert, reuse; // bit numbers of the flags
    struct field select; // the field that selects a half or byte of the register
    const char *const *select_names;
    struct field offset, bank, uniform_field; // more fields of addresses and constants
    uint8_t unit;                             // the offset counts units of 2^unit bytes
    bool behind; // for an address: true if the descriptor's register follows that of uniform_field
    struct field scale;
    struct mark {
        uint8_t bit;
        const char *name;
    } marks[MAX_MARKS]; // one-bit suffixes such as .negA
    uint8_t wide_bit;   // for an address: the bit that is 1 for .64 and 0 for .U32
    // for a register: true if the bit of its reuse flag means something else
    bool no_reuse;
    uint8_t policy_bit; // for an address: the bit that is 1 if the descriptor has a cache policy
    bool descriptor;    // for an address: true if the uniform register is a descriptor
    bool signed_offset;
    struct field high; // for a number in two fields: the field of its upper bits
    enum target_style target;
    int64_t normal; // value of an optional operand that the text omits
    bool optional;
    bool joined;   // true if the text has no comma before the operand
    bool inverted; // for a predicate: true if the word has 7 minus its number
    bool printed;  // for an optional operand: true if nvdisasm always prints it
    char format;   // format of a number: the letter after ':' in opcodes.def
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
    bool power_of_two; // true if the immediate must be a power of two
    const struct modifier *modifiers[MAX_MODIFIERS];
    int modifier_count;
    struct slot slots[MAX_SLOTS];
    int slot_count;
    struct fixed fixed[MAX_FIXED];
    int fixed_count;
    struct sass_word claimed;     // the bits that belong to some field
    struct sass_word mask, value; // which bits are fixed; their values and the generation
    const struct encoding *next;  // the next encoding with the same bits 0 to 11
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
// Reads the number of a uniform register. A field (six or eight bits) of ones is URZ.
uint8_t uniform_get(struct sass_word word, struct field field);
void uniform_put(struct sass_word *word, struct field field, uint8_t number);

// Convert a special register's number to its name and back.
const char *special_name(unsigned number); // NULL if the register has no name and is printed as SRn
int special_number(const char *name, size_t length); // -1 if unknown
// Returns the name of a BMOV state register such as MACTIVE; NULL for B0..B15.
const char *convergence_name(unsigned number);
