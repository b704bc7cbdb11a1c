// What L1 and L2 hold, and how long sectors take that L1 does not: from L2 or from device memory, as two latencies and a rate.
#include "parts.h"

#include <stdlib.h>

enum { WAYS = 8, SECTOR_BYTES = 32, LINE_BYTES = 128, SECTOR_WORDS = 8, ALL_SECTORS = 15, ATOMICS = 1 << 16 };

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

// --- what launches leave in L2 -------------------------------------------------------------------------------------------------

static bool holds(const struct sm_held *held, uint64_t allocation) {
    int i = 0;
    while (i < held->count && held->allocation[i] != allocation) i++;
    return i < held->count;
}

void sm_hold(struct sm_held *held, uint64_t allocation) {
    const int room = sizeof held->allocation / sizeof *held->allocation;
    if (allocation && held->count < room && !holds(held, allocation)) held->allocation[held->count++] = allocation;
}

static struct line *use_l2(struct memory *m, uint64_t number, int64_t now) {
    struct line *l = use_line(&m->l2, number, now);
    if (l->sectors) return l;
    const uint64_t allocation = sim_allocation(m->device, number * LINE_BYTES);
    sm_hold(&m->after, allocation);
    l->held = holds(&m->before, allocation);
    if (l->held) l->sectors = ALL_SECTORS;
    return l;
}

// --- L2 ------------------------------------------------------------------------------------------------------------------------

// Cycles of the SM's share of what L2 gives to all. It serves sectors by pairs, and one alone takes nearly as long as both.
static double share_of(const struct sm *sm, uint8_t sectors) {
    const struct sm_machine *m = sm->machine;
    const int low = sectors & 3, high = sectors >> 2;
    const int pairs = (low == 3) + (high == 3), alone = (low != 0) + (high != 0) - pairs;
    return SECTOR_BYTES * (2 * pairs + alone * m->l2_gbytes / m->l2_sector_gbytes) / sm->memory.l2_bytes;
}

// When the last of some sectors of a line has passed between L2 and the SM. The port takes them in turn. The SM's share is less than
// its port, but what was not used for the time of a load in flight can be made up for.
static double transfer(struct sm *sm, uint8_t sectors, int64_t now) {
    struct memory *m = &sm->memory;
    const int bytes = __builtin_popcount(sectors) * SECTOR_BYTES;
    m->port = later(m->port, (double)now) + bytes / sm->machine->l2_port;
    m->share = later(m->share, (double)now - sm->machine->memory_latency) + share_of(sm, sectors);
    return later(m->port, m->share);
}

// L2 has two halves, and an SM is near to one of them.
static double from_l2(const struct sm *sm, uint64_t number) {
    const struct sm_machine *m = sm->machine;
    const bool far = __builtin_parityll(number * 0x9e3779b97f4a7c15ull >> 32);
    return m->l2_latency + (far ? m->l2_far : -m->l2_far);
}

// When sectors of a line come, asked for now. L2 holds what the SM has asked for or stored, and what earlier launches have; all else is
// in device memory, also what other SMs have asked for: their blocks run at the same time, and ask for it at about the same time.
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now) {
    const struct sm_machine *m = sm->machine;
    struct line *l = use_l2(&sm->memory, number, now);
    const int pairs = ((sectors & 3) != 0) + ((sectors & 12) != 0);
    const double there = transfer(sm, sectors, now);
    if (!l->held) sm->memory.loaded += 2 * SECTOR_BYTES * pairs; // device memory is read by pairs
    if ((sectors & ~l->sectors) == 0)
        return (int64_t)later(there + from_l2(sm, number) - m->l1_latency, (double)l->arrives);
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
    transfer(sm, sectors, now);
    sm->memory.stored += __builtin_popcount(sectors) * SECTOR_BYTES;
    use_l2(&sm->memory, line >> 4, now)->sectors |= sectors;
}

// Local memory stays in L1 until it has to make room.
void l1_store_local(struct sm *sm, uint64_t line, int64_t now) {
    struct line *l = use_line(&sm->memory.l1, line >> 4, now);
    l->sectors |= line & 15;
    if (l->arrives < now) l->arrives = now;
    use_line(&sm->memory.l2, line >> 4, now)->sectors |= line & 15;
}

// --- atomics -------------------------------------------------------------------------------------------------------------------

// What all SMs want of a line is done one after the other, which counts for the whole launch.
static void count_atomics(struct memory *m, uint64_t number, uint64_t block, double cycles) {
    struct atomics *a = &m->atomics[number % ATOMICS];
    if (a->number != number) *a = (struct atomics){.number = number, .block = block};
    a->met |= a->block != block;
    a->block = block;
    a->cycles += cycles;
    if (a->cycles > m->most_atomics) m->most_atomics = a->cycles;
    if (a->met && a->cycles > m->most_met) m->most_met = a->cycles;
}

double atomics_of_line(const struct sm *sm, uint64_t number) {
    const struct atomics *a = &sm->memory.atomics[number % ATOMICS];
    return a->number == number ? a->cycles : 0;
}

// An atomic is done in L2. Its sectors get there one by one, and so do lanes that want one word.
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t words, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const struct instruction *in = r->instruction;
    const uint64_t number = line >> 4;
    const int sectors = __builtin_popcount(line & ALL_SECTORS), wanted = __builtin_popcount(words);
    const double more = (double)r->wavefronts / r->lines - wanted; // lanes that are not the first at their word
    const double lane = in->floats ? of->atomic_float_lane : of->atomic_lane;
    const double full = (of->atomic_sector - of->atomic_word) / (SECTOR_WORDS - 1) * (wanted - sectors);
    const double first = of->atomic_word * (in->swaps ? 2 : 1);
    const double way = (of->atomic_word * sectors + full) * (in->swaps ? 2 : 1) + more * of->atomic_word;
    count_atomics(m, number, r->warp->block->linear + 1, sectors * of->atomic_line + more * lane);
    m->atomic_port = later(m->atomic_port, (double)now) + way;
    m->atomic_share = later(m->atomic_share, (double)now) + more * of->atomic_share * m->part;
    if (in->results) m->atomic_port += of->atomic_result * share_of(sm, line & ALL_SECTORS);
    const double done = later(m->atomic_port, m->atomic_share) - first + from_l2(sm, number) - of->l1_latency;
    return (int64_t)later((double)l2_load(sm, number, line & ALL_SECTORS, now), done);
}
