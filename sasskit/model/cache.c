// A set-associative cache with a valid bit per sector of a line. It replaces the least recently
// used line.
#include "parts.h"

#include <stdlib.h>

enum { WAYS = 8, LINE_BYTES = 128 };

bool cache_open(struct cache *c, double kbytes) {
    c->sets = (uint64_t)(kbytes * 1024 / LINE_BYTES / WAYS);
    if (c->sets == 0) c->sets = 1;
    c->line = calloc(c->sets * WAYS, sizeof *c->line); // a line of zeros holds no sector
    return c->line != NULL;
}

struct line *cache_use(struct cache *c, uint64_t number, int64_t now) {
    struct line *set = &c->line[(number ^ number >> 7 ^ number >> 15) % c->sets * WAYS], *l = set;
    for (int i = 0; i < WAYS && l->number != number; i++) {
        if (set[i].number == number || set[i].used < l->used) l = &set[i];
    }
    if (l->number != number) *l = (struct line){.number = number};
    l->used = now + 1;
    return l;
}
