// The table of latencies, and what is judged by it.
//
// Source: the smallest distances in all code that nvcc 13.0 makes of this course's kernels and of tests/corpus (170
// cubins, sm_90), by producer and reader. ptxas may know a shorter one that did not occur; the hardware may need less. Code
// that is closer than these is not known to work.
#include "latency.h"

enum { GUARD = 13, PREDICATE = 4, PREDICATE_OF_FP64 = 6 }; // predicates: to a guard, to a carry or select

// From a register's producer to its reader, by their pipes. 0: no such pair was seen, the producer's own latency counts.
static const uint8_t pipes[SASS_PIPE_COUNT][SASS_PIPE_COUNT] = {
    [SASS_PIPE_FMA] = {[SASS_PIPE_FMA] = 4,
                       [SASS_PIPE_ALU] = 5,
                       [SASS_PIPE_HALF] = 4,
                       [SASS_PIPE_FP64] = 6,
                       [SASS_PIPE_XU] = 4,
                       [SASS_PIPE_LSU] = 5,
                       [SASS_PIPE_TEX] = 4,
                       [SASS_PIPE_UNIFORM] = 5,
                       [SASS_PIPE_CBU] = 4},
    [SASS_PIPE_ALU] = {[SASS_PIPE_FMA] = 5,
                       [SASS_PIPE_ALU] = 4,
                       [SASS_PIPE_HALF] = 5,
                       [SASS_PIPE_FP64] = 6,
                       [SASS_PIPE_XU] = 4,
                       [SASS_PIPE_LSU] = 5,
                       [SASS_PIPE_TEX] = 4,
                       [SASS_PIPE_UNIFORM] = 5,
                       [SASS_PIPE_CBU] = 4},
    [SASS_PIPE_HALF] =
        {[SASS_PIPE_HALF] = 4, [SASS_PIPE_FMA] = 5, [SASS_PIPE_ALU] = 5, [SASS_PIPE_XU] = 4, [SASS_PIPE_LSU] = 5},
    [SASS_PIPE_FP64] =
        {[SASS_PIPE_FP64] = 8, [SASS_PIPE_XU] = 6, [SASS_PIPE_LSU] = 7, [SASS_PIPE_FMA] = 10, [SASS_PIPE_ALU] = 10},
    [SASS_PIPE_UNIFORM] = {[SASS_PIPE_UNIFORM] = 4, [SASS_PIPE_FMA] = 6, [SASS_PIPE_ALU] = 6},
};

// Registers of pairs that keep another distance than their pipes say; the first row that fits counts.
enum { ANY = SASS_OPCODE_COUNT, ANY_ROLE = SASS_GUARD + 1 };
static const struct {
    int producer, consumer; // enum sass_opcode
    int role;               // enum sass_role, that the consumer reads it in
    uint8_t cycles;
} pairs[] = {
    {SASS_ULDC, ANY, ANY_ROLE, 2},           {SASS_UMOV, ANY, ANY_ROLE, 2},
    {SASS_R2UR, ANY, ANY_ROLE, 12},          {SASS_CS2R, ANY, ANY_ROLE, 6},
    {SASS_HFMA2_MMA, ANY, ANY_ROLE, 6},      {SASS_IMAD, SASS_IMAD_WIDE, SASS_C, 2},
    {ANY, SASS_IMAD_WIDE, SASS_C, 3},        {SASS_IMAD_WIDE, SASS_IADD3, ANY_ROLE, 3},
    {SASS_IMAD_WIDE, SASS_LEA, ANY_ROLE, 3}, {SASS_IMAD_WIDE, SASS_LOP3, ANY_ROLE, 3},
    {SASS_IMAD_WIDE, SASS_MOV, ANY_ROLE, 3}, {ANY, SASS_LDC, ANY_ROLE, 4},
    {ANY, SASS_MATCH, ANY_ROLE, 4},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

// VIADD stands as far from others as the FMA pipe's instructions do.
static enum sass_pipe timing_pipe(const struct sass_form *form) {
    return form->opcode == SASS_VIADD ? SASS_PIPE_FMA : form->pipe;
}

static int pipe_distance(const struct sass_form *producer, enum sass_pipe to) {
    const int cycles = pipes[timing_pipe(producer)][to];
    return cycles ? cycles : producer->latency;
}

// A guard, and what memory and branches take besides, has to be there early.
static int predicate_distance(const struct sass_form *producer, enum sass_pipe to, bool guard) {
    if (guard || to == SASS_PIPE_LSU || to == SASS_PIPE_TEX || to == SASS_PIPE_CBU) return GUARD;
    return producer->pipe == SASS_PIPE_FP64 ? PREDICATE_OF_FP64 : PREDICATE;
}

int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read) {
    const struct sass_form *from = producer->form, *to = consumer->form;
    if (!from->latency) return 0;
    if (read->predicate && !read->uniform) return predicate_distance(from, to->pipe, read->role == SASS_GUARD);
    for (int i = 0; i < PAIRS && !read->predicate; i++) {
        if ((pairs[i].producer == (int)from->opcode || pairs[i].producer == ANY) &&
            (pairs[i].consumer == (int)to->opcode || pairs[i].consumer == ANY) &&
            (pairs[i].role == read->role || pairs[i].role == ANY_ROLE))
            return pairs[i].cycles;
    }
    return pipe_distance(from, timing_pipe(to));
}

int sass_longest_distance(const struct sass_form *producer, bool predicate) {
    int longest = 0;
    if (!producer->latency) return 0;
    if (predicate) return GUARD;
    for (int i = 0; i < PAIRS; i++) {
        if (pairs[i].producer == (int)producer->opcode && pairs[i].consumer == ANY) return pairs[i].cycles;
    }
    for (int to = 0; to < SASS_PIPE_COUNT; to++) {
        const int cycles = pipe_distance(producer, (enum sass_pipe)to);
        if (cycles > longest) longest = cycles;
    }
    return longest;
}

bool sass_is_variable(const struct sass_instruction *in) {
    if (in->control.write_barrier < SASS_SCOREBOARDS) return true;
    return in->form->latency == 0 && in->form->pipe != SASS_PIPE_CBU;
}

enum sass_unit sass_unit(const struct sass_form *form) {
    switch (form->opcode) {
    case SASS_LDS:
    case SASS_ATOMS:
        return SASS_UNIT_SHARED;
    case SASS_LDL:
        return SASS_UNIT_LOCAL;
    case SASS_LDG:
        return SASS_UNIT_GLOBAL;
    case SASS_LDC:
        return SASS_UNIT_CONSTANT;
    case SASS_SHFL:
        return SASS_UNIT_SHUFFLE;
    case SASS_TLD:
        return SASS_UNIT_TEXTURE;
    default: // S2R shares only the name of the slow unit's pipe
        return form->opcode >= SASS_FLO && form->opcode <= SASS_FRND ? SASS_UNIT_SLOW : SASS_UNIT_NONE;
    }
}

bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch) {
    const bool general = !touch->uniform && !touch->predicate;
    return in->control.read_barrier < SASS_SCOREBOARDS && !touch->write && general;
}

enum sass_hazard sass_judge_result(const struct sass_instruction *producer, const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles) {
    const enum sass_opcode opcode = producer->form->opcode;
    if (!sass_is_variable(producer))
        return !touch->write && cycles < sass_distance(producer, later, touch) ? SASS_TOO_SOON : SASS_SOUND;
    // The predicate of a generic atomic (is it shared memory?) is there at once.
    if (touch->predicate && (opcode == SASS_ATOM || opcode == SASS_ATOM_CAS)) return SASS_SOUND;
    if (!touch->write) return SASS_IN_FLIGHT;
    const enum sass_unit unit = sass_unit(producer->form);
    const bool in_order = unit != SASS_UNIT_NONE && unit == sass_unit(later->form);
    return in_order ? SASS_SOUND : SASS_OVERWRITES_RESULT;
}

enum sass_hazard sass_judge_source(const struct sass_instruction *reader, const struct sass_instruction *later,
                                   const struct sass_touch *touch) {
    const enum sass_pipe pipe = reader->form->pipe;
    const bool slow = sass_unit(reader->form) == SASS_UNIT_SLOW && sass_unit(later->form) == SASS_UNIT_SLOW;
    const bool in_order = pipe == later->form->pipe && (pipe == SASS_PIPE_LSU || pipe == SASS_PIPE_TEX || slow);
    return !touch->write || in_order ? SASS_SOUND : SASS_OVERWRITES_SOURCE;
}
