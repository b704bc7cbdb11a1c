// The table of latencies, and what is judged by it.
//
// Source: tried on an H200 (tools/latency, docs/results/h200/latency.csv): an instruction's result is read after 1, 2, ... issue
// cycles, and the table has the least distance at which it is always right. Readers that were not tried have the smallest
// distance in all code that nvcc 13.0 makes of this course's kernels and tests. One warp, nothing in its way: what is closer is
// wrong. Of the two words that IMAD.WIDE makes the upper one comes two cycles after the lower one, as the pipe's other results (both
// tried). Of its addend's two words the lower one is read as an FFMA's, the upper one two cycles later. HMMA has what nvcc leaves: alone on an SM its sums
// were there after 11 (to an addend) to 16 cycles, 9 to 14 for half as many k's.
#include "facts.h"

static const uint8_t distances[PRODUCERS][READERS] = {
    // address ALU FMA HALF FP64 addend slow store load index data REDUX R2UR branch uniform UMOV matrix
    [FROM_ALU] = {5, 4, 5, 5, 6, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5, 5, 7},
    [FROM_FMA] = {5, 5, 4, 5, 6, 2, 4, 2, 3, 3, 4, 3, 5, 4, 5, 5, 7},
    [FROM_HALF] = {5, 5, 5, 4, 6, 3, 4, 2, 3, 3, 4, 3, 5, 4, 5, 5, 7},
    [FROM_FP64] = {7, 8, 8, 8, 8, 6, 6, 4, 5, 5, 6, 5, 8, 6, 8, 8, 8},
    [FROM_CS2R] = {5, 6, 6, 6, 6, 4, 4, 2, 3, 3, 4, 3, 6, 6, 6, 6, 6},
    [FROM_WIDE] = {3, 3, 2, 3, 4, 1, 2, 1, 1, 1, 2, 1, 3, 3, 3, 3, 3},
    [FROM_UNIFORM] = {8, 6, 6, 6, 6, 6, 8, 8, 8, 8, 8, 8, 6, 6, 4, 6, 6},
    [FROM_QUICK] = {2, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1},
    [FROM_R2UR] = {12, 10, 10, 10, 10, 10, 12, 12, 12, 12, 12, 12, 10, 12, 8, 10, 10},
    [FROM_MATRIX] = {23, 24, 24, 24, 24, 22, 22, 20, 21, 21, 22, 21, 24, 22, 24, 24, 24},
    [FROM_SHORT_MATRIX] = {15, 16, 16, 16, 16, 14, 14, 12, 13, 13, 14, 13, 16, 14, 16, 16, 16},
    [FROM_SMALL_MATRIX] = {12, 13, 13, 13, 13, 11, 11, 9, 10, 10, 11, 10, 13, 11, 13, 13, 13},
};

// Predicates: to a guard or a vote, to a carry, select or comparison; FP64 makes them later. Uniform ones likewise.
enum { GUARD = 13, PREDICATE = 4, PREDICATE_OF_FP64 = 6, TO_ANOTHER_PIPE = 1, UNIFORM_GUARD = 10, QUICK_GUARD = 5 };

static enum sass_producer producer_of(const struct sass_form *form) {
    static const uint8_t pipes[SASS_PIPE_COUNT] = {[SASS_PIPE_FMA] = FROM_FMA,
                                                   [SASS_PIPE_HALF] = FROM_HALF,
                                                   [SASS_PIPE_FP64] = FROM_FP64,
                                                   [SASS_PIPE_UNIFORM] = FROM_UNIFORM};
    const enum sass_producer own = (enum sass_producer)sass_facts[form->opcode].from;
    if (own && form->pipe != SASS_PIPE_HALF) return own;
    if (form->pipe != SASS_PIPE_TENSOR) return (enum sass_producer)pipes[form->pipe];
    return form->latency > 16 ? FROM_MATRIX : form->latency == 16 ? FROM_SHORT_MATRIX : FROM_SMALL_MATRIX;
}

static enum sass_reader reader_of(const struct sass_form *form, int role) {
    static const uint8_t pipes[SASS_PIPE_COUNT] = {
        [SASS_PIPE_FMA] = TO_FMA,    [SASS_PIPE_ALU] = TO_ALU,         [SASS_PIPE_HALF] = TO_HALF,
        [SASS_PIPE_FP64] = TO_FP64,  [SASS_PIPE_XU] = TO_SLOW,         [SASS_PIPE_TEX] = TO_BRANCH,
        [SASS_PIPE_CBU] = TO_BRANCH, [SASS_PIPE_UNIFORM] = TO_UNIFORM, [SASS_PIPE_TENSOR] = TO_MATRIX};
    const enum sass_opcode opcode = form->opcode;
    const enum sass_reader own = (enum sass_reader)sass_facts[opcode].to;
    if (role == SASS_C && (opcode == SASS_IMAD_WIDE || opcode == SASS_IMAD_HI)) return TO_ADDEND;
    if (role == SASS_B && (opcode == SASS_STS || opcode == SASS_STG)) return TO_DATA;
    if (opcode == SASS_R2UR && form->pipe == SASS_PIPE_LSU) return TO_STORE; // before sm_90 it goes the way of memory
    return own && form->pipe != SASS_PIPE_HALF ? own : (enum sass_reader)pipes[form->pipe];
}

static int predicate_distance(const struct sass_form *producer, const struct sass_form *reader,
                              const struct sass_touch *read) {
    const enum sass_pipe to = reader->pipe;
    const bool late = read->role == SASS_GUARD || to == SASS_PIPE_LSU || to == SASS_PIPE_TEX || to == SASS_PIPE_CBU ||
                      reader->opcode == SASS_VOTE || reader->opcode == SASS_VOTEU;
    if (read->uniform) {
        const bool quick = producer_of(producer) == FROM_QUICK;
        return late ? quick ? QUICK_GUARD : UNIFORM_GUARD : quick ? 1 : PREDICATE;
    }
    const bool slow = producer->pipe == SASS_PIPE_FP64;
    if (late) return slow ? GUARD + 1 : GUARD;
    if (slow) return PREDICATE_OF_FP64;
    const bool other = to != producer->pipe && (to == SASS_PIPE_FMA || to == SASS_PIPE_FP64);
    return other ? PREDICATE + TO_ANOTHER_PIPE : PREDICATE;
}

static bool reads_upper_word(const struct sass_instruction *producer, const struct sass_touch *read) {
    const int upper = producer->operand[SASS_D].number + 1;
    return producer_of(producer->form) == FROM_WIDE && read->first <= upper && upper < read->first + read->count;
}

static bool reads_lower_word(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                             const struct sass_touch *read) {
    return consumer->form->opcode == SASS_IMAD_WIDE && producer_of(producer->form) != FROM_WIDE &&
           producer->operand[SASS_D].number == read->first;
}

int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read) {
    if (!producer->form->latency) return 0;
    if (read->predicate) return predicate_distance(producer->form, consumer->form, read);
    enum sass_reader to = reader_of(consumer->form, read->role);
    if (to == TO_ADDEND && reads_lower_word(producer, consumer, read)) to = TO_FMA;
    const bool upper = to != TO_ADDEND && reads_upper_word(producer, read);
    return distances[upper ? FROM_FMA : producer_of(producer->form)][to];
}

int sass_longest_distance(const struct sass_form *producer, bool predicate) {
    int longest = 0;
    if (!producer->latency) return 0;
    if (predicate) return producer->pipe == SASS_PIPE_FP64 ? GUARD + 1 : GUARD;
    const enum sass_producer from = producer_of(producer);
    for (int to = 0; to < READERS; to++) {
        const int cycles = distances[from == FROM_WIDE ? FROM_FMA : from][to];
        if (cycles > longest) longest = cycles;
    }
    return longest;
}

bool sass_runs_on(const struct sass_form *form) {
    return form->opcode == SASS_HGMMA || form->opcode == SASS_QGMMA;
}

bool sass_is_variable(const struct sass_instruction *in) {
    if (in->control.write_barrier < SASS_SCOREBOARDS) return true;
    return in->form->latency == 0 && in->form->pipe != SASS_PIPE_CBU;
}

bool sass_is_there_at_once(const struct sass_instruction *in, const struct sass_touch *touch) {
    return touch->predicate && (in->form->opcode == SASS_ATOM || in->form->opcode == SASS_ATOM_CAS);
}

bool sass_holds_back(const struct sass_instruction *in) {
    return in->control.stall == 0 && !in->control.yield && !sass_runs_on(in->form);
}

int sass_cycles(const struct sass_instruction *in) {
    return in->control.stall ? in->control.stall : sass_holds_back(in) ? 2 : 1;
}

enum sass_unit sass_unit(const struct sass_form *form) {
    return (enum sass_unit)sass_facts[form->opcode].unit;
}

bool sass_reads_late(const struct sass_form *form) {
    return sass_facts[form->opcode].late;
}

// What starts the copy engine: it takes its uniform registers when it gets to them. Not tried; nvcc guards them all.
static bool starts_copy(const struct sass_form *form) {
    return form->opcode >= SASS_UBLKCP && form->opcode <= SASS_UTMAPF;
}

// Cycles behind its issue after which an instruction that is not a late reader has read its registers, where no scoreboard tells.
static int reading_cycles(const struct sass_instruction *in) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const enum sass_unit unit = sass_unit(in->form);
    int words = 0;
    for (int i = sass_touches(in, touches); unit == SASS_UNIT_SLOW && i-- > 0;)
        if (!touches[i].write && !touches[i].predicate && touches[i].count > words) words = touches[i].count;
    return unit == SASS_UNIT_REDUCE ? 8 : words;
}

bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch) {
    if (touch->predicate || touch->write || sass_holds_back(in)) return false;
    if (touch->uniform) return starts_copy(in->form);
    const bool index = in->form->opcode == SASS_LDC && touch->role != SASS_GUARD;
    return in->control.read_barrier < SASS_SCOREBOARDS || sass_reads_late(in->form) || index || reading_cycles(in) > 1;
}

bool sass_barrier_reads(const struct sass_instruction *in) {
    return in->form->opcode == SASS_BAR && sass_before_hopper(in->word.generation);
}

int sass_write_distance(const struct sass_instruction *first, const struct sass_instruction *later) {
    const enum sass_producer from = producer_of(first->form), to = producer_of(later->form);
    if (sass_is_variable(first) || sass_is_variable(later)) return 0;
    if (from == FROM_R2UR || from == FROM_UNIFORM) {
        const bool quick = later->form->opcode == SASS_UMOV || later->form->opcode == SASS_ULDC;
        return !quick ? 0 : from == FROM_R2UR ? 10 : 6;
    }
    if (to != FROM_ALU && to != FROM_FMA && to != FROM_HALF && to != FROM_WIDE) return 0;
    const int matrix = to == FROM_WIDE ? 2 : 0; // the sooner, the later that one's own result is there
    if (first->form->opcode == SASS_HMMA) return (from == FROM_MATRIX ? 8 : 6) - matrix;
    return from == FROM_FP64 ? 2 : 0;
}

// Of Turing and Blackwell only what scoreboards tell is known.
static bool is_timed(const struct sass_instruction *in) {
    return in->word.generation != SASS_TURING && !sass_is_blackwell(in->word.generation);
}

enum sass_hazard sass_judge_result(const struct sass_instruction *producer, const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles) {
    if (sass_runs_on(producer->form) && sass_runs_on(later->form)) return SASS_SOUND; // one sum after the other
    const bool dmmas = producer->form->opcode == SASS_DMMA && later->form->opcode == SASS_DMMA;
    if (dmmas && sass_is_blackwell(producer->word.generation) && (touch->role == SASS_C || touch->write))
        return SASS_SOUND; // nvcc counts on it there
    if (sass_holds_back(producer) || (!sass_is_variable(producer) && !is_timed(producer))) return SASS_SOUND;
    if (!sass_is_variable(producer) && touch->write)
        return !touch->predicate && cycles < sass_write_distance(producer, later) ? SASS_WRITES_TOO_SOON : SASS_SOUND;
    if (!sass_is_variable(producer)) return cycles < sass_distance(producer, later, touch) ? SASS_TOO_SOON : SASS_SOUND;
    if (sass_is_there_at_once(producer, touch)) return SASS_SOUND;
    if (!touch->write) return SASS_IN_FLIGHT;
    const enum sass_unit unit = sass_unit(producer->form);
    // FP64 where it has scoreboards: nvcc counts on its order in exp() for sm_80.
    const bool fp64 = producer->form->pipe == SASS_PIPE_FP64 && later->form->pipe == SASS_PIPE_FP64;
    const bool in_order = fp64 || (unit != SASS_UNIT_NONE && unit == sass_unit(later->form));
    return in_order ? SASS_SOUND : SASS_OVERWRITES_RESULT;
}

enum sass_hazard sass_judge_source(const struct sass_instruction *reader, const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles) {
    const enum sass_pipe pipe = reader->form->pipe;
    const int reading = reader->control.read_barrier < SASS_SCOREBOARDS ? 0 : reading_cycles(reader);
    if (reading && cycles >= reading) return SASS_SOUND;
    const bool slow = sass_unit(reader->form) == SASS_UNIT_SLOW && sass_unit(later->form) == SASS_UNIT_SLOW;
    // LDC has a way of its own: nvcc lets it wait for the memory pipe's reads.
    const bool memory = pipe == SASS_PIPE_LSU && later->form->opcode != SASS_LDC;
    const bool fp64 = pipe == SASS_PIPE_FP64; // where it has scoreboards
    const bool in_order = pipe == later->form->pipe && (memory || pipe == SASS_PIPE_TEX || slow || fp64);
    return !touch->write || in_order ? SASS_SOUND : SASS_OVERWRITES_SOURCE;
}
