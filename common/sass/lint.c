// A check of a kernel's control fields and registers: hazards by a replay of scoreboards and stall counts along
// straight-line code, register-bank conflicts, and the kernel's loops.
//
// Limits: state is dropped at labels and after control instructions, so a hazard across a branch is not seen. Shared,
// global and local loads return in order: a load without a scoreboard is covered by that of a later one of its kind, and
// an instruction of the slow unit (POPC) by that of a later one there. Predicates are read at issue.
// DEPBAR counts as a full wait. Of guards only @P and @!P are known to
// exclude each other.
#include "lint.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 256, NOBODY = -1, FILES = 4 };

// What is known of one register.
struct state {
    int64_t writer; // instruction whose result may still be on the way; NOBODY
    int64_t reader; // variable-latency instruction that may not have read it yet
    int64_t issued; // cycle the writer was issued
};

struct lint {
    FILE *out;
    const struct sass_kernel *kernel;
    struct sass_instruction *code;
    bool *label;
    int64_t clock;
    struct state registers[FILES][REGISTERS]; // R, UR, P, UP
    int findings;
};

static struct state *state_of(struct lint *lint, const struct sass_touch *touch, int i) {
    return &lint->registers[touch->uniform + 2 * touch->predicate][touch->first + i];
}

static void forget(struct lint *lint) {
    for (int file = 0; file < FILES; file++) {
        for (int i = 0; i < REGISTERS; i++) lint->registers[file][i] = (struct state){NOBODY, NOBODY, 0};
    }
}

static void report(struct lint *lint, int64_t at, int64_t earlier, const struct sass_touch *touch, int i,
                   const char *what) {
    char text[SASS_MAX_TEXT], before[SASS_MAX_TEXT];
    const struct sass_line *line = cubin_line(lint->kernel, (uint32_t)(at * SASS_BYTES));
    const char *letters = touch->predicate ? touch->uniform ? "UP" : "P" : touch->uniform ? "UR" : "R";
    sass_print(&lint->code[at], NULL, text, sizeof text);
    sass_print(&lint->code[earlier], NULL, before, sizeof before);
    fprintf(lint->out, "%s+0x%llx: %s  // %s%d: %s, 0x%llx: %s", lint->kernel->name,
            (unsigned long long)at * SASS_BYTES, text, letters, touch->first + i, what,
            (unsigned long long)earlier * SASS_BYTES, before);
    if (line) fprintf(lint->out, " (%s:%u)", line->file, line->line);
    fprintf(lint->out, "\n");
    lint->findings++;
}

// The scoreboards that this instruction waits for are free: their registers are there.
static void wait_for(struct lint *lint, unsigned mask) {
    for (int file = 0; mask && file < FILES; file++) {
        for (int i = 0; i < REGISTERS; i++) {
            struct state *state = &lint->registers[file][i];
            const struct sass_control *writer = state->writer >= 0 ? &lint->code[state->writer].control : NULL;
            const struct sass_control *reader = state->reader >= 0 ? &lint->code[state->reader].control : NULL;
            if (writer && writer->write_barrier < 6 && mask >> writer->write_barrier & 1) state->writer = NOBODY;
            if (reader && reader->read_barrier < 6 && mask >> reader->read_barrier & 1) state->reader = NOBODY;
        }
    }
}

// The unit of MUFU, conversions and bit counts, which works in order (S2R shares only its pipe's name).
static bool is_slow(const struct sass_form *form) {
    return form->opcode >= SASS_FLO && form->opcode <= SASS_FRND;
}

// An instruction that overwrites what an earlier one reads need not wait where both read their sources in turn.
static bool reads_in_order(const struct sass_form *writer, const struct sass_form *reader) {
    return writer->pipe == SASS_PIPE_LSU || (is_slow(writer) && is_slow(reader));
}

// A result with a scoreboard covers the earlier ones of its kind that have none.
static void cover(struct lint *lint, int64_t at) {
    const struct sass_form *form = lint->code[at].form;
    if (lint->code[at].control.write_barrier > 5) return;
    for (int file = 0; file < FILES; file++) {
        for (int i = 0; i < REGISTERS; i++) {
            struct state *state = &lint->registers[file][i];
            if (state->writer < 0 || state->writer == at) continue;
            const struct sass_form *earlier = lint->code[state->writer].form;
            const bool slow = is_slow(form) && is_slow(earlier);
            if (!slow && earlier->opcode != form->opcode) continue;
            if (lint->code[state->writer].control.write_barrier == SASS_NO_BARRIER) state->writer = at;
        }
    }
}

// One of the two does nothing: the same predicate guards them, once negated.
static bool exclusive(const struct sass_instruction *a, const struct sass_instruction *b) {
    return a->guard == b->guard && a->guard_uniform == b->guard_uniform && a->guard_negate != b->guard_negate;
}

static void check(struct lint *lint, int64_t at, const struct sass_touch *touch, int i) {
    const struct sass_instruction *in = &lint->code[at];
    struct state *state = state_of(lint, touch, i);
    if (state->writer != NOBODY && !exclusive(in, &lint->code[state->writer])) {
        const struct sass_instruction *writer = &lint->code[state->writer];
        const int needed = sass_distance(writer, in, touch);
        const bool variable = needed == 0;
        const bool in_order = touch->write && writer->form->opcode == in->form->opcode;
        if (variable && !in_order) {
            report(lint, at, state->writer, touch, i, "its value may still be on the way, no wait for");
            state->writer = NOBODY;
        } else if (!variable && !touch->write && lint->clock - state->issued < needed) {
            report(lint, at, state->writer, touch, i, "read too soon (stall counts) after");
        }
    }
    if (touch->write && state->reader != NOBODY && !reads_in_order(in->form, lint->code[state->reader].form)) {
        report(lint, at, state->reader, touch, i, "overwritten before it is surely read by");
        state->reader = NOBODY;
    }
}

static void enter(struct lint *lint, int64_t at, const struct sass_touch *touch, int i) {
    const struct sass_instruction *in = &lint->code[at];
    struct state *state = state_of(lint, touch, i);
    // The predicate of a generic ATOM (is it shared memory?) is there at once.
    if (touch->write && touch->predicate && in->form->pipe == SASS_PIPE_LSU) return;
    if (touch->write) {
        state->writer = at;
        state->issued = lint->clock;
        state->reader = NOBODY;
    } else if (in->control.read_barrier != SASS_NO_BARRIER && !touch->predicate) {
        state->reader = at;
    }
}

static void step(struct lint *lint, int64_t at) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const struct sass_instruction *in = &lint->code[at];
    const int count = sass_touches(in, touches);
    if (lint->label[at]) forget(lint);
    wait_for(lint, in->control.wait);
    if (in->form->opcode == SASS_DEPBAR)
        wait_for(lint, 1U << in->operand[SASS_X].number | (unsigned)in->operand[SASS_J].value);
    const bool never = in->guard == SASS_PT && in->guard_negate;
    for (int write = 0; !never && write < 2; write++) {
        for (int t = 0; t < count; t++) {
            for (int i = 0; touches[t].write == write && i < touches[t].count; i++) check(lint, at, &touches[t], i);
        }
    }
    for (int write = 0; !never && write < 2; write++) {
        for (int t = 0; t < count; t++) {
            for (int i = 0; touches[t].write == write && i < touches[t].count; i++) enter(lint, at, &touches[t], i);
        }
    }
    cover(lint, at);
    // Stall 0 is what ptxas gives to instructions that the hardware holds back itself; it leaves at least one cycle.
    lint->clock += in->control.stall ? in->control.stall : 1;
    if (in->form->pipe == SASS_PIPE_CBU && in->form->opcode != SASS_DEPBAR && in->form->opcode != SASS_NOP)
        forget(lint);
}

// One backward branch: the loop from its target to it.
static void print_loop(struct lint *lint, int64_t first, int64_t last) {
    struct sass_reuse_cache cache = {{-1, -1, -1}};
    int64_t fused = 0, cycles = 0, conflicts = 0;
    for (int64_t i = first; i <= last; i++) {
        const struct sass_instruction *in = &lint->code[i];
        const int needed = sass_bank_cycles(in, &cache);
        fused += in->form->opcode == SASS_FFMA;
        cycles += needed;
        conflicts += needed - 1;
    }
    const int64_t count = last - first + 1;
    const struct sass_line *line = cubin_line(lint->kernel, (uint32_t)(first * SASS_BYTES));
    fprintf(lint->out, "%s: loop 0x%llx to 0x%llx: %lld bytes, %lld instructions, %lld FFMA, %lld bank-conflict cycles",
            lint->kernel->name, (unsigned long long)first * SASS_BYTES, (unsigned long long)last * SASS_BYTES,
            (long long)count * SASS_BYTES, (long long)count, (long long)fused, (long long)conflicts);
    if (fused) fprintf(lint->out, ", %.3f issue cycles per FFMA", (double)cycles / (double)fused);
    if (line) fprintf(lint->out, " (%s:%u)", line->file, line->line);
    fprintf(lint->out, "\n");
}

static bool decode_all(struct lint *lint, struct sass_error *error) {
    for (size_t i = 0; i < lint->kernel->count; i++) {
        if (!sass_decode(cubin_word(lint->kernel, i), i * SASS_BYTES, &lint->code[i], error)) return false;
    }
    for (size_t i = 0; i < lint->kernel->count; i++) {
        const struct sass_operand *target = &lint->code[i].operand[SASS_T];
        const bool inside = target->kind == SASS_TARGET && target->value >= 0 && target->value % SASS_BYTES == 0 &&
                            (uint64_t)target->value / SASS_BYTES < lint->kernel->count;
        if (inside && lint->code[i].form->opcode != SASS_BRX) lint->label[target->value / SASS_BYTES] = true;
    }
    return true;
}

int lint_kernel(FILE *out, const struct sass_kernel *kernel, struct sass_error *error) {
    struct lint *lint = calloc(1, sizeof *lint);
    int findings = -1;
    snprintf(error->message, sizeof error->message, "out of memory");
    if (!lint) return -1;
    lint->out = out;
    lint->kernel = kernel;
    lint->code = calloc(kernel->count + 1, sizeof *lint->code);
    lint->label = calloc(kernel->count + 1, sizeof *lint->label);
    forget(lint);
    if (lint->code && lint->label && decode_all(lint, error)) {
        for (size_t i = 0; i < kernel->count; i++) step(lint, (int64_t)i);
        for (size_t i = 0; i < kernel->count; i++) {
            const struct sass_instruction *in = &lint->code[i];
            const int64_t target = in->operand[SASS_T].value / SASS_BYTES;
            if (in->form->opcode == SASS_BRA && target >= 0 && target < (int64_t)i)
                print_loop(lint, target, (int64_t)i);
        }
        findings = lint->findings;
        fprintf(out, "%s: %d hazards\n", kernel->name, findings);
    }
    free(lint->code);
    free(lint->label);
    free(lint);
    return findings;
}
