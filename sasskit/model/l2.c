// L2 and device memory, as latencies and rates: of loads, of stores, of atomics; and what launches leave in L2.
#include "parts.h"

#include <math.h>

enum { SECTOR_BYTES = 32, LINE_BYTES = 128, SECTOR_WORDS = 8, ALL_SECTORS = 15, HALF_BYTES = 4096 };

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

// Device memory is read by pairs of sectors.
static uint8_t pairs_of(uint8_t sectors) {
    return (uint8_t)((sectors & 3 ? 3 : 0) | (sectors & 12 ? 12 : 0));
}

// The launch's first block loads or stores a line; what it asks for again counts once.
void l2_expect(struct sm *sm, uint64_t line) {
    struct region *r = region_of(&sm->memory, line >> 4);
    struct line *l = cache_use(&sm->memory.expected, line >> 4, 0);
    const uint8_t more = pairs_of(line & ALL_SECTORS) & (uint8_t)~l->sectors;
    r->expected += __builtin_popcount(more) * SECTOR_BYTES;
    l->sectors |= more;
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

// How often all blocks together ask for an allocation's bytes, if they all do as the first one.
static double times_asked(const struct memory *m, const struct line *l) {
    const struct region *r = &m->region[l->region];
    return later(1, r->bytes ? r->expected * m->blocks / (double)r->bytes : 1);
}

// Takes so many cycles of device memory, and returns which part of its time has been in use lately.
static double use_device(struct memory *m, double cycles, int64_t now) {
    enum { LATELY = 2000 };
    static const double most = 0.9; // beyond that its port has a queue of its own
    m->device_use = m->device_use * exp(smaller(m->device_time - (double)now, 0) / LATELY) + cycles;
    m->device_time = (double)now;
    return smaller(m->device_use / LATELY, most);
}

// When device memory has read some sectors. All SMs ask for theirs at the same time, of an allocation of which all blocks together, by
// what the first one asks for, want each byte several times for those that want the same at once. The first of it takes the places of
// what a flush has written, which has to be written back.
static double from_memory(struct sm *sm, const struct line *l, uint8_t missing, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const double bytes = __builtin_popcount(missing) * SECTOR_BYTES * m->part * of->multiprocessors / times_asked(m, l);
    const bool writes_back = m->read < m->dirty_bytes;
    m->read += bytes;
    const double ns = writes_back ? bytes * 2 / of->dram_copy_gbytes : bytes / of->dram_gbytes;
    m->device_port = later(m->device_port, (double)now) + ns * of->clock_ghz;
    const double use = use_device(m, ns * of->clock_ghz, now);
    return m->device_port + of->memory_queue * use / (1 - use);
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
    const double read = from_memory(sm, l, pairs_of(missing) & (uint8_t)~l->sectors, now);
    l->sectors |= pairs_of(sectors);
    const bool is_first = sm->memory.drawn * times_asked(&sm->memory, l) < 1;
    const double late = is_first ? sm->memory.first : sm->memory.late;
    const int64_t arrives = (int64_t)(later(there, read) + m->memory_latency + late);
    if (arrives > l->arrives) l->arrives = arrives;
    return arrives;
}

// --- stores and fences ---------------------------------------------------------------------------------------------------------

// When sectors have come that are asked for twice: where the halves of one part in shared memory, each sector there is a request of its
// own, and half of what it asks for has no neighbour with it (Nsight Compute: requests and sectors of L2).
int64_t l2_again(struct sm *sm, int sectors, int64_t now) {
    double there = (double)now;
    for (; sectors > 0; sectors--) there = transfer(sm, 1, now);
    return (int64_t)(there + sm->machine->l2_latency - sm->machine->l1_latency);
}

static int sectors_of(const struct request *r) {
    int sectors = 0;
    for (int i = 0; i < r->lines; i++) sectors += __builtin_popcount(r->line[2 * i] & ALL_SECTORS);
    return sectors;
}

// About how many sectors get a part of their bytes only: by what the lanes' data lack, at most seven words a sector.
static double parts_of_sectors(const struct request *r) {
    const double lack = sectors_of(r) * SECTOR_BYTES - r->instruction->stored * LINE_BYTES;
    return later(lack, 0) / (SECTOR_BYTES - 4);
}

// Cycles of the way to L2 for a line of a store, on average. A part of a sector takes as long as two sectors.
static double store_cycles(const struct sm *sm, const struct request *r) {
    const struct sm_machine *m = sm->machine;
    const double share = m->l2_store_gbytes / m->clock_ghz / (sm->memory.part * m->multiprocessors);
    const double bytes = SECTOR_BYTES * (sectors_of(r) + parts_of_sectors(r));
    return bytes / r->lines / smaller(m->store_port, share);
}

// From when on all SMs see what has left at `there`. A fence waits for that, and so does the end of the launch.
static double seen_from(const struct sm *sm, uint64_t number, double there) {
    return there + sm->machine->fence_store + (is_far(number) ? sm->machine->far_home : 0);
}

// Of sectors that get a part of their bytes only the rest is read from device memory, by pairs.
static double fill(struct sm *sm, const struct line *l, uint8_t sectors, int64_t now) {
    const uint8_t missing = pairs_of(sectors & (uint8_t)~l->sectors);
    if (!missing) return (double)now;
    sm->memory.loaded += __builtin_popcount(missing) * SECTOR_BYTES;
    return from_memory(sm, l, missing, now) + sm->machine->memory_latency;
}

// What L2 cannot hold goes to device memory, at some time.
static void write_back(struct sm *sm, uint8_t sectors, int64_t now) {
    const struct sm_machine *m = sm->machine;
    const double bytes = __builtin_popcount(sectors) * SECTOR_BYTES * sm->memory.part * m->multiprocessors;
    use_device(&sm->memory, bytes / m->dram_write_gbytes * m->clock_ghz, now);
}

// Whether parts of sectors go together with what the same warp has just stored there: one store for each of a row's elements does not
// cost more than one for all (Nsight Compute: sectors of L2).
static bool joins_store(struct line *l, uint8_t sectors, const struct warp *w, int64_t now) {
    enum { JUST = 512 }; // cycles
    const bool joins = l->writer == w && now - l->stored < JUST && !(sectors & ~l->parts);
    l->writer = w;
    l->parts = sectors;
    l->stored = now;
    return joins;
}

// Stores go through to L2 and leave L1 as it is. Returns when they have left.
int64_t l2_store(struct sm *sm, const struct request *r, int64_t now) {
    struct memory *m = &sm->memory;
    const double cycles = store_cycles(sm, r);
    const bool in_parts = 2 * parts_of_sectors(r) > sectors_of(r);
    m->store_port = later(m->store_port, (double)now);
    for (int i = 0; i < r->lines; i++) {
        const uint64_t line = r->line[2 * i] | (uint64_t)r->line[2 * i + 1] << 32;
        struct line *l = use_l2(m, line >> 4, true, now);
        const bool joins = in_parts && joins_store(l, line & ALL_SECTORS, r->warp, now);
        m->store_port += joins ? 0 : cycles;
        m->stored += __builtin_popcount(line & ALL_SECTORS) * SECTOR_BYTES;
        m->seen = later(m->seen, seen_from(sm, line >> 4, m->store_port));
        if (m->overflows) write_back(sm, line & ALL_SECTORS, now);
        if (in_parts) m->seen = later(m->seen, fill(sm, l, line & ALL_SECTORS, now));
        l->sectors |= line & ALL_SECTORS;
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

// What all SMs want of a chunk of memory is done one after the other, which counts for the whole launch.
static struct atomics *chunk_of(struct memory *m, uint64_t number) {
    return &m->atomics[number / CHUNK_LINES % ATOMIC_CHUNKS];
}

// What takes most of what several blocks want: all of a chunk, or a line's floats, whose word waits for one sum before the next.
static void find_most(struct memory *m, const struct atomics *a) {
    double cycles = 0;
    for (int i = 0; i < CHUNK_LINES; i++) {
        if (!a->line[i].met) continue;
        cycles += a->line[i].cycles;
        m->most_met = later(m->most_met, a->line[i].floats);
    }
    m->most_met = later(m->most_met, cycles);
}

static void count_atomics(struct memory *m, uint64_t number, uint64_t block, double cycles, double floats) {
    struct atomics *a = chunk_of(m, number);
    if (a->number != number / CHUNK_LINES) *a = (struct atomics){.number = number / CHUNK_LINES};
    struct atomics_line *l = &a->line[number % CHUNK_LINES];
    l->met |= l->block && l->block != block;
    l->block = block;
    l->cycles += cycles;
    l->floats += floats;
    m->has_atomics = true;
    find_most(m, a);
}

void l2_meet(struct sm *sm, uint64_t number) {
    struct atomics *a = chunk_of(&sm->memory, number);
    if (a->number != number / CHUNK_LINES) return;
    a->line[number % CHUNK_LINES].met = true;
    find_most(&sm->memory, a);
}

// An atomic is done in L2. Its sectors get there one by one, and so do lanes that want one word.
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t turns, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const struct instruction *in = r->instruction;
    const uint64_t number = line >> 4;
    const int sectors = __builtin_popcount(line & ALL_SECTORS), twice = in->swaps ? 2 : 1;
    const int wanted = turns & 0xff, several = turns >> 8 & 0xff, alone = turns >> 16;
    const int more = several + alone - sectors;
    const double full = (of->atomic_sector - of->atomic_word) / (SECTOR_WORDS - 1) * (wanted - sectors);
    const double way = (of->atomic_word * sectors + full) * twice + more * of->atomic_word;
    const double cycles = several * of->atomic_line * twice + alone * of->atomic_lane;
    count_atomics(m, number, r->warp->block->linear + 1, cycles, in->floats ? alone * of->atomic_float_lane : 0);
    m->atomic_port = later(m->atomic_port, (double)now) + way;
    m->atomic_share = later(m->atomic_share, (double)now) + more * of->atomic_share * m->part;
    if (in->results) m->atomic_port += of->atomic_result * share_of(sm, line & ALL_SECTORS);
    const double home = of->atomic_latency - of->l1_latency + (is_far(number) ? of->far_home : 0);
    const double done = later(m->atomic_port, m->atomic_share) - of->atomic_word * twice + home;
    const double there = later((double)l2_load(sm, number, line & ALL_SECTORS, now), done);
    m->seen = later(m->seen, there + (is_far(number) ? of->far_home : 0));
    return (int64_t)there;
}
