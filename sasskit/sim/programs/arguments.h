// Kernel arguments and variables in the syntax of simrun's command line:
//
//     TYPE:VALUE              a number; TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 or f64
//     TYPE[COUNT]:CONTENT     the address of a new buffer; CONTENT is zero, nan, random:SEED or
//                             file:PATH, and may be followed by =out:PATH
//     texN:TYPE[COUNT]:CONTENT   a texture of such a buffer; N is 1, 2, 4 or missing
//     tma:TYPE[SIZES,box=SIZES,ld=ELEMENTS,swizzle=BYTES]:CONTENT
//                             a CUtensorMap of the tensor in such a buffer
//     {SPEC,SPEC,...}         a structure of such arguments, aligned as in C
//
// =out saves the buffer's bytes after the run. N is the number of 32-bit values in a texel. Without
// N, a texel has four, and a fetch of fewer is refused. SIZES are in the order of a C array, such
// as 64x128. The tensor's rows are ld elements apart; ld and swizzle are optional. Paths in a
// structure must not contain a comma or a brace.
#pragma once

#include "sim/sim.h"

enum { ARGUMENT_BYTES = 4096, ARGUMENT_BUFFERS = 16 };

// Parses X[,Y[,Z]] of a grid or a block; leaves missing dimensions unchanged.
bool dimensions_parse(const char *text, uint32_t dimensions[3]);

struct argument_type;
struct argument_buffer {
    const struct argument_type *type;
    uint64_t address;
    int64_t bytes;
    bool starts_as_nan;
    const char *out; // path of the file to which the buffer is saved; NULL if it is not saved
};

struct argument {
    const char *spec; // the text of the argument
    char *words;      // a copy of the text, which the parser splits
    // the bits of a number, an address, a texture handle, or a structure of these
    _Alignas(8) uint8_t value[ARGUMENT_BYTES];
    int bytes, alignment;
    struct argument_buffer buffer[ARGUMENT_BUFFERS];
    int buffer_count;
};

bool argument_parse(const char *spec, struct sim_memory *memory, struct argument *argument,
                    struct error *error);
void argument_close(struct argument *argument);
// Returns false and sets *error unless `count` is the kernel's number of parameters.
bool arguments_counted(int count, const struct sim_kernel *kernel, struct error *error);
// Returns false and sets *error unless the argument has the size of the kernel's parameter i.
bool argument_fits(const struct argument *argument, const struct sim_kernel *kernel, int i,
                   struct error *error);
// Writes each buffer that has =out:PATH to its file.
bool argument_save(const struct argument *argument, const struct sim_memory *memory,
                   struct error *error);
// Reads element `index` of a buffer as a number. Returns false for a 64-bit integer, because a
// double cannot hold it.
bool argument_element(const struct argument_buffer *buffer, const uint8_t *bytes, int64_t index,
                      double *value);
int argument_element_bytes(const struct argument_buffer *buffer);
bool argument_is_real(const struct argument_buffer *buffer);
// Reads the value of a number such as i32:5. Returns false if the argument is not a number.
bool argument_scalar(const struct argument *argument, bool *is_real, double *value);
// Sets a variable of the kernel's module. `text` is NAME=SPEC; SPEC is a number, a structure or a
// buffer of the variable's size. If SPEC is a buffer, argument->buffer[0] then refers to the
// variable's memory, so that argument_save() saves it. A __constant__ variable cannot be saved.
bool argument_set(const char *text, struct sim_kernel *kernel, struct sim_memory *memory,
                  struct argument *argument, struct error *error);
