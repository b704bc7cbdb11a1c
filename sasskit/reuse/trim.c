// Removes idle instructions from innermost loops. An idle instruction has the guard @!PT: it never
// executes, but costs an issue slot. A BRA stays, and so does what sets a scoreboard.
//
// The code keeps its length, and all code after the last instruction removed keeps its address. So
// do barriers and exits, because the file lists their addresses elsewhere, too. The instructions
// before the last one removed move to higher addresses, including the start of the loop. NOPs fill
// the gap in front of the loop, where they execute once.
#include "isa/codec.h"
#include "isa/touches.h"
#include "reuse.h"

#include "isa/encoding.h"
#include "lint/flow.h"
#include "lint/lint.h"

#include <string.h>

struct trim {
    const struct sass_kernel *kernel;
    size_t count;
    struct sass_instruction *code, *fresh;
    size_t *moved; // per old index: the instruction's new index
};

static bool is_idle(const struct sass_instruction *in) {
    return flow_never(in) && in->form->opcode != SASS_BRA &&
           in->control.write_barrier == SASS_NO_BARRIER &&
           in->control.read_barrier == SASS_NO_BARRIER;
}

// Returns true if an attribute of the file may list the instruction's address.
static bool is_listed(const struct sass_instruction *in) {
    const enum sass_opcode opcode = in->form->opcode;
    return opcode == SASS_BAR || opcode == SASS_EXIT || opcode == SASS_WARPSYNC ||
           in->form->pipe == SASS_PIPE_CBU;
}

static bool has_inner(const struct trim *trim, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        if (trim->code[i].operand[SASS_T].value >= (int64_t)(first * SASS_BYTES) &&
            sass_closes_loop(trim->code, trim->count, i))
            return true;
    }
    return false;
}

// Returns the index after the last idle instruction of a loop that precedes all listed ones (these
// may not move); `first` if there is none.
static size_t last_idle(const struct trim *trim, size_t first, size_t last) {
    size_t found = first;
    for (size_t i = first; i < last && !is_listed(&trim->code[i]); i++) {
        if (is_idle(&trim->code[i])) found = i + 1;
    }
    return found;
}

// Moves the instructions of [first, end) to higher addresses, over the idle ones. The instruction
// after an idle one takes over its waits. Returns the number of idle instructions.
static int close_up(struct trim *trim, size_t first, size_t end) {
    size_t to = end;
    for (size_t i = end; i-- > first;) {
        if (is_idle(&trim->code[i])) {
            trim->fresh[to].control.wait |= trim->code[i].control.wait;
            trim->moved[i] = to;
        } else {
            trim->fresh[--to] = trim->code[i];
            trim->moved[i] = to;
        }
    }
    return (int)(to - first);
}

static bool fill_up(struct trim *trim, size_t first, int count, struct error *error) {
    for (int i = 0; i < count; i++) {
        const size_t at = first + (size_t)i;
        if (!sass_parse("--:-:-:-:1  NOP", at * SASS_BYTES, NULL, &trim->fresh[at], error))
            return false;
    }
    return true;
}

static bool store(struct trim *trim, struct error *error) {
    for (size_t i = 0; i < trim->count; i++) {
        struct sass_operand *target = &trim->fresh[i].operand[SASS_T];
        struct sass_word word;
        const size_t to = target->kind == SASS_TARGET ? (size_t)target->value / SASS_BYTES : 0;
        if (target->kind == SASS_TARGET && to < trim->count)
            target->value = (int64_t)(trim->moved[to] * SASS_BYTES);
        if (!sass_encode(&trim->fresh[i], i * SASS_BYTES, &word, error)) return false;
        cubin_store(word, trim->kernel->code + i * SASS_BYTES);
    }
    return true;
}

static bool trim_loops(struct trim *trim, int *removed, struct error *error) {
    for (size_t i = 0; i < trim->count; i++) {
        if (!sass_decode(cubin_word(trim->kernel, i), i * SASS_BYTES, &trim->code[i], error))
            return false;
        trim->moved[i] = i;
    }
    memcpy(trim->fresh, trim->code, trim->count * sizeof *trim->fresh);
    for (size_t i = 0; i < trim->count; i++) {
        const size_t first = (size_t)trim->code[i].operand[SASS_T].value / SASS_BYTES;
        if (!sass_closes_loop(trim->code, trim->count, i) || has_inner(trim, first, i)) continue;
        const int gone = close_up(trim, first, last_idle(trim, first, i));
        if (!fill_up(trim, first, gone, error)) return false;
        *removed += gone;
    }
    return *removed == 0 || store(trim, error);
}

bool trim_kernel(const struct sass_kernel *kernel, int *removed, struct error *error) {
    struct trim trim = {.kernel = kernel, .count = kernel->count};
    const size_t bytes = kernel->count * SASS_BYTES;
    struct arena memory = {0};
    uint8_t *backup;
    ARENA_NEW(&memory, backup, bytes + 1);
    ARENA_NEW(&memory, trim.code, kernel->count + 1);
    ARENA_NEW(&memory, trim.fresh, kernel->count + 1);
    ARENA_NEW(&memory, trim.moved, kernel->count + 1);
    *removed = 0;
    memcpy(backup, kernel->code, bytes);
    const bool good = trim_loops(&trim, removed, error);
    // A hazard here means that the distance of some pair depended on an idle instruction.
    if (!good || (*removed && lint_kernel(&(struct lint_options){0}, kernel, error) != 0)) {
        memcpy(kernel->code, backup, bytes);
        *removed = 0;
    }
    arena_clear(&memory);
    return good;
}
