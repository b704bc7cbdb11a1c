// Writes the issue slots of some cycles in Chrome's trace format, which ui.perfetto.dev opens. The
// trace has a process per scheduler and one for blocks, a thread per warp, and a span per
// instruction and per warp state between two instructions. Its microsecond is one SM cycle.
#include "isa/codec.h"
#include "parts.h"

static bool is_shown(const struct sm_timeline *t, int64_t from, int64_t to) {
    return to > from && to > (int64_t)t->first && from < (int64_t)(t->first + t->count);
}

void timeline_open(const struct sm *sm) {
    FILE *f = sm->timeline->file;
    fprintf(f,
            "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"source\": \"predicted by a model of "
            "the %s\"},\n",
            sm->machine->name);
    fprintf(f, "\"traceEvents\": [\n");
    for (int i = 0; i < SCHEDULERS; i++) {
        fprintf(f,
                "{\"ph\": \"M\", \"pid\": %d, \"name\": \"process_name\", \"args\": {\"name\": "
                "\"scheduler %d\"}},\n",
                i, i);
    }
    fprintf(f,
            "{\"ph\": \"M\", \"pid\": %d, \"name\": \"process_name\", \"args\": {\"name\": "
            "\"blocks\"}}",
            SCHEDULERS);
}

void timeline_issue(const struct sm *sm, const struct sm_warp *w,
                    const struct sm_span span[SPANS]) {
    const struct sm_timeline *t = sm->timeline;
    char text[SASS_MAX_TEXT] = "?";
    bool control, observed;
    const struct sass_instruction *in = sim_instruction(sm->kernel, w->pc, &control, &observed);
    if (!is_shown(t, w->issued + 1, span[SPANS - 1].to)) return;
    if (in) sass_print(in, NULL, text, sizeof text);
    for (int i = 0; i < SPANS; i++) {
        if (!is_shown(t, span[i].from, span[i].to)) continue;
        const bool issue = span[i].state == SM_SELECTED;
        fprintf(
            t->file, ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %lld, \"dur\": %lld, ",
            w->scheduler, w->slot, (long long)span[i].from, (long long)(span[i].to - span[i].from));
        fprintf(t->file, "\"cat\": \"%s\", \"name\": \"%s\", ", issue ? "issue" : "stall",
                issue && in ? in->form->mnemonic : sm_state_names[span[i].state]);
        fprintf(t->file, "\"args\": {\"instruction\": \"%s\", \"address\": \"%x\"}}", text,
                w->pc * SASS_BYTES);
    }
}

void timeline_block(const struct sm *sm, const struct sm_block *block, int64_t from, int64_t to) {
    if (!is_shown(sm->timeline, from, to)) return;
    fprintf(sm->timeline->file,
            ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %u, \"ts\": %lld, \"dur\": %lld, \"name\": "
            "\"block %llu\"}",
            SCHEDULERS, block->first_slot, (long long)from, (long long)(to - from),
            (unsigned long long)block->linear);
}

void timeline_close(const struct sm *sm) {
    fprintf(sm->timeline->file, "\n]}\n");
}
