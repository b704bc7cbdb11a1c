// Global, local and generic memory: LDG STG LD ST LDL STL, asynchronous copies, and atomics.
//
// Requests and sectors are counted as in Nsight Compute. A request is a warp instruction with an
// active lane. Its sectors are the distinct 32-byte pieces of memory that the lanes touch.
#include "halves.h"
#include "lanes.h"
#include "sectors.h"
#include "sim/counts/banks.h"
#include "sim/counts/picture.h"
#include "sim/machine/room.h"

#include <pthread.h>

// --- addresses -----------------------------------------------------------------------------------

static bool bind_global_address(struct detail *d) {
    const struct sass_operand *o = &d->instruction.operand[SASS_M];
    if (o->kind != SASS_ADDRESS) return false;
    d->memo = (uint8_t)(d->program->global_requests++ % GLOBAL_MEMOS);
    bind_rows_of_address(d);
    d->wide =
        o->wide || (!o->unsigned32 && !o->has_uniform && d->instruction.modifiers.extended_address);
    return o->scale == SASS_SCALE_1;
}

// Reports lanes that would write to the copy of constant memory (launch->constants), which kernels
// may only read. Returns the other lanes of the mask.
static uint32_t spare_constants(struct warp *w, const struct uop *u, const uint64_t *address,
                                uint32_t mask) {
    const struct launch_state *launch = w->block->launch;
    EACH_LANE(l, launch->constants ? mask : 0) {
        if (address[l] - launch->constants >= launch->constant_bytes[3]) continue;
        checks_report(w, REPORT_ADDRESS, u->detail->index, l, false,
                      "writes %d bytes of constant memory, at c[0x3][0x%x]", u->detail->width,
                      (unsigned)(address[l] - launch->constants));
        mask &= ~(1u << l);
    }
    return mask;
}

// The slow path. Reports lanes that are misaligned or outside every allocation, and returns the
// others with their host addresses. unread[lane] is the number of bytes at the end of the access
// that are not read; all 0 if `unread` is NULL.
static uint32_t check_lanes(struct warp *w, const struct uop *u, const uint64_t *address,
                            uint32_t mask, const char *verb, const uint8_t *unread,
                            uint8_t **host) {
    const struct detail *m = u->detail;
    char where[192];
    EACH_LANE(l, mask) {
        const uint32_t bytes = m->width - (unread ? unread[l] : 0u);
        const struct allocation *a =
            memory_find(w->block->launch->memory, address[l], address[l] + bytes);
        if (address[l] % m->width != 0) {
            evidence_about(w, "global", address[l], m->width, verb)->facts = FACT_MISALIGNED;
            checks_report(w, REPORT_ADDRESS, m->index, l, false,
                          "%s %d bytes at 0x%llx, which is not aligned: not a multiple of %d", verb,
                          m->width, (unsigned long long)address[l], m->width);
        } else if (!a) {
            memory_describe(w->block->launch->memory, address[l], where, sizeof where);
            struct evidence *v = evidence_about(w, "global", address[l], bytes, verb);
            v->facts = strstr(where, "freed") ? FACT_OUTSIDE | FACT_FREED : FACT_OUTSIDE;
            v->overshoot = memory_overshoot(w->block->launch->memory, address[l], &v->allocated);
            checks_report(w, REPORT_ADDRESS, m->index, l, false, "%s %u bytes at 0x%llx: %s", verb,
                          bytes, (unsigned long long)address[l], where);
        } else {
            host[l] = a->host + (address[l] - a->base);
            continue;
        }
        mask &= ~(1u << l);
    }
    return mask;
}

// Returns the instruction's memo (state.h). Refills it unless the addresses are the memo's, all
// shifted by one distance. Sets *range to the range of the addresses.
static struct global_memo *recall(struct warp *w, const struct detail *m, const uint64_t *address,
                                  uint32_t mask, struct byte_range *range) {
    struct global_memo *memo = &w->requests.global_memo[m->memo];
    const uint64_t by = address[0] - memo->address[0];
    uint64_t odd = (by & (m->width - 1u)) | by % 4 | (memo->mask ^ mask) | (memo->width ^ m->width);
    _Pragma("omp simd reduction(|:odd)") for (int l = 0; l < LANES; l++) odd |=
        (address[l] - memo->address[l]) ^ by;
    if (!odd) {
        *range = (struct byte_range){memo->low + by, memo->high + by};
        return memo;
    }
    *range = address_range(address, mask);
    *memo = (struct global_memo){
        .low = range->low, .high = range->high, .mask = mask, .width = m->width};
    memcpy(memo->address, address, sizeof memo->address);
    uint64_t bits = 0;
    EACH_LANE(l, mask) bits |= address[l];
    memo->aligned = (bits & (m->width - 1u)) == 0;
    return memo;
}

static void note_lowest(uint64_t *lowest, uint64_t low, uint32_t mask) {
    if (mask && (!*lowest || low < *lowest)) *lowest = low;
}

static void count_request(struct warp *w, const struct detail *m, const uint64_t *address,
                          uint32_t mask, struct global_memo *memo, struct byte_range range) {
    struct tally *tally = &w->block->tally[m->index];
    uint8_t *sectors = &memo->sectors[address[0] / 4 % LANES];
    if (!*sectors) *sectors = (uint8_t)count_sectors(address, mask, range);
    tally->requests++;
    tally->sectors += *sectors;
    if (__builtin_expect(w->block->lowest != NULL, 0))
        note_lowest(&w->block->lowest[m->index], range.low, mask);
    if (__builtin_expect(w->block->launch->picture != NULL, 0))
        picture_draw(w, m, NULL, address, mask, false);
}

// A request to device memory.
struct global_request {
    struct global_memo *memo;
    uint32_t good;         // mask of the lanes with valid addresses
    const uint8_t *origin; // host address of `base`; NULL if host[] is used instead
    uint64_t base;         // device address of the one allocation that all lanes access
    uint8_t *host[LANES];  // host address per lane; not filled if `origin` is set
};
// Returns the host address of a lane's access.
INLINE uint8_t *place(const struct global_request *r, const uint64_t *address, int lane) {
    return r->origin ? (uint8_t *)(uintptr_t)r->origin + (address[lane] - r->base) : r->host[lane];
}
INLINE void make_request(struct warp *w, const struct uop *u, const uint64_t *address,
                         uint32_t mask, const char *verb, const uint8_t *unread,
                         struct global_request *r) {
    struct byte_range range;
    r->memo = recall(w, u->detail, address, mask, &range);
    const struct allocation *a =
        memory_find(w->block->launch->memory, range.low, range.high + u->detail->width);
    const bool whole = a && range.low <= range.high && r->memo->aligned;
    r->origin = whole ? a->host : NULL;
    r->base = whole ? a->base : 0;
    r->good = whole ? mask : check_lanes(w, u, address, mask, verb, unread, r->host);
    count_request(w, u->detail, address, mask, r->memo, range);
}

// L1 looks up four lines per cycle, so a request counts as at least this many lines.
enum { LEAST_LINES = 4 };
// Counts the cycles of L1's data banks for a load, and the lines whose tags L1 looks up. L1 spreads
// a line over its banks as shared memory does.
static void count_in_l1(struct tally *tally, struct global_memo *memo, const uint64_t *address) {
    uint8_t *lines = &memo->lines[address[0] / 4 % LANES];
    uint32_t low[LANES];
    for (int l = 0; l < LANES && !memo->bank_cycles; l++) low[l] = (uint32_t)address[l];
    if (!memo->bank_cycles)
        memo->bank_cycles = (uint8_t)banks_least(low, memo->mask, (int)memo->width);
    if (!*lines) {
        const uint32_t count = count_places(address, memo->mask, LINE_SHIFT);
        *lines = (uint8_t)(count > LEAST_LINES ? count : LEAST_LINES);
    }
    tally->bank_cycles += memo->bank_cycles;
    tally->lines += *lines;
}

// Returns the row of word i of a store's data. Words 0 to 3 are in B and the next registers, words
// 4 to 7 in C and the next registers. RZ stands for any number of zero words.
INLINE const uint32_t *data_row(const struct warp *w, const struct uop *u, int i) {
    const int o = 1 + i / 4;
    const bool zero = u->source_base[o] == 0 && u->source[o] == ROW_ZERO * sizeof *w->row;
    return source(w, u, o) + (zero ? 0 : i % 4 * LANES);
}

// Passes the lanes' accesses to the checks of device memory.
static void watch(struct warp *w, const struct uop *u, const uint64_t *address, uint32_t mask,
                  enum access how) {
    const struct detail *m = u->detail;
    const bool writes = how == ACCESS_WRITE || how == ACCESS_FLAG;
    EACH_LANE(l, mask) {
        uint32_t value[8];
        for (int i = 0; writes && i < (m->width + 3) / 4; i++) value[i] = data_row(w, u, i)[l];
        global_access(w, u, l, address[l], m->width, how, writes ? value : NULL);
    }
}

// Compares the stored values with those that other blocks have stored at the same addresses.
static void watch_overlaps(struct warp *w, const struct uop *u, const uint64_t *address,
                           uint32_t mask) {
    const struct detail *m = u->detail;
    EACH_LANE(l, mask) {
        uint32_t value[8];
        for (int i = 0; i < (m->width + 3) / 4; i++) value[i] = data_row(w, u, i)[l];
        global_store(w, u, l, address[l], m->width, value);
    }
}

static bool stores_alike(const struct warp *w, const struct uop *u, int lane, int other) {
    bool alike = true;
    for (int i = 0; i < (u->detail->width + 3) / 4; i++) {
        const uint32_t *row = data_row(w, u, i);
        alike &= row[lane] == row[other];
    }
    return alike;
}

// Reports two lanes that store to one address in one instruction: only one lane's value remains.
// Equal values are reported only if the source line may add to what it stores (detail.adds).
static void look_for_lost(struct warp *w, const struct uop *u, const uint64_t *address,
                          uint32_t mask) {
    bool rises = mask == ALL_LANES;
    for (int l = 1; l < LANES; l++) rises &= address[l - 1] < address[l];
    if (rises) return;
    EACH_LANE(l, mask) {
        EACH_LANE(k, mask & ((1u << l) - 1)) {
            if (address[k] != address[l] ||
                (!u->detail->adds && stores_alike(w, u, (int)l, (int)k)))
                continue;
            global_report_lost(w, u, (int)l, (int)k, address[l]);
            return;
        }
    }
}

// --- loads and stores ----------------------------------------------------------------------------

// Loads one value for all lanes of the mask, which have one address. The lanes' values are then
// equal even if another host thread writes meanwhile. nvcc relies on that: it computes with such
// values in uniform registers.
static void load_one(uint32_t (*d)[LANES], uint32_t mask, const uint8_t *from, int size) {
    const int lane = first_lane(mask), words = size < 5 ? 1 : size == 5 ? 2 : 4;
    put_lane(d, lane, from, size);
    for (int i = 0; i < words; i++) {
        const uint32_t value = d[i][lane];
        EACH_LANE(l, mask) d[i][l] = value;
    }
}
// Gives all lanes with the same address the value that the first of them loaded.
static void agree(uint32_t (*d)[LANES], const uint64_t *address, uint32_t mask, int size) {
    const int words = size < 5 ? 1 : size == 5 ? 2 : 4;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const int first = first_lane(rest);
        EACH_LANE(l, rest & (rest - 1)) {
            if (address[l] != address[first]) continue;
            for (int i = 0; i < words; i++) d[i][l] = d[i][first];
            rest &= ~(1u << l);
        }
    }
}

static void load(struct warp *w, const struct uop *u, const uint64_t *address, uint32_t mask) {
    const struct detail *m = u->detail;
    const int size = m->instruction.modifiers.size;
    struct global_request r;
    make_request(w, u, address, mask, "reads", NULL, &r);
    count_in_l1(&w->block->tally[m->index], r.memo, address);
    if (__builtin_expect(w->block->launch->watches_global, 0)) {
        watch(w, u, address, r.good,
              m->spins || sass_is_strong(&m->instruction) ? ACCESS_SPIN : ACCESS_LOAD);
    }
    if (__builtin_expect(sass_is_strong(&m->instruction), 0)) {
        flags_acquire(w, address, r.good);
        w->polls++;
    }
    for (int i = 0; m->width == 32 && i < 8; i++) {
        uint32_t *to = w->row[row_of_word(u, i)];
        EACH_LANE(l, r.good) memcpy(&to[l], place(&r, address, l) + 4 * i, 4);
    }
    if (u->d == ROW_TRASH || m->width == 32) return;
    uint32_t(*d)[LANES] = &w->row[u->d];
    if (r.origin && r.memo->low == r.memo->high && r.good) {
        load_one(d, r.good, place(&r, address, first_lane(r.good)), size);
    } else if (r.origin && size == 4 && r.good == ALL_LANES) {
        for (int l = 0; l < LANES; l++) memcpy(&d[0][l], r.origin + (address[l] - r.base), 4);
    } else if (r.origin && size == 6 && r.good == ALL_LANES) {
        for (int l = 0; l < LANES; l++) put_lane(d, l, r.origin + (address[l] - r.base), 6);
    } else {
        EACH_LANE(l, r.good) put_lane(d, l, place(&r, address, l), size);
    }
    if (__builtin_expect(sass_is_strong(&m->instruction), 0)) agree(d, address, r.good, size);
}

static void store(struct warp *w, const struct uop *u, const uint64_t *address, uint32_t mask) {
    const struct detail *m = u->detail;
    struct global_request r;
    make_request(w, u, address, mask, "writes", NULL, &r);
    const uint32_t good = spare_constants(w, u, address, r.good);
    if (__builtin_expect(w->block->launch->watches_global, 0))
        watch(w, u, address, good, sass_is_strong(&m->instruction) ? ACCESS_FLAG : ACCESS_WRITE);
    if (w->block->launch->watches_overlaps && !sass_is_strong(&m->instruction))
        watch_overlaps(w, u, address, good);
    if (__builtin_expect(m->changes, 0) ||
        (w->block->launch->races && !sass_is_strong(&m->instruction)))
        look_for_lost(w, u, address, good);
    if (w->block->launch->program->fences)
        flags_release(w, address, good, sass_is_strong(&m->instruction));
    w->acted = true;
    const int words = m->width < 4 ? 1 : m->width / 4, bytes = m->width < 4 ? m->width : 4;
    for (int i = 0; i < words; i++) {
        const uint32_t *from = data_row(w, u, i);
        EACH_LANE(l, good) memcpy(place(&r, address, l) + 4 * i, &from[l], (size_t)bytes);
    }
}

static void run_ldg(struct warp *w, const struct uop *u, uint32_t mask) {
    uint64_t address[LANES];
    addresses(w, u->detail, address);
    load(w, u, address, mask);
}
static void run_stg(struct warp *w, const struct uop *u, uint32_t mask) {
    uint64_t address[LANES];
    addresses(w, u->detail, address);
    store(w, u, address, mask);
}

static sim_execute *bind_global(struct detail *d) {
    const bool loads = sass_facts_of(&d->instruction)->load,
               wide = sass_has(&d->instruction, SASS_HAS_bits_256);
    d->width = wide ? 32 : size_bytes[d->instruction.modifiers.size & 7];
    // not supported: a mask that selects only some of the words to be stored
    if (wide && !loads && d->instruction.operand[SASS_I].value != 0xff) return NULL;
    // not supported: a predicate that makes the load return zero
    if (loads && (d->pp != PREDICATE_TRUE || d->pp_flip)) return NULL;
    d->program->global_bytes |= d->width < 4;
    return !d->width || !bind_global_address(d) ? NULL : loads ? run_ldg : run_stg;
}

// --- local memory, stored by word and lane -------------------------------------------------------

// Reports an access to the stack outside detail.array, which is the variable that the source code
// accesses.
static void look_at_array(struct warp *w, const struct uop *u, int lane, uint32_t address,
                          const char *verb) {
    const struct detail *m = u->detail;
    const int64_t from = (int64_t)address - ((int64_t)w->row[1][lane] + m->array_at);
    if (from >= 0 && from + m->width <= (int64_t)m->array->bytes) return;
    evidence_about(w, "local", address, m->width, verb)->facts = FACT_OUTSIDE;
    checks_report(w, REPORT_ADDRESS, m->index, lane, false,
                  "%s local memory at 0x%x, %lld bytes %s %s, which has %u bytes", verb, address,
                  (long long)(from < 0 ? -from : from - m->array->bytes),
                  from < 0 ? "before" : "past the end of", m->array->name, m->array->bytes);
}

static uint8_t *local_byte(struct warp *w, const struct uop *u, int lane, uint32_t address,
                           const char *verb) {
    const struct detail *m = u->detail;
    const uint32_t bytes = w->block->launch->local_bytes;
    if (address % m->width != 0) {
        evidence_about(w, "local", address, m->width, verb)->facts = FACT_MISALIGNED;
        checks_report(
            w, REPORT_ADDRESS, m->index, lane, false,
            "%s %d bytes of local memory at 0x%x, which is not aligned: not a multiple of %d", verb,
            m->width, address, m->width);
        return NULL;
    }
    if ((address >= bytes || bytes - address < m->width) && w->row[1][lane] > bytes) {
        evidence_about(w, "local", address, m->width, verb);
        checks_report(w, REPORT_STACK, m->index, lane, true,
                      "%s local memory at 0x%x; a thread has %u bytes for its stack", verb, address,
                      bytes);
        return NULL;
    }
    if (address >= bytes || bytes - address < m->width) {
        evidence_about(w, "local", address, m->width, verb)->facts = FACT_OUTSIDE;
        checks_report(w, REPORT_ADDRESS, m->index, lane, false,
                      "%s %d bytes of local memory at 0x%x; a thread has %u bytes", verb, m->width,
                      address, bytes);
        return NULL;
    }
    if (m->array) look_at_array(w, u, lane, address, verb);
    return local_memory(w) + ((size_t)(address / 4) * LANES + (size_t)lane) * 4 + address % 4;
}
static void load_local(struct warp *w, const struct uop *u, int lane, uint32_t address) {
    const int size = u->detail->instruction.modifiers.size;
    uint8_t value[16];
    const uint8_t *from = local_byte(w, u, lane, address, "reads");
    if (!from || u->d == ROW_TRASH) return;
    if (size < 4) {
        memcpy(value, from, size_bytes[size]);
    } else {
        for (int i = 0; i < size_bytes[size] / 4; i++)
            memcpy(value + 4 * i, from + (size_t)i * LANES * 4, 4);
    }
    put_lane(&w->row[u->d], lane, value, size);
    for (uint32_t i = 0; i == 0 || 4 * i < size_bytes[size]; i++)
        if (!(*local_written(w, address + 4 * i) >> lane & 1))
            kept_load_unset(w, u, u->d + i, lane, address + 4 * i);
    for (int i = 0; w->hazards.any_unwritten && (i == 0 || 4 * i < size_bytes[size]); i++)
        kept_load(w, u->d + (uint32_t)i, lane, address / 4 + (uint32_t)i,
                  u->detail->copied >> i & 1);
}
static void store_local(struct warp *w, const struct uop *u, int lane, uint32_t address) {
    const int size = u->detail->instruction.modifiers.size;
    uint8_t *to = local_byte(w, u, lane, address, "writes");
    if (!to) return;
    if (size < 4) {
        memcpy(to, &data_row(w, u, 0)[lane], size_bytes[size]);
    } else {
        for (int i = 0; i < size_bytes[size] / 4; i++)
            memcpy(to + (size_t)i * LANES * 4, &data_row(w, u, i)[lane], 4);
    }
    for (uint32_t i = 0; i == 0 || 4 * i < size_bytes[size]; i++)
        *local_written(w, address + 4 * i) |= 1u << lane;
    const uint32_t number = u->detail->instruction.operand[SASS_B].number;
    for (int i = 0; w->hazards.any_unwritten && (i == 0 || 4 * i < size_bytes[size]); i++)
        kept_store(w, number < ROW_ZERO ? number + (uint32_t)i : ROW_ZERO, lane,
                   address / 4 + (uint32_t)i);
}
// Counts the requests of an access to local memory. A line holds one word for each of the 32 lanes,
// so lanes that access the same address share it (ncu, H200: docs/results/h200/local_counters.csv).
static void count_local(struct warp *w, const struct detail *m, const uint64_t *address,
                        uint32_t mask) {
    enum { SECTOR_LANES = 8 };
    struct tally *tally = &w->block->tally[m->index];
    const uint32_t words = m->width < 4 ? 1 : m->width / 4u;
    uint64_t word[LANES];
    uint32_t sectors = 0;
    EACH_LANE(l, mask) word[l] = (uint32_t)address[l] / 4;
    for (int l = 0; l < LANES; l += SECTOR_LANES)
        sectors += count_places(word, mask & ((1u << SECTOR_LANES) - 1) << l, 0);
    const uint32_t lines = count_places(word, mask, 0);
    tally->local_requests += words;
    tally->local_sectors += words * sectors;
    tally->local_lines += words * (lines > LEAST_LINES ? lines : LEAST_LINES);
}
// Performs the lanes' accesses to local memory. The lower word of an address is the local address.
static void access_local(struct warp *w, const struct uop *u, const uint64_t *address,
                         uint32_t mask, bool writes) {
    if (mask) count_local(w, u->detail, address, mask);
    for (; mask; mask &= mask - 1)
        (writes ? store_local : load_local)(w, u, first_lane(mask),
                                            (uint32_t)address[first_lane(mask)]);
}
static void run_local(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    uint64_t address[LANES];
    for (int l = 0; l < LANES; l++) address[l] = short_address(w, m, l);
    access_local(w, u, address, mask, m->instruction.form->opcode == SASS_STL);
}
static sim_execute *bind_local(struct detail *d) {
    d->width = size_bytes[d->instruction.modifiers.size & 7];
    return d->width && bind_global_address(d) ? run_local : NULL;
}

// --- generic addresses, whose high word selects the space ----------------------------------------

// Checks a lane's access to shared memory of `there`: its own block, or another of the cluster.
static void shadow_of(struct warp *w, const struct uop *u, int lane, struct block *there,
                      uint32_t at, enum access how, const void *value) {
    if (there == w->block) {
        shadow_access(w, u, lane, at, u->detail->width, how, value);
    } else {
        shadow_remote(w, u, lane, there, at, u->detail->width, how, value);
    }
}

// Performs the accesses of the lanes whose generic addresses lie in the shared window. Returns the
// mask of these lanes.
static uint32_t generic_shared(struct warp *w, const struct uop *u, const uint64_t *address,
                               uint32_t mask, bool writes) {
    const struct detail *m = u->detail;
    const enum access reads = m->spins                          ? m->spins
                              : sass_is_strong(&m->instruction) ? ACCESS_POLL
                                                                : ACCESS_LOAD,
                      stores = sass_is_strong(&m->instruction) ? ACCESS_FLAG : ACCESS_WRITE;
    uint32_t done = 0, own = 0;
    w->polls += reads != ACCESS_LOAD;
    EACH_LANE(l, mask) {
        if (address[l] >> 32 != SHARED_WINDOW) continue;
        done |= 1u << l;
        const uint32_t at = (uint32_t)address[l] & SHARED_OFFSET;
        struct block *b = cluster_block(w->block, (uint32_t)address[l] >> 24);
        if (!b && (uint32_t)address[l] >> 24 < w->block->cluster->size) {
            evidence_about(w, NULL, 0, 0, writes ? "writes" : "reads")->facts = FACT_CLUSTER;
            checks_report(w, REPORT_ADDRESS, m->index, l, false,
                          "%s shared memory of block %u of the cluster, which has ended: no "
                          "later barrier keeps that block from ending",
                          writes ? "writes" : "reads", (uint32_t)address[l] >> 24);
            continue;
        }
        if (!shared_is_right(w, u, l, b ? at : (uint32_t)address[l], 0,
                             writes ? "writes" : "reads"))
            continue;
        if (!writes) {
            shadow_of(w, u, l, b, at, reads, NULL);
            own |= (uint32_t)(b == w->block) << l;
            if (u->d != ROW_TRASH)
                put_lane(&w->row[u->d], l, b->shared + at, m->instruction.modifiers.size);
            continue;
        }
        uint32_t value[4];
        const int words = m->width < 4 ? 1 : m->width / 4;
        for (int i = 0; i < words; i++) value[i] = data_row(w, u, i)[l];
        shadow_of(w, u, l, b, at, stores, value);
        memcpy(b->shared + at, value, m->width);
        w->acted = true;
    }
    if (own && reads == ACCESS_LOAD) shadow_keep_generic(w, u, address, own);
    return done;
}
static void run_generic(struct warp *w, const struct uop *u, uint32_t mask) {
    const bool writes = u->detail->instruction.form->opcode == SASS_ST;
    uint64_t address[LANES];
    uint32_t local = 0;
    addresses(w, u->detail, address);
    mask &= ~generic_shared(w, u, address, mask, writes);
    for (int l = 0; l < LANES; l++) local |= (uint32_t)(address[l] >> 32 == LOCAL_WINDOW) << l;
    access_local(w, u, address, mask & local, writes);
    mask &= ~local;
    if (mask) (writes ? store : load)(w, u, address, mask);
}
static sim_execute *bind_generic(struct detail *d) {
    if (sass_is_strong(&d->instruction)) d->program->fences = d->program->synchronizes = true;
    d->width = size_bytes[d->instruction.modifiers.size & 7];
    if (!d->width || !bind_global_address(d)) return NULL;
    d->program->shared_bytes |= d->width < 4;
    d->program->global_bytes |= d->width < 4;
    return run_generic;
}

// QSPC is true if a generic address lies in the given space: global memory (.G), local memory (.L),
// shared memory of this block (.S), or shared memory of any block of the cluster (.D).
static void run_qspc(struct warp *w, const struct uop *u, uint32_t mask) {
    enum { SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED };
    const struct detail *m = u->detail;
    const int space = m->instruction.modifiers.type;
    uint64_t address[LANES];
    uint32_t in[LANES];
    addresses(w, m, address);
    for (int l = 0; l < LANES; l++) {
        const bool shared = address[l] >> 32 == SHARED_WINDOW,
                   local = address[l] >> 32 == LOCAL_WINDOW;
        const bool own = shared && ((uint32_t)address[l] & ~SHARED_OFFSET) == w->block->window;
        in[l] = space == SPACE_GLOBAL   ? !shared && !local
                : space == SPACE_LOCAL  ? local
                : space == SPACE_SHARED ? own
                                        : shared;
    }
    set_predicate(w, m->pu, pack(in), mask);
}
static sim_execute *bind_qspc(struct detail *d) {
    return d->uop->d == ROW_TRASH && bind_global_address(d) ? run_qspc : NULL;
}

// --- asynchronous copies -------------------------------------------------------------------------

static struct copy *copy_push(struct warp *w) {
    MAKE_ROOM(w->copies.copy, w->copies.count, w->copies.capacity);
    return &w->copies.copy[w->copies.count++];
}

// Counts the wavefronts of a copy into shared memory. Lanes are served in groups of 128 bytes, and
// a group in passes. In a pass, no two lanes read the same bank of L1. (Lanes that get zeros, and
// copies that bypass L1, read no bank.) A pass takes the wavefronts of its writes to shared memory.
// For 120 patterns, an H200 took exactly this many (docs/results/h200/copy_wavefronts.csv).
static void count_copy_wavefronts(struct warp *w, const struct detail *m, const uint64_t *address,
                                  const uint32_t *target, uint32_t reads, uint32_t zeros) {
    struct tally *tally = &w->block->tally[m->index];
    const uint32_t words = m->width / 4u, lanes = LANES / words,
                   banks = words == 4   ? 15
                           : words == 2 ? 3
                                        : 1;
    const bool past_l1 = is_past_l1(m);
    for (uint32_t first = 0; first < LANES; first += lanes) {
        uint32_t left =
            (reads | zeros) & (lanes == LANES ? ALL_LANES : ((1u << lanes) - 1) << first);
        tally->least_wavefronts += left != 0;
        while (left) {
            uint32_t pass = 0, busy = 0;
            EACH_LANE(l, left) {
                const uint32_t wants =
                    past_l1 || (zeros >> l & 1)
                        ? 0
                        : banks << (uint32_t)(address[l] / 4 % LANES & ~(words - 1ull));
                if (busy & wants) continue;
                busy |= wants;
                pass |= 1u << l;
            }
            tally->wavefronts += (uint64_t)banks_store(target, pass, 4, NULL).count;
            left &= ~pass;
        }
    }
}

// Marks the words that a copy will write, so that an access before the wait for it is a race.
// Returns false, and marks nothing, if the full check is needed: in this epoch (races.c), a word
// was written, or read by another warp or perhaps another lane; or stamps are per byte; or order.c
// checks the block (`ordering`).
INLINE bool mark_copied(struct warp *w, uint32_t address, uint32_t bytes) {
    struct block *b = w->block;
    const uint32_t base = w->races.epoch << 6, first = address / 4, end = (address + bytes) / 4;
    // the only stamp of this epoch that last_read may have; 0: none
    const uint32_t reader = w->races.past.count ? 0 : base | w->index;
    bool plain = b->launch->granule == 2 && !b->ordering;
    for (uint32_t at = first; at < end; at++)
        plain &=
            (b->last_write[at] < base) & ((b->last_read[at] < base) | (b->last_read[at] == reader));
    for (uint32_t at = first; plain && at < end; at++) b->last_write[at] = COPY_STAMP;
    return plain;
}

static void run_ldgsts(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct launch_state *launch = w->block->launch;
    uint64_t address[LANES];
    uint32_t target[LANES];
    struct global_request r = {0};
    addresses(w, m, address);
    copy_targets(w, m, target);
    // .ZFILL: the low bits of a lane's address are the number of its last bytes to set to 0
    uint8_t filled[LANES] = {0};
    for (int l = 0; l < LANES; l++) {
        if (!m->instruction.modifiers.mode) continue;
        filled[l] = (uint8_t)(address[l] & (m->width - 1u));
        address[l] -= filled[l];
    }
    const uint32_t reads = mask & predicate_p(w, m); // the other active lanes get zeros
    if (reads) {
        make_request(w, u, address, reads, "reads", filled, &r);
        if (launch->watches_global) watch(w, u, address, r.good, ACCESS_COPY);
        if (is_past_l1(m))
            w->block->tally[m->index].sectors += count_sectors_again(address, target, reads);
    }
    count_copy_wavefronts(w, m, address, target, reads, mask & ~reads);
    EACH_LANE(l, mask) {
        if (!shared_is_right(w, u, l, target[l], launch->shared_reserved, "copies to")) continue;
        if (!mark_copied(w, target[l], m->width))
            shadow_access(w, u, l, target[l], m->width, ACCESS_COPY, NULL);
        struct copy *c = copy_push(w);
        *c = (struct copy){.address = target[l], .lane = (uint8_t)l, .bytes = m->width};
        if (!(r.good >> l & 1)) continue;
        const uint8_t *from = place(&r, address, l);
        const size_t bytes = m->width - filled[l];
        if (bytes == 4)
            memcpy(c->data, from, 4); // a constant size avoids a call
        else
            memcpy(c->data, from, bytes);
    }
}
static sim_execute *bind_ldgsts(struct detail *d) {
    // on Blackwell, the size field has only its two low bits
    d->width = size_bytes[d->instruction.modifiers.size | 4];
    return d->width >= 4 && bind_global_address(d) ? run_ldgsts : NULL;
}

// LDGDEPBAR ends a group of copies if it sets a scoreboard; otherwise the group goes on.
static void run_ldgdepbar(struct warp *w, const struct uop *u, uint32_t mask) {
    if (u->write_barrier >= SCOREBOARDS) return;
    w->copies.guard = u->write_barrier;
    MAKE_ROOM(w->copies.group, w->copies.group_count, w->copies.group_capacity);
    w->copies.group[w->copies.group_count++] = w->copies.count;
}

// --- atomics -------------------------------------------------------------------------------------

enum atomic {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH
};

static uint64_t updated(enum atomic how, bool is_signed, bool is_float, bool ftz, int bytes,
                        uint64_t old, uint64_t by) {
    if (is_float) {
        if (bytes == 8) return double_bits(as_double(old) + as_double(by));
        if (!ftz) return result_bits(as_float((uint32_t)old) + as_float((uint32_t)by));
        return flush(result_bits(as_float(flush((uint32_t)old)) + as_float(flush((uint32_t)by))));
    }
    const int64_t x = bytes == 8 ? (int64_t)old : (int32_t)old,
                  y = bytes == 8 ? (int64_t)by : (int32_t)by;
    const uint64_t a = bytes == 8 ? old : (uint32_t)old, b = bytes == 8 ? by : (uint32_t)by;
    const bool less = is_signed ? x < y : a < b;
    return how == ATOMIC_ADD   ? a + b
           : how == ATOMIC_MIN ? (less ? a : b)
           : how == ATOMIC_MAX ? (less ? b : a)
           : how == ATOMIC_INC ? (a >= b ? 0 : a + 1)
           : how == ATOMIC_DEC ? (a == 0 || a > b ? b : a - 1)
           : how == ATOMIC_AND ? a & b
           : how == ATOMIC_OR  ? a | b
           : how == ATOMIC_XOR ? a ^ b
                               : b;
}

// Performs one lane's atomic on a word of host memory, which other host threads may access at the
// same time. Returns the old value.
static uint64_t apply(struct warp *w, const struct detail *m, uint8_t *at, uint64_t by,
                      uint64_t compare) {
    const struct sass_modifiers *mod = &m->instruction.modifiers;
    const bool is_float = m->unsigned32, cas = m->shift == 1, is_signed = mod->type & 1;
    const bool ftz = is_float && (mod->type == 9 || mod->type == 3);
    if (m->width == 8) {
        uint64_t *word = (uint64_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED),
                 next;
        do {
            next = cas ? (old == compare ? by : old)
                       : updated(mod->operation, is_signed, is_float, false, 8, old, by);
        } while (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED));
        w->acted |= next != old;
        return old;
    }
    uint32_t *word = (uint32_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
    do {
        next = cas ? (old == (uint32_t)compare ? (uint32_t)by : old)
                   : (uint32_t)updated(mod->operation, is_signed, is_float, ftz, 4, old, by);
    } while (
        !__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    w->acted |= next != old;
    return old;
}

// Returns one lane's operand of a 32-bit or 64-bit atomic. Slot 1 is operand B, slot 2 operand C.
INLINE uint64_t atomic_operand(const struct warp *w, const struct uop *u, int slot, int lane) {
    const uint32_t *row = source(w, u, slot);
    const bool zero = u->source_base[slot] == 0 && u->source[slot] == ROW_ZERO * sizeof *w->row;
    return row[lane] | (u->detail->width == 8 && !zero ? (uint64_t)row[lane + LANES] << 32 : 0);
}

// What one word of a vector of floats holds: two FP16, two BF16 or one FP32 number.
enum vector_kind { VECTOR_NONE, VECTOR_F16, VECTOR_BF16, VECTOR_F32, VECTOR_F32_FTZ };
// Adds the numbers in two such words, and returns the word of the sums.
static uint32_t add_numbers(enum vector_kind kind, uint32_t x, uint32_t y) {
    uint32_t sum = 0;
    if (kind >= VECTOR_F32)
        return (uint32_t)updated(ATOMIC_ADD, false, true, kind == VECTOR_F32_FTZ, 4, x, y);
    for (int shift = 0; shift < 32; shift += 16) {
        const uint32_t a = x >> shift & 0xffff, b = y >> shift & 0xffff;
        sum |= (kind == VECTOR_F16 ? to_half(from_half(a) + from_half(b), ROUND_NEAREST)
                                   : to_bfloat(from_bfloat(a) + from_bfloat(b), ROUND_NEAREST))
               << shift;
    }
    return sum;
}
// Adds atomically to one word of a vector, and returns the old word. The words of a vector are
// updated one after the other.
static uint32_t apply_to_word(struct warp *w, enum vector_kind kind, uint8_t *at, uint32_t by) {
    uint32_t *word = (uint32_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
    do {
        next = add_numbers(kind, old, by);
    } while (
        !__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    w->acted |= next != old;
    return old;
}
// The element types of UBLKRED, indexed by their number in the instruction.
enum { REDUCES_SIGNED = 1, REDUCES_FLOAT };
static const struct {
    uint8_t bytes; // size of an element; 0 if the type is not supported
    uint8_t how;
    enum vector_kind halves; // VECTOR_NONE unless the elements are pairs of halves
} reduced[] = {{.bytes = 4},
               {.bytes = 4, .how = REDUCES_SIGNED},
               {.bytes = 8},
               {.bytes = 8, .how = REDUCES_SIGNED},
               {.bytes = 4, .halves = VECTOR_F16},
               {.bytes = 4, .how = REDUCES_FLOAT},
               {.bytes = 0},
               {.bytes = 8, .how = REDUCES_FLOAT},
               {.bytes = 4, .halves = VECTOR_BF16}};
bool global_reduces(const struct sass_modifiers *mod) {
    const bool known = mod->source_type < (int)(sizeof reduced / sizeof *reduced) &&
                       reduced[mod->source_type].bytes;
    return known && (mod->operation == ATOMIC_ADD || !reduced[mod->source_type].halves);
}
void global_reduce(struct warp *w, const struct detail *m, uint8_t *to, const uint8_t *from,
                   uint32_t bytes) {
    const int type = m->instruction.modifiers.source_type;
    struct detail one = *m; // describes the atomic on one element
    one.width = reduced[type].bytes;
    one.shift = 0;
    one.unsigned32 = reduced[type].how == REDUCES_FLOAT;
    one.instruction.modifiers.type = reduced[type].how == REDUCES_SIGNED;
    for (uint32_t i = 0; i < bytes; i += one.width) {
        uint64_t by = 0;
        memcpy(&by, from + i, one.width);
        if (reduced[type].halves)
            apply_to_word(w, reduced[type].halves, to + i, (uint32_t)by);
        else
            apply(w, &one, to + i, by, 0);
    }
}

// Returns the lanes that perform the atomic: all if it has no predicate. With a predicate, it does
// nothing in local memory and, unless it exchanges or compares and swaps, in shared memory. The
// predicate becomes false in these lanes, for which the code has another path, and true in others.
static uint32_t leave_elsewhere(struct warp *w, const struct detail *m, const uint64_t *address,
                                uint32_t mask) {
    uint32_t elsewhere = 0;
    if (m->pu == PREDICATE_TRASH) return mask;
    const bool swaps = m->instruction.form->opcode == SASS_ATOM_CAS ||
                       (!m->unsigned32 && m->instruction.modifiers.operation == ATOMIC_EXCH);
    for (int l = 0; l < LANES; l++) {
        const bool shared = address[l] >> 32 == SHARED_WINDOW,
                   local = address[l] >> 32 == LOCAL_WINDOW;
        elsewhere |= (uint32_t)((shared && !swaps) || local) << l;
    }
    set_predicate(w, m->pu, ~elsewhere, mask);
    return mask & ~elsewhere;
}

// Computes the addresses of an atomic on device memory, and counts its request. Returns the lanes
// that perform the atomic.
static uint32_t begin_atomic(struct warp *w, const struct detail *m, uint64_t *address,
                             uint32_t mask) {
    struct byte_range range;
    addresses(w, m, address);
    mask = leave_elsewhere(w, m, address, mask);
    if (!mask) return 0;
    struct global_memo *memo = recall(w, m, address, mask, &range);
    count_request(w, m, address, mask, memo, range);
    return mask;
}

static void run_vector_atom(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    uint64_t address[LANES];
    uint8_t *host[LANES];
    mask = begin_atomic(w, m, address, mask);
    mask = check_lanes(w, u, address, mask, "updates", NULL, host);
    if (w->block->launch->watches_global) watch(w, u, address, mask, ACCESS_ATOMIC);
    EACH_LANE(l, mask) {
        for (int i = 0; i < m->width / 4; i++) {
            const uint32_t old =
                apply_to_word(w, (enum vector_kind)m->shift, host[l] + 4 * i, data_row(w, u, i)[l]);
            if (u->d != ROW_TRASH) w->row[u->d + i][l] = old;
        }
    }
}

static void run_atom(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    struct block *b = w->block;
    const bool shared = m->instruction.form->opcode == SASS_ATOMS ||
                        m->instruction.form->opcode == SASS_ATOMS_CAS || m->shift == 2;
    uint64_t address[LANES];
    if (shared) {
        for (int l = 0; l < LANES; l++)
            address[l] = (uint64_t)SHARED_WINDOW << 32 | short_address(w, m, l);
    } else {
        mask = begin_atomic(w, m, address, mask);
    }
    EACH_LANE(l, mask) {
        uint8_t *at = NULL, *host[LANES];
        if (address[l] >> 32 == SHARED_WINDOW) {
            const uint32_t low = (uint32_t)address[l] & SHARED_OFFSET;
            struct block *there = cluster_block(b, (uint32_t)address[l] >> 24);
            // only a generic address may point to the bytes that the system reserves, as in
            // cooperative groups
            const uint32_t least = shared ? b->launch->shared_reserved : 0;
            if (shared_is_right(w, u, l, there ? low : 1u << 31 | (uint32_t)address[l], least,
                                "updates")) {
                at = there->shared + low;
                shadow_of(w, u, l, there, low, ACCESS_ATOMIC, NULL);
            }
        } else if (address[l] >> 32 == LOCAL_WINDOW && m->width == 4) {
            at = local_byte(w, u, l, (uint32_t)address[l], "updates");
            if (at) *local_written(w, (uint32_t)address[l]) |= 1u << l;
        } else if (check_lanes(w, u, address, 1u << l, "updates", NULL, host)) {
            at = host[l];
            flags_acquire(w, address, 1u << l);
            flags_release(w, address, 1u << l, true);
            if (b->launch->watches_global) watch(w, u, address, 1u << l, ACCESS_ATOMIC);
        }
        if (!at) continue;
        w->polls += mask >> l == 1;
        const uint64_t compare = atomic_operand(w, u, 1, l);
        uint64_t old = apply(
            w, m, at, m->shift == 2 ? 1 : atomic_operand(w, u, m->shift == 1 ? 2 : 1, l), compare);
        // CAST returns whether it stored: in D and, for shared memory, also in a predicate
        if (m->shift == 1 && (m->instruction.modifiers.operation & 1)) {
            old = old == compare;
            if (shared) set_predicate(w, m->pu, old ? 1u << l : 0, 1u << l);
        }
        if (u->d == ROW_TRASH) continue;
        w->row[u->d][l] = (uint32_t)old;
        if (m->width == 8) w->row[u->d + 1][l] = (uint32_t)(old >> 32);
    }
}

// Guards exchanges and compare-and-swaps of 128 bits against each other. A load by another host
// thread may still see one half of such a change without the other half.
static pthread_mutex_t wide_atomics = PTHREAD_MUTEX_INITIALIZER;
enum { WIDE_WORDS = 4 };
static void read_wide(const struct warp *w, const struct uop *u, int slot, int lane,
                      uint32_t value[WIDE_WORDS]) {
    const uint32_t *row = source(w, u, slot);
    const bool zero = u->source_base[slot] == 0 && u->source[slot] == ROW_ZERO * sizeof *w->row;
    for (int i = 0; i < WIDE_WORDS; i++) value[i] = zero ? 0 : row[lane + i * LANES];
}
static void run_wide_atom(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const bool cas = m->shift == 1;
    uint64_t address[LANES];
    uint8_t *host[LANES];
    mask = begin_atomic(w, m, address, mask);
    uint32_t shared = 0, elsewhere = 0;
    for (int l = 0; l < LANES; l++) shared |= (uint32_t)(address[l] >> 32 == SHARED_WINDOW) << l;
    shared =
        m->instruction.form->opcode == SASS_ATOM_CAS || m->instruction.form->opcode == SASS_ATOM
            ? shared & mask
            : 0;
    elsewhere = check_lanes(w, u, address, mask & ~shared, "updates", NULL, host);
    flags_acquire(w, address, elsewhere);
    flags_release(w, address, elsewhere, true);
    if (w->block->launch->watches_global) watch(w, u, address, elsewhere, ACCESS_ATOMIC);
    mask = elsewhere;
    EACH_LANE(l, shared) {
        const uint32_t low = (uint32_t)address[l] & SHARED_OFFSET;
        struct block *there = cluster_block(w->block, (uint32_t)address[l] >> 24);
        if (!shared_is_right(w, u, l, there ? low : 1u << 31 | (uint32_t)address[l], 0, "updates"))
            continue;
        host[l] = there->shared + low;
        shadow_of(w, u, l, there, low, ACCESS_ATOMIC, NULL);
        mask |= 1u << l;
    }
    w->polls += mask != 0;
    EACH_LANE(l, mask) {
        uint32_t compare[WIDE_WORDS], next[WIDE_WORDS], old[WIDE_WORDS];
        read_wide(w, u, 1, l, compare);
        read_wide(w, u, cas ? 2 : 1, l, next);
        pthread_mutex_lock(&wide_atomics);
        memcpy(old, host[l], sizeof old);
        if (!cas || memcmp(old, compare, sizeof old) == 0) {
            w->acted |= memcmp(old, next, sizeof old) != 0;
            memcpy(host[l], next, sizeof next);
        }
        pthread_mutex_unlock(&wide_atomics);
        for (int i = 0; i < WIDE_WORDS && u->d != ROW_TRASH; i++) w->row[u->d + i][l] = old[i];
    }
}

// Integer types have the numbers 0 U32, 1 S32, 2 U64, 3 S64 and 4 for 128 bits. Float types, in
// instructions with the field fatom_type (before sm_90 fatom_type_a), have other numbers.
static sim_execute *bind_atom(struct detail *d) {
    const enum sass_opcode opcode = d->instruction.form->opcode;
    const bool shared =
        opcode == SASS_ATOMS || opcode == SASS_ATOMS_CAS || opcode == SASS_ATOMS_POPC;
    d->program->synchronizes |= opcode != SASS_ATOMG && opcode != SASS_ATOMG_CAS &&
                                opcode != SASS_RED && opcode != SASS_REDG;
    // the numbers of float types since sm_90, indexed by the numbers before sm_90
    const int before[8] = {[3] = 9, [4] = 0, [6] = 15};
    const bool is_before = sass_has(&d->instruction, SASS_HAS_fatom_type_a);
    const int type =
        is_before ? before[d->instruction.modifiers.type & 7] : d->instruction.modifiers.type;
    const bool is_float = is_before || sass_has(&d->instruction, SASS_HAS_fatom_type);
    const bool cas =
        opcode == SASS_ATOM_CAS || opcode == SASS_ATOMG_CAS || opcode == SASS_ATOMS_CAS;
    if (is_float) {
        static const struct { // indexed by type: kind of number, words per vector
            uint8_t kind, words;
        } vectors[16] = {
            [0] = {VECTOR_F16, 1},      [1] = {VECTOR_F16, 2},      [2] = {VECTOR_F16, 4},
            [3] = {VECTOR_BF16, 1},     [4] = {VECTOR_BF16, 2},     [5] = {VECTOR_BF16, 4},
            [10] = {VECTOR_F32_FTZ, 2}, [11] = {VECTOR_F32_FTZ, 4}, [13] = {VECTOR_F32, 2},
            [14] = {VECTOR_F32, 4}};
        if (d->instruction.modifiers.operation != 0) return NULL;
        if (vectors[type & 15].words) {
            d->width = (uint8_t)(4 * vectors[type & 15].words);
            d->shift = vectors[type & 15].kind;
            return bind_global_address(d) ? run_vector_atom : NULL;
        }
        if (type != 9 && type != 12 && type != 15) return NULL;
        d->width = type == 15 ? 8 : 4;
    } else {
        const bool device = opcode == SASS_ATOMG || opcode == SASS_ATOMG_CAS ||
                            opcode == SASS_ATOM || opcode == SASS_ATOM_CAS;
        if (type == 4 && device && !sass_before_hopper(d->instruction.word.generation)) {
            if (!cas && d->instruction.modifiers.operation != ATOMIC_EXCH) return NULL;
            d->width = 4 * WIDE_WORDS;
            d->shift = cas;
            return bind_global_address(d) ? run_wide_atom : NULL;
        }
        if (type == 4 || type > 5 || (!cas && d->instruction.modifiers.operation > 8)) return NULL;
        d->width = type >= 2 ? 8 : 4;
    }
    if (!bind_global_address(d) && !shared) return NULL;
    d->unsigned32 = is_float;
    d->shift = cas ? 1 : opcode == SASS_ATOMS_POPC ? 2 : 0; // with ATOMS.POPC.INC, each lane adds 1
    return run_atom;
}

const struct binding SIM_NAME(global_bindings)[] = {
    {SASS_LDG, .bind = bind_global},      {SASS_STG, .bind = bind_global},
    {SASS_LDG_256, .bind = bind_global},  {SASS_STG_256, .bind = bind_global},
    {SASS_LD, .bind = bind_generic},      {SASS_ST, .bind = bind_generic},
    {SASS_LDL, .bind = bind_local},       {SASS_STL, .bind = bind_local},
    {SASS_LDGSTS, .bind = bind_ldgsts},   {SASS_LDGDEPBAR, .run = run_ldgdepbar},
    {SASS_ATOM, .bind = bind_atom},       {SASS_ATOMG, .bind = bind_atom},
    {SASS_RED, .bind = bind_atom},        {SASS_ATOMS, .bind = bind_atom},
    {SASS_REDG, .bind = bind_atom},       {SASS_ATOM_CAS, .bind = bind_atom},
    {SASS_ATOMG_CAS, .bind = bind_atom},  {SASS_ATOMS_CAS, .bind = bind_atom},
    {SASS_ATOMS_POPC, .bind = bind_atom}, {SASS_QSPC, .bind = bind_qspc},
    {.opcode = SASS_OPCODE_COUNT}};
