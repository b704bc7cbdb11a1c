// Kernel arguments and variables in the syntax of simrun's command line:
//
//     TYPE:VALUE        i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64
//     TYPE[COUNT]:zero | nan | random:SEED | file:PATH   [=out:PATH]
//     tex1:BUFFER, tex2:BUFFER, tex4:BUFFER, tex:BUFFER
//     tma:TYPE[SIZES,box=SIZES,ld=ELEMENTS,swizzle=BYTES]:...
//                       sizes in the order of a C array, 64x128; ld and swizzle are optional
//     {SPEC,SPEC,...}   a structure: its members, aligned as in C
//
// A buffer becomes an allocation whose address is the argument; =out saves its bytes after the run.
// With tex1:, tex2: or tex4: the argument is a texture of the buffer, with texels of so many 32-bit
// values; tex: is like tex4:, but a kernel must fetch all four values. With tma: it is a
// CUtensorMap of the tensor in the buffer, whose rows are ld elements apart. Paths in a structure
// must not contain a comma or brace.
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
    const char *out; // path of the file to which it is saved; NULL if it is not
};

struct argument {
    const char *spec; // the text of the argument
    char *words;      // a copy of that text, which parsing changes
    // the bits of a number, an address, a texture handle, or a structure of these
    _Alignas(8) uint8_t value[ARGUMENT_BYTES];
    int bytes, alignment;
    struct argument_buffer buffer[ARGUMENT_BUFFERS];
    int buffer_count;
};

bool argument_parse(const char *spec, struct sim_memory *memory, struct argument *argument,
                    struct error *error);
void argument_close(struct argument *argument);
// These check that `count` is the kernel's number of parameters, and that an argument has the size
// of parameter i.
bool arguments_counted(int count, const struct sim_kernel *kernel, struct error *error);
bool argument_fits(const struct argument *argument, const struct sim_kernel *kernel, int i,
                   struct error *error);
bool argument_save(const struct argument *argument, const struct sim_memory *memory,
                   struct error *error);
// Reads element `index` of a buffer as a number. Returns false for 64-bit integers, which a double
// cannot hold.
bool argument_element(const struct argument_buffer *buffer, const uint8_t *bytes, int64_t index,
                      double *value);
int argument_element_bytes(const struct argument_buffer *buffer);
bool argument_is_real(const struct argument_buffer *buffer);
// Reads a plain number, "i32:5" or "f32:1.5". Returns false if the argument is not one.
bool argument_scalar(const struct argument *argument, bool *is_real, double *value);
// Sets a variable by NAME=SPEC, where SPEC is a value or an array of the variable's size. The
// buffer of *argument is then the variable.
bool argument_set(const char *text, struct sim_kernel *kernel, struct sim_memory *memory,
                  struct argument *argument, struct error *error);
