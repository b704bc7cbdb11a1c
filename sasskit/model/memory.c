// The memory pipeline. Each scheduler has two queues, one of them for texture fetches. The SM has
// L1's tags, and the data banks, which serve both shared memory and L1. A request to shared memory
// needs only the data banks. One to device memory goes through the tags, waits for its sectors from
// L2, and then needs the data banks. Bulk copies and mbarriers leave the queue when the data banks
// are free, but do not occupy them. Commits need neither.
#include "registers.h"
#include "sim/machine/room.h"

#include <math.h>

enum { LINE_BYTES = 128, ROW_BYTES = 32 }; // ROW_BYTES is one row of a wgmma operand
// A texture fetch looks up four lanes at a time (ncu: l1tex__t_requests_pipe_tex).
enum { WARP = 32, QUADS = WARP / 4 };

static bool needs_tags(const struct instruction *in) {
    return in->kind >= KIND_LOAD;
}
static bool is_global(const struct instruction *in) {
    return needs_tags(in) && in->kind != KIND_TEXTURE;
}
static enum sm_state state_of(const struct instruction *in) {
    return needs_tags(in) || in->kind == KIND_COMMIT || in->kind == KIND_MBARRIER_WAIT
               ? SM_LONG_SCOREBOARD
               : SM_SHORT_SCOREBOARD;
}

// Returns how many words of a warp's stream (sim/observer.h) describe one cache line of an access.
static int words_per_line(const struct instruction *in) {
    return in->kind == KIND_ATOMIC ? 3 : 2;
}

uint32_t memory_words(const struct instruction *in, uint32_t event) {
    return (uint32_t)words_per_line(in) * (event >> 16) +
           (in->kind == KIND_TMA && event & 1 ? 2 : 0);
}

// --- issue: into the scheduler's queue -----------------------------------------------------------

static void set_scoreboard(struct sm_warp *w, int number, enum sm_state state) {
    if (number >= SCOREBOARDS) return;
    w->scoreboard[number].count++;
    w->scoreboard[number].state = (uint8_t)state;
}

static enum gate gate_of(const struct request *r) {
    const struct instruction *in = r->instruction;
    if (!r->active || in->kind == KIND_COMMIT) return GATE_NONE;
    if (!needs_tags(in)) return GATE_BANKS;
    return in->kind == KIND_TEXTURE ? GATE_TEXELS : GATE_TAGS;
}

static void look_at_first(struct queue *q) {
    const struct request *r = &q->request[q->head];
    q->from = q->count == 0 ? NEVER : r->time > q->next_handed ? r->time : q->next_handed;
    if (q->count) q->gate = gate_of(r);
}

void memory_issue(struct sm *sm, struct sm_scheduler *s, struct sm_warp *w, const uint32_t *event,
                  int64_t now) {
    const struct instruction *in = w->next;
    struct request r = {.warp = w, .instruction = in, .active = true, .wavefronts = 1};
    if (event) {
        r.active = *event & 1;
        r.wavefronts = *event >> 1 & 0x3ff;
        r.again = *event >> 11 & 0x1f;
        r.lines = (uint16_t)(*event >> 16);
        r.line = w->word;
        w->word += memory_words(in, *event);
    }
    r.time = now + (int64_t)sm->machine->address_latency;
    if (r.active && (in->kind == KIND_STORE || in->kind == KIND_ATOMIC)) w->stored = true;
    set_scoreboard(w, in->write_barrier, state_of(in));
    set_scoreboard(w, in->read_barrier,
                   in->kind == KIND_SHARED ? SM_SHORT_SCOREBOARD : SM_LONG_SCOREBOARD);
    if (in->kind == KIND_COPY) {
        r.group = (uint16_t)(w->group_last % COPY_GROUPS);
        w->group[r.group].out++;
    } else if (in->kind == KIND_COMMIT) {
        r.group = (uint16_t)(w->group_last++ % COPY_GROUPS);
    }
    struct queue *q = &s->queue[in->kind == KIND_TEXTURE ? QUEUE_TEXTURE : QUEUE_LSU];
    q->request[(q->head + q->count++) % QUEUE] = r;
    if (q->count == 1) look_at_first(q);
    s->queued_global += is_global(in);
    w->block->out++;
    if (r.time < sm->memory.next) sm->memory.next = r.time;
}

static void arrive_at_mbarrier(struct sm *sm, struct sm_block *b, uint32_t at, uint32_t done,
                               int64_t when);

// Completes the warp's finished copy groups, oldest first. A group never completes before an older
// one.
static void end_groups(struct sm *sm, struct sm_warp *w) {
    while (w->group_first != w->group_last) {
        struct copy_group *g = &w->group[w->group_first % COPY_GROUPS];
        if (g->out || g->scoreboard == NO_BARRIER) return;
        if (g->scoreboard < SCOREBOARDS) warp_release(sm, w, g->scoreboard, g->done);
        const int64_t done = g->done;
        if (g->arrivals) arrive_at_mbarrier(sm, w->block, g->address, g->arrivals, done);
        *g = (struct copy_group){.scoreboard = NO_BARRIER};
        w->group_first++;
        struct copy_group *next = &w->group[w->group_first % COPY_GROUPS];
        if (next->done < done) next->done = done;
    }
}

static void result(struct sm *sm, const struct request *r, int64_t when) {
    struct sm_warp *w = r->warp;
    const struct instruction *in = r->instruction;
    struct sm_scheduler *s = &sm->scheduler[w->scheduler];
    if (r->active && needs_tags(in)) s->results += (in->results + 1) / 2;
    if (in->write_barrier < SCOREBOARDS && in->kind != KIND_COMMIT)
        warp_release(sm, w, in->write_barrier, when);
    if (in->kind == KIND_COPY) {
        struct copy_group *g = &w->group[r->group];
        g->out--;
        if (when > g->done) g->done = when;
        end_groups(sm, w);
    }
    w->block->out--;
    block_check(sm, w->block, when);
}

// --- mbarriers -----------------------------------------------------------------------------------

static struct sm_mbarrier *mbarrier_at(struct sm *sm, struct sm_block *b, uint32_t at) {
    int i = 0;
    while (i < b->mbarriers && b->mbarrier[i].address != at) i++;
    if (i == MBARRIERS)
        return sm->failed = "a block has more mbarriers than the model has room for",
               &b->mbarrier[0];
    if (i == b->mbarriers) b->mbarrier[b->mbarriers++] = (struct sm_mbarrier){.address = at};
    return &b->mbarrier[i];
}

// Adds `done` arrivals, complete in cycle `when`, to the mbarrier at address `at`. Releases the
// warps whose wait they complete.
static void arrive_at_mbarrier(struct sm *sm, struct sm_block *b, uint32_t at, uint32_t done,
                               int64_t when) {
    struct sm_mbarrier *m = mbarrier_at(sm, b, at);
    m->done += done;
    if (when > m->time) m->time = when;
    for (int i = 0; i < b->waiting; i++) {
        const struct request r = b->waits[i];
        if (r.line[0] != at || r.line[1] > m->done) continue;
        b->waits[i--] = b->waits[--b->waiting];
        result(sm, &r, m->time + (int64_t)sm->machine->shared_latency);
    }
}

static void wait_at_mbarrier(struct sm *sm, const struct request *r, int64_t now) {
    struct sm_block *b = r->warp->block;
    const struct sm_mbarrier *m = mbarrier_at(sm, b, r->line[0]);
    if (r->line[1] > m->done && b->waiting == SLOTS) {
        sm->failed = "the warps of a block wait for more at once than the model has room for";
    } else if (r->line[1] > m->done) {
        b->waits[b->waiting++] = *r;
    } else {
        result(sm, r, (m->time > now ? m->time : now) + (int64_t)sm->machine->shared_latency);
    }
}

// --- the data banks ------------------------------------------------------------------------------

// Returns the wavefronts that a request needs in the data banks. A copy through L1 reads L1 and
// then writes shared memory; a copy that bypasses L1 only writes.
static int wavefronts_of(const struct sm *sm, const struct request *r) {
    const bool twice = r->instruction->kind == KIND_COPY && !r->instruction->bypass;
    if (r->instruction->kind == KIND_ATOMIC) return 1; // the event word has lanes, not wavefronts
    if (r->instruction->special) return (int)sm->machine->special_turns;
    return twice ? 2 * r->wavefronts : r->wavefronts;
}

// Returns the tag bank of a line. L1 has four tag banks, each of which looks up one line per cycle.
// The parities of two sets of bits of the line number (LOW, HIGH) give the bank. They were measured
// with lanes 128 to 16388 bytes apart; the role of higher bits is a guess.
static int tag_bank(uint64_t number) {
    enum { BITS = 13, LOW = 0x0f6f, HIGH = 0x1ab5 };
    number ^= number >> BITS;
    return __builtin_parityll(number & LOW) | __builtin_parityll(number & HIGH) << 1;
}

// Returns the cycles for which a request occupies the tags: the largest number of its lines in one
// tag bank. If l1_tags is not four, the cycles change in inverse proportion to it.
static double lookups(const struct sm *sm, const struct request *r) {
    enum { BANKS = 4 };
    int per_bank[BANKS] = {0}, most = 1;
    for (int i = 0; i < r->lines; i++) {
        const uint32_t *word = &r->line[words_per_line(r->instruction) * i];
        const int lines = ++per_bank[tag_bank((word[0] | (uint64_t)word[1] << 32) >> 4)];
        most = lines > most ? lines : most;
    }
    return most * BANKS / sm->machine->l1_tags;
}

// Returns true if a request counts towards l1_pending until it is served. A store does not, because
// it leaves for L2 at once.
static bool holds_entry(const struct instruction *in) {
    return in->kind != KIND_STORE;
}

// Returns the wavefronts for which a request occupies the data banks: at least memory_turns,
// because the load/store units take that long per request.
static double bank_wavefronts(const struct sm *sm, const struct request *r) {
    return later(wavefronts_of(sm, r), sm->machine->memory_turns);
}

// Occupies a resource, which is free from cycle *free on, for some wavefronts. Returns the cycles
// from the first wavefront to the last.
static int64_t occupy(const struct sm *sm, double *free, double wavefronts, int64_t now) {
    const double cycles = wavefronts / sm->machine->shared_wavefronts;
    *free = later(*free, (double)now) + cycles;
    return (int64_t)later(cycles - 1, 0);
}

// Results of shared memory return in order, across all schedulers. A result is written in parts. A
// part is written in a cycle in which nothing else is written to its register bank, or gets a cycle
// of its own after write_wait cycles. While too many parts wait at one scheduler, later results of
// all schedulers are delayed.

// Returns the number of a result's parts: one per register if the load needs a wavefront per
// register, otherwise one per pair.
static int parts_of(const struct sm *sm, const struct request *r) {
    const int registers = r->instruction->results;
    return wavefronts_of(sm, r) >= registers ? registers : (registers + 1) / 2;
}

static int64_t shared_return_time(const struct sm *sm) {
    const struct memory *m = &sm->memory;
    if (!m->returning_count) return NEVER;
    const struct shared_return *c = &m->returning[m->returning_first];
    const struct sm_scheduler *s = &sm->scheduler[c->request.warp->scheduler];
    if (s->writes && s->writes + parts_of(sm, &c->request) > (int)sm->machine->write_parts)
        return NEVER;
    return max(c->first, m->way_back);
}

static void return_shared(struct sm *sm, int64_t now) {
    struct memory *m = &sm->memory;
    const struct shared_return c = m->returning[m->returning_first];
    const struct instruction *in = c.request.instruction;
    struct sm_scheduler *s = &sm->scheduler[c.request.warp->scheduler];
    const int parts = parts_of(sm, &c.request);
    const int64_t from = now - (int64_t)sm->machine->write_ahead, all = c.last - c.first;
    m->returning_first = (m->returning_first + 1) % RETURNS;
    m->returning_count--;
    m->way_back = now + parts;
    for (int i = 0; i < parts; i++) {
        const int64_t after = parts > 1 ? max(i * all / (parts - 1), i) : all;
        s->write[(s->write_first + s->writes++) % WRITES] = (struct write){
            .request = c.request,
            .from = from + after,
            .banks = parts < in->results ? 3 : (uint8_t)(1 << ((in->first_into + i) & 1)),
            .last = i == parts - 1};
    }
    if (s->next > now) s->next = now;
}

void memory_write(struct sm *sm, struct sm_scheduler *s, int64_t now) {
    struct memory *m = &sm->memory;
    const struct write *w = &s->write[s->write_first];
    while (s->writes) {
        const int64_t cycle = max(s->port_seen, w->from);
        if (cycle >= now) break;
        s->port_seen = cycle + 1;
        if (registers_were_written(s, w->banks, cycle)) continue;
        const struct write done = *w;
        s->write_first = (s->write_first + 1) % WRITES;
        s->writes--;
        s->port_served = cycle;
        if (done.last) result(sm, &done.request, cycle + (int64_t)sm->machine->write_ahead);
        m->next = min(m->next, max(shared_return_time(sm), now));
        w = &s->write[s->write_first];
    }
    if (!s->writes) return;
    const int64_t since = max(w->from, s->port_served + 1);
    if (now - since >= (int64_t)sm->machine->write_wait && s->port_closed <= now)
        s->port_closed = now + (int64_t)sm->machine->write_window;
    s->next = min(s->next, max(now + 1, w->from + 1));
}

static void serve_shared(struct sm *sm, const struct request *r, int64_t now) {
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const struct instruction *in = r->instruction;
    const double more = in->special ? in->latency : 0,
                 wide = in->results > 2 ? of->wide_latency : 0;
    const int64_t first =
        now + r->behind + (int64_t)(of->shared_latency - of->address_latency + more);
    const int64_t last =
        first + (int64_t)wide + occupy(sm, &m->banks, r->active ? bank_wavefronts(sm, r) : 0, now);
    if (r->active && in->results) {
        m->returning[(m->returning_first + m->returning_count++) % RETURNS] =
            (struct shared_return){*r, first, last};
    } else {
        result(sm, r, last);
    }
}

static void serve_mbarrier(struct sm *sm, const struct request *r, int64_t now) {
    if (!r->lines) {
        result(sm, r, now + 1);
    } else if (r->instruction->kind == KIND_MBARRIER_ARRIVE) {
        arrive_at_mbarrier(sm, r->warp->block, r->line[0], r->line[1], now);
        result(sm, r, now + (int64_t)sm->machine->shared_latency);
    } else {
        wait_at_mbarrier(sm, r, now);
    }
}

// Serves a request after its sectors have arrived.
static void serve_back(struct sm *sm, const struct request *r, int64_t now) {
    const struct sm_machine *m = sm->machine;
    const bool texture = r->instruction->kind == KIND_TEXTURE;
    // Filling L1 takes no further time of the banks.
    const int64_t more = occupy(sm, &sm->memory.banks, bank_wavefronts(sm, r), now);
    sm->memory.pending -= holds_entry(r->instruction);
    const double latency = texture ? m->texture_latency : m->l1_latency;
    result(sm, r, now + r->behind + (int64_t)(latency - m->address_latency - 1) + more);
}

// --- requests that wait for sectors: a heap ordered by time --------------------------------------

static void push_back(struct memory *m, struct request r) {
    MAKE_ROOM(m->back, m->back_count, m->back_capacity);
    int i = m->back_count++;
    for (; i > 0 && m->back[(i - 1) / 2].time > r.time; i = (i - 1) / 2)
        m->back[i] = m->back[(i - 1) / 2];
    m->back[i] = r;
}

static struct request pop_back(struct memory *m) {
    const struct request top = m->back[0], last = m->back[--m->back_count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < m->back_count; i = child) {
        if (child + 1 < m->back_count && m->back[child + 1].time < m->back[child].time) child++;
        if (m->back[child].time >= last.time) break;
        m->back[i] = m->back[child];
    }
    m->back[i] = last;
    return top;
}

// --- the tags ------------------------------------------------------------------------------------

// Draws a number from a fixed sequence, so that every run predicts the same time.
static double between(struct memory *m, double least, double most) {
    m->random = m->random * 6364136223846793005ull + 1442695040888963407ull;
    return least + (most - least) * (double)(m->random >> 40) / (double)(1 << 24);
}

// Returns how far this block is ahead of other blocks that load the same data, from 0 (last) to 1
// (first). Warps that leave a barrier together share one value until the next barrier, but no
// longer than the time between the last two barriers. Without barriers, every request draws its own
// value.
static double draw_lead(struct memory *m, struct sm_block *b, int64_t now) {
    const double own = between(m, 0, 1);
    if (b->lead_until == NEVER) {
        b->lead = own;
        b->lead_until = now + b->released - b->released_before;
    }
    return now <= b->lead_until ? b->lead : own;
}

// Draws the delay of a request's sectors after memory_latency, in cycles (below 0: earlier):
// m->first if the request is the first one of all SMs for its data, otherwise m->late. l2_load() in
// l2.c takes the request for the first one if m->drawn * times_requested() < 1.
// If each SM has one block or at most four warps (m->in_step), SMs load a line at about the same
// time, and the first of them may have brought it to L2 for the others. Otherwise another block may
// have loaded the line long before.
static void draw_lateness(struct sm *sm, struct sm_block *b, int64_t now) {
    static const double DRAWN_IN_STEP = 0.6;
    struct memory *m = &sm->memory;
    const struct sm_machine *of = sm->machine;
    const double busy = m->active_share * of->multiprocessors > 1 ? of->memory_busy : 0,
                 to_l2 = of->l2_latency - of->memory_latency;
    m->late = m->in_step ? busy + between(m, to_l2, of->memory_spread)
                         : to_l2 * (1 - draw_lead(m, b, now));
    m->first = m->in_step ? busy + between(m, -of->memory_spread, of->memory_spread) : busy;
    m->drawn = m->in_step ? DRAWN_IN_STEP : between(m, 0, 1);
}

static void look_up(struct sm *sm, struct request *r, int64_t now) {
    struct memory *m = &sm->memory;
    const struct instruction *in = r->instruction;
    double cycles = lookups(sm, r);
    r->time = now + 1;
    if (in->kind == KIND_TEXTURE) {
        cycles = later(cycles, QUADS);
        m->texels = (double)now + WARP * in->results / sm->machine->texture_words;
        r->time = (int64_t)m->texels;
    }
    m->tags = later(m->tags, (double)now) + cycles;
    draw_lateness(sm, r->warp->block, now);
    m->strong = in->kind == KIND_LOAD && in->bypass;
    const bool stores = in->kind == KIND_STORE && !in->local;
    if (in->kind == KIND_STORE) r->time = max(r->time, l2_store(sm, r, now));
    for (int i = 0; i < r->lines && !stores; i++) {
        const uint32_t *word = &r->line[words_per_line(in) * i];
        const uint64_t line = word[0] | (uint64_t)word[1] << 32;
        int64_t there = now;
        if (in->kind == KIND_STORE) {
            l1_store_local(sm, line, now);
        } else if (in->kind == KIND_ATOMIC) {
            there = l2_atomic(sm, r, line, word[2], now);
        } else {
            there = l1_load(sm, line, !in->bypass, now);
        }
        if (there > r->time) r->time = there;
    }
    if (r->again) r->time = max(r->time, l2_again(sm, r->again, now));
    m->pending += holds_entry(in);
    push_back(m, *r);
}

// Returns the cycle in which one warp's quarter of a wgmma has read its operands from shared
// memory. Bulk copies that write to shared memory share this bandwidth.
int64_t memory_read_wgmma(struct sm *sm, const struct instruction *in, int64_t now) {
    occupy(sm, &sm->memory.wgmma_banks,
           (double)in->wgmma_rows * ROW_BYTES / LINE_BYTES / SCHEDULERS, now);
    return (int64_t)sm->memory.wgmma_banks;
}

// Starts a bulk copy (TMA), which loads lines from L2 and writes them to shared memory, bypassing
// L1.
static void start_tma(struct sm *sm, const struct request *r, int64_t now) {
    struct memory *m = &sm->memory;
    int64_t there = now;
    draw_lateness(sm, r->warp->block, now);
    m->strong = false;
    for (int i = 1; i <= r->lines; i++) {
        const uint64_t line = r->line[2 * i] | (uint64_t)r->line[2 * i + 1] << 32;
        const int64_t comes = l2_load(sm, line >> 4, line & 15, now);
        if (comes > there) there = comes;
    }
    occupy(sm, &m->wgmma_banks, r->lines * r->instruction->copies, now);
    if (r->line[1])
        arrive_at_mbarrier(sm, r->warp->block, r->line[0], r->line[1],
                           there + (int64_t)sm->machine->engine_latency);
    result(sm, r, now + 1);
}

// Returns the cycles until a request's source registers may be overwritten. A store to shared
// memory reads its data as the data banks accept them.
static int sources_read(const struct request *r) {
    const bool as_taken =
        r->active && r->instruction->kind == KIND_SHARED && r->instruction->results == 0;
    return r->instruction->read_latency + (as_taken && r->wavefronts > 1 ? r->wavefronts - 1 : 0);
}

// Returns the cycles until the scheduler's queue can release its next request. A scheduler gets the
// data banks for one wavefront per address_cycles cycles.
static int64_t cycles_to_next(const struct sm *sm, const struct request *r) {
    if (needs_tags(r->instruction)) return (int64_t)sm->machine->tag_cycles;
    return (int64_t)sm->machine->address_cycles *
           (gate_of(r) == GATE_BANKS ? wavefronts_of(sm, r) : 1);
}

static void hand_on(struct sm *sm, struct sm_scheduler *s, struct queue *q, int64_t now) {
    struct request r = q->request[q->head];
    struct sm_warp *w = r.warp;
    const struct instruction *in = r.instruction;
    q->head = (q->head + 1) % QUEUE;
    q->count--;
    s->queued_global -= is_global(in);
    r.behind = (uint16_t)registers_fetch(s, in->reads, now);
    q->next_handed = now + cycles_to_next(sm, &r);
    look_at_first(q);
    if (s->next > now) s->next = now; // a warp may have waited for room in the queue
    if (in->read_barrier < SCOREBOARDS)
        warp_release(sm, w, in->read_barrier, now + sources_read(&r));
    if (in->kind == KIND_COMMIT) {
        w->group[r.group].scoreboard =
            in->write_barrier < SCOREBOARDS ? in->write_barrier : NO_BARRIER + 1;
        if (w->group[r.group].done < now) w->group[r.group].done = now;
        if (r.lines) w->group[r.group].address = r.line[0], w->group[r.group].arrivals = r.line[1];
        end_groups(sm, w);
        w->block->out--;
        block_check(sm, w->block, now);
    } else if (!r.active) {
        result(sm, &r, now + 1);
    } else if (needs_tags(in)) {
        look_up(sm, &r, now);
    } else if (in->kind == KIND_MBARRIER_ARRIVE || in->kind == KIND_MBARRIER_WAIT) {
        serve_mbarrier(sm, &r, now);
    } else if (in->kind == KIND_TMA) {
        start_tma(sm, &r, now);
    } else {
        serve_shared(sm, &r, now);
    }
}

static int64_t sectors_ready_time(const struct memory *m) {
    return m->back_count ? max(m->back[0].time, (int64_t)m->banks) : NEVER;
}

// Releases the next request, round robin over the schedulers, and returns `now`. If none can leave,
// returns the cycle in which one can.
static int64_t serve_queues(struct sm *sm, int64_t now) {
    struct memory *m = &sm->memory;
    const bool full = m->pending >= sm->machine->l1_pending;
    const int64_t opens[GATES] = {
        [GATE_BANKS] = m->returning_count == RETURNS ? NEVER : (int64_t)m->banks,
        [GATE_TAGS] = full ? NEVER : (int64_t)m->tags,
        [GATE_TEXELS] = full ? NEVER : (int64_t)later(m->tags, m->texels)};
    int64_t next = NEVER;
    for (int i = 0; i < QUEUES * SCHEDULERS; i++) {
        struct sm_scheduler *s = &sm->scheduler[(m->turn + i) % SCHEDULERS];
        struct queue *q = &s->queue[i / SCHEDULERS];
        const int64_t from = max(q->from, opens[q->gate]);
        next = min(next, from);
        if (from > now) continue;
        if (!needs_tags(q->request[q->head].instruction)) m->queues_first = false;
        hand_on(sm, s, q, now);
        m->turn = (int)(s - sm->scheduler) + 1;
        return now;
    }
    return next;
}

// Serves the requests that are due in cycle `now`. The data banks alternate between requests whose
// sectors have arrived and requests from the queues.
void memory_step(struct sm *sm, int64_t now) {
    struct memory *m = &sm->memory;
    while (shared_return_time(sm) <= now) return_shared(sm, now);
    for (;;) {
        if (!m->queues_first && sectors_ready_time(m) <= now) {
            const struct request r = pop_back(m);
            serve_back(sm, &r, now);
            m->queues_first = true;
        }
        m->next = serve_queues(sm, now);
        if (m->next <= now) continue;
        if (!m->queues_first || sectors_ready_time(m) > now) break;
        m->queues_first = false;
    }
    m->next = max(min(m->next, min(sectors_ready_time(m), shared_return_time(sm))), now + 1);
}
