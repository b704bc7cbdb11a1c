// simrun --step: the commands by which a user steps through the warps of a block.
#include "stepper.h"
#include "sim/counts/banks.h"
#include "sim/machine/room.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_BYTES = 8192, MOST_STEPS = 5000000, BANK_ROWS = 8, SHARED_ROW = 4 * LANES };

// Consecutive instructions of one warp.
struct warp_run {
    uint32_t warp;
    uint64_t count;
};

struct stepper {
    stepper_open *open;
    void *context;
    struct stepping *stepping;
    const struct block *block;
    uint64_t linear;      // index of the block
    uint32_t warp;        // index of the observed warp
    struct warp_run *log; // [runs] the instructions executed since the block's start, in order
    size_t runs, capacity;
    struct { // the state before the latest command
        uint32_t row[ROWS][LANES], predicate[PREDICATES];
        uint8_t *shared;
        uint32_t place[MAX_WARPS];
        uint64_t executed[MAX_WARPS];
    } before;
    uint32_t last; // index of the latest instruction of the observed warp
    bool moved;    // true if `last` is set
    int reported;  // number of findings reported so far
    char form;     // how registers are displayed: x (hex), f (float) or i (int)
};

static const struct warp *observed_warp(const struct stepper *s) {
    return &s->block->warp[s->warp];
}
static const struct launch_state *launch_of(const struct stepper *s) {
    return s->block->launch;
}

// --- running -------------------------------------------------------------------------------------

static void remember(struct stepper *s) {
    const struct warp *w = observed_warp(s);
    memcpy(s->before.row, w->row, sizeof s->before.row);
    memcpy(s->before.predicate, w->predicate, sizeof s->before.predicate);
    memcpy(s->before.shared, s->block->shared, launch_of(s)->shared_bytes);
    for (uint32_t i = 0; i < launch_of(s)->warps; i++) {
        s->before.place[i] = stepping_place(&s->block->warp[i]);
        s->before.executed[i] = s->block->warp[i].executed;
    }
}

static void note(struct stepper *s, uint32_t warp) {
    if (s->runs && s->log[s->runs - 1].warp == warp) {
        s->log[s->runs - 1].count++;
        return;
    }
    MAKE_ROOM(s->log, s->runs, s->capacity);
    s->log[s->runs++] = (struct warp_run){warp, 1};
}

static bool advance(struct stepper *s, uint32_t warp) {
    const uint32_t place = stepping_place(&s->block->warp[warp]);
    if (!stepping_step(s->stepping, warp)) return false;
    if (warp == s->warp) s->last = place, s->moved = true;
    note(s, warp);
    return true;
}

// Runs each other warp until it waits or ends. If `until_ready`, stops as soon as the observed warp
// can continue.
static void run_others(struct stepper *s, bool until_ready) {
    bool running = true;
    for (int steps = 0; running && steps < MOST_STEPS;) {
        running = false;
        for (uint32_t i = 0; i < launch_of(s)->warps; i++) {
            for (int turn = 0; i != s->warp && turn < MOST_STEPS / LANES && advance(s, i);
                 turn++, steps++) {
                running = true;
                if (until_ready && observed_warp(s)->state == WARP_READY) return;
            }
        }
        if (!until_ready) return;
    }
}

// Executes one instruction of the observed warp. If that warp waits, runs the other warps first.
static bool go_on(struct stepper *s) {
    if (observed_warp(s)->state == WARP_WAITS) run_others(s, true);
    return advance(s, s->warp);
}

static bool reopen(struct stepper *s, struct error *error) {
    s->stepping = s->open(s->context, s->linear, error);
    if (!s->stepping) return false;
    s->block = stepping_block(s->stepping);
    s->moved = false;
    s->reported = 0;
    if (s->warp >= launch_of(s)->warps) s->warp = 0;
    free(s->before.shared);
    s->before.shared = malloc(launch_of(s)->shared_bytes + 1);
    if (!s->before.shared) return error_fail(error, "not enough host memory");
    remember(s);
    return true;
}

// Executes the instructions of a log. What the last instruction changes is then shown as new.
static void replay(struct stepper *s, const struct warp_run *log, size_t runs) {
    for (size_t i = 0; i < runs; i++) {
        for (uint64_t k = 0; k < log[i].count && log[i].warp < launch_of(s)->warps; k++) {
            if (i == runs - 1 && k == log[i].count - 1) remember(s);
            if (!advance(s, log[i].warp)) return;
        }
    }
}

// Goes back by `count` instructions of the observed warp: runs the shortened log again from the
// block's start.
static bool go_back(struct stepper *s, uint64_t count, struct error *error) {
    struct warp_run *log = s->log;
    size_t runs = s->runs;
    while (count && runs) {
        struct warp_run *r = &log[runs - 1];
        const uint64_t taken = r->warp != s->warp ? 0 : r->count < count ? r->count : count;
        r->count -= taken;
        count -= taken;
        if (r->warp != s->warp || !r->count) runs--;
    }
    s->log = NULL;
    s->runs = s->capacity = 0;
    const bool done = reopen(s, error);
    if (done) replay(s, log, runs);
    free(log);
    return done;
}

// --- output for people ---------------------------------------------------------------------------

static void tell_reports(struct stepper *s) {
    for (const char *text; (text = stepping_report(s->stepping, s->reported)); s->reported++)
        printf("! %s\n", text);
}

static void print_instruction(const struct stepper *s, const char *label, uint32_t index) {
    char text[SASS_MAX_TEXT + 32];
    const char *file;
    const uint32_t line = stepping_line(s->stepping, index, &file);
    stepping_text(s->stepping, index, text, sizeof text);
    printf("%-8s 0x%04x  %s ;", label, index * SASS_BYTES, text);
    if (line) printf("   line %" PRIu32, line);
    printf("\n");
}

// Prints the registers that scoreboard `number` (from 0) guards: results in flight and, marked by
// &, sources that may not have been read yet. For SASS_NO_BARRIER, prints results without a
// scoreboard. Returns the number of these registers.
static int print_scoreboard(const struct stepper *s, int number, FILE *file) {
    const struct warp *w = observed_warp(s);
    const struct uop *code = launch_of(s)->program->code;
    int count = 0;
    for (uint32_t i = 0; i < CELL_NONE; i++) {
        const struct cell *c = &w->cell[i];
        char name[8];
        const bool result = c->ready == IN_FLIGHT && code[c->writer].write_barrier == number;
        if (!result && !(c->holds >> number & 1)) continue;
        if (program_cell(i, name))
            fprintf(file, "%s%s%s", count++ ? " " : "", result ? "" : "&", name);
    }
    return count;
}

// Returns the output of print_scoreboard() as a text that the caller frees; NULL if it is empty.
static char *scoreboard_text(const struct stepper *s, int number) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    const int count = file ? print_scoreboard(s, number, file) : 0;
    if (file) fclose(file);
    if (!count) free(text);
    return count ? text : NULL;
}

static void print_waits(const struct stepper *s, const struct uop *u) {
    char by[SASS_MAX_TEXT + 32], *none = scoreboard_text(s, SASS_NO_BARRIER);
    for (int i = 0; i < SCOREBOARDS; i++) {
        char *text = scoreboard_text(s, i);
        program_text(launch_of(s)->program, observed_warp(s)->set_by[i], by, sizeof by);
        const bool waits = u->wait >> i & 1;
        if (text)
            printf("  scoreboard %d: %s, set by %s", i + 1, text, by);
        else if (waits)
            printf("  scoreboard %d: nothing is on its way", i + 1);
        if (text || waits) printf("%s\n", waits ? "; the next instruction waits for it" : "");
        free(text);
    }
    if (none) printf("  on their way without a scoreboard of their own: %s\n", none);
    free(none);
}

static const char *const state_names[] = {[WARP_READY] = "ready",
                                          [WARP_WAITS] = "waits",
                                          [WARP_DONE] = "ended",
                                          [WARP_STOPPED] = "stopped"};

static void print_warps(struct stepper *s) {
    for (uint32_t i = 0, last; i < launch_of(s)->warps; i = last + 1) {
        const struct warp *w = &s->block->warp[i];
        const uint32_t place = stepping_place(w);
        for (last = i; last + 1 < launch_of(s)->warps &&
                       s->block->warp[last + 1].state == w->state &&
                       stepping_place(&s->block->warp[last + 1]) == place;)
            last++;
        printf("  warp");
        printf(last > i ? "s %" PRIu32 " to %" PRIu32 : " %" PRIu32, i, last);
        printf(w->state == WARP_DONE ? ": ended\n" : ": %s at 0x%04x\n", state_names[w->state],
               place * SASS_BYTES);
    }
}

static void print_groups(const struct stepper *s) {
    const struct warp *w = observed_warp(s);
    for (int i = 0; i < w->group_count && w->group_count > 1; i++) {
        const bool runs = i == w->current && w->state == WARP_READY;
        const struct group *g = &w->group[i];
        printf("  lanes %08" PRIx32 ": %s at 0x%04x\n", runs ? w->active : g->mask,
               g->state == GROUP_READY ? "ready" : "wait", (runs ? w->pc : g->pc) * SASS_BYTES);
    }
}

// Prints which other warps have run since the latest command. Neighbours with equal progress share
// a line.
static void print_meanwhile(const struct stepper *s) {
    for (uint32_t i = 0, last; i < launch_of(s)->warps; i = last + 1) {
        const struct warp *w = &s->block->warp[i];
        const uint64_t ran = w->executed - s->before.executed[i];
        for (last = i; last + 1 < launch_of(s)->warps && last + 1 != s->warp; last++) {
            const struct warp *next = &s->block->warp[last + 1];
            if (next->executed - s->before.executed[last + 1] != ran ||
                stepping_place(next) != stepping_place(w) || next->state != w->state ||
                s->before.place[last + 1] != s->before.place[i])
                break;
        }
        if (i == s->warp) last = i;
        if (i == s->warp || !ran) continue;
        printf(last > i ? "  meanwhile warps %" PRIu32 " to %" PRIu32 " ran"
                        : "  meanwhile warp %" PRIu32 " ran",
               i, last);
        printf(" %" PRIu64 " instructions, from 0x%04x to 0x%04x (%s)\n", ran,
               s->before.place[i] * SASS_BYTES, stepping_place(w) * SASS_BYTES,
               state_names[w->state]);
    }
}

static void print_value(char form, uint32_t bits, bool changed) {
    float number;
    memcpy(&number, &bits, sizeof number);
    putchar(changed ? '*' : ' ');
    if (form == 'f') {
        printf("%11.5g", (double)number);
    } else if (form == 'i') {
        printf("%11" PRId32, (int32_t)bits);
    } else {
        printf("%08" PRIx32, bits);
    }
}

static uint32_t uniform_registers(const struct stepper *s) {
    return sass_uniform_registers(launch_of(s)->program->code->detail->instruction.word.generation);
}

// Returns the row of a general or uniform register.
static uint32_t row_of(uint32_t cell) {
    return cell < CELL_UNIFORM ? cell : ROW_UNIFORM + cell - CELL_UNIFORM;
}

// Prints a register, eight lanes per line, or one value if all lanes are equal. A star marks a lane
// whose value is new.
static void print_register(const struct stepper *s, uint32_t cell) {
    const struct warp *w = observed_warp(s);
    const uint32_t row = row_of(cell), *now = w->row[row], *old = s->before.row[row];
    char name[8];
    bool alike = true;
    for (int l = 1; l < LANES; l++)
        alike &= now[l] == now[0] && (old[l] != now[l]) == (old[0] != now[0]);
    program_cell(cell, name);
    printf(alike ? "  %-5s all lanes" : "  %-5s lane  0", name);
    for (int l = 0; l < (alike ? 1 : LANES); l++) {
        if (l > 0 && l % 8 == 0) printf("\n             %2d", l);
        print_value(s->form, now[l], now[l] != old[l]);
    }
    printf("%s\n", w->cell[cell].ready == IN_FLIGHT ? "   on its way" : "");
}

static void print_predicate(const struct stepper *s, uint32_t number) {
    char name[8];
    program_cell(CELL_PREDICATE + number, name);
    printf("  %-5s lanes %08" PRIx32 ", before %08" PRIx32 "\n", name,
           observed_warp(s)->predicate[number], s->before.predicate[number]);
}

static bool is_changed(const struct stepper *s, uint32_t cell) {
    const uint32_t row = row_of(cell);
    const bool there =
        cell < (uint32_t)launch_of(s)->program->registers ? cell < ROW_ZERO : cell >= CELL_UNIFORM;
    return there &&
           memcmp(observed_warp(s)->row[row], s->before.row[row], sizeof s->before.row[row]) != 0;
}

// Prints the registers that changed (only their names if they are many), then the predicates that
// changed.
static void print_changes(const struct stepper *s) {
    enum { MANY = 8, END = CELL_UNIFORM + SASS_URZ };
    int count = 0;
    for (uint32_t i = 0; i < END; i++) count += is_changed(s, i);
    if (count > MANY) printf("  changed:");
    for (uint32_t i = 0; i < END; i++) {
        char name[8];
        if (!is_changed(s, i)) continue;
        if (count > MANY)
            printf(" %s", program_cell(i, name));
        else
            print_register(s, i);
    }
    if (count > MANY) printf("\n");
    for (uint32_t i = 0; i < PREDICATE_TRASH; i++)
        if (observed_warp(s)->predicate[i] != s->before.predicate[i]) print_predicate(s, i);
}

// Prints the last request: one row per wavefront, one column per bank. Each entry is the first lane
// that the bank serves, and + if the bank serves more.
static void print_wavefronts(const struct sim_request *r) {
    int8_t phase[LANES] = {0};
    uint32_t address[LANES];
    for (int l = 0; l < LANES; l++) address[l] = (uint32_t)r->address[l];
    const struct wavefronts w =
        (r->store ? banks_store : banks_load)(address, r->mask, (int)r->width, phase);
    printf("  %s shared memory, %" PRIu32 " bytes a lane: %d wavefront%s, at least %d\n  banks  ",
           r->store ? "to" : "from", r->width, w.count, w.count == 1 ? "" : "s", w.least);
    for (int bank = 0; bank < LANES; bank++) printf("%3d", bank);
    for (int row = 0; row < w.count; row++) {
        printf("\n  lanes %d", row);
        for (uint32_t bank = 0; bank < LANES; bank++) {
            int first = -1, more = 0;
            for (int l = 0; l < LANES; l++) {
                const uint32_t from = address[l] / 4, to = (address[l] + r->width - 1) / 4;
                if (!(r->mask >> l & 1) || phase[l] != row || (bank - from) % LANES > to - from)
                    continue;
                if (first < 0)
                    first = l;
                else
                    more++;
            }
            printf(first < 0 ? "  ." : more ? "%2d+" : "%3d", first);
        }
    }
    printf("\n");
}

static void print_sectors(const struct sim_request *r) {
    const int first = first_lane(r->mask);
    printf("  device memory, %" PRIu32 " bytes a lane, lane and sector of 32 bytes:", r->width);
    for (int l = 0, shown = 0; l < LANES; l++) {
        if (!(r->mask >> l & 1)) continue;
        printf("%s%2d:%-+6" PRId64, shown++ % 8 ? "  " : "\n    ", l,
               (int64_t)(r->address[l] / 32) - (int64_t)(r->address[first] / 32));
    }
    printf("\n");
}

static void print_request(const struct stepper *s) {
    const struct sim_request *r = stepping_request(s->stepping);
    if (r && s->runs && s->log[s->runs - 1].warp == s->warp)
        (r->shared ? print_wavefronts : print_sectors)(r);
}

static void print_stop(struct stepper *s) {
    const struct warp *w = observed_warp(s);
    const struct program *p = launch_of(s)->program;
    const uint32_t place = stepping_place(w);
    print_meanwhile(s);
    printf("warp %" PRIu32 " of block (%" PRIu32 ", %" PRIu32 ", %" PRIu32 "): %" PRIu64
           " instructions done, cycle %" PRIu64 " of issue, lanes %08" PRIx32 "\n",
           s->warp, s->block->index[0], s->block->index[1], s->block->index[2], w->executed,
           w->clock, w->active);
    if (s->moved) print_instruction(s, "last", s->last);
    print_changes(s);
    print_request(s);
    if (w->state == WARP_DONE || place >= p->count) {
        printf("it has ended\n");
    } else {
        print_instruction(s, w->state == WARP_READY ? "next" : state_names[w->state], place);
        print_waits(s, &p->code[place]);
    }
    print_groups(s);
    tell_reports(s);
}

static void print_shared(const struct stepper *s, uint32_t address) {
    const uint32_t end = launch_of(s)->shared_bytes;
    address -= address % SHARED_ROW;
    for (uint32_t at = address; at < address + BANK_ROWS * SHARED_ROW && at < end; at += 4) {
        uint32_t now, old;
        if (at + 4 > end) break;
        memcpy(&now, s->block->shared + at, 4);
        memcpy(&old, s->before.shared + at, 4);
        if (at % 32 == 0)
            printf("%s  0x%05" PRIx32 " banks %2" PRIu32, at > address ? "\n" : "", at,
                   at / 4 % LANES);
        if (stepping_is_unwritten(s->stepping, at)) {
            printf(s->form == 'x' ? " ........" : " ...........");
        } else {
            print_value(s->form, now, now != old);
        }
    }
    printf("\n");
}

// --- output for programs: CSV; addresses, masks and values are hexadecimal -----------------------

static void put_words(const uint32_t *word) {
    for (int l = 0; l < LANES; l++) printf(",%" PRIx32, word[l]);
    printf("\n");
}

// Returns a note about a register: is its value there, and if not, does a scoreboard count it?
static const char *note_of(const struct warp *w, uint32_t number) {
    const struct program *p = w->block->launch->program;
    const struct cell *c = &w->cell[number];
    if (!c->ready || c->ready == UNWRITTEN) return "not written";
    if (c->ready != IN_FLIGHT) return "";
    return sass_runs_on(p->detail[c->writer].instruction.form) ||
                   scoreboard_covering(w, number) < SCOREBOARDS
               ? "on its way"
               : "set without a scoreboard";
}

static void put_registers(const struct stepper *s, uint32_t first, uint32_t count, uint32_t row) {
    const struct warp *w = observed_warp(s);
    for (uint32_t i = 0; i < count; i++) {
        char name[8];
        uint32_t changed = 0;
        for (int l = 0; l < LANES; l++)
            changed |= (uint32_t)(w->row[row + i][l] != s->before.row[row + i][l]) << l;
        program_cell(first + i, name);
        printf("register,%s,%s,%" PRIx32, name, note_of(w, first + i), changed);
        put_words(w->row[row + i]);
    }
}

static void put_shared(const struct stepper *s) {
    const uint32_t from = launch_of(s)->shared_reserved / SHARED_ROW * SHARED_ROW;
    for (uint32_t at = from; at + SHARED_ROW <= launch_of(s)->shared_bytes; at += SHARED_ROW) {
        uint32_t word[LANES], old[LANES], changed = 0, unwritten = 0;
        memcpy(word, s->block->shared + at, sizeof word);
        memcpy(old, s->before.shared + at, sizeof old);
        for (uint32_t l = 0; l < LANES; l++) {
            changed |= (uint32_t)(word[l] != old[l]) << l;
            unwritten |= (uint32_t)stepping_is_unwritten(s->stepping, at + 4 * l) << l;
        }
        if (unwritten == ALL_LANES) continue;
        printf("shared,%" PRIx32 ",%" PRIx32 ",%" PRIx32, at, changed, unwritten);
        put_words(word);
    }
}

static void put_warp(const struct stepper *s, uint32_t number) {
    const struct warp *w = &s->block->warp[number];
    printf("warp,%" PRIu32 ",%s,%x,%" PRIu64 ",%" PRIu64 ",%" PRIx32 ",%" PRIu64 "\n", number,
           state_names[w->state], stepping_place(w) * SASS_BYTES, w->executed, w->clock, w->active,
           w->executed - s->before.executed[number]);
}

static void put_warps(const struct stepper *s) {
    for (uint32_t i = 0; i < launch_of(s)->warps; i++) put_warp(s, i);
    printf("at,%" PRIu32, s->warp);
    printf(s->moved ? ",%x\n" : ",\n", s->last * SASS_BYTES);
    for (size_t i = 0; i < s->runs; i++)
        printf("ran,%" PRIu32 ",%" PRIu64 "\n", s->log[i].warp, s->log[i].count);
}

static void put_all(struct stepper *s) {
    const struct warp *w = observed_warp(s);
    const int registers = launch_of(s)->program->registers;
    put_warps(s);
    put_registers(s, 0, registers < ROW_ZERO ? (uint32_t)registers : ROW_ZERO, 0);
    put_registers(s, CELL_UNIFORM, uniform_registers(s), ROW_UNIFORM);
    for (uint32_t i = 0; i < PREDICATE_TRASH; i++) {
        char name[8];
        if (i % PREDICATE_UNIFORM == PREDICATE_TRUE || !program_cell(CELL_PREDICATE + i, name))
            continue;
        printf("predicate,%s,%" PRIx32 ",%" PRIx32 "\n", name, w->predicate[i],
               s->before.predicate[i]);
    }
    for (int i = 0; i < SCOREBOARDS; i++) {
        printf("scoreboard,%d,%x,", i + 1, w->set_by[i] * SASS_BYTES);
        print_scoreboard(s, i, stdout);
        printf("\n");
    }
    put_shared(s);
    if (stepping_request(s->stepping) && s->log[s->runs - 1].warp == s->warp)
        request_print(stepping_request(s->stepping), stdout);
}

static void put_code(struct stepper *s) {
    for (uint32_t i = 0; i < launch_of(s)->program->count; i++) {
        char text[SASS_MAX_TEXT + 32];
        const char *file;
        const uint32_t line = stepping_line(s->stepping, i, &file);
        printf("code,%x,", i * SASS_BYTES);
        if (line) printf("%s:%" PRIu32, strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line);
        stepping_text(s->stepping, i, text, sizeof text);
        printf(",%s\n", text);
    }
}

// --- commands ------------------------------------------------------------------------------------

static bool number_of(const char *word, int base, uint64_t most, uint64_t *number) {
    char *end;
    if (!*word || *word == '-') return false;
    *number = strtoull(word, &end, base);
    return !*end && *number <= most;
}

// Parses the count of a command such as "step 5". The count is at least 1; a missing count is 1.
static bool count_of(const char *word, uint64_t *count) {
    *count = 1;
    return !*word || (number_of(word, 10, MOST_STEPS, count) && *count > 0);
}

static bool do_step(struct stepper *s, const char *word, struct error *error) {
    uint64_t count;
    if (!count_of(word, &count))
        return error_fail(error, "step %.40s: expected a count from 1 to %d", word, MOST_STEPS);
    remember(s);
    while (count-- && go_on(s)) {
    }
    print_stop(s);
    return true;
}

static bool do_back(struct stepper *s, const char *word, struct error *error) {
    uint64_t count;
    if (!count_of(word, &count))
        return error_fail(error, "back %.40s: expected a count from 1 to %d", word, MOST_STEPS);
    if (!go_back(s, count, error)) return false;
    print_stop(s);
    return true;
}

// Returns true if the instruction has the address `wanted` (0x530) or, if `line`, the source line
// `wanted` (41).
static bool is_target(const struct stepper *s, uint32_t index, bool line, uint64_t wanted) {
    return line ? stepping_line(s->stepping, index, NULL) == wanted : index * SASS_BYTES == wanted;
}

static bool do_to(struct stepper *s, const char *word, struct error *error) {
    const uint32_t count = launch_of(s)->program->count;
    const bool line = strncmp(word, "0x", 2) != 0;
    uint64_t wanted;
    uint32_t i = 0;
    if (!number_of(word, line ? 10 : 16, UINT32_MAX, &wanted))
        return error_fail(
            error, "to %.40s: expected an address of the code, 0x530, or a line of its source, 41",
            word);
    while (i < count && !is_target(s, i, line, wanted)) i++;
    if (i == count)
        return error_fail(error, "to %.40s: there is no instruction at this place", word);
    remember(s);
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        const uint32_t from = stepping_place(observed_warp(s));
        if (observed_warp(s)->state == WARP_READY) advance(s, s->warp);
        if (observed_warp(s)->state == WARP_WAITS) run_others(s, true);
        const uint32_t place = stepping_place(observed_warp(s));
        const bool same = line && place == from + 1 && is_target(s, from, line, wanted);
        if (observed_warp(s)->state != WARP_READY || (is_target(s, place, line, wanted) && !same))
            break;
    }
    print_stop(s);
    return true;
}

static bool do_warp(struct stepper *s, const char *word, struct error *error) {
    uint64_t number;
    if (!number_of(word, 10, launch_of(s)->warps - 1, &number))
        return error_fail(error, "warp %.40s: expected 0 to %" PRIu32, word,
                          launch_of(s)->warps - 1);
    s->warp = (uint32_t)number;
    s->moved = false;
    remember(s);
    print_stop(s);
    return true;
}

static bool do_block(struct stepper *s, const char *word, struct error *error) {
    const uint32_t *grid = launch_of(s)->grid;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t number;
    if (!number_of(word, 10, blocks - 1, &number))
        return error_fail(error, "block %.40s: expected 0 to %" PRIu64, word, blocks - 1);
    s->linear = number;
    s->runs = 0;
    if (!reopen(s, error)) return false;
    print_stop(s);
    return true;
}

static void do_others(struct stepper *s) {
    remember(s);
    run_others(s, false);
    print_stop(s);
}

// Parses the name of a general or uniform register. Sets *cell to its index in warp.cell.
static bool register_of(const struct stepper *s, const char *word, uint32_t *cell,
                        struct error *error) {
    const uint32_t registers = (uint32_t)launch_of(s)->program->registers;
    const bool uniform = *word == 'U';
    uint64_t number;
    if (strncmp(word + uniform, "R", 1) != 0 ||
        !number_of(word + uniform + 1, 10, (uniform ? uniform_registers(s) : registers) - 1,
                   &number))
        return error_fail(error, "%.40s: expected R0 to R%" PRIu32 " or UR0 to UR%" PRIu32, word,
                          registers - 1, uniform_registers(s) - 1);
    *cell = (uint32_t)number + (uniform ? CELL_UNIFORM : 0);
    return true;
}

static bool do_registers(struct stepper *s, const char *word, struct error *error) {
    const uint32_t registers = (uint32_t)launch_of(s)->program->registers;
    uint32_t cell = 0;
    if (!*word) {
        for (uint32_t i = 0; i < registers && i < ROW_ZERO; i++) print_register(s, i);
        return true;
    }
    if (!register_of(s, word, &cell, error)) return false;
    print_register(s, cell);
    return true;
}

// Without registers, prints the whole state. With registers, such as R4,UR16, prints their values
// in the observed warp.
static bool do_csv(struct stepper *s, const char *word, struct error *error) {
    if (!*word) return put_all(s), true;
    put_warp(s, s->warp);
    for (const char *at = word; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[8];
        uint32_t cell = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!register_of(s, name, &cell, error)) return false;
        put_registers(s, cell, 1, row_of(cell));
    }
    return true;
}

static bool do_as(struct stepper *s, const char *word, struct error *error) {
    if (strcmp(word, "hex") != 0 && strcmp(word, "int") != 0 && strcmp(word, "float") != 0)
        return error_fail(error, "as %.40s: expected hex, int or float", word);
    s->form = *word == 'h' ? 'x' : *word;
    return true;
}

static bool do_shared(struct stepper *s, const char *word, struct error *error) {
    const struct launch_state *l = launch_of(s);
    uint64_t address = l->shared_reserved;
    if (l->shared_bytes <= l->shared_reserved)
        return error_fail(error, "the kernel has no shared memory");
    if (*word &&
        (!number_of(word, 16, l->shared_bytes - 1, &address) || address < l->shared_reserved))
        return error_fail(error, "shared %.40s: expected 0x%" PRIx32 " to 0x%" PRIx32, word,
                          l->shared_reserved, l->shared_bytes - 1);
    print_shared(s, (uint32_t)address);
    return true;
}

// `word` is WARP:COUNT, from a line "ran,WARP,COUNT" of `csv`. Executes COUNT instructions of WARP.
static bool do_replay(struct stepper *s, const char *word, struct error *error) {
    char *end;
    struct warp_run r = {(uint32_t)strtoul(word, &end, 10), 0};
    if (end == word || *end != ':' || !number_of(end + 1, 10, MOST_STEPS, &r.count) ||
        r.warp >= launch_of(s)->warps)
        return error_fail(error, "replay %.40s: expected WARP:COUNT", word);
    replay(s, &r, 1);
    return true;
}

static void do_help(struct stepper *s);

static const struct {
    const char *name, *takes, *help;
    bool (*act)(struct stepper *s, const char *word, struct error *error);
    void (*show)(struct stepper *s); // for a command without arguments
} commands[] = {
    {"step", "[N]",
     "the next N instructions of the warp; others go on while it waits for them (also: an empty "
     "line)",
     .act = do_step},
    {"to", "PLACE", "on to an address of the code, 0x530, or to a line of the source, 41",
     .act = do_to},
    {"back", "[N]", "to before its last N instructions", .act = do_back},
    {"warp", "N", "look at another warp", .act = do_warp},
    {"others", "", "the other warps, until each waits or ends", .show = do_others},
    {"block", "N", "begin again, with another block; it runs alone", .act = do_block},
    {"warps", "", "where each warp is", .show = print_warps},
    {"registers", "[R8]", "all, or one; a star is at what the last command changed",
     .act = do_registers},
    {"shared", "[ADDRESS]", "8 rows of 32 banks", .act = do_shared},
    {"as", "hex|int|float", "how they are written", .act = do_as},
    {"csv", "[R8,R9]", "all state, or the warp and some of its registers, for programs",
     .act = do_csv},
    {"code", "", "the kernel's instructions, for programs", .show = put_code},
    {"replay", "WARP:COUNT", "what `csv` tells that ran", .act = do_replay},
    {"help", "", "this", .show = do_help},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void do_help(struct stepper *s) {
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-9s %-14s %s\n", commands[i].name, commands[i].takes, commands[i].help);
    printf("  quit; a word's beginning will do\n");
}

// Reads one command line. Returns false at the end of the file.
static bool read_line(FILE *file, char *line) {
    int length = 0, letter;
    while ((letter = fgetc(file)) != EOF && letter != '\n')
        if (length < LINE_BYTES - 1) line[length++] = (char)letter;
    line[length] = '\0';
    return letter != EOF || length > 0;
}

static bool obey(struct stepper *s, char *line, struct error *error) {
    static const char spaces[] = " \t\r";
    char *name = line + strspn(line, spaces), *word = name + strcspn(name, spaces);
    if (*word) *word++ = '\0';
    word += strspn(word, spaces);
    word[strcspn(word, spaces)] = '\0';
    if (!*name) return do_step(s, "", error);
    for (int i = 0; i < COMMANDS; i++) {
        if (strncmp(commands[i].name, name, strlen(name)) != 0) continue;
        if (!commands[i].show) return commands[i].act(s, word, error);
        return commands[i].show(s), true;
    }
    return error_fail(error, "%.40s: there is no such command: help lists them", name);
}

bool stepper(const char *path, stepper_open *open, void *context, struct error *error) {
    struct stepper *s = calloc(1, sizeof *s);
    FILE *file = fopen(strcmp(path, "-") == 0 ? "/dev/stdin" : path, "r");
    char line[LINE_BYTES];
    bool done = s && file;
    if (!done) error_fail(error, "--step %.200s: cannot be read", path);
    if (done) {
        *s = (struct stepper){.open = open, .context = context, .form = 'x'};
        done = reopen(s, error);
    }
    const bool asks = file && isatty(fileno(file));
    if (done && asks) print_stop(s);
    while (done) {
        struct error slip = {0};
        if (asks) printf("step> ");
        fflush(stdout);
        if (!read_line(file, line) || strcmp(line, "quit") == 0 || strcmp(line, "q") == 0) break;
        if (obey(s, line, &slip)) continue;
        if (asks) printf("? %s\n", slip.message);
        done = asks || error_refuse(error, "%s", slip.message);
    }
    if (file) fclose(file);
    if (s) free(s->before.shared), free(s->log);
    free(s);
    return done;
}
