// The names of an assembler source: integer constants, functions of integers, registers, kernel
// parameters.
#pragma once

#include "isa/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_ARGUMENTS = 16, REGISTER_FILES = 4, MAX_FILE_REGISTERS = 255, LAUNCH_WORDS = 3 };
// The GPU keeps the last two of a kernel's registers for itself; naming one of them is illegal.
enum { MAX_REGISTERS = 255, SPARE_REGISTERS = 2 };

enum register_file { FILE_R, FILE_UR, FILE_P, FILE_UP };

struct constant {
    const char *name;
    int64_t value;
    int depth; // nesting of macro calls at the definition; 0 outside macros
};

struct function {
    const char *name;
    const char *arguments[MAX_ARGUMENTS];
    int argument_count;
    const char *body;
};

// NAME means register `first`, and NAME[i] means register first + i * step.
struct register_name {
    const char *name;
    enum register_file file;
    int first, count, step;
    bool range;  // true if the name was declared with [count]
    bool placed; // true if the assembler chose the registers
};

// What c[NAME] denotes: a kernel parameter, a word that the driver sets (see `launch`), or the
// address of a variable.
struct parameter {
    const char *name;
    int bank, offset, size; // offset and size in bytes, in constant bank `bank`
};

enum placement { PLACE_ANY, PLACE_EVEN, PLACE_ODD, PLACE_PAIR, PLACE_QUAD };

struct names {
    struct arena arena;
    struct constant *constants;
    size_t constant_count;
    struct function *functions;
    size_t function_count;
    struct register_name *registers;
    size_t register_count;
    struct parameter *parameters;
    size_t parameter_count;
    // c[block], c[grid] and c[descriptor], which the driver sets; size 0 if the chip lacks it
    struct parameter launch[LAUNCH_WORDS];
    int depth; // nesting of macro calls in progress
    int limit; // registers R0 to R(limit - 1) may be chosen; 0 without .registers
    // true for a register that an instruction names by number (R12); it is not chosen for a name
    bool literal[REGISTER_FILES][MAX_FILE_REGISTERS + 1];
    // calls of functions so far; bounded so that every evaluation ends
    int64_t steps;
};

// Returns the length of the name at `text`; 0 if there is none.
size_t name_length(const char *text);
bool is_name(const char *name, const char *text, size_t length);

bool names_number(const struct names *names, const char *name, size_t length, int64_t *value);
void names_let(struct names *names, const char *name, size_t length, int64_t value);
// Adds a .for variable, which hides constants of the same name. Returns its index, with which
// names_unbind() removes it.
size_t names_bind(struct names *names, const char *name, size_t length, int64_t value);
void names_unbind(struct names *names, size_t where);
// Ends a macro call: removes all but the first `constant_count` constants.
void names_leave(struct names *names, size_t constant_count);

const struct function *names_function(const struct names *names, const char *name, size_t length);
const struct register_name *names_register(const struct names *names, const char *name,
                                           size_t length);
const struct parameter *names_parameter(const struct names *names, const char *name, size_t length);
void names_add_register(struct names *names, struct register_name item);
void names_free_register(struct names *names, const struct register_name *item);
// Returns the name for which the assembler chose this register; NULL if there is none.
const struct register_name *names_placed_at(const struct names *names, enum register_file file,
                                            int number);
// Chooses `count` free registers that satisfy `placement`. Returns the first; -1 if there are none.
int names_place(const struct names *names, enum register_file file, int count,
                enum placement placement);
int placement_step(enum placement placement);
const char *file_prefix(enum register_file file); // "R", "UR", "P", "UP"
// Returns the number of registers in the file besides RZ, URZ, PT and UPT: 255, 63, 7 or 7.
int file_size(enum register_file file);
// Removes the previous kernel's registers and parameters.
void names_new_kernel(struct names *names);
void names_clear(struct names *names);
