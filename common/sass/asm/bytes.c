// A growing run of bytes.
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct bytes *bytes, size_t more) {
    size_t room = bytes->room ? bytes->room : 64;
    while (room - bytes->size < more) room *= 2;
    if (room == bytes->room) return !bytes->failed;
    uint8_t *data = bytes->failed ? NULL : realloc(bytes->data, room);
    if (!data) return bytes->failed = true, false;
    bytes->data = data;
    bytes->room = room;
    return true;
}

void bytes_put(struct bytes *bytes, uint64_t value, int count) {
    if (!make_room(bytes, (size_t)count)) return;
    for (int i = 0; i < count; i++) bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

void bytes_put_data(struct bytes *bytes, const void *data, size_t size) {
    if (!size || !make_room(bytes, size)) return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

size_t bytes_put_text(struct bytes *bytes, const char *text) {
    const size_t start = bytes->size;
    bytes_put_data(bytes, text, strlen(text) + 1);
    return start;
}

void bytes_align(struct bytes *bytes, size_t multiple) {
    while (!bytes->failed && bytes->size % multiple) bytes_put(bytes, 0, 1);
}
