// Where wgmma finds an operand in shared memory: PTX manual, matrix descriptors and canonical layouts.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { UNIT_BYTES = 16 }; // of a row of a core matrix, 8 x 16 bytes; what the swizzle exchanges

// A descriptor of 64 bits. The stride leads to the next 8 rows, the leading distance to the next units of 16 bytes along k (without
// a swizzle), or along the rows (of a matrix that lies the other way).
struct operand {
    uint32_t start, leading, stride;
    int pitch; // bytes of a row within the pattern that the swizzle exchanges: 16 (none), 32, 64 or 128
    bool transposed;
};
static inline struct operand read_descriptor(uint64_t bits, bool transposed) {
    static const int pitches[] = {16, 128, 64, 32};
    return (struct operand){.start = (uint32_t)(bits & 0x3fff) * UNIT_BYTES,
                            .leading = (uint32_t)(bits >> 16 & 0x3fff) * UNIT_BYTES,
                            .stride = (uint32_t)(bits >> 32 & 0x3fff) * UNIT_BYTES,
                            .pitch = pitches[bits >> 62],
                            .transposed = transposed};
}

// Where the element at (row, k) begins.
static inline uint32_t place_of(const struct operand *o, int row, int k, int bytes) {
    uint32_t at = o->start;
    if (!o->transposed) {
        const uint32_t along = (uint32_t)(k * bytes), unit = along / (uint32_t)o->pitch;
        at += (uint32_t)row / 8 * o->stride + unit * o->leading + (uint32_t)(row % 8 * o->pitch) +
              along % (uint32_t)o->pitch;
    } else {
        const uint32_t along = (uint32_t)(row * bytes), unit = along / (uint32_t)o->pitch;
        const uint32_t next_unit = o->pitch == UNIT_BYTES ? o->stride : o->leading;
        const uint32_t next_k = o->pitch == UNIT_BYTES ? o->leading : o->stride;
        at += (uint32_t)k / 8 * next_k + unit * next_unit + (uint32_t)(k % 8 * o->pitch) + along % (uint32_t)o->pitch;
    }
    const uint32_t units = (uint32_t)o->pitch / UNIT_BYTES; // exchanged by the number of the 128 bytes that they are in
    return at ^ (at / 128 & (units - 1)) * UNIT_BYTES;
}
