// Sets the stall counts of automatic lines (those without a control column), block by block, by
// distances.def. Where a reader would issue too early after a producer of fixed latency, the
// nearest automatic lines before the reader stall longer. A block ends before a label, and after a
// branch, call, exit, BSYNC or BREAK. At its end, unless that is an unguarded EXIT, every result of
// an automatic line is complete, also for slower readers in the next blocks.
#include "scheduler.h"

#include "isa/codec.h"

#include <string.h>

enum {
    LONGEST_STALL = 15,   // the field has four bits
    LONGEST_YIELDED = 11, // nvcc writes longer stalls only if bit 109 is clear
    CONTROL_STALL = 5,    // the stall that nvcc writes for branches, exits and BSYNC
    BARRIER_STALL = 6,
    DEPBAR_STALL = 8
};

static int least_stall(const struct sass_instruction *in) {
    switch (in->form->opcode) {
    case SASS_BAR:
        return BARRIER_STALL;
    case SASS_DEPBAR:
        return DEPBAR_STALL;
    case SASS_NOP:
    case SASS_BSSY:
        return 1;
    case SASS_CS2R:
    case SASS_LDGDEPBAR:
        return 2;
    default:
        return in->form->pipe == SASS_PIPE_CBU ? CONTROL_STALL : 1;
    }
}

// Returns the least distance, in cycles, between two writers of one register that lets the second
// result arrive last, even if the second latency is shorter.
static int overwrite_distance(const struct sass_instruction *first,
                              const struct sass_instruction *second,
                              const struct sass_touch *touch) {
    const int a = sass_longest_kept(first, touch->predicate),
              b = sass_longest_kept(second, touch->predicate);
    const int after = a && b && a > b ? a - b + 1 : 0;
    const int least = touch->predicate ? 0 : sass_write_distance(first, second);
    return after > least ? after : least;
}

struct issue {
    int64_t clock;
    int64_t *at; // per instruction: its issue cycle, from the start of the block
    // per register: the instruction of fixed latency that wrote it last; -1 if there is none
    int64_t writer[FILES][REGISTERS];
};

// Delays instruction `at` by `missing` cycles: raises stall counts of the nearest automatic lines
// before it, back to the producer.
static void delay(struct scheduler *s, struct issue *issue, size_t at, int64_t producer,
                  int64_t missing) {
    for (int64_t i = (int64_t)at - 1; missing > 0 && i >= producer; i--) {
        struct sass_control *control = &s->kernel->code[i].control;
        if (!s->kernel->automatic[i]) continue;
        const int64_t more =
            missing < LONGEST_STALL - control->stall ? missing : LONGEST_STALL - control->stall;
        control->stall = (uint8_t)(control->stall + more);
        for (size_t k = (size_t)i + 1; k <= at; k++) issue->at[k] += more;
        issue->clock += more;
        missing -= more;
    }
}

static void keep_apart(struct scheduler *s, struct issue *issue, size_t at) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const struct sass_instruction *in = &s->kernel->code[at];
    const int count = sass_touches(in, touches);
    for (int t = 0; t < count; t++) {
        for (int r = touches[t].first; r < touches[t].first + touches[t].count; r++) {
            const int64_t writer = issue->writer[schedule_file(&touches[t])][r];
            if (writer < 0) continue;
            const struct sass_instruction *producer = &s->kernel->code[writer];
            const int needed = touches[t].write ? overwrite_distance(producer, in, &touches[t])
                                                : sass_kept_distance(producer, in, &touches[t]);
            delay(s, issue, at, writer, issue->at[writer] + needed - issue->at[at]);
        }
    }
    for (int t = 0; t < count; t++) {
        for (int r = touches[t].first; touches[t].write && r < touches[t].first + touches[t].count;
             r++) {
            int64_t *writer = &issue->writer[schedule_file(&touches[t])][r];
            // A guarded writer of variable latency may leave the earlier result in the register.
            if (sass_longest_kept(in, touches[t].predicate))
                *writer = (int64_t)at;
            else if (sass_always(in))
                *writer = -1;
        }
    }
}

// Returns the least number of cycles from the producer to instruction `from` such that no reader
// from there on is too early. If a reader's distance is only a guess, the whole guess must pass
// before `from`, even if the reader comes later.
static int distance_before(const struct scheduler *s, const struct sass_instruction *producer,
                           int file, int number, size_t from) {
    enum { SOON = 32 }; // instructions to examine: more than any guess has cycles
    int most = 0;
    for (size_t i = from; i < s->kernel->count && i < from + SOON; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        for (int t = sass_touches(&s->kernel->code[i], touches); t-- > 0;) {
            const struct sass_touch *read = &touches[t];
            if (read->write || schedule_file(read) != file || number < read->first ||
                number >= read->first + read->count)
                continue;
            const int guess = sass_guessed_distance(producer, &s->kernel->code[i], read),
                      known = sass_distance(producer, &s->kernel->code[i], read) - (int)(i - from);
            if (guess > most) most = guess;
            if (known > most) most = known;
        }
    }
    return most;
}

static void drain(struct scheduler *s, struct issue *issue, size_t end) {
    const struct sass_instruction *last = &s->kernel->code[end - 1];
    const size_t target =
        sass_has_target(last) ? (size_t)last->operand[SASS_T].value / SASS_BYTES : end;
    for (int file = 0; file < FILES; file++) {
        for (int r = 0; r < REGISTERS; r++) {
            const int64_t writer = issue->writer[file][r];
            if (writer < 0 || !s->kernel->automatic[writer]) continue;
            const struct sass_instruction *producer = &s->kernel->code[writer];
            const int known = sass_longest_kept(producer, file >> 1),
                      after = distance_before(s, producer, file, r, end),
                      there = distance_before(s, producer, file, r, target),
                      most = after > there ? after : there;
            delay(s, issue, end, writer,
                  issue->at[writer] + (most > known ? most : known) - issue->at[end]);
        }
    }
}

static void let_scoreboard_be_set(struct scheduler *s, struct issue *issue, size_t at) {
    const struct sass_control *before = &s->kernel->code[at - 1].control;
    const unsigned sets = (before->write_barrier < 6 ? 1U << before->write_barrier : 0) |
                          (before->read_barrier < 6 ? 1U << before->read_barrier : 0);
    if (s->kernel->code[at].control.wait & sets && before->stall < SASS_SET_CYCLES)
        delay(s, issue, at, (int64_t)at - 1, SASS_SET_CYCLES - before->stall);
}

static void set_stalls_of_block(struct scheduler *s, struct issue *issue, int block) {
    const size_t end = s->start[block + 1];
    memset(issue->writer, 0xff, sizeof issue->writer);
    issue->clock = 0;
    for (size_t i = s->start[block]; i < end; i++) {
        struct sass_instruction *in = &s->kernel->code[i];
        issue->at[i] = issue->clock;
        if (s->kernel->automatic[i]) in->control.stall = (uint8_t)least_stall(in);
        keep_apart(s, issue, i);
        if (i > s->start[block]) let_scoreboard_be_set(s, issue, i);
        issue->clock += in->control.stall ? in->control.stall : 1;
    }
    issue->at[end] = issue->clock;
    if (end < s->kernel->count) let_scoreboard_be_set(s, issue, end);
    const struct sass_instruction *last = &s->kernel->code[end - 1];
    if (last->form->opcode != SASS_EXIT || !sass_always(last)) drain(s, issue, end);
}

void set_stalls(struct scheduler *s) {
    struct issue *issue;
    ARENA_NEW(&s->memory, issue, 1);
    ARENA_NEW(&s->memory, issue->at, s->kernel->count + 1);
    for (int b = 0; b < s->block_count; b++) set_stalls_of_block(s, issue, b);
    for (size_t i = 0; i < s->kernel->count; i++) {
        struct sass_control *control = &s->kernel->code[i].control;
        if (s->kernel->automatic[i]) control->yield = control->stall <= LONGEST_YIELDED;
    }
}
