// Predicts a launch's time from one SM, the busiest: chooses its blocks and their starts, replays
// their recorded instructions cycle by cycle, and extrapolates to the blocks that are not replayed.
#include "deal.h"
#include "isa/cubin.h"
#include "stream.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_RUN = 5, MOST_BLOCKS = 32 };
// Two blocks "end together" if their ends differ by at most this fraction of the time elapsed: the
// longer blocks run, the farther they drift apart. Fitted to step 05: blocks of variant `shared`
// end 2.2 % apart, and their SMs get spare blocks (spare_blocks); those of `global` end 7 % apart,
// and their SMs get none.
static const double TOGETHER = 0.03;
// Limits in warp instructions. If the replayed blocks have more than LONG in all, they are
// shortened to about SHORT in all. If several blocks share the SM, LONG_TOGETHER replaces LONG,
// because such blocks drift apart for a long time. take_most() assumes that a block with more than
// LONG_BLOCK is as long as the launch's longest block.
static const double LONG = 60e6, SHORT = 20e6, LONG_TOGETHER = 400e6, LONG_BLOCK = 30e6;

struct chip {
    struct sm_machine machine; // with the clock at which this kernel runs
    struct sim_watch *watch;
    struct sim_watch_facts facts;
    double sms; // number of SMs that have blocks
    // --- blocks of the replayed SM
    // numbers of blocks: all of the SM's, those replayed, and those resident at once
    uint64_t total, run, resident;
    uint64_t next; // number of the SM's blocks that have started
    // number of blocks beyond `total` that the SM gets if the blocks of its last full wave end
    // together
    uint64_t spare;
    int64_t started; // cycle in which the latest block started
    // indices of the `run` blocks, if blocks differ in work (deal.c); NULL if next_block() chooses
    uint64_t *order;
    double first_work; // warp instructions of the launch's first block
    double apart;      // result of ends_apart() after an earlier replay; 0 if there was none
    // work of the blocks that are not replayed, divided by the work of the replayed ones
    double rest_work;
    double work;   // the largest work of a block so far
    bool has_most; // true if the launch's largest block replaced the SM's last
    bool fetches;  // true if an atomic returns a value, so that blocks can fetch work
    // --- long blocks (stream.c)
    // warp instructions of the blocks started: all, and those that were not cut
    double instructions, replayed;
    double left_out; // cycles of the SM for iterations cut from blocks that have ended
    // The end of a block.
    struct end {
        int64_t time;
        uint64_t instructions; // number of instructions that the SM had issued when the block ended
    } * ended;                 // `run` ends; all_cycles() sorts them by time
    uint64_t ended_count;
    struct sm_block block[MOST_BLOCKS];
    bool failed;
    struct error error;
};

// --- occupancy -----------------------------------------------------------------------------------

// Converts a figure to int. Values above INT_MAX, which --machine allows, become INT_MAX.
static int whole(double figure) {
    return (int)smaller(figure, INT_MAX);
}

static uint64_t blocks_that_fit(const struct sm_machine *m, const struct sim_kernel *kernel,
                                const struct sim_watch_facts *f) {
    const struct sim_sm sm = {.blocks = whole(smaller(m->blocks, MOST_BLOCKS)),
                              .warps = whole(m->warps),
                              .schedulers = whole(m->schedulers),
                              .registers = whole(m->registers),
                              .shared_bytes = whole(m->shared_kbytes * 1024)};
    const int fit =
        sim_blocks_that_fit(&sm, sim_code(kernel)->registers, (int)f->warps, (int)f->shared_bytes);
    return fit > 0 ? (uint64_t)fit : 0;
}

// Returns how many blocks beyond ceil(blocks / sms) an SM can get. In the first wave, blocks go to
// the SMs round robin. If the blocks of an SM end almost together, the SM has room for several of
// the next blocks and takes them at once. Example: 289 blocks, two resident on each of 132 SMs. Ten
// SMs get two more, five get one, and the others none (logged on an H200, step 07 at N = 2049).
// This matters only in the last wave, in which some SMs get no block.
static uint64_t spare_blocks(uint64_t blocks, uint64_t sms, uint64_t resident) {
    const uint64_t each = (blocks + sms - 1) / sms, waves = blocks / (sms * resident);
    const uint64_t rest = blocks - waves * sms * resident,
                   most = waves * resident + (rest < resident ? rest : resident);
    return waves > 0 && most > each ? most - each : 0;
}

// Returns the KB that shared memory leaves to L1. The driver configures the smallest amount of
// shared memory that holds the resident blocks (programming guide).
static double l1_left(const struct sm_machine *m, double shared_bytes) {
    static const double sizes[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] * 1024 >= shared_bytes) return m->l1_kbytes - sizes[i];
    }
    return m->l1_kbytes - m->shared_kbytes;
}

// Opens the L2 that this SM uses. If L2 holds all allocations of the launch, the SM may use all of
// it. Otherwise the SM gets its share, and nothing remains from earlier launches.
static bool open_l2(struct sm *sm, const struct chip *c) {
    struct memory *m = &sm->memory;
    double bytes = 0;
    for (int i = 1; i < m->regions; i++) bytes += (double)m->region[i].bytes;
    const double all = sm->machine->l2_mbytes * 1e6;
    m->overflows = bytes > all;
    if (m->overflows) m->before = NULL;
    for (int i = 1; i < m->regions; i++) m->region[i].held &= m->before != NULL;
    const double roomy = 2 * all; // large enough that no set overflows
    return cache_open(&m->l2, (bytes > all ? all / c->sms : roomy) / 1024);
}

// Counts the lines that a warp of the SM's first block loads or stores (l2_expect).
static void expect(struct sm *sm, const struct sim_stream *stream) {
    struct stream_reader r = {.at = stream->word, .end = stream->word + stream->count};
    while (stream_next(sm, &r)) {
        const enum kind kind = r.instruction->kind;
        if (kind < KIND_LOAD && kind != KIND_TMA) continue;
        const uint32_t line = kind == KIND_ATOMIC ? 3 : 2;
        for (uint32_t i = kind == KIND_TMA ? 2 : 0; i < r.words; i += line)
            l2_expect(sm, r.word[i] | (uint64_t)r.word[i + 1] << 32);
    }
}

// Estimates a block's work, in warp instructions. An instruction that waits for L2 (a fence, an
// atomic with a result, a strong load) counts as one instruction per cycle of a fence (`fence` in
// machine.def). Strong loads less than NEAR instructions apart count only once.
static double work_of(void *context, const struct sim_stream *stream) {
    enum { NEAR = 16 };
    const struct sm *sm = context;
    const struct chip *c = sm->context;
    double work = 0;
    for (uint32_t i = 0; i < c->facts.warps; i++) {
        struct stream_reader r = {.at = stream[i].word, .end = stream[i].word + stream[i].count};
        for (int since = NEAR; stream_next(sm, &r); since++) {
            const struct instruction *in = r.instruction;
            const bool loads = in->kind == KIND_LOAD && in->bypass;
            const bool waits =
                in->fence || (loads && since >= NEAR) || (in->kind == KIND_ATOMIC && in->results);
            if (loads) since = 0;
            work += waits ? sm->machine->fence : 1;
        }
    }
    return work;
}

// Replaces the SM's last block by the launch's block with the most work, if blocks depend on each
// other: then the launch ends with that block. Returns false and sets c->error on failure.
static bool take_most(struct sm *sm, struct chip *c, struct sm_block *b) {
    if (!sim_watch_facts(c->watch).dependent) return true;
    const double work = work_of(sm, b->stream);
    if (work > c->work) c->work = work;
    // Long blocks that do not fetch work differ little, and executing all of them takes hours.
    if (!c->fetches && work > LONG_BLOCK) return true;
    return c->next < c->run ||
           sim_watch_most(c->watch, c->work, b->stream, &c->has_most, &c->error);
}

// Returns the index of the SM's next block. Blocks start in groups of one per SM, and this SM gets
// one block of each group. In the first wave, that is the group's first block. Later, a block goes
// to any SM with room, so the model takes another position in each group: at a fixed position, the
// SM would get the same columns of the matrix again and again. If the launch is `ordered`
// (sim/observer.h), the SM always gets the first block.
static uint64_t next_block(const struct sm *sm, const struct chip *c) {
    enum { STEP = 81 }; // about 132 (an H200's SMs) times the fractional part of the golden ratio
    if (c->order) return c->order[c->next];
    const uint64_t sms = (uint64_t)sm->machine->multiprocessors, first = c->next * sms;
    if (first >= c->facts.blocks) { // a spare block
        const uint64_t waves = c->facts.blocks / (sms * c->resident),
                       begin = waves * sms * c->resident;
        return begin + (c->next - waves * c->resident) % (c->facts.blocks - begin);
    }
    const uint64_t any = first + c->next * STEP % sms;
    const bool in_turn = c->next < c->resident || sim_watch_facts(c->watch).ordered;
    return in_turn || any >= c->facts.blocks ? first : any;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// Returns the distance between the starts of two blocks on one SM, in warp instructions; 0 if it is
// negligible, so that the SM's blocks end together. RATE, the instructions per cycle and SM, is
// assumed to be half of the peak: a guess that fits one launch of best.csv (4642 x 743 x 1).
static double starts_apart(const struct sm *sm, const struct chip *c) {
    enum { RATE = 2 };
    const double distance = RATE * sm->machine->block_rate * c->sms / (double)c->resident;
    return (double)(c->resident - 1) * distance > TOGETHER * c->first_work ? distance : 0;
}

// Returns the mean distance between the ends of successive blocks in the SM's first wave, in warp
// instructions. Returns 0 if the blocks ended together, as deal.c assumes, if deal.c did not list
// all blocks of the SM, or if all were resident at once. Blocks that share a busy pipe can end half
// a block apart: the SM has room for one at a time, and the launch's last blocks go to more SMs.
static double ends_apart(const struct chip *c) {
    const bool whole = c->order && c->run == c->total && c->run > c->resident;
    if (!whole || c->resident < 2) return 0;
    const double first = (double)c->ended[0].time, last = (double)c->ended[c->resident - 1].time;
    if (last - first <= TOGETHER * first) return 0;
    return (last - first) / last * c->first_work / (double)(c->resident - 1);
}

// Lists the blocks of the SM that ends last, for the replay, if blocks differ in work. Requires:
// the first block has been executed.
static bool choose_blocks(const struct sm *sm, struct chip *c) {
    c->first_work = (double)sim_watch_instructions(c->watch);
    const struct deal deal = {.blocks = c->facts.blocks,
                              .grid = {c->facts.grid[0], c->facts.grid[1], c->facts.grid[2]},
                              .sms = (uint64_t)sm->machine->multiprocessors,
                              .resident = c->resident,
                              .all = larger(c->run, ROUNDS_RUN * c->resident),
                              .most = c->run,
                              .apart = c->apart > 0 ? c->apart : starts_apart(sm, c),
                              .watch = c->watch};
    struct dealt dealt = {0};
    if (sim_watch_facts(c->watch).ordered || c->facts.blocks == 1) return true;
    if (!deal_out(&deal, &dealt, &c->error)) return false;
    if (!dealt.order) return true;
    c->order = dealt.order;
    c->total = dealt.total;
    c->run = dealt.run;
    c->resident = dealt.run < c->resident ? dealt.run : c->resident;
    c->rest_work = dealt.rest_work;
    return true;
}

// Shortens the block's streams if the SM's blocks are too long to replay.
static bool shorten(const struct sm *sm, struct chip *c, struct sm_block *b) {
    double instructions = 0, left_out = 0;
    for (uint32_t i = 0; i < c->facts.warps; i++) {
        struct stream_reader r = {.at = b->stream[i].word,
                                  .end = b->stream[i].word + b->stream[i].count};
        while (stream_next(sm, &r)) instructions++;
    }
    const double blocks = (double)c->run, most = c->resident > 1 ? LONG_TOGETHER : LONG;
    if (instructions * blocks > most &&
        !stream_shorten(sm, b->stream, c->facts.warps, SHORT / blocks, &left_out))
        return error_fail(&c->error, "not enough host memory");
    c->instructions += instructions;
    c->replayed += instructions - left_out;
    return true;
}

static void start_block(struct sm *sm, struct chip *c, struct sm_block *b, int64_t now) {
    const int64_t start_distance = (int64_t)(sm->machine->block_rate * c->sms);
    if (c->next > 0) now = max(now, c->started + start_distance);
    c->started = now;
    b->linear = next_block(sm, c);
    const bool first = c->next++ == 0;
    bool good = sim_watch_block(c->watch, b->linear, b->stream, &c->error);
    if (good && first) good = choose_blocks(sm, c);
    if (good && first && c->order)
        good = sim_watch_block(c->watch, b->linear = c->order[0], b->stream, &c->error);
    if (!good) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; first && i < c->facts.warps; i++) expect(sm, &b->stream[i]);
    if (first && !open_l2(sm, c)) sm->failed = "not enough host memory";
    if (sm->failed || !take_most(sm, c, b)) {
        c->failed = true;
        if (sm->failed) error_fail(&c->error, "%s", sm->failed);
        return;
    }
    if (!shorten(sm, c, b)) {
        c->failed = true;
        return;
    }
    b->alive = c->facts.warps;
    b->left_out = 0;
    b->started = now;
    b->out = 0;
    b->mbarriers = b->waiting = 0;
    b->released = b->released_before = b->lead_until = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    for (uint32_t i = 0; i < c->facts.warps; i++)
        warp_start(sm, &sm->warp[b->first_slot + i], b, &b->stream[i],
                   now + (int64_t)(i * sm->machine->warp_start));
}

// Gives the SM one of the spare blocks if two blocks of its last full wave have ended together.
static void take_spare(const struct sm *sm, struct chip *c, int64_t now) {
    const uint64_t wave = (uint64_t)sm->machine->multiprocessors * c->resident;
    // number of the SM's blocks in earlier waves
    const uint64_t before = (c->facts.blocks / wave - 1) * c->resident;
    if (!c->spare || c->order || c->run < c->total) return;
    if (c->ended_count < before + 2 || c->ended_count > before + c->resident) return;
    if ((double)(now - c->ended[before].time) > TOGETHER * (double)c->ended[before].time) return;
    c->spare--;
    c->total++;
    c->run++;
}

static void block_ended(struct sm *sm, struct sm_block *block, int64_t now) {
    struct chip *c = sm->context;
    c->ended[c->ended_count++] = (struct end){now, sm->result->instructions};
    c->left_out += block->left_out / c->facts.warps / (double)c->resident;
    if (sm->timeline) timeline_block(sm, block, block->started, now);
    take_spare(sm, c, now);
    if (c->next < c->run && !c->failed)
        start_block(sm, c, block, now + (int64_t)sm->machine->block_start);
}

static void run(struct sm *sm, struct chip *c) {
    for (uint64_t i = 0; i < c->resident && !c->failed; i++) start_block(sm, c, &c->block[i], 0);
    while (!c->failed && c->ended_count < c->run) {
        int64_t now = sm->memory.next;
        for (int i = 0; i < SCHEDULERS; i++) {
            if (sm->scheduler[i].next < now) now = sm->scheduler[i].next;
        }
        if (now == NEVER) {
            c->failed = true;
            error_fail(&c->error, "the model is deadlocked: warps wait for what never comes");
            return;
        }
        if (sm->memory.next <= now) memory_step(sm, now);
        if (sm->failed) {
            c->failed = true;
            error_fail(&c->error, "%s", sm->failed);
        }
        for (int i = 0; i < SCHEDULERS; i++) {
            if (sm->scheduler[i].next <= now) scheduler_step(sm, &sm->scheduler[i], now);
        }
    }
}

// --- the whole launch ----------------------------------------------------------------------------

static int by_time(const void *a, const void *b) {
    const int64_t x = ((const struct end *)a)->time, y = ((const struct end *)b)->time;
    return (x > y) - (x < y);
}

// Returns the cycles of all blocks of the SM: those of the replay, plus an estimate for the other
// blocks. They are assumed to issue at the rate measured while the SM was full: from the first
// block's end to the first end after which no block was left to start. This interval is short if
// few blocks are replayed, so the rate is at least the mean of the whole replay. Extrapolating from
// the blocks' ends would be wrong, because blocks drift apart.
static double all_cycles(const struct sm *sm, struct chip *c) {
    qsort(c->ended, c->run, sizeof *c->ended, by_time);
    const double last = fmax((double)c->ended[c->run - 1].time, sm->memory.seen);
    if (c->run == c->total && !c->rest_work) return last + c->left_out;
    const struct end *from = &c->ended[0], *to = &c->ended[c->run - c->resident];
    const double full = to->time > from->time ? (double)(to->instructions - from->instructions) /
                                                    (double)(to->time - from->time)
                                              : 0;
    const double rate = fmax(full, (double)sm->result->instructions / last);
    const double more = c->order ? c->rest_work : (double)(c->total - c->run) / (double)c->run;
    return last + c->left_out + more * ((double)sm->result->instructions / rate + c->left_out);
}

// Corrects the time of kernels whose blocks fetch work with atomics. The simulator executes blocks
// one after the other, so the first takes all the work. Sets *share to 1 or, if the SM's blocks
// issued far more than their fair part, to that part divided by what they issued.
static bool share_work(const struct sm *sm, struct chip *c, double *share) {
    enum { CLEARLY_MORE = 4 }; // more than blocks ordinarily differ
    uint64_t issued;
    *share = 1;
    if (!sim_watch_facts(c->watch).dependent || !c->fetches || c->run < c->total || c->has_most)
        return true;
    if (!sim_watch_rest(c->watch, &issued, &c->error)) return false;
    const double part = (double)issued * (double)c->total / (double)c->facts.blocks;
    if ((double)sm->result->instructions > CLEARLY_MORE * part)
        *share = part / (double)sm->result->instructions;
    return true;
}

static double bytes_used(const struct sm *sm, const struct sim_memory *memory) {
    double bytes = 0;
    for (int i = 1; i < sm->memory.regions; i++) bytes += (double)sm->memory.region[i].bytes;
    return sm->memory.regions < REGIONS ? bytes : (double)sim_allocated(memory);
}

// Returns a lower bound of the launch's cycles from the bandwidth of device memory. At most the
// bytes of the allocations are read, because L2 serves repeated reads. Stored data stay in L2 if
// everything fits; otherwise at most flush_mbytes of them do. A mix of reads and writes costs
// turnarounds: a copy is slower than reads alone or writes alone.
static double memory_cycles(const struct sm *sm, const struct chip *c,
                            const struct sim_memory *memory) {
    const struct sm_machine *m = sm->machine;
    const double blocks = (double)c->facts.blocks / (double)c->run, once = bytes_used(sm, memory);
    // Assumes that cut iterations load as many bytes per instruction as replayed ones.
    const double loads = sm->memory.loaded * c->instructions / c->replayed;
    const double loaded = smaller(loads * blocks, once),
                 stored = smaller(sm->memory.stored * blocks, once);
    const bool fits = smaller(loaded + stored, once) <= m->l2_mbytes * 1e6;
    const double kept =
        fits ? stored : smaller(stored, m->flush_mbytes * 1e6 - sm->memory.dirty_bytes);
    const double turns =
        fmax(2 / m->dram_copy_gbytes - 1 / m->dram_gbytes - 1 / m->dram_write_gbytes, 0);
    const double ns = loaded / m->dram_gbytes + (stored - kept) / m->dram_write_gbytes +
                      smaller(loaded, stored - kept) * turns;
    return ns > 0 ? ns * m->clock_ghz + m->memory_latency : 0;
}

// Sets *most to the cycles of the longest serial work of atomics on data that SMs share. If this SM
// has only one block, the atomics of block 1, on another SM, show which lines are shared.
static bool most_atomics(struct sm *sm, struct chip *c, double *most) {
    struct sim_stream *stream = c->block[0].stream;
    const bool asks = c->run == 1 && c->facts.blocks > 1 && sm->memory.has_atomics;
    if (asks && !sim_watch_block(c->watch, 1, stream, &c->error)) return false;
    for (uint32_t i = 0; asks && i < c->facts.warps; i++) {
        struct stream_reader r = {.at = stream[i].word, .end = stream[i].word + stream[i].count};
        while (stream_next(sm, &r)) {
            for (uint32_t k = 0; r.instruction->kind == KIND_ATOMIC && k < r.words; k += 3)
                l2_share_atomics(sm, (r.word[k] | (uint64_t)r.word[k + 1] << 32) >> 4);
        }
    }
    *most = sm->memory.most_shared;
    return true;
}

// Returns a lower bound of the launch's cycles from serialised atomics.
static double atomic_cycles(const struct sm *sm, const struct chip *c, double most) {
    const double all = most * (double)c->facts.blocks / (double)c->run;
    return all > 0 ? all + sm->machine->l2_latency : 0;
}

static void place(struct sm *sm, struct chip *c) {
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct sm_scheduler *s = &sm->scheduler[i % SCHEDULERS];
        sm->warp[i].slot = (uint8_t)i;
        sm->warp[i].scheduler = i % SCHEDULERS;
        sm->warp[i].place = (uint8_t)(i / SCHEDULERS);
        if (i < c->resident * c->facts.warps) s->warp[s->warps++] = &sm->warp[i];
    }
    for (int i = 0; i < SCHEDULERS; i++) {
        sm->scheduler[i].next = NEVER;
        for (int k = 0; k < QUEUES; k++)
            sm->scheduler[i].queue[k] = (struct queue){.next_handed = INT32_MIN, .from = NEVER};
    }
}

// Returns true if the kernel has MMAs that lower the clock, even in a launch of 10 us (Nsight
// Compute). FP64 MMAs, whose latency is variable, do not lower it.
static bool uses_tensor_cores(const struct instruction *code, size_t count) {
    size_t i = 0;
    while (i < count && code[i].kind != KIND_WGMMA &&
           (code[i].unit != UNIT_TENSOR || code[i].kind == KIND_VARIABLE))
        i++;
    return i < count;
}

static bool prepare(struct sm *sm, struct chip *c, const struct sim_kernel *kernel,
                    const struct sim_memory *memory, struct error *error) {
    struct sm_machine *m = &c->machine;
    const size_t count = sim_instruction_count(kernel);
    sm->code = code_open(kernel, m);
    if (sm->code && uses_tensor_cores(sm->code, count)) m->clock_ghz = m->tensor_clock_ghz;
    for (size_t i = 0; sm->code && i < count; i++)
        c->fetches |= sm->code[i].kind == KIND_ATOMIC && sm->code[i].results > 0;
    c->facts = sim_watch_facts(c->watch);
    const uint64_t fit = blocks_that_fit(m, kernel, &c->facts);
    if (fit == 0) return error_fail(error, "a block does not fit an SM of this machine");
    const double sms = m->multiprocessors, active = smaller(sms, (double)c->facts.blocks);
    c->sms = active;
    sm->memory.active_share = active / sms;
    sm->memory.device = memory;
    sm->memory.regions = 1;
    sm->memory.blocks = (double)c->facts.blocks;
    c->total = (c->facts.blocks + (uint64_t)sms - 1) / (uint64_t)sms;
    c->spare = spare_blocks(c->facts.blocks, (uint64_t)sms, fit);
    c->resident = fit < c->total ? fit : c->total;
    c->run = c->total > ROUNDS_RUN * c->resident
                 ? (ROUNDS_RUN - 1) * c->resident + c->total % c->resident
                 : c->total;
    const double l2 = smaller(m->l2_port, m->l2_gbytes / m->clock_ghz / active);
    sm->line = calloc(count / 8 + 2, sizeof *sm->line);
    sm->result->state = sm->accounts ? calloc(count + 1, sizeof *sm->result->state) : NULL;
    sm->result->count = count;
    c->ended = calloc(c->run + ROUNDS_RUN * c->resident + c->spare, sizeof *c->ended);
    bool good = sm->code && sm->line && (sm->result->state || !sm->accounts) && c->ended &&
                memory_open(sm, l1_left(m, (double)(c->resident * c->facts.shared_bytes)), l2);
    for (size_t i = 0; good && i < count / 8 + 2; i++) sm->line[i].arrives = NEVER;
    for (uint64_t i = 0; good && i < c->resident; i++) {
        c->block[i].first_slot = (uint32_t)i * c->facts.warps;
        c->block[i].stream = calloc(c->facts.warps, sizeof *c->block[i].stream);
        good = c->block[i].stream != NULL;
    }
    sm->memory.in_step = c->resident == 1 || c->resident * c->facts.warps <= SCHEDULERS;
    place(sm, c);
    return good || error_fail(error, "not enough host memory");
}

static void clear(struct sm *sm, struct chip *c) {
    for (int i = 0; i < MOST_BLOCKS; i++) {
        for (uint32_t k = 0; c->block[i].stream && k < c->facts.warps; k++)
            free(c->block[i].stream[k].word);
        free(c->block[i].stream);
    }
    free((void *)(uintptr_t)sm->code);
    free(sm->line);
    free(c->ended);
    free(c->order);
    memory_close(sm);
    sim_watch_close(c->watch);
}

// Returns the SM clock of a launch, in GHz. `all` is the cycles of the SM's blocks, `least` the
// lower bound by device memory and atomics. A kernel that issues less than one instruction per
// cycle, without MMAs that lower the clock, runs at light_clock_ghz. Memory gets no faster by that.
static double clock_of(const struct chip *c, const struct sm_machine *machine,
                       const struct sm_result *result, double all, double least) {
    const double own = c->machine.clock_ghz, light = machine->light_clock_ghz;
    const bool tensor = own < machine->clock_ghz || own > machine->clock_ghz;
    if (tensor || light <= own || (int64_t)result->instructions >= c->ended[c->run - 1].time)
        return own;
    return fmax(all, least) / fmax(all / light, least / own);
}

struct timing_request {
    struct sim_kernel *kernel;
    struct sim_memory *memory;
    const struct sim_launch *launch;
    const struct sm_machine *machine;
    struct sm_wish wish;
};

// Replays the SM's blocks. Writes the timeline if `is_last`, or if no second replay can follow.
// `apart` becomes chip.apart. Returns false and sets *error on failure.
static bool replay(struct sm *sm, struct chip *c, const struct timing_request *r, double apart,
                   bool is_last, struct sm_result *result, struct error *error) {
    *c = (struct chip){.machine = *r->machine, .apart = apart};
    *sm = (struct sm){.machine = &c->machine,
                      .bank_queue = (int)r->machine->bank_queue,
                      .write_queue = (int64_t)r->machine->write_queue,
                      .kernel = r->kernel,
                      .result = result,
                      .accounts = r->wish.states || r->wish.timeline,
                      .block_ended = block_ended,
                      .context = c};
    c->watch = sim_watch_open(r->kernel, r->memory, r->launch,
                              (uint32_t)r->machine->multiprocessors, work_of, sm, error);
    if (!c->watch || !prepare(sm, c, r->kernel, r->memory, error)) return false;
    sm->memory.before = r->wish.held;
    if (r->wish.flushed) sm->memory.dirty_bytes = r->machine->flush_mbytes * 1e6;
    const bool is_only = c->resident < 2 || c->total <= c->resident;
    sm->timeline = is_last || is_only ? r->wish.timeline : NULL;
    if (sm->timeline) timeline_open(sm);
    run(sm, c);
    if (sm->timeline) timeline_close(sm);
    if (c->failed) *error = c->error;
    return !c->failed;
}

bool sm_time(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             const struct sm_machine *machine, struct sm_wish wish, struct sm_result *result,
             struct error *error) {
    const int arch = sim_kernel_facts(kernel).arch;
    if (arch != machine->arch)
        return error_refuse(error,
                            "the model of %s is of sm_%d, and this kernel is compiled for sm_%d",
                            machine->name, machine->arch, arch);
    struct chip *c = calloc(1, sizeof *c);
    struct sm *sm = calloc(1, sizeof *sm);
    *result = (struct sm_result){0};
    bool good = c && sm;
    if (!good) error_fail(error, "not enough host memory");
    const struct timing_request request = {kernel, memory, launch, machine, wish};
    good = good && replay(sm, c, &request, 0, false, result, error);
    const double apart = good ? ends_apart(c) : 0;
    if (good && (apart > 0 || sm->timeline != wish.timeline)) {
        clear(sm, c);
        sm_result_clear(result);
        good = replay(sm, c, &request, apart, true, result, error);
    }
    double share = 1, most = 0;
    if (good && !(most_atomics(sm, c, &most) && share_work(sm, c, &share))) {
        *error = c->error;
        good = false;
    }
    if (good) {
        const double least = fmax(memory_cycles(sm, c, memory), share * atomic_cycles(sm, c, most));
        const double all = share * all_cycles(sm, c);
        result->cycles = fmax(all, least);
        result->clock_ghz = clock_of(c, machine, result, all, least);
        result->milliseconds = result->cycles / result->clock_ghz / 1e6 + machine->launch_us / 1e3;
        result->stores = sm->memory.stored > 0;
        result->blocks = c->total;
        result->blocks_run = c->run;
        result->blocks_resident = c->resident;
        result->sm_cycles = (uint64_t)c->ended[c->run - 1].time;
        result->left_out = c->left_out;
        // The launch used more than L2 holds, and so evicted what it held before.
        if (wish.held && !sm->memory.before) wish.held->count = 0;
        if (sm->memory.before) l2_keep(sm, wish.held);
    }
    if (c && sm) clear(sm, c);
    free(c);
    free(sm);
    return good;
}

void sm_result_clear(struct sm_result *result) {
    free(result->state);
    *result = (struct sm_result){0};
}
