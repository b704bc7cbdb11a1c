// A growing byte array. Numbers are appended with their lowest byte first.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size, room;
};

// Appends the lowest `count` bytes of a value.
void bytes_put(struct bytes *bytes, uint64_t value, int count);
void bytes_put_data(struct bytes *bytes, const void *data, size_t size);
// Appends a text with its NUL; returns its offset.
size_t bytes_put_text(struct bytes *bytes, const char *text);
void bytes_align(struct bytes *bytes, size_t multiple);
