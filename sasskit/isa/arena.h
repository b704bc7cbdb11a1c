// Memory that is given back all at once, and arrays that grow. Where the host has none left the program says so and ends.
#pragma once

#include <stddef.h>

struct arena {
    struct arena_block *blocks;
};

void *arena_take(struct arena *arena, size_t size); // zeroed
void *arena_items(struct arena *arena, size_t count, size_t size);
// A pointer gets so many items of its type.
#define ARENA_NEW(arena, pointer, count) ((pointer) = arena_items((arena), (count), sizeof *(pointer)))
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_clear(struct arena *arena);

// Makes room for one more item in an array whose count grows from 0 by one at a time.
#define GROW(items, count) ((items) = sass_grown((items), (count), sizeof *(items)))
void *sass_grown(void *items, size_t count, size_t size);
void *sass_resized(void *memory, size_t size); // as realloc
