// The L1 cache: which sectors it holds, and when a load's sectors are there.
#include "parts.h"

#include <stdlib.h>

enum { ALL_SECTORS = 15, EXPECTED_KBYTES = 16384 };

bool memory_open(struct sm *sm, double l1_kbytes, double l2_bytes) {
    struct memory *m = &sm->memory;
    m->l2_bytes = l2_bytes;
    m->random = 1;
    m->next = NEVER;
    m->atomics = calloc(ATOMIC_CHUNKS, sizeof *m->atomics);
    return m->atomics && cache_open(&m->l1, l1_kbytes) && cache_open(&m->expected, EXPECTED_KBYTES);
}

void memory_close(struct sm *sm) {
    free(sm->memory.l1.line);
    free(sm->memory.l2.line);
    free(sm->memory.expected.line);
    free(sm->memory.back);
    free(sm->memory.atomics);
}

int64_t l1_load(struct sm *sm, uint64_t line, bool keep, int64_t now) {
    const uint64_t number = line >> 4;
    const uint8_t sectors = line & 15;
    if (!keep) return l2_load(sm, number, sectors, now);
    struct line *l = cache_use(&sm->memory.l1, number, now);
    const uint8_t missing = sectors & (uint8_t)~l->sectors;
    if (missing) {
        const int64_t arrives = l2_load(sm, number, missing, now);
        if (arrives > l->arrives) l->arrives = arrives;
        l->sectors |= missing;
    }
    return l->arrives > now ? l->arrives : now;
}

// Stores a line to local memory. L1 keeps the line, and its write-back to L2 takes no time.
void l1_store_local(struct sm *sm, uint64_t line, int64_t now) {
    struct line *l = cache_use(&sm->memory.l1, line >> 4, now);
    l->sectors |= line & 15;
    if (l->arrives < now) l->arrives = now;
    cache_use(&sm->memory.l2, line >> 4, now)->sectors |= line & 15;
}
