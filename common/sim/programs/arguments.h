// Kernel arguments as simrun's command line has them:
//
//     i32:5  i64:5  u32:5  u64:5  f32:1.5  f64:1.5
//     f32[COUNT]:zero | nan | random:SEED | file:PATH   [=out:PATH]        also f64 i32 u32 i64 u64
//     tex:BUFFER
//
// A buffer becomes an allocation whose address is the argument; =out saves its bytes after the run. With tex: the argument is
// a texture of it, texels of 16 bytes.
#ifndef SIM_ARGUMENTS_H
#define SIM_ARGUMENTS_H

#include "sim/sim.h"

struct argument {
    const char *spec; // as written
    uint64_t value;   // the bits, the address or the texture's handle
    int bytes;        // of the value: 4 or 8
    bool buffer;
    uint64_t address; // of the buffer
    int64_t buffer_bytes;
    const char *out; // NULL: not saved
};

bool argument_parse(const char *spec, struct sim_memory *memory, struct argument *argument, struct sim_error *error);
bool argument_save(const struct argument *argument, const struct sim_memory *memory, struct sim_error *error);

#endif
