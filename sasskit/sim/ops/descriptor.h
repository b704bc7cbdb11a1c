// Locates the elements of a wgmma operand in shared memory, by the matrix descriptors and the
// canonical layouts that the PTX manual defines.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Bytes in a row of a core matrix, which has 8 rows. The swizzle permutes units of this size.
enum { UNIT_BYTES = 16 };

// A decoded 64-bit matrix descriptor. `stride` and `leading` are distances in bytes between:
//                           stride                             leading
//   not transposed          groups of 8 rows                   16-byte units along k (no swizzle)
//   transposed, no swizzle  16-byte units along the row index  groups of 8 k
//   transposed, swizzle     groups of 8 k                      `pitch` bytes along the row index
struct mma_operand {
    uint32_t start, leading, stride;
    // bytes in a row of the pattern that the swizzle permutes: 16 (no swizzle), 32, 64 or 128
    int pitch;
    bool transposed;
};
static inline struct mma_operand read_descriptor(uint64_t bits, bool transposed) {
    static const int pitches[] = {16, 128, 64, 32};
    return (struct mma_operand){.start = (uint32_t)(bits & 0x3fff) * UNIT_BYTES,
                                .leading = (uint32_t)(bits >> 16 & 0x3fff) * UNIT_BYTES,
                                .stride = (uint32_t)(bits >> 32 & 0x3fff) * UNIT_BYTES,
                                .pitch = pitches[bits >> 62],
                                .transposed = transposed};
}

// Returns the shared-memory address of the element at (row, k).
static inline uint32_t place_of(const struct mma_operand *o, int row, int k, int bytes) {
    uint32_t at = o->start;
    if (!o->transposed) {
        const uint32_t along = (uint32_t)(k * bytes), unit = along / (uint32_t)o->pitch;
        at += (uint32_t)row / 8 * o->stride + unit * o->leading + (uint32_t)(row % 8 * o->pitch) +
              along % (uint32_t)o->pitch;
    } else {
        const uint32_t along = (uint32_t)(row * bytes), unit = along / (uint32_t)o->pitch;
        const uint32_t next_unit = o->pitch == UNIT_BYTES ? o->stride : o->leading;
        const uint32_t next_k = o->pitch == UNIT_BYTES ? o->leading : o->stride;
        at += (uint32_t)k / 8 * next_k + unit * next_unit + (uint32_t)(k % 8 * o->pitch) +
              along % (uint32_t)o->pitch;
    }
    // the swizzle XORs a unit's index with the low bits of its 128-byte line's index
    const uint32_t units = (uint32_t)o->pitch / UNIT_BYTES;
    return at ^ (at / 128 & (units - 1)) * UNIT_BYTES;
}
