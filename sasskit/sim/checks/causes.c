// Finds the causes of reports by the rules of causes.def. Findings with a common cause are merged
// under the first of them.
//
// The rules examine what the check has seen (struct evidence), how often an instruction ran, and
// the kernel's code: its barriers, loops, and conditions on the thread's index. Source lines decide
// whether a position is between two accesses; without source lines, addresses do.
#include "causes.h"

static const struct rule {
    enum report_kind kind;
    const char *name;
    bool (*holds)(struct suspect *s);
} rules[] = {
#define RULE(kind, name, evidence, holds) {kind, name, holds},
#include "causes.def"
#undef RULE
};
enum { RULES = sizeof rules / sizeof *rules };

// Replaces a place's source line by that of the call through which the place was reached.
static void take_call(const struct program *p, struct code_place *place, uint32_t call) {
    const struct code_place from = place_of(p->kernel, call);
    if (!from.line) return;
    place->inlined_file = place_is_library(p->kernel, call) ? from.inlined_file : place->file;
    place->inlined_line = place->inlined_file == place->file ? place->line : from.inlined_line;
    place->file = from.file;
    place->line = from.line;
}

// Finds the calls in the kernel's own code that lead to the header function of `index`, directly or
// through other header functions. Returns the last one up to `line`; UINT32_MAX if there is none.
static uint32_t call_before(const struct program *p, uint32_t index, uint32_t line, int depth) {
    const uint32_t address = index * SASS_BYTES;
    uint32_t best = UINT32_MAX;
    for (int i = 0; i < p->kernel->symbol_count && depth > 0; i++) {
        const struct sass_symbol *f = &p->kernel->symbols[i];
        if (address < f->address || address - f->address >= f->size || !f->address) continue;
        for (uint32_t k = 0; k < p->count; k++) {
            if (!is_opcode(p, k, SASS_CALL) || p->detail[k].target != f->address / SASS_BYTES)
                continue;
            const bool library = place_is_library(p->kernel, k);
            const uint32_t from = library ? call_before(p, k, line, depth - 1) : k;
            if (from == UINT32_MAX || place_own_line(p->kernel, from) > line) continue;
            if (best == UINT32_MAX ||
                place_own_line(p->kernel, from) > place_own_line(p->kernel, best))
                best = from;
        }
    }
    return best;
}

// If a place is in a function that is not inlined, sets the place's line to that of the call. The
// function is a toolkit header's (nvcc -G) or, before sm_90, the one in which shuffles wait for
// lanes. For the earlier access, assumes the last call before the report's line or, failing that,
// the last call of all.
static void find_call(struct suspect *s) {
    enum { DEPTH = 4 };
    const struct program *p = s->program;
    const uint32_t index = s->entry->index, call = s->evidence->call;
    struct finding *f = s->finding;
    if (index >= p->count) return;
    if (call) {
        take_call(p, &f->place, call - 1);
        p->detail[index].position = 1 + source_position(p, call - 1);
    } else if (s->entry->kind == REPORT_LANE && call_of(p, index) != index) {
        const struct code_place from = place_of(p->kernel, call_of(p, index));
        if (!from.line) return;
        f->place.file = from.file;
        f->place.line = from.line;
        f->place.inlined_file = from.inlined_file;
        f->place.inlined_line = from.inlined_line;
    }
    const uint32_t other = s->evidence->other - 1;
    if (!s->evidence->other || other == index || !place_is_library(p->kernel, other)) return;
    uint32_t before = call_before(p, other, source_position(p, index) - 1, DEPTH);
    if (before == UINT32_MAX) before = call_before(p, other, UINT32_MAX, DEPTH);
    if (before == UINT32_MAX) return;
    take_call(p, &f->other, before);
    p->detail[other].position = 1 + source_position(p, before);
}

static bool is_rule(const struct entry *e, const char *name) {
    return e->finding.rule && strcmp(e->finding.rule, name) == 0;
}

// Makes a race in device memory a warning if --races was not given and some correct kernels have
// such races: for example, a search in a graph in which any of several values may win.
static void weigh(const struct launch_state *l, struct entry *e) {
    static const char *const intended[] = {"same-element", "warps-not-ordered",
                                           "blocks-not-ordered", "flag-without-fence"};
    if (!l->most_looks || e->kind != REPORT_GLOBAL_RACE || e->evidence.facts & FACT_OVERLAP) return;
    for (int i = 0; i < (int)(sizeof intended / sizeof *intended); i++)
        if (is_rule(e, intended[i])) e->finding.severity = SEVERITY_WARNING;
}

static void find_cause(const struct scene *scene, struct entry *e) {
    struct suspect s = {scene, e, &e->finding, &e->evidence, scene->launch->program};
    find_call(&s);
    find_array(&s);
    if (e->finding.rule) return; // the check itself has set the cause
    if (e->kind == REPORT_ADDRESS && is_outside_global(&s)) find_buffer(&s);
    find_parameter(&s);
    for (int i = 0; i < RULES; i++) {
        if (rules[i].kind != e->kind || !rules[i].holds(&s)) continue;
        e->finding.rule = rules[i].name;
        // A barrier for the block also orders the lanes of a warp, so a race between warps is
        // reported before one between lanes.
        e->rank = rules[i].holds == rule_race_of_lanes ? RULES : i;
        weigh(scene->launch, e);
        return;
    }
    e->rank = RULES;
}

static bool same_cause_place(const struct entry *a, const struct entry *b) {
    return a->finding.cause_place.known == b->finding.cause_place.known &&
           a->finding.cause_place.address == b->finding.cause_place.address;
}

// Returns true if one barrier can repair both races. Narrows a->from and a->to to the positions
// between which it must then stand.
static bool same_gap(const struct program *p, struct entry *a, const struct entry *b) {
    if (a->to && !b->to)
        return source_position(p, b->index) == a->from || source_position(p, b->index) == a->to;
    if (!a->to || !b->to) return !a->to == !b->to;
    if (a->from > b->to || b->from > a->to) return false;
    if (b->from > a->from) a->from = b->from;
    if (b->to < a->to) a->to = b->to;
    return true;
}

static bool explains_alike(const struct program *p, struct entry *a, const struct entry *b) {
    if (a->finding.severity != b->finding.severity || !a->finding.rule ||
        !is_rule(b, a->finding.rule))
        return false;
    if (is_rule(a, "missing-barrier")) return same_gap(p, a, b);
    if (a->kind == REPORT_HAZARD) return same_cause_place(a, b);
    if (a->kind == REPORT_ADDRESS && a->many != b->many) return false;
    if (a->kind == REPORT_ADDRESS)
        return !a->finding.cause_place.known || same_cause_place(a, b) ||
               a->finding.cause_place.line == b->finding.cause_place.line;
    return true;
}

// Returns true if one of the cause's two accesses is on the line of instruction `index`.
static bool has_line_of(const struct entry *cause, uint32_t index, const struct program *p) {
    const uint32_t line = source_position(p, index);
    return source_position(p, cause->index) == line ||
           (cause->evidence.other && source_position(p, cause->evidence.other - 1) == line);
}

// Returns true if the missing barrier that `barrier` reports would also order the accesses of `e`.
static bool would_order(const struct entry *barrier, const struct entry *e,
                        const struct program *p) {
    if (!e->evidence.other || !barrier->to) return false;
    const uint32_t here = source_position(p, e->index),
                   there = source_position(p, e->evidence.other - 1);
    const uint32_t low = here < there ? here : there, high = here < there ? there : here;
    if (barrier->to == UINT32_MAX) // missing at the end of a loop's body
        return high == barrier->from ||
               (common_loop(p, barrier->index, e->index).found &&
                common_loop(p, barrier->index, e->evidence.other - 1).found);
    return barrier->from < high && low < barrier->to;
}

static bool is_in_global(const struct entry *e) {
    return e->finding.space && strcmp(e->finding.space, "global") == 0;
}

// Returns true if `e` may follow from a barrier that some lanes of a warp missed: a race that the
// barrier would prevent, or a hazard (ptxas relies on all lanes passing the barrier together).
static bool follows_divergence(const struct entry *e) {
    if (e->kind == REPORT_HAZARD) return true;
    return is_rule(e, "barrier-in-condition") || is_rule(e, "missing-barrier") ||
           is_rule(e, "barrier-not-passed") ||
           (e->kind == REPORT_RACE &&
            (is_rule(e, "read-and-write") || is_rule(e, "missing-syncwarp")));
}

// Returns true if `e` reports a barrier at which only a part of a warp waited.
static bool parts_a_warp(const struct entry *e) {
    return is_rule(e, "barrier-in-branches") && e->evidence.facts & FACT_LANES;
}

// Returns true if error `e` occurred after `barrier`, at which only a part of a warp waited, and
// may follow from that: the lanes that run on change the uniform registers of those that wait.
static bool follows_parting(const struct entry *barrier, const struct entry *e) {
    if (barrier->block > e->block || (barrier->block == e->block && barrier->order > e->order))
        return false;
    return e->kind == REPORT_HAZARD || e->kind == REPORT_ADDRESS || e->kind == REPORT_UNWRITTEN ||
           e->kind == REPORT_ENDLESS;
}

// Makes `barrier` an error if parts_a_warp() is true for it and another error may follow from it.
// Races do not count as such errors, because their own cause names the condition.
static void weigh_parting(const struct scene *scene, struct entry *barrier) {
    for (int i = 0; i < scene->count && parts_a_warp(barrier); i++)
        if (scene->entry[i]->finding.severity == SEVERITY_ERROR && scene->entry[i] != barrier &&
            follows_parting(barrier, scene->entry[i]))
            barrier->finding.severity = SEVERITY_ERROR;
}

// Returns true if both findings are accesses to one buffer on one source line.
static bool same_access(const struct program *p, const struct entry *a, const struct entry *b) {
    return is_in_global(a) && is_in_global(b) && a->finding.argument != NOBODY_KNOWN &&
           a->finding.argument == b->finding.argument &&
           source_position(p, a->index) == source_position(p, b->index);
}

// Returns how firm the evidence for a wrong address's cause is: 0 is the firmest.
static int firmness(const struct entry *e) {
    static const char *const rule[] = {"misaligned",     "neighbour-outside", "wild-address",
                                       "negative-index", "loop-too-long",     "guard-inverted"};
    int i = 0;
    const int count = (int)(sizeof rule / sizeof *rule);
    while (i < count && !is_rule(e, rule[i])) i++;
    return i < count ? i : count + !e->shifted;
}

// Returns true if `cause` explains `e`: for example, a missing barrier explains memory that was
// read too early, and a register that was read too early explains an address computed from it.
static bool is_effect(const struct scene *scene, const struct entry *cause, const struct entry *e) {
    const struct program *p = scene->launch->program;
    if (is_rule(cause, "flag-without-fence") && is_rule(e, "blocks-not-ordered"))
        return cause->kind == e->kind; // `e` is a race for the data that the flag should protect
    if (cause->finding.severity != SEVERITY_ERROR) return false;
    if (e->kind == REPORT_NAN || e->kind == REPORT_OUTPUT || e->kind == REPORT_SHARED_UNUSED)
        return true;
    if (e->index == UINT32_MAX) return false;
    if (is_rule(cause, "divergent-barrier") && cause->kind == REPORT_LANE)
        return follows_divergence(e);
    if (parts_a_warp(cause)) return follows_parting(cause, e);
    if (cause->kind == REPORT_ADDRESS && e->kind == REPORT_ADDRESS && same_access(p, cause, e))
        return firmness(cause) < firmness(e) ||
               (firmness(cause) == firmness(e) && cause->finding.id < e->finding.id);
    if (cause->kind == REPORT_RACE && is_rule(e, "same-element") &&
        !is_rule(cause, "same-element") &&
        (has_line_of(cause, e->index, p) || cause->block < e->block ||
         (cause->block == e->block && cause->order < e->order)))
        return true; // the stores' index was computed from a value that was read too early
    if (is_rule(cause, "stores-overlap") && is_rule(e, "never-stored"))
        return strcmp(e->finding.array, cause->finding.array) == 0;
    // An index past the end of a row or array also leads to another element.
    if (is_rule(cause, "shared-index") &&
        (is_rule(e, "same-element") || is_rule(e, "stores-overlap")))
        return true;
    // Without the barrier, a warp runs ahead of the others.
    if ((is_rule(cause, "missing-barrier") || is_rule(cause, "barrier-in-condition")) &&
        is_rule(e, "barrier-not-passed"))
        return true;
    if (is_rule(cause, "barrier-in-condition") && is_rule(e, "missing-barrier") &&
        has_line_of(cause, e->index, p))
        return true;
    if (is_rule(cause, "missing-barrier") && is_rule(e, "missing-syncwarp") &&
        would_order(cause, e, p))
        return true;
    if (is_rule(cause, "barrier-in-condition") && e->kind == REPORT_BARRIER &&
        e->finding.severity != SEVERITY_ERROR)
        return place_own_line(p->kernel, e->index) == cause->finding.cause_place.line;
    if ((is_rule(cause, "missing-barrier") || is_rule(cause, "read-and-write") ||
         is_rule(cause, "barrier-in-condition")) &&
        is_rule(e, "missing-syncwarp"))
        return has_line_of(cause, e->index, p) &&
               (!e->evidence.other || has_line_of(cause, e->evidence.other - 1, p));
    if (cause->kind == REPORT_RACE || cause->kind == REPORT_PROXY)
        return e->kind == REPORT_UNWRITTEN && !(e->evidence.facts & FACT_REGISTER) &&
               e->finding.space && strcmp(e->finding.space, "shared") == 0 &&
               has_line_of(cause, e->index, p);
    if (cause->kind == REPORT_HAZARD || cause->kind == REPORT_REUSE)
        return e->kind == REPORT_ADDRESS || e->kind == REPORT_UNWRITTEN ||
               e->kind == REPORT_ENDLESS;
    if (is_rule(cause, "guard-inverted") &&
        (is_rule(e, "guard-too-wide") || is_rule(e, "index-too-large")))
        return cause->finding.cause_place.line == e->finding.cause_place.line;
    // An index past the end of a row is in the next row, which may belong to another block.
    if ((is_rule(cause, "guard-missing") || is_rule(cause, "guard-too-wide") ||
         is_rule(cause, "index-too-large")) &&
        is_rule(e, "blocks-overlap"))
        return true;
    if (cause->kind == REPORT_GLOBAL_RACE)
        return e->kind == REPORT_UNWRITTEN && is_in_global(e) &&
               cause->evidence.facts & FACT_OTHER_BLOCK &&
               e->finding.argument == cause->finding.argument && has_line_of(cause, e->index, p);
    if (is_rule(cause, "loop-too-long") && e->kind == REPORT_ADDRESS)
        return common_loop(p, cause->index, e->index).found;
    if (cause->kind == REPORT_UNWRITTEN)
        return e->kind == REPORT_ADDRESS &&
               (cause->evidence.facts & FACT_REGISTER || e->index + 1 == cause->evidence.other ||
                (e->index == cause->index && !is_in_global(cause)));
    // An address further outside may lie in another argument's memory, which is unwritten.
    if (cause->kind == REPORT_ADDRESS && e->kind == REPORT_UNWRITTEN)
        return e->index == cause->index && is_in_global(e) && is_in_global(cause);
    if (cause->kind == REPORT_ADDRESS) return e->kind == REPORT_ENDLESS;
    return false;
}

static struct entry *by_id(const struct scene *scene, int id) {
    for (int i = 0; i < scene->count; i++)
        if (scene->entry[i]->finding.id == id) return scene->entry[i];
    return NULL;
}

// Returns the entry under which `e` is merged; `e` itself if it is not merged.
static struct entry *head_of(const struct scene *scene, struct entry *e) {
    while (e->finding.caused_by) e = by_id(scene, e->finding.caused_by);
    return e;
}

// Finds a wrong index: two stores without a barrier between them reach the same elements, and no
// store reaches other elements of the array. A barrier would not repair this.
static void find_overlap(const struct scene *scene, struct entry *e) {
    const struct program *p = scene->launch->program;
    struct finding *f = &e->finding;
    char here[32], there[32];
    bool left_out = false;
    if (!is_rule(e, "missing-barrier") || !e->evidence.other || !*f->array) return;
    if (role_of(&f->place) != SOURCE_WRITES || role_of(&f->other) != SOURCE_WRITES) return;
    for (int i = 0; i < scene->count; i++)
        left_out |= is_rule(scene->entry[i], "never-stored") &&
                    !strcmp(scene->entry[i]->finding.array, f->array);
    if (!left_out) return;
    name_position(p, e->index, here);
    name_position(p, e->evidence.other - 1, there);
    f->rule = "stores-overlap";
    snprintf(f->cause, sizeof f->cause,
             "%s and %s store to the same elements of %s[..], and others of it are never stored: "
             "one of the two indices is wrong",
             there, here, f->array);
    snprintf(f->remedy, sizeof f->remedy,
             "compare the two indices with the parts of %s[..] that they should fill", f->array);
}

// Finds a line that reads both before a buffer's start and past its end: it reads the neighbours of
// elements at the edges.
static void find_neighbours(const struct scene *scene, struct entry *e) {
    struct finding *f = &e->finding;
    char where[32];
    bool past = false;
    if (!is_rule(e, "negative-index") || role_of(&f->place) == SOURCE_WRITES) return;
    for (int i = 0; i < scene->count; i++)
        past |= scene->entry[i]->kind == REPORT_ADDRESS &&
                scene->entry[i]->evidence.overshoot >= 0 &&
                same_access(scene->launch->program, e, scene->entry[i]);
    if (!past) return;
    name_position(scene->launch->program, e->index, where);
    f->rule = "neighbour-outside";
    snprintf(f->cause, sizeof f->cause,
             "%s reads before the buffer's start and past its end: the elements at the edges have "
             "no neighbours there",
             where);
    snprintf(f->remedy, sizeof f->remedy,
             "test the neighbour's own row and column before %s reads it (0 <= x and x < width), "
             "or clamp them",
             where);
}

// Returns true if the source excerpt of `head` already shows the line of `e`. If `head` is a wrong
// address on that line, both must also be writes, or both reads.
static bool is_shown(const struct entry *head, const struct entry *e) {
    const struct code_place *shown = &head->finding.place, *place = &e->finding.place;
    if (place->line == shown->line)
        return head->kind != REPORT_ADDRESS || role_of(place) == role_of(shown);
    return head->finding.other.known && place->line == head->finding.other.line;
}

// Appends the place of `e`, such as "line 24 (writes)", to head->finding.also, unless it is there
// already.
static void add_place(struct entry *head, const struct entry *e) {
    const struct code_place *place = &e->finding.place;
    char text[48], *also = head->finding.also;
    const size_t length = strlen(also);
    if (!place->known || !place->line || is_shown(head, e)) return;
    if (e->kind == REPORT_BARRIER && place->line == head->finding.cause_place.line) return;
    snprintf(text, sizeof text, place->action ? "line %u (%.20s)" : "line %u", place->line,
             place->action);
    if (strstr(also, text) || length + strlen(text) + 3 > sizeof head->finding.also) return;
    snprintf(also + length, sizeof head->finding.also - length, "%s%s", length ? ", " : "", text);
}

void causes_find(const struct scene *scene) {
    for (int i = 0; i < scene->count; i++) find_cause(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) find_overlap(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) find_neighbours(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) weigh_parting(scene, scene->entry[i]);
    for (int i = 0; i < scene->count; i++) { // in order of first occurrence
        struct entry *e = scene->entry[i];
        for (int k = 0; k < i && !e->finding.caused_by; k++) {
            struct entry *head = scene->entry[k];
            if (!head->finding.caused_by && explains_alike(scene->launch->program, head, e))
                e->finding.caused_by = head->finding.id;
        }
    }
    for (int i = 0; i < scene->count; i++) {
        struct entry *e = scene->entry[i], *cause = NULL;
        for (int k = 0; k < scene->count && !e->finding.caused_by; k++) {
            struct entry *other = scene->entry[k];
            // Two entries may explain each other, but the chain of causes must end.
            if (head_of(scene, other) != e && is_effect(scene, other, e) &&
                (!cause || other->rank < cause->rank))
                cause = other;
        }
        if (cause) e->finding.caused_by = cause->finding.id;
    }
    for (int i = 0; i < scene->count; i++) {
        struct entry *e = scene->entry[i], *head = head_of(scene, e);
        if (head == e) continue;
        e->finding.caused_by = head->finding.id;
        head->finding.merged++;
    }
    for (int writes = 1; writes >= 0; writes--) // stores first
        for (int i = 0; i < scene->count; i++) {
            const struct entry *e = scene->entry[i];
            if (e->finding.caused_by && (role_of(&e->finding.place) == SOURCE_WRITES) == writes)
                add_place(head_of(scene, scene->entry[i]), e);
        }
}
