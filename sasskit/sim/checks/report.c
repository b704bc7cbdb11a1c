// Collects a launch's reports: one per kind and instruction, with the first block in which the
// finding occurred and the number of occurrences. Warnings and notes are reported once per kind.
// Ensures: the reports do not depend on the number of host threads.
#include "base/channel.h"
#include "isa/place.h"
#include "reports.h"
#include "sim/machine/progress.h"
#include "sim/machine/room.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

struct reports {
    pthread_mutex_t lock;
    struct entry **entry;
    int count, capacity;
    FILE *file;
    int most; // largest number of reports that are printed as text
    char line[1400];
};

enum subject { THREAD, INSTRUCTION, NONE }; // grammatical subject of a report's sentence

static const struct {
    const char *kind; // the kind's name in JSON lines and in text
    enum subject subject;
} kinds[REPORT_KINDS] = {[REPORT_UNKNOWN] = {"unknown", INSTRUCTION},
                         [REPORT_HAZARD] = {"hazard", INSTRUCTION},
                         [REPORT_REUSE] = {"reuse", INSTRUCTION},
                         [REPORT_ADDRESS] = {"address", THREAD},
                         [REPORT_RACE] = {"race", THREAD},
                         [REPORT_GLOBAL_RACE] = {"global-race", THREAD},
                         [REPORT_BARRIER] = {"barrier", THREAD},
                         [REPORT_STACK] = {"stack", THREAD},
                         [REPORT_UNWRITTEN] = {"uninitialized", THREAD},
                         [REPORT_LANE] = {"lane", THREAD},
                         [REPORT_TRAP] = {"trap", NONE},
                         [REPORT_ENDLESS] = {"endless", NONE},
                         [REPORT_PROXY] = {"fence", THREAD},
                         [REPORT_NAN] = {"nan", NONE},
                         [REPORT_OUTPUT] = {"unwritten-output", NONE},
                         [REPORT_SHARED_UNUSED] = {"unused-shared", NONE}};

struct reports *reports_open(FILE *file, int most) {
    struct reports *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    pthread_mutex_init(&r->lock, NULL);
    r->file = file;
    r->most = most;
    return r;
}

void reports_close(struct reports *r) {
    if (!r) return;
    pthread_mutex_destroy(&r->lock);
    for (int i = 0; i < r->count; i++) free(r->entry[i]);
    free(r->entry);
    free(r);
}

static struct entry *find(struct reports *r, enum report_kind kind, enum severity severity,
                          uint32_t index) {
    for (int i = 0; i < r->count; i++) {
        struct entry *e = r->entry[i];
        if (e->kind == kind && e->finding.severity == severity &&
            (severity != SEVERITY_ERROR || e->index == index))
            return e;
    }
    return NULL;
}

static struct entry *add(struct reports *r, enum report_kind kind, enum severity severity,
                         uint32_t index) {
    MAKE_ROOM(r->entry, r->count, r->capacity);
    struct entry *e = calloc(1, sizeof *e);
    if (!e) abort();
    r->entry[r->count++] = e;
    e->kind = kind;
    e->index = index;
    e->block = UINT64_MAX;
    e->finding = (struct finding){.kind = kinds[kind].kind,
                                  .severity = severity,
                                  .warp = NOBODY_KNOWN,
                                  .argument = NOBODY_KNOWN,
                                  .place = {.warp = NOBODY_KNOWN, .lane = NOBODY_KNOWN},
                                  .other = {.warp = NOBODY_KNOWN, .lane = NOBODY_KNOWN},
                                  .cause_place = {.warp = NOBODY_KNOWN, .lane = NOBODY_KNOWN}};
    return e;
}

static void set_message(struct finding *f, enum subject subject, const char *fact) {
    if (subject == INSTRUCTION)
        snprintf(f->message, sizeof f->message, "`%s` %s", f->place.instruction, fact);
    else if (subject == NONE)
        snprintf(f->message, sizeof f->message, "%s", fact);
    else if (f->has_thread && f->other.has_block)
        snprintf(f->message, sizeof f->message, "thread (%u, %u, %u) of block (%u, %u, %u) %s",
                 f->thread[0], f->thread[1], f->thread[2], f->block[0], f->block[1], f->block[2],
                 fact);
    else if (f->has_thread)
        snprintf(f->message, sizeof f->message, "thread (%u, %u, %u) %s", f->thread[0],
                 f->thread[1], f->thread[2], fact);
    else
        snprintf(f->message, sizeof f->message, "warp %d %s", f->warp, fact);
}

static void fill_other(struct finding *f, const struct sass_kernel *kernel,
                       const struct launch_state *l, const struct evidence *v) {
    if (v->other) f->other = place_of(kernel, v->other - 1);
    f->other.action = v->other_action;
    f->other.warp = (int)v->other_warp - 1;
    f->other.lane = (int)v->other_lane - 1;
    f->other.has_block = v->other_block != 0;
    if (!v->other_block) return;
    const uint64_t block = v->other_block - 1;
    f->other.block[0] = (uint32_t)(block % l->grid[0]);
    f->other.block[1] = (uint32_t)(block / l->grid[0] % l->grid[1]);
    f->other.block[2] = (uint32_t)(block / l->grid[0] / l->grid[1]);
}

static void fill(struct entry *e, const struct warp *w, int lane, const char *fact) {
    const struct block *b = w->block;
    const struct launch_state *l = b->launch;
    const struct sass_kernel *kernel = l->program->kernel;
    struct finding *f = &e->finding;
    const struct evidence *v = &w->evidence;
    e->evidence = *v;
    if (place_is_library(kernel, e->index))
        e->evidence.call = w->called[lane >= 0 ? lane : first_lane(w->active)];
    f->kernel = kernel->name;
    f->has_block = true;
    memcpy(f->block, b->index, sizeof f->block);
    f->warp = (int)w->index;
    f->has_thread = lane >= 0;
    if (lane >= 0) {
        const uint32_t thread = w->index * LANES + (uint32_t)lane, *dim = l->block;
        f->thread[0] = thread % dim[0];
        f->thread[1] = thread / dim[0] % dim[1];
        f->thread[2] = thread / dim[0] / dim[1];
    }
    f->place = place_of(kernel, e->index);
    f->place.action = v->action;
    f->place.warp = (int)w->index;
    f->place.lane = lane >= 0 ? lane : NOBODY_KNOWN;
    fill_other(f, kernel, l, v);
    f->space = v->space;
    f->at = v->at;
    f->bytes = v->bytes;
    if (v->unit) {
        f->expected = (struct quantity){v->expected, v->unit};
        f->actual = (struct quantity){v->actual, v->unit};
    }
    set_message(f, kinds[e->kind].subject, fact);
}

// The launch ends after this many wrong addresses of one instruction. Otherwise a loop over freed
// memory might never end.
enum { MOST_REPEATS = 1000000 };

static void enter(struct warp *w, enum report_kind kind, enum severity severity, uint32_t index,
                  int lane, const char *format, va_list arguments) {
    struct block *b = w->block;
    struct reports *r = b->launch->reports;
    const uint64_t order = b->order++;
    pthread_mutex_lock(&r->lock);
    struct entry *e = find(r, kind, severity, index);
    if (!e) e = add(r, kind, severity, index);
    e->finding.repeats++;
    if (kind == REPORT_ADDRESS && e->finding.repeats >= MOST_REPEATS) b->launch->stop = true;
    if (w->evidence.at > e->farthest) e->farthest = w->evidence.at;
    // An instruction may race both with another warp and with a lane of its own warp. Only the race
    // with the other warp is kept: a barrier for it orders the lanes, too.
    const bool lanes = w->evidence.facts & FACT_LANES, first = e->finding.repeats == 1;
    const bool had_lanes = e->evidence.facts & FACT_LANES;
    const bool earlier = b->linear < e->block || (b->linear == e->block && order < e->order);
    if (first || (lanes == had_lanes ? earlier : had_lanes)) {
        char fact[640];
        vsnprintf(fact, sizeof fact, format, arguments);
        e->block = b->linear;
        e->order = order;
        e->index = index;
        fill(e, w, lane, fact);
    }
    if (e->finding.repeats == 1 && r->count == 1 && progress_is_long(b->launch) && channel_text() &&
        !r->file) { // in long runs, the first report is printed at once
        progress_clear(b->launch);
        const struct code_place *p = &e->finding.place;
        if (p->line)
            fprintf(stderr, "%s: so far: %s on line %u; the run goes on\n", channel_program(),
                    e->finding.kind, p->line);
        else
            fprintf(stderr, "%s: so far: %s at 0x%x; the run goes on\n", channel_program(),
                    e->finding.kind, p->address);
    }
    pthread_mutex_unlock(&r->lock);
    w->evidence = (struct evidence){0};
}

struct evidence *evidence_about(struct warp *w, const char *space, uint64_t at, uint32_t bytes,
                                const char *action) {
    w->evidence = (struct evidence){.space = space, .at = at, .bytes = bytes, .action = action};
    return &w->evidence;
}

void checks_warn(struct warp *w, enum report_kind kind, enum severity severity, uint32_t index,
                 int lane, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enter(w, kind, severity, index, lane, format, arguments);
    va_end(arguments);
}

void checks_report(struct warp *w, enum report_kind kind, uint32_t index, int lane, bool fatal,
                   const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enter(w, kind, SEVERITY_ERROR, index, lane, format, arguments);
    va_end(arguments);
    if (kind == REPORT_ADDRESS && !w->block->launch->at_fault)
        w->block->launch->at_fault = w->executed + 1;
    if (fatal) {
        w->block->launch->stop = true;
        w->state = WARP_STOPPED;
    }
}

void reports_add(struct launch_state *l, enum report_kind kind, const struct finding *finding) {
    pthread_mutex_lock(&l->reports->lock);
    struct entry *e = add(l->reports, kind, finding->severity, UINT32_MAX);
    e->finding = *finding;
    e->finding.kind = kinds[kind].kind;
    e->finding.kernel = l->program->kernel->name;
    e->finding.repeats = 1;
    e->finding.warp = e->finding.other.warp = e->finding.other.lane = NOBODY_KNOWN;
    e->order = UINT64_MAX; // like e->block: sorts the entry behind the reports of all blocks
    pthread_mutex_unlock(&l->reports->lock);
}

// Sets text to a line such as "race: thread (5, 0, 0) reads ... (kernel sgemm, ..., kernel.cu:12)".
static void print_line(const struct finding *f, char *text, size_t size) {
    const struct code_place *p = &f->place;
    int n =
        snprintf(text, size, "%s%s: %s (kernel %s",
                 f->severity == SEVERITY_ERROR ? "" : "warning: ", f->kind, f->message, f->kernel);
    if (f->has_block && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", block (%u, %u, %u)", f->block[0], f->block[1],
                      f->block[2]);
    if (f->has_thread && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", thread (%u, %u, %u)", f->thread[0],
                      f->thread[1], f->thread[2]);
    else if (f->warp != NOBODY_KNOWN && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", warp %d", f->warp);
    if (p->known && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", `%s` at 0x%x", p->instruction, p->address);
    if ((p->file || p->sass_file) && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", %s:%u", p->file ? p->file : p->sass_file,
                      p->file ? p->line : p->sass_line);
    if (n > 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, ")");
}

const char *reports_text(struct reports *r, int number) {
    if (number >= r->count) return NULL;
    print_line(&r->entry[number]->finding, r->line, sizeof r->line);
    return r->line;
}

static int by_block(const void *a, const void *b) {
    const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// Puts findings with `caused_by` last. Otherwise orders by severity, rank and block.
static int by_rank(const void *a, const void *b) {
    const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
    if (!x->finding.caused_by != !y->finding.caused_by) return x->finding.caused_by ? 1 : -1;
    if (x->finding.severity != y->finding.severity)
        return x->finding.severity < y->finding.severity ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return by_block(a, b);
}

static void print_lines(const struct reports *r) {
    for (int i = 0; i < r->count && i < r->most; i++) {
        char text[1400];
        print_line(&r->entry[i]->finding, text, sizeof text);
        fprintf(r->file, "%s", text);
        if (r->entry[i]->finding.repeats > 1 && r->entry[i]->finding.severity == SEVERITY_ERROR)
            fprintf(r->file, "; %llu times in all",
                    (unsigned long long)r->entry[i]->finding.repeats);
        fputc('\n', r->file);
    }
}

static void print_findings(const struct reports *r) {
    int heads = 0, shown = 0;
    for (int i = 0; i < r->count; i++) {
        const struct finding *f = &r->entry[i]->finding;
        heads += !f->caused_by;
        if (!f->caused_by && heads > r->most && !channel_json()) continue;
        if (shown && channel_text() && !f->caused_by) fputc('\n', stderr);
        shown += !f->caused_by;
        finding_print(f);
    }
    if (heads > shown && channel_text())
        fprintf(stderr, "\nand %d more findings; --reports %d shows them\n", heads - shown, heads);
}

// Returns the index of the kernel argument that points into the allocation nearest to the device
// address `at`; NOBODY_KNOWN if none does.
static int argument_near(const struct launch_state *l, uint64_t at) {
    const struct sass_kernel *k = l->program->kernel;
    const struct allocation *nearest = NULL;
    uint64_t distance = UINT64_MAX;
    struct allocation *a;
    for (int i = 0; (a = memory_at(l->memory, i)) != NULL; i++) {
        const uint64_t away = at < a->base             ? a->base - at
                              : at < a->base + a->size ? 0
                                                       : at - a->base - a->size;
        if (away < distance) distance = away, nearest = a;
    }
    for (int i = 0; nearest && i < k->parameter_count; i++) {
        uint64_t value;
        if (k->parameters[i].size != sizeof value) continue;
        memcpy(&value, l->constant[0] + k->param_base + k->parameters[i].offset, sizeof value);
        if (value - nearest->base < nearest->size || value == nearest->base) return i;
    }
    return NOBODY_KNOWN;
}

// Adds to the message which kernel argument's buffer contains the address or is nearest to it.
static void name_argument(const struct launch_state *l, struct finding *f) {
    const struct allocation *a = memory_find(l->memory, f->at, f->at + (f->bytes ? f->bytes : 1));
    const size_t length = strlen(f->message);
    f->argument = argument_near(l, f->at);
    if (f->argument == NOBODY_KNOWN) return;
    if (a)
        snprintf(f->message + length, sizeof f->message - length,
                 " (argument %d, byte %llu of %llu)", f->argument,
                 (unsigned long long)(f->at - a->base), (unsigned long long)a->size);
    else
        snprintf(f->message + length, sizeof f->message - length, " (argument %d)", f->argument);
}

// Numbers the reports, finds their causes and sorts them by rank.
static void rank_reports(const struct launch_state *l) {
    struct reports *r = l->reports;
    const struct scene scene = {l, r->entry, r->count};
    if (!r->count) return;
    qsort(r->entry, (size_t)r->count, sizeof(struct entry *), by_block);
    for (int i = 0; i < r->count; i++) {
        struct finding *f = &r->entry[i]->finding;
        f->id = finding_new_id();
        if (f->space && strcmp(f->space, "global") == 0) name_argument(l, f);
    }
    causes_find(&scene);
    qsort(r->entry, (size_t)r->count, sizeof(struct entry *), by_rank);
}

void reports_find_writers(struct launch_state *l,
                          uint64_t (*writer)(const struct launch_state *, uint64_t)) {
    for (int i = 0; i < l->reports->count; i++) {
        struct entry *e = l->reports->entry[i];
        const bool global = e->finding.space && strcmp(e->finding.space, "global") == 0;
        if (e->kind == REPORT_UNWRITTEN && global)
            e->evidence.other_block = writer(l, e->finding.at);
    }
}

void reports_to_json(const struct launch_state *l) {
    struct reports *r = l->reports;
    rank_reports(l);
    for (int i = 0; i < r->count; i++) {
        const struct finding *f = &r->entry[i]->finding;
        if (f->severity != SEVERITY_NOTE && !f->caused_by)
            channel_count(f->severity == SEVERITY_WARNING);
        if (channel_json()) finding_to_json(f);
    }
}

bool reports_print(const struct launch_state *l, struct error *first) {
    struct reports *r = l->reports;
    if (!r->count) return true;
    rank_reports(l);
    if (r->file)
        print_lines(r);
    else
        print_findings(r);
    const struct finding *fault = &r->entry[0]->finding;
    if (fault->severity != SEVERITY_ERROR) return true;
    char text[480];
    print_line(fault, text, sizeof text);
    error_fail(first, "%s", text);
    first->report = fault->kind;
    first->printed = !r->file;
    return false;
}

bool shared_is_right(struct warp *w, const struct uop *u, int lane, uint32_t address,
                     uint32_t least, const char *verb) {
    const struct launch_state *launch = w->block->launch;
    const uint32_t width = u->detail->width, own = launch->shared_reserved;
    const bool aligned = address % width == 0;
    const bool inside = is_own_shared(launch, address, width) ||
                        (!least && is_system_shared(launch, address, width));
    if (aligned && inside) return true;
    struct evidence *v = evidence_about(w, "shared", address, width, verb);
    if (!aligned) {
        v->facts = FACT_MISALIGNED;
        checks_report(w, REPORT_ADDRESS, u->detail->index, lane, false,
                      "%s %u bytes of shared memory at " SHARED_BYTE
                      ", which is not aligned: not a multiple of %u",
                      verb, width, SHARED_BYTE_AT(launch, address), width);
        return false;
    }
    v->facts = FACT_OUTSIDE;
    v->expected = launch->shared_bytes - own;
    v->actual = (int64_t)address - own + width;
    v->unit = "bytes";
    checks_report(w, REPORT_ADDRESS, u->detail->index, lane, false,
                  "%s %u bytes of shared memory at " SHARED_BYTE "; the block has %u bytes", verb,
                  width, SHARED_BYTE_AT(launch, address), launch->shared_bytes - own);
    return false;
}
