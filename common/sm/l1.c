// What L1 holds, and how long sectors take that it does not: from L2, as a latency and a rate.
#include "parts.h"

#include <stdlib.h>

enum { WAYS = 8, SECTOR_BYTES = 32, LINE_BYTES = 128 };

bool memory_open(struct sm *sm, double l1_kbytes, double l2_bytes) {
    struct memory *m = &sm->memory;
    m->sets = (uint64_t)(l1_kbytes * 1024 / LINE_BYTES / WAYS);
    if (m->sets == 0) m->sets = 1;
    m->l1 = calloc(m->sets * WAYS, sizeof *m->l1);
    m->l2_bytes = l2_bytes;
    m->random = 1;
    m->next = NEVER;
    for (uint64_t i = 0; m->l1 && i < m->sets * WAYS; i++) m->l1[i].number = UINT64_MAX;
    return m->l1 != NULL;
}

void memory_close(struct sm *sm) {
    free(sm->memory.l1);
    free(sm->memory.back);
}

// The same sequence in every run: a result does not change from one to the next.
static double spread(struct memory *m, double width) {
    m->random = m->random * 6364136223846793005ull + 1442695040888963407ull;
    return width * (2.0 * (double)(m->random >> 40) / (double)(1 << 24) - 1);
}

static double later(double a, double b) {
    return a > b ? a : b;
}

// When the last of some bytes has passed between L2 and the SM. The port takes them in turn. The SM's share of what L2 gives to
// all is less than its port, but what was not used for the time of a load in flight can be made up for.
static double transfer(struct sm *sm, int bytes, int64_t now) {
    struct memory *m = &sm->memory;
    m->passed += bytes;
    m->port = later(m->port, (double)now) + bytes / sm->machine->l2_port;
    m->share = later(m->share, (double)now - sm->machine->memory_latency) + bytes / m->l2_bytes;
    return later(m->port, m->share);
}

int64_t l2_latency(struct sm *sm, int sectors, int64_t now) {
    const double there = transfer(sm, sectors * SECTOR_BYTES, now);
    return (int64_t)(there + sm->machine->memory_latency + spread(&sm->memory, sm->machine->memory_spread));
}

static struct line *set_of(struct memory *m, uint64_t number) {
    return &m->l1[(number ^ number >> 7 ^ number >> 15) % m->sets * WAYS];
}

static struct line *find(struct memory *m, uint64_t number) {
    struct line *set = set_of(m, number);
    for (int i = 0; i < WAYS; i++) {
        if (set[i].number == number) return &set[i];
    }
    return NULL;
}

static struct line *replace(struct memory *m, uint64_t number) {
    struct line *set = set_of(m, number), *oldest = set;
    for (int i = 1; i < WAYS; i++) {
        if (set[i].used < oldest->used) oldest = &set[i];
    }
    *oldest = (struct line){.number = number};
    return oldest;
}

int64_t l1_load(struct sm *sm, uint64_t line, bool keep, int64_t now, uint16_t *fills) {
    struct memory *m = &sm->memory;
    const uint64_t number = line >> 4;
    const uint8_t sectors = line & 15;
    if (!keep) return l2_latency(sm, __builtin_popcount(sectors), now);
    struct line *l = find(m, number);
    if (!l) l = replace(m, number);
    l->used = now + 1;
    const uint8_t missing = sectors & (uint8_t)~l->sectors;
    if (missing) {
        const int count = __builtin_popcount(missing);
        const int64_t arrives = l2_latency(sm, count, now);
        if (arrives > l->arrives) l->arrives = arrives;
        l->sectors |= missing;
        *fills = (uint16_t)(*fills + count);
    }
    return l->arrives > now ? l->arrives : now;
}

// Stores go through to L2 and leave L1 as it is.
void l1_store(struct sm *sm, uint64_t line, int64_t now) {
    transfer(sm, __builtin_popcount((unsigned)(line & 15)) * SECTOR_BYTES, now);
}
