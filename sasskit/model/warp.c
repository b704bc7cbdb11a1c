// Advances a warp along its recorded stream: determines the next instruction, and the cycle from
// which that instruction can issue.
#include "parts.h"

#include <math.h>
#include <string.h>

static bool is_beyond(uint64_t lines, double kbytes) {
    return lines > (uint64_t)(kbytes * 1024 / CODE_LINE_BYTES);
}

// Returns the cycles until a code line arrives; 0 if it is cached. `branched`: a branch leads to
// the line. Straight-line code is prefetched, but a branch to a line outside the outer cache, which
// begins with the kernel's first far_kbytes, takes the whole latency (far_branch).
static double code_cycles(const struct sm *sm, const struct code_line *line, uint32_t number,
                          bool branched) {
    const struct sm_machine *m = sm->machine;
    const bool first = line->arrives == NEVER;
    const uint64_t since = first ? number : sm->fetched - line->used;
    if (!first && sm->fetched < line->until) return 0;
    if (branched && is_beyond(since, m->far_kbytes)) return m->far_branch;
    return first ? m->cold_line : m->code_line;
}

// Returns the value of sm->fetched at which this line is replaced. Once the cache is full, a new
// line replaces a random one, so the life of a line is distributed geometrically. A loop that just
// does not fit loses some lines, and a larger one keeps some (step 00, FFMA in a loop of 32 and 64
// KB).
static uint64_t stays_until(const struct sm *sm, uint32_t number) {
    const double lines = sm->machine->code_kbytes * 1024 / CODE_LINE_BYTES;
    const uint64_t random =
        (sm->fetched * 0x9e3779b97f4a7c15ull ^ number) * 0xbf58476d1ce4e5b9ull >> 40;
    const double life = -lines * log(((double)random + 1) / (1 << 24));
    return (uint64_t)(life + ((double)sm->fetched > lines ? (double)sm->fetched : lines));
}

// Returns true if a branch leads beyond the code lines that the scheduler holds.
static bool leads_far(const struct sm *sm, const struct sm_warp *w, uint32_t number) {
    const uint32_t distance = number > w->line ? number - w->line : w->line - number;
    return w->line != UINT32_MAX && distance > (uint32_t)sm->machine->near_lines;
}

// Delays a warp in code that is larger than stream_kbytes. Such code arrives at most one line ahead
// of the warp, and slightly more slowly than one instruction per cycle, so the warp waits now and
// then. Each warp fetches its own lines: if it found those of other warps, it would catch up with
// them before each barrier, which measurements of step 09's hand_16x12 refute.
static void stream(struct sm *sm, struct sm_warp *w, struct code_line *line, bool branched,
                   int64_t now) {
    const struct sm_machine *m = sm->machine;
    uint32_t *streamed = &line->streamed[w->slot], *all = &sm->streamed[w->slot];
    const bool there = *streamed && !is_beyond(*all - *streamed + 1, m->stream_kbytes);
    if (!there) *streamed = ++*all;
    w->due = branched || there ? now : max(w->due + (int64_t)m->stream_line, w->entered);
    w->entered = max(w->due, now);
    if (w->due <= w->stalled_until) return;
    w->stalled_until = w->due;
    w->stall_state = SM_NO_INSTRUCTION;
}

// Fetches the code line of the warp's next instruction. The first warp that needs a line waits for
// it, and so do warps that come while the line is in flight. Prefetched lines that a branch skips
// still evict others. After a far branch, every warp waits long_branch cycles from the branch's
// resolution, even if the line is there (step 00, `8x8 tile; one warp`).
static void fetch(struct sm *sm, struct sm_warp *w, int64_t now) {
    const uint32_t number = w->pc / INSTRUCTIONS_PER_LINE, skipped = number - w->line - 1;
    struct code_line *line = &sm->line[number];
    if (number == w->line) return;
    const double cycles = code_cycles(sm, line, number, skipped > 0);
    const bool far = leads_far(sm, w, number);
    w->line = number;
    if (cycles > 0) {
        line->arrives = now + (int64_t)cycles;
        sm->fetched += 1 + (skipped < (uint32_t)sm->machine->lines_ahead ? skipped : 0);
        line->until = stays_until(sm, number);
    }
    line->used = sm->fetched;
    stream(sm, w, line, skipped > 0, now);
    const int64_t near = w->stalled_until + (far ? (int64_t)sm->machine->long_branch : 0);
    const int64_t there = line->arrives > near ? line->arrives : near;
    if (there <= w->stalled_until) return;
    w->stalled_until = there;
    w->stall_state = SM_NO_INSTRUCTION;
}

void warp_start(struct sm *sm, struct sm_warp *w, struct sm_block *block,
                const struct sim_stream *stream, int64_t now) {
    const uint8_t slot = w->slot, scheduler = w->scheduler, place = w->place;
    *w = (struct sm_warp){.word = stream->word,
                          .end = stream->word + stream->count,
                          .block = block,
                          .slot = slot,
                          .scheduler = scheduler,
                          .place = place,
                          .age = sm->started++,
                          .alive = true,
                          .line = UINT32_MAX,
                          .issued = now - 1,
                          .stalled_until = now,
                          .stall_state = SM_WAIT};
    for (int i = 0; i < COPY_GROUPS; i++) w->group[i].scoreboard = NO_BARRIER;
    w->pc = *w->word++;
    w->next = &sm->code[w->pc];
    fetch(sm, w, now);
    warp_resolve(sm, w);
}

void block_check(struct sm *sm, struct sm_block *block, int64_t now) {
    if (block->alive == 0 && block->out == 0) sm->block_ended(sm, block, now);
}

static void end_warp(struct sm *sm, struct sm_warp *w, int64_t now) {
    w->alive = false;
    w->ready = NEVER;
    warp_resolve(sm, w);
    w->block->alive--;
    leave_barriers(sm, w->block, now);
    block_check(sm, w->block, now);
}

// Delays a warp by a fence and, if it has stored, until all SMs see this SM's stores. Nsight
// Compute counts these cycles as membar, the model as long_scoreboard.
static void wait_at_fence(struct sm *sm, struct sm_warp *w, int64_t now) {
    const int64_t seen = w->stored ? l2_seen(sm, now) : now;
    w->stored = false;
    w->stalled_until = (seen > now ? seen : now) + (int64_t)sm->machine->fence;
    w->stall_state = SM_LONG_SCOREBOARD;
}

// Delays a warp until at most `leave` of its wgmma groups are unfinished. Nsight Compute counts
// these cycles as gmma, the model as math_pipe_throttle.
static void wait_for_wgmma(struct sm_warp *w, unsigned leave) {
    if (w->wgmma_groups <= leave) return;
    const int64_t over = w->wgmma_done[(w->wgmma_groups - leave - 1) % WGMMA_GROUPS];
    if (over <= w->stalled_until) return;
    w->stalled_until = over;
    w->stall_state = SM_MATH_PIPE_THROTTLE;
}

// Passes a mark of stream.c. Each iteration that was cut is assumed to take as long as the mean
// iteration of the window before the cut.
static void pass_mark(struct sm_warp *w, int64_t now) {
    const uint32_t word = *w->word++, count = word & (STREAM_CUT - 1);
    if (word & STREAM_CUT) {
        w->block->left_out += (double)(now - w->window_from) / w->window * count;
    } else {
        w->window = count;
        w->window_from = now;
    }
}

void warp_advance(struct sm *sm, struct sm_warp *w, bool executed, int more, int64_t now) {
    const struct instruction *in = w->next;
    w->issued = now;
    w->stall = (uint8_t)(in->stall + more);
    w->stalled_until = now + w->stall;
    w->stall_state = SM_WAIT;
    w->ready = w->stalled_until;
    w->pc++;
    w->next++;
    if (in->runs_on) return;
    if (in->kind == KIND_WGMMA_WAIT) wait_for_wgmma(w, in->leave);
    if (in->fence && executed) wait_at_fence(sm, w, now);
    if (in->control) {
        if (w->word == w->end) {
            end_warp(sm, w, now);
            return;
        }
        while (*w->word & STREAM_MARK) pass_mark(w, now);
        w->jumped = *w->word != w->pc;
        w->pc = *w->word++;
        w->next = &sm->code[w->pc];
        const double cycles = w->jumped         ? sm->machine->branch
                              : in->reconverges ? sm->machine->reconverge
                                                : 0;
        const int64_t resolved = now + (int64_t)cycles;
        if (resolved > w->stalled_until) {
            w->stalled_until = resolved;
            w->stall_state = SM_BRANCH_RESOLVING;
        }
    }
    fetch(sm, w, now);
    warp_resolve(sm, w);
}
