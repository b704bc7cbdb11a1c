// The distances of distances.def, and the hazards that follow from them.
#include "facts.h"

#include <stdlib.h>

// The distances that the assembler keeps between automatic lines: to a reader in the producer's
// pipe, to a reader in another pipe, and to the end of a basic block, after which any reader may
// follow.
struct kept_distances {
    uint8_t within, other, end;
};
struct latency_row {
    struct kept_distances kept;
    int8_t to[READERS];
};
static const struct latency_row tables[SASS_GENERATIONS][PRODUCERS] = {
#define DISTANCES(generation, producer, within, other, end, ...) \
    [generation][FROM_##producer] = {{within, other, end}, {__VA_ARGS__}},
#include "distances.def"
#undef DISTANCES
};

struct predicate_row {
    int8_t to[PREDICATE_READERS];
    struct kept_distances kept;
};
static const struct predicate_row predicates[SASS_GENERATIONS][PREDICATE_PRODUCERS] = {
#define PREDICATES(generation, producer, guard, source, other, kept_source, kept_guard) \
    [generation][BY_##producer] = {{guard, source, other}, {kept_source, kept_source, kept_guard}},
#include "distances.def"
#undef PREDICATES
};

// Return the row of a kind of producers. sm_103 and sm_110 share sm_100's rows except FP64's.
static const struct latency_row *row_at(enum sass_generation on, int from) {
    if (on == SASS_BLACKWELL_103 && from != FROM_FP64) on = SASS_BLACKWELL;
    return &tables[on][from];
}
static const struct predicate_row *predicates_at(enum sass_generation on, int by) {
    if (on == SASS_BLACKWELL_103 && by != BY_FP64) on = SASS_BLACKWELL;
    return &predicates[on][by];
}

static enum sass_producer producer_of(const struct sass_form *form) {
    static const uint8_t pipes[SASS_PIPE_COUNT] = {[SASS_PIPE_FMA] = FROM_FMA,
                                                   [SASS_PIPE_HALF] = FROM_HALF,
                                                   [SASS_PIPE_FP64] = FROM_FP64,
                                                   [SASS_PIPE_UNIFORM] = FROM_UNIFORM};
    const enum sass_producer own = (enum sass_producer)sass_facts[form->opcode].from;
    if (own) return own;
    if (form->pipe != SASS_PIPE_TENSOR) return (enum sass_producer)pipes[form->pipe];
    return form->latency > 16    ? FROM_MATRIX
           : form->latency == 16 ? FROM_SHORT_MATRIX
                                 : FROM_SMALL_MATRIX;
}

static enum sass_reader reader_of(const struct sass_form *form, int role) {
    static const uint8_t pipes[SASS_PIPE_COUNT] = {
        [SASS_PIPE_FMA] = TO_FMA,      [SASS_PIPE_ALU] = TO_ALU,
        [SASS_PIPE_HALF] = TO_HALF,    [SASS_PIPE_FP64] = TO_FP64,
        [SASS_PIPE_XU] = TO_SLOW,      [SASS_PIPE_TEX] = TO_BRANCH,
        [SASS_PIPE_CBU] = TO_BRANCH,   [SASS_PIPE_UNIFORM] = TO_UNIFORM,
        [SASS_PIPE_TENSOR] = TO_MATRIX};
    const enum sass_opcode opcode = form->opcode;
    const enum sass_reader own = (enum sass_reader)sass_facts[opcode].to;
    if (opcode == SASS_IMAD_WIDE || opcode == SASS_IMAD_HI)
        return role == SASS_C ? TO_ADDEND : TO_WIDE;
    if (role == SASS_B && (opcode == SASS_STS || opcode == SASS_STG)) return TO_DATA;
    // before sm_90, R2UR goes through the memory pipe
    if (opcode == SASS_R2UR && form->pipe == SASS_PIPE_LSU) return TO_SLOW;
    return own ? own : (enum sass_reader)pipes[form->pipe];
}

static enum sass_predicate predicate_producer(const struct sass_form *form, bool uniform) {
    if (form->pipe == SASS_PIPE_FP64) return BY_FP64;
    if (uniform) return producer_of(form) == FROM_QUICK ? BY_QUICK : BY_UNIFORM;
    if (form->pipe == SASS_PIPE_HALF) return BY_HALF;
    return producer_of(form) == FROM_COMPARE ? BY_COMPARE : BY_CARRY;
}

// Returns true if the instruction reads a predicate as early as a guard is read.
static bool reads_as_guard(const struct sass_form *reader, const struct sass_touch *read) {
    const enum sass_pipe to = reader->pipe;
    return read->role == SASS_GUARD || to == SASS_PIPE_LSU || to == SASS_PIPE_TEX ||
           to == SASS_PIPE_CBU || reader->opcode == SASS_VOTE || reader->opcode == SASS_VOTEU;
}

static const struct predicate_row *predicate_row(const struct sass_instruction *producer,
                                                 bool uniform) {
    return predicates_at(producer->word.generation, predicate_producer(producer->form, uniform));
}

static enum sass_predicate_reader predicate_reader(const struct sass_form *producer,
                                                   const struct sass_form *reader,
                                                   const struct sass_touch *read) {
    if (reads_as_guard(reader, read)) return TO_GUARD;
    const bool other = reader->pipe == SASS_PIPE_FMA || reader->pipe == SASS_PIPE_FP64;
    return other && reader->pipe != producer->pipe ? TO_OTHER_PIPE : TO_SOURCE;
}

static bool reads_upper_word(const struct sass_instruction *producer,
                             const struct sass_touch *read) {
    const int upper = producer->operand[SASS_D].number + 1;
    return producer_of(producer->form) == FROM_WIDE && read->first <= upper &&
           upper < read->first + read->count;
}

static bool reads_lower_word(const struct sass_instruction *producer,
                             const struct sass_instruction *consumer,
                             const struct sass_touch *read) {
    return consumer->form->opcode == SASS_IMAD_WIDE && producer_of(producer->form) != FROM_WIDE &&
           producer->operand[SASS_D].number == read->first;
}

struct sass_pair sass_pair(const struct sass_instruction *producer,
                           const struct sass_instruction *consumer, const struct sass_touch *read) {
    if (read->predicate)
        return (struct sass_pair){(uint8_t)predicate_producer(producer->form, read->uniform),
                                  (uint8_t)predicate_reader(producer->form, consumer->form, read)};
    enum sass_reader to = reader_of(consumer->form, read->role);
    if (to == TO_ADDEND && reads_lower_word(producer, consumer, read)) to = TO_FMA;
    const bool upper = to != TO_ADDEND && reads_upper_word(producer, read);
    return (struct sass_pair){(uint8_t)(upper ? FROM_FMA : producer_of(producer->form)),
                              (uint8_t)to};
}

static const struct latency_row *row_of(const struct sass_instruction *producer) {
    return row_at(producer->word.generation, producer_of(producer->form));
}

bool sass_by_scoreboard(const struct sass_instruction *in) {
    return in->form->latency ? !row_of(in)->kept.end : in->form->pipe != SASS_PIPE_CBU;
}

// Returns a pair's distance in distances.def, in cycles: negative for a guess, 0 if there is none.
static int cell(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                const struct sass_touch *read) {
    if (!producer->form->latency) return 0;
    const struct sass_pair pair = sass_pair(producer, consumer, read);
    const enum sass_generation on = producer->word.generation;
    return read->predicate ? predicates_at(on, pair.from)->to[pair.to]
                           : row_at(on, pair.from)->to[pair.to];
}

int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read) {
    const int cycles = cell(producer, consumer, read);
    return cycles > 0 ? cycles : 0;
}

int sass_guessed_distance(const struct sass_instruction *producer,
                          const struct sass_instruction *consumer, const struct sass_touch *read) {
    const int cycles = cell(producer, consumer, read);
    return cycles < 0 ? -cycles : 0;
}

int sass_longest_distance(const struct sass_instruction *producer, bool predicate) {
    int longest = 0;
    if (!producer->form->latency) return 0;
    if (predicate) return predicate_row(producer, false)->to[TO_GUARD];
    const enum sass_producer from = producer_of(producer->form);
    const struct latency_row *row =
        row_at(producer->word.generation, from == FROM_WIDE ? FROM_FMA : from);
    for (int to = 0; to < READERS; to++) {
        if (row->to[to] > longest) longest = row->to[to];
    }
    return longest;
}

// VIADD has the distances of FMA-pipe instructions (nvcc 13.0).
static enum sass_pipe timing_pipe(const struct sass_form *form) {
    return form->opcode == SASS_VIADD ? SASS_PIPE_FMA : form->pipe;
}

int sass_longest_kept(const struct sass_instruction *producer, bool predicate) {
    if (!producer->form->latency) return 0;
    return predicate ? predicate_row(producer, false)->kept.end : row_of(producer)->kept.end;
}

int sass_kept_distance(const struct sass_instruction *producer,
                       const struct sass_instruction *reader, const struct sass_touch *read) {
    if (!producer->form->latency) return 0;
    const enum sass_pipe from = timing_pipe(producer->form), to = timing_pipe(reader->form);
    const struct kept_distances *kept = &row_of(producer)->kept;
    int least = from == to ? kept->within : kept->other;
    if (read->predicate) {
        const struct predicate_row *row = predicate_row(producer, false);
        least = reads_as_guard(reader->form, read) ? row->kept.end : row->kept.within;
    } else if (to == SASS_PIPE_FP64) { // keep at least the distance from an FMA to FP64
        const int late = abs(row_at(producer->word.generation, FROM_FMA)->to[TO_FP64]);
        if (late > least) least = late;
    }
    const int cycles = abs(cell(producer, reader, read));
    return cycles > least ? cycles : least;
}

bool sass_runs_on(const struct sass_form *form) {
    return form->opcode == SASS_HGMMA || form->opcode == SASS_QGMMA;
}

bool sass_is_variable(const struct sass_instruction *in) {
    if (in->control.write_barrier < SASS_SCOREBOARDS) return true;
    return sass_by_scoreboard(in);
}

bool sass_is_there_at_once(const struct sass_instruction *in, const struct sass_touch *touch) {
    return touch->predicate && (in->form->opcode == SASS_ATOM || in->form->opcode == SASS_ATOM_CAS);
}

bool sass_holds_back(const struct sass_instruction *in) {
    return in->control.stall == 0 && !in->control.yield && !sass_runs_on(in->form);
}

int sass_cycles(const struct sass_instruction *in) {
    // 16 suffices on sm_75, where nvcc relies on an ERRBAR with stall 0 to separate an ATOMG from
    // the producer of its data.
    enum { OF_MEMORY = 16 };
    if (in->control.stall) return in->control.stall;
    return !sass_holds_back(in) ? 1 : in->form->pipe == SASS_PIPE_LSU ? OF_MEMORY : 2;
}

unsigned sass_depbar_waits(const struct sass_instruction *in) {
    if (in->form->opcode != SASS_DEPBAR) return 0;
    const struct sass_operand *counted = &in->operand[SASS_X];
    return (unsigned)in->operand[SASS_J].value |
           (counted->kind == SASS_SCOREBOARD ? 1U << counted->number : 0);
}

enum sass_unit sass_unit(const struct sass_form *form) {
    return (enum sass_unit)sass_facts[form->opcode].unit;
}

bool sass_reads_late(const struct sass_form *form) {
    return sass_facts[form->opcode].late;
}

// Returns true for instructions that start bulk copies. They may read uniform registers late: this
// was not tested, but nvcc protects these registers.
static bool starts_copy(const struct sass_form *form) {
    return form->opcode >= SASS_UBLKCP && form->opcode <= SASS_UTMAPF;
}

enum sass_queue sass_queue(const struct sass_form *form) {
    if (sass_facts[form->opcode].late) return SASS_QUEUE_MEMORY;
    if (form->opcode >= SASS_UBLKCP && form->opcode <= SASS_UTMACMDFLUSH) return SASS_QUEUE_COPY;
    if (sass_unit(form) == SASS_UNIT_SLOW) return SASS_QUEUE_SLOW;
    switch (form->pipe) {
    case SASS_PIPE_TEX:
        return SASS_QUEUE_TEXTURE;
    case SASS_PIPE_FP64:
        return SASS_QUEUE_FP64;
    case SASS_PIPE_TENSOR:
        return sass_runs_on(form) ? SASS_QUEUE_NONE : SASS_QUEUE_TENSOR;
    default:
        return SASS_QUEUE_NONE;
    }
}

bool sass_is_held(const struct sass_instruction *in, const struct sass_touch *touch) {
    if (touch->predicate || touch->write || sass_holds_back(in)) return false;
    if (touch->uniform) return starts_copy(in->form);
    const bool index = in->form->opcode == SASS_LDC && touch->role != SASS_GUARD;
    const bool slow = sass_unit(in->form) == SASS_UNIT_SLOW;
    return in->control.read_barrier < SASS_SCOREBOARDS || sass_reads_late(in->form) || index ||
           slow;
}

bool sass_barrier_reads(const struct sass_instruction *in) {
    return in->form->opcode == SASS_BAR && sass_before_hopper(in->word.generation);
}

int sass_write_distance(const struct sass_instruction *first,
                        const struct sass_instruction *later) {
    const enum sass_producer from = producer_of(first->form), to = producer_of(later->form);
    if (sass_is_variable(first) || sass_is_variable(later)) return 0;
    if (from == FROM_R2UR || from == FROM_UNIFORM) {
        const bool quick = later->form->opcode == SASS_UMOV || later->form->opcode == SASS_ULDC;
        return !quick ? 0 : from == FROM_R2UR ? 10 : 6;
    }
    if (to != FROM_ALU && to != FROM_COMPARE && to != FROM_FMA && to != FROM_HALF &&
        to != FROM_WIDE)
        return 0;
    // IMAD.WIDE writes two cycles later than other instructions, so it may follow `first` sooner
    const int late = to == FROM_WIDE ? 2 : 0;
    if (first->form->opcode == SASS_HMMA) return (from == FROM_MATRIX ? 8 : 6) - late;
    return from == FROM_FP64 || from == FROM_HALF_MMA ? 2 : 0;
}

enum sass_hazard sass_judge_result(const struct sass_instruction *producer,
                                   const struct sass_instruction *later,
                                   const struct sass_touch *touch, int64_t cycles) {
    // warpgroup MMAs complete in order
    if (sass_runs_on(producer->form) && sass_runs_on(later->form)) return SASS_SOUND;
    const bool dmmas = producer->form->opcode == SASS_DMMA && later->form->opcode == SASS_DMMA;
    if (dmmas && sass_is_blackwell(producer->word.generation) &&
        (touch->role == SASS_C || touch->write))
        return SASS_SOUND; // nvcc relies on the order of DMMAs
    if (sass_holds_back(producer)) return SASS_SOUND;
    if (!sass_is_variable(producer) && touch->write)
        return !touch->predicate && cycles < sass_write_distance(producer, later)
                   ? SASS_WRITES_TOO_SOON
                   : SASS_SOUND;
    if (!sass_is_variable(producer))
        return cycles < sass_distance(producer, later, touch) ? SASS_TOO_SOON : SASS_SOUND;
    if (sass_is_there_at_once(producer, touch)) return SASS_SOUND;
    if (!touch->write) return SASS_IN_FLIGHT;
    const enum sass_unit unit = sass_unit(producer->form);
    const bool in_order = unit != SASS_UNIT_NONE && unit == sass_unit(later->form);
    return in_order ? SASS_SOUND : SASS_OVERWRITES_RESULT;
}

enum sass_hazard sass_judge_source(const struct sass_instruction *reader,
                                   const struct sass_instruction *later,
                                   const struct sass_touch *touch) {
    const enum sass_pipe pipe = reader->form->pipe;
    const bool slow =
        sass_unit(reader->form) == SASS_UNIT_SLOW && sass_unit(later->form) == SASS_UNIT_SLOW;
    // An LDC may overtake the reads of the memory pipe, so nvcc makes it wait for them.
    const bool memory = pipe == SASS_PIPE_LSU && later->form->opcode != SASS_LDC;
    const bool fp64 = pipe == SASS_PIPE_FP64; // matters only where FP64 uses scoreboards
    const bool in_order =
        pipe == later->form->pipe && (memory || pipe == SASS_PIPE_TEX || slow || fp64);
    return !touch->write || in_order ? SASS_SOUND : SASS_OVERWRITES_SOURCE;
}
