// Reorders the FFMAs or DFMAs of a block. Below, FFMA means both, and each one is a job. An operand
// of a DFMA is a pair, with one register of each bank.
//
// All other instructions stay where they are, with their scoreboards. All waits stay, too, and so
// do the positions of FFMAs ("slots"); only the assignment of FFMAs to slots changes. Each FFMA has
// a window of slots. It begins where the code first reads the FFMA's operands or, with `pairs`,
// waits for them, so that loads keep their time. It ends before the operands are overwritten or
// another kind of instruction reads the result. Producers stay before their readers. A slot gets an
// FFMA whose window contains it, preferably one that shares an operand with the previous FFMA and
// whose other reads fall into different banks. The remaining FFMAs must still fit into their
// windows (earliest deadline first, which is exact for jobs of one slot).
//
// With `pairs`, an operand slot of the reuse cache has two entries, one per bank (isa/banks.c). For
// an outer product a[i] b[j], the order then takes two rows at a time: one whose a[i] is in an even
// register, and one whose a[i] is in an odd one. Both values stay in the entries of one operand
// slot, and each b[j] is read once for two FFMAs. Without `pairs`, an operand slot counts as one
// entry, which any arithmetic instruction evicts; the order goes back and forth along the rows.
//
// The factors of an FFMA may be swapped, because multiplication commutes exactly.
#include "isa/banks.h"
#include "isa/touches.h"
#include "rename.h"

#include <stdlib.h>
#include <string.h>

enum {
    NOBODY = -1,
    LOOKAHEAD = 3,
    MAX_CHOICES = 48,
    FAR = 1000000,
    PLACES = 4,
    IN_BETWEEN = 1 << PLACES
};

struct order_job {
    int position;      // position in the code before reordering
    int release, last; // the job's window: first and last slot
    int a, b, c, d;    // the job's registers; of a pair, the first one
    int width;         // number of registers per operand
    int waiting;       // number of jobs that must precede it and are not placed yet
    int edge;          // the job's first edge to a successor
    bool done;
};

struct edge {
    int job, next;
};

struct web_reader {
    int job;
    int soonest; // the least `release` of this and all later readers
};

struct issue_order {
    struct arena memory;
    struct sass_instruction *code, *copy;
    int first, end; // the block: positions first .. end - 1
    int count;      // number of jobs
    struct order_job *jobs;
    int *slot; // per slot: its position in the code
    // per slot: a bit per reuse-cache entry that is evicted since the previous slot, and IN_BETWEEN
    // if an arithmetic instruction is there
    uint8_t *emptied;
    struct edge *edges;
    int edge_count;
    int *by_release, *heap;
    int *result;
    bool *swap;
    bool pairs;
    int least; // pipe cycles of an FFMA: 1, or 2 if the block has only DFMAs
    // per register: the jobs not placed yet that have it as a factor, in their original order
    struct web_reader *reader;
    int reader_begin[256], reader_end[256];
};

static int lower(int a, int b) {
    return a < b ? a : b;
}
static int higher(int a, int b) {
    return a > b ? a : b;
}

// --- windows -------------------------------------------------------------------------------------

// Prepends a job to a list of edges; returns the new list.
static int add_edge(struct issue_order *order, int job, int list) {
    GROW(order->edges, (size_t)order->edge_count);
    order->edges[order->edge_count] = (struct edge){job, list};
    return order->edge_count++;
}

static void link_jobs(struct issue_order *order, int before, int after) {
    if (before == after || before < 0) return;
    order->jobs[before].edge = add_edge(order, after, order->jobs[before].edge);
    order->jobs[after].waiting++;
}

// State of a register while the block is scanned in its original order.
struct register_track {
    int writer;     // the job that wrote the register last; NOBODY if no job of the block did
    bool loaded;    // true if written by an instruction other than a job, or in flight at the start
    int landed;     // position of the first wait for the value's load; FAR if unknown
    int first_read; // position from which on jobs may read the value; NOBODY if not known yet
    // first edge of the list of jobs that read the value; NOBODY if there is none
    int readers;
    bool read_else; // true if an instruction that is not a job reads the value
};

static int slot_from(const struct issue_order *order, int position) {
    int low = 0, high = order->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (order->slot[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void job_before(struct issue_order *order, int job, int position) {
    order->jobs[job].last = lower(order->jobs[job].last, slot_from(order, position) - 1);
}

static void job_reads_one(struct issue_order *order, struct register_track *track, int job,
                          int reg) {
    struct register_track *value = &track[reg];
    if (value->first_read == NOBODY)
        value->first_read = lower(order->jobs[job].position, value->landed);
    if (value->loaded)
        order->jobs[job].release =
            higher(order->jobs[job].release, slot_from(order, value->first_read));
    link_jobs(order, value->writer, job);
    value->readers = add_edge(order, job, value->readers);
}

static void job_reads(struct issue_order *order, struct register_track *track, int job, int reg) {
    for (int k = 0; k < order->jobs[job].width; k++) job_reads_one(order, track, job, reg + k);
}

static void job_writes_one(struct issue_order *order, struct register_track *track, int job,
                           int reg) {
    struct register_track *value = &track[reg];
    for (int e = value->readers; e >= 0; e = order->edges[e].next)
        link_jobs(order, order->edges[e].job, job);
    link_jobs(order, value->writer, job);
    // The job does not move up if an instruction other than a job has read the register's value, or
    // has written a value that nothing has read yet.
    if (value->read_else ||
        (value->writer == NOBODY && value->loaded && value->first_read == NOBODY))
        order->jobs[job].release =
            higher(order->jobs[job].release, slot_from(order, order->jobs[job].position));
    *value = (struct register_track){
        .writer = job, .landed = FAR, .first_read = NOBODY, .readers = NOBODY};
}

static void job_writes(struct issue_order *order, struct register_track *track, int job, int reg) {
    for (int k = 0; k < order->jobs[job].width; k++) job_writes_one(order, track, job, reg + k);
}

// Returns the position of the first wait for a load's scoreboard: its result has arrived there.
// Returns FAR if there is none, or without `pairs`.
static int lands_at(const struct issue_order *order, int position) {
    const int scoreboard = order->code[position].control.write_barrier;
    for (int i = position + 1; order->pairs && scoreboard < SASS_SCOREBOARDS && i < order->end;
         i++) {
        if (order->code[i].control.wait >> scoreboard & 1) return i;
    }
    return FAR;
}

static void other_reads(struct issue_order *order, struct register_track *value, int position) {
    if (value->writer != NOBODY) job_before(order, value->writer, position);
    if (value->first_read == NOBODY) value->first_read = lower(position, value->landed);
    value->read_else = true;
}

static void other_writes(struct issue_order *order, struct register_track *value, int position,
                         int landed) {
    if (value->writer != NOBODY) job_before(order, value->writer, position);
    for (int e = value->readers; e >= 0; e = order->edges[e].next)
        job_before(order, order->edges[e].job, position);
    *value = (struct register_track){.writer = NOBODY,
                                     .loaded = true,
                                     .landed = landed,
                                     .first_read = NOBODY,
                                     .readers = NOBODY};
}

static void other_touches(struct issue_order *order, struct register_track *track, int position) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const struct sass_instruction *in = &order->code[position];
    const int count = flow_never(in) ? 0 : sass_touches(in, touches),
              landed = lands_at(order, position);
    for (int t = 0; t < 2 * count; t++) {
        const struct sass_touch *one = &touches[t % count];
        if (one->uniform || one->predicate || one->write != (t >= count)) continue;
        for (int k = 0; k < one->count; k++) {
            struct register_track *value = &track[one->first + k];
            if (one->write)
                other_writes(order, value, position, landed);
            else
                other_reads(order, value, position);
        }
    }
}

static void find_windows(struct issue_order *order, const struct bits *in_flight) {
    struct register_track track[256];
    int job = 0;
    for (int r = 0; r < 256; r++)
        track[r] = (struct register_track){.writer = NOBODY,
                                           .landed = FAR,
                                           .first_read = NOBODY,
                                           .readers = NOBODY,
                                           .loaded = r < 255 && bits_has(in_flight, r)};
    for (int i = order->first; i < order->end; i++) {
        if (!flow_is_fused(&order->code[i])) {
            other_touches(order, track, i);
            continue;
        }
        const struct order_job *one = &order->jobs[job];
        job_reads(order, track, job, one->a);
        job_reads(order, track, job, one->b);
        job_reads(order, track, job, one->c);
        job_writes(order, track, job, one->d);
        job++;
    }
    for (int j = 0; j < order->count; j++) {
        for (int e = order->jobs[j].edge; e >= 0; e = order->edges[e].next) {
            struct order_job *after = &order->jobs[order->edges[e].job];
            after->release = higher(after->release, order->jobs[j].release + 1);
        }
    }
    for (int j = order->count - 1; j >= 0; j--) {
        for (int e = order->jobs[j].edge; e >= 0; e = order->edges[e].next)
            order->jobs[j].last =
                lower(order->jobs[j].last, order->jobs[order->edges[e].job].last - 1);
    }
}

// --- feasibility of the remaining jobs -----------------------------------------------------------

static bool sooner(const struct issue_order *order, int a, int b) {
    const struct order_job *x = &order->jobs[a], *y = &order->jobs[b];
    return x->last != y->last ? x->last < y->last : a < b;
}

static void push(struct issue_order *order, int *size, int job) {
    int at = (*size)++;
    for (; at > 0 && sooner(order, job, order->heap[(at - 1) / 2]); at = (at - 1) / 2)
        order->heap[at] = order->heap[(at - 1) / 2];
    order->heap[at] = job;
}

static int pop(struct issue_order *order, int *size) {
    const int top = order->heap[0], last = order->heap[--*size];
    int at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= *size) break;
        if (child + 1 < *size && sooner(order, order->heap[child + 1], order->heap[child])) child++;
        if (!sooner(order, order->heap[child], last)) break;
        order->heap[at] = order->heap[child];
        at = child;
    }
    order->heap[at] = last;
    return top;
}

// Returns true if the remaining jobs fit into the slots from `slot` on, by earliest deadline.
static bool rest_fits(struct issue_order *order, int slot) {
    int size = 0, next = 0;
    for (; slot < order->count; slot++) {
        for (; next < order->count && order->jobs[order->by_release[next]].release <= slot;
             next++) {
            if (!order->jobs[order->by_release[next]].done)
                push(order, &size, order->by_release[next]);
        }
        if (size == 0) return false;
        if (order->jobs[pop(order, &size)].last < slot) return false;
    }
    return true;
}

// --- choice of the next FFMA ---------------------------------------------------------------------

struct order_state {
    // registers in the reuse-cache entries of operands A and B, by bank; -1 if empty
    int place[2][2];
    int behind[2]; // per bank: number of reads that are still queued
    int last[2];   // the registers of operands A and B of the last FFMA
    bool by_b;     // true if the last FFMA that shared exactly one factor shared B
    bool alone;    // true if the last FFMA shared no factor
};

static const struct order_state nothing = {.place = {{-1, -1}, {-1, -1}}, .last = {-1, -1}};

// Returns the cycles until no bank has more than one read queued, like sass_queue_cycles().
static int queue_cycles(struct order_state *state, const int reads[2], int pipe) {
    int cycles = pipe;
    for (int bank = 0; bank < 2; bank++) {
        state->behind[bank] += reads[bank];
        cycles = higher(cycles, state->behind[bank] - SASS_BANK_QUEUE);
    }
    for (int bank = 0; bank < 2; bank++)
        state->behind[bank] = higher(state->behind[bank] - cycles, 0);
    return cycles;
}

// Updates the state by an FFMA's reads. Returns the FFMA's cost above the minimum: the cycles of
// the banks. With `pairs`, that is a weighted sum of cycles by sass_bank_cycles(), cycles by
// sass_queue_cycles(), and the number of reads, because loads need the register file, too.
static int take(const struct issue_order *order, struct order_state *state,
                const struct order_job *job, bool swap) {
    const int factor[2] = {swap ? job->b : job->a, swap ? job->a : job->b};
    int reads[2] = {0, 0};
    bool found[2] = {true, true};
    for (int k = 0; k < job->width; k++) {
        for (int slot = 0; slot < 2; slot++) {
            const int reg = factor[slot] + k, bank = reg & 1;
            int *place = state->place[slot];
            found[slot] &= place[bank] == reg;
            reads[bank] += place[bank] != reg;
            place[bank] = reg;
            if (!order->pairs && job->width == 1) place[!bank] = -1;
        }
        reads[(job->c + k) & 1]++;
    }
    if (found[0] != found[1]) state->by_b = found[1];
    state->alone = !found[0] && !found[1];
    memcpy(state->last, factor, sizeof factor);
    const int cycles = higher(job->width, higher(reads[0], reads[1])) - order->least;
    if (!order->pairs) return cycles;
    return 2 * (queue_cycles(state, reads, job->width) - job->width) + cycles + reads[0] +
           reads[1] - job->width;
}

// Evicts the reuse-cache entries that instructions before the slot replace.
static void empty_places(const struct issue_order *order, struct order_state *state, int slot) {
    const uint8_t emptied = order->emptied[slot];
    if (emptied & IN_BETWEEN) state->behind[0] = state->behind[1] = 0;
    for (int place = 0; place < PLACES; place++) {
        if (emptied & (order->pairs ? 1 << place : IN_BETWEEN))
            state->place[place >> 1][place & 1] = -1;
    }
}

static bool is_ready(const struct issue_order *order, int job, int slot) {
    const struct order_job *one = &order->jobs[job];
    return !one->done && one->waiting == 0 && one->release <= slot;
}

struct job_choice {
    int job;
    bool swap;
};

// Returns true if a reader of the register, at index i or later, has a window that has begun by
// `slot`.
static bool may_be_ready(const struct issue_order *order, int reg, int i, int slot) {
    return i < order->reader_end[reg] && order->reader[i].soonest <= slot;
}

// Appends the FFMAs that can find a factor in this reuse-cache entry.
static int add_choices(const struct issue_order *order, const struct order_state *state, int place,
                       struct job_choice *choices, int count, int slot) {
    const bool second = place >> 1;
    const int reg = state->place[second][place & 1];
    if (reg < 0) return count;
    for (int i = order->reader_begin[reg];
         count + 2 <= MAX_CHOICES && may_be_ready(order, reg, i, slot); i++) {
        const int j = order->reader[i].job;
        const bool swap = (order->jobs[j].a == reg) == second;
        if (!is_ready(order, j, slot)) continue;
        choices[count++] = (struct job_choice){j, order->pairs && swap};
        if (!order->pairs) choices[count++] = (struct job_choice){j, true};
    }
    return count;
}

static int ready_readers(const struct issue_order *order, int reg, int slot) {
    int count = 0;
    for (int i = order->reader_begin[reg]; may_be_ready(order, reg, i, slot); i++)
        count += is_ready(order, order->reader[i].job, slot);
    return count;
}

static int list_choices(const struct issue_order *order, const struct order_state *state,
                        struct job_choice *choices, int slot) {
    int count = 0;
    for (int place = 0; place < PLACES; place++)
        count = add_choices(order, state, place, choices, count, slot);
    return count;
}

static void mark(struct issue_order *order, int job, bool done) {
    order->jobs[job].done = done;
    for (int e = order->jobs[job].edge; e >= 0; e = order->edges[e].next)
        order->jobs[order->edges[e].job].waiting += done ? -1 : 1;
}

// Returns the least cost of the next `depth` FFMAs, each sharing an operand with the one before; an
// estimate if there are no such FFMAs, or if their cost is not below `best`.
static int look_ahead(struct issue_order *order, const struct order_state *state, int slot,
                      int depth, int best) {
    struct job_choice choices[MAX_CHOICES];
    if (depth == 0) return 0;
    // The negative cost stays because the pass without `pairs` was measured with it.
    if (slot >= order->count) return order->pairs ? 0 : -order->least * depth;
    best = lower(best, (order->pairs ? 3 : 1) * depth);
    struct order_state now = *state;
    empty_places(order, &now, slot);
    const int count = list_choices(order, &now, choices, slot);
    for (int i = 0; i < count && best > 0; i++) {
        struct order_state next = now;
        const int cost = take(order, &next, &order->jobs[choices[i].job], choices[i].swap);
        if (cost >= best) continue;
        mark(order, choices[i].job, true);
        best = lower(best, cost + look_ahead(order, &next, slot + 1, depth - 1, best - cost));
        mark(order, choices[i].job, false);
    }
    return best;
}

// Returns the score of a choice; the smallest is best. First counts the cost of this FFMA and the
// next few; then, whether the shared operand stays; then, how few FFMAs with that operand are left.
static int score(struct issue_order *order, const struct order_state *state,
                 struct job_choice choice, int slot) {
    struct order_state next = *state;
    const int cost = take(order, &next, &order->jobs[choice.job], choice.swap);
    const bool by_b = state->by_b, turns = next.by_b != by_b || next.alone;
    const int left = ready_readers(order, next.last[turns == by_b], slot);
    mark(order, choice.job, true);
    const int ahead = look_ahead(order, &next, slot + 1, LOOKAHEAD, FAR);
    mark(order, choice.job, false);
    return (cost + ahead) * 10000 + turns * 1000 + lower(left, 99);
}

// Lists all jobs that may have this slot, in their original order, for a slot that no job of
// list_choices() fits.
static int list_urgent(const struct issue_order *order, struct job_choice *choices, int slot) {
    int count = 0;
    for (int j = 0; j < order->count && count + 2 <= MAX_CHOICES; j++) {
        if (!is_ready(order, j, slot)) continue;
        choices[count++] = (struct job_choice){j, false};
        choices[count++] = (struct job_choice){j, true};
    }
    return count;
}

static bool choose_best(struct issue_order *order, struct job_choice *choices, int count,
                        const struct order_state *state, int slot) {
    int scores[MAX_CHOICES];
    for (int i = 0; i < count; i++) scores[i] = score(order, state, choices[i], slot);
    for (int left = count; left > 0; left--) {
        int best = 0;
        for (int i = 1; i < count; i++) best = scores[i] < scores[best] ? i : best;
        if (scores[best] == FAR) return false;
        mark(order, choices[best].job, true);
        if (rest_fits(order, slot + 1)) {
            order->result[slot] = choices[best].job;
            order->swap[slot] = choices[best].swap;
            return true;
        }
        mark(order, choices[best].job, false);
        const int job = choices[best].job;
        for (int i = 0; i < count; i++) scores[i] = choices[i].job == job ? FAR : scores[i];
    }
    return false;
}

// Gives the slot to the job with the earliest deadline.
static bool choose_first_due(struct issue_order *order, int slot) {
    int due = NOBODY;
    for (int j = 0; j < order->count; j++) {
        if (is_ready(order, j, slot) && (due < 0 || sooner(order, j, due))) due = j;
    }
    if (due < 0) return false;
    mark(order, due, true);
    order->result[slot] = due;
    order->swap[slot] = false;
    return rest_fits(order, slot + 1);
}

// Removes a placed job from the readers of a register.
static void has_its_slot(struct issue_order *order, int reg, int job) {
    int i = order->reader_begin[reg];
    while (order->reader[i].job != job) i++;
    for (order->reader_end[reg]--; i < order->reader_end[reg]; i++)
        order->reader[i] = order->reader[i + 1];
}

static bool schedule(struct issue_order *order) {
    struct job_choice choices[MAX_CHOICES];
    struct order_state state = nothing;
    if (!rest_fits(order, 0)) return false;
    for (int slot = 0; slot < order->count; slot++) {
        empty_places(order, &state, slot);
        int count = list_choices(order, &state, choices, slot);
        bool good = choose_best(order, choices, count, &state, slot);
        if (!good) {
            count = list_urgent(order, choices, slot);
            good =
                choose_best(order, choices, count, &state, slot) || choose_first_due(order, slot);
        }
        if (!good) return false;
        const struct order_job *job = &order->jobs[order->result[slot]];
        take(order, &state, job, order->swap[slot]);
        has_its_slot(order, job->a, order->result[slot]);
        if (job->b != job->a) has_its_slot(order, job->b, order->result[slot]);
    }
    return true;
}

static void place(struct issue_order *order) {
    memcpy(order->copy, order->code + order->first,
           (size_t)(order->end - order->first) * sizeof *order->copy);
    for (int slot = 0; slot < order->count; slot++) {
        struct sass_instruction *to = &order->code[order->slot[slot]];
        const struct sass_control control = to->control; // stays with the slot
        *to = order->copy[order->jobs[order->result[slot]].position - order->first];
        to->control = control;
        if (!order->swap[slot]) continue;
        const struct sass_operand a = to->operand[SASS_A];
        to->operand[SASS_A] = to->operand[SASS_B];
        to->operand[SASS_B] = a;
    }
}

// Returns the bits of `emptied` that instruction `in` sets. The entries are those of FFMAs or, in a
// block with DFMAs only, those of DFMAs, which are separate.
static uint8_t emptied_by(const struct issue_order *order, const struct sass_instruction *in) {
    const bool wide = order->least == 2;
    const bool between = wide ? in->form->pipe == SASS_PIPE_FP64 : in->form->pipe <= SASS_PIPE_XU;
    uint8_t emptied = between ? IN_BETWEEN : 0;
    struct sass_reuse_cache cache;
    int reads[2];
    memset(&cache, -1, sizeof cache);
    sass_bank_reads(in, &cache, reads);
    for (int place = 0; place < PLACES; place++)
        emptied |= (uint8_t)((cache.place[wide][place >> 1][place & 1] != -1) << place);
    return emptied;
}

static void fill_jobs(struct issue_order *order) {
    uint8_t emptied = IN_BETWEEN - 1;
    for (int i = order->first, j = 0; i < order->end; i++) {
        const struct sass_operand *operand = order->code[i].operand;
        if (!flow_is_fused(&order->code[i])) {
            emptied |= emptied_by(order, &order->code[i]);
            continue;
        }
        order->slot[j] = i;
        order->emptied[j] = emptied;
        order->jobs[j] = (struct order_job){.position = i,
                                            .last = order->count - 1,
                                            .a = operand[SASS_A].number,
                                            .b = operand[SASS_B].number,
                                            .c = operand[SASS_C].number,
                                            .d = operand[SASS_D].number,
                                            .width = flow_width(&order->code[i]),
                                            .edge = NOBODY};
        emptied = 0;
        j++;
    }
}

static void list_readers(struct issue_order *order) {
    int end = 0;
    for (int reg = 0; reg < 256; reg++) {
        order->reader_begin[reg] = end;
        for (int j = 0; j < order->count; j++) {
            if (order->jobs[j].a == reg || order->jobs[j].b == reg) order->reader[end++].job = j;
        }
        order->reader_end[reg] = end;
        int soonest = FAR;
        for (int i = end - 1; i >= order->reader_begin[reg]; i--)
            order->reader[i].soonest = soonest =
                lower(soonest, order->jobs[order->reader[i].job].release);
    }
}

static void make_order(struct issue_order *order) {
    const size_t count = (size_t)order->count + 1;
    ARENA_NEW(&order->memory, order->copy, (size_t)(order->end - order->first));
    ARENA_NEW(&order->memory, order->reader, 2 * count);
    ARENA_NEW(&order->memory, order->jobs, count);
    ARENA_NEW(&order->memory, order->slot, count);
    ARENA_NEW(&order->memory, order->emptied, count);
    ARENA_NEW(&order->memory, order->by_release, count);
    ARENA_NEW(&order->memory, order->heap, count);
    ARENA_NEW(&order->memory, order->result, count);
    ARENA_NEW(&order->memory, order->swap, count);
}

// the order that by_release() compares for: qsort() passes no context
static const struct issue_order *sorting;
static int by_release(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    const int difference = sorting->jobs[a].release - sorting->jobs[b].release;
    return difference ? difference : a - b;
}

void order_block(struct sass_instruction *code, int first, int end, const struct bits *in_flight,
                 bool pairs) {
    struct issue_order order = {
        .code = code, .first = first, .end = end, .least = 2, .pairs = pairs};
    for (int i = first; i < end; i++) {
        if (!flow_is_fused(&code[i])) continue;
        order.least = lower(order.least, flow_width(&code[i]));
        order.count++;
    }
    order.pairs &= order.least == 1; // the pair of a DFMA takes both entries
    make_order(&order);
    fill_jobs(&order);
    find_windows(&order, in_flight);
    for (int j = 0; j < order.count; j++) order.by_release[j] = j;
    sorting = &order;
    qsort(order.by_release, (size_t)order.count, sizeof *order.by_release, by_release);
    list_readers(&order);
    if (schedule(&order)) place(&order);
    arena_clear(&order.memory);
    free(order.edges);
}
