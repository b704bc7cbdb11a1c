// L2 and device memory: latencies and rates of loads, stores and atomics, and what a launch leaves
// in L2 for the next one.
#include "parts.h"

#include <math.h>

enum { SECTOR_BYTES = 32, LINE_BYTES = 128, SECTOR_WORDS = 8, ALL_SECTORS = 15, HALF_BYTES = 4096 };

// --- what launches leave in L2 -------------------------------------------------------------------

static bool holds(const struct sm_held *held, uint64_t allocation) {
    int i = 0;
    while (i < held->count && held->allocation[i] != allocation) i++;
    return i < held->count;
}

void sm_hold(struct sm_held *held, uint64_t allocation) {
    const int room = sizeof held->allocation / sizeof *held->allocation;
    if (allocation && held->count < room && !holds(held, allocation))
        held->allocation[held->count++] = allocation;
}

// Returns the region (allocation) that a line belongs to. Region 0 is for lines outside every
// allocation, and for allocations that find no room.
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

// Returns the line in L2; a missing line gets a place. Other SMs' stores are not modelled. If this
// SM's blocks have stored to the allocation, others are assumed to have stored the line, so that a
// strong load hits L2.
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

// Widens a sector mask to whole pairs of sectors, the unit in which device memory is read.
static uint8_t pairs_of(uint8_t sectors) {
    return (uint8_t)((sectors & 3 ? 3 : 0) | (sectors & 12 ? 12 : 0));
}

// Counts the pairs of sectors of a line that the SM's first block loads or stores. Each pair counts
// once.
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

// --- L2 ------------------------------------------------------------------------------------------

// Returns the cycles that the transfer of sectors takes at this SM's share of L2's bandwidth. L2
// serves pairs of sectors; a single sector takes nearly as long as a pair.
static double share_of(const struct sm *sm, uint8_t sectors) {
    const struct sm_machine *m = sm->machine;
    const int low = sectors & 3, high = sectors >> 2;
    const int pairs = (low == 3) + (high == 3), alone = (low != 0) + (high != 0) - pairs;
    return SECTOR_BYTES * (2 * pairs + alone * m->l2_gbytes / m->l2_sector_gbytes) /
           sm->memory.l2_bytes;
}

// Returns the cycle in which these sectors have passed from L2 to the SM. The SM's port and its
// share of L2's bandwidth are queues; the later one counts. The share is at most the port's rate,
// but the SM may also use the share that it left unused during the last memory_latency cycles.
static double transfer(struct sm *sm, uint8_t sectors, int64_t now) {
    struct memory *m = &sm->memory;
    const int bytes = __builtin_popcount(sectors) * SECTOR_BYTES;
    m->port = later(m->port, (double)now) + bytes / sm->machine->l2_port;
    m->share = later(m->share, (double)now - sm->machine->memory_latency) + share_of(sm, sectors);
    return later(m->port, m->share);
}

// Returns true if the line is in the half of L2 that is farther from the SM. The hash that assigns
// addresses to halves is not published; this one is a guess.
static bool is_far(uint64_t number) {
    return __builtin_parityll((number * LINE_BYTES / HALF_BYTES) * 0x9e3779b97f4a7c15ull >> 32);
}

static double from_l2(const struct sm *sm, uint64_t number) {
    const struct sm_machine *m = sm->machine;
    return m->l2_latency + (is_far(number) ? m->l2_far : -m->l2_far);
}

// Returns how often all blocks together request each byte of the line's allocation; 1 or more.
// Assumes that every block behaves like the first.
static double times_requested(const struct memory *m, const struct line *l) {
    const struct region *r = &m->region[l->region];
    return later(1, r->bytes ? r->expected * m->blocks / (double)r->bytes : 1);
}

// Charges `cycles` to device memory. Returns its recent utilisation, at most `most`.
static double use_device(struct memory *m, double cycles, int64_t now) {
    enum { LATELY = 2000 };
    static const double most = 0.9; // beyond this utilisation, device_port models the queue
    m->device_use = m->device_use * exp(smaller(m->device_time - (double)now, 0) / LATELY) + cycles;
    m->device_time = (double)now;
    return smaller(m->device_use / LATELY, most);
}

// Returns the cycle in which device memory has read the sectors `missing`. All SMs load at the same
// time, and those that request the same bytes share one read (times_requested). The first reads
// after a flush evict dirty lines, which must be written back first.
static double from_memory(struct sm *sm, const struct line *l, uint8_t missing, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const double bytes = __builtin_popcount(missing) * SECTOR_BYTES * m->active_share *
                         of->multiprocessors / times_requested(m, l);
    const bool writes_back = m->read < m->dirty_bytes;
    m->read += bytes;
    const double ns = writes_back ? bytes * 2 / of->dram_copy_gbytes : bytes / of->dram_gbytes;
    m->device_port = later(m->device_port, (double)now) + ns * of->clock_ghz;
    const double use = use_device(m, ns * of->clock_ghz, now);
    return m->device_port + of->memory_queue * use / (1 - use);
}

// Returns the cycle in which the sectors of a line arrive. L2 holds what this SM has loaded or
// stored, and what earlier launches left. Everything else is read from device memory, but may
// arrive before memory_latency if another SM requested it earlier (draw_lateness() in memory.c).
int64_t l2_load(struct sm *sm, uint64_t number, uint8_t sectors, int64_t now) {
    const struct sm_machine *m = sm->machine;
    struct line *l = use_l2(&sm->memory, number, false, now);
    const int pairs = ((sectors & 3) != 0) + ((sectors & 12) != 0);
    const uint8_t missing = sectors & (uint8_t)~l->sectors;
    const double there = transfer(sm, sectors, now);
    if (!l->held) sm->memory.loaded += 2 * SECTOR_BYTES * pairs;
    if (!missing)
        return (int64_t)later(there + from_l2(sm, number) - m->l1_latency, (double)l->arrives);
    const double read = from_memory(sm, l, pairs_of(missing) & (uint8_t)~l->sectors, now);
    l->sectors |= pairs_of(sectors);
    const bool is_first = sm->memory.drawn * times_requested(&sm->memory, l) < 1;
    const double late = is_first ? sm->memory.first : sm->memory.late;
    const int64_t arrives = (int64_t)(later(there, read) + m->memory_latency + late);
    if (arrives > l->arrives) l->arrives = arrives;
    return arrives;
}

// --- stores and fences ---------------------------------------------------------------------------

// Returns the cycle in which sectors that a copy requests a second time have arrived. A sector is
// requested twice if its 16-byte halves go to different 32-byte units of shared memory (Nsight
// Compute: requests and sectors of L2).
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

// Estimates how many sectors a store fills to less than a half. `lack` bytes are missing to fill
// half of every sector. One sector lacks at most a half less one word.
static double parts_of_sectors(const struct request *r) {
    enum { HALF_SECTOR = SECTOR_BYTES / 2 };
    const double lack = sectors_of(r) * HALF_SECTOR - r->instruction->stored * LINE_BYTES;
    return later(lack, 0) / (HALF_SECTOR - 4);
}

// Returns the mean cycles per line that a store takes on the way to L2. Every sector takes equally
// long, except that a sector of which less than a half is written takes twice as long (rows of C
// that are not aligned, best.csv: 3611 x 11861 x 1).
static double store_cycles(const struct sm *sm, const struct request *r) {
    const struct sm_machine *m = sm->machine;
    const double share =
        m->l2_store_gbytes / m->clock_ghz / (sm->memory.active_share * m->multiprocessors);
    const double bytes = SECTOR_BYTES * (sectors_of(r) + parts_of_sectors(r));
    return bytes / r->lines / smaller(m->store_port, share);
}

// Returns the cycle in which all SMs see a store that left the SM in cycle `there`. Fences and the
// end of the launch wait for this.
static double seen_from(const struct sm *sm, uint64_t number, double there) {
    return there + sm->machine->fence_store + (is_far(number) ? sm->machine->far_home : 0);
}

// Returns the cycle in which device memory has delivered the rest of partly written sectors. It
// reads whole pairs of sectors.
static double fill(struct sm *sm, struct line *l, uint8_t sectors, int64_t now) {
    const uint8_t missing = pairs_of(sectors & (uint8_t)~l->sectors);
    if (!missing) return (double)now;
    sm->memory.loaded += __builtin_popcount(missing) * SECTOR_BYTES;
    l->owed = missing;
    return from_memory(sm, l, missing, now) + sm->machine->memory_latency;
}

// Takes back the bytes that fill() charged, because the warp's next store completes the sectors.
static void complete(struct sm *sm, struct line *l) {
    sm->memory.loaded -= __builtin_popcount(l->owed) * SECTOR_BYTES;
    l->owed = 0;
}

// Charges device memory for stored sectors that L2 cannot hold.
static void write_back(struct sm *sm, uint8_t sectors, int64_t now) {
    const struct sm_machine *m = sm->machine;
    const double bytes =
        __builtin_popcount(sectors) * SECTOR_BYTES * sm->memory.active_share * m->multiprocessors;
    use_device(&sm->memory, bytes / m->dram_write_gbytes * m->clock_ghz, now);
}

// Returns true if a partial store is merged with the previous store, by the same warp, to the same
// sectors. Storing a row element by element costs no more than one wide store (Nsight Compute:
// sectors of L2).
static bool joins_store(struct line *l, uint8_t sectors, const struct sm_warp *w, int64_t now) {
    enum { JUST = 512 }; // cycles
    const bool joins = l->writer == w && now - l->stored < JUST && !(sectors & ~l->parts);
    l->writer = w;
    l->parts = sectors;
    l->stored = now;
    return joins;
}

// Returns the cycle in which a store has left the SM. Stores are written through to L2 and do not
// change L1.
int64_t l2_store(struct sm *sm, const struct request *r, int64_t now) {
    struct memory *m = &sm->memory;
    const double cycles = store_cycles(sm, r);
    const bool in_parts = parts_of_sectors(r) > 0;
    m->store_port = later(m->store_port, (double)now);
    for (int i = 0; i < r->lines; i++) {
        const uint64_t line = r->line[2 * i] | (uint64_t)r->line[2 * i + 1] << 32;
        struct line *l = use_l2(m, line >> 4, true, now);
        const bool joins = in_parts && joins_store(l, line & ALL_SECTORS, r->warp, now);
        m->store_port += joins ? 0 : cycles;
        if (joins) complete(sm, l);
        m->stored += __builtin_popcount(line & ALL_SECTORS) * SECTOR_BYTES;
        m->seen = later(m->seen, seen_from(sm, line >> 4, m->store_port));
        if (m->overflows) write_back(sm, line & ALL_SECTORS, now);
        if (in_parts) m->seen = later(m->seen, fill(sm, l, line & ALL_SECTORS, now));
        l->sectors |= line & ALL_SECTORS;
    }
    return (int64_t)m->store_port;
}

// Returns the cycle in which all SMs see all stores of this SM, including queued ones.
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

// --- atomics -------------------------------------------------------------------------------------

// Returns the chunk of memory that the line belongs to. Atomics of all SMs on one chunk are
// serialised; the longest such series is a lower bound of the launch's time.
static struct atomics *chunk_of(struct memory *m, uint64_t number) {
    return &m->atomics[number / CHUNK_LINES % ATOMIC_CHUNKS];
}

// Updates most_shared, the longest serial work on data that several blocks share: all atomics of a
// chunk, or the floating-point sums of one line, where each addition waits for the one before it.
static void find_most(struct memory *m, const struct atomics *a) {
    double cycles = 0;
    for (int i = 0; i < CHUNK_LINES; i++) {
        if (!a->line[i].shared) continue;
        cycles += a->line[i].cycles;
        m->most_shared = later(m->most_shared, a->line[i].floats);
    }
    m->most_shared = later(m->most_shared, cycles);
}

static void count_atomics(struct memory *m, uint64_t number, uint64_t block, double cycles,
                          double floats) {
    struct atomics *a = chunk_of(m, number);
    if (a->number != number / CHUNK_LINES) *a = (struct atomics){.number = number / CHUNK_LINES};
    struct atomics_line *l = &a->line[number % CHUNK_LINES];
    l->shared |= l->block && l->block != block;
    l->block = block;
    l->cycles += cycles;
    l->floats += floats;
    m->has_atomics = true;
    find_most(m, a);
}

void l2_share_atomics(struct sm *sm, uint64_t number) {
    struct atomics *a = chunk_of(&sm->memory, number);
    if (a->number != number / CHUNK_LINES) return;
    a->line[number % CHUNK_LINES].shared = true;
    find_most(&sm->memory, a);
}

// Returns the cycle in which an atomic, which L2 executes, is complete. Its sectors travel one by
// one, and so do lanes that share a word. Four queues bound the rate: the SM's path to L2, the path
// back for results, and the SM's shares of L2 for sectors and for lanes that share a word. The two
// shares matter if many SMs execute atomics.
int64_t l2_atomic(struct sm *sm, const struct request *r, uint64_t line, uint32_t lanes,
                  int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const struct instruction *in = r->instruction;
    const uint64_t number = line >> 4;
    const uint8_t mask = line & ALL_SECTORS;
    const int sectors = __builtin_popcount(mask), pairs = ((mask & 3) != 0) + ((mask & 12) != 0);
    const int words = lanes & 0xff, several = lanes >> 8 & 0xff, alone = lanes >> 16,
              twice = in->swaps ? 2 : 1;
    // wavefronts after the first one of each sector: lanes that share a word need them. `lanes` is
    // described in observer.h
    const int more = several + alone - sectors;
    const double fill = (double)(words - sectors) / (SECTOR_WORDS - 1);
    const double send =
        (of->atomic_send * sectors + (of->atomic_send_sector - of->atomic_send) * fill) * twice;
    const double share =
        (of->atomic_word * sectors + (of->atomic_sector - of->atomic_word) * fill) * twice;
    const double cycles = several * of->atomic_line * twice + alone * of->atomic_lane;
    count_atomics(m, number, r->warp->block->linear + 1, cycles,
                  in->floats ? alone * of->atomic_float_lane : 0);
    m->atomic_port = later(m->atomic_port, (double)now) + send + more * of->atomic_lane;
    m->atomic_back =
        later(m->atomic_back, (double)now) + (in->results ? (pairs + more) * of->atomic_return : 0);
    m->atomic_share = later(m->atomic_share, (double)now) +
                      (share + more * of->atomic_word +
                       (in->results ? of->atomic_result * share_of(sm, mask) : 0)) *
                          m->active_share;
    m->atomic_lanes =
        later(m->atomic_lanes, (double)now) + more * of->atomic_share * m->active_share;
    const double queued =
        later(later(m->atomic_port, m->atomic_back), later(m->atomic_share, m->atomic_lanes));
    const double home = of->atomic_latency - of->l1_latency + (is_far(number) ? of->far_home : 0);
    const double done = queued - of->atomic_send * twice + home;
    const double there = later((double)l2_load(sm, number, line & ALL_SECTORS, now), done);
    m->seen = later(m->seen, there + (is_far(number) ? of->far_home : 0));
    return (int64_t)there;
}
