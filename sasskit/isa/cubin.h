// The cubin file: kernels with their code, parameters, symbols and source lines; variables.
#pragma once

#include "base/error.h"
#include "instruction.h"

struct sass_parameter {
    uint16_t ordinal, offset, size; // `offset` is in bytes, from param_base
};

struct sass_line {
    uint32_t address; // address of the first byte of code of this source line
    uint32_t line;
    const char *file;
    // for a function inlined from another file: the line in the kernel's own file
    uint32_t own_line;
    const char *own_file;
    // for an inlined function: the kernel's own line, in own_file, that calls it
    uint32_t call_line;
};

// A device function that a kernel calls, as a symbol in the kernel's code.
struct sass_symbol {
    const char *name;
    uint32_t address, size;
};

// A variable on the stack of a function, from the debugging data of -G. `function` is the address
// of the function's first byte in the kernel's code. `distance` is the variable's distance from the
// stack pointer at the function's entry, in bytes; it is negative.
struct sass_array {
    const char *name;
    uint32_t function;
    int32_t distance;
    uint32_t bytes;
    bool is_array; // true for an array, false for a scalar or a structure
};

struct sass_kernel {
    // --- identity
    const char *name;
    // true if the kernel can be launched, false for a device function with a section of its own
    bool entry;
    bool relocated; // true if the linker or the driver must fill in addresses in the code
    const struct sass_chip *chip;
    // --- code
    uint64_t file_offset; // byte offset of the kernel's code in the file
    size_t count;         // number of instructions
    uint8_t *code;        // 16 bytes per instruction, possibly unaligned; part of the cubin's bytes
    // --- resources
    int registers; // registers per thread
    // byte offset in the file of `registers`, as 32 bits; 0 if it is not there
    uint64_t regcount_at;
    uint64_t registers_at; // before sm_90: byte offset of a copy of `registers`, as one byte
    // size of .nv.shared.NAME: static shared memory plus chip->shared_reserved
    int shared_bytes;
    int local_bytes; // bytes of a thread's stack frame
    int barriers;    // number of named barriers that the kernel uses
    int max_threads; // from __launch_bounds__; 0 if the kernel has none
    int cluster[3];  // from __cluster_dims__; 0 if the kernel has none
    // --- parameters and constants
    int param_base; // offset of the parameters in constant bank 0
    int param_bytes;
    struct sass_parameter *parameters; // ordered by ordinal
    int parameter_count;
    // initial contents of constant banks 0 to 7; NULL if a bank has none (bank 0 is mostly zeros;
    // banks 3 and 4 come from the file)
    const uint8_t *constant[8];
    size_t constant_bytes[8];
    // --- tables
    struct sass_symbol *symbols; // ordered by address
    int symbol_count;
    struct sass_line *lines; // ordered by address; empty without -lineinfo
    int line_count;
    struct sass_array *arrays; // variables on the stack; empty without -G
    int array_count;
    uint32_t *spills; // byte addresses of the loads and stores that spill registers
    int spill_count;  // -1 if unknown, because the compiler does not mark them
};

// A device variable, in .nv.global or a similar section. `bytes` is NULL if it starts as zeros.
struct sass_variable {
    const char *name;
    const char *section;
    size_t section_index;
    uint64_t offset, size; // position in the section
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
    bool debugged; // compiled by nvcc -G
    char *names;   // owns the file names of source lines
};

// Opens a cubin from the file `path`, or from bytes, which are copied; then `path` is only a name
// for messages.
bool cubin_open(struct sass_cubin *cubin, const char *path, struct error *error);
bool cubin_open_memory(struct sass_cubin *cubin, const char *path, const void *bytes, size_t size,
                       struct error *error);
void cubin_close(struct sass_cubin *cubin);
// Writes the bytes, perhaps changed through kernel->code, to a file, completely or not at all.
bool cubin_write(const struct sass_cubin *cubin, const char *path, struct error *error);
// Returns the kernel of that name; NULL if there is none.
const struct sass_kernel *cubin_kernel(const struct sass_cubin *cubin, const char *name);
// cubin_word() returns an instruction's word; cubin_store() converts a word back to 16 bytes.
struct sass_word cubin_word(const struct sass_kernel *kernel, size_t index);
void cubin_store(struct sass_word word, uint8_t bytes[16]);
// Returns the source line of a code address; NULL if unknown.
const struct sass_line *cubin_line(const struct sass_kernel *kernel, uint32_t address);
