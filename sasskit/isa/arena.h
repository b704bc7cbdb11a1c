// Memory that is freed all at once, and growing arrays. If the host's memory is exhausted, the
// program prints a message and exits.
#pragma once

#include <stddef.h>

struct arena {
    struct arena_block *blocks;
};

// Return zeroed memory: `size` bytes, or `count` items of `size` bytes.
void *arena_take(struct arena *arena, size_t size);
void *arena_items(struct arena *arena, size_t count, size_t size);
// Sets `pointer` to an array of `count` zeroed items.
#define ARENA_NEW(arena, pointer, count) \
    ((pointer) = arena_items((arena), (count), sizeof *(pointer)))
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_clear(struct arena *arena);

// Makes room for items[count]. Requires: the array grew from no items, one item at a time.
#define GROW(items, count) ((items) = sass_grown((items), (count), sizeof *(items)))
void *sass_grown(void *items, size_t count, size_t size);
// Like realloc(), but the program exits if memory is exhausted.
void *sass_resized(void *memory, size_t size);
