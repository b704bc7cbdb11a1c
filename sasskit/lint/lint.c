// Checks a kernel's registers and control fields without running it. Finds hazards, by replaying
// scoreboards and stall counts along straight-line code and around each loop; waits that are too
// early; outdated and idle reuse flags; and register-bank conflicts. Prints the kernel's loops.
//
// The body of a loop is replayed twice, so that results in flight at its end are checked at its
// start. For each branch or call that may be taken, the code before it is replayed together with
// the code at its target.
//
// An unknown instruction is reported and counts as a finding. Nothing is known after it.
//
// Limits: a path with several taken branches is not followed. A path with one taken branch is
// followed for REACH instructions before and after the branch. A DEPBAR counts as a full wait. Two
// guards exclude each other only if they are @P and @!P and P keeps its value in between.
// isa/latency.c defines the hazards.
#include "lint.h"
#include "isa/banks.h"
#include "isa/codec.h"

#include "isa/arena.h"
#include "isa/chip.h"

#include "base/channel.h"
#include "base/columns.h"
#include "isa/encoding.h"
#include "isa/latency.h"
#include "isa/place.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

enum { REGISTERS = 256, NOBODY = -1, FILES = 4, PREDICATES = 8, REACH = 256, FAR = 40 };

struct register_state {
    int64_t writer; // the instruction whose result may be in flight; NOBODY if there is none
    // the instruction that may not have read the register yet; NOBODY if there is none
    int64_t reader;
    int64_t read_order; // the reader's number within its queue (sass_queue)
    int64_t issued;     // cycle in which the writer was issued
    // lint.version of the predicates that guard the writer and the reader, when those were issued
    int writer_version, reader_version;
};

struct fix {
    const char *rule, *cause, *remedy;
};

// The control fields of options->was that the instruction has lost.
enum lost { LOST_WRITE, LOST_READ, LOST_WAIT, LOST_STALL, LOST_COUNT };

// Why a lost field was not needed; of several reasons the one of the highest rank.
struct reason {
    int rank;
    int64_t other; // an instruction that the text names
    char text[3 * SASS_MAX_TEXT];
};

struct lint {
    const struct lint_options *options;
    FILE *out;
    const struct sass_kernel *kernel;
    struct sass_instruction *code;
    bool *reported, *unknown;
    int64_t clock;
    // per scoreboard and unit: issue cycle of the unit's last result that set the scoreboard
    int64_t covers[SASS_SCOREBOARDS][SASS_UNIT_COUNT];
    int64_t order[SASS_QUEUE_COUNT]; // number of instructions so far, per queue
    // per queue and scoreboard: number within the queue of the last instruction that set it
    int64_t order_of[SASS_QUEUE_COUNT][SASS_SCOREBOARDS];
    // per queue: number of the last instruction that is known to have read its sources; so have all
    // earlier instructions of the queue
    int64_t read_through[SASS_QUEUE_COUNT];
    struct register_state registers[FILES][REGISTERS]; // R, UR, P and UP
    int findings, unknown_count;
    int version[2][PREDICATES]; // number of writes so far to each P and UP
    int64_t taken; // index of the branch that this replay takes; NOBODY if there is none
    bool muted;    // true if nothing is reported: in a loop's first round, and before a branch

    // for options->was
    int64_t weak; // the instruction's index; NOBODY without options->was
    bool lost[LOST_COUNT];
    unsigned lost_wait;  // mask of scoreboards
    int64_t weak_issued; // cycle in which it was last issued; NOBODY: not on this path
    struct reason reason[LOST_COUNT];
    int64_t covered_by[SASS_SCOREBOARDS][SASS_UNIT_COUNT]; // the instruction that `covers` is about
    int64_t waited[SASS_SCOREBOARDS]; // the last instruction that waited; NOBODY
    // per register: the instruction in flight whose lost wait this was; NOBODY
    int64_t due[FILES][REGISTERS];
};

// Cycles that an LDS of each width adds to a loop's issue cycles, measured on an H200. They differ
// from the LDS's wavefronts; perhaps the ports that write registers cause them.
static const double load_128_cycles = 1.0, load_64_cycles = 0.35, load_32_cycles = 0.1;

static struct register_state *state_of(struct lint *lint, const struct sass_touch *touch, int i) {
    return &lint->registers[touch->uniform + 2 * touch->predicate][touch->first + i];
}

static void forget(struct lint *lint) {
    memset(lint->registers, NOBODY, sizeof lint->registers);
    memset(lint->waited, NOBODY, sizeof lint->waited);
    memset(lint->due, NOBODY, sizeof lint->due);
    lint->weak_issued = NOBODY;
}

enum { LINE_TEXT = 512 };

// Writes " (kernel.cu:41)" to text if the line is known, and returns text.
static const char *name_line(const struct sass_line *line, char text[LINE_TEXT]) {
    if (line) snprintf(text, LINE_TEXT, " (%s:%u)", line->own_file, line->own_line);
    return text;
}

static void print_at(const struct lint *lint, int64_t at, const char *what) {
    char text[SASS_MAX_TEXT];
    const struct sass_line *line = cubin_line(lint->kernel, (uint32_t)(at * SASS_BYTES));
    sass_print(&lint->code[at], NULL, text, sizeof text);
    columns_report(lint->out, "%s+0x%llx: %s  // %s%s", lint->kernel->name,
                   (unsigned long long)at * SASS_BYTES, text, what,
                   name_line(line, (char[LINE_TEXT]){""}));
}

static void to_json(const struct lint *lint, int64_t at, int64_t earlier, const char *kind,
                    enum severity severity, const char *what, const struct fix *fix) {
    if (!lint->out || !channel_json()) return;
    struct finding f = {.id = finding_new_id(),
                        .kind = kind,
                        .severity = severity,
                        .kernel = lint->kernel->name,
                        .warp = NOBODY_KNOWN,
                        .argument = NOBODY_KNOWN,
                        .repeats = 1,
                        .place = place_of(lint->kernel, (uint32_t)at),
                        .rule = fix ? fix->rule : NULL};
    if (earlier >= 0) f.other = place_of(lint->kernel, (uint32_t)earlier);
    snprintf(f.message, sizeof f.message, "%s", what);
    if (fix) snprintf(f.cause, sizeof f.cause, "%s", fix->cause);
    if (fix) snprintf(f.remedy, sizeof f.remedy, "%s", fix->remedy);
    finding_to_json(&f);
    channel_count(severity == SEVERITY_WARNING);
}

// Reports an instruction's first hazard as text, as JSON and to options->found, if these are
// wanted. `what` is wrong at instruction `at` because of instruction `earlier`. `fix` may be NULL.
static void report(struct lint *lint, int64_t at, int64_t earlier, const char *what,
                   const struct fix *fix) {
    char before[SASS_MAX_TEXT], message[2 * SASS_MAX_TEXT];
    if (lint->muted || lint->reported[at]) return;
    lint->reported[at] = true;
    lint->findings++;
    sass_print(&lint->code[earlier], NULL, before, sizeof before);
    snprintf(message, sizeof message, "%s `%.200s` at 0x%llx", what, before,
             (unsigned long long)earlier * SASS_BYTES);
    if (lint->options->found) lint->options->found(lint->options->context, (size_t)at, message);
    if (lint->out) print_at(lint, at, message);
    to_json(lint, at, earlier, "hazard", SEVERITY_ERROR, message, fix);
}

static const char *const letters[FILES] = {"R", "UR", "P", "UP"};

static void report_register(struct lint *lint, int64_t at, int64_t earlier,
                            const struct sass_touch *touch, int i, const char *what,
                            const struct fix *fix) {
    char message[SASS_MAX_TEXT];
    snprintf(message, sizeof message, "%s%d: %s", letters[touch->uniform + 2 * touch->predicate],
             touch->first + i, what);
    report(lint, at, earlier, message, fix);
}

// --- why lost control fields were not needed -----------------------------------------------------

// An instruction as reasons name it: "`FADD R4, R1, R3` at 0x10".
struct named {
    char text[SASS_MAX_TEXT + 32];
};
static struct named name_of(const struct lint *lint, int64_t at) {
    struct named name;
    char text[SASS_MAX_TEXT];
    sass_print(&lint->code[at], NULL, text, sizeof text);
    snprintf(name.text, sizeof name.text, "`%.200s` at 0x%llx", text,
             (unsigned long long)at * SASS_BYTES);
    return name;
}

// Keeps a reason why a lost field was not needed, unless one of this or a higher rank is known.
__attribute__((format(printf, 5, 6))) static void
explain(struct lint *lint, enum lost lost, int rank, int64_t other, const char *format, ...) {
    struct reason *reason = &lint->reason[lost];
    if (!lint->lost[lost] || lint->muted || rank <= reason->rank) return;
    va_list values;
    va_start(values, format);
    vsnprintf(reason->text, sizeof reason->text, format, values);
    va_end(values);
    reason->rank = rank;
    reason->other = other;
}

// Returns the mask of scoreboards that an instruction sets.
static unsigned sets(const struct sass_control *control) {
    return (control->write_barrier < SASS_SCOREBOARDS ? 1U << control->write_barrier : 0) |
           (control->read_barrier < SASS_SCOREBOARDS ? 1U << control->read_barrier : 0);
}

// Returns true if the register's result has arrived when the scoreboards of `mask` are released. A
// unit returns results in order, so the scoreboard of a later result covers one that sets none.
static bool is_there(const struct lint *lint, const struct register_state *state, unsigned mask) {
    const unsigned own = lint->code[state->writer].control.write_barrier;
    const enum sass_unit unit = sass_unit(lint->code[state->writer].form);
    if (own < SASS_SCOREBOARDS) return mask >> own & 1;
    for (int i = 0; i < SASS_SCOREBOARDS; i++) {
        if (mask >> i & 1 && lint->covers[i][unit] > state->issued) return true;
    }
    return false;
}

// Returns the scoreboard of `mask` whose release shows that the register's result has arrived.
// Requires: is_there().
static int releasing(const struct lint *lint, const struct register_state *state, unsigned mask) {
    const unsigned own = lint->code[state->writer].control.write_barrier;
    const enum sass_unit unit = sass_unit(lint->code[state->writer].form);
    int i = 0;
    while (own >= SASS_SCOREBOARDS && !(mask >> i & 1 && lint->covers[i][unit] > state->issued))
        i++;
    return own < SASS_SCOREBOARDS ? (int)own : i;
}

// Explains lost fields by instruction `at`, whose wait for `mask` shows that a result has arrived.
static void explain_arrival(struct lint *lint, int64_t at, int file, int i, unsigned mask) {
    const struct register_state *state = &lint->registers[file][i];
    const int scoreboard = releasing(lint, state, mask);
    const enum sass_unit unit = sass_unit(lint->code[state->writer].form);
    const bool own = lint->code[state->writer].control.write_barrier < SASS_SCOREBOARDS;
    if (lint->due[file][i] == state->writer && at != lint->weak)
        explain(lint, LOST_WAIT, 4, at, "%s waits for scoreboard %d before anything uses %s%d",
                name_of(lint, at).text, scoreboard + 1, letters[file], i);
    if (state->writer == lint->weak && own)
        explain(lint, LOST_WRITE, 3, at, "%s waits for scoreboard %d, which guards %s%d now",
                name_of(lint, at).text, scoreboard + 1, letters[file], i);
    else if (state->writer == lint->weak)
        explain(lint, LOST_WRITE, 3, lint->covered_by[scoreboard][unit],
                "scoreboard %d of %s covers %s%d, too (a unit returns its results in order), and "
                "%s waits for it",
                scoreboard + 1, name_of(lint, lint->covered_by[scoreboard][unit]).text,
                letters[file], i, name_of(lint, at).text);
}

// Explains lost fields by instruction `at`, whose wait for `mask` shows that a register was read.
static void explain_read(struct lint *lint, int64_t at, int file, int i, unsigned mask) {
    const int64_t reader = lint->registers[file][i].reader;
    const unsigned result = lint->code[reader].control.write_barrier;
    const bool whole = result < SASS_SCOREBOARDS && mask >> result & 1;
    if (reader != lint->weak && (lint->due[file][i] != reader || at == lint->weak)) return;
    explain(lint, reader == lint->weak ? LOST_READ : LOST_WAIT, 3, at,
            "%s waits for scoreboard %d before anything writes %s%d%s", name_of(lint, at).text,
            whole ? (int)result + 1 : lint->code[reader].control.read_barrier + 1, letters[file], i,
            whole ? " (when a result is there, its sources have been read)" : "");
}

// The note on a lost field for which lint found no reason, because it does not follow every path.
static const char *const unexplained[LOST_COUNT] = {
    [LOST_WRITE] = "needed where an instruction reads the result before another wait covers it",
    [LOST_READ] = "needed where an instruction writes a source register before it has been read",
    [LOST_WAIT] = "needed where what the scoreboard guards is still in flight",
    [LOST_STALL] = "needed where an instruction reads a result so soon",
};

// Notes what the lost waits of instruction `at` were for: what their scoreboards guard in flight.
static void note_due(struct lint *lint, int64_t at) {
    const unsigned lost = lint->lost_wait;
    bool any = false;
    for (int file = 0; file < FILES; file++) {
        for (int i = 0; i < REGISTERS; i++) {
            const struct register_state *state = &lint->registers[file][i];
            const bool result = state->writer >= 0 && is_there(lint, state, lost),
                       source =
                           state->reader >= 0 && sets(&lint->code[state->reader].control) & lost;
            lint->due[file][i] = result ? state->writer : source ? state->reader : NOBODY;
            if (!result && !source) continue;
            any = true;
            explain(lint, LOST_WAIT, 2, NOBODY, "%s", unexplained[LOST_WAIT]);
        }
    }
    for (int i = 0; !any && i < SASS_SCOREBOARDS; i++) {
        if (!(lost >> i & 1)) continue;
        if (lint->waited[i] != NOBODY)
            explain(lint, LOST_WAIT, 1, lint->waited[i], "%s has waited for scoreboard %d already",
                    name_of(lint, lint->waited[i]).text, i + 1);
    }
}

// Explains a lower stall count: instruction `at` reads a result of fixed latency late enough.
static void explain_distance(struct lint *lint, int64_t at, const struct register_state *state,
                             const struct sass_touch *touch, int i) {
    const struct sass_instruction *from = &lint->code[state->writer];
    const int64_t cycles = lint->clock - state->issued;
    if (lint->weak_issued < state->issued || lint->weak_issued >= lint->clock || touch->write ||
        sass_is_variable(from))
        return;
    const int needed = sass_distance(from, &lint->code[at], touch);
    if (!needed || cycles - needed > FAR) return;
    explain(lint, LOST_STALL, INT_MAX - (int)(cycles - needed), state->writer,
            "%s reads %s%d %lld cycles after %s, and %d are enough", name_of(lint, at).text,
            letters[touch->uniform + 2 * touch->predicate], touch->first + i, (long long)cycles,
            name_of(lint, state->writer).text, needed);
}

// Finds which fields of options->was the instruction has lost.
static void find_lost(struct lint *lint) {
    const struct sass_control *was = lint->options->was;
    if (!was || lint->options->was_at >= lint->kernel->count) return;
    lint->weak = (int64_t)lint->options->was_at;
    struct sass_instruction *in = &lint->code[lint->weak], before = *in;
    before.control = *was;
    lint->lost_wait = was->wait & ~(unsigned)in->control.wait;
    lint->lost[LOST_WAIT] = lint->lost_wait != 0;
    lint->lost[LOST_WRITE] =
        was->write_barrier < SASS_SCOREBOARDS && was->write_barrier != in->control.write_barrier;
    lint->lost[LOST_READ] =
        was->read_barrier < SASS_SCOREBOARDS && was->read_barrier != in->control.read_barrier;
    lint->lost[LOST_STALL] = sass_cycles(in) < sass_cycles(&before);
    for (int i = 0; i < LOST_COUNT; i++) {
        lint->reason[i].other = NOBODY;
        snprintf(lint->reason[i].text, sizeof lint->reason[i].text, "%s", unexplained[i]);
    }
}

static void print_reasons(const struct lint *lint) {
    for (int i = 0; lint->out && i < LOST_COUNT; i++) {
        const struct reason *reason = &lint->reason[i];
        if (!lint->lost[i]) continue;
        print_at(lint, lint->weak, reason->text);
        to_json(lint, lint->weak, reason->other, "enough", SEVERITY_NOTE, reason->text, NULL);
    }
}

// Applies a wait of instruction `at` for the scoreboards of `mask`: registers that they protect are
// free.
static void wait_for(struct lint *lint, int64_t at, unsigned mask) {
    for (int queue = 0; queue < SASS_QUEUE_COUNT; queue++) {
        int64_t *through = &lint->read_through[queue];
        for (int i = 0; i < SASS_SCOREBOARDS; i++)
            if (mask >> i & 1 && lint->order_of[queue][i] > *through)
                *through = lint->order_of[queue][i];
    }
    for (int file = 0; mask && file < FILES; file++) {
        for (int i = 0; i < REGISTERS; i++) {
            struct register_state *state = &lint->registers[file][i];
            if (state->writer >= 0 && is_there(lint, state, mask)) {
                explain_arrival(lint, at, file, i, mask);
                state->writer = NOBODY;
            }
            // a result that has arrived implies that the sources have been read
            if (state->reader >= 0 && sets(&lint->code[state->reader].control) & mask) {
                explain_read(lint, at, file, i, mask);
                state->reader = NOBODY;
            }
        }
    }
    for (int i = 0; i < SASS_SCOREBOARDS; i++)
        if (mask >> i & 1) lint->waited[i] = at;
}

// Applies WARPGROUP.DEPBAR, which counts as a wait for all of the warpgroup's MMAs.
static void wait_for_mmas(struct lint *lint) {
    for (int i = 0; i < REGISTERS; i++) {
        struct register_state *state = &lint->registers[0][i];
        if (state->writer >= 0 && sass_runs_on(lint->code[state->writer].form))
            state->writer = NOBODY;
        if (state->reader >= 0 && sass_runs_on(lint->code[state->reader].form))
            state->reader = NOBODY;
    }
}

// Gives an instruction the next number in its queue.
static void note_order(struct lint *lint, int64_t at) {
    const unsigned scoreboards = sets(&lint->code[at].control);
    const enum sass_queue queue = sass_queue(lint->code[at].form);
    if (queue == SASS_QUEUE_NONE) return;
    lint->order[queue]++;
    for (int i = 0; i < SASS_SCOREBOARDS; i++) {
        if (scoreboards >> i & 1) lint->order_of[queue][i] = lint->order[queue];
    }
}

static bool is_never(const struct sass_instruction *in) {
    return in->guard == SASS_PT && in->guard_negate;
}

static int version_of(const struct lint *lint, const struct sass_instruction *in) {
    return lint->version[in->guard_uniform][in->guard];
}

// Returns true if at most one of instructions `in` and `earlier` is executed: one predicate guards
// both, negated for one of them, and has not changed in between.
static bool exclusive(const struct lint *lint, const struct sass_instruction *in, int64_t earlier,
                      int version) {
    const struct sass_instruction *from = &lint->code[earlier];
    return from->guard == in->guard && from->guard_uniform == in->guard_uniform &&
           from->guard_negate != in->guard_negate && version == version_of(lint, in);
}

static const char *const texts[] = {
    [SASS_TOO_SOON] = "read too soon (stall counts)",
    [SASS_WRITES_TOO_SOON] = "written too soon (stall counts)",
    [SASS_IN_FLIGHT] = "its value may still be in flight, no wait for",
    [SASS_OVERWRITES_RESULT] = "written while a value may still be in flight to it, no wait for",
    [SASS_OVERWRITES_SOURCE] = "may be overwritten before it is read by",
};

static const struct fix fixes[] = {
    [SASS_TOO_SOON] = {"short-stall", "the result is not there yet when the instruction reads it",
                       NULL},
    [SASS_WRITES_TOO_SOON] = {"short-stall", "the earlier result arrives after this one", NULL},
    [SASS_IN_FLIGHT] = {"scoreboard-not-waited", NULL, NULL},
    [SASS_OVERWRITES_RESULT] = {"scoreboard-not-waited", NULL, NULL},
    [SASS_OVERWRITES_SOURCE] = {"scoreboard-not-waited", NULL, NULL},
};

// Returns the scoreboard of a later instruction that covers the register's result, or its read if
// `reads`; SASS_SCOREBOARDS if there is none.
static unsigned covering(const struct lint *lint, const struct register_state *state, bool reads) {
    const struct sass_form *form = lint->code[reads ? state->reader : state->writer].form;
    const enum sass_queue queue = sass_queue(form);
    const enum sass_unit unit = sass_unit(form);
    for (unsigned i = 0; i < SASS_SCOREBOARDS; i++)
        if (reads ? queue != SASS_QUEUE_NONE && lint->order_of[queue][i] > state->read_order
                  : unit != SASS_UNIT_NONE && lint->covers[i][unit] > state->issued)
            return i;
    return SASS_SCOREBOARDS;
}

// Reports a hazard of a register that only its producer's distance causes.
static void report_distance(struct lint *lint, int64_t at, const struct register_state *state,
                            const struct sass_touch *touch, int i, enum sass_hazard hazard) {
    const struct sass_instruction *from = &lint->code[state->writer], *in = &lint->code[at];
    const int cycles = (int)(lint->clock - state->issued),
              needed = hazard == SASS_TOO_SOON ? sass_distance(from, in, touch)
                                               : sass_write_distance(from, in);
    char what[80], remedy[100];
    struct fix fix = fixes[hazard];
    snprintf(what, sizeof what, "%s: %d cycle%s, of %d needed, after", texts[hazard], cycles,
             cycles == 1 ? "" : "s", needed);
    snprintf(remedy, sizeof remedy, "add %d to the stall counts from the earlier instruction on%s",
             needed - cycles, hazard == SASS_TOO_SOON ? ", or put others in between" : "");
    fix.remedy = remedy;
    report_register(lint, at, state->writer, touch, i, what, &fix);
}

// Reports a hazard of a register. Where a scoreboard is needed, it may be set already: a result
// that has arrived implies that the sources were read, so a write scoreboard guards them, too.
static void report_hazard(struct lint *lint, int64_t at, const struct register_state *state,
                          const struct sass_touch *touch, int i, enum sass_hazard hazard) {
    if (hazard == SASS_TOO_SOON || hazard == SASS_WRITES_TOO_SOON) {
        report_distance(lint, at, state, touch, i, hazard);
        return;
    }
    const bool reads = hazard == SASS_OVERWRITES_SOURCE;
    const int64_t earlier = reads ? state->reader : state->writer;
    const struct sass_control *by = &lint->code[earlier].control;
    unsigned set = reads ? by->read_barrier : by->write_barrier;
    char cause[120], remedy[160];
    struct fix fix = fixes[hazard];
    if (reads && set >= SASS_SCOREBOARDS) set = by->write_barrier;
    const bool own = set < SASS_SCOREBOARDS;
    if (!own) set = covering(lint, state, reads);
    const char *kind = reads ? "read" : "write";
    const unsigned long long here = (unsigned long long)at * SASS_BYTES,
                             there = (unsigned long long)earlier * SASS_BYTES;
    if (set < SASS_SCOREBOARDS) {
        snprintf(cause, sizeof cause, "nothing waits for scoreboard %u, which %s sets", set + 1,
                 own ? "the earlier instruction" : "a later one of its unit");
        snprintf(remedy, sizeof remedy,
                 "wait for scoreboard %u in the control column of instruction 0x%llx", set + 1,
                 here);
    } else {
        snprintf(cause, sizeof cause, "the earlier instruction sets no %s scoreboard", kind);
        snprintf(remedy, sizeof remedy,
                 "give instruction 0x%llx a %s scoreboard, and wait for that in the control column "
                 "of instruction 0x%llx",
                 there, kind, here);
    }
    fix.cause = cause;
    fix.remedy = remedy;
    report_register(lint, at, earlier, touch, i, texts[hazard], &fix);
}

// Returns true if the register's reader has surely read it, because the reader or a later
// instruction of its queue is known to have read its sources.
static bool was_read(const struct lint *lint, const struct register_state *state) {
    if (state->reader == NOBODY) return false;
    const enum sass_queue queue = sass_queue(lint->code[state->reader].form);
    return queue != SASS_QUEUE_NONE && state->read_order <= lint->read_through[queue];
}

// Reports a read of a result of fixed latency, `cycles` cycles after its writer, if the least
// distance of the two is only a guess and `cycles` is less.
static void check_guess(struct lint *lint, int64_t at, int64_t writer,
                        const struct sass_touch *touch, int i, int64_t cycles) {
    const struct sass_instruction *from = &lint->code[writer];
    char what[80];
    if (touch->write || sass_is_variable(from) || sass_holds_back(from)) return;
    const int enough = sass_guessed_distance(from, &lint->code[at], touch);
    if (cycles >= enough) return;
    snprintf(what, sizeof what,
             "no distance is known, %d cycles are surely enough: read sooner after", enough);
    struct fix fix = fixes[SASS_TOO_SOON];
    fix.remedy = "add to the stall counts from the earlier instruction on";
    report_register(lint, at, writer, touch, i, what, &fix);
}

static void check(struct lint *lint, int64_t at, const struct sass_touch *touch, int i) {
    const struct sass_instruction *in = &lint->code[at];
    struct register_state *state = state_of(lint, touch, i);
    if (state->writer != NOBODY && !exclusive(lint, in, state->writer, state->writer_version)) {
        const enum sass_hazard hazard =
            sass_judge_result(&lint->code[state->writer], in, touch, lint->clock - state->issued);
        if (hazard != SASS_SOUND) report_hazard(lint, at, state, touch, i, hazard);
        if (hazard == SASS_SOUND) explain_distance(lint, at, state, touch, i);
        if (hazard == SASS_SOUND && lint->options->guesses)
            check_guess(lint, at, state->writer, touch, i, lint->clock - state->issued);
        if (hazard == SASS_IN_FLIGHT || hazard == SASS_OVERWRITES_RESULT) state->writer = NOBODY;
    }
    if (was_read(lint, state)) {
        if (touch->write && state->reader == lint->weak)
            explain(lint, LOST_READ, 2, at,
                    "%s writes R%d when a later instruction of its kind has read its sources, and "
                    "they read in order",
                    name_of(lint, at).text, touch->first + i);
        state->reader = NOBODY;
    }
    if (state->reader != NOBODY && !exclusive(lint, in, state->reader, state->reader_version)) {
        const enum sass_hazard hazard = sass_judge_source(&lint->code[state->reader], in, touch);
        if (hazard == SASS_SOUND) return;
        report_hazard(lint, at, state, touch, i, hazard);
        state->reader = NOBODY;
    }
}

static void enter(struct lint *lint, int64_t at, const struct sass_touch *touch, int i) {
    const struct sass_instruction *in = &lint->code[at];
    struct register_state *state = state_of(lint, touch, i);
    if (touch->write) {
        state->writer = at;
        state->writer_version = version_of(lint, in);
        state->issued = lint->clock;
        state->reader = NOBODY;
    } else if (sass_is_held(in, touch)) {
        state->reader = at;
        state->reader_version = version_of(lint, in);
        state->read_order = lint->order[sass_queue(in->form)] + 1;
    }
}

// Returns true if nothing is known after the instruction: it is unknown, a call, or always leaves.
static bool ends_line(const struct lint *lint, int64_t at) {
    const struct sass_instruction *in = &lint->code[at];
    if (lint->unknown[at]) return true;
    const bool always = in->guard == SASS_PT && !in->guard_negate;
    switch (in->form->opcode) {
    case SASS_BRA:
        return always && in->operand[SASS_PP].number == SASS_PT;
    case SASS_BRX:
    case SASS_EXIT:
    case SASS_RET:
        return always;
    case SASS_CALL: // replay_branch() follows the call, but not the way back
        return true;
    default:
        return false;
    }
}

// Reports a wait for a scoreboard that the instruction just before sets, if that one's stall count
// is below 2: such a wait passes too early.
static void check_wait(struct lint *lint, int64_t at) {
    const struct sass_instruction *before = at > 0 ? &lint->code[at - 1] : NULL;
    if (!before || before->control.stall >= SASS_SET_CYCLES || is_never(before)) return;
    // the hardware delays the instruction after a USETMAXREG
    if (before->form->opcode == SASS_USETMAXREG) return;
    if (lint->code[at].control.wait & sets(&before->control))
        report(lint, at, at - 1, "its wait passes too early: expected a stall of 2 or more after",
               NULL);
}

static void check_reuse(struct lint *lint, int64_t at) {
    for (int role = SASS_A; role <= SASS_C; role++) {
        if (sass_is_stale(&lint->code[at], sizeof *lint->code, (size_t)at, role))
            report(lint, at, at - 1,
                   "an operand in the reuse cache is outdated, since its register was written "
                   "again; after",
                   NULL);
    }
}

static void step(struct lint *lint, int64_t at) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const struct sass_instruction *in = &lint->code[at];
    const int count = sass_touches(in, touches);
    check_wait(lint, at);
    check_reuse(lint, at);
    wait_for(lint, at, in->control.wait);
    wait_for(lint, at, sass_depbar_waits(in));
    if (at == lint->weak) {
        note_due(lint, at);
        lint->weak_issued = lint->clock;
    }
    if (in->form->opcode == SASS_WARPGROUP_DEPBAR) wait_for_mmas(lint);
    if (sass_barrier_reads(in))
        lint->read_through[SASS_QUEUE_MEMORY] = lint->order[SASS_QUEUE_MEMORY];
    const bool never = is_never(in);
    // passes 0 and 1 check what the instruction reads and writes, 2 and 3 record it
    for (int pass = 0; !never && pass < 4; pass++) {
        for (int t = 0; t < count; t++) {
            for (int i = 0; touches[t].write == (pass & 1) && i < touches[t].count; i++)
                (pass < 2 ? check : enter)(lint, at, &touches[t], i);
        }
    }
    for (int t = 0; !never && t < count; t++) {
        if (touches[t].predicate && touches[t].write)
            lint->version[touches[t].uniform][touches[t].first]++;
    }
    const enum sass_unit unit = sass_unit(in->form);
    if (in->control.write_barrier < SASS_SCOREBOARDS && unit != SASS_UNIT_NONE) {
        lint->covers[in->control.write_barrier][unit] = lint->clock;
        lint->covered_by[in->control.write_barrier][unit] = at;
    }
    note_order(lint, at);
    lint->clock += sass_cycles(in);
    if (at != lint->taken && ends_line(lint, at)) forget(lint);
}

static void replay_loop(struct lint *lint, int64_t first, int64_t last) {
    forget(lint);
    lint->taken = last;
    for (int round = 0; round < 2; round++) {
        lint->muted = round == 0;
        for (int64_t i = first; i <= last; i++) step(lint, i);
    }
    lint->muted = false;
    lint->taken = NOBODY;
}

// Returns the target of a branch or call; NOBODY if it has none in the kernel.
static int64_t target_of(const struct lint *lint, int64_t at) {
    const struct sass_instruction *in = &lint->code[at];
    const struct sass_operand *target = &in->operand[SASS_T];
    const bool direct = in->form->opcode == SASS_CALL && in->operand[SASS_A].kind == SASS_NONE;
    if ((in->form->opcode != SASS_BRA && !direct) || target->kind != SASS_TARGET) return NOBODY;
    return (uint64_t)target->value / SASS_BYTES < lint->kernel->count ? target->value / SASS_BYTES
                                                                      : NOBODY;
}

// Reports a kernel that runs on, past its last instruction, into the jump to itself that follows.
static void check_end(struct lint *lint) {
    int64_t jump = (int64_t)lint->kernel->count - 1;
    char remedy[80];
    const struct fix fix = {"missing-exit", "no EXIT ends the kernel", remedy};
    char message[SASS_MAX_TEXT];
    while (jump > 0 && lint->code[jump].form->opcode == SASS_NOP) jump--;
    if (jump <= 0 || target_of(lint, jump) != jump || ends_line(lint, jump - 1)) return;
    if (lint->code[jump - 1].form->opcode == SASS_BPT) return; // a trap
    lint->findings++;
    snprintf(remedy, sizeof remedy, "end the kernel with EXIT, after instruction 0x%llx",
             (unsigned long long)(jump - 1) * SASS_BYTES);
    snprintf(message, sizeof message,
             "no EXIT follows: it runs on into the jump to itself at 0x%llx",
             (unsigned long long)jump * SASS_BYTES);
    if (lint->options->found)
        lint->options->found(lint->options->context, (size_t)jump - 1, message);
    if (lint->out) print_at(lint, jump - 1, message);
    to_json(lint, jump - 1, jump, "endless", SEVERITY_ERROR, message, &fix);
}

// Replays the path that takes a branch or call: the straight-line code before it, then the code at
// its target.
static void replay_branch(struct lint *lint, int64_t branch) {
    const int64_t count = (int64_t)lint->kernel->count;
    int64_t first = branch, to = target_of(lint, branch);
    if (to == NOBODY || is_never(&lint->code[branch])) return;
    while (first > 0 && branch - first < REACH && !ends_line(lint, first - 1)) first--;
    forget(lint);
    lint->muted = true;
    for (int64_t i = first; i < branch; i++) step(lint, i);
    lint->taken = branch;
    step(lint, branch);
    lint->taken = NOBODY;
    lint->muted = false;
    for (int64_t left = REACH; left > 0 && to < count; left--, to++) {
        step(lint, to);
        if (ends_line(lint, to)) break;
    }
}

// --- loops ---------------------------------------------------------------------------------------

static void note(const struct lint *lint, int64_t at, const char *what) {
    if (lint->options->all) print_at(lint, at, what);
}

// Returns the number of the instruction's idle reuse flags: no instruction up to `last` finds the
// register in the reuse cache.
static int idle_flags(const struct lint *lint, int64_t at, int64_t last) {
    const struct sass_instruction *in = &lint->code[at];
    int idle = 0;
    for (int role = SASS_A; role <= SASS_C; role++) {
        char what[80];
        const struct sass_operand *operand = &in->operand[role];
        if (operand->kind != SASS_REGISTER || !operand->reuse) continue;
        if (sass_next_reader(lint->code, (int)at, (int)last + 1, role) <= last) continue;
        snprintf(what, sizeof what, "idle .reuse: %s R%d as operand %c",
                 in->control.yield ? "nobody finds" : "Y gives up", operand->number,
                 'A' + role - SASS_A);
        note(lint, at, what);
        idle++;
    }
    return idle;
}

// Cycles per FFMA without bank conflicts, measured by step 00. An instruction's expected cycles are
// this rate times the mean of sass_bank_cycles() and sass_queue_cycles(). The mean is a fit and not
// a mechanism: the times of nine loops of steps 09 and 12 lie between the two counts, within 3 % of
// the mean.
static const double FULL_RATE = 1.01;

static double extra_cycles(const struct sass_instruction *in) {
    if (in->form->opcode != SASS_LDS) return 0;
    return in->modifiers.size == 6   ? load_128_cycles
           : in->modifiers.size == 5 ? load_64_cycles
                                     : load_32_cycles;
}

static struct sass_reads reads_of(const struct sass_instruction *in, int banks,
                                  struct sass_reuse_cache *h200,
                                  struct sass_maxwell_cache *maxwell) {
    return banks == 4 ? sass_maxwell_reads(in, maxwell) : sass_h200_reads(in, h200);
}

// Prints the operand reads of the loop's FFMAs in one iteration, which starts with an empty reuse
// cache.
static void print_reads(struct lint *lint, int64_t first, int64_t last) {
    const int banks = lint->options->banks, kept = lint->options->keep ? lint->options->keep : 2;
    struct sass_reuse_cache h200 = {0};
    struct sass_maxwell_cache maxwell = {.keep = kept};
    int64_t fused = 0, reads = 0, hits = 0, lost = 0;
    for (int64_t i = first; i <= last; i++) {
        const struct sass_reads one = reads_of(&lint->code[i], banks, &h200, &maxwell);
        if (lint->code[i].form->opcode != SASS_FFMA) continue;
        fused++;
        reads += one.reads;
        hits += one.hits;
        lost += one.cycles - 1;
    }
    if (!reads) return;
    const unsigned long long from = (unsigned long long)first * SASS_BYTES,
                             to = (unsigned long long)last * SASS_BYTES;
    char places[40] = "an even and an odd register per slot";
    if (banks == 4)
        snprintf(places, sizeof places, "%d register%s per slot", kept, kept == 1 ? "" : "s");
    columns_report(lint->out,
                   "%s: loop 0x%llx to 0x%llx, %d banks, %s:\n%lld FFMA, %lld operand reads, "
                   "%lld of them reused (%.1f %%), %lld bank-conflict cycles",
                   lint->kernel->name, from, to, banks, places, (long long)fused, (long long)reads,
                   (long long)hits, 100.0 * (double)hits / (double)reads, (long long)lost);
}

static void loop_to_json(const struct lint *lint, int64_t first, int64_t last, int64_t single,
                         int64_t wide, int64_t conflicts) {
    if (!channel_json()) return;
    const struct code_place place = place_of(lint->kernel, (uint32_t)first);
    struct json j = channel_line("loop");
    json_text(&j, "kernel", lint->kernel->name);
    json_integer(&j, "first", first * SASS_BYTES);
    json_integer(&j, "last", last * SASS_BYTES);
    place_to_json(&j, "place", &place);
    json_integer(&j, "instructions", last - first + 1);
    json_integer(&j, "ffma", single);
    json_integer(&j, "dfma", wide);
    json_integer(&j, "bank_conflicts", conflicts);
    json_integer(&j, "registers", lint->kernel->registers);
    json_end(&j);
}

// With --all, prints the bank conflicts outside loops.
static void check_straight(struct lint *lint, const bool *in_loop) {
    struct sass_reuse_cache cache = {0};
    int64_t conflicts = 0, places = 0;
    for (size_t i = 0; i < lint->kernel->count; i++) {
        const struct sass_instruction *in = &lint->code[i];
        const int pipe = sass_pipe_cycles(in), reads = sass_bank_cycles(in, &cache);
        char what[40];
        if (in_loop[i] || lint->unknown[i] || reads <= pipe) continue;
        conflicts += reads - pipe;
        places++;
        snprintf(what, sizeof what, "bank conflict: %d cycles", reads);
        note(lint, (int64_t)i, what);
        if (lint->options->all)
            to_json(lint, (int64_t)i, -1, "bank-conflict", SEVERITY_NOTE, what, NULL);
    }
    if (places && lint->options->all)
        columns_report(lint->out,
                       "%s: outside loops: %lld bank-conflict cycles at %lld instructions",
                       lint->kernel->name, (long long)conflicts, (long long)places);
}

// Prints the counts of the loop from `first` to its back edge at `last`.
static void print_loop(struct lint *lint, int64_t first, int64_t last) {
    struct sass_reuse_cache cache = {0};
    struct sass_bank_queue queue = {0};
    // `single` counts FFMAs (an FFMA2 as two), `wide` counts DFMAs
    int64_t single = 0, wide = 0, cycles = 0, conflicts = 0, queued = 0;
    double expected = 0;
    int idle = 0;
    for (int64_t i = first; i <= last; i++) {
        const struct sass_instruction *in = &lint->code[i];
        const int own = sass_pipe_cycles(in), lanes = lint->kernel->chip->fma_cycles,
                  pipe = in->form->pipe == SASS_PIPE_FMA && lanes > own ? lanes : own,
                  reads = sass_bank_cycles(in, &cache), needed = reads > pipe ? reads : pipe,
                  queued_reads = sass_queue_cycles(in, &queue),
                  behind = queued_reads > pipe ? queued_reads : pipe;
        single += in->form->opcode == SASS_FFMA2 ? 2 : in->form->opcode == SASS_FFMA;
        wide += in->form->opcode == SASS_DFMA;
        cycles += needed;
        conflicts += needed - pipe;
        queued += behind;
        expected += extra_cycles(in) + FULL_RATE * (behind + needed) / 2;
        idle += idle_flags(lint, i, last);
        char what[40];
        snprintf(what, sizeof what, "bank conflict: %d cycles", needed);
        if (needed > pipe) note(lint, i, what);
    }
    loop_to_json(lint, first, last, single, wide, conflicts);
    const int64_t count = last - first + 1, fused = single ? single : wide;
    const char *name = fused > single ? "DFMA" : "FFMA";
    const struct sass_line *line = cubin_line(lint->kernel, (uint32_t)(first * SASS_BYTES));
    char issue[120] = "", loads[48] = "";
    if (fused)
        snprintf(issue, sizeof issue,
                 "%.3f issue cycles per %s, %.3f where a bank may be one read behind, ",
                 (double)cycles / (double)fused, name, (double)queued / (double)fused);
    if (fused)
        snprintf(loads, sizeof loads, "%.3f expected with loads, ", expected / (double)fused);
    columns_report(lint->out,
                   "%s: loop 0x%llx to 0x%llx%s:\n%lld bytes, %lld instructions, %lld %s, %lld "
                   "bank-conflict cycles,%s%s%s%d idle reuse flags",
                   lint->kernel->name, (unsigned long long)first * SASS_BYTES,
                   (unsigned long long)last * SASS_BYTES, name_line(line, (char[LINE_TEXT]){""}),
                   (long long)count * SASS_BYTES, (long long)count, (long long)fused, name,
                   (long long)conflicts, fused ? "\n" : " ", issue, loads, idle);
}

// Returns a NOP in place of an unknown instruction, with that instruction's control field if it is
// valid.
static struct sass_instruction stand_in(struct sass_word word) {
    const uint64_t control = (word.high & ~(UINT64_C(63) << 58)) >> 41 << 41,
                   plain = UINT64_C(0x7e1) << 41;
    struct sass_instruction nop = {0};
    struct error error = {0};
    if (!sass_decode((struct sass_word){0x7918, control, SASS_HOPPER}, 0, &nop, &error))
        sass_decode((struct sass_word){0x7918, plain, SASS_HOPPER}, 0, &nop, &error);
    return nop;
}

static void decode_all(struct lint *lint, struct error *error) {
    for (size_t i = 0; i < lint->kernel->count; i++) {
        const struct sass_word word = cubin_word(lint->kernel, i);
        struct error why = {0};
        if (sass_decode(word, i * SASS_BYTES, &lint->code[i], &why)) continue;
        lint->code[i] = stand_in(word);
        lint->unknown[i] = true;
        if (!lint->unknown_count++) *error = why;
        if (lint->out)
            columns_report(lint->out, "%s+0x%zx: %s: not checked", lint->kernel->name,
                           i * SASS_BYTES, why.message);
    }
}

static void check_loops(struct lint *lint, bool *in_loop) {
    for (size_t i = 0; i < lint->kernel->count; i++) {
        const int64_t target = target_of(lint, (int64_t)i);
        if (lint->code[i].form->opcode != SASS_BRA || (uint64_t)target >= i) continue;
        if (!sass_closes_loop(lint->code, lint->kernel->count, i)) continue;
        replay_loop(lint, target, (int64_t)i);
        memset(&in_loop[target], true, i - (size_t)target + 1);
        if (!lint->out || !lint->kernel->chip->knows_banks) continue;
        if (lint->options->banks)
            print_reads(lint, target, (int64_t)i);
        else
            print_loop(lint, target, (int64_t)i);
    }
}

int lint_kernel(const struct lint_options *options, const struct sass_kernel *kernel,
                struct error *error) {
    struct arena memory = {0};
    struct lint *lint;
    ARENA_NEW(&memory, lint, 1);
    lint->options = options;
    lint->out = options->out;
    lint->kernel = kernel;
    lint->taken = lint->weak = NOBODY;
    ARENA_NEW(&memory, lint->code, kernel->count + 1);
    ARENA_NEW(&memory, lint->reported, kernel->count + 1);
    ARENA_NEW(&memory, lint->unknown, kernel->count + 1);
    forget(lint);
    decode_all(lint, error);
    find_lost(lint);
    check_end(lint);
    for (size_t i = 0; i < kernel->count; i++) step(lint, (int64_t)i);
    for (size_t i = 0; i < kernel->count; i++) replay_branch(lint, (int64_t)i);
    bool *in_loop;
    ARENA_NEW(&memory, in_loop, kernel->count + 1);
    check_loops(lint, in_loop);
    if (kernel->chip->knows_banks && lint->out && !options->banks) check_straight(lint, in_loop);
    const int findings = lint->findings + lint->unknown_count;
    if (!findings) print_reasons(lint);
    if (lint->out) {
        char unknown[120] = "", banks[120] = "";
        if (lint->unknown_count)
            snprintf(unknown, sizeof unknown,
                     ", %d instructions are not known: the code around them is not checked",
                     lint->unknown_count);
        if (!kernel->chip->knows_banks)
            snprintf(
                banks, sizeof banks,
                "; the register banks of %s are not known: the cost of a loop's reads is left out",
                kernel->chip->name);
        columns_report(lint->out, "%s: %d hazards%s%s", kernel->name, lint->findings, unknown,
                       banks);
    }
    arena_clear(&memory);
    return findings;
}
