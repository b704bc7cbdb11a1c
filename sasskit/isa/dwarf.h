// Reads numbers and strings of a DWARF section. The section may be damaged: a read beyond its end
// returns 0 or "" and sets `bad`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
    const uint8_t *at, *end;
    bool bad; // true after a read beyond the end
};

static inline uint64_t number(struct cursor *cursor, unsigned bytes) {
    uint64_t value = 0;
    if ((size_t)(cursor->end - cursor->at) < bytes) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)*cursor->at++ << (8 * i);
    return value;
}

// Skips `bytes` bytes; returns the address of the first.
static inline const uint8_t *skip(struct cursor *cursor, int64_t bytes) {
    const uint8_t *const start = cursor->at;
    if (bytes < 0 || bytes > cursor->end - start) {
        cursor->bad = true;
        bytes = cursor->end - start;
    }
    cursor->at = start + bytes;
    return start;
}

static inline uint64_t leb(struct cursor *cursor, bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)number(cursor, 1);
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !cursor->bad);
    if (is_signed && byte & 0x40 && shift < 64) value |= UINT64_MAX << shift;
    return value;
}

static inline const char *string(struct cursor *cursor) {
    const char *start = (const char *)cursor->at;
    const void *zero = memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
    if (!zero) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return "";
    }
    cursor->at = (const uint8_t *)zero + 1;
    return start;
}
