// Writes the instruction streams of observed warps while they run (sim/observer.h).
#include "sim/observer.h"
#include "isa/cubin.h"
#include "launch.h"
#include "sim/counts/banks.h"
#include "sim/ops/lanes.h"
#include "sim/ops/mbarrier.h"
#include "sim/ops/mbarrier_records.h"
#include "sim/ops/sectors.h"

#include <string.h>

enum { BANKS = 32 };

// --- polling loops -------------------------------------------------------------------------------
//
// The number of iterations of a polling loop depends on the order in which the simulator runs warps
// and blocks, and says nothing about time. An iteration counts as a poll if it reads the addresses
// that the previous one read, and leaves all registers unchanged. Only the first polls stay in the
// stream.

enum { LONGEST_ROUND = 256 }; // maximal length of an iteration, in words of the stream

// Continues the FNV-1a hash h.
static uint64_t hash(uint64_t h, const void *data, size_t bytes) {
    const uint32_t *word = data;
    for (size_t i = 0; i < bytes / sizeof *word; i++) h = (h ^ word[i]) * 0x100000001b3;
    return h;
}
// Returns a hash of the state that determines the warp's next instructions.
static uint64_t state_of(const struct warp *w) {
    const size_t registers = (size_t)w->block->launch->program->registers;
    uint64_t h =
        hash(0xcbf29ce484222325, w->row, (registers < 255 ? registers : 255) * sizeof *w->row);
    h = hash(h, w->row[ROW_UNIFORM], SASS_URZ * sizeof *w->row);
    return hash(hash(h, w->predicate, sizeof w->predicate), &w->active, sizeof w->active) | 1;
}

// Returns true if the words of the stream from `one` to `other` and from `other` to `end` are
// equal.
static bool same_words(const struct sim_stream *s, size_t one, size_t other, size_t end) {
    return other - one == end - other &&
           memcmp(s->word + one, s->word + other, (end - other) * sizeof *s->word) == 0;
}

// Recognises a poll before the warp continues at `pc`, and removes the poll's words from the
// stream.
static void look_for_spin(struct warp *w, uint32_t pc) {
    struct spin *p = &w->watch.spin;
    struct sim_stream *s = w->watch.stream;
    if (p->begin && s->count - p->begin > LONGEST_ROUND)
        *p = (struct spin){.may_poll = p->may_poll};
    if (p->begin && pc != p->pc) return;
    if (!p->may_poll) {
        p->begin = 0;
        return;
    }
    const bool repeats = p->before && same_words(s, p->before, p->begin, s->count);
    const uint64_t state = repeats ? state_of(w) : 0;
    if (state && state == p->state) {
        s->count = p->begin;
    } else {
        *p = (struct spin){.pc = pc, .before = p->begin, .begin = s->count, .state = state};
    }
    p->may_poll = false;
}

void observe_arrival(struct warp *w, uint32_t pc) {
    if (w->watch.spin.may_poll || w->watch.spin.begin) look_for_spin(w, pc);
    stream_put(w->watch.stream, pc);
}

// Returns true if a warp may poll by this instruction: an atomic with a result, a test of an
// mbarrier, or a load of memory to which others may store.
static bool may_poll(const struct detail *m) {
    const struct sass_facts *facts = sass_facts_of(&m->instruction);
    const enum sass_opcode opcode = m->instruction.form->opcode;
    if (facts->load)
        return facts->shared ? m->spins == ACCESS_POLL : sass_is_strong(&m->instruction);
    if (opcode == SASS_ATOMS || opcode == SASS_ATOMS_CAS || opcode == SASS_SYNCS_PHASECHK)
        return true;
    return facts->atomic && opcode != SASS_RED && opcode != SASS_REDG;
}

// --- requests ------------------------------------------------------------------------------------

// Sets address[] to the lanes' addresses in device memory, or in a layout of local memory where one
// word per lane fills a 128-byte line. Returns the mask of the lanes with such an address.
static uint32_t device_addresses(const struct warp *w, const struct detail *m, uint32_t mask,
                                 uint64_t *address) {
    const enum sass_opcode opcode = m->instruction.form->opcode;
    if (opcode == SASS_TLD) {
        const uint32_t handle = source(w, &w->block->launch->program->code[m->index], 1)[0];
        const struct texture *t = memory_texture(w->block->launch->memory, handle);
        for (int l = 0; t && l < LANES; l++)
            address[l] = t->base + (uint64_t)w->row[m->base][l] * t->texel_bytes;
        return t ? mask : 0;
    }
    addresses(w, m, address);
    if (opcode == SASS_LDL || opcode == SASS_STL) {
        const uint64_t base =
            (uint64_t)LOCAL_WINDOW << 48 |
            (w->block->linear * MAX_WARPS + w->index) * w->block->launch->local_bytes;
        for (int l = 0; l < LANES; l++)
            address[l] = (base + (address[l] & 0xfffffffc)) * LANES + 4u * (uint32_t)l;
    }
    EACH_LANE(l, mask) { // leaves out generic addresses of shared and local memory
        if (address[l] >> 32 == SHARED_WINDOW || address[l] >> 32 == LOCAL_WINDOW)
            mask &= ~(1u << l);
    }
    return mask;
}

static bool is_shared_atomic(enum sass_opcode opcode) {
    return opcode == SASS_ATOMS || opcode == SASS_ATOMS_CAS || opcode == SASS_ATOMS_POPC;
}
static bool is_shared_only(enum sass_opcode opcode) {
    return opcode == SASS_LDS || opcode == SASS_STS || is_shared_atomic(opcode);
}

// Sets line[] to the lines that the lanes access, each with its sectors, as observer.h describes.
// Returns the number of lines.
static int find_lines(const uint64_t *address, uint32_t mask, uint64_t *line) {
    int count = 0;
    EACH_LANE(l, mask) {
        const uint64_t a = address[l], number = a >> LINE_SHIFT;
        const uint64_t sector = 1u << (a >> SECTOR_SHIFT & 3);
        int i = count;
        while (i > 0 && line[i - 1] >> SECTORS_SHIFT != number) i--;
        if (i == 0) {
            line[count++] = number << SECTORS_SHIFT | sector;
        } else {
            line[i - 1] |= sector;
        }
    }
    return count;
}

// Returns the wavefronts that a request to device memory takes in L1's data banks. A line is spread
// over the 32 banks like shared memory.
static uint32_t data_wavefronts(const uint64_t *address, uint32_t mask, int width, int lines,
                                bool store) {
    uint32_t low[LANES];
    if (lines == 1 && width <= 4) return 1;
    for (int l = 0; l < LANES; l++) low[l] = (uint32_t)address[l];
    return (uint32_t)(store ? banks_store(low, mask, width, NULL)
                            : banks_load(low, mask, width, NULL))
        .count;
}

// Returns the stream's word about an atomic's accesses to line `number` (observer.h). The words of
// a sector are processed together. Lanes that access the same word are processed one by one.
static uint32_t atomic_wavefronts(const uint64_t *address, uint32_t mask, uint64_t number) {
    enum { WORDS = 32, OF_SECTOR = 8 };
    uint32_t lanes[WORDS] = {0}, wanted = 0, several = 0, alone = 0;
    for (; mask; mask &= mask - 1) {
        const uint64_t a = address[first_lane(mask)];
        if (a >> LINE_SHIFT == number) lanes[a >> 2 & (WORDS - 1)]++;
    }
    for (int i = 0; i < WORDS; i += OF_SECTOR) {
        uint32_t most = 0, next = 0;
        for (int k = i; k < i + OF_SECTOR; k++) {
            wanted += lanes[k] > 0;
            next = lanes[k] > most ? most : lanes[k] > next ? lanes[k] : next;
            most = lanes[k] > most ? lanes[k] : most;
        }
        several += next;
        alone += most - next;
    }
    return wanted | several << 8 | alone << 16;
}

// Returns the wavefronts of an atomic on shared memory. Lanes whose words are in one bank are
// serialised, even if they access one word. ATOMS.POPC.INC processes all lanes of a word at once.
static uint32_t shared_wavefronts(const struct warp *w, const struct detail *m, uint32_t mask) {
    uint32_t low[LANES], lanes[BANKS] = {0}, most = 0;
    for (int l = 0; l < LANES; l++) low[l] = short_address(w, m, l);
    if (m->instruction.form->opcode == SASS_ATOMS_POPC)
        return (uint32_t)banks_load(low, mask, 4, NULL).count;
    for (; mask; mask &= mask - 1) {
        const uint32_t n = ++lanes[low[first_lane(mask)] / 4 % BANKS];
        if (n > most) most = n;
    }
    return most;
}

static void observe_request(struct warp *w, const struct detail *m, uint32_t mask) {
    const enum sass_opcode opcode = m->instruction.form->opcode;
    const bool store = opcode == SASS_STG || opcode == SASS_ST || opcode == SASS_STL;
    const bool is_atomic = sass_facts_of(&m->instruction)->atomic;
    uint64_t address[LANES], line[LANES];
    uint32_t lanes = 0;
    if (!is_shared_only(opcode)) {
        lanes = device_addresses(
            w, m, opcode == SASS_LDGSTS ? mask & (w->predicate[m->pp] ^ m->pp_flip) : mask,
            address);
    }
    const int lines = find_lines(address, lanes, line);
    const bool counts = lanes && opcode != SASS_LDGSTS;
    const uint32_t waves = is_shared_atomic(opcode) ? shared_wavefronts(w, m, mask)
                           : !counts                ? 0
                           : is_atomic              ? (uint32_t)lanes_count(lanes)
                                       : data_wavefronts(address, lanes, m->width, lines, store);
    uint32_t target[LANES], again = 0;
    if (is_past_l1(m)) {
        copy_targets(w, m, target);
        again = count_sectors_again(address, target, lanes);
    }
    w->watch.request = w->watch.stream->count;
    stream_put(w->watch.stream, 1 | waves << 1 | again << 11 | (uint32_t)lines << 16);
    for (int i = 0; i < lines; i++) {
        stream_put(w->watch.stream, (uint32_t)line[i]);
        stream_put(w->watch.stream, (uint32_t)(line[i] >> 32));
        if (is_atomic)
            stream_put(w->watch.stream,
                       atomic_wavefronts(address, lanes, line[i] >> SECTORS_SHIFT));
    }
    w->watch.wavefronts = w->block->tally[m->index].wavefronts;
}

// --- mbarriers -----------------------------------------------------------------------------------

// Records the number of contributions (arrivals and copies) to the mbarrier since it was made, if a
// phase has ended since the last call.
static void look_for_phase(struct block *b, struct mbarrier_record *m) {
    const uint32_t parity = mbarrier_at(b, m->at).parity;
    if (parity != m->parity) m->wanted = m->done;
    m->parity = parity;
}

// Writes how many lanes arrive at an mbarrier of this block, or poll it. All lanes of a warp use
// one mbarrier.
static void observe_mbarrier(struct warp *w, const struct detail *m, uint32_t mask) {
    struct block *b = w->block;
    uint32_t at = 0, lanes = 0;
    w->watch.request = w->watch.stream->count;
    w->watch.lanes = mask;
    EACH_LANE(l, mask) {
        const uint32_t address = short_address(w, m, l);
        if (cluster_block(b, address >> 24) != b || !is_barrier(b, address & SHARED_OFFSET))
            continue;
        at = address & SHARED_OFFSET;
        lanes++;
    }
    if (m->instruction.form->opcode != SASS_SYNCS_PHASECHK && at)
        mbarrier_record_at(b, at)->done += lanes;
    stream_put(w->watch.stream, 1 | (uint32_t)(at != 0) << 16);
    if (!at) return;
    stream_put(w->watch.stream, at);
    stream_put(w->watch.stream, lanes);
}

// Called after an arrival or a poll. Writes how many contributions end a polled phase. A poll
// that found its phase incomplete counts as not executed, because the warp polls again.
static void observe_mbarrier_after(struct warp *w, const struct detail *m) {
    uint32_t *word = w->watch.stream->word + w->watch.request;
    if (!(*word >> 16)) return;
    struct mbarrier_record *record = mbarrier_record_at(w->block, word[1]);
    look_for_phase(w->block, record);
    if (m->instruction.form->opcode != SASS_SYNCS_PHASECHK) return;
    word[2] = record->wanted;
    if (m->pu == PREDICATE_TRASH || w->predicate[m->pu] & w->watch.lanes) return;
    *word = 0;
    w->watch.stream->count = w->watch.request + 1;
}

// Writes the first words of a copy by the copy engine, which observe_counted() and observe_copy()
// fill in and continue.
static void observe_engine(struct warp *w) {
    w->watch.request = w->watch.stream->count;
    for (int i = 0; i < 3; i++) stream_put(w->watch.stream, i == 0);
}

static void observe_barrier(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *row =
        (const uint32_t *)(const void *)(w->base[u->source_base[m->wide]] + u->source[m->wide]);
    const uint32_t *threads =
        (const uint32_t *)(const void *)(w->base[u->source_base[1]] + u->source[1]);
    const int lane = first_lane(mask);
    const uint32_t id = row[lane] & (NAMED_BARRIERS - 1),
                   count = m->width ? threads[lane] >> (m->packed ? 16 : 0) & 0xfff : 0;
    stream_put(w->watch.stream, 1 | id << 1 | count << 5 | (uint32_t)(m->shift != 1) << 17);
}

void observe_before(struct warp *w, const struct uop *u, uint32_t mask) {
    const enum sass_opcode opcode = u->detail->instruction.form->opcode;
    if (mask && may_poll(u->detail)) w->watch.spin.may_poll = true;
    if (!mask) {
        stream_put(w->watch.stream, 0);
    } else if (opcode == SASS_BAR) {
        observe_barrier(w, u, mask);
    } else if (sass_facts[opcode].memory) {
        observe_request(w, u->detail, mask);
    } else if (opcode == SASS_UBLKCP || opcode == SASS_UTMALDG) {
        observe_engine(w);
    } else if (sass_facts[opcode].mbarrier) {
        observe_mbarrier(w, u->detail, mask);
    } else {
        stream_put(w->watch.stream, 1);
    }
}

// Called after the instruction, when its wavefronts in shared memory are known.
void observe_after(struct warp *w, const struct uop *u) {
    const enum sass_opcode opcode = u->detail->instruction.form->opcode;
    if (opcode == SASS_SYNCS_ARRIVE || opcode == SASS_SYNCS_PHASECHK)
        observe_mbarrier_after(w, u->detail);
    if (!sass_facts[opcode].memory) return;
    const uint64_t waves = w->block->tally[u->detail->index].wavefronts - w->watch.wavefronts;
    w->watch.stream->word[w->watch.request] += (uint32_t)waves << 1;
}

// --- the kernel's code ---------------------------------------------------------------------------

size_t sim_instruction_count(const struct sim_kernel *kernel) {
    return kernel->code->count;
}
const struct sass_instruction *sim_instruction(const struct sim_kernel *kernel, size_t index,
                                               bool *control, bool *observed) {
    const struct program *p = kernel_program(kernel);
    *control = p->code[index].flags & UOP_CONTROL;
    *observed = p->code[index].flags & UOP_OBSERVED;
    return p->detail[index].instruction.form ? &p->detail[index].instruction : NULL;
}
const struct sass_kernel *sim_code(const struct sim_kernel *kernel) {
    return kernel->code;
}
