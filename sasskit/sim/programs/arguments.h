// Kernel arguments and variables as simrun's command line has them:
//
//     TYPE:VALUE        i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64
//     TYPE[COUNT]:zero | nan | random:SEED | file:PATH   [=out:PATH]
//     tex:BUFFER
//     tma:TYPE[SIZES,box=SIZES,ld=ELEMENTS,swizzle=BYTES]:...     sizes as a C array has them, 64x128; ld and swizzle may be left out
//     {SPEC,SPEC,...}   a structure: its members, aligned as C does
//
// A buffer becomes an allocation whose address is the argument; =out saves its bytes after the run. With tex: the argument is
// a texture of it, texels of 16 bytes; with tma: a CUtensorMap of the tensor in it, whose rows are ld elements apart. In a structure, paths have no comma and no brace.
#pragma once

#include "sim/sim.h"

enum { ARGUMENT_BYTES = 4096, ARGUMENT_BUFFERS = 16 };

// X[,Y[,Z]] of a grid or a block; what is not there is as it was.
bool dimensions_parse(const char *text, uint32_t dimensions[3]);

struct argument_type;
struct argument_buffer {
    const struct argument_type *type;
    uint64_t address;
    int64_t bytes;
    bool starts_as_nan;
    const char *out; // NULL: not saved
};

struct argument {
    const char *spec;                          // as written
    char *words;                               // of spec, its own copy
    _Alignas(8) uint8_t value[ARGUMENT_BYTES]; // the bits, an address, a texture's handle, a structure of these
    int bytes, alignment;
    struct argument_buffer buffer[ARGUMENT_BUFFERS];
    int buffer_count;
};

bool argument_parse(const char *spec, struct sim_memory *memory, struct argument *argument, struct sim_error *error);
void argument_close(struct argument *argument);
// Whether so many are what the kernel takes, and whether this one is as large as its parameter number i.
bool arguments_counted(int count, const struct sim_kernel *kernel, struct sim_error *error);
bool argument_fits(const struct argument *argument, const struct sim_kernel *kernel, int i, struct sim_error *error);
bool argument_save(const struct argument *argument, const struct sim_memory *memory, struct sim_error *error);
// Element `index` of a buffer as a number; false: it has a type that double does not hold (64-bit integers).
bool argument_element(const struct argument_buffer *buffer, const uint8_t *bytes, int64_t index, double *value);
int argument_element_bytes(const struct argument_buffer *buffer);
bool argument_is_real(const struct argument_buffer *buffer);
// A plain number, "i32:5" or "f32:1.5"; false: it is none.
bool argument_scalar(const struct argument *argument, bool *is_real, double *value);
// Reads NAME=SPEC, a value or an array, into a variable of that size. The argument's buffer is then the variable.
bool argument_set(const char *text, struct sim_kernel *kernel, struct sim_memory *memory, struct argument *argument,
                  struct sim_error *error);
