// A cubin file as data: its kernels (code, parameters, symbols, source lines) and its variables.
#pragma once

#include "base/error.h"
#include "instruction.h"

struct sass_parameter {
    uint16_t ordinal, offset, size; // `offset` (from param_base) and `size` are in bytes
};

struct sass_line {
    uint32_t address; // code address at which the line's code begins, in bytes
    uint32_t line;
    const char *file;
    // the innermost line in the kernel's own file; equals `line` if `file` is that file
    uint32_t own_line;
    const char *own_file;
    // for inlined code: the line of the kernel itself, in own_file, that calls it; else `line`
    uint32_t call_line;
};

// A function symbol in a kernel's code: the kernel itself, or a device function that it calls.
struct sass_symbol {
    const char *name;
    uint32_t address, size;
};

// A variable on a function's stack, from the debugging data that nvcc -G writes. `function` is the
// code address of the function's first byte. `distance` is the variable's address minus the stack
// pointer at the function's entry, in bytes; it is negative.
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
    // true if it can be launched; false for a device function with a section of its own
    bool entry;
    bool relocated; // true if .rela.text.NAME has addresses for the linker or driver to fill in
    const struct sass_chip *chip;
    // --- code
    uint64_t file_offset; // byte offset of the kernel's code in the file
    size_t count;         // number of instructions
    uint8_t *code;        // 16 bytes per instruction, possibly unaligned; part of the cubin's bytes
    // --- resources
    int registers; // registers per thread
    // byte offset in the file of the 32-bit word that has `registers`; 0 if there is none
    uint64_t regcount_at;
    uint64_t registers_at; // before sm_90: file offset of a one-byte copy of `registers`
    // size of .nv.shared.NAME: static shared memory plus chip->shared_reserved
    int shared_bytes;
    int local_bytes; // bytes of a thread's stack frame
    int barriers;    // number of named barriers that the kernel uses
    int max_threads; // most threads per block (__launch_bounds__); 0 if not stated
    int cluster[3];  // blocks per cluster (__cluster_dims__); 0 if not stated
    // --- parameters and constants
    int param_base; // byte offset of the parameters in constant bank 0
    int param_bytes;
    struct sass_parameter *parameters; // ordered by ordinal
    int parameter_count;
    // the file's contents of constant banks 0 to 7 (bank 0 is mostly zeros); NULL for a bank that
    // the file does not have
    const uint8_t *constant[8];
    size_t constant_bytes[8];
    // --- tables
    struct sass_symbol *symbols; // in the order of the file's symbol table
    int symbol_count;
    struct sass_line *lines; // ordered by address; empty without -lineinfo or -G
    int line_count;
    struct sass_array *arrays; // variables on the stack; empty without -G
    int array_count;
    uint32_t *spills; // code addresses of the loads and stores that spill registers, in bytes
    int spill_count;  // -1 if unknown: the compiler does not mark spills
};

// A device variable, in a section such as .nv.global. `bytes` is NULL if it starts as zeros.
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
    bool debugged; // true if compiled by nvcc -G
    char *names;   // owns the file names of source lines
};

// cubin_open() reads the file `path`. cubin_open_memory() copies `bytes`; its `path` is only a name
// for messages.
bool cubin_open(struct sass_cubin *cubin, const char *path, struct error *error);
bool cubin_open_memory(struct sass_cubin *cubin, const char *path, const void *bytes, size_t size,
                       struct error *error);
void cubin_close(struct sass_cubin *cubin);
// Writes the cubin, with changes made through kernel->code, to a file: completely or not at all.
bool cubin_write(const struct sass_cubin *cubin, const char *path, struct error *error);
// Returns the kernel of that name; NULL if there is none.
const struct sass_kernel *cubin_kernel(const struct sass_cubin *cubin, const char *name);
// cubin_word() returns an instruction's word; cubin_store() converts a word to 16 bytes.
struct sass_word cubin_word(const struct sass_kernel *kernel, size_t index);
void cubin_store(struct sass_word word, uint8_t bytes[16]);
// Returns the source line of a code address; NULL if unknown.
const struct sass_line *cubin_line(const struct sass_kernel *kernel, uint32_t address);
