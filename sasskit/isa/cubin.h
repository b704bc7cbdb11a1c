// The cubin file: kernels with their code, parameters, symbols and source lines; variables.
#pragma once

#include "base/error.h"
#include "instruction.h"

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

// A variable on the stack of a function, from -G. `function`: the address of its first byte in the
// kernel's code. `distance`: from the stack pointer when the function begins, in bytes; negative.
struct sass_array {
    const char *name;
    uint32_t function;
    int32_t distance;
    uint32_t bytes;
    bool is_array; // otherwise a scalar or a structure
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
    uint64_t regcount_at;  // byte offset in the file of `registers`, 32 bits; 0 if there is none
    uint64_t registers_at; // before sm_90: byte offset of a copy of it, one byte
    int shared_bytes;      // size of the section: static shared memory and chip->shared_reserved
    int local_bytes;       // stack frame per thread
    int barriers;          // number of named barriers used
    int max_threads;       // from __launch_bounds__; 0 if unknown
    int cluster[3];        // from __cluster_dims__; 0 if there is none
    // parameters and constants
    int param_base; // offset of parameters in constant bank 0
    int param_bytes;
    struct sass_parameter *parameters; // by ordinal
    int parameter_count;
    // initial contents of banks 0..7 (0: mostly zeros; 3, 4: from the file); NULL if there is none
    const uint8_t *constant[8];
    size_t constant_bytes[8];
    // tables
    struct sass_symbol *symbols; // by address
    int symbol_count;
    struct sass_line *lines; // by address; empty without -lineinfo
    int line_count;
    struct sass_array *arrays; // on the stack; empty without -G
    int array_count;
    uint32_t *spills; // byte addresses of the loads and stores of spilled registers
    int spill_count;  // -1: unknown, since the compiler does not mark them
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
    bool debugged; // compiled by nvcc -G
    char *names;   // owns the file names of lines
};

// Opens a cubin from a file, or from bytes, which are copied; path is then only a name for
// messages.
bool cubin_open(struct sass_cubin *cubin, const char *path, struct error *error);
bool cubin_open_memory(struct sass_cubin *cubin, const char *path, const void *bytes, size_t size, struct error *error);
void cubin_close(struct sass_cubin *cubin);
// Writes the bytes (changed through kernel->code) to a new file, completely or not at all.
bool cubin_write(const struct sass_cubin *cubin, const char *path, struct error *error);
// Returns the kernel of that name; NULL if there is none.
const struct sass_kernel *cubin_kernel(const struct sass_cubin *cubin, const char *name);
// Return an instruction's word, and convert it back to 16 bytes.
struct sass_word cubin_word(const struct sass_kernel *kernel, size_t index);
void cubin_store(struct sass_word word, uint8_t bytes[16]);
// Returns the source line of a code address; NULL if unknown.
const struct sass_line *cubin_line(const struct sass_kernel *kernel, uint32_t address);
