// Memory that is freed all at once, and growing arrays.
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    alignas(max_align_t) unsigned char bytes[];
};

static void *there(void *memory) {
    if (memory) return memory;
    fprintf(stderr, "not enough host memory\n");
    exit(1);
}

void *arena_take(struct arena *arena, size_t size) {
    struct arena_block *block = there(size < SIZE_MAX / 2 ? calloc(1, sizeof *block + size) : NULL);
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

void *arena_items(struct arena *arena, size_t count, size_t size) {
    size_t bytes;
    return arena_take(arena, __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

char *arena_text(struct arena *arena, const char *text, size_t length) {
    return memcpy(arena_take(arena, length + 1), text, length);
}

void arena_clear(struct arena *arena) {
    for (struct arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (struct arena){0};
}

void *sass_resized(void *memory, size_t size) {
    return there(realloc(memory, size));
}

void *sass_grown(void *items, size_t count, size_t size) {
    return count & (count - 1) ? items : sass_resized(items, (count ? 2 * count : 1) * size);
}
