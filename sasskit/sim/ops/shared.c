// Shared memory: LDS, STS, and the fast path of race detection. (Atomics are in global.c.)
//
// Most requests repeat an earlier pattern of addresses, shifted as a whole (in an unrolled loop, or
// for the next tile). The warp's request_memo keeps what depends on the pattern alone: wavefronts,
// distinct addresses, range. races.c explains granules, stamps, epochs and phases.
#include "lanes.h"
#include "sim/counts/banks.h"
#include "sim/counts/picture.h"

typedef uint32_t quad __attribute__((vector_size(16), aligned(16)));

// PICK(a, b, i, j, k, l) returns four words by their numbers: a has 0 to 3, b has 4 to 7.
#if defined __GNUC__ && __GNUC__ < 12 && !defined __clang__
#define PICK(a, b, ...) __builtin_shuffle(a, b, (quad){__VA_ARGS__})
#else
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

INLINE bool any(quad words) {
    uint64_t half[2];
    memcpy(half, &words, sizeof half);
    return (half[0] | half[1]) != 0;
}

INLINE bool is_aligned(uint32_t address, uint32_t width) { // requires: width is a power of two
    return (address & (width - 1)) == 0;
}

// Returns the lanes' addresses without the immediate offset: a register's row or, if the address
// has more terms, `buffer`.
INLINE const uint32_t *address_row(const struct warp *w, const struct detail *m, uint32_t *buffer) {
    const uint32_t *row = w->row[m->base];
    if (m->uniform == ROW_UNIFORM_ZERO && m->factor == 1) return row;
    const uint32_t add = w->row[m->uniform][0], factor = m->factor;
    LANE_LOOP buffer[l] = row[l] * factor + add;
    return buffer;
}

// Returns true if every lane's address is that of the pattern plus `by`.
INLINE bool is_moved(const uint32_t *row, const uint32_t *pattern, uint32_t by) {
    quad different = {0};
    for (int l = 0; l < LANES; l += 4) {
        quad here, there;
        memcpy(&here, row + l, sizeof here);
        memcpy(&there, pattern + l, sizeof there);
        different |= (here - there) ^ by;
    }
    return !any(different);
}

// Returns memo.step. Sorts the distinct addresses if they may form runs of four words.
static int find_runs(struct request_memo *memo, uint32_t width) {
    uint32_t *sorted = memo->distinct;
    const int count = memo->distinct_count, step = width < 4 ? 0 : 16 / (int)width;
    if (step == 0 || count % step) return 0;
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && sorted[k] < sorted[k - 1]; k--) {
            const uint32_t address = sorted[k];
            sorted[k] = sorted[k - 1];
            sorted[k - 1] = address;
        }
    }
    for (int i = 1; i < count; i++)
        if (i % step && sorted[i] - sorted[i - 1] != width) return 0;
    return step;
}

// Returns the instruction's memo, and refills it if it has another pattern of addresses. Sets
// *delta to the distance from the memo's addresses to those in `row`.
static struct request_memo *look_up(struct warp *w, const struct detail *m, const uint32_t *row,
                                    uint32_t mask, bool store, uint32_t *delta) {
    const uint32_t key = (uint32_t)m->width | (uint32_t)store << 8;
    struct request_memo *memo = &w->requests.memo[(2u * m->base + store) % MEMOS];
    const uint32_t by = row[0] - memo->row[0];
    if (memo->mask == mask && memo->width == key && is_aligned(by, m->width) &&
        is_moved(row, memo->row, by)) {
        *delta = by;
        return memo;
    }
    *delta = 0;
    shadow_keep(w, memo);
    memo->number++;
    memo->mask = mask;
    memo->width = key;
    memo->distinct_count = 0;
    memo->askew = false;
    memo->low = UINT32_MAX;
    memo->high = 0;
    for (int l = 0; l < LANES; l++) {
        memo->row[l] = row[l];
        if (!(mask >> l & 1)) continue;
        // An address without its offset may be negative (modulo 2^32). Adding 2^31 makes unsigned
        // comparisons order addresses as signed ones.
        const uint32_t address = row[l] + 0x80000000u;
        if (address < memo->low) memo->low = address;
        if (address > memo->high) memo->high = address;
        int i = 0;
        while (i < memo->distinct_count && memo->distinct[i] != row[l]) i++;
        if (i == memo->distinct_count) memo->distinct[memo->distinct_count++] = row[l];
        memo->askew |= !is_aligned(row[l] - memo->distinct[0], m->width);
    }
    memo->step = (uint8_t)find_runs(memo, m->width);
    // wavefronts of row + offset: only these sums are multiples of the width
    uint32_t shifted[LANES];
    const uint32_t offset = (uint32_t)m->instruction.operand[SASS_M].value;
    for (int l = 0; l < LANES; l++) shifted[l] = row[l] + offset;
    const struct wavefronts waves = store ? banks_store(shifted, mask, m->width, NULL)
                                          : banks_load(shifted, mask, m->width, NULL);
    memo->wavefronts = (uint16_t)waves.count;
    memo->least = (uint16_t)waves.least;
    return memo;
}

// Reports the lanes with invalid addresses, and returns the others.
static uint32_t check_lanes(struct warp *w, const struct uop *u, const uint32_t *row, uint32_t mask,
                            const char *verb) {
    const uint32_t offset =
        (uint32_t)u->detail->instruction.operand[SASS_M].value - w->block->window;
    EACH_LANE(l, mask) {
        if (!shared_is_right(w, u, l, row[l] + offset, w->block->launch->shared_reserved, verb))
            mask &= ~(1u << l);
    }
    return mask;
}

// Returns true if all addresses of the request are valid.
INLINE bool in_range(const struct warp *w, const struct detail *m, const struct request_memo *memo,
                     uint32_t shift) {
    const struct launch_state *launch = w->block->launch;
    const uint32_t low = memo->low - 0x80000000u + shift, high = memo->high - 0x80000000u + shift;
    return low >= launch->shared_reserved && low <= high &&
           high <= launch->shared_bytes - m->width && launch->shared_bytes >= m->width &&
           is_aligned(low, m->width) && !memo->askew;
}

// --- race detection: the fast path of races.c ----------------------------------------------------

// Marks `count` granules from `at` on as read. `own` is this warp's stamp in this epoch, `base` the
// least stamp of this epoch. Returns true if a granule needs the full check. It needs none if its
// last write has the stamp `own` or one of the `span` stamps from `first` on: those of the block's
// earlier epochs or, with partial barriers, all stamps of the block.
INLINE bool mark_read(struct block *b, uint32_t at, int count, uint32_t first, uint32_t span,
                      uint32_t base, uint32_t own) {
    bool odd = false;
    for (int i = 0; i < count; i++) {
        const uint32_t written = b->last_write[at + (uint32_t)i],
                       read = b->last_read[at + (uint32_t)i];
        odd |= written - first >= span && written != own;
        b->last_read[at + (uint32_t)i] = read < base || read == own ? own : base | STAMP_MANY;
    }
    return odd;
}

// Like mark_read() for four granules; those with a nonzero word in the result need the full check.
INLINE quad mark_read_quad(struct block *b, uint32_t at, uint32_t first, uint32_t span,
                           uint32_t base, uint32_t own) {
    quad written, read;
    memcpy(&written, &b->last_write[at], sizeof written);
    memcpy(&read, &b->last_read[at], sizeof read);
    const quad stamp = own | ((quad)(read >= base) & (quad)(read != own) & STAMP_MANY);
    memcpy(&b->last_read[at], &stamp, sizeof stamp);
    return (quad)(written - first >= span) & (written ^ own);
}

// Marks what a request reads. Returns true if it needs the full check.
static bool mark_reads(struct warp *w, const struct request_memo *memo, uint32_t shift, int width) {
    struct block *b = w->block;
    const uint32_t base = w->races.epoch << 6, own = base | w->index, first = b->epoch_base << 6;
    const uint32_t span = b->partial_barriers ? UINT32_MAX - first : base - first;
    const int granule = b->launch->granule, count = (width + (1 << granule) - 1) >> granule;
    bool odd = false;
    if (memo->step && granule == 2) {
        quad found = {0};
        for (int i = 0; i < memo->distinct_count; i += memo->step)
            found |= mark_read_quad(b, (memo->distinct[i] + shift) / 4, first, span, base, own);
        return any(found);
    }
    for (int i = 0; i < memo->distinct_count; i++)
        odd |= mark_read(b, (memo->distinct[i] + shift) >> granule, count, first, span, base, own);
    return odd;
}

// Records a read with valid addresses. Checks lanes one by one only if this may find a race.
static void shadow_read(struct warp *w, const struct uop *u, const struct request_memo *memo,
                        const uint32_t *row, uint32_t mask, uint32_t shift, uint32_t offset) {
    const uint32_t width = u->detail->width;
    const uint32_t low = memo->low - 0x80000000u + shift,
                   high = memo->high - 0x80000000u + shift + width;
    const enum access spins = u->detail->spins;
    note_touched(w, u->detail->index, low, high, false);
    w->polls += spins != ACCESS_READ;
    if (__builtin_expect(spins != ACCESS_READ, 0) && (spins == ACCESS_SPIN || w->block->ordering)) {
        EACH_LANE(l, mask)
            if (!shadow_access(w, u, l, row[l] + offset, width, spins, NULL)) return;
        return;
    }
    struct past_read *past = &w->races.past.read[w->races.past.count++ % PAST_READS];
    *past = (struct past_read){.memo = memo,
                               .number = memo->number,
                               .shift = shift,
                               .mask = mask,
                               .phase = w->races.phase,
                               .width = (uint8_t)width,
                               .unread = u->detail->unread};
    if (!u->detail->unread && !mark_reads(w, memo, shift, (int)width) && !w->block->ordering &&
        (low >= w->races.stored_high || high <= w->races.stored_low))
        return;
    EACH_LANE(l, mask) {
        if (!shadow_access(w, u, l, row[l] + offset, width, ACCESS_LOAD, NULL)) return;
    }
}

// The stamps with which a lane's write is compared: the block's arrays, and the values that exclude
// a race.
struct shared_writer {
    uint32_t *write, *read, *atomic, *lane;
    uint32_t base, own; // least stamp of this epoch; this warp's stamp in it
    // the only stamp of this epoch that `read` may have: this warp's; 0 (none) if its lanes have
    // read since they converged
    uint32_t reader;
    uint32_t whole; // least `lane` (phase << STAMP_LANE_BITS | lane) since all lanes converged
    uint32_t here;  // `lane` for this lane in this phase
};

// Marks `words` words from `at` on as written and returns true, if all accesses to them by other
// warps and lanes are known to come before. Otherwise marks nothing and returns false.
INLINE bool mark_write(const struct shared_writer *by, uint32_t at, uint32_t words) {
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t written = by->write[at + i], read = by->read[at + i],
                       lane = by->lane[at + i];
        if (written >= by->base && (written != by->own || (lane >= by->whole && lane != by->here)))
            return false;
        if (read >= by->base && read != by->reader) return false;
    }
    for (uint32_t i = 0; i < words; i++) {
        by->write[at + i] = by->own;
        by->atomic[at + i] = 0;
        by->lane[at + i] = by->here;
    }
    return true;
}

// Like mark_write() for a whole request, whose lanes write different words, in runs of four. It
// returns false if, in this epoch, one of the words was written, or read by another warp or perhaps
// another lane. If it returns true, the caller must call store_marked(), which sets `lane`.
static bool mark_writes(const struct shared_writer *by, const struct request_memo *memo,
                        uint32_t shift) {
    quad odd = {0};
    for (int i = 0; i < memo->distinct_count; i += memo->step) {
        const uint32_t at = (memo->distinct[i] + shift) / 4;
        quad written, read;
        memcpy(&written, &by->write[at], sizeof written);
        memcpy(&read, &by->read[at], sizeof read);
        odd |=
            (quad)(written >= by->base) | ((quad)(read >= by->base) & (quad)(read != by->reader));
    }
    if (any(odd)) return false;
    for (int i = 0; i < memo->distinct_count; i += memo->step) {
        const uint32_t at = (memo->distinct[i] + shift) / 4;
        const quad own = by->own - (quad){0};
        memcpy(&by->write[at], &own, sizeof own);
        memset(&by->atomic[at], 0, sizeof own);
    }
    return true;
}

// Completes mark_writes(): sets last_lane and stores the data. `from` is the first word of lane 0.
// A lane's words are `next` words apart.
INLINE void store_marked(const struct block *b, uint32_t here, const uint32_t *row, uint32_t mask,
                         uint32_t offset, const uint32_t *from, uint32_t next, uint32_t words) {
    uint32_t *shared = (uint32_t *)(void *)b->shared, *lane = b->last_lane;
    EACH_LANE(l, mask) {
        const uint32_t at = (row[l] + offset) / 4;
        for (uint32_t i = 0; i < words; i++) {
            shared[at + i] = from[i * next + l];
            lane[at + i] = here | l;
        }
    }
}

// Stores the lanes' words. A lane for which mark_write() does not exclude a race gets the full
// check. `memo` is NULL unless all addresses of the request are valid.
static void store_lanes(struct warp *w, const struct uop *u, const struct request_memo *memo,
                        uint32_t shift, const uint32_t *row, uint32_t mask, uint32_t offset) {
    const struct block *b = w->block;
    const uint32_t width = u->detail->width, words = (width + 3) / 4;
    const uint32_t base = w->races.epoch << 6, own = base | w->index,
                   here = w->races.phase << STAMP_LANE_BITS;
    struct shared_writer by = {b->last_write,
                               b->last_read,
                               b->last_atomic,
                               b->last_lane,
                               base,
                               own,
                               w->races.past.count ? 0 : own,
                               w->races.whole << STAMP_LANE_BITS,
                               0};
    const uint32_t *from = source(w, u, 1);
    // RZ stands for any number of zero words
    const uint32_t next = u->source[1] == ROW_ZERO * sizeof *w->row ? 0 : LANES;
    const bool plain = b->launch->granule == 2 && !b->ordering;
    if (plain && memo && memo->step && memo->distinct_count == lanes_count(mask) &&
        mark_writes(&by, memo, shift)) {
        const uint32_t low = memo->low - 0x80000000u + shift,
                       high = memo->high - 0x80000000u + shift + width;
        if (low < w->races.stored_low) w->races.stored_low = low;
        if (high > w->races.stored_high) w->races.stored_high = high;
        if (words == 1) { // a constant, so that the compiler vectorises the loop
            store_marked(b, here, row, mask, offset, from, next, 1);
        } else {
            store_marked(b, here, row, mask, offset, from, next, words);
        }
        return;
    }
    bool found = false;
    EACH_LANE(l, mask) {
        const uint32_t address = row[l] + offset;
        uint32_t value[4];
        for (uint32_t i = 0; i < words; i++) value[i] = from[i * next + l];
        if (address < w->races.stored_low) w->races.stored_low = address;
        if (address + width > w->races.stored_high) w->races.stored_high = address + width;
        by.here = here | l;
        if (!plain || !mark_write(&by, address / 4, words))
            found |=
                !shadow_access(w, u, (int)l, address, width, ACCESS_WRITE, found ? NULL : value);
        memcpy(b->shared + address, value, width);
    }
}

// --- loads ---------------------------------------------------------------------------------------

// Loads 16 bytes per lane into four rows: transposes the words of four lanes at once.
INLINE void load_quads(uint32_t (*d)[LANES], const uint8_t *shared, const uint32_t *row,
                       uint32_t shift) {
    for (int l = 0; l < LANES; l += 4) {
        quad a, b, c, e;
        memcpy(&a, shared + (row[l] + shift), 16);
        memcpy(&b, shared + (row[l + 1] + shift), 16);
        memcpy(&c, shared + (row[l + 2] + shift), 16);
        memcpy(&e, shared + (row[l + 3] + shift), 16);
        const quad ab_low = PICK(a, b, 0, 4, 1, 5), ab_high = PICK(a, b, 2, 6, 3, 7);
        const quad ce_low = PICK(c, e, 0, 4, 1, 5), ce_high = PICK(c, e, 2, 6, 3, 7);
        const quad x = PICK(ab_low, ce_low, 0, 1, 4, 5);
        const quad y = PICK(ab_low, ce_low, 2, 3, 6, 7);
        const quad z = PICK(ab_high, ce_high, 0, 1, 4, 5);
        const quad t = PICK(ab_high, ce_high, 2, 3, 6, 7);
        memcpy(&d[0][l], &x, 16);
        memcpy(&d[1][l], &y, 16);
        memcpy(&d[2][l], &z, 16);
        memcpy(&d[3][l], &t, 16);
    }
}

static void load_lanes(uint32_t (*d)[LANES], const uint8_t *shared, const uint32_t *row,
                       uint32_t shift, uint32_t mask, int size) {
    EACH_LANE(l, mask) put_lane(d, l, shared + (row[l] + shift), size);
}

// Counts a request, and draws it if the launch has a picture (--picture). Returns its memo. Sets
// *shift to the distance from the memo's addresses to the complete addresses.
INLINE struct request_memo *make_request(struct warp *w, const struct detail *m,
                                         const uint32_t *row, uint32_t offset, uint32_t mask,
                                         bool store, uint32_t *shift) {
    struct request_memo *memo = look_up(w, m, row, mask, store, shift);
    struct tally *tally = &w->block->tally[m->index];
    tally->requests++;
    tally->wavefronts += memo->wavefronts;
    tally->least_wavefronts += memo->least;
    *shift += offset;
    if (__builtin_expect(w->block->launch->picture != NULL, 0)) {
        uint32_t address[LANES];
        for (int l = 0; l < LANES; l++) address[l] = row[l] + offset;
        picture_draw(w, m, address, NULL, mask, store);
    }
    return memo;
}

static void run_lds(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    struct block *b = w->block;
    uint32_t buffer[LANES], shift;
    const uint32_t *row = address_row(w, m, buffer);
    const uint32_t offset = (uint32_t)m->instruction.operand[SASS_M].value - b->window;
    const struct request_memo *memo = make_request(w, m, row, offset, mask, false, &shift);
    if (!in_range(w, m, memo, shift)) {
        mask = check_lanes(w, u, row, mask, "reads");
        if (u->d != ROW_TRASH)
            load_lanes(&w->row[u->d], b->shared, row, offset, mask, m->instruction.modifiers.size);
        return;
    }
    shadow_read(w, u, memo, row, mask, shift, offset);
    if (u->d == ROW_TRASH) return;
    uint32_t(*d)[LANES] = &w->row[u->d];
    if (mask == ALL_LANES && m->width == 16) {
        if (m->base >= u->d && m->base < u->d + 4 && row != buffer) {
            memcpy(buffer, row, sizeof buffer); // the loaded row overwrites the address register
            row = buffer;
        }
        load_quads(d, b->shared, row, offset);
    } else if (mask == ALL_LANES && m->width == 4) {
        const uint32_t *words = (const uint32_t *)(const void *)b->shared;
        LANE_LOOP d[0][l] = words[(row[l] + offset) >> 2];
    } else {
        if (row != buffer) memcpy(buffer, row, sizeof buffer);
        load_lanes(d, b->shared, buffer, offset, mask, m->instruction.modifiers.size);
    }
}

// --- stores --------------------------------------------------------------------------------------

static void run_sts(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    uint32_t buffer[LANES], shift;
    const uint32_t *row = address_row(w, m, buffer);
    const uint32_t offset = (uint32_t)m->instruction.operand[SASS_M].value - w->block->window;
    const struct request_memo *memo = make_request(w, m, row, offset, mask, true, &shift);
    w->acted = true;
    if (in_range(w, m, memo, shift)) {
        note_touched(w, m->index, memo->low - 0x80000000u + shift,
                     memo->high - 0x80000000u + shift + m->width, true);
        store_lanes(w, u, memo, shift, row, mask, offset);
    } else {
        store_lanes(w, u, NULL, 0, row, check_lanes(w, u, row, mask, "writes"), offset);
    }
}

static sim_execute *bind_access(struct detail *d) {
    const struct sass_operand *o = &d->instruction.operand[SASS_M];
    const int size = d->instruction.modifiers.size;
    if (o->kind != SASS_ADDRESS || size > 6) return NULL;
    d->width = size_bytes[size];
    bind_rows_of_address(d);
    d->is_shared = true;
    d->program->shared_bytes |= d->width < 4;
    return d->instruction.form->opcode == SASS_LDS ? run_lds : run_sts;
}

const struct binding SIM_NAME(shared_bindings)[] = {{SASS_LDS, .bind = bind_access},
                                                    {SASS_STS, .bind = bind_access},
                                                    {.opcode = SASS_OPCODE_COUNT}};
