// A growing byte array.
#include "bytes.h"

#include "isa/arena.h"

#include <string.h>

static void make_room(struct bytes *bytes, size_t more) {
    size_t room = bytes->room ? bytes->room : 64;
    while (room - bytes->size < more) room *= 2;
    if (room == bytes->room) return;
    bytes->data = sass_resized(bytes->data, room);
    bytes->room = room;
}

void bytes_put(struct bytes *bytes, uint64_t value, int count) {
    make_room(bytes, (size_t)count);
    for (int i = 0; i < count; i++) bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

void bytes_put_data(struct bytes *bytes, const void *data, size_t size) {
    if (!size) return;
    make_room(bytes, size);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

size_t bytes_put_text(struct bytes *bytes, const char *text) {
    const size_t start = bytes->size;
    bytes_put_data(bytes, text, strlen(text) + 1);
    return start;
}

void bytes_align(struct bytes *bytes, size_t multiple) {
    while (bytes->size % multiple) bytes_put(bytes, 0, 1);
}
