// The names of an assembler source: integer constants, functions of integers, registers, kernel parameters.
#pragma once

#include "isa/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_ARGUMENTS = 16, REGISTER_FILES = 4, MAX_FILE_REGISTERS = 255, LAUNCH_WORDS = 3 };
// Of a kernel's registers the GPU keeps two for itself: code that names one of the last two is an illegal instruction.
enum { MAX_REGISTERS = 255, SPARE_REGISTERS = 2 };

enum register_file { FILE_R, FILE_UR, FILE_P, FILE_UP };

struct constant {
    const char *name;
    int64_t value;
    int depth; // of macro calls; 0 the file itself
};

struct function {
    const char *name;
    const char *arguments[MAX_ARGUMENTS];
    int argument_count;
    const char *body;
};

// NAME is register first, NAME[i] is first + i * step.
struct register_name {
    const char *name;
    enum register_file file;
    int first, count, step;
    bool range;  // declared with [count]
    bool placed; // by the assembler
};

// A kernel parameter, or the address of a device variable: what c[NAME] means.
struct parameter {
    const char *name;
    int bank, offset, size; // bytes; in the constant bank
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
    struct parameter
        launch[LAUNCH_WORDS]; // what the driver says of a launch, where the chip has it; size 0: it has not
    int depth;
    int limit;                                            // registers R0 to R(limit - 1) may be placed
    bool literal[REGISTER_FILES][MAX_FILE_REGISTERS + 1]; // named by its number in an instruction
    int64_t steps;                                        // work done; a limit ends runaway texts
};

size_t name_length(const char *text); // of the name that stands here, 0 none
bool is_name(const char *name, const char *text, size_t length);

bool names_number(const struct names *names, const char *name, size_t length, int64_t *value);
void names_let(struct names *names, const char *name, size_t length, int64_t value);
// A .for variable, whose index it returns: shadows what is there; names_unbind takes it away again.
size_t names_bind(struct names *names, const char *name, size_t length, int64_t value);
void names_unbind(struct names *names, size_t where);
void names_leave(struct names *names, size_t constant_count); // end of a macro call

const struct function *names_function(const struct names *names, const char *name, size_t length);
const struct register_name *names_register(const struct names *names, const char *name, size_t length);
const struct parameter *names_parameter(const struct names *names, const char *name, size_t length);
void names_add_register(struct names *names, struct register_name item);
void names_free_register(struct names *names, const struct register_name *item);
// The name that the assembler placed on a register, NULL: none.
const struct register_name *names_placed_at(const struct names *names, enum register_file file, int number);
// The lowest registers that no name has: -1 when there are none.
int names_place(const struct names *names, enum register_file file, int count, enum placement placement);
int placement_step(enum placement placement);
const char *file_prefix(enum register_file file); // "R", "UR", "P", "UP"
int file_size(enum register_file file);           // registers that can be named: 255, 63, 7, 7
void names_new_kernel(struct names *names);       // registers and parameters are a kernel's own
void names_clear(struct names *names);
