// What a launch has to say: one report for each kind and instruction, that of the first block, and how often it happened. A warning is
// told once for each kind: it is no fault.
// Which reports there are does not depend on the number of host threads.
#include "reports.h"
#include "sim/machine/progress.h"
#include "sim/machine/room.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

struct entry {
    enum report_kind kind;
    uint32_t index; // of the instruction
    uint64_t block, order;
    uint64_t times;
    bool warning;
    bool printed; // while the launch ran
    char text[1024];
};

struct reports {
    pthread_mutex_t lock;
    struct entry *entry;
    int count, capacity;
    FILE *file;
    int most; // to be printed
};

static const struct {
    const char *name, *word; // as a report begins, and for a table
} kinds[REPORT_KINDS] = {[REPORT_UNKNOWN] = {"cannot run", "cannot run"},
                         [REPORT_HAZARD] = {"hazard", "hazard"},
                         [REPORT_REUSE] = {"wrong reuse", "reuse"},
                         [REPORT_ADDRESS] = {"bad address", "address"},
                         [REPORT_RACE] = {"shared-memory race", "race"},
                         [REPORT_GLOBAL_RACE] = {"global-memory race", "race"},
                         [REPORT_BARRIER] = {"barrier", "barrier"},
                         [REPORT_STACK] = {"stack overflow", "stack"},
                         [REPORT_UNWRITTEN] = {"uninitialized", "uninitialized"},
                         [REPORT_LANE] = {"absent lane", "lane"},
                         [REPORT_TRAP] = {"trap", "trap"},
                         [REPORT_ENDLESS] = {"endless", "endless"},
                         [REPORT_PROXY] = {"missing fence", "fence"}};

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
    free(r->entry);
    free(r);
}
static struct entry *find(struct reports *r, enum report_kind kind, bool warning, uint32_t index) {
    for (int i = 0; i < r->count; i++) {
        struct entry *e = &r->entry[i];
        if (e->kind == kind && e->warning == warning && (warning || e->index == index)) return e;
    }
    return NULL;
}

static struct entry *add(struct reports *r, enum report_kind kind, bool warning, uint32_t index) {
    MAKE_ROOM(r->entry, r->count, r->capacity);
    struct entry *e = &r->entry[r->count++];
    *e = (struct entry){.kind = kind, .warning = warning, .index = index, .block = UINT64_MAX};
    return e;
}

// "kernel sgemm_naive, block (3, 0, 0), thread (5, 0, 0)"
static int place(const struct warp *w, int lane, char *text, size_t size) {
    const struct block *b = w->block;
    const uint32_t *dim = b->launch->block;
    int n = snprintf(text, size, "kernel %s, block (%u, %u, %u), ", b->launch->program->kernel->name, b->index[0],
                     b->index[1], b->index[2]);
    if (lane < 0) return n + snprintf(text + n, size - (size_t)n, "warp %u", w->index);
    const uint32_t thread = w->index * LANES + (uint32_t)lane;
    return n + snprintf(text + n, size - (size_t)n, "thread (%u, %u, %u)", thread % dim[0], thread / dim[0] % dim[1],
                        thread / dim[0] / dim[1]);
}

static void write_entry(struct entry *e, const struct warp *w, int lane, const char *fact) {
    const struct program *p = w->block->launch->program;
    char where[512], instruction[SASS_MAX_TEXT + 32], source[768];
    const struct sass_line *line = cubin_line(p->kernel, e->index * SASS_BYTES);
    place(w, lane, where, sizeof where);
    program_text(p, e->index, instruction, sizeof instruction);
    const int n = snprintf(e->text, sizeof e->text, "%s%s: %s %s (%s", e->warning ? "warning: " : "",
                           kinds[e->kind].name, instruction, fact, where);
    source[0] = '\0';
    if (line) cubin_print_line(line, source, sizeof source);
    if (n > 0 && (size_t)n < sizeof e->text)
        snprintf(e->text + n, sizeof e->text - (size_t)n, "%s%s)", line ? ", " : "", source);
}

static void enter(struct warp *w, enum report_kind kind, bool warning, uint32_t index, int lane, const char *format,
                  va_list arguments) {
    struct block *b = w->block;
    struct reports *r = b->launch->reports;
    const uint64_t order = b->order++;
    pthread_mutex_lock(&r->lock);
    struct entry *e = find(r, kind, warning, index);
    if (!e) e = add(r, kind, warning, index);
    e->times++;
    if (b->linear < e->block || (b->linear == e->block && order < e->order)) {
        char fact[640];
        vsnprintf(fact, sizeof fact, format, arguments);
        e->block = b->linear;
        e->order = order;
        e->index = index;
        write_entry(e, w, lane, fact);
    }
    if (e->times == 1 && r->count <= r->most && progress_is_long(b->launch)) { // nobody should wait for the end
        progress_clear(b->launch);
        fprintf(r->file, "%s\n", e->text);
        fflush(r->file);
        e->printed = true;
    }
    pthread_mutex_unlock(&r->lock);
}

void warn(struct warp *w, enum report_kind kind, uint32_t index, int lane, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enter(w, kind, true, index, lane, format, arguments);
    va_end(arguments);
}

void report(struct warp *w, enum report_kind kind, uint32_t index, int lane, bool fatal, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enter(w, kind, false, index, lane, format, arguments);
    va_end(arguments);
    if (kind == REPORT_ADDRESS && !w->block->launch->at_fault) w->block->launch->at_fault = w->executed + 1;
    if (fatal) {
        w->block->launch->stop = true;
        w->state = WARP_STOPPED;
    }
}

const char *reports_text(const struct reports *r, int number) {
    return number < r->count ? r->entry[number].text : NULL;
}

static int by_block(const void *a, const void *b) {
    const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

bool reports_print(const struct reports *r, struct sim_error *first) {
    const struct entry **sorted = calloc((size_t)r->count + 1, sizeof *sorted), *fault = NULL;
    if (!sorted) return sim_fail(first, "not enough host memory");
    for (int i = 0; i < r->count; i++) sorted[i] = &r->entry[i];
    qsort(sorted, (size_t)r->count, sizeof *sorted, by_block);
    int shown = 0;
    for (int i = 0; i < r->count; i++) shown += r->entry[i].printed;
    for (int i = 0; i < r->count && shown < r->most; i++) {
        if (sorted[i]->printed) continue;
        shown++;
        fprintf(r->file, "%s", sorted[i]->text);
        if (sorted[i]->times > 1 && !sorted[i]->warning)
            fprintf(r->file, "; %llu times in all", (unsigned long long)sorted[i]->times);
        fprintf(r->file, "\n");
    }
    if (r->count > shown) fprintf(r->file, "and %d more kinds of report\n", r->count - shown);
    for (int i = r->count - 1; i >= 0; i--) fault = sorted[i]->warning ? fault : sorted[i];
    if (fault) {
        sim_fail(first, "%s", fault->text);
        first->report = kinds[fault->kind].word;
    }
    free(sorted);
    return !fault;
}

bool shared_is_right(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t least,
                     const char *verb) {
    const struct launch_state *launch = w->block->launch;
    const uint32_t width = u->detail->width, own = launch->shared_reserved;
    if (address % width != 0) {
        report(w, REPORT_ADDRESS, u->detail->index, lane, false,
               "%s %u bytes of shared memory at 0x%x, which is not aligned: not a multiple of %u", verb, width,
               address - own, width);
    } else if (!is_own_shared(launch, address, width) && (least || !is_system_shared(launch, address, width))) {
        report(w, REPORT_ADDRESS, u->detail->index, lane, false,
               "%s %u bytes of shared memory at 0x%x (offset %d); the block has %u bytes", verb, width, address,
               (int)(address - own), launch->shared_bytes - own);
    } else {
        return true;
    }
    return false;
}
