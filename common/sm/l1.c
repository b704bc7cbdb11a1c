// What L1 and L2 hold, and how long sectors take that L1 does not: from L2 or from device memory, as two latencies and a rate.
#include "parts.h"

#include <stdlib.h>

enum { WAYS = 8, SECTOR_BYTES = 32, LINE_BYTES = 128, ATOMICS = 1 << 16 };

static bool cache_open(struct cache *c, double kbytes) {
    c->sets = (uint64_t)(kbytes * 1024 / LINE_BYTES / WAYS);
    if (c->sets == 0) c->sets = 1;
    c->line = calloc(c->sets * WAYS, sizeof *c->line); // no sectors, whatever its number
    return c->line != NULL;
}

bool memory_open(struct sm *sm, double l1_kbytes, double l2_kbytes, double l2_bytes) {
    struct memory *m = &sm->memory;
    m->l2_bytes = l2_bytes;
    m->random = 1;
    m->next = NEVER;
    m->atomics = calloc(ATOMICS, sizeof *m->atomics);
    return m->atomics && cache_open(&m->l1, l1_kbytes) && cache_open(&m->l2, l2_kbytes);
}

void memory_close(struct sm *sm) {
    free(sm->memory.l1.line);
    free(sm->memory.l2.line);
    free(sm->memory.back);
    free(sm->memory.atomics);
}

// A line of a cache; the least recently used of its set makes room for one that is not there.
static struct line *use_line(struct cache *c, uint64_t number, int64_t now) {
    struct line *set = &c->line[(number ^ number >> 7 ^ number >> 15) % c->sets * WAYS], *l = set;
    for (int i = 0; i < WAYS && l->number != number; i++) {
        if (set[i].number == number || set[i].used < l->used) l = &set[i];
    }
    if (l->number != number) *l = (struct line){.number = number};
    l->used = now + 1;
    return l;
}

static double later(double a, double b) {
    return a > b ? a : b;
}

// When the last of some sectors of a line has passed between L2 and the SM. The port takes them in turn. The SM's share of what L2
// gives to all is less than its port, but what was not used for the time of a load in flight can be made up for. L2 serves
// sectors by pairs: one alone takes as long as both. The bytes are added to those that have passed.
static double transfer(struct sm *sm, uint8_t sectors, bool load, int64_t now) {
    struct memory *m = &sm->memory;
    double *passed = load ? &m->loaded : &m->stored;
    const int bytes = __builtin_popcount(sectors) * SECTOR_BYTES;
    const int pairs = ((sectors & 3) != 0) + ((sectors & 12) != 0);
    *passed += load ? 2 * SECTOR_BYTES * pairs : bytes; // device memory is read by pairs
    m->port = later(m->port, (double)now) + bytes / sm->machine->l2_port;
    m->share = later(m->share, (double)now - sm->machine->memory_latency) + 2 * SECTOR_BYTES * pairs / m->l2_bytes;
    return later(m->port, m->share);
}

// When sectors of a line come, asked for now. L2 holds what the SM has asked for or stored; all else is in device memory, also what
// other SMs have asked for: their blocks run at the same time, and ask for it at about the same time.
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now) {
    const struct sm_machine *m = sm->machine;
    struct line *l = use_line(&sm->memory.l2, number, now);
    const double there = transfer(sm, sectors, true, now);
    const double from_l2 = there + m->l2_latency - m->l1_latency;
    if ((sectors & ~l->sectors) == 0) return (int64_t)later(from_l2, (double)l->arrives);
    l->sectors |= sectors;
    const int64_t arrives = (int64_t)(there + m->memory_latency + sm->memory.late);
    if (arrives > l->arrives) l->arrives = arrives;
    return arrives;
}

int64_t l1_load(struct sm *sm, uint64_t line, bool keep, int64_t now) {
    const uint64_t number = line >> 4;
    const uint8_t sectors = line & 15;
    if (!keep) return l2_load(sm, number, sectors, now);
    struct line *l = use_line(&sm->memory.l1, number, now);
    const uint8_t missing = sectors & (uint8_t)~l->sectors;
    if (missing) {
        const int64_t arrives = l2_load(sm, number, missing, now);
        if (arrives > l->arrives) l->arrives = arrives;
        l->sectors |= missing;
    }
    return l->arrives > now ? l->arrives : now;
}

// Stores go through to L2 and leave L1 as it is.
void l1_store(struct sm *sm, uint64_t line, int64_t now) {
    const uint8_t sectors = line & 15;
    transfer(sm, sectors, false, now);
    use_line(&sm->memory.l2, line >> 4, now)->sectors |= sectors;
}

// Local memory stays in L1 until it has to make room.
void l1_store_local(struct sm *sm, uint64_t line, int64_t now) {
    struct line *l = use_line(&sm->memory.l1, line >> 4, now);
    l->sectors |= line & 15;
    if (l->arrives < now) l->arrives = now;
    use_line(&sm->memory.l2, line >> 4, now)->sectors |= line & 15;
}

// An atomic is done in L2, after its sectors have got there one by one; lanes that want one word wait for each other. How often a
// word of the line is asked for counts for the whole launch, too.
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t words, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const uint64_t number = line >> 4, block = r->warp->block->linear + 1;
    const double way = of->atomic_sector * (r->instruction->swaps ? 2 : 1);
    const double lane = r->instruction->floats ? of->atomic_float_lane : of->atomic_lane;
    const double lanes = (double)r->wavefronts / r->lines, a_word = lanes / __builtin_popcount(words);
    struct atomics *a = &m->atomics[number % ATOMICS];
    if (a->number != number) *a = (struct atomics){.number = number, .block = block};
    a->met |= a->block != block;
    a->block = block;
    a->words |= words;
    a->cycles += lanes * lane;
    const double most = a->cycles / __builtin_popcount(a->words);
    if (most > m->most_atomics) m->most_atomics = most;
    if (a->met && most > m->most_met) m->most_met = most;
    const double starts = later(m->atomic_port, (double)now);
    m->atomic_port = starts + way * __builtin_popcount(line & 15);
    const double done = m->atomic_port - way + of->l2_latency - of->l1_latency;
    return (int64_t)(later((double)l2_load(sm, number, line & 15, now), done) + (a_word - 1) * lane);
}
