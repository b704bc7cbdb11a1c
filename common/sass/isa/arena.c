// Memory that is given back all at once.
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    alignas(max_align_t) unsigned char bytes[];
};

void *arena_take(struct arena *arena, size_t size) {
    struct arena_block *block = size < SIZE_MAX / 2 ? calloc(1, sizeof *block + size) : NULL;
    if (!block) return arena->failed = true, NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

void *arena_items(struct arena *arena, size_t count, size_t size) {
    size_t bytes;
    return arena_take(arena, __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

char *arena_text(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_take(arena, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void arena_clear(struct arena *arena) {
    for (struct arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (struct arena){0};
}

void *grown(void *items, size_t count, size_t size) {
    if ((count & (count - 1)) != 0) return items;
    return realloc(items, (count ? 2 * count : 1) * size);
}
