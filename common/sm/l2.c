// L2 and device memory, as latencies and rates: of loads, of stores, of atomics; and what launches leave in L2.
#include "parts.h"

enum { SECTOR_BYTES = 32, LINE_BYTES = 128, SECTOR_WORDS = 8, ALL_SECTORS = 15, HALF_BYTES = 4096 };

static double later(double a, double b) {
    return a > b ? a : b;
}
static double smaller(double a, double b) {
    return a < b ? a : b;
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

// The allocation of a line; the first region is for what is in none, and for those that there is no room for.
static struct region *region_of(struct memory *m, uint64_t number) {
    const uint64_t address = number * LINE_BYTES;
    for (int i = 1; i < m->regions; i++) {
        if (address - m->region[i].base < m->region[i].bytes) return &m->region[i];
    }
    uint64_t bytes;
    const uint64_t base = sim_allocation(m->device, address, &bytes);
    if (!base || m->regions == REGIONS) return &m->region[0];
    const bool held = m->before && holds(m->before, base);
    m->region[m->regions] = (struct region){.base = base, .bytes = bytes, .held = held};
    return &m->region[m->regions++];
}

// A load of what other SMs store finds it in L2, if the SM's own blocks store in the same allocation.
static struct line *use_l2(struct memory *m, uint64_t number, bool store, int64_t now) {
    struct line *l = cache_use(&m->l2, number, now);
    if (l->sectors) return l;
    struct region *r = region_of(m, number);
    r->used = true;
    r->stored_to |= store;
    l->region = (uint8_t)(r - m->region);
    l->held = r->held || (m->strong && !store && r->stored_to);
    if (l->held) l->sectors = ALL_SECTORS;
    return l;
}

// The launch's first block loads or stores a line.
void l2_expect(struct sm *sm, uint64_t line, bool loads) {
    region_of(&sm->memory, line >> 4)->expected += loads ? __builtin_popcount(line & ALL_SECTORS) * SECTOR_BYTES : 0;
}

void l2_keep(const struct sm *sm, struct sm_held *held) {
    for (int i = 1; i < sm->memory.regions; i++) {
        if (sm->memory.region[i].used) sm_hold(held, sm->memory.region[i].base);
    }
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

// L2 has two halves, and an SM is near to one of them. Which piece of memory is where is not published.
static bool is_far(uint64_t number) {
    return __builtin_parityll((number * LINE_BYTES / HALF_BYTES) * 0x9e3779b97f4a7c15ull >> 32);
}

static double from_l2(const struct sm *sm, uint64_t number) {
    const struct sm_machine *m = sm->machine;
    return m->l2_latency + (is_far(number) ? m->l2_far : -m->l2_far);
}

// When device memory has read some sectors. All SMs ask for theirs at the same time, of an allocation of which all blocks together, by
// what the first one asks for, want each byte several times for those that want the same at once. The first of it takes the places of
// what a flush has written, which has to be written back.
static double from_memory(struct sm *sm, const struct line *l, uint8_t missing, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const struct region *r = &m->region[l->region];
    const double all = later(1, r->bytes ? r->expected * m->blocks / (double)r->bytes : 1);
    const double bytes = __builtin_popcount(missing) * SECTOR_BYTES * m->part * of->multiprocessors / all;
    const bool writes_back = m->read < m->dirty_bytes;
    m->read += bytes;
    const double ns = writes_back ? bytes * 2 / of->dram_copy_gbytes : bytes / of->dram_gbytes;
    m->device_port = later(m->device_port, (double)now) + ns * of->clock_ghz;
    return m->device_port;
}

// When sectors of a line come, asked for now. L2 holds what the SM has asked for or stored, and what earlier launches have; all else is
// in device memory, also what other SMs have asked for: their blocks run at the same time, and ask for it at about the same time.
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now) {
    const struct sm_machine *m = sm->machine;
    struct line *l = use_l2(&sm->memory, number, false, now);
    const int pairs = ((sectors & 3) != 0) + ((sectors & 12) != 0);
    const uint8_t missing = sectors & (uint8_t)~l->sectors;
    const double there = transfer(sm, sectors, now);
    if (!l->held) sm->memory.loaded += 2 * SECTOR_BYTES * pairs; // device memory is read by pairs
    if (!missing) return (int64_t)later(there + from_l2(sm, number) - m->l1_latency, (double)l->arrives);
    l->sectors |= sectors;
    const double read = from_memory(sm, l, missing, now);
    const int64_t arrives = (int64_t)(later(there, read) + m->memory_latency + sm->memory.late);
    if (arrives > l->arrives) l->arrives = arrives;
    return arrives;
}

// --- stores and fences ---------------------------------------------------------------------------------------------------------

// Cycles of the way to L2 for a line of a store, on average: its data pass, not the rest of their sectors.
static double store_cycles(const struct sm *sm, const struct request *r) {
    const struct sm_machine *m = sm->machine;
    const double share = m->l2_store_gbytes / m->clock_ghz / (sm->memory.part * m->multiprocessors);
    int sectors = 0;
    for (int i = 0; i < r->lines; i++) sectors += __builtin_popcount(r->line[2 * i] & ALL_SECTORS);
    const double bytes = smaller(sectors * SECTOR_BYTES, r->instruction->stored * LINE_BYTES); // of all lanes
    return bytes / r->lines / smaller(m->store_port, share);
}

// From when on all SMs see what has left at `there`. A fence waits for that, and so does the end of the launch.
static double seen_from(const struct sm *sm, uint64_t number, double there) {
    return there + sm->machine->fence_store + (is_far(number) ? sm->machine->far_home : 0);
}

// Stores go through to L2 and leave L1 as it is. Returns when they have left.
int64_t l2_store(struct sm *sm, const struct request *r, int64_t now) {
    struct memory *m = &sm->memory;
    const double cycles = store_cycles(sm, r);
    m->store_port = later(m->store_port, (double)now);
    for (int i = 0; i < r->lines; i++) {
        const uint64_t line = r->line[2 * i] | (uint64_t)r->line[2 * i + 1] << 32;
        m->store_port += cycles;
        m->stored += __builtin_popcount(line & ALL_SECTORS) * SECTOR_BYTES;
        m->seen = later(m->seen, seen_from(sm, line >> 4, m->store_port));
        use_l2(m, line >> 4, true, now)->sectors |= line & ALL_SECTORS;
    }
    return (int64_t)m->store_port;
}

// When all SMs see what the SM has stored so far, with what still waits at the schedulers.
int64_t l2_seen(struct sm *sm, int64_t now) {
    struct memory *m = &sm->memory;
    double port = later(m->store_port, (double)now), when = m->seen;
    for (int i = 0; i < SCHEDULERS; i++) {
        const struct queue *q = &sm->scheduler[i].queue[QUEUE_LSU];
        for (int k = 0; k < q->count; k++) {
            const struct request *r = &q->request[(q->head + k) % QUEUE];
            if (r->instruction->kind != KIND_STORE || r->instruction->local) continue;
            for (int n = 0; n < r->lines; n++) {
                const uint64_t line = r->line[2 * n] | (uint64_t)r->line[2 * n + 1] << 32;
                port += store_cycles(sm, r);
                when = later(when, seen_from(sm, line >> 4, port));
            }
        }
    }
    return (int64_t)when;
}

// --- atomics -------------------------------------------------------------------------------------------------------------------

// What all SMs want of a line is done one after the other, which counts for the whole launch.
static void count_atomics(struct memory *m, uint64_t number, uint64_t block, double cycles) {
    struct atomics *a = &m->atomics[number % ATOMIC_LINES];
    if (a->number != number) *a = (struct atomics){.number = number, .block = block};
    a->met |= a->block != block;
    a->block = block;
    a->cycles += cycles;
    if (a->cycles > m->most_atomics) m->most_atomics = a->cycles;
    if (a->met && a->cycles > m->most_met) m->most_met = a->cycles;
}

double atomics_of_line(const struct sm *sm, uint64_t number) {
    const struct atomics *a = &sm->memory.atomics[number % ATOMIC_LINES];
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
    const double home = of->atomic_latency - of->l1_latency + (is_far(number) ? of->far_home : 0);
    const double done = later(m->atomic_port, m->atomic_share) - first + home;
    const double there = later((double)l2_load(sm, number, line & ALL_SECTORS, now), done);
    m->seen = later(m->seen, there + (is_far(number) ? of->far_home : 0));
    return (int64_t)there;
}
